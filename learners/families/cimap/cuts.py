"""Skeletons of one run of CImap at other thresholds, computed from its evidence without new tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtri

from ...common.false_discovery import Method, log_adjusted
from ...graphs.graph import PDAG
from .evidence import InformationEvidence

Kind = Literal["q", "cut", "normal cut"]
MAX_PAIRS = 8_000  # maximum number of pairs; the strongest are kept


@dataclass(frozen=True, eq=False)
class Cuts:
    """Pairs in the order in which a stricter threshold removes them.

    Attributes
    ----------
    kind : "q", "cut" or "normal cut"
        The kind of threshold: the share of false discoveries; the information of a pair in mbit; or the lower
        confidence limit of the information.
    pairs : (m, 2) int64 array
        i < j, the weakest first.
    values : (m,) float64 array
        The last threshold at which each pair stays: decreasing ln q, or increasing mbit.
    level : float
        The threshold of the run, or a default.
    """

    kind: Kind
    pairs: np.ndarray
    values: np.ndarray
    level: float

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def choice(self) -> int:
        """Number of pairs removed at `level`."""
        return self.gone(self.level)

    def gone(self, level: float) -> int:
        """Return the number of pairs removed at a level."""
        return int((self.values > level).sum() if self.kind == "q" else (self.values < level).sum())

    def graph(self, step: int, p: int) -> PDAG:
        """Return the skeleton without the first `step` pairs."""
        amat = np.zeros((p, p), dtype=bool)
        i, j = self.pairs[step:].T
        amat[i, j] = amat[j, i] = True
        return PDAG(amat)


def kind_of(evidence: InformationEvidence) -> Kind:
    """Return the kind of threshold of a run."""
    return {"p": "q", "mi": "cut", "pn": "normal cut", "pn-all": "normal cut"}[evidence.settings.test]


def cuts_of(evidence: InformationEvidence, joined: np.ndarray, method: Method | None = None) -> Cuts:
    """Return the pairs of a run in the order in which a stricter threshold removes them.

    Parameters
    ----------
    evidence : InformationEvidence
    joined : (p, p) bool array
        The skeleton of the run.
    method : "bh" or "by", optional
        Procedure of the control; default as in the run.

    Notes
    -----
    In a run of χ² tests each pair has its largest p-value, as in the control after the last order, and stays iff the
    families of both ends reject independence. In a run by information each pair has its least information. In a run by
    the normal approximation each pair has its lower confidence limit, unless a conditional test removed it while it was
    above the cut of the run. A rerun with another threshold may differ slightly, since it conditions on other
    neighbours.
    """
    kind, settings = kind_of(evidence), evidence.settings
    i, j = np.triu_indices(len(joined), 1)
    if kind == "q":
        values = _log_q(evidence.log_phi, method or settings.fdr_method)[i, j]
        values[evidence.untested[i, j] & joined[i, j]] = -math.inf  # untested pairs are in no family, so they stay
        return _sorted(kind, i, j, -values, math.log(settings.level), sign=-1.0)
    if kind == "cut":
        return _sorted(kind, i, j, evidence.hardest_information[i, j], settings.cut)
    lower_limit = evidence.information - ndtri(1 - settings.alpha) * evidence.spread
    removed = ~joined & (lower_limit >= settings.cut)
    return _sorted(kind, i, j, np.where(removed, np.nan, lower_limit)[i, j], settings.cut)


def _log_q(log_p: np.ndarray, method: Method) -> np.ndarray:
    """Return (p, p) ln of the smallest q at which the families of both ends reject; NaN if untested."""
    by_node = np.full(log_p.shape, np.nan)
    for node, row in enumerate(log_p):
        members = np.flatnonzero(~np.isnan(row) & (np.arange(len(row)) != node))
        by_node[node, members] = log_adjusted(row[members], method)
    return np.maximum(by_node, by_node.T)


def _sorted(kind: Kind, i: np.ndarray, j: np.ndarray, worth: np.ndarray, level: float, sign: float = 1.0) -> Cuts:
    """Sort the pairs with a positive worth, the least first, and keep the `MAX_PAIRS` strongest."""
    known = np.flatnonzero(~np.isnan(worth) & (worth > 0))
    known = known[np.argsort(worth[known], kind="stable")][-MAX_PAIRS:]
    return Cuts(kind, np.column_stack([i[known], j[known]]), sign * worth[known], level)
