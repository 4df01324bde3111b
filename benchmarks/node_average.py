"""Weight of score gains with missing cells: ``python -m benchmarks.node_average [held-out]``.

F1 of the skeleton that hill climbing finds on networks of each data type, by the constant c of
`learners.scores.node_average`, the rows and the share of missing cells. The constant was chosen on the training
networks and seeds, and confirmed on others.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

from learners import (
    PDAG,
    Dataset,
    hc,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.scores import node_average
from learners.scores.selection import score_for

CAUTIONS = (0.0, 0.4, 0.7, 1.1, 1.5, 2.2)
SHARES = (0.02, 0.05, 0.1, 0.2)
ROWS = (500, 2_000, 5_000)
TRAINING = {"names": ("child", "insurance"), "seeds": (8001, 8002), "rows": 8003}
HELD_OUT = {"names": ("alarm", "hailfinder"), "seeds": (8101, 8102), "rows": 8103}


def f1(found: PDAG, true: PDAG) -> float:
    """Return the F1 of two skeletons."""
    both = (found.skeleton & true.skeleton).sum()
    return 2 * both / max(found.skeleton.sum() + true.skeleton.sum(), 1)


def with_caution(data: Dataset, caution: float) -> PDAG:
    """Run hill climbing with this constant."""
    node_average.CAUTION = caution
    return hc(score_for(data)).graph


def main() -> None:
    """Print the table."""
    chosen = HELD_OUT if sys.argv[1:] == ["held-out"] else TRAINING
    networks = [load_network(name) for name in chosen["names"]]
    networks += [random_gaussian_network(25, 40, seed=seed) for seed in chosen["seeds"]]
    networks += [random_mixed_network(20, 28, seed=seed) for seed in chosen["seeds"]]
    cautions = CAUTIONS if chosen is TRAINING else (0.0, node_average.CAUTION)
    print("rows  missing  " + "".join(f"   c = {c:3g}" for c in cautions))
    means = []
    for n, share in product(ROWS, SHARES):
        rows = [(with_missing_cells(sample(one, n, seed=chosen["rows"]), share, seed=1), one.dag) for one in networks]
        found = [[f1(with_caution(data, c), true) for c in cautions] for data, true in rows]
        means.append(np.mean(found, axis=0))
        print(f"{n:5} {share:7.0%}  " + "".join(f"{value:10.3f}" for value in means[-1]), flush=True)
    print("mean            " + "".join(f"{value:10.3f}" for value in np.mean(means, axis=0)))


if __name__ == "__main__":
    main()
