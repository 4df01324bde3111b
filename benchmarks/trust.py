"""Train and measure the probabilities of `trust`, for tables of numbers, of categories, and of both.

``python -m benchmarks.trust pairs KIND FOLDER 880000 0 5`` simulates tables of training seeds 880000 to 880004 and
stores the features of their pairs in a folder; the kind is continuous, categorical or mixed. Fresh seeds start at
890000. ``... train KIND FOLDER`` writes the coefficients, and ``... measure KIND FOLDER`` prints how often claims are
right on the fresh tables, each world left out of the training. A stored table is not simulated again. ``... networks
892000 892003`` prints the same for samples of bundled networks, which are in no training. ``... worlds KIND 940501
940503`` judges fresh tables of all worlds of a kind with the coefficients in use. ``... missing FOLDER 897000
897003`` judges tables with missing cells, filled and by their complete rows, and prints how often claims are right.
"""

from __future__ import annotations

import json
import math
import pickle
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from learners import Dataset, learn, load_network, sample, with_missing_cells
from learners.verdict.assumptions import check_assumptions, complete_rows
from learners.verdict.logistic_model import FOLDER, stored
from learners.verdict.pair_evidence import candidates, features, pair_evidence
from learners.verdict.table_signs import table_signs
from learners.verdict.trust import BINS, HIDDEN_SHARES, SURE, Trust, trust, why_silent

from .hidden_causes import FRESH, TRAINING, Record, fired, fitted, read, table_record
from .latent_arrows import percent
from .worlds import CATEGORICAL, MIXED, NUMERIC, Simulated, simulate

KINDS = {"continuous": NUMERIC, "categorical": CATEGORICAL, "mixed": MIXED}
HIDES = re.compile("hidden|broad|questionnaire")  # names of worlds with hidden common causes
CLAIMS = ("cause", "no cause", "adjacent")


def collect_pairs(kind: str, folder: Path, first: int, rounds: Iterable[int]) -> None:
    """Store the features of the pairs of tables of a kind; two thirds of the tables have 2,000 rows.

    Tables of numbers have 20 columns, others 20 or 12.
    """
    for k in rounds:
        for world in KINDS[kind]:
            seed = first + k
            path = folder / f"pairs-{first}-{k}-{world}.pkl"
            if path.exists():
                continue
            rows = np.random.default_rng(seed).uniform(math.log(400), math.log(10_000))
            columns = 12 if kind != "continuous" and k % 2 else 20
            table = simulate(world, seed, columns, 2_000 if k % 3 else int(math.exp(rows)))
            path.write_bytes(pickle.dumps({"world": world, "seed": seed} | pair_record(table)))


def pair_record(table: Simulated) -> Record:
    """Return the features and the truth of the pairs of a table, and data that decide if `trust` is silent."""
    began = time.process_time()
    evidence = pair_evidence(table.data)
    record: Record = {"seconds": time.process_time() - began, "n": evidence.n, "selected": table.selected}
    for claim in CLAIMS:
        pairs = candidates(evidence, claim)
        truth = {"cause": table.causes, "no cause": ~table.causes.T, "adjacent": table.adjacent}[claim]
        values, record["names"] = features(evidence, pairs)
        record[claim] = (values, truth[tuple(pairs.T)])
    best = learn("boss", table.data)
    if table.data.kind == "continuous":
        record["table"] = table_record(table.data, table_signs(table.data, best.extra.dag), best.graph)
    else:
        record["of table"] = evidence.of_table
        record["silent"] = bool(why_silent(table.data, check_assumptions(table.data, best)))
    return record


def stacked(records: list[Record], claim: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the features and the truth of all pairs; for adjacency, omit tables with selected rows."""
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
    return one["silent"] if "silent" in one else fired(one["table"], gate) not in ("", "hidden")


def measure_pairs(kind: str, training: list[Record], fresh: list[Record], gate: Record) -> list[str]:
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
    for world in KINDS[kind]:
        own = [one for one in fresh if one["world"] == world]
        spoken = [one for one in own if not is_silent(one, gate)]
        cells = [str(len(own)), str(len(own) - len(spoken))]
        for claim in CLAIMS:
            p, truth = claims_of(training, spoken, claim, world)
            sure = p >= SURE
            cells += [f"{sure.sum() / max(len(spoken), 1):.1f}", _share(truth[sure])]
            if claim == "cause":  # second number: all tables, as if no gate had fired
                p, truth = claims_of(training, own, claim, world)
                cells.append(f"{(p >= SURE).sum() / max(len(own), 1):.1f}: {_share(truth[p >= SURE])}")
        lines.append(f"| {world} | {' | '.join(cells)} |")
    return lines


def _share(truth: np.ndarray) -> str:
    return f"{100 * truth.mean():.0f} %" if len(truth) else "–"


def of_claim(
    kind: str, training: list[Record], fresh: list[Record], gate: Record, claim: str
) -> tuple[np.ndarray, ...]:
    """Return the probabilities of a claim on the fresh tables, the truth, and True for tables with hidden causes."""
    spoken = [one for one in fresh if not is_silent(one, gate)]
    parts = [(*claims_of(training, spoken, claim, world), world) for world in KINDS[kind]]
    hides = [np.full(len(p), HIDES.search(world) is not None) for p, _, world in parts]
    return np.concatenate([p for p, *_ in parts]), np.concatenate([t for _, t, _ in parts]), np.concatenate(hides)


def shifts(p: np.ndarray, truth: np.ndarray, hides: np.ndarray) -> list[float]:
    """Return the shift of the log odds for each of `HIDDEN_SHARES`, the share of tables with hidden causes."""
    odds, found = np.log(p / (1.0 - p)), []
    for share in HIDDEN_SHARES:
        weights, shift = np.where(hides, share, 1.0 - share), 0.0
        for _ in range(50):
            q = 1.0 / (1.0 + np.exp(-odds - shift))
            shift += float(weights @ (truth - q) / (weights @ (q * (1.0 - q))))
        found.append(shift)
    return [float(f"{one - found[HIDDEN_SHARES.index(0.5)]:.3f}") for one in found]


def bins_of(p: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> list[list[float]]:
    """Return mean P, share right and number of claims for each nonempty bin of P."""
    where = np.digitize(p, BINS[1:-1])
    return [
        [
            round(float(np.average(p[where == k], weights=weights[where == k])), 3),
            round(float(np.average(truth[where == k], weights=weights[where == k])), 3),
            int((where == k).sum()),
        ]
        for k in range(len(BINS) - 1)
        if (where == k).any()
    ]


def records_of(kind: str, folder: Path, first: int) -> list[Record]:
    """Return the stored records of the worlds of a kind."""
    return [one for one in read(folder, f"pairs-{first}-*.pkl") if one["world"] in KINDS[kind]]


def train(kind: str, folder: Path) -> None:
    """Write the coefficients and their reliability on the fresh tables next to the code that reads them."""
    gate = stored("hidden_causes")
    training, fresh = records_of(kind, folder, TRAINING), records_of(kind, folder, FRESH)
    coefficients = train_pairs(training)
    coefficients["shifts"] = {}
    for claim in ("cause", "no cause"):
        p, truth, hides = of_claim(kind, training, fresh, gate, claim)
        coefficients["shifts"][claim] = moved = shifts(p, truth, hides)
        if claim == "cause":
            bins = [
                bins_of(p * np.exp(by) / (p * np.exp(by) + 1.0 - p), truth, np.where(hides, share, 1.0 - share))
                for share, by in zip(HIDDEN_SHARES, moved, strict=True)
            ]
    tables = sum(not is_silent(one, gate) for one in fresh)
    coefficients["reliability"] = {"tables": tables, "cause": bins}
    (FOLDER / f"trust_{kind}.json").write_text(json.dumps(coefficients) + "\n", encoding="utf-8")


def measure(kind: str, folder: Path) -> None:
    """Print how often the claims are right on the fresh tables."""
    gate = stored("hidden_causes")
    training, fresh = records_of(kind, folder, TRAINING), records_of(kind, folder, FRESH)
    print("\n".join(measure_pairs(kind, training, fresh, gate)))
    for claim in CLAIMS:
        p, truth, _ = of_claim(kind, training, fresh, gate, claim)
        print(claim, json.dumps(bins_of(p, truth, np.ones(len(p)))))


NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "hailfinder")


def measure_networks(seeds: Iterable[int]) -> None:
    """Print how often claims are right on samples of 2,000 rows of networks, with and without three hidden hubs."""
    print("| network | hidden | tables | silent | causes a table | right | not causes | right | CPU s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name in NETWORKS:
        for hidden in (0, 3) if name != "asia" else (0, 1):
            began, silent, claims = time.process_time(), 0, {claim: [] for claim in ("cause", "no cause")}
            for seed in seeds:
                table = sample_of(name, seed, hidden)
                found = trust(learn("boss", table.data), table.data)
                silent += bool(found.silent)
                claims["cause"] += table.causes[found.cause >= SURE].tolist()
                claims["no cause"] += (~table.causes[found.no_cause >= SURE]).tolist()
            n, seconds = len(list(seeds)), time.process_time() - began
            cells = [cell for found in claims.values() for cell in (f"{len(found) / n:.1f}", _share(np.array(found)))]
            print(f"| {name} | {hidden} | {n} | {silent} | {' | '.join(cells)} | {seconds / n:.1f} |", flush=True)


def sample_of(name: str, seed: int, hidden: int, n: int = 2_000) -> Simulated:
    """Return a sample of a bundled network without constant columns and the `hidden` columns of most children."""
    network = load_network(name)
    dag = np.array(network.dag.amat)
    full = sample(network, n, seed=seed)
    full = full.reordered([full.names.index(one) for one in network.names])
    hubs = np.argsort(-dag.sum(axis=1), kind="stable")[:hidden]
    seen = [j for j in range(len(dag)) if j not in hubs and len(np.unique(full.codes[j])) > 1]
    seen = np.random.default_rng(seed).permutation(seen)
    return Simulated(full.select(seen.tolist()), dag, seen)


def measure_worlds(kind: str, seeds: range) -> None:
    """Print how often claims of `trust` are right on tables of each world, and over all of them."""
    heads = (
        "world",
        "tables",
        "silent",
        *(cell for claim in CLAIMS for cell in (f"{claim} a table", "right")),
        "CPU s",
    )
    print(f"| {' | '.join(heads)} |\n|---|" + "--:|" * (len(heads) - 1))
    total: list[np.ndarray] = []
    for world in KINDS[kind]:
        began, silent, counts = time.process_time(), 0, []
        for seed in seeds:
            table = simulate(world, seed, 20 if kind == "continuous" else 12, 2_000)
            found = trust(learn("boss", table.data), table.data)
            silent += bool(found.silent)
            if not found.silent:
                counts.append(_right_claims(found, table))
        seconds, array = time.process_time() - began, np.array(counts, dtype=np.float64).reshape(-1, len(CLAIMS), 2)
        total.append(array)
        print(f"| {world} | {len(seeds)} | {silent} | {_claims_of(array)} | {seconds / len(seeds):.1f} |", flush=True)
    print(f"| all | | | {_claims_of(np.concatenate(total))} | |")


def _right_claims(found: Trust, table: Simulated) -> list[list[int]]:
    """Return how many claims of P >= .9 there are of each kind, and how many of them are right."""
    half = np.triu(np.ones_like(table.adjacent), 1)
    truth = {"cause": table.causes, "no cause": ~table.causes, "adjacent": table.adjacent & half}
    said = {"cause": found.cause, "no cause": found.no_cause, "adjacent": np.where(half, found.adjacent, 0.0)}
    counted = [claim for claim in CLAIMS if claim != "adjacent" or not table.selected]
    sure = {claim: np.nan_to_num(said[claim]) >= SURE for claim in counted}
    counts = {claim: [int(one.sum()), int((one & truth[claim]).sum())] for claim, one in sure.items()}
    return [counts.get(claim, [0, 0]) for claim in CLAIMS]


def _claims_of(counts: np.ndarray) -> str:
    """Return the cells of a line: claims a table, and the share that is right with its standard error."""
    cells = []
    for k in range(len(CLAIMS)):
        made, right = counts[:, k, 0], counts[:, k, 1]
        cells += [f"{made.mean():.1f}" if len(made) else "–", percent(right, made)]
    return " | ".join(cells)


WORLDS_WITH_MISSING_CELLS = {
    "continuous": (
        "clean",
        "three hidden",
        "three hubs hidden",
        "six hidden",
        "strong hidden",
        "squares",
        "serial rows",
    ),
    "categorical": ("categorical", "categorical, three hidden", "categorical, hubs hidden", "categorical, six hidden"),
    "mixed": ("mixed", "mixed, three hidden", "mixed, hubs hidden", "mixed, six hidden"),
}
SHARES = (0.1, 0.3)  # shares of missing cells; the probability of missing depends on other columns
MISSING_SEED = 50  # added to the seed of a table


def judge_missing(folder: Path, seeds: Iterable[int]) -> list[Record]:
    """Return the claims on tables with missing cells, without recomputing stored records."""
    path, found = folder / "trust-missing.jsonl", []
    if path.exists():
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    done = {(one["world"], one["seed"]) for one in found}
    for seed in seeds:
        for kind, world in ((kind, world) for kind, own in WORLDS_WITH_MISSING_CELLS.items() for world in own):
            if (world, seed) in done:
                continue
            table = simulate(world, seed, 20 if kind == "continuous" else 12, 2_000)
            record: Record = {"kind": kind, "world": world, "seed": seed, "complete": _claims(table, table.data)}
            for share in SHARES:
                data = with_missing_cells(table.data, share, "mar", seed=seed + MISSING_SEED)
                record[f"filled {share:.0%}"] = _claims(table, data)
                record[f"complete rows {share:.0%}"] = _claims(table, complete_rows(data))
            found.append(record)
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
    return found


def _claims(table: Simulated, data: Dataset) -> Record:
    """Return the probabilities of claims from .7 on, and which are true."""
    began = time.process_time()
    judged = trust(learn("boss", data), data)
    record: Record = {"silent": judged.silent, "seconds": time.process_time() - began}
    for claim, p, truth in (("cause", judged.cause, table.causes), ("no cause", judged.no_cause, ~table.causes)):
        some = np.nan_to_num(p) >= BINS[4]
        record[claim] = [np.round(p[some], 4).tolist(), truth[some].tolist()]
    return record


def print_missing(found: list[Record]) -> None:
    """Print how often claims of P >= .9 are right, by kind of table and share of missing cells."""
    heads = (
        "kind",
        "cells",
        "tables",
        "silent",
        "causes a table",
        "right",
        ".90 to .95",
        "right",
        "no causes",
        "right",
    )
    print(f"| {' | '.join(heads)} | CPU s |\n|---|---|" + "--:|" * (len(heads) - 1))
    for kind in WORLDS_WITH_MISSING_CELLS:
        own = [one for one in found if one["kind"] == kind]
        for way in ("complete", *(f"{how} {share:.0%}" for share in SHARES for how in ("filled", "complete rows"))):
            made = [one[way] for one in own]
            cells = [str(len(made)), str(sum(bool(one["silent"]) for one in made))]
            for claim, low, high in (("cause", SURE, 1.0), ("cause", SURE, 0.95), ("no cause", SURE, 1.0)):
                p, truth = (np.concatenate([np.array(one[claim][k]) for one in made]) for k in (0, 1))
                sure = (p >= low) & (p <= high)
                cells += [f"{sure.sum() / max(len(made), 1):.1f}", _share(truth[sure])]
            seconds = np.mean([one["seconds"] for one in made])
            print(f"| {kind} | {way} | {' | '.join(cells)} | {seconds:.1f} |")


if __name__ == "__main__":
    if sys.argv[1] == "missing":
        folder, first, stop = Path(sys.argv[2]), *map(int, sys.argv[3:5])
        folder.mkdir(parents=True, exist_ok=True)
        print_missing(judge_missing(folder, range(first, stop)))
        sys.exit()
    if sys.argv[1] == "worlds":
        kind, first, stop = sys.argv[2], *map(int, sys.argv[3:5])
        measure_worlds(kind, range(first, stop))
        sys.exit()
    if sys.argv[1] == "networks":
        first, stop = map(int, sys.argv[2:4])
        measure_networks(range(first, stop))
        sys.exit()
    what, kind, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    if what == "pairs":
        first, start, stop = map(int, sys.argv[4:7])
        collect_pairs(kind, folder, first, range(start, stop))
    else:
        {"train": train, "measure": measure}[what](kind, folder)
