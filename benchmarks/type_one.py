"""Type I error of tests at alpha 0.05: ``python -m benchmarks.type_one [mixed|levels]``.

Each table has a set Z of alternating numbers and categories of three levels, or of categories only, each depending on
the previous one; and ten variables of each type that depend only on Z, by linear or logit links. So each pair of these
is independent given Z.

`levels`: a pair of columns and a set of 0 to 4 columns of 3, 5 or 7 levels, with equal or skewed shares. The pair
depends on the levels of the set, and these on one another, or on nothing. Fisher's z sees the numbers that the levels
of the pair were cut from, and the tests of mixed data those of one of the two.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd

from learners import (
    G2,
    Dataset,
    DegenerateGaussian,
    FisherZ,
    OrderedG2,
    PearsonX2,
    PermutationG2,
    Regression,
    ShrinkageMI,
)
from learners.independence.ci_test import CITest

TABLES = 40  # tables with 100 tests per pair of column types; the standard error of a share of 0.05 is 0.003
EACH = 10
SIZES = (0, 1, 2, 4)
ROWS = (100, 300, 1_000, 3_000)
ALPHA = 0.05
FIRST_SEED, PAIR_TABLES = 910_001, 1_000
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


def cut(values: np.ndarray, levels: int, *, skewed: bool) -> np.ndarray:
    """Return levels with equal shares, or with shares that fall by .55 from each level to the next."""
    share = 0.55 ** np.arange(levels) if skewed else np.ones(levels)
    return np.searchsorted(np.quantile(values, np.cumsum(share / share.sum())[:-1]), values)


def standardized(values: np.ndarray) -> np.ndarray:
    """Return the values with mean 0 and standard deviation 1."""
    return (values - values.mean()) / max(values.std(), 1e-9)


def independent_pair(
    n: int, size: int, levels: int, seed: int, *, skewed: bool, linked: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return (2 + size, n) values and their levels; the first two are independent given the others."""
    rng = np.random.default_rng([FIRST_SEED, n, size, levels, skewed, linked, seed])
    values, codes = [], []

    def add(weight: float) -> None:
        signal = weight * sum(standardized(own) for own in codes[:size]) if linked else 0.0
        values.append(signal + rng.normal(size=n))
        codes.append(cut(values[-1], levels, skewed=skewed))

    for _ in range(size):
        add(0.5)
    add(0.8)
    add(0.8)
    order = [size, size + 1, *range(size)]
    return np.array(values)[order], np.array(codes)[order]


def tests_of_levels() -> dict[str, Callable[[np.ndarray, np.ndarray, list[str], int], CITest]]:
    """Return the tests by name; each takes values, levels, names and the number of levels."""

    def of_codes(kind: type[CITest], *, ordered: bool = False, **settings: object) -> Callable[..., CITest]:
        def make(_: np.ndarray, codes: np.ndarray, names: list[str], levels: int) -> CITest:
            data = Dataset.from_codes(codes, [levels] * len(codes), names)
            return kind(data.with_ordered_levels(names if ordered else []), **settings)

        return make

    def numbers(values: np.ndarray, codes: np.ndarray, names: list[str], _: int) -> CITest:
        return FisherZ(Dataset.from_values(np.vstack([values[:2], codes[2:]]).T, names))

    def mixed(kind: type[CITest]) -> Callable[..., CITest]:
        def make(values: np.ndarray, codes: np.ndarray, names: list[str], levels: int) -> CITest:
            labels = [f"L{level}" for level in range(levels)]
            frame = {name: pd.Categorical.from_codes(own, labels) for name, own in zip(names, codes, strict=True)}
            return kind(Dataset.from_frame(pd.DataFrame(frame | {names[0]: values[0]})))

        return make

    return {
        "ordered": of_codes(OrderedG2, ordered=True),
        "g2": of_codes(G2),
        "g2, plain dof": of_codes(G2, dof="plain"),
        "x2": of_codes(PearsonX2),
        "permutation": of_codes(PermutationG2, permutations=199),
        "semi-parametric": of_codes(PermutationG2, semi_parametric=True),
        "shrinkage": of_codes(ShrinkageMI),
        "fisher z": numbers,
        "dg": mixed(DegenerateGaussian),
        "regression": mixed(Regression),
    }


def show_levels(n_tables: int = PAIR_TABLES, keys: tuple[str, ...] = ()) -> None:
    """Print the mean and the largest share that each test rejects, by rows and size of the set."""
    tests = {key: make for key, make in tests_of_levels().items() if not keys or key in keys}
    print("| rows | size of the set |" + "".join(f" {name} |" for name in tests))
    print("|--:|--:|" + "--:|" * len(tests))
    for n, size in product((100, 300, 1_000), range(5)):
        cells = []
        kinds = list(product((3, 5, 7), (False, True), (True, False) if size else (True,)))
        rejected = np.zeros((len(tests), len(kinds)))
        for k, (levels, skewed, linked) in enumerate(kinds):
            for seed in range(n_tables):
                values, codes = independent_pair(n, size, levels, seed, skewed=skewed, linked=linked)
                names = list("xyabcd")[: 2 + size]
                for i, make in enumerate(tests.values()):
                    rejected[i, k] += make(values, codes, names, levels).test(0, 1, range(2, 2 + size)).p_value <= ALPHA
        shares = 100 * rejected / n_tables
        cells = [f" {own.mean():.1f}, {own.max():.1f} |" for own in shares]
        print(f"| {n} | {size} |" + "".join(cells), flush=True)


def main(part: str = "mixed", n_tables: int = PAIR_TABLES, *keys: str) -> None:
    """Print the tables of mixed data, or of levels by some tests."""
    if part == "levels":
        show_levels(n_tables, keys)
        return
    for test in (Regression, DegenerateGaussian):
        show(test)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *sys.argv[3:])
