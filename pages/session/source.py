"""A table in use, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from learners.common.checks import quoted_columns
from learners.data.dataset import Dataset
from learners.data.health import Finding
from learners.data.prepare import Plan, Prepared
from learners.data.tables import Table
from learners.graphs.cpdags import cpdag
from learners.graphs.graph import PDAG
from learners.graphs.margins import in_the_way, over
from viz.snippet import Origin


@dataclass(frozen=True)
class Source:
    """A table in use, with what the user decided about it.

    `prepared` is None while a blocker stands in the way. `truth` is the true DAG or CPDAG by name, where one is known.
    `steps` are the changes made so far, oldest first: what was done, and the plan before. `settled` are codes of
    findings that need no asking, for a bundled network's levels are known. `origin` is where the table came from.
    `alone` says what was done to the table for one run alone, and `base` is the data set in use then.
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
        """What a learner gets, or None while a blocker stands."""
        return self.prepared.dataset if self.prepared else None

    def truth_over(self, names: tuple[str, ...]) -> PDAG | None:
        """CPDAG of the known truth over `names`; None if it does not know them all, or joins them through others."""
        if self.truth is None or not set(names) <= set(self.truth_names):
            return None
        graph = over(self.truth, *self._places(names))
        return cpdag(graph) if graph is not None and graph.is_dag else graph

    def why_no_truth(self, names: tuple[str, ...]) -> str:
        """One sentence on why the known truth is not held against results over `names`; empty if it is."""
        if self.truth is None or self.truth_over(names) is not None:
            return ""
        unknown = [name for name in names if name not in self.truth_names]
        if unknown:
            return f"Results are not compared with the true graph, because it lacks {quoted_columns(unknown)}."
        causes = [self.truth_names[i] for i in in_the_way(self.truth, *self._places(names))]
        return (
            f"Results are not compared with the true graph: in it other variables depend on {quoted_columns(causes)}, "
            f"now left out. To compare again, use {'it' if len(causes) == 1 else 'them'} on the Data page."
        )

    def _places(self, names: tuple[str, ...]) -> tuple[list[int], list[int]]:
        """Positions of `names` in the truth, and of those left out that never vary in the table."""
        kept = [self.truth_names.index(name) for name in names]
        known = set(self.table.names) - set(names)
        flat = [
            i for i, name in enumerate(self.truth_names) if name in known and len(self.table.column(name).texts) == 1
        ]
        return kept, flat
