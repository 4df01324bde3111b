"""Find columns that name groups of rows, such as subjects of repeated measures, and rows that are not independent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...common.sentences import Count, Quoted, columns_of, only_if, paragraph, phrase, say
from ..column_types.cells import Cells
from ..dataset import Dataset
from ..plan.plan import ColumnPlan, Plan
from .finding import Finding, Fix, leave_out, warning
from .inspection import Inspection
from .name_hints import ORDER_WORDS, has_word, names_groups, names_keys
from .registry import check
from .sample_size import MIN_ROWS

MIN_GROUPS = 10  # minimum number of groups; a column with fewer values is an ordinary variable
MIN_GROUP_ROWS = 1.5  # minimum mean number of rows per group
DENSE = 100  # maximum range of codes as a multiple of their number; the range of amounts is larger
MANY_ROWS = 20  # minimum mean number of rows per level of text that is a variable
MAX_COMPARED = 50  # maximum number of columns that are compared with the groups
MIN_SIMILARITY = 0.1  # intraclass correlation from which a column shows that rows of a group are alike
TOO_SMALL = say("Tests and scores assume independent rows, so p-values will be too small.")


@dataclass(frozen=True)
class Groups:
    """A column that names groups of rows.

    Attributes
    ----------
    name : str
    codes : (n,) int array
        The group of each row.
    n_groups : int
    constant : tuple of str
        Columns that are constant within all groups, although they vary.
    measures : bool
        True if the column is also a variable: amounts whose blocks of rows are in no order, or levels with many rows
        each in a column that only its name shows to be groups.
    """

    name: str
    codes: np.ndarray
    n_groups: int
    constant: tuple[str, ...]
    measures: bool = False


@check("groups", needs_rows=True)
def groups(inspection: Inspection) -> list[Finding]:
    """Return a warning for used columns that name groups of rows."""
    used = inspection.plan.used
    found = [
        one for one in inspection.once(groups_of_rows) if not one.measures and inspection.plan.column(one.name) in used
    ]
    if not found:
        return []
    names = [one.name for one in found]
    first = found[0]
    named = say(
        "{columns} names groups of rows, such as subjects: {groups} of about {rows} rows in {first}."
        if len(names) == 1
        else "{columns} name groups of rows, such as subjects: {groups} of about {rows} rows in {first}.",
        columns=columns_of(names),
        groups=Count(first.n_groups, "group"),
        rows=f"{len(first.codes) / first.n_groups:.1f}".removesuffix(".0"),
        first=Quoted([first.name]),
    )
    constant = say(
        "{columns} is constant within them." if len(first.constant) == 1 else "{columns} are constant within them.",
        columns=Quoted(first.constant),
    )
    reason = paragraph(named, only_if(first.constant, constant))
    return [warning("group_id", names, reason, leave_out(inspection.plan, names))]


@check("repeated_measures", needs_rows=True)
def repeated_measures(inspection: Inspection) -> list[Finding]:
    """Return a warning if rows of one group are alike, with the number of independent rows that they are worth."""
    plan, found = inspection.plan, inspection.once(groups_of_rows)
    if plan.one_row_per or plan.independence < 1.0 or not found:
        return []
    dataset = inspection.all_rows
    if dataset.n_rows != inspection.table.n:
        return []
    named = {one.name for one in found}
    best: tuple[float, Groups, list[str]] | None = None
    for one in found:
        alike = {
            name: similarity(dataset, j, one.codes, one.n_groups)
            for j, name in enumerate(dataset.names[:MAX_COMPARED])
            if name not in named
        }
        names = sorted((name for name in alike if alike[name] >= MIN_SIMILARITY), key=lambda name: -alike[name])
        if len(names) < 2:
            continue
        rows = effective_rows(one, alike[names[0]] * alike[names[1]])
        if best is None or rows < best[0]:
            best = rows, one, names
    if best is None:
        return []
    rows, one, names = best
    name = Quoted([one.name])
    reason = paragraph(
        say("rows with the same {group} are alike in {columns}.", group=name, columns=columns_of(names)),
        TOO_SMALL,
        say(
            "The {n} rows of {groups} are worth about {rows} for {pair}.",
            n=len(one.codes),
            groups=Count(one.n_groups, "group"),
            rows=Count(round(rows), "independent row"),
            pair=Quoted(names[:2]),
        ),
    )
    fixes = [Fix(phrase("use one row for each {group}", group=name), plan.with_one_row_per(one.name))]
    worth = worth_of(plan, rows, len(one.codes))
    fixes = [*(fixes if one.n_groups >= MIN_ROWS else []), *worth]
    if plan.resample_by != one.name:
        fixes.append(Fix(phrase("resample by {group} in bootstraps", group=name), plan.with_resample_by(one.name)))
    return [warning("repeated_measures", names, reason, *fixes)]


def worth_of(plan: Plan, rows: float, n: int) -> list[Fix]:
    """Return the fix that counts n dependent rows as fewer independent ones, if these are enough to learn from."""
    if round(rows) < MIN_ROWS or round(rows) >= n:
        return []
    label = phrase("count the {n} rows as {rows} independent ones", n=n, rows=round(rows))
    return [Fix(label, plan.with_independence(rows / n))]


def groups_of_rows(inspection: Inspection) -> list[Groups]:
    """Return the columns of the table, used or not, that name groups of rows.

    Such a column has many values of few rows each, whole numbers or text. Its rows are in blocks, and another column is
    constant within the blocks; or its name suggests it. Constant columns with blocks of their own, such as age bands of
    rows sorted by age, do not count.
    """
    table, found = inspection.table, []
    sizes = {}
    for guess in table.guess.columns:
        column = inspection.plan.column(guess.name)
        cells = column.raw(table)
        if _may_name_groups(guess.name, cells, column, table.n):
            sizes[guess.name] = cells
    for name, cells in sizes.items():
        values = cells.codes
        n_groups = len(cells.texts)
        blocks = _is_in_blocks(values)
        is_named = names_groups(name) or names_keys(name)
        if not (is_named or blocks) or (has_word(name, ORDER_WORDS) and not is_named):
            continue
        constant = tuple(
            other
            for other, others in list(zip(table.names, table.cells, strict=True))[:MAX_COMPARED]
            if other != name and 1 < len(others.texts) < n_groups and _is_constant_within(values, n_groups, others)
        )
        scattered = [other for other in constant if not _is_in_blocks(table.column(other).codes)]
        if is_named or (scattered and np.isnan(cells.numbers).all()) or len(scattered) >= 2:
            is_text = bool(np.isnan(cells.numbers).all())
            numbers = cells.numbers[values]
            steps = np.diff(numbers)
            ordered = is_text or (steps >= 0).all() or (steps <= 0).all() or np.ptp(numbers) < DENSE * n_groups
            learnable = is_text and not constant and len(values) >= MANY_ROWS * n_groups
            measures = bool(learnable if is_named else not ordered)
            found.append(Groups(name, values.astype(np.int64), n_groups, constant, measures))
    return found


def similarity(dataset: Dataset, j: int, codes: np.ndarray, n_groups: int) -> float:
    """Return the intraclass correlation of a column; for a categorical column, that of its most frequent level."""
    if dataset.kinds[j] == "continuous":
        values = dataset.values[:, dataset.place[j]]
    else:
        own = dataset.codes[dataset.place[j]]
        values = (
            np.where(own < 0, np.nan, own == np.bincount(own[own >= 0]).argmax()) if (own >= 0).any() else own * 1.0
        )
    known = np.isfinite(values)
    values, codes = values[known], codes[known]
    sizes = np.bincount(codes, minlength=n_groups)
    n, k = len(values), int(np.count_nonzero(sizes))
    if n <= k or k < 2 or np.ptp(values) == 0:
        return 0.0
    values = values - values.mean()
    means = np.bincount(codes, weights=values, minlength=n_groups) / np.maximum(sizes, 1)
    between = float((sizes * means**2).sum()) / (k - 1)
    within = float(((values - means[codes]) ** 2).sum()) / (n - k)
    size = (n - float((sizes.astype(float) ** 2).sum()) / n) / (k - 1)
    total = between + (size - 1) * within
    return max(0.0, (between - within) / total) if total > 0 else 0.0


def effective_rows(one: Groups, product: float) -> float:
    """Return the number of independent rows with the information of the groups on a correlation (Moulton 1986).

    Parameters
    ----------
    one : Groups
    product : float
        Product of the intraclass correlations of the two columns.
    """
    sizes = np.bincount(one.codes).astype(float)
    n = sizes.sum()
    return float(n / (1 + ((sizes**2).sum() / n - 1) * product))


def _may_name_groups(name: str, cells: Cells, column: ColumnPlan, n: int) -> bool:
    """Return True if a column has many values of few rows each: whole numbers, or text other than dates and amounts.

    A column called an ID may have one row for most of its values, such as a household whose other members did not
    answer.
    """
    n_groups = len(cells.texts)
    is_id = names_keys(name) and names_groups(name)
    most = n - 1 if is_id else n / MIN_GROUP_ROWS
    if not MIN_GROUPS <= n_groups <= most or column.binning is not None:
        return False
    if column.treatment is not None or cells.among(("",)).any():
        return False
    numbers = cells.numbers[~np.isnan(cells.numbers)]
    if len(numbers) and (not np.isfinite(numbers).all() or (numbers != np.floor(numbers)).any() or numbers.min() < 0):
        return False
    return bool(is_id or np.median(cells.counts) >= 2)


def _is_in_blocks(codes: np.ndarray) -> bool:
    """Return True if the rows of each value follow one another."""
    return int(np.count_nonzero(np.diff(codes.astype(np.int64)))) + 1 == int(codes.max()) + 1


def _is_constant_within(codes: np.ndarray, n_groups: int, others: Cells) -> bool:
    first = np.zeros(n_groups, dtype=np.int64)
    first[codes[::-1]] = others.codes[::-1]
    return bool((others.codes == first[codes]).all())
