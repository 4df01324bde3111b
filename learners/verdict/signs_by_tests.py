"""Signs of hidden common causes in a table with categorical columns, by independence tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..data.dataset import Dataset
from ..families.catalogue import LEARNERS
from ..graphs.graph import PDAG
from ..graphs.pag import ARROW, PAG
from ..independence.ci_test import CITest
from ..registry import learn
from ..results.result import LearnResult
from .edge_strengths import edge_strengths, separable_share, surprise_of_implications

LARGEST_Z = 40.0  # maximum |z| of a test; also the |z| of a test with too few rows, which separates nothing


@dataclass(frozen=True, eq=False)
class SignsByTests:
    """Signs of violated assumptions by tests, given a DAG and a PAG.

    Attributes
    ----------
    direct, smallest : (p, p) float64 array
        See `edge_strengths`.
    pag : PAG
        PAG of BOSS-FCI.
    edges : int
        Number of edges of the DAG.
    separable : float
        Share of the strong edges of the DAG that some set of neighbours nearly separates.
    bidirected : int
        Number of edges i <-> j of the PAG.
    implied : float
        See `surprise_of_implications`.
    """

    direct: np.ndarray
    smallest: np.ndarray
    pag: PAG
    edges: int
    separable: float
    bidirected: int
    implied: float


def signs_by_tests(dataset: Dataset, dag: PDAG, *, tick: Tick = silent) -> SignsByTests:
    """Return the signs of a table of any columns without missing cells; raise `Stopped` if the tick cancels.

    Parameters
    ----------
    dataset : Dataset
    dag : PDAG
        The best DAG of BOSS.
    tick : Tick
        Progress listener of the run of BOSS-FCI.
    """
    run = boss_fci(dataset, 0, tick)
    test = LEARNERS["boss_fci"].needs[0](dataset)

    def z(pairs: np.ndarray, sets: np.ndarray) -> np.ndarray:
        return np.array([_z(test, *pair, given) for pair, given in zip(pairs.tolist(), sets.tolist(), strict=True)])

    p = dag.p
    pairs = np.argwhere(np.triu(np.ones((p, p), dtype=bool), 1))
    dependence = np.zeros((p, p))
    dependence[tuple(pairs.T)] = z(pairs, np.zeros((len(pairs), 0), dtype=np.int64))
    direct, smallest = edge_strengths(z, dependence + dependence.T, dag.amat)
    marks = run.graph.marks
    return SignsByTests(
        direct,
        smallest,
        run.graph,
        dag.n_edges,
        separable_share(direct, smallest, dag.amat),
        int(np.triu((marks == ARROW) & (marks.T == ARROW)).sum()),
        surprise_of_implications(z, dag),
    )


def boss_fci(dataset: Dataset, seed: int, tick: Tick = silent) -> LearnResult:
    """Return the run of BOSS-FCI whose PAG is part of the evidence; raise `Stopped` if cancelled."""
    run = learn("boss_fci", dataset, alpha=0.01, colliders="max", possible_d_sep=False, seed=seed, tick=tick)
    if not run.complete:
        raise Stopped
    return run


def _z(test: CITest, x: int, y: int, given: list[int]) -> float:
    """Return |z| of the normal statistic with the same two-sided p-value."""
    from scipy.special import ndtri_exp  # slow to import (0.1 s), and rarely needed

    found = test.test(x, y, given)
    if not found.tested:
        return LARGEST_Z
    return min(float(-ndtri_exp(found.log_p - math.log(2.0))), LARGEST_Z)
