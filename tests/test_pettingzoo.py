"""Our games as PettingZoo environments: they pass its own tests, show a seat no more than it may see, and can be learned from."""

import warnings
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from sparring.errors import UserError
from sparring.games import GAMES, find_game
from sparring.games.game import MOVES, legal_moves
from sparring.testing.cast import differing
from test_conformance import REARRANGE

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install sparring[pettingzoo]")

from pettingzoo.test import api_test, seed_test

from sparring.zoo import env, raw_env

SHORT = {"gin": "gin:limit=40", "hearts": "hearts:rounds=2", "conquest": "conquest:rounds=25"}
ACTIONS = {"golf": 7, "backgammon": 25103, "conquest": 36 * 121 + 1, "gin": 104, "hearts": 52}
ENCODINGS = [(name, encoding) for name in GAMES for encoding in find_game(name).policies.encodings]
# PettingZoo has a list of its own environments that may hand over a dictionary; of all others it remarks on it.
EXPECTED = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


def short(name: str) -> str:
    return SHORT.get(name, name)


def random_action(environment, random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(environment.observe(environment.agent_selection)["action_mask"])))


def play_out(environment, random: np.random.Generator) -> dict[str, float]:
    """Random moves to the end; returns each agent's rewards added up."""
    paid = dict.fromkeys(environment.agents, 0.0)
    while not any(environment.terminations.values()):
        environment.step(random_action(environment, random))
        for agent, reward in environment.rewards.items():
            paid[agent] += reward
    return paid


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_s_own_api_test_is_passed(name):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env(short(name), render_mode="ansi"), num_cycles=200)
    assert not [str(w.message) for w in told if not str(w.message).startswith(EXPECTED)]


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_s_own_seed_test_is_passed(name):
    seed_test(lambda: env(name), num_cycles=100)


@pytest.mark.filterwarnings(*(f"ignore:{said}" for said in EXPECTED))
def test_other_tables_and_rules_pass_too():
    api_test(env("golf", seats=4, encoding="state-hand"), num_cycles=50)
    api_test(env("gin:rules=full", encoding="melds"), num_cycles=50)
    api_test(env("conquest:map=easy,rounds=10", encoding="planes"), num_cycles=50)


@pytest.mark.parametrize("name", GAMES)
def test_actions_are_as_many_as_the_page_says(name):
    assert env(name).action_space("seat_0").n == ACTIONS[name]
    page = (Path(__file__).parent.parent / "docs" / "pettingzoo.md").read_text()
    assert f"| {name} | {ACTIONS[name]:,} | {env(name).observation_space('seat_0')['observation'].shape[0]} |" in page


def test_actions_follow_the_map():
    game = find_game("conquest:map=easy")
    tiles = int(game.template[0]["rules"]["tiles"])
    assert env(game).action_space("seat_1").n == tiles * 121 + 1


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_and_no_other_is_in_the_mask_of_who_is_to_move(name):
    environment, random = raw_env(short(name)), np.random.default_rng(3)
    environment.reset(seed=3)
    assert (np.diff(environment.moves) > 0).all() and environment.moves[-1] < MOVES
    while not environment.position[0]["over"]:
        masks = {agent: environment.observe(agent)["action_mask"] for agent in environment.agents}
        offered = environment.moves[np.flatnonzero(masks.pop(environment.agent_selection))]
        assert sorted(legal_moves(environment.game, environment.position)) == offered.tolist()
        assert not any(mask.any() for mask in masks.values())
        environment.step(random_action(environment, random))


@pytest.mark.parametrize("name", GAMES)
def test_rewards_add_up_to_the_lead_at_the_end(name):
    environment = raw_env(short(name))
    for seed in range(3):
        environment.reset(seed=seed)
        paid = play_out(environment, np.random.default_rng(seed))
        scores = environment.position[0]["tally"]["score"][: len(paid)].astype(float)
        sign = -1 if environment.game.rules.lower_is_better else 1
        leads = [sign * (score - np.delete(scores, seat).mean()) for seat, score in enumerate(scores)]
        assert list(paid.values()) == pytest.approx(leads)
        assert sum(paid.values()) == pytest.approx(0)


def test_a_round_is_paid_for_when_it_ends():
    environment, random = raw_env("golf"), np.random.default_rng(1)
    environment.reset(seed=1)
    while environment.position[0]["round_number"] == 0:
        assert not any(environment.rewards.values())
        environment.step(random_action(environment, random))
    first, second = environment.position[0]["tally"]["score"][:2]
    assert environment.rewards == {"seat_0": second - first, "seat_1": first - second} and first != second


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
def test_observations_stay_within_their_space(name, encoding):
    environment, random = raw_env(short(name), encoding=encoding), np.random.default_rng(5)
    environment.reset(seed=5)
    number = 0
    while not environment.position[0]["over"]:
        if number % 7 == 0:
            for agent in environment.agents:
                assert environment.observation_space(agent).contains(environment.observe(agent))
        environment.step(random_action(environment, random))
        number += 1


@pytest.mark.parametrize(("name", "encoding"), [pair for pair in ENCODINGS if pair[0] in REARRANGE])
@settings(max_examples=3, deadline=None, derandomize=True)
@given(seed=integers(0, 2**32))
def test_a_seat_does_not_see_what_is_hidden_from_it(name, encoding, seed):
    """Whatever a seat cannot know is shuffled: it must see the same, and be offered the same if it is to move."""
    environment, random, changed = raw_env(short(name), encoding=encoding), np.random.default_rng(seed), 0
    environment.reset(seed=seed)
    while not environment.position[0]["over"]:
        kept = environment.position.copy()
        for seat, agent in enumerate(environment.agents):
            before = environment.observe(agent)
            REARRANGE[name](environment.position[0], seat, random)
            changed += len(differing(environment.position, kept))
            environment._look_up()
            after = environment.observe(agent)
            assert all(np.array_equal(before[key], after[key]) for key in before)
            environment.position = kept.copy()
            environment._look_up()
        for _ in range(5):
            if not environment.position[0]["over"]:
                environment.step(random_action(environment, random))
    assert changed


@pytest.mark.parametrize("name", REARRANGE)
def test_that_check_finds_a_leak(name):
    """Seen from another's seat, the same shuffle is noticed: otherwise nothing was compared."""
    environment, random, noticed = raw_env(short(name)), np.random.default_rng(2), False
    environment.reset(seed=2)
    while not environment.position[0]["over"] and not noticed:
        kept = environment.position.copy()
        before = environment.observe("seat_1")["observation"]
        REARRANGE[name](environment.position[0], 0, random)
        noticed = not np.array_equal(before, environment.observe("seat_1")["observation"])
        environment.position = kept
        environment.step(random_action(environment, random))
    assert noticed


def test_a_golfer_sees_the_card_in_hand_and_the_upcard():
    environment = raw_env("golf")
    environment.reset(seed=1)
    inputs = find_game("golf").policies.encodings["hand"]
    environment.step(0)  # a card from the stock
    mine, theirs = (environment.observe(agent)["observation"][inputs:] for agent in environment.agents)
    drawn = environment.position[0]["drawn"]
    kind = drawn % 13 if drawn < 52 else 13
    assert mine[0] == theirs[0] == 1 and mine[1 : 1 + 14].tolist() == np.eye(14)[kind].tolist()
    assert not theirs[1 : 1 + 14].any() and mine[15:29].sum() == theirs[15:29].sum() == 1


def test_the_dice_are_seen():
    environment = raw_env("backgammon")
    environment.reset(seed=4)
    seen = environment.observe(environment.agent_selection)["observation"][-13:]
    dice = environment.position[0]["dice"]
    assert seen[0] == 1 and [int(seen[1:7].argmax()) + 1, int(seen[7:].argmax()) + 1] == dice.tolist()


def test_seeds_decide_games_and_games_differ():
    def deals(*seeds: int | None) -> list[bytes]:
        environment, found = raw_env("golf"), []
        for seed in seeds:
            environment.reset(seed=seed)
            found.append(environment.position[0]["hand"].tobytes())
        return found

    assert deals(1, None, None) == deals(1, None, None)
    assert len(set(deals(1, None, None, 2))) == 4
    assert deals(None) != deals(None)


@pytest.mark.parametrize(
    ("action", "reason"),
    [(5, "illegal action 5 of seat_0: the action mask allows 0, 1$"), (None, "illegal action None of seat_0")],
)
def test_an_illegal_action_is_refused_and_changes_nothing(action, reason):
    environment = raw_env("golf")
    environment.reset(seed=1)
    before = environment.position.copy()
    with pytest.raises(UserError, match=reason):
        environment.step(action)
    assert not differing(environment.position, before) and environment.agent_selection == "seat_0"


def test_of_many_legal_actions_the_error_names_a_few():
    environment = raw_env("conquest:map=hard")
    environment.reset(seed=1)
    environment.step(random_action(environment, np.random.default_rng(1)))
    with pytest.raises(UserError, match=r"allows (\d+, ){11}\d+ and \d+ more$"):
        environment.step(0 if environment.observe(environment.agent_selection)["action_mask"][0] == 0 else 120)


def test_actions_outside_their_space_and_steps_before_the_first_deal_are_refused():
    environment = env("golf")
    with pytest.raises(Exception, match="reset"):
        environment.step(0)
    environment.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        environment.step(7)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"game": "glof"}, "unknown game 'glof': did you mean 'golf'"),
        ({"game": "golf", "seats": 5}, "golf is for 2 or 3 or 4 players, not 5"),
        ({"game": "golf", "encoding": "hands"}, "unknown encoding 'hands': did you mean 'hand'"),
        ({"game": "golf", "render_mode": "rgb_array"}, "unknown render mode 'rgb_array'"),
        ({"game": "conquest:rounds=0"}, "rounds"),
    ],
)
def test_environments_that_cannot_be_are_refused(words, reason):
    with pytest.raises(UserError, match=reason):
        env(**words)


def test_a_game_that_tells_nothing_in_numbers_is_refused(monkeypatch):
    monkeypatch.chdir(Path(__file__).parent.parent)
    with pytest.raises(UserError, match="has no inputs for networks"):
        env("examples.higher_card")


def test_the_table_is_rendered(capsys):
    environment = env("golf", render_mode="ansi")
    environment.reset(seed=1)
    assert "round 1 of 9" in environment.render()
    printed = env("golf", render_mode="human")
    printed.reset(seed=1)
    assert printed.render() is None and capsys.readouterr().out == environment.render() + "\n"
    silent = env("golf")
    silent.reset(seed=1)
    with pytest.raises(UserError, match="render_mode='human' or 'ansi' or 'svg'"):
        silent.render()


def test_the_example_learns_to_beat_a_random_player():
    path = Path(__file__).parent.parent / "examples" / "train_elsewhere.py"
    example = run_path(str(path), run_name="example")
    learner = example["Learner"](7, seed=1)
    assert not learner.weights.any()
    lead, error = example["judge"](example["train"](30).best, 16)
    assert lead > 25 and lead > 3 * error
