"""Tables with missing cells: graphs from imputed tables, from available cells and from complete rows."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from learners import (
    DataError,
    Dataset,
    cpdag,
    learn,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.evaluation.metrics import jaccard, shd
from learners.verdict.assumptions import complete_rows

from .experiment import Claim, Experiment, Figure, Piece

SEED = 898_000  # first seed; no seed from here on was used to choose a default
ROWS = 1_000
LEARNERS = {"boss": "BOSS", "ges": "GES", "pc": "PC"}
TABLES = ("child", "numbers", "mixed")
MISSING = (("mar", 10), ("mar", 30), ("mcar", 30))  # mechanism and percentage of the cells
MOST_SUMS = 20  # percentage of missing numbers beyond which scores of available cells take minutes
JACCARD, SHD = "Jaccard index of the CPDAG", "SHD of the CPDAG"


def _network(name: str, seed: int) -> object:
    if name == "numbers":
        return random_gaussian_network(20, 30, seed=seed)
    return random_mixed_network(15, 22, seed=seed) if name == "mixed" else load_network(name)


def _runs(piece: Piece) -> Iterator[Figure]:
    seed, name, percentage = int(piece["seed"]), str(piece["table"]), int(piece["percentage"])
    network = _network(name, seed)
    whole = sample(network, ROWS, seed=seed)
    data = with_missing_cells(whole, percentage / 100, str(piece["missing"]), seed=seed + 1)
    truth = cpdag(network.dag)
    for key, title in LEARNERS.items():
        for way, rows, options in _ways(whole, data):
            if way == "available" and key != "pc" and name != "child" and percentage > MOST_SUMS:
                continue
            began = time.process_time()
            found = _learned(key, rows, seed, options)
            seconds = time.process_time() - began
            method = f"{title}, {way}"
            yield Figure(method, JACCARD, np.nan if found is None else jaccard(found, truth), seconds)
            yield Figure(method, SHD, np.nan if found is None else float(shd(found, truth)), seconds)


def _ways(whole: Dataset, data: Dataset) -> tuple[tuple[str, Dataset, dict[str, str]], ...]:
    """Return the treatments: name, data and options of the learner."""
    return (
        ("no cell missing", whole, {}),
        ("imputed", data, {}),
        ("available", data, {"missing": "available"}),
        ("complete rows", complete_rows(data), {}),
    )


def _learned(key: str, rows: Dataset, seed: int, options: dict[str, str]) -> object:
    """Return the CPDAG of a run; None if the rows are too few for it."""
    try:
        graph = learn(key, rows, **({"seed": seed} if key == "boss" else {}), **options).graph
    except DataError:
        return None
    return cpdag(graph) if graph.is_dag else graph


MISSING_CELLS = Experiment(
    name="missing_cells",
    what="graphs from tables with missing cells",
    cells=tuple({"table": t, "missing": mechanism, "percentage": m} for t in TABLES for mechanism, m in MISSING),
    networks={"smoke": 1, "desk": 5, "paper": 20},
    run=_runs,
    smoke={"table": "numbers", "missing": "mar", "percentage": 10},
    claims=tuple(
        Claim(JACCARD, f"{title}, imputed", f"{title}, {other}")
        for title in LEARNERS.values()
        for other in ("available", "complete rows")
    ),
    first_seed=SEED,
    remarks=(
        f"Each table has {ROWS:,} rows: samples of child, of random linear equations with 20 columns, and of random "
        "mixed networks with 15.",
        "mar: a third of the columns is complete, and missing cells of each other column depend on one of them. mcar: "
        "cells are missing completely at random. The percentage is that of the cells of a column with missing ones.",
        "imputed: the default. available: each test or score uses the rows that have its columns; left out where "
        "scores of numbers would take minutes. complete rows: rows with missing cells are deleted first.",
        "What did not hold: PC's tests of categories use available cells either way, so nothing changes for child. "
        "With 10 % of the numbers missing, PC is nearer to the truth on available cells. Imputed tables of child "
        "with 30 % missing are far from the complete one.",
    ),
)
