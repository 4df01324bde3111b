"""Front-door criterion: mediators that identify an effect although a hidden variable causes both cause and effect.

Pearl (1995), Causal diagrams for empirical research, Biometrika 82; Pearl (2009), definition 3.3.3 and theorem 3.3.4.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np

from ..common.errors import DataError
from ..common.validation import validated
from ..common.wording import quoted
from ..data.dataset import Dataset
from ..data.pooling import MAX_DOF
from ..graphs.graph import PDAG, ancestors, check_dag
from .checks import check_nodes
from .estimates import CONFIDENCE, EffectDifference
from .linear_regression import least_squares, numbers_of
from .paths import separation
from .pooled_estimate import Estimate, estimated
from .strata import counts_by_stratum

MAX_MEMBERS = 3  # maximum number of mediators of a set
N_RESAMPLES, SEED = 400, 0  # bootstrap samples of the counts, from which the variance of a difference is estimated


@validated
def front_door_sets(dag: PDAG, x: int, y: int, *, unmeasured: Collection[int] = ()) -> list[tuple[int, ...]]:
    """Return the minimal sets of at most three nodes that satisfy the front-door criterion relative to (x, y).

    Parameters
    ----------
    dag : PDAG
    x, y : int
        Cause and effect.
    unmeasured : collection of int
        Nodes that cannot be members of a set.

    Returns
    -------
    list of tuple of int
        The smallest first; empty if no set satisfies it, or y is not a descendant of x.

    Raises
    ------
    ParameterError
        If `dag` is not a DAG, or the nodes are not different nodes of it.

    Notes
    -----
    A set M satisfies the criterion if M intercepts all directed paths from x to y, no back-door path from x to M is
    open, and x blocks all back-door paths from M to y.

    Examples
    --------
    >>> from learners import PDAG
    >>> dag = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (3, 0), (3, 2)])
    >>> front_door_sets(dag, 0, 2, unmeasured=[3])
    [(1,)]
    """
    check_dag(dag)
    unmeasured = check_nodes(dag, x, y, unmeasured)
    reach = ancestors(dag)
    if not reach[x, y]:
        return []
    between = [k for k in range(dag.p) if k not in (x, y) and reach[x, k] and reach[k, y] and k not in unmeasured]
    found: list[tuple[int, ...]] = []
    for size in range(1, MAX_MEMBERS + 1):
        for members in combinations(between, size):
            if not any(set(one) <= set(members) for one in found) and _is_front_door(dag, x, y, members):
                found.append(members)
    return found


def _is_front_door(dag: PDAG, x: int, y: int, members: tuple[int, ...]) -> bool:
    without = np.array(dag.amat)
    without[list(members)] = without[:, list(members)] = False
    if ancestors(PDAG(without))[x, y]:
        return False
    behind_x = np.array(dag.amat)
    behind_x[x] = False
    if any(not separation(PDAG(behind_x), x, one).separated for one in members):
        return False
    behind = np.array(dag.amat)
    behind[list(members)] = False
    return all(separation(PDAG(behind), one, y, (x,)).separated for one in members)


@validated
def front_door_effect(
    dataset: Dataset, x: int, y: int, mediators: Collection[int], *, levels: tuple[int, int] = (0, 1), of: int = 0
) -> EffectDifference:
    """Estimate the change of y if x changes, by the front-door formula, with a 95 % interval.

    Parameters
    ----------
    dataset : Dataset
        All columns numeric, or all categorical. Row weights count; missing cells as in `adjusted_effect`.
    x, y : int
        Columns of cause and effect.
    mediators : collection of int
        A set that satisfies the front-door criterion, see `front_door_sets`.
    levels : (int, int)
        Levels of a categorical x before and after; a numeric x is increased by one unit.
    of : int
        The level of a categorical y whose probability is compared.

    Returns
    -------
    EffectDifference
        Its `given` are the mediators.

    Raises
    ------
    DataError
        If columns are of different types, linearly dependent, or a value of the mediators occurs with some levels of x
        only.
    ParameterError
        If the columns are not different, or there is no mediator.

    Notes
    -----
    Numeric: the sum over mediators m of (slope of m on x) · (slope of y on m, given x and the other mediators), with
    the variance of both steps by the delta method. Categorical: P(y | do(x)) = Σ_m P(m | x) Σ_x' P(y | m, x') P(x'),
    with the variance over 400 multinomial resamples of the counts.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import Dataset
    >>> rng = np.random.default_rng(0)
    >>> u, e = rng.normal(size=2000), rng.normal(size=(3, 2000))
    >>> x = u + e[0]
    >>> m = 2 * x + e[1]
    >>> y = 0.5 * m - 3 * u + e[2]
    >>> found = front_door_effect(Dataset.from_values(np.column_stack([x, y, m]), ["x", "y", "m"]), 0, 1, [2])
    >>> found.low < 1 < found.high
    True
    """
    mediators = check_nodes(PDAG.empty(dataset.p), x, y, mediators)
    if not mediators:
        raise DataError("the front door needs a mediator; choose a set of front_door_sets")
    columns = [x, y, *mediators]
    kinds = {dataset.kinds[j] for j in columns}
    if len(kinds) > 1:
        names = quoted([dataset.names[j] for j in columns])
        raise DataError(
            f"the front door multiplies slopes or sums over levels, and {names} are of both types. Bin the numeric ones"
        )
    if kinds == {"continuous"}:
        found, _, tables = estimated(dataset, columns, _by_slopes)
    else:
        found, _, tables = estimated(dataset, columns, lambda own: _by_counts(own, levels, of))
    low, high = (float(end) for end in found.interval(CONFIDENCE))
    if kinds != {"continuous"}:
        low, high = max(low, -1.0), min(high, 1.0)
    return EffectDifference(float(found.values), low, high, mediators, tables=tables)


def _by_slopes(own: Dataset) -> Estimate:
    shares = np.ones(own.n_rows) if own.shares is None else own.shares
    x, y, *through = (numbers_of(own, j)[:, 0] for j in range(own.p))
    one = np.ones(own.n_rows)
    forward = [least_squares(own, np.column_stack([one, x]), m, shares) for m in through]
    slopes = np.array([beta[1] for beta, _, _ in forward])
    left = np.column_stack(
        [m - np.column_stack([one, x]) @ beta for m, (beta, _, _) in zip(through, forward, strict=True)]
    )
    noise = (left * shares[:, None]).T @ left / (shares.sum() - 2) / (shares @ x**2)  # covariance of the slopes
    design = np.column_stack([one, *through, x])
    beta, _, dof = least_squares(own, design, y, shares)
    rest = y - design @ beta
    inner = np.linalg.inv((design * shares[:, None]).T @ design) * (shares @ rest**2) / dof
    onward, k = beta[1 : 1 + len(through)], slice(1, 1 + len(through))
    variance = onward @ noise @ onward + slopes @ inner[k, k] @ slopes
    return Estimate("slope", np.array(slopes @ onward), np.array(variance), dof, np.ones(()))


def _by_counts(own: Dataset, levels: tuple[int, int], of: int) -> Estimate:
    counts = counts_by_stratum(own)  # (m, r_x, r_y)
    rows = counts.sum(axis=2)
    there = rows.sum(axis=0) > 0
    if not there[list(levels)].all():
        raise DataError(f"{quoted(own.names[:1])} does not have both levels in these rows; choose other levels")
    if (rows[:, there] == 0).any():
        raise DataError(
            f"some values of {quoted(own.names[2:])} occur with some levels of {quoted(own.names[:1])} only; "
            "merge rare levels"
        )
    value = _difference(counts, levels, of)
    rng, n = np.random.default_rng(SEED), counts.sum()
    draws = rng.multinomial(max(1, round(n)), counts.ravel() / n, N_RESAMPLES).reshape(-1, *counts.shape)
    spread = np.var([_difference(one.astype(np.float64), levels, of) for one in draws], ddof=1)
    return Estimate("slope", np.array(value), np.array(spread), MAX_DOF, np.ones(()))


def _difference(counts: np.ndarray, levels: tuple[int, int], of: int) -> float:
    """Return P(y = of | do(x = after)) - P(y = of | do(x = before)) from (m, r_x, r_y) counts."""
    rows = counts.sum(axis=2)
    of_x = rows.sum(axis=0)
    pooled = counts[:, :, of].sum(axis=1, keepdims=True) / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300)
    share = np.where(rows > 0, counts[:, :, of] / np.maximum(rows, 1e-300), pooled)
    by_m = share @ (of_x / of_x.sum())
    before, after = (rows[:, k] / max(of_x[k], 1e-300) for k in levels)
    return float((after - before) @ by_m)
