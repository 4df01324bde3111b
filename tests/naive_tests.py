"""Reference implementations of the independence tests and of PC; they share no code with the library."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np


def g2(
    codes: np.ndarray, x: int, y: int, cond: Sequence[int], weights: Sequence[int] | None = None
) -> tuple[float, int]:
    """Return (G², adjusted dof) from one table per stratum: 2 Σ observed ln(observed / expected)."""
    tables: dict[tuple, Counter] = defaultdict(Counter)
    for t in range(codes.shape[1]):
        weight = 1 if weights is None else int(weights[t])
        if weight:
            tables[tuple(codes[list(cond), t])][int(codes[x, t]), int(codes[y, t])] += weight
    terms, dof = [], 0
    for table in tables.values():
        rows, columns = Counter(), Counter()
        for (a, b), count in table.items():
            rows[a] += count
            columns[b] += count
        total = sum(table.values())
        terms += [count * math.log(count * total / (rows[a] * columns[b])) for (a, b), count in table.items()]
        dof += (len(rows) - 1) * (len(columns) - 1)
    return 2.0 * math.fsum(terms), dof


def information(codes: np.ndarray, x: int, y: int, cond: Sequence[int]) -> tuple[float, float]:
    """Return the conditional mutual information of x and y given `cond` in bits, and its standard deviation.

    They are the mean of log2 n_xyz n_z / (n_xz n_yz) over rows, and the standard deviation of that mean.
    """
    rows = [tuple(row) for row in codes.T.tolist()]

    def times(*columns: int) -> list[int]:
        keys = [tuple(row[k] for k in columns) for row in rows]
        found = Counter(keys)
        return [found[key] for key in keys]

    parts = times(x, y, *cond), times(*cond), times(x, *cond), times(y, *cond)
    surprise = [math.log2(both * all_ / (one * other)) for both, all_, one, other in zip(*parts, strict=True)]
    mean = math.fsum(surprise) / len(rows)
    variance = math.fsum((one - mean) ** 2 for one in surprise) / len(rows)
    return mean, math.sqrt(variance / len(rows))


def plain_dof(arity: Sequence[int], x: int, y: int, cond: Sequence[int]) -> int:
    """Return (r_x - 1)(r_y - 1) Π r_z as an exact integer."""
    return (int(arity[x]) - 1) * (int(arity[y]) - 1) * math.prod(int(arity[k]) for k in cond)


def partial_correlation(corr: np.ndarray, x: int, y: int, cond: Sequence[int]) -> float:
    """Return -P_xy / sqrt(P_xx P_yy) with P the inverse of the correlations of x, y and the set."""
    members = [x, y, *cond]
    precision = np.linalg.inv(corr[np.ix_(members, members)])
    return float(-precision[0, 1] / math.sqrt(precision[0, 0] * precision[1, 1]))


def residual_correlation(columns: np.ndarray, x: int, y: int, cond: Sequence[int]) -> float:
    """Return the correlation of the residuals of x and y on the set and an intercept, or 0 if a residual is 0.

    `columns` has a variable per row and may be singular.
    """
    centred = columns - columns.mean(axis=1, keepdims=True)
    spread = np.linalg.norm(centred, axis=1, keepdims=True)
    scaled = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-9)
    basis = scaled[list(cond)].T
    left = [
        scaled[k] - (basis @ np.linalg.lstsq(basis, scaled[k], rcond=1e-9)[0] if len(cond) else 0.0) for k in (x, y)
    ]
    lengths = [float(np.linalg.norm(residual)) for residual in left]
    return float(left[0] @ left[1]) / (lengths[0] * lengths[1]) if min(lengths) > 1e-6 else 0.0


def d_separated(dag: np.ndarray, x: int, y: int, cond: Sequence[int]) -> bool:
    """Return True if the set separates x and y in the moral graph of the ancestors (Lauritzen et al. 1990)."""
    kept = {x, y, *cond}
    while True:
        above = {i for j in kept for i in range(len(dag)) if dag[i, j]} - kept
        if not above:
            break
        kept |= above
    joined = {frozenset((i, j)) for i in kept for j in kept if dag[i, j]}
    for child in kept:
        joined |= {frozenset(pair) for pair in combinations([i for i in kept if dag[i, child]], 2)}
    reached, todo = {x}, [x]
    while todo:
        node = todo.pop()
        for other in kept - set(cond) - reached:
            if frozenset((node, other)) in joined:
                reached.add(other)
                todo.append(other)
    return y not in reached


def pc_stable(
    log_p_of: Callable[[int, int, tuple[int, ...]], float], p: int, alpha: float, max_size: int
) -> tuple[set[frozenset], dict[frozenset, tuple[int, ...]], dict[frozenset, tuple[float, tuple[int, ...]]], list[int]]:
    """Return skeleton, sepsets, hardest test of each pair and tests per level, straight from the definition."""
    edges = {frozenset(pair) for pair in combinations(range(p), 2)}
    sepsets, hardest, counts = {}, {}, []
    for size in range(max_size + 1):
        frozen = set(edges)
        count = 0
        for x, y in sorted(tuple(sorted(edge)) for edge in frozen):
            pair = frozenset((x, y))
            sides = [[k for k in range(p) if k != b and frozenset((a, k)) in frozen] for a, b in ((x, y), (y, x))]
            for cond in dict.fromkeys(cond for side in sides for cond in combinations(side, size)):
                log_p = log_p_of(x, y, cond)
                count += 1
                if pair not in hardest or log_p > hardest[pair][0]:
                    hardest[pair] = (log_p, cond)
                if log_p > math.log(alpha):
                    edges.discard(pair)
                    sepsets[pair] = cond
                    break
        counts.append(count)
    return edges, sepsets, hardest, counts


def linear_by_linear(
    rows: Sequence[Sequence[int]], weights: Sequence[float], x: int, y: int, cond: Sequence[int]
) -> tuple[float, float]:
    """Return (statistic, dof) of the linear-by-linear association of complete rows, scored by midranks.

    The statistic is the squared sum of the centred products of all strata, divided by the sum of their variances under
    permutations of y.
    """
    total = math.fsum(weights)

    def midranks(column: int) -> dict[int, float]:
        below, scores = 0.0, {}
        for level in sorted({row[column] for row in rows}):
            own = math.fsum(weight for row, weight in zip(rows, weights, strict=True) if row[column] == level)
            scores[level], below = (below + own / 2) / total, below + own
        return scores

    score_x, score_y = midranks(x), midranks(y)
    strata = defaultdict(list)
    for row, weight in zip(rows, weights, strict=True):
        strata[tuple(row[k] for k in cond)].append((score_x[row[x]], score_y[row[y]], weight))
    products, variance = 0.0, 0.0
    for stratum in strata.values():
        n = math.fsum(weight for _, _, weight in stratum)
        if n <= 1:
            continue
        mean_x, mean_y = (math.fsum(one[k] * one[2] for one in stratum) / n for k in (0, 1))
        products += math.fsum((a - mean_x) * (b - mean_y) * weight for a, b, weight in stratum)
        spread_x = math.fsum((a - mean_x) ** 2 * weight for a, _, weight in stratum)
        spread_y = math.fsum((b - mean_y) ** 2 * weight for _, b, weight in stratum)
        variance += spread_x * spread_y / (n - 1)
    return (products**2 / variance, 1.0) if variance > 1e-9 else (0.0, 0.0)
