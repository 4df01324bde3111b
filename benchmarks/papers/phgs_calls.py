"""Huang and Zhou (2022), table 5: cost of the score-based search relative to the skeleton search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from learners import BIC, G2, PDAG, Dataset
from learners.common.progress import silent
from learners.families.phgs.partitioned import CallKind
from learners.search.hgi import hgi
from learners.search.hill_climbing import greedy_search

from .experiment import NETWORKS_A_CELL, Experiment, Figure, Piece, timed
from .phgs import ALPHAS, CELLS, PHGS_ALPHA, SMOKE, T0, T1, finder, remembering, run_phgs
from .summary import by_cell
from .tiled import drawn

# Columns of the table: the start of the search, and the step whose calls are counted.
GSC = "search=GSC step=HC"
DETECT, HGI, HC, TOTAL = (f"search=HGI-HC step={step}" for step in ("v-structures", "HGI", "HC", "all"))
ADDED = "additional calls, %"
SHARES = {"median": 0.5, "2.5 % quantile": 0.025, "97.5 % quantile": 0.975}


def table5(piece: Piece, rivals: Iterable[str] = ("MMPC",), own: bool = True) -> Iterator[Figure]:
    """Yield table 5, a line for each run: further calls in percent of the calls for the skeleton."""
    _, data = drawn(piece)
    if own:
        yield from _of_phgs(data)
    for rival in rivals:
        test = remembering(data)
        for alpha in ALPHAS:
            yield from _of_rival(data, test, rival, alpha)


def _of_phgs(data: Dataset) -> Iterator[Figure]:
    result, seconds = timed(lambda: run_phgs(data))
    calls = result.extra.evidence.calls
    path, climb = calls[CallKind.SOLUTION_PATH], calls[CallKind.SEARCH]
    added = {GSC: _climbed(data, result.extra.skeleton), DETECT: 0, HGI: path, HC: climb, TOTAL: path + climb}
    yield from _shares(f"pPC {PHGS_ALPHA}", added, sum(calls.values()) - path - climb, seconds)


def _of_rival(data: Dataset, test: G2, rival: str, alpha: float) -> Iterator[Figure]:
    score, before = _scored(data), test.n_tests
    restriction = finder(test, rival, alpha, draws=True)
    _, seconds = timed(lambda: restriction.run(silent))
    of_skeleton, of_nodes = test.n_tests - before, score.n_scores
    triples = restriction.v_structures(silent)
    skeleton = PDAG(restriction.search.graph.skeleton)
    start = hgi(score, skeleton.skeleton, triples)
    of_start = score.n_scores
    greedy_search(score, start=start.dag, allowed=skeleton.skeleton, tabu_length=T1, patience=T0)
    detect, path, climb = test.n_tests - before - of_skeleton, of_start - of_nodes, score.n_scores - of_start
    added = {GSC: _climbed(data, skeleton), DETECT: detect, HGI: path, HC: climb, TOTAL: detect + path + climb}
    yield from _shares(f"{rival} {alpha:g}", added, of_skeleton, seconds)


def _scored(data: Dataset) -> BIC:
    """Return a score that has already scored each node without parents.

    Calls for the start of a difference are then not counted.
    """
    score = BIC(data)
    for j in range(score.p):
        score.local(j)
    return score


def _climbed(data: Dataset, skeleton: PDAG) -> int:
    """Count the calls of a search that starts without edges."""
    score = _scored(data)
    before = score.n_scores
    greedy_search(score, allowed=skeleton.skeleton, tabu_length=T1, patience=T0)
    return score.n_scores - before


def _shares(name: str, added: dict[str, int], of_skeleton: int, seconds: float) -> Iterator[Figure]:
    for step, calls in added.items():
        yield Figure(name, step, 100 * calls / of_skeleton, seconds, of_skeleton + calls)


def over_networks(rows: pd.DataFrame) -> pd.DataFrame:
    """Return median and 95 % interval over networks and levels, for each data set of a network; a cell is a step."""
    rows = by_cell(rows)
    data_set = rows["seed"].astype(int) % NETWORKS_A_CELL
    learner = rows["method"].str.split().str[0]
    lines = []
    for (number, method, step), values in rows.groupby([data_set, learner, "metric"], sort=False)["value"]:
        lines += [
            {
                "piece": f"{step} seed={number}",
                "method": method,
                "metric": f"{ADDED}, {name}",
                "value": value,
            }
            for name, value in zip(SHARES, np.quantile(values, list(SHARES.values())), strict=True)
        ]
    return pd.DataFrame(lines, columns=rows.columns[:-2])


def _printed() -> dict[tuple[str, str, str], str]:
    lines = {
        "pPC": "1 0.04 1.87 0 0 0 1.08 0.05 3.51 0.48 0.03 1.11 1.59 0.11 4.25",
        "MMPC": "0.13 0.01 0.28 0.9 0.02 51.6 0.02 0 0.06 0.06 0.01 0.16 1.01 0.03 51.7",
        "HPC": "0.22 0.02 0.41 0.92 0 32.6 0.04 0.01 0.08 0.12 0.02 0.21 1.11 0.04 32.8",
    }
    columns = [(step, f"{ADDED}, {name}") for step in (GSC, DETECT, HGI, HC, TOTAL) for name in SHARES]
    return {
        (step, method, metric): text
        for method, line in lines.items()
        for (step, metric), text in zip(columns, line.split(), strict=True)
    }


def _of(*methods: str) -> dict[tuple[str, str, str], str]:
    return {key: text for key, text in _printed().items() if key[1] in methods}


TABLE5 = Experiment(
    name="phgs_table5",
    what="pHGS, table 5: percent of calls beyond the skeleton, pPC and MMPC",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=table5,
    smoke=SMOKE,
    derive=over_networks,
    printed=_of("pPC", "MMPC"),
)
TABLE5_HPC = replace(
    TABLE5,
    name="phgs_table5_hpc",
    what="pHGS, table 5: percent of calls beyond the skeleton, HPC",
    networks={"smoke": 1, "desk": 0, "paper": 100},
    run=partial(table5, rivals=("HPC",), own=False),
    printed=_of("HPC"),
)
