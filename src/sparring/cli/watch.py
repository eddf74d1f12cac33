"""`sparring watch`: players play visibly, one move after another, with everything on the table to be seen."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from sparring.arena.external import seated
from sparring.arena.match import seat_players
from sparring.cli import show
from sparring.cli.play import Session, result_words
from sparring.errors import Stopped, UserError
from sparring.games import Played, name_game
from sparring.games.game import start_game
from sparring.lab.log import LogWriter

PACE = 1.0  # seconds between moves in a terminal
RECENT = 6  # lines of what was done that stay in sight below the board


@dataclass
class Screen:
    """Where a game is watched: in a terminal the board stays in its place, elsewhere one follows the other."""

    session: Session
    title: str
    pace: float
    step: bool
    said: list[str] = field(default_factory=list)

    def show(self, *lines: str) -> None:
        """What was just done, and the table after it."""
        told = [line for line in lines if line]
        self.said += told
        if show.out.is_terminal:
            show.out.clear()
            recent = "\n".join(self.said[-RECENT:])
            self.session.say(f"{self.title}\n\n{self.session.board()}\n\n{recent}")
        else:
            self.session.say("\n".join([*told, self.session.board(), ""]))

    def wait(self) -> None:
        """Give the watcher time."""
        if not self.step:
            time.sleep(self.pace)
            return
        try:
            said = input("Enter: the next move, q: stop> ")
        except EOFError:
            said = "q"
        if said.strip().lower() in ("q", "quit", "exit"):
            raise Stopped("stopped before the game was over")


def watch_game(name: str, players: list[str], seed: int, pace: float | None, step: bool, log: Path | None) -> None:
    """Show one game from its first move to its last, and say how it ended."""
    if step and pace is not None:
        raise UserError(f"--step, --pace {pace:g}: with --step every move waits for Enter; name one of them")
    game = name_game(name)
    contestants, _ = seat_players(game, list(players), "given")
    names = [contestant.name for contestant in contestants]
    writer = LogWriter(log, game, seed, names, "given") if log else None
    game.launcher.prepare()
    session = Session(game, start_game(game, seed, 0, 0, len(names)), None, names)
    who = [f"seat {seat} ({name})" for seat, name in enumerate(names)]
    title = f"{game.name}: {' against '.join(who)}, seed {seed}"
    if not show.out.is_terminal:
        session.say(title)
    if pace is None:
        pace = PACE if show.out.is_terminal else 0.0
    screen = Screen(session, title, pace, step)
    screen.show()
    with seated(game, contestants) as choosers:
        while not session.state[0]["over"]:
            screen.wait()
            move = choosers[session.turn](session.state)
            said = f"{len(session.moves) + 1}. {session.heard(move)}"
            screen.show(said, session.play(move))
    session.say(result_words(session, session.state[0]["tally"]["score"][: len(names)]))
    if writer:
        writer.keep([Played(seed, 0, 0, len(names), tuple(session.moves))])
        show.out.print(f"logged in {log}", style="dim", soft_wrap=True)
