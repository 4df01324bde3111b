"""``python -m benchmarks queries``: questions to the bundled networks, beside pgmpy on the same questions."""

from __future__ import annotations

import argparse
import signal
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from learners import DataError, load_network, sample
from learners.io.samples import NETWORKS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pgmpy.inference import BeliefPropagation, VariableElimination

    from tests.second_library import in_pgmpy

KNOWN = 0.1  # of the variables, as in a case that somebody has begun to enter
SEED = 7_901


class _TooLongError(Exception):
    """A question took more than the limit."""


def main(argv: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks queries", description=__doc__)
    parser.add_argument("networks", nargs="*", help="bundled networks of tables (default: all)")
    parser.add_argument("--cases", type=int, default=5, help="of each network (default: 5)")
    parser.add_argument("--limit", type=int, default=30, help="seconds of CPU for a question (default: 30)")
    options = parser.parse_args(argv)
    every = [key for key, one in NETWORKS.items() if one.kind == "categorical"]
    signal.signal(signal.SIGPROF, _ring)
    rows = (_row(key, options.cases, options.limit) for key in options.networks or every)
    print(pd.DataFrame(rows).to_string(index=False), flush=True)


def _row(key: str, cases: int, limit: int) -> dict[str, Any]:
    """Median milliseconds of CPU for a question: one variable's distribution, and those of all."""
    network = load_network(key)
    model, rng = in_pgmpy(network), np.random.default_rng(SEED)
    questions = list(_questions(network, cases, rng))

    def ours(known: dict[int, int], j: int) -> np.ndarray:
        # A network answers one variable as part of all: what its page draws.
        told = network.posterior({network.names[k]: network.levels[k][code] for k, code in known.items()})
        return told[network.names[j]]

    def one(known: dict[int, int], j: int) -> np.ndarray:
        return VariableElimination(model).query([j], evidence=known, show_progress=False).values

    def tree(known: dict[int, int], j: int) -> np.ndarray:
        return BeliefPropagation(model).query([j], evidence=known, show_progress=False).values

    asked = {"all, ours": ours, "one, eliminated": one, "one, by its tree": tree}
    figures = {name: _asked(way, questions, limit) for name, way in asked.items()}
    first, *others = (answers for _, answers in figures.values())
    apart = [np.abs(a - b).max() for answers in others for a, b in zip(first, answers, strict=False)]
    told = {name: f"{1e3 * statistics.median(took):.1f}" if took else "-" for name, (took, _) in figures.items()}
    return {"network": key, "p": network.p} | told | {"largest difference": max(apart, default=np.nan)}


def _questions(network: Any, cases: int, rng: np.random.Generator) -> Iterator[tuple[dict[int, int], int]]:
    """Some states of a drawn case, and a variable that is not among them."""
    codes = sample(network, cases, SEED).codes
    for case in codes.T:
        asked, *order = rng.permutation(network.p).tolist()
        yield {j: int(case[j]) for j in order[: max(1, int(KNOWN * network.p))]}, asked


def _asked(way: Callable[..., np.ndarray], questions: list, limit: int) -> tuple[list[float], list[np.ndarray]]:
    """Seconds of CPU and answers, up to the first question that took too long or was refused."""
    took, answers = [], []
    for question in questions:
        signal.setitimer(signal.ITIMER_PROF, limit)
        began = time.process_time()
        try:
            answers.append(way(*question))
        except (_TooLongError, DataError, MemoryError, ValueError):
            break
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        took.append(time.process_time() - began)
    return took, answers


def _ring(*_: Any) -> None:
    raise _TooLongError


if __name__ == "__main__":
    main()
