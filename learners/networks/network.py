"""Bayesian networks with parameters: probability tables, or linear equations with normal noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..common.arrays import as_numbers, frozen
from ..common.checks import check_sequence, check_type
from ..common.errors import DataError, ParameterError
from ..common.validation import validated
from ..common.wording import quoted
from ..data.columns import MAX_LEVELS, checked_levels, checked_names
from ..graphs.graph import PDAG
from .fit_summary import FitSummary
from .inference.answers import Beliefs
from .inference.drawn_tables import drawn_beliefs
from .inference.evidence import Evidence, node_index
from .inference.gaussian import GaussianInference
from .inference.junction_tree import JunctionTreeInference
from .inference.queries import Queries

N_DRAWS = 200  # draws of the parameters for an interval
MAX_DRAWN = 20_000_000  # maximum number of drawn probabilities, 160 MB
MAX_INVERTED = 100  # maximum number of numeric variables, whose equations are solved for each draw; 32 MB
ROUNDING = 1e-9  # tolerance for the sum of a probability row


@validated
@dataclass(frozen=True, eq=False)
class DiscreteNetwork(Queries):
    """A DAG with a conditional probability table for each node.

    Attributes
    ----------
    names : tuple of str
        One per node, distinct.
    levels : tuple of tuple of str
        Names of the levels of each node, at least one, distinct within the node.
    dag : PDAG
        Its nodes are numbered as in `names`.
    cpts : tuple of (q_j, r_j) float64 arrays
        One row per configuration of the parents of node j, with the parents in ascending order and the last one varying
        fastest; one column per level of node j. Rows sum to 1 within 1e-9. Copied and read-only.
    fitted : FitSummary or None
        Precision of the probabilities if they were fitted to data.

    Raises
    ------
    DataError
        If names or levels repeat, the graph has a cycle, or a table has the wrong shape or is not a probability table.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    dag: PDAG
    cpts: tuple[np.ndarray, ...]
    fitted: FitSummary | None = None

    def __post_init__(self) -> None:
        names = checked_names(self.names)
        levels = checked_levels(self.levels)
        check_type("dag", self.dag, PDAG, "a PDAG")
        check_sequence("cpts", self.cpts)
        _check_lengths(names, levels=levels, cpts=self.cpts, dag=self.dag.amat)
        _check_levels(names, levels)
        _check_acyclic(names, self.dag)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "levels", levels)
        object.__setattr__(self, "cpts", tuple(self._checked_cpt(j, cpt) for j, cpt in enumerate(self.cpts)))

    @property
    def p(self) -> int:
        """Number of nodes."""
        return len(self.names)

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """Names of the levels of each node."""
        return self.levels

    @cached_property
    def arity(self) -> np.ndarray:
        """(p,) int64, read-only: number of levels of each node."""
        return frozen(np.array([len(node) for node in self.levels], dtype=np.int64))

    @property
    def n_parameters(self) -> int:
        """Number of free probabilities: levels minus one, for each row of each table."""
        return sum(len(cpt) * (cpt.shape[1] - 1) for cpt in self.cpts)

    @validated
    def with_table(self, name: str, table: np.ndarray) -> DiscreteNetwork:
        """Return a copy with another table for one variable; its fit summary is dropped.

        Raises
        ------
        ParameterError
            If there is no such variable.
        DataError
            If the table has the wrong shape or is not a probability table.
        """
        j = node_index({one: k for k, one in enumerate(self.names)}, name)
        cpts = (*self.cpts[:j], table, *self.cpts[j + 1 :])
        return replace(self, cpts=cpts, fitted=None if self.fitted is None else self.fitted.without(j))

    @cached_property
    def _answers(self) -> JunctionTreeInference:
        return JunctionTreeInference(self.names, self.levels, self.dag, self.cpts)

    def _drawn_answers(self, evidence: Evidence, answers: Beliefs) -> dict[str, np.ndarray]:
        found = drawn_beliefs(self.dag, self.levels, self._drawn_tables, evidence, self._answers.order)
        return dict(zip(answers, found, strict=True))

    @cached_property
    def _drawn_tables(self) -> list[np.ndarray]:
        """Draws of each table; the table itself if it was not fitted."""
        if N_DRAWS * sum(cpt.size for cpt in self.cpts) > MAX_DRAWN:
            raise DataError("the probability tables are too large for intervals of answers; use a sparser graph")
        rngs = map(np.random.default_rng, range(self.p))
        return [
            cpt[None] if fit is None else fit.draws(N_DRAWS, rng)
            for cpt, fit, rng in zip(self.cpts, self.fitted.nodes, rngs, strict=True)
        ]

    def _checked_cpt(self, j: int, cpt: np.ndarray) -> np.ndarray:
        cpt = as_numbers(f"the table of {quoted([self.names[j]])}", cpt)
        shape = (int(np.prod(self.arity[list(self.dag.parents(j))], dtype=object)), len(self.levels[j]))
        if cpt.shape != shape:
            raise DataError(
                f"the table of {self.names[j]!r} must be {shape}, one row a configuration of its parents, "
                f"got {cpt.shape}"
            )
        if not ((cpt >= 0) & (cpt <= 1 + ROUNDING)).all():
            raise DataError(f"probabilities must be in [0, 1], found others for {self.names[j]!r}; fix its table")
        off = np.abs(cpt.sum(axis=1) - 1)
        if off.max() > ROUNDING:
            row = int(off.argmax())
            raise DataError(
                f"each row of probabilities must sum to 1, row {row + 1} of {self.names[j]!r} sums to "
                f"{cpt[row].sum():.10g}; rescale it"
            )
        return frozen(cpt)

    def __repr__(self) -> str:
        return f"DiscreteNetwork(p={self.p}, edges={self.dag.n_edges}, parameters={self.n_parameters})"


@validated
@dataclass(frozen=True, eq=False)
class GaussianNetwork(Queries):
    """Linear equations ``x_j = intercept_j + sum_i weights[i, j] x_i + e_j`` with independent normal noise ``e_j``.

    Attributes
    ----------
    names : tuple of str
        One per node, distinct.
    weights : (p, p) float64 array
        Effect of i on j; non-zero exactly where the DAG has the edge i -> j. Copied and read-only.
    noise_variance : (p,) float64 array
        Variance of each ``e_j``, above 0.
    intercept : (p,) float64 array
    fitted : FitSummary or None
        Precision of the parameters if they were fitted to data.

    Raises
    ------
    DataError
        If shapes disagree, numbers are not finite, a variance is not positive, or the edges form a cycle.
    """

    names: tuple[str, ...]
    weights: np.ndarray
    noise_variance: np.ndarray
    intercept: np.ndarray
    fitted: FitSummary | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", checked_names(self.names))
        for field, n_axes in (("weights", 2), ("noise_variance", 1), ("intercept", 1)):
            object.__setattr__(self, field, self._checked_numbers(field, n_axes))
        if not (self.noise_variance > 0).all():
            bad = [name for name, v in zip(self.names, self.noise_variance, strict=True) if not v > 0]
            raise DataError(f"the noise variance must be above 0, that of {quoted(bad)} is not; raise it")
        if self.weights.diagonal().any():
            raise DataError("no variable may be its own cause; set the diagonal of the weights to 0")
        _check_acyclic(self.names, self.dag)

    @property
    def p(self) -> int:
        """Number of nodes."""
        return len(self.names)

    @cached_property
    def dag(self) -> PDAG:
        """DAG of the non-zero weights."""
        return PDAG(self.weights != 0)

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """Empty tuples: no node has levels."""
        return ((),) * self.p

    @validated
    def with_equation(
        self, name: str, weights: Mapping[str, float], noise_variance: float, intercept: float
    ) -> GaussianNetwork:
        """Return a copy with another equation for one variable, with a non-zero effect of each of its parents by name.

        Raises
        ------
        ParameterError
            If a name is unknown, or the effects are not those of the parents.
        DataError
            If a number is not finite, or the variance is not above 0.
        """
        place = {one: k for k, one in enumerate(self.names)}
        j = node_index(place, name)
        column = np.zeros(self.p)
        for parent, effect in weights.items():
            column[node_index(place, parent)] = effect
        if set(np.flatnonzero(column).tolist()) != set(self.dag.parents(j)):
            parents = quoted(self.names[i] for i in self.dag.parents(j)) or "none"
            raise ParameterError(
                f"the equation of {quoted([name])} must have an effect of each parent, {parents}; fix it"
            )
        numbers = {field: np.array(getattr(self, field)) for field in ("weights", "noise_variance", "intercept")}
        numbers["weights"][:, j] = column
        numbers["noise_variance"][j], numbers["intercept"][j] = noise_variance, intercept
        return replace(self, **numbers, fitted=None if self.fitted is None else self.fitted.without(j))

    @cached_property
    def _answers(self) -> GaussianInference:
        return GaussianInference(self.names, self.weights, self.noise_variance, self.intercept)

    def _drawn_answers(self, evidence: Evidence, answers: Beliefs) -> dict[str, np.ndarray]:
        means = np.array([own.given(evidence)[0] for own in self._drawn_equations])
        return dict(zip(answers, means.T, strict=True))

    @cached_property
    def _drawn_equations(self) -> list[GaussianInference]:
        """Inference with each draw of the equations; those that were not fitted stay."""
        if self.p > MAX_INVERTED:
            raise DataError(
                f"intervals of answers are computed for at most {MAX_INVERTED} numeric variables, got {self.p:,}; "
                "use fewer columns"
            )
        fields = (self.weights, self.noise_variance, self.intercept)
        weights, noise, intercept = (np.repeat(one[None], N_DRAWS, axis=0) for one in fields)
        for j, fit in enumerate(self.fitted.nodes):
            if fit is not None:
                coefficients, ratio = fit.draws(N_DRAWS, np.random.default_rng(j))
                intercept[:, j] = coefficients[:, 0, 0, 0]
                weights[:, list(self.dag.parents(j)), j] = coefficients[:, 0, 1:, 0]
                noise[:, j] *= ratio[:, 0]
        return [GaussianInference(self.names, *draw) for draw in zip(weights, noise, intercept, strict=True)]

    def _checked_numbers(self, field: str, n_axes: int) -> np.ndarray:
        array = as_numbers(field, getattr(self, field))
        shape = (len(self.names),) * n_axes
        if array.shape != shape:
            raise DataError(f"{field} must have shape {shape} for {len(self.names)} names, got {array.shape}")
        if not np.isfinite(array).all():
            raise DataError(f"{field} must be finite, found missing or infinite numbers; fix them")
        return frozen(array)

    def __repr__(self) -> str:
        return f"GaussianNetwork(p={self.p}, edges={self.dag.n_edges})"


Network = DiscreteNetwork | GaussianNetwork


def configurations(codes: np.ndarray, arity: Sequence[int]) -> np.ndarray:
    """Return the (n,) int64 table row of each sample, given the (m, n) codes of the m parents."""
    row = np.zeros(codes.shape[1], dtype=np.int64)
    for parent, r in zip(codes, arity, strict=True):
        row = row * r + parent
    return row


def _check_lengths(names: tuple[str, ...], **parts: Sequence) -> None:
    for part, values in parts.items():
        if len(values) != len(names):
            raise DataError(f"{part} must have one entry per name, got {len(values)} for {len(names)} names")


def _check_levels(names: tuple[str, ...], levels: tuple[tuple[str, ...], ...]) -> None:
    bad = [
        name
        for name, node in zip(names, levels, strict=True)
        if not 1 <= len(node) <= MAX_LEVELS or len(set(node)) < len(node)
    ]
    if bad:
        raise DataError(f"a node must have 1 to {MAX_LEVELS} different levels, {quoted(bad)} do not; rename them")


def _check_acyclic(names: tuple[str, ...], dag: PDAG) -> None:
    if dag.is_dag:
        return
    found = quoted(names[i] for i in _cycle(dag.amat))
    raise DataError(f"the graph must be a DAG, found a cycle or undirected edges among {found}; remove or orient one")


def _cycle(amat: np.ndarray) -> list[int]:
    """Return the nodes of one directed cycle, in order; an undirected edge is a cycle of two."""
    waiting = amat.sum(axis=0)
    left = np.ones(len(amat), dtype=bool)
    while (free := left & (waiting == 0)).any():
        waiting -= amat[free].sum(axis=0)
        left &= ~free
    # Each remaining node has a remaining parent, so following parents must close a cycle.
    path = [int(left.argmax())]
    while (parent := int((left & amat[:, path[-1]]).argmax())) not in path:
        path.append(parent)
    return path[path.index(parent) :][::-1]
