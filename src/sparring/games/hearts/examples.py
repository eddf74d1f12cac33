"""What hearts nets learn from: games played by teams of them, and what each net should have said.

An example of play is what a seat saw after its card; of a pass, the hand and the three cards; of a decision, what was seen when it
was made. At the end of a round every example of it gets its target, the study's terminal reward; examples of a trick that brought
points get the immediate reward as a hint (`Rewards` has the formulas). Or the cards of a seat are all tried, and each is an example
whose target is what it came to: that is to learn from search. They are tried as the Monte Carlo player tries them, on average over
many deals that experts play out, or in the deal as it is, which those at the table play on.
"""

from dataclasses import dataclass

import numpy as np

from sparring.games.deck import CARDS, bit, count_cards, lowest_card
from sparring.games.hearts.encodings import list_cards, list_places
from sparring.games.hearts.heuristics import expert_move
from sparring.games.hearts.monte import (
    CARDS_AT,
    GAINS_AT,
    deal_passes,
    deal_world,
    expert_three,
    pass_loss,
    prepare_deals,
    world_loss,
    worth_trying,
)
from sparring.games.hearts.nets import (
    DEFENCE_DECISION,
    DEFENCE_PLAYING,
    MOON_DECISION,
    MOON_PASSING,
    MOON_PLAYING,
    PASSING,
    PLAYING,
    is_suspect,
    role_move,
    role_of,
)
from sparring.games.hearts.players import choose, flow_of
from sparring.games.hearts.playouts import card_loss, pass_others, three_loss
from sparring.games.hearts.rules import (
    PASS,
    PASSED,
    PLAY,
    POINT_CARDS,
    SEATS,
    UNDECIDED,
    apply,
    legal_cards,
    points_of,
    start,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.examples import NO_HINT
from sparring.kernel.random import below, step, uniform
from sparring.options import option

EXAMPLES = 60  # the most of a round
SEARCHED = 4 * (13 * 14 // 2)  # and if every card of every hand is one
PASSES = 12  # that are tried for a hand, to learn from search
SETTLED = -1  # points that the seat had before, of an example whose target is known at once
DONE = -1  # the stage of an example whose trick is over
HINT = np.float32(NO_HINT)

Terms = np.dtype(
    [
        ("roles", np.int64),  # that learn, as bits
        ("explore", np.float32),  # share of their moves made at random
        ("rest", np.int64),  # whether what was taken before does not count
        ("terminal", np.float32),  # points at which a round is worth nothing
        ("immediate", np.float32),  # points at which a trick is; 0 for no hints
        ("moon_full", np.float32),  # points of a trick that are worth all that a trick can be worth to the moon
        ("search", np.int64),  # rounds played out for a card that is played, to learn from; 0 for none
        ("table", np.int64),  # whether those at the table play on instead
    ],
    align=True,
)


@dataclass(frozen=True)
class Rewards:
    """The study's formulas, by the points that make them 0."""

    terminal: int = option(10, "points of a round worth 0 to play and pass (Table 4.2: 10, 13 or 26)", 1, 26)
    credit: str = option(
        "round",
        "what play is rewarded by: the whole round's points, as in the study, or those taken from that card on",
        choices=("round", "rest"),
    )
    immediate: int = option(4, "points of a trick worth 0 to play (Table 4.1: 4, 8, 13 or 16); 0 for no hints", 0, 16)
    moon_full: int = option(5, "points of a trick worth 0.5 to the moon: 5 by equation 43, 10 by its text", 1, 26)
    search: int = option(
        0,
        "rounds that experts play out before a card or pass, to tell what each choice would cost; 0: none",
        0,
        100_000,
    )
    playout: str = option(
        "experts",
        "who plays them out: experts, in deals that fit what was seen; or all at the table, once, in the deal as it is",
        choices=("experts", "table"),
    )


def terms_of(rewards: Rewards, roles: int, explore: float) -> np.ndarray:
    """Rewards and what learns, as kernels read them."""
    found = np.zeros(1, Terms)
    rest = rewards.credit == "rest"
    table = rewards.playout == "table"
    found[0] = roles, explore, rest, rewards.terminal, rewards.immediate, rewards.moon_full, rewards.search, table
    return found


def most_examples(rewards: Rewards) -> int:
    """The most examples that a round can give."""
    return SEARCHED if rewards.search else EXAMPLES


@kernel
def play_lessons(
    jobs, learners, first, last, players, weights, states, float_scratch, int_scratch, terms, scratch, examples, tallies
):
    """Play games and write what the seats in `learners` (as bits) learn from each, in room of its own for every game."""
    s, told = states[0], terms[0]
    for i in range(first, last):
        job = jobs[i]
        start(s, job.seed, job.deal, job.luck, job.seats)
        count = begun = i * scratch
        while s.over == 0:
            seat, number, round_number = s.turn, s.number, s.round
            learns = (learners[i] >> seat) & 1
            player = players[job.player[seat]]
            flow = flow_of(player.policy)
            if flow >= 0:
                count = write_before(s, told, learns, examples, count)
                role = role_of(s, player, weights, float_scratch, int_scratch, flow)
                wanted = learns and role >= 0 and (told.roles >> role) & 1
                card = explored(s, told, wanted)
                if card < 0:
                    card = role_move(s, role, player, weights, float_scratch, int_scratch)
            else:
                role, wanted = -1, 0
                card = choose(s, player, weights, float_scratch, int_scratch)
            phase, passed = s.phase, s.passed[seat] | bit(card)
            dealt = s.dealt[seat]
            if wanted and told.search and (role == PLAYING or (role == DEFENCE_PLAYING and told.table)):
                count = write_searched(
                    s, told, role, job, players, weights, float_scratch, examples, count, int_scratch
                )
            elif wanted and told.search and role == PASSING:
                if s.passed[seat] == 0:
                    count = write_passes(s, told, job, players, weights, float_scratch, examples, count, int_scratch)
                wanted = 0
            elif wanted and phase == PLAY:
                list_places(s, seat, int_scratch, 0)
                int_scratch[card] += 2  # from the hand into the trick
                count = write(examples, count, role, seat, number, points_of(s.won[seat]), int_scratch, CARDS)
            three = wanted and phase == PASS and (passed & (passed - 1)) & ((passed & (passed - 1)) - 1)
            apply(s, card)
            if three:
                size = list_cards(dealt, 0, int_scratch, 0)
                size += list_cards(passed, CARDS, int_scratch, size)
                count = write(examples, count, role, seat, number, 0, int_scratch, size)
            if s.number != number or s.round != round_number:
                hint_trick(s, told, number, round_number, examples, begun, count)
            if s.round != round_number:
                reward_round(s, told, examples, begun, count)
                begun = count
        tallies[i] = s.tally


@inline_kernel
def write(examples, at, role, seat, number, before, int_scratch, count):
    example = examples[at]
    example.role, example.seat, example.stage, example.before, example.count = role, seat, number, before, count
    example.hint, example.group = HINT, 1
    for k in range(count):
        example.index[k] = int_scratch[k]
    return at + 1


@kernel
def write_searched(s, told, role, job, players, weights, scratch, examples, count, int_scratch):
    """Write one example for every card that a seat may play, with what it costs."""
    seat = s.turn
    cards = worth_trying(s, int_scratch, expert_move(s))
    if cards == 1:
        return count
    deals = 1 if told.table else max(told.search // cards, 1)
    if told.table:
        for k in range(cards):
            int_scratch[GAINS_AT + k] = card_loss(
                s, role, int_scratch[CARDS_AT + k], job, players, weights, scratch, int_scratch
            )
    else:
        try_cards(s, cards, deals, int_scratch)
    before = points_of(s.won[seat]) if told.rest else 0
    for k in range(cards):
        example = examples[count]
        example.count = list_places(s, seat, example.index, 0)
        example.index[int_scratch[CARDS_AT + k]] += 2  # from the hand into the trick
        lost = np.float32(int_scratch[GAINS_AT + k]) / np.float32(deals) - before
        example.group = cards if k == 0 else 0
        count = settle(example, told, role, seat, lost, count)
    return count


@kernel
def try_cards(s, cards, deals, int_scratch):
    """What each card costs in deals that fit what was seen, all of them together."""
    prepare_deals(s, int_scratch)
    for k in range(cards):
        int_scratch[GAINS_AT + k] = 0
    for _ in range(deals):
        s.luck[s.turn] = deal_world(s.luck[s.turn], int_scratch, s.turn)
        for k in range(cards):
            int_scratch[GAINS_AT + k] += world_loss(s, int_scratch[CARDS_AT + k], int_scratch, np.int64(-1), True)


@inline_kernel
def settle(example, told, role, seat, lost, count):
    """An example whose target is known: what its card, or its pass, costs."""
    example.role, example.seat, example.stage, example.before, example.hint = role, seat, DONE, SETTLED, HINT
    example.target = max(np.float32(0.0), (told.terminal - lost) / told.terminal)
    return count + 1


@kernel
def write_passes(s, told, job, players, weights, scratch, examples, count, int_scratch):
    """Write examples of passes, with what they cost."""
    seat = s.turn
    hand = s.dealt[seat]
    choose_passes(s, int_scratch)
    deals = 1 if told.table else max(told.search // PASSES, 1)
    if told.table:
        pass_others(s, job, players, int_scratch)
        for k in range(PASSES):
            int_scratch[GAINS_AT + k] = three_loss(
                s, int_scratch[CARDS_AT + k], job, players, weights, scratch, int_scratch
            )
    else:
        try_passes(s, deals, int_scratch)
    for k in range(PASSES):
        example = examples[count]
        size = list_cards(hand, 0, example.index, 0)
        example.count = size + list_cards(int_scratch[CARDS_AT + k], CARDS, example.index, size)
        lost = np.float32(int_scratch[GAINS_AT + k]) / np.float32(deals)
        example.group = PASSES if k == 0 else 0
        count = settle(example, told, PASSING, seat, lost, count)
    return count


@kernel
def choose_passes(s, int_scratch):
    """Passes to try: what was chosen, the expert's, and others at random beside them."""
    seat = s.turn
    hand = s.dealt[seat]
    chosen = s.wish[seat] if s.wish[seat] else expert_three(hand)
    int_scratch[CARDS_AT], int_scratch[CARDS_AT + 1] = chosen, expert_three(hand)
    for k in range(2, PASSES):
        three = chosen & ~drawn(s, chosen)
        if k % 3 == 0:
            three &= ~drawn(s, three)
        if k % 4 == 0:
            three = np.int64(0)
        while count_cards(three) < PASSED:
            three |= drawn(s, hand & ~three)
        int_scratch[CARDS_AT + k] = three


@kernel
def try_passes(s, deals, int_scratch):
    """What each pass costs in deals in which experts pass and play, all of them together."""
    for k in range(PASSES):
        int_scratch[GAINS_AT + k] = 0
    for _ in range(deals):
        s.luck[s.turn] = deal_passes(s, s.luck[s.turn], int_scratch)
        for k in range(PASSES):
            int_scratch[GAINS_AT + k] += pass_loss(s, int_scratch[CARDS_AT + k], int_scratch)


@kernel
def drawn(s, cards):
    """One of some cards, at random, as a bit."""
    s.luck[s.turn] = step(s.luck[s.turn])
    for _ in range(below(s.luck[s.turn], count_cards(cards))):
        cards &= cards - 1
    return cards & -cards


@kernel
def write_before(s, told, learns, examples, count):
    """Write what the two decisions see: a hand before its first move, and a view before a card while another seems to shoot."""
    seat = s.turn
    if learns and (told.roles >> MOON_DECISION) & 1 and s.plan[seat] == UNDECIDED:
        example = examples[count]
        example.role, example.seat, example.stage, example.before, example.hint = MOON_DECISION, seat, DONE, 0, HINT
        example.group = 1
        example.count = list_cards(s.dealt[seat], 0, example.index, 0)
        count += 1
    if learns and (told.roles >> DEFENCE_DECISION) & 1 and s.phase == PLAY and is_suspect(s):
        example = examples[count]
        example.role, example.seat, example.stage, example.before, example.hint = DEFENCE_DECISION, seat, DONE, 0, HINT
        example.group = 1
        example.count = list_places(s, seat, example.index, 0)
        count += 1
    return count


@kernel
def explored(s, told, wanted):
    """A card at random in a share of the moves that learn, else -1. What is passed is drawn card by card."""
    if not wanted or told.explore <= 0 or (s.phase == PASS and s.wish[s.turn]):
        return np.int64(-1)
    seat = s.turn
    s.luck[seat] = step(s.luck[seat])
    if s.phase == PASS and s.passed[seat]:
        return random_card(s)  # what began at random goes on so
    return random_card(s) if uniform(s.luck[seat]) < told.explore else np.int64(-1)


@kernel
def random_card(s):
    return lowest_card(drawn(s, legal_cards(s)))


@kernel
def hint_trick(s, told, number, round_number, examples, first, last):
    """The immediate rewards of a trick that is over."""
    cards, winner = np.int64(0), s.last_winner
    for seat in range(SEATS):
        cards |= bit(s.last_trick[seat])
    points = points_of(cards)
    if points == 0:
        return
    others = 0  # that had points before
    for seat in range(SEATS):
        won = s.last_won[seat] if s.round != round_number else s.won[seat]
        others += seat != winner and (won & POINT_CARDS) != 0
    mine = s.last_won[winner] if s.round != round_number else s.won[winner]
    fresh = (mine & ~cards & POINT_CARDS) == 0  # these are the winner's first
    for i in range(first, last):
        example = examples[i]
        if example.stage != number:
            continue
        example.stage = DONE
        if example.role == PLAYING and example.seat == winner and told.immediate > 0:
            example.hint = max(np.float32(0.0), (told.immediate - points) / (2 * told.immediate))
        elif example.role == MOON_PLAYING and example.seat == winner and told.immediate > 0:
            example.hint = min(np.float32(0.5), np.float32(0.5) * points / told.moon_full)
        elif example.role == DEFENCE_PLAYING and fresh and others == 1 and told.immediate > 0:
            won = s.last_won[example.seat] if s.round != round_number else s.won[example.seat]
            example.hint = np.float32(1.0) if (won & POINT_CARDS) == 0 else np.float32(0.1)


@kernel
def reward_round(s, told, examples, first, last):
    """The terminal reward, the same for all of a round's examples."""
    holders = 0
    for seat in range(SEATS):
        holders += (s.last_won[seat] & POINT_CARDS) != 0
    for i in range(first, last):
        example = examples[i]
        if example.before == SETTLED:
            continue
        points = points_of(s.last_won[example.seat])
        moon = points == 26
        if example.role == PLAYING or example.role == PASSING:
            counted = points - example.before if told.rest else points
            example.target = max(np.float32(0.0), (told.terminal - counted) / told.terminal)
        elif example.role == DEFENCE_DECISION:
            example.target = np.float32(1.0) if holders == 1 and points == 0 else np.float32(0.0)
        elif example.role == DEFENCE_PLAYING:
            stopped = np.float32(1.0) if points == 0 else np.float32(0.1)
            example.target = stopped if holders > 1 else np.float32(0.0)
        elif example.role == MOON_PLAYING or example.role == MOON_PASSING or example.role == MOON_DECISION:
            example.target = np.float32(1.0) if moon else np.float32(0.0)
