"""Exact probabilities of edges and arrows, by sums over all orders of few variables."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ..common.errors import DataError
from ..common.memory import CELL_BYTES, check_memory
from ..common.parallel import run_chunks
from ..common.progress import Stopped, Tick, silent
from ..common.validation import Seed, Threads
from ..evaluation.posterior import Posterior
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..kernels.averaging.chain_sampling import ChainRecords, ParentSetModel, record_orders
from ..kernels.averaging.order_chain import Chain
from ..results.result import LearnResult
from ..scores.score import FamilyScore
from ..settings.parameter import parameters
from .candidates import gains_beside
from .dag_sampling import summed
from .parent_weights import dags_of, most_parents, weighed
from .probable_graph import result_of, told_settling
from .settings import EXACT_POSTERIOR, MOST_VARIABLES

DRAWS = 1_000


@dataclass(frozen=True, eq=False)
class ExactRun:
    """What the sums knew beside the result.

    Attributes
    ----------
    done : bool
        Whether there are probabilities.
    n_draws : int
        0: no draws lie behind the probabilities of edges and arrows.
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
    """Average over all DAGs of at most 20 variables, every order of these as likely beforehand.

    Parameters
    ----------
    score : FamilyScore
        For at most 20 variables. What it charges for each edge makes graphs with fewer edges likelier beforehand.
    max_parents : int, optional
        Most parents of a variable; of levels, with no more configurations than there are rows. Default: as many as
        leave a variable 20 000 sets of them, which is any number among 15 variables, and 5 among 20.
    knowledge : Knowledge, optional
    seed : int, default 0
        Of the orders drawn.
    threads : int, optional
        Default: the cores available. The result does not depend on it.
    tick : Tick, optional
        Listener; a run cancelled has no probabilities.

    Returns
    -------
    LearnResult
        `graph` joins the pairs with P ≥ ½, and draws the arrows that are compelled in at least half of that.
        `posterior` has the probabilities: of edges and arrows exact; of blankets the mean over a thousand orders, drawn
        independently, of what each says; of compelled arrows, v-structures and paths shares of a thousand DAGs.
        `extra` is an `ExactRun`.

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
    if p > MOST_VARIABLES:
        raise DataError(f"exact sums take at most {MOST_VARIABLES} columns, found {p}; use fewer, or order MCMC")
    check_memory(
        2.0 * CELL_BYTES * p * (1 << p), f"sums over all sets of {p} columns", "use fewer columns, or order MCMC"
    )
    posterior, sets = None, 0
    try:
        most = most_parents(max_parents, p - 1, score)
        model = weighed(score, _everyone(score, known, tick), most, known, threads, tick)
        sets = int((model.local > -np.inf).sum())
        posterior = _posterior(model, known, seed, threads, tick)
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
        trace=told_settling((), posterior, known),
        draws=0,
        warnings=() if done else ("the run was cancelled before its sums were done; there are no probabilities",),
        complete=done,
        extra=ExactRun(done),
    )


def _everyone(score: FamilyScore, known: BoundKnowledge, tick: Tick) -> np.ndarray:
    """(p, p - 1): all others that may be parents of each variable, then -1."""
    p = score.p
    _, may = gains_beside(score, PDAG(known.required), known, tick)
    found = np.full((p, p - 1), -1, dtype=np.int64)
    for j in range(p):
        allowed = np.flatnonzero(may[:, j])
        found[j, : len(allowed)] = allowed
    return found


def _posterior(model: ParentSetModel, known: BoundKnowledge, seed: Seed, threads: int | None, tick: Tick) -> Posterior:
    """Sums for edges and arrows, and orders drawn for all else."""
    p = len(model.flag)
    exact = summed(_by_variable(model), threads, tick)
    orders, uniforms = exact.draw(DRAWS, seed), np.random.default_rng([seed, 1]).random((DRAWS, p))
    nothing = np.zeros(p, dtype=np.int64)
    chain = Chain(nothing, nothing.copy(), nothing.copy(), np.zeros(p))
    shares = np.zeros(model.candidates.shape)
    batch = ChainRecords(shares, shares.copy(), np.zeros((p, p)), np.zeros((DRAWS, p), dtype=np.int64))

    def piece(_begin: int, _end: int, stop: np.ndarray, _done: np.ndarray) -> None:
        record_orders(model, orders, uniforms, chain, batch, stop)

    run_chunks(lambda: piece, 1, phase="orders drawn", tick=tick, threads=1)
    summed_over = {"directed": exact.directed, "blanket": batch.blanket / DRAWS}
    return Posterior.of_draws(dags_of(model, batch.drawn), known, **summed_over)


def _by_variable(model: ParentSetModel) -> np.ndarray:
    """(p, 2^p) local scores, sets as masks of all variables and not of the candidates of each."""
    p = len(model.local)
    found = np.full((p, 1 << p), -np.inf)
    for j in range(p):
        masks = np.flatnonzero(model.local[j] > -np.inf)
        named = np.zeros_like(masks)
        for b in range(p - 1):
            named |= (masks >> b & 1) << model.candidates[j, b]
        found[j, named] = model.local[j, masks]
    return found
