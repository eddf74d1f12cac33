"""Rounds played on by those at the table, in the deal as it is: what each choice of a net would have come to.

Nets play on by their nets: for the moon if they have planned it and nobody else has points, else for play; the one that learns goes
on in its role. The rule-based player plays by its rules, all others by the expert's. Who learns so learns what others hold when
they have played as they did, and what it makes of it itself, which rounds dealt anew and played by experts do not tell.
"""

import numpy as np

from sparring.games.deck import bit
from sparring.games.hearts.heuristics import DECK, expert_follow, expert_lead, expert_pass
from sparring.games.hearts.monte import DEALT_AT, HANDS_AT, TWICE, WON_AT, loss, shown_voids
from sparring.games.hearts.nets import MOON_PLAYING, PLAYING, best_of
from sparring.games.hearts.players import RULE_BASED, flow_of
from sparring.games.hearts.rules import (
    HEARTS,
    MOON,
    PASSED,
    POINT_CARDS,
    SEATS,
    TWO_OF_CLUBS,
    cards_to_follow,
    cards_to_lead,
    receiver,
    suit_of,
    trick_cards,
    trick_winner,
)
from sparring.games.hearts.tips import rule_follow, rule_lead, rule_pass
from sparring.kernel.compiler import inline_kernel, kernel


@kernel
def card_loss(s, role, card, job, players, weights, scratch, int_scratch):
    """Points that the seat to move has after the round if it plays this card, and goes on in this role; 26 for anyone's moon."""
    for seat in range(SEATS):
        int_scratch[HANDS_AT + seat], int_scratch[WON_AT + seat] = s.hand[seat], s.won[seat]
    winner = trick_winner(s)
    winning, led = s.trick[winner], suit_of(s.trick[s.leader])
    play_on(s, role, job, players, weights, scratch, int_scratch, s.turn, s.leader, s.number, s.broken, trick_cards(s), s.played,
            shown_voids(s), winner, winning, led, card)  # fmt: skip
    return loss(s, s.turn, int_scratch)


@kernel
def play_on(
    s, role, job, players, weights, scratch, int_scratch, seat, leader, number, broken, trick, played, voids, winner, winning, led,
    card
):  # fmt: skip
    """Play a round to where nothing more happens: what is won is then in the integers."""
    decided, holders = np.int64(DECK if s.rules.jack else POINT_CARDS), np.int64(0)  # and who have points, as bits
    for other in range(SEATS):
        holders |= ((int_scratch[WON_AT + other] & POINT_CARDS) != 0) << other
    while decided & ~played:
        hand = int_scratch[HANDS_AT + seat]
        if card < 0:
            player, leads, after = players[job.player[seat]], seat == leader, (leader - seat - 1) % SEATS
            legal = cards_to_lead(hand, number, broken) if leads else cards_to_follow(hand, led, number)
            out = DECK & ~(played | trick | hand)
            if flow_of(player.policy) >= 0:
                now = role_now(s, seat, holders, role)
                card = best_of(hand, played, trick, now, player, weights, scratch, legal)
            elif player.policy == RULE_BASED:
                if leads:
                    card = rule_lead(legal, out)
                else:
                    card = rule_follow(legal, led, winning, trick, after == 0, out, number)
            elif leads:
                card = expert_lead(legal, out)
            else:
                dry = (voids >> (led * 2 * SEATS + seat + 1)) & ((1 << after) - 1) != 0
                card = expert_follow(legal, led, winning, trick, after, dry, out, number)
        int_scratch[HANDS_AT + seat] = hand & ~bit(card)
        trick |= bit(card)
        suit = suit_of(card)
        broken |= suit == HEARTS
        if seat == leader:
            led, winner, winning = suit, seat, card
        elif suit != led:
            voids |= TWICE << (led * 2 * SEATS + seat)
        elif card > winning:
            winner, winning = seat, card
        seat, card = (seat + 1) % SEATS, np.int64(-1)
        if seat == leader:
            int_scratch[WON_AT + winner] |= trick
            holders |= ((trick & POINT_CARDS) != 0) << winner
            played |= trick
            trick = np.int64(0)
            number += 1
            seat = leader = winner


@inline_kernel
def role_now(s, seat, holders, role):
    """By which net a seat plays on; the seat to move keeps its role while another may shoot the moon."""
    if s.plan[seat] == MOON and holders & ~(1 << seat) == 0:
        return MOON_PLAYING
    threatened = holders & (holders - 1) == 0 and holders & 1 << seat == 0
    return role if seat == s.turn and threatened else PLAYING


@kernel
def pass_others(s, job, players, int_scratch):
    """What all hold, in DEALT_AT, once the others have passed by their rules, and the seat to move not yet."""
    for seat in range(SEATS):
        int_scratch[DEALT_AT + seat] = s.dealt[seat]
    for seat in range(SEATS):
        if seat != s.turn:
            three = three_by_rules(s.dealt[seat], players[job.player[seat]].policy == RULE_BASED)
            int_scratch[DEALT_AT + seat] &= ~three
            int_scratch[DEALT_AT + receiver(seat, s.direction)] |= three


@kernel
def three_by_rules(hand, plain):
    """The cards that the rule-based player passes, or the expert."""
    three = np.int64(0)
    for k in range(PASSED):
        rest, left = hand & ~three, PASSED - k
        three |= bit(rule_pass(rest, left) if plain else expert_pass(rest, left))
    return three


@kernel
def three_loss(s, three, job, players, weights, scratch, int_scratch):
    """Points that the seat to move has after the round if it passes these three cards."""
    leader, none = np.int64(0), np.int64(0)
    for seat in range(SEATS):
        int_scratch[HANDS_AT + seat], int_scratch[WON_AT + seat] = int_scratch[DEALT_AT + seat], 0
    int_scratch[HANDS_AT + s.turn] &= ~three
    int_scratch[HANDS_AT + receiver(s.turn, s.direction)] |= three
    for seat in range(SEATS):
        if int_scratch[HANDS_AT + seat] & bit(TWO_OF_CLUBS):
            leader = np.int64(seat)
    play_on(s, PLAYING, job, players, weights, scratch, int_scratch, leader, leader, none, none, none, none, none, leader, none, none,
            np.int64(-1))  # fmt: skip
    return loss(s, s.turn, int_scratch)
