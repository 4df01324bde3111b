"""B-RAI, Bayesian structure learning by recursive bootstrap."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..averaging.posterior import Posterior, RankedClass
from ..common.checks import check_count, check_open_interval
from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..data.bootstrap_rows import resample_weights
from ..graphs.cpdags import closure, cpdag
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..graphs.sepsets import Sepsets
from ..independence import G2
from ..independence.base import InKernels
from ..results.result import LearnResult, Strengths
from ..scores import FamilyScore
from .calls import Call, Path
from .rai import AutonomyRun, checked_rules, params_of, warnings_of
from .ranked_routes import ranked_routes
from .recursion import Recursion
from .route import completed, route
from .story import begin_trace, sepsets_of, tell, tell_completion
from .tree import GenerativeTree, flatten

MOST_LOOKED_AT = 100  # graphs of the tree looked at for each class asked for; several may share one


@dataclass(frozen=True, eq=False)
class BootstrapRun(AutonomyRun):
    """What B-RAI knows beside its result: `AutonomyRun` tells the calls on the best route and all tests.

    Everything below comes from the stored tree; no test is done again.

    Attributes
    ----------
    tree : GenerativeTree or None
        None if the run was cancelled before its first level was done.
    knowledge : BoundKnowledge
    gamma, k, seed : float, int, int
        What the run was asked for; methods take them by default.
    """

    tree: GenerativeTree | None
    knowledge: BoundKnowledge
    gamma: float
    k: int
    seed: int

    def classes(self, k: int | None = None) -> tuple[RankedClass, ...]:
        """The k best equivalence classes of the tree, or all if there are fewer, the best first.

        Several routes may lead to one class: at most `MOST_LOOKED_AT` graphs a class asked for are looked at.
        """
        k = self.k if k is None else k
        check_count("k", k, 1)
        found: dict[bytes, RankedClass] = {}
        for looked_at, one in enumerate(ranked_routes(self.tree), 1):
            leaves = np.array(one.leaves, dtype=np.int64)
            graph = self._known(cpdag(PDAG(self.tree.dag(leaves))))
            valid = bool(self.tree.valid[leaves].all())
            found.setdefault(graph.amat.tobytes(), RankedClass(graph, one.score, one.leaves, valid))
            if len(found) == k or looked_at == k * MOST_LOOKED_AT:
                break
        return tuple(found.values())

    def posterior(self, k: int | None = None) -> Posterior:
        """Averages over the DAGs of the k best classes."""
        return Posterior(self.classes(k))

    def graph_of(self, leaves: np.ndarray) -> PDAG:
        """The CPDAG of a route, from its leaves."""
        return completed(self.tree.union(leaves), self.knowledge)

    def sample(self, n: int, *, gamma: float | None = None, seed: int | None = None) -> tuple[np.ndarray, list[PDAG]]:
        """(n,) scores and n CPDAGs of routes drawn at temperature gamma: see `GenerativeTree.sample`."""
        gamma, seed = self.gamma if gamma is None else gamma, self.seed if seed is None else seed
        scores, routes = self.tree.sample(n, gamma=gamma, seed=seed)
        graph_of = cache(lambda leaves: self.graph_of(np.frombuffer(leaves, dtype=np.int64)))
        return scores, [graph_of(leaves.tobytes()) for leaves in routes]

    def n_classes(self, cap: int = 1_000) -> int:
        """How many different equivalence classes the tree holds; `cap` if there are at least so many."""
        return len(self.classes(cap))

    def _known(self, graph: PDAG) -> PDAG:
        """The CPDAG with the directions that knowledge gives."""
        amat = graph.amat & ~(self.knowledge.directions & graph.amat).T
        return closure(PDAG(amat)) if not np.array_equal(amat, graph.amat) else graph


def brai(
    ci_test: G2,
    score: FamilyScore,
    *,
    s: int = 3,
    gamma: float = 1.0,
    k: int = 10,
    cut: str = "alpha",
    c1_factor: float = 1.0,
    resample_factor: float = 2.0,
    mi_bits: float = 0.03,
    alpha: float = 0.01,
    pools: str = "neighbours",
    collider_check: str = "strict",
    max_cond_size: int | None = None,
    knowledge: Knowledge | None = None,
    seed: int = 0,
    resampling: bool = True,
    threads: int | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a tree of CPDAGs: RAI, with every autonomous group refined on several bootstrap samples.

    Parameters
    ----------
    ci_test : G2
    score : FamilyScore
        Bound to the same data; BDeu in the paper.
    s : int, default 3
        Bootstrap samples of each group, at least 1.
    gamma : float, default 1.0
        Temperature at which graphs are drawn from the tree, at least 0. It can be changed afterwards.
    k : int, default 10
        Classes that probabilities are averaged over. It can be changed afterwards.
    cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size, knowledge
        As for `rai`.
    resample_factor : float, default 2.0
        What C1 is multiplied by on resamples. C1 is the bias that chance leaves in G²; on a resample it is there twice,
        once from the sample and once more from the resampling. 1 takes C1 as for the data.
    seed : int, default 0
        Of the bootstrap.
    resampling : bool, default True
        Without it every sample is the data themselves.
    threads : int, optional
        Default: the cores available. The result does not depend on it.
    tick : Tick, optional
        Listener; once it returns False the run ends with the part of the tree that is finished.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the route with the highest score; `strengths` are the posterior probabilities that a
        pair is joined; `extra` a `BootstrapRun`, which answers all else.

    Raises
    ------
    ParameterError
        If a parameter is out of range.

    Notes
    -----
    The first level sees the data themselves. With a perfect test, or ``s = 1`` without resampling, the tree holds one
    graph, that of `rai`.

    References
    ----------
    Rohekar, Gurwicz, Nisimov, Koren and Novik (2018), Bayesian structure learning by recursive bootstrap. NeurIPS.

    Examples
    --------
    >>> from learners import BDeu, G2, brai, load_sample
    >>> asia = load_sample("asia").dataset
    >>> result = brai(G2(asia, dof="plain"), BDeu(asia))
    >>> result.extra.posterior(5).adjacent.shape
    (8, 8)
    """
    rules = checked_rules(
        ci_test, cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size, resample_factor
    )
    check_count("s", s, 1)
    check_count("k", k, 1)
    check_count("seed", seed)
    if gamma != 0.0:
        check_open_interval("gamma", gamma, 0.0, math.inf)
    if not isinstance(ci_test, G2):
        raise ParameterError("B-RAI draws rows anew, so the test must be G2; use it")
    if ci_test.names != score.names:
        raise ParameterError("test and score must be bound to the same columns, got different ones")
    bound = bind(knowledge, ci_test.names)
    began, scores_before = time.perf_counter(), score.n_scores

    def resample(path: Path, nodes: np.ndarray) -> InKernels:
        return ci_test.resampled(resample_weights(ci_test.dataset, seed, path), nodes)

    recursion = Recursion(ci_test, rules, bound, s, resample if resampling else None)
    complete = True
    try:
        recursion.grow(tick, threads)
    except Stopped:
        complete = False
    calls: list[Call] = []
    tree, graph, best = None, PDAG(recursion.start), None
    if recursion.root is not None:
        tree = flatten(recursion.root, ci_test.p, s, score)
        best, leaves = tree.best()
        before = tree.union(leaves)
        graph = completed(before, bound)
    if complete:
        try:
            calls = recursion.replayed(_calls_to(recursion.root, tree, leaves), tick)
        except Stopped:
            complete = False
    trace = begin_trace(recursion.start, bound)
    records = tell(trace, calls)
    tell_completion(trace, before if calls else recursion.start, graph)
    n_tests = np.zeros((0, 2), dtype=np.int64) if tree is None else tree.tests_by_size
    ci_test.n_tests += int(n_tests.sum())
    extra = BootstrapRun(records, n_tests, tree, bound, gamma, k, seed)
    strengths = np.full((ci_test.p, ci_test.p), np.nan) if tree is None else extra.posterior().adjacent
    strengths.flags.writeable = False
    return LearnResult(
        graph=graph,
        names=ci_test.names,
        method="brai",
        kind="rai" if tree is None else "brai",
        params={
            "s": s,
            "gamma": gamma,
            "k": k,
            "resample_factor": resample_factor,
            **params_of(cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size),
            "seed": seed,
        },
        n_tests=int(n_tests.sum()),
        n_scores=score.n_scores - scores_before,
        seconds=time.perf_counter() - began,
        score=best,
        sepsets=sepsets_of(calls, ci_test.p) if calls else Sepsets.from_entries(ci_test.p, []),
        strengths=Strengths("posterior probability of an edge", strengths, larger_is_stronger=True),
        trace=trace.build(),
        warnings=warnings_of(graph, complete=complete),
        complete=complete,
        extra=extra,
    )


def _calls_to(root: Call, tree: GenerativeTree, leaves: np.ndarray) -> list[Call]:
    """The calls on the way to the leaves of a route, parents first."""
    wanted = np.zeros(len(tree), dtype=bool)
    wanted[leaves] = True
    for item in reversed(range(len(tree))):
        wanted[item] |= any(wanted[child] for slot in tree.slots(item) for child in tree.children(slot))
    numbers = {id(call): item for item, call in enumerate(_items(root))}

    def choose(call: Call, g: int) -> int:
        children = tree.children(tree.slots(numbers[id(call)])[g])
        return next(t for t, child in enumerate(children) if wanted[child])

    return route(root, choose).calls


def _items(root: Call) -> list:
    """Items of a tree as `flatten` numbers them."""
    items, item = [root], 0
    while item < len(items):
        if isinstance(items[item], Call):
            for group in items[item].finished():
                items += group
        item += 1
    return items
