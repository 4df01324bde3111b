"""pPC, partitioned PC: the PC algorithm within and between clusters of variables."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...common.errors import ParameterError
from ...common.progress import Stopped, Tick, silent
from ...common.step_cache import Once, uncached
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...search.orientation import orient_search
from ...search.restriction import Restriction, by_sepsets
from ...search.skeleton_levels import PairEvidence
from ...search.skeleton_result import constraint_result
from ...search.v_structures import ColliderCheck
from ...settings.parameter import parameters
from .clustering import Labels, Partition
from .partitioned import CallKind, PartitionedSearch
from .settings import PPC


@dataclass(frozen=True, eq=False)
class PartitionedEvidence(PairEvidence):
    """`PairEvidence` of a partitioned run.

    Attributes
    ----------
    labels : (p,) int64 array
        Cluster of each variable.
    partition : Partition or None
        The tree from which the clusters were cut; None if the labels were given.
    calls : mapping of CallKind to int
        Number of statistical calls of each part of the run, in order.
    """

    labels: Labels
    partition: Partition | None
    calls: Mapping[CallKind, int]


@parameters(PPC)
def ppc(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int = 3,
    collider_check: ColliderCheck = "off",
    strongest_first: bool = True,
    labels: Sequence[int] | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Learn a CPDAG with pPC: test pairs within clusters of variables, then pairs between the clusters.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1).
    max_cond_size : int, default 3
        Largest conditioning set, at least 1.
    collider_check
        As for `pc`.
    strongest_first : bool, default True
        True to draw conditioning sets first from the neighbours with the strongest association, those with the smallest
        Φ so far, as the authors' program does; False to draw them in the order of the nodes. The paper leaves it open.
    labels : sequence of int, optional
        Cluster of each variable. Default: clusters of variables with high mutual information.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed; forbidden pairs are never adjacent; known directions come first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.
    once : Once, optional
        Cache of the clusters for other runs with the same labels.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `extra` is a `PartitionedEvidence` with the largest p-value of each pair.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the test cannot measure distances and `labels` are missing.

    Notes
    -----
    With a d-separation oracle the result is the CPDAG of the true DAG, for any clusters [1]_.

    References
    ----------
    .. [1] Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111,
       algorithm 2.
    """
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    own = checked_labels(labels, ci_test.p)
    search = PartitionedSearch(ci_test, alpha, bound, own, strongest_first=strongest_first, once=once)
    try:
        search.learn(max_cond_size, tick)
        graph = orient_search(search, bound, collider_check, tick)
        complete = True
    except Stopped:
        graph, complete = search.skeleton, False
    return constraint_result(
        search,
        graph,
        method="ppc",
        kind="ppc",
        began=began,
        tests_before=tests_before,
        complete=complete,
        extra=partitioned_evidence(search),
    )


def partitioned_evidence(search: PartitionedSearch) -> PartitionedEvidence:
    """Return Φ, S, the clusters and the calls of a search, finished or not."""
    found = search.evidence
    labels = np.zeros(search.ci_test.p, dtype=np.int64) if search.labels is None else search.labels
    return PartitionedEvidence(found.log_phi, found.hardest, labels, search.partition, dict(search.calls))


def checked_labels(labels: Sequence[int] | None, p: int) -> np.ndarray | None:
    """Return the labels as an array, numbered from 0; raise ParameterError unless there is one for each variable."""
    if labels is None:
        return None
    if len(labels) != p:
        raise ParameterError(f"labels must name a cluster for each of {p} variables, got {len(labels)}; add the others")
    return np.unique(np.asarray(labels), return_inverse=True)[1]


def ppc_skeleton(
    ci_test: CITest,
    alpha: float,
    max_cond_size: int | None,
    knowledge: BoundKnowledge,
    *,
    draws: bool,
    labels: Sequence[int] | None = None,
    strongest_first: bool = True,
) -> Restriction:
    """Return the search of pPC, not yet started, for a learner that continues from its skeleton."""
    own = checked_labels(labels, ci_test.p)
    search = PartitionedSearch(ci_test, alpha, knowledge, own, draws=draws, strongest_first=strongest_first)
    most = max(ci_test.p - 2, 1) if max_cond_size is None else max_cond_size
    return Restriction(search, partial(search.learn, most), partial(by_sepsets, search))
