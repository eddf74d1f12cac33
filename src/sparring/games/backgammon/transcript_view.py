"""A transcript for people: the board before each decision, what was done in words, and rules that begin from a decision."""

from sparring.games.analysis import Frame
from sparring.games.backgammon.cube_value import MOVER
from sparring.games.backgammon.notation import play_text
from sparring.games.backgammon.picture import Look, table_svg
from sparring.games.backgammon.plays import PASS as NO_PLAY
from sparring.games.backgammon.plays import make_play
from sparring.games.backgammon.rules import NOBODY
from sparring.games.backgammon.transcript import BEAVER, DOUBLE, PASS, PLAY, TAKE, Action, Transcript, rolled
from sparring.games.backgammon.xg_import import xgid_of
from sparring.games.view import conjugated, plural

ANSWERS = (TAKE, PASS, BEAVER)


def transcript_frames(game: Transcript) -> list[Frame]:
    """The board before each decision, and at the end if the last decision is known."""
    said, frames = "", []
    for number, action in enumerate(game.actions):
        frames.append(Frame(said, _picture(game, number, action), action.at, action.seat))
        said = _done(game, number, action)
    last = game.actions[-1]
    if last.known:
        frames.append(Frame(said, _end(game, last), last.at + 1, None))
    return frames


def rules_before(game: Transcript, move: int) -> str:
    """Rules under which seat 0 has the decision before which a log has `move` moves; empty where none begin there."""
    action = next((action for action in game.actions if action.at == move), None)
    if action is None or action.kind in ANSWERS:
        return ""
    words = [f"start={xgid_of(action, game.terms, action.dice)}"]
    words += ["cube=on"] if action.stakes else []
    words += [f"match={game.terms.length}"] if game.terms.length and action.stakes else []
    words += ["scoring=single"] if game.terms.single else []
    return ",".join(words)


def _done(game: Transcript, number: int, action: Action) -> str:
    """`Ann rolls 31 and plays 8/5 6/5`, `Ann doubles to 4`, `Ann takes`."""
    if not action.known:
        return ""
    if action.kind == PLAY and action.dice:
        played = play_text(rolled(action.board, action.seat, action.dice), action.move)
        words = f"{{roll}} {{}}{{}} and {'{cannot} move' if action.move == NO_PLAY else f'{{play}} {played}'}"
        words = words.replace("{}{}", "{}{}".format(*action.dice))
    else:
        cube = {DOUBLE: 2, BEAVER: 4}.get(action.kind, 0) * _cube(game, number)
        words = f"{{{action.kind}}}" + (f" to {cube}" if cube else "")
    return conjugated(words, game.names[action.seat])


def _cube(game: Transcript, number: int) -> int:
    """The value of the cube at a decision, before what is offered."""
    stakes = game.actions[number].stakes
    return stakes.cube if stakes else 1


def _picture(game: Transcript, number: int, action: Action) -> str:
    dice, answering = action.dice or (), action.kind in ANSWERS
    offer = _offer(game, number) if answering else 0
    asked = "" if dice else f"to take {offer} or pass" if answering else "to double or roll"
    return table_svg(
        Look(
            action.board.tolist(), game.names, 0, 0, action.seat, dice, dice, (), "", asked, _held(action), offer,
            _points(game),
        )
    )  # fmt: skip


def _offer(game: Transcript, number: int) -> int:
    """The value of the cube that a decision answers: doubled once, and once more for each beaver before it."""
    times = 1
    while number > times and game.actions[number - times].kind == BEAVER:
        times += 1
    return _cube(game, number) << times


def _held(action: Action) -> tuple[int, int] | None:
    """The cube and the seat that owns it."""
    if action.stakes is None:
        return None
    owner = action.stakes.owner
    return action.stakes.cube, NOBODY if owner is None else action.seat if owner == MOVER else 1 - action.seat


def _points(game: Transcript) -> tuple[int, int] | None:
    return game.terms.scores if game.terms.length else None


def _end(game: Transcript, last: Action) -> str:
    """The board after the last decision."""
    board = last.board.copy()
    if last.kind == PLAY and last.dice:
        make_play(board, last.seat, last.move, *last.dice)
    over = "unfinished" if game.winner is None else f"{game.names[game.winner]} wins {plural(game.points, 'point')}"
    return table_svg(
        Look(board.tolist(), game.names, 0, 0, last.seat, over=over, cube=_held(last), points=_points(game))
    )
