"""False arrows of learners where common causes are hidden: ``python -m benchmarks latent_arrows``.

A table has 20 columns of linear equations with normal noise over a random DAG of mean degree 3, and 2,000 rows. In
``clean`` nothing is hidden. In ``hid`` three more variables, drawn among those with two children or more, are left out
of the table; in ``hard`` the three with most children. An arrow a -> b is false if a does not cause b in the DAG; the
identified arrows are those of the true PAG. The number after ± is the standard error over tables.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from learners import PAG, Dataset, agreed, learn, mag_of_dag, pag_of_mag, trust
from learners.graphs.graph import PDAG, ancestors
from learners.verdict.trust import SURE

WORLDS = ("clean", "hid", "hard")
SEEN, HIDDEN, ROWS, DEGREE = 20, 3, 2_000, 3.0
FIRST_SEED = 800_000


@dataclass(frozen=True)
class Table:
    """A table, the (p, p) bool causal relations of its columns, and its true PAG."""

    dataset: Dataset
    causes: np.ndarray
    truth: PAG


def table(world: str, seed: int) -> Table:
    """Return a table of a world."""
    rng = np.random.default_rng([seed, WORLDS.index(world)])
    n_hidden = 0 if world == "clean" else HIDDEN
    p = SEEN + n_hidden
    shown = rng.random((p, p)) < DEGREE / (p - 1)
    weights = np.triu(shown * rng.choice([-1.0, 1.0], (p, p)) * rng.uniform(0.4, 1.0, (p, p)), 1)
    values = rng.normal(size=(ROWS, p)) @ np.linalg.inv(np.eye(p) - weights)
    children = (weights != 0).sum(axis=1)
    if world == "hard":
        hidden = np.argsort(-children, kind="stable")[:n_hidden]
    else:
        able = np.flatnonzero(children >= 2)
        hidden = rng.choice(able, min(n_hidden, len(able)), replace=False)
    seen = rng.permutation(np.setdiff1d(np.arange(p), hidden))  # the column order must not help learners
    order = np.concatenate([seen, hidden]).astype(np.int64)
    dag = PDAG((weights != 0)[np.ix_(order, order)])
    truth = pag_of_mag(mag_of_dag(dag, range(len(seen), p)))
    causes = ancestors(dag)[: len(seen), : len(seen)]
    return Table(Dataset.from_values(values[:, seen], [f"v{k:02}" for k in range(len(seen))]), causes, truth)


def directed(graph: PDAG) -> np.ndarray:
    """Return (p, p) bool: the edges i -> j of a graph."""
    return graph.amat & ~graph.amat.T


METHODS: dict[str, Callable[[Dataset], np.ndarray]] = {
    "BOSS": lambda data: directed(learn("boss", data).graph),
    "FCI": lambda data: directed(learn("fci", data, alpha=0.01).graph),
    "BOSS-FCI": lambda data: directed(learn("boss_fci", data, alpha=0.01).graph),
    "BOSS-FCI, possible d-sep": lambda data: directed(learn("boss_fci", data, alpha=0.01, possible_d_sep=True).graph),
    "MAG search": lambda data: directed(learn("mag_search", data).graph),
    "order MCMC, P >= .95": lambda data: np.asarray(learn("order_mcmc", data).posterior.compelled) >= 0.95,
    "agreed": lambda data: agreed(data).causes,
    "trust, P >= .9": lambda data: np.nan_to_num(trust(learn("boss", data), data).cause) >= SURE,
}
QUICK = ("BOSS", "FCI", "BOSS-FCI", "BOSS-FCI, possible d-sep", "MAG search")


def main(argv: list[str] | None = None) -> None:
    """Print a row for each world and method: arrows, false arrows, and share of the identified arrows found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks latent_arrows", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="of each world (default: 20)")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help=f"of the first table (default: {FIRST_SEED:,})")
    parser.add_argument("--worlds", nargs="+", default=WORLDS, choices=WORLDS)
    parser.add_argument("--methods", nargs="+", default=QUICK, choices=METHODS)
    options = parser.parse_args(argv)
    print("| world | method | tables | arrows | false | false % | identified | found of them % | CPU s a table |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for world in options.worlds:
        tables = [table(world, seed) for seed in range(options.seed, options.seed + options.tables)]
        for name in options.methods:
            began = time.process_time()
            claimed = [METHODS[name](one.dataset) for one in tables]
            print(_row(world, name, tables, claimed, (time.process_time() - began) / len(tables)), flush=True)


def _row(world: str, name: str, tables: list[Table], claimed: list[np.ndarray], seconds: float) -> str:
    """Return the row of a method in a world."""
    counts = []
    for one, arrows in zip(tables, claimed, strict=True):
        true = directed(one.truth)
        counts.append([arrows.sum(), (arrows & ~one.causes).sum(), true.sum(), (arrows & true).sum()])
    n, false, identified, found = np.array(counts, dtype=np.float64).T
    cells = [f"{n.sum():.0f}", f"{false.sum():.0f}", percent(false, n), f"{identified.sum():.0f}"]
    return f"| {world} | {name} | {len(tables)} | {' | '.join(cells)} | {percent(found, identified)} | {seconds:.2f} |"


def percent(part: np.ndarray, whole: np.ndarray) -> str:
    """Return the share of a whole in percent, and its standard error over tables (linearized ratio of sums)."""
    if not whole.sum():
        return "–"
    ratio = part.sum() / whole.sum()
    error = np.sqrt(((part - ratio * whole) ** 2).sum() * len(part) / max(len(part) - 1, 1)) / whole.sum()
    return f"{100 * ratio:.1f} ± {100 * error:.1f}"


if __name__ == "__main__":
    main()
