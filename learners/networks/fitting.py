"""Fit the parameters of a DAG to data: probability tables, linear equations, or mixed regressions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..common.checks import check_number, check_type
from ..common.errors import DataError, ParameterError
from ..common.memory import CELL_BYTES, check_memory
from ..common.validation import validated
from ..common.wording import quoted
from ..data.completed_data import drawn_tables
from ..data.dataset import Dataset
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..graphs.pag import check_no_hidden
from .fit_summary import FitSummary, RegressionFit, TableFit
from .network import DiscreteNetwork, GaussianNetwork, configurations
from .pooled_fits import pooled_networks
from .regression_estimates import MIN_NOISE, by_configuration, least_squares, logistic
from .regression_network import LinearRegression, LogisticRegression, Node, ProbabilityTable, RegressionNetwork

Edges = tuple[tuple[int, int], ...]


@validated
def fit(dag: PDAG, dataset: Dataset, ess: float = 1.0) -> DiscreteNetwork | GaussianNetwork | RegressionNetwork:
    """Fit a network with this DAG to a table.

    Parameters
    ----------
    dag : PDAG
        A DAG, or a graph that represents several, such as a CPDAG. Then one member of its class is fitted, which
        becomes the network's `dag`, and `fitted.member` is True. For complete data of one type all members give the
        same answers; with missing values or mixed regressions they differ slightly.
    dataset : Dataset
        One column per node, in their order; row weights count. With a completion (`with_completion`), parameters are
        means over tables whose missing cells are drawn, and intervals follow Rubin's rules. Without one, each variable
        is fitted on the rows where it and its parents are observed, which is right only if cells are missing completely
        at random.
    ess : float, default 1.0
        Equivalent sample size of the uniform Dirichlet prior of each table, spread evenly over its cells (BDeu). With
        0, maximum likelihood is used, and parent configurations that never occur get equal probabilities.

    Returns
    -------
    DiscreteNetwork, GaussianNetwork or RegressionNetwork
        By the column types. Numeric variables are fitted by least squares on their parents, with normal noise; mixed
        data by one regression for each configuration of categorical parents, and categorical variables with numeric
        parents by multinomial logistic regression. `fitted` holds the rows and the precision of each parameter.

    Raises
    ------
    ParameterError
        If the graph does not have one node per column or represents no DAG, or `ess` is out of range.
    DataError
        If no row has a variable and its parents observed, or a probability table is too large.

    References
    ----------
    Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination of knowledge and statistical
    data, Machine Learning 20. Lauritzen and Wermuth (1989), Graphical models for associations between variables, some
    of which are qualitative and some quantitative, Annals of Statistics 17.

    Examples
    --------
    >>> from learners import fit, load_network, load_sample
    >>> network = fit(load_network("asia").dag, load_sample("asia").dataset)
    >>> network.posterior({"smoke": "yes"})["lung"].round(2).tolist()
    [0.1, 0.9]
    """
    check_number("ess", ess, 0.0, math.inf, ends="[)")
    member = _member(dag, dataset)
    fitted = {"categorical": _tables, "continuous": _equations, "mixed": _both}[dataset.kind]
    tables, open_edges = drawn_tables(dataset), tuple(dag.undirected_edges())
    if len(tables) > 1:
        return pooled_networks([fitted(member, table, ess, open_edges) for table in tables])
    return fitted(member, tables[0] if tables else dataset, ess, open_edges)


def _member(dag: PDAG, dataset: Dataset) -> PDAG:
    """Return the graph itself if it is a DAG, or a DAG of its class."""
    check_type("dag", dag, PDAG, "a PDAG")
    check_no_hidden(dag)
    if dag.p != dataset.p:
        raise ParameterError(f"the graph must have a node for each of {dataset.p} columns, got {dag.p}; pass its own")
    if dag.has_directed_cycle():
        raise ParameterError("the graph must be a DAG, or stand for one, but its arrows form a cycle; turn one of them")
    member = consistent_extension(dag)
    if not member.valid:
        raise ParameterError(
            "no DAG has the arrows and v-structures of the graph; direct some of its open edges, or use another graph"
        )
    return member.dag


def _summary(fits: Sequence[TableFit | RegressionFit], ess: float, open_edges: Edges) -> FitSummary:
    return FitSummary(tuple(fits), ess, member=bool(open_edges), open_edges=open_edges)


def _tables(dag: PDAG, dataset: Dataset, ess: float, open_edges: Edges) -> DiscreteNetwork:
    fits = [_table_fit(dag, dataset, j, ess) for j in range(dataset.p)]
    cpts = tuple(fit.probabilities for fit in fits)
    return DiscreteNetwork(dataset.names, dataset.levels, dag, cpts, _summary(fits, ess, open_edges))


def _table_fit(dag: PDAG, dataset: Dataset, j: int, ess: float) -> TableFit:
    """Count the levels of a categorical variable for each configuration of its categorical parents."""
    parents = [dataset.place[i] for i in dag.parents(j)]
    r, arity = int(dataset.arity[dataset.place[j]]), dataset.arity[parents]
    q = float(np.prod(arity.astype(np.float64)))
    check_memory(
        CELL_BYTES * q * r, f"the probabilities of column {dataset.names[j]!r} given its parents", "use another graph"
    )
    rows, weights = _available(dag, dataset, j)
    row = configurations(dataset.codes[parents][:, rows], arity) if parents else np.zeros(len(rows), dtype=np.int64)
    counts = np.bincount(row * r + dataset.codes[dataset.place[j]][rows], weights, minlength=int(q) * r)
    return TableFit(counts.reshape(int(q), r), ess / (q * r))


def _equations(dag: PDAG, dataset: Dataset, ess: float, open_edges: Edges) -> GaussianNetwork:
    p = dataset.p
    weights, noise, intercept, fits = np.zeros((p, p)), np.zeros(p), np.zeros(p), []
    for j in range(p):
        parents = list(dag.parents(j))
        rows, shares = _available(dag, dataset, j)
        found = least_squares(dataset.values[np.ix_(rows, parents)].T, dataset.values[rows, j], shares)
        intercept[j], noise[j] = found.coefficients[0, 0], found.variance
        weights[parents, j] = np.where(found.coefficients[1:, 0] == 0.0, MIN_NOISE, found.coefficients[1:, 0])
        n, borrowed = np.array([shares.sum()]), np.zeros(1, bool)
        covariance = found.covariance[None]
        fits.append(RegressionFit(n, found.coefficients[None], found.error[None], borrowed, covariance=covariance))
    return GaussianNetwork(dataset.names, weights, noise, intercept, _summary(fits, ess, open_edges))


def _both(dag: PDAG, dataset: Dataset, ess: float, open_edges: Edges) -> RegressionNetwork:
    states = tuple(
        dataset.levels[k] if kind == "categorical" else () for k, kind in zip(dataset.place, dataset.kinds, strict=True)
    )
    pairs = [_regression(dag, dataset, j, ess, len(states[j])) for j in range(dataset.p)]
    fitted = _summary([fit for _, fit in pairs], ess, open_edges)
    return RegressionNetwork(dataset.names, states, dag, tuple(node for node, _ in pairs), fitted)


def _regression(dag: PDAG, dataset: Dataset, j: int, ess: float, r: int) -> tuple[Node, TableFit | RegressionFit]:
    levels, numbers = (
        [i for i in dag.parents(j) if dataset.kinds[i] == kind] for kind in ("categorical", "continuous")
    )
    if r and not numbers:
        fit = _table_fit(dag, dataset, j, ess)
        return ProbabilityTable(fit.probabilities), fit
    rows, shares = _available(dag, dataset, j)
    place = [dataset.place[i] for i in levels]
    arity = dataset.arity[place].tolist() if place else []
    k = max(r, 1) * (1 + len(numbers))
    what = f"the regressions of column {dataset.names[j]!r} given its parents"
    check_memory(CELL_BYTES * math.prod(map(float, arity)) * k, what, "use another graph")
    row = configurations(dataset.codes[place][:, rows], arity) if place else np.zeros(len(rows), dtype=np.int64)
    given = dataset.values[np.ix_(rows, [dataset.place[i] for i in numbers])].T
    if r:
        child = dataset.codes[dataset.place[j]][rows].astype(np.int64)
        found, fit = by_configuration(lambda *part: logistic(*part, r), row, math.prod(arity), given, child, shares)
        return LogisticRegression(np.array([one.coefficients for one in found])), fit
    child = dataset.values[rows, dataset.place[j]]
    found, fit = by_configuration(least_squares, row, math.prod(arity), given, child, shares)
    coefficients = np.array([one.coefficients[:, 0] for one in found])
    return LinearRegression(coefficients, np.array([one.variance for one in found])), fit


def _available(dag: PDAG, dataset: Dataset, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows where a variable and its parents are observed, and their weights."""
    family = [*dag.parents(j), j]
    rows = np.flatnonzero(np.logical_and.reduce([dataset.is_there(i) for i in family]))
    weights = np.ones(len(rows)) if dataset.shares is None else dataset.shares[rows]
    if not weights.any():
        raise DataError(
            f"no row has {quoted(dataset.names[i] for i in family)} together, so {quoted([dataset.names[j]])} cannot "
            "be fitted; impute cells, or take another graph"
        )
    return rows, weights
