"""Backgammon's players: what each of them chooses, against the definitions written out in plain Python."""

import csv
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

import backgammon_inputs as plain
import backgammon_reference as reference
from altered import altered
from backgammon_inputs import COLOURS
from sparring.arena.match import match
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import Chooser, Contestant, find_player, find_players, pack_players
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.backgammon import nets, rules
from sparring.games.backgammon import plays as board_plays
from sparring.games.backgammon.positions import Position, xgid
from sparring.games.backgammon.pubeval import pubeval_value
from sparring.games.game import legal_moves, play_move, start_game
from sparring.kernel.records import records
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.files import load_net, save_net

GAME = find_game("backgammon")
HYPER = "backgammon:start=hypergammon"  # three checkers each: few plays
CLOSE = 1e-5  # single precision and an approximate sigmoid may settle values this close either way


# Positions.


@cache
def states(rules_of="backgammon", players=("pubeval", "random", "simple"), deals=6, every=5, seed=1):
    """States of games between all these players, every few turns, and the last of every game."""
    game, found = find_game(rules_of), []
    contestants = find_players(game, list(players))
    table, weights = pack_players(game, contestants)
    for meeting in [(i, j) for i in range(len(players)) for j in range(i, len(players))]:
        jobs = paired_jobs(seed, np.array(meeting), deals)[::2].copy()
        _, moves = game.launcher.play(jobs, table, weights, keep_moves=True)
        for job, row in zip(jobs, moves, strict=True):
            state = start_game(game, seed, int(job["deal"]), int(job["luck"]), 2)
            for left, move in zip(range((row >= 0).sum() - 1, -1, -1), row, strict=False):
                if left % every == 0:
                    found.append(state.copy())
                with np.errstate(over="ignore"):
                    rules.apply(records(state)[0], int(move))
    return found


def position(state):
    """A state as the plain rules see it: the position, who is to play, and the dice."""
    s = state[0]
    return plain.of_board(s["board"]), COLOURS[int(s["turn"])], tuple(s["dice"].tolist())


def played(state, move):
    """The position after a move, and what it hit."""
    board, (larger, smaller) = state[0]["board"].copy(), state[0]["dice"].tolist()
    board_plays.make_play(board, int(state[0]["turn"]), move, larger, smaller)
    return plain.of_board(board)


def laid(mover, other, dice, seat=0):
    """A state with these checkers, each side's from its own side, in which this seat has rolled."""
    state = start_game(GAME, 1, 0, 0, 2)
    for who, side in ((seat, mover), (1 - seat, other)):
        state[0]["board"][who] = 0
        for place, number in reference.read_side(side).items():
            state[0]["board"][who, place] = number
    state[0]["turn"], state[0]["dice"] = seat, dice
    return state


def asked(player, state):
    """Where a player plays to; its move is one that the rules offer."""
    move = Chooser(GAME, find_player(GAME, player)).choose(state.copy())
    room = np.zeros(board_plays.MOST_PLAYS, np.int64)
    assert move in room[: rules.moves(records(state.copy())[0], room)]
    return played(state, move)


# Pubeval.


def test_pubeval_beats_random_as_published_elsewhere():
    """10,000 games: 99.7% of them, and 2.505 points a game."""
    pubeval = match(GAME, "pubeval", "random", pairs=5000, seed=1).players[0]
    assert pubeval.win_rate.value == pytest.approx(0.997, abs=0.0015)
    assert pubeval.score.value == pytest.approx(2.505, abs=0.03)


def pubeval_weights():
    text = (files("sparring.games.backgammon") / "pubeval.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    assert [int(row["index"]) for row in rows] == list(range(122))
    return {kind: [float(row[kind]) for row in rows] for kind in ("race", "contact")}


WEIGHTS = pubeval_weights()


def plain_pubeval(place, colour, race):
    """The 122 inputs, each as Tesauro's program comments it, times the weights of races or of contact."""
    inputs = []
    for j in range(1, 25):
        count = plain.signed(place, colour)[25 - j - 1]
        inputs += [count == -1, count == 1, count >= 2, count == 3, (count - 3) / 2 if count >= 4 else 0]
    inputs += [reference.of(-colour, place.bar) / 2, reference.of(colour, place.off) / 15]
    return float(np.dot(inputs, WEIGHTS["race" if race else "contact"]))


def plain_race(place):
    """Whether no checker can ever meet one of the other side."""
    ours, theirs = (
        {point for point, count in enumerate(plain.checkers(place, colour), 1) if count} for colour in COLOURS
    )
    if any(place.bar):
        return False
    return max(ours) < 25 - max(theirs)


def test_pubevals_value_is_its_definitions_on_every_position():
    seen = Counter()
    for state in states():
        place, colour, _ = position(state)
        for seat, side in enumerate(COLOURS):
            for race in (False, True):
                found = pubeval_value(records(state)[0]["board"], seat, race)
                assert found == pytest.approx(plain_pubeval(place, side, race), abs=1e-9)
        seen["race" if plain_race(place) else "bar" if any(place.bar) else "contact"] += 1
    assert min(seen["race"], seen["bar"], seen["contact"]) > 20


def test_pubeval_chooses_the_play_of_the_highest_value_by_the_weights_of_the_position_before():
    races = wins = 0
    for state in states():
        place, colour, dice = position(state)
        race = plain_race(place)
        options = {
            after: np.inf if reference.finished(after, colour) else plain_pubeval(after, colour, race)
            for after in reference.plays(place, colour, *dice)
        }
        chosen = asked("pubeval", state)
        assert options[chosen] >= max(options.values()) - 1e-9
        races, wins = races + race, wins + reference.finished(chosen, colour)
    assert races > 20 and wins > 10


# The study's simple player. In each position only one of the two numbers can be played, and by two checkers or more.

BLOCKED = "23:2 21:2 18:2 off:9"  # holds the mover's 2, 4 and 7 points


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("player", "mover", "other", "dice", "after"),
    [
        pytest.param("simple", "6:2 4", "24:2 23 off:12", (5, 4), "6:2 off", id="bears off before it hits"),
        pytest.param("simple", "13 10", "23:2 20:2 18 17:2", (5, 3), "13 7", id="hits before it covers a blot"),
        pytest.param(
            "simple-no-hit", "13 10", "23:2 20:2 18 17:2", (5, 3), "10:2", id="covers where hits do not count"
        ),
        pytest.param("simple", "13 10", "23:2 20:2 17:2", (5, 3), "10:2", id="covers a blot before it moves one"),
        pytest.param("simple", "13 8:2", BLOCKED, (6, 3), "10 8:2", id="leaves no new blot if it can"),
        pytest.param("simple", "13 8", BLOCKED, (6, 3), "13 5", id="else moves the checker nearest home"),
        pytest.param("simple", "13:2 8:2", BLOCKED, (6, 3), "13:2 8 5", id="nearest home if all leave new blots"),
    ],
)
def test_simple_follows_the_studys_rules_in_their_order(player, mover, other, dice, after, seat):
    state = laid(mover, other, dice, seat)
    assert len(reference.plays(*position(state)[:2], *dice)) > 1
    chosen = asked(player, state)
    assert side_of(chosen, COLOURS[seat]) == reference.read_side(after)


def side_of(place, colour):
    counts = {point: count for point, count in enumerate(plain.checkers(place, colour), 1) if count}
    rest = {25: reference.of(colour, place.bar), 0: reference.of(colour, place.off)}
    return counts | {where: count for where, count in rest.items() if count}


def test_simple_takes_whichever_number_makes_the_better_first_step():
    """The smaller hits at once, and must: after any other step the number that would hit is gone."""
    state = laid("20 11:2", "20 18:2 15:2 13:2 off:8", (6, 1))
    place, colour, dice = position(state)
    hits = {after for after in reference.plays(place, colour, *dice) if after.bar[1]}
    assert 0 < len(hits) < len(reference.plays(place, colour, *dice))
    assert asked("simple", state) in hits


def test_a_checker_on_the_bar_goes_first_whatever_simple_would_rather_do():
    state = laid("bar 13 10", "24 18 off:13", (4, 3))
    assert side_of(asked("simple", state), COLOURS[0]) == reference.read_side("21 13 7")


def best_ranked(colour, hits):
    """The steps of the highest rank; with each number the one of the checker nearest home."""

    def best(before, found):
        ranked = {}
        for point, after, rest in found:
            ranked.setdefault((plain.simple_rank(before, after, colour, hits), rest), []).append((point, after, rest))
        top = max(rank for rank, _ in ranked)
        return [min(steps, key=lambda step: step[0]) for (rank, _), steps in ranked.items() if rank == top]

    return best


@pytest.mark.parametrize("player", ["simple", "simple-no-hit"])
def test_simple_plays_step_by_step_what_its_plain_rules_play(player):
    for state in states():
        place, colour, dice = position(state)
        assert asked(player, state) in plain.stepwise(place, colour, dice, best_ranked(colour, player == "simple"))


def test_simple_no_hit_never_prefers_a_hit():
    """It plays to where the other side's blots are as it would if nothing were there; simple does not."""
    changed = Counter()
    for state in states():
        _, colour, _ = position(state)
        theirs = state[0]["board"][1 - int(state[0]["turn"])]
        bare = state.copy()
        bare[0]["board"][1 - int(state[0]["turn"]), 1:25][theirs[1:25] == 1] = 0
        for player in ("simple", "simple-no-hit"):
            changed[player] += side_of(asked(player, bare), colour) != side_of(asked(player, state), colour)
    assert changed["simple-no-hit"] == 0
    assert changed["simple"] > 50


# The players of chance.


def counted(player, state, times):
    """How often a player plays to each position; its luck moves on."""
    chooser, state = Chooser(GAME, find_player(GAME, player)), state.copy()
    moves = Counter(chooser.choose(state) for _ in range(times))
    found = Counter()
    for move, count in moves.items():
        found[played(state, move)] += count
    assert len(found) == len(moves)
    return found


CHANCES = [
    ("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", (3, 1)),
    ("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", (2, 2)),
    ("bar 13:4 8:3 6:4 5:2 2", "bar 24 13:4 8:3 6:3 5:2 3", (4, 2)),
    ("6 4 2 1:2 off:10", "6:3 off:12", (5, 1)),
    ("13 8:2", BLOCKED, (6, 3)),
]


@pytest.mark.parametrize(("mover", "other", "dice"), CHANCES)
def test_random_plays_to_every_position_equally_often(mover, other, dice):
    state = laid(mover, other, dice)
    options = reference.plays(*position(state)[:2], *dice)
    found = counted("random", state, 100 * len(options))
    assert set(found) == options
    assert chisquare(list(found.values())).pvalue > 1e-4


def any_step(before, found, colour):
    return found


def fewer_blots(before, found, colour):
    """The study's simple player as its figures describe it: the steps that leave fewer blots, or all if there are none."""
    return [step for step in found if plain.blots(step[1], colour) < plain.blots(before, colour)] or found


def step_chances(place, colour, numbers, liked):
    """The chance of every position for one who takes every step that it likes equally often."""
    found = liked(place, plain.candidates(place, colour, numbers), colour) if numbers else []
    if not found:
        return {place: 1.0}
    chances = Counter()
    for _, after, rest in found:
        for end, chance in step_chances(after, colour, rest, liked).items():
            chances[end] += chance / len(found)
    return chances


@pytest.mark.parametrize(("mover", "other", "dice"), [*CHANCES, ("13 10 8 6:2", "24 20 18 off:12", (5, 2))])
@pytest.mark.parametrize(("player", "liked"), [("random-by-checker", any_step), ("simple-published", fewer_blots)])
def test_players_that_draw_lots_take_every_step_that_they_like_equally_often(player, liked, mover, other, dice):
    state = laid(mover, other, dice)
    chances = step_chances(*position(state)[:2], dice if dice[0] != dice[1] else dice[:1] * 4, liked)
    times = 20_000
    found = counted(player, state, times)
    assert set(found) <= set(chances)
    likely = [end for end in chances if chances[end] * times >= 5]
    rare = [end for end in chances if end not in likely]
    counts = [found[end] for end in likely] + [sum(found[end] for end in rare)] * bool(rare)
    expected = [chances[end] * times for end in likely] + [sum(chances[end] for end in rare) * times] * bool(rare)
    assert len(counts) == 1 or chisquare(counts, expected).pvalue > 1e-4


def test_simple_published_chooses_only_among_the_steps_of_its_plain_rules():
    for state in states():
        place, colour, dice = position(state)
        best = partial(fewer_blots, colour=colour)
        assert asked("simple-published", state) in plain.stepwise(place, colour, dice, best)


def test_simple_published_wins_as_often_against_random_as_the_study_prints():
    """Figure 29: 67.02% of 10,000 games. Its simple player follows: white begins, and black wins two games of three."""
    game = find_game("backgammon:first=fixed,scoring=single")
    jobs = paired_jobs(1, np.arange(2), 20_000)[1::2]
    players = find_players(game, ["simple-published", "random-by-checker"])
    won = play(game, jobs, players)["score"][:, 1] > 0
    assert won.mean() == pytest.approx(0.6702, abs=0.015)


def test_the_two_players_of_chance_are_not_the_same():
    state = laid(*CHANCES[1])
    options = len(reference.plays(*position(state)[:2], 2, 2))
    assert chisquare(list(counted("random-by-checker", state, 100 * options).values())).pvalue < 1e-9


# Nets.


def sigmoid_net(encoding, outputs=1, hidden=7, seed=1, scale=0.7, **what):
    shape = (GAME.policies.encodings[encoding], hidden, outputs)
    weights = np.float32(scale) * gaussian(size(shape), seed, encoding, outputs)
    return Net("backgammon", GAME.rules.version, encoding, shape, weights, input_major=True, **what)


def linear_net(encoding, units=(2, 1, 2), seed=1, policy="net"):
    shape = (GAME.policies.encodings[encoding], *units)
    weights = gaussian(size(shape, "linear"), seed, "linear")
    return Net("backgammon", GAME.rules.version, encoding, shape, weights, kind="linear", policy=policy)


def printed_net(policy="net+by-checker"):
    """The study's best net (its Figure 36), which lost one of its first row's numbers in print: 0 here."""
    rows = """0.15 -0.05 -0.2 0.15 -0.2 0.1 0.0 -0.1 0.1 -0.05 -0.05 0.1 -0.1 0.15 -0.1 -0.25 0.0 -0.15 0.35 -0.15 0.0 0.0 0.15 0
        0.15 0.15 -0.05 0.05 -0.1 0.05 -0.15 0.0 0.0 -0.15 0.1 0.15 -0.05 0.05 0.05 0.2 -0.3 0.15 -0.05 -0.05 0.1 -0.15 -0.05 0.0
        -0.25 -0.65 0.0 0.95"""
    weights = np.array(rows.split(), np.float32)
    return replace(linear_net("shares", policy=policy), weights=weights)


NETS = {
    **{f"{name} {n}": sigmoid_net(name, n) for name in GAME.policies.encodings for n in (1, 5)},
    "linear shares": linear_net("shares"),
    "linear shares-mirrored": linear_net("shares-mirrored", (3, 2)),
    "linear raw": linear_net("raw", (4, 2, 4)),
    "one layer": linear_net("shares", (5,)),
    "printed": printed_net(),
}


def values_by_kernels(net, state):
    """Every play's position, and the value that the compiled net gives it: from the roll's sums, step by step."""
    chooser = Chooser(GAME, Contestant("net", "net", net))
    s, player, rest = records(state.copy())[0], records(chooser.player)[0], (chooser.float_scratch, chooser.int_scratch)
    seat, dice = int(s["turn"]), s["dice"].tolist()
    room = np.zeros(board_plays.MOST_PLAYS, np.int64)
    nets.prepare_plays(s["board"], seat, player, chooser.weights, *rest)
    found = {}
    for move in room[: rules.moves(s, room)].tolist():
        value = nets.play_value(s["board"], seat, move, *dice, player, chooser.weights, *rest, 0)
        found[played(state, move)] = value
    assert s["board"].tolist() == state[0]["board"].tolist()
    return found


@pytest.mark.parametrize("name", NETS)
def test_a_net_chooses_the_play_of_the_highest_value_by_its_formula_over_the_encodings_definition(name):
    """Each play's value, by steps from the roll's sums or from nothing, is the plain one."""
    net = replace(NETS[name], policy="net")
    checked = won = 0
    for state in states()[::2]:
        place, colour, dice = position(state)
        options = {end: plain.play_value(net, end, colour) for end in reference.plays(place, colour, *dice)}
        found = values_by_kernels(net, state)
        assert found.keys() == options.keys()
        assert max(abs(found[end] - options[end]) for end in options) < CLOSE
        assert options[asked(net, state)] >= max(options.values()) - CLOSE
        checked += len(options)
        won += sum(reference.finished(end, colour) for end in options)
    assert checked > 3000 and won > 10


def test_nets_of_other_weights_inputs_or_outputs_choose_otherwise():
    entrants = [sigmoid_net("raw", seed=2), *(replace(net, policy="net") for net in NETS.values())]
    some = states()[::4]
    choices = {tuple(asked(net, state) for state in some) for net in entrants}
    assert len(choices) == len(entrants)


@pytest.mark.parametrize("points", [1, 2, 3])
def test_a_win_is_worth_its_points_whatever_the_net_says(points):
    """A net that thinks every position worth 0.5 of a backgammon bears off its last checkers for more than that only."""
    other = {1: "20 off:14", 2: "13:15", 3: "24 13:14"}[points]
    state = laid("3 1 off:13", other, (3, 1))
    flat = replace(sigmoid_net("raw"), weights=np.zeros(size((28, 7, 1)), np.float32))
    flat.weights[-1] = np.log(3)  # the output's bias: 0.75, which is 0.5 from -1 to 1
    _, colour, _ = position(state)
    assert reference.finished(asked(flat, state), colour) == (points / 3 > 0.5)


@pytest.mark.parametrize("name", ["raw 1", "tesauro 5", "shares 1", "linear shares", "linear raw", "printed"])
def test_a_net_by_checker_values_the_position_after_each_step(name):
    net = replace(NETS[name], policy="net+by-checker")

    def best(before, found):
        values = [plain.net_value(net, after, colour) for _, after, _ in found]
        return [step for step, value in zip(found, values, strict=True) if value >= max(values) - CLOSE]

    for state in states():
        place, colour, dice = position(state)
        assert asked(net, state) in plain.stepwise(place, colour, dice, best)


def test_by_checker_and_by_whole_plays_are_different_players():
    net = sigmoid_net("raw")
    some = states()[::4]
    assert [asked(net, s) for s in some] != [asked(replace(net, policy="net+by-checker"), s) for s in some]


# Nets by name.


@pytest.fixture
def saved(tmp_path) -> Path:
    save_net(tmp_path / "run" / "champion.safetensors", sigmoid_net("raw"))
    return tmp_path / "run"


@pytest.mark.parametrize("name", NETS)
def test_a_net_plays_the_same_after_it_was_saved_and_loaded(name, tmp_path):
    net = replace(NETS[name], policy="net")
    save_net(tmp_path / "net.safetensors", net)
    loaded = load_net(tmp_path / "net.safetensors", GAME)
    assert loaded.description() == net.description()
    for state in states()[::8]:
        assert asked(loaded, state) == asked(net, state)


@pytest.mark.parametrize("manner", ["1ply", "by-checker"])
def test_a_champion_a_file_and_a_runs_folder_can_be_asked_to_play_in_another_manner(saved, manner):
    champion = saved / "champion.safetensors"
    game = altered(GAME, champions={"best": champion})
    for name, told in (("best", "best"), (str(saved), "run"), (str(champion), "champion")):
        plainly, otherwise = find_players(game, [name, f"{name}+{manner}"])
        assert (plainly.name, plainly.policy) == (told, "net")
        assert (otherwise.name, otherwise.policy) == (f"{told}+{manner}", f"net+{manner}")
        assert otherwise.net.weights.tobytes() == plainly.net.weights.tobytes() == load_net(champion).weights.tobytes()


@pytest.mark.parametrize("name", GAME.policies.champions)
def test_the_champions_that_come_with_the_game_beat_pubeval_and_look_ahead_when_asked(name):
    champion, looking = find_players(GAME, [name, f"{name}+1ply"])
    assert (champion.policy, looking.policy) == ("net", "net+1ply")
    assert looking.net.weights.tobytes() == champion.net.weights.tobytes()
    assert match(GAME, name, "pubeval", pairs=500, seed=1).players[0].win_rate.low > 0.5
    assert match(GAME, looking, "random", pairs=1, seed=1).players[0].name == f"{name}+1ply"


def test_a_net_plays_in_the_manner_it_was_trained_in(tmp_path):
    save_net(tmp_path / "net.safetensors", printed_net())
    assert find_player(GAME, str(tmp_path / "net.safetensors")).policy == "net+by-checker"


def refused(player, game=GAME):
    with pytest.raises(UserError) as error:
        find_player(game, player)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_no_net_cannot_look_ahead():
    assert refused("pubeval+1ply") == "player 'pubeval+1ply': pubeval is no net, so it cannot play +1ply"


@pytest.mark.parametrize("name", ["best+4ply", "best+", "+1ply", "best+1ply+", "net+1ply", "net"])
def test_a_manner_that_does_not_exist_or_of_nobody_is_refused(name, saved):
    refused(name, altered(GAME, champions={"best": saved / "champion.safetensors"}))


GOLF = find_game("golf")


@pytest.mark.parametrize(
    ("net", "words"),
    [
        (Net("golf", GOLF.rules.version, "hand", (90, 3, 1), gaussian(277, 1)), "a net for golf, not for backgammon"),
        (replace(sigmoid_net("raw"), rules=99), "rules version 99 of backgammon"),
        (replace(sigmoid_net("raw"), encoding="tesauro"), "28 inputs, but 'tesauro' of backgammon has 198"),
        (replace(sigmoid_net("raw"), encoding="hand"), "unknown encoding 'hand'"),
        (sigmoid_net("raw", outputs=3), "3 outputs; nets of backgammon have 1 (value), 5 (outcomes)"),
        (replace(sigmoid_net("raw"), policy="random"), "unknown policy 'random'"),
        (replace(sigmoid_net("raw"), policy="net+4ply"), "unknown policy 'net+4ply'"),
        (replace(sigmoid_net("raw"), weights=np.zeros(9, np.float32)), "9 weights do not fit the shape 28-7-1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_net_that_does_not_fit_is_refused_in_one_line(net, words, tmp_path):
    assert words in refused(net)


@pytest.mark.parametrize("units", [(17,), (2, 17), (17, 2), (1, 4096)])
def test_a_linear_net_with_wider_layers_than_there_is_room_for_is_refused(units):
    assert "16" in refused(linear_net("shares", units))


def test_a_linear_net_does_not_play_golf():
    net = Net("golf", GOLF.rules.version, "hand", (90, 2), gaussian(180, 1), kind="linear")
    assert "a linear net; golf has sigmoid, graph and deep nets" in refused(net, GOLF)


def test_a_file_of_another_game_is_refused_by_its_name(tmp_path):
    path = tmp_path / "golf.safetensors"
    save_net(path, Net("golf", GOLF.rules.version, "hand", (90, 3, 1), gaussian(277, 1)))
    assert refused(str(path)) == f"{path}: a net for golf, not for backgammon"


@pytest.mark.parametrize("policy", ["net", "net+1ply"])
def test_under_single_scoring_a_win_is_worth_more_than_any_hope(policy):
    """A net that values every position at 0.96 bears off its last two checkers: a win is 1, not a third of a backgammon."""
    mine, theirs = [13, 1, 1] + [0] * 23, [0] * 26
    theirs[6] = 15
    start = xgid(Position(tuple(mine), tuple(theirs), (2, 1)))
    game = find_game(f"backgammon:start={start},scoring=single")
    shape = (28, 1, 1)
    weights = np.zeros(size(shape), np.float32)
    weights[-1] = 4.0
    hopeful = Contestant(
        "hopeful", policy, Net("backgammon", game.rules.version, "raw", shape, weights, input_major=True)
    )
    state = start_game(game, 1, 0, 0, 2)
    assert len(legal_moves(game, state)) > 1
    play_move(game, state, Chooser(game, hopeful).choose(state))
    assert state[0]["over"]
