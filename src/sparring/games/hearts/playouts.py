"""Rounds of hearts played out in the real deal by the players at the table, to learn the cost of each choice.

Networks play by their moon role if they planned a moon and nobody else has points, otherwise by their play role; the learner keeps
its role. The rule-based player follows its rules, all other players the expert's, or the daring player's if they planned a moon.
"""

from sparring.games.hearts.heuristics import moon_card
from sparring.games.hearts.nets import MOON_PLAYING, PLAYING, best_of
from sparring.games.hearts.players import RULE_BASED, flow_of
from sparring.games.hearts.rule_based import heuristic_card, heuristic_pass
from sparring.games.hearts.rules import MOON, receiver
from sparring.games.hearts.tricks import AT, after_card, is_undecided, legal_cards_at, loss, pass_cards, position_of
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS


@kernel
def card_loss(s, role, card, job, players, weights, scratch, int_scratch):
    """The points of the seat to move after the round if it plays this card and continues in this role; 26 for anyone's moon."""
    for seat in range(SEATS):
        int_scratch[AT.hands + seat], int_scratch[AT.won + seat] = s.hand[seat], s.won[seat]
    p = after_card(position_of(s), card, int_scratch)
    return play_on(s, p, role, job, players, weights, scratch, int_scratch)


@kernel
def play_on(s, p, role, job, players, weights, scratch, int_scratch):
    """Play a round from a position to its end; returns the points of the seat to move in the state."""
    while is_undecided(s, p):
        player, hand = players[job.player[p.seat]], int_scratch[AT.hands + p.seat]
        legal = legal_cards_at(p, hand)
        if flow_of(player.policy) >= 0:
            card = best_of(hand, p.played, p.trick, role_now(s, p, role), player, weights, scratch, legal)
        elif s.plan[p.seat] == MOON and p.holders & ~(1 << p.seat) == 0:
            card = moon_card(p, hand, legal)
        else:
            card = heuristic_card(p, hand, legal, player.policy != RULE_BASED)
        p = after_card(p, card, int_scratch)
    return loss(s, s.turn, int_scratch)


@inline_kernel
def role_now(s, p, role):
    """The role by which a seat plays on; the learner keeps its role while another seat may shoot the moon."""
    if s.plan[p.seat] == MOON and p.holders & ~(1 << p.seat) == 0:
        return MOON_PLAYING
    threatened = p.holders & (p.holders - 1) == 0 and p.holders & 1 << p.seat == 0
    return role if p.seat == s.turn and threatened else PLAYING


@kernel
def pass_others(s, job, players, int_scratch):
    """Write the hands to AT.dealt, after all seats but the one to move have passed by their rules."""
    for seat in range(SEATS):
        int_scratch[AT.dealt + seat] = s.dealt[seat]
    for seat in range(SEATS):
        if seat != s.turn:
            three = heuristic_pass(s.dealt[seat], players[job.player[seat]].policy != RULE_BASED)
            int_scratch[AT.dealt + seat] &= ~three
            int_scratch[AT.dealt + receiver(seat, s.direction)] |= three


@kernel
def three_loss(s, three, job, players, weights, scratch, int_scratch):
    """The points of the seat to move after the round if it passes these three cards."""
    p = pass_cards(s, three, int_scratch)
    return play_on(s, p, PLAYING, job, players, weights, scratch, int_scratch)
