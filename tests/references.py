"""The reference values of `tests/reference/`, cached; its README lists their sources."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from learners import PDAG, Dataset

FOLDER = Path(__file__).parent / "reference"
DISCRETE = ("asia_n2000", "survey_n2000", "sachs_n1000", "child_n2000", "insurance_n1000", "alarm_n2000")
GAUSSIAN = ("gauss_p12_n500", "gauss_p30_n100")
LARGE = ("child_n2000", "insurance_n1000", "alarm_n2000")


def each(*names: str) -> list:
    """Return the samples as pytest parameters; large ones are marked `compiled`."""
    return [pytest.param(name, id=name, marks=[pytest.mark.compiled] * (name in LARGE)) for name in names]


@cache
def load(name: str) -> dict:
    """Return the content of a JSON file of the folder, compressed or not."""
    packed = FOLDER / f"{name}.json.gz"
    if packed.exists():
        return json.loads(gzip.decompress(packed.read_bytes()))
    return json.loads((FOLDER / f"{name}.json").read_text())


@cache
def dataset(name: str) -> Dataset:
    """Return one of the samples with all declared levels."""
    about = load(f"data/{name}")
    kind = np.int64 if about["kind"] == "discrete" else np.float64
    with gzip.open(FOLDER / f"data/{name}.csv.gz", "rt") as lines:
        rows = np.loadtxt(lines, delimiter=",", skiprows=1, dtype=kind)
    if kind is np.float64:
        return Dataset.from_values(rows, about["names"])
    return Dataset.from_codes(rows.T, about["arity"], about["names"], [about["levels"][n] for n in about["names"]])


@cache
def true_dag(name: str) -> PDAG:
    """Return the graph from which a sample was drawn."""
    about = load(f"data/{name}")
    at = {column: k for k, column in enumerate(about["names"])}
    return PDAG.from_edges(len(at), directed=[(at[a], at[b]) for a, b in about["dag"]])
