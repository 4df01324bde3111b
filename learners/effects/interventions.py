"""Networks under intervention: the truncated factorization."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from ..common.wording import did_you_mean, quoted
from ..graphs.graph import PDAG
from ..networks.inference.evidence import checked_value
from ..networks.network import DiscreteNetwork, GaussianNetwork
from ..networks.regression_estimates import MIN_NOISE
from ..networks.regression_network import LinearRegression, ProbabilityTable, RegressionNetwork

MAX_NAMED = 3  # maximum number of arrows that the warning names
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

    Warns
    -----
    UserWarning
        If the network is one DAG of a class that leaves edges at these variables undirected: the answer rests on the
        directions that the DAG chose.

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
    done = with_set_values(network, values)
    if chosen := chosen_directions(network, values):
        warnings.warn(_rests_on(chosen, network.names), stacklevel=3)
    return done


def with_set_values(network: Settable, values: Mapping[str, str | float | bool]) -> Settable:
    """Return the network of `intervene`, without its warning."""
    for name in values:
        if name not in network.names:
            raise ParameterError(f"no variable {quoted([name])} to set{did_you_mean(name, network.names)}")
    own = {j: checked_value(name, network.states[j], values[name])
           for j, name in enumerate(network.names) if name in values}  # fmt: skip
    if isinstance(network, GaussianNetwork):
        return _set_numbers(network, own)
    amat = np.array(network.dag.amat)
    amat[:, list(own)] = False
    fitted = None if network.fitted is None else network.fitted.with_fixed(own, amat)
    if isinstance(network, RegressionNetwork):
        nodes = tuple(_constant(network, j, own[j]) if j in own else node for j, node in enumerate(network.nodes))
        return RegressionNetwork(network.names, network.states, PDAG(amat), nodes, fitted)
    tables = tuple(_one_level(network, j, own[j]) if j in own else table for j, table in enumerate(network.cpts))
    return DiscreteNetwork(network.names, network.levels, PDAG(amat), tables, fitted)


def chosen_directions(network: Settable, done: Iterable[str]) -> list[tuple[int, int]]:
    """Return the arrows that an intervention on these variables rests on although the class leaves them undirected.

    Parameters
    ----------
    network : DiscreteNetwork, GaussianNetwork or RegressionNetwork
    done : iterable of str
        Variables that are set. An edge between two of them has no influence.

    Returns
    -------
    list of (int, int)
        Arrows i -> j of the network's DAG. Empty for a network that was not fitted to a class.
    """
    own = {network.names.index(name) for name in done}
    edges = () if network.fitted is None else network.fitted.open_edges
    at_one = [edge for edge in edges if len(own.intersection(edge)) == 1]
    return [(i, j) if network.dag.mark(i, j) == "forward" else (j, i) for i, j in at_one]


def _rests_on(arrows: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """Return the text of the warning."""
    open_ones = "these directions" if len(arrows) > 1 else "this direction"
    listed = ", ".join(f"{names[i]!r} -> {names[j]!r}" for i, j in arrows[:MAX_NAMED])
    more = f" and {len(arrows) - MAX_NAMED} more" if len(arrows) > MAX_NAMED else ""
    return (
        f"this intervention rests on {listed}{more}. The equivalence class leaves {open_ones} open. Fit a DAG that you "
        "can defend, or get all effects of the class with possible_effects"
    )


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
    fitted = None if network.fitted is None else network.fitted.with_fixed(own, weights != 0)
    return GaussianNetwork(network.names, weights, noise, intercept, fitted)
