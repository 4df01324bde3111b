"""Calibrated probabilities of edges and arrows: how often such claims were right on tables of known networks.

Shares of resamples and posterior probabilities can be too close to 0 and 1 where rows are few, most on networks with
near-deterministic tables and many levels. Logistic functions of their log odds and of ln n correct this in the mean.
For edges between categories by order MCMC, low probabilities also depend on the rows per parameter of the pair: few
rows hide edges between columns of many levels. The functions were fitted to samples of networks and measured on others
(``python -m benchmarks calibration``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..common.relabeling import ByPair
from ..common.validation import validated
from ..results.result import LearnResult

STORED = Path(__file__).with_name("calibration.json")
CLAIMS = ("adjacent", "compelled")
CENTRE = 500  # number of rows at which the third coefficient has no effect
ROWS_PER_PARAMETER = 100  # number of rows for each parameter of a pair at which the fourth coefficient has no effect
MIN_SIZE = -4.0  # minimum ln of the rows per parameter relative to this number; fewer rows count as this
LOW = 4.0  # log odds over which the effect of the rows per parameter builds up, below even odds
SAME_MODEL = {"exact_posterior": "order_mcmc"}  # learners that compute the probabilities of another learner exactly
TINY = 1e-12
RESAMPLES = 50  # number of resamples in the runs that the functions were fitted to; with fewer, shares are coarser


@dataclass(frozen=True)
class CalibrationCurve:
    """Calibrated P of one claim: the logistic function of ``intercept + slope * z + trend * ln(n / 500)``.

    z are the log odds of the raw P, limited to what `least` distinguishes. For z < 0, ``levels * tanh(z / 4) * s`` is
    added, where s = ln(n / (100 d)) >= -4 and d is the number of parameters of the pair.

    Attributes
    ----------
    intercept, slope, trend : float
        P rises with the raw P, so that calibration never changes the order of two claims with the same levels.
    least : float
        Added to P and 1 - P.
    rows : (int, int)
        Smallest and largest n of the fit; other n count as the nearer one.
    levels : float
        Effect of the rows per parameter; 0 where it was not fitted.
    """

    intercept: float
    slope: float
    trend: float
    least: float
    rows: tuple[int, int]
    levels: float = 0.0

    def __call__(self, raw: np.ndarray, n: int, parameters: np.ndarray | float = 1.0) -> np.ndarray:
        """Calibrate raw probabilities of pairs with these numbers of parameters, from n rows."""
        n = min(max(n, self.rows[0]), self.rows[1])
        odds = log_odds(raw, self.least)
        logit = self.intercept + self.slope * odds + self.trend * math.log(n / CENTRE)
        if self.levels:
            logit = logit + self.levels * hidden_odds(odds, n, parameters)
        return 1.0 / (1.0 + np.exp(-logit))


def hidden_odds(odds: np.ndarray, n: int, parameters: np.ndarray | float) -> np.ndarray:
    """Return the term of the rows per parameter for raw log odds, positive where few rows can hide an edge."""
    size = np.maximum(np.log(n / (ROWS_PER_PARAMETER * np.asarray(parameters, dtype=np.float64))), MIN_SIZE)
    return np.tanh(np.minimum(odds, 0.0) / LOW) * size


def log_odds(raw: np.ndarray, least: float) -> np.ndarray:
    """Return ln of the odds, with `least` added to P and 1 - P."""
    raw = np.clip(raw, 0.0, 1.0)
    return np.log((raw + least) / (1.0 - raw + least))


@dataclass(frozen=True, eq=False)
class CalibratedProbabilities:
    """Calibrated probabilities of the pairs of a run.

    Attributes
    ----------
    adjacent : (p, p) float64 array
        Symmetric: P(i and j are adjacent).
    compelled : (p, p) float64 array
        P(i -> j, and all equivalent graphs have this arrow).
    directed : (p, p) float64 array
        P(i -> j): compelled, or one of the two equally likely directions of an edge that is open. Both directions of a
        pair sum to `adjacent`.
    """

    adjacent: ByPair
    compelled: ByPair
    directed: ByPair


@validated
def calibrated_probabilities(result: LearnResult) -> CalibratedProbabilities | None:
    """Return the probabilities of a run, calibrated by how often such claims were right on tables of known networks.

    Parameters
    ----------
    result : LearnResult
        A run of order MCMC, exact sums, B-RAI or the bootstrap, as `learn` returns it.

    Returns
    -------
    CalibratedProbabilities
        None if no calibration was fitted: for other learners, settings of the model other than the defaults, fewer than
        50 resamples, tables with missing cells, and runs that were cancelled. Background knowledge stays certain. NaN
        for pairs with a column that others determine.

    References
    ----------
    Platt (1999), Probabilistic outputs for support vector machines. Advances in Large Margin Classifiers.

    Examples
    --------
    >>> from learners import calibrated_probabilities, learn, load_sample
    >>> result = learn("order_mcmc", load_sample("asia").dataset)
    >>> calibrated_probabilities(result).adjacent.shape
    (8, 8)
    """
    curves = _curves_of(result)
    if not curves:
        return None
    n, parameters = result.rows.n, parameters_of_pairs(result)
    found = {claim: curves[claim](values, n, parameters) for claim, values in raw_probabilities(result).items()}
    adjacent, compelled = (found[claim] for claim in CLAIMS)
    if (known := result.knowledge) is not None:
        adjacent[known.joined], adjacent[known.apart] = 1.0, 0.0
        compelled[known.excluded | known.directions.T] = 0.0
        compelled[known.directions] = adjacent[known.directions]
    compelled *= np.minimum(1.0, adjacent / np.maximum(compelled + compelled.T, TINY))
    directed = compelled + (adjacent - compelled - compelled.T) / 2.0
    unjudged = ~judged_pairs(result)
    for values in (adjacent, compelled, directed):
        values[unjudged] = math.nan
    return CalibratedProbabilities(adjacent, compelled, directed)


def edge_columns(result: LearnResult) -> dict[str, np.ndarray]:
    """Return the calibrated probabilities of edges and arrows by column name in files; empty if there are none."""
    found = calibrated_probabilities(result)
    return {} if found is None else {"calibrated_edge": found.adjacent, "calibrated_arrow": found.compelled}


def raw_probabilities(result: LearnResult) -> dict[str, np.ndarray]:
    """Return the (p, p) probabilities that the result of a learner states, by claim; shares for the bootstrap."""
    posterior = result.posterior
    compelled = getattr(result.extra, "forward", None)  # the bootstrap has shares of resamples
    return {"adjacent": posterior.adjacent, "compelled": posterior.compelled if compelled is None else compelled}


def parameters_of_pairs(result: LearnResult) -> np.ndarray:
    """Return (p, p) float64: parameters of the dependence of two categorical columns; 1 for other columns."""
    arity = result.rows.arity
    free = np.ones(len(result.names)) if arity is None else np.maximum(np.asarray(arity, dtype=np.float64) - 1.0, 1.0)
    return np.outer(free, free)


def judged_pairs(result: LearnResult) -> np.ndarray:
    """Return (p, p) bool: the pairs that scores can judge, without copied columns and columns that others determine.

    A column that two others determine together, such as a logical or, can be judged.
    """
    free = np.ones(len(result.names), dtype=bool)
    for group in result.determined:
        if group.pairs:
            free[[group.target, *(group.by if group.mutual else ())]] = False
    found = np.outer(free, free)
    np.fill_diagonal(found, val=False)
    return found


def model_settings(result: LearnResult) -> dict[str, Any]:
    """Return the settings of the model, without those of the effort and of the graph that is shown."""
    return {name: value for name, value in result.params.items() if name not in EFFORT}


# Settings of the effort, of the graph that is shown, and of missing cells, which are excluded anyway.
EFFORT = frozenset(
    ("chains", "steps", "run_on", "n_candidates", "max_parents", "n_resamples", "graph", "share", "k", "roots")
    + ("missing",)
)


def _curves_of(result: LearnResult) -> Mapping[str, CalibrationCurve] | None:
    """Return the curves by claim; None if no calibration was fitted."""
    if result.posterior is None or result.rows is None or not result.complete:
        return None
    if result.completed is not None or result.rows_used is not None:
        return None
    if result.params.get("n_resamples", RESAMPLES) < RESAMPLES:
        return None
    found = stored_curves().get((SAME_MODEL.get(result.method, result.method), result.rows.kind))
    if found is None:
        return None
    settings, curves = found
    if result.method in SAME_MODEL:  # the settings without those of the chains
        settings = {name: value for name, value in settings.items() if name in result.params}
    return curves if model_settings(result) == settings else None


@cache
def stored_curves() -> Mapping[tuple[str, str], tuple[dict[str, Any], Mapping[str, CalibrationCurve]]]:
    """Return the settings and the curves of the fit by learner and kind of columns."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return {
        (method, kind): (
            one["settings"],
            {claim: curve_of(one, claim) for claim in CLAIMS},
        )
        for method, kinds in stored.items()
        for kind, one in kinds.items()
    }


def curve_of(stored: Mapping[str, Any], claim: str) -> CalibrationCurve:
    """Return the curve of a claim from the stored coefficients of a learner and kind of columns."""
    intercept, slope, trend, *levels = stored[claim]
    return CalibrationCurve(intercept, slope, trend, stored["least"], tuple(stored["rows"]), *levels)
