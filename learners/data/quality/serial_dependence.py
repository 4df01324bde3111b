"""Detect dependence between consecutive rows, which tests treat as independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...common.sentences import NOTHING, Count, Quoted, Sentence, columns_of, paragraph, rows_of, say
from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..column_types.dates import COMPACT, ORDERS, read_dates
from ..columns import FEW_NUMBERS
from ..dataset import Dataset
from ..plan.plan import ColumnPlan, Plan
from ..reading.table import Table
from .finding import Finding, warning
from .groups import TOO_SMALL, groups_of_rows, worth_of
from .inspection import Inspection
from .name_hints import CLOCK_WORDS, has_word
from .registry import check

MIN_ROWS = 50
MIN_AUTOCORRELATION = 0.5  # minimum autocorrelation that is reported
MIN_WITHOUT_CLOCK = 0.3  # the same minimum for two columns of rows without a clock
MIN_DEVIATIONS = 5.0  # minimum of such an autocorrelation in standard deviations
MAX_LAG = 500
# Number of rows with nearly the same value of a sorted column; fewer in tables of fewer than 400 rows.
ROWS_OF_BLOCK = 20
MIN_ROWS_OF_BLOCK = 5
HEAD_ROWS = 20_000  # number of first rows that are examined for an order of the rows
MIN_VARYING = 0.5  # minimum share of blocks in which a column varies; else its cells are sorted or in groups
MAX_RUNS = 1.1  # maximum number of runs of equal cells per distinct cell in a column that orders the rows
CLOCK_RANGES = {"year": (0, 2200), "quarter": (1, 4), "month": (1, 12), "day": (1, 31), "hour": (0, 24)}
# Weights of year, quarter, month, day and hour in a sum that orders points in time.
CLOCK_SIZES = (13 * 32 * 25, 3 * 32 * 25, 32 * 25, 25, 1)
MIN_ROWS_LEFT = 20  # minimum number of rows if every k-th row is used
INDEPENDENT = 0.1  # autocorrelation below which rows count as independent
FIRST_TEXTS = 50  # number of texts of a column that show whether it holds points in time
YEARS = (1500, 2200)  # range of a column of years
IN_ORDER = "in order"  # key of a cached guess
MIN_ORDERED = 0.99  # minimum share of steps between rows in the same direction; logs are not quite in the order of time


@check("serial_dependence", needs_rows=True)
def serial_dependence(inspection: Inspection) -> list[Finding]:
    """Return a warning if consecutive rows are autocorrelated and are sorted by time, or by no column."""
    table, plan, dataset = inspection.table, inspection.plan, inspection.all_rows
    if dataset.n_rows != table.n or table.n < MIN_ROWS or plan.independence < 1.0:
        return []
    by = clock_of(table, plan)
    clock = {column.name for column in plan.columns if _is_date(column) or (column.source or column.name) in by}
    named = {name for key in ("counters", "keys", "groups") for one in inspection.findings(key) for name in one.columns}
    columns = [j for j, name in enumerate(dataset.names) if name not in clock | named]
    if by:
        after_one = {j: autocorrelation(dataset, j, 1) for j in columns}
        slow = [j for j in columns if after_one[j] >= MIN_AUTOCORRELATION]
    else:
        after_one = _without_clock(inspection, columns)
        enough = max(MIN_WITHOUT_CLOCK, MIN_DEVIATIONS / np.sqrt(dataset.n_rows))
        slow = [j for j in after_one if after_one[j] >= enough]
        if len(slow) < 2 and not any(after_one[j] >= MIN_AUTOCORRELATION for j in slow):
            slow = []
    if not slow:
        return []
    slowest_first = sorted(after_one, key=lambda j: -after_one[j])
    names = [dataset.names[j] for j in slowest_first if j in slow]
    slowly = say(
        "{columns} changes little from row to row (autocorrelation up to {r})"
        if len(names) == 1
        else "{columns} change little from row to row (autocorrelation up to {r})",
        columns=columns_of(names),
        r=f"{after_one[slowest_first[0]]:.2f}",
    )
    order = (
        say("rows are in the order of {order}, and {slowly}.", order=Quoted(by), slowly=slowly)
        if by
        else say("{slowly}, so the rows are not in random order.", slowly=slowly)
    )
    worth, advice = _worth(dataset, slowest_first, slow), _advice(dataset, slowest_first)
    reason = paragraph(order, TOO_SMALL, worth, advice)
    fixes = worth_of(plan, effective_rows(dataset, *slowest_first[:2]), table.n) if len(slow) > 1 else []
    return [warning("serial_dependence", names, reason, *fixes)]


def clock_of(table: Table, plan: Plan) -> list[str]:
    """Return the columns of the table that hold the time of each row, used or not; none if rows are in another order.

    It is one column of dates, times, days such as 20240131, or years; or several with year, month, day and hour.
    """
    single = next((column for column in plan.columns if _in_order(table, column)), None)
    if single is not None:
        return [single.source or single.name]
    parts: dict[str, np.ndarray] = {}
    names = []
    for part, (low, high) in CLOCK_RANGES.items():
        for name, cells in zip(table.names, table.cells, strict=True):
            numbers = cells.numbers
            if not has_word(name, CLOCK_WORDS[part]) or np.isnan(numbers).any() or (numbers != np.floor(numbers)).any():
                continue
            if low <= numbers.min() and numbers.max() <= high and part not in parts:
                parts[part] = numbers[cells.codes]
                names.append(name)
    if "year" not in parts or len(parts) < 2:
        return []
    time = sum(parts.get(part, 0) * size for part, size in zip(CLOCK_RANGES, CLOCK_SIZES, strict=True))
    return names if _goes_one_way(np.diff(time), table.n) else []


def effective_rows(dataset: Dataset, a: int, b: int) -> float:
    """Return the number of independent rows with the information on a correlation (Bartlett 1935).

    Parameters
    ----------
    dataset : Dataset
    a, b : int
        Columns. Their autocorrelations are multiplied, up to the lag from which the product is noise.
    """
    n, total = dataset.n_rows, 0.0
    for lag in range(1, min(n // 4, MAX_LAG) + 1):
        product = autocorrelation(dataset, a, lag) * autocorrelation(dataset, b, lag)
        if product < 1 / np.sqrt(n) / 4:
            break
        total += (1 - lag / n) * product
    return n / (1 + 2 * total)


def _worth(dataset: Dataset, slowest_first: Sequence[int], slow: Sequence[int]) -> Sentence:
    """Return a sentence with the number of independent rows that the rows are worth for the two slowest columns."""
    if len(slow) < 2:
        return NOTHING
    a, b = slowest_first[:2]
    return say(
        "For {pair}, the {n} rows are worth about {rows}.",
        pair=Quoted([dataset.names[a], dataset.names[b]]),
        n=dataset.n_rows,
        rows=Count(round(effective_rows(dataset, a, b)), "independent row"),
    )


def _without_clock(inspection: Inspection, columns: Sequence[int]) -> dict[int, float]:
    """Return the autocorrelation of columns within blocks of rows, without the columns that order the rows.

    A sorted column, or groups of rows that no column names, make consecutive rows alike without making them dependent.
    After the mean of each block of neighbouring rows is subtracted, only dependence from row to row remains.
    """
    dataset = inspection.all_rows
    block, order_rows = _blocks(inspection)
    sources = {column.name: column.source or column.name for column in inspection.plan.columns}
    return {j: _within_blocks(dataset, j, block) for j in columns if sources[dataset.names[j]] not in order_rows}


def _blocks(inspection: Inspection) -> tuple[np.ndarray, set[str]]:
    """Return blocks of similar rows, which are sorted or grouped, and the columns that order them.

    Rows may be sorted by one column, by a second one within equal cells of the first, and so on.
    """
    table, n = inspection.table, min(inspection.table.n, HEAD_ROWS)
    ties = np.zeros(n, dtype=np.int64)
    left = {
        name: _ranks(cells, n) for name, cells in zip(table.names, table.cells, strict=True) if len(cells.texts) > 1
    }
    found: set[str] = set()
    for name, ranks in list(left.items()):
        runs = int(np.count_nonzero(np.diff(ranks))) + 1
        if runs <= MAX_RUNS * (ranks.max() + 1) < n:
            ties = _joined(ties, ranks)
            found.add(name)
            del left[name]
    while True:
        tied = ties[1:] == ties[:-1]
        if tied.sum() < MIN_ROWS_LEFT:
            break
        name = next((name for name, ranks in left.items() if _is_sorted(np.diff(ranks)[tied])), None)
        if name is None:
            break
        ties = _joined(ties, left.pop(name))
        found.add(name)
    for one in inspection.once(groups_of_rows):
        ties = _joined(ties, one.codes[:n])
    if len(found) > 1 and ties.max() >= n // ROWS_OF_BLOCK:
        return ties, found
    rows = max(MIN_ROWS_OF_BLOCK, min(ROWS_OF_BLOCK, n // ROWS_OF_BLOCK)) if found else ROWS_OF_BLOCK
    near = np.arange(n) // rows
    return (near if ties.max() >= n // rows else _joined(ties, near)), found


def _ranks(cells: Cells, n: int) -> np.ndarray:
    """Return the rank of each of the first n cells: by number, or by text if a cell is not a number."""
    codes = cells.codes[:n]
    if not np.isnan(cells.numbers).any():
        return np.unique(cells.numbers[codes], return_inverse=True)[1]
    texts = np.array(cells.texts.take(to_arrow(codes)).to_pylist(), dtype=object)
    return np.unique(texts, return_inverse=True)[1]


def _is_sorted(steps: np.ndarray) -> bool:
    return bool(steps.any() and ((steps >= 0).all() or (steps <= 0).all()))


def _joined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return one code for each distinct pair of codes."""
    return np.unique(one * (int(other.max()) + 1) + other, return_inverse=True)[1].astype(np.int64)


def _within_blocks(dataset: Dataset, j: int, block: np.ndarray) -> float:
    """Return the autocorrelation of the deviations from block means; for levels, that of the most frequent level."""
    place = dataset.place[j]
    if dataset.kinds[j] == "continuous":
        return _of_deviations(dataset.values[: len(block), place], block)
    codes, arity = dataset.codes[place][: len(block)], int(dataset.arity[place])
    most = int(np.bincount(codes, minlength=arity + 1)[:arity].argmax())
    return _of_deviations(np.where(codes == arity, np.nan, codes == most), block)


def _of_deviations(values: np.ndarray, block: np.ndarray) -> float:
    """Return the autocorrelation of the deviations from block means, of ranks if there are many distinct numbers."""
    known = np.isfinite(values)
    block, values = block[known], values[known]
    distinct, ranks = np.unique(values, return_inverse=True)
    if len(distinct) < 2:
        return 0.0  # its deviations are rounding errors
    if len(distinct) > FEW_NUMBERS:
        values = ranks.astype(float)  # otherwise two outliers in consecutive rows would decide
    values = np.ldexp(values, -np.frexp(np.abs(values).max(initial=0.0))[1])  # squares of huge numbers would overflow
    rows = np.bincount(block)
    used = rows > 0
    values = values - (np.bincount(block, weights=values) / np.maximum(rows, 1))[block]
    if (np.bincount(block, weights=values**2)[used] > 0).mean() < MIN_VARYING:
        return 0.0
    pairs = block[:-1] == block[1:]
    earlier, later = values[:-1][pairs], values[1:][pairs]
    size = float(np.sqrt((earlier**2).sum() * (later**2).sum()))
    return float(earlier @ later) / size if len(earlier) >= MIN_ROWS // 2 and size else 0.0


def autocorrelation(dataset: Dataset, j: int, lag: int) -> float:
    """Return the correlation of a column with itself `lag` rows later, or Cohen's kappa of a categorical column.

    Returns
    -------
    float
        0 where the column does not vary, or too few rows have both values.
    """
    place = dataset.place[j]
    if dataset.kinds[j] == "continuous":
        values = dataset.values[:, place]
        earlier, later = values[:-lag], values[lag:]
        both = ~(np.isnan(earlier) | np.isnan(later))
        earlier, later = earlier[both], later[both]
        if len(earlier) < MIN_ROWS // 2 or np.ptp(earlier) == 0 or np.ptp(later) == 0:
            return 0.0
        return float(np.corrcoef(earlier, later)[0, 1])
    codes, arity = dataset.codes[place], int(dataset.arity[place])
    earlier, later = codes[:-lag], codes[lag:]
    both = (earlier < arity) & (later < arity)
    if both.sum() < MIN_ROWS // 2:
        return 0.0
    shares = [np.bincount(some[both], minlength=arity) / both.sum() for some in (earlier, later)]
    by_chance = float(shares[0] @ shares[1])
    return 0.0 if by_chance == 1.0 else (float((earlier == later)[both].mean()) - by_chance) / (1.0 - by_chance)


def _advice(dataset: Dataset, slowest_first: Sequence[int]) -> Sentence:
    """Return a sentence with the smallest lag at which rows are nearly independent, if enough rows are left."""
    lag = 2
    while dataset.n_rows // lag >= MIN_ROWS_LEFT:
        if all(abs(autocorrelation(dataset, j, lag)) < INDEPENDENT for j in slowest_first):
            template = "One row in {lag}, {rows} in all, would be nearly independent."
            return say(template, lag=lag, rows=rows_of(dataset.n_rows // lag))
        lag = max(lag + 1, lag * 5 // 4)
    return say("Even distant rows are similar; learn from the changes between rows instead.")


def _is_date(column: ColumnPlan) -> bool:
    return column.treatment is not None and column.treatment.how == "date"


def _in_order(table: Table, column: ColumnPlan) -> bool:
    """Return True if a column, used or not, holds dates, times or years in ascending or descending order."""
    cells = column.raw(table)
    if IN_ORDER not in cells.guesses:  # all checks run again after each change to another column
        cells.guesses[IN_ORDER] = _are_in_order(cells)
    return cells.guesses[IN_ORDER]


def _are_in_order(cells: Cells) -> bool:
    if not np.isnan(cells.numbers).all():
        if len(cells.texts) == cells.n_rows and _are_years(cells.numbers[cells.codes]):
            return True
        orders = [COMPACT] if len(cells.texts) > 2 and (np.nan_to_num(cells.numbers[:FIRST_TEXTS]) > 1e7).all() else []
    else:
        orders = [order for order in ORDERS if order != COMPACT]
    head = cells.texts[:FIRST_TEXTS]
    for order in orders:
        if np.isnat(read_dates(head, order)).mean() > 1 - MIN_ORDERED:
            continue
        instants = read_dates(cells.texts, order)[cells.codes]
        if _goes_one_way(np.diff(instants[~np.isnat(instants)]).astype(np.int64), cells.n_rows):
            return True
    return False


def _goes_one_way(steps: np.ndarray, n: int) -> bool:
    """Return True if nearly all steps from row to row go in one direction."""
    if len(steps) < MIN_ORDERED * (n - 1) or not steps.any():
        return False
    return max((steps >= 0).mean(), (steps <= 0).mean()) >= MIN_ORDERED


def _are_years(numbers: np.ndarray) -> bool:
    """Return True if the numbers are consecutive years, one per row."""
    steps = np.diff(numbers)
    return bool(
        np.abs(steps[0]) == 1 and (steps == steps[0]).all() and YEARS[0] <= numbers.min() <= numbers.max() <= YEARS[1]
    )
