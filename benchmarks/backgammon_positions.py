"""Make the set of positions by which players are rated: `python -m benchmarks.backgammon_positions --count 10000`.

Positions come from games of various players, so that all kinds occur, on deals that no training uses. A search values every legal
play: all at 0-ply, those that pass the filters deeper, up to two plies. `--rollouts FOLDER` rolls out the plays that this search
finds close to the best, in positions that the tables of endings do not have; it keeps its parts in the folder and resumes there.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

from sparring.arena.players import Chooser, find_player
from sparring.games import find_game
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.plays import BAR, HOME, make_play
from sparring.games.backgammon.position_set import KINDS, NONE, SHIPPED, UNIT, PositionSet, legal_plays, read_set
from sparring.games.backgammon.pubeval import is_race
from sparring.games.backgammon.rollout import Games, Plan
from sparring.games.game import apply_move, start_game

GAME = find_game("backgammon")
PLAYERS = ("deep", "champion-40", "pubeval", "simple", "random-by-checker")
SHARES = {"opening": 0.1, "contact": 0.4, "holding game": 0.15, "back game": 0.1, "race": 0.15, "bear-off": 0.1}
OPENING = 6  # turns
SEED = 77_000_001  # of deals that no experiment of ours uses
# Rollouts: at most so many plays, not further behind the best; games of each play; turns after which the network's value ends one.
CANDIDATES, MARGIN, ROLLED, TURNS = 2, 0.01, 36, 5
PART = 100  # positions of one file


def kind_of(board: np.ndarray, turns: int) -> str:
    """The kind of a position; board[0] is the mover's side."""
    if is_race(board):
        return "race" if board[0, HOME + 1 :].any() else "bear-off"
    if turns < OPENING:
        return "opening"
    back = board[0, BAR - HOME : BAR]  # own checkers on the other side's points 6 to 1
    anchors = np.flatnonzero(back >= 2)
    if len(anchors) >= 2 and back.sum() >= 4:
        return "back game"
    if len(anchors) == 1 and not board[:, BAR].any() and board[0, BAR - HOME : BAR].sum() == back[anchors[0]]:
        return "holding game"
    return "contact"


def positions(count: int, seed: int) -> Iterator[tuple[np.ndarray, tuple[int, int], str]]:
    """Distinct positions with several plays, in the wanted shares."""
    lots, choosers = random.Random(seed), [Chooser(GAME, find_player(GAME, name)) for name in PLAYERS]
    wanted, seen, deal = Counter({kind: round(count * share) for kind, share in SHARES.items()}), set(), 0
    while wanted.total():
        state, pair, deal = start_game(GAME, SEED + seed, deal, deal, 2), lots.choices(choosers, k=2), deal + 1
        s: Any = state[0]
        while not s["over"]:
            turn = int(s["turn"])
            board, dice = s["board"][[turn, 1 - turn]].copy(), (int(s["dice"][0]), int(s["dice"][1]))
            kind, here = kind_of(board, int(s["tally"]["turns"])), (board.tobytes(), dice)
            rare = kind in ("back game", "holding game")
            if wanted[kind] and here not in seen and lots.random() < (0.5 if rare else 0.1):
                if len(legal_plays(board, dice)) > 1:
                    seen.add(here)
                    wanted[kind] -= 1
                    yield board, dice, kind
            apply_move(GAME.rules, state, pair[turn].choose(state))


def valued(task: list[tuple[np.ndarray, tuple[int, int], str]]) -> list[list[int]]:
    """The equities of all plays of some positions, in the order of the rules."""
    network = find_player(GAME, "deep").net
    searcher, found = Searcher(network, 2), []
    for board, dice, _ in task:
        values = {one.move: one.equity for one in searcher.plays(board, 0, dice)}
        found.append([round(values[move] / UNIT) for move in legal_plays(board, dice)])
    return found


def make(count: int, seed: int, out: Path) -> None:
    """Write a set."""
    chosen = list(positions(count, seed))
    parts = [chosen[at : at + 50] for at in range(0, len(chosen), 50)]
    equities: list[list[int]] = []
    with ProcessPoolExecutor() as pool:
        for number, part in enumerate(pool.map(valued, parts), 1):
            equities += part
            print(f"{number * 50} of {count}", flush=True)
    save_file(
        {
            "boards": np.array([board for board, _, _ in chosen], np.int8),
            "dice": np.array([dice for _, dice, _ in chosen], np.int8),
            "kinds": np.array([KINDS.index(kind) for _, _, kind in chosen], np.int8),
            "counts": np.array([len(values) for values in equities], np.int16),
            "equities": np.concatenate([np.array(values, np.int32) for values in equities]).astype(np.int16),
            "rollouts": np.full(sum(map(len, equities)), NONE, np.int16),
        },
        out,
    )


def close_plays(chosen: PositionSet, number: int) -> list[int]:
    """The places of the plays to roll out: few, the best of the search first; none where nothing is close."""
    if KINDS[chosen.kinds[number]] == "bear-off":
        return []
    values = chosen.equities[chosen.first[number] : chosen.first[number + 1]].astype(int)
    best = np.argsort(-values, kind="stable")[:CANDIDATES]
    found = [int(place) for place in best if values[place] >= values[best[0]] - round(MARGIN / UNIT)]
    return found if len(found) > 1 else []


def rolled_out(task: tuple[int, Path]) -> Path:
    """Roll out the plays of a part of the set and write places and equities to a file, unless it is there."""
    part, folder = task
    out = folder / f"part-{part:03d}.npy"
    if out.exists():
        return out
    chosen, searcher, rows = read_set(), Searcher(find_player(GAME, "deep").net, 1), []
    for number in range(part * PART, min(len(chosen), (part + 1) * PART)):
        board, dice = chosen.boards[number], chosen.dice[number].tolist()
        legal, places = legal_plays(board, dice), close_plays(chosen, number)
        boards = [board.copy() for _ in places]
        for after, place in zip(boards, places, strict=True):
            make_play(after, 0, legal[place], *dice)
        if boards:
            games = Games(searcher, boards, 1, Plan(ROLLED, TURNS, SEED + number, 1))
            games.play(ROLLED)
            rows += [[chosen.first[number] + p, round(games.equity(n) / UNIT)] for n, p in enumerate(places)]
    unfinished = folder / f"unfinished-{part:03d}.npy"
    np.save(unfinished, np.array(rows, np.int64).reshape(-1, 2))
    unfinished.replace(out)
    return out


def roll_out_set(out: Path, folder: Path, first: int, parts: int, processes: int | None) -> None:
    """Write rollouts into the set, from a part on: of so many parts, or of all. Those that it has of other parts stay."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = load_file(out)
    last = -(-len(tensors["boards"]) // PART)
    tasks = [(part, folder) for part in range(first, min(first + parts, last) if parts else last)]
    rollouts = tensors["rollouts"].copy()
    with ProcessPoolExecutor(processes) as pool:
        for number, path in enumerate(pool.map(rolled_out, tasks), 1):
            places, equities = np.load(path, allow_pickle=False).T
            rollouts[places] = equities
            print(f"part {number} of {len(tasks)}", flush=True)
    save_file(tensors | {"rollouts": rollouts}, out)
    print(f"{(rollouts != NONE).sum()} plays rolled out")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--count", type=int, default=10_000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--out", type=Path, default=SHIPPED)
    words.add_argument("--rollouts", type=Path, help="add rollouts to the set; their parts are kept in this folder")
    words.add_argument("--first", type=int, default=0, help=f"rollouts: from this part of {PART} positions on, from 0")
    words.add_argument("--parts", type=int, default=0, help=f"rollouts: of so many times {PART} positions; 0: of all")
    words.add_argument("--processes", type=int, help="rollouts: processes; default: one for each core")
    given = words.parse_args()
    if given.rollouts:
        roll_out_set(given.out, given.rollouts, given.first, given.parts, given.processes)
    else:
        make(given.count, given.seed, given.out)


if __name__ == "__main__":
    main()
