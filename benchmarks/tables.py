"""Data sets for the measurements, drawn from networks."""

from __future__ import annotations

import math

import numpy as np

from learners import Dataset, permute_columns, random_gaussian_network, sample, tile
from learners.io.samples import load_network

from .problem import Problem

SEED = 1


def copies_of(network: str, copies: int, n: int) -> Problem:
    """Draw independent samples of one network and join them side by side as one table."""
    net = load_network(network)
    samples: list[Dataset] = [sample(net, n, SEED + k) for k in range(copies)]
    return Problem(
        data=np.concatenate([dataset.codes for dataset in samples]),
        truth=np.kron(np.eye(copies, dtype=bool), net.dag.amat),
        arity=np.tile(net.arity, copies),
    )


def first_of(network: str, p: int, n: int) -> Problem:
    """Draw a sample of a network and keep its first variables; the truth is the DAG among them."""
    whole = copies_of(network, 1, n)
    return Problem(whole.data[:p], whole.truth[:p, :p], whole.arity[:p])


def tiled(network: str, p: int, n: int) -> Problem:
    """Draw a sample of a network tiled to at least p nodes and connected, its columns in random order."""
    tile_of = load_network(network)
    whole = tile(tile_of, math.ceil(p / tile_of.p), SEED)
    data, truth = permute_columns(sample(whole, n, SEED), whole.dag, SEED)
    return Problem(data.codes, truth.amat, data.arity)


def gaussian(p: int, expected_edges: float, n: int) -> Problem:
    """Draw a sample of a random linear network."""
    network = random_gaussian_network(p, expected_edges, SEED)
    return Problem(sample(network, n, SEED).values, network.dag.amat)
