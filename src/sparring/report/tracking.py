"""The learning curves of a run for other programs: CSV, Parquet, event files of TensorBoard, or a server of MLflow."""

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games import unknown
from sparring.lab.run import Curves, Run, open_run
from sparring.nets.files import replace_file

BATCH = 1000  # metrics that MLflow takes at a time
TAG = "sparring.run"


def write_curves(run: str | Path | Run, form: str = "csv") -> Path | str:
    """Write a run's learning curves; returns where they are.

    `csv` and `parquet` write a file into the run's folder, `tensorboard` a folder of event files. `mlflow` logs them where MLflow
    keeps runs (`MLFLOW_TRACKING_URI`). All but `csv` need a package that Sparring does not install.
    """
    if form not in FORMS:
        raise unknown("form of curves", form, list(FORMS))
    return FORMS[form](run if isinstance(run, Run) else open_run(Path(run)))


def _columns(curves: Curves) -> dict[str, np.ndarray]:
    """Every curve as (trials, steps); a profile is a curve for each of its labels."""
    found: dict[str, np.ndarray] = {}
    for name, values in curves.values.items():
        found |= {name: values} if values.ndim == 2 else {f"{name}.{i}": values[..., i] for i in range(values.shape[2])}
    return found


def _missing(package: str) -> UserError:
    return UserError(f"{package} is not installed; use --curves csv, or: pip install {package}")


def _csv(run: Run) -> Path:
    """One row for each trial and step, one column for each curve."""
    curves, path, text = run.curves(), run.folder / "curves.csv", io.StringIO()
    columns, writer = _columns(curves), csv.writer(text, lineterminator="\n")
    writer.writerow(["trial", "step", *columns])
    for trial in range(run.experiment.trials):
        for i, step in enumerate(curves.steps.tolist()):
            writer.writerow([trial, step, *(repr(float(values[trial, i])) for values in columns.values())])
    replace_file(path, text.getvalue().encode())
    return path


def _parquet(run: Run) -> Path:
    """The same as a Parquet file."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise _missing("pyarrow") from None
    curves, path, data = run.curves(), run.folder / "curves.parquet", io.BytesIO()
    trials, steps = run.experiment.trials, curves.steps
    columns: dict[str, np.ndarray] = {"trial": np.repeat(np.arange(trials), len(steps)), "step": np.tile(steps, trials)}
    columns |= {name: values[:trials].ravel() for name, values in _columns(curves).items()}
    pyarrow.parquet.write_table(pyarrow.table(columns), data)
    replace_file(path, data.getvalue())
    return path


def _events(run: Run) -> Path:
    """A folder of event files, one for each trial; those of an earlier call are replaced."""
    try:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.event_file_writer import EventFileWriter
    except ImportError:
        raise _missing("tensorboard") from None
    curves, folder = run.curves(), run.folder / "tensorboard"
    for trial in range(run.experiment.trials):
        place = folder / f"{trial:03d}"
        for old in place.glob("events.out.tfevents.*"):
            old.unlink()
        writer = EventFileWriter(str(place))
        for step, values in _points(curves, trial):
            summary = Summary(value=[Summary.Value(tag=name, simple_value=value) for name, value in values.items()])
            writer.add_event(Event(step=step, summary=summary))
        writer.close()
    return folder


def _points(curves: Curves, trial: int) -> Iterator[tuple[int, dict[str, float]]]:
    """The steps of a trial, and every curve there."""
    columns = _columns(curves)
    for i, step in enumerate(curves.steps.tolist()):
        yield step, {name: float(values[trial, i]) for name, values in columns.items()}


def _mlflow(run: Run) -> str:
    """An MLflow experiment named after the run, with a run for each trial; those of an earlier call are deleted."""
    try:
        import mlflow
        from mlflow.entities import Metric
    except ImportError:
        raise _missing("mlflow") from None
    curves, name, mark = run.curves(), run.experiment.name, str(run.folder.absolute())
    try:
        client = mlflow.MlflowClient()
        found = client.get_experiment_by_name(name)
        place = found.experiment_id if found else client.create_experiment(name)
        earlier = _runs_of(client, place, mark)
        for trial in range(run.experiment.trials):
            tags = {TAG: mark, "game": run.experiment.game, "learner": run.experiment.learner}
            number = client.create_run(place, run_name=f"{name}, trial {trial}", tags=tags).info.run_id
            points = [
                Metric(key, value, 0, step) for step, values in _points(curves, trial) for key, value in values.items()
            ]
            for first in range(0, len(points), BATCH):
                client.log_batch(number, metrics=points[first : first + BATCH])
            client.set_terminated(number)
        for old in earlier:
            client.delete_run(old)
    except mlflow.exceptions.MlflowException as error:
        raise UserError(f"mlflow: {str(error).splitlines()[0][:300]}") from None
    return f"{mlflow.get_tracking_uri()}, experiment {name}"


def _runs_of(client: Any, place: str, mark: str) -> list[str]:
    """The MLflow runs of a run's trials: those with its mark, page by page."""
    runs = client.search_runs([place])
    found = [*runs]
    while runs.token:
        runs = client.search_runs([place], page_token=runs.token)
        found += runs
    return [run.info.run_id for run in found if run.data.tags.get(TAG) == mark]


FORMS: dict[str, Callable[[Run], Path | str]] = {
    "csv": _csv,
    "parquet": _parquet,
    "tensorboard": _events,
    "mlflow": _mlflow,
}
