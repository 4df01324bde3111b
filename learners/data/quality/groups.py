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
from .name_hints import ORDER_WORDS, has_word, may_name_amounts, names_groups, names_keys
from .registry import check
from .sample_size import MIN_ROWS

MIN_GROUPS = 10  # minimum number of groups; a column with fewer values is an ordinary variable
MIN_GROUP_ROWS = 1.5  # minimum mean number of rows per group
DENSE = 100  # maximum range of codes as a multiple of their number; the range of amounts is larger
MANY_ROWS = 20  # minimum mean number of rows per level of text that is a variable
MAX_LEVELS = 30  # maximum number of levels of which some may be rare if the average row has `MANY_ROWS` like it
MAX_COMPARED = 50  # maximum number of columns that are compared with the groups
MIN_SIMILARITY = 0.1  # intraclass correlation from which a column shows that rows of a group are alike
MIN_CHANCE = 3.0  # the same in standard deviations of independent rows, about one over the root of the pairs in groups
MAX_SIMILARITY = 0.9  # intraclass correlation that shows it however few the pairs are
MAX_LACKING = 0.2  # maximum share of rows without a group
MIN_DEVIATIONS = 4.0  # minimum of a test statistic that shows differences between groups, in standard deviations
MIN_RESTARTS = 0.9  # minimum share of the blocks of rows in which a clock starts again
MAX_COUNTED = 0.5  # maximum share of rows whose number is that of the row above plus one, if the numbers are amounts
MIN_SMOOTH = 0.5  # minimum share of the variance of group means that a parabola explains if the numbers are amounts
TOO_SMALL = say("Tests and scores assume independent rows, so p-values will be too small.")


@dataclass(frozen=True)
class Groups:
    """A column that names groups of rows.

    Attributes
    ----------
    name : str
    codes : (n,) int array
        The group of each row, below `n_groups`. A row without one is a group of its own, from `n_groups` on.
    n_groups : int
        Number of groups that the column names.
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
        rows=f"{np.count_nonzero(first.codes < first.n_groups) / first.n_groups:.1f}".removesuffix(".0"),
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
        sizes = np.bincount(one.codes)
        chance = MIN_CHANCE / np.sqrt(max(float((sizes * (sizes - 1)).sum()) / 2, 1.0))
        enough = min(max(MIN_SIMILARITY, chance), MAX_SIMILARITY)
        names = sorted((name for name in alike if alike[name] >= enough), key=lambda name: -alike[name])
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
        values, n_groups = _codes(cells, inspection.plan.column(name))
        there = values < n_groups
        blocks = _is_in_blocks(values)
        is_named = names_groups(name) or names_keys(name)
        if not (is_named or blocks) or (has_word(name, ORDER_WORDS) and not is_named):
            continue
        constant = tuple(
            other
            for other, others in list(zip(table.names, table.cells, strict=True))[:MAX_COMPARED]
            if other != name
            and 1 < len(others.texts) < n_groups
            and _is_constant_within(values[there], n_groups, others.codes[there])
        )
        scattered = [other for other in constant if not _is_in_blocks(table.column(other).codes)]
        is_enough = np.isnan(cells.numbers).all() or len(scattered) >= 2 or _has_clock(inspection, name, values)
        if is_named or (scattered and is_enough):
            is_text = bool(np.isnan(cells.numbers).all())
            numbers = cells.numbers[cells.codes[there]]
            all_numbers = np.where(there, cells.numbers[cells.codes], np.nan)
            is_doubtful = may_name_amounts(name) and not (is_text or blocks or constant)
            if is_doubtful and _are_amounts(inspection, name, all_numbers):
                continue
            steps = np.diff(numbers)
            ordered = is_text or (steps >= 0).all() or (steps <= 0).all() or np.ptp(numbers) < DENSE * n_groups
            rows = (cells.counts**2).sum() / len(values) if n_groups <= MAX_LEVELS else len(values) / n_groups
            learnable = is_text and not constant and rows >= MANY_ROWS
            measures = bool(learnable if is_named else not ordered)
            found.append(Groups(name, values, n_groups, constant, measures))
    more = _other_names(inspection, sizes, found)
    names = {one.name for one in more}
    return [*(one for one in found if one.name not in names), *more]


def _other_names(inspection: Inspection, sizes: dict[str, Cells], found: list[Groups]) -> list[Groups]:
    """Return the columns of text that name the groups of a found column, such as the names of its companies.

    Numbers that differ between all groups, such as their size, are variables.
    """
    known = {one.name for one in found if not one.measures}
    known |= {name for key in ("dates", "amounts") for one in inspection.findings(key) for name in one.columns}
    more = []
    for name, cells in sizes.items():
        if name in known or not np.isnan(cells.numbers).all():
            continue
        codes, n_groups = _codes(cells, inspection.plan.column(name))
        same = (one for one in found if one.n_groups == n_groups and not one.measures)
        one = next((one for one in same if len(np.unique(one.codes * len(codes) + codes)) == codes.max() + 1), None)
        if one is not None and codes.max() == one.codes.max():
            more.append(Groups(name, codes, n_groups, one.constant))
    return more


def _has_clock(inspection: Inspection, name: str, codes: np.ndarray) -> bool:
    """Return True if a column of few numbers grows within each block of rows and starts again in the next, as years do.

    Rows that are sorted by two measurements have such a column too, but hardly the same numbers in all blocks. In the
    rows of a factorial, and of years with their months, the blocks have numbers of equal steps, unlike most codes.
    """
    names = np.sort(inspection.table.column(name).numbers)
    if np.unique(np.diff(names[np.isfinite(names)])).size < 2:
        return False
    starts = np.diff(codes) != 0
    longest = int(np.bincount(codes).max())
    for other, cells in list(zip(inspection.table.names, inspection.table.cells, strict=True))[:MAX_COMPARED]:
        if other == name or np.isnan(cells.numbers).any() or not 2 < len(cells.texts) <= 2 * longest:
            continue
        steps = np.diff(cells.numbers[cells.codes])
        if (steps[~starts] > 0).all() and (steps[starts] < 0).mean() > MIN_RESTARTS:
            return True
    return False


def _codes(cells: Cells, column: ColumnPlan) -> tuple[np.ndarray, int]:
    """Return the group of each row, (n,) int64, and the number of groups; each missing cell is a group after these."""
    is_group = _has_group(cells, column)
    codes, n_groups = (np.cumsum(is_group) - 1)[cells.codes].astype(np.int64), int(np.count_nonzero(is_group))
    lacking = ~is_group[cells.codes]
    codes[lacking] = n_groups + np.arange(np.count_nonzero(lacking))
    return codes, n_groups


def _has_group(cells: Cells, column: ColumnPlan) -> np.ndarray:
    """Return (m,) bool: the texts of a column that are not missing."""
    return ~(cells.among(column.missing) | cells.blank)


def _are_amounts(inspection: Inspection, name: str, numbers: np.ndarray) -> bool:
    """Return True if the numbers of a column, such as years of school, measure something, unlike numbers of schools.

    Fewer than two columns are then more alike within equal numbers than a parabola in these numbers explains, or such
    parabolas explain most of the differences between them. Numbers that mostly grow by one from row to row count rows.

    Parameters
    ----------
    inspection : Inspection
    name : str
    numbers : (n,) float array
        NaN where missing.
    """
    dataset = inspection.in_own_units
    if dataset.n_rows != len(numbers) or (np.diff(numbers) == 1).mean() > MAX_COUNTED:
        return False
    there = np.isfinite(numbers)
    values, codes = np.unique(numbers[there], return_inverse=True)
    fits = [
        _smoothness(_known_values(dataset, j)[there], codes, values)
        for j in range(min(dataset.p, MAX_COMPARED))
        if dataset.names[j] != name
    ]
    if sum(rough > MIN_DEVIATIONS for _, _, rough in fits) < min(2, max(len(fits), 1)):
        return True
    return sum(between * smooth for between, smooth, _ in fits) >= MIN_SMOOTH * sum(between for between, *_ in fits)


def _smoothness(column: np.ndarray, codes: np.ndarray, values: np.ndarray) -> tuple[float, float, float]:
    """Return how smoothly the means of a column change from group to group.

    Parameters
    ----------
    column : (n,) float array
        NaN where missing.
    codes : (n,) int array
    values : (k,) float array
        The number of each group.

    Returns
    -------
    between : float
        Share of the variance of the column between groups.
    smooth : float
        Share of that variance that a parabola in the numbers of the groups explains.
    rough : float
        The rest as an F statistic, in standard deviations above 1.
    """
    known = np.isfinite(column)
    column, codes = column[known], codes[known]
    sizes = np.bincount(codes, minlength=len(values)).astype(float)
    n, k = len(column), int(np.count_nonzero(sizes))
    if k < 5 or n <= k or np.ptp(column) == 0:
        return 0.0, 0.0, 0.0
    means = np.bincount(codes, weights=column, minlength=len(values)) / np.maximum(sizes, 1)
    x = (values - values.mean()) / np.ptp(values)
    powers = np.stack([np.ones_like(x), x, x**2])
    root = np.sqrt(sizes)
    coefficients = np.linalg.lstsq((powers * root).T, means * root, rcond=None)[0]
    rest = float(sizes @ (means - coefficients @ powers) ** 2)
    between = float(sizes @ (means - column.mean()) ** 2)
    within = float(((column - means[codes]) ** 2).sum())
    if between <= 0:
        return 0.0, 0.0, 0.0
    ratio = rest / (k - 3) / (within / (n - k)) if within > 0 else np.inf
    return between / (between + within), 1.0 - rest / between, (ratio - 1.0) / np.sqrt(2 / (k - 3) + 2 / (n - k))


def _known_values(dataset: Dataset, j: int) -> np.ndarray:
    """Return a column as (n,) float64, NaN where missing; of levels, whether a row has the most frequent one."""
    if dataset.kinds[j] == "continuous":
        return dataset.values[:, dataset.place[j]]
    own, arity = dataset.codes[dataset.place[j]], int(dataset.arity[dataset.place[j]])
    counts = np.bincount(own, minlength=arity + 1)[:arity]
    return np.where(own == arity, np.nan, own == counts.argmax())


def similarity(dataset: Dataset, j: int, codes: np.ndarray, n_groups: int) -> float:
    """Return the intraclass correlation of a column; for a categorical column, that of its most frequent level."""
    values = _known_values(dataset, j)
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
    is_group = _has_group(cells, column)
    n_groups, lacking = int(np.count_nonzero(is_group)), int(cells.counts[~is_group].sum())
    is_id = names_keys(name) and names_groups(name)
    most = n - lacking - 1 if is_id else (n - lacking) / MIN_GROUP_ROWS
    if not MIN_GROUPS <= n_groups <= most or column.binning is not None:
        return False
    if column.treatment is not None or lacking > MAX_LACKING * n:
        return False
    numbers = cells.numbers[~np.isnan(cells.numbers)]
    if len(numbers) and (not np.isfinite(numbers).all() or (numbers != np.floor(numbers)).any() or numbers.min() < 0):
        return False
    return bool(is_id or np.median(cells.counts[is_group]) >= 2)


def _is_in_blocks(codes: np.ndarray) -> bool:
    """Return True if the rows of each value follow one another."""
    return int(np.count_nonzero(np.diff(codes.astype(np.int64)))) + 1 == int(codes.max()) + 1


def _is_constant_within(codes: np.ndarray, n_groups: int, others: np.ndarray) -> bool:
    """Return True if a column varies, but not within any group."""
    first = np.zeros(n_groups, dtype=np.int64)
    first[codes[::-1]] = others[::-1]
    return bool((others == first[codes]).all() and (others != others[0]).any())
