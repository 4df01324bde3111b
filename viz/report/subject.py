"""The subject of a report: a run with its data and context."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from learners.data.dataset import Dataset
from learners.data.plan.plan import Plan
from learners.data.quality.finding import Finding
from learners.data.reading.table import Table
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.recipes.recipe import Recipe
from learners.results.result import LearnResult


@dataclass(frozen=True, eq=False)
class Subject:
    """A run with its data, as the page knows them.

    Attributes
    ----------
    title : str
        Of the run.
    name : str
        Of the table.
    result : LearnResult
    dataset : Dataset
        What the learner had.
    positions : (p, 2) float array
        Where the nodes are drawn, in [0, 1].
    table, plan : Table and Plan, or None
        What the data set was made of.
    notes : tuple of str
        What was done to the table.
    findings : tuple of Finding
        What its checks found.
    knowledge : Knowledge or None
    truth : PDAG or None
        CPDAG of the true graph over the same variables.
    pairs : tuple of (int, int)
        Those whose explanation belongs into the report.
    recipe : Recipe or None
    date : str
        When the report was made; empty for no date.
    note : str
        What the reader of the run wrote beside it.
    """

    title: str
    name: str
    result: LearnResult
    dataset: Dataset
    positions: np.ndarray
    table: Table | None = None
    plan: Plan | None = None
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    knowledge: Knowledge | None = None
    truth: PDAG | None = None
    pairs: tuple[tuple[int, int], ...] = ()
    recipe: Recipe | None = None
    date: str = ""
    note: str = ""
