"""Renders stored results and the games' guides into the pages: `python docs/render_results.py [--check]`.

A page holds blocks between `<!-- results: NAME -->` and `<!-- end -->`. NAME is `counts` (of this study, or of all on a page
that is no study's), `claims`, `readings`, `misprints`, `table` and the beginning of a table's title, or `section` and the name of a
section of the report, all of whose tables follow with their titles. The blocks of
`STUDY-study.md` come from results/studies/STUDY.json and the study's readings.toml; `STUDY: NAME` works on every page.
`record` lists the stored results, `search NAME` has the matches of a result of benchmarks/search.py, `ladder-GAME` the ratings of
`sparring ladder GAME`, `cores` the speeds of benchmarks/cores.py, `peers` those of benchmarks/peers.py, `answers` the times of
benchmarks/answers.py, `levels` what benchmarks/levels.py measured, `fault-inputs` and `fault-kills` the counts of
tests/fault_inputs.py and fault_kills.py, `under-load` those of benchmarks/under_load.py, and `guide` says how the game of the page
is played, from its how_to_play.toml.

A single figure stands between `<!-- NAME PATH FORMAT -->` and `<!-- / -->`: NAME is a file of results/, PATH leads to a value or an
interval in it, and FORMAT is a Python format, or `text` for text. `python -m benchmarks.store NAME` measures a result again.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from sparring.games import GAMES, find_game
from sparring.games.levels import MEASURED
from sparring.studies import STUDIES
from sparring.studies.study import NOTES, counts_text, note_tables
from sparring.studies.verdicts import HOLDS

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "results"
RESULTS = RECORD / "studies"
CITED = re.compile(r"(<!-- ([\w/-]+) (\S+) (\S+) -->)(.*?)(<!-- / -->)")
BLOCK = re.compile(r"(<!-- results: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
FAILED, FAILURES = ("traceback", "crash", "hang"), ("tracebacks", "crashes", "hangs over 10 s")
CLAIM = ("claim", "place", "published", "text", "trials", "verdict", "cause")
CLAIM_HEADER = ("claim", "place", "published", "ours", "trials", "verdict", "why")


def stored(study: str) -> dict[str, Any]:
    """The stored result of a study."""
    path = RESULTS / f"{study}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def figure(name: str, path: str, form: str) -> str:
    """A value of a stored result, or an interval: `65.3% (64.6 to 65.9)`."""
    value = json.loads((RECORD / f"{name}.json").read_text())
    for key in path.split("/"):
        value = value[int(key)] if isinstance(value, list) else value[key]
    if form == "text" or not isinstance(value, list):
        return str(value) if form == "text" else format(value, form)
    ends = [format(end * 100 if "%" in form else end, form.replace("%", "f")) for end in value[1:]]
    return f"{value[0]:{form}} ({ends[0]} to {ends[1]})"


def record() -> str:
    """The stored results and how each was measured."""
    rows = []
    for path in sorted(RECORD.glob("*.json")):
        found = json.loads(path.read_text())
        where = (
            f"{found['machine']} (carried over from {found['carried_over']})"
            if "carried_over" in found
            else found["machine"]
        )
        rows.append([path.stem, f"`{found['command']}`", found["seed"], found["date"], found["commit"], where])
    return table(["result", "command", "seed", "date", "commit", "machine"], rows)


def measured_rows(name: str, ahead_form: str) -> tuple[str, list[tuple[dict[str, Any], str, str]]]:
    """How a result was measured, and its rows, each with the games won and the lead as text."""
    found = json.loads((RECORD / f"{name}.json").read_text())
    rows = []
    for index, row in enumerate(found["result"]["rows"]):
        at = f"result/rows/{index}"
        rows.append((row, figure(name, f"{at}/win_rate", ".1%"), figure(name, f"{at}/score_difference", ahead_form)))
    return f"`{found['command']}`, commit {found['commit']}:\n\n", rows


def searches(name: str) -> str:
    """The matches of a result of benchmarks/search.py."""
    title, measured = measured_rows(name, ".2f")
    rows = []
    for row, won, ahead in measured:
        speed = f"{row['playouts_per_second']:,}" if "playouts_per_second" in row else ""
        players = f"`{row['player']}`", f"`{row['opponent']}`"
        rows.append([*players, f"{row['games']:,}", won, ahead, f"{row['ms_per_decision']:.2f}", speed])
    header = ["player", "opponent", "games", "won", "score minus the opponent's", "ms a decision", "playouts a second"]
    return title + table(header, rows)


def equal_time(name: str) -> str:
    """The learners of a result of benchmarks/equal_time.py."""
    title, measured = measured_rows(name, "+.2f")
    rows = []
    for row, won, ahead in measured:
        seconds = sum(row["core_seconds"]) / len(row["core_seconds"])
        each = ", ".join(f"{share:.1%}" for share in row["win_rates"])
        rows.append(
            [row["learner"], f"`{row['experiment']}`", f"{seconds:.0f}", f"`{row['opponent']}`", won, each, ahead]
        )
    header = ["learner", "experiment", "core seconds", "opponent", "won", "each trial", "score minus the opponent's"]
    return title + table(header, rows)


def answers() -> str:
    """How soon the page answers, by game and level."""
    found = json.loads((RECORD / "answers.json").read_text())
    rows = [
        [row["game"], row["level"], f"`{row['player']}`", "–" if row["external"] else f"{row['computed_ms']:.1f}",
         f"{row['median_ms']:.0f}", f"{row['load']:.0f}"]
        for row in found["result"]["levels"]
    ]  # fmt: skip
    return table(["game", "level", "player", "computing, ms", "on the clock, ms", "load"], rows)


def levels() -> str:
    """The levels of every game with their ratings, and how each does against the one before it."""
    rows = []
    for name in GAMES:
        game = find_game(name)
        measured = json.loads((Path(sys.modules[game.view.__module__].__file__ or "").parent / MEASURED).read_text())
        met = {tuple(meeting["players"]): meeting for meeting in measured["meetings"]}
        shown = list(game.presentation.levels)
        base = min(level.rating[0] for level in shown if level.rating)
        ranked = [level for level in shown if level.rating]
        for place, level in enumerate(shown):
            before = shown[place - 1] if level.rating else ranked[-1]
            meeting = met.get((before.player, level.player))
            value, low, high = meeting["share"] if meeting else (0.0, 0.0, 0.0)
            won = f"{value:.1%} ({100 * low:.1f} to {100 * high:.1f}) of {meeting['games']:,}" if meeting else ""
            rating = f"{level.rating[0] - base:.0f}" if level.rating else "not ranked"
            rows.append([name, level.name, f"`{level.player}`", rating, won])
    return table(["game", "level", "player", "rating", "points won against the ranked level before"], rows)


def core_time(seconds: float) -> str:
    """Processor time in words."""
    return f"{seconds:.0f} core seconds" if seconds < 120 else f"{seconds / 60:.0f} core minutes"


def ladder(name: str) -> str:
    """The ratings of a stored ladder."""
    path = RECORD / f"{name}.json"
    if not path.exists():
        return "No results are stored yet.\n"
    found = json.loads(path.read_text())
    result = found["result"]
    rows = [
        [f"`{each['name']}`", f"{each['rating'][0]:.0f}", figure(name, f"result/players/{index}/lead", ".0f")]
        for index, each in enumerate(result["players"])
    ]
    rows[-1][-1] = ""
    known = "all known to" if result["reached"] else "not all known to"
    made = f"`{found['command']}`, {core_time(found['core_seconds'])}, commit {found['commit']}"
    said = f"{made}. Ratings with mean 0, and leads, {known} ±{result['within']:g} or far above 400:\n\n"
    return said + table(["player", "rating", "ahead of the next"], rows)


def cores() -> str:
    """Games per second by the number of cores."""
    path = RECORD / "scaling.json"
    if not path.exists():
        return "No results are stored yet.\n"
    found = json.loads(path.read_text())
    result, rows = found["result"], []
    one, *_, most = (str(count) for count in (1, *result["cores"]))
    for row in result["rows"]:
        speeds = row["speeds"]
        cells = [f"{speeds[str(count)]:,.0f}" if str(count) in speeds else "" for count in result["cores"]]
        times = f"{speeds[most] / speeds[one]:.1f}"
        apart = f"{row['processes'] / speeds[one]:.1f}" if "processes" in row else ""
        rows.append([f"`{row['game']}`", row["players"], *cells, times, apart])
    shared = result["threads_per_core"]
    each = f", which are {shared} threads of each core of the processor" if shared > 1 else ""
    made = f"`{found['command']}`, {found['machine']}{each}, commit {found['commit']}"
    said = f"Games per second, each measured in a launch of at least {result['launch_seconds']:g} s ({made}):\n\n"
    counted = [f"{count} core{'s' * (count > 1)}" for count in result["cores"]]
    return said + table(["game", "players", *counted, f"{most} over one", f"{most} processes over one"], rows)


def peers() -> str:
    """Our speed on a GPU beside pgx's."""
    path = RECORD / "peers.json"
    if not path.exists():
        return "No results are stored yet.\n"
    found = json.loads(path.read_text())
    result = found["result"]
    versions = ", ".join(f"{package} {version}" for package, version in result["versions"].items())
    rows = []
    for name, value in result["figures"].items():
        speed, _, batch = name.partition(".batch_")
        rows.append(["pgx" if speed.startswith("pgx.") else "ours", f"{int(batch):,}", f"{value:,.0f}"])
    said = (
        f"Random games of backgammon (`{found['command']}`, {result['gpu']}, {versions}, commit {found['commit']}):\n\n"
    )
    return said + table(["program", "games at once", "games per second"], rows)


def fault_inputs() -> str:
    """Mutated inputs by kind, and what became of them."""
    path = RECORD / "fault-inputs.json"
    if not path.exists():
        return "No results are stored yet.\n"
    found = json.loads(path.read_text())
    result, rows = found["result"], []
    for kind, each in result["kinds"].items():
        accepted = each["inputs"] - each["ends"].get("refused", 0) - sum(each[end] for end in FAILED)
        ends = (each["inputs"], each["ends"].get("refused", 0), accepted, *(each[end] for end in FAILED))
        rows.append([kind, *(f"{count:,}" for count in ends), ", ".join(each["commits"])])
    made = f"`{found['command']}`, {core_time(sum(each['core_seconds'] for each in result['kinds'].values()))}"
    failed = ", ".join(f"{result[end]} {word}" for end, word in zip(FAILED, FAILURES, strict=True))
    said = f"{result['inputs']:,} inputs: {failed} ({made}).\n\n"
    return said + table(["kind", "inputs", "refused", "accepted", *FAILURES, "commit"], rows)


def fault_kills() -> str:
    """Kills by learner, and how many runs and games differed afterwards."""
    path = RECORD / "fault-kills.json"
    if not path.exists():
        return "No results are stored yet.\n"
    found = json.loads(path.read_text())
    result, rows = found["result"], []
    for name, each in result["trainings"].items():
        others = ("runs", "differences")
        kills = sum(count for point, count in each.items() if point not in others)
        rows.append([name, kills, *(each.get(word, 0) for word in others)])
    games = result["games"]
    rows.append(["the server in people's games", games["kills"], games["kills"], games["differences"]])
    commits = ", ".join(result["commits"])
    made = f"`{found['command']}`, {core_time(result['core_seconds'])}, commit {commits}"
    said = f"{result['kills']:,} kills of trainings and {games['kills']:,} of the server ({made}):\n\n"
    return said + table(["killed", "kills", "runs or games", "differences"], rows)


def under_load() -> str:
    """Runs of the tests on a busy machine."""
    path = RECORD / "under-load.json"
    if not path.exists():
        return "No results are stored yet.\n"
    found = json.loads(path.read_text())
    result = found["result"]
    counts = ("passed", "failed", "skipped")
    rows = []
    for n, run in enumerate(result["runs"], 1):
        mean, least = (f"{run['load'][word]:.0f}" if run["load"] else "–" for word in ("mean", "min"))
        numbers = (f"{run[word]:,}" for word in counts)
        rows.append([n, *numbers, "yes" if run["green"] else "NO", mean, least, f"{run['minutes']:.0f}"])
    beside = f"{result['busy']} busy processes of niceness {result['niceness']} on {result['cores']} cores"
    said = f"`make test` with {result['workers']} workers beside {beside} (`{found['command']}`, commit {found['commit']}):\n\n"
    return said + table(["run", *counts, "green", "mean load", "least load", "minutes"], rows)


def table(header: Any, rows: Any) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(str(cell).replace('|', '/') for cell in line)} |\n" for line in lines)


def stored_table(found: dict[str, Any]) -> str:
    """A table of a stored result, with its caption."""
    caption = f"\n{found['caption']}\n" if found["caption"] else ""
    return table(found["header"], found["rows"]) + caption


PLAIN = {
    "record": record,
    "answers": answers,
    "levels": levels,
    "cores": cores,
    "peers": peers,
    "fault-inputs": fault_inputs,
    "fault-kills": fault_kills,
    "under-load": under_load,
}


def block(name: str, study: str, page: str) -> str:
    """What stands in a block; `STUDY: NAME` is a block of another study than the page's."""
    if name in PLAIN:
        return PLAIN[name]()
    if name.startswith("search "):
        return searches(name.removeprefix("search "))
    if name.startswith("equal time "):
        return equal_time(name.removeprefix("equal time "))
    if name.startswith("ladder"):
        return ladder(name)
    if name == "guide":
        guide = find_game(page).presentation.guide
        return guide.markdown() if guide else ""
    if ": " in name and name.split(": ")[0] in STUDIES:
        study, name = name.split(": ", 1)
    if name == "counts" and not study:
        found = {each: stored(each) for each in STUDIES}
        known = {each: result for each, result in found.items() if result}
        words = list(next(iter(known.values()))["counts"])
        return table(["study", "trials", *words], [[k, r["trials"], *r["counts"].values()] for k, r in known.items()])
    if name in {f"{kind}s" for kind in NOTES}:
        titles = {f"{kind}s": title for kind, (title, _) in NOTES.items()}
        return "".join(table(t.header, t.rows) for t in note_tables(study) if t.title == titles[name])
    result = stored(study)
    if not result:
        return "No results are stored yet.\n" if name == "counts" else ""
    if name == "counts":
        command = f"sparring reproduce {study} --budget {result['budget']} --trials {result['trials']}"
        made = f"`{command}`, seed {result['seed']}, commit {result['commit']}"
        parts = "".join(
            f"; again with `--only {part}`, commit {commit}" for part, commit in result.get("parts", {}).items()
        )
        return f"{counts_text(result['counts'])} {result['extent']}. ({made}{parts})\n"
    if name == "claims":
        asked = any("holds" in claim for claim in result["claims"])
        header, keys = (
            [*names[:-1], *more * asked, names[-1]] for names, more in ((CLAIM_HEADER, [HOLDS]), (CLAIM, ["holds"]))
        )
        return table(header, [[claim.get(key, "") for key in keys] for claim in result["claims"]])
    if name.startswith("section "):
        chosen = [each for each in result["tables"] if each["section"] == name.removeprefix("section ")]
        return "\n".join(f"**{each['title']}**\n\n{stored_table(each)}" for each in chosen)
    title = name.removeprefix("table ")
    return stored_table(next(each for each in result["tables"] if each["title"].startswith(title)))


def render(page: Path) -> str:
    """The page with its blocks as the results have them."""
    study = page.name.removesuffix("-study.md") if page.name.endswith("-study.md") else ""
    text = BLOCK.sub(lambda found: f"{found[1]}\n{block(found[2], study, page.stem)}\n{found[3]}", page.read_text())
    return CITED.sub(lambda found: f"{found[1]}{figure(*found.group(2, 3, 4))}{found[6]}", text)


def main() -> None:
    """Write all pages, or with --check name those that differ."""
    pages = (ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md")))
    different = [page for page in pages if render(page) != page.read_text()]
    if "--check" in sys.argv:
        sys.exit(f"{', '.join(page.name for page in different)}: run make docs" if different else 0)
    for page in different:
        page.write_text(render(page))


if __name__ == "__main__":
    main()
