"""FCI, fast causal inference.

The steps of `fci` and where they stand in Zhang (2008), section 3.2:

====================================  =====================
here                                  there
====================================  =====================
`learn_skeleton`, level by level      step F1
`PAGSearch.remove_beyond_neighbours`  step F2, possible d-sep
`judged_triples`, R0                  step F3
`Orientation.close`, R1 to R4         step F4
`Orientation.close`, R8 to R10        section 4, without selection
====================================  =====================
"""

from __future__ import annotations

import time
from collections import deque
from typing import Literal

import numpy as np

from ...common.progress import Stopped, Tick, silent
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...graphs.pag import ARROW, PAG
from ...graphs.pag_orientation import Orientation, Triple
from ...graphs.rules import Rule
from ...independence.ci_test import CITest
from ...kernels.ci.pair_pools import PairPools
from ...kernels.graphs.adjacency import open_edges
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LearnResult
from ...search.skeleton_levels import SkeletonSearch, learn_skeleton
from ...search.skeleton_result import CANCELLED, constraint_result
from ...settings.parameter import parameters
from .colliders import PHASE, JudgedTriples, by_all_sets, by_separating_set
from .ends import record_ends, refusal_warning, set_known_ends
from .settings import FCI

Colliders = Literal["sepset", "conservative", "max"]


class PAGSearch(SkeletonSearch):
    """A `SkeletonSearch` whose graphs are PAGs."""

    kind = "pag"
    graph_type = PAG

    def remove_beyond_neighbours(self, max_cond_size: int | None, tick: Tick) -> None:
        """Test each edge given subsets of the possible d-sep of either end, as hidden common causes can require.

        The sets are those of the skeleton with its colliders, and stay as they are while edges are removed.

        Raises
        ------
        Stopped
            If cancelled.
        """
        orientation = Orientation(self.adjacency)
        orientation.orient_colliders(self.first_colliders())
        near = self.adjacency.copy()
        beyond = possible_d_sep_sets(orientation.pag)
        edges = open_edges(self.adjacency, self._required, 0)
        widest = int(beyond.sum(axis=1).max(initial=0))
        for size in range(1, (widest if max_cond_size is None else min(max_cond_size, widest)) + 1):
            for first in (0, 1):
                left = edges[self.adjacency[edges[:, 0], edges[:, 1]]]
                pools = [np.flatnonzero(beyond[edge[first]] & _others(edge, self.ci_test.p)) for edge in left]
                able = [k for k, pool in enumerate(pools) if len(pool) >= size]
                if not able:
                    continue
                chosen = [pools[k] for k in able]
                lists = PairPools(
                    np.concatenate([[0], np.cumsum([len(pool) for pool in chosen])]).astype(np.int64),
                    np.concatenate(chosen).astype(np.int32),
                )
                pairs = np.ascontiguousarray(left[able])
                self.test_pools(Phase(Stage.POSSIBLE_D_SEP, size=size), pairs, lists, size, near.__getitem__, tick)

    def first_colliders(self) -> tuple[Triple, ...]:
        """Return the colliders that define the possible d-sep sets, each decided by one separating set."""
        return by_separating_set(self).colliders

    def between(self, d: int, b: int, c: int) -> bool | None:
        """Return True if b is in the set that separates d and c, None if no set is known."""
        cond = self.sepsets.between(d, c)
        return None if cond is None else b in cond


@parameters(FCI)
def fci(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    colliders: Colliders = "conservative",
    possible_d_sep: bool = True,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a PAG with FCI: causes, and pairs that may have hidden common causes.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data, e.g. ``FisherZ(dataset)``.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1). A set separates a pair iff p > alpha.
    max_cond_size : int, default 3
        Size of the largest conditioning set; None for no limit.
    colliders : "sepset", "conservative" or "max", default "conservative"
        How the middle of an unshielded triple is judged to be a collider: by the set that separated the ends; by all
        sets of neighbours, and if those with and without the middle both separate, the triple stays open; or by the
        set with the largest p-value.
    possible_d_sep : bool, default True
        Also test each edge given sets of variables that may separate its ends beyond their neighbours.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed, and get a tail and an arrowhead. Forbidden pairs are never
        adjacent. A forbidden direction i -> j, or a later tier of i, puts an arrowhead at i.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.

    Returns
    -------
    LearnResult
        `graph` is a `PAG`; `sepsets` has one entry for each pair that a test separated; `extra` is a `PairEvidence`
        with the largest p-value of every pair.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    With an oracle of the separations and no limit on the sets the result is the PAG of the true MAG [1]_. The skeleton
    does not depend on the order of the columns. A mark that contradicts an earlier one is refused, so no variable of
    the result causes itself. It is assumed that the rows were not selected by their values.

    References
    ----------
    .. [1] Zhang (2008), On the completeness of orientation rules for causal discovery in the presence of latent
       confounders and selection bias. Artificial Intelligence 172.
    .. [2] Spirtes, Meek and Richardson (1999), An algorithm for causal inference in the presence of latent variables
       and selection bias. In: Computation, causation, and discovery. MIT Press.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, fci
    >>> fci(DSeparation(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)]))).graph
    PAG(p=4: 0 o-> 2, 1 o-> 2, 2 -> 3)
    """
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    search = PAGSearch(ci_test, alpha, bound)  # circles between all pairs that are not forbidden
    try:
        learn_skeleton(search, max_cond_size, tick)
        if possible_d_sep:
            search.remove_beyond_neighbours(max_cond_size, tick)
        judged = judged_triples(search, colliders, max_cond_size, tick)
        orientation = oriented(search, judged, bound)
        graph, complete, refused = orientation.pag, True, [step for step in orientation.steps if step.refused]
    except Stopped:
        graph, complete, refused = search.skeleton, False, []
    own = () if complete else (CANCELLED,)
    return constraint_result(
        search,
        graph,
        method="fci",
        began=began,
        tests_before=tests_before,
        complete=complete,
        warnings=(*own, *refusal_warning(refused), *search.warnings),
    )


def judged_triples(
    search: SkeletonSearch, colliders: Colliders, max_cond_size: int | None, tick: Tick
) -> JudgedTriples:
    """Return the colliders and the ambiguous triples of a finished search; raise Stopped if cancelled."""
    if colliders == "sepset":
        return by_separating_set(search)
    return by_all_sets(search, max_cond_size, tick, by_largest_p=colliders == "max")


def possible_d_sep_sets(pag: PAG) -> np.ndarray:
    """Return (p, p) bool: row x marks the nodes at the end of a path from x of colliders and triangles only."""
    found = np.zeros((pag.p, pag.p), dtype=bool)
    near = [np.flatnonzero(row).tolist() for row in pag.skeleton]
    into = pag.marks == ARROW
    for x in range(pag.p):
        todo = deque((x, v) for v in near[x])
        seen = set(todo)
        while todo:
            u, v = todo.popleft()
            found[x, v] = True
            for w in near[v]:
                if w not in (u, x) and (v, w) not in seen and (pag.skeleton[u, w] or (into[u, v] and into[w, v])):
                    seen.add((v, w))
                    todo.append((v, w))
    return found


def _others(edge: np.ndarray, p: int) -> np.ndarray:
    """Return (p,) bool: all nodes but the ends."""
    mask = np.ones(p, dtype=bool)
    mask[edge] = False
    return mask


def oriented(search: PAGSearch, judged: JudgedTriples, knowledge: BoundKnowledge) -> Orientation:
    """Orient the skeleton of a finished search, and record each application of a rule in its trace."""
    orientation = Orientation(search.adjacency, judged.ambiguous, knowledge.excluded)
    set_known_ends(orientation, search.adjacency, knowledge)
    orientation.orient_colliders(judged.colliders)
    orientation.close(search.between)
    for a, b, c in judged.ambiguous:
        search.trace.add(PHASE, Action.REFUSE, a, c, (b,), rule=Rule.AMBIGUOUS)
    record_ends(search.trace, orientation.steps)
    return orientation
