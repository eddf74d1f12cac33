"""Files of games that people bring: logs, and matches and positions of other programs. They are read and kept, never run."""

import os
import re
import secrets
import shutil
import time
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request

from sparring.errors import UserError, writing
from sparring.games import find_game, known_games
from sparring.web.guard import PLAIN_ID
from sparring.web.kept import kept_in, listed_facts
from sparring.web.playing import person_of, registry_of
from sparring.web.refusals import FILES, Refusal, not_found, query, read_body, read_raw

FOLDER = "imports"  # in the runs folder
IMPORTS = f"{FOLDER}/"  # begins the name of an imported file
LOG = ".log"
STRANGE = re.compile(r"[^A-Za-z0-9 ._()+-]")
LONGEST_NAME = 80
MOST_OWN, MOST = 50, 400  # files of a person, and of all
LONGEST = 90 * 24 * 3600  # seconds that a file is kept

router = APIRouter()


@router.post(FILES)
async def bring(request: Request) -> dict[str, Any]:
    """Keep a file of games, once all of it is read and found right."""
    registry, name = registry_of(request), query(request, "name").text("name")
    data = await read_raw(request)
    return await registry.work.slow(_keep, registry.runs / FOLDER, person_of(request), _plain(name), data)


@router.post(FILES + "/{id}/delete")
async def delete(request: Request, id: str) -> dict[str, Any]:
    """Delete one's own file."""
    registry = registry_of(request)
    (await read_body(request)).only()
    folder = imported_file(registry.runs / FOLDER, id).parent
    if not folder.name.startswith(f"{person_of(request)}-"):
        raise Refusal(403, "only who brought a file deletes it")
    await registry.work.slow(shutil.rmtree, folder, True)
    return {}


def suffixes() -> list[str]:
    """The kinds of files that are read."""
    analysts = filter(None, (find_game(name).presentation.analyst for name in known_games()))
    return [LOG, *(suffix for analyst in analysts for suffix in analyst.suffixes)]


def _plain(name: str) -> str:
    """A file's name without its folders and without characters that could mean something."""
    plain = STRANGE.sub("_", re.split(r"[/\\]", name)[-1]).strip(" .") or "_"
    stem, dot, suffix = plain.rpartition(".")
    kind = f"{dot}{suffix.lower()}"
    if not stem or kind not in suffixes():
        raise Refusal(422, f"{plain[:LONGEST_NAME]}: must be one of {', '.join(suffixes())}")
    return stem[: LONGEST_NAME - len(kind)] + kind


def _keep(folder: Path, person: str, name: str, data: bytes) -> dict[str, Any]:
    id = secrets.token_urlsafe(18)
    place = folder / f"{person}-{id}"
    with writing(place, "free some space, then try again"):
        place.mkdir(0o700, parents=True)
        path = place / name
        path.write_bytes(data)
    try:
        kept = kept_in(path, 0)
    except UserError as error:
        shutil.rmtree(place, ignore_errors=True)
        raise UserError(str(error).replace(f"{place}{os.sep}", "")) from None  # as its owner calls it
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    _tidy(folder, person)
    return {"name": f"{IMPORTS}{id}", "games": kept.count}


def _tidy(folder: Path, person: str) -> None:
    """Delete what is old, and the oldest beyond what is kept."""
    files = sorted((_changed(path), path) for path in folder.iterdir())
    own = [path for _, path in files if path.name.startswith(f"{person}-")]
    old = {path for changed, path in files if time.time() - changed > LONGEST}
    for path in old | {*own[:-MOST_OWN]} | {path for _, path in files[:-MOST]}:
        shutil.rmtree(path, ignore_errors=True)


def imported_file(folder: Path, id: str) -> Path:
    """The file of an id."""
    if PLAIN_ID.fullmatch(id):
        for path in folder.glob(f"*-{id}/*"):
            return path
    raise not_found("file")


def own_imports(folder: Path, person: str) -> list[dict[str, Any]]:
    """A person's files, the newest first."""
    paths = sorted(folder.glob(f"{person}-*/*"), key=_changed, reverse=True)
    return [_listed(path) for path in paths if path.exists()]


def _changed(path: Path) -> float:
    """When a file was changed; long ago if somebody has just deleted it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _listed(path: Path) -> dict[str, Any]:
    id = path.parent.name.partition("-")[2]
    try:
        facts = listed_facts(path, path.stat().st_mtime_ns)
    except (UserError, Refusal, OSError):  # a file of an earlier version, or deleted just now
        facts = {"game": "not readable any more", "games": 0, "title": path.name}
    return {"name": f"{IMPORTS}{id}", **facts, "file": path.name, "imported": id}
