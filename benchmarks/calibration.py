"""Calibrated probabilities: ``python -m benchmarks calibration [collect | fit | measure | bound | verify]``.

``collect`` learns samples of known networks and counts how often pairs of each raw probability are right, in
``benchmarks/calibration.csv``. ``fit`` writes the curves of `calibrated_probabilities` from the counts of the networks
for fitting, and ``measure`` prints how often claims are right on the other networks and seeds. ``bound`` prints the
lowest Brier score there that any increasing function of the raw probability could reach. ``verify`` runs samples of
networks that are in neither group, and prints how often what `calibrated_probabilities` returns is right.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression

from learners import Dataset, learn, load_network, random_gaussian_network, random_mixed_network, sample
from learners.evaluation.calibrated_probabilities import (
    CENTRE,
    CLAIMS,
    STORED,
    CalibrationCurve,
    calibrated_probabilities,
    curve_of,
    hidden_odds,
    judged_pairs,
    log_odds,
    model_settings,
    parameters_of_pairs,
    raw_probabilities,
)
from learners.graphs.cpdag import cpdag
from learners.graphs.equivalence_class import direction_shares
from learners.graphs.graph import PDAG
from learners.networks.random_networks import random_dag, random_discrete_network
from learners.results.result import LearnResult

COUNTS = Path(__file__).with_name("calibration.csv")
HEADS = ("group", "network", "kind", "n", "learner", "claim", "raw", "pairs", "true", "parameters")
BY_LEVELS = ("order_mcmc", "categorical", "adjacent")  # learner, kind and claim whose curve depends on levels
LEAST = {"order_mcmc": 1e-3, "bootstrap": 1e-2}  # smallest P: 1,000 draws, 50 resamples
BIN = 0.3  # width of a bin in log odds
LEVEL_BIN = 0.7  # width of a bin in ln of the parameters of a pair
SURE = 0.9
FEW_ROWS = 500
RIDGE = 1e-3
FEW_LEVELS, MANY_LEVELS = 5, 25  # upper limits, exclusive, of the levels of columns of random networks

# (kind, columns, mean number of neighbours, seed) of a random network, or the name of a bundled network
FITTED = (
    *("sachs", "child", "insurance", "survey", "win95pts", "water", "hepar2"),
    *(("levels", 10, 2.0, 51), ("levels", 20, 3.0, 52), ("levels", 30, 2.0, 53)),
    *(("many", 12, 2.0, 55), ("many", 20, 2.0, 56)),
    *("ecoli70", "magic-niab", "letters"),
    *(("numbers", 10, 2.0, 51), ("numbers", 20, 3.0, 52), ("numbers", 30, 4.0, 53), ("numbers", 50, 3.0, 54)),
    *(("mixed", 10, 2.0, 51), ("mixed", 20, 3.0, 52), ("mixed", 30, 3.0, 53), ("mixed", 15, 2.0, 54)),
)
HELD_OUT = (
    *("asia", "alarm", "hailfinder", "mildew", "barley", "earthquake"),
    *(("levels", 15, 2.0, 61), ("levels", 25, 3.0, 62), ("levels", 12, 2.0, 63)),
    *("magic-irri", "gauss30"),
    *(("numbers", 15, 2.0, 61), ("numbers", 25, 3.0, 62), ("numbers", 40, 3.0, 63)),
    *(("mixed", 12, 2.0, 61), ("mixed", 25, 3.0, 62), ("mixed", 20, 2.0, 63)),
)
FRESH = 8_011  # seed of samples of networks that were first used after the curves were final
UNSEEN = (
    *(
        "cancer",
        "andes",
        ("levels", 15, 2.0, 81),
        ("levels", 25, 3.0, 82),
        ("levels", 30, 2.0, 83),
        ("many", 15, 2.0, 84),
    ),
    *(("numbers", 12, 2.0, 81), ("numbers", 25, 3.0, 82), ("numbers", 40, 3.0, 83), ("mixed", 15, 2.0, 81)),
    ("mixed", 25, 3.0, 82),
)
STEPS = ("collect", "fit", "measure", "bound", "verify")
GROUPS = {"fitted": (FITTED, 7_811), "held out": (HELD_OUT, 7_911)}  # networks and first seed by group
SAMPLES = {200: 2, 500: 2, 2_000: 1}  # number of samples by number of rows
MANY_ROWS = 2_000  # number of rows that only the networks below have
LARGE = (
    *("sachs", "child", "insurance", ("levels", 20, 3.0, 52), ("numbers", 10, 2.0, 51), ("numbers", 20, 3.0, 52)),
    *(
        ("mixed", 20, 3.0, 52),
        "asia",
        "alarm",
        ("levels", 15, 2.0, 61),
        ("numbers", 25, 3.0, 62),
        ("mixed", 20, 2.0, 63),
    ),
)
Spec = str | tuple[str, int, float, int]
Counts = list[dict[str, Any]]


def network(spec: Spec) -> Any:
    """Return a bundled network, or a random one."""
    if isinstance(spec, str):
        return load_network(spec)
    kind, p, degree, seed = spec
    if kind == "numbers":
        return random_gaussian_network(p, p * degree / 2, seed=seed)
    if kind == "mixed":
        return random_mixed_network(p, p * degree / 2, seed=seed)
    arity = np.random.default_rng(seed).integers(2, MANY_LEVELS if kind == "many" else FEW_LEVELS, p).tolist()
    return random_discrete_network(random_dag(p, degree, seed), arity, seed, 0.5)


def spec_of(word: str) -> Spec:
    """Return the network that a word of the command line names: a bundled one, or kind:columns:neighbours:seed."""
    kind, *numbers = word.split(":")
    return (kind, int(numbers[0]), float(numbers[1]), int(numbers[2])) if numbers else kind


def name_of(spec: Spec) -> str:
    """Return the name of a network in the counts."""
    return spec if isinstance(spec, str) else "random {} {} {:g} {}".format(*spec)


def cells() -> Iterator[tuple[str, Spec, int]]:
    """Yield the group, the network and the number of rows of all samples."""
    for n, (group, (specs, _)) in product(SAMPLES, GROUPS.items()):
        yield from ((group, spec, n) for spec in specs if n < MANY_ROWS or spec in LARGE)


def collected(group: str, spec: Spec, n: int, learners: Iterable[str] = tuple(LEAST)) -> Counts:
    """Learn the samples of a network and count pairs by learner, claim and bin of the raw probability."""
    found, first = network(spec), GROUPS[group][1]
    tables = [(seed, *as_read(sample(found, n, seed=seed), found.dag)) for seed in range(first, first + SAMPLES[n])]
    counts: Counts = []
    for key in learners:
        runs = [(learn(key, data, seed=seed), truth) for seed, data, truth in tables]
        cell = {"group": group, "network": name_of(spec), "kind": tables[0][1].kind, "n": n, "learner": key}
        counts += [cell | row for row in counted(runs, LEAST[key])]
    return counts


def as_read(data: Dataset, dag: PDAG) -> tuple[Dataset, PDAG]:
    """Return the table as it would be read from a file, without levels that never occur and constant columns.

    Returns
    -------
    Dataset
    PDAG
        The true CPDAG of its columns.
    """
    if data.kind != "categorical":
        return data, cpdag(dag)
    found = [np.unique(codes, return_inverse=True) for codes in data.codes]
    kept = [j for j, (levels, _) in enumerate(found) if len(levels) > 1]
    codes = np.array([found[j][1] for j in kept])
    table = Dataset.from_codes(codes, [len(found[j][0]) for j in kept], [data.names[j] for j in kept])
    return table, cpdag(PDAG(dag.amat[np.ix_(kept, kept)]))


def counted(runs: list[tuple[LearnResult, PDAG]], least: float) -> Iterator[dict[str, Any]]:
    """Yield the mean raw probability, the number of pairs, and the number of true ones for each claim and bin.

    `runs` are results with the true CPDAG. Pairs with a column that other columns determine are left out.
    """
    judged = [judged_pairs(run) for run, _ in runs]
    for claim in CLAIMS:
        where = [np.triu(one, 1) if claim == "adjacent" else one for one in judged]
        raw = [raw_probabilities(run)[claim][one] for (run, _), one in zip(runs, where, strict=True)]
        true = [_truth(truth, claim)[one] for (_, truth), one in zip(runs, where, strict=True)]
        parameters = None
        if (runs[0][0].method, runs[0][0].rows.kind, claim) == BY_LEVELS:
            of_runs = [parameters_of_pairs(run)[one] for (run, _), one in zip(runs, where, strict=True)]
            parameters = np.concatenate(of_runs)
        yield from binned(claim, np.clip(np.concatenate(raw), 0.0, 1.0), np.concatenate(true), least, parameters)


def _truth(graph: PDAG, claim: str) -> np.ndarray:
    """Return (p, p) float64: 1 where a claim is true, else 0; for a direction, the share of the DAGs of the class."""
    if claim == "directed":
        return direction_shares(graph)
    return (graph.skeleton if claim == "adjacent" else graph.amat & ~graph.amat.T).astype(np.float64)


def binned(
    claim: str, raw: np.ndarray, true: np.ndarray, least: float, parameters: np.ndarray | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the mean raw probability, the number of pairs, and the number of true ones for each bin.

    With `parameters`, the bins are also of the number of parameters of a pair, and each has its geometric mean.
    """
    log_size = np.zeros(len(raw)) if parameters is None else np.log(parameters)
    bins = np.column_stack([np.floor(log_odds(raw, least) / BIN), np.floor(log_size / LEVEL_BIN)]).astype(np.int64)
    for one in np.unique(bins, axis=0).tolist():
        inside = (bins == one).all(axis=1)
        yield {
            "claim": claim,
            "raw": round(float(raw[inside].mean()), 5),
            "pairs": int(inside.sum()),
            "true": round(float(true[inside].sum()), 2),
            "parameters": round(float(np.exp(log_size[inside].mean())), 2),
        }


def read_counts() -> Counts:
    """Return the stored counts."""
    with COUNTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    numbers = {"n": int, "pairs": int, "raw": float, "true": float, "parameters": float}
    return [{head: numbers.get(head, str)(row[head]) for head in HEADS} for row in rows]


def write_counts(counts: Counts) -> None:
    """Store the counts."""
    with COUNTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(counts)


def fitted_curve(counts: Counts, least: float, *, levels: bool = False) -> CalibrationCurve:
    """Fit a curve to the counts of one claim.

    The effect of `levels` is fitted last, with the other coefficients kept, so that claims of P >= .5 do not depend on
    whether it is.
    """
    raw, n = (np.array([row[name] for row in counts], float) for name in ("raw", "n"))
    odds = log_odds(raw, least)
    basis = np.column_stack([np.ones(len(raw)), odds, np.log(n / CENTRE)])
    weights = np.array([float(f"{value:.4g}") for value in _logistic(counts, basis, np.zeros(len(raw)))])
    effect = []
    if levels:
        terms = [hidden_odds(z, row["n"], row["parameters"]) for z, row in zip(odds, counts, strict=True)]
        (value,) = _logistic(counts, np.array(terms)[:, None], basis @ weights)
        effect = [float(f"{value:.4g}")]
    return CalibrationCurve(*weights.tolist(), least, (int(n.min()), int(n.max())), *effect)


def _logistic(counts: Counts, basis: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Return the weights of a logistic regression by Newton's steps on the likelihood with a slight ridge."""
    pairs, true = (np.array([row[name] for row in counts], float) for name in ("pairs", "true"))
    weights = np.zeros(basis.shape[1])
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-(offset + basis @ weights)))
        gradient = basis.T @ (true - pairs * p) - RIDGE * weights
        curvature = (basis * (pairs * p * (1.0 - p))[:, None]).T @ basis + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if np.abs(step).max() < 1e-10:
            break
    return weights


def fitted(counts: Counts) -> dict[str, Any]:
    """Return the data that `calibrated_probabilities` reads, computed from the counts of the networks for fitting."""
    counts = [row for row in counts if row["group"] == "fitted"]
    found: dict[str, Any] = {}
    for key, kind in product(LEAST, ("categorical", "continuous", "mixed")):
        own = [row for row in counts if (row["learner"], row["kind"]) == (key, kind)]
        curves = {
            claim: fitted_curve(
                [row for row in own if row["claim"] == claim], LEAST[key], levels=(key, kind, claim) == BY_LEVELS
            )
            for claim in CLAIMS
        }
        found.setdefault(key, {})[kind] = {
            "settings": _settings(key, kind),
            "least": LEAST[key],
            "rows": list(curves["adjacent"].rows),
            **{
                claim: [curve.intercept, curve.slope, curve.trend, *([curve.levels] if curve.levels else [])]
                for claim, curve in curves.items()
            },
        }
    return found


def _settings(key: str, kind: str) -> dict[str, Any]:
    """Return the settings of a model at their defaults, as a run on columns of a kind records them."""
    spec = {"categorical": "survey", "continuous": ("numbers", 4, 2.0, 1), "mixed": ("mixed", 4, 2.0, 1)}[kind]
    table: Dataset = sample(network(spec), 50, seed=0)
    return model_settings(learn(key, table, **({"n_resamples": 1} if key == "bootstrap" else {"steps": 100})))


def as_text(found: dict[str, Any]) -> str:
    """Return the content of the file that `calibrated_probabilities` reads."""
    return json.dumps(found, indent=1) + "\n"


def measured(counts: Counts, stored: dict[str, Any]) -> list[str]:
    """Return lines of a Markdown table on the held-out networks: raw and calibrated claims of P >= .9, and Brier."""
    heads = ("kind", "learner", "n", "claim", "raw ≥ .9: said", "right", "pairs", "calibrated ≥ .9: said", "right")
    heads += ("pairs", "Brier raw", "calibrated")
    lines = [f"| {' | '.join(heads)} |", "|---" * 4 + "|" + "--:|" * (len(heads) - 4)]
    counts = [row for row in counts if row["group"] == "held out"]
    for kind, key, few, claim in product(("categorical", "continuous", "mixed"), LEAST, (True, False), CLAIMS):
        own = [
            row
            for row in counts
            if (row["kind"], row["learner"], row["claim"], row["n"] <= FEW_ROWS) == (kind, key, claim, few)
        ]
        one = stored[key][kind]
        curve = curve_of(one, claim)
        raw = np.array([row["raw"] for row in own])
        calibrated = np.array([float(curve(np.array(row["raw"]), row["n"], row["parameters"])) for row in own])
        cells = [*_sure(own, raw), *_sure(own, calibrated), f"{_brier(own, raw):.3f}", f"{_brier(own, calibrated):.3f}"]
        size = f"≤ {FEW_ROWS}" if few else f"> {FEW_ROWS}"
        lines.append(f"| {kind} | {key} | {size} | {claim} | {' | '.join(cells)} |")
    return lines


def _sure(counts: Counts, said: np.ndarray) -> list[str]:
    """Return the mean P, the share that is right, and the number of the claims with P >= 0.9."""
    sure = said >= SURE
    pairs, true = (np.array([row[name] for row in counts], float)[sure] for name in ("pairs", "true"))
    if not pairs.sum():
        return ["–", "–", "0"]
    return [f"{said[sure] @ pairs / pairs.sum():.3f}", f"{true.sum() / pairs.sum():.3f}", f"{int(pairs.sum()):,}"]


def _brier(counts: Counts, said: np.ndarray) -> float:
    """Return the Brier score, as the mean over networks and numbers of rows."""
    cells: dict[tuple, list[float]] = {}
    for row, p in zip(counts, said.tolist(), strict=True):
        total = cells.setdefault((row["network"], row["n"]), [0.0, 0.0])
        total[0] += row["true"] * (1.0 - p) ** 2 + (row["pairs"] - row["true"]) * p**2
        total[1] += row["pairs"]
    return math.fsum(total / pairs for total, pairs in cells.values()) / max(len(cells), 1)


def bounded(counts: Counts) -> list[str]:
    """Return lines of a Markdown table on the held-out networks: lower bounds of the Brier score of adjacencies.

    The functions of the bounds are fitted to the networks on which they are judged, so no function of the raw
    probability alone can do better:
    one increasing function for all samples, or one for each network and number of rows.
    """
    lines = [
        "| kind | learner | Brier raw | one function, at best | one for each network, at best |",
        "|---|---|--:|--:|--:|",
    ]
    for kind, key in product(("categorical", "continuous", "mixed"), LEAST):
        own = [
            row
            for row in counts
            if (row["group"], row["kind"], row["learner"], row["claim"]) == ("held out", kind, key, "adjacent")
            and row["n"] <= FEW_ROWS
        ]
        cells: dict[tuple, Counts] = {}
        for row in own:
            cells.setdefault((row["network"], row["n"]), []).append(row)
        rows = [row for cell in cells.values() for row in cell]
        raw = np.array([row["raw"] for row in rows])
        alike = np.concatenate([np.full(len(cell), 1.0 / sum(row["pairs"] for row in cell)) for cell in cells.values()])
        each = np.concatenate([increasing(cell, np.ones(len(cell))) for cell in cells.values()])
        scores = (f"{_brier(rows, said):.4f}" for said in (raw, increasing(rows, alike), each))
        lines.append(f"| {kind} | {key} | {' | '.join(scores)} |")
    return lines


def increasing(counts: Counts, weights: np.ndarray) -> np.ndarray:
    """Return (len(counts),) float64: the increasing function of the raw probability with the lowest Brier score.

    Parameters
    ----------
    counts : list of dict
    weights : (len(counts),) float64
        Weight of a pair in each line of the counts.
    """
    raw, pairs, true = (np.array([row[name] for row in counts], float) for name in ("raw", "pairs", "true"))
    levels, at = np.unique(raw, return_inverse=True)
    total, right = np.bincount(at, pairs * weights), np.bincount(at, true * weights)
    return isotonic_regression(right / total, weights=total).x[at]


def verified(runs: Iterable[tuple[str, LearnResult, PDAG]]) -> list[str]:
    """Return lines of a Markdown table for results with the true CPDAG: raw and calibrated claims of P >= .9, Brier."""
    found: dict[tuple[str, str, str], list[list[np.ndarray]]] = {}
    for kind, result, truth in runs:
        calibrated, posterior = calibrated_probabilities(result), result.posterior
        raw = raw_probabilities(result) | {"directed": posterior.directed}
        pairs = judged_pairs(result)
        for claim in (*CLAIMS, "directed"):
            where = np.triu(pairs, 1) if claim == "adjacent" else pairs
            arrays = raw[claim], getattr(calibrated, claim), _truth(truth, claim)
            found.setdefault((kind, result.method, claim), []).append([np.clip(one[where], 0.0, 1.0) for one in arrays])
    lines = ["| kind | learner | claim | raw ≥ .9: said, right, number | calibrated ≥ .9 | Brier raw, calibrated |"]
    lines.append("|---" * 6 + "|")
    for names, cells in found.items():
        raw, calibrated, true = (np.concatenate(one) for one in zip(*cells, strict=True))
        sure = [
            f"{said[said >= SURE].mean():.3f}, {true[said >= SURE].mean():.3f}, {(said >= SURE).sum():,}"
            for said in (raw, calibrated)
        ]
        scores = [np.mean([((one[k] - one[2]) ** 2).mean() for one in cells if len(one[2])]) for k in (0, 1)]
        lines.append(f"| {' | '.join((*names, *sure))} | {scores[0]:.4f}, {scores[1]:.4f} |")
    return lines


def fresh_runs(
    rows: Iterable[int], seeds: Iterable[int], specs: Iterable[Spec] = UNSEEN
) -> Iterator[tuple[str, LearnResult, PDAG]]:
    """Yield the kind of columns, the result and the true CPDAG of samples of networks that are in neither group."""
    for spec, n, seed in product(specs, rows, seeds):
        found = network(spec)
        data, truth = as_read(sample(found, n, seed=seed), found.dag)
        for key in LEAST:
            yield data.kind, learn(key, data, seed=seed), truth


def main(argv: list[str] | None = None) -> None:
    """Collect, fit and measure, or one of these."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks calibration", description=__doc__)
    parser.add_argument("steps", nargs="*", choices=[*STEPS, []], help="default: all")
    parser.add_argument("--seed", type=int, default=FRESH, help=f"of the samples of verify (default: {FRESH:,})")
    parser.add_argument("--networks", nargs="+", type=spec_of, default=UNSEEN, help="of verify: asia, levels:15:2:81")
    options = parser.parse_args(argv)
    steps = options.steps or STEPS
    if "collect" in steps:
        counts: Counts = []
        for group, spec, n in cells():
            counts += collected(group, spec, n)
            print(group, name_of(spec), n, flush=True)
        write_counts(counts)
    if "fit" in steps:
        STORED.write_text(as_text(fitted(read_counts())), encoding="utf-8")
    if "measure" in steps:
        print("\n".join(measured(read_counts(), json.loads(STORED.read_text(encoding="utf-8")))))
    if "bound" in steps:
        print("\n".join(bounded(read_counts())))
    if "verify" in steps:
        print("\n".join(verified(fresh_runs((200, 500), (options.seed,), options.networks))))


if __name__ == "__main__":
    main()
