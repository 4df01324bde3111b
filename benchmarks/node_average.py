"""What a parameter should cost where cells are missing: ``python -m benchmarks.node_average [held-out]``.

F1 of the skeleton that hill climbing finds on networks of each kind of data, by factor c of the price
c sqrt(share missing) n^0.55, by rows and share. c was chosen on the training networks and seeds, and held against BIC's
½ ln n and the first price, ¼ n^0.65, on others.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import product

import numpy as np

from learners import (
    BIC,
    PDAG,
    Dataset,
    hc,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_holes,
)
from learners.scores.node_average import price_of_parameter
from learners.settings.binding import score_for

FACTORS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
SHARES = (0.02, 0.05, 0.1, 0.2)
ROWS = (500, 2_000, 8_000)
TRAINING = {"names": ("child", "insurance"), "seeds": (101, 102), "rows": 7}
HELD_OUT = {"names": ("alarm", "hailfinder"), "seeds": (201, 202), "rows": 8}
PRICES: dict[str, Callable[[int, float], float]] = {
    "½ ln n": lambda n, _: 0.5 * math.log(n),
    "¼ n^0.65": lambda n, _: 0.25 * n**0.65,
    **{f"c = {c:g}": lambda n, share, c=c: max(0.5 * math.log(n), c * math.sqrt(share) * n**0.55) for c in FACTORS},
}


def f1(found: PDAG, true: PDAG) -> float:
    """Of the skeletons."""
    both = (found.skeleton & true.skeleton).sum()
    return 2 * both / max(found.skeleton.sum() + true.skeleton.sum(), 1)


def at_price(data: Dataset, price: float) -> PDAG:
    """Hill climbing at this price of a parameter."""
    penalty = price / price_of_parameter(data.n, data.missing)
    return hc(BIC(data, penalty=penalty) if data.kind == "categorical" else score_for(data, penalty=penalty)).graph


def main() -> None:
    """Print the table."""
    chosen = HELD_OUT if sys.argv[1:] == ["held-out"] else TRAINING
    networks = [load_network(name) for name in chosen["names"]]
    networks += [random_gaussian_network(30, 45, seed=seed) for seed in chosen["seeds"]]
    networks += [random_mixed_network(25, 35, seed=seed) for seed in chosen["seeds"]]
    prices = PRICES if chosen is TRAINING else {name: PRICES[name] for name in ("½ ln n", "¼ n^0.65", "c = 2")}
    print("rows  missing  " + "".join(f"{name:>10}" for name in prices))
    means = []
    for n, share in product(ROWS, SHARES):
        rows = [(with_holes(sample(one, n, seed=chosen["rows"]), share, seed=1), one.dag) for one in networks]
        found = [[f1(at_price(data, price(n, share)), true) for price in prices.values()] for data, true in rows]
        means.append(np.mean(found, axis=0))
        print(f"{n:5} {share:7.0%}  " + "".join(f"{value:10.3f}" for value in means[-1]), flush=True)
    print("mean            " + "".join(f"{value:10.3f}" for value in np.mean(means, axis=0)))


if __name__ == "__main__":
    main()
