"""Compare our defaults with the published settings, on networks not used for tuning.

Usage: ``python -m benchmarks.defaults [QUESTION ...]``.

checks: correct and wrong v-structures, as proposed by separating sets, and after a test of their ends. ties: hill
climbing and tabu search with ties broken by the data, by column, and both. polish: pHGS, MMHC and H2PC without GES at
the end, with a GES that accepts any gain, and with ours. prices: score-based searches by BIC, by BDeu, and by BDeu with
a penalty for each edge. order: conditioning sets tried by name, and starting with the strongest neighbours.
discoveries: HPC and H2PC with blankets as published, and with controlled false discoveries. dof: CImap with the degrees
of freedom of the paper, and adjusted ones.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from learners import (
    BIC,
    G2,
    PDAG,
    BDeu,
    Dataset,
    LearnResult,
    MutualInformation,
    arges,
    boss,
    ges,
    gsc,
    hc,
    hpc,
    learn,
    load_network,
    mmhc,
    path,
    pc,
    pc_mi,
    ppc,
    sample,
    sca,
    tabu,
)
from learners.evaluation.metrics import jaccard, shd
from learners.families.cimap.cimap import cimap
from learners.families.h2pc.h2pc import h2pc
from learners.families.phgs.phgs import phgs
from learners.graphs.cpdag import cpdag
from learners.graphs.rules import OF_MIDDLES
from learners.results.events import Action
from learners.search.v_structures import ranked_v_structures

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "hailfinder")
FEW, ROWS, MANY = (50, 100, 200), (500, 1_000, 5_000), (20_000,)
SEED = 7_501  # first seed; 7 401 and 7 402 were used during development
Run = Callable[[], LearnResult]


class SampleProblem(NamedTuple):
    """A sample, and the network from which it was drawn."""

    name: str
    n: int
    seed: int
    dag: PDAG
    data: Dataset


def checks(problem: SampleProblem) -> Iterator[tuple[str, str, Run]]:
    """Yield learners that propose v-structures by separating sets, with and without the check."""
    data = problem.data
    for check in ("off", "dependent"):
        for preset in ("P-1", "MI1", "MI2", "PN1"):
            yield preset, check, partial(cimap, MutualInformation(data), preset=preset, collider_check=check)
        yield "pc_mi", check, partial(pc_mi, MutualInformation(data), collider_check=check)
        yield "pc", check, partial(pc, G2(data), collider_check=check)
        yield "ppc", check, partial(ppc, G2(data), collider_check=check)


def ties(problem: SampleProblem) -> Iterator[tuple[str, str, Run]]:
    """Yield both searches with both scores."""
    data = problem.data.compact()
    for way in ("data", "columns", "both"):
        for key, search in (("hc", hc), ("tabu", tabu)):
            yield f"{key} BIC", way, partial(search, BIC(data), ties=way)
            yield f"{key} BDeu", way, partial(search, BDeu(data), ties=way)


def polish(problem: SampleProblem) -> Iterator[tuple[str, str, Run]]:
    """Yield hybrids with the scores and rules of the app."""
    data = problem.data
    polished = {"polish": True}
    ways = {"published": {"polish": False}, "any gain": {**polished, "polish_gain": 0.0}, "polished": polished}
    for way, settings in ways.items():
        yield "phgs BIC", way, partial(phgs, G2(data), BIC(data.compact()), **settings)
        yield "phgs BDeu", way, partial(phgs, G2(data), BDeu(data.compact()), **settings)
        for key, learner in (("mmhc", mmhc), ("h2pc", h2pc)):
            bound = G2(data, rows_per_cell=5), BDeu(data.compact(), ess=10.0)
            yield key, way, partial(learner, *bound, **settings)


def prices(problem: SampleProblem) -> Iterator[tuple[str, str, Run]]:
    """Yield score-based searches, without tests and with them."""
    data = problem.data.compact()
    ways = {
        "BIC": lambda: BIC(data),
        "BDeu(1)": lambda: BDeu(data),
        "BDeu(1), price": lambda: BDeu(data, edge_penalty=None),
        "BDeu(10), price": lambda: BDeu(data, ess=10.0, edge_penalty=None),
    }
    for way, score in ways.items():
        for key, search in (("boss", boss), ("ges", ges), ("tabu", tabu), ("hc", hc), ("sca", sca)):
            yield key, way, lambda score=score, search=search: search(score())
        for key, search in (("phgs", phgs), ("gsc", gsc), ("arges", arges), ("path", path)):
            yield key, way, lambda score=score, search=search: search(G2(problem.data), score())


def order(problem: SampleProblem) -> Iterator[tuple[str, str, Run]]:
    """Yield pPC, and PATH and pHGS on it."""
    data = problem.data
    for strongest in (False, True):
        way = "strongest first" if strongest else "by name"
        yield "ppc", way, partial(ppc, G2(data), strongest_first=strongest)
        yield "path", way, partial(path, G2(data), BIC(data), strongest_first=strongest)
        yield "phgs", way, partial(phgs, G2(data), BIC(data), strongest_first=strongest, polish=False)


def discoveries(problem: SampleProblem) -> Iterator[tuple[str, str, Run]]:
    """Yield HPC and H2PC with blankets as published, and with controlled false discoveries."""
    data = problem.data
    for way in ("plain", "fdr"):
        yield "hpc", way, partial(hpc, G2(data, rows_per_cell=5), pc_method=way)
        bound = G2(data, rows_per_cell=5), BDeu(data.compact(), ess=10.0)
        yield "h2pc", way, partial(h2pc, *bound, pc_method=way, polish=False)


def dof(problem: SampleProblem) -> Iterator[tuple[str, str, Run]]:
    """Yield CImap with the paper's degrees of freedom, and with degrees from the states observed in a stratum."""
    for way in ("plain", "adjusted"):
        yield "cimap", way, partial(learn, "cimap", problem.data, dof=way)


QUESTIONS = {
    "checks": (checks, MANY),
    "ties": (ties, ROWS),
    "polish": (polish, (*FEW, *ROWS)),
    "prices": (prices, (*FEW, *ROWS)),
    "order": (order, (*ROWS, *MANY)),
    "discoveries": (discoveries, ROWS),
    "dof": (dof, ROWS),
}


def problems(seeds: range, sizes: tuple[int, ...], networks: Sequence[str]) -> Iterator[SampleProblem]:
    """Yield every network with every number of rows."""
    for seed in seeds:
        for name in networks:
            network = load_network(name)
            yield from (SampleProblem(name, n, seed, network.dag, sample(network, n, seed=seed)) for n in sizes)


def measured(question: str, seeds: range, networks: Sequence[str] = NETWORKS) -> pd.DataFrame:
    """Measure one row per run."""
    runs, sizes = QUESTIONS[question]
    rows = []
    for problem in problems(seeds, sizes, networks):
        truth = cpdag(problem.dag)
        for learner, way, run in runs(problem):
            began = time.process_time()
            result = run()
            seconds = time.process_time() - began
            right, wrong = _v_structures(result, problem.dag) if question == "checks" else (np.nan, np.nan)
            rows.append(
                {
                    "network": problem.name,
                    "n": problem.n,
                    "seed": problem.seed,
                    "learner": learner,
                    "way": way,
                    "JI": jaccard(result.graph, truth),
                    "SHD": shd(result.graph, truth),
                    "score": result.score,
                    "tests": result.n_tests,
                    "CPU s": seconds,
                    "right": right,
                    "wrong": wrong,
                }
            )
    return pd.DataFrame(rows)


def _v_structures(result: LearnResult, dag: PDAG) -> tuple[int, int]:
    """Count correct and wrong v-structures among the proposals that the check accepted."""
    proposed = ranked_v_structures(PDAG(result.graph.skeleton), result.sepsets, result.extra.log_phi)
    refused = {(e.i, e.cond[0], e.j) for e in result.trace if e.rule in OF_MIDDLES and e.action == Action.REFUSE}
    left = {tuple(triple) for triple in proposed.tolist()} - refused
    true = {
        (i, k, j) for k in range(dag.p) for i, j in combinations(sorted(dag.parents(k)), 2) if not dag.skeleton[i, j]
    }
    return len(left & true), len(left - true)


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return means per learner and method, sums of v-structures, and counts of samples with higher or lower JI.

    The JI of each sample is compared with that of the first method.
    """
    groups = table.groupby(["learner", "way"], sort=False)
    means = groups[["JI", "SHD", "score", "tests", "CPU s"]].mean()
    sums = groups[["right", "wrong"]].sum()
    by_way = table.pivot_table(index=["learner", "network", "n", "seed"], columns="way", values="JI", sort=False)
    gain = by_way.sub(by_way[table["way"].iloc[0]], axis=0)
    better = (gain > 1e-9).groupby("learner").sum().stack().rename("better")
    worse = (gain < -1e-9).groupby("learner").sum().stack().rename("worse")
    return means.join(sums).join(better).join(worse)


def main(argv: list[str] | None = None) -> None:
    """Print a table for each question."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults", description=__doc__)
    parser.add_argument("questions", nargs="*", default=list(QUESTIONS), help=f"{', '.join(QUESTIONS)}; default: all")
    parser.add_argument("--samples", type=int, default=3, help="of each network and number of rows (default: 3)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the first (default: {SEED})")
    parser.add_argument("--networks", nargs="+", default=NETWORKS, help=f"default: {' '.join(NETWORKS)}")
    parser.add_argument("--by-network", action="store_true", help="also the mean JI of each network and number of rows")
    options = parser.parse_args(argv)
    for question in options.questions:
        table = measured(question, range(options.seed, options.seed + options.samples), options.networks)
        print(f"\n{question}\n{summary(table).round(4).to_string()}", flush=True)
        if options.by_network:
            print(table.pivot_table("JI", ["learner", "network", "n"], "way", sort=False).round(3).to_string())


if __name__ == "__main__":
    main()
