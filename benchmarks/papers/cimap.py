"""The experiments of Bacciu et al. (2013), section 4, and one of our own about the effect size of FNR."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pandas as pd

from learners import (
    G2,
    PDAG,
    BDeu,
    Dataset,
    LearnResult,
    MutualInformation,
    aracne,
    ges,
    load_network,
    load_sample,
    mmhc,
    pc,
    pc_mi,
    permute_columns,
    random_modular_network,
    sample,
    sca,
)
from learners.common.progress import Tick, silent
from learners.evaluation.metrics import skeleton_confusion
from learners.families.cimap.cimap import cimap
from learners.independence.power import suggested_effect

from .experiment import NETWORKS_A_CELL, Claim, Experiment, Figure, Piece, label, n_calls, timed

ALPHA = 0.05  # section 4.2; its cut of 10 mbit applies to `pc_mi`
ESS, LARGEST = 10.0, 10  # equivalent sample size of the scores, and maximum size of MMHC's sets, section 4.1
SIZES, LARGE_SIZES = (500, 1000, 5000, 10_000), (10_000, 20_000, 30_000, 40_000)
MODES = {"none": "", "sfdr": "sFDR", "ifdr": "iFDR", "pefdr": "peFDR"}
EFFECTS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
STRENGTHS = ("4-30", "8-100")  # marginal information of an edge of the stand-in, in mbit
PATIENCE = 3.0  # maximum CPU seconds for one run; only information thresholds on too few rows take longer

Learn = Callable[[Dataset, Tick], LearnResult]


def configuration(*, dof: str = "plain", **options: object) -> Learn:
    """Return CImap with its own options and sets of any size.

    Tables are counted again in each run; effect sizes depend on the rows.
    """
    options = {"alpha": ALPHA, "max_cond_size": None, "orient": False, **options}
    return lambda data, tick: cimap(
        MutualInformation(data, dof=dof), tick=tick, **{"effect": suggested_effect(data.n), **options}
    )


def configurations() -> dict[str, Learn]:
    """Return every combination of TWF, FNR and FDR, by the acronyms of table 1, and the presets with a threshold."""
    learners = {}
    for twf in ("off", "on"):
        for fnr in ("off", "on"):
            for fdr, mode in MODES.items():
                words = ("P", mode, "FNR" if fnr == "on" else "", "TWF" if twf == "on" else "")
                learners[" ".join(filter(None, words))] = configuration(twf=twf, fnr=fnr, fdr=fdr)
    return learners | {preset: configuration(preset=preset) for preset in ("MI1", "MI2", "PN1", "PN2")}


def rivals() -> dict[str, Learn]:
    """Return the learners of figures 5 to 8: CImap by the abbreviations of table 2, and its competitors."""
    return {
        **{preset: configuration(preset=preset) for preset in ("P-1", "P-2", "P-3")},
        # Also with adjusted degrees of freedom, as other learners here have them; the paper counts all declared states.
        **{f"{preset} adjusted": configuration(preset=preset, dof="adjusted") for preset in ("P-1", "P-2")},
        **competitors(),
        "SCA": lambda data, tick: sca(BDeu(data, ess=ESS), tick=tick),
        "GS": lambda data, tick: ges(BDeu(data, ess=ESS), turning=False, max_parents=None, tick=tick),
    }


def competitors() -> dict[str, Learn]:
    """Return the competitors, except for purely score-based searches."""
    return {
        "PC-G2": lambda data, tick: pc(G2(data), alpha=ALPHA, max_cond_size=None, tick=tick),
        "PC-MI": lambda data, tick: pc_mi(MutualInformation(data), max_cond_size=None, orient=False, tick=tick),
        "ARACNE": lambda data, tick: aracne(MutualInformation(data), alpha=ALPHA, tick=tick),
    } | {"MMHC": _mmhc(0.0), "MMHC five rows": _mmhc(5.0)}  # five rows per cell: Tsamardinos et al. (2006)


def _mmhc(rows_per_cell: float) -> Learn:
    limits = {"alpha": ALPHA, "max_cond_size": LARGEST, "max_parents": None, "polish": False}
    return lambda data, tick: mmhc(G2(data, rows_per_cell=rows_per_cell), BDeu(data, ess=ESS), tick=tick, **limits)


def effects() -> dict[str, Learn]:
    """Return P-1, and P-2 at several effect sizes."""
    return {
        "P-1": configuration(preset="P-1"),
        **{f"P-2, w = {effect}": configuration(preset="P-2", effect=effect) for effect in EFFECTS},
    }


def large() -> dict[str, Learn]:
    """Return the learners of table 5 with P-2, P-3 and MMHC, and the thresholds with marginal tests only."""
    presets = ("MI1", "MI2", "PN1", "PN2", "P-1", "P-2", "P-3", "P-4")
    return {
        **{preset: configuration(preset=preset) for preset in presets},
        **{f"{preset}, pairs only": configuration(preset=preset, max_cond_size=0) for preset in ("MI1", "PN1")},
        **competitors(),
    }


def on_network(learners: Callable[[], Mapping[str, Learn]]) -> Callable[[Piece], Iterator[Figure]]:
    """Return a function that runs these learners on data of a benchmark network, with columns in random order."""

    def run(piece: Piece) -> Iterator[Figure]:
        network, seed = load_network(piece["network"]), piece["seed"]
        data, dag = permute_columns(sample(network, piece["n"], seed), network.dag, seed)
        yield from held_against(dag, data, learners())

    return run


def on_large(piece: Piece) -> Iterator[Figure]:
    """Yield table 5 on the stand-in for LargeScale; the networks are the same at each number of rows."""
    weakest, strongest = map(float, piece["mbit"].split("-"))
    network = random_modular_network(seed=piece["seed"] % NETWORKS_A_CELL, weakest=weakest, strongest=strongest)
    yield from held_against(network.dag, sample(network, piece["n"], piece["seed"]), large())


def held_against(truth: PDAG, data: Dataset, learners: Mapping[str, Learn]) -> Iterator[Figure]:
    """Yield false edges, missing edges and tests of each learner; NaN if a run exceeded `PATIENCE`."""
    _warm_up()
    G2(data)  # caches the bit planes with the data, so that no learner's time includes them
    for name, learn in learners.items():
        end = time.process_time() + PATIENCE
        result, seconds = timed(lambda learn=learn, end=end: learn(data, lambda *_: time.process_time() < end))
        found = skeleton_confusion(result.graph, truth)
        counts = {"FP": found.fp, "FN": found.fn, "tests": result.n_tests}
        for metric, count in counts.items():
            yield Figure(name, metric, count if result.complete else math.nan, seconds, n_calls(result))


@cache
def _warm_up() -> None:
    """Load the compiled kernels by running every learner once."""
    data = load_sample("asia").dataset
    for learn in (configurations() | rivals() | large()).values():
        learn(data, silent)


def with_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the sum of false and missing edges, as in the figures, and with the seconds."""
    false, missing = (rows[rows["metric"] == metric] for metric in ("FP", "FN"))
    errors = false.assign(metric="errors", value=false["value"].to_numpy() + missing["value"].to_numpy())
    seconds = false.assign(metric="seconds", value=false["seconds"].where(false["value"].notna()))
    return pd.concat([errors, rows, seconds])


def more(metrics: str, better: str, worse: str) -> tuple[Claim, ...]:
    """Return claims that the mean of each metric is larger for one method than for another."""
    return tuple(Claim(metric, better, worse) for metric in metrics.split())


@cache
def printed4() -> dict[tuple[str, str, str], str]:
    """Return table 4: seconds, mean and standard deviation."""
    text = """
        insurance P-1     0.70 0.04 1.07 0.07 4.38 0.34 9.09 0.46
        insurance P-2     0.74 0.04 1.19 0.07 4.86 0.51 9.79 0.56
        insurance PC-G2   8.09 0.43 9.68 0.27 26.50 3.32 43.28 4.27
        insurance MMHC    4.32 0.62 5.32 0.25 19.11 2.07 36.23 2.41
        insurance SCA     19.32 3.18 26.73 3.53 88.75 22.72 160.83 36.05
        insurance GS      7.61 1.17 10.12 1.67 35.55 5.57 74.31 13.92
        insurance ARACNE  0.16 0 0.19 0.01 0.48 0.01 0.92 0.14
        alarm P-1         0.50 0.03 0.86 0.05 4.70 0.26 10.56 0.28
        alarm P-2         0.53 0.04 0.90 0.06 4.91 0.31 10.69 0.30
        alarm PC-G2       69.56 22.85 108.26 163.41 34.73 2.74 93.84 8.61
        alarm MMHC        3.01 0.60 4.06 0.25 20.29 1.38 57.56 3.79
        alarm SCA         10.57 3.46 15.55 3.04 40.18 11.07 58.20 14.75
        alarm GS          3.58 0.45 5.07 1.08 15.61 2.09 27.47 2.36
        alarm ARACNE      0.30 0.02 0.3 0.01 1.12 0.33 1.99 0.37
        hailfinder P-1    1.2 0.042 1.49 0.06 4.57 0.39 9.47 1.07
        hailfinder P-2    1.78 0.58 2.91 1.44 12.70 8.67 32.47 22.08
        hailfinder PC-G2  40 5 78 8 460.23 25.95 1048 72
        hailfinder MMHC   8 1 14 1 172.97 10.28 561 50
        hailfinder SCA    22 5 36 11 111.68 27.48 225 53
        hailfinder GS     14 3 22 3 100.47 14.65 187 33
        hailfinder ARACNE 0.73 0.01 0.84 0.01 2.16 0.10 3.96 0.14
        barley P-1        0.92 0.03 1.23 0.04 5.01 0.47
        barley P-2        1.20 0.17 1.56 0.40 5.04 0.26
        barley P-3        1.15 0.11 1.55 0.41 5.10 0.35
        barley MMHC       7.94 0.59 11.86 2.24 45.19 9.46
        barley SCA        28.51 5.87 45.57 12.69 129.19 37.69
        barley GS         16.08 1.89 36.62 9.15
        barley ARACNE     0.56 0.02 0.65 0.01 1.64 0.05
        """
    printed = {}
    for network, method, *numbers in (line.split() for line in text.strip().split("\n")):
        for n, mean, spread in zip(SIZES, numbers[::2], numbers[1::2], strict=False):
            printed[label({"network": network, "n": n}), method, "seconds"] = f"{mean} ± {spread}"
    return printed


@cache
def _printed5() -> dict[tuple[str, str, str], str]:
    """Return table 5: means of missing and false edges, and the times from the text of section 4.6."""
    text = """
        MI1    74.5 0 74.6 0 75.5 0 75.0 0
        MI2    73.7 0 74.1 0 73.8 0 73.7 0
        PC-MI  89.4 0 90.1 0 89.7 0 89.4 0
        P-1    23.4 348.9 19.0 358.1 16.0 359.4 14.2 367.7
        P-4    20.8 169.7 15.9 179.2 13.2 176.8 11.2 182.0
        PC-G2  10.2 210.7
        PN1    54.1 0 51.9 0 49.3 0 49.3 0
        PN2    16.6 0 11.5 0.1 10.8 0 9.3 0
        ARACNE 54.4 2121.4 53.9 2130.1 54.7 2114.9 54.3 2122.5
        """
    times = {("PC-G2", 10_000): "3202.7", ("MI1", 40_000): "6.4", ("PC-MI", 40_000): "38.68", ("PN1", 40_000): "87"}
    printed = {}
    for mbit in STRENGTHS:
        for method, *numbers in (line.split() for line in text.strip().split("\n")):
            for n, missing, false in zip(LARGE_SIZES, numbers[::2], numbers[1::2], strict=False):
                cell = label({"mbit": mbit, "n": n})
                printed |= {(cell, method, "FN"): missing, (cell, method, "FP"): false}
        for (method, n), minutes in times.items():
            printed[label({"mbit": mbit, "n": n}), method, "seconds"] = f"{minutes} min"
    return printed


CELLS = tuple({"network": name, "n": n} for name in ("insurance", "alarm", "hailfinder", "barley") for n in SIZES)
NETWORKS = Experiment(
    name="cimap_networks",
    what="CImap, figures 2 to 4: errors and time of its configurations",
    cells=CELLS,
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=on_network(configurations),
    derive=with_errors,
    claims=(
        *more("errors FP FN tests seconds", "P", "P TWF"),
        *more("errors seconds", "P iFDR FNR", "P iFDR FNR TWF"),
        *more("FP errors tests", "P TWF", "P iFDR TWF"),
        *more("FP errors tests", "P TWF", "P peFDR TWF"),
        *more("FP errors", "P", "P iFDR"),
        *more("FP errors", "P", "P peFDR"),
        *more("errors tests", "P sFDR TWF", "P iFDR TWF"),
        *more("errors tests", "P sFDR TWF", "P peFDR TWF"),
        *more("FN errors", "P TWF", "P FNR TWF"),
        *more("seconds", "P FNR TWF", "P TWF"),
    ),
    apart="network",
)
RIVALS = Experiment(
    name="cimap_rivals",
    what="CImap, figures 5 to 9 and table 4: errors and time beside other learners",
    cells=CELLS,
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=on_network(rivals),
    derive=with_errors,
    printed=printed4(),
    claims=(
        *more("errors", "P-2", "MMHC"),
        *more("errors", "PC-G2", "P-2"),
        *more("errors", "ARACNE", "P-2"),
        *more("errors", "P-2", "P-1"),
        *(claim for slow in ("PC-G2", "MMHC", "SCA", "GS") for claim in more("seconds", slow, "P-1")),
        *more("seconds", "P-1", "ARACNE"),
    ),
    apart="network",
)
EFFECT = Experiment(
    name="cimap_effect",
    what="CImap, the effect size w of FNR (no experiment of the paper)",
    cells=CELLS,
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=on_network(effects),
    derive=with_errors,
    apart="network",
)
LARGE = Experiment(
    name="cimap_large",
    what="CImap, figures 10 and 11 and table 5, on a stand-in: 328 variables, 154 edges",
    cells=tuple({"mbit": mbit, "n": n} for mbit in STRENGTHS for n in LARGE_SIZES),
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=on_large,
    derive=with_errors,
    printed=_printed5(),
    claims=(
        *more("FN", "MI1", "PN1"),
        *more("FN", "PN1", "PN2"),
        *more("FN", "PC-MI", "MI1"),
        *more("FP", "P-1", "P-4"),
        *more("FP", "ARACNE", "P-1"),
        *more("errors", "P-1", "MI1"),
        *more("seconds", "P-1", "PN1"),
        *more("seconds", "PN1", "MI1"),
        *more("seconds", "PN2", "PN1"),
        *more("seconds", "PC-MI", "MI1"),
    ),
    apart="mbit",
)
