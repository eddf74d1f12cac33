"""What notebooks show: nets as drawings, results as tables with intervals, runs as curves, states as tables."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

import sparring
from altered import altered
from sparring.arena.players import Contestant
from sparring.errors import UserError
from sparring.games import GAMES, find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.view import View, text_svg
from sparring.lab.experiment import build_experiment
from sparring.lab.run import create_run
from sparring.nets.files import load_net
from sparring.testing.cast import differing
from test_conformance import REARRANGE

SVG = "{http://www.w3.org/2000/svg}"


class Parsed(HTMLParser):
    """An HTML fragment whose tags must match: how often each stands in it, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words, self._open = "", []
        self.feed(html)
        assert not self._open, self._open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words += data


def champion(name: str, which: str = "champion") -> sparring.Net:
    game = find_game(name)
    return load_net(game.policies.champions[which], game)


# Nets.


def test_a_net_shows_itself_as_a_drawing_with_its_inputs_names():
    net = champion("gin", "champion-26")
    drawing = ET.fromstring(net._repr_svg_())
    assert drawing.tag == f"{SVG}svg" and len(list(drawing.iter())) > net.inputs
    shown = Parsed(net._repr_html_())
    assert shown.tags.count("svg") == 1 and "208-26-1" in shown.words and "Ac mine" in net._repr_svg_()


def test_of_a_team_every_role_is_drawn():
    team = champion("hearts")
    assert len(team.parts) > 1 and team._repr_svg_() is None
    shown = Parsed(team._repr_html_())
    assert shown.tags.count("svg") == len(team.parts)
    assert all(f"{role}: hearts" in shown.words for role in team.parts)


def test_the_net_of_a_game_that_is_not_here_is_drawn_with_numbers():
    shape, weights = (3, 2, 1), np.linspace(-1, 1, 11).astype(np.float32)
    net = sparring.Net("no.such.module", 1, "card", shape, weights, ancestry=("<i>made by hand</i>",))
    shown = Parsed(net._repr_html_())
    assert "svg" in shown.tags and "i" not in shown.tags and "<i>made by hand</i>" in shown.words


# Matches and tournaments.


def test_a_match_is_a_table_with_intervals():
    result = sparring.match("golf", "greedier", "random", pairs=20, seed=1)
    shown = Parsed(result._repr_html_())
    assert shown.tags.count("table") == 1 and shown.tags.count("tr") == 3 + len(result.players[0].measures)
    for player in result.players:
        assert player.win_rate.text(1, percent=True) in shown.words and player.score.text(2) in shown.words
    assert "40 games in 20 deals" in shown.words and "seed 1" in shown.words and "95% intervals" in shown.words


def test_names_of_players_are_text_and_nothing_else():
    result = sparring.match("golf", Contestant("<script>x</script>", "random"), "random", pairs=2)
    shown = Parsed(result._repr_html_())
    assert "script" not in shown.tags and "<script>x</script>" in shown.words


def test_a_tournament_is_its_ranking_and_both_tables():
    result = sparring.tournament("golf", "random", "greedier", "greedier-published", pairs=4)
    shown = Parsed(result._repr_html_())
    assert shown.tags.count("table") == 3 and shown.tags.count("tr") == 3 * (1 + 3)
    assert all(player.rating.text(0) in shown.words for player in result.players)
    assert f"{result.win_table[0, 1]:.0%}" in shown.words and f"{result.score_table[2, 0]:.2f}" in shown.words


# Runs.


def test_a_run_shows_its_curves_and_what_its_champions_reach(tmp_path):
    evaluation = {"pairs": 10, "selection_pairs": 10}
    run = sparring.train("golf", runs=tmp_path, name="x", trials=2, epochs=20, evaluation=evaluation)
    html = run._repr_html_()
    shown = Parsed(html)
    assert shown.tags.count("svg") >= 2 and "Score during training: mean over 2 trials" in shown.words
    rate = run.evaluation()["trials"][0]["matches"][0]["players"][0]["win_rate"][0]
    assert f"{100 * rate:.1f}%" in shown.words and "20 of 20 epochs" in shown.words
    assert sparring.load(tmp_path / "x")._repr_html_() == html


def test_a_run_that_has_not_begun_says_so(tmp_path):
    run = create_run(build_experiment({"game": "golf", "name": "x"}), tmp_path)
    shown = Parsed(run._repr_html_())
    assert "too little has been trained" in shown.words and "svg" not in shown.tags


# States.


@pytest.mark.parametrize("name", GAMES)
def test_every_game_s_states_are_pictures(name):
    state = sparring.state(name, seed=3)
    for _ in range(6):
        state = state.play(next(iter(state.moves())))
    picture = ET.fromstring(state._repr_svg_())
    assert picture.tag == f"{SVG}svg" and len(list(picture.iter())) > 5
    assert state.text in repr(state) and "after 6 moves" in repr(state)
    for seat in range(state.seats):
        assert ET.fromstring(state.svg(seat)).tag == f"{SVG}svg"


@pytest.mark.parametrize("name", REARRANGE)
def test_a_seat_s_picture_text_and_json_do_not_show_what_it_cannot_see(name):
    state, random, shuffled = sparring.state(name, seed=5), np.random.default_rng(5), 0
    for number in range(40):
        for seat in range(state.seats):
            other = sparring.State(state.game, state.record.copy(), state.seats)
            REARRANGE[name](other.record[0], seat, random)
            shuffled += len(differing(other.record, state.record))
            assert other.seen(seat) == state.seen(seat) and other.json(seat) == state.json(seat), number
            assert other.svg(seat) == state.svg(seat), number
        state = state.play(int(random.choice(list(state.moves()))))
    assert shuffled


@settings(max_examples=20, deadline=None)
@given(name=sampled_from(list(GAMES)), seed=integers(0, 2**64 - 1), choices=integers(0, 2**32))
def test_playing_makes_new_states_and_leaves_the_old_ones(name, seed, choices):
    game, random = find_game(name), np.random.default_rng(choices)
    state, record = sparring.state(game, seed=seed), start_game(game, seed, 0, 0, game.rules.seats[0])
    for _ in range(12):
        if state.over:
            break
        before, move = state.record.copy(), int(random.choice(legal_moves(game, record)))
        assert list(state.moves()) == list(legal_moves(game, record))
        after = state.play(move)
        play_move(game, record, move)
        assert not differing(state.record, before) and not differing(after.record, record)
        assert after.scores == record[0]["tally"]["score"][: state.seats].tolist()
        state = after
    assert sparring.state(game, seed=seed, moves=state.played).text == state.text


def test_moves_can_be_words():
    state = sparring.state("backgammon", seed=4)  # rolls 52
    move, words = next(iter(state.moves().items()))
    assert state.play(words).played == (move,)
    assert sparring.state("backgammon", seed=4, moves=[words]).text == state.play(move).text


def test_tables_can_have_more_seats_and_rules():
    assert sparring.state("golf", seats=4).seats == 4
    assert "hand 1" in sparring.state("gin:rules=full").text


class Bare(View):
    """A view that has no table."""

    def text(self, s, seat=None, names=()):
        return f"{s['stock_size']} cards & seat {seat}"


def test_a_game_without_a_table_is_drawn_as_text():
    golf = sparring.state("golf")
    bare = replace(golf, game=altered(golf.game, view=Bare))
    assert not bare.game.view.interactive
    assert "".join(ET.fromstring(bare._repr_svg_()).itertext()) == bare.text == "41 cards & seat None"
    assert "".join(ET.fromstring(bare.svg(1)).itertext()) == "41 cards & seat 1"


def test_a_text_as_a_picture_keeps_every_letter_in_its_place():
    picture = ET.fromstring(text_svg('  <a> & "b"\n/ \\ ♥'))
    assert [line.text for line in picture.iter(f"{SVG}text")] == ['  <a> & "b"', "/ \\ ♥"]
    assert unescape(re.search(r'aria-label="([^"]*)"', text_svg('"x"'))[1]) == '"x"'


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: sparring.state("glof"), "unknown game 'glof'"),
        (lambda: sparring.state("golf", seats=5), "golf is for 2 or 3 or 4 players, not 5"),
        (lambda: sparring.state("golf", seed=-1), "seed = -1"),
        (lambda: sparring.state("golf", moves=[0, 9]), "move 2: illegal move 9; legal: 0, 1"),
        (lambda: sparring.state("golf").play("left"), "'left': type a move's number or its words: draw from the stock"),
        (lambda: sparring.state("backgammon", seed=4).play("24/20"), "no 4 was rolled"),
        (lambda: sparring.state("golf").seen(2), "seat 2: must be from 0 to 1"),
        (lambda: sparring.state("golf").svg(-1), "seat -1: must be from 0 to 1"),
    ],
)
def test_states_that_cannot_be_are_refused(make, reason):
    with pytest.raises(UserError, match=re.escape(reason)):
        make()
