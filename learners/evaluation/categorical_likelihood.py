"""Predictive likelihood of new categorical rows under a learned DAG."""

from __future__ import annotations

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import DataError
from ..data.dataset import Dataset
from ..graphs.graph import PDAG, check_dag

MAX_LABELS = 4_096  # maximum number of enumerated parent configurations; beyond it, only the observed ones are used


def predictive_log_likelihood(dag: PDAG, train: Dataset, new: Dataset, *, ess: float = 1.0) -> float:
    """Return the log probability of new rows under the posterior predictive distribution of `train`.

    Parameters
    ----------
    dag : PDAG
    train, new : Dataset
        Categorical, with the same columns and levels; row weights count.
    ess : float, default 1.0
        Equivalent sample size of the uniform Dirichlet prior.

    Returns
    -------
    float
        In nats. Each probability is the posterior mean (n_jk + ess / (r q)) / (n_j + ess / q). All DAGs of an
        equivalence class give the same value.

    Raises
    ------
    DataError
        If the data sets do not match or are continuous.
    ParameterError
        If `dag` is not a DAG, or `ess` is not positive.

    References
    ----------
    Rohekar et al. (2018), section 4.3.
    """
    check_dag(dag)
    check_open_interval("ess", ess, 0.0, np.inf)
    if train.codes is None or new.codes is None or (train.names, train.levels) != (new.names, new.levels):
        raise DataError("both data sets must be categorical, with the same columns and levels; prepare them alike")
    weights = np.ones(new.n_rows) if new.shares is None else new.shares
    return float(sum(weights @ log_probabilities(j, dag.parents(j), train, new, ess) for j in range(dag.p)))


def log_probabilities(j: int, parents: tuple[int, ...], train: Dataset, new: Dataset, ess: float) -> np.ndarray:
    """Return the (n,) log probability of column j in each new row, as in `predictive_log_likelihood`."""
    n, r = train.n_rows, int(train.arity[j])
    label, span = np.zeros(n + new.n_rows, dtype=np.int64), 1
    for k in parents:
        label = label * int(train.arity[k]) + np.concatenate([train.codes[k], new.codes[k]])
        span *= int(train.arity[k])
        if span > MAX_LABELS:
            distinct, label = np.unique(label, return_inverse=True)
            span = len(distinct)
    cell = label * r + np.concatenate([train.codes[j], new.codes[j]])
    size = r * span
    counts = np.bincount(cell[:n], train.shares, minlength=size).astype(np.float64)
    q = float(np.prod(train.arity[list(parents)].astype(np.float64)))
    margin = counts.reshape(-1, r).sum(axis=1)
    return np.log(counts[cell[n:]] + ess / (r * q)) - np.log(margin[label[n:]] + ess / q)
