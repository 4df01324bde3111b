"""The same queries to bundled networks by Edgewise, pgmpy and bare pyAgrum: ``python -m benchmarks queries``."""

from __future__ import annotations

import argparse
import math
import resource
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyagrum

from learners import DataError, DiscreteNetwork, load_network, sample, write_bif
from learners.io.samples import NETWORKS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pgmpy.inference import BeliefPropagation, VariableElimination

    from tests.second_library import in_pgmpy

KNOWN = 0.1  # share of observed variables, as in a case that a user has begun to enter
SEED = 7_901
ENOUGH = 2.0  # minimum CPU seconds for which queries are repeated
MAX_BYTES = 8 << 30


class _TooLongError(Exception):
    """Raised if a query exceeds the limit."""


def main(argv: list[str] | None = None) -> None:
    """Print a line for each network."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks queries", description=__doc__)
    parser.add_argument("networks", nargs="*", help="bundled networks of tables (default: all)")
    parser.add_argument("--cases", type=int, default=5, help="of each network (default: 5)")
    parser.add_argument("--limit", type=int, default=30, help="seconds of CPU for a question (default: 30)")
    options = parser.parse_args(argv)
    every = [key for key, one in NETWORKS.items() if one.kind == "categorical"]
    signal.signal(signal.SIGPROF, _ring)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))  # a query that needs more ends in a MemoryError
    for k, key in enumerate(options.networks or every):
        table = pd.DataFrame([_row(key, options.cases, options.limit)])
        print(table.to_csv(sep=";", index=False, header=not k, lineterminator="\n"), end="", flush=True)


def _row(key: str, cases: int, limit: int) -> dict[str, Any]:
    """Return the CPU milliseconds of a query for the distribution of one variable, and of all variables."""
    network = load_network(key)
    model, rng = in_pgmpy(network), np.random.default_rng(SEED)
    direct = _in_pyagrum(network)
    ids = [direct.idFromName(name) for name in network.names]
    questions = list(_questions(network, cases, rng))

    def ours(known: dict[int, int], j: int) -> np.ndarray:
        # Edgewise computes one variable together with all others, because the Query page draws them all.
        values = network.posterior({network.names[k]: network.levels[k][code] for k, code in known.items()})
        return values[network.names[j]]

    def bare(known: dict[int, int], j: int) -> np.ndarray:
        engine = pyagrum.LazyPropagation(direct)
        engine.setNumberOfThreads(1)
        for k, code in known.items():
            engine.addEvidence(ids[k], code)
        engine.makeInference()
        return [engine.posterior(k).toarray() for k in ids][j]

    def one(known: dict[int, int], j: int) -> np.ndarray:
        return VariableElimination(model).query([j], evidence=known, show_progress=False).values

    def tree(known: dict[int, int], j: int) -> np.ndarray:
        return BeliefPropagation(model).query([j], evidence=known, show_progress=False).values

    asked = {"all, ours": ours, "all, bare pyAgrum": bare, "one, eliminated": one, "one, by its tree": tree}
    figures = {name: _asked(way, questions, limit) for name, way in asked.items()}
    first, *others = (answers for _, answers in figures.values())
    apart = [np.abs(a - b).max() for answers in others for a, b in zip(first, answers, strict=False)]
    values = {name: "-" if math.isnan(took) else f"{1e3 * took:.1f}" for name, (took, _) in figures.items()}
    return {"network": key, "p": network.p} | values | {"largest difference": max(apart, default=np.nan)}


def _in_pyagrum(network: DiscreteNetwork) -> pyagrum.BayesNet:
    """Return the network as pyAgrum reads it from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.bif"
        path.write_text(write_bif(network), encoding="utf-8")
        return pyagrum.loadBN(str(path))


def _questions(network: Any, cases: int, rng: np.random.Generator) -> Iterator[tuple[dict[int, int], int]]:
    """Yield some states of a drawn case, and a variable outside them."""
    codes = sample(network, cases, SEED).codes
    for case in codes.T:
        asked, *order = rng.permutation(network.p).tolist()
        yield {j: int(case[j]) for j in order[: max(1, int(KNOWN * network.p))]}, asked


def _asked(way: Callable[..., np.ndarray], questions: list, limit: int) -> tuple[float, list[np.ndarray]]:
    """Return the mean CPU seconds of a query and the answers; NaN if one took too long or was refused."""
    began, rounds = time.process_time(), 0
    while not rounds or time.process_time() - began < ENOUGH:
        answers = []
        for question in questions:
            signal.setitimer(signal.ITIMER_PROF, limit)
            try:
                answers.append(way(*question))
            except (_TooLongError, DataError, MemoryError, ValueError):
                return math.nan, answers
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
        rounds += 1
    return (time.process_time() - began) / rounds / len(questions), answers


def _ring(*_: Any) -> None:
    raise _TooLongError


if __name__ == "__main__":
    main()
