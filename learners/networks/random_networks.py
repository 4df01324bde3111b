"""Random networks: structures, tables, linear equations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..common.checks import check_count, check_number, check_open_interval
from ..common.errors import ParameterError
from ..common.memory import CELL_BYTES, check_memory, check_pair_memory
from ..common.validation import Seed, validated
from ..graphs.graph import PDAG, topological_order
from .network import DiscreteNetwork, GaussianNetwork

MIN_WEIGHT, MAX_WEIGHT = 0.1, 1.0  # absolute weights, Mahdi and Mezey (2013), section 7.1
NOISE_SHAPE, NOISE_SCALE = 2.0, 1.0  # parameters of the inverse gamma distribution of the noise variances, same section
MAX_SHIFT = 0.45  # maximum shift of a probability of 1/2 by all parents together


LARGE_SCALE = {"p": 328, "n_edges": 154, "n_isolated": 212}  # Bacciu et al. (2013), section 4.6


@validated
def random_dag(p: int, mean_degree: float, seed: Seed) -> PDAG:
    """Return a DAG where every pair is adjacent with the same probability, with its nodes in random order.

    Parameters
    ----------
    p : int
        Number of nodes, at least 1.
    mean_degree : float
        Expected number of neighbours of a node, in [0, p - 1].
    seed : int
        At least 0.

    Raises
    ------
    ParameterError
        If an argument is out of range.
    """
    check_count("p", p, 1)
    check_pair_memory(p)
    check_number("mean_degree", mean_degree, 0.0, p - 1)
    rng = _rng(seed)
    later = np.tril(rng.random((p, p)) < mean_degree / max(p - 1, 1), -1)
    order = rng.permutation(p)
    return PDAG(later.T[np.ix_(order, order)])


def random_discrete_network(
    dag: PDAG, arity: int | Sequence[int] = 2, seed: Seed = 0, concentration: float = 1.0
) -> DiscreteNetwork:
    """Return random probability tables for a DAG, each row from a symmetric Dirichlet distribution.

    Parameters
    ----------
    dag : PDAG
    arity : int or p ints, default 2
        Number of levels, at least 1, for all nodes or for each.
    seed : int, default 0
        At least 0.
    concentration : float, default 1.0
        Above 0. Small values give nearly deterministic rows and strong edges, large ones uniform rows and weak edges.

    Returns
    -------
    DiscreteNetwork
        Nodes ``X1 .. Xp`` with levels ``0 .. arity - 1``.

    Raises
    ------
    ParameterError
        If an argument is out of range or `dag` is not a DAG.
    """
    arity = [arity] * dag.p if isinstance(arity, int) else list(arity)
    for r in arity:
        check_count("arity", r, 1)
    if len(arity) != dag.p:
        raise ParameterError(f"arity must be one number or {dag.p}, one a node; got {len(arity)}")
    check_count("seed", seed)
    check_open_interval("concentration", concentration, 0.0, math.inf)
    topological_order(dag)  # raises unless it is a DAG
    rng = _rng(seed)
    cpts = []
    for j in range(dag.p):
        q = math.prod(arity[i] for i in dag.parents(j))
        check_memory(
            CELL_BYTES * q * arity[j], f"the table of 'X{j + 1}' with {len(dag.parents(j))} parents", "lower arity"
        )
        cpts.append(rng.dirichlet(np.full(arity[j], float(concentration)), size=q))
    levels = tuple(tuple(str(k) for k in range(r)) for r in arity)
    return DiscreteNetwork(_numbered(dag.p), levels, dag, tuple(cpts))


@validated
def random_modular_network(
    p: int = LARGE_SCALE["p"],
    n_edges: int = LARGE_SCALE["n_edges"],
    n_isolated: int = LARGE_SCALE["n_isolated"],
    *,
    seed: Seed = 0,
    module: int = 8,
    weakest: float = 4.0,
    strongest: float = 30.0,
) -> DiscreteNetwork:
    """Return binary variables in small modules with many weak dependences, and isolated variables.

    Parameters
    ----------
    p, n_edges, n_isolated : int
        Nodes, edges, and nodes without an edge. The defaults are those of the network "LargeScale" of Bacciu, Etchells,
        Lisboa and Whittaker (2013), section 4.6. Theirs was learned from data that are not public; this network only
        matches its description.
    seed : int, default 0
        At least 0.
    module : int, default 8
        Nodes per module; the last module takes the rest. Within a module every node is adjacent to an earlier one, and
        the other edges are placed at random; there are no edges between modules.
    weakest, strongest : float, default 4 and 30
        Range of the mutual information, in mbit, that each edge alone would have between uniform variables; its
        logarithm is uniform. The effects of all edges into one child are scaled down if they would move its probability
        by more than 0.45.

    Returns
    -------
    DiscreteNetwork
        Nodes ``X1 .. Xp`` in random order, levels "0" and "1".

    Raises
    ------
    ParameterError
        If the numbers contradict one another.
    """
    check_count("module", module, 2)
    check_count("n_isolated", n_isolated)
    check_count("n_edges", n_edges)
    check_count("p", p, n_isolated + 2)
    check_pair_memory(p)
    check_number("strongest", strongest, 0.0, 1000.0, ends="(]")
    check_number("weakest", weakest, 0.0, strongest, ends="(]")
    rng = _rng(seed)
    amat = _random_modules(rng, p - n_isolated, n_edges, module)
    amat = np.pad(amat, (0, n_isolated))
    order = rng.permutation(p)
    dag = PDAG(amat[np.ix_(order, order)])
    cpts = []
    for j in range(p):
        n_parents = len(dag.parents(j))
        information = np.exp(rng.uniform(np.log(weakest), np.log(strongest), n_parents)) / 1e3
        # A shift d of the probability of a uniform binary variable carries about 2 d² / ln 2 bits.
        shifts = np.sqrt(information * np.log(2) / 2) * rng.choice([-1.0, 1.0], n_parents)
        shifts *= MAX_SHIFT / max(np.abs(shifts).sum(), MAX_SHIFT)
        states = (np.arange(2**n_parents)[:, None] >> np.arange(n_parents)[::-1]) & 1
        ones = 0.5 + (2 * states - 1) @ shifts
        cpts.append(np.column_stack([1 - ones, ones]))
    return DiscreteNetwork(_numbered(p), (("0", "1"),) * p, dag, tuple(cpts))


def _random_modules(rng: np.random.Generator, p: int, n_edges: int, module: int) -> np.ndarray:
    """Return (p, p) bool edges from lower to higher nodes, within connected blocks of `module` nodes."""
    block = np.minimum(np.arange(p) // module, max(p // module - 1, 0))
    amat = np.zeros((p, p), dtype=bool)
    for j in range(1, p):
        earlier = np.flatnonzero(block[:j] == block[j])
        if len(earlier):
            amat[rng.choice(earlier), j] = True
    free = np.argwhere(np.triu(block[:, None] == block, 1) & ~amat)
    more = n_edges - int(amat.sum())
    if not 0 <= more <= len(free):
        raise ParameterError(
            f"n_edges must be between {amat.sum()} and {amat.sum() + len(free)} for {p} connected nodes in modules of "
            f"{module}, got {n_edges}"
        )
    chosen = free[rng.choice(len(free), more, replace=False)]
    amat[chosen[:, 0], chosen[:, 1]] = True
    return amat


@validated
def random_gaussian_network(p: int, expected_edges: float, seed: Seed) -> GaussianNetwork:
    """Return random linear equations as in the simulations of Mahdi and Mezey (2013).

    Parameters
    ----------
    p : int
        Number of nodes, at least 1.
    expected_edges : float
        Mean number of edges over all seeds, in [0, p (p - 1) / 2].
    seed : int
        At least 0.

    Returns
    -------
    GaussianNetwork
        Nodes ``X1 .. Xp``. Each pair is an edge with the same probability, weights are uniform on
        [-1, -0.1] and [0.1, 1], noise variances inverse gamma (2, 1), intercepts 0, the order of the nodes random.

    Raises
    ------
    ParameterError
        If an argument is out of range.

    References
    ----------
    Mahdi and Mezey (2013), Sub-local constraint-based learning of Bayesian networks using a joint dependence
    criterion, JMLR 14, section 7.1.
    """
    check_count("p", p, 1)
    check_pair_memory(p)
    n_pairs = p * (p - 1) // 2
    check_number("expected_edges", expected_edges, 0.0, n_pairs)
    rng = _rng(seed)
    present = np.tril(rng.random((p, p)) < expected_edges / max(n_pairs, 1), -1)
    effects, variances = _random_equations(rng, p)
    order = rng.permutation(p)
    # Row = effect in the paper; here weights[i, j] is the effect of i on j.
    weights = np.where(present, effects, 0.0).T[np.ix_(order, order)]
    return GaussianNetwork(_numbered(p), weights, variances[order], np.zeros(p))


@validated
def random_gaussian_equations(dag: PDAG, seed: Seed) -> GaussianNetwork:
    """Return random linear equations for a given DAG, with weights and noise as in `random_gaussian_network`.

    Parameters
    ----------
    dag : PDAG
    seed : int
        At least 0.

    Returns
    -------
    GaussianNetwork
        Nodes ``X1 .. Xp``.

    Raises
    ------
    ParameterError
        If `seed` is out of range or `dag` is not a DAG.
    """
    topological_order(dag)  # raises unless it is a DAG
    effects, variances = _random_equations(_rng(seed), dag.p)
    return GaussianNetwork(_numbered(dag.p), np.where(dag.amat, effects, 0.0), variances, np.zeros(dag.p))


def _random_equations(rng: np.random.Generator, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a weight for every ordered pair, (p, p), and the noise variances, (p,)."""
    sizes = rng.uniform(MIN_WEIGHT, MAX_WEIGHT, (p, p)) * rng.choice([-1.0, 1.0], (p, p))
    # If g is gamma with shape a and rate b, then 1/g is inverse gamma (a, b).
    return sizes, 1 / rng.gamma(NOISE_SHAPE, 1 / NOISE_SCALE, p)


def _rng(seed: Seed) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence([seed]))


def _numbered(p: int) -> tuple[str, ...]:
    return tuple(f"X{j + 1}" for j in range(p))
