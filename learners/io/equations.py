"""Linear equations with Gaussian noise as sums of numbers, names and products of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..common.errors import DataError
from ..common.wording import quoted
from ..networks.network import GaussianNetwork
from .declared import MAX_NODES
from .tokens import Tokens


@dataclass
class Equation:
    """Mean and variance of a continuous node."""

    intercept: float = 0.0
    weights: dict[str, float] = field(default_factory=dict)
    variance: float = 0.0

    def add(self, tokens: Tokens, sign: float) -> None:
        """Read a term (a number, a name or their product), and add it."""
        if tokens.next.kind == "number":
            size = tokens.number("a coefficient")
            if not tokens.takes("*"):
                self.intercept += sign * size
                return
            name = tokens.name("the name of a parent")
        else:
            name = tokens.name("a number or the name of a parent")
            size = tokens.number("a coefficient") if tokens.takes("*") else 1.0
        self.weights[name] = self.weights.get(name, 0.0) + sign * size


def gaussian_network(names: Sequence[str], equations: Mapping[str, Equation], form: str) -> GaussianNetwork:
    """Build a network from linear equations.

    Parameters
    ----------
    names : sequence of str
        Names of the variables, in the order of `equations`.
    equations : mapping of identifier to Equation
    form : str
        Format of the file, for messages.

    Raises
    ------
    DataError
        If there are too many variables, an equation has other variables, or they do not form a `GaussianNetwork`.
    """
    p, place = len(equations), {mark: j for j, mark in enumerate(equations)}
    if p > MAX_NODES:
        raise DataError(f"a network may have at most {MAX_NODES:,} variables, found {p:,}. Choose a smaller one")
    weights = np.zeros((p, p))
    for mark, found in equations.items():
        if unknown := [one for one in found.weights if one not in place]:
            raise DataError(f"a {form} equation must be of declared nodes, {quoted(unknown)} are not. Declare them")
        for parent, weight in found.weights.items():
            weights[place[parent], place[mark]] = weight
    noise, intercept = ([getattr(one, key) for one in equations.values()] for key in ("variance", "intercept"))
    return GaussianNetwork(tuple(names), weights, np.array(noise), np.array(intercept))


def written_terms(network: GaussianNetwork, j: int, marks: Sequence[str]) -> str:
    """Write the terms of the parents of a node, such as ``-2.0 * a + 0.5 * b``; "" for a root."""
    return " + ".join(f"{float(network.weights[i, j])!r} * {marks[i]}" for i in network.dag.parents(j))
