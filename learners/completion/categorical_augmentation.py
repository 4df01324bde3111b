"""categorical tables imputed by data augmentation: draws of cells alternate with searches for networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..common.arrays import frozen_copy
from ..common.parallel import ordered_map
from ..common.progress import Tick, silent
from ..data.completed_data import CompletedTables
from ..data.dataset import Dataset
from ..data.row_weights import repeated
from ..families.constraint_based.pc import pc
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..graphs.knowledge import Knowledge, bind
from ..independence.g2 import G2
from ..kernels.completion.gibbs import count_cells, draw_cells, normalize
from ..scores.bdeu import BDeu
from ..search.cost import cost_of_orders
from ..search.ges_search import equivalence_search
from ..search.order_search import order_search
from .family_layout import family_tables

BURN_IN, SWEEPS = 10, 4  # number of sweeps over the missing cells before the first network, and before each later one
MANY_MISSING = 0.2  # share of missing cells from which more rounds are needed
MANY_ROWS = 10_000
MANY_COLUMNS = 80  # number of columns from which GES replaces the search over orders
MAX_PARENTS = 12
ESS = 10.0  # equivalent sample size of the networks' score
PRIOR_ROWS = 1.0  # weight of the child's own distribution in each configuration of parents
PHASE = "imputing cells"
STREAM = 5  # number of the random stream; no learner uses it

Wanted = Callable[[], bool]
THREADS = 2  # assumed number of threads of the chains, a low guess


class Effort(NamedTuple):
    """Numbers of chains, of networks that each chain learns after the first, and of tables that it keeps."""

    chains: int
    rounds: int
    kept: int


USUAL, MORE, LESS, LEAST = Effort(5, 4, 2), Effort(5, 10, 2), Effort(2, 2, 1), Effort(1, 1, 1)


def complete_tables(
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    seed: int = 0,
    start: Sequence[np.ndarray] | None = None,
    tick: Tick = silent,
) -> CompletedTables:
    """Complete a categorical table several times, each with its own network.

    A chain alternates between two draws: the probabilities of its network given its table, and each missing cell given
    the rest of its row. After some sweeps it learns a new network from its table. The first network is that of PC on
    the rows that have the cells of each test.

    Parameters
    ----------
    dataset : Dataset
        Categorical.
    knowledge : Knowledge, optional
        It restricts the networks.
    seed : int, default 0
    start : sequence of (p, p) bool arrays, optional
        Networks for other rows of the same table. One chain then starts from one of them, and draws one table.
    tick : Tick, optional
        Progress listener. If it returns False, each chain ends with its present table.

    Returns
    -------
    CompletedTables

    References
    ----------
    Tanner and Wong (1987), The calculation of posterior distributions by data augmentation, Journal of the American
    Statistical Association 82. Friedman (1998), The Bayesian structural EM algorithm, UAI.
    """
    counted = dataset.weights is not None and not dataset.surveyed
    if counted:
        dataset = dataset.take(repeated(dataset.weights, dataset.p)).with_weights(None)
    if start is None:
        first, effort = _first_network(dataset, knowledge), effort_for(dataset)
    else:
        first, effort = start[int(dataset.fingerprint[:8], 16) % len(start)], LEAST

    def run(t: int, wanted: Wanted) -> list[tuple[np.ndarray, np.ndarray]]:
        return _Chain(dataset, knowledge, first, seed, t).run(effort, wanted)

    done = ordered_map(run, effort.chains, phase=PHASE, tick=tick)
    ends = [end for chain in done for end in chain] or [(_filled(dataset, np.random.default_rng(seed)), first)]
    codes = np.concatenate([table for table, _ in ends], axis=1)
    weights = None if dataset.weights is None else np.tile(dataset.weights, len(ends))
    stack = replace(dataset, codes=frozen_copy(codes, codes.dtype), weights=weights, copies=len(ends), completion=None)
    if dataset.groups is not None:
        stack = stack.with_groups(np.tile(dataset.groups, len(ends)))
    return CompletedTables(stack, tuple(frozen_copy(dag, bool) for _, dag in ends))


class _Chain:
    """One imputed table, and the network from which its missing cells were drawn.

    Parameters
    ----------
    dataset, knowledge
        See `complete_tables`.
    dag : (p, p) bool array
        The first network.
    seed, number : int
    """

    def __init__(self, dataset: Dataset, knowledge: Knowledge | None, dag: np.ndarray, seed: int, number: int) -> None:
        self.dataset, self.known, self.dag = dataset, bind(knowledge, dataset.names), dag
        self.rng = np.random.default_rng([seed, STREAM, number])
        self.variable, self.row = (at.astype(np.int64) for at in np.nonzero(dataset.codes == dataset.arity[:, None]))
        self.codes = _filled(dataset, self.rng)
        self.weights = np.empty(0) if dataset.shares is None else dataset.shares

    def run(self, effort: Effort, wanted: Wanted) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the tables and networks of the last rounds."""
        ends = []
        for done in range(effort.rounds + 1):
            self._draw(SWEEPS if done else BURN_IN)
            table = self.codes.copy()
            self._learn(wanted)
            ends.append((table, self.dag))
        return ends[-effort.kept :]

    def _draw(self, sweeps: int) -> None:
        """Alternate between draws of the probabilities given the cells, and of the cells given the probabilities."""
        arity = self.dataset.arity
        families = family_tables(self.dag, arity)
        for _ in range(sweeps):
            table = np.zeros(int(families.first[-1]))
            count_cells(self.codes, arity, families, self.weights, table)
            prior = np.concatenate([self._prior(j, families.first) for j in range(self.dataset.p)])
            table = self.rng.standard_gamma(table + prior)
            normalize(arity, families, table)
            uniforms = self.rng.random(len(self.variable))
            draw_cells(self.codes, arity, families, table, self.variable, self.row, uniforms)

    def _prior(self, j: int, first: np.ndarray) -> np.ndarray:
        """Return the prior counts of a family: in each configuration the distribution of the child alone."""
        r = int(self.dataset.arity[j])
        own = np.bincount(self.codes[j], self.weights if self.weights.size else None, minlength=r) + 0.5
        return np.tile(PRIOR_ROWS * own / own.sum(), int(first[j + 1] - first[j]) // r)

    def _learn(self, wanted: Wanted) -> None:
        """Learn the network from the current table."""
        table = replace(self.dataset, codes=frozen_copy(self.codes, self.codes.dtype), completion=None)
        score = BDeu(table.compact(), ess=ESS, edge_penalty=None)
        options = {"max_parents": MAX_PARENTS, "knowledge": self.known, "tick": lambda *_: wanted()}
        if self.dataset.p > MANY_COLUMNS:
            self.dag = equivalence_search(score, turning=True, **options).dag.amat
        else:
            seed = int(self.rng.integers(1 << 30))
            self.dag = order_search(score, restarts=1, seed=seed, **options).dag.amat


def _filled(dataset: Dataset, rng: np.random.Generator) -> np.ndarray:
    """Return the codes with missing cells drawn from the other cells of their column."""
    codes = np.array(dataset.codes)
    for own, r in zip(codes, dataset.arity, strict=True):
        missing = own == r
        if missing.any():
            present = own[~missing]
            own[missing] = rng.choice(present if present.size else np.arange(r), int(missing.sum()))
    return codes


def _first_network(dataset: Dataset, knowledge: Knowledge | None) -> np.ndarray:
    graph: PDAG = pc(G2(dataset), knowledge=knowledge).graph
    return consistent_extension(graph).dag.amat


def effort_for(dataset: Dataset) -> Effort:
    """Return the effort for a table: less for many rows, where draws differ less, more for many missing cells."""
    if dataset.n_rows > MANY_ROWS:
        return LESS
    share = np.mean([1.0 - dataset.is_there(j).mean() for j in range(dataset.p)])
    return MORE if share > MANY_MISSING else USUAL


def cost_of_completion(dataset: Dataset) -> float:
    """Estimate the seconds of the searches for networks from a probe; 0 for moments, which take far less."""
    if dataset.kind != "categorical":
        return 0.0
    effort = effort_for(dataset)
    once = cost_of_orders(BDeu(dataset.compact(), ess=ESS, edge_penalty=None), restarts=1)
    return effort.chains * (effort.rounds + 1) * once / THREADS
