"""Cube decisions beside those of GNU Backgammon: `python -m benchmarks.backgammon_cube --positions 500`.

Positions come from games of the network champion-40. For each, GNU Backgammon prints its outcomes and its equities of no double, of
double and take, and of double and pass. A decision is whether to double and whether to take; its loss is measured by GNU
Backgammon's own equities. Our model decides twice: from its outcomes, which compares the mathematics alone, and from our network's.
GNU Backgammon two plies deeper is a third player, and a second judge. `--json` prints all.
"""

import argparse
import json
import os
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from sparring.arena.players import Chooser, find_player
from sparring.games import find_game
from sparring.games.backgammon.cube import CubeModel, Outcomes
from sparring.games.backgammon.cube_advice import advise_position, efficiency
from sparring.games.backgammon.cube_position import read_cube_position
from sparring.games.backgammon.cube_value import LONGEST, MATCH_EQUITIES, MOVER
from sparring.games.backgammon.gnubg import find_program
from sparring.games.backgammon.positions import Position, xgid
from sparring.games.game import apply_move, start_game
from sparring.nets.evaluators import net_evaluator

SETTINGS = """set player 0 human
set player 1 human
set automatic game off
set automatic roll off
set confirm new off
set sound enable off
set output matchpc off
set output mwc off
set output digits 5
set beavers 0
set threads 1
set evaluation cubedecision type evaluation
set evaluation cubedecision evaluation plies {plies}
set evaluation cubedecision evaluation cubeful on
set evaluation cubedecision evaluation noise 0
set evaluation cubedecision evaluation deterministic on
set met {table}
"""
NUMBERS = re.compile(r"cubeless equity.*\n\s+([\d.]+) ([\d.]+) ([\d.]+) - -?[\d.]+ ([\d.]+) ([\d.]+)")
EQUITY = re.compile(r"\d\. (No (?:re)?double|(?:Red|D)ouble, (?:take|pass))[^\n]*?\s([+-]\d+\.\d+)")
GAME = find_game("backgammon")
Decision = tuple[bool, bool]  # double, take
Judged = tuple[Outcomes, float, float]  # outcomes, equities of no double and of double and take


def positions(count: int, seed: int, match: bool) -> Iterator[str]:
    """Positions in which the side on roll may double, as XGIDs: money with and without Jacoby, or random scores."""
    chooser, player, deal = random.Random(seed), Chooser(GAME, find_player(GAME, "champion-40")), 0
    while count:
        state, deal = start_game(GAME, seed, deal, deal, 2), deal + 1
        while not state[0]["over"]:
            mover, other = (
                tuple(state[0]["board"][seat].tolist()) for seat in (state[0]["turn"], 1 - state[0]["turn"])
            )
            text = staked(xgid(Position(mover, other)), chooser, match)
            if count and chooser.random() < 0.12 and read_cube_position(text)[1].may_double(MOVER):
                count -= 1
                yield text
            apply_move(GAME.rules, state, player.choose(state))


def staked(text: str, chooser: random.Random, match: bool) -> str:
    """An XGID with a random score or rule; three in ten with an own cube of 2."""
    fields, length = text.split(":"), chooser.randint(2, 15) if match else 0
    fields[8], fields[7] = str(length), str(0 if match else chooser.randrange(2))
    fields[5:7] = [str(chooser.randrange(length)) if match else "0" for _ in range(2)]
    if chooser.random() < 0.3 and length != 2:
        fields[1:3] = "1", "1"
    return ":".join(fields)


def table_text() -> str:
    """Our match equity table as GNU Backgammon reads it."""
    rows = ["<row>" + "".join(f"<me>{chance}</me>" for chance in row) + "</row>" for row in MATCH_EQUITIES.tolist()]
    return (
        f"<met><info><name>ours</name><description>ours</description><length>{LONGEST}</length></info>"
        f'<pre-crawford-table type="explicit">{"".join(rows[:-1])}</pre-crawford-table>'
        f'<post-crawford-table type="explicit" player="both">{rows[-1]}</post-crawford-table></met>'
    )


def judged(texts: list[str], plies: int) -> list[Judged]:
    """GNU Backgammon's outcomes and equities of no double and of double and take."""
    with TemporaryDirectory() as folder:
        commands, table = Path(folder) / "commands", Path(folder) / "table.xml"
        table.write_text(table_text())
        commands.write_text(
            SETTINGS.format(plies=plies, table=table) + "".join(f"set xgid {text}\nhint\n" for text in texts)
        )
        words = [find_program(), "-t", "-q", "-r", "-c", str(commands)]
        environment = os.environ | {"HOME": folder, "LC_ALL": "C"}
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=environment)
    found = []
    for part in done.stdout.decode("ascii", "replace").split("Cube analysis")[1:]:
        numbers, equities = NUMBERS.search(part), {name.lower(): float(value) for name, value in EQUITY.findall(part)}
        assert numbers and len(equities) == 3, part
        no_double, take = (next(equities[name] for name in equities if word in name) for word in ("no ", "take"))
        found.append((Outcomes(*map(float, numbers.groups())), no_double, take))
    assert len(found) == len(texts)
    return found


def decision(no_double: float, take: float) -> Decision:
    return min(take, 1) > no_double, take < 1


def loss(chosen: Decision, no_double: float, take: float) -> float:
    """What the worse of both decisions loses."""
    double = min(take, 1)
    return max(max(no_double, double) - (double if chosen[0] else no_double), (take if chosen[1] else 1) - double)


def compared(ours: list[Decision], judge: list[Judged], deeper: list[Judged]) -> dict[str, Any]:
    """How often decisions agree, what they lose by its equities, and what both lose by the deeper one where they differ."""
    theirs = [decision(*equities) for _, *equities in judge]
    losses = np.array([loss(one, *equities) for one, (_, *equities) in zip(ours, judge, strict=True)])
    apart = [n for n in range(len(ours)) if ours[n] != theirs[n]]
    found: dict[str, Any] = {"positions": len(ours), "same": 1 - len(apart) / len(ours), "loss": float(losses.mean())}
    found |= {"different": len(apart), "different_without_loss": int((losses[apart] == 0).sum())}
    found["loss_where_different"] = float(losses[apart].mean()) if apart else 0.0
    for name, chosen in (("ours", ours), ("theirs", theirs)) if apart else ():
        lost = [loss(chosen[n], *deeper[n][1:]) for n in apart]
        found[f"{name}_by_deeper_judge"] = float(np.mean(lost))
    return found


def compare(count: int, seed: int, plies: int, player: str, look: int) -> dict[str, dict[str, Any]]:
    """Comparisons by stakes and by whose outcomes our model decides from."""
    contestant = find_player(GAME, player)
    assert contestant.net, "a network is needed"
    network, found = net_evaluator(contestant.net), {}
    for match in (False, True):
        texts = list(positions(count, seed, match))
        judge, deeper = judged(texts, plies), judged(texts, plies + 2)
        formula, ours = [], []
        for text, (outcomes, *_) in zip(texts, judge, strict=True):
            position, stakes = read_cube_position(text)
            model = CubeModel(stakes, outcomes, efficiency(np.array([position.mover, position.other], np.int8)))
            formula.append(decision(model.no_double(outcomes.win), model.double_take(outcomes.win)))
            advice = advise_position(position, stakes, network, player, look)
            ours.append(decision(advice.no_double, advice.double_take))
        deep = [decision(*equities) for _, *equities in deeper]
        rows = {"its_outcomes": formula, player: ours, "two_plies_deeper": deep}
        part = {name: compared(chosen, judge, deeper) for name, chosen in rows.items()}
        itself = [decision(*equities) for _, *equities in judge]
        part["by_deeper_judge"] = {
            name: compared(chosen, deeper, deeper) for name, chosen in ((player, ours), ("itself", itself))
        }
        found["matches" if match else "money"] = part
    return found


def main() -> None:
    """Print a line for money and one for matches."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--positions", type=int, default=500)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--plies", type=int, default=0, help="of GNU Backgammon")
    words.add_argument("--player", default="deep")
    words.add_argument("--look", type=int, default=2, help="plies that our network looks ahead")
    words.add_argument("--json", action="store_true")
    given = words.parse_args()
    found = compare(given.positions, given.seed, given.plies, given.player, given.look)
    if given.json:
        print(json.dumps(found))
        return
    for stakes, rows in found.items():
        for name, row in rows.items():
            if name == "by_deeper_judge":
                continue
            print(
                f"{stakes}, {row['positions']} positions, {name.replace('_', ' ')}: same decisions {row['same']:.1%}, "
                f"mean loss {row['loss']:.4f}, {row['loss_where_different']:.4f} in the {row['different']} where they differ; by "
                f"{given.plies + 2}-ply ours {row.get('ours_by_deeper_judge', 0):.4f}, "
                f"its own {row.get('theirs_by_deeper_judge', 0):.4f}"
            )


if __name__ == "__main__":
    main()
