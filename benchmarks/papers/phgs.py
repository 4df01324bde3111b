"""The experiments of Huang and Zhou (2022), section 5."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import pandas as pd

from learners import BIC, G2, LearnResult, path, pc, ppc
from learners.metrics import jaccard

from .experiment import Experiment, Figure, Piece
from .tiled import TILES, drawn

ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001, 0.0005, 0.0001, 0.00005, 0.00001, 0.000005)  # equation 5.1
TAU, ALPHA_MIN, LARGEST = 10, 1e-5, 3


def n_calls(result: LearnResult) -> int:
    """Statistical calls as section 5.1 counts them."""
    calls = getattr(result.extra, "calls", None)
    return (sum(calls.values()) if calls else result.n_tests) + result.n_scores


def table2(piece: Piece) -> Iterator[Figure]:
    """Table 2: JI and calls of pPC and PC, at one level with and without PATH, and at the best of ten levels."""
    truth, data = drawn(piece["network"], piece["seed"])
    test, score = G2(data, dof="plain"), BIC(data)
    for name, learner in {"pPC": ppc, "PC": pc}.items():
        result, seconds = timed(
            lambda name=name: path(
                test,
                score,
                alpha=ALPHAS[0],
                tau=TAU,
                alpha_min=ALPHA_MIN,
                max_cond_size=LARGEST,
                skeleton=name.lower(),
            )
        )
        solutions = result.extra.path
        yield Figure(name, "JI", jaccard(solutions.graphs[0], truth))
        yield Figure(f"{name} PATH", "JI", jaccard(result.graph, truth), seconds)
        yield Figure(f"{name} PATH", "calls", n_calls(result))
        yield Figure(f"{name} PATH", "valid", float(solutions.valid[solutions.choice]))
        yield from best_of_ten(
            f"{name}*",
            lambda alpha, learner=learner: learner(test, alpha=alpha, max_cond_size=LARGEST),
            lambda result: jaccard(result.graph, truth),
        )


def best_of_ten(
    name: str, learn: Callable[[float], LearnResult], index: Callable[[LearnResult], float]
) -> Iterator[Figure]:
    """The highest JI over the ten levels, and the calls of all of them."""
    best, total, seconds = 0.0, 0, 0.0
    for alpha in ALPHAS:
        result, taken = timed(lambda alpha=alpha: learn(alpha))
        best, total, seconds = max(best, index(result)), total + n_calls(result), seconds + taken
    yield Figure(name, "JI", best, seconds)
    yield Figure(name, "calls", total)


def timed(learn: Callable[[], LearnResult]) -> tuple[LearnResult, float]:
    """The result, and what it had of all cores together."""
    began = time.process_time()
    result = learn()
    return result, time.process_time() - began


def normalised(rows: pd.DataFrame, by: str = "pPC PATH") -> pd.DataFrame:
    """The rows with calls as multiples of those of one method on the same data."""
    calls = rows["metric"] == "calls"
    unit = rows[calls & (rows["method"] == by)].set_index("piece")["value"]
    divided = rows[calls].assign(metric="normalised calls")
    divided["value"] = divided["value"] / divided["piece"].map(unit)
    return pd.concat([rows, divided[divided["method"] != by]])


@cache
def _printed2() -> dict[tuple[str, str, str], str]:
    methods = [("pPC", "JI"), ("pPC PATH", "JI"), ("PC", "JI"), ("PC PATH", "JI"), ("pPC*", "JI"), ("PC*", "JI")]
    methods += [("PC PATH", "normalised calls"), ("pPC*", "normalised calls"), ("PC*", "normalised calls")]
    return printed(
        methods,
        """
        0.449 0.726 0.390 0.694 0.712 0.707 3.256 8.537 11.543
        0.249 0.333 0.259 0.331 0.292 0.292 7.842 7.258 15.863
        0.220 0.292 0.211 0.290 0.258 0.259 1.434 4.629 5.199
        0.326 0.359 0.309 0.361 0.359 0.359 2.811 7.934 10.474
        0.504 0.560 0.488 0.561 0.519 0.508 4.334 7.681 12.905
        0.407 0.414 0.385 0.405 0.412 0.400 2.490 8.377 11.049
        0.568 0.583 0.538 0.564 0.573 0.552 1.585 8.478 9.480
        0.475 0.478 0.469 0.480 0.477 0.474 1.811 8.193 10.013
        0.518 0.548 0.505 0.537 0.520 0.508 1.296 7.515 8.166
        0.621 0.633 0.572 0.595 0.621 0.574 1.894 8.249 10.089
        0.852 0.853 0.867 0.871 0.852 0.867 1.561 8.938 10.747
        0.206 0.235 0.199 0.226 0.207 0.201 2.235 7.729 10.013
        0.407 0.426 0.404 0.421 0.411 0.407 1.898 8.175 10.095
        0.339 0.359 0.341 0.361 0.342 0.347 1.465 8.624 9.697
        0.307 0.296 0.291 0.262 0.307 0.291 1.874 8.537 10.396
        0.086 0.085 0.087 0.087 0.088 0.090 2.009 8.620 13.546
        0.053 0.053 0.053 0.052 0.054 0.053 1.266 8.844 9.940
        0.219 0.219 0.262 0.262 0.239 0.263 1.765 8.744 11.738
        0.323 0.297 0.312 0.274 0.326 0.313 1.664 8.707 10.410
        0.158 0.157 0.149 0.149 0.168 0.160 1.684 8.289 9.840
        """,
    )


def printed(methods: Iterable[tuple[str, str]], table: str) -> dict[tuple[str, str, str], str]:
    """Numbers of a table whose lines are the networks of table 1."""
    lines = [line.split() for line in table.split("\n") if line.strip()]
    return {
        (f"network={name}", *method): text
        for name, line in zip(TILES, lines, strict=True)
        for method, text in zip(methods, line, strict=True)
    }


CELLS = tuple({"network": name} for name in TILES)
TABLE2 = Experiment(
    name="phgs_table2",
    what="pHGS, table 2: pPC against PC, with and without PATH",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=table2,
    derive=normalised,
    printed=_printed2(),
)
