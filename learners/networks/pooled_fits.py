"""Parameters of a network, pooled over imputed tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..data.pooling import pooled
from .fit_summary import FitSummary, RegressionFit, TableFit
from .network import DiscreteNetwork, GaussianNetwork
from .regression_network import LinearRegression, LogisticRegression, Node, RegressionNetwork

MIN_INFORMATION = 1e-3

Fitted = DiscreteNetwork | GaussianNetwork | RegressionNetwork


def pooled_networks(networks: Sequence[Fitted]) -> Fitted:
    """Return the network of several fits of one DAG, each to another imputed table.

    Probabilities are those of mean counts; coefficients and noise variances are means. The precision in `fitted`
    follows Rubin's rules.

    Parameters
    ----------
    networks : sequence of fitted networks
        At least two, of one kind.
    """
    first, nodes = networks[0], tuple(zip(*(one.fitted.nodes for one in networks), strict=True))
    fits = tuple(_pooled_table(own) if isinstance(own[0], TableFit) else _pooled_regression(own) for own in nodes)
    summary = FitSummary(fits, first.fitted.ess, first.fitted.member, len(networks), first.fitted.open_edges)
    if isinstance(first, DiscreteNetwork):
        return replace(first, cpts=tuple(fit.probabilities for fit in fits), fitted=summary)
    if isinstance(first, GaussianNetwork):
        mean = {
            name: np.mean([getattr(one, name) for one in networks], axis=0)
            for name in ("weights", "noise_variance", "intercept")
        }
        return replace(first, **mean, fitted=summary)
    parts = zip(*(one.nodes for one in networks), strict=True)
    own = tuple(_pooled_node(part, fit) for part, fit in zip(parts, fits, strict=True))
    return replace(first, nodes=own, fitted=summary)


def _pooled_table(fits: Sequence[TableFit]) -> TableFit:
    shares = np.array([one.probabilities for one in fits])
    rows = np.array([one.rows + one.prior * one.counts.shape[1] for one in fits])[:, :, None]
    information = pooled(shares, shares * (1.0 - shares) / (rows + 1.0)).information
    counts = np.mean([one.counts for one in fits], axis=0)
    return TableFit(counts, fits[0].prior, np.maximum(information, MIN_INFORMATION))


def _pooled_regression(fits: Sequence[RegressionFit]) -> RegressionFit:
    rows = np.mean([one.rows for one in fits], axis=0)
    dof = np.maximum(rows - fits[0].estimate.shape[1], 1.0)[:, None, None]
    found = pooled(np.array([one.estimate for one in fits]), np.array([one.error for one in fits]) ** 2, dof)
    borrowed = np.any([one.borrowed for one in fits], axis=0)
    covariance = None if fits[0].covariance is None else _pooled_covariance(fits, found.variance)
    return RegressionFit(rows, found.estimate, np.sqrt(found.variance), borrowed, found.dof, covariance)


def _pooled_covariance(fits: Sequence[RegressionFit], variance: np.ndarray) -> np.ndarray:
    """Return the mean covariance within the tables, scaled to the pooled variances of the coefficients."""
    within = np.mean([one.covariance for one in fits], axis=0)
    free = variance if variance.shape[2] == 1 else variance[:, :, 1:]
    own = np.einsum("qaa->qa", within)
    total = free.reshape(own.shape)
    scale = np.sqrt(np.divide(total, own, out=np.ones_like(own), where=own > 0))
    return within * scale[:, :, None] * scale[:, None, :]


def _pooled_node(nodes: Sequence[Node], fit: TableFit | RegressionFit) -> Node:
    if isinstance(fit, TableFit):
        return replace(nodes[0], probabilities=fit.probabilities)
    coefficients = np.mean([one.coefficients for one in nodes], axis=0)
    if isinstance(nodes[0], LogisticRegression):
        return LogisticRegression(coefficients)
    return LinearRegression(coefficients, np.mean([one.variance for one in nodes], axis=0))
