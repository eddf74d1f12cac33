"""The learning curves of a run for other programs: CSV, or event files of TensorBoard."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sparring.errors import UserError
from sparring.games import unknown
from sparring.lab.run import Curves, Run, open_run
from sparring.nets.files import replace_file

FORMS = ("csv", "tensorboard")


def write_curves(run: str | Path | Run, form: str = "csv") -> Path:
    """Write a run's learning curves into its folder: `csv`, or `tensorboard` where that is installed; returns the path."""
    if form not in FORMS:
        raise unknown("form of curves", form, list(FORMS))
    run = run if isinstance(run, Run) else open_run(Path(run))
    return _csv(run) if form == "csv" else _events(run)


def _columns(curves: Curves) -> dict[str, np.ndarray]:
    """Every curve as (trials, steps); a profile is a curve for each of its labels."""
    found: dict[str, np.ndarray] = {}
    for name, values in curves.values.items():
        found |= {name: values} if values.ndim == 2 else {f"{name}.{i}": values[..., i] for i in range(values.shape[2])}
    return found


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


def _events(run: Run) -> Path:
    """A folder of event files, one for each trial; those of an earlier call are replaced."""
    try:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.event_file_writer import EventFileWriter
    except ImportError:
        raise UserError("tensorboard is not installed; use --curves csv, or: pip install tensorboard") from None
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
