"""Checks of the assumptions of learners: relations of numbers are linear and equal in all rows; no hidden causes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..common.run_warning import RunWarning
from ..common.sentences import NOTHING, Count, Listed, Phrase, Quoted, columns_of, only_if, phrase, say
from ..common.validation import validated
from ..data.dataset import Dataset
from ..data.determination import groups_by_name
from ..data.resampling import rows_in_runs
from ..evaluation.relations import RelationsFound, Violation, check_relations, not_checked, why_unchecked
from ..graphs.graph import PDAG
from ..graphs.pag import ARROW, PAG
from ..registry import learn
from ..results.result import LearnResult, follows_curves
from ..settings.reference import Reference
from .filled_tables import FilledTables, n_groups, seen_rows
from .serial_rows import MAX_SERIAL, SerialRows, serial_rows

if TYPE_CHECKING:
    from .table_signs import TableSigns

# Imported only for a table of numbers
table_signs = Reference("verdict.table_signs", "table_signs")
shows_hidden_factors = Reference("verdict.hidden_causes", "shows_hidden_factors")
suspects_hidden_causes = Reference("verdict.hidden_causes", "suspects_hidden_causes")

MIN_ROWS = 100
MAX_ROWS = 50_000  # maximum number of rows of a table that is checked whole
CHECKED_TABLES = 3  # number of imputed tables of which most must violate an assumption
MIN_COLUMNS = 4
MAX_COLUMNS = 100
MIN_ROWS_PER_COLUMN = 5
NEARLY_DETERMINED = 0.99  # minimum share of the variance of a nearly determined column that the others explain
NEARLY_EQUAL = 0.98  # minimum |correlation| of nearly equal columns
NO_SIGN = phrase("this check fits linear equations to numeric columns")
NO_REASON = Phrase(NOTHING)
ALIKE = phrase("neighbouring rows are alike")  # the warning of `SerialRows` names the columns
MAX_LISTED = 3  # maximum number of pairs in a warning


@dataclass(frozen=True)
class HiddenCauses:
    """Signs of hidden common causes in a table.

    Attributes
    ----------
    kind : "factors" or "causes"
        "factors": groups of columns are correlated as if by one hidden variable each. "causes": other signs together.
    columns : tuple of int
        "factors": columns of these groups. "causes": the ends of edges i <-> j of the best MAG, pair after pair.
    """

    kind: Literal["factors", "causes"]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Assumptions:
    """Result of the checks.

    Attributes
    ----------
    violations : tuple of Violation
        Nonlinear and drifting relations: the strongest one of each child and kind, the most significant first.
    skipped : tuple of RunWarning
        Reasons why a check of relations was not done, as sentences without a capital or a full stop.
    hidden : HiddenCauses, optional
        Signs of hidden common causes.
    unread : Phrase
        Reason why the table was not checked for hidden common causes; empty if it was.
    serial : SerialRows, optional
        Columns in which neighbouring rows are alike.
    follows_curves : bool
        True if the graph comes from a run that follows curves (`results.result.follows_curves`).
    """

    violations: tuple[Violation, ...]
    skipped: tuple[str, ...] = ()
    hidden: HiddenCauses | None = None
    unread: str = NO_REASON
    serial: SerialRows | None = None
    follows_curves: bool = False

    @property
    def change(self) -> int:
        """Number of rows before the clearest change of a relation along the rows; 0 if there is none or unknown."""
        return RelationsFound(self.violations).change

    @property
    def nonlinear(self) -> bool:
        """True if a relation of numbers is nonlinear."""
        return any(one.kind == "nonlinear" for one in self.violations)

    @property
    def holds(self) -> bool:
        """True if no check found a violation."""
        return not self.violations and self.hidden is None and self.serial is None

    @property
    def without_signs(self) -> bool:
        """True if the table was not checked for hidden common causes only because of its categorical columns."""
        return self.unread in (NO_SIGN, _without_numbers(NO_SIGN))

    @property
    def hidden_unchecked(self) -> Phrase:
        """Statement that the table was not checked for hidden common causes, with the reason; empty if it was."""
        if not self.unread:
            return NO_REASON
        return phrase("whether the variables share hidden causes was not checked, because {reason}", reason=self.unread)

    def sentences(self, names: tuple[str, ...]) -> list[RunWarning]:
        """Return a warning for each kind of violation, and the reasons of skipped checks; `names` are the columns."""
        serial = [] if self.serial is None else [self.serial.warning(names)]
        found = RelationsFound(self.violations).sentences(names, curves=self.follows_curves)
        return [*serial, *found, *self._hidden_sentence(names), *self.skipped]

    def _hidden_sentence(self, names: tuple[str, ...]) -> list[RunWarning]:
        if self.hidden is None:
            return []
        columns = [names[j] for j in self.hidden.columns]
        if self.hidden.kind == "factors":
            sentence = say(
                "{columns} are correlated as if by one hidden variable, like items of a questionnaire; arrows between "
                "them need not be causes. Use their sum, or learn with FCI",
                columns=columns_of(columns),
            )
            return [RunWarning("hidden_factors", sentence, columns)]
        pairs = [Quoted(pair) for pair in zip(columns[::2], columns[1::2], strict=True)]
        left = len(pairs) - MAX_LISTED
        most = say(
            ". Pairs most affected: {pairs}{more}",
            pairs=Listed(pairs[:MAX_LISTED], "; "),
            more=only_if(left > 0, say(" and {pairs}", pairs=Count(left, "more pair"))),
        )
        sentence = say(
            "there are signs of hidden common causes. Then an arrow a → b says at most that b does not cause a. "
            "Learn with FCI, which leaves open what they can explain{most}",
            most=only_if(pairs, most),
        )
        return [RunWarning("hidden_causes", sentence, tuple(dict.fromkeys(columns)))]


@validated
def check_assumptions(dataset: Dataset, result: LearnResult | None = None) -> Assumptions:
    """Check whether relations of numeric columns are linear and equal in all rows, and look for hidden common causes.

    The checks have an order, and a later one is reported only if the earlier ones found nothing: dependence of
    neighbouring rows, drifting and nonlinear relations, copies, hidden factors, columns that others determine, other
    hidden common causes. About one in 20 tables that violate nothing gets a warning.

    Relations: each numeric column is regressed on its parents in a DAG of the graph. The residual is compared with
    squares of its non-descendants, cubes and products of its parents by a score test that allows for unequal
    variances, and its running sum, and that of its product with each parent, with a Brownian bridge. Curves between
    columns that determine one another are left out (`data.determination`): they are formulas.

    Hidden factors: four columns all of whose correlations one hidden variable explains, so that the three tetrads
    vanish. Hidden common causes: a logistic regression on the gain of the best MAG over the best DAG, the edges of that
    MAG with two arrowheads, the share of strong edges that a set nearly separates, and the smallest p-value of an
    independence that the DAG implies. Its coefficients come from simulated tables (`benchmarks/hidden_causes.py`).
    Both fit linear equations, so they need tables of numbers.

    Dependence of neighbouring rows: autocorrelation of numbers, runs of equal levels (`serial_rows`). A table without
    numbers is checked for this alone.

    Each relation is checked in the rows that have all its columns. With missing cells, it must also be found in most of
    three tables whose missing cells are drawn given the others in their row (`completion.imputed_tables`). Signs of
    hidden causes must be found in most of three such tables, too, which have no more rows than each pair of columns is
    observed in. Of dependent rows in groups (`Dataset.with_groups`), the sums over each group take the place of rows,
    and such signs come from one row a group.

    Parameters
    ----------
    dataset : Dataset
        A table of more than 50,000 rows is checked in 25 evenly spaced runs of
        2,000 neighbouring rows.
    result : LearnResult, optional
        A run on the data; its graph gives the parents for the checks of relations. Default: a run of BOSS.

    Returns
    -------
    Assumptions
        Its columns are those of the result, or of the data set without one. p-values of relations are multiplied by the
        number of terms of a check (Bonferroni); those below 0.015 are violations.

    References
    ----------
    White (1980), A heteroskedasticity-consistent covariance matrix estimator. Econometrica 48. Brown, Durbin and Evans
    (1975), Techniques for testing the constancy of regression relationships over time. JRSS B 37. Silva, Scheines,
    Glymour and Spirtes (2006), Learning the structure of linear latent variable models. JMLR 7.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import Dataset, check_assumptions
    >>> x = np.random.default_rng(0).standard_normal((500, 2))
    >>> data = Dataset.from_values(np.column_stack([x[:, 0], x[:, 0] ** 2 + x[:, 1]]), ["x", "y"])
    >>> [one.kind for one in check_assumptions(data).violations]
    ['nonlinear']
    """
    if result is not None:
        dataset = dataset.reordered([dataset.index(name) for name in result.names])
    if "continuous" not in dataset.kinds:
        serial = serial_rows(_some_rows(dataset))
        reason = why_unread(dataset) or (NO_SIGN if serial is None else ALIKE)
        return Assumptions((), unread=_without_numbers(reason), serial=serial)
    given = None if result is None or isinstance(result.graph, PAG) else result.graph
    if given is None and dataset.p < 2:
        return Assumptions((), unread=phrase("a single column has no relations"))
    whole, dataset = dataset, _some_rows(dataset)
    if serial := serial_rows(dataset):
        return Assumptions((), (not_checked(ALIKE.sentence),), unread=ALIKE, serial=serial)
    best = learn("boss", dataset) if given is None and not why_unchecked(dataset) else None
    filled, curves = FilledTables(dataset), result is not None and follows_curves(result)
    relations = _relations(dataset, filled, given or (PDAG.empty(dataset.p) if best is None else best.graph))
    relations = _without_formulas(relations, dataset)
    if dataset is not whole:
        relations = _in_all_rows(relations, whole.n_rows)
    if reason := why_unread(dataset):
        return Assumptions(relations.violations, relations.skipped, unread=reason, follows_curves=curves)
    if relations.violations:
        bent = relations.violations[0].kind == "nonlinear"
        reason = phrase("relations seem nonlinear" if bent else "relations change along the rows")
        return Assumptions(relations.violations, relations.skipped, unread=reason, follows_curves=curves)
    if dataset.kind != "continuous":
        return Assumptions((), relations.skipped, unread=NO_SIGN)
    rows = filled.as_seen(0)
    hidden, reason = _signs_of(rows, best if rows is dataset else None)
    if hidden is not None and not dataset.complete:
        tables = [filled.as_seen(t) for t in range(1, min(len(filled), CHECKED_TABLES))]
        kinds = [hidden.kind, *(other.kind for other, _ in map(_signs_of, tables) if other is not None)]
        if kinds.count(hidden.kind) <= (1 + len(tables)) / 2:
            hidden = None
    return Assumptions((), relations.skipped, hidden, reason)


def _signs_of(rows: Dataset, best: LearnResult | None = None) -> tuple[HiddenCauses | None, Phrase]:
    """Look for signs of hidden common causes in a table without missing cells, whose best DAG may be known."""
    if best is None:
        best = learn("boss", rows)
    return hidden_causes(table_signs(rows, best.extra.dag), rows)


def _relations(dataset: Dataset, filled: FilledTables, graph: PDAG) -> RelationsFound:
    """Check the relations; with missing cells, return only violations that most of three imputed tables have, too.

    Rows with both cells of a pair are selected, which can bend a linear relation. Cells drawn from normal distributions
    bend linear relations of other distributions. Both together rarely do.
    """
    found = check_relations(dataset, graph)
    if dataset.complete or not found.violations:
        return found
    tables = [check_relations(filled.whole(t), graph) for t in range(min(len(filled), CHECKED_TABLES))]
    times = Counter((one.kind, one.child) for table in tables for one in table.violations)
    often = [one for one in found.violations if times[one.kind, one.child] > len(tables) / 2]
    return RelationsFound(tuple(often), found.skipped)


def _without_formulas(found: RelationsFound, dataset: Dataset) -> RelationsFound:
    """Return the relations without the curves of columns that determine one another, such as BMI, weight and height.

    Such a curve is the formula of the group. Another type or other units of a column would not remove it.
    """
    if not any(one.kind == "nonlinear" for one in found.violations):
        return found
    groups = [{group.target, *group.by} for group in groups_by_name(dataset)]
    kept = [
        one
        for one in found.violations
        if one.kind != "nonlinear" or not any({one.child, one.other} <= group for group in groups)
    ]
    return replace(found, violations=tuple(kept))


def _in_all_rows(found: RelationsFound, n_rows: int) -> RelationsFound:
    """Return what was found in some rows of a large table, with changes counted in all of its rows."""
    rows = rows_in_runs(n_rows, MAX_ROWS)
    violations = [replace(one, change=int(rows[one.change - 1]) + 1 if one.change else 0) for one in found.violations]
    return replace(found, violations=tuple(violations))


def _some_rows(dataset: Dataset) -> Dataset:
    """Return the rows that are checked: runs of neighbouring rows of a large table."""
    return dataset if dataset.n_rows <= MAX_ROWS else dataset.take(rows_in_runs(dataset.n_rows, MAX_ROWS))


def alike(names: Sequence[str]) -> Phrase:
    """Return the statement that neighbouring rows are alike in columns, without a capital or a full stop."""
    return phrase("neighbouring rows are alike in {columns}", columns=columns_of(names))


def _without_numbers(reason: Phrase) -> Phrase:
    """Return a reason extended by the checks that a table without numeric columns cannot have."""
    return phrase(
        "{reason}. Drift and linearity are checked in numeric columns only, and this table has none",
        reason=reason,
    )


def why_unread(dataset: Dataset) -> Phrase:
    """Return the reason why a table cannot be checked for hidden common causes; empty if it can."""
    if dataset.surveyed:
        return phrase("the rows have weights or depend on one another")
    if not MIN_COLUMNS <= dataset.p <= MAX_COLUMNS:
        return phrase("it takes from {a} to {b} columns, found {n}", a=MIN_COLUMNS, b=MAX_COLUMNS, n=dataset.p)
    seen, needed = seen_rows(dataset).n, _needed_rows(dataset)
    if seen < needed:
        if dataset.groups is not None and n_groups(dataset) < needed:
            return phrase("only {groups} of {n} needed have rows", groups=Count(n_groups(dataset), "group"), n=needed)
        template = "only {rows} of {n} needed have all cells"
        if not dataset.complete:
            template = "only {rows} of {n} needed have both cells of each pair"
        return phrase(template, rows=Count(seen, "row"), n=needed)
    constant = [name for j, name in enumerate(dataset.names) if _is_constant(dataset, j)]
    if not constant:
        return NO_REASON
    template = "{columns} never varies" if len(constant) == 1 else "{columns} never vary"
    return phrase(template, columns=columns_of(constant))


def _needed_rows(dataset: Dataset) -> int:
    return max(MIN_ROWS, MIN_ROWS_PER_COLUMN * dataset.p)


def _is_constant(dataset: Dataset, j: int) -> bool:
    cells = _present(dataset, j)
    return bool((cells == cells[0]).all())


def _present(dataset: Dataset, j: int) -> np.ndarray:
    """Return the numbers or codes of a column in the rows that have them."""
    k = dataset.place[j]
    cells = dataset.values[:, k] if dataset.kinds[j] == "continuous" else dataset.codes[k]
    return cells[dataset.is_there(j)]


def complete_rows(dataset: Dataset) -> Dataset:
    """Return the rows without missing cells."""
    if dataset.complete:
        return dataset
    there = np.logical_and.reduce([dataset.is_there(j) for j in range(dataset.p)])
    return dataset if there.all() else dataset.take(np.flatnonzero(there))


def hidden_causes(signs: TableSigns, rows: Dataset) -> tuple[HiddenCauses | None, Phrase]:
    """Return the signs of hidden common causes, or the reason why they were not evaluated."""
    if signs.correlated > NEARLY_EQUAL:
        return None, phrase(
            "{column} nearly equals another column", column=Quoted([rows.names[signs.correlated_column]])
        )
    if signs.serial > MAX_SERIAL:
        return None, alike([rows.names[signs.serial_column]])
    if shows_hidden_factors(signs, rows.p):
        return HiddenCauses("factors", tuple(np.unique(signs.quartets).tolist())), NO_REASON
    if signs.determined > NEARLY_DETERMINED:
        determined = Quoted([rows.names[signs.determined_column]])
        return None, phrase("{column} is nearly determined by other columns", column=determined)
    if not suspects_hidden_causes(signs, rows.n, rows.p):
        return None, NO_REASON
    marks = signs.mag.marks
    pairs = np.argwhere(np.triu((marks == ARROW) & (marks.T == ARROW)))
    return HiddenCauses("causes", tuple(pairs.ravel().tolist())), NO_REASON
