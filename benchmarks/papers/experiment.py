"""Declarations of a paper's experiments, their figures and claims."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import pandas as pd

from learners import LearnResult
from viz.experiments.published import MetricCurve

from ..measurement import Contender

SCALES = ("smoke", "desk", "paper")
NETWORKS_A_CELL = 1000  # maximum number of networks per cell; distance between the first seeds of cells

T = TypeVar("T")
Piece = Mapping[str, int | str]


@dataclass(frozen=True)
class Figure:
    """One measured value of one data set.

    Attributes
    ----------
    method : str
        Learner, with the settings that distinguish this run.
    metric : str
    value : float
        NaN if the run has none.
    seconds : float, optional
        CPU seconds of the underlying runs.
    calls : float, optional
        Statistical calls of these runs: tests and scores of families.
    """

    method: str
    metric: str
    value: float
    seconds: float | None = None
    calls: float | None = None


@dataclass(frozen=True)
class Claim:
    """A claim of the paper about two methods: the mean of `metric` is larger for `better`.

    It concerns every cell, or those whose parameters, as in `label`, contain `where`.
    """

    metric: str
    better: str
    worse: str
    where: str = ""


@dataclass(frozen=True)
class Experiment:
    """Declaration of an experiment.

    Attributes
    ----------
    name, what : str
    cells : sequence of dict
        Parameters of the simulated networks and data, one set for each cell.
    networks : dict
        Number of networks simulated for a cell, by scale.
    run : callable
        Function from a piece, which is a cell with a `seed`, to its figures.
    derive : callable
        Function from all rows to the rows of the tables; it must keep the columns.
    at_desk : sequence of dict, optional
        Cells of scale desk. Default: all. The other cells take too long for this scale.
    smoke : dict, optional
        The only cell of scale smoke, if the first of `cells` takes long; no other scale has it.
    printed : dict
        Printed values of the paper by (cell as in `label`, method, metric).
    claims : sequence of Claim
    curves : sequence of MetricCurve
        Metrics shown together, as a curve.
    apart : str
        Parameter with a separate table for each value, with a line for each method and a column for each cell; for
        experiments of many methods. Empty: one table for each metric, with a line for each cell.
    programs : sequence of Contender
        Programs that learn from the same data, ours first, each in separate pieces with a `program`; see `programs`.
        Empty: a piece covers all work on its data.
    left_out : dict
        Cells, as in `label`, in which a program takes too long, by the name of the program.
    first_seed : int, optional
        Seed of the first network of every cell. Default: each cell has seeds of its own.
    remarks : sequence of str
        Remarks on the figures.
    """

    name: str
    what: str
    cells: tuple[Piece, ...]
    networks: Mapping[str, int]
    run: Callable[[Piece], Iterable[Figure]]
    derive: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows
    at_desk: tuple[Piece, ...] | None = None
    smoke: Piece | None = None
    printed: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    curves: tuple[MetricCurve, ...] = ()
    apart: str = ""
    programs: tuple[Contender, ...] = ()
    left_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    first_seed: int | None = None
    remarks: tuple[str, ...] = ()

    def pieces(self, scale: str) -> list[Piece]:
        """Return the pieces of a scale; paper includes desk. Their order lets all cells progress equally."""
        if scale == "smoke" and self.smoke is not None:
            return [{**self.smoke, "seed": NETWORKS_A_CELL * len(self.cells)}]
        cells = self.cells[:1] if scale == "smoke" else self.cells
        wanted = self.at_desk if scale == "desk" and self.at_desk is not None else cells
        return [
            {**cell, **program, "seed": self._first_seed(number) + network}
            for network in range(self.networks[scale])
            for number, cell in enumerate(cells)
            if cell in wanted
            for program in self._programs_at(cell)
        ]

    def _first_seed(self, number: int) -> int:
        """Return the first seed of a cell."""
        return NETWORKS_A_CELL * number if self.first_seed is None else self.first_seed

    def _programs_at(self, cell: Piece) -> list[Piece]:
        """Return the parameters that distinguish the pieces of the programs; empty without programs."""
        if not self.programs:
            return [{}]
        names = [one.name for one in self.programs]
        return [{"program": name} for name in names if label(cell) not in self.left_out.get(name, ())]


def label(piece: Piece) -> str:
    """Return the name of a piece or a cell: its parameters on one line."""
    return " ".join(f"{name}={value}" for name, value in piece.items())


def n_calls(result: LearnResult) -> int:
    """Count statistical calls: tests and scored families, as in Huang and Zhou (2022), section 5.1."""
    calls = getattr(result.extra, "calls", None)
    return (sum(calls.values()) if isinstance(calls, Mapping) else result.n_tests) + result.n_scores


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result, and its CPU seconds."""
    began = time.process_time()
    found = work()
    return found, time.process_time() - began
