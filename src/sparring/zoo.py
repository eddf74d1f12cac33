"""Games as PettingZoo environments, for external learners (extra `pettingzoo`).

>>> from sparring.zoo import env
>>> golf = env("golf")
>>> golf.reset(seed=1)
>>> golf.agent_selection, golf.action_space("seat_0")
('seat_0', Discrete(7))

Agents are `seat_0`, `seat_1`, ... An action is the index of a move among all moves of the rules. An observation is a dictionary:
`observation` has a network's inputs and what else a seat sees when it must move; `action_mask` is 1 for legal actions, and 0
everywhere for agents that are not to move. The reward of a step is the change of a seat's lead over the mean of the others, so
rewards add up to the final lead. If the lowest score wins, a lower score is a lead.
"""

from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games import Game, name_game, unknown
from sparring.games.game import MOVES, legal_moves, play_move, start_game
from sparring.kernel.records import records

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ImportError("sparring.zoo needs PettingZoo: install sparring[pettingzoo]") from None

LARGEST = 16.0  # the bound of an input's absolute value
SCRATCH = 1024  # memory that kernels need after the inputs
NAMED = 12  # legal actions in an error message
MODES = ("human", "ansi", "svg")
SEEDS = 2**63


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game as an environment; `env` adds PettingZoo's checks of its use."""

    def __init__(self, game: Game, seats: int, encoding: str, render_mode: str | None = None) -> None:
        super().__init__()
        self.game, self.encoding, self.render_mode = game, encoding, render_mode
        name, observation = f"{game.name}_v{game.rules.version}", game.learning.observation
        self.metadata = {"name": name, "render_modes": list(MODES), "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.moves = observation.moves(game.template[0]) if observation else np.arange(MOVES)
        most = max(game.policies.encodings.values()) + SCRATCH
        self._index, self._value = np.zeros(most, np.int64), np.zeros(most, np.float32)
        self.position = start_game(game, 0, 0, 0, seats)
        seen = Box(-LARGEST, LARGEST, self._seen(0).shape, np.float32)
        parts: dict[str, Any] = {"observation": seen, "action_mask": Box(0, 1, self.moves.shape, np.int8)}
        self.action_spaces = {agent: Discrete(len(self.moves)) for agent in self.possible_agents}
        self.observation_spaces = {agent: Dict(parts) for agent in self.possible_agents}
        self._random, _ = np_random()

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game, determined by the seed or, without one, by the last seed and the number of games since."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self.agents = list(self.possible_agents)
        self.position = start_game(self.game, int(self._random.integers(SEEDS)), 0, 0, len(self.agents))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look_up()

    def step(self, action: int | None) -> None:
        """Make the move of the selected agent; after the end, step with None for each agent."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        before = self._leads()
        play_move(self.game, self.position, self._move(action))
        for other, gained in zip(self.agents, self._leads() - before, strict=True):
            self.rewards[other] = float(gained)
            self.terminations[other] = bool(self.position[0]["over"])
        self._look_up()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """An agent's observation and action mask."""
        seat, mask = self.possible_agents.index(agent), np.zeros(len(self.moves), np.int8)
        if agent == self.agent_selection:
            mask[self._legal] = 1
        return {"observation": self._seen(seat), "action_mask": mask}

    def render(self) -> str | None:
        """The whole table, with nothing hidden, as text or SVG; `human` prints it."""
        if self.render_mode is None:
            raise UserError(f"render: create the environment with render_mode={' or '.join(map(repr, MODES))}")
        view, s = self.game.view, self.position[0]
        if self.render_mode == "svg":
            return view.table(s, None, self.possible_agents)
        if self.render_mode == "ansi":
            return view.text(s)
        print(view.text(s))
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _look_up(self) -> None:
        """Set the agent to move and its legal actions."""
        self.agent_selection = self.possible_agents[int(self.position[0]["turn"])]
        self._legal = np.searchsorted(self.moves, np.array(legal_moves(self.game, self.position), np.int64))

    def _move(self, action: int | None) -> int:
        """The move of an action, if it is legal."""
        legal = self._legal.tolist()
        if action not in legal:
            more = f" and {len(legal) - NAMED} more" if len(legal) > NAMED else ""
            named = ", ".join(map(str, legal[:NAMED]))
            raise UserError(f"illegal action {action} of {self.agent_selection}: the action mask allows {named}{more}")
        return int(self.moves[int(action)])  # type: ignore[arg-type]

    def _leads(self) -> np.ndarray:
        """Each seat's lead over the mean of the others."""
        scores = self.position[0]["tally"]["score"][: len(self.possible_agents)].astype(float)
        others = (scores.sum() - scores) / (len(scores) - 1)
        leads: np.ndarray = others - scores if self.game.rules.lower_is_better else scores - others
        return leads

    def _seen(self, seat: int) -> np.ndarray:
        """A network's inputs, then what else the seat sees now."""
        learning = self.game.learning
        assert learning.inputs is not None
        encoding = self.game.encoding_names.index(self.encoding)
        count = learning.inputs(records(self.position)[0], seat, encoding, self._index, self._value)
        seen = np.zeros(self.game.policies.encodings[self.encoding], np.float32)
        seen[self._index[:count]] = self._value[:count]
        return np.append(seen, learning.observation.now(self.position[0], seat)) if learning.observation else seen


def raw_env(game: str | Game, seats: int = 0, encoding: str = "", render_mode: str | None = None) -> GameEnv:
    """The environment of a game without checks. By default it has the game's first number of seats and first encoding."""
    the_game = name_game(game) if isinstance(game, str) else game
    if the_game.learning.inputs is None:
        raise UserError(f"{the_game.name}: has no inputs for networks (Learning.inputs)")
    if (seats or the_game.rules.seats[0]) not in the_game.rules.seats:
        raise UserError(f"{the_game.name} is for {' or '.join(map(str, the_game.rules.seats))} players, not {seats}")
    if (encoding or the_game.encoding_names[0]) not in the_game.policies.encodings:
        raise unknown("encoding", encoding, list(the_game.policies.encodings))
    if render_mode not in (None, *MODES):
        raise unknown("render mode", str(render_mode), list(MODES))
    return GameEnv(the_game, seats or the_game.rules.seats[0], encoding or the_game.encoding_names[0], render_mode)


def env(game: str | Game, seats: int = 0, encoding: str = "", render_mode: str | None = None) -> AECEnv:
    """A game as a PettingZoo environment with PettingZoo's checks: actions in their space, no step before `reset`."""
    checked = wrappers.AssertOutOfBoundsWrapper(raw_env(game, seats, encoding, render_mode))
    return wrappers.OrderEnforcingWrapper(checked)
