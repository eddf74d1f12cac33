"""Someone else's algorithm learns golf through PettingZoo: ridge regression of scikit-learn's, by Monte Carlo control.

For each action a linear model says, from the observation, how many points of lead it will bring until the next reward, the sooner
the better. The learner plays itself, mostly the actions that it values most, and now and then fits all that it has seen anew.
`python examples/train_elsewhere.py` takes about half a minute. Two random players are level; `greedier` leads one by 147 points.
"""

import sys
from collections.abc import Callable

import numpy as np
from sklearn.linear_model import Ridge

from sparring.zoo import env

GAMES, LESSON = 150, 30  # to learn from in all, and before each lesson
EXPLORE = 0.1  # the share of moves that are chosen at random
DISCOUNT = 0.97  # what a reward is worth one move of the same seat earlier
RIDGE = 10.0

Seen = dict[str, np.ndarray]  # PettingZoo's observation and action mask
Choose = Callable[[Seen], int]
Story = list[
    tuple[np.ndarray, int, float]
]  # a seat's moves: what it saw, what it did, what it was paid before the next


class Learner:
    """A linear model for each action, fitted to all games so far."""

    def __init__(self, actions: int, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.models = [Ridge(RIDGE) for _ in range(actions)]
        self.lessons: list[list[tuple[np.ndarray, float]]] = [[] for _ in range(actions)]
        self.weights, self.biases = np.zeros((actions, 1)), np.zeros(actions)  # before the first lesson all are level

    def best(self, seen: Seen) -> int:
        """The legal action that is worth most."""
        values = self.weights @ seen["observation"][: self.weights.shape[1]] + self.biases
        return int(np.argmax(np.where(seen["action_mask"], values, -np.inf)))

    def explore(self, seen: Seen) -> int:
        """The same, but now and then any legal action; before the first lesson always."""
        trained = self.weights.any() and self.random.random() >= EXPLORE
        return self.best(seen) if trained else at_random(self.random)(seen)

    def remember(self, story: Story) -> None:
        """Every move was worth the reward after it, later ones counting less."""
        worth = 0.0
        for seen, action, reward in reversed(story):
            worth = reward or DISCOUNT * worth
            self.lessons[action].append((seen, worth))

    def learn(self) -> None:
        """Fit each action's model to all that it came to."""
        for model, lesson in zip(self.models, self.lessons, strict=True):
            model.fit(np.array([seen for seen, _ in lesson]), np.array([worth for _, worth in lesson]))
        self.weights = np.array([model.coef_ for model in self.models])
        self.biases = np.array([model.intercept_ for model in self.models])


def at_random(random: np.random.Generator) -> Choose:
    return lambda seen: int(random.choice(np.flatnonzero(seen["action_mask"])))


def play(choosers: dict[str, Choose], seed: int) -> dict[str, Story]:
    """One game through PettingZoo: each seat's story."""
    golf = env("golf")
    golf.reset(seed=seed)
    stories: dict[str, Story] = {agent: [] for agent in golf.agents}
    for agent in golf.agent_iter():
        seen, reward, terminated, _, _ = golf.last()
        if stories[agent]:
            stories[agent][-1] = (*stories[agent][-1][:2], reward)
        action = None if terminated else choosers[agent](seen)
        if action is not None:
            stories[agent].append((seen["observation"], action, 0.0))
        golf.step(action)
    return stories


def train(games: int = GAMES, seed: int = 1) -> Learner:
    """A learner that has played so many games against itself."""
    learner = Learner(int(env("golf").action_space("seat_0").n), seed)
    for number in range(1, games + 1):
        for story in play({"seat_0": learner.explore, "seat_1": learner.explore}, 10**6 + number).values():
            learner.remember(story)
        if number % LESSON == 0 or number == games:
            learner.learn()
    return learner


def judge(choose: Choose, games: int = 40) -> tuple[float, float]:
    """By how many points a player is ahead of a random one, in games that were not learned from; and the standard error."""
    rival = at_random(np.random.default_rng(games))
    stories = [play({"seat_0": choose, "seat_1": rival}, number)["seat_0"] for number in range(games)]
    leads = np.array([sum(reward for *_, reward in story) for story in stories])
    return float(leads.mean()), float(leads.std(ddof=1) / np.sqrt(games))


if __name__ == "__main__":
    told = "{}: {:.1f} points ahead of a random player (standard error {:.1f})"
    print(told.format("at random", *judge(at_random(np.random.default_rng(1)))))
    for count in [int(word) for word in sys.argv[1:]] or [LESSON, GAMES]:
        print(told.format(f"after {count} games", *judge(train(count).best)), flush=True)
