"""Weights of the parent sets of each variable, and their sums over the subsets of its candidates."""

from __future__ import annotations

import math

import numpy as np

from ...common.errors import ParameterError
from ...common.memory import CELL_BYTES, check_memory, graph_limit_bytes
from ...common.parallel import run_chunks
from ...common.progress import Tick
from ...common.wording import quoted
from ...graphs.knowledge import BoundKnowledge
from ...kernels.averaging.chain_sampling import ParentSetModel
from ...kernels.averaging.parent_sets import fill_weights
from ...kernels.scores.bdeu_and_bic import DiscreteFamilies
from ...kernels.scores.node_average import IncompleteFamilies
from ...scores.score import FamilyScore, Sample

PHASE = "scores of parents"
MAX_SETS = 20_000  # maximum number of parent sets of a variable if the number of parents has no limit


def most_parents(asked: int | None, k: int, score: FamilyScore) -> int:
    """Return the maximum number of parents of a variable with k candidates: `asked`, or as `MAX_SETS` allows.

    It never exceeds the limit of the score.
    """
    most = k if asked is None else asked
    while asked is None and sets_of(k, most) > MAX_SETS:
        most -= 1
    return min(most, score.most_parents)


def sets_of(k: int, most: int) -> int:
    """Return the number of sets of at most `most` out of k candidates."""
    return sum(math.comb(k, size) for size in range(min(most, k) + 1))


def weighed(
    score: FamilyScore,
    candidates: np.ndarray,
    most: int,
    known: BoundKnowledge,
    threads: int | None,
    tick: Tick,
    sample: Sample | None = None,
) -> ParentSetModel:
    """Score all sets of at most `most` of the candidates, (p, k), padded with -1.

    Sets of categorical variables with more configurations than rows are excluded: with one row for each configuration,
    BDeu would take a random column for a function of the set. `sample` is scored in place of that of the score.

    Raises
    ------
    ParameterError
        If a variable has more required parents than candidates, or than `most`.
    DataError
        If the tables take too much memory.
    Stopped
        If cancelled.
    """
    p, k = candidates.shape
    sample = score.sample if sample is None else sample
    room = min(k, most)
    if overfull := [name for name, n in zip(score.names, known.required.sum(axis=0), strict=True) if n > room]:
        raise ParameterError(
            f"{quoted(overfull)} must have at most {room} required parents; raise max_parents or require fewer edges"
        )
    check_memory(
        CELL_BYTES * p * ((1 << k) + 2.0 * sets_of(k, room)),
        f"sums over the sets of {k} candidates of {p:,} columns",
        "use fewer candidates",
        graph_limit_bytes,
    )
    n_of = (candidates >= 0).sum(axis=1)
    bits = np.where(candidates >= 0, np.int64(1) << np.arange(k), 0)
    flag = np.zeros((p, p), dtype=np.int64)
    rows = np.arange(p)[:, None].repeat(k, axis=1)
    flag[rows[candidates >= 0], candidates[candidates >= 0]] = bits[candidates >= 0]
    required = np.where(known.required.T, flag, 0).sum(axis=1)
    table, n_sets = np.full((p, 1 << k), -np.inf), np.zeros(p, dtype=np.int64)
    sets = np.zeros((p, sets_of(k, room)), dtype=np.int64)
    scores = np.full(sets.shape, -np.inf)
    levels, n_rows = np.ones((p, k)), np.inf
    if isinstance(score.sample, DiscreteFamilies | IncompleteFamilies):
        levels, n_rows = np.where(candidates >= 0, score.sample.arity[candidates], 1.0), float(score.sample.n)

    def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        about = (sample, candidates, levels, n_rows, n_of, room, required)
        fill_weights(*about, begin, end, table, sets, scores, n_sets, stop, done)

    run_chunks(piece, p, phase=PHASE, tick=tick, threads=threads)
    return ParentSetModel(np.maximum(candidates, 0), flag, table, *_ranked(sets, scores, n_sets), n_sets)


def _ranked(sets: np.ndarray, scores: np.ndarray, n_sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sets of each variable and their scores, the highest score first."""
    most = int(n_sets.max())
    ranked = np.argsort(-scores[:, :most], axis=1, kind="stable")
    return np.take_along_axis(sets, ranked, axis=1), np.take_along_axis(scores, ranked, axis=1)


def dags_of(model: ParentSetModel, masks: np.ndarray) -> np.ndarray:
    """Return (n, p, p) bool DAGs from (n, p) masks of candidates."""
    n, p = masks.shape
    found = np.zeros((n, p, p), dtype=bool)
    for b in range(model.candidates.shape[1]):
        at, j = np.nonzero(masks >> b & 1)
        found[at, model.candidates[j, b], j] = True
    return found


def are_candidates(model: ParentSetModel) -> np.ndarray:
    """Return (p, k) bool: True for the entries of `candidates` that are not padding."""
    p, k = model.candidates.shape
    return model.flag[np.arange(p)[:, None], model.candidates] == np.int64(1) << np.arange(k)


def spread(model: ParentSetModel, values: np.ndarray) -> np.ndarray:
    """Return (p, p) values, parent by child, from (p, k) values of candidates."""
    matrix = np.zeros(model.flag.shape)
    j, b = np.nonzero(are_candidates(model))
    matrix[model.candidates[j, b], j] = values[j, b]
    return matrix
