"""Probability of dependence, estimated from data or known from a DAG. LMM ranks edges by it.

Mahdi and Mezey (2013), section 6.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import DataError, ParameterError
from ..common.validation import validated
from ..common.wording import count, quoted
from ..data.completed_data import completed_moments
from ..data.dataset import Dataset
from ..data.lacking_type import no_numbers
from ..graphs.graph import PDAG
from ..kernels.lmm.dependence import DependenceEvidence, mixture_likelihood, mixture_slope
from ..kernels.lmm.set_search import min_log_odds, search_empty_set, search_sets
from .ci_test import check_members
from .oracle import DSeparation

MIN_PRIOR, MAX_PRIOR = 0.001, 0.2  # bounds of the share of dependent pairs, section 6.1.1
MIN_ROWS = 5
CURVE_POINTS = 41
USUAL_GAMMA = 0.03  # default threshold of the graph if a run only ranks pairs; most accurate in benchmarks/papers
MIN_DIFFERENCE = 1e-12  # two columns whose |correlation| is this close to 1 carry the same information
MAX_TABLED = 14  # maximum number of variables whose 2**p sets fit into a table


@dataclass(frozen=True, eq=False)
class Prior:
    """Share of dependent pairs, and how it was found.

    Attributes
    ----------
    dependent : float
        pi_A of equation 2; 1 - pi_A is the prior of independence.
    estimated : bool
        True if it was estimated from the data: half of the share at which `log_likelihood` is largest.
    shares, log_likelihood : (m,) float64 arrays
        The curve of equation 5 over the range searched.
    """

    dependent: float
    estimated: bool
    shares: np.ndarray
    log_likelihood: np.ndarray


@validated
class DependencePosterior:
    """P(rho != 0 | sample partial correlation) for continuous data, equations 1, 2 and 5.

    Parameters
    ----------
    dataset : Dataset
        Continuous.
    prior : float, optional
        pi_A, in (0, 1). Default: estimated.

    Raises
    ------
    DataError
        If the columns are categorical, there are fewer than 5 rows, or two columns are equal up to scale.
    ParameterError
        If `prior` is out of range.
    """

    is_probability, usual_gamma, usual_orientation = True, USUAL_GAMMA, "lmm_eo"

    def __init__(self, dataset: Dataset, *, prior: float | None = None) -> None:
        if dataset.kind != "continuous":
            other = "TestedDependence"
            raise no_numbers("DependencePosterior", "partial correlations", dataset, categories=other, mixed=other)
        completed = completed_moments(dataset)
        if not dataset.complete and not completed:
            raise DataError("LMM needs every cell, found some missing; drop those rows or impute the cells")
        if dataset.n < MIN_ROWS:
            raise DataError(f"LMM needs at least {MIN_ROWS} rows, found {dataset.n}; load a longer table")
        self.names, self.n = dataset.names, completed.min_n if completed else dataset.n
        self._fewest = tuple(dataset.names[j] for j in completed.fewest) if completed else ()
        self._corr = np.ascontiguousarray(dataset.correlation)
        same = np.argwhere(np.triu(np.abs(self._corr) > 1.0 - MIN_DIFFERENCE, 1))
        if len(same):
            pair = quoted(self.names[k] for k in same[0])
            raise DataError(f"columns {pair} carry the same information (correlation ±1); leave one of them out")
        self.prior = estimated_prior(self._corr, self.n) if prior is None else given_prior(prior, self._corr, self.n)

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    def evidence(self, max_cond_size: int) -> DependenceEvidence:
        """Return the evidence in kernel form, for sets of up to `max_cond_size` variables."""
        if self.n < max_cond_size + 4:
            common = f" that {quoted(self._fewest)} have in common; leave one of the two out," if self._fewest else ";"
            raise DataError(
                f"sets of {count(max_cond_size, 'variable')} need at least {max_cond_size + 4} rows, found "
                f"{self.n}{common} lower max_cond_size or load a longer table"
            )
        size = np.arange(max_cond_size + 1)
        prior = self.prior.dependent
        intercept = math.log(prior / 2) - math.log1p(-prior) - log_constant(self.n - size - 1)
        return DependenceEvidence(self._corr, intercept, (self.n - size - 4) / 2, np.zeros((1, 1, 0), dtype=bool))

    def stored_evidence(self, max_cond_size: int) -> DependenceEvidence:
        """Return the evidence as results store it."""
        return self.evidence(max_cond_size)

    @validated
    def log_odds(self, x: int, y: int, cond: Sequence[int] = ()) -> float:
        """Return ln(P / (1 - P)) of dependence given `cond`; infinite if every such set is redundant."""
        members = check_members(self.p, x, y, cond)
        return log_odds_given(self.evidence(len(members)), x, y, members)


@validated
class DependenceOracle:
    """Perfect information: P = 0 if a set d-separates a pair in the DAG, otherwise 1.

    Parameters
    ----------
    dag : PDAG
        A directed acyclic graph of at most 14 nodes, because every set is tabulated.
    names : sequence of str, optional
        Default: "0", "1", ...
    """

    prior = None
    is_probability, usual_gamma, usual_orientation = True, USUAL_GAMMA, "lmm_eo"

    def __init__(self, dag: PDAG, names: Sequence[str] | None = None) -> None:
        if dag.p > MAX_TABLED:
            raise ParameterError(f"the oracle must have at most {MAX_TABLED} variables, got {dag.p}")
        oracle = DSeparation(dag, names)
        self.names = oracle.names
        self._separated = np.zeros((dag.p, dag.p, 1 << dag.p), dtype=bool)
        for x, y in combinations(range(dag.p), 2):
            others = [k for k in range(dag.p) if k not in (x, y)]
            for size in range(len(others) + 1):
                for cond in combinations(others, size):
                    bits = sum(1 << k for k in cond)
                    self._separated[[x, y], [y, x], bits] = oracle.test(x, y, cond).p_value == 1.0

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    def evidence(self, max_cond_size: int) -> DependenceEvidence:
        """Return the evidence in kernel form, with log-odds so large that probabilities round to 0 or 1.

        Rounding is that of double precision.
        """
        same = np.full(max_cond_size + 1, 1e3)
        return DependenceEvidence(np.eye(self.p), -same, same, self._separated)

    def stored_evidence(self, max_cond_size: int) -> DependenceEvidence:
        """Return the evidence as results store it."""
        return self.evidence(max_cond_size)

    @validated
    def log_odds(self, x: int, y: int, cond: Sequence[int] = ()) -> float:
        """Return a large negative value if `cond` separates x and y, else a large positive value."""
        members = check_members(self.p, x, y, cond)
        return log_odds_given(self.evidence(len(members)), x, y, members)


def estimated_prior(corr: np.ndarray, n: int) -> Prior:
    """Return half the share of dependent pairs that makes the correlations most likely, section 6.1.1."""
    null = _null_density(corr, n)
    low, high = MIN_PRIOR, MAX_PRIOR
    # The log-likelihood is concave in the share, so its slope changes sign once.
    if mixture_slope(null, low) <= 0:
        high = low
    elif mixture_slope(null, high) >= 0:
        low = high
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if mixture_slope(null, middle) > 0 else (low, middle)
    return Prior((low + high) / 4, True, *_curve(null))


def given_prior(prior: float, corr: np.ndarray, n: int) -> Prior:
    """Return a prior that is not estimated."""
    check_open_interval("prior", prior, 0.0, 1.0)
    return Prior(float(prior), False, *_curve(_null_density(corr, n)))


def _null_density(corr: np.ndarray, n: int) -> np.ndarray:
    """Return f0 of equation 1 at the correlation of each pair."""
    r = corr[np.triu_indices(len(corr), 1)]
    return np.exp(log_constant(np.array(n - 1)) + (n - 4) / 2 * np.log1p(-(r**2)))


def log_constant(kappa: np.ndarray) -> np.ndarray:
    """Return ln of the constant of equation 1 for kappa degrees of freedom."""
    from scipy.special import gammaln

    return gammaln(kappa / 2) - math.log(math.pi) / 2 - gammaln((kappa - 1) / 2)


def _curve(null: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    shares = np.geomspace(MIN_PRIOR, MAX_PRIOR, CURVE_POINTS)
    value = np.array([mixture_likelihood(null, share) for share in shares])
    shares.flags.writeable = value.flags.writeable = False
    return shares, value


def log_odds_given(evidence: DependenceEvidence, x: int, y: int, cond: Sequence[int]) -> float:
    """Return the log-odds given exactly `cond`: the search covers all its subsets, and only the largest one counts."""
    heads, members = np.array([x, y]), np.array(cond, dtype=np.int64)
    low = np.full((1, len(cond) + 2), np.inf)
    chain = np.full((1, len(cond) + 2, len(cond)), -1, dtype=np.int16)
    search_empty_set(evidence, heads, low, chain)
    search_sets(evidence, heads, members, 0, len(cond), low, chain)
    low[0, : len(cond)] = np.inf
    return float(min_log_odds(evidence, low[0])[1])
