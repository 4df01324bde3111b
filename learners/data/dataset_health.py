"""What in a data set will mislead a learner or stop it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal

import numpy as np

from ..common.wording import quoted, quoted_columns
from .dataset import Dataset
from .guess import DISTINCT_SHARE, ROWS_PER_LEVEL
from .plan import Plan

MIN_ROWS = 10
ROWS_PER_COLUMN = 5
MAX_DETERMINED = 30  # columns up to which pairs that determine a third are looked for
HEAD_ROWS = 500  # that rule out nearly every such pair
MAX_SETS = 10  # dependent sets reported at a time
# A column is a combination of others if they leave less of its variance than this. Rounding leaves about 1e-13.
EXACT = 1e-10


@dataclass(frozen=True)
class Fix:
    """One way out of a finding: take `plan` instead of the present one."""

    label: str
    plan: Plan


@dataclass(frozen=True)
class Finding:
    """Something wrong with the data.

    Attributes
    ----------
    severity : "blocker" or "warning"
        A blocker must be mended before learning.
    code : str
        What it is, for programs: "constant", "id_like", "duplicate", "linear_dependence", ...
    columns : tuple of str
        The columns it is about; the fixes change these. Empty if it is about the whole table.
    reason : str
        One sentence: what was found and why it matters, or what to do.
    fixes : tuple of Fix
        Ways out, the recommended one first. Empty for data without a plan, and where only the user can help.
    """

    severity: Literal["blocker", "warning"]
    code: str
    columns: tuple[str, ...]
    reason: str
    fixes: tuple[Fix, ...] = ()


def check_dataset(dataset: Dataset) -> tuple[Finding, ...]:
    """Everything to know about a data set before learning from it, blockers first. Findings carry no fixes."""
    found = [*size_findings(dataset.p, dataset.n), *data_findings(dataset)]
    return tuple(sorted(found, key=lambda finding: finding.severity))


def size_findings(p: int, n: int) -> list[Finding]:
    """Too few columns, too few rows, or few rows for the columns."""
    found = []
    if p < 2:
        found.append(_blocker("few_columns", (), f"learning needs at least 2 columns, found {p}; use more of them"))
    if n < MIN_ROWS:
        found.append(_blocker("few_rows", (), f"learning needs at least {MIN_ROWS} rows, found {n}; add rows of data"))
    elif n < ROWS_PER_COLUMN * p:
        reason = f"{n:,} rows are few for {p:,} columns: many true edges will be missed; add rows or leave out columns"
        found.append(_warning("n_against_p", (), reason))
    return found


def data_findings(dataset: Dataset) -> list[Finding]:
    """What is wrong with the columns of a data set of at least one row."""
    if dataset.n == 0 or dataset.p == 0:
        return []
    found = []
    for kind, findings_of in (("continuous", _continuous_findings), ("categorical", _categorical_findings)):
        own = [j for j in range(dataset.p) if dataset.kinds[j] == kind]
        if own:
            found += findings_of(dataset.select(own))
    return found


def _categorical_findings(dataset: Dataset) -> list[Finding]:
    names, n = np.array(dataset.names, dtype=object), dataset.n
    counts = [
        np.bincount(codes, weights=dataset.weights, minlength=arity)[:arity]
        for codes, arity in zip(dataset.codes, dataset.arity, strict=True)
    ]
    levels = np.array([np.count_nonzero(column) for column in counts])
    rarest = np.array([column[column > 0].min(initial=n) for column in counts])
    constant = levels <= 1
    id_like = ~constant & (n >= 20) & (levels > DISTINCT_SHARE * n)
    many = ~constant & ~id_like & (levels * ROWS_PER_LEVEL > n)
    small = ~(constant | id_like | many) & (rarest < ROWS_PER_LEVEL)
    found = _constant(tuple(names[constant]), dataset.n)
    if id_like.any():
        columns = tuple(names[id_like])
        reason = f"nearly every row has its own value in {quoted_columns(columns)}: such values only name the rows"
        found.append(_warning("id_like", columns, reason))
    if many.any():
        columns, most = tuple(names[many]), int(levels[many].max())
        reason = f"up to {most:,} levels in {quoted_columns(columns)} leave fewer than {ROWS_PER_LEVEL} rows a level"
        found.append(_warning("many_levels", columns, reason))
    if small.any():
        columns = tuple(names[small])
        reason = (
            f"the rarest level of {quoted_columns(columns)} has fewer than {ROWS_PER_LEVEL} rows, so expected counts "
            "are tiny in every test with them"
        )
        alone = tuple(names[small & (rarest == 1)])
        if alone:
            reason += f"; {quoted_columns(alone)} {'has' if len(alone) == 1 else 'have'} a level in a single row"
        found.append(_warning("small_counts", columns, reason))
    found += _duplicates_of_codes(dataset, counts, ~constant & ~id_like)
    return found + _determined(dataset, np.flatnonzero(~constant & ~id_like & ~many))


def _continuous_findings(dataset: Dataset) -> list[Finding]:
    names, values = np.array(dataset.names, dtype=object), dataset.values
    constant = np.nanmin(values, axis=0) == np.nanmax(values, axis=0)
    found = _constant(tuple(names[constant]), dataset.n)
    if dataset.n >= MIN_ROWS:
        with np.errstate(over="ignore"):  # an infinite step is no step of a counter
            steps = np.diff(values, axis=0)
        counter = ~constant & (steps == steps[0]).all(axis=0) & np.isfinite(steps[0])
        if counter.any():
            columns = tuple(names[counter])
            reason = f"the numbers of {quoted_columns(columns)} grow by the same step: they only count the rows"
            found.append(_warning("id_like", columns, reason))
    groups = defaultdict(list)
    for j in np.flatnonzero(~constant):
        groups[(values[:, j] + 0.0).tobytes()].append(j)  # + 0.0 makes -0 equal to 0
    found += _duplicates("blocker", dataset, list(groups.values()))
    return found + _dependences(dataset, np.array(sorted(group[0] for group in groups.values()), dtype=int))


def _constant(columns: tuple[str, ...], n: int) -> list[Finding]:
    if not columns or n == 1:  # one row is too few, and that is said
        return []
    reason = f"there is a single value in all rows used of {quoted_columns(columns)}, so nothing can depend on it"
    return [_blocker("constant", columns, reason)]


def _determined(dataset: Dataset, columns: np.ndarray) -> list[Finding]:
    """Columns fixed by two others, such as a sum of them: tests given these two have nothing to see."""
    if len(columns) > MAX_DETERMINED or dataset.n_rows < MIN_ROWS:
        return []
    found = []
    for target, pair in determined_columns(dataset, columns):
        name, causes = dataset.names[target], [dataset.names[k] for k in pair]
        reason = (
            f"column {quoted([name])} is determined by {quoted(causes)}: within their groups it does not vary, so "
            "tests given them have nothing to see and may part it from what it is linked with"
        )
        found.append(_warning("determined", (name,), reason))
    return found


def determined_columns(dataset: Dataset, columns: np.ndarray) -> list[tuple[int, tuple[int, int]]]:
    """Each of the categorical `columns` that two others fix but none of them alone, with the first such two."""
    codes = dataset.codes[columns].astype(np.int64)
    head, size = codes[:, :HEAD_ROWS], [int(r) for r in dataset.states[columns]]
    alone = {(a, c) for a, c in permutations(range(len(columns)), 2) if _fixes(codes[a], codes[c], size[a], size[c])}
    found: dict[int, tuple[int, int]] = {}
    for a, b in combinations(range(len(columns)), 2):
        groups = size[a] * size[b]
        # Groups of a row or two are constant by chance.
        if groups * ROWS_PER_LEVEL > dataset.n_rows:
            continue
        base = head[a] * size[b] + head[b]
        for c in range(len(columns)):
            if c in found or c in (a, b) or (a, c) in alone or (b, c) in alone:
                continue
            # The first rows settle nearly every case.
            if _fixes(base, head[c], groups, size[c]):
                whole = codes[a] * size[b] + codes[b]
                if _fixes(whole, codes[c], groups, size[c]):
                    found[c] = (a, b)
    return [(int(columns[c]), (int(columns[a]), int(columns[b]))) for c, (a, b) in sorted(found.items())]


def _fixes(group: np.ndarray, codes: np.ndarray, n_groups: int, arity: int) -> bool:
    """Whether `codes` hold one level in each group."""
    cells = np.bincount(group * arity + codes, minlength=n_groups * arity).reshape(n_groups, arity)
    return bool((np.count_nonzero(cells, axis=1) <= 1).all())


def _duplicates_of_codes(dataset: Dataset, counts: list[np.ndarray], eligible: np.ndarray) -> list[Finding]:
    alike = defaultdict(list)
    for j in np.flatnonzero(eligible):
        alike[np.sort(counts[j][counts[j] > 0]).tobytes()].append(j)
    groups = defaultdict(list)
    for group in alike.values():
        if len(group) > 1:
            for j in group:
                groups[_relabelled(dataset.codes[j]).tobytes()].append(j)
    return _duplicates("warning", dataset, list(groups.values()))


def _relabelled(codes: np.ndarray) -> np.ndarray:
    """Codes in order of appearance: equal for two columns that differ only in the names of their levels."""
    present, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(present), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(present))
    return rank[inverse]


def _duplicates(severity: Literal["blocker", "warning"], dataset: Dataset, groups: list[list[int]]) -> list[Finding]:
    groups = sorted(group for group in groups if len(group) > 1)
    if not groups:
        return []
    copies = tuple(dataset.names[j] for group in groups for j in group[1:])
    first, copy = dataset.names[groups[0][0]], dataset.names[groups[0][1]]
    same = "the same numbers" if severity == "blocker" else "the same cells up to their names"
    repeat = "repeats another" if len(copies) == 1 else "repeat others"
    reason = f"{quoted_columns(copies)} {repeat}: {quoted([copy])} holds {same} as {quoted([first])}"
    return [Finding(severity, "duplicate", copies, reason)]


def _dependences(dataset: Dataset, columns: np.ndarray) -> list[Finding]:
    """Columns that are exact linear combinations of others, each with the smallest set that shows it."""
    found = []
    values = dataset.values[:, columns]
    values = values[~np.isnan(values).any(axis=1)]
    varies = values.min(axis=0) < values.max(axis=0) if len(values) else np.zeros(len(columns), dtype=bool)
    columns = columns[varies]
    for target, others in dependent_sets(values[:, varies])[:MAX_SETS]:
        name, rest = dataset.names[columns[target]], [dataset.names[columns[k]] for k in others]
        reason = (
            f"column {quoted([name])} is an exact combination of {quoted(rest)}, so partial correlations do not exist"
        )
        found.append(_blocker("linear_dependence", (name, *rest), reason))
    return found


def dependent_sets(values: np.ndarray) -> list[tuple[int, list[int]]]:
    """Exact linear dependences among the columns of an (n, p) array without constant columns.

    Returns
    -------
    list of (column, columns)
        Each column that is determined by a basis of the others, and the columns of that basis which do so. The basis
        is independent, so the set is minimal. Empty if n <= p, where dependence says nothing about the variables.
    """
    from scipy.linalg import lapack, solve_triangular

    n, p = values.shape
    if p < 2 or n <= p:
        return []
    scale = np.abs(values).max(axis=0)
    standard = values / scale
    standard -= standard.mean(axis=0)
    standard /= np.sqrt(np.einsum("ij,ij->j", standard, standard))
    factor, pivots, rank, _ = lapack.dpstrf(standard.T @ standard, lower=1, tol=EXACT)
    pivots = pivots - 1
    if rank == p:
        return []
    weights = solve_triangular(factor[:rank, :rank], factor[rank:, :rank].T, lower=True, trans="T")
    sets = [
        (int(pivots[rank + k]), sorted(pivots[:rank][np.abs(weights[:, k]) > 1e-6].tolist())) for k in range(p - rank)
    ]
    return sorted(sets)


def _blocker(code: str, columns: tuple[str, ...], reason: str) -> Finding:
    return Finding("blocker", code, columns, reason)


def _warning(code: str, columns: tuple[str, ...], reason: str) -> Finding:
    return Finding("warning", code, columns, reason)
