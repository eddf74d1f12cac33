"""Renders stored results into the pages: `python docs/render_results.py [--check]`.

A page holds blocks between `<!-- results: NAME -->` and `<!-- end -->`. NAME is `counts` (of this study, or of all on a page
that is no study's), `claims`, `readings`, `misprints`, or `table` and the beginning of a table's title. The blocks of
`STUDY-study.md` come from results/studies/STUDY.json and the study's readings.toml; `STUDY: NAME` works on every page.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from sparring.studies import STUDIES
from sparring.studies.study import NOTES, counts_text, note_tables

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results" / "studies"
BLOCK = re.compile(r"(<!-- results: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
CLAIM = ("claim", "place", "published", "text", "trials", "verdict", "cause")
CLAIM_HEADER = ("claim", "place", "published", "ours", "trials", "verdict", "why")


def stored(study: str) -> dict[str, Any]:
    """The stored result of a study."""
    path = RESULTS / f"{study}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def table(header: Any, rows: Any) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(str(cell).replace('|', '/') for cell in line)} |\n" for line in lines)


def block(name: str, study: str) -> str:
    """What stands in a block; `STUDY: NAME` is a block of another study than the page's."""
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
        return "No results are stored yet.\n"
    if name == "counts":
        made = f"`sparring reproduce {study} --budget {result['budget']}`, seed {result['seed']}, commit {result['commit']}"
        return f"{counts_text(result['counts'])} {result['extent']}. ({made})\n"
    if name == "claims":
        return table(CLAIM_HEADER, [[claim[key] for key in CLAIM] for claim in result["claims"]])
    title = name.removeprefix("table ")
    found_table = next(each for each in result["tables"] if each["title"].startswith(title))
    caption = f"\n{found_table['caption']}\n" if found_table["caption"] else ""
    return table(found_table["header"], found_table["rows"]) + caption


def render(page: Path) -> str:
    """The page with its blocks as the results have them."""
    study = page.name.removesuffix("-study.md") if page.name.endswith("-study.md") else ""
    return BLOCK.sub(lambda found: f"{found[1]}\n{block(found[2], study)}\n{found[3]}", page.read_text())


def main() -> None:
    """Write all pages, or with --check name those that differ."""
    pages = [
        page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if BLOCK.search(page.read_text())
    ]
    different = [page for page in pages if render(page) != page.read_text()]
    if "--check" in sys.argv:
        sys.exit(f"{', '.join(page.name for page in different)}: run make docs" if different else 0)
    for page in different:
        page.write_text(render(page))


if __name__ == "__main__":
    main()
