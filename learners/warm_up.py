"""Compile every kernel once, so that numba's cache on disk serves the first real run."""

from __future__ import annotations

import numpy as np

from .averaging.dag_sampling import order_posterior, sample_dags
from .averaging.exact import best_classes
from .data.dataset import Dataset
from .independence import PermutationG2, ShrinkageMI
from .registry import LEARNERS, learn
from .scores import BDeu

FEW = {"bootstrap": {"n_resamples": 1}, "brai": {"s": 1}}  # what would be repeated is compiled the first time


def warm_up() -> None:
    """Run every learner on a handful of rows of each kind and width of data it takes, and the exact posteriors."""
    rng = np.random.default_rng(0)
    names = [f"v{k}" for k in range(6)]
    # Chains, so that tests find something to go on with.
    small = (rng.random((6, 60)) < 0.2).cumsum(axis=0) % 2
    weighted = Dataset.from_codes(small, [2] * 6, names, weights=[1] * 60)
    data = [
        Dataset.from_codes(small, [2] * 6, names),
        Dataset.from_codes(small, [2] * 5 + [300], names),
        # Enough variables that a cache of families has to grow.
        Dataset.from_codes(rng.integers(0, 2, (40, 200)), [2] * 40, [f"v{k}" for k in range(40)]),
        # Enough equal rows that they are merged.
        *(Dataset.from_codes(np.zeros((6, 3_000), dtype=np.int64), [2] * 5 + [r], names) for r in (2, 300)),
        weighted,
        # Enough variables that some clusters of them have edges in between.
        Dataset.from_values(rng.normal(size=(60, 16)).cumsum(axis=1), [f"v{k}" for k in range(16)]),
    ]
    for key, learner in LEARNERS.items():
        for dataset in data:
            if dataset.kind in learner.kinds:
                learn(key, dataset, **FEW.get(key, {}))
    for dataset in data:
        if dataset.kind == "categorical":  # tests that are no learner's first choice
            PermutationG2(dataset, permutations=2).test(0, 1, (2,))
            ShrinkageMI(dataset).test(0, 1, (2,))
    few = BDeu(data[0].select([0, 1, 2]))
    best_classes(few, 3)
    sample_dags(order_posterior(few), 300, thin=1, burn_in=0, leap=0.5)
