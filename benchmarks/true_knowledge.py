"""Does true knowledge make a result worse? ``python -m benchmarks true_knowledge [--seed 940101] [--draws 30]``.

Random networks of 12 variables and 18 edges, 500 rows. The knowledge is true: 30 % of the pairs without an edge
forbidden both ways; or three tiers that agree with the causal order; or 20 % of the edges required. A line has the mean
change of the SHD of a learner at its defaults, and its standard error. Both runs are compared with the true class that
the knowledge leaves (Meek 1995): its CPDAG with the known directions and their implications. Of PAGs the skeletons are
compared.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from learners import LEARNERS, PAG, PDAG, Dataset, Knowledge, cpdag, learn, random_gaussian_network, sample
from learners.evaluation.metrics import shd
from learners.graphs.graph import ancestors
from learners.graphs.meek_closure import closure
from learners.networks.random_networks import random_dag, random_discrete_network

SEED, DRAWS = 940_101, 30
P, EDGES, ROWS = 12, 18, 500
FORBIDDEN, REQUIRED, TIERS = 0.3, 0.2, 3  # share of the absent edges, share of the edges, number of tiers
LEFT_OUT = ("hpc_target",)  # finds the neighbours of one variable
FEWER = {"bootstrap": {"n_resamples": 20}}
Numbers = dict[tuple[str, str, str], list[int]]


def numbers(seed: int) -> tuple[Dataset, PDAG]:
    """Return rows of linear equations, and their DAG."""
    network = random_gaussian_network(P, EDGES, seed=seed)
    return sample(network, ROWS, seed=seed), network.dag


def categories(seed: int) -> tuple[Dataset, PDAG]:
    """Return rows of columns with two or three levels, and their DAG."""
    dag = random_dag(P, 2.0 * EDGES / P, seed)
    levels = np.random.default_rng(seed).integers(2, 4, P).tolist()
    network = random_discrete_network(dag, levels, seed, 0.5)
    return sample(network, ROWS, seed=seed), network.dag


def forbidden(dag: PDAG, names: list[str], rng: np.random.Generator) -> Knowledge:
    """Return a share of the pairs without an edge, forbidden both ways."""
    pairs = np.argwhere(np.triu(~dag.skeleton, 1))
    chosen = rng.choice(pairs, round(FORBIDDEN * len(pairs)), replace=False).tolist()
    return Knowledge(forbidden=[(names[a], names[b]) for i, j in chosen for a, b in ((i, j), (j, i))])


def tiers(dag: PDAG, names: list[str], _rng: np.random.Generator) -> Knowledge:
    """Return tiers of equal size in an order of the DAG."""
    order = np.argsort(ancestors(dag).sum(axis=0), kind="stable")
    return Knowledge(tiers={names[j]: TIERS * k // dag.p for k, j in enumerate(order.tolist())})


def required(dag: PDAG, names: list[str], rng: np.random.Generator) -> Knowledge:
    """Return a share of the edges."""
    edges = np.argwhere(dag.amat)
    chosen = rng.choice(edges, max(round(REQUIRED * len(edges)), 1), replace=False).tolist()
    return Knowledge(required=[(names[i], names[j]) for i, j in chosen])


TABLES: dict[str, Callable[[int], tuple[Dataset, PDAG]]] = {"numbers": numbers, "categories": categories}
KNOWN = {"forbidden": forbidden, "tiers": tiers, "required": required}


def class_with(dag: PDAG, known: Knowledge, names: list[str]) -> PDAG:
    """Return the CPDAG of a DAG with the known directions and their implications."""
    amat = cpdag(dag).amat.copy()
    amat[(known.bind(names).directions & amat & amat.T).T] = False
    return closure(PDAG(amat))


def errors(graph: PDAG, truth: PDAG) -> int:
    """Return the SHD, of a PAG that of the skeletons."""
    if isinstance(graph, PAG):
        return int(np.triu(graph.skeleton != truth.skeleton).sum())
    return shd(cpdag(graph) if graph.is_dag and not truth.is_dag else graph, truth)


def changes(keys: list[str], seeds: range) -> Numbers:
    """Return the SHD with knowledge minus that without, by learner, column type and kind of knowledge."""
    found: Numbers = defaultdict(list)
    for seed in seeds:
        for kind, table in TABLES.items():
            data, dag = table(seed)
            names = list(data.names)
            for key in keys:
                if data.kind not in LEARNERS[key].kinds:
                    continue
                plain = learn(key, data, seed=seed, **FEWER.get(key, {})).graph
                for k, (name, make) in enumerate(KNOWN.items()):
                    known = make(dag, names, np.random.default_rng([seed, k]))
                    truth = class_with(dag, known, names)
                    graph = learn(key, data, seed=seed, knowledge=known, **FEWER.get(key, {})).graph
                    found[key, kind, name].append(errors(graph, truth) - errors(plain, truth))
    return found


def main(argv: list[str] | None = None) -> None:
    """Print a line for each learner: the mean change of its SHD by column type and kind of knowledge."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks true_knowledge", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the first network (default: {SEED:,})")
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"networks of each column type (default: {DRAWS})")
    parser.add_argument("--learners", nargs="+", default=[key for key in LEARNERS if key not in LEFT_OUT])
    options = parser.parse_args(argv)
    print(f"| learner | {' | '.join(f'{kind}, {name}' for kind in TABLES for name in KNOWN)} |")
    print("|---|" + "--:|" * len(TABLES) * len(KNOWN))
    for key in options.learners:
        found = changes([key], range(options.seed, options.seed + options.draws))
        cells = []
        for kind in TABLES:
            for name in KNOWN:
                one = np.array(found.get((key, kind, name), []), dtype=np.float64)
                error = one.std(ddof=1) / np.sqrt(len(one)) if len(one) > 1 else np.nan
                cells.append(f"{one.mean():+.2f} ± {error:.2f}" if len(one) else "–")
        print(f"| {key} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
