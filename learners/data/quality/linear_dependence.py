"""Find continuous columns that are exact linear combinations of others."""

from __future__ import annotations

import numpy as np

from ...common.sentences import Quoted, say
from ...common.serial_products import products_of
from .duplicates import groups_of_numbers
from .finding import Finding, blocker, leave_out
from .inspection import Inspection
from .registry import check

MAX_SETS = 10  # maximum number of dependent sets reported
# A column is a combination of others if they leave less of its variance than this. Rounding leaves about 1e-13.
EXACT = 1e-10
NEGLIGIBLE = 1e-6  # coefficients of standardized columns below this are rounding errors


@check("linear_dependence", needs_rows=True)
def linear_dependence(inspection: Inspection) -> list[Finding]:
    """Return a blocker for each linear dependence, with the smallest set of columns that shows it."""
    if inspection.numbers is None:
        return []
    # A duplicate has its own finding.
    columns = np.array(sorted(group[0] for group in inspection.once(groups_of_numbers)), dtype=int)
    values = inspection.numbers.values[:, columns]
    values = values[~np.isnan(values).any(axis=1)]
    varies = values.min(axis=0) < values.max(axis=0) if len(values) else np.zeros(len(columns), dtype=bool)
    names = [inspection.numbers.names[j] for j in columns[varies]]
    found = []
    for target, others in dependent_sets(values[:, varies])[:MAX_SETS]:
        name, rest = names[target], [names[k] for k in others]
        reason = say(
            "column {column} is an exact linear combination of {others}. Partial correlations do not exist.",
            column=Quoted([name]),
            others=Quoted(rest),
        )
        found.append(blocker("linear_dependence", (name, *rest), reason, leave_out(inspection.plan, (name,))))
    return found


def dependent_sets(values: np.ndarray) -> list[tuple[int, list[int]]]:
    """Find the exact linear dependences among columns by a pivoted Cholesky factorization of their correlations.

    Parameters
    ----------
    values : (n, p) float array
        Without constant columns.

    Returns
    -------
    list of (column, columns)
        Each column that is determined by a basis of the others, and the columns of that basis which determine it. The
        basis is independent, so the set is minimal. Empty if n <= p, where dependence says nothing about the variables.
    """
    from scipy.linalg import lapack, solve_triangular

    n, p = values.shape
    if p < 2 or n <= p:
        return []
    scale = np.abs(values).max(axis=0)
    standard = values / scale
    standard -= standard.mean(axis=0)
    standard /= np.sqrt(np.einsum("ij,ij->j", standard, standard))
    factor, pivots, rank, _ = lapack.dpstrf(products_of(standard, standard), lower=1, tol=EXACT)
    pivots = pivots - 1
    if rank == p:
        return []
    weights = solve_triangular(factor[:rank, :rank], factor[rank:, :rank].T, lower=True, trans="T")
    sets = [
        (int(pivots[rank + k]), sorted(pivots[:rank][np.abs(weights[:, k]) > NEGLIGIBLE].tolist()))
        for k in range(p - rank)
    ]
    return sorted(sets)
