"""Networks under intervention: the truncated factorization."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from ..common.wording import did_you_mean, quoted
from ..graphs.graph import PDAG
from ..networks.inference.evidence import checked_value
from ..networks.network import DiscreteNetwork, GaussianNetwork
from ..networks.regression_estimates import MIN_NOISE
from ..networks.regression_network import LinearRegression, ProbabilityTable, RegressionNetwork

Settable = DiscreteNetwork | GaussianNetwork | RegressionNetwork


@validated
def intervene(network: Settable, values: Mapping[str, str | float | bool]) -> Settable:
    """Set variables of a network to values: do(x = a), valid if its graph is causal and there is no hidden confounder.

    Parameters
    ----------
    network : DiscreteNetwork, GaussianNetwork or RegressionNetwork
    values : mapping of name to a level, or to a number

    Returns
    -------
    DiscreteNetwork, GaussianNetwork or RegressionNetwork
        The network without the arrows into these variables, which are fixed at their values (a number has the variance
        1e-12); the rest is unchanged. Its marginals are the interventional distribution (Pearl 2009, equation 3.10).

    Raises
    ------
    ParameterError
        If a name is not a variable, or a value is not one of its levels or not a finite number.

    Examples
    --------
    >>> from learners import load_network
    >>> intervene(load_network("cancer"), {"Smoker": "True"}).cpts[1].tolist()
    [[1.0, 0.0]]
    """
    for name in values:
        if name not in network.names:
            raise ParameterError(f"no variable {quoted([name])} to set{did_you_mean(name, network.names)}")
    own = {j: checked_value(name, network.states[j], values[name])
           for j, name in enumerate(network.names) if name in values}  # fmt: skip
    if isinstance(network, GaussianNetwork):
        return _set_numbers(network, own)
    amat = np.array(network.dag.amat)
    amat[:, list(own)] = False
    if isinstance(network, RegressionNetwork):
        nodes = tuple(_constant(network, j, own[j]) if j in own else node for j, node in enumerate(network.nodes))
        return RegressionNetwork(network.names, network.states, PDAG(amat), nodes)
    tables = tuple(_one_level(network, j, own[j]) if j in own else table for j, table in enumerate(network.cpts))
    return DiscreteNetwork(network.names, network.levels, PDAG(amat), tables)


def _constant(network: RegressionNetwork, j: int, value: float) -> ProbabilityTable | LinearRegression:
    if network.states[j]:
        return ProbabilityTable(_one_level(network, j, value))
    return LinearRegression(np.array([[value]]), np.array([MIN_NOISE]))


def _one_level(network: DiscreteNetwork | RegressionNetwork, j: int, level: float) -> np.ndarray:
    """Return the (1, r) distribution that is 1 at the level."""
    return (np.arange(len(network.states[j])) == level).astype(np.float64)[None]


def _set_numbers(network: GaussianNetwork, own: Mapping[int, float]) -> GaussianNetwork:
    weights, noise, intercept = (np.array(p) for p in (network.weights, network.noise_variance, network.intercept))
    for j, value in own.items():
        weights[:, j], noise[j], intercept[j] = 0.0, MIN_NOISE, value
    return GaussianNetwork(network.names, weights, noise, intercept)
