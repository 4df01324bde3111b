"""Parameters of one variable: an editable table, and confidence intervals."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from learners.common.wording import format_number
from learners.networks.fit_summary import FitSummary, TableFit
from learners.networks.network import DiscreteNetwork, GaussianNetwork
from learners.networks.regression_network import LinearRegression, ProbabilityTable

INTERCEPT, NOISE = "intercept", "noise variance"


def node_table(network: Any, j: int) -> pd.DataFrame:
    """Return a table with the conditional distribution of a variable given its parents.

    Parameters
    ----------
    network : DiscreteNetwork, GaussianNetwork or RegressionNetwork
    j : int

    Returns
    -------
    DataFrame
        One row for each configuration of the categorical parents. A probability table has a column for each level; a
        regression has the intercept, the effect of each numeric parent and the noise variance; a logistic regression
        has additional rows for the levels of the variable.
    """
    given = _configurations(network, j)
    if isinstance(network, DiscreteNetwork):
        return _framed(network.cpts[j], network.states[j], given)
    numbers = [f"× {network.names[i]}" for i in network.dag.parents(j) if not network.states[i]]
    if isinstance(network, GaussianNetwork):
        weights = network.weights[list(network.dag.parents(j)), j]
        line = [network.intercept[j], *weights, network.noise_variance[j]]
        return _framed(np.array([line]), [INTERCEPT, *numbers, NOISE], given)
    node = network.nodes[j]
    if isinstance(node, ProbabilityTable):
        return _framed(node.probabilities, network.states[j], given)
    if isinstance(node, LinearRegression):
        lines = np.column_stack([node.coefficients, node.variance])
        return _framed(lines, [INTERCEPT, *numbers, NOISE], given)
    each = [f"{level}{f', {row}' if row != '-' else ''}" for row in given for level in network.states[j]]
    return _framed(_by_level(node.coefficients), [INTERCEPT, *numbers], each)


def with_numbers(network: Any, j: int, table: np.ndarray) -> Any:
    """Return a copy of the network with the numbers of an edited `node_table`.

    Raises
    ------
    DataError, ParameterError
        If a row does not sum to 1, a variance is not positive, or the effect of a parent is 0 in a Gaussian network.
    """
    name = network.names[j]
    if isinstance(network, GaussianNetwork):
        (intercept, *weights, variance), parents = table[0].tolist(), network.dag.parents(j)
        return network.with_equation(
            name, {network.names[i]: weight for i, weight in zip(parents, weights, strict=True)}, variance, intercept
        )
    if isinstance(network, DiscreteNetwork) or isinstance(network.nodes[j], ProbabilityTable):
        return network.with_table(name, table)
    if isinstance(network.nodes[j], LinearRegression):
        return network.with_regression(name, table[:, :-1], table[:, -1])
    r = len(network.states[j])
    return network.with_regression(name, table.reshape(-1, r, table.shape[1]).transpose(0, 2, 1))


def interval_table(network: Any, fitted: FitSummary, j: int) -> pd.DataFrame:
    """Return the number of rows, a flag for few rows, and 95% intervals for each line of `node_table`."""
    found, own = fitted.nodes[j], node_table(network, j)
    low, high = found.interval()
    if not isinstance(found, TableFit):
        low, high = _by_level(low), _by_level(high)
    each = len(own) // len(found.rows)
    table = pd.DataFrame({"rows": found.rows.repeat(each), "few": found.few.repeat(each)}, index=own.index)
    for k in range(low.shape[1]):
        label = f"P({own.columns[k]})" if isinstance(found, TableFit) else own.columns[k]
        ends = zip(low[:, k], high[:, k], strict=True)
        table[label] = [f"[{', '.join(format_number(end) for end in interval)}]" for interval in ends]
    return table


def _by_level(coefficients: np.ndarray) -> np.ndarray:
    """Reshape (q, 1 + m, r) coefficients to (q r, 1 + m)."""
    return coefficients.transpose(0, 2, 1).reshape(-1, coefficients.shape[1])


def _configurations(network: Any, j: int) -> list[str]:
    parents = [i for i in network.dag.parents(j) if network.states[i]]
    if not parents:
        return ["-"]
    combined = product(*(network.states[i] for i in parents))
    return [", ".join(f"{network.names[i]} = {v}" for i, v in zip(parents, row, strict=True)) for row in combined]


def _framed(values: np.ndarray, columns: Any, given: list[str]) -> pd.DataFrame:
    return pd.DataFrame(values, columns=list(columns), index=pd.Index(given, name="given"))
