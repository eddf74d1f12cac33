"""The tables of golf, gin rummy and hearts, to be played on by hand: what is shown, to whom, and what touches do."""

import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hearts_table import rearrange as hearts_rearrange
from hearts_table import start as hearts_start
from hearts_table import suited
from sparring.games import Game, card_svg, find_game
from sparring.games.card_names import cards_of
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.gin import rules as gin
from sparring.games.gin.cards import card_name as gin_name
from sparring.games.gin.cards import read_card
from sparring.games.golf import rules as golf
from sparring.games.golf.diagram import PLACE_WORDS, face_name
from sparring.games.golf.interaction import Look, showing
from sparring.games.hearts import rules as hearts
from sparring.games.hearts.cards import card_name as hearts_name
from sparring.games.hearts.cards import read_card as hearts_card
from sparring.games.hearts.plain_rules import penalty, receiver
from test_conformance import gin_rearrange, golf_rearrange

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Ann", "Bob", "Cat", "Dan"]
FULL = "gin:rules=full,length=hand"
GAMES = ("golf", "gin:limit=60", "gin:rules=full,target=30,limit=60", "hearts:rounds=2", "hearts:rounds=1,jack=on")
REARRANGE = {"golf": golf_rearrange, "gin": gin_rearrange, "hearts": hearts_rearrange}
MOST = 40_000  # characters of a table
WATCHER = -1


def played(name: str, seed: int = 1, seats: int = 0) -> Iterator[tuple[Game, np.ndarray]]:
    """The states of a game that is played at random, the last one over."""
    game, luck = find_game(name), random.Random(seed)
    state = start_game(game, seed, 0, 0, seats or game.rules.seats[0])
    while not state[0]["over"]:
        yield game, state.copy()
        play_move(game, state, luck.choice(legal_moves(game, state)))
    yield game, state


def table(game: Game, state: np.ndarray, seat: int | None, names: list[str] = NAMES) -> ElementTree.Element:
    return ElementTree.fromstring(game.view.table(state[0], seat, names[: seats_of(game, state)]))


def seats_of(game: Game, state: np.ndarray) -> int:
    return int(state[0]["seats"])


def parts(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {part.get("data-part"): part for part in root.iter() if part.get("data-part") is not None}


def texts(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def backs(root: ElementTree.Element) -> int:
    return sum(use.get("href") == "#card-back" for use in root.iter(f"{SVG}use"))


def fresh(root: ElementTree.Element) -> int:
    """How many cards have a gold edge."""
    return sum(rect.get("stroke-width") == "4" for rect in root.iter(f"{SVG}rect"))


def touch(game: Game, state: np.ndarray, *way: str) -> None:
    """Make the move that these touches make."""
    (move,) = [move for move in legal_moves(game, state) if way in game.view.input_sequences(state[0], move)]
    play_move(game, state, move)


# Every game.


@pytest.mark.parametrize("name", GAMES)
def test_every_state_has_a_table_for_every_seat_for_watchers_and_with_all_cards_open(name):
    for number, (game, state) in enumerate(played(name)):
        assert game.view.interactive
        if number % 7 and not state[0]["over"]:
            continue
        for seat in (None, WATCHER, *range(seats_of(game, state))):
            text = game.view.table(state[0], seat, NAMES[: seats_of(game, state)])
            root = ElementTree.fromstring(text)
            assert len(text) < MOST
            assert all(any(name in said for said in texts(root)) for name in NAMES[: seats_of(game, state)])
            touched = seat is not None and seat >= 0
            assert root.get("role") == ("group" if touched else "img")
            assert touched or not parts(root)


@pytest.mark.parametrize("name", GAMES)
def test_the_seat_to_move_is_marked_and_nobody_once_the_game_is_over(name):
    for game, state in played(name):
        for seat in (None, 0):
            marked = [text for text in texts(table(game, state, seat)) if text.startswith("▸")]
            assert marked == ([] if state[0]["over"] else [f"▸ {NAMES[int(state[0]['turn'])]}"])


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_by_touching_what_lies_on_ones_own_table(name):
    luck = random.Random(4)
    game = find_game(name)
    state = start_game(game, 4, 0, 0, game.rules.seats[0])
    for _ in range(60):
        if state[0]["over"]:
            return
        shown = parts(table(game, state, int(state[0]["turn"])))
        ways = [way for move in legal_moves(game, state) for way in game.view.input_sequences(state[0], move)]
        assert len(set(ways)) == len(ways) == len(legal_moves(game, state))
        assert all(way[0] in shown or way == ("leave it",) for way in ways)
        touch(game, state, *luck.choice(ways))


@pytest.mark.parametrize("name", ["golf", "gin:limit=60", "hearts:rounds=2"])
def test_watchers_are_shown_and_told_only_what_no_seat_alone_knows(name):
    """What is hidden from any seat at all can be shuffled, and the watchers' table stays as it was."""
    rearrange, luck, changed = REARRANGE[name.partition(":")[0]], np.random.default_rng(1), 0
    for number, (game, state) in enumerate(played(name)):
        if number % 5 or state[0]["over"]:
            continue
        other, names = state.copy(), NAMES[: seats_of(game, state)]
        for seat in range(len(names)):
            rearrange(other[0], seat, luck)
        changed += not np.array_equal(state[0]["hand"], other[0]["hand"])
        assert game.view.table(state[0], WATCHER, names) == game.view.table(other[0], WATCHER, names)
        assert game.view.text(state[0], WATCHER) == game.view.text(other[0], WATCHER)
    assert changed


NASTY = ["<script>alert(1)</script>", '"onload="x', "&amp;\x00\x1b[31m\ud800", "x" * 500]


@pytest.mark.parametrize("name", ["golf", FULL, "hearts"])
def test_names_are_text_whatever_people_call_themselves(name):
    game = find_game(name)
    state = start_game(game, 1, 0, 0, max(game.rules.seats))
    for seat in (None, 0):
        root = table(game, state, seat, NASTY)
        assert not list(root.iter(f"{SVG}script")) and root.get("onload") is None
        assert any(text.startswith(("<script", "▸ <script")) for text in texts(root))
        assert max(map(len, texts(root))) < 80


@given(
    groups=some.lists(some.lists(some.integers(0, 51), max_size=13), max_size=5).filter(
        lambda groups: sum(map(len, groups)) <= 14
    )
)
def test_cards_in_rows_keep_their_order_and_no_row_has_more_than_seven(groups):
    rows = card_svg.in_rows(groups)
    assert [card for row in rows for group in row for card in group] == [card for group in groups for card in group]
    assert all(sum(map(len, row)) <= 7 for row in rows)
    assert len(rows) == (1 if sum(map(len, groups)) <= 7 else 2)


@given(groups=some.lists(some.integers(0, 13), min_size=1, max_size=5), width=some.integers(100, 400))
def test_a_row_of_cards_stays_in_its_width_and_goes_from_left_to_right(groups, width):
    lefts = [left for row in card_svg.spread(groups, 8, width, 26, 6) for left in row]
    assert len(lefts) == sum(groups)
    assert lefts == sorted(lefts)
    if lefts and sum(groups) < 14:
        assert lefts[0] >= 7.9 and lefts[-1] + 26 <= 8 + width + 0.1


def test_a_hand_of_thirteen_can_be_tapped_on_a_phone():
    """Of every card of the own hand 40 pixels or more lie free where the table is 390 pixels wide."""
    game = find_game("hearts")
    for seed in range(20):
        state = start_game(game, seed, 0, 0, 4)
        text = game.view.table(state[0], 0, NAMES)
        at = [(float(x), float(y)) for x, y in re.findall(r'translate\((\S+) (\S+)\) scale\(1\)"><g data-part', text)]
        assert len(at) == 13
        for upper in {y for _, y in at}:
            row = sorted(x for x, y in at if y == upper)
            assert all(b - a >= 40 * 400 / 390 for a, b in zip(row, row[1:], strict=False))


@pytest.mark.parametrize("rank", "A23456789TJQK")
def test_a_card_has_its_value_in_two_corners_and_as_many_pips_as_it_says(rank):
    face = ElementTree.fromstring(f"<g>{card_svg.named(f'{rank}h')}</g>")
    values = [text for text in face.iter("text") if text.text == rank.replace("T", "10")]
    assert sum(text.get("transform") == "rotate(180 26 36)" for text in values) == 1
    pips = [use.get("href") for use in face.iter("use") if use.get("href") in ("#pip-h", "#turned-h")]
    assert len(pips) == (0 if rank in "AJQK" else int(rank.replace("T", "10")))
    used = {use.get("href")[1:] for use in face.iter("use")}
    assert used <= set(re.findall(r'id="([^"]+)"', card_svg.DEFINITIONS))


# Golf.


def golf_state(seats: int = 2, seed: int = 5) -> tuple[Game, np.ndarray]:
    game = find_game("golf")
    return game, start_game(game, seed, 0, 0, seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_golf_shows_four_backs_a_hand_and_the_same_to_everyone(seats):
    game, state = golf_state(seats)
    for seat in range(seats):
        root = table(game, state, seat)
        assert backs(root) == 4 * seats + 3  # and the stock
        assert set(parts(root)) == {"stock", "discard", *(f"place {n}" for n in range(1, 7))}


def test_golf_shows_what_lies_face_down_only_where_all_is_open():
    game, state = golf_state()
    place = int(np.flatnonzero(state[0]["up"][0] == 0)[0])
    hidden = table(game, state, 0)
    assert parts(hidden)[f"place {place + 1}"].get("aria-label") == f"{PLACE_WORDS[place]}: face down"
    slips = [rect for rect in table(game, state, None).iter(f"{SVG}rect") if rect.get("fill-opacity") == ".85"]
    assert len(slips) == 8


def test_golf_is_drawn_and_placed_by_touch_and_the_drawn_card_is_seen_by_its_holder_alone():
    game, state = golf_state()
    seat = int(state[0]["turn"])
    touch(game, state, "stock")
    drawn = card_svg.named(face_name(int(state[0]["drawn"])))
    mine, theirs = (game.view.table(state[0], n, NAMES[:2]) for n in (seat, 1 - seat))
    assert drawn in mine and drawn not in theirs
    assert fresh(ElementTree.fromstring(mine)) == 1 and backs(ElementTree.fromstring(theirs)) == 8 + 3 + 1
    touch(game, state, "place 3")
    assert state[0]["up"][seat, 2] and state[0]["phase"] == golf.DRAW
    assert drawn in game.view.table(state[0], 1 - seat, NAMES[:2])
    assert any("(top right)" in text for text in texts(table(game, state, 1 - seat)))


def test_a_card_drawn_in_golf_is_thrown_away_on_the_discard_pile_and_one_taken_there_is_not():
    game, state = golf_state()
    touch(game, state, "stock")
    drawn = int(state[0]["drawn"])
    touch(game, state, "discard")
    assert state[0]["discard"][state[0]["discard_size"] - 1] == drawn
    touch(game, state, "discard")
    assert state[0]["phase"] == golf.PLACE
    ways = [way for move in legal_moves(game, state) for way in game.view.input_sequences(state[0], move)]
    assert ("discard",) not in ways and len(ways) == 6


def test_golf_counts_what_is_showing():
    game, state = golf_state()
    s = state[0]
    s["hand"][0] = [0, 9, 52, 13, 11, 3]  # two aces, ten over queen, joker over four
    s["up"][0] = [1, 1, 1, 1, 1, 0]
    assert showing(Look(s, 0, NAMES), 0) == 0 + 20 - 2
    assert "0 points, 18 showing" in texts(table(game, state, 0))


def test_golf_ends_with_all_cards_up_and_the_winner():
    *_, (game, state) = played("golf", seed=3)
    root = table(game, state, 0)
    assert backs(root) == 3
    scores = state[0]["tally"]["score"][:2].tolist()
    assert f"won by {NAMES[scores.index(min(scores))]}" in texts(root)
    assert {f"{score} points" for score in scores} <= set(texts(root))


def test_golf_says_what_is_done_and_what_a_round_comes_to():
    game, state = golf_state()
    s = state[0]
    assert game.view.sentence(s, golf.STOCK, 1, "ann") == "Ann draws from the stock"
    assert re.fullmatch(r"Ann takes \S+ from the discard pile", game.view.sentence(s, golf.DISCARD, 1, "ann"))
    play_move(game, state, golf.STOCK)
    assert re.fullmatch(r"You replace \S+ \(top left\) with \S+", game.view.sentence(s, 0, 1, "you"))
    told, states = [], [state for _, state in played("golf", seed=3)]
    for before, after in zip(states, states[1:], strict=False):
        told += filter(None, [game.view.news(before[0], after[0], NAMES[:2])])
    assert len(told) == golf.ROUNDS and re.fullmatch(r"Round 1: Ann -?\d+, Bob -?\d+", told[0])
    rounds = [re.match(r"Round \d: Ann (-?\d+), Bob (-?\d+)", text) for text in told]
    final = states[-1][0]["tally"]["score"][:2].tolist()
    assert [sum(int(each[n]) for each in rounds) for n in (1, 2)] == final
    assert told[-1].endswith(f"So far: Ann {final[0]}, Bob {final[1]}")


# Gin rummy. Seat 0 has two melds and 8 + 9 + 10 + 10 left, seat 1 nothing.

MELDED = "4c 5c 6c 2d 2h 2s Ad Ah As 7s Kd"
OPEN = "start=4c5c6c2d2h2s8d9hTsKd/AcTc3d7d4hJhQh6s8sJs/Ks"


def gin_state(name: str = FULL) -> tuple[Game, np.ndarray]:
    game = find_game(f"{name},{OPEN}" if ":" in name else f"{name}:{OPEN}")
    return game, start_game(game, 1, 0, 0, 2)


def test_gin_shows_ones_own_cards_and_the_backs_of_the_others():
    game, state = gin_state()
    root = table(game, state, 0)
    mine = {gin_name(card) for card in cards_of(state[0]["hand"][0])}
    assert set(parts(root)) == {"stock", "upcard", *mine}
    assert backs(root) == 10 + 3
    assert parts(root)["Ts"].get("aria-label") == "10 of spades"
    assert {"deadwood 37", "10 cards"} <= set(texts(root))
    assert backs(table(game, state, None)) == 3


def test_the_first_upcard_is_taken_by_touch_or_left_by_a_button():
    game, state = gin_state()
    touch(game, state, "leave it")
    assert "Ann left the upcard" in texts(table(game, state, 1))
    touch(game, state, "upcard")
    assert state[0]["drawn"] == read_card("Ks", "test") and state[0]["turn"] == 1
    root = table(game, state, 0)
    assert fresh(root) == 1 and backs(root) == 10 + 3  # what was taken openly lies open
    assert any("took the upcard K♠" in text for text in texts(root))


def test_a_card_from_the_stock_is_gold_for_who_drew_it_and_hidden_from_the_other():
    game, state = gin_state("gin")
    touch(game, state, "stock")
    name = gin_name(int(state[0]["drawn"]))
    mine, theirs = table(game, state, 0), table(game, state, 1)
    assert fresh(mine) == 1 and parts(mine)[name].get("aria-label").endswith(", just drawn")
    assert fresh(theirs) == 0 and backs(theirs) == 11 + 3
    assert "Ann drew from the stock" in texts(theirs)


def test_knocking_is_asked_after_the_card_where_it_is_a_choice():
    game, state = gin_state()
    state[0]["phase"], state[0]["drawn"], state[0]["source"] = gin.THROW, read_card("7s", "test"), gin.STOCK
    state[0]["hand"][0] = sum(1 << read_card(name, "test") for name in MELDED.split())
    ways = {way for move in legal_moves(game, state) for way in game.view.input_sequences(state[0], move)}
    assert {("Kd", "knock with 7"), ("Kd", "play on"), ("7s", "knock with 10"), ("As",)} <= ways
    state[0]["hand"][0] ^= 1 << read_card("7s", "test") | 1 << read_card("Ac", "test")
    assert ("Kd", "go gin") in {
        way for move in legal_moves(game, state) for way in game.view.input_sequences(state[0], move)
    }
    touch(game, state, "Kd", "go gin")
    assert state[0]["over"]
    root = table(game, state, 1)
    assert backs(root) == 3 and "gin: no deadwood" in texts(root)
    assert any(text.startswith("Ann went gin against ") for text in texts(root))


def test_a_card_of_a_study_hand_is_thrown_by_one_touch():
    game, state = gin_state("gin")
    touch(game, state, "stock")
    assert [len(way) for move in legal_moves(game, state) for way in game.view.input_sequences(state[0], move)] == [
        1
    ] * 11


def test_a_match_tells_what_the_last_hand_came_to_and_at_the_end_who_won():
    told = []
    states = list(played("gin:rules=full,target=30", seed=2))
    for (game, before), (_, after) in zip(states, states[1:], strict=False):
        news = game.view.news(before[0], after[0], NAMES[:2])
        told += [news] if news else []
        if news and not after[0]["over"]:
            assert "last hand:" in texts(table(game, after, 0))
    assert len(told) == states[-1][1][0]["hand_number"]
    score = states[-1][1][0]["tally"]["score"]
    assert told[-1].endswith(f"So far: Ann {score[0]}, Bob {score[1]}")
    winner = "Ann" if score[0] > score[1] else "Bob"
    assert any(text.startswith(f"{winner} won the match: ") for text in texts(table(*states[-1], 0)))


# Hearts.

HANDS = (suited("c"), suited("d"), suited("h"))


def hearts_state(more: str = "rounds=2") -> tuple[Game, np.ndarray]:
    game = find_game(f"hearts:{more},{hearts_start(*HANDS)}")
    return game, start_game(game, 1, 0, 0, 4)


def test_hearts_shows_ones_own_cards_and_the_backs_of_three_others():
    game, state = hearts_state()
    for seat in range(4):
        root = table(game, state, seat)
        assert set(parts(root)) == {hearts_name(card) for card in cards_of(state[0]["hand"][seat])}
        assert backs(root) == 39
    assert backs(table(game, state, None)) == 0 and backs(table(game, state, WATCHER)) == 52


def test_cards_chosen_to_pass_are_raised_gold_and_seen_by_who_chose_them_alone():
    game, state = hearts_state()
    before = game.view.table(state[0], 1, NAMES)
    touch(game, state, "Ac")
    touch(game, state, "3c")
    root = table(game, state, 0)
    assert fresh(root) == 2
    assert parts(root)["Ac"].get("aria-label") == "ace of clubs, to be passed"
    assert parts(root)["4c"].get("aria-label") == "4 of clubs"
    assert game.view.table(state[0], 1, NAMES) == before
    assert {"pass three cards", "to the left:", "Bob"} <= set(texts(root))
    assert fresh(table(game, state, None)) == 2


def test_cards_that_were_passed_are_gold_until_the_first_trick_is_over_and_known_to_who_gave_them():
    game, state = hearts_state()
    while state[0]["phase"] == hearts.PASS:
        play_move(game, state, legal_moves(game, state)[-1])
    seat = receiver(0, hearts.LEFT)
    assert fresh(table(game, state, seat)) == 3
    root = table(game, state, 0)
    assert backs(root) == 36 and fresh(root) == 3
    for _ in range(4):
        play_move(game, state, legal_moves(game, state)[0])
    assert fresh(table(game, state, seat)) <= 1  # the trick that was taken last


def test_the_trick_lies_in_the_middle_then_faint_and_then_small():
    game, state = hearts_state("rounds=2,passing=off")
    touch(game, state, "2c")
    assert "2c" not in parts(table(game, state, 0))
    assert card_svg.named("2c") in game.view.table(state[0], 2, NAMES)
    for name in ("2d", "2h", "2s"):
        move = hearts_card(name, "test")
        play_move(game, state, move if move in legal_moves(game, state) else legal_moves(game, state)[0])
    text = game.view.table(state[0], 0, NAMES)
    assert '<g opacity=".45">' in text and "Ann took the last trick" in text
    play_move(game, state, legal_moves(game, state)[0])
    text = game.view.table(state[0], 0, NAMES)
    assert '<g opacity=".45">' not in text and card_svg.small("2c") in text


def test_hearts_counts_points_and_says_at_the_end_who_won():
    states = [state for _, state in played("hearts:rounds=1", seed=3)]
    game = find_game("hearts:rounds=1")
    late = next(state for state in states if state[0]["number"] == 12)
    root = table(game, late, 0)
    assert all(f"0 + {penalty(won)} points" in texts(root) for won in late[0]["won"])
    scores = states[-1][0]["tally"]["score"].tolist()
    end = texts(table(game, states[-1], 0))
    assert {f"{score} points" for score in scores} <= set(end)
    best = [name for name, score in zip(NAMES, scores, strict=True) if score == min(scores)]
    assert (f"won by {best[0]}" if len(best) == 1 else "drawn") in end


@settings(max_examples=15, deadline=None)
@given(seed=some.integers(0, 2**32), steps=some.integers(0, 60), seat=some.integers(0, 3))
def test_no_card_of_another_is_anywhere_in_the_text_of_a_hearts_table(seed, steps, seat):
    game, luck = find_game("hearts:rounds=1,passing=off"), random.Random(seed)
    state = start_game(game, seed, 0, 0, 4)
    for _ in range(min(steps, 51)):
        play_move(game, state, luck.choice(legal_moves(game, state)))
    text = game.view.table(state[0], seat, NAMES)
    for other in {0, 1, 2, 3} - {seat}:
        for card in set(cards_of(state[0]["hand"][other])) - {hearts.TWO_OF_CLUBS}:  # everyone knows who leads it
            name = hearts_name(card)
            assert f'"{name}"' not in text and card_svg.spoken(name) not in text
            assert card_svg.named(name) not in text and card_svg.small(name) not in text
