"""Compare the search over orders with the truth, GES and flopsearch: ``python -m benchmarks orders``."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from learners import BIC, PDAG, BDeu, GaussianBIC, boss, cpdag, ges, load_network, random_gaussian_network, sample
from learners.data.dataset import Dataset
from learners.evaluation.metrics import jaccard, shd
from learners.results.result import LearnResult
from tests import naive, populations

SMALL = ("asia", "cancer", "earthquake", "survey", "sachs", "child", "insurance", "alarm", "water", "hailfinder")
LARGE = ("mildew", "barley", "win95pts", "hepar2", "pathfinder", "andes")
ROWS = (500, 1_000, 5_000)
LINEAR = ((50, 1_000), (100, 100), (100, 1_000), (100, 10_000), (200, 100), (300, 10_000))  # variables and rows
EDGES = 2.0  # number of edges per variable
SEED = 7_301  # first seed; not used for tuning
FLOP = """
import sys, time, numpy as np, flopsearch
rows, restarts, penalty = np.load(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
began = time.process_time()
found = np.asarray(flopsearch.flop(rows, penalty, restarts=restarts))
np.savez(sys.argv[1] + ".found.npz", amat=found, seconds=time.process_time() - began)
"""


def main(argv: list[str] | None = None) -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks orders", description=__doc__)
    parser.add_argument("parts", nargs="*", default=["truth", "scores", "linear"], help="truth, scores, linear")
    parser.add_argument("--samples", type=int, default=2, help="of each network and number of rows (default: 2)")
    parser.add_argument("--restarts", type=int, default=5, help="of the search over orders (default: 5)")
    parser.add_argument("--peer-python", help="a Python that has flopsearch")
    options = parser.parse_args(argv)
    if "truth" in options.parts:
        _print_truth(200)
    if "scores" in options.parts:
        _print_scores(options.samples, options.restarts)
    if "linear" in options.parts:
        _print_linear(options.samples, options.restarts, options.peer_python)


def _print_truth(number: int) -> None:
    """Print how many classes are recovered from the score of infinitely many rows."""
    right = {"ges": 0, "boss": 0}
    for seed in range(SEED, SEED + number):
        rng = np.random.default_rng(seed)
        dag = naive.random_dag(rng, 4 + seed % 9, 16)
        score = populations.gaussian_score(dag, rng)
        for name, run in (("ges", lambda s=score: ges(s)), ("boss", lambda s=score: boss(s, restarts=0))):
            right[name] += run().graph == cpdag(PDAG(dag))
    print("".join(f"{name}: {n} of {number} classes of a population\n" for name, n in right.items()))


def _print_scores(samples: int, restarts: int) -> None:
    """Print how often boss scores at least as high as GES, and the distance of both from the truth."""
    rows = []
    for name in (*SMALL, *LARGE):
        network = load_network(name)
        for n in ROWS:
            for seed in range(SEED, SEED + samples):
                data = sample(network, n, seed=seed).compact()
                for score in (BIC, BDeu):
                    row = {"score": score.__name__, "network": name, "rows": n, "seed": seed}
                    row |= _beside_ges(lambda s=score, d=data: s(d), cpdag(network.dag), restarts)
                    rows.append(row)
                    print(*row.values(), sep="\t", flush=True)
    table = pd.DataFrame(rows)
    table["at least"] = table["gain"] >= -1e-6
    table["higher"] = table["gain"] > 1e-3
    means = ["at least", "higher", *(f"{what} {key}" for what in ("JI", "SHD", "CPU s") for key in ("ges", "boss"))]
    for columns in (["score"], ["score", "network"]):
        print(table.groupby(columns, sort=False)[means].mean().round(3).to_string(), end="\n\n")


def _beside_ges(score: Callable, truth: PDAG, restarts: int) -> dict[str, float]:
    found = {"ges": _timed(lambda: ges(score())), "boss": _timed(lambda: boss(score(), restarts=restarts))}
    row = {"gain": found["boss"][0].score - found["ges"][0].score}
    for key, (result, seconds) in found.items():
        row |= {f"JI {key}": jaccard(result.graph, truth), f"SHD {key}": shd(result.graph, truth)}
        row |= {f"CPU s {key}": seconds}
    return row


def _timed(run: Callable[[], LearnResult]) -> tuple[LearnResult, float]:
    began = time.process_time()
    return run(), time.process_time() - began


def _print_linear(samples: int, restarts: int, peer: str | None) -> None:
    """Compare boss, GES and flopsearch on linear networks at a penalty of ln n per parameter, twice that of BIC."""
    rows = []
    for p, n in LINEAR:
        for seed in range(SEED, SEED + samples):
            network = random_gaussian_network(p, EDGES * p, seed=seed)
            data, truth = sample(network, n, seed=seed + 1), cpdag(network.dag)
            for name, graph, seconds in _contenders(data, restarts, peer):
                row = {"variables": p, "rows": n, "seed": seed, "by": name}
                row |= {"SHD": shd(graph, truth), "JI": jaccard(graph, truth), "CPU s": seconds}
                rows.append(row)
                print(*row.values(), sep="\t", flush=True)
    means = pd.DataFrame(rows).groupby(["variables", "rows", "by"], sort=False)[["SHD", "JI", "CPU s"]].mean()
    print(means.round(3).to_string())


def _contenders(data: Dataset, restarts: int, peer: str | None) -> Iterator[tuple[str, PDAG, float]]:
    found, seconds = _timed(lambda: ges(GaussianBIC(data, penalty=2.0)))
    yield "ges", found.graph, seconds
    found, seconds = _timed(lambda: boss(GaussianBIC(data, penalty=2.0), restarts=restarts))
    yield "boss", found.graph, seconds
    if peer:
        yield from _flop(data, restarts, peer)


def _flop(data: Dataset, restarts: int, peer: str) -> Iterator[tuple[str, PDAG, float]]:
    """Run flopsearch in its own Python; return no figures if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.npy"
        np.save(rows, data.values)
        done = subprocess.run([peer, "-c", FLOP, str(rows), str(restarts), "2.0"], capture_output=True, check=False)
        if done.returncode == 0:
            found = np.load(f"{rows}.found.npz")
            amat = found["amat"]
            yield "flopsearch", PDAG((amat == 1) | (amat == 2)), float(found["seconds"])


if __name__ == "__main__":
    main()
