"""Accuracy of every learner and every installable program: the table behind Recommend.

Networks, numbers of rows and seeds were not used for tuning. All our learners run as `learn` does by default, within
`LIMIT` seconds; peers run in separate processes, with their own default settings or ours.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np

from learners import (
    LEARNERS,
    NETWORKS,
    PDAG,
    Dataset,
    LearnersError,
    LearnResult,
    cpdag,
    learn,
    load_network,
    permute_columns,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.evaluation.curves import average_precision
from learners.evaluation.metrics import jaccard, shd
from learners.graphs.equivalence_class import direction_shares

from ..measurement import Contender
from ..problem import Problem
from .experiment import Experiment, Figure, Piece, label
from .programs import TIME_OUT, answered, side_by_side

SEED = 8_201  # first of the seeds 8 201 to 8 205, which were not used for tuning
LIMIT = 30.0  # maximum CPU seconds for a run of our learners
SMALL = ("asia", "cancer", "earthquake", "survey", "sachs", "child", "water", "insurance", "alarm", "hailfinder")
LARGE = ("mildew", "barley", "hepar2", "win95pts", "pathfinder", "munin1", "andes", "diabetes", "pigs", "link")
SIZES = {"discrete": (500, 1_000, 5_000), "linear": (100, 1_000, 10_000), "mixed": (200, 1_000, 5_000)}
VARIABLES = {"linear": (50, 100, 200, 300), "mixed": (10, 20, 40, 80)}
EDGES = {"linear": 2.0, "mixed": 1.25}  # edges for each variable, on average
HOLES = ({"kind": "discrete", "network": "alarm"}, {"kind": "linear", "p": 50}, {"kind": "mixed", "p": 20})
ROWS_OF_HOLES, SHARE = 1_000, 0.05
KINDS = {"discrete": "categorical", "linear": "continuous", "mixed": "mixed"}
NOT_A_GRAPH = ("hpc_target", "fci", "boss_fci", "mag_search")  # they find neighbours of one variable, or PAGs
METRICS = ("JI", "SHD", "average precision", "Brier", "seconds")
WARM_UP_COLUMNS, WARM_UP_ROWS = 5, 100


def _cells(networks: tuple[str, ...], most: int) -> tuple[Piece, ...]:
    """Return cells of these networks, and of random networks of up to `most` variables."""
    named = [{"kind": "discrete", "network": name, "n": n} for name in networks for n in SIZES["discrete"]]
    drawn = [
        {"kind": kind, "p": p, "n": n}
        for kind, sizes in VARIABLES.items()
        for p in sizes
        if p <= most
        for n in SIZES[kind]
    ]
    return (*named, *drawn, *({**one, "n": ROWS_OF_HOLES, "missing": f"{SHARE:.0%}"} for one in HOLES))


DESK = _cells(SMALL, 50)
CELLS = (*DESK, *(one for one in _cells((*SMALL, *LARGE), 300) if one not in DESK))


def variables_of(cell: Piece) -> int:
    """Return the number of variables of a cell."""
    return NETWORKS[cell["network"]].p if cell["kind"] == "discrete" else int(cell["p"])


def drawn(piece: Piece) -> tuple[PDAG, Dataset]:
    """Draw the DAG of a piece and its rows."""
    return _drawn(tuple((name, value) for name, value in piece.items() if name != "program"))


@lru_cache(maxsize=1)
def _drawn(items: tuple[tuple[str, Any], ...]) -> tuple[PDAG, Dataset]:
    piece = dict(items)
    kind, seed = piece["kind"], piece["seed"]
    if kind == "discrete":
        network = load_network(piece["network"])
        data, dag = permute_columns(sample(network, piece["n"], seed), network.dag, seed)
    else:
        make = random_gaussian_network if kind == "linear" else random_mixed_network
        network = make(piece["p"], EDGES[kind] * piece["p"], seed)
        data, dag = sample(network, piece["n"], seed), network.dag
    return dag, with_missing_cells(data, SHARE, seed=seed) if "missing" in piece else data


def _ours(piece: Piece, key: str) -> Iterator[Figure]:
    """Yield the figures of a learner with its defaults; NaN if it exceeds the limit or rejects the table."""
    dag, data = drawn(piece)
    _warmed(key, piece["kind"], "missing" in piece)
    began = time.process_time()
    try:
        result = learn(key, data, tick=lambda *_: time.process_time() - began < LIMIT)
    except LearnersError as error:
        print(f"{key}: {error}", flush=True)
        result = None
    seconds = time.process_time() - began
    found = figures_of(result, dag) if result is not None and result.complete else {}
    for metric in METRICS[:-1]:
        yield Figure(key, metric, found.get(metric, math.nan))
    yield Figure(key, "seconds", seconds if found else math.nan, seconds)


@cache
def _warmed(key: str, kind: str, incomplete: bool) -> None:
    """Load and compile the kernels of the learner, whose time does not count for the run."""
    piece = {"kind": kind, "n": WARM_UP_ROWS, "seed": 0}
    piece |= {"network": "asia"} if kind == "discrete" else {"p": WARM_UP_COLUMNS}
    data = _drawn.__wrapped__(tuple((piece | ({"missing": ""} if incomplete else {})).items()))[1]
    learn(key, data.select(range(WARM_UP_COLUMNS)))


def figures_of(result: LearnResult, dag: PDAG) -> dict[str, float]:
    """Return the accuracy of a result: its graph, its ranking of the pairs, and its probabilities if it has any."""
    truth, strengths = cpdag(dag), result.strengths
    values = strengths.values if strengths.larger_is_stronger else -strengths.values
    found = {"JI": jaccard(result.graph, truth), "SHD": float(shd(result.graph, truth))}
    found["average precision"] = average_precision(values, truth)
    if result.posterior is not None:
        off = ~np.eye(truth.p, dtype=bool)
        found["Brier"] = float(((result.posterior.directed[off] - direction_shares(truth)[off]) ** 2).mean())
    return found


def _peer(piece: Piece, program: Contender) -> Iterator[Figure]:
    """Yield the figures of another program; NaN without an answer."""
    dag, data = drawn(piece)
    outcome = answered(program, problem_of(data, dag))
    graph = None if outcome.answer is None else class_of(PDAG(outcome.answer.amat))
    truth = cpdag(dag)
    yield Figure(program.name, "JI", math.nan if graph is None else jaccard(graph, truth))
    yield Figure(program.name, "SHD", math.nan if graph is None else float(shd(graph, truth)))
    seconds = outcome.cpu_median
    yield Figure(program.name, "seconds", math.nan if seconds is None else seconds, seconds or outcome.at_least)


def problem_of(data: Dataset, dag: PDAG) -> Problem:
    """Return a table and its DAG in the form that other programs read."""
    if data.kind == "continuous":
        return Problem(data.values, dag.amat)
    if data.kind == "categorical":
        return Problem(data.codes, dag.amat, data.arity)
    numbers = [kind == "continuous" for kind in data.kinds]
    columns = list(zip(numbers, data.place, strict=True))
    rows = [data.values[:, at] if number else data.codes[at] for number, at in columns]
    arity = [0 if number else int(data.arity[at]) for number, at in columns]
    return Problem(np.array(rows, dtype=np.float64), dag.amat, np.array(arity))


def class_of(graph: PDAG) -> PDAG:
    """Return the CPDAG of a DAG, and any other graph unchanged."""
    directed = not (graph.amat & graph.amat.T).any()
    return cpdag(graph) if directed and not graph.has_directed_cycle() else graph


def _runs(piece: Piece) -> Iterator[Figure]:
    program = next(one for one in PROGRAMS if one.name == piece["program"])
    return _ours(piece, program.name) if program.package is None else _peer(piece, program)


def _of_peer(package: str, what: str, solver: str, **params: Any) -> Contender:
    return Contender(f"{package} {what}", f"benchmarks.peers:{solver}", package=package, params=params)


TESTS = {"alpha": 0.01, "max_cond_size": 3}
OURS = tuple(Contender(key, "learners:learn", params={"key": key}) for key in LEARNERS if key not in NOT_A_GRAPH)
ALL, CATEGORICAL, NUMBERS = ("discrete", "linear", "mixed"), ("discrete",), ("linear",)
# Column types, and programs that accept them.
PEERS = (
    (("discrete", "linear"), _of_peer("causal-learn", "PC", "causal_learn_pc", **TESTS)),
    (NUMBERS, _of_peer("causal-learn", "GES", "causal_learn_ges")),
    (NUMBERS, _of_peer("causal-learn", "BOSS", "causal_learn_boss")),
    (NUMBERS, _of_peer("flopsearch", "FLOP", "flop")),
    (ALL, _of_peer("pybnesian", "PC", "pybnesian_pc", **TESTS, bidirected=False)),
    (ALL, _of_peer("pybnesian", "HC", "pybnesian_hc")),
    (CATEGORICAL, _of_peer("pybnesian", "MMHC", "pybnesian_mmhc", alpha=0.01)),
    (CATEGORICAL, _of_peer("pyagrum", "HC", "pyagrum_search", tabu=False)),
    (CATEGORICAL, _of_peer("pyagrum", "tabu", "pyagrum_search", tabu=True)),
    (CATEGORICAL, _of_peer("pgmpy", "PC", "pgmpy_pc", **TESTS)),
    (CATEGORICAL, _of_peer("pgmpy", "HC", "pgmpy_hc")),
)
MAX_VARIABLES = {"pgmpy": 20, "causal-learn": 100}  # maximum number of variables; larger runs exceed the limit
KINDS_OF_PEER = {one.name: kinds for kinds, one in PEERS}
PROGRAMS = (*OURS, *(one for _, one in PEERS))


def takes(program: Contender, cell: Piece) -> bool:
    """Return True if a program accepts tables like those of the cell."""
    if program.package is not None:
        small = variables_of(cell) <= MAX_VARIABLES.get(program.package, math.inf)
        return small and cell["kind"] in KINDS_OF_PEER[program.name] and "missing" not in cell
    learner = LEARNERS[program.name]
    fits = learner.most_columns is None or variables_of(cell) <= learner.most_columns
    return fits and KINDS[cell["kind"]] in learner.kinds and (learner.takes_missing or "missing" not in cell)


ACCURACY = Experiment(
    name="accuracy",
    what="how near to the truth, every learner at its defaults, and other programs",
    cells=CELLS,
    networks={"smoke": 1, "desk": 2, "paper": 5},
    run=_runs,
    derive=side_by_side,
    at_desk=DESK,
    apart="kind",
    programs=PROGRAMS,
    left_out={one.name: frozenset(label(cell) for cell in CELLS if not takes(one, cell)) for one in PROGRAMS},
    first_seed=SEED,
    remarks=(
        "JI and SHD compare a CPDAG with the true one. Average precision compares the ranking of the pairs by strength "
        "with the true skeleton. Brier compares the probabilities of i → j with the share of DAGs of the true class "
        "that have it.",
        "Random networks have 2 edges a variable (linear) or 1.25 (mixed: half of each kind, linear and logit links).",
        f"A number is missing if the run failed or took more than {LIMIT:g} seconds (ours) or {TIME_OUT:g} (other "
        "programs, loading included). Learners of skeletons, such as mmpc, leave all directions open.",
        f"pgmpy is left out beyond {MAX_VARIABLES['pgmpy']} variables, "
        f"causal-learn beyond {MAX_VARIABLES['causal-learn']}.",
        "The recommendation on the Learn page uses this table.",
    ),
)
