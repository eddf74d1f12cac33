"""Training examples for hearts networks, from games played by teams of them.

An example has the inputs after a card, of a hand and the three cards to pass, or at a decision. At the end of a round each gets its
target, the study's terminal reward; examples of a trick with points also get the immediate reward as a hint. To learn from search,
all cards of a seat are examples, and the target follows from their cost in playouts.
"""

from dataclasses import dataclass

import numpy as np

from sparring.games.deck import CARDS, bit, count_cards, lowest_card
from sparring.games.hearts import nets, rules
from sparring.games.hearts.encodings import list_cards, list_places
from sparring.games.hearts.monte import list_candidates, try_cards, try_passes
from sparring.games.hearts.players import choose, flow_of
from sparring.games.hearts.playouts import card_loss, pass_others, three_loss
from sparring.games.hearts.rule_based import heuristic_move, heuristic_pass
from sparring.games.hearts.rules import PASS, PASSED, PLAY, POINT_CARDS, legal_cards, points_of
from sparring.games.hearts.tricks import AT
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.examples import NO_HINT
from sparring.kernel.fragments import fragment
from sparring.kernel.launch import SEATS
from sparring.kernel.random import below, step, uniform
from sparring.options import option

EXAMPLES = 60  # at most, per round
SEARCHED = 4 * (13 * 14 // 2)  # at most, per round, if every card of every hand is an example
PASSES = 12  # tried for a hand, to learn from search
SETTLED = -1  # `before` of an example whose target is known at once
DONE = -1  # `stage` of an example whose trick is over
HINT = np.float32(NO_HINT)
CREDITS, MOONS, VIEWS, PLAYOUTS = ("round", "rest"), ("all", "share"), ("defender", "shooter"), ("experts", "table")

Terms = np.dtype(
    [
        ("roles", np.int64),  # that learn, as bits
        ("explore", np.float32),  # share of their moves made at random
        ("rest", np.int64),  # whether only points taken from that card on count
        ("terminal", np.float32),  # points of a round with reward 0
        ("immediate", np.float32),  # points of a trick with reward 0; 0 for no hints
        ("moon_full", np.float32),  # points of a trick with the full reward in moon play
        ("moon_share", np.int64),  # whether moon play is rewarded by its share of the points, not for all of them only
        ("shooter", np.int64),  # whether the defence decision learns from the moon player's view
        ("search", np.int64),  # simulations per card, to learn from search; 0 for none
        ("table", np.int64),  # whether the players at the table play out the real deal instead
    ],
    align=True,
)


@dataclass(frozen=True)
class Rewards:
    """The parameters of the study's reward formulas."""

    terminal: int = option(10, "points of a round with reward 0 in play and pass (Table 4.2: 10, 13 or 26)", 1, 26)
    credit: str = option("round", "points that count for play: of the round, or from that card on", choices=CREDITS)
    immediate: int = option(4, "points of a trick with reward 0 in play (Table 4.1: 4, 8, 13, 16); 0: no hints", 0, 16)
    moon_full: int = option(
        5, "points of a trick with reward 0.5 in moon play: 5 (equation 43) or 10 (its text)", 1, 26
    )
    moon: str = option(
        "all", "reward of moon play: 1 for all points (equation 42), or the share taken (41)", choices=MOONS
    )
    view: str = option("defender", "whose view the defence decision learns from", choices=VIEWS)
    search: int = option(0, "simulations per card or pass, to learn the cost of each choice; 0: none", 0, 100_000)
    playout: str = option("experts", "who plays them: experts, or once in the real deal the table", choices=PLAYOUTS)


def terms_of(rewards: Rewards, roles: int, explore: float) -> np.ndarray:
    """Rewards and roles that learn, as kernels read them."""
    terms = np.zeros(1, Terms)
    rest, table = rewards.credit == "rest", rewards.playout == "table"
    moon = rewards.moon_full, rewards.moon == "share", rewards.view == "shooter"
    terms[0] = roles, explore, rest, rewards.terminal, rewards.immediate, *moon, rewards.search, table
    return terms


def most_examples(rewards: Rewards) -> int:
    """The maximum number of examples of a round."""
    return SEARCHED if rewards.search else EXAMPLES


@kernel
def play_examples(jobs, learners, players, weights, states, float_scratch, int_scratch, terms, examples, tallies):
    """Play games; writes what the seats in `learners` (bits) learn from game i to examples[i]."""
    s, term = states[0], terms[0]
    for i in range(jobs.size):
        job, found = jobs[i], examples[i]
        rules.start(s, job.seed, job.deal, job.luck, job.seats)
        count = begun = 0
        while s.over == 0:
            number, round_number = s.number, s.round
            learns = (learners[i] >> s.turn) & 1
            count = play_turn(s, term, job, players, weights, float_scratch, int_scratch, found, count, learns)
            begun = give_rewards(s, term, number, round_number, found, begun, count)
        tallies[i] = s.tally


@inline_kernel
def give_rewards(s, terms, number, round_number, examples, begun, count):
    """Write the rewards of a trick and of a round that are over; returns the first example of the present round."""
    if s.number != number or s.round != round_number:
        hint_trick(s, terms, number, round_number, examples, begun, count)
    if s.round != round_number:
        reward_round(s, terms, examples, begun, count)
        begun = count
    return begun


@fragment
def play_turn(s, terms, job, players, weights, scratch, int_scratch, examples, count, learns):
    """Play the move of the seat to move, and write what it learns from; returns the number of examples."""
    seat, player = s.turn, players[job.player[s.turn]]
    flow, role, wanted, card = flow_of(player.policy), np.int64(-1), np.int64(0), np.int64(-1)
    if flow < 0:
        card = np.int64(choose(s, player, weights, scratch, int_scratch))
    else:
        count = write_decisions(s, terms, learns, (flow == nets.PLAIN) != terms.shooter, examples, count)
        role = np.int64(nets.role_of(s, player, weights, scratch, int_scratch, flow))
        wanted = np.int64(learns and role >= 0 and (terms.roles >> role) & 1)
        card = explored(s, terms, wanted)
        if card < 0:
            card = np.int64(nets.role_move(s, role, player, weights, scratch, int_scratch))
    if wanted and terms.search and (role == nets.PLAYING or (role == nets.DEFENCE_PLAYING and terms.table)):
        count = write_searched(s, terms, role, job, players, weights, scratch, examples, count, int_scratch)
    elif wanted and terms.search and role == nets.PASSING:
        if s.passed[seat] == 0:
            count = write_passes(s, terms, job, players, weights, scratch, examples, count, int_scratch)
    elif wanted:
        count = write_move(s, role, card, examples, count)
    rules.apply(s, card)
    return count


@inline_kernel
def begin_example(example, s, role, stage, before):
    example.role, example.seat, example.episode, example.stage, example.before = role, s.turn, s.round, stage, before
    example.hint, example.group = HINT, 1


@kernel
def write_move(s, role, card, examples, count):
    """Write the example of a card that is played, or of the last one that is passed; returns the number of examples."""
    example, seat = examples[count], s.turn
    if s.phase == PLAY:
        begin_example(example, s, role, s.number, points_of(s.won[seat]))
        example.count = list_places(s, seat, example.index, 0)
        example.index[card] += 2  # from the hand into the trick
        return count + 1
    if count_cards(s.passed[seat]) < PASSED - 1:
        return count
    begin_example(example, s, role, s.number, 0)
    write_pass(example, s.dealt[seat], s.passed[seat] | bit(card))
    return count + 1


@inline_kernel
def write_pass(example, hand, three):
    """Write the inputs of a pass."""
    size = list_cards(hand, 0, example.index, 0)
    example.count = size + list_cards(three, CARDS, example.index, size)


@kernel
def write_searched(s, terms, role, job, players, weights, scratch, examples, count, int_scratch):
    """Write an example for every card that the seat to move may play, with its cost."""
    seat = s.turn
    cards = list_candidates(s, int_scratch, heuristic_move(s, True))
    if cards == 1:
        return count
    deals = 1 if terms.table else max(terms.search // cards, 1)
    if terms.table:
        for k in range(cards):
            card = int_scratch[AT.cards + k]
            int_scratch[AT.gains + k] = card_loss(s, role, card, job, players, weights, scratch, int_scratch)
    else:
        try_cards(s, cards, deals, int_scratch)
    before = points_of(s.won[seat]) if terms.rest else 0
    for k in range(cards):
        example = examples[count + k]
        example.count = list_places(s, seat, example.index, 0)
        example.index[int_scratch[AT.cards + k]] += 2  # from the hand into the trick
        lost = np.float32(int_scratch[AT.gains + k]) / np.float32(deals) - before
        settle(example, s, terms, role, lost)
        example.group = cards if k == 0 else 0
    return count + cards


@inline_kernel
def settle(example, s, terms, role, lost):
    """Set the target of an example from its cost."""
    begin_example(example, s, role, DONE, SETTLED)
    example.target = max(np.float32(0.0), (terms.terminal - lost) / terms.terminal)


@kernel
def write_passes(s, terms, job, players, weights, scratch, examples, count, int_scratch):
    """Write examples of passes, with their costs."""
    choose_passes(s, int_scratch)
    deals = 1 if terms.table else max(terms.search // PASSES, 1)
    if terms.table:
        pass_others(s, job, players, int_scratch)
        for k in range(PASSES):
            three = int_scratch[AT.cards + k]
            int_scratch[AT.gains + k] = three_loss(s, three, job, players, weights, scratch, int_scratch)
    else:
        try_passes(s, PASSES, deals, int_scratch)
    for k in range(PASSES):
        example = examples[count + k]
        write_pass(example, s.dealt[s.turn], int_scratch[AT.cards + k])
        settle(example, s, terms, nets.PASSING, np.float32(int_scratch[AT.gains + k]) / np.float32(deals))
        example.group = PASSES if k == 0 else 0
    return count + PASSES


@kernel
def choose_passes(s, int_scratch):
    """Write passes to try: the one chosen, the expert's, and random variations."""
    seat = s.turn
    hand = s.dealt[seat]
    chosen = s.wish[seat] if s.wish[seat] else heuristic_pass(hand, True)
    int_scratch[AT.cards], int_scratch[AT.cards + 1] = chosen, heuristic_pass(hand, True)
    for k in range(2, PASSES):
        three = chosen & ~random_of(s, chosen)
        if k % 3 == 0:
            three &= ~random_of(s, three)
        if k % 4 == 0:
            three = np.int64(0)
        while count_cards(three) < PASSED:
            three |= random_of(s, hand & ~three)
        int_scratch[AT.cards + k] = three


@kernel
def random_of(s, cards):
    """A random card of a set, as a bit."""
    s.luck[s.turn] = step(s.luck[s.turn])
    for _ in range(below(s.luck[s.turn], count_cards(cards))):
        cards &= cards - 1
    return cards & -cards


@kernel
def write_decisions(s, terms, learns, defends, examples, count):
    """Write examples of both decisions: a hand before its first move, and the state before a card while another may shoot.

    In the moon player's view the state is its own, as long as it may shoot.
    """
    seat = s.turn
    if learns and (terms.roles >> nets.MOON_DECISION) & 1 and s.plan[seat] == rules.UNDECIDED:
        begin_example(examples[count], s, nets.MOON_DECISION, DONE, 0)
        examples[count].count = list_cards(s.dealt[seat], 0, examples[count].index, 0)
        count += 1
    if learns and defends and (terms.roles >> nets.DEFENCE_DECISION) & 1 and s.phase == PLAY:
        if nets.others_points(s, seat) == 0 if terms.shooter else nets.is_suspect(s):
            begin_example(examples[count], s, nets.DEFENCE_DECISION, DONE, 0)
            examples[count].count = list_places(s, seat, examples[count].index, 0)
            count += 1
    return count


@kernel
def explored(s, terms, wanted):
    """A random card in a share of the moves that learn, otherwise -1. Cards to pass are drawn one by one."""
    if not wanted or terms.explore <= 0 or (s.phase == PASS and s.wish[s.turn]):
        return np.int64(-1)
    seat = s.turn
    s.luck[seat] = step(s.luck[seat])
    if s.phase == PASS and s.passed[seat]:
        return random_card(s)  # a pass that began at random continues at random
    return random_card(s) if uniform(s.luck[seat]) < terms.explore else np.int64(-1)


@kernel
def random_card(s):
    return lowest_card(random_of(s, legal_cards(s)))


@kernel
def hint_trick(s, terms, number, round_number, examples, first, last):
    """Write the immediate rewards of a trick that is over."""
    cards, winner = np.int64(0), s.last_winner
    for seat in range(SEATS):
        cards |= bit(s.last_trick[seat])
    points = points_of(cards)
    if points == 0:
        return
    others = 0  # who had points before
    for seat in range(SEATS):
        won = s.last_won[seat] if s.round != round_number else s.won[seat]
        others += seat != winner and (won & POINT_CARDS) != 0
    mine = s.last_won[winner] if s.round != round_number else s.won[winner]
    fresh = (mine & ~cards & POINT_CARDS) == 0  # whether these are the winner's first points
    for i in range(first, last):
        example = examples[i]
        if example.stage != number:
            continue
        example.stage = DONE
        if example.role == nets.PLAYING and example.seat == winner and terms.immediate > 0:
            example.hint = max(np.float32(0.0), (terms.immediate - points) / (2 * terms.immediate))
        elif example.role == nets.MOON_PLAYING and example.seat == winner and terms.immediate > 0:
            example.hint = min(np.float32(0.5), np.float32(0.5) * points / terms.moon_full)
        elif example.role == nets.DEFENCE_PLAYING and fresh and others == 1 and terms.immediate > 0:
            won = s.last_won[example.seat] if s.round != round_number else s.won[example.seat]
            example.hint = np.float32(1.0) if (won & POINT_CARDS) == 0 else np.float32(0.1)


@kernel
def reward_round(s, terms, examples, first, last):
    """Write the terminal rewards of a round."""
    holders, shot = 0, False
    for seat in range(SEATS):
        holders += (s.last_won[seat] & POINT_CARDS) != 0
        shot = shot or s.last_won[seat] & POINT_CARDS == POINT_CARDS
    for i in range(first, last):
        example = examples[i]
        if example.before == SETTLED:
            continue
        points = points_of(s.last_won[example.seat])
        moon = points == rules.ALL_POINTS
        if example.role == nets.PLAYING or example.role == nets.PASSING:
            counted = points - example.before if terms.rest else points
            if shot and s.rules.moon != rules.OFF:
                counted = 0 if moon else rules.ALL_POINTS
            example.target = max(np.float32(0.0), (terms.terminal - counted) / terms.terminal)
        elif example.role == nets.DEFENCE_DECISION:
            example.target = np.float32(1.0) if shot and moon == terms.shooter else np.float32(0.0)
        elif example.role == nets.DEFENCE_PLAYING:
            stopped = np.float32(1.0) if points == 0 else np.float32(0.1)
            example.target = stopped if holders > 1 else np.float32(0.0)
        elif terms.moon_share and example.role != nets.MOON_DECISION:
            example.target = np.float32(points) / np.float32(rules.ALL_POINTS)
        else:
            example.target = np.float32(1.0) if moon else np.float32(0.0)
