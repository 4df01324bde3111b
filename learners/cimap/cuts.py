"""The skeletons of one run of CImap at other thresholds, read off what it stored; no test is done again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtri

from ..common.false_discovery import Method, log_adjusted
from ..graphs.graph import PDAG
from .evidence import InformationEvidence

Kind = Literal["q", "cut", "normal cut"]
MOST_PAIRS = 8_000  # of more, the strongest


@dataclass(frozen=True, eq=False)
class Cuts:
    """Pairs in the order in which they leave as the threshold gets stricter.

    Attributes
    ----------
    kind : "q", "cut" or "normal cut"
        What the threshold is: the share of false discoveries, or information in mbit that a pair must carry, or surely
        carry.
    pairs : (m, 2) int64 array
        i < j, the weakest first.
    values : (m,) float64 array
        The last threshold at which each pair stays: ln q, falling, or mbit, rising.
    level : float
        The run's own, or one to begin with.
    """

    kind: Kind
    pairs: np.ndarray
    values: np.ndarray
    level: float

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def choice(self) -> int:
        """How many pairs have left at the run's own level."""
        return self.gone(self.level)

    def gone(self, level: float) -> int:
        """How many pairs have left at a level."""
        return int((self.values > level).sum() if self.kind == "q" else (self.values < level).sum())

    def graph(self, step: int, p: int) -> PDAG:
        """The skeleton once the first `step` pairs have left."""
        amat = np.zeros((p, p), dtype=bool)
        i, j = self.pairs[step:].T
        amat[i, j] = amat[j, i] = True
        return PDAG(amat)


def kind_of(evidence: InformationEvidence) -> Kind:
    """The threshold that the run's kind of test has."""
    return {"p": "q", "mi": "cut", "pn": "normal cut", "pn-all": "normal cut"}[evidence.settings.test]


def cuts_of(evidence: InformationEvidence, joined: np.ndarray, method: Method | None = None) -> Cuts:
    """The skeletons along the threshold of the run's kind of test.

    Parameters
    ----------
    evidence : InformationEvidence
    joined : (p, p) bool array
        The skeleton of the run.
    method : "bh" or "by", optional
        How q is held; default as in the run.

    Notes
    -----
    Tests of a χ² run: each pair has the largest p of all its tests, as in the control after the last order, and stays
    iff the families of both ends reject it. Of a run by information: the least information in any of its tests. Of a
    run by the normal approximation: what the approximation bounds from below, of pairs that no further test parted
    while they were above the run's own cut. A rerun with another threshold may differ a little, for it decides with
    other neighbours along the way.
    """
    kind, settings = kind_of(evidence), evidence.settings
    i, j = np.triu_indices(len(joined), 1)
    if kind == "q":
        values = _log_q(evidence.log_phi, method or settings.fdr_method)[i, j]
        values[evidence.untested[i, j] & joined[i, j]] = -math.inf  # no p, so in no family: it stays
        return _sorted(kind, i, j, -values, math.log(settings.level), sign=-1.0)
    if kind == "cut":
        return _sorted(kind, i, j, evidence.hardest_information[i, j], settings.cut)
    surely = evidence.information - ndtri(1 - settings.alpha) * evidence.spread
    parted = ~joined & (surely >= settings.cut)
    return _sorted(kind, i, j, np.where(parted, np.nan, surely)[i, j], settings.cut)


def _log_q(log_p: np.ndarray, method: Method) -> np.ndarray:
    """(p, p) ln of the smallest q at which the families of both ends reject; NaN where no test was done."""
    by_node = np.full(log_p.shape, np.nan)
    for node, row in enumerate(log_p):
        members = np.flatnonzero(~np.isnan(row) & (np.arange(len(row)) != node))
        by_node[node, members] = log_adjusted(row[members], method)
    return np.maximum(by_node, by_node.T)


def _sorted(kind: Kind, i: np.ndarray, j: np.ndarray, worth: np.ndarray, level: float, sign: float = 1.0) -> Cuts:
    """Pairs with a worth, the least first, the strongest of too many; pairs that no threshold of use keeps left out."""
    known = np.flatnonzero(~np.isnan(worth) & (worth > 0))
    known = known[np.argsort(worth[known], kind="stable")][-MOST_PAIRS:]
    return Cuts(kind, np.column_stack([i[known], j[known]]), sign * worth[known], level)
