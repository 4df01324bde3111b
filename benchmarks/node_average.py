"""What a parameter should cost where cells are missing: ``python -m benchmarks.node_average``.

F1 of the skeleton that hill climbing finds on fresh rows of two networks of each kind of data, by price of a parameter
in multiples of ½ ln n, share of missing cells and rows. One seed each, and the price was chosen on these: a first
choice.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.mixed import with_holes
from learners import BIC, PDAG, Dataset, GaussianBIC, hc, load_network, random_gaussian_network, sample
from learners.scores.node_average import price_of_parameter

MULTIPLES = (1.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)
SHARES = (0.02, 0.05, 0.1, 0.2)
ROWS = (500, 2_000, 8_000)


def f1(found: PDAG, true: PDAG) -> float:
    """Of the skeletons."""
    both = (found.skeleton & true.skeleton).sum()
    return 2 * both / max(found.skeleton.sum() + true.skeleton.sum(), 1)


def at_price(data: Dataset, multiple: float) -> PDAG:
    """Hill climbing at so many times ½ ln n a parameter."""
    penalty = multiple * 0.5 * math.log(data.n) / price_of_parameter(data.n, complete=data.complete)
    score = (BIC if data.kind == "categorical" else GaussianBIC)(data, penalty=penalty)
    return hc(score).graph


def main() -> None:
    """Print the table."""
    networks = [load_network("child"), load_network("insurance")]
    networks += [random_gaussian_network(30, 45, seed=seed) for seed in (101, 102)]
    print("rows  missing  " + "".join(f"{multiple:>8g}" for multiple in MULTIPLES))
    for n in ROWS:
        for share in SHARES:
            rows = [(with_holes(sample(one, n, seed=7), share), one.dag) for one in networks]
            found = [[f1(at_price(data, multiple), true) for multiple in MULTIPLES] for data, true in rows]
            print(f"{n:5} {share:7.0%}  " + "".join(f"{value:8.3f}" for value in np.mean(found, axis=0)), flush=True)


if __name__ == "__main__":
    main()
