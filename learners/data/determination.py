"""Find columns that others (nearly) determine: relabelled copies, sums, products, ratios, bands of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Annotated, Literal
from weakref import WeakKeyDictionary

import numpy as np

from ..common.relabeling import as_nodes
from ..common.run_warning import RunWarning
from ..common.sentences import Listed, Quoted, Sentence, only_if, say
from .columns import correlation_of
from .dataset import Dataset

Form = Literal["copy", "levels", "line", "logs", "means", "bands"]
NEARLY = 0.99  # R² or share of the entropy from which a column counts as determined
EXACTLY = 1 - 1e-9
TRIMMED = 0.9  # minimum of that share without the most extreme rows, so that one outlier determines nothing
ROUNDED = 1e-3  # maximum share of the variance of a sum, over all rows, that rounding may leave
KEPT = 0.98  # share of the rows, those nearest to the median, in the check by `TRIMMED`
MIN_ROWS = 30
ROWS_PER_LEVEL = 5  # minimum mean number of rows per level; columns with fewer are constant within levels by chance
MIN_MINORITY = 5  # minimum number of rows outside the largest level
MAX_SEARCH_ROWS = 2_000  # maximum number of rows of the search; its results are verified in more
MAX_CHECK_ROWS = 50_000
MAX_NUMBERS = 150  # maximum number of continuous columns for a search of sets of two and three
MAX_PAIRED = 1_000  # maximum number of continuous columns for a search of pairs
MAX_LEVELS = 1_500  # maximum total number of levels of categorical columns for a search of pairs
MAX_TRIPLES_OF_LEVELS = 30  # maximum number of categorical columns for a search of pairs that determine a third
MAX_CANDIDATES = 9  # maximum number of columns among which sets of three are searched
WHOLE = 0.05  # distance from a whole number below which a coefficient counts as whole
MIN_RANGE = 1.2  # ratio of largest to smallest number from which a logarithm is not nearly linear
MIN_POSITIVE = 0.8  # minimum share of positive numbers among these and zeros, for a column of logarithms
HEAD_ROWS = 500
SIEVE_ROWS = (32, HEAD_ROWS)  # numbers of rows in which triples of levels are checked, before all rows
MAX_LISTED = 3  # maximum number of groups named in a warning

RELATIONS = {  # clauses on a column that is determined, and on one that is nearly determined
    "copy": ("{by} and {target} are copies with different labels", "{by} and {target} are copies in nearly all rows"),
    "line": ("{target} is a linear combination of {by}", "{target} is nearly a linear combination of {by}"),
    "logs": ("{target} is a product of powers of {by}", "{target} is nearly a product of powers of {by}"),
    "levels": ("{target} is determined by {by}", "{target} is nearly determined by {by}"),
}


@dataclass(frozen=True)
class DeterminedGroup:
    """A column and the others that (nearly) determine it.

    Attributes
    ----------
    target : int
        The redundant column.
    by : tuple of int
        One to three columns; for a sum or a product of powers, any number of columns.
    share : float
        R², or share of the entropy, that they explain.
    form : Form
        "copy" equal up to names of levels; "levels" a function of levels; "line" or "logs" a linear combination of the
        numbers or their logarithms; "means" one number per level; "bands" one interval of numbers per level.
    mutual : bool
        True if each column of the group is determined by the others.
    """

    target: Annotated[int, as_nodes]
    by: Annotated[tuple[int, ...], as_nodes]
    share: float
    form: Form
    mutual: bool

    @property
    def pairs(self) -> set[tuple[int, int]]:
        """The pairs i < j that have no direction, because one of the two columns determines the other."""
        return set(combinations(sorted((self.target, *self.by)), 2)) if self.is_undirected else set()

    @property
    def is_undirected(self) -> bool:
        """True if no two columns of the group have a direction."""
        return len(self.by) == 1 or self.mutual

    def clause(self, names: Sequence[str]) -> Sentence:
        """Return a clause that names the columns, such as "'alive' and 'survived' are copies with different labels"."""
        return say(self.template, target=Quoted([names[self.target]]), by=Quoted([names[k] for k in self.by]))

    @property
    def template(self) -> str:
        """The template of `clause`, with fields for the columns."""
        form = self.form if self.form == "copy" or (self.form in RELATIONS and len(self.by) > 1) else "levels"
        exact, nearly = RELATIONS[form]
        return nearly if self.share < EXACTLY else exact


def consequence(groups: Sequence[DeterminedGroup]) -> Sentence:
    """Return a sentence on the consequence for a run with these columns."""
    one, undirected = len(groups) == 1, all(group.is_undirected for group in groups)
    if undirected and one and len(groups[0].by) == 1:
        return say("Given that column, it varies too little to be tested. The data cannot direct an edge between them.")
    if undirected and one:
        return say(
            "Given those columns, it varies too little to be tested. No direction among all of them can be learned."
        )
    if undirected:
        return say(
            "Given those columns, they vary too little to be tested. No direction among all of them can be learned."
        )
    if len(groups[0].by) == 2:
        return say(
            "Given both, it varies too little to be tested, so some of its edges may be missing."
            if one
            else "Given both, they vary too little to be tested, so some of their edges may be missing."
        )
    return say(
        "Given those columns, it varies too little to be tested, so some of its edges may be missing."
        if one
        else "Given those columns, they vary too little to be tested, so some of their edges may be missing."
    )


def determination_warnings(groups: Iterable[DeterminedGroup], names: Sequence[str]) -> tuple[RunWarning, ...]:
    """Return a warning on the groups without directions for a run, or none if all groups have directions."""
    warned = [group for group in groups if group.is_undirected]
    if not warned:
        return ()
    left = len(warned) - MAX_LISTED
    sentence = say(
        "{groups}{more}. {consequence} Leave out one column of each group.",
        groups=Listed([group.clause(names) for group in warned[:MAX_LISTED]], "; "),
        more=only_if(left > 0, say("; and {n} more", n=left)),
        consequence=consequence(warned),
    )
    columns = dict.fromkeys(names[k] for group in warned for k in (group.target, *group.by))
    return (RunWarning("determined", sentence, tuple(columns)),)


_FOUND: WeakKeyDictionary[Dataset, tuple[DeterminedGroup, ...]] = WeakKeyDictionary()
_BY_NAME: WeakKeyDictionary[Dataset, tuple[DeterminedGroup, ...]] = WeakKeyDictionary()


def determined_groups(dataset: Dataset) -> tuple[DeterminedGroup, ...]:
    """Find the columns that up to three others determine, exactly or with a share above `NEARLY`, and all sums.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    tuple of DeterminedGroup
        At most one per target, ordered by target; of two copies the later is the target. Columns with a value of their
        own in most rows, and rare levels, are left out: chance determines them.

    Notes
    -----
    The work is bounded: wide tables are searched for pairs, very wide ones not at all. Given the numbers, all sets of
    one and two columns are tried, and sets of three among the columns with the largest coefficients. Columns that
    became normal scores are also examined as they were before.
    """
    if dataset not in _FOUND:
        _FOUND[dataset] = tuple(_search(dataset)) if dataset.n_rows >= MIN_ROWS else ()
    return _FOUND[dataset]


def groups_by_name(dataset: Dataset) -> tuple[DeterminedGroup, ...]:
    """Return the determined groups of the columns sorted by name; the order of the table does not matter."""
    if dataset not in _BY_NAME:
        order = dataset.by_name
        _BY_NAME[dataset] = tuple(
            replace(group, target=order[group.target], by=tuple(order[k] for k in group.by))
            for group in determined_groups(dataset.in_name_order)
        )
    return _BY_NAME[dataset]


def undirected_pairs(groups: Iterable[DeterminedGroup]) -> frozenset[tuple[int, int]]:
    """Return the pairs i < j that have no direction, because one of the two determines the other."""
    groups = tuple(groups)
    return frozenset(pair for group in (*groups, *joined_groups(groups)) for pair in group.pairs)


def determination_of(groups: Iterable[DeterminedGroup], i: int, j: int) -> DeterminedGroup | None:
    """Return the group in which one of two columns determines the other, or None.

    In joined groups, column max(i, j) is the target.
    """
    groups = tuple(groups)
    for group in groups:
        if group.is_undirected and {i, j} <= {group.target, *group.by}:
            return group
    for group in joined_groups(groups):
        if {i, j} <= (own := {group.target, *group.by}):
            return replace(group, target=max(i, j), by=tuple(sorted(own - {max(i, j)})))
    return None


@lru_cache(maxsize=256)
def joined_groups(groups: tuple[DeterminedGroup, ...]) -> tuple[DeterminedGroup, ...]:
    """Merge mutual groups that share columns; in a merged group, the other columns determine each column, too.

    For example, of the relations of BMI with weight and height, and of dose with age and height, the search may find
    two that share a column other than height, because each relation found replaces a column in the next one.
    """
    sets: list[set[int]] = []
    share: list[float] = []
    for group in groups:
        if group.mutual:
            own, least = {group.target, *group.by}, group.share
            for k in [k for k, other in enumerate(sets) if other & own][::-1]:
                own |= sets.pop(k)
                least = min(least, share.pop(k))
            sets.append(own)
            share.append(least)
    known = [{group.target, *group.by} for group in groups if group.mutual]
    return tuple(
        DeterminedGroup(max(own), tuple(sorted(own - {max(own)})), least, "levels", True)
        for own, least in zip(sets, share, strict=True)
        if own not in known
    )


def _search(dataset: Dataset) -> list[DeterminedGroup]:
    found: dict[int, DeterminedGroup] = {}
    if dataset.unscored is not None:
        _search_in(replace(dataset, values=dataset.unscored, unscored=None), found)
    _search_in(dataset, found)
    return [found[target] for target in sorted(found)]


def _search_in(dataset: Dataset, found: dict[int, DeterminedGroup]) -> None:
    """Add the groups of a data set whose targets are not in `found`."""
    kinds = dataset.kinds
    numeric = [j for j, kind in enumerate(kinds) if kind == "continuous"]
    levels = [j for j, kind in enumerate(kinds) if kind == "categorical"]
    rows = _every(dataset.n_rows, MAX_SEARCH_ROWS)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        table = _Levels(dataset, levels, rows)
        for group in table.pairs():
            _add(found, group)
        if 2 <= len(numeric) <= MAX_PAIRED:
            for group in _Numbers(dataset, numeric, rows).groups():
                _add(found, group)
        if numeric and levels and len(numeric) <= MAX_NUMBERS:
            for group in table.with_numbers([j for j in numeric if j not in found], found):
                _add(found, group)
        for group in table.triples(found):
            _add(found, group)
        scales = _scales(dataset)
        for logs in (False, True):
            own = {j: scale for j, scale in scales.items() if j not in found or len(found[j].by) > 1}
            known = {frozenset((group.target, *group.by)) for group in found.values()}
            for group in _sums(dataset, own, rows, logs=logs):
                if frozenset((group.target, *group.by)) not in known:
                    _add(found, group)


def _sums(
    dataset: Dataset, numbers: dict[int, np.ndarray], rows: np.ndarray, *, logs: bool
) -> Iterator[DeterminedGroup]:
    """Yield the columns that are sums, or products, of others; `numbers` has some of the columns of `_scales`."""
    from .linear_sums import linear_sums  # not loaded by explanations, which need no search

    form: Form = "logs" if logs else "line"
    if logs:
        numbers = {j: scale for j, scale in numbers.items() if _has_logs(_as_numbers(dataset, j, scale, rows))}
    if not 3 <= len(numbers) <= MAX_PAIRED:
        return
    columns = list(numbers)
    sample = np.array([_as_numbers(dataset, j, numbers[j], rows) for j in columns]).T
    checked = _every(dataset.n_rows, MAX_CHECK_ROWS)
    for target, parts in linear_sums(_logs(sample) if logs else sample):
        members = [target, *parts]
        values = np.column_stack([_as_numbers(dataset, columns[k], numbers[columns[k]], checked) for k in members])
        if logs:
            if _has_lone_zeros(values):
                continue
            values = _logs(values)
        own = range(len(members))
        if (share := _explained(values, 0, own[1:])) > 1 - ROUNDED:
            mutual = all(_explained(values, k, [i for i in own if i != k]) > NEARLY for k in own[1:])
            yield DeterminedGroup(columns[target], tuple(sorted(columns[k] for k in parts)), share, form, mutual)


def _scales(dataset: Dataset) -> dict[int, np.ndarray]:
    """Return the columns of numbers, each with the numbers that name its levels, none if it is continuous."""
    scales = {}
    for j, kind in enumerate(dataset.kinds):
        if kind == "continuous":
            scales[j] = np.empty(0)
            continue
        try:
            scale = np.array(list(map(float, dataset.levels[dataset.place[j]])))
        except ValueError:
            continue
        if np.isfinite(scale).all() and len(scale) > 1:
            scales[j] = scale
    return scales


def _as_numbers(dataset: Dataset, j: int, scale: np.ndarray, rows: np.ndarray) -> np.ndarray:
    place = dataset.place[j]
    if dataset.kinds[j] == "continuous":
        return dataset.values[rows, place]
    return np.append(scale, np.nan)[dataset.codes[place][rows]]


def _add(found: dict[int, DeterminedGroup], group: DeterminedGroup) -> None:
    found.setdefault(group.target, group)


def _every(n: int, most: int) -> np.ndarray:
    """Return at most `most` row positions, evenly spread."""
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)


class _Numbers:
    """Search for continuous columns that other continuous columns determine."""

    def __init__(self, dataset: Dataset, columns: list[int], rows: np.ndarray) -> None:
        places = [dataset.place[j] for j in columns]
        whole = dataset.values[_every(dataset.n_rows, MAX_CHECK_ROWS)][:, places]
        sample = dataset.values[rows][:, places]
        varies = [k for k in range(len(columns)) if _spread(sample[:, k])]
        self.columns = [columns[k] for k in varies]
        self.whole, self.sample = whole[:, varies], sample[:, varies]

    def groups(self) -> Iterator[DeterminedGroup]:
        """Yield one group per determined column."""
        kept = list(range(len(self.columns)))
        for logs in (False, True):
            usable = [k for k in kept if not logs or _has_logs(self.sample[:, k])]
            if len(usable) < 2:
                continue
            values = _logs(self.sample[:, usable]) if logs else self.sample[:, usable]
            whole = _logs(self.whole[:, usable]) if logs else self.whole[:, usable]
            for target, by, share, mutual in self._found(values, whole, usable):
                if logs and _has_lone_zeros(self.whole[:, [usable[k] for k in (target, *by)]]):
                    continue
                own, others = usable[target], [usable[k] for k in by]
                form: Form = "logs" if logs else "line"
                if not logs and not mutual and (product := self._as_product([own, *others], share)):
                    form, mutual = "logs", True
                    own, others, share = product
                if own in kept:
                    yield DeterminedGroup(
                        self.columns[own], tuple(sorted(self.columns[k] for k in others)), share, form, mutual
                    )
                    kept.remove(own)

    def _as_product(self, members: list[int], share: float) -> tuple[int, list[int], float] | None:
        """Return a target, the others and their share if logarithms determine one another with a larger share.

        In a small range a product is nearly a sum of its factors, but a factor is not nearly that of the others.
        """
        if len(members) < 3 or not all(_has_logs(self.sample[:, k]) for k in members):
            return None
        if _has_lone_zeros(self.whole[:, members]):
            return None
        values, own = _logs(self.whole[:, members]), range(len(members))
        rest = [[i for i in own if i != k] for k in own]
        shares = [_explained(values, k, rest[k]) for k in own]
        if min(shares) <= max(NEARLY, share):
            return None
        target = max(own, key=lambda k: (_has_whole_weights(values, k, rest[k]), members[k]))
        return members[target], [members[k] for k in rest[target]], shares[target]

    def _found(
        self, values: np.ndarray, whole: np.ndarray, usable: list[int]
    ) -> Iterator[tuple[int, tuple[int, ...], float, bool]]:
        corr = _pairwise(values)
        enough = len(values) > 2 * len(usable) + MIN_ROWS
        full = _left_given_earlier(corr) if enough and np.isfinite(values).all() else np.zeros(len(usable))
        kept: list[int] = []
        wide, least = len(usable) > MAX_NUMBERS, NEARLY - (0.005 if np.isfinite(values).all() else 0.1)
        for j in range(len(usable)):
            result = None
            if full[j] < 2 * (1 - NEARLY):
                result = next(self._checked(whole, j, _candidates(corr, j, kept, least, only_pairs=wide)), None)
            if result is None:
                kept.append(j)
                continue
            by, share, mutual = result
            members = [j, *by] if mutual else [j]
            target = max(members, key=lambda k: (len(by) == 1 or _has_whole_weights(whole, k, {j, *by} - {k}), k))
            kept = [k for k in (*kept, j) if k != target]
            yield target, tuple(sorted({j, *by} - {target})), share, mutual

    @staticmethod
    def _checked(
        whole: np.ndarray, j: int, candidates: Iterable[tuple[int, ...]]
    ) -> Iterator[tuple[tuple[int, ...], float, bool]]:
        for by in candidates:
            share = _explained(whole, j, by)
            if share > NEARLY:
                mutual = all(_explained(whole, k, [j, *(set(by) - {k})]) > NEARLY for k in by)
                yield by, share, mutual


def _candidates(
    corr: np.ndarray, j: int, kept: list[int], least: float, *, only_pairs: bool
) -> Iterator[tuple[int, ...]]:
    """Yield the sets of one, two and three kept columns that seem to determine column j, the smallest first."""
    if not kept:
        return
    own = np.array(kept)
    r = corr[j, own]
    best = int(np.argmax(r**2))
    if r[best] ** 2 > least:
        yield (kept[best],)
    if len(kept) < 2 or only_pairs:
        return
    among = corr[np.ix_(own, own)]
    left = np.maximum(1 - among**2, 1e-9)
    both = (r[:, None] ** 2 + r**2 - 2 * np.outer(r, r) * among) / left
    np.fill_diagonal(both, 0.0)
    a, b = np.unravel_index(int(np.argmax(both)), both.shape)
    if both[a, b] > least:
        yield tuple(sorted((kept[a], kept[b])))
    if len(kept) < 3:
        return
    ridge = among + 1e-8 * np.eye(len(own))
    weights = np.abs(np.linalg.solve(ridge, r))
    order = dict.fromkeys([int(a), int(b), *np.argsort(-weights)[: MAX_CANDIDATES - 4], *np.argsort(-np.abs(r))])
    sets = np.array(list(combinations(list(order)[:MAX_CANDIDATES], 3)))
    system = ridge[sets[:, :, None], sets[:, None, :]]
    solved = np.linalg.solve(system, r[sets][:, :, None])[:, :, 0]
    explained = (solved * r[sets]).sum(axis=1)
    top = int(np.argmax(explained))
    if explained[top] > least:
        yield tuple(sorted(kept[k] for k in sets[top]))


def _left_given_earlier(corr: np.ndarray) -> np.ndarray:
    """Return the share of the variance of each column that the others leave; zeros if it cannot be computed."""
    try:
        factor = np.linalg.cholesky(corr + 1e-8 * np.eye(len(corr)))
    except np.linalg.LinAlgError:
        return np.zeros(len(corr))
    return np.diag(factor) ** 2


def _pairwise(values: np.ndarray) -> np.ndarray:
    """Return the correlation matrix, each entry from the rows that have both columns."""
    there = np.isfinite(values)
    if there.all():
        return correlation_of(values)
    filled = np.where(there, values, 0.0)
    scale = np.abs(filled).max(axis=0)
    filled = filled / np.where(scale > 0, scale, 1.0)
    filled = np.where(there, filled - filled.sum(axis=0) / np.maximum(there.sum(axis=0), 1), 0.0)
    there = there.astype(np.float64)
    n = np.maximum(there.T @ there, 1)
    sums, squares = filled.T @ there, (filled**2).T @ there
    covered = filled.T @ filled - sums * sums.T / n
    spread = squares - sums**2 / n
    corr = np.where((spread * spread.T > 0) & (n >= MIN_ROWS), covered / np.sqrt(np.abs(spread * spread.T)), 0.0)
    corr = np.clip(np.nan_to_num(corr), -1, 1)
    np.fill_diagonal(corr, 1.0)
    return corr


def _explained(values: np.ndarray, j: int, by: Iterable[int]) -> float:
    """Return the adjusted R² of a column given others; 0 if it depends on a few outlying rows."""
    by = list(by)
    own = values[:, [j, *by]]
    own = own[np.isfinite(own).all(axis=1)]
    if len(own) < MIN_ROWS:
        return 0.0
    scale = np.abs(own).max(axis=0)
    own = own / np.where(scale > 0, scale, 1.0)
    own = own - own.mean(axis=0)
    spread = np.sqrt((own**2).sum(axis=0))
    if (spread < 1e-12 * np.sqrt(len(own))).any():
        return 0.0
    own /= spread
    weights = np.linalg.lstsq(own[:, 1:], own[:, 0], rcond=None)[0]
    rest = own[:, 0] - own[:, 1:] @ weights
    free = max(len(own) - len(by) - 1, 1)
    share = 1 - float(rest @ rest) * (len(own) - 1) / free
    if share <= NEARLY:
        return share
    middle = np.median(own[:, 0])
    near = np.argsort(np.abs(own[:, 0] - middle), kind="stable")[: int(KEPT * len(own))]
    inner = own[near, 0]
    total = float(((inner - inner.mean()) ** 2).sum())
    left = float(((rest[near] - rest[near].mean()) ** 2).sum())
    return share if total > 1e-12 and 1 - left / total > TRIMMED else 0.0


def _has_whole_weights(values: np.ndarray, j: int, by: Iterable[int]) -> bool:
    """Return True if column j is the sum of whole multiples of others, such as log BMI = log weight - 2 log height."""
    own = values[:, [j, *by]]
    own = own[np.isfinite(own).all(axis=1)]
    own = own - own.mean(axis=0)
    weights = np.linalg.lstsq(own[:, 1:], own[:, 0], rcond=None)[0]
    return bool((np.abs(weights - np.rint(weights)) < WHOLE).all() and (np.abs(weights) > 0.5).all())


def _spread(column: np.ndarray) -> bool:
    there = column[np.isfinite(column)]
    return len(there) >= MIN_ROWS and bool(there.min() < there.max())


def _has_logs(column: np.ndarray) -> bool:
    there = column[np.isfinite(column)]
    if not len(there) or there.min() < 0:
        return False
    positive = there[there > 0]
    return len(positive) >= MIN_POSITIVE * len(there) and positive.max() > MIN_RANGE * positive.min()


def _logs(values: np.ndarray) -> np.ndarray:
    """Return logarithms, NaN for zeros."""
    return np.log(np.where(values > 0, values, np.nan))


def _has_lone_zeros(values: np.ndarray) -> bool:
    """Return True if a column is 0 where all others are nonzero; then it is neither their product nor a factor."""
    return bool((np.isfinite(values).all(axis=1) & ((values == 0).sum(axis=1) == 1)).any())


def pair_counts_by_product(codes: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return the same as `bit_planes.pair_counts`, for any number of levels."""
    begin = np.concatenate([[0], np.cumsum(size)[:-1]])
    hot = np.zeros((codes.shape[1], int(size.sum())), dtype=np.float32)
    for own, at, r in zip(codes, begin, size, strict=True):
        there = np.flatnonzero(own < r)
        hot[there, at + own[there]] = 1.0
    return (hot.T @ hot).astype(np.int64)


class _Levels:
    """Search for categorical columns that other categorical columns determine."""

    def __init__(self, dataset: Dataset, columns: list[int], rows: np.ndarray) -> None:
        self.dataset, self.rows, self.n = dataset, rows, dataset.n_rows
        self.check_rows = _every(self.n, MAX_CHECK_ROWS)
        self.counts: dict[int, np.ndarray] = {}
        usable = []
        if columns:
            from .bit_planes import level_counts  # loads kernels, which explanations do not need

            counts, first = level_counts(dataset)
            seen, n = np.add.reduceat(counts > 0, first, dtype=np.int64), np.add.reduceat(counts, first)
            fits = (seen > 1) & (n - np.maximum.reduceat(counts, first) >= MIN_MINORITY) & (seen * ROWS_PER_LEVEL <= n)
            for k in np.flatnonzero(fits).tolist():
                usable.append(columns[k])
                self.counts[columns[k]] = counts[first[k] : first[k] + dataset.arity[k]]
        self.columns = usable if sum(len(self.counts[j]) for j in usable) <= MAX_LEVELS else []

    def _codes(self, j: int, rows: np.ndarray | slice) -> np.ndarray:
        return self.dataset.codes[self.dataset.place[j]][rows].astype(np.int64)

    def pairs(self) -> Iterator[DeterminedGroup]:
        """Yield the columns that another one determines."""
        kept: list[int] = []
        if len(self.columns) < 2:
            return
        left, entropy = self._left()
        promising = left <= _LOOSE * entropy[:, None]
        promising |= promising.T
        np.fill_diagonal(promising, False)
        if not promising.any():
            return
        for place, j in enumerate(self.columns):
            group = None
            for other, i in ((k, self.columns[k]) for k in (kept if promising[place, :place].any() else ())):
                if not promising[place, other]:
                    continue
                of_j, of_i = self._share(j, i), self._share(i, j)
                if of_j > NEARLY and of_i > NEARLY:
                    group = DeterminedGroup(j, (i,), min(of_j, of_i), "copy", True)
                elif of_j > NEARLY:
                    group = DeterminedGroup(j, (i,), of_j, "levels", False)
                elif of_i > NEARLY:
                    yield DeterminedGroup(i, (j,), of_i, "levels", False)
                if group is not None:
                    yield group
                    break
            if group is None or not group.mutual:
                kept.append(place)

    def _left(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (m, m) entropies of column i given j, and (m,) entropies, in a sample of the rows."""
        size = [len(self.counts[j]) for j in self.columns]
        begin = np.concatenate([[0], np.cumsum(size)[:-1]])
        counts = self._pair_counts(np.array(size))
        xlogx = np.arange(len(self.rows) + 1, dtype=np.float64)
        xlogx *= np.log(np.maximum(xlogx, 1.0))
        terms = xlogx[counts]
        joint = np.add.reduceat(np.add.reduceat(terms, begin, axis=0), begin, axis=1)
        of_other = np.add.reduceat(counts, begin, axis=0)  # (m, levels): rows with i at each level of j
        n = np.maximum(np.add.reduceat(of_other, begin, axis=1), 1)
        other = np.add.reduceat(xlogx[of_other], begin, axis=1)
        of_own = np.diag(joint)
        return (other - joint) / n, np.log(np.diag(n)) - of_own / np.diag(n)

    def _pair_counts(self, size: np.ndarray) -> np.ndarray:
        """Return (m, m) int64 rows of the sample with each pair of the m levels of all columns, of which j has `size`.

        Columns with too many levels for bit planes are counted by a product of matrices. Planes are quicker by 1.1 to
        7 times for 8 to 1,400 levels and 200 to 2,000 rows, and as quick for 40 rows.
        """
        from .bit_planes import MAX_PAIRED_LEVELS, pair_counts  # loads kernels, which explanations do not need

        codes = self.dataset.codes[[self.dataset.place[j] for j in self.columns]]
        if len(self.rows) < self.n:
            codes = codes.take(self.rows, axis=1)  # in row order, for which the kernels are compiled
        return pair_counts(codes, size) if size.max() < MAX_PAIRED_LEVELS else pair_counts_by_product(codes, size)

    def _share(self, j: int, i: int) -> float:
        """Return the share of the entropy of j that i explains."""
        n_j, n_i = len(self.counts[j]), len(self.counts[i])
        a, b = self._codes(j, self.check_rows), self._codes(i, self.check_rows)
        there = (a < n_j) & (b < n_i)
        table = np.bincount(a[there] * n_i + b[there], minlength=n_j * n_i).reshape(n_j, n_i).astype(np.float64)
        own, others, n = table.sum(axis=1), table.sum(axis=0), float(table.sum())
        if n < MIN_ROWS or n - own.max() < MIN_MINORITY:
            return 0.0
        entropy = n * np.log(n) - _xlogx(own)
        left = _xlogx(others) - _xlogx(table)
        return 1.0 if left < 1e-9 * n else float(1 - left / entropy)

    def with_numbers(self, numeric: list[int], found: dict[int, DeterminedGroup]) -> Iterator[DeterminedGroup]:
        """Yield numbers that the levels of a column determine, and levels that are intervals of a number."""
        rows = self.check_rows if len(self.check_rows) * len(self.columns) <= 10 * MAX_CHECK_ROWS else self.rows
        for j in numeric:
            numbers = self.dataset.values[rows, self.dataset.place[j]]
            for i in self.columns:
                if i in found:
                    continue
                codes = self._codes(i, rows)
                there = np.isfinite(numbers) & (codes < len(self.counts[i]))
                value, level = numbers[there], codes[there]
                if len(value) < MIN_ROWS or value.min() == value.max():
                    continue
                share = _of_means(value, level)
                banded = _is_banded(value, level)
                if share > NEARLY:
                    yield DeterminedGroup(j, (i,), share, "means", banded)
                    break
                if banded:
                    yield DeterminedGroup(i, (j,), 1.0, "bands", False)
                    found.setdefault(i, DeterminedGroup(i, (j,), 1.0, "bands", False))

    def triples(self, found: dict[int, DeterminedGroup]) -> Iterator[DeterminedGroup]:
        """Yield the columns that two others determine exactly, together but not alone."""
        columns = [j for j in self.columns if j not in found]
        if not 3 <= len(columns) <= MAX_TRIPLES_OF_LEVELS:
            return
        size = np.array([len(self.counts[j]) + int(self.dataset.incomplete[j]) for j in columns])
        pairs = np.array(list(combinations(range(len(columns)), 2)))
        # Groups of one or two rows are constant by chance.
        pairs = pairs[size[pairs].prod(axis=1) * ROWS_PER_LEVEL <= self.n]
        head = self.dataset.codes[[self.dataset.place[j] for j in columns], :HEAD_ROWS]
        others = np.ones((len(pairs), len(columns)), dtype=bool)
        others[np.arange(len(pairs))[:, None], pairs] = False
        triples = np.argwhere(others)
        for n_rows in SIEVE_ROWS:
            triples = triples[_are_constant(head[:, :n_rows], pairs, size, triples)]
        done: set[int] = set()
        sets: set[frozenset[int]] = set()
        for pair, z in triples.tolist():
            a, b, c = (columns[k] for k in (*pairs[pair].tolist(), z))
            members = frozenset((a, b, c))
            if c in done or members in sets or not self._fix((a, b), c):
                continue
            if self._fix((a,), c) or self._fix((b,), c):
                continue
            done.add(c)
            sets.add(members)
            yield DeterminedGroup(c, (a, b), 1.0, "levels", self._fix((a, c), b) and self._fix((b, c), a))

    def _fix(self, by: Sequence[int], target: int) -> bool:
        """Return True if the target has one level in each group of rows."""
        return all(self._fix_in(rows, by, target) for rows in (slice(HEAD_ROWS), slice(None)))

    def _fix_in(self, rows: slice, by: Sequence[int], target: int) -> bool:
        group = self._codes(by[0], rows)
        for j in by[1:]:
            group = group * (len(self.counts[j]) + 1) + self._codes(j, rows)
        codes = self._codes(target, rows)
        example = np.empty(int(group.max()) + 1, dtype=np.int64)
        example[group] = codes
        return bool((example[group] == codes).all())


def _are_constant(codes: np.ndarray, pairs: np.ndarray, size: np.ndarray, triples: np.ndarray) -> np.ndarray:
    """Return (k,) bool: True if a column has one code in all rows with the same codes in both columns of a pair.

    Parameters
    ----------
    codes : (p, n) integer array
    pairs : (m, 2) integer array
    size : (p,) integer array
        The codes of each column are below its size.
    triples : (k, 2) integer array
        Index of the pair, and the column.
    """
    x, y = pairs.T
    end = np.cumsum(size[x] * size[y])
    group = (end - size[x] * size[y])[:, None] + codes[x] * size[y][:, None] + codes[y]
    example = np.empty(end[-1] if len(end) else 0, dtype=np.int64)  # a row of each group
    example[group] = np.arange(codes.shape[1])
    pair, z = triples.T
    return (codes[z[:, None], example[group][pair]] == codes[z]).all(axis=1)


_LOOSE = 1.5 * (1 - NEARLY)  # maximum share of the entropy left in the sample


def _xlogx(counts: np.ndarray) -> float:
    return float((counts * np.log(np.maximum(counts, 1.0))).sum())


def _of_means(value: np.ndarray, level: np.ndarray) -> float:
    """Return the share of the variance of a number that the means of the levels explain, adjusted for their number."""
    value = (value - value.mean()) / np.abs(value - value.mean()).max()
    rows = np.bincount(level)
    between = float((np.bincount(level, value)[rows > 0] ** 2 / rows[rows > 0]).sum())
    total, groups = float(value @ value), np.count_nonzero(rows)
    share = 1 - (1 - between / total) * (len(value) - 1) / max(len(value) - groups, 1)
    if share <= NEARLY:
        return share
    near = np.argsort(np.abs(value - np.median(value)), kind="stable")[: int(KEPT * len(value))]
    inner = value[near] - value[near].mean()
    rest = value - (np.bincount(level, value) / np.maximum(rows, 1))[level]
    total = float(inner @ inner)
    return share if total > 1e-12 and 1 - float(rest[near] @ rest[near]) / total > TRIMMED else 0.0


def _is_banded(value: np.ndarray, level: np.ndarray) -> bool:
    """Return True if each level is an interval of the numbers with at least `ROWS_PER_LEVEL` rows."""
    rows = np.bincount(level)
    rows = rows[rows > 0]
    if len(rows) < 2 or rows.min() < ROWS_PER_LEVEL:
        return False
    order = np.lexsort((level, value))
    changes = np.diff(level[order]) != 0
    return int(changes.sum()) == len(rows) - 1 and bool((np.diff(value[order])[changes] > 0).all())
