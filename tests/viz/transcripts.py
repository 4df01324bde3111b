"""Transcripts: all sentences of a run of each learner on a small table, one file per learner.

A change of a sentence shows as a difference in these files. Read it, then write them again::

    python -m tests.viz.transcripts
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.graphs.graph import PDAG
from learners.networks.random_networks import random_discrete_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS, learn
from viz.kinds import kind_of
from viz.tables import text_of_graph

FOLDER = Path(__file__).parent / "transcripts"
NAMES = ("exercise", "weight", "pressure", "salt", "stroke")
EDGES = ((0, 1), (1, 2), (3, 2), (2, 4))  # exercise -> weight -> pressure <- salt, pressure -> stroke
FEW = {"bootstrap": {"n_resamples": 20}, "order_mcmc": {"steps": 2_000, "run_on": 0}}


@cache
def table() -> Dataset:
    """Return 500 rows of a network of five binary variables with a chain and a v-structure."""
    network = random_discrete_network(PDAG.from_edges(5, directed=EDGES), 2, 2, 0.4)
    drawn = sample(network, 500, seed=2)
    return Dataset.from_codes(drawn.codes, drawn.arity, NAMES, drawn.levels)


@cache
def numbers() -> Dataset:
    """Return 500 rows of exercise -> weight -> stroke and salt -> pressure; weight and pressure have a hidden cause."""
    rng = np.random.default_rng(2)
    exercise, salt, hidden = rng.normal(size=(3, 500))
    weight = exercise + hidden + 0.5 * rng.normal(size=500)
    pressure = salt + hidden + 0.5 * rng.normal(size=500)
    stroke = weight + rng.normal(size=500)
    return Dataset.from_values(np.column_stack([exercise, weight, pressure, salt, stroke]), NAMES)


def table_for(key: str) -> Dataset:
    """Return the table of a learner: levels, or numbers if it takes no table of levels alone."""
    return table() if "categorical" in LEARNERS[key].kinds else numbers()


def transcript(key: str) -> str:
    """Return all sentences of a run: its graph, warnings, steps, and the explanation of each pair."""
    result = learn(key, table_for(key), **FEW.get(key, {}))
    steps = kind_of(result).timeline(result, np.zeros((len(NAMES), 2)))["steps"]["text"]
    lines = [f"{LEARNERS[key].label}: {LEARNERS[key].summary}", "", "Graph"]
    lines += [f"  {sentence}" for sentence in text_of_graph(result, result.graph)]
    lines += [f"  warning: {warning}" for warning in result.warnings]
    lines += ["", "Steps", *(f"  {step}: {text}" for step, text in enumerate(steps))]
    for pair in combinations(range(len(NAMES)), 2):
        explained = explanation(result, pair, table_for(key))
        lines += ["", explained.headline, *(f"  {sentence}" for sentence in explained.sentences)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for key in LEARNERS:
        (FOLDER / f"{key}.txt").write_text(transcript(key), encoding="utf-8")
