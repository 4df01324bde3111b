"""Stored experiments of the papers: declarations and tables, written by `python -m benchmarks pack`."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

RESULTS = Path(__file__).parent / "results"
CATALOGUE = RESULTS / "experiments.json"
VALUES, CLAIMS = "values", "claims"  # the two tables of an experiment
OF_VALUES = ("ours", "spread", "networks", "paper", "paper's spread", "verdict", "note")
OF_CLAIMS = ("difference", "standard error", "above 0", "verdict", "note")
POINT = re.compile(r"[\d.]+(e-?\d+)?")


@dataclass(frozen=True)
class MetricCurve:
    """A curve whose points are metrics: values of `y` at given values of `x`.

    Attributes
    ----------
    y, x : str
        Titles of the axes. If `y` is "TPR", the metrics are named "TPR at 0.1" and so on.
    log : str
        Logarithmic axes: letters of "xy".
    """

    y: str
    x: str
    log: str = ""

    @property
    def title(self) -> str:
        """Return the title of the curve."""
        return "ROC curve (TPR against FPR)" if (self.y, self.x) == ("TPR", "FPR") else f"{self.y} against {self.x}"

    def metric(self, x: float) -> str:
        """Return the metric at `x`."""
        return f"{self.y} at {x}"

    def place(self, metric: str) -> float:
        """Return the x of a metric, or NaN if it is not a point of this curve."""
        head, _, x = metric.rpartition(" at ")
        return float(x) if head == self.y and POINT.fullmatch(x) else math.nan


@dataclass(frozen=True)
class Published:
    """Declaration of an experiment with a subset of the attributes of `benchmarks.papers.experiment.Experiment`.

    Attributes
    ----------
    name, what, apart : str
    curves : tuple of MetricCurve
    claimed : tuple of str
        Metrics of the paper's claims.
    compares_programs : bool
        True if the methods are programs, which have no published values.
    remarks : tuple of str
    versions : tuple of str
        Versions of Edgewise that computed the stored values.
    outdated : tuple of str
        Methods whose stored values are older than their learner, which now gives others.
    """

    name: str
    what: str
    apart: str
    curves: tuple[MetricCurve, ...]
    claimed: tuple[str, ...]
    compares_programs: bool
    remarks: tuple[str, ...]
    versions: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()

    @property
    def releases(self) -> tuple[str, ...]:
        """Return the releases that computed the values, without their builds."""
        return tuple(dict.fromkeys(version.partition(" ")[0] for version in self.versions))

    @property
    def builds(self) -> tuple[str, ...]:
        """Return the builds that computed the values; a release itself is its own build."""
        return tuple(version.partition(" ")[2].strip("()") or version for version in self.versions)

    def is_point(self, metric: str) -> bool:
        """Return True if a metric is a point of a curve."""
        return any(not math.isnan(curve.place(metric)) for curve in self.curves)


@cache
def papers() -> dict[str, str]:
    """Return the title of each paper by the first word of its experiments' names."""
    return {paper: entry["title"] for paper, entry in _catalogue().items()}


@cache
def experiments_of(paper: str) -> dict[str, Published]:
    """Return the experiments of a paper by name."""
    return {entry["name"]: _declared(**entry) for entry in _catalogue()[paper]["experiments"]}


def results_of(paper: str) -> Path:
    """Return the file with the tables of a paper."""
    return RESULTS / f"{paper}.parquet"


def tables_of(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the values and the claims of an experiment; both are empty if no results are stored."""
    rows = pd.read_parquet(results_of(name.split("_")[0]), filters=[("experiment", "==", name)])
    values, claims = (
        rows[rows["table"] == kind].reindex(columns=["cell", "method", "metric", *columns]).reset_index(drop=True)
        for kind, columns in ((VALUES, OF_VALUES), (CLAIMS, OF_CLAIMS))
    )
    return values.astype({"networks": int}), claims


@cache
def _catalogue() -> dict[str, dict]:
    return json.loads(CATALOGUE.read_text(encoding="utf-8"))


def _declared(curves: list[list[str]], **rest: object) -> Published:
    drawn = tuple(MetricCurve(*fields) for fields in curves)
    return Published(curves=drawn, **{key: tuple(one) if isinstance(one, list) else one for key, one in rest.items()})
