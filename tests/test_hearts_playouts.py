"""Rounds played on by those at the table: what they say a choice costs is what it costs when the round is really played."""

import dataclasses

import numpy as np
import pytest

from sparring.arena.players import Chooser, find_player, pack_players
from sparring.games import find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.hearts.cards import cards_of
from sparring.games.hearts.nets import DEFENCE_PLAYING, PLAYING, ROLES, is_threatened
from sparring.games.hearts.playouts import card_loss, pass_others, three_loss
from sparring.games.hearts.rules import PASS, points_of
from sparring.kernel.compiler import INTERPRETED
from sparring.kernel.launch import Job
from sparring.kernel.records import records
from sparring.learn.curriculum import CurriculumTraining
from sparring.learn.curriculum_options import Curriculum
from sparring.nets.dense import Net, gaussian, size

DEALS = 1 if INTERPRETED else 8


def team(seed=1, hidden=6):
    """Nets of random weights; they try every moon, but for those of seat 0."""
    parts = {}
    for k, (role, view) in enumerate(ROLES.items()):
        shape = (find_game("hearts").policies.encodings[view], hidden, 1)
        parts[role] = Net("hearts", 1, view, shape, np.float32(0.5) * gaussian(size(shape), seed, k), input_major=True)
    return Net.team(tuple(ROLES), parts, {"moon-decision": float(seed == 0), "defence-decision": 0.5})


class Table:
    """Four players, by the words that follow `net+` or by name, whose rounds can be played on."""

    def __init__(self, rules, *words):
        self.game = find_game(f"hearts:rounds=1,{rules}")
        self.players = [self.player(word, seat) for seat, word in enumerate(words)]
        self.choosers = [Chooser(self.game, player) for player in self.players]
        self.table, self.weights = pack_players(self.game, self.players)
        job = np.zeros(1, Job)
        job["player"] = range(4)
        self.room = (
            np.zeros(self.game.policies.float_scratch(6), np.float32),
            np.zeros(self.game.policies.int_scratch, np.int64),
        )
        self.told = records(job)[0], records(self.table), self.weights, *self.room

    def player(self, word, seat):
        if word in self.game.builtin:
            return find_player(self.game, word)
        return dataclasses.replace(find_player(self.game, team(seat)), policy=f"net+{word}")

    def choose(self, state):
        return self.choosers[int(state[0]["turn"])].choose(state)

    def play_to_the_end(self, state, seat):
        """The points that a seat has then, 26 after a moon where moons count."""
        while not state[0]["over"]:
            play_move(self.game, state, self.choose(state))
        taken = [int(points_of(won)) for won in state[0]["last_won"]]
        return 26 if 26 in taken and state[0]["rules"]["moon"] else taken[seat]


def compare_cards(table, role, wanted):
    """At every turn of seat 0 that is wanted: each card's loss, as played on and as played."""
    seen = []
    for deal in range(DEALS):
        state = start_game(table.game, 3, deal, deal, 4)
        while not state[0]["over"]:
            s = records(state)[0]
            if state[0]["turn"] == 0 and wanted(s):
                for card in legal_moves(table.game, state):
                    real = state.copy()
                    play_move(table.game, real, card)
                    seen.append((card_loss(s, role, card, *table.told), table.play_to_the_end(real, 0)))
            play_move(table.game, state, table.choose(state))
    told, came = np.array(seen).T
    assert len(seen) > 40 * DEALS / 8 and (told == came).all()
    return came


@pytest.mark.parametrize("others", [("rule-based",) * 3, ("expert", "plain", "rule-based"), ("plain",) * 3])
def test_a_card_costs_what_it_costs_when_all_play_on(others):
    table = Table("passing=off,moon=off", "plain", *others)
    assert len(set(compare_cards(table, PLAYING, lambda s: True))) > 3


def test_who_defends_goes_on_defending_and_who_shoots_goes_on_shooting():
    table = Table("passing=off", "always", *("undefended",) * 3)
    compare_cards(table, DEFENCE_PLAYING, lambda s: s["number"] > 0 and is_threatened(s))  # all have made their plans


def test_a_pass_costs_what_it_costs_when_all_play_on():
    table = Table("moon=off", "plain", "rule-based", "rule-based", "expert")
    came = set()
    for deal in range(DEALS):
        state = start_game(table.game, 4, deal, deal, 4)
        for three in ([0, 1, 2], [3, 7, 11], [10, 11, 12]):
            cards = [cards_of(int(state[0]["dealt"][0]))[k] for k in three]
            pass_others(records(state)[0], table.told[0], table.told[1], table.told[-1])
            told = three_loss(records(state)[0], sum(1 << card for card in cards), *table.told)
            real = state.copy()
            for card in cards:
                play_move(table.game, real, card)
            assert real[0]["phase"] == PASS and told == table.play_to_the_end(real, 0)
            came.add(told)
    assert len(came) > 1


@pytest.mark.skipif(INTERPRETED, reason="takes minutes")
@pytest.mark.parametrize(("stage", "role"), [("tune", "play"), ("tune", "pass"), ("defence-play", "defence-play")])
def test_lessons_of_the_table_are_whole_points_for_every_choice(stage, role, tmp_path):
    from sparring.nets.files import save_net

    save_net(tmp_path / "team.safetensors", team())
    options = Curriculum(
        stages=(stage,), games=(100,), before=str(tmp_path / "team.safetensors"), rivals=("rule-based",),
        rewards="terminal=26,search=1,playout=table", step_games=100, thresholds="defence-decision=0",
    )  # fmt: skip
    school = CurriculumTraining(find_game("hearts"), options, 1, 1)
    told, order = school._examples(0, stage, role, 40, "test")
    costs = 26 * (1 - told["target"][told["role"] == list(ROLES).index(role)])
    assert len(order) > 50 and (told["group"][order] > 1).all()
    assert np.abs(costs - costs.round()).max() < 1e-3 and np.ptp(costs) > 12
