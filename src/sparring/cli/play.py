"""A game at the terminal: a person against a player, in words that every game shares."""

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sparring.arena.external import seated
from sparring.arena.players import find_player
from sparring.cli import show
from sparring.errors import Stopped, UserError
from sparring.games import Game, Played, find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.lab.log import LogWriter
from sparring.lab.store import Store

FEW = 8  # so many moves are listed unasked
YOU = "you"
HELP = "type a move, or its number in the list; `list` shows all moves, `board` the board, `quit` stops"


@dataclass
class Sitting:
    """A person at the table: the game so far, and where everyone sits."""

    game: Game
    state: np.ndarray
    seat: int  # the person's
    names: list[str]
    moves: list[int] = field(default_factory=list)

    def words(self, move: int) -> str:
        return self.game.view.move_text(self.state[0], move)

    def play(self, move: int) -> None:
        play_move(self.game, self.state, move)
        self.moves.append(move)

    def board(self) -> str:
        return self.game.view.text(self.state[0], self.seat)


def play_game(name: str, against: str, seed: int, second: bool, log: Path | None, runs: Path) -> None:
    """Play one game, say how it ended, and record it."""
    game = find_game(name)
    if 2 not in game.seats:
        raise UserError(f"{game.name} is not for two players")
    opponent = find_player(game, against or default_opponent(game))
    store, seat = Store(runs), int(second)
    names = [YOU, opponent.name] if seat == 0 else [opponent.name, YOU]
    writer = LogWriter(log, game, seed, names) if log else None
    game.launcher.prepare()
    sitting = Sitting(game, start_game(game, seed, 0, 0, 2), seat, names)
    print(f"{game.name} against {opponent.name}, seed {seed}. To move, {HELP}. There is no taking back.")
    with ExitStack() as stack:
        (choose,) = stack.enter_context(seated(game, [opponent]))
        while not sitting.state[0]["over"]:
            if sitting.state[0]["turn"] == seat:
                sitting.play(ask(sitting))
            else:
                move = choose(sitting.state)
                print(f"\n{opponent.name}{_roll(sitting)}: {sitting.words(move)}")
                sitting.play(move)
    finish(sitting, seed, store, writer)


def default_opponent(game: Game) -> str:
    """The champion that comes with the game, or else its second built-in player."""
    return next(iter(game.champions), game.builtin[min(1, len(game.builtin) - 1)])


def _roll(sitting: Sitting) -> str:
    """What was rolled, where the game has dice: ` rolls 31`."""
    dice = sitting.game.view.state_json(sitting.state[0]).get("dice")
    return f" rolls {''.join(map(str, dice))}" if dice else ""


def ask(sitting: Sitting) -> int:
    """The person's move: asked again until it is a legal one. The only move is made for them, and said."""
    legal = legal_moves(sitting.game, sitting.state)
    print(f"\n{sitting.board()}\n")
    if len(legal) == 1:
        print(f"you{_roll(sitting).replace('rolls', 'roll')} and have no choice: {sitting.words(legal[0])}")
        return legal[0]
    if len(legal) <= FEW:
        _list(sitting, legal)
    while True:
        try:
            said = input(f"your move{_roll(sitting).replace(' rolls', ' with')}> ").strip()
        except EOFError:
            raise Stopped("stopped; a game that is not finished is not recorded") from None
        try:
            if said.lower() in ("quit", "exit"):
                raise Stopped("stopped; a game that is not finished is not recorded")
            if said.lower() in ("list", "?", "help", "board"):
                _answer(sitting, legal, said.lower())
            elif said:
                return read_move(sitting, legal, said)
        except UserError as error:
            print(error)


def _answer(sitting: Sitting, legal: tuple[int, ...], said: str) -> None:
    if said == "list":
        _list(sitting, legal)
    else:
        print(sitting.board() if said == "board" else HELP)


def _list(sitting: Sitting, legal: tuple[int, ...]) -> None:
    for number, move in enumerate(legal, 1):
        print(f"{number:4}  {sitting.words(move)}")


def read_move(sitting: Sitting, legal: tuple[int, ...], said: str) -> int:
    """A move by its number in the list, or in the game's notation."""
    if said.isdecimal():
        if not 1 <= int(said) <= len(legal):
            raise UserError(f"{said}: there are {len(legal)} moves; `list` shows them")
        return legal[int(said) - 1]
    read = getattr(sitting.game.view, "read_move", None)
    if read is None:
        raise UserError(f"{said!r}: type the number of a move; `list` shows them")
    return int(read(sitting.state[0], said))


def finish(sitting: Sitting, seed: int, store: Store, writer: LogWriter | None) -> None:
    """Say who won, and record it."""
    game, scores = sitting.game, sitting.state[0]["tally"]["score"].tolist()
    mine, theirs = scores[sitting.seat], scores[1 - sitting.seat]
    ahead = mine < theirs if game.low_wins else mine > theirs
    print(f"\n{sitting.board()}\n")
    word = "drawn" if mine == theirs else "you win" if ahead else f"{sitting.names[1 - sitting.seat]} wins"
    print(f"{word}: {mine} to {theirs}")
    played = Played(seed, 0, 0, 2, tuple(sitting.moves))
    text = game.view.game_text(played)
    result = {
        "game": game.name,
        "rules": game.rules,
        "seed": seed,
        "players": sitting.names,
        "scores": scores[:2],
        "text": text,
    }
    store.record_results("play", [result])
    if writer:
        writer.keep([played])
    show.out.print(f"recorded in {store.name}", style="dim")
