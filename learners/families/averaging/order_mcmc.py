"""Order MCMC: probabilities of edges, arrows and blankets by Markov chains of orders or of ordered partitions."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ...common.progress import Stopped, Tick, silent
from ...common.relabeling import ByPair
from ...common.run_warning import RunWarning
from ...common.sentences import Number, Sentence, Setting, hundredths, say
from ...common.validation import Seed, Threads
from ...data.dataset import Dataset
from ...evaluation.posterior import Posterior, RankedClass, with_knowledge
from ...graphs.cpdag import cpdag
from ...graphs.equivalence_class import class_size
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.order_climber import order_of
from ...settings.parameter import parameters
from .candidates import choose, searched
from .chains import BATCHES, RECORDS, Agreement, Chains
from .parent_weights import MOST_PARENTS, dags_of, limits_reached, room_of, weighed
from .probable_graph import recorded_settling, result_of
from .settings import ORDER_MCMC

CANCELLED = RunWarning(
    "cancelled", say("the run was cancelled; the probabilities are those of the batches that were done")
)

# The limits of chains that agree, for each edge and arrow:
MAX_DIFFERENCE = 0.02  # maximum difference between the probabilities of two chains
MAX_ERROR = 0.008  # maximum standard error
MAX_R_HAT = 1.1
LARGE_R_HAT = 100  # larger values are not written: variances within chains are near 0
MAX_DRAWN = 1_000
MAX_CELLS = 40_000_000  # maximum number of matrix entries of all drawn DAGs


@dataclass(frozen=True, eq=False)
class ChainsRun:
    """The `extra` of a result of order MCMC.

    Attributes
    ----------
    agreement : Agreement or None
        None if the run was cancelled before the first batch.
    candidates : (p, p) bool array
        Entry [i, j] is True if i is a candidate parent of j.
    moves : int
        Number of moves of each chain.
    converged : bool
    prior : str
    left : float
        Effective share of the weighted draws; 1 with equal weights.
    """

    agreement: Agreement | None
    candidates: ByPair
    moves: int
    converged: bool
    prior: str
    left: float = 1.0

    @property
    def n_draws(self) -> int:
        """Effective number of independent DAGs."""
        return max(1, int(self.left * self.agreement.effective))

    @property
    def worst(self) -> float:
        """Largest R̂ of all pairs."""
        return float(self.agreement.r_hat.max())


@parameters(ORDER_MCMC)
def order_mcmc(
    dataset: Dataset,
    score: FamilyScore,
    *,
    chains: int = 2,
    steps: int = 50_000,
    run_on: int = 3,
    n_candidates: int = 10,
    max_parents: int | None = None,
    prior: str = "orders",
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    threads: Threads | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Average over DAGs by Markov chains of orders of the variables.

    Parameters
    ----------
    dataset : Dataset
    score : FamilyScore
        Bound to the same data.
    chains : int, default 2
        Number of chains, at least 2, from different starts: the order that BOSS finds on the data, and those that it
        finds on resampled rows.
    steps : int, default 50000
        Number of moves of each chain in the first round.
    run_on : int, default 3
        Largest number of further rounds; while the chains do not agree, each round doubles the number of moves.
    n_candidates : int, default 10
        Number of candidate parents of a variable: its neighbours in the starts, then those in other searches on ten
        resamples, then the variables that gain most. Its parents in the starts are always among them, also if they are
        more.
    max_parents : int, optional
        Largest number of parents of a variable; categorical parents have at most as many configurations as there are
        rows. Default: all candidates, or the largest number with at most 20 000 parent sets, and at least the number
        of parents in the starts.
    prior : "orders", "dags" or "classes"
        The uniform prior: over orders, which favours DAGs with many orders; over DAGs, by chains of ordered partitions;
        or over equivalence classes, by weights of the DAGs of these chains. The penalty of an edge in the score is part
        of the prior, too.
    knowledge : Knowledge, optional
    seed : int, default 0
    threads : int, optional
        Default: the available cores. The result does not depend on it.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the batches that all chains have finished.

    Returns
    -------
    LearnResult
        `graph` has the edges with P ≥ ½, and the arrows that are compelled with at least half of that probability.
        `posterior` has the probabilities. Those of edges, arrows and blankets are sums over all DAGs of each order;
        with "classes" they are averages over a thousand drawn DAGs. `extra` is a `ChainsRun`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or a variable has more required parents than allowed.
    DataError
        If the tables take too much memory.

    Notes
    -----
    Chains agree if, over the later half of the moves, no probability of an edge or arrow differs by more than 0.02, no
    standard error exceeds 0.008, and no R̂ exceeds 1.1. If they do not agree at the end, there is a warning. After a
    round, a chain restarts from the state of the best one if all orders as probable as its own have together less
    probability than that state. There is a warning if variables often have as many parents as the run allows.

    References
    ----------
    Friedman and Koller (2003), Being Bayesian about network structure. Machine Learning 50. Kuipers and Moffa (2017),
    Partition MCMC for inference on acyclic digraphs. JASA 112. Kuipers, Suter and Moffa (2022), Efficient sampling and
    structure learning of Bayesian networks. JCGS 31. Gelman and Rubin (1992), Inference from iterative simulation.

    Examples
    --------
    >>> from learners import BDeu, load_sample, order_mcmc
    >>> asia = load_sample("asia").dataset
    >>> result = order_mcmc(asia, BDeu(asia))
    >>> result.posterior.adjacent.shape
    (8, 8)
    """
    began, p, before = time.perf_counter(), dataset.p, score.n_scores
    known, work, complete = bind(knowledge, dataset.names), None, True
    try:
        k = min(n_candidates, p - 1)
        most = MOST_PARENTS if max_parents is None else max_parents
        dags = searched(dataset, score, most, known, chains, seed, tick)
        candidates, possible = choose(score, dags, chains, k, known, tick)
        needed = np.max([dag.amat.sum(axis=0) for dag in dags[:chains]], axis=0)
        room = room_of(max_parents, (candidates >= 0).sum(axis=1), needed, score)
        model = weighed(score, candidates, room, known, threads, tick)
        work = Chains(model, _starts(dags, known, chains, seed), prior, seed)
        _run(work, max(1, round(steps / (BATCHES * RECORDS))), run_on, threads, tick)
    except Stopped:
        complete = False
    extra, posterior = _found(work, prior, known)
    warnings = _warnings(extra, complete)
    if posterior is not None:
        warnings += limits_reached(work.drawn(MAX_DRAWN), work.model, room, possible, score.names)
    sets = int(work.model.n_ranked.sum()) if work else 0
    return result_of(
        posterior,
        names=dataset.names,
        method="order_mcmc",
        kind="mcmc",
        n_scores=score.n_scores - before + sets,
        seconds=time.perf_counter() - began,
        trace=recorded_settling(work.settling() if posterior else (), posterior, known),
        draws=extra.n_draws if posterior else 0,
        warnings=warnings,
        complete=complete,
        extra=extra,
    )


def _starts(dags: list[PDAG], known: BoundKnowledge, chains: int, seed: Seed) -> list[np.ndarray]:
    """Return an order of the DAG of each search: on the data, on the first resample, and so on."""
    found = []
    for t in range(chains):
        rank = np.random.default_rng([seed, t, 1]).permutation(len(known.required))
        found.append(order_of(dags[t % len(dags)].amat, rank))
    return found


def _run(work: Chains, moves: int, run_on: int, threads: int | None, tick: Tick) -> None:
    """Run a round, then double the number of batches while the chains do not agree."""
    work.run(BATCHES, moves, threads, tick)
    for _ in range(run_on):
        if not work.restart_lost() and _agree(work.agreement()):
            return
        work.run(len(work.batches), moves, threads, tick)


def _agree(found: Agreement) -> bool:
    return found.difference <= MAX_DIFFERENCE and found.error <= MAX_ERROR and float(found.r_hat.max()) <= MAX_R_HAT


def _found(work: Chains | None, prior: str, known: BoundKnowledge) -> tuple[ChainsRun, Posterior | None]:
    """Return the run and the posterior of the batches after the burn-in."""
    p = len(known.required)
    if work is None or not work.batches:
        return ChainsRun(None, np.zeros((p, p), dtype=bool), 0, False, prior), None
    agreement = work.agreement()
    directed = sum(agreement.directed) / len(agreement.directed)
    drawn = dags_of(work.model, work.drawn(min(MAX_DRAWN, max(50, MAX_CELLS // p**2))))
    posterior, left = Posterior.of_draws(drawn, known, directed=directed, blanket=work.blanket / work.n_records), 1.0
    if prior == "classes":
        posterior, left = reweighted_by_class(posterior, known)
    candidates = work.model.flag.T > 0
    return ChainsRun(agreement, candidates, work.n_moves, _agree(agreement), prior, left), posterior


def reweighted_by_class(posterior: Posterior, knowledge: BoundKnowledge) -> tuple[Posterior, float]:
    """Reweight DAGs drawn under a uniform prior over DAGs to a uniform prior over equivalence classes.

    Returns
    -------
    posterior : Posterior
        Over the classes of the DAGs: the weight of a class is the share of its draws over the number of its DAGs, which
        all have the same score.
    left : float
        Effective share of the draws, (Σ w)² / Σ w² over their number (Kish 1965).
    """
    shares: dict[PDAG, float] = {}
    for share, one in zip(posterior.shares.tolist(), posterior.classes, strict=True):
        graph = cpdag(one.graph)
        shares[graph] = shares.get(graph, 0.0) + share
    drawn = np.array(list(shares.values()))
    sizes = np.array([float(class_size(graph)) for graph in shares])
    weights = drawn / sizes
    order = np.argsort(-weights, kind="stable")
    graphs = list(shares)
    classes = [RankedClass(graphs[t], np.nan) for t in order.tolist()]
    left = float(weights.sum() ** 2 / (drawn.sum() * (weights / sizes).sum()))
    shares_of_classes = weights[order] / weights.sum()
    known = with_knowledge((one.graph for one in classes), shares_of_classes, knowledge)
    return Posterior(classes, shares_of_classes, known), left


def agreement_of(run: ChainsRun) -> Sentence:
    """Return a clause with the differences between the chains and the limits for agreement."""
    worst = say("above {n}", n=LARGE_R_HAT) if run.worst > LARGE_R_HAT else hundredths(run.worst)
    return say(
        "probabilities differ by up to {difference} between chains (limit {a}); the largest standard error is {error} "
        "(limit {b}); the largest R̂ is {value} (limit {c})",
        difference=Number(run.agreement.difference),
        a=Number(MAX_DIFFERENCE),
        error=Number(run.agreement.error),
        b=Number(MAX_ERROR),
        value=worst,
        c=Number(MAX_R_HAT),
    )


def _warnings(run: ChainsRun, complete: bool) -> tuple[RunWarning, ...]:
    warnings = [] if complete else [CANCELLED]
    if run.agreement is not None and not run.converged:
        sentence = say(
            "the chains have not converged: {agreement}. Raise {moves} or {doublings}, or treat the probabilities as "
            "rough",
            agreement=agreement_of(run),
            moves=Setting("steps"),
            doublings=Setting("run_on"),
        )
        warnings.append(RunWarning("not_converged", sentence))
    return tuple(warnings)
