"""Which independence test suits a table: the tests compared on copies of its columns with permuted rows."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.checks import check_count, check_open_interval
from ..common.errors import DataError
from ..common.progress import Stopped, Tick, silent
from ..common.sentences import Phrase, Value, percent, phrase
from ..common.validation import Seed, validated
from ..data.dataset import Dataset
from ..data.resampling import once
from ..independence.selection import ci_test_for

MAX_ROWS_PERMUTED = 2_000  # with more rows, tests by permutation are left out: they take too long
MAX_BASIS_CELLS = 1_000_000  # with more cells, copies included, the basis-function test is left out: 400 MB and 3 CPU s
TOLERANCE = 2.0  # standard errors by which a share may exceed its nominal value
PHASE = "tests"
# The tests of each kind of table in the order in which they are preferred if equally good: label and settings.
TESTS: Mapping[str, tuple[tuple[str, Mapping[str, Any]], ...]] = {
    "categorical": (
        ("G²", {"test": "g2"}),
        ("G², plain degrees of freedom", {"test": "g2", "dof": "plain"}),
        ("Pearson's X²", {"test": "x2"}),
        ("Shrinkage", {"test": "shrinkage"}),
        ("Semi-parametric", {"test": "semi-parametric"}),
        ("Permutation", {"test": "permutation"}),
    ),
    "mixed": (
        ("Degenerate Gaussian", {"test": "dg"}),
        ("Basis-function test", {"test": "basis"}),
        ("Regression", {"test": "regression"}),
    ),
    "continuous": (("Fisher's z", {"test": "z"}), ("Basis-function test", {"test": "basis"})),
}
PERMUTING = ("permutation", "semi-parametric")
# Function of the number of a query, x, y and the set: the p-values of x with the permuted copy of y, and with y.
TestOfQuery = Callable[[int, int, int, tuple[int, ...]], list[float]]


@dataclass(frozen=True)
class TestedLevel:
    """One test on this table.

    Attributes
    ----------
    label : str
        Name of the test.
    settings : mapping
        Settings that select it in a learner, e.g. ``{"test": "x2"}``.
    false_share : float
        Share of the pairs made independent by permutation in which it finds a dependence; it should be alpha.
    found_share : float
        Share of the same pairs, unpermuted, in which it finds a dependence.
    keeps_level : bool
        True if `false_share` is at most two standard errors above alpha.
    """

    __test__ = False

    label: str
    settings: Mapping[str, Any]
    false_share: float
    found_share: float
    keeps_level: bool


@dataclass(frozen=True)
class SuitedTest:
    """The comparison of the tests on a table.

    Attributes
    ----------
    tests : tuple of TestedLevel
        In the order of preference if equally good.
    recommended : TestedLevel
    reason : str
    alpha : float
        Level of the tests.
    n_pairs : int
        Number of pairs tested, each with a conditioning set of its own.
    """

    tests: tuple[TestedLevel, ...]
    recommended: TestedLevel
    reason: Phrase
    alpha: float
    n_pairs: int


@validated
def suited_test(
    dataset: Dataset,
    *,
    alpha: float = 0.05,
    n_pairs: int = 200,
    max_cond_size: int = 2,
    seed: Seed = 0,
    tick: Tick = silent,
) -> SuitedTest:
    """Recommend an independence test for a table by its false discoveries on permuted columns.

    Parameters
    ----------
    dataset : Dataset
    alpha : float, default 0.05
        Level of the tests, in (0, 1).
    n_pairs : int, default 200
        Number of pairs drawn, at least 20, with conditioning sets of 0 to `max_cond_size` other variables in turn.
    max_cond_size : int, default 2
        Largest conditioning set, at least 0.
    seed : int, default 0
        Seed of the pairs and of the permutations.
    tick : Tick, optional
        Progress listener.

    Returns
    -------
    SuitedTest

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    DataError
        If there are fewer than two columns, or fewer than four rows.
    Stopped
        If cancelled.

    Notes
    -----
    For each pair x, y and set Z the rows of a copy of y are permuted, so x and the copy are independent given Z, while
    both keep their distributions. A test keeps its level if it rejects at most two standard errors more than a share
    alpha of these pairs. Of such tests, the recommended one finds most of the unpermuted pairs dependent; a more
    expensive test has to find more by two standard errors. Each pair has a permutation of its own. Row weights that
    count copies repeat the rows; survey weights are ignored. Tests by permutation are left out above 2,000 rows. The
    basis-function test is left out if the table and its copies have more than a million cells, or if cells are missing
    and there are more than 2,000 rows.

    References
    ----------
    Good (2005), Permutation, parametric and bootstrap tests of hypotheses. Tsamardinos and Borboudakis (2010),
    Permutation testing improves Bayesian network learning. ECML-PKDD.

    Examples
    --------
    >>> from learners import load_sample
    >>> suited_test(load_sample("wine").dataset, n_pairs=20).recommended.label
    "Fisher's z"
    """
    check_open_interval("alpha", alpha, 0.0, 1.0)
    check_count("n_pairs", n_pairs, 20)
    check_count("max_cond_size", max_cond_size, 0)
    if dataset.p < 2 or dataset.n_rows < 4:
        raise DataError(
            f"a comparison of tests needs at least 2 columns and 4 rows, found {dataset.p} and {dataset.n_rows}; "
            "use a larger table"
        )
    rng = np.random.default_rng(seed)
    rows = _repeated(dataset)
    queries = _queries(rows.p, n_pairs, min(max_cond_size, rows.p - 2), rng)
    both = _with_permuted(rows, [y for _, y, _ in queries], rng)
    compared = [(label, settings) for label, settings in TESTS[rows.kind] if _is_fast(settings["test"], both)]
    found = []
    for t, (label, settings) in enumerate(compared):
        own = {**settings, "seed": seed} if settings["test"] in PERMUTING else settings
        in_parts = settings["test"] == "basis" and not rows.complete
        bound = _by_basis(both, rows.p) if in_parts else _by_test(both, rows.p, own)
        rejected = _rejections(bound, queries, alpha, (t, len(compared)), tick)
        found.append((label, settings, rejected))
    limit = alpha + TOLERANCE * math.sqrt(alpha * (1.0 - alpha) / n_pairs)
    tests = tuple(
        TestedLevel(label, settings, *map(float, rejected.mean(axis=0)), bool(rejected[:, 0].mean() <= limit))
        for label, settings, rejected in found
    )
    best, reason = _best(tests, [rejected[:, 1] for *_, rejected in found], alpha)
    return SuitedTest(tests, best, reason, alpha, n_pairs)


def _is_fast(test: str, both: Dataset) -> bool:
    """Return True if a test takes seconds on a table with its permuted copies."""
    if test == "basis":
        cells = both.p * both.n_rows
        return cells <= MAX_BASIS_CELLS and (both.complete or both.n_rows <= MAX_ROWS_PERMUTED)
    return test not in PERMUTING or both.n_rows <= MAX_ROWS_PERMUTED


def _repeated(dataset: Dataset) -> Dataset:
    """Return the rows without weights; counts of copies repeat them."""
    if dataset.weights is None:
        return dataset
    plain = dataclasses.replace(dataset, weights=None, completion=None)
    return plain if dataset.surveyed else plain.take(np.repeat(np.arange(dataset.n_rows), once(dataset)))


def _queries(p: int, n: int, most: int, rng: np.random.Generator) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return n pairs x, y with conditioning sets of 0 to `most` other variables in turn."""
    drawn = [rng.permutation(p)[: 2 + t % (most + 1)].tolist() for t in range(n)]
    return [(x, y, tuple(cond)) for x, y, *cond in drawn]


def _with_permuted(dataset: Dataset, columns: list[int], rng: np.random.Generator) -> Dataset:
    """Return the data with a permuted copy of each of the columns, in this order, after the others."""
    names, width = list(dataset.names), max(map(len, dataset.names)) + 1
    codes, values = [], []
    kinds, arity, levels, ordered = list(dataset.kinds), [], [], list(dataset.ordered)
    for t, j in enumerate(columns):
        order, name = rng.permutation(dataset.n_rows), f"{t}".rjust(width)  # longer than each name of the table
        names.append(name)
        kinds.append(dataset.kinds[j])
        place = dataset.place[j]
        if dataset.kinds[j] == "categorical":
            codes.append(dataset.codes[place][order])
            arity.append(dataset.arity[place])
            levels.append(dataset.levels[place])
            ordered += [name] if dataset.names[j] in dataset.ordered else []
        else:
            values.append(dataset.values[:, place][order])
    fields: dict[str, Any] = {"names": tuple(names), "completion": None, "unscored": None, "ordered": tuple(ordered)}
    if codes:
        fields |= {
            "codes": np.vstack([dataset.codes, codes]),
            "arity": np.concatenate([dataset.arity, arity]),
            "levels": (*dataset.levels, *levels),
        }
    if values:
        fields["values"] = np.ascontiguousarray(np.column_stack([dataset.values, *values]))
    if dataset.mixture is not None:
        fields["mixture"] = tuple(kinds)
    return dataclasses.replace(dataset, **fields)


def _by_test(both: Dataset, p: int, settings: Mapping[str, Any]) -> TestOfQuery:
    """Return the p-values of a test that is bound to all columns and copies."""
    test = ci_test_for(both, **settings)
    return lambda k, x, y, cond: [test.test(x, other, cond).p_value for other in (p + k, y)]


def _by_basis(both: Dataset, p: int) -> TestOfQuery:
    """Return the p-values of `BasisTest`, bound to the columns of each query, which have few basis functions."""
    from ..independence.basis_test import BasisTest

    def p_values(k: int, x: int, y: int, cond: tuple[int, ...]) -> list[float]:
        test = BasisTest(both.select([x, p + k, y, *cond]))
        return [test.test(0, other, range(3, 3 + len(cond))).p_value for other in (1, 2)]

    return p_values


def _rejections(
    p_values: TestOfQuery,
    queries: list[tuple[int, int, tuple[int, ...]]],
    alpha: float,
    position: tuple[int, int],
    tick: Tick,
) -> np.ndarray:
    """Return (n, 2) bool: whether the test rejects the permuted pair, and the pair itself."""
    (t, n_tests), n = position, len(queries)
    rejected = np.zeros((n, 2), dtype=bool)
    for k, (x, y, cond) in enumerate(queries):
        if not tick(PHASE, t * n + k, n_tests * n):
            raise Stopped
        rejected[k] = [p_value <= alpha for p_value in p_values(k, x, y, cond)]
    return rejected


def _best(tests: tuple[TestedLevel, ...], found: list[np.ndarray], alpha: float) -> tuple[TestedLevel, Phrase]:
    """Return the recommended test, and the reason."""
    keeping = [k for k, test in enumerate(tests) if test.keeps_level]
    values: dict[str, Value | str | int] = {}
    if not keeping:
        best = min(tests, key=lambda test: test.false_share)
        template = (
            "No test keeps its level here: {label} comes closest. It finds {false} of the independent pairs dependent, "
            "and should find {level}."
        )
    else:
        chosen = keeping[0]
        for k in keeping[1:]:
            more, less = int((found[k] & ~found[chosen]).sum()), int((found[chosen] & ~found[k]).sum())
            if more - less > TOLERANCE * math.sqrt(more + less):
                chosen = k
        best = tests[chosen]
        template = (
            "{label} keeps its level: it finds {false} of the independent pairs dependent, and should find {level}. No "
            "other test that does so, or is cheaper, finds clearly more dependences in the table."
        )
        if len(keeping) < len(tests) and chosen == keeping[0] > 0:
            template = (
                "{label} is the first test that keeps its level: it finds {false} of the independent pairs dependent, "
                "and should find {level}. {usual} finds {usual_false} of them."
            )
            values |= {"usual": tests[0].label, "usual_false": percent(tests[0].false_share)}
    return best, phrase(template, **values, label=best.label, false=percent(best.false_share), level=percent(alpha))
