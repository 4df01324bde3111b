"""Draw data from networks.

All random numbers come from NumPy's SeedSequence of the seed, so the same arguments give the same bits.
"""

from __future__ import annotations

import numpy as np

from ..common.checks import check_count
from ..common.errors import ParameterError
from ..common.memory import CELL_BYTES, check_memory
from ..common.validation import Seed, validated
from ..data.dataset import Dataset
from ..graphs.graph import PDAG, topological_order
from .inference.evidence import States
from .inference.likelihood_weighting import drawn
from .mixed_network import MixedNetwork, draw, score_of
from .network import DiscreteNetwork, GaussianNetwork, Network, configurations
from .random_networks import _rng
from .regression_network import RegressionNetwork


@validated
def sample(network: Network | MixedNetwork | RegressionNetwork, n: int, seed: Seed) -> Dataset:
    """Draw independent rows by forward sampling.

    Parameters
    ----------
    network : DiscreteNetwork, GaussianNetwork, MixedNetwork or RegressionNetwork
    n : int
        Number of rows, at least 1.
    seed : int
        At least 0.

    Returns
    -------
    Dataset
        Columns in the order of the nodes. Categorical columns have all levels of the network, drawn or not.

    Raises
    ------
    ParameterError
        If `n` or `seed` is out of range.

    Notes
    -----
    Each node has its own stream of random numbers, so a smaller sample with the same seed equals the first rows of a
    larger one.
    """
    check_count("n", n, 1)
    check_memory(CELL_BYTES * float(n) * network.p, f"{n:,} rows of {network.p:,} columns", "lower n")
    streams = [np.random.default_rng(child) for child in np.random.SeedSequence([seed]).spawn(network.p)]
    if isinstance(network, DiscreteNetwork):
        return _sample_discrete(network, n, streams)
    if isinstance(network, MixedNetwork):
        return _sample_mixed(network, n, streams)
    if isinstance(network, RegressionNetwork):
        return _sample_regressions(network, n, streams)
    return _sample_gaussian(network, n, streams)


@validated
def permute_columns(dataset: Dataset, dag: PDAG, seed: Seed) -> tuple[Dataset, PDAG]:
    """Permute the columns at random, and permute the nodes of the true graph accordingly.

    Sample files mostly list parents before their children, which could favour a learner.

    Parameters
    ----------
    dataset : Dataset
    dag : PDAG
        Nodes in the order of the columns.
    seed : int
        At least 0.

    Raises
    ------
    ParameterError
        If `seed` is out of range, or graph and data differ in size.
    """
    if dag.p != dataset.p:
        raise ParameterError(f"the graph must have a node for each of {dataset.p} columns, got {dag.p}; pass its own")
    order = _rng(seed).permutation(dataset.p)
    return dataset.select(order.tolist()), PDAG(dag.amat[np.ix_(order, order)])


def _sample_discrete(network: DiscreteNetwork, n: int, streams: list[np.random.Generator]) -> Dataset:
    codes = np.zeros((network.p, n), dtype=np.uint8 if network.arity.max() <= 256 else np.uint16)
    for j in topological_order(network.dag):
        parents = list(network.dag.parents(j))
        row = configurations(codes[parents], network.arity[parents])
        draw_levels(network.cpts[j], row, streams[j].random(n), codes[j])
    return Dataset.from_codes(codes, network.arity, network.names, network.levels)


def draw_levels(cpt: np.ndarray, row: np.ndarray, uniform: np.ndarray, codes: np.ndarray) -> None:
    """Draw levels from table rows by (n,) uniform numbers and add them to the (n,) `codes`, which are all 0."""
    cumulative = cpt.cumsum(axis=1)
    # Cumulative sums end at exactly 1, so rounding never draws a last level of probability 0.
    cumulative /= cumulative[:, -1:]
    for k in range(cpt.shape[1] - 1):
        codes += uniform >= cumulative[row, k]


def _sample_gaussian(network: GaussianNetwork, n: int, streams: list[np.random.Generator]) -> Dataset:
    values = np.empty((network.p, n))
    for j in topological_order(network.dag):
        values[j] = network.intercept[j] + np.sqrt(network.noise_variance[j]) * streams[j].standard_normal(n)
        # One term after another: a matrix product may add in a different order on another machine.
        for i in network.dag.parents(j):
            values[j] += network.weights[i, j] * values[i]
    return Dataset.from_values(values.T, network.names)


def _sample_mixed(network: MixedNetwork, n: int, streams: list[np.random.Generator]) -> Dataset:
    columns, scores = np.empty((network.p, n)), np.empty((network.p, n))
    for j in topological_order(network.dag):
        columns[j] = draw(network, j, scores[list(network.dag.parents(j))].T, streams[j])
        scores[j] = score_of(columns[j], int(network.levels[j]))
    return _as_dataset(network.names, network.states, columns)


def _sample_regressions(network: RegressionNetwork, n: int, streams: list[np.random.Generator]) -> Dataset:
    columns = np.empty((network.p, n))
    for j in topological_order(network.dag):
        columns[j] = drawn(network.conditional(j, columns), streams[j])
    return _as_dataset(network.names, network.states, columns)


def _as_dataset(names: tuple[str, ...], states: States, columns: np.ndarray) -> Dataset:
    """Return (p, n) levels and numbers as a Dataset."""
    numbers, levels = ([j for j, own in enumerate(states) if bool(own) == wanted] for wanted in (False, True))
    parts = []
    if numbers:
        parts.append(Dataset.from_values(columns[numbers].T, [names[j] for j in numbers]))
    if levels:
        own = [states[j] for j in levels]
        codes = columns[levels].astype(np.int64)
        parts.append(Dataset.from_codes(codes, [len(one) for one in own], [names[j] for j in levels], own))
    return Dataset.joined(names, *parts)
