"""The subject of a report: a run with its data and context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from learners.data.dataset import Dataset
from learners.data.disclosure import redactor
from learners.data.plan.plan import Plan
from learners.data.quality.finding import Finding
from learners.data.reading.table import Table
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.recipes.recipe import Recipe
from learners.results.result import LearnResult
from learners.verdict.trust import Trust

from ..language import ENGLISH, Language


@dataclass(frozen=True, eq=False)
class Subject:
    """A run with its data.

    Attributes
    ----------
    title : str
        Title of the run.
    name : str
        Name of the table.
    result : LearnResult
    dataset : Dataset
        Data set from which the graph was learned.
    positions : (p, 2) float array
        Node positions in [0, 1].
    table, plan : Table and Plan, or None
        Source of the data set.
    notes : tuple of str
        Changes made to the table.
    findings : tuple of Finding
        Data-quality findings of the table.
    knowledge : Knowledge or None
    truth : PDAG or None
        CPDAG of the true graph over the same variables.
    pairs : tuple of (int, int)
        Pairs whose explanation is included in the report.
    recipe : Recipe or None
    date : str
        Date of the report; empty for no date.
    note : str
        The user's note on the run.
    rare : bool
        True if the user allows the report to name values with few rows.
    methods : str
        The user's version of the methods text; empty for the text that is made from the run.
    trust : Trust or None
        Verdict on the arrows, if the user asked for it.
    language : Language
        Language of the report.
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
    rare: bool = False
    methods: str = ""
    trust: Trust | None = None
    language: Language = ENGLISH

    @cached_property
    def redact(self) -> Callable[[str], str]:
        """Return a function that hides the values in a sentence that the report may not name."""
        return redactor(self.dataset, self.table, self.plan, rare=self.rare)
