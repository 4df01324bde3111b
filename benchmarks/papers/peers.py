"""Other programs and Edgewise on the same rows: the same algorithm with the same settings, as far as they go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from learners import permute_columns, random_gaussian_network, sample
from learners.samples import load_network

from ..measurement import Contender
from ..problem import Problem
from .experiment import Experiment, Piece, label
from .programs import runner, side_by_side

ALPHA = 0.01
TESTS = {"alpha": ALPHA, "max_cond_size": 3}
NETWORKS = ("asia", "child", "insurance", "alarm", "hailfinder")


def of_network(piece: Piece) -> Problem:
    """Rows of a benchmark network, the columns in random order."""
    network, seed = load_network(piece["network"]), piece["seed"]
    data, dag = permute_columns(sample(network, piece["n"], seed), network.dag, seed)
    return Problem(data.codes, dag.amat, data.arity)


def of_random(piece: Piece) -> Problem:
    """Rows of a random linear network, drawn as for LMM."""
    network = random_gaussian_network(piece["p"], piece["edges"], piece["seed"])
    return Problem(sample(network, piece["n"], piece["seed"]).values, network.dag.amat)


def _ours(solver: str, **params: Any) -> Contender:
    return Contender("edgewise", f"benchmarks.ours:{solver}", params=params)


def _peer(package: str, solver: str, **params: Any) -> Contender:
    return Contender(package, f"benchmarks.peers:{solver}", package=package, params=params)


def _cells(sizes: tuple[int, ...]) -> tuple[Piece, ...]:
    return tuple({"network": name, "n": n} for name in NETWORKS for n in sizes)


def _random(sizes: tuple[int, ...], *shapes: tuple[int, int]) -> tuple[Piece, ...]:
    return tuple({"p": p, "edges": edges, "n": n} for p, edges in shapes for n in sizes)


def _beyond(cells: tuple[Piece, ...], **limits: Any) -> frozenset[str]:
    """Labels of the cells that are none of those allowed: networks by name, random ones by p and edges."""
    return frozenset(label(cell) for cell in cells if any(cell[key] not in limit for key, limit in limits.items()))


def _experiment(
    name: str,
    what: str,
    cells: tuple[Piece, ...],
    programs: tuple[Contender, ...],
    *,
    searches: bool = False,
    left_out: Mapping[str, frozenset[str]] | None = None,
    remarks: tuple[str, ...] = (),
) -> Experiment:
    return Experiment(
        name=name,
        what=what,
        cells=cells,
        networks={"smoke": 1, "desk": 3, "paper": 10},
        run=runner(of_network if "network" in cells[0] else of_random, programs, searches=searches),
        derive=side_by_side,
        programs=programs,
        left_out=left_out or {},
        remarks=remarks,
    )


PC_CELLS = _cells((500, 1000, 5000))
SEARCH_CELLS = _cells((500, 5000))
LINEAR_CELLS = _random((100, 1000), (20, 20), (50, 50), (50, 100), (100, 100))
GES_CELLS = _random((100, 1000), (20, 20), (20, 40), (50, 50))

PC_G2 = _experiment(
    "peers_pc",
    f"other programs, PC-stable with G² on categorical data (alpha {ALPHA}, sets up to 3)",
    PC_CELLS,
    (
        _ours("pc", **TESTS),
        _peer("causal-learn", "causal_learn_pc", **TESTS),
        _peer("pybnesian", "pybnesian_pc", **TESTS, bidirected=False),
        _peer("pgmpy", "pgmpy_pc", **TESTS),
    ),
)
PC_FISHER_Z = _experiment(
    "peers_linear",
    f"other programs, PC-stable with Fisher's z on random linear networks (alpha {ALPHA}, sets up to 3)",
    LINEAR_CELLS,
    (
        _ours("pc", **TESTS),
        _peer("causal-learn", "causal_learn_pc", **TESTS),
        _peer("pybnesian", "pybnesian_pc", **TESTS, bidirected=False),
        _peer("pgmpy", "pgmpy_pc", **TESTS),
    ),
    left_out={"pgmpy": _beyond(LINEAR_CELLS, p=(20, 50), edges=(20, 50))},
)
HC = _experiment(
    "peers_hc",
    "other programs, hill climbing with BIC on categorical data",
    SEARCH_CELLS,
    (
        _ours("greedy", key="hc", ties="data"),
        _peer("pybnesian", "pybnesian_hc"),
        _peer("pyagrum", "pyagrum_search", tabu=False),
        _peer("pgmpy", "pgmpy_hc"),
    ),
    searches=True,
    left_out={"pgmpy": _beyond(SEARCH_CELLS, network=("asia", "child", "insurance"))},
)
TABU = _experiment(
    "peers_tabu",
    "other programs, tabu search with BIC on categorical data (list of 100, 100 changes)",
    SEARCH_CELLS,
    (_ours("greedy", key="tabu", ties="data"), _peer("pyagrum", "pyagrum_search", tabu=True)),
    searches=True,
)
MMHC = _experiment(
    "peers_mmhc",
    f"other programs, MMHC with BIC on categorical data (alpha {ALPHA})",
    SEARCH_CELLS,
    (
        _ours("greedy", key="mmhc", ties="data", alpha=ALPHA),
        _peer("pybnesian", "pybnesian_mmhc", alpha=ALPHA),
    ),
    searches=True,
)
GES = _experiment(
    "peers_ges",
    "other programs, GES with BIC on random linear networks",
    GES_CELLS,
    (_ours("learner", key="ges"), _peer("causal-learn", "causal_learn_ges")),
)
ALL = (PC_G2, PC_FISHER_Z, HC, TABU, MMHC, GES)
