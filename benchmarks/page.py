"""Render RESULTS.md from results.json."""

from collections.abc import Callable
from typing import Any

from benchmarks.claims import PLACES, Claim, claims
from benchmarks.entries import ENTRIES, GIN, HEARTS
from benchmarks.page_limit import limit_section
from benchmarks.page_text import number, rows_where, section, table

Figures = dict[str, float]
PROGRAMS = {  # columns beside ours, and how their figures are named
    "OpenSpiel, C++": "openspiel.{}_per_second",
    "OpenSpiel, from Python": "openspiel.{}_from_python_per_second",
    "RLCard": "rlcard.{}_per_second",
    "pgx": "pgx.{}_per_second",
}
THEIRS = {"golf": "golf.random_games", "backgammon": "backgammon.random_games", "conquest": "conquest.random_games",
          GIN: "gin.random_hands", HEARTS: "hearts.random_rounds"}  # fmt: skip
UNITS = {entry.name: entry.unit for entry in ENTRIES}


def page(found: dict[str, Any]) -> str:
    """Return the whole file."""
    figures: Figures = found["figures"]
    sections: list[Callable[[Figures], str]] = [
        must_hold, lambda figures: our_speeds(figures, found["nets"]), beside_others, genetics, training, starting, memory, scaling,
        limit_section,
    ]  # fmt: skip
    text = [head(found), *(make(figures) for make in sections)]
    return "\n".join(part for part in text if part)


def head(found: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    return f"""# Benchmarks

`make bench` wrote this file in one run of {found["seconds"] / 60:.0f} minutes on {found["date"]}, at commit {found["commit"]}.
The same numbers are in [results.json](results.json); [docs/benchmarks.md](../docs/benchmarks.md) explains them.

{found["machine"]}. {versions}.
"""


def must_hold(figures: Figures) -> str:
    rows = [claim_row(claim) for claim in claims(figures)]
    if all(claim.pairs == ((None, None), (None, None)) for claim in claims(figures)[:-1]):
        return ""
    header = ["requirement", "game", "one core", "must exceed", "all cores", "must exceed", "met"]
    note = " ".join(["Games, hands or rounds per second, as below.", *slower(figures)])
    return section("Requirements", table(header, rows), note)


def slower(figures: Figures) -> list[str]:
    """Networks that are slower than OpenSpiel's random play from Python."""
    found = []
    for entry in ENTRIES:
        ours = figures.get(f"{entry.name}.{entry.figure}_games_per_second.one_core")
        theirs = figures.get(f"openspiel.{THEIRS[entry.name]}_from_python_per_second.one_core")
        if entry.figure != "net" and ours and theirs and ours < theirs:
            speeds = f"{number(ours)} on one core, against {number(theirs)} by OpenSpiel's random play from Python"
            found.append(f"Exception: {entry.name} by {entry.about}: {speeds}.")
    return found


def claim_row(claim: Claim) -> list[str]:
    cells = [cell for ours, other in claim.pairs for cell in (number(ours), number(other))]
    met = {True: "yes", False: "**no**", None: claim.missing}
    return [claim.what, claim.game, *cells, met[claim.holds]]


def our_speeds(figures: Figures, nets: dict[str, str]) -> str:
    rows = []
    for entry in ENTRIES:
        sides = ["random"] if entry.figure == "net" else []
        for side in [*sides, entry.figure]:
            speeds = [figures.get(f"{entry.name}.{side}_games_per_second.{place}") for place in PLACES]
            who = "random" if side == "random" else f"{nets.get(f'{entry.name}.{side}', '')}: {entry.about}"
            if any(speeds):
                rows.append([entry.name, who, entry.unit, *map(number, speeds)])
    return section("Games per second", table(["game", "player in every seat", "unit", "one core", "all cores"], rows))


def beside_others(figures: Figures) -> str:
    parts = []
    for place in PLACES:
        rows = []
        for name, theirs in THEIRS.items():
            ours = figures.get(f"{name}.random_games_per_second.{place}")
            others = [figures.get(f"{pattern.format(theirs)}.{place}") for pattern in PROGRAMS.values()]
            if ours:
                rows.append([name, UNITS[name], number(ours), *map(number, others)])
        parts.append(table(["game", "unit", f"ours, {place.replace('_', ' ')}", *PROGRAMS], rows))
    gnubg = figures.get("gnubg.backgammon.games_per_second.one_core")
    note = (
        "Random players in every seat, measured alternately in the same run. — : the program does not have the game or is not "
        "installed (see the versions above). None of them is shipped with networks for these games. On all cores, the others run "
        "one process per core."
    )
    if gnubg:
        note += f" GNU Backgammon's 0-ply network in both seats, through its socket, plays {number(gnubg)} games per second."
    return (
        section("Random play compared with other programs", "\n".join(filter(None, parts)), note) if any(parts) else ""
    )


def genetics(figures: Figures) -> str:
    start = "neat.genetics_seconds_per_generation."
    rows = [
        [size.replace("_", " "), milliseconds(value), milliseconds(figures.get(f"neat-python.{start.removeprefix('neat.')}{size}")),
         number(figures.get(f"{start}{size}.times_faster"))]
        for size, value in rows_where(figures, start) if "." not in size
    ]  # fmt: skip
    header = ["a generation of", "ours, ms", "neat-python, ms", "speed-up"]
    return section("Genetics", table(header, rows), "NEAT's genetics without games, on one core.")


def milliseconds(seconds: float | None) -> str:
    return number(None if seconds is None else 1000 * seconds)


def training(figures: Figures) -> str:
    rows = [[name.replace("_", " "), number(value)] for name, value in rows_where(figures, "backgammon.td.")]
    note = (
        "One 198-40-1 network per core learns backgammon from self-play, from zero knowledge, until the networks win on average "
        "half of their games against pubeval (1,000 games of each, after every 5,000). These games are not timed."
    )
    return section("Temporal differences to a given strength", table(["", ""], rows), note)


def starting(figures: Figures) -> str:
    rows = [
        [
            name,
            number(figures.get(f"{name}.start_seconds.nothing_compiled")),
            number(figures.get(f"{name}.start_seconds")),
        ]
        for name in sorted({key.partition(".")[0] for key in figures if ".start_seconds" in key})
    ]
    note = f"`import sparring` alone takes {number(figures.get('import_seconds'))} s." if rows else ""
    header = ["new process to first finished match", "empty cache, s", "compiled before, s"]
    return section("Start-up and compiling", table(header, rows), note)


def memory(figures: Figures) -> str:
    end = ".grown_megabytes_per_million_games"
    rows = [
        [key.removesuffix(end), number(figures[key.replace(end, ".bytes_per_game")]), number(value)]
        for key, value in figures.items()
        if key.endswith(end)
    ]
    note = "The size of a game's job and tally, and the growth of a process that plays 50,000 games in one launch."
    return section("Memory", table(["game", "bytes per game", "growth, MB per million games"], rows), note)


def scaling(figures: Figures) -> str:
    parts = []
    for what, title in (
        ("cores", "cores"),
        ("batch", "games in one launch, all cores"),
        ("hidden", "hidden units, one core"),
    ):
        mark = f"_games_per_second.{what}_"
        names = list(dict.fromkeys(key.partition(mark)[0] for key in figures if mark in key))
        for name in names:
            counts = rows_where(figures, f"{name}{mark}")
            header = [f"{name.replace('.', ', ')}: {title}", *(count for count, _ in counts)]
            parts.append(table(header, [["games per second", *(number(value) for _, value in counts)]]))
    note = "Added hidden units have no effect, so all sizes play exactly the same games." if parts else ""
    return section("Scaling", "\n".join(parts), note) if parts else ""
