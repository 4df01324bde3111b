"""The number of classes in a generative tree by the number of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...common.progress import Tick, silent
from ...data.dataset import Dataset
from ...data.resampling import once
from ...results.result import LearnResult

CAP = 500  # largest number of classes counted
SIZES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)


def sizes_up_to(n: int) -> tuple[int, ...]:
    """Return sample sizes up to n."""
    return tuple(size for size in SIZES if size < n) + (n,) if n <= SIZES[-1] else SIZES


def classes_by_rows(
    dataset: Dataset,
    learn_one: Callable[[Dataset, Tick], LearnResult],
    sizes: Sequence[int],
    *,
    cap: int = CAP,
    seed: int = 0,
    tick: Tick = silent,
) -> list[int]:
    """Count the classes of trees learned from nested samples of rows, drawn without replacement.

    Parameters
    ----------
    dataset : Dataset
    learn_one : callable
        ``learn_one(dataset, tick)`` returns a result of `brai`.
    sizes : sequence of int
        Increasing sample sizes, at most the number of rows.
    cap : int
        Largest number of classes counted.
    seed : int
    tick : Tick, optional
        Progress listener. If it returns False, the list ends with the sizes done so far.

    References
    ----------
    Rohekar, Gurwicz, Nisimov, Koren and Novik (2018), Bayesian structure learning by recursive bootstrap. NeurIPS:
    the number of unique CPDAGs in a tree against the number of rows.
    """
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(dataset.n_rows), once(dataset)))
    plain = dataset if dataset.weights is None or dataset.surveyed else dataset.with_weights(None)
    counts: list[int] = []
    for t, size in enumerate(sizes):
        if not tick("rows", t, len(sizes)):
            break
        one = learn_one(plain.take(np.sort(order[:size])), lambda *_, t=t: tick("rows", t, len(sizes)))
        if not one.complete:
            break
        counts.append(one.extra.n_classes(cap))
    return counts
