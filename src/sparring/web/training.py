"""Asking for runs: what there is, how it learns, and starting, stopping and going on."""

import asyncio
import json
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa
from fastapi import APIRouter, Request, WebSocket

from sparring.arena.players import CHAMPION
from sparring.errors import UserError
from sparring.lab.experiment import PLAIN_NAME, build_experiment
from sparring.lab.run import Run, create_run, open_run
from sparring.lab.store import Store, metrics
from sparring.lab.store import runs as recorded_runs
from sparring.learn import LEARNERS, find_learner
from sparring.nets.files import load_net
from sparring.options import parse_option
from sparring.report.plots import band
from sparring.web.naming import OWN, RUNS, found_in, game_named, inside, list_learners, names_file
from sparring.web.playing import person_of, registry_of
from sparring.web.refusals import Refusal, Told, not_found, query, read_body
from sparring.web.runners import Runners
from sparring.web.sockets import Line, Lines, deny, hold

MOST_POINTS = 300  # of a curve
MOST_TRIALS = 12  # drawn one by one
LARGEST_TRIALS = 1000  # that are begun from a page
POLL = 1.0  # seconds
FILE = "experiment.toml"

router = APIRouter()


def runners_of(request: Request | WebSocket) -> Runners:
    runners: Runners = request.app.state.runners
    return runners


@router.get("/api/learners")
async def learners(request: Request) -> list[dict[str, Any]]:
    """The learners, with their options; of a game, those that can learn it."""
    name = query(request, "game").text("game", "")
    return await registry_of(request).work.slow(lambda: list_learners(game_named(name) if name else None))


@router.get("/api/runs")
async def listed(request: Request) -> list[dict[str, Any]]:
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(_runs_told, registry.runs, registry.store, runners_of(request))


@router.post("/api/runs")
async def start(request: Request) -> dict[str, Any]:
    """Begin a run."""
    registry, told = registry_of(request), await read_body(request)
    told.only("game", "learner", "name", "trials", "seed", "options")
    return {"name": await registry.work.slow(_begin, told, registry.runs, runners_of(request))}


@router.post("/api/runs/{name:path}/stop")
async def stop(request: Request, name: str) -> dict[str, Any]:
    registry, runners = registry_of(request), runners_of(request)
    (await read_body(request)).only()
    run = await registry.work.slow(_find, registry.runs, name)
    await registry.work.slow(runners.stop, name)
    return await registry.work.slow(_summary, name, run, registry.store, runners)


@router.post("/api/runs/{name:path}/resume")
async def resume(request: Request, name: str) -> dict[str, Any]:
    registry, runners = registry_of(request), runners_of(request)
    (await read_body(request)).only()
    run = await registry.work.slow(_find, registry.runs, name)
    if run.finished:
        raise Refusal(409, f"{name}: is finished")
    await registry.work.slow(runners.start, name)
    return await registry.work.slow(_summary, name, run, registry.store, runners)


@router.get("/api/runs/{name:path}")
async def show(request: Request, name: str) -> dict[str, Any]:
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(_run_told, registry.runs, name, registry.store, runners_of(request))


@router.websocket("/ws/runs/{name:path}")
async def follow(socket: WebSocket, name: str) -> None:
    """The run whenever it has learned more."""
    registry, runners = registry_of(socket), runners_of(socket)
    lines: Lines = socket.app.state.lines
    with ExitStack() as stack:
        try:
            run = await registry.work.slow(_find, registry.runs, name)
            stack.enter_context(lines.room(person_of(socket), False))
        except Refusal as refusal:
            await deny(socket, refusal)
            return
        await socket.accept()
        line = Line(socket, person_of(socket))

        async def poll() -> None:
            last: dict[str, Any] | None = None
            while True:
                now = await registry.work.slow(_summary, name, run, registry.store, runners)
                if now != last:
                    line.put(
                        json.dumps(await registry.work.slow(_run_told, registry.runs, name, registry.store, runners))
                    )
                last = now
                await asyncio.sleep(POLL)

        await hold(line, poll)


def _begin(told: Told, runs: Path, runners: Runners) -> str:
    """Create a run from what the page says, and start its training. Options may be written as texts."""
    name, learner = told.text("name", ""), told.text("learner", "coevolution")
    if learner not in LEARNERS:
        raise Refusal(422, f"learner: must be one of {', '.join(LEARNERS)}")
    if name and (not PLAIN_NAME.fullmatch(name) or name in OWN):
        raise Refusal(422, "name: must be of letters, digits, '.', '_' and '-', and begin with a letter or digit")
    game = game_named(told.text("game"))
    options = told.table("options")
    seed = Told({"seed": options.pop("seed", told.values.get("seed"))}).whole("seed", 0, 2**53 - 1, 1)
    table = {
        "game": game.name,
        "name": name,
        "seed": seed,
        "trials": told.whole("trials", 1, LARGEST_TRIALS, 1),
        "learner": {"name": learner, **_options(learner, options)},
    }
    run = create_run(build_experiment(table), runs)
    runners.start(run.folder.name)
    return run.folder.name


def _options(learner: str, given: dict[str, Any]) -> dict[str, Any]:
    options, _ = find_learner(learner)
    kinds = {f.name: type(f.default) for f in fields(options)}
    found = {}
    for key, value in given.items():
        written = type(value) is str and kinds.get(key) is not str
        found[key] = parse_option(options, key, value, "learner.") if written else value
        if names_file(options, key, found[key]):
            raise Refusal(422, f"learner.{key}: files cannot be named here; use sparring train")
    return found


def _find(runs: Path, name: str) -> Run:
    """The run of a name; not found, rather than looked into, where it leads out of the folder."""
    path = inside(runs, f"{name}/{FILE}", "run", FILE)
    if name.partition("/")[0] in OWN:
        raise not_found("run")
    return open_run(path.parent)


def _runs_told(runs: Path, store: Store, runners: Runners) -> list[dict[str, Any]]:
    found = []
    for name, path in found_in(runs, FILE):
        try:
            found.append(_summary(name.removesuffix(f"/{FILE}"), open_run(path.parent), store, runners))
        except UserError:  # an experiment of other options than today's
            continue
    return found


def _summary(name: str, run: Run, store: Store, runners: Runners) -> dict[str, Any]:
    """A run in a line of a list."""
    progress, running, finished = runners.progress(name), runners.running(name), run.finished
    with store.engine.connect() as connection:
        step = connection.execute(sa.select(recorded_runs.c.step).where(recorded_runs.c.name == run.key)).scalar() or 0
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


def _run_told(runs: Path, name: str, store: Store, runners: Runners) -> dict[str, Any]:
    """All about a run."""
    run = _find(runs, name)
    told = _summary(name, run, store, runners)
    return told | {
        "experiment": run.experiment.toml(),
        "curves": curves_told(store, run.key),
        "pictures": _pictures(run) if told["champion"] else [],
    }


def curves_told(store: Store, key: str) -> dict[str, Any]:
    """A run's curves as the store has them: mean over trials with its 95% band; of many points, as many as can be seen."""
    with store.engine.connect() as connection:
        points = sa.select(metrics.c.step).where(metrics.c.run == key).distinct().order_by(metrics.c.step)
        steps = connection.execute(points).scalars().all()
        chosen = (
            sorted({steps[round(i * (len(steps) - 1) / (MOST_POINTS - 1))] for i in range(MOST_POINTS)})
            if steps
            else []
        )
        query = sa.select(metrics.c.name, metrics.c.trial, metrics.c.step, metrics.c.value)
        rows = connection.execute(query.where(metrics.c.run == key, metrics.c.step.in_(chosen))).all()
    places = {step: n for n, step in enumerate(chosen)}
    trials = 1 + max((row.trial for row in rows), default=0)
    curves: dict[str, np.ndarray] = {}
    for name, trial, step, value in rows:
        curves.setdefault(name, np.full((trials, len(chosen)), np.nan))[trial, places[step]] = value
    return {name: _curve_told(chosen, values) for name, values in sorted(curves.items())}


def _curve_told(steps: list[int], values: np.ndarray) -> dict[str, Any]:
    whole = ~np.isnan(values).any(axis=0)
    mean, low, high = band(values[:, whole])
    return {
        "steps": [step for step, there in zip(steps, whole, strict=True) if there],
        "mean": _rounded(mean),
        "low": _rounded(low),
        "high": _rounded(high),
        "trials": [_rounded(row) for row in values[:MOST_TRIALS, whole]],
    }


def _rounded(values: np.ndarray) -> list[float | None]:
    return [round(value, 6) if np.isfinite(value) else None for value in values.tolist()]


def _pictures(run: Run) -> list[dict[str, str]]:
    """The champion's network, or those of its team."""
    from sparring.report.network import draw_net, net_labels

    net = load_net(run.folder / CHAMPION, run.game)
    parts = dict(net.parts) if net.parts else {"": net}
    return [
        {
            "title": f"the champion's network{f' for {role}' if role else ''}",
            "svg": draw_net(part, net_labels(part, run.game)),
        }
        for role, part in parts.items()
    ]
