"""Train and measure the probabilities of `trust`.

``python -m benchmarks.trust pairs FOLDER 880000 0 5`` simulates tables of training seeds 880000 to 880004 and stores
the features of their pairs in a folder. Fresh seeds start at 890000. ``... train FOLDER`` writes the coefficients, and
``... measure FOLDER`` prints how often claims are right on the fresh tables, each world left out of the training. A
stored table is not simulated again.
"""

from __future__ import annotations

import json
import math
import pickle
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from learners import learn
from learners.verdict.logistic_model import FOLDER, stored
from learners.verdict.pair_evidence import candidates, features, pair_evidence

from .hidden_causes import FRESH, TRAINING, Record, fired, fitted, read, table_record
from .worlds import NUMERIC, simulate

CLAIMS = ("cause", "no cause", "adjacent")
SURE = 0.9
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def collect_pairs(folder: Path, first: int, rounds: Iterable[int]) -> None:
    """Store the features of the pairs of tables of 20 columns, two thirds of them with 2,000 rows."""
    for k in rounds:
        for world in NUMERIC:
            seed = first + k
            path = folder / f"pairs-{first}-{k}-{world}.pkl"
            if path.exists():
                continue
            rows = np.random.default_rng(seed).uniform(math.log(400), math.log(10_000))
            table = simulate(world, seed, 20, 2_000 if k % 3 else int(math.exp(rows)))
            began = time.process_time()
            evidence = pair_evidence(table.data)
            record: Record = {"seconds": time.process_time() - began}
            record |= {"world": world, "n": evidence.n, "seed": seed, "selected": table.selected}
            for claim in CLAIMS:
                pairs = candidates(evidence, claim)
                truth = {"cause": table.causes, "no cause": ~table.causes.T, "adjacent": table.adjacent}[claim]
                values, record["names"] = features(evidence, pairs)
                record[claim] = (values, truth[tuple(pairs.T)])
            record["table"] = table_record(table.data, evidence.signs, learn("boss", table.data).graph)
            path.write_bytes(pickle.dumps(record))


def stacked(records: list[Record], claim: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the features and the truth of all pairs; adjacency of selected rows has no simple truth."""
    used = [one for one in records if claim != "adjacent" or not one["selected"]]
    return np.concatenate([one[claim][0] for one in used]), np.concatenate([one[claim][1] for one in used])


def train_pairs(records: list[Record]) -> Record:
    """Return the coefficients of the three claims."""
    return {claim: fitted(*stacked(records, claim), records[0]["names"]).to_dict() for claim in CLAIMS}


def claims_of(training: list[Record], fresh: list[Record], claim: str, world: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities of a claim on fresh tables of a world that training leaves out, and the truth."""
    own = [one for one in fresh if one["world"] == world and len(one[claim][0])]
    if not own:
        return np.zeros(0), np.zeros(0, dtype=bool)
    others = [one for one in training if one["world"] != world]
    model = fitted(*stacked(others, claim), training[0]["names"])
    return model.probability(np.concatenate([one[claim][0] for one in own])), np.concatenate(
        [one[claim][1] for one in own]
    )


def is_silent(one: Record, gate: Record) -> bool:
    """Return True if `trust` claims nothing on a table."""
    return fired(one["table"], gate) not in ("", "hidden")


def measure_pairs(training: list[Record], fresh: list[Record], gate: Record) -> list[str]:
    """Return lines of a Markdown table: claims of P >= .9 by world and claim, and the share that is right."""
    heads = (
        "world",
        "tables",
        "silent",
        "causes a table",
        "right",
        "of all tables",
        "not causes",
        "right",
        "adjacent",
        "right",
    )
    lines = [f"| {' | '.join(heads)} |", "|---|" + "--:|" * (len(heads) - 1)]
    for world in NUMERIC:
        own = [one for one in fresh if one["world"] == world]
        spoken = [one for one in own if not is_silent(one, gate)]
        cells = [str(len(own)), str(len(own) - len(spoken))]
        for claim in CLAIMS:
            p, truth = claims_of(training, spoken, claim, world)
            sure = p >= SURE
            cells += [f"{sure.sum() / max(len(spoken), 1):.1f}", _share(truth[sure])]
            if claim == "cause":  # as if no gate had fired
                p, truth = claims_of(training, own, claim, world)
                cells.append(f"{(p >= SURE).sum() / max(len(own), 1):.1f}: {_share(truth[p >= SURE])}")
        lines.append(f"| {world} | {' | '.join(cells)} |")
    return lines


def _share(truth: np.ndarray) -> str:
    return f"{100 * truth.mean():.0f} %" if len(truth) else "–"


def reliability(training: list[Record], fresh: list[Record], gate: Record) -> Record:
    """Return for each claim, over all worlds with claims, mean P and share right in bins of P, and their numbers."""
    spoken = [one for one in fresh if not is_silent(one, gate)]
    found: Record = {"tables": len(spoken)}
    for claim in CLAIMS:
        parts = [claims_of(training, spoken, claim, world) for world in NUMERIC]
        p, truth = np.concatenate([one[0] for one in parts]), np.concatenate([one[1] for one in parts])
        where = np.digitize(p, BINS[1:-1])
        found[claim] = [
            [round(float(p[where == k].mean()), 3), round(float(truth[where == k].mean()), 3), int((where == k).sum())]
            for k in range(len(BINS) - 1)
            if (where == k).any()
        ]
    return found


def train(folder: Path) -> None:
    """Write the coefficients beside the code that reads them, and how reliable they were on the fresh tables."""
    gate = stored("hidden_causes")
    training, fresh = read(folder, f"pairs-{TRAINING}-*.pkl"), read(folder, f"pairs-{FRESH}-*.pkl")
    coefficients = train_pairs(training) | {"reliability": reliability(training, fresh, gate)}
    (FOLDER / "trust.json").write_text(json.dumps(coefficients) + "\n", encoding="utf-8")


def measure(folder: Path) -> None:
    """Print how often the claims are right on the fresh tables."""
    gate = stored("hidden_causes")
    training, fresh = read(folder, f"pairs-{TRAINING}-*.pkl"), read(folder, f"pairs-{FRESH}-*.pkl")
    print("\n".join(measure_pairs(training, fresh, gate)))
    print(json.dumps(reliability(training, fresh, gate), indent=1))


if __name__ == "__main__":
    what, folder = sys.argv[1], Path(sys.argv[2])
    if what == "pairs":
        first, start, stop = map(int, sys.argv[3:6])
        collect_pairs(folder, first, range(start, stop))
    else:
        {"train": train, "measure": measure}[what](folder)
