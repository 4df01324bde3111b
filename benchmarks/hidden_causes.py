"""Train and measure the gates of hidden common causes.

``python -m benchmarks.hidden_causes tables FOLDER 880000 0 2`` simulates tables of training seeds 880000 and 880001
and stores their signs in a folder. ``unhidden`` does the same for tables without hidden variables; those from 981000
give the thresholds. Fresh seeds start at 890000. ``... train FOLDER`` writes the coefficients and thresholds, ``...
thresholds FOLDER`` the thresholds alone, and ``... measure FOLDER`` prints how often gates fire on the fresh tables. A
stored table is not simulated again.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog

from learners import PDAG, Dataset, learn
from learners.evaluation.relations import check_relations
from learners.verdict.assumptions import NEARLY_DETERMINED, NEARLY_EQUAL
from learners.verdict.hidden_causes import FEATURES, hidden_cause_features, min_quartets, threshold
from learners.verdict.logistic_model import FOLDER, LogisticModel
from learners.verdict.serial_rows import MAX_SERIAL
from learners.verdict.table_signs import TableSigns, table_signs

from .worlds import simulate

TRAINING, FRESH, UNHIDDEN = 880_000, 890_000, 981_000  # first seeds of training, measuring, thresholds
ALARMS = 0.08  # share of tables of `CLEAN` whose hidden causes are suspected; lower for the first of these worlds
CELLS = (
    (10, 300),
    (20, 300),
    (50, 300),
    (10, 2_000),
    (20, 2_000),
    (50, 2_000),
    (10, 10_000),
    (20, 10_000),
    (50, 10_000),
)
WIDE_CELLS = ((80, 400), (100, 500), (80, 2_000), (100, 2_000), (80, 10_000), (100, 10_000))
CLEAN = ("clean", "weak", "dense", "Laplace noise")
HIDDEN = ("three hidden", "three hubs hidden", "Laplace noise, hubs hidden", "strong hidden", "questionnaire")
STORED = FOLDER / "hidden_causes.json"
Record = dict[str, Any]


def table_record(data: Dataset, signs: TableSigns, graph: PDAG) -> Record:
    """Return the signs of a table as plain numbers, and the assumptions that its relations violate."""
    found = check_relations(data, graph)
    return {
        "features": hidden_cause_features(signs, data.n, data.p)[0],
        "p": data.p,
        "quartets": len(signs.quartets),
        "serial": signs.serial,
        "determined": signs.determined,
        "correlated": signs.correlated,
        "relations": tuple(sorted({one.kind for one in found.violations})),
    }


def collect_tables(
    folder: Path,
    first: int,
    rounds: Iterable[int],
    worlds: Iterable[str] = (*CLEAN, *HIDDEN),
    cells: Iterable[tuple[int, int]] = CELLS,
) -> None:
    """Store the signs of tables of all sizes."""
    for k in rounds:
        for p, n in cells:
            for world in worlds:
                path = folder / f"table-{first}-{k}-{p}-{n}-{world}.pkl"
                if path.exists():
                    continue
                data = simulate(world, first + k, p, n).data
                began = time.process_time()
                best = learn("boss", data)
                record = table_record(data, table_signs(data, best.extra.dag), best.graph)
                record |= {"seconds": time.process_time() - began, "world": world, "p": p, "n": n}
                path.write_bytes(pickle.dumps(record))


def collect_unhidden(folder: Path, first: int, rounds: Iterable[int]) -> None:
    """Store the signs of tables of all sizes without hidden variables."""
    collect_tables(folder, first, rounds, CLEAN, (*CELLS, *WIDE_CELLS))


def fitted(values: np.ndarray, truth: np.ndarray, names: tuple[str, ...], inverse: float = 20.0) -> LogisticModel:
    """Return a logistic regression with a ridge penalty on standardized features (C = 1 / inverse, by default 0.05)."""
    mean, scale = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-6)
    design = np.column_stack([(values - mean) / scale, np.ones(len(values))])
    penalty = np.append(np.full(len(names), inverse), 0.0)
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-(design @ weights)))
        slope = design.T @ (truth - p) - penalty * weights
        step = np.linalg.solve((design.T * (p * (1.0 - p))) @ design + np.diag(penalty + 1e-9), slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return LogisticModel.from_dict(LogisticModel(names, mean, scale, weights[:-1], float(weights[-1])).to_dict())


def read(folder: Path, pattern: str) -> list[Record]:
    """Return the stored records of a kind, in the order of their names."""
    return [pickle.loads(path.read_bytes()) for path in sorted(folder.glob(pattern))]


def train_gate(tables: list[Record]) -> Record:
    """Return the coefficients and thresholds of the gate of hidden causes."""
    used = [one for one in tables if one["world"] != "questionnaire"]
    truth = np.array([one["world"] in HIDDEN for one in used])
    model = fitted(np.array([one["features"] for one in used]), truth, FEATURES, inverse=1.0)
    clean = [one for one in used if one["world"] in CLEAN]
    quartets = sorted(one["quartets"] / one["p"] for one in clean)
    return {
        "model": model.to_dict(),
        "thresholds": [],
        "quartets a column": float(f"{np.quantile(quartets, 0.99) + 0.01:.3f}"),
    }


def thresholds(tables: list[Record], model: LogisticModel) -> list[tuple[int, float]]:
    """Return numbers of columns with their thresholds: a quantile of the log odds that is linear in ln p.

    The tables have no hidden variables. All sizes have equal weights (quantile regression, Koenker and Bassett 1978).
    """
    sizes = [(one["p"], one["n"]) for one in tables]
    weights = np.array([1.0 / sizes.count(size) for size in sizes])
    scores = model.probability(np.array([one["features"] for one in tables]))
    design = np.column_stack([np.ones(len(tables)), np.log([p for p, _ in sizes])])
    rest = np.eye(len(tables))
    line = linprog(
        np.concatenate([np.zeros(2), (1.0 - ALARMS) * weights, ALARMS * weights]),
        A_eq=np.column_stack([design, rest, -rest]),
        b_eq=np.log(scores / (1.0 - scores)),
        bounds=[(None, None)] * 2 + [(0.0, None)] * (2 * len(tables)),
    ).x[:2]
    return [(p, float(f"{1.0 / (1.0 + np.exp(-line @ [1.0, np.log(p)])):.3g}")) for p in (10, 20, 50, 100)]


def fired(one: Record, gate: Record) -> str:
    """Return the first gate that fires for a table, or why later gates are not checked; empty if no gate fires."""
    if one["relations"]:
        return one["relations"][0]
    if one["correlated"] > NEARLY_EQUAL:
        return "unread: copies"
    if one["serial"] > MAX_SERIAL:
        return "unread: serial"
    if one["quartets"] >= min_quartets(gate["quartets a column"], one["p"]):
        return "factors"
    if one["determined"] > NEARLY_DETERMINED:
        return "unread: determined"
    model = LogisticModel.from_dict(gate["model"])
    sure = model.probability(one["features"][None])[0] > threshold(gate["thresholds"], one["p"])
    return "hidden" if sure else ""


def measure_gate(tables: list[Record], gate: Record) -> list[str]:
    """Return lines of a Markdown table: how often each gate fires, by world and number of rows."""
    lines = [
        "| world | rows | tables | any gate | relations | factors | hidden | not read |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    groups = defaultdict(list)
    for one in tables:
        for rows in (one["n"], 0):
            groups[one["world"], rows].append(fired(one, gate))
    for (world, rows), found in sorted(groups.items()):
        shares = [
            np.mean([test(name) for name in found])
            for test in (
                lambda name: name != "" and not name.startswith("unread"),
                lambda name: name in ("nonlinear", "drifting"),
                lambda name: name == "factors",
                lambda name: name == "hidden",
                lambda name: name.startswith("unread"),
            )
        ]
        cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
        lines.append(f"| {world} | {rows or 'all'} | {len(found)} | {cells} |")
    return lines


def train(folder: Path) -> None:
    """Write coefficients and thresholds next to the code that reads them."""
    write(train_gate(read(folder, f"table-{TRAINING}-*.pkl")), folder)


def write_thresholds(folder: Path) -> None:
    """Write thresholds for the stored coefficients."""
    write(json.loads(STORED.read_text(encoding="utf-8")), folder)


def write(gate: Record, folder: Path) -> None:
    """Write a gate with thresholds computed from the tables of a folder."""
    known = thresholds(read(folder, f"table-{UNHIDDEN}-*.pkl"), LogisticModel.from_dict(gate["model"]))
    STORED.write_text(json.dumps(gate | {"thresholds": known}, indent=1) + "\n", encoding="utf-8")


def measure(folder: Path) -> None:
    """Print how often the gates fire on fresh tables."""
    gate = json.loads(STORED.read_text(encoding="utf-8"))
    print("\n".join(measure_gate(read(folder, f"table-{FRESH}-*.pkl"), gate)))


COLLECT = {"tables": collect_tables, "unhidden": collect_unhidden}
OTHERS = {"train": train, "thresholds": write_thresholds, "measure": measure}

if __name__ == "__main__":
    what, folder = sys.argv[1], Path(sys.argv[2])
    if what in COLLECT:
        first, start, stop = map(int, sys.argv[3:6])
        COLLECT[what](folder, first, range(start, stop))
    else:
        OTHERS[what](folder)
