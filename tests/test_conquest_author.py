"""Conquest in its author's reading, beside a plain program of the same facts and beside NumPy itself."""

from collections import Counter

import numpy as np
import pytest

from amounts import amount
from conquest_author import OUTCOMES, AuthorGame, decode, guide, part, red_move
from conquest_table import SIDES, Table, map_of, random_board
from sparring.arena.players import Chooser, Contestant
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.conquest import move_nets, numpy_draws, rules
from sparring.games.conquest.game_record import read_record, record_of
from sparring.games.conquest.maps import find_map
from sparring.games.conquest.notation import read_short
from sparring.kernel.compiler import INTERPRETED
from sparring.nets.dense import Net, gaussian, size

GAME = find_game("conquest:map=duel,rounds=500,reading=author")
DUEL = find_map("duel")
CASES = {"empty": 5000, "easy": 500, "hard-author": 5000, "duel": 500}
POSITIONS = 20 if INTERPRETED else amount(400, 1500)
SAFE = 1e-4  # outputs nearer to a bound than this may be rounded to its other side


def author_table(start=DUEL, limit=500, goal=rules.ELIMINATE):
    return Table(start, limit, goal, reading=rules.AUTHOR)


def random_net(seed, scale=1.0):
    shape = (36, 6, 4)
    weights = np.float32(scale) * gaussian(size(shape), seed, "author")
    return Net("conquest", rules.VERSION, "shares", shape, weights, policy="net+author", input_major=True)


def outputs_of(net, table):
    """The outputs of a dense net in double precision."""
    inputs, hidden, outputs = net.shape
    weights = net.weights.astype(float)
    first, rest = np.split(weights, [inputs * hidden])
    bias, last, end = np.split(rest, [hidden, hidden + hidden * outputs])

    def squashed(x):
        return 1 / (1 + np.exp(-x))

    values = squashed(table["board"][:36] / 20 @ first.reshape(inputs, hidden) + bias)
    return squashed(last.reshape(outputs, hidden) @ values + end)


def is_safe(outputs):
    scaled = np.append(np.outer(outputs[1:3], [35]), outputs[3] * 20)
    return abs(outputs[0] - 0.5) > SAFE and (abs(scaled - np.round(scaled)) > SAFE).all()


# Random numbers.


def test_a_kernel_draws_what_numpy_draws():
    luck, sizes = np.random.default_rng(1), [1, 2, 3, 20, 36, 100, 2**31 + 5, 3 * 2**30]
    drawn, numpy_stream = np.zeros(5, np.uint64), np.random.default_rng(2)
    numpy_draws.start_draws(drawn, 1)
    for n in luck.choice(sizes, 300 if INTERPRETED else 20000).tolist():
        with np.errstate(over="ignore"):
            found = numpy_draws.draw(drawn, 1, n)
        assert found == numpy_stream.integers(n)
    assert drawn[0] == drawn[4] == 0


def test_the_third_case_s_map_is_drawn_by_numpy():
    stream, board = np.random.default_rng(2), [1]
    for _ in range(35):
        red = stream.choice([False, True])
        board.append(-int(stream.integers(1, 21)) if red else 0)
    assert find_map("hard-author").board == tuple(board)


# Decisions.


def test_the_last_tile_is_never_named():
    assert [part(number, 35) for number in (0.0, 0.0285, 0.0286, 0.999, 1.0)] == [0, 0, 1, 34, 34]
    assert [part(number, 20) for number in (0.0, 0.0499, 0.0501, 1.0)] == [0, 0, 1, 19]
    for number in np.random.default_rng(1).random(2000).astype(np.float32):
        assert (move_nets.interval(number, 35), move_nets.interval(number, 20)) == (part(number, 35), part(number, 20))


def test_networks_decide_as_by_the_plain_program():
    luck, table, kinds = np.random.default_rng(3), author_table(), Counter()
    for number in range(POSITIONS):
        net = random_net(number, 2.0)
        table.lay(random_board(luck, full=0.2 * (number % 4 == 0)), number % 2)
        outputs = outputs_of(net, table)
        if not is_safe(outputs):
            continue
        before = int(table["luck"][rules.GUIDED : rules.GUIDED + 2].sum())
        move = Chooser(GAME, Contestant("net", "net+author", net)).choose(table.state)
        wanted, guided = decode(table.position(AuthorGame), outputs)
        assert table.words(move) == wanted
        assert int(table["luck"][rules.GUIDED : rules.GUIDED + 2].sum()) - before == guided
        kinds[wanted[0], guided, move > rules.IDLE] += 1
    assert INTERPRETED or (len(kinds) >= 6 and sum(kinds.values()) > 0.9 * POSITIONS)


def test_the_guided_move_is_the_plain_program_s():
    luck, table = np.random.default_rng(4), author_table()
    for number in range(POSITIONS):
        table.lay(random_board(luck), number % 2)
        game = table.position(AuthorGame)
        for _ in range(2):
            source, target, troops = (int(luck.integers(n)) for n in (36, 36, 20))
            move = int(move_nets.author_nearest(table.s, source, target, troops + 1))
            assert table.words(move) == guide(game, divmod(source, 6), divmod(target, 6), troops + 1)


def test_a_transport_across_a_corner_is_accepted_from_a_network_and_never_guided_to():
    table = author_table(map_of("b5 b2 . . . r1", *[" . . . . . ."] * 4, " . . . . . b3"))
    table.lay([0, 5, *[0] * 6, 2, *[0] * 26, -1], 0)  # (0, 1) and (1, 2)
    corner = table.number(("transport", (0, 1), (1, 2), 4))
    assert corner > rules.IDLE and move_nets.sending(table.s, 1, 8, 4) == corner
    assert read_short(table.state[0], "0,1>1,2:4") == corner
    assert table.words(int(move_nets.author_nearest(table.s, 1, 8, 4)))[2] != (1, 2)
    table.play(corner)
    assert table.board() == {(0, 1): 1, (1, 2): 6, (5, 5): -1} and table.tally("transport") == [1, 0]


# Whole games.


def play_both(table, net, red, seed=1):
    """A game of a network, or of random moves without one, the plain program's beside it."""
    game, luck = table.reference(AuthorGame), np.random.default_rng(seed)
    blue_chooser = Chooser(GAME, Contestant("blue", "net+author", net)) if net else None
    red_chooser = Chooser(GAME, Contestant("red", red))
    while not game.over:
        if game.player == "red":
            number, wanted = red_chooser.choose(table.state), red_move(game) if red == "red-author" else ("idle",)
        elif net is None:
            moves = game.next_moves()
            wanted = moves[luck.integers(len(moves))]
            number = table.number(wanted)
        else:
            outputs, number = outputs_of(net, table), blue_chooser.choose(table.state)
            wanted = decode(game, outputs)[0] if is_safe(outputs) else table.words(number)
        assert table.words(number) == wanted
        table.play(number)
        game.make(wanted)
        assert (bool(table["over"]), bool(table.tally("stale"))) == (game.over, game.stale)
    assert table.tally("payoff") == [game.places[side] for side in SIDES] and table.tally("rounds") == game.rounds
    assert [score == 1 for score in table.tally("score")] == [side == game.winner for side in SIDES]
    return table.tally("stale"), *table.tally("score")


@pytest.mark.parametrize("evolved", [True, False])
def test_whole_games_against_red_go_as_by_the_plain_program(evolved):
    ends = Counter()
    for seed in range(1 if INTERPRETED else amount(10, 30)):
        table = author_table(limit=20 if INTERPRETED else 200)
        ends[play_both(table, random_net(seed, 2.0) if evolved else None, "red-author", seed)] += 1
    assert INTERPRETED or len(ends) > 1


@pytest.mark.parametrize("name, limit", CASES.items())
def test_whole_games_alone_go_as_by_the_plain_program(name, limit):
    goal, ends = rules.ALL if name == "empty" else rules.ELIMINATE, Counter()
    for seed in range(1 if INTERPRETED else 12):
        table = author_table(find_map(name), 10 if INTERPRETED else limit // 20, goal)
        ends[play_both(table, random_net(seed, 3.0), "idle")[0]] += 1
    assert INTERPRETED or ends[1]  # networks repeat themselves


def test_a_game_ends_after_blue_s_move_of_the_last_round():
    table = author_table(limit=2)
    for move in (("production", (0, 0)), ("idle",), ("production", (0, 0))):
        assert not table["over"]
        table.play(move)
    assert table["over"] and table.tally("rounds") == 2


def test_payoffs_are_places_in_hundredths_of_what_really_changed():
    table = author_table(map_of("b5 r3 . . . .", *[" . . . . . ."] * 4, " . . . . . r1"))
    table.play(("attack", (0, 0), (0, 1), 5))  # a tile won, and its origin left: (0, -3, -1, -3)
    assert table.tally("payoff")[0] == OUTCOMES.index((0, -3, -1, -3)) + 1 == 45
    assert len(set(OUTCOMES)) == 100 and OUTCOMES[80] == (-1, -20, -1, -20) and OUTCOMES[99] == (1, -19, -1, -19)


# Options, logs and names.


def test_a_log_says_whose_reading_it_follows():
    table = author_table(limit=1)
    record = record_of(GAME, table.state, (0,))
    text = record.text()
    assert text.startswith("map duel, 1 rounds, author's reading\n") and read_record(text, "log") == record


def test_the_author_s_reading_is_for_maps_of_its_size(tmp_path):
    wide = tmp_path / "wide.map"
    wide.write_text("b1" + " ." * 43 + " r1\n")
    with pytest.raises(UserError, match="reading=author is for at most 44 tiles"):
        find_game(f"conquest:map={wide},reading=author").template  # noqa: B018
    assert rules.IDLE + rules.CORNER_TILES * rules.CORNERS * rules.FULL < 2**15


def test_red_s_answers_depend_on_the_draws_before_and_not_on_the_deal():
    answers = {"red-author": set(), "red-fresh": set()}
    for deal in range(20):
        for name, found in answers.items():
            table = Table(DUEL, deal=deal, luck=deal, reading=rules.AUTHOR)
            table.lay(random_board(np.random.default_rng(1)), 1)
            choose = Chooser(GAME, Contestant(name, name)).choose
            found.add(tuple(choose(table.state) for _ in range(5)))
    assert len(answers["red-author"]) == 1 and len(set(*answers["red-author"])) > 1 and len(answers["red-fresh"]) > 10
