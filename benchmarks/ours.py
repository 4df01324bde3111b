"""Edgewise's learners as contenders. ``solver(problem, **params)`` returns the run to be timed."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

import numpy as np
from scipy.special import gammaincc

from learners import G2, BDeu, Dataset, DependencePosterior, FisherZ, hc, learn
from learners import pc as learn_pc
from learners.families.lmm.lmm import lmm as learn_lmm
from learners.families.lmm.step_graphs import graph_at, step_graphs
from learners.independence.set_search import LevelSearch
from learners.kernels.ci.partial_correlation import factor, partial_correlations_with
from learners.kernels.compiling import kernel
from learners.kernels.counting.contingency import scalar_g2
from learners.scores.selection import score_for
from tests import naive_lmm, naive_tests

from .problem import Answer, Problem, Run


def pc(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:
    """Prepare PC-stable with G² (adjusted degrees of freedom) or Fisher's z, on the available cores.

    The time runs from the table in memory to the CPDAG with its trace, including tables and correlations.
    """
    dataset = _dataset(problem)

    def run() -> Answer:
        test = FisherZ(dataset) if problem.arity is None else G2(dataset)
        result = learn_pc(test, alpha=alpha, max_cond_size=max_cond_size)
        return Answer(result.graph.amat, result.n_tests)

    return run


def pc_from_correlations(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:
    """Prepare PC-stable for continuous data, with the correlation matrix computed before the timed part."""
    dataset = _dataset(problem)
    _ = dataset.correlation

    def run() -> Answer:
        result = learn_pc(FisherZ(dataset), alpha=alpha, max_cond_size=max_cond_size)
        return Answer(result.graph.amat, result.n_tests)

    return run


def greedy(problem: Problem, *, key: str, ties: str = "columns", **settings: float) -> Run:
    """Prepare hill climbing, tabu search or MMHC with BIC; the time runs from the codes to the DAG.

    Ties are broken by column, as in other programs.
    """
    dataset = _dataset(problem)

    def run() -> Answer:
        return Answer(learn(key, dataset, score="bic", ties=ties, **settings).extra.dag.amat)

    return run


def greedy_on(problem: Problem, *, rows: str) -> Run:
    """Prepare hill climbing with BDeu on the rows that the learner selects, or on "all"; the time includes merging."""

    def run() -> Answer:
        dataset = _dataset(problem)
        score = BDeu(dataset) if rows == "all" else score_for(dataset, score="bdeu")
        return Answer(hc(score, max_parents=None, ties="columns").extra.dag.amat)

    return run


def pc_on_merged(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:
    """Prepare PC-stable on the distinct rows with their weights; the time includes merging."""
    dataset = _dataset(problem)

    def run() -> Answer:
        result = learn_pc(G2(dataset.merged()), alpha=alpha, max_cond_size=max_cond_size)
        return Answer(result.graph.amat, result.n_tests)

    return run


def learner(problem: Problem, *, key: str, variables: int | None = None, **settings: float) -> Run:
    """Prepare any learner as in the app, on the first `variables` columns; the note counts statistical calls.

    Settings that are not given have the app's values. Calls are tests, entropies for the partition, and local scores:
    Huang and Zhou (2022), section 5.1.
    """
    dataset = _dataset(problem)
    if variables is not None:
        dataset = dataset.select(range(min(variables, problem.p)))

    def run() -> Answer:
        result = learn(key, dataset, **settings)
        counted = getattr(getattr(result.extra, "evidence", result.extra), "calls", {})
        calls = sum(counted.values()) if isinstance(counted, Mapping) else 0  # B-RAI's calls are its recursion's
        calls = calls or result.n_tests
        amat = np.zeros((problem.p, problem.p), dtype=bool)
        amat[: dataset.p, : dataset.p] = result.graph.amat
        return Answer(amat, result.n_tests, note=f"{calls + result.n_scores:,} calls")

    return run


def lmm_cpdags(problem: Problem, *, fresh: bool) -> Run:
    """Prepare the CPDAGs at all steps of an LMM run: edge by edge starting at the result, or each from scratch."""
    result = learn("lmm", _dataset(problem))
    last = len(result.extra.moves)

    def run() -> Answer:
        if fresh:
            graphs = [graph_at(result, step) for step in range(last + 1)]
        else:
            made = step_graphs(result, seconds=math.inf)
            graphs = [made.at(step, problem.p) for step in range(last + 1)]
        return Answer(graphs[result.extra.choice].amat, note=f"{last + 1:,} steps, {len(result.extra.ranked)} ranked")

    return run


def pairs(problem: Problem, *, planes: bool) -> Run:
    """Prepare tables and G² of all pairs by bit planes, or of every tenth pair by a pass over the codes.

    The time includes making the bit planes.
    """
    dataset = _dataset(problem)
    edges = np.argwhere(np.triu(np.ones((problem.p, problem.p), dtype=bool), 1))
    walks = LevelSearch.marginal(edges, problem.p)

    def by_planes() -> Answer:
        fresh = Dataset.from_codes(problem.data, problem.arity, dataset.names)
        return Answer(n_tests=int(G2(fresh).separate(walks, 0.05).n_tests.sum()))

    def by_codes() -> Answer:
        z, none = np.empty(problem.n, dtype=np.int64), np.empty(0, dtype=np.int32)
        sample = G2(dataset)._sample
        began = time.perf_counter()
        for x, y in edges[::10]:
            scalar_g2(sample.codes, sample.arity, sample.weights, x, y, none, 0, sample.xlogx, z)
        return Answer(n_tests=len(edges), seconds=10 * (time.perf_counter() - began))

    return by_planes if planes else by_codes


def partial_correlations(problem: Problem, *, sweep: bool) -> Run:
    """Prepare partial correlations of 2 000 nodes with every variable given a set of 3, from given correlations.

    They are computed by one factorization for each node and set, or by a matrix inverse for every thousandth of them.
    """
    corr = _dataset(problem).correlation
    rng = np.random.default_rng(0)
    chosen = np.array([rng.choice(problem.p, 4, replace=False) for _ in range(2000)], dtype=np.int32)
    others = np.arange(problem.p, dtype=np.int32)

    def by_sweeps() -> Answer:
        began = time.perf_counter()
        _sweeps(corr, chosen, others, np.empty(problem.p))
        return _per_rho(time.perf_counter() - began, len(chosen) * problem.p)

    def by_inverses() -> Answer:
        triples = [(i, cond, j) for i, *cond in chosen.tolist() for j in (rng.integers(problem.p),)]
        triples = [(i, cond, j) for i, cond, j in triples if j not in (i, *cond)]
        began = time.perf_counter()
        for i, cond, j in triples:
            naive_tests.partial_correlation(corr, i, j, cond)
        each = (time.perf_counter() - began) / len(triples)
        return _per_rho(each * len(chosen) * problem.p, len(chosen) * problem.p)

    return by_sweeps if sweep else by_inverses


@kernel
def _sweeps(corr, chosen, partners, out):
    size = chosen.shape[1] - 1
    chol, basis = np.empty((size, size)), np.empty(size, np.int64)
    for row in chosen:
        rank = factor(corr, row[1:], size, chol, basis)
        partial_correlations_with(corr, row[0], chol, basis, rank, partners, out)


def _per_rho(seconds: float, count: int) -> Answer:
    return Answer(n_tests=count, seconds=seconds, note=f"{1e9 * seconds / count:.3g} ns each")


def naive_pc(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:
    """Prepare the slow reference implementation of the skeleton from the tests. Categorical data only."""

    def log_p_of(x: int, y: int, cond: tuple[int, ...]) -> float:
        statistic, dof = naive_tests.g2(problem.data, x, y, cond)
        p_value = gammaincc(dof / 2, statistic / 2) if dof else 1.0
        return math.log(p_value) if p_value else -math.inf

    def run() -> Answer:
        edges, _, _, n_tests = naive_tests.pc_stable(log_p_of, problem.p, alpha, max_cond_size)
        amat = np.zeros((problem.p, problem.p), dtype=bool)
        for i, j in map(tuple, edges):
            amat[i, j] = amat[j, i] = True
        return Answer(amat, sum(n_tests), note="skeleton only")

    return run


def lmm(problem: Problem, **settings: float) -> Run:
    """Prepare LMM with its LMM_EO directions; the correlation matrix is computed before the timed part."""
    dataset = _dataset(problem)
    _ = dataset.correlation

    def run() -> Answer:
        result = learn_lmm(DependencePosterior(dataset), **settings)
        return Answer(result.graph.amat, result.n_tests)

    return run


def naive_lmm_skeleton(problem: Problem) -> Run:
    """Prepare LMM's reference implementation: every pair is looked up at every move, every set factored separately."""
    corr, p = _dataset(problem).correlation, problem.p

    def run() -> Answer:
        value = naive_lmm.from_data(corr, problem.n, naive_lmm.best_prior(corr, problem.n))
        reference = naive_lmm.LMM(value, p, 1e-6, 0.0, round(2.5 * p), 4, 3, 10, product=True).run()
        return Answer(reference.skeleton(0.5, 0), note="skeleton only")

    return run


def _dataset(problem: Problem) -> Dataset:
    names = [f"v{j}" for j in range(problem.p)]
    if problem.arity is None:
        return Dataset.from_values(problem.data, names)
    return Dataset.from_codes(problem.data, problem.arity, names)
