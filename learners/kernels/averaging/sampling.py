"""Chains at work: moves, and every so many of them a record of what the order, or the partition, says."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from .chain import begin_order, move_orders
from .features import add_features, draw_parents
from .partition import move_partitions


class Model(NamedTuple):
    """Weights of parent sets.

    `candidates` (p, k) int64, `flag` (p, p) int64 the bit of i among j's candidates, or 0; `local`, `table` (p, 2^k) as
    in `fill_local`; `ranked` (p, s) the sets of each node, the highest score first, of which `n_ranked` (p,) count.
    """

    candidates: np.ndarray
    flag: np.ndarray
    local: np.ndarray
    table: np.ndarray
    ranked: np.ndarray
    n_ranked: np.ndarray


class Batch(NamedTuple):
    """Sums over records: of P(candidate -> j) and its square in `shares`, `squares` (p, k), of P(blanket) in `blanket`.

    `drawn` (records, p) int64 has a DAG of each record, as masks of candidates.
    """

    shares: np.ndarray
    squares: np.ndarray
    blanket: np.ndarray
    drawn: np.ndarray


@kernel
def run_chain_of_orders(model, uniforms, of_draws, chain, batch, stop):
    """Records of a batch, each after as many moves as ``uniforms[r]`` (records, moves, 4) has rows.

    `of_draws` (records, p) draw the DAGs.
    """
    apart = np.zeros_like(batch.blanket)
    for r in range(uniforms.shape[0]):
        move_orders(model.table, model.flag, uniforms[r], chain, stop)
        if stop[0]:
            return
        record(model, chain, batch, of_draws[r], batch.drawn[r], apart)


@kernel
def run_chain_of_partitions(model, uniforms, of_draws, chain, batch, stop):
    """The same of partitions."""
    apart = np.zeros_like(batch.blanket)
    for r in range(uniforms.shape[0]):
        move_partitions(model.table, model.flag, model.candidates, uniforms[r], chain, stop)
        if stop[0]:
            return
        record(model, chain, batch, of_draws[r], batch.drawn[r], apart)


@kernel
def record(model, chain, batch, of_draw, drawn, apart):
    """What the chain says where it stands."""
    add_features(model.table, model.candidates, chain, batch.shares, batch.squares, batch.blanket, apart)
    draw_parents(model.local, model.ranked, model.n_ranked, chain, of_draw, drawn)


@kernel
def record_orders(model, orders, of_draws, chain, batch, stop):
    """Records of given orders (records, p)."""
    apart = np.zeros_like(batch.blanket)
    for r in range(orders.shape[0]):
        if stop[0]:
            return
        copy(orders[r], chain.order)
        begin_order(model.table, model.flag, chain)
        record(model, chain, batch, of_draws[r], batch.drawn[r], apart)
