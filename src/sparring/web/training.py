"""Routes for runs: lists, learning curves, and starting, stopping and resuming."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa
from fastapi import APIRouter, Request, WebSocket

from sparring.arena.players import CHAMPION
from sparring.errors import UserError
from sparring.lab.experiment import OWN, PLAIN_NAME, build_experiment
from sparring.lab.run import Run, create_run, open_run
from sparring.lab.store import Store, metrics
from sparring.lab.store import runs as recorded_runs
from sparring.learn import LEARNERS, find_learner
from sparring.nets.files import load_net
from sparring.options import parse_option
from sparring.report.plots import band
from sparring.web.naming import RUNS, found_in, game_named, inside, list_learners, reads_file
from sparring.web.playing import person_of, registry_of
from sparring.web.refusals import Payload, Refusal, not_found, query, read_body
from sparring.web.runners import Runners
from sparring.web.sockets import Line, Lines, hold

MOST_POINTS = 300  # points of a curve
FIRST_CURVES = ("won", "score")  # measures of games that come first on a run's page
MOST_TRIALS = 12  # trials drawn individually
LARGEST_TRIALS = 1000  # trials of a run that is started from the page
POLL = 1.0  # seconds
FILE = "experiment.toml"

router = APIRouter()


def runners_of(request: Request | WebSocket) -> Runners:
    runners: Runners = request.app.state.runners
    return runners


def check_trainings(request: Request) -> None:
    if not request.app.state.trainings:
        raise Refusal(403, "trainings are switched off on this page")


@router.get("/api/learners")
async def learners(request: Request) -> list[dict[str, Any]]:
    """The learners with their options; for a game, those that support it; none where trainings are switched off."""
    name = query(request, "game").text("game", "")
    if not request.app.state.trainings:
        return []
    return await registry_of(request).work.slow(lambda: list_learners(game_named(name) if name else None))


@router.get("/api/runs")
async def listed(request: Request) -> list[dict[str, Any]]:
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(_runs_json, registry.runs, registry.store, runners_of(request))


@router.post("/api/runs")
async def start(request: Request) -> dict[str, Any]:
    """Create a run and start its training."""
    registry, payload = registry_of(request), await read_body(request)
    check_trainings(request)
    payload.only("game", "learner", "name", "trials", "seed", "options")
    return {"name": await registry.work.slow(_begin, payload, registry.runs, runners_of(request))}


@router.post("/api/runs/{name:path}/stop")
async def stop(request: Request, name: str) -> dict[str, Any]:
    return await _change(request, name, runners_of(request).stop)


@router.post("/api/runs/{name:path}/resume")
async def resume(request: Request, name: str) -> dict[str, Any]:
    return await _change(request, name, runners_of(request).start)


async def _change(request: Request, name: str, change: Callable[[str], None]) -> dict[str, Any]:
    """Stop or resume a run, and return its summary."""
    registry, runners = registry_of(request), runners_of(request)
    (await read_body(request)).only()
    check_trainings(request)

    def work() -> dict[str, Any]:
        run = _find(registry.runs, name)
        if change == runners.start and run.finished:
            raise Refusal(409, f"{name}: is finished")
        change(name)
        return _summary(name, run, registry.store, runners)

    return await registry.work.slow(work)


@router.get("/api/runs/{name:path}")
async def show(request: Request, name: str) -> dict[str, Any]:
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(_run_json, registry.runs, name, registry.store, runners_of(request))


@router.websocket("/ws/runs/{name:path}")
async def follow(socket: WebSocket, name: str) -> None:
    """Send the run whenever it changes."""
    registry, runners = registry_of(socket), runners_of(socket)
    lines: Lines = socket.app.state.lines
    run = await registry.work.slow(_find, registry.runs, name)
    with lines.room(person_of(socket), False):
        await socket.accept()
        line = Line(socket, person_of(socket))

        async def poll() -> None:
            last: dict[str, Any] | None = None
            while True:
                now = await registry.work.slow(_summary, name, run, registry.store, runners)
                if now != last:
                    found = await registry.work.slow(_run_json, registry.runs, name, registry.store, runners)
                    line.put(json.dumps(found))
                last = now
                await asyncio.sleep(POLL)

        await hold(line, poll)


def _begin(payload: Payload, runs: Path, runners: Runners) -> str:
    """Create a run from a request, and start its training. Options may be strings."""
    name, learner = payload.text("name", ""), payload.text("learner", "coevolution")
    if learner not in LEARNERS:
        raise Refusal(422, f"learner: must be one of {', '.join(LEARNERS)}")
    if name and (not PLAIN_NAME.fullmatch(name) or name in OWN):
        raise Refusal(422, "name: must consist of letters, digits, '.', '_' and '-', and begin with a letter or digit")
    game = game_named(payload.text("game"))
    options = payload.table("options")
    seed = Payload({"seed": options.pop("seed", payload.values.get("seed"))}).whole("seed", 0, 2**53 - 1, 1)
    top = {"game": game.name, "name": name, "seed": seed, "trials": payload.whole("trials", 1, LARGEST_TRIALS, 1)}
    run = create_run(build_experiment({**top, "learner": {"name": learner, **_options(learner, options)}}), runs)
    runners.start(run.folder.name)
    return run.folder.name


def _options(learner: str, given: dict[str, Any]) -> dict[str, Any]:
    options, _ = find_learner(learner)
    kinds = {f.name: type(f.default) for f in fields(options)}
    found = {}
    for key, value in given.items():
        parsed = type(value) is str and kinds.get(key) is not str
        found[key] = parse_option(options, key, value, "learner.") if parsed else value
        if found[key] and reads_file(options, key):
            raise Refusal(422, f"learner.{key}: files are not allowed here; use sparring train")
    return found


def _find(runs: Path, name: str) -> Run:
    """The run of a name; a name that leads out of the folder is not found."""
    path = inside(runs, f"{name}/{FILE}", "run", FILE)
    if name.partition("/")[0] in OWN:
        raise not_found("run")
    return open_run(path.parent)


def _runs_json(runs: Path, store: Store, runners: Runners) -> list[dict[str, Any]]:
    found = []
    for name, path in found_in(runs, FILE):
        try:
            found.append(_summary(name.removesuffix(f"/{FILE}"), open_run(path.parent), store, runners))
        except UserError:  # an experiment with options that this version does not have
            continue
    return found


def _summary(name: str, run: Run, store: Store, runners: Runners) -> dict[str, Any]:
    """A run's entry in the list."""
    progress, running, finished = runners.progress(name), runners.running(name), run.finished
    with store.engine.connect() as connection:
        step = connection.execute(sa.select(recorded_runs.c.step).where(recorded_runs.c.name == run.key)).scalar()
    step = step if type(step) is int else 0
    step = max(step, progress.get("step", 0)) if running else step
    return {
        "name": name,
        "game": run.game.name,
        "learner": run.experiment.learner,
        "step": step,
        "steps": step if finished else progress.get("steps"),
        "finished": finished,
        "running": running,
        "champion": f"{RUNS}{name}" if (run.folder / CHAMPION).exists() else None,
        "games_per_second": progress.get("games_per_second") if running else None,
        "headline": progress.get("headline", "") if running else runners.trouble(name),
    }


def _run_json(runs: Path, name: str, store: Store, runners: Runners) -> dict[str, Any]:
    """A run with its experiment, curves and pictures."""
    run = _find(runs, name)
    summary = _summary(name, run, store, runners)
    pictures = _pictures(run) if summary["champion"] else []
    curves = curves_json(store, run.key, run.experiment.trials)
    return summary | {"experiment": run.experiment.toml(), "curves": curves, "pictures": pictures}


def curves_json(store: Store, key: str, trials: int) -> dict[str, Any]:
    """A run's curves from the store, thinned to MOST_POINTS: the mean over trials with its 95% band.

    Rows that no training of these trials writes are ignored.
    """
    with store.engine.connect() as connection:
        points = sa.select(metrics.c.step).where(metrics.c.run == key).distinct().order_by(metrics.c.step)
        steps = [step for step in connection.execute(points).scalars() if type(step) is int]
        places = {round(i * (len(steps) - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)} if steps else set()
        chosen = [steps[place] for place in sorted(places)]
        query = sa.select(metrics.c.name, metrics.c.trial, metrics.c.step, metrics.c.value)
        rows = connection.execute(query.where(metrics.c.run == key, metrics.c.step.in_(chosen))).all()
    columns = {step: n for n, step in enumerate(chosen)}
    curves: dict[str, np.ndarray] = {}
    for name, trial, step, value in rows:
        if trial not in range(trials) or type(value) is not float or type(name) is not str:
            continue
        curves.setdefault(name, np.full((trials, len(chosen)), np.nan))[trial, columns[step]] = value
    return {name: _curve_json(chosen, curves[name]) for name in sorted(curves, key=_importance)}


def _importance(name: str) -> tuple[int, str]:
    """Orders curves: the share of games won and the score first, then the learner's own, then other measures of games."""
    first = [n for n, word in enumerate(FIRST_CURVES) if name.endswith(f".player.{word}")]
    return first[0] if first else len(FIRST_CURVES) + name.count("."), name


def _curve_json(steps: list[int], values: np.ndarray) -> dict[str, Any]:
    complete = ~np.isnan(values).any(axis=0)
    bands = zip(("mean", "low", "high"), band(values[:, complete]), strict=True)
    return {
        "steps": [step for step, whole in zip(steps, complete, strict=True) if whole],
        **{name: _rounded(row) for name, row in bands},
        "trials": [_rounded(row) for row in values[:MOST_TRIALS, complete]],
    }


def _rounded(values: np.ndarray) -> list[float | None]:
    return [round(value, 6) if np.isfinite(value) else None for value in values.tolist()]


def _pictures(run: Run) -> list[dict[str, str]]:
    """The champion's network, or the networks of its team."""
    from sparring.report.network import draw_net, net_labels

    net = load_net(run.folder / CHAMPION, run.game)
    parts = dict(net.parts) if net.parts else {"": net}
    titles = [f"the champion's network{f' for {role}' if role else ''}" for role in parts]
    drawings = [draw_net(part, net_labels(part, run.game)) for part in parts.values()]
    return [{"title": title, "svg": svg} for title, svg in zip(titles, drawings, strict=True)]
