"""Build networks by hand from nodes, edges and edge strengths, which a fixed rule turns into tables and equations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy.special import softmax

from ..common.arrays import as_numbers
from ..common.checks import as_pairs, check_open_interval, check_type
from ..common.errors import DataError, ParameterError
from ..common.memory import CELL_BYTES, check_memory
from ..common.validation import validated
from ..common.wording import quoted
from ..data.columns import checked_levels, checked_names
from ..graphs.graph import PDAG
from .inference.evidence import States
from .mixed_network import LOGIT, score_of
from .network import DiscreteNetwork, GaussianNetwork
from .regression_network import LinearRegression, LogisticRegression, ProbabilityTable, RegressionNetwork

DEFAULT_STRENGTH = 0.5  # strength of an edge without a given strength
Edges = Mapping[tuple[str, str], float]
AnyNetwork = DiscreteNetwork | GaussianNetwork | RegressionNetwork


@validated
def build_network(
    nodes: Mapping[str, Sequence[str]],
    edges: Edges | Iterable[tuple[str, str]] = (),
    tables: Mapping[str, np.ndarray] | None = None,
) -> AnyNetwork:
    """Build a network from nodes and edges, with a strength for each edge or a table for a node.

    Parameters
    ----------
    nodes : mapping of name to levels
        At least two different levels, or none for a numeric node.
    edges : mapping of (parent, child) to strength, or pairs
        Strengths are in (-1, 1) and not 0; bare pairs have 0.5.
    tables : mapping of name to array, optional
        Replaces the strengths of the edges into a node. For a categorical node, whose parents must be categorical, (q,
        r): one row per configuration of its parents in the order of `nodes`, the last one varying fastest, one column
        per level; rows sum to 1. For a numeric node (q, 2 + m): one row per configuration of its categorical parents,
        with intercept, effects of its m numeric parents, and noise variance.

    Returns
    -------
    DiscreteNetwork, GaussianNetwork or RegressionNetwork
        If all nodes are categorical, all are numeric, or both types occur.

    Raises
    ------
    DataError
        If names or levels repeat, a node has one level, edges form a cycle (which is named), or a table is invalid.
    ParameterError
        If an edge or a table names no node, or a strength is out of range.

    Notes
    -----
    A strength s is the correlation that the edge alone creates between two numeric nodes. An edge has the weight ``b =
    s / sqrt(1 - s^2)``; a numeric node is ``(sum b_i x_i + e) / sqrt(1 + sum b_i^2)`` with standard normal noise e.
    Levels enter as in `MixedNetwork`, by evenly spaced scores u of mean 0 and variance 1, and the log odds of the level
    with score u are ``0.9 u sum b_i x_i`` up to a constant, so that a node of two levels depends on its parents about
    as strongly as a number. Without parents all levels are equally likely, and a numeric node is standard normal.

    Examples
    --------
    >>> rain = build_network({"rain": ["no", "yes"], "wet": ["no", "yes"]}, {("rain", "wet"): 0.8})
    >>> rain.cpts[1].round(2).tolist()
    [[0.92, 0.08], [0.08, 0.92]]
    """
    names, states = checked_nodes(nodes)
    strengths = checked_edges(names, edges)
    place = {name: k for k, name in enumerate(names)}
    dag = PDAG.from_edges(len(names), directed=[(place[a], place[b]) for a, b in strengths])
    tables = dict(tables or {})
    unknown = [name for name in tables if name not in place]
    if unknown:
        raise ParameterError(f"tables must be of nodes, found some of {quoted(unknown)}; remove them")
    made = [
        _from_table(names, states, dag, j, tables[name])
        if name in tables
        else _from_strengths(states, dag, j, [strengths[names[i], name] for i in dag.parents(j)])
        for j, name in enumerate(names)
    ]
    if all(states):
        return DiscreteNetwork(names, states, dag, tuple(node.probabilities for node in made))
    return RegressionNetwork(names, states, dag, tuple(made)) if any(states) else _gaussian(names, dag, made)


def table_of(network: AnyNetwork, j: int) -> np.ndarray | None:
    """Return the table of node j in the form of `build_network`; None for a categorical node with a numeric parent."""
    if isinstance(network, DiscreteNetwork):
        return network.cpts[j]
    if isinstance(network, GaussianNetwork):
        effects = network.weights[list(network.dag.parents(j)), j]
        return np.array([[network.intercept[j], *effects, network.noise_variance[j]]])
    node = network.nodes[j]
    if isinstance(node, LinearRegression):
        return np.column_stack([node.coefficients, node.variance])
    return node.probabilities if isinstance(node, ProbabilityTable) else None


def checked_nodes(nodes: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], States]:
    """Return names and levels; raise DataError if a name is invalid or a node has only one level."""
    check_type("nodes", nodes, Mapping, "a mapping of names to levels")
    names = checked_names(tuple(nodes))
    states = checked_levels([nodes[name] for name in names])
    bad = [name for name, own in zip(names, states, strict=True) if len(own) == 1 or len(set(own)) < len(own)]
    if bad:
        raise DataError(f"a node needs two or more different levels, or none for a number; {quoted(bad)} must be given")
    blank = [name for name, own in zip(names, states, strict=True) if any(not level.strip() for level in own)]
    if blank:
        raise DataError(f"every level needs a name, {quoted(blank)} has an empty one; name it")
    return names, states


def checked_edges(names: Sequence[str], edges: Edges | Iterable[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Return the edges with their strengths; refuse unknown nodes, strength 0, and cycles."""
    given = edges if isinstance(edges, Mapping) else dict.fromkeys(as_pairs("edges", edges), DEFAULT_STRENGTH)
    found: dict[tuple[str, str], float] = {}
    for a, b in as_pairs("edges", given):
        strange = [name for name in (a, b) if name not in names]
        if strange or a == b:
            what = f"{quoted(strange)} is not one" if strange else f"{quoted([a])} is both"
            raise ParameterError(f"an edge must connect two different nodes, {what}; add the node or choose another")
        check_open_interval(f"the strength of {a} -> {b}", given[a, b], -1.0, 1.0)
        if given[a, b] == 0:
            raise ParameterError(
                f"an edge needs a strength other than 0, but {a} -> {b} has it; remove the edge or raise it"
            )
        refuse_cycle(found, a, b)
        found[a, b] = float(given[a, b])
    return found


def refuse_cycle(edges: Iterable[tuple[str, str]], a: str, b: str) -> None:
    """Raise a DataError that names the path, if edges already lead from b to a."""
    back = path_between(edges, b, a)
    if back:
        cycle = " -> ".join((a, *back))
        raise DataError(f"edges must not form a cycle, {a} -> {b} would close {cycle}; reverse or remove one of them")


def path_between(edges: Iterable[tuple[str, str]], start: str, end: str) -> tuple[str, ...]:
    """Return a shortest directed path with both ends; empty if there is none."""
    children: dict[str, list[str]] = {}
    for a, b in edges:
        children.setdefault(a, []).append(b)
    paths = {start: (start,)}
    waiting = [start]
    for node in waiting:  # grows during the iteration
        for child in children.get(node, ()):
            if child not in paths:
                paths[child] = (*paths[node], child)
                waiting.append(child)
    return paths.get(end, ())


def _from_strengths(
    states: States, dag: PDAG, j: int, strengths: Sequence[float]
) -> ProbabilityTable | LinearRegression | LogisticRegression:
    """Return the table or regression of node j that its edge strengths imply."""
    pulls = [s / math.sqrt(1.0 - s * s) for s in strengths]
    parents = list(zip(dag.parents(j), pulls, strict=True))
    levels = [(len(states[i]), b) for i, b in parents if states[i]]
    numbers = np.array([b for i, b in parents if not states[i]])
    r = len(states[j])
    q = math.prod(size for size, _ in levels)
    check_memory(
        CELL_BYTES * q * (1.0 + len(numbers)) * max(r, 1), "the table of a node", "give it fewer parents or levels"
    )
    signal = np.zeros((1, 1))
    for size, b in levels:
        signal = (signal[:, :, None] + b * score_of(np.arange(size), size)).reshape(1, -1)
    coefficients = np.column_stack([signal[0], np.tile(numbers, (q, 1))])
    if not r:
        spread = math.sqrt(1.0 + sum(b * b for b in pulls))
        return LinearRegression(coefficients / spread, np.full(q, spread**-2))
    odds = coefficients[:, :, None] * (0.5 * LOGIT * score_of(np.arange(r), r))
    return LogisticRegression(odds - odds[:, :, :1]) if len(numbers) else ProbabilityTable(softmax(odds[:, 0], axis=1))


def _from_table(
    names: Sequence[str], states: States, dag: PDAG, j: int, table: np.ndarray
) -> ProbabilityTable | LinearRegression:
    """Return the table or equation of node j that was given."""
    array = as_numbers(f"the table of {quoted([names[j]])}", table)
    numbers = [i for i in dag.parents(j) if not states[i]]
    if states[j] and numbers:
        raise ParameterError(
            f"{quoted([names[j]])} has levels and a number, {quoted([names[numbers[0]]])}, among its parents: no table "
            "holds that; give strengths"
        )
    if states[j]:
        return ProbabilityTable(array)
    if array.ndim != 2 or array.shape[1] != 2 + len(numbers):
        raise DataError(
            f"each row of the equation of {quoted([names[j]])} must be an intercept, {len(numbers)} effects and a "
            f"variance, got {array.shape}; fix it"
        )
    return LinearRegression(array[:, :-1], array[:, -1])


def _gaussian(names: tuple[str, ...], dag: PDAG, made: Sequence[LinearRegression]) -> GaussianNetwork:
    weights = np.zeros((dag.p, dag.p))
    for j, node in enumerate(made):
        if len(node.coefficients) != 1:
            raise DataError(f"the equation of {quoted([names[j]])} must have one row, got {len(node.coefficients)}")
        weights[list(dag.parents(j)), j] = node.coefficients[0, 1:]
    network = GaussianNetwork(
        names, weights, np.array([node.variance[0] for node in made]),
        np.array([node.coefficients[0, 0] for node in made]),
    )  # fmt: skip
    for a, b in dag.directed_edges():
        if not weights[a, b]:
            raise DataError(f"the effect of {names[a]} on {names[b]} must not be 0, or there is no edge; remove it")
    return network
