"""Sampling from chains: moves, and at intervals a record of the order or partition."""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .features import add_features, draw_parents
from .order_chain import move_orders, start_order
from .partition_chain import move_partitions


class ParentSetModel(NamedTuple):
    """Weights of parent sets.

    Attributes
    ----------
    candidates : (p, k) int64 array
    flag : (p, p) int64 array
        Bit of i among the candidates of j; 0 if i is not a candidate.
    table : (p, 2^k) float64 array
        As in `parent_sets.fill_weights`.
    ranked, scores : (p, s) int64 and float64 arrays
        Parent sets of each node and their scores, the highest first.
    n_ranked : (p,) int64 array
        Number of sets of each node in `ranked`.
    """

    candidates: np.ndarray
    flag: np.ndarray
    table: np.ndarray
    ranked: np.ndarray
    scores: np.ndarray
    n_ranked: np.ndarray


class ChainRecords(NamedTuple):
    """Sums over records.

    Attributes
    ----------
    shares, squares : (p, k) float64 arrays
        Sums of P(candidate -> j) and of its square.
    blanket : (p, p) float64 array
        Sum of P(blanket).
    drawn : (records, p) int64 array
        A DAG of each record, as masks of candidates.
    """

    shares: np.ndarray
    squares: np.ndarray
    blanket: np.ndarray
    drawn: np.ndarray


@kernel
def run_chain_of_orders(model, uniforms, of_draws, chain, batch, stop):
    """Run the chain of orders, and record it after the moves of each ``uniforms[r]``.

    Parameters
    ----------
    model : ParentSetModel
    uniforms : (records, moves, 4) float64 array
    of_draws : (records, p) float64 array
        Random numbers for the drawn DAGs.
    chain : Chain
    batch : ChainRecords
    stop : (1,) int8 array
    """
    log_miss = np.zeros_like(batch.blanket)
    for r in range(uniforms.shape[0]):
        move_orders(model.table, model.flag, uniforms[r], chain, stop)
        if stop[0]:
            return
        record_state(model, chain, batch, of_draws[r], batch.drawn[r], log_miss)


@kernel
def run_chain_of_partitions(model, uniforms, of_draws, chain, batch, stop):
    """Run the chain of partitions, and record it as `run_chain_of_orders` does.

    Parameters
    ----------
    model, uniforms, of_draws, chain, batch, stop
        As in `run_chain_of_orders`.
    """
    log_miss = np.zeros_like(batch.blanket)
    for r in range(uniforms.shape[0]):
        move_partitions(model.table, model.flag, model.candidates, uniforms[r], chain, stop)
        if stop[0]:
            return
        record_state(model, chain, batch, of_draws[r], batch.drawn[r], log_miss)


@kernel
def record_state(model, chain, batch, of_draw, drawn, log_miss):
    """Add a record of the chain's present state.

    Parameters
    ----------
    model : ParentSetModel
    chain : Chain
    batch : ChainRecords
    of_draw : (p,) float64 array
    drawn : (p,) int64 array
        Filled with the drawn DAG.
    log_miss : (p, p) float64 array
        Scratch.
    """
    add_features(model.table, model.candidates, chain, batch.shares, batch.squares, batch.blanket, log_miss)
    draw_parents(model.ranked, model.scores, model.n_ranked, chain, of_draw, drawn)


@kernel
def record_orders(model, orders, of_draws, chain, batch, stop):
    """Record given orders.

    Parameters
    ----------
    model : ParentSetModel
    orders : (records, p) int64 array
    of_draws, chain, batch, stop
        As in `run_chain_of_orders`.
    """
    log_miss = np.zeros_like(batch.blanket)
    for r in range(orders.shape[0]):
        if stop[0]:
            return
        copy(orders[r], chain.order)
        start_order(model.table, model.flag, chain)
        record_state(model, chain, batch, of_draws[r], batch.drawn[r], log_miss)
