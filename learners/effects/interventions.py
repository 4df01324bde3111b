"""Networks in which variables are set from outside: the truncated factorisation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..common.checks import check_type, did_you_mean, quoted, shown_value
from ..common.errors import ParameterError
from ..graphs.graph import PDAG
from ..networks.answers.evidence import checked_value
from ..networks.fitting import LEAST_NOISE
from ..networks.network import DiscreteNetwork, GaussianNetwork, Network


def intervene(network: Network, values: Mapping[str, str | float]) -> Network:
    """The network with variables set to values: do(x = a), if its graph is causal and nothing is hidden.

    Parameters
    ----------
    network : DiscreteNetwork or GaussianNetwork
    values : mapping of name to a level, or to a number

    Returns
    -------
    DiscreteNetwork or GaussianNetwork
        Without the arrows into these variables, which have their value for sure (a number with a variance of 1e-12);
        all else as before. Its marginals are the interventional distribution (Pearl 2009, equation 3.10).

    Raises
    ------
    ParameterError
        If a name is no variable, or a value is no level of it or no finite number.

    Examples
    --------
    >>> from learners import load_network
    >>> intervene(load_network("cancer"), {"Smoker": "True"}).cpts[1].tolist()
    [[1.0, 0.0]]
    """
    check_type("network", network, DiscreteNetwork | GaussianNetwork, "a DiscreteNetwork or a GaussianNetwork")
    if not isinstance(values, Mapping):
        raise ParameterError(f"what is set must be names with their values, got {shown_value(values)}")
    for name in values:
        if name not in network.names:
            raise ParameterError(f"no variable {quoted([name])} to set{did_you_mean(name, network.names)}")
    own = {network.names.index(name): value for name, value in values.items()}
    set_tables = _set_levels if isinstance(network, DiscreteNetwork) else _set_numbers
    return set_tables(network, own)


def _set_levels(network: DiscreteNetwork, own: Mapping[int, str]) -> DiscreteNetwork:
    amat, tables = np.array(network.dag.amat), list(network.cpts)
    for j, level in own.items():
        amat[:, j] = False
        chosen = checked_value(network.names[j], network.levels[j], level)
        tables[j] = (np.arange(len(network.levels[j])) == chosen).astype(np.float64)[None]
    return DiscreteNetwork(network.names, network.levels, PDAG(amat), tuple(tables))


def _set_numbers(network: GaussianNetwork, own: Mapping[int, float]) -> GaussianNetwork:
    weights, noise, intercept = (np.array(p) for p in (network.weights, network.noise_variance, network.intercept))
    for j, value in own.items():
        weights[:, j], noise[j], intercept[j] = 0.0, LEAST_NOISE, checked_value(network.names[j], (), value)
    return GaussianNetwork(network.names, weights, noise, intercept)
