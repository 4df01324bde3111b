"""The parameters of a DAG, fitted to a table."""

from __future__ import annotations

import numpy as np

from ..common.errors import DataError
from ..common.memory import CELL, allow
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from .network import DiscreteNetwork, GaussianNetwork
from .simulate import configurations

LEAST_NOISE = 1e-12  # of a variable that its parents determine
ROWS_OF_PRIOR = 1.0  # that the uniform prior of a table of probabilities is worth


def fitted_network(dag: PDAG, dataset: Dataset) -> DiscreteNetwork | GaussianNetwork:
    """The network with this DAG that a table tells: means under a uniform prior worth a row, or least squares.

    Parameters
    ----------
    dag : PDAG
    dataset : Dataset
        Categorical or continuous, complete.

    Raises
    ------
    DataError
        If the data are of both kinds, or lack cells; or if a table of probabilities is too large.

    Examples
    --------
    >>> from learners import PDAG, load_sample
    >>> asia = load_sample("asia").dataset
    >>> fitted_network(PDAG.empty(8), asia).n_parameters
    8
    """
    if dataset.kind == "mixed" or not dataset.complete or dataset.surveyed:
        found = f"survey weights in {dataset.described}" if dataset.surveyed else dataset.described
        raise DataError(f"a network is fitted to complete columns of one kind, found {found}; use others")
    return _equations(dag, dataset) if dataset.kind == "continuous" else _tables(dag, dataset)


def _tables(dag: PDAG, dataset: Dataset) -> DiscreteNetwork:
    weights = np.ones(dataset.n_rows) if dataset.weights is None else dataset.weights
    cpts = []
    for j, r in enumerate(dataset.arity.tolist()):
        parents = list(dag.parents(j))
        q = float(np.prod(dataset.arity[parents].astype(np.float64)))
        allow(CELL * q * r, f"the probabilities of column {dataset.names[j]!r} given its parents", "use another graph")
        row = configurations(dataset.codes[parents], dataset.arity[parents])
        counts = np.bincount(row * r + dataset.codes[j], weights, minlength=int(q) * r).reshape(int(q), r)
        counts += ROWS_OF_PRIOR / counts.size
        cpts.append(counts / counts.sum(axis=1, keepdims=True))
    return DiscreteNetwork(dataset.names, dataset.levels, dag, tuple(cpts))


def _equations(dag: PDAG, dataset: Dataset) -> GaussianNetwork:
    values, p = dataset.values, dataset.p
    weights, noise, intercept = np.zeros((p, p)), np.zeros(p), np.zeros(p)
    for j in range(p):
        parents = list(dag.parents(j))
        columns = np.column_stack([np.ones(len(values)), values[:, parents]])
        found = np.linalg.lstsq(columns, values[:, j], rcond=None)[0]
        intercept[j] = found[0]
        weights[parents, j] = np.where(found[1:] == 0.0, LEAST_NOISE, found[1:])
        noise[j] = max(np.mean((values[:, j] - columns @ found) ** 2), LEAST_NOISE)
    return GaussianNetwork(dataset.names, weights, noise, intercept)
