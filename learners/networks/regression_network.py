"""Fitted mixed networks, with a table or a regression for each configuration of categorical parents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import softmax

from ..common.arrays import as_numbers, frozen
from ..common.checks import check_type
from ..common.errors import DataError, ParameterError
from ..common.validation import validated
from ..common.wording import quoted
from ..data.columns import checked_levels, checked_names
from ..graphs.graph import PDAG, topological_order
from .fit_summary import FitSummary, RegressionFit, TableFit
from .inference.answers import Beliefs, Moments
from .inference.evidence import Evidence, ImpossibleEvidence, States, node_index
from .inference.likelihood_weighting import Conditional, LikelihoodWeighting
from .inference.queries import Queries
from .network import configurations

N_DRAWS, DRAWN_CASES = 100, 1_000  # draws of the parameters for an interval, and cases simulated with each
ROUNDING = 1e-9  # tolerance for the sum of a probability row


@dataclass(frozen=True, eq=False)
class ProbabilityTable:
    """Probabilities of a categorical node with categorical parents: (q, r)."""

    probabilities: np.ndarray

    def given(self, row: np.ndarray, _: np.ndarray) -> Conditional:
        """Return (n, r) probabilities for the (n,) configurations of the parents."""
        return self.probabilities[row]


@dataclass(frozen=True, eq=False)
class LinearRegression:
    """Numeric node: (q, 1 + m) intercept and effects of m numeric parents, and (q,) variances of normal noise."""

    coefficients: np.ndarray
    variance: np.ndarray

    def given(self, row: np.ndarray, numbers: np.ndarray) -> Conditional:
        """Return (n,) means and variances for the configurations and the (m, n) values of the parents."""
        return _combined(self.coefficients[row, :, None], numbers)[:, 0], self.variance[row]


@dataclass(frozen=True, eq=False)
class LogisticRegression:
    """Categorical node with numeric parents: (q, 1 + m, r) coefficients of log odds, 0 for the first level."""

    coefficients: np.ndarray

    def given(self, row: np.ndarray, numbers: np.ndarray) -> Conditional:
        """Return (n, r) probabilities for the configurations and the (m, n) values of the parents."""
        return softmax(_combined(self.coefficients[row], numbers), axis=1)


Node = ProbabilityTable | LinearRegression | LogisticRegression


def _drawn_nodes(node: Node, fit: TableFit | RegressionFit, rng: np.random.Generator) -> list[Node]:
    """Return draws of a node's parameters from their posterior."""
    if isinstance(fit, TableFit):
        return list(map(ProbabilityTable, fit.draws(N_DRAWS, rng)))
    coefficients, ratio = fit.draws(N_DRAWS, rng)
    if isinstance(node, LogisticRegression):
        return list(map(LogisticRegression, coefficients))
    return [LinearRegression(*own) for own in zip(coefficients[..., 0], node.variance * ratio, strict=True)]


def _combined(coefficients: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the (n, k) linear predictors of (n, 1 + m, k) coefficients and (m, n) numbers."""
    signal = coefficients[:, 0].copy()
    # One term after another: a matrix product may add in a different order on another machine.
    for k, column in enumerate(numbers, 1):
        signal += coefficients[:, k] * column[:, None]
    return signal


@validated
@dataclass(frozen=True, eq=False)
class RegressionNetwork(Queries):
    """A DAG over categorical and numeric nodes, each with a table, a linear or a logistic regression given its parents.

    Attributes
    ----------
    names : tuple of str
        One per node, distinct.
    states : tuple of tuple of str
        Names of the levels of each node; none for a numeric one.
    dag : PDAG
    nodes : tuple of ProbabilityTable, LinearRegression or LogisticRegression
        Configurations are those of the categorical parents in ascending order, the last one varying fastest; effects
        are those of the numeric parents, in ascending order.
    fitted : FitSummary or None
        Precision of the parameters if they were fitted to data.

    Raises
    ------
    DataError
        If names repeat, the graph is not a DAG, or an array has the wrong shape or impossible numbers.
    """

    names: tuple[str, ...]
    states: States
    dag: PDAG
    nodes: tuple[Node, ...]
    fitted: FitSummary | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", checked_names(self.names))
        object.__setattr__(self, "states", checked_levels(self.states))
        check_type("dag", self.dag, PDAG, "a PDAG")
        topological_order(self.dag)  # raises unless it is a DAG
        if not self.p == self.dag.p == len(self.states) == len(self.nodes):
            raise DataError(f"states, nodes and graph must have one entry per name, of which there are {self.p}")
        object.__setattr__(self, "nodes", tuple(self._checked(j, node) for j, node in enumerate(self.nodes)))

    @property
    def p(self) -> int:
        """Number of nodes."""
        return len(self.names)

    @validated
    def parents_of(self, j: int) -> tuple[list[int], list[int]]:
        """Return the categorical and the numeric parents, each in ascending order."""
        parents = self.dag.parents(j)
        return [i for i in parents if self.states[i]], [i for i in parents if not self.states[i]]

    @validated
    def conditional(self, j: int, columns: np.ndarray) -> Conditional:
        """Return the distribution of node j given (p, n) columns: (n,) means and variances, or (n, r) probabilities."""
        levels, numbers = self.parents_of(j)
        if not levels:
            row = np.zeros(columns.shape[1], dtype=np.int64)
        else:
            row = configurations(columns[levels].astype(np.int64), [len(self.states[i]) for i in levels])
        return self.nodes[j].given(row, columns[numbers])

    @validated
    def with_table(self, name: str, table: np.ndarray) -> RegressionNetwork:
        """Return a copy with another table for one variable.

        Raises
        ------
        ParameterError
            If there is no such variable, or it has no table.
        DataError
            If the table has the wrong shape or is not a probability table.
        """
        j = node_index({one: k for k, one in enumerate(self.names)}, name)
        if not isinstance(self.nodes[j], ProbabilityTable):
            raise ParameterError(
                f"{quoted([name])} has a regression instead of a table; give `with_regression` its coefficients"
            )
        return self._with(j, ProbabilityTable(table))

    @validated
    def with_regression(
        self, name: str, coefficients: np.ndarray, variance: np.ndarray | None = None
    ) -> RegressionNetwork:
        """Return a copy with another regression for one variable.

        Parameters
        ----------
        name : str
        coefficients : array
            See `LinearRegression` and `LogisticRegression`: (q, 1 + m) for a numeric node, (q, 1 + m, r) for a
            categorical one.
        variance : (q,) array, optional
            Noise variance of a numeric node. Default: unchanged.

        Raises
        ------
        ParameterError
            If there is no such variable, or it has no regression.
        DataError
            If an array has the wrong shape or impossible numbers.
        """
        j = node_index({one: k for k, one in enumerate(self.names)}, name)
        node = self.nodes[j]
        if isinstance(node, ProbabilityTable):
            raise ParameterError(
                f"{quoted([name])} has a table instead of a regression; give `with_table` its probabilities"
            )
        if isinstance(node, LogisticRegression):
            return self._with(j, LogisticRegression(coefficients))
        return self._with(j, LinearRegression(coefficients, node.variance if variance is None else variance))

    def _with(self, j: int, node: Node) -> RegressionNetwork:
        """Return a copy with another node and without its fit summary."""
        nodes = (*self.nodes[:j], node, *self.nodes[j + 1 :])
        return replace(self, nodes=nodes, fitted=None if self.fitted is None else self.fitted.without(j))

    @cached_property
    def _answers(self) -> LikelihoodWeighting:
        return LikelihoodWeighting(self)

    def _drawn_answers(self, evidence: Evidence, answers: Beliefs) -> dict[str, np.ndarray]:
        """Return answers around those of the network: the draws share their random numbers, and so their error."""
        drawn = []
        for own in self._drawn_networks:
            with suppress(ImpossibleEvidence):
                drawn.append(own.posterior(evidence))
        if not drawn:
            raise DataError("the evidence is too improbable for intervals of answers; remove some of it")
        found = {}
        for name, answer in answers.items():
            numeric = isinstance(answer, Moments)
            own = np.array([one[name].mean if numeric else one[name] for one in drawn])
            shifted = own + (answer.mean if numeric else answer) - own.mean(axis=0)
            found[name] = shifted if numeric else np.clip(shifted, 0.0, 1.0)
        return found

    @cached_property
    def _drawn_networks(self) -> list[LikelihoodWeighting]:
        """Inference with each draw of the nodes; those that were not fitted stay."""
        nodes = [
            [node] * N_DRAWS if fit is None else _drawn_nodes(node, fit, np.random.default_rng(j))
            for j, (node, fit) in enumerate(zip(self.nodes, self.fitted.nodes, strict=True))
        ]
        return [LikelihoodWeighting(replace(self, nodes=own), DRAWN_CASES, 1.0) for own in zip(*nodes, strict=True)]

    def _checked(self, j: int, node: Node) -> Node:
        """Return the node with read-only arrays of the right shape."""
        levels, numbers = self.parents_of(j)
        q = int(np.prod([len(self.states[i]) for i in levels], dtype=object))
        r, m = len(self.states[j]), len(numbers)
        if isinstance(node, ProbabilityTable) and r and not m:
            table = self._array(j, node.probabilities, (q, r))
            if (table < 0).any() or (np.abs(table.sum(axis=1) - 1) > ROUNDING).any():
                raise DataError(f"each row of probabilities of {quoted([self.names[j]])} must sum to 1; rescale it")
            return ProbabilityTable(table)
        if isinstance(node, LogisticRegression) and r and m:
            return LogisticRegression(self._array(j, node.coefficients, (q, 1 + m, r)))
        if isinstance(node, LinearRegression) and not r:
            variance = self._array(j, node.variance, (q,))
            if not (variance > 0).all():
                raise DataError(f"the noise variance of {quoted([self.names[j]])} must be above 0; raise it")
            return LinearRegression(self._array(j, node.coefficients, (q, 1 + m)), variance)
        kind = "a linear regression" if not r else "a logistic regression" if m else "a table"
        raise DataError(f"{quoted([self.names[j]])} must have {kind}, for its own kind and its parents'; give it one")

    def _array(self, j: int, values: object, shape: Sequence[int]) -> np.ndarray:
        array = as_numbers(f"the numbers of {quoted([self.names[j]])}", values)
        if array.shape != tuple(shape) or not np.isfinite(array).all():
            raise DataError(f"the numbers of {quoted([self.names[j]])} must be {tuple(shape)} finite ones; fix them")
        return frozen(array)

    def __repr__(self) -> str:
        numbers = sum(not levels for levels in self.states)
        return f"RegressionNetwork(p={self.p}, continuous={numbers}, edges={self.dag.n_edges})"
