"""Checks of the assumptions of learners on numeric columns: linear relations that are the same in all rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

import numpy as np

from ..common.run_warning import RunWarning
from ..common.sentences import NOTHING, Count, Listed, Phrase, Quoted, Sentence, columns_of, only_if, phrase, say
from ..common.serial_products import residuals_of
from ..data.dataset import Dataset
from ..data.embedding import embedded_columns, standardized_cells, widths
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG, ancestors

# Significance level of each of the two checks; with the checks for hidden causes, about one clean table in 20 gets a
# warning.
LEVEL = 0.015
MIN_ROWS = 100
MIN_GROUPS = 30  # minimum number of groups of rows, of which sums are independent
ROWS_PER_TERM = 10.0  # minimum number of rows per term of a regression
MAX_COLUMNS = 100  # maximum number of embedded columns
MAX_WORK = 4e7  # maximum number of rows times squared columns, about 2 s; longer tables are thinned evenly
MAX_PRODUCTS = 10  # maximum number of parents whose products are tested
MAX_LISTED = 3  # maximum number of relations in a warning
SORTED = 0.9  # minimum rank correlation of a column with the row position for rows to count as sorted by the column


@dataclass(frozen=True)
class Violation:
    """A relation that violates an assumption.

    Attributes
    ----------
    kind : "nonlinear" or "drifting"
        "nonlinear": the residual of `child` given its parents depends on squares, cubes or products of other columns.
        "drifting": the residual, or its relation to `other`, changes along the rows.
    child : int
    other : int
        The column of the strongest term; `child` itself if the level of its residual drifts.
    log_p : float
        ln of the p-value, times the number of terms of the check, at most 0.
    change : int, default 0
        Of a drifting relation: the number of rows before the clearest change. 0 if it is unknown, because rows form
        groups.
    """

    kind: Literal["nonlinear", "drifting"]
    child: int
    other: int
    log_p: float
    change: int = 0


@dataclass(frozen=True)
class RelationsFound:
    """Result of the checks of relations.

    Attributes
    ----------
    violations : tuple of Violation
        The strongest violation of each child and kind, the most significant first.
    skipped : tuple of RunWarning
        Reasons why a check was not done, as sentences without a capital or a full stop.
    """

    violations: tuple[Violation, ...]
    skipped: tuple[RunWarning, ...] = ()

    def sentences(self, names: tuple[str, ...], *, curves: bool = False) -> list[RunWarning]:
        """Return a warning for each kind of violation.

        `names` are those of the data, and `curves` is True if the graph comes from a run that follows curves.
        """
        found = []
        for kind in ("nonlinear", "drifting"):
            own = [[names[j] for j in sorted({one.other, one.child})] for one in self.violations if one.kind == kind]
            if own:
                sentence = _sentence(kind, own, curves=curves, change=self.change)
                found.append(RunWarning(kind, sentence, tuple(dict.fromkeys(chain(*own)))))
        return found

    @property
    def change(self) -> int:
        """Number of rows before the clearest change of the most significant drifting relation; 0 if unknown."""
        return next((one.change for one in self.violations if one.kind == "drifting"), 0)


def _sentence(
    kind: Literal["nonlinear", "drifting"], relations: list[list[str]], *, curves: bool, change: int
) -> Sentence:
    """Return the warning on relations, each given by the names of its columns."""
    left = len(relations) - MAX_LISTED
    values = {
        "relations": Listed([Quoted(names) for names in relations[:MAX_LISTED]], "; "),
        "more": only_if(left > 0, say(" and {relations}", relations=Count(left, "more relation"))),
    }
    if kind == "nonlinear" and curves:
        return say(
            "relations of {relations}{more} seem nonlinear. The basis functions of this run follow curves, but "
            "effects, fitted networks and the reliability of arrows assume linear relations",
            **values,
        )
    if kind == "nonlinear":
        return say(
            "relations of {relations}{more} seem nonlinear. Learners assume linear relations between numeric columns, "
            "so edges may be missing or wrong there. Use bins for these columns, or learn with basis functions. "
            "Strongly skewed noise can be the reason, too; then normal scores help",
            **values,
        )
    return say(
        "relations of {relations}{more} change along the rows of the table{change}. Learners assume the same relations "
        "in all rows. Learn from parts of the table, and compare",
        change=only_if(change > 0, say(", most clearly after row {n} of those used", n=change)),
        **values,
    )


def not_checked(reason: Sentence) -> RunWarning:
    """Return the statement that linearity was not checked, with its reason."""
    return RunWarning("unchecked", say("linearity was not checked, because {reason}", reason=reason))


def check_relations(dataset: Dataset, graph: PDAG) -> RelationsFound:
    """Check whether the relations between numeric columns are linear, and the same in all rows.

    Each numeric column is regressed on its parents in a DAG of the graph. The residual is compared with squares of
    its non-descendants, cubes and products of its parents by a score test that allows for unequal variances, and its
    running sum, and that of its product with each parent, with a Brownian bridge. Where the graph leaves an edge
    undirected, both directions must contradict a linear relation with homoscedastic noise, and one of them linearity
    itself: without normal noise, a linear relation looks nonlinear against its direction.

    Parameters
    ----------
    dataset : Dataset
        Each relation is checked in the rows that have all its columns; one with fewer than 100 is not checked. Long
        tables are thinned to evenly spaced rows.
    graph : PDAG
        Over the columns.

    Returns
    -------
    RelationsFound
        p-values are multiplied by the number of terms of a check (Bonferroni); those below 0.015 are violations.

    References
    ----------
    White (1980), A heteroskedasticity-consistent covariance matrix estimator. Econometrica 48. Brown, Durbin and Evans
    (1975), Techniques for testing the constancy of regression relationships over time. JRSS B 37.
    """
    numbers = [j for j, kind in enumerate(dataset.kinds) if kind == "continuous"]
    if not numbers or dataset.p < 2:
        return RelationsFound(())
    if len(numbers) < 2:
        return RelationsFound(
            (), (not_checked(say("only {columns} is numeric", columns=columns_of([dataset.names[numbers[0]]]))),)
        )
    if reason := why_unchecked(dataset):
        return RelationsFound((), (not_checked(reason.sentence),))
    step = math.ceil(dataset.n_rows * sum(widths(dataset)) ** 2 / MAX_WORK) or 1
    rows = dataset if step == 1 else dataset.take(np.arange(dataset.n_rows)[::step])
    if rows.groups is not None and (n_groups := len(np.unique(rows.groups))) < MIN_GROUPS:
        return RelationsFound((), (not_checked(say("there are only {n} groups of rows", n=n_groups)),))
    extension = consistent_extension(graph)
    if not extension.valid:
        # An undirected graph has a DAG without v-structures only if it is chordal.
        reason = say("no DAG fits the graph") if graph.directed_edges() else say("the graph has no directions")
        return RelationsFound((), (not_checked(reason),))
    relations = _Relations(rows, graph, extension.dag, numbers, step)
    if relations.most_rows < MIN_ROWS:
        return RelationsFound((), (not_checked(_few(relations.most_rows)),))
    skipped = relations.unchecked(dataset.names)
    sorted_by = next((dataset.names[j] for j in relations.numbers if relations.orders_the_rows(j)), None)
    found = relations.nonlinear()
    if sorted_by is None:
        return RelationsFound(_strongest([*found, *relations.drifting()]), skipped)
    in_order = say(
        "changes along the rows were not checked, because the rows are sorted by {columns}", columns=Quoted([sorted_by])
    )
    return RelationsFound(_strongest(found), (*skipped, RunWarning("unchecked", in_order, [sorted_by])))


def why_unchecked(dataset: Dataset) -> Phrase:
    """Return the reason why the relations of a table are not checked, whatever its graph; empty if they are checked."""
    if dataset.surveyed:
        return phrase("the rows have weights or depend on one another")
    if (columns := sum(widths(dataset))) > MAX_COLUMNS:
        return phrase(
            "it takes at most {n} columns, counting each level but one as a column; found {m}", n=MAX_COLUMNS, m=columns
        )
    return Phrase(NOTHING)


def _few(rows: int) -> Sentence:
    return say(
        "only {rows} all cells of a relation, and {n} are needed", rows=Count(rows, "row has", "rows have"), n=MIN_ROWS
    )


def by_first_row(groups: np.ndarray) -> np.ndarray:
    """Return (n,) int64: groups numbered from 0 in the order of their first rows."""
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[group]


class _Relations:
    """Regressions of the numeric columns on their parents, each in the rows that have all its columns."""

    def __init__(self, rows: Dataset, graph: PDAG, dag: PDAG, numbers: list[int], step: int) -> None:
        self.graph, self.dag, self.step = graph, dag, step  # `rows` has every `step`-th row of the data
        self.groups = None if rows.groups is None else by_first_row(rows.groups)
        self.later = ancestors(self.dag)  # [y, x]: x is a descendant of y
        self.cells, self.first = standardized_cells(rows).T, embedded_columns(rows)[1]
        self.there = np.column_stack([rows.is_there(j) for j in range(rows.p)])
        # Constant variables have no embedded column.
        self.numbers = [j for j in numbers if self.first[j + 1] > self.first[j]]

    @property
    def most_rows(self) -> int:
        """Number of rows that have a numeric column and all its parents, for the column with the most such rows."""
        return max((int(self._rows(y).sum()) for y in self.numbers), default=0)

    def unchecked(self, names: Sequence[str]) -> tuple[RunWarning, ...]:
        """Return a statement on the columns whose relations have too few rows to be checked, if there are any."""
        columns = [names[y] for y in self.numbers if self._too_few(self._rows(y), self._parents(y))]
        if not columns:
            return ()
        statement = say(
            "relations of {columns} to their parents were not checked, because too few rows have all their cells",
            columns=columns_of(columns),
        )
        return (RunWarning("unchecked", statement, columns),)

    def nonlinear(self) -> list[Violation]:
        """Return the terms of the first check that are below its level."""
        z = self._curvature()
        n = int(np.isfinite(z).sum())
        return self._violations(
            "nonlinear", np.nan_to_num(z), lambda value: _log_two_sided(value) + math.log(max(n, 1))
        )

    def drifting(self) -> list[Violation]:
        """Return the terms of the second check that are below its level."""
        p = len(self.graph.amat)
        sup, changes, n = np.zeros((p, p)), np.zeros((p, p), dtype=np.int64), 0
        for y in self.numbers:
            parents = self._parents(y)
            regression = self._regression(y, parents)
            if regression is None:
                continue
            for x in [y, *(x for x in parents if x in self.numbers)]:
                residual = regression.residual
                terms = residual if x == y else residual * regression.values(x)
                (sup[x, y], last), n = _bridge(regression.of_groups(terms)), n + 1
                if self.groups is None:
                    changes[x, y] = np.flatnonzero(self._rows(y))[last] * self.step + 1
        found = self._violations("drifting", sup, lambda value: _log_bridge(value) + math.log(max(n, 1)))
        return [replace(one, change=int(changes[one.other, one.child])) for one in found]

    def orders_the_rows(self, j: int) -> bool:
        """Return True if the rows are nearly in the order of a column."""
        return _is_sorted(self.cells[self.there[:, j], self.first[j]])

    def _violations(self, kind: str, statistic: np.ndarray, log_p: Callable[[float], float]) -> list[Violation]:
        found = []
        for x, y in np.argwhere(statistic > 1.0).tolist():
            value = min(0.0, log_p(statistic[x, y]))
            if value < math.log(LEVEL):
                found.append(Violation(kind, y, x, value))
        return found

    def _curvature(self) -> np.ndarray:
        """Return (p, p) largest |z| of a nonlinear term of x in the residual of y; NaN where none was tested."""
        p = len(self.graph.amat)
        z = np.full((p, p), np.nan)
        for y in self.numbers:
            parents = self._parents(y)
            tried = [x for x in self.numbers if x != y and not self.later[y, x]]
            self._record(z, y, parents, tried)
        both = self.graph.amat & self.graph.amat.T
        for x, y in np.argwhere(both & self.dag.amat).tolist():
            if x in self.numbers and y in self.numbers:
                other = np.full((p, p), np.nan)
                self._record(other, x, [*self._parents(x), y], [y])
                forward, backward = z[x, y], other[y, x]
                if not np.isfinite([forward, backward]).all():  # too few rows for one of the directions
                    z[x, y] = np.nan
                    continue
                uneven = self._unevenness(x, y, self._parents(y)), self._unevenness(y, x, [*self._parents(x), y])
                z[x, y] = min(max(forward, backward), max(forward, uneven[0]), max(backward, uneven[1]))
        return z

    def _unevenness(self, x: int, y: int, parents: list[int]) -> float:
        """Return the largest |z| of x and its square in the squared residual of y."""
        regression = self._regression(y, parents)
        if regression is None:
            return math.inf
        spread = regression.residual**2 - np.mean(regression.residual**2)
        values = regression.values(x)
        return float(np.max(regression.robust_z(spread, np.column_stack([values, values**2 - 1.0]))))

    def _record(self, z: np.ndarray, y: int, parents: list[int], tried: list[int]) -> None:
        """Enter the largest |z| of squares of `tried`, and of cubes and products of parents, in the residual of y."""
        for together in self._observed_alike([y, *parents], tried):
            regression = self._regression(y, parents, together[:1])
            if regression is not None:
                self._record_terms(z, y, regression, [x for x in parents if x in self.numbers], together)

    def _record_terms(
        self, z: np.ndarray, y: int, regression: _Regression, parents: list[int], tried: list[int]
    ) -> None:
        values = {x: regression.values(x) for x in {*parents, *tried}}
        terms = [(x, values[x] ** 2) for x in tried]
        terms += [(x, values[x] * values[x] ** 2) for x in tried if x in parents]
        if len(parents) <= MAX_PRODUCTS:
            terms += [(a, values[a] * values[b]) for k, a in enumerate(parents) if a in tried for b in parents[:k]]
        columns = np.column_stack([column for _, column in terms])
        found = regression.robust_z(regression.residual, regression.without_parents(columns))
        for (x, _), value in zip(terms, found.tolist(), strict=True):
            z[x, y] = np.fmax(z[x, y], value)

    def _observed_alike(self, needed: list[int], tried: list[int]) -> list[list[int]]:
        """Return lists of columns observed in the same rows among those that have all `needed` columns."""
        there = self.there[self.there[:, needed].all(axis=1)]
        alike: dict[bytes, list[int]] = {}
        for x in tried:
            alike.setdefault(there[:, x].tobytes(), []).append(x)
        return list(alike.values())

    def _parents(self, y: int) -> list[int]:
        return list(self.dag.parents(y))

    def _rows(self, y: int) -> np.ndarray:
        """Return (n,) bool: the rows that have a column and all its parents."""
        return self.there[:, [y, *self._parents(y)]].all(axis=1)

    def _too_few(self, rows: np.ndarray, parents: list[int]) -> bool:
        """Return True if so few rows are selected that a column is not regressed on its parents."""
        terms = 1 + sum(int(self.first[x + 1] - self.first[x]) for x in parents)
        return int(rows.sum()) < max(MIN_ROWS, ROWS_PER_TERM * terms)

    def _regression(self, y: int, parents: list[int], others: Sequence[int] = ()) -> _Regression | None:
        """Return the regression of y in the rows that also have `others`; None if the rows are too few."""
        rows = self.there[:, [y, *parents, *others]].all(axis=1)
        if self._too_few(rows, parents):
            return None
        cells = self.cells if rows.all() else self.cells[rows]
        columns = [np.ones((len(cells), 1)), *(cells[:, self.first[x] : self.first[x + 1]] for x in parents)]
        joined = np.hstack(columns)
        groups = None if self.groups is None else self.groups[rows]
        return _Regression(y, np.linalg.qr(joined)[0], cells, self.first, groups)


class _Regression:
    """The regression of a column on others in some rows.

    Parameters
    ----------
    y : int
        The column.
    basis : (n, k) float64 array
        Orthonormal columns that span 1 and the parents.
    cells : (n, q) float64 array
        Embedded columns in these rows.
    first : (p + 1,) int64 array
        First embedded column of each variable.
    groups : (n,) int64 array or None
        Group of each row, numbered in the order of first rows.
    """

    def __init__(self, y: int, basis: np.ndarray, cells: np.ndarray, first: np.ndarray, groups: np.ndarray | None):
        self._basis, self._cells, self._first, self._groups = basis, cells, first, groups
        self.residual = self.without_parents(self.values(y))

    def values(self, j: int) -> np.ndarray:
        """Return the standardized numbers of a column, (n,) float64."""
        return self._cells[:, self._first[j]]

    def without_parents(self, columns: np.ndarray) -> np.ndarray:
        """Return the residuals of (n,) or (n, k) columns after regression on the parents."""
        return residuals_of(columns, self._basis)

    def robust_z(self, residual: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return |z| of the covariances of residuals with (n, k) columns, robust to unequal variances and groups."""
        terms = self.of_groups(residual[:, None] * columns)
        return np.abs(terms.sum(axis=0)) / np.maximum(np.sqrt((terms**2).sum(axis=0)), np.finfo(float).tiny)

    def of_groups(self, terms: np.ndarray) -> np.ndarray:
        """Return the sums of terms over each group, in the order of first rows; the terms if there are no groups."""
        if self._groups is None:
            return terms
        found = np.zeros((int(self._groups.max()) + 1, *terms.shape[1:]))
        np.add.at(found, self._groups, terms)
        return found


def _strongest(found: list[Violation]) -> tuple[Violation, ...]:
    """Return the most significant violation of each child and kind, the most significant first."""
    clearest: dict[tuple[str, int], Violation] = {}
    for one in sorted(found, key=lambda one: (one.log_p, one.child, one.other)):
        clearest.setdefault((one.kind, one.child), one)
    return tuple(clearest.values())


def _bridge(terms: np.ndarray) -> tuple[float, int]:
    """Return the largest absolute value of the scaled running sum of terms around their mean, and its place."""
    centred = terms - terms.mean()
    spread = float(centred.std())
    if spread == 0.0:
        return 0.0, 0
    sums = np.abs(np.cumsum(centred))
    last = int(np.argmax(sums))
    return float(sums[last] / (spread * math.sqrt(len(terms)))), last


def _log_bridge(value: float) -> float:
    """Return ln of the probability that a Brownian bridge exceeds a value (Kolmogorov)."""
    if value < 0.5:
        return 0.0
    return min(0.0, math.log(2.0) - 2.0 * value**2)  # the first term is enough in the tail


def _log_two_sided(z: float) -> float:
    """Return ln of the two-sided p-value of a normal statistic."""
    if z < 25.0:
        return math.log(math.erfc(z / math.sqrt(2.0)))
    return -z * z / 2 - math.log(z * math.sqrt(math.pi / 2))  # the tail, which erfc rounds to 0


def _is_sorted(values: np.ndarray) -> bool:
    """Return True if the rows are nearly in the order of a column."""
    ranks = np.unique(values, return_inverse=True)[1]
    return bool(ranks.any()) and abs(np.corrcoef(ranks, np.arange(len(ranks)))[0, 1]) > SORTED
