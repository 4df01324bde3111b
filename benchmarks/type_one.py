"""Type I error of tests on mixed data at alpha 0.05: ``python -m benchmarks.type_one``.

Each table has a set Z of alternating numbers and categories of three levels, or of categories only, each depending on
the previous one; and ten variables of each type that depend only on Z, by linear or logit links. So each pair of these
is independent given Z.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd

from learners import Dataset, DegenerateGaussian, Regression
from learners.independence.ci_test import CITest

TABLES = 40  # tables with 100 tests per pair of column types; the standard error of a share of 0.05 is 0.003
EACH = 10
SIZES = (0, 1, 2, 4)
ROWS = (100, 300, 1_000, 3_000)
ALPHA = 0.05
PAIRS = {
    "2 x 2 levels": ("two", "another two"),
    "3 x 4 levels": ("three", "four"),
    "3 levels, number": ("three", "number"),
    "number, number": ("number", "another number"),
}
LEVELS = {"two": 2, "another two": 2, "three": 3, "four": 4, "number": 1, "another number": 1}


def drawn(signal: np.ndarray, rng: np.random.Generator) -> np.ndarray | pd.Categorical:
    """Draw a number around an (n, 1) signal, or a level from (n, r) log odds."""
    if signal.shape[1] == 1:
        return signal[:, 0] + rng.normal(size=len(signal))
    r = signal.shape[1]
    return pd.Categorical.from_codes(
        (signal + rng.gumbel(size=signal.shape)).argmax(axis=1), [f"L{c}" for c in range(r)]
    )


def columns_of(value: np.ndarray | pd.Categorical) -> np.ndarray:
    """Return a number unchanged, and levels as centred indicators."""
    return (
        value[:, None] if isinstance(value, np.ndarray) else np.eye(len(value.categories))[value.codes][:, 1:] * 2 - 1
    )


def table(size: int, n: int, seed: int, *, levels_alone: bool) -> Dataset:
    """Draw variables that depend on a set of the given size, each by its own link; the set comes last."""
    rng = np.random.default_rng((seed, size, n))
    given: list[np.ndarray] = []
    frame: dict[str, object] = {}
    kept = {}
    for k in range(size):
        before = given[-1] @ rng.uniform(-1, 1, (given[-1].shape[1], 1)) if given else np.zeros((n, 1))
        kept[f"z{k}"] = drawn(before * np.linspace(-1, 1, 3) if k % 2 or levels_alone else before, rng)
        given.append(columns_of(kept[f"z{k}"]))
    for kind, r in LEVELS.items():
        for i in range(EACH):
            signal = np.zeros((n, r))
            for z in given:
                weights = rng.uniform(0.4, 1.0, (z.shape[1], r)) * rng.choice([-1, 1], (z.shape[1], r))
                signal += z @ weights / np.sqrt(size)
            frame[f"{kind} {i}"] = drawn(signal, rng)
    return Dataset.from_frame(pd.DataFrame(frame | kept))


def share_rejected(
    make: Callable[[Dataset], CITest], size: int, n: int, *, levels_alone: bool = False
) -> dict[str, float]:
    """Return the share of rejected tests for each pair of column types."""
    rejected = dict.fromkeys(PAIRS, 0)
    for seed in range(TABLES):
        data = table(size, n, seed, levels_alone=levels_alone)
        test, cond = make(data), [data.index(f"z{k}") for k in range(size)]
        for name, (one, other) in PAIRS.items():
            for i in range(EACH):
                for j in range(EACH):
                    result = test.test(data.index(f"{one} {i}"), data.index(f"{other} {j}"), cond)
                    rejected[name] += result.p_value <= ALPHA
    return {name: found / (TABLES * EACH * EACH) for name, found in rejected.items()}


def show(test: type[CITest]) -> None:
    """Print the shares of one test."""
    print(f"{test.__name__}, share rejected at {ALPHA}")
    print("Z             |Z|     n" + "".join(f"{name:>18}" for name in PAIRS))
    for alone in (False, True):
        for size, n in product(SIZES[alone:], ROWS):
            shares = share_rejected(test, size, n, levels_alone=alone)
            text = "".join(f"{share:18.3f}" for share in shares.values())
            print(f"{'levels' if alone else 'both kinds':12} {size:4} {n:5}{text}", flush=True)


def main() -> None:
    """Print the tables."""
    for test in (Regression, DegenerateGaussian):
        show(test)


if __name__ == "__main__":
    main()
