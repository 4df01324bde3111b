"""Exact probabilities of edges and arrows by sums over all orders of at most 24 variables."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ...common.errors import DataError
from ...common.memory import CELL_BYTES, check_memory, graph_limit_bytes
from ...common.parallel import run_in_thread
from ...common.progress import Stopped, Tick, silent
from ...common.run_warning import RunWarning
from ...common.sentences import say
from ...common.validation import Seed, Threads
from ...evaluation.posterior import Posterior
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...kernels.averaging.chain_sampling import ChainRecords, ParentSetModel, record_orders
from ...kernels.averaging.order_chain import Chain
from ...kernels.averaging.parent_sets import name_masks
from ...results.result import LearnResult
from ...scores.categorical_families import merged_rows
from ...scores.score import FamilyScore
from ...search.order_search import order_search
from ...settings.parameter import parameters
from .candidates import gains_beside
from .dag_sampling import summed
from .parent_weights import (
    MOST_PARENTS,
    are_candidates,
    dags_of,
    limits_reached,
    most_parents,
    room_of,
    weighed,
)
from .probable_graph import recorded_settling, result_of
from .settings import EXACT_POSTERIOR, MAX_VARIABLES

CANCELLED = RunWarning("cancelled", say("the run was cancelled before its sums were done; there are no probabilities"))

N_DRAWS = 1_000


@dataclass(frozen=True, eq=False)
class ExactRun:
    """The `extra` of a result of exact sums.

    Attributes
    ----------
    done : bool
        True if there are probabilities.
    n_draws : int
        0, since the probabilities of edges and arrows are exact.
    """

    done: bool
    n_draws: int = 0


@parameters(EXACT_POSTERIOR)
def exact_posterior(
    score: FamilyScore,
    *,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    threads: Threads | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Average over all DAGs of at most 24 variables under a uniform prior over their orders.

    Parameters
    ----------
    score : FamilyScore
        For at most 24 variables. Its penalty of an edge is part of the prior.
    max_parents : int, optional
        Largest number of parents of a variable; categorical parents have at most as many configurations as there are
        rows. Default: the largest number with at most 20 000 parent sets: no limit with 15 variables, 5 with 20, and 4
        with 24. It is higher for variables that have more parents in the DAG of BOSS.
    knowledge : Knowledge, optional
    seed : int, default 0
        Seed of the orders drawn.
    threads : int, optional
        Default: the available cores. The result does not depend on it.
    tick : Tick, optional
        Progress listener; a cancelled run has no probabilities.

    Returns
    -------
    LearnResult
        `graph` has the edges with P ≥ ½, and the arrows that are compelled with at least half of that probability.
        `posterior` has the probabilities: exact ones of edges and arrows; means over a thousand independent orders of
        blankets; shares of a thousand DAGs of compelled arrows, v-structures and paths. `extra` is an `ExactRun`.

    Raises
    ------
    DataError
        If there are too many variables, or the tables take too much memory.
    ParameterError
        If a parameter is out of range, or a variable has more required parents than allowed.

    References
    ----------
    Koivisto and Sood (2004), Exact Bayesian structure discovery in Bayesian networks. JMLR 5; Koivisto (2006),
    Advances in exact Bayesian structure discovery in Bayesian networks, UAI.

    Examples
    --------
    >>> from learners import BDeu, exact_posterior, load_sample
    >>> exact_posterior(BDeu(load_sample("asia").dataset)).posterior.directed.shape
    (8, 8)
    """
    began, before, p = time.perf_counter(), score.n_scores, score.p
    known = bind(knowledge, score.names)
    if p > MAX_VARIABLES:
        raise DataError(f"exact sums take at most {MAX_VARIABLES} columns, found {p}; use fewer, or order MCMC")
    check_memory(
        CELL_BYTES * (p + 6.0) * (1 << p - 1),
        f"sums over all sets of {p} columns",
        "use fewer columns, or order MCMC",
        graph_limit_bytes,
    )
    posterior, sets, warnings = None, 0, (CANCELLED,)
    try:
        candidates = _all_candidates(score, known, tick)
        possible = (candidates >= 0).sum(axis=1)
        room = _room(max_parents, possible, score, known, tick)
        model = weighed(score, candidates, room, known, threads, tick, merged_rows(score.sample))
        sets = int(model.n_ranked.sum())
        posterior, masks = _posterior(model, known, seed, threads, tick)
        warnings = limits_reached(masks, model, room, possible, score.names)
    except Stopped:
        pass
    done = posterior is not None
    return result_of(
        posterior,
        names=score.names,
        method="exact_posterior",
        kind="exact",
        n_scores=score.n_scores - before + sets,
        seconds=time.perf_counter() - began,
        trace=recorded_settling((), posterior, known),
        draws=0,
        warnings=warnings,
        complete=done,
        extra=ExactRun(done),
    )


def _all_candidates(score: FamilyScore, known: BoundKnowledge, tick: Tick) -> np.ndarray:
    """Return (p, p - 1) allowed parents of each variable, padded with -1."""
    p = score.p
    _, may = gains_beside(score, PDAG(known.required), known, tick)
    found = np.full((p, p - 1), -1, dtype=np.int64)
    for j in range(p):
        allowed = np.flatnonzero(may[:, j])
        found[j, : len(allowed)] = allowed
    return found


def _room(asked: int | None, n_of: np.ndarray, score: FamilyScore, known: BoundKnowledge, tick: Tick) -> np.ndarray:
    """Return the maximum number of parents of each variable: by default more for one that has many in BOSS's DAG."""
    needed = np.zeros_like(n_of)
    if asked is None and most_parents(None, int(n_of.max()), score) < n_of.max():
        search = order_search(score, max_parents=MOST_PARENTS, knowledge=known, tick=tick)
        if not search.complete:
            raise Stopped
        needed = search.dag.amat.sum(axis=0)
    return room_of(asked, n_of, needed, score)


def _posterior(
    model: ParentSetModel, known: BoundKnowledge, seed: Seed, threads: int | None, tick: Tick
) -> tuple[Posterior, np.ndarray]:
    """Return exact sums for edges and arrows, estimates from drawn orders for the rest, and the drawn masks."""
    p = len(model.flag)
    exact = summed(*_by_variable(model), threads, tick)
    orders, uniforms = exact.draw(N_DRAWS, seed), np.random.default_rng([seed, 1]).random((N_DRAWS, p))
    nothing = np.zeros(p, dtype=np.int64)
    chain = Chain(nothing, nothing.copy(), nothing.copy(), np.zeros(p))
    shares = np.zeros(model.candidates.shape)
    batch = ChainRecords(shares, shares.copy(), np.zeros((p, p)), np.zeros((N_DRAWS, p), dtype=np.int64))

    run_in_thread(
        lambda stop, _done: record_orders(model, orders, uniforms, chain, batch, stop), phase="orders drawn", tick=tick
    )
    summed_over = {"directed": exact.directed, "blanket": batch.blanket / N_DRAWS}
    return Posterior.of_draws(dags_of(model, batch.drawn), known, **summed_over), batch.drawn


def _by_variable(model: ParentSetModel) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return sums over subsets, parent sets, scores and numbers of sets, with sets as masks of the other variables.

    They are as in `fill_orders` and `fill_arrows`, with the sets of each variable ascending. Tables of variables that
    may have all others as parents are those of the model.
    """
    candidates = are_candidates(model)
    ascending = np.where(np.arange(model.ranked.shape[1]) < model.n_ranked[:, None], model.ranked, np.int64(1) << 62)
    order = np.argsort(ascending, axis=1)
    sets, scores = np.take_along_axis(model.ranked, order, axis=1), np.take_along_axis(model.scores, order, axis=1)
    if candidates.all():
        return model.table, sets, scores, model.n_ranked
    p, k = candidates.shape
    sums, index = model.table.copy(), np.empty(1 << k, dtype=np.int64)
    for j in np.flatnonzero(~candidates.all(axis=1)):
        own = model.candidates[j, candidates[j]]
        places = own - (own > j)
        position = np.full(k, -1, dtype=np.int64)
        position[places] = np.flatnonzero(candidates[j])
        name_masks(position, model.table[j], index, sums[j])
        sets[j] = ((sets[j][:, None] >> position[places] & 1) << places).sum(axis=1)
    return sums, sets, scores, model.n_ranked
