"""B-RAI, Bayesian structure learning by recursive bootstrap.

The steps of `brai` and where they stand in Rohekar, Gurwicz, Nisimov, Koren and Novik (2018), NeurIPS:

=================================================  ==========================================
here                                               paper
=================================================  ==========================================
`Growth.tree`, by `recursion.Recursion`            algorithm 1, the tree (GGT):
`Recursion.can_test`, the exit condition           line 2
`tree.flatten`, the scores of the leaves           lines 3 and 4
`kernels.brai.refinement.refine`                   line 6, IncreaseResolution
`kernels.brai.autonomous_groups.split_groups`      line 7, SplitAutonomous
`Recursion.refine_groups`, the loop on resamples   lines 9 to 15
`tree.GenerativeTree.best`, G_MAP                  section 3.3.1, algorithm 2 with the best result
`tree.GenerativeTree.sample`                       algorithm 2 and equation 4
`bootstrap_run.BootstrapRun.posterior`             equation 5
=================================================  ==========================================
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...common.progress import Stopped, Tick, silent
from ...common.run_warning import RunWarning
from ...common.sentences import Count, say
from ...common.step_cache import Once, uncached
from ...common.validation import Seed, Threads
from ...data.dataset import Dataset
from ...evaluation.frequencies import wilson
from ...evaluation.posterior import Posterior, RankedClass
from ...evaluation.probable_graph import warnings_of_probable
from ...graphs.graph import PDAG
from ...graphs.knowledge import Knowledge, bind
from ...independence import G2, ResampledGaussian
from ...results.result import LearnResult, Strengths
from ...scores.score import FamilyScore
from ...scores.selection import DefaultScore
from ...search.hybrid import check_same_columns
from ...settings.parameter import parameters
from .bootstrap_run import BootstrapRun, scored_graph
from .call_trace import begin_trace, record_after_tabu, record_calls, record_completion, sepsets_of
from .edges_given_rest import ArrowsGivenRest
from .forest import Growth
from .polish import polished_classes
from .rai import rules_of, warnings_of
from .resample_count import Branching, branchings
from .settings import BRAI

# Shares of the true edges to which polished runs gave less than 1 %, by column type: the share, the rows of the tables,
# and the number of rows up to which a run warns with it. Measured on 6 random networks of 20 variables and 30 edges
# (seeds from 990 301); of the edges between numbers 2 % with 200 rows, 1 % with 1 000.
MISSED_EDGES = {"mixed": (("11 %", 200, 350),)}


@parameters(BRAI)
def brai(
    ci_test: G2 | ResampledGaussian,
    score: FamilyScore,
    search_score: FamilyScore | DefaultScore | None = None,
    *,
    s: int = 3,
    s_by: str = "number",
    roots: int = 10,
    gamma: float = 1.0,
    k: int = 10,
    polish: str | None = None,
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
    """Learn a tree of CPDAGs: RAI that refines each autonomous group on several bootstrap samples.

    Parameters
    ----------
    ci_test : G2 or ResampledGaussian
    score : FamilyScore
        Bound to the same data; BDeu in the paper, BGe or BIC for numbers and mixed tables.
    search_score : FamilyScore or DefaultScore, optional
        Score of the polish, bound to the same data. Default: `score`.
    s : int, default 3
        Number of bootstrap samples of each group, at least 1.
    s_by : "number" or "data", default "number"
        "data": the number grows from 1 to at most `s`, until the edge probabilities of the first tree move by less than
        5 % of its expected edges; see `branchings` of the `extra`.
    roots : int, default 10
        Number of trees whose probabilities are averaged, at least 1. The first tree begins with the data, the others
        with resamples of them; 1 is the published algorithm, whose probabilities depend on one seed. `tree` is the
        first tree, and so is the graph without polish.
    gamma : float, default 1.0
        Temperature of graphs sampled from the tree, at least 0. It can be changed after the run.
    k : int, default 10
        Number of equivalence classes of each tree that are averaged. It can be changed after the run; with polish,
        more than in the run have no effect.
    polish : "tabu" or "none", optional
        "tabu": a tabu search by `search_score` continues from each averaged class, and all classes that it reaches are
        averaged together by their scores, each edge with its probability given the rest of a DAG. The tree stays as
        it is. Default: "tabu" for numbers and mixed tables with a `search_score`, else "none", as published.
    cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size, knowledge
        As for `rai`.
    resample_factor : float, default 1.0
        Assumed ratio of G² of independent variables on a resample to that on the data. With "alpha" G² is divided by it
        before the p-value is computed, with "c1" C1 is multiplied by it, with "mi" the information is corrected. 1, as
        published, tests resamples like the data; the level of "alpha" 0.01 is then 0.07 with 1 degree of freedom, 0.16
        with 4 and 0.78 with 36, see `independence_levels`. 2 keeps the level, since sampling and resampling each
        contribute to G².
    seed : int, default 0
        Seed of the bootstrap.
    resampling : bool, default True
        False uses the data themselves as each sample.
    threads : int, optional
        Default: the available cores. The result does not depend on it.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the finished part of the tree.
    once : Once, optional
        Cache of the trees for other runs, which then only weigh their graphs.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the route with the highest score. If no DAG has the arrows of a leaf, a DAG near it is
        scored and drawn instead, and a warning counts such graphs. With polish it is the graph of the probabilities,
        see `probable_graph`, without a `score`; `extra.tree_graph` is then that of the route. `strengths` are the
        posterior probabilities of adjacency; `extra` is a `BootstrapRun` with the tree.

    Raises
    ------
    ParameterError
        If a parameter is out of range.

    Notes
    -----
    The paper takes categories. Numbers and mixed tables have the test of the degenerate Gaussian on each resample;
    their trees are scored by BGe, and by BIC if the table is mixed or cells are missing. Missing cells are drawn once,
    given the others in their row.

    The first level tests the data themselves. With a perfect test, or with ``s = 1`` and without resampling, the tree
    has one graph, that of `rai`.

    References
    ----------
    Rohekar, Gurwicz, Nisimov, Koren and Novik (2018), Bayesian structure learning by recursive bootstrap. NeurIPS.

    Examples
    --------
    >>> from learners import BDeu, G2, load_sample
    >>> from learners.families.brai.brai import brai
    >>> asia = load_sample("asia").dataset
    >>> result = brai(G2(asia, dof="plain"), BDeu(asia))
    >>> result.extra.posterior(5).adjacent.shape
    (8, 8)
    """
    rules = rules_of(ci_test, cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size, resample_factor)
    check_same_columns(ci_test, score)
    bound, began = bind(knowledge, ci_test.names), time.perf_counter()
    growth = Growth(ci_test, score, rules, bound, seed, resampling, tick, threads)

    # Not in the paper: the data choose the number of resamples.
    tried: tuple[Branching, ...] = ()
    n_tried = 0
    try:
        if s_by == "data":
            tried, n_tried = once(("branchings", rules, s, k, resampling), partial(_tried, growth, s, gamma, k))
            s = tried[-1].s
    except Stopped:
        pass  # the listener stops the trees as well, and the run keeps what they have

    # Algorithm 1: the tree of CPDAGs, and the further trees whose probabilities are averaged with its own.
    try:
        found = once(("trees", rules, s, roots, resampling), partial(growth.forest, s, roots))
    except Stopped as stopped:
        found = stopped.partial
    tree, complete, n_scores = found.tree, found.complete, n_tried + found.n_scores
    ci_test.n_tests += found.n_tests

    # Section 3.3.1, G_MAP: algorithm 2 with the best result in place of a sample.
    best, leaves, graph = None, None, PDAG(found.start)
    if tree is not None:
        best, leaves = tree.best()
        graph = scored_graph(tree, leaves, bound)
    trace = begin_trace(found.start, bound)
    records = record_calls(trace, found.calls, bound.apart)
    record_completion(trace, tree.union(leaves) if found.calls else found.start, graph)

    # Not in the paper: a tabu search from each averaged class.
    n_tests = np.zeros((0, 2), dtype=np.int64) if tree is None else tree.tests_by_size
    extra = started = BootstrapRun(records, n_tests, tree, bound, gamma, k, seed, tuple(found.others), branchings=tried)
    if polish is None:
        polish = "none" if search_score is None or isinstance(ci_test, G2) else "tabu"
    ranked: list[RankedClass] | None = None
    if polish == "tabu" and complete:
        try:
            ranked, classes, beside, n_more = once(
                ("polish", rules, s, roots, k, resampling), lambda: _polished(started, search_score or score, tick)
            )
            extra = replace(started, polished=classes, known={}, beside=beside)
            n_scores += n_more
        except Stopped:
            complete = False

    # Equation 5, averaged over the trees. A polished run has one graph, that of its probabilities.
    posterior = None if tree is None else extra.posterior()
    if extra.polished:
        graph, best = record_after_tabu(trace, graph, posterior), None
    if ranked is None:
        ranked = [one for each in (() if tree is None else extra.posteriors()) for one in each.classes]
    probability = np.full((ci_test.p, ci_test.p), np.nan) if tree is None else posterior.adjacent
    limits = _limits(extra, probability)
    for array in (probability, *(limits or ())):
        array.flags.writeable = False
    return LearnResult(
        graph=graph,
        names=ci_test.names,
        method="brai",
        kind="rai" if tree is None else "brai",
        n_tests=found.n_tests,
        n_scores=n_scores,
        seconds=time.perf_counter() - began,
        score=best,
        sepsets=sepsets_of(found.calls, ci_test.p).of_pairs(~graph.skeleton),
        strengths=Strengths("posterior probability of an edge", probability, larger_is_stronger=True, limits=limits),
        trace=trace.build(),
        warnings=(
            *warnings_of(graph, complete=complete),
            *(warnings_of_probable(graph, posterior) if extra.polished else ()),
            *_warnings_of_invalid(ranked, polished=bool(extra.polished)),
            *_warnings_of_few_rows(ci_test.dataset, extra),
        ),
        complete=complete,
        extra=extra,
        posterior=posterior,
    )


def _tried(growth: Growth, most: int, gamma: float, k: int) -> tuple[tuple[Branching, ...], int]:
    """Return the numbers of resamples that were tried, and the number of local scores of their trees.

    These trees have a test and a score of their own, so that those of the run do not depend on what was tried.
    """
    ci_test = type(growth.ci_test)(growth.ci_test.dataset, **growth.ci_test.settings)
    own = replace(growth, ci_test=ci_test, score=growth.score.emptied())

    def posterior_of(size: int) -> Posterior:
        tree = own.tree(size)
        return BootstrapRun([], tree.tests_by_size, tree, own.knowledge, gamma, k, own.seed).posterior()

    return branchings(posterior_of, most), own.score.n_scores


def _polished(
    run: BootstrapRun, score: FamilyScore | DefaultScore, tick: Tick
) -> tuple[list[RankedClass], tuple[tuple[RankedClass, ...], ...], tuple[ArrowsGivenRest, ...], int]:
    """Return the best classes of all trees, the polished ones of each tree, arrows given the rest, and the scores.

    Raises Stopped if cancelled.
    """
    bound = score.bound() if isinstance(score, DefaultScore) else score
    before = bound.n_scores
    ranked = [run.classes_of(tree) for tree in run.trees]
    polished, beside = polished_classes(run, ranked, bound, tick)
    return [one for classes in ranked for one in classes], polished, beside, bound.n_scores - before


def _warnings_of_few_rows(dataset: Dataset, run: BootstrapRun) -> list[RunWarning]:
    """Return a warning if there are so few rows that many true edges have a probability near 0."""
    measured = MISSED_EDGES.get(dataset.kind, ()) if run.polished else ()
    near = next(((share, n) for share, n, limit in measured if dataset.n <= limit), None)
    if near is None:
        return []
    share, n = near
    sentence = say(
        "with {rows}, a probability near 0 does not exclude an edge: in simulated tables of {n} rows, {share} of the "
        "true edges had less than 1 %; Order MCMC misses fewer",
        rows=Count(dataset.n, "row"),
        n=n,
        share=share,
    )
    return [RunWarning("few_rows", sentence)]


def _limits(run: BootstrapRun, probability: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the 95 % limits of means over trees; None with polish, whose averages by score are no means of draws."""
    return None if run.polished else wilson(probability, len(run.trees))


def _warnings_of_invalid(classes: Sequence[RankedClass], *, polished: bool) -> list[RunWarning]:
    """Return a warning that counts the classes of the trees whose tests contradicted one another.

    With polish, the tabu search begins with these classes.
    """
    n = sum(not one.valid for one in classes)
    if not n:
        return []
    if polished:
        sentence = say(
            "in {n} of {classes} of the trees, the tests contradict one another, so that no DAG has all their arrows; "
            "the search by score begins with a DAG of the same edges",
            n=n,
            classes=Count(len(classes), "class", "classes"),
        )
        return [RunWarning("contradiction", sentence)]
    sentence = say(
        "in {n} of {classes}, the tests contradict one another, so that no DAG has all their arrows; a DAG of the same "
        "edges is drawn, scored and weighted",
        n=n,
        classes=Count(len(classes), "averaged class", "averaged classes"),
    )
    return [RunWarning("contradiction", sentence)]
