"""The table in use with its plan and its known true graph."""

from __future__ import annotations

from dataclasses import dataclass

from learners.common.wording import quoted_columns
from learners.data.dataset import Dataset
from learners.data.plan.plan import Plan
from learners.data.plan.preparation import Prepared
from learners.data.quality.finding import Finding
from learners.data.reading.table import Table
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.graphs.marginal_graph import blocking_variables, marginal_graph
from viz.snippet import Origin


@dataclass(frozen=True)
class Source:
    """A table in use, with the user's decisions about it.

    Attributes
    ----------
    prepared : Prepared or None
        None while a finding blocks learning.
    truth : PDAG or None
        The true DAG or CPDAG over `truth_names`, if known.
    steps : tuple of (str, Plan)
        Changes so far, oldest first: their labels and the plans before them.
    settled : tuple of str
        Codes of findings to ignore, for example because the levels of a bundled network are known.
    origin : Origin or None
        Where the table came from.
    alone : str
        Sentence on the changes made to the table for one run only.
    base : Dataset or None
        The data set in use when these changes were made.
    """

    title: str
    table: Table | None
    plan: Plan | None
    findings: tuple[Finding, ...] = ()
    prepared: Prepared | None = None
    problem: str = ""
    truth: PDAG | None = None
    truth_names: tuple[str, ...] = ()
    steps: tuple[tuple[str, Plan], ...] = ()
    settled: tuple[str, ...] = ()
    origin: Origin | None = None
    alone: str = ""
    base: Dataset | None = None

    @property
    def dataset(self) -> Dataset | None:
        """Return the data set for learners; None while a finding blocks learning."""
        return self.prepared.dataset if self.prepared else None

    @property
    def is_public(self) -> bool:
        """Return True if the table is bundled or simulated, so that exports may name all of its values."""
        return self.origin is not None and self.origin.is_public

    def truth_over(self, names: tuple[str, ...]) -> PDAG | None:
        """Return the CPDAG of the truth over `names`; None if a name is unknown or the margin is not a DAG."""
        if self.truth is None or not set(names) <= set(self.truth_names):
            return None
        graph = marginal_graph(self.truth, *self._places(names))
        return cpdag(graph) if graph is not None and graph.is_dag else graph

    def why_no_truth(self, names: tuple[str, ...]) -> str:
        """Return one sentence on why the truth is not compared with results over `names`; empty if it is compared."""
        if self.truth is None or self.truth_over(names) is not None:
            return ""
        unknown = [name for name in names if name not in self.truth_names]
        if unknown:
            return f"The true graph lacks {quoted_columns(unknown)}, so results are not compared with it."
        causes = [self.truth_names[i] for i in blocking_variables(self.truth, *self._places(names))]
        verbs = ("affects", "is") if len(causes) == 1 else ("affect", "are")
        return (
            f"Results are not compared with the true graph, in which {quoted_columns(causes)} {verbs[0]} other "
            f"variables but {verbs[1]} not used here. Use {'it' if len(causes) == 1 else 'them'} on the Data page to "
            "compare again."
        )

    def _places(self, names: tuple[str, ...]) -> tuple[list[int], list[int]]:
        """Return the positions of `names` in the truth, and of its omitted variables that are constant in the table."""
        kept = [self.truth_names.index(name) for name in names]
        known = set(self.table.names) - set(names)
        flat = [
            i for i, name in enumerate(self.truth_names) if name in known and len(self.table.column(name).texts) == 1
        ]
        return kept, flat
