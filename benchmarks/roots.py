"""Calibration of B-RAI's probabilities by the number of averaged trees: ``python -m benchmarks roots``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

from learners import learn, load_network, sample
from learners.data.dataset import Dataset
from learners.graphs.cpdag import cpdag
from learners.graphs.equivalence_class import direction_shares
from learners.graphs.graph import PDAG

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm")
ROWS = (500, 2_000)
ROOTS = (1, 5, 10, 30)
SEED = 7_301  # first seed; not used for tuning
SURE = 0.95


def main(argv: list[str] | None = None) -> None:
    """Print the means over networks and samples, a row for each number of trees."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks roots", description=__doc__)
    parser.add_argument("--samples", type=int, default=2, help="of each network and number of rows (default: 2)")
    options = parser.parse_args(argv)
    rows = [row for data, truth in _problems(options.samples) for roots in ROOTS for row in [_row(data, truth, roots)]]
    print(pd.DataFrame(rows).groupby("trees").mean().round(3).to_string())


def _problems(samples: int) -> Iterator[tuple[Dataset, PDAG]]:
    for name in NETWORKS:
        network = load_network(name)
        for n in ROWS:
            for seed in range(SEED, SEED + samples):
                yield sample(network, n, seed=seed), cpdag(network.dag)


def _row(data: Dataset, truth: PDAG, roots: int) -> dict[str, float]:
    """Compare P(i -> j) with the true class, and P(adjacent) with the true skeleton."""
    began = time.process_time()
    posterior = learn("brai", data, roots=roots).extra.posterior()
    off, above = ~np.eye(truth.p, dtype=bool), np.triu_indices(truth.p, 1)
    predicted, true = posterior.directed[off], direction_shares(truth)[off]
    joined, edge = posterior.adjacent[above], truth.skeleton[above]
    sure = joined >= SURE
    return {
        "trees": roots,
        "AUC edge": area_under_roc(edge, joined),
        "AUC direction": area_under_roc(true == 1.0, predicted),
        "Brier edge": float(((joined - edge) ** 2).mean()),
        "Brier direction": float(((predicted - true) ** 2).mean()),
        "calibration error": calibration_error(predicted, true),
        f"true of P >= {SURE}": float(edge[sure].mean()) if sure.any() else np.nan,
        "CPU s": time.process_time() - began,
    }


def area_under_roc(true: np.ndarray, predicted: np.ndarray) -> float:
    """Return the area under the ROC curve, by ranks."""
    n = int(true.sum())
    if n in (0, len(true)):
        return np.nan
    ranks = pd.Series(predicted).rank().to_numpy()
    return (ranks[true].sum() - n * (n + 1) / 2) / (n * (len(true) - n))


def calibration_error(predicted: np.ndarray, true: np.ndarray) -> float:
    """Return the mean distance between predicted and observed frequencies over ten bins."""
    bins = np.minimum((predicted * 10).astype(int), 9)
    return sum(abs(predicted[bins == b].mean() - true[bins == b].mean()) * np.mean(bins == b) for b in np.unique(bins))


if __name__ == "__main__":
    main()
