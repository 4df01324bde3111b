"""B-RAI, Bayesian structure learning by recursive bootstrap."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..common.step_cache import Once, uncached
from ..common.validation import Seed, Threads
from ..common.wording import count
from ..data.bootstrap_rows import resample_weights
from ..evaluation.frequencies import wilson
from ..graphs.graph import PDAG
from ..graphs.knowledge import Knowledge, bind
from ..graphs.sepsets import Sepsets
from ..independence import G2
from ..independence.base import InKernels
from ..results.result import LearnResult, Strengths
from ..scores import FamilyScore
from ..search.hybrid import check_same_columns
from ..settings.parameter import parameters
from .bootstrap_run import BootstrapRun, scored_graph
from .call_trace import begin_trace, sepsets_of, tell, tell_completion
from .calls import Call, Path
from .forest import further_trees
from .rai import rules_of, warnings_of
from .recursion import Recursion
from .routes import route
from .settings import BRAI
from .tree import GenerativeTree, flatten


@parameters(BRAI)
def brai(
    ci_test: G2,
    score: FamilyScore,
    *,
    s: int = 3,
    roots: int = 10,
    gamma: float = 1.0,
    k: int = 10,
    cut: str = "alpha",
    c1_factor: float = 1.0,
    resample_factor: float = 1.0,
    mi_bits: float = 0.03,
    alpha: float = 0.01,
    pools: str = "neighbours",
    collider_check: str = "strict",
    max_cond_size: int | None = None,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    resampling: bool = True,
    threads: Threads | None = None,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Learn a tree of CPDAGs: RAI, with every autonomous group refined on several bootstrap samples.

    Parameters
    ----------
    ci_test : G2
    score : FamilyScore
        Bound to the same data; BDeu in the paper.
    s : int, default 3
        Bootstrap samples of each group, at least 1.
    roots : int, default 10
        Trees that probabilities are averaged over, at least 1. The first begins on the data, the others on resamples of
        them; 1 is the published algorithm, whose probabilities hang on one seed. Graph and `tree` are of the first.
    gamma : float, default 1.0
        Temperature at which graphs are drawn from the tree, at least 0. It can be changed afterwards.
    k : int, default 10
        Classes that probabilities are averaged over. It can be changed afterwards.
    cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size, knowledge
        As for `rai`.
    resample_factor : float, default 1.0
        How many times as large G² of independent variables is taken to be on a resample as on the data. With "alpha"
        G² is divided by it before p is looked up, with "c1" C1 multiplied, with "mi" the information corrected. 1, as
        published, tests resamples like the data; the level of "alpha" 0.01 is then 0.07 with 1 degree of freedom, 0.16
        with 4 and 0.78 with 36, see `independence_levels`. 2 keeps the level, for chance is there twice: once from the
        sample, once more from the resampling.
    seed : int, default 0
        Of the bootstrap.
    resampling : bool, default True
        Without it every sample is the data themselves.
    threads : int, optional
        Default: the cores available. The result does not depend on it.
    tick : Tick, optional
        Listener; once it returns False the run ends with the part of the tree that is finished.
    once : Once, optional
        Keeps the trees for other runs; what is left to them is to weigh their graphs.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the route with the highest score, and of the DAGs that were scored: where no DAG has the
        arrows of a leaf, a stand-in is scored and drawn, and a warning counts such. `strengths` are the posterior
        probabilities that a pair is joined; `extra` a `BootstrapRun`, which answers all else.

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
    >>> from learners import BDeu, G2, load_sample
    >>> from learners.brai.brai import brai
    >>> asia = load_sample("asia").dataset
    >>> result = brai(G2(asia, dof="plain"), BDeu(asia))
    >>> result.extra.posterior(5).adjacent.shape
    (8, 8)
    """
    rules = rules_of(ci_test, cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size, resample_factor)
    check_same_columns(ci_test, score)
    bound = bind(knowledge, ci_test.names)
    began = time.perf_counter()

    def resample(path: Path, nodes: np.ndarray) -> InKernels:
        return ci_test.resampled(resample_weights(ci_test.dataset, seed, path), nodes)

    def grown() -> _Grown:
        recursion = Recursion(ci_test, rules, bound, s, resample if resampling else None)
        others = partial(further_trees, ci_test, score, rules, bound, s, (seed, roots), tick, threads)
        return _grown(recursion, score, s, others if resampling else tuple, tick, threads)

    try:
        found = once(("trees", rules, s, roots, resampling), grown)
    except Stopped as stopped:
        found = stopped.partial
    tree, calls, others, complete = found.tree, found.calls, found.others, found.complete
    best, leaves, graph = None, None, PDAG(found.start)
    if tree is not None:
        best, leaves = tree.best()
        graph = scored_graph(tree, leaves, bound)
    trace = begin_trace(found.start, bound)
    records = tell(trace, calls)
    tell_completion(trace, tree.union(leaves) if calls else found.start, graph)
    n_tests = np.zeros((0, 2), dtype=np.int64) if tree is None else tree.tests_by_size
    done = int(n_tests.sum()) + sum(int(other.n_tests.sum()) for other in others)
    ci_test.n_tests += done
    extra = BootstrapRun(records, n_tests, tree, bound, gamma, k, seed, tuple(others))
    nothing = np.full((ci_test.p, ci_test.p), np.nan)
    posterior = None if tree is None else extra.posterior()
    probability = nothing if tree is None else posterior.adjacent
    limits = wilson(probability, len(extra.trees))
    for array in (probability, *limits):
        array.flags.writeable = False
    return LearnResult(
        graph=graph,
        names=ci_test.names,
        method="brai",
        kind="rai" if tree is None else "brai",
        n_tests=done,
        n_scores=found.n_scores,
        seconds=time.perf_counter() - began,
        score=best,
        sepsets=sepsets_of(calls, ci_test.p) if calls else Sepsets.from_entries(ci_test.p, []),
        strengths=Strengths("posterior probability of an edge", probability, larger_is_stronger=True, limits=limits),
        trace=trace.build(),
        warnings=(*warnings_of(graph, complete=complete), *_stand_ins(extra)),
        complete=complete,
        extra=extra,
        posterior=posterior,
    )


class _Grown(NamedTuple):
    """The trees of a run, which its probabilities are averaged over."""

    start: np.ndarray
    tree: GenerativeTree | None
    calls: list[Call]
    others: list[GenerativeTree]
    n_scores: int
    complete: bool


def _grown(
    recursion: Recursion,
    score: FamilyScore,
    s: int,
    further: Callable[[], Iterable[GenerativeTree]],
    tick: Tick,
    threads: int | None,
) -> _Grown:
    """Grow all trees; raises Stopped, with those that are finished, if cancelled."""
    before, complete, tree = score.n_scores, True, None
    calls: list[Call] = []
    others: list[GenerativeTree] = []
    try:
        recursion.grow(tick, threads)
    except Stopped:
        complete = False
    if recursion.root is not None:
        tree = flatten(recursion.root, recursion.ci_test.p, s, score)
    if complete:
        try:
            calls = recursion.replayed(_calls_to(recursion.root, tree, tree.best()[1]), tick)
            for other in further():
                others.append(other)  # one by one: a cancelled run keeps those before
        except Stopped:
            complete = False
    grown = _Grown(recursion.start, tree, calls, others, score.n_scores - before, complete)
    if not complete:
        raise Stopped(grown)
    return grown


def _stand_ins(run: BootstrapRun) -> list[str]:
    """Says how many of the classes weighed are not those of the tests, which contradicted one another."""
    classes = [one for posterior in (run.posteriors() if run.tree is not None else ()) for one in posterior.classes]
    n = sum(not one.valid for one in classes)
    if not n:
        return []
    stand = "stands" if n == 1 else "stand"
    return [
        f"{n} of the {count(len(classes), 'class', 'classes')} averaged over {stand} in for a graph in which tests "
        "contradicted one another, so that no DAG has its arrows; each is drawn, scored and weighed as its own DAGs"
    ]


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
