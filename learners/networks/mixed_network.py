"""Networks of categorical and numeric variables: linear and logit equations, with or without interactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy.special import softmax

from ..common.arrays import as_numbers, frozen
from ..common.checks import check_count, check_number, check_sequence, check_type
from ..common.errors import DataError
from ..common.memory import check_pair_memory
from ..common.validation import Seed, validated
from ..common.wording import quoted
from ..data.columns import checked_names
from ..graphs.graph import PDAG, topological_order
from .inference.likelihood_weighting import Conditional, LikelihoodWeighting
from .inference.queries import Queries, level_names
from .random_networks import random_dag

MIN_LEVELS, MAX_LEVELS = 2, 20
MIN_EFFECT, MAX_EFFECT = 0.5, 1.0  # range of the absolute effect of a parent with variance 1
LOGIT = 1.8  # log odds per unit of normal noise, approximately


@validated
@dataclass(frozen=True, eq=False)
class MixedNetwork(Queries):
    """A DAG with an equation for each node: linear with normal noise, or log odds of its levels.

    Parents enter by a score: numbers as they are, levels by evenly spaced values with mean 0, and variance 1 if all
    levels are equally likely. The signal of node j is ``scores @ effects[j] + products @ interactions[j]``, with the
    products of all pairs of its parents.

    Attributes
    ----------
    names : tuple of str
        One per node, distinct.
    dag : PDAG
        Its nodes are numbered as in `names`.
    levels : (p,) int64 array
        Number of levels of each node; 1 for a numeric one.
    effects : tuple of (m_j, levels_j) float64 arrays
        One row per parent of node j, in ascending order. Copied and read-only.
    interactions : tuple of (m_j (m_j - 1) / 2, levels_j) float64 arrays
        One row per pair of parents, in lexicographic order.

    Raises
    ------
    DataError
        If names repeat, the graph is not a DAG, or an array has the wrong shape or non-finite numbers.
    """

    names: tuple[str, ...]
    dag: PDAG
    levels: np.ndarray
    effects: tuple[np.ndarray, ...]
    interactions: tuple[np.ndarray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", checked_names(self.names))
        check_type("dag", self.dag, PDAG, "a PDAG")
        topological_order(self.dag)  # raises unless it is a DAG
        levels = as_numbers("levels", self.levels)
        if levels.shape != (self.dag.p,) or self.dag.p != self.p or (levels < 1).any():
            raise DataError(f"levels must be {self.p} whole numbers of at least 1, one per node of the graph")
        object.__setattr__(self, "levels", frozen(levels.astype(np.int64)))
        for field in ("effects", "interactions"):
            check_sequence(field, getattr(self, field))
            object.__setattr__(self, field, self._checked(field, getattr(self, field)))

    def _checked(self, field: str, arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        found = []
        for j, array in enumerate(arrays):
            m = len(self.dag.parents(j))
            shape = (m if field == "effects" else m * (m - 1) // 2, int(self.levels[j]))
            array = as_numbers(field, array)
            if array.shape != shape or not np.isfinite(array).all():
                raise DataError(f"{field} of {quoted([self.names[j]])} must be {shape} finite numbers; fix them")
            found.append(frozen(array))
        if len(found) != self.p:
            raise DataError(f"{field} must have one array per node, got {len(found)} for {self.p}")
        return tuple(found)

    @property
    def p(self) -> int:
        """Number of nodes."""
        return len(self.names)

    @cached_property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """Names of the levels of each node, ``L1`` and so on; none for a numeric node."""
        return level_names(self.levels.tolist())

    @validated
    def conditional(self, j: int, columns: np.ndarray) -> Conditional:
        """Return the distribution of node j given (p, n) columns: means and variances, or (n, levels) probabilities."""
        scores = [score_of(columns[i], int(self.levels[i])) for i in self.dag.parents(j)]
        signal = _signal(self, j, np.array(scores).reshape(len(scores), columns.shape[1]).T)
        if self.levels[j] > 1:
            return softmax(signal, axis=1)
        spread = _spread(self, j)
        return signal[:, 0] / spread, np.full(len(signal), spread**-2)

    @cached_property
    def _answers(self) -> LikelihoodWeighting:
        return LikelihoodWeighting(self)

    def __repr__(self) -> str:
        numbers = int((self.levels == 1).sum())
        return f"MixedNetwork(p={self.p}, continuous={numbers}, edges={self.dag.n_edges})"


@validated
def random_mixed_network(
    p: int,
    n_edges: float,
    seed: Seed,
    *,
    categorical: float = 0.5,
    most_levels: int = 4,
    interactions: float = 0.0,
) -> MixedNetwork:
    """Return a random DAG with random equations.

    Parameters
    ----------
    p : int
        Number of nodes, at least 2.
    n_edges : float
        Expected number of edges, in [0, p (p - 1) / 2].
    seed : int
        At least 0.
    categorical : float, default 0.5
        Share of categorical nodes, rounded; they are chosen at random.
    most_levels : int, default 4
        Categorical nodes have 2 to `most_levels` levels, each number equally likely.
    interactions : float, default 0.0
        Share of the pairs of parents of a node whose product has an effect.

    Returns
    -------
    MixedNetwork
        Nodes ``X1 .. Xp``. Absolute effects are 0.5 to 1, with random signs; for levels, of each level except the
        first, times 1.8.

    Raises
    ------
    ParameterError
        If an argument is out of range.
    """
    check_count("p", p, 2)
    check_pair_memory(p)
    check_number("n_edges", n_edges, 0.0, p * (p - 1) / 2)
    check_number("categorical", categorical, 0.0, 1.0)
    check_number("most_levels", most_levels, MIN_LEVELS, MAX_LEVELS)
    check_count("most_levels", most_levels, MIN_LEVELS)
    check_number("interactions", interactions, 0.0, 1.0)
    dag = random_dag(p, 2.0 * n_edges / p, seed)
    # These random numbers are independent of those of the graph.
    rng = np.random.default_rng(np.random.SeedSequence([seed], spawn_key=(1,)))
    levels = np.ones(p, dtype=np.int64)
    chosen = rng.permutation(p)[: round(categorical * p)]
    levels[chosen] = rng.integers(MIN_LEVELS, most_levels + 1, len(chosen))
    effects, products = [], []
    for j in range(p):
        m, r = len(dag.parents(j)), int(levels[j])
        pairs = m * (m - 1) // 2
        effects.append(_weights(rng, m, r))
        products.append(_weights(rng, pairs, r) * (rng.random((pairs, 1)) < interactions))
    names = tuple(f"X{k + 1}" for k in range(p))
    return MixedNetwork(names, dag, levels, tuple(effects), tuple(products))


def _weights(rng: np.random.Generator, m: int, levels: int) -> np.ndarray:
    """Return (m, levels) effects with random signs; for levels in log odds, 0 for the first."""
    size = rng.uniform(MIN_EFFECT, MAX_EFFECT, (m, levels)) * rng.choice([-1.0, 1.0], (m, levels))
    if levels == 1:
        return size
    size[:, 0] = 0.0
    return LOGIT * size


def draw(network: MixedNetwork, j: int, scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw node j given the (n, m) scores of its parents: (n,) numbers of variance about 1, or levels."""
    signal = _signal(network, j, scores)
    if signal.shape[1] > 1:
        return (signal + rng.gumbel(size=signal.shape)).argmax(axis=1)
    return (signal[:, 0] + rng.standard_normal(len(signal))) / _spread(network, j)


def _signal(network: MixedNetwork, j: int, scores: np.ndarray) -> np.ndarray:
    """Return the (n, levels of j) contribution of the parents, in log odds or in units of the noise."""
    signal = np.zeros((len(scores), network.effects[j].shape[1]))
    # One term after another: a matrix product may add in a different order on another machine.
    for column, weights in zip(scores.T, network.effects[j], strict=True):
        signal += column[:, None] * weights
    for (a, b), weights in zip(combinations(range(scores.shape[1]), 2), network.interactions[j], strict=True):
        signal += (scores[:, a] * scores[:, b])[:, None] * weights
    return signal


def _spread(network: MixedNetwork, j: int) -> float:
    """Return the divisor that gives a number a variance of about 1."""
    return float(np.sqrt(1.0 + (network.effects[j] ** 2).sum() + (network.interactions[j] ** 2).sum()))


def score_of(column: np.ndarray, levels: int) -> np.ndarray:
    """Return the numeric scores with which a column enters the equations of its children."""
    if levels == 1:
        return column
    # Equally likely levels have variance 1.
    return (2.0 * column - (levels - 1)) * np.sqrt(3.0 / (levels**2 - 1.0))
