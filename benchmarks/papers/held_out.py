"""Learners at their defaults and other programs, on tables and at numbers of rows that had no part in any choice.

`wins` makes the table of wins and losses, cell by cell.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from learners import PDAG, Dataset, LearnersError, LearnResult, cpdag, learn, recommend, sample
from learners.evaluation.metrics import jaccard, shd, skeleton_confusion
from learners.networks.random_networks import random_dag, random_discrete_network

from ..measurement import Contender
from . import accuracy
from .accuracy import class_of, problem_of
from .experiment import Experiment, Figure, Piece, label
from .programs import answered, side_by_side

SEED = 987_001  # first seed; no default was chosen on these
SIZES = (200, 500, 1_000, 5_000, 20_000)
DEGREE, LEVELS, CONCENTRATION = 3.0, (2, 4), 0.5  # random categorical networks: mean degree, range of levels, tables
TIME_OUT = 300.0  # maximum seconds for a program, from the start of its process
METRICS = ("JI", "SHD", "skeleton F1", "seconds")
RECOMMENDED = "recommended"  # stands for the learner that `recommend` names first
TABLES: tuple[Piece, ...] = (
    {"kind": "discrete", "p": 20},
    {"kind": "discrete", "network": "child"},
    {"kind": "discrete", "network": "insurance"},
    {"kind": "discrete", "network": "alarm"},
    {"kind": "linear", "p": 20},
    {"kind": "linear", "p": 50},
    {"kind": "mixed", "p": 20},
)
CELLS: tuple[Piece, ...] = tuple({**table, "n": n} for n in SIZES for table in TABLES)


def drawn(piece: Piece) -> tuple[PDAG, Dataset]:
    """Draw the DAG of a piece and its rows."""
    return _drawn(tuple((name, value) for name, value in piece.items() if name != "program"))


@lru_cache(maxsize=1)
def _drawn(items: tuple[tuple[str, Any], ...]) -> tuple[PDAG, Dataset]:
    piece = dict(items)
    if piece["kind"] != "discrete" or "network" in piece:
        return accuracy.drawn(piece)
    p, seed = piece["p"], piece["seed"]
    dag = random_dag(p, DEGREE, seed)
    arity = np.random.default_rng(seed).integers(LEVELS[0], LEVELS[1] + 1, p).tolist()
    return dag, sample(random_discrete_network(dag, arity, seed, CONCENTRATION), piece["n"], seed)


def _ours(piece: Piece, name: str) -> Iterator[Figure]:
    dag, data = drawn(piece)
    began = time.process_time()
    try:
        key = recommend(data, "graph").choices[0].key if name == RECOMMENDED else name
        found: LearnResult | None = learn(key, data)
    except LearnersError as error:
        print(f"{name}: {error}", flush=True)
        found = None
    seconds = time.process_time() - began
    yield from _figures(name, None if found is None else class_of(found.graph), cpdag(dag), seconds)


def _peer(piece: Piece, program: Contender) -> Iterator[Figure]:
    dag, data = drawn(piece)
    outcome = answered(program, problem_of(data, dag), TIME_OUT)
    graph = None if outcome.answer is None else class_of(PDAG(outcome.answer.amat))
    yield from _figures(program.name, graph, cpdag(dag), outcome.cpu_median or outcome.at_least)


def _figures(name: str, graph: PDAG | None, truth: PDAG, seconds: float | None) -> Iterator[Figure]:
    """Yield the distances of a graph from the true CPDAG, NaN without a graph."""
    values = [math.nan] * 4
    if graph is not None:
        f1 = skeleton_confusion(graph, truth).f1
        values = [jaccard(graph, truth), float(shd(graph, truth)), 0.0 if math.isnan(f1) else f1, seconds or math.nan]
    for metric, value in zip(METRICS, values, strict=True):
        yield Figure(name, metric, value, seconds if metric == "seconds" else None)


def _runs(piece: Piece) -> Iterator[Figure]:
    program = next(one for one in PROGRAMS if one.name == piece["program"])
    return _ours(piece, program.name) if program.package is None else _peer(piece, program)


def _peer_of(name: str, package: str, solver: str, **params: Any) -> Contender:
    return Contender(name, f"benchmarks.peers:{solver}", package=package, params=params)


ALL, CATEGORICAL, NUMBERS = ("discrete", "linear", "mixed"), ("discrete",), ("linear",)
BEST = (RECOMMENDED, "boss", "order_mcmc")
OURS = (*BEST, "ges", "hc", "pc", "phgs", "h2pc")
TESTS = {"alpha": 0.01, "max_cond_size": 3}
# Column types, and programs that accept them.
PEERS = (
    (ALL, _peer_of("Tetrad BOSS", "tetrad-plus", "tetrad_search", search="Boss")),
    (CATEGORICAL, _peer_of("Tetrad BOSS BDeu", "tetrad-plus", "tetrad_search", search="Boss", score="bdeu")),
    (("linear", "mixed"), _peer_of("Tetrad GRaSP", "tetrad-plus", "tetrad_search", search="Grasp")),
    (NUMBERS, _peer_of("flopsearch FLOP", "flopsearch", "flop")),
    (("discrete", "linear"), _peer_of("causal-learn PC", "causal-learn", "causal_learn_pc", **TESTS)),
    (CATEGORICAL, _peer_of("pyagrum MIIC", "pyagrum", "pyagrum_miic")),
    (CATEGORICAL, _peer_of("pyagrum tabu", "pyagrum", "pyagrum_search", tabu=True)),
    (ALL, _peer_of("pybnesian HC", "pybnesian", "pybnesian_hc")),
)
KINDS_OF_PEER = {one.name: kinds for kinds, one in PEERS}
_LEARNERS = tuple(Contender(key, "learners:learn", params={"key": key}) for key in OURS)
PROGRAMS = (*_LEARNERS[: len(BEST)], *(one for _, one in PEERS), *_LEARNERS[len(BEST) :])  # in the order of the page

HELD_OUT = Experiment(
    name="defaults",
    what="defaults beside other programs, on networks and samples that had no part in any choice",
    cells=CELLS,
    networks={"smoke": 1, "desk": 5, "paper": 20},
    run=_runs,
    derive=side_by_side,
    apart="kind",
    programs=PROGRAMS,
    left_out={
        name: frozenset(label(cell) for cell in CELLS if cell["kind"] not in kinds)
        for name, kinds in KINDS_OF_PEER.items()
    },
    first_seed=SEED,
    remarks=(
        "JI, SHD and skeleton F1 compare a CPDAG with the true one. The recommended learner is the one that Learn "
        "names first for a graph.",
        "Random networks have 1.5 edges a variable (categories, two to four levels), 2 (numbers) or 1.25 (mixed). "
        "Other networks are bundled; their samples are new.",
        "Tetrad's BIC has its default penalty of 2, BDeu its default prior. PC of causal-learn has alpha 0.01. All "
        "others run at their defaults.",
    ),
)
