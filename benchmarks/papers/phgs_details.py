"""Huang and Zhou (2022), tables 6 to 9, figures 3 and 4: right, turned and wrong edges behind tables 2 to 4."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from learners import BIC, G2, PDAG, LearnResult, path, tabu
from learners.evaluation.metrics import jaccard, shd, skeleton_confusion

from .experiment import Claim, Experiment, Figure, Piece, label, n_calls, timed
from .phgs import ALPHA_MIN, ALPHAS, CELLS, LARGEST, T0, T1, TAU, normalised, oriented, remembering, run_phgs, within
from .tiled import drawn

PRINTED = Path(__file__).parent / "printed" / "phgs_tables_6_to_9.csv"
CALLS = "log10 calls"
FEW = {"network": "earthquake", "tiles": 2}  # the cell of scale smoke
METRICS = ("P", "TP", "R", "FP", "SHD", "JI", CALLS)
Learn = Callable[[], LearnResult]


def constraint_based(piece: Piece, rivals: Iterable[str] = ()) -> Iterator[Figure]:
    """Yield tables 6 and 7: pPC and PC with PATH, or rivals at the best of ten levels."""
    truth, data = drawn(piece)
    if not rivals:
        test = G2(data, dof="plain")
        for skeleton, name in {"ppc": "pPC PATH", "pc": "PC PATH"}.items():
            yield from details(name, [partial(_along_path, test, BIC(data), skeleton)], truth)
    for name in rivals:
        test = remembering(data)
        yield from details(name, [partial(oriented, test, name, alpha) for alpha in ALPHAS], truth)


def _along_path(test: G2, score: BIC, skeleton: str) -> LearnResult:
    return path(test, score, alpha=ALPHAS[0], tau=TAU, alpha_min=ALPHA_MIN, max_cond_size=LARGEST, skeleton=skeleton)


def hybrids(piece: Piece, rival: tuple[str, str] | None = None) -> Iterator[Figure]:
    """Yield tables 8 and 9: pHGS and HC, or a rival within another learner's skeleton at the best of ten levels."""
    truth, data = drawn(piece)
    if rival is None:
        yield from details("pHGS", [partial(run_phgs, data)], truth)
        climbing = {"tabu_length": T1, "patience": T0, "max_parents": None, "ties": "data"}
        yield from details("HC", [lambda: tabu(BIC(data), **climbing)], truth)
        return
    name, skeleton = rival
    test, score = remembering(data), BIC(data)
    yield from details(name, [partial(within, test, score, skeleton, alpha) for alpha in ALPHAS], truth)


def details(name: str, runs: Iterable[Learn], truth: PDAG) -> Iterator[Figure]:
    """Yield figures of the run with the highest JI; calls and seconds are sums over all runs.

    Edges found (P) are right (TP), have another mark (R), or connect variables that are not adjacent (FP).
    """
    results, seconds = zip(*(timed(run) for run in runs), strict=True)
    graph = max((result.graph for result in results), key=lambda graph: jaccard(graph, truth))
    calls = sum(map(n_calls, results))
    pairs, distance = skeleton_confusion(graph, truth), shd(graph, truth)
    turned = distance - pairs.fp - pairs.fn
    figures = {"P": pairs.tp + pairs.fp, "TP": pairs.tp - turned, "R": turned, "FP": pairs.fp, "SHD": distance}
    for metric, value in figures.items():
        yield Figure(name, metric, value)
    yield Figure(name, "JI", jaccard(graph, truth), sum(seconds), calls)
    yield Figure(name, CALLS, math.log10(calls))
    yield Figure(name, "calls", calls)


def printed(*methods: str) -> dict[tuple[str, str, str], str]:
    """Return the printed values of these methods."""
    with PRINTED.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file) if line["method"] in methods]
    return {
        (label({"network": line["network"]}), line["method"], metric): line[metric]
        for line in lines
        for metric in METRICS
    }


TABLE6 = Experiment(
    name="phgs_table6",
    what="pHGS, tables 6 and 7, figure 3: edges right, turned and wrong, pPC and PC with PATH",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=constraint_based,
    smoke=FEW,
    printed=printed("pPC PATH", "PC PATH"),
    claims=(Claim(CALLS, "PC PATH", "pPC PATH"),),
    remarks=(
        "The caption of the paper says that PC used the best of ten levels. Its JI and calls are those of PC with PATH "
        "in table 2, so this table names PC with PATH.",
    ),
)
TABLE8 = Experiment(
    name="phgs_table8",
    what="pHGS, tables 8 and 9, figure 4: edges right, turned and wrong, pHGS and HC",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=hybrids,
    smoke=FEW,
    derive=partial(normalised, by="pHGS"),
    printed=printed("pHGS", "HC"),
    claims=(Claim("JI", "pHGS", "HC"), Claim(CALLS, "HC", "pHGS")),
    remarks=("Normalised calls: the text says that HC typically takes three to five times the calls of pHGS.",),
)
LONG = ("mix", "pigs")  # networks on which MMPC's searches around variables take long
AT_DESK = tuple(cell for cell in CELLS if cell["network"] not in LONG)
PAPER_ONLY = {"smoke": 1, "desk": 0, "paper": 100}  # numbers of networks, as in tables 3 and 4
TABLE6_MMPC = replace(
    TABLE6,
    name="phgs_table6_mmpc",
    what="pHGS, tables 6 and 7, figure 3: edges right, turned and wrong, MMPC",
    at_desk=AT_DESK,
    run=partial(constraint_based, rivals=("MMPC",)),
    printed=printed("MMPC"),
    claims=(),
    remarks=(),
)
TABLE8_MMHC = replace(
    TABLE8,
    name="phgs_table8_mmhc",
    what="pHGS, tables 8 and 9, figure 4: edges right, turned and wrong, MMHC",
    at_desk=AT_DESK,
    run=partial(hybrids, rival=("MMHC", "MMPC")),
    printed=printed("MMHC"),
    derive=lambda rows: rows,
    claims=(),
    remarks=(),
)
TABLE6_HPC = replace(
    TABLE6_MMPC,
    name="phgs_table6_hpc",
    what="pHGS, tables 6 and 7, figure 3: edges right, turned and wrong, HPC",
    networks=PAPER_ONLY,
    run=partial(constraint_based, rivals=("HPC",)),
    printed=printed("HPC"),
)
TABLE8_H2PC = replace(
    TABLE8_MMHC,
    name="phgs_table8_h2pc",
    what="pHGS, tables 8 and 9, figure 4: edges right, turned and wrong, H2PC",
    networks=PAPER_ONLY,
    run=partial(hybrids, rival=("H2PC", "HPC")),
    printed=printed("H2PC"),
)
ALL = (TABLE6, TABLE6_MMPC, TABLE6_HPC, TABLE8, TABLE8_MMHC, TABLE8_H2PC)
