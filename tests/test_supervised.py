"""Learning to score hands: the examples, their three representations, and what short lessons already show."""

from dataclasses import astuple, replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPRegressor

from sparring.games.golf.encodings import SUPERVISED, scored_hands
from sparring.games.golf.rules import CARDS, hand_score
from sparring.kernel.random import derive
from sparring.learn.supervised import Examples, Fit, Network, Supervised, losses, predict, regress

SHORT = Supervised(networks=1, examples=5_000, hidden=40, batch=50, iterations=12, seed=3)
TINY = Supervised(networks=2, examples=500, hidden=8, iterations=3, seed=3)


def results(fits: list[Fit]) -> list[tuple[object, ...]]:
    """All but the seconds."""
    return [astuple(replace(fit, seconds=0.0)) for fit in fits]


@pytest.fixture(scope="module")
def hands() -> np.ndarray:
    return scored_hands(2_000, 1)[0]


@pytest.mark.parametrize(("name", "size"), [("numerical", 6), ("one-hot-value", 84), ("one-hot-deck", 378)])
def test_representations_have_the_sizes_of_the_study(hands: np.ndarray, name: str, size: int) -> None:
    assert SUPERVISED[name](hands).shape == (len(hands), size)


@pytest.mark.parametrize(("name", "ones"), [("one-hot-value", 6), ("one-hot-deck", 54)])
def test_one_hot_inputs_have_one_bit_for_each_card(hands: np.ndarray, name: str, ones: int) -> None:
    inputs = SUPERVISED[name](hands)
    assert set(np.unique(inputs)) == {0, 1}
    assert (inputs.sum(axis=1) == ones).all()


def test_numerical_inputs_are_the_values_of_the_cards() -> None:
    ace_to_king, two_jokers = np.arange(13).reshape(1, -1), np.array([[52, 53]])
    assert SUPERVISED["numerical"](ace_to_king).tolist() == [list(range(1, 14))]
    assert SUPERVISED["numerical"](two_jokers).tolist() == [[-1, -1]]


def test_the_deck_says_where_each_card_lies() -> None:
    hand = np.array([[53, 0, 10, 20, 30, 40]])
    places = SUPERVISED["one-hot-deck"](hand).reshape(CARDS, 7).argmax(axis=1)
    assert [int(places[card]) for card in hand[0]] == [0, 1, 2, 3, 4, 5]
    assert (places == 6).sum() == 48


def test_hands_are_six_different_cards_of_the_whole_deck(hands: np.ndarray) -> None:
    assert hands.dtype == np.int8
    assert (np.diff(np.sort(hands, axis=1), axis=1) > 0).all()
    assert all(len(np.unique(hands[:, place])) == CARDS for place in range(6))


def test_scores_are_those_of_the_rules() -> None:
    hands, scores = scored_hands(5_000, 7)
    assert scores.tolist() == [hand_score(hand) for hand in hands]


def test_hands_follow_from_the_seed() -> None:
    assert (scored_hands(100, 5)[0] == scored_hands(100, 5)[0]).all()
    assert (scored_hands(100, 5)[0] != scored_hands(100, 6)[0]).any()


def test_short_lessons_beat_the_mean_and_one_hot_beats_numbers() -> None:
    error = {fit.representation: fit.mean_absolute_error for fit in regress(SHORT, SUPERVISED, scored_hands)}
    scores = scored_hands(SHORT.examples, derive(SHORT.seed, "test"))[1]
    of_the_mean = np.abs(scores - scores.mean()).mean()
    assert error["one-hot-value"] < 0.6 * of_the_mean
    assert error["one-hot-deck"] < 0.7 * of_the_mean
    assert error["numerical"] < of_the_mean
    assert error["one-hot-value"] < 0.7 * error["numerical"]


def test_the_same_seed_gives_the_same_nets_in_any_number_of_threads() -> None:
    two = {name: SUPERVISED[name] for name in ("numerical", "one-hot-value")}
    heard: list[Fit] = []
    alone = regress(TINY, two, scored_hands, heard.append)
    assert heard == alone
    assert [(fit.representation, fit.trial) for fit in alone] == [(name, trial) for name in two for trial in range(2)]
    assert results(alone) == results(regress(TINY, two, scored_hands, workers=2))
    assert len({fit.mean_absolute_error for fit in alone}) == 4
    assert results(alone) != results(regress(replace(TINY, seed=4), two, scored_hands))


@pytest.mark.parametrize("name", SUPERVISED)
def test_networks_learn_as_those_of_scikit_learn(name: str, hands: np.ndarray) -> None:
    inputs, targets = SUPERVISED[name](hands), scored_hands(2_000, 1)[1]
    theirs = MLPRegressor(hidden_layer_sizes=(10,), batch_size=150, max_iter=4, random_state=5)
    with pytest.warns(ConvergenceWarning):
        theirs.fit(inputs, targets.astype(np.float32))
    dice, examples = np.random.RandomState(5), Examples.of(inputs, targets)
    network = Network.initial(inputs.shape[1], 10, dice)
    found = list(losses(Supervised(batch=150, iterations=4), network, examples, dice))
    np.testing.assert_allclose(found, theirs.loss_curve_, rtol=1e-3)
    answers = np.zeros(len(targets))
    predict(examples, network, answers)
    np.testing.assert_allclose(answers, theirs.predict(inputs), atol=0.02)


def test_training_stops_when_the_loss_no_longer_falls() -> None:
    patient = Supervised(networks=1, examples=300, hidden=4, iterations=50, tolerance=1e9, patience=3)
    (fit,) = regress(patient, {"numerical": SUPERVISED["numerical"]}, scored_hands)
    assert fit.iterations == 5  # the first pass has nothing to be compared with


def test_nets_are_judged_on_other_examples() -> None:
    asked: list[tuple[int, int]] = []

    def draw(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        asked.append((count, seed))
        return scored_hands(count, seed)

    regress(replace(TINY, networks=1), {"numerical": SUPERVISED["numerical"]}, draw)
    (first, train), (second, test) = asked
    assert first == second == TINY.examples
    assert train != test
    assert (scored_hands(first, train)[0] != scored_hands(second, test)[0]).any()
