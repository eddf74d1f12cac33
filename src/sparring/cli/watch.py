"""`sparring watch`: players play in the terminal, move by move, with all cards open."""

import time
from collections.abc import Callable
from pathlib import Path
from secrets import randbelow

from sparring.arena.match import seat_players
from sparring.arena.players import Entrant
from sparring.arena.session import Session, seated
from sparring.cli import show
from sparring.cli.paint import Painter
from sparring.errors import Stopped, UserError
from sparring.games import name_game
from sparring.lab.log import LogWriter

PACE = 1.0  # seconds between moves in a terminal
RECENT = 6  # moves that stay visible below the board


def watch(
    game: str,
    *players: Entrant,
    seed: int | None = None,
    pace: float | None = None,
    step: bool = False,
    log: Path | None = None,
) -> None:
    """Show a game between players in the terminal, move by move, and print its result.

    `pace` is the time between moves in seconds; with `step` every move waits for Enter. `seed` is a new one unless it is given.
    """
    if step and pace is not None:
        raise UserError(f"--step, --pace {pace:g}: with --step every move waits for Enter; name one of them")
    the_game, seed = name_game(game), randbelow(10**9) if seed is None else seed
    contestants, _ = seat_players(the_game, players, "given")
    names = [contestant.name for contestant in contestants]
    writer = LogWriter(log, the_game, seed, names, "given") if log else None
    the_game.launcher.prepare()
    if pace is None:
        pace = PACE if show.out.is_terminal else 0.0
    with seated(the_game, contestants) as movers:
        session = Session(the_game, names, seed, movers=dict(enumerate(movers)))
        say, lines = Painter(the_game, names).say, [_title(session, seed)]
        _show(session, say, lines, lines)
        while not session.over:
            _wait(pace, step)
            move = session.choose()
            said = f"{len(session.moves) + 1}. {session.heard(move, None)}"
            session.play(move)
            lines += (new := [line for line in (said, session.news()) if line])
            _show(session, say, lines, new)
    say(session.result()[:1].upper() + session.result()[1:])
    if writer:
        writer.keep([session.played])
        show.out.print(f"logged in {log}", style="dim", soft_wrap=True)


def _title(session: Session, seed: int) -> str:
    who = " against ".join(session.names)
    return f"{session.game.name}: {who}, seed {seed}"


def _show(session: Session, say: Callable[[str], None], lines: list[str], new: list[str]) -> None:
    """The board after a move: in a terminal always in the same place, elsewhere one board after another."""
    board = session.board(None)
    if show.out.is_terminal:
        show.out.clear()
        recent = "\n".join(lines[1:][-RECENT:])
        say(f"{lines[0]}\n\n{board}\n\n{recent}")
    else:
        say("\n".join([*new, board, ""]))


def _wait(pace: float, step: bool) -> None:
    """Wait before a move, for a time or for Enter."""
    if not step:
        time.sleep(pace)
        return
    try:
        answer = input("Enter: the next move, q: stop> ")
    except EOFError:
        answer = "q"
    if answer.strip().lower() in ("q", "quit", "exit"):
        raise Stopped("stopped before the game was over")
