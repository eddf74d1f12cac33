"""Tables of the board games that are played on by hand: every play can be made, no touch means two, and pictures say all."""

from collections import Counter
from itertools import islice
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon_tables import STANDARD, begun, random_moves, refusal, table
from conquest_table import Table, put_up, random_board
from sparring.games import find_game
from sparring.games.backgammon.interaction import ALL_WAYS, MOST_WAYS, click_sequences
from sparring.games.backgammon.notation import Roll, reached, read_play, steps_of
from sparring.games.backgammon.plays import BAR, OFF
from sparring.games.backgammon.positions import STARTS
from sparring.games.benchmark import benchmark_of
from sparring.games.conquest.maps import NAMES as MAPS
from sparring.games.conquest.maps import find_map
from sparring.games.game import with_rules

BACKGAMMON, CONQUEST = find_game("backgammon").view, find_game("conquest").view
SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["<ann> & co", "bob\x07"]
LARGEST = 60_000  # bytes of a picture
PLACES = {"bar": BAR, "off": OFF, **{f"point {n}": n for n in range(1, BAR)}}


def parts(svg):
    """What can be touched and how it is called, of a picture that is well made."""
    assert len(svg.encode()) < LARGEST
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg" and root.get("viewBox") and root.get("aria-label")
    found = [element for element in root.iter() if element.get("data-part") is not None]
    labels = {element.get("data-part"): element.get("aria-label") for element in found}
    assert len(labels) == len(found) and all(labels.values())
    return labels


def texts(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def check_ways(view, s, legal, names=NAMES):
    """Every move can be made, and no way of it is a way of another's, or begins one. Returns the words that are buttons."""
    shown = parts(view.table(s, int(s["turn"]), names))
    owner, words = {}, set()
    for move in legal:
        ways = view.input_sequences(s, move)
        assert ways and all(ways) and len(set(ways)) == len(ways)
        for way in ways:
            assert owner.setdefault(way, move) == move
            words.update(way)
    for way, move in owner.items():
        for length in range(1, len(way)):
            assert owner.get(way[:length], move) == move
    return words - shown.keys()


def every_seat(view, s):
    for seat in (None, -1, 0, 1):
        assert parts(view.table(s, seat, NAMES))


@pytest.mark.parametrize("name", ["backgammon", "conquest"])
def test_they_can_be_played_on_by_hand(name):
    game = find_game(name)
    assert game.view.interactive
    if game.rules.options:
        assert with_rules(game, benchmark_of(game).quick).view.interactive


# Backgammon.


def walked(s, way):
    """The board after a way of single steps, moved here and now: each seat's places from its own side."""
    turn = int(s["turn"])
    mine, theirs = (s["board"][seat].tolist() for seat in (turn, 1 - turn))
    for start, end in zip(way[::2], way[1::2], strict=True):
        start, end = PLACES[start], PLACES[end]
        assert mine[start] > 0 and start > end
        mine[start] -= 1
        mine[end] += 1
        if end != OFF and theirs[BAR - end]:
            assert theirs[BAR - end] == 1
            theirs[BAR - end], theirs[BAR] = 0, theirs[BAR] + 1
    return [mine, theirs]


def after(s, move):
    """The board after a play, as the rules make it: the mover's side first."""
    board = np.frombuffer(reached(Roll.of(s), move), np.int8).reshape(2, -1).tolist()
    return board if s["turn"] == 0 else board[::-1]


def check_backgammon(s):
    roll = Roll.of(s)
    legal = roll.legal()
    buttons = check_ways(BACKGAMMON, s, legal)
    assert buttons == ({"no move"} if not steps_of(roll, legal[0]) else set())
    for move in legal if not buttons else []:
        longest = 2 * len(steps_of(roll, move))
        ways = BACKGAMMON.input_sequences(s, move)
        assert len(ways) <= MOST_WAYS and max(map(len, ways)) == longest
        for way in ways:
            if len(way) == longest:
                assert walked(s, way) == after(s, move)
            else:  # over several dice at once: on its way a checker may hit, but where it comes to is known
                moved = Counter(map(PLACES.get, way[1::2]))
                moved.subtract(map(PLACES.get, way[::2]))
                now, then = s["board"][int(s["turn"])].tolist(), after(s, move)[0]
                assert [count + moved[place] for place, count in enumerate(now)] == then


@pytest.mark.parametrize("start", STARTS)
def test_every_play_of_random_games_can_be_made_by_hand(start):
    state = begun(start, 4)
    for number, (s, _) in enumerate(random_moves(state, 4)):
        if number % 3 == 0:
            check_backgammon(s)
        if number % 20 == 0:
            every_seat(BACKGAMMON, s)
    every_seat(BACKGAMMON, state[0])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**20), st.integers(0, 70))
def test_every_play_of_any_state_can_be_made_by_hand(deal, turns):
    for number, (s, _) in enumerate(random_moves(begun("standard", deal), deal)):
        if number == turns:
            check_backgammon(s)
            return


def ways_of(s, text):
    return set(BACKGAMMON.input_sequences(s, read_play(s, text)))


def way(text):
    """`13/10 8/5` as parts."""
    words = text.replace("/", " ").split()
    return tuple(word if word in PLACES else f"point {word}" for word in words)


def test_steps_can_be_made_in_any_order():
    s = table(STANDARD, STANDARD, (3, 1))
    assert ways_of(s, "8/5 6/5") == {way("8/5 6/5"), way("6/5 8/5")}
    assert ways_of(s, "24/20") == {way("24/21 21/20"), way("24/23 23/20"), way("24/20")}


def test_doubles_can_be_made_in_any_order_and_checkers_taken_over_several_dice():
    s = table(STANDARD, STANDARD, (1, 1))
    ways = ways_of(s, "8/7(2) 6/5(2)")
    assert ways == {
        way(f"{a} {b} {c} {d}")
        for a, b, c, d in {
            ("8/7", "8/7", "6/5", "6/5"),
            ("8/7", "6/5", "8/7", "6/5"),
            ("8/7", "6/5", "6/5", "8/7"),
            ("6/5", "6/5", "8/7", "8/7"),
            ("6/5", "8/7", "6/5", "8/7"),
            ("6/5", "8/7", "8/7", "6/5"),
        }
    }
    assert {way("8/6 6/4"), way("8/4"), way("8/5 5/4"), way("8/7 7/6 6/5 5/4")} <= ways_of(s, "8/4")


def test_a_checker_is_not_taken_over_two_dice_where_it_could_hit_on_one_way_and_not_on_the_other():
    for blot, clear in (("7", False), ("9", True)):
        s = table("24 6:5", f"{blot} 20:2 13:5", (6, 5))  # a blot on the mover's 18, or out of the way
        every = {way for move in Roll.of(s).legal() for way in BACKGAMMON.input_sequences(s, move)}
        assert (way("24/13") in every) == clear
        assert {way("24/18 18/13"), way("24/19 19/13")} <= every


def test_the_last_checker_is_borne_off_at_once_or_in_two_steps():
    s = table("3", "1:2", (6, 2))
    assert ways_of(s, "3/1/off") == {way("3/1 1/off"), way("3/off")}


def test_bearing_off_over_two_dice_is_not_offered_where_it_begins_another_play():
    s = table("3 1", "1:2", (6, 2))
    assert way("3/off") not in ways_of(s, "3/1/off")
    assert way("3/off 1/off") in ways_of(s, "3/off 1/off")


def test_where_only_one_die_can_be_played_the_smaller_is_none():
    s = table("24", "9:2", (5, 3))  # either die can be played, but never both
    assert [BACKGAMMON.input_sequences(s, move) for move in Roll.of(s).legal()] == [[way("24/19")]]


def test_without_a_play_there_is_a_button():
    s = table("bar 6:5", "6:2 5:2 4:2 3:2 2:2 1:2", (6, 5))
    assert [BACKGAMMON.input_sequences(s, move) for move in Roll.of(s).legal()] == [[("no move",)]]


def test_the_ways_of_very_many_plays_are_kept_within_bounds():
    s = table("24 22 20 18 16 14 12 10 8 7 6 5 4 3 2", "24:15", (1, 1))
    legal = Roll.of(s).legal()
    ways = [click_sequences(Roll.of(s), move) for move in legal]
    assert len(legal) > 500 and all(ways)
    assert sum(map(len, ways)) <= max(ALL_WAYS, len(legal))


def test_a_part_touched_says_what_lies_there_as_its_own_seat_counts():
    s = begun("standard", 1)[0]
    for seat, (own, other) in enumerate((("light", "dark"), ("dark", "light"))):
        labels = parts(BACKGAMMON.table(s, seat, NAMES))
        assert list(labels) == ["bar", *(f"point {n}" for n in range(24, 0, -1)), "off"]
        assert (
            labels["point 24"] == f"point 24: 2 {own} checkers" and labels["point 1"] == f"point 1: 2 {other} checkers"
        )
        assert labels["point 7"] == "point 7: empty" and labels["bar"] == "bar: empty"


def test_a_seat_finds_its_home_below_on_the_right():
    s = begun("standard", 1)[0]
    for seat in (0, 1):
        root = ElementTree.fromstring(BACKGAMMON.table(s, seat, NAMES))
        _, _, width, height = map(float, root.get("viewBox").split())
        home = next(element for element in root.iter() if element.get("data-part") == "point 6")
        checkers = list(home.iter(f"{SVG}circle"))
        assert len(checkers) == 5
        assert all(float(c.get("cx")) > width / 2 and float(c.get("cy")) > height / 2 for c in checkers)


def test_only_the_uppermost_own_checker_is_dragged():
    root = ElementTree.fromstring(BACKGAMMON.table(begun("standard", 1)[0], 1, NAMES))
    grips = [element for element in root.iter() if element.get("data-grip") is not None]
    assert len(grips) == 4 and all(len(list(grip.iter(f"{SVG}circle"))) == 1 for grip in grips)


def test_the_table_tells_names_pips_and_whose_turn_it_is():
    s = table("bar 6:5", "24:2", (6, 5))
    svg = BACKGAMMON.table(s, 1, NAMES)
    assert {"▸ <ann> & co", "bob", "55 pips", "48 pips", "<ann> & co to play", "9 off"} <= set(texts(svg))
    assert ElementTree.fromstring(svg).get("aria-label").endswith("<ann> & co to play 6 and 5")


def test_a_game_that_is_over_says_who_won():
    state = begun("hypergammon", 2)
    assert list(random_moves(state, 2))
    for seat in (None, 0, 1):
        svg = BACKGAMMON.table(state[0], seat, ["ann", "bob"])
        assert any(text.startswith(("ann wins", "bob wins")) for text in texts(svg))
        assert "to play" not in svg and "▸" not in svg


# Backgammon half-way through a play.


def dice(svg):
    """How many dice are left to play, and how many are faint."""
    drawn = [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.find(f"{SVG}rect[@rx='7']") is not None]
    faint = sum(g.get("opacity") is not None for g in drawn)
    return len(drawn) - faint, faint


def gold(svg):
    root = ElementTree.fromstring(svg)
    return sum(circle.get("stroke-width") == "4" for circle in root.iter(f"{SVG}circle"))


def test_a_play_is_shown_as_far_as_it_has_been_touched():
    s = table(STANDARD, STANDARD, (3, 1))
    assert BACKGAMMON.partial(s, (), 0, NAMES) == BACKGAMMON.table(s, 0, NAMES)
    waiting = BACKGAMMON.partial(s, ("point 8",), 0, NAMES)
    assert parts(waiting)["point 8"] == "point 8: 3 light checkers" and gold(waiting) == 1 and dice(waiting) == (2, 0)
    half = BACKGAMMON.partial(s, way("8/5"), 0, NAMES)
    assert (
        parts(half)["point 8"] == "point 8: 2 light checkers" and parts(half)["point 5"] == "point 5: 1 light checker"
    )
    assert gold(half) == 1 and dice(half) == (1, 1)
    whole = BACKGAMMON.partial(s, way("24/20"), 0, NAMES)
    assert parts(whole)["point 20"] == "point 20: 1 light checker" and dice(whole) == (0, 2)
    assert s["board"].tolist() == table(STANDARD, STANDARD, (3, 1))["board"].tolist()


def test_every_beginning_of_a_play_shows_the_board_it_leads_to():
    for s, move in islice(random_moves(begun("standard", 9), 9), 30):
        turn = int(s["turn"])
        way = BACKGAMMON.input_sequences(s, move)[-1 if s["dice"][0] == s["dice"][1] else 0]
        if way == ("no move",) or len(way) < 2 * len(steps_of(Roll.of(s), move)):
            continue
        for length in range(len(way) + 1):
            labels = parts(BACKGAMMON.partial(s, way[:length], turn, NAMES))
            mine, theirs = walked(s, way[: length // 2 * 2])
            own, other = ("light", "dark") if turn == 0 else ("dark", "light")
            for name, place in PLACES.items():
                count, whose = mine[place], own
                if not count and place not in (BAR, OFF):
                    count, whose = theirs[BAR - place], other
                said = f"{count} {whose} checker{'s' * (count > 1)}" if count else "empty"
                assert labels[name] == f"{name}: {said}"


@pytest.mark.parametrize("touched", [("point 7",), way("8/5 13/7"), ("nonsense" * 100,), way("8/7 7/4 6/5")])
def test_what_begins_no_play_is_refused(touched):
    s = table(STANDARD, STANDARD, (3, 1))
    assert refusal(BACKGAMMON.partial, s, touched, 0, NAMES).startswith("no play begins with ")


# Conquest.


@pytest.mark.parametrize("name", MAPS)
def test_every_move_of_random_games_of_conquest_can_be_made_by_hand(name):
    game = Table(find_map(name), goal=1)
    luck = np.random.default_rng(3)
    for number in range(120):
        if game["over"]:
            break
        s, legal = game.state[0], game.legal()
        if number % 6 == 0:
            buttons = check_ways(CONQUEST, s, legal)
            assert (
                {"idle", "1 troop"} <= buttons <= {"idle", "produce", "1 troop", *(f"{n} troops" for n in range(2, 21))}
            )
            every_seat(CONQUEST, s)
        game.play(int(luck.choice(legal)))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 1))
def test_every_move_on_any_board_can_be_made_by_hand(seed, turn):
    game = Table(find_map("duel"))
    game.lay(random_board(np.random.default_rng(seed)), turn)
    check_ways(CONQUEST, game.state[0], game.legal())


def test_moves_are_a_tile_or_two_and_then_a_button():
    game = Table(put_up({(0, 0): 3, (1, 0): -2}))
    input_sequences = {game.words(move): CONQUEST.input_sequences(game.state[0], move) for move in game.legal()}
    assert input_sequences["idle",] == [("idle",)]
    assert input_sequences["production", (0, 0)] == [("0,0", "produce")]
    assert input_sequences["attack", (0, 0), (1, 0), 1] == [("0,0", "1,0", "1 troop")]
    assert input_sequences["attack", (0, 0), (0, 1), 3] == [("0,0", "0,1", "3 troops")]


def test_a_tile_says_whose_it_is_and_how_many_stand_there():
    labels = parts(CONQUEST.table(Table(put_up({(0, 0): 1, (3, 1): -10})).state[0], 1, NAMES))
    assert len(labels) == 36
    assert labels["0,0"] == "0,0: blue, 1 troop" and labels["3,1"] == "3,1: red, 10 troops"
    assert labels["0,1"] == "0,1: nature"


def test_sides_differ_by_more_than_colour():
    root = ElementTree.fromstring(CONQUEST.table(Table(put_up({(0, 0): 1, (3, 1): -1})).state[0], 0, NAMES))
    used = {}
    for element in root.iter(f"{SVG}g"):
        if element.get("data-part") in ("0,0", "3,1"):
            used[element.get("data-part")] = [use.get("href")[1:] for use in element.iter(f"{SVG}use")]
    drawn = {element.get("id"): element.tag.removeprefix(SVG) for element in root.find(f"{SVG}defs")}
    assert [[drawn[name] for name in used[tile]] for tile in ("0,0", "3,1")] == [["path", "circle"], ["g", "rect"]]


def test_tiles_beside_each_other_are_drawn_beside_each_other():
    game = Table(find_map("duel"))
    root, where = ElementTree.fromstring(CONQUEST.table(game.state[0], 0, NAMES)), {}
    for element in root.iter(f"{SVG}g"):
        if element.get("data-part"):
            x, y = element.get("transform").removeprefix("translate(").removesuffix(")").split()
            where[tuple(map(int, element.get("data-part").split(",")))] = complex(int(x), int(y))
    for tile, near in enumerate(game["rules"]["near"][:36].tolist()):
        beside = {divmod(other, 6) for other in near if other >= 0}
        here = where[divmod(tile, 6)]
        assert {place for place, there in where.items() if 0 < abs(there - here) < 90} == beside


def test_the_table_of_conquest_tells_round_turn_tiles_and_troops_and_who_won():
    game = Table(put_up({(0, 0): 20, (0, 1): -3}, 1, 2))
    said = set(texts(CONQUEST.table(game.state[0], 0, NAMES)))
    assert {"round 1 of 500", "<ann> & co to move", "blue: 1 tile, 20 troops", "red: 1 tile, 3 troops", "bob"} <= said
    game.play(("attack", (0, 0), (0, 1), 19))
    for seat in (None, 0, 1):
        said = texts(CONQUEST.table(game.state[0], seat, NAMES))
        assert {"round 1", "<ann> & co wins", "blue: 2 tiles, 17 troops"} <= set(said) and "▸" not in "".join(said)


def test_a_seat_s_own_line_is_below():
    s = Table(find_map("duel")).state[0]
    for seat, order in ((0, ["bob", "▸ <ann> & co"]), (1, ["▸ <ann> & co", "bob"]), (None, ["bob", "▸ <ann> & co"])):
        assert [text for text in texts(CONQUEST.table(s, seat, NAMES)) if text in order] == order


def test_words_fit_beside_each_other():
    game = Table(find_map("duel"), limit=3)
    for _ in range(6):
        game.play(("idle",))
    root = ElementTree.fromstring(CONQUEST.table(game.state[0], 0, ["w" * 60, "m" * 60]))
    width, lines = float(root.get("viewBox").split()[2]), {}
    for text in root.findall(f"{SVG}text"):
        lines.setdefault(text.get("y"), []).append(float(text.get("font-size")) * 0.6 * len(text.text))
    assert len(lines) == 3 and all(sum(line) < width - 30 for line in lines.values())


def test_the_largest_map_is_a_small_picture():
    game = Table(put_up({(0, 0): 20, (15, 15): -1}, 16, 16))
    game.lay(np.full(256, -20), 0)
    assert len(parts(CONQUEST.table(game.state[0], 0, NAMES))) == 256


def test_conquest_can_be_taken_back_as_no_luck_falls_and_nothing_is_hidden():
    assert find_game("conquest").presentation.undo and not find_game("backgammon").presentation.undo
    game = Table(find_map("easy"))
    s = game.state[0]
    assert CONQUEST.state_json(s, 0) == CONQUEST.state_json(s, 1) == CONQUEST.state_json(s)
    again = Table(find_map("easy"), luck=7)
    for _ in range(4):
        move = game.legal()[0]
        game.play(move)
        again.play(move)
    assert game["board"].tolist() == again["board"].tolist() and game["stream"] == again["stream"]
