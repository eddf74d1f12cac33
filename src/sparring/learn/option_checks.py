"""Checks of options that several learners share."""

from typing import Any

from sparring.arena.players import find_player, pack_players
from sparring.errors import UserError, errors_at
from sparring.games import Game, unknown

LONGEST_WORD = 30


def outputs_of(game: Game, policy: str) -> int:
    """The number of outputs that a policy reads; 1 for a value."""
    return game.policies.decodings.get(policy, 1)


def check_two_seats(game: Game, learner: str) -> None:
    """Refuse a game that two players cannot play."""
    if 2 not in game.rules.seats:
        raise UserError(f"learner.name: {learner} is for two seats, and {game.name} has {game.rules.seats}")


def check_network(game: Game, options: Any) -> None:
    """Refuse an encoding or a policy variant that the game does not have."""
    if options.encoding and options.encoding not in game.policies.encodings:
        known = ", ".join(game.policies.encodings)
        raise UserError(f"learner.encoding = {options.encoding!r}: {game.name} has {known}")
    policies = [name for name in game.policy_names if name not in game.builtin]
    if getattr(options, "policy", "net") not in policies:
        raise UserError(f"learner.policy = {options.policy!r}: must be one of {', '.join(policies)}")


def check_builtin(game: Game, key: str, *players: str) -> None:
    """Refuse players that are not built in: kernels cannot call other players."""
    for player in players:
        if player not in game.builtin:
            error = unknown("player", player, list(game.builtin))
            raise UserError(f"learner.{key}: must be a built-in player: {error}")


def check_rival(game: Game, name: str) -> None:
    """Refuse a rival that does not exist, or a program, which kernels cannot call."""
    if name:
        with errors_at("learner.rival: "):
            pack_players(game, [find_player(game, name)])


def check_head(game: Game, learner: str, head: str) -> None:
    """Refuse a game without inputs or outcomes for networks, and a head that it does not have."""
    if game.learning.inputs is None or game.learning.outcome is None:
        needs = "inputs and outcomes for networks"
        raise UserError(f"learner.name: {learner} needs {needs}, which {game.name} does not have")
    if head and head not in game.learning.heads:
        raise UserError(f"learner.outputs = {head!r}: {game.name} has {', '.join(game.learning.heads)}")


def contests(wins: list[tuple[int, int, int]], games: int) -> int:
    """How many contests have about so many games, if their length is as `read_wins` says; at least one."""
    since, _, each = wins[0]
    for later, _, others in wins[1:]:
        if games <= (later - since) * each:
            break
        games -= (later - since) * each
        since, each = later, others
    return max(1, since + games // each)


def read_wins(text: str, timed: bool = True) -> list[tuple[int, int, int]]:
    """`3/4,5/6@10000` as (first challenge, wins, games); `timed` if each later entry must state its first challenge."""
    found = []
    for word in text.replace(" ", "").split(","):
        share, _, since = word.partition("@")
        wins, _, games = share.partition("/")
        if len(word) > LONGEST_WORD or not (wins.isdecimal() and games.isdecimal() and (since or "0").isdecimal()):
            raise UserError(f"learner.wins = {text!r}: {word!r} is not like 3/4 or 5/6@10000")
        found.append((int(since or 0), int(wins), int(games)))
    if any(games % 2 or not 0 < wins <= games or games > 100_000 for _, wins, games in found):
        fault = "games must be even and at least the wins (every deal is played twice)"
        raise UserError(f"learner.wins = {text!r}: {fault}")
    if found[0][0] or found != sorted(found):
        raise UserError(f"learner.wins = {text!r}: the first must hold from the start, and later ones from later on")
    if timed and len({since for since, _, _ in found}) < len(found):
        raise UserError(f"learner.wins = {text!r}: say from which challenge on each holds, as 5/6@10000")
    return found
