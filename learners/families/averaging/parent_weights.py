"""Weights of the parent sets of each variable, and their sums over the subsets of its candidates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...common.errors import ParameterError
from ...common.memory import CELL_BYTES, check_memory, graph_limit_bytes
from ...common.parallel import run_chunks
from ...common.progress import Tick
from ...common.run_warning import RunWarning
from ...common.sentences import Listed, Quoted, Setting, say
from ...common.wording import quoted
from ...graphs.knowledge import BoundKnowledge
from ...kernels.averaging.chain_sampling import ParentSetModel
from ...kernels.averaging.parent_sets import fill_weights
from ...kernels.scores.bdeu_and_bic import DiscreteFamilies
from ...kernels.scores.node_average import IncompleteFamilies
from ...scores.score import FamilyScore, Sample

PHASE = "scores of parents"
MAX_SETS = 20_000  # maximum number of parent sets of a variable if the number of parents has no limit
MOST_SETS = 600_000  # the same for a variable with many parents in the graph of a search
MOST_PARENTS = 12  # maximum number of parents in the graphs of searches without a limit
SPARE = 2  # number of parents above that in a search, for other DAGs that fit well
MIN_SHARE = 0.05  # minimum share of the drawn DAGs with as many parents as allowed, for a warning


def most_parents(asked: int | None, k: int, score: FamilyScore) -> int:
    """Return the maximum number of parents of a variable with k candidates: `asked`, or as `MAX_SETS` allows.

    It never exceeds the limit of the score.
    """
    return min(_within(MAX_SETS, k, k) if asked is None else asked, score.most_parents)


def room_of(asked: int | None, n_of: np.ndarray, needed: np.ndarray, score: FamilyScore) -> np.ndarray:
    """Return the (p,) maximum numbers of parents of variables with `n_of` candidates.

    Without a limit that was asked for, a variable with `needed` parents in the graph of a search may have two more,
    unless these would be more than `MOST_SETS` sets.
    """
    room = np.array([most_parents(asked, k, score) for k in n_of.tolist()], dtype=np.int64)
    if asked is None:
        wanted = np.minimum(needed + SPARE, np.minimum(n_of, score.most_parents))
        for j in np.flatnonzero(wanted > room):
            room[j] = max(room[j], _within(MOST_SETS, int(n_of[j]), int(wanted[j])))
    return np.minimum(room, n_of)


def _within(n_sets: int, k: int, most: int) -> int:
    """Return the largest size up to `most` with at most `n_sets` sets of at most this size out of k candidates."""
    while sets_of(k, most) > n_sets:
        most -= 1
    return most


def limits_reached(
    masks: np.ndarray, model: ParentSetModel, room: np.ndarray, possible: np.ndarray, names: Sequence[str]
) -> tuple[RunWarning, ...]:
    """Return a warning about variables that often have as many parents as allowed, though more would be possible.

    Parameters
    ----------
    masks : (n, p) int64 array
        Parents in drawn DAGs, as masks of candidates.
    model : ParentSetModel
    room : (p,) int64 array
        Maximum number of parents of each variable.
    possible : (p,) int64 array
        Number of variables that could be parents of each, candidates or not.
    names : sequence of str

    Returns
    -------
    tuple of RunWarning
        Empty unless a variable has `room` parents in at least 5 % of the DAGs.
    """
    full = (np.bitwise_count(masks) >= room).mean(axis=0) >= MIN_SHARE
    if not (reached := full & (room < possible)).any():
        return ()
    all_candidates = room >= are_candidates(model).sum(axis=1)
    settings = [
        name
        for name, some in (("max_parents", reached & ~all_candidates), ("n_candidates", reached & all_candidates))
        if some.any()
    ]
    found = [names[j] for j in np.flatnonzero(reached)]
    one = (
        "{columns} often has as many parents as the run allows. Probabilities of its edges may be wrong. "
        "Raise {settings}"
    )
    many = (
        "{columns} often have as many parents as the run allows. Probabilities of their edges may be wrong. "
        "Raise {settings}"
    )
    raised = Listed([Setting(name) for name in settings], last=" or ")
    sentence = say(one if len(found) == 1 else many, columns=Quoted(found), settings=raised)
    return (RunWarning("parents_limited", sentence, found),)


def sets_of(k: int, most: int) -> int:
    """Return the number of sets of at most `most` out of k candidates."""
    return sum(math.comb(k, size) for size in range(min(most, k) + 1))


def weighed(
    score: FamilyScore,
    candidates: np.ndarray,
    room: np.ndarray,
    known: BoundKnowledge,
    threads: int | None,
    tick: Tick,
    sample: Sample | None = None,
) -> ParentSetModel:
    """Score all sets of at most `room`, (p,), of the candidates, (p, k), padded with -1.

    Sets of categorical variables with more configurations than rows are excluded: with one row for each configuration,
    BDeu would take a random column for a function of the set. `sample` is scored in place of that of the score.

    Raises
    ------
    ParameterError
        If a variable has more required parents than candidates, or than `room`.
    DataError
        If the tables take too much memory.
    Stopped
        If cancelled.
    """
    p, k = candidates.shape
    sample = score.sample if sample is None else sample
    n_of = (candidates >= 0).sum(axis=1)
    n_required = known.required.sum(axis=0)
    if (overfull := np.flatnonzero(n_required > room)).size:
        names, most = quoted([score.names[j] for j in overfull]), room[overfull[0]]
        raise ParameterError(
            f"{names} must have at most {most} required parents; raise max_parents or require fewer edges"
        )
    most = max(sets_of(n, some) for n, some in zip(n_of.tolist(), room.tolist(), strict=True))
    check_memory(
        CELL_BYTES * p * ((1 << k) + 2.0 * most),
        f"sums over the sets of {k} candidates of {p:,} columns",
        "use fewer candidates",
        graph_limit_bytes,
    )
    bits = np.where(candidates >= 0, np.int64(1) << np.arange(k), 0)
    flag = np.zeros((p, p), dtype=np.int64)
    rows = np.arange(p)[:, None].repeat(k, axis=1)
    flag[rows[candidates >= 0], candidates[candidates >= 0]] = bits[candidates >= 0]
    required = np.where(known.required.T, flag, 0).sum(axis=1)
    table, n_sets = np.full((p, 1 << k), -np.inf), np.zeros(p, dtype=np.int64)
    sets = np.zeros((p, most), dtype=np.int64)
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
