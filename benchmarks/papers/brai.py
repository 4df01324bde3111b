"""The experiments of Rohekar et al. (2018): figures 3 and 4 and table 1, on samples of the bundled networks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from learners import (
    G2,
    PDAG,
    BDeu,
    Dataset,
    LearnResult,
    Posterior,
    best_classes,
    brai,
    consistent_extension,
    learn,
    sample,
)
from learners.graph import ancestors, markov_blanket
from learners.predictive import predictive_log_likelihood
from learners.samples import load_network

from .experiment import Claim, Experiment, Figure, Piece

TEST_ROWS = 5_000
SPLITS = (2, 3, 4, 5)
BOOTSTRAPS = (1, 3, 9, 27)
MOST_CLASSES = 1_000  # counted in a tree
RIVAL_RESAMPLES = 100  # of BS-MMHC; 1 000 in the paper
AVERAGED = (1, 10, 100)
FEATURES = ("directed", "blanket", "paths")

TABLE1_PRINTED = {  # ln of the probability of 5 000 new rows: RAI, MMHC, BS-MMHC, B-RAI
    "child": (-68_861, -73_290, -72_125, -65_671),
    "insurance": (-71_296, -89_670, -85_915, -70_634),
    "mildew": (-288_677, -296_375, -296_815, -279_686),
    "alarm": (-52_198, -86_190, -80_645, -51_173.5),
    "barley": (-340_317, -380_790, -380_305, -339_057),
    "hailfinder": (-291_632.5, -308_125, -306_930, -289_074),
}


def _timed(run: Callable[[], LearnResult]) -> tuple[LearnResult, float]:
    began = time.process_time()
    result = run()
    return result, time.process_time() - began


def _brai(data: Dataset, s: int, seed: int) -> LearnResult:
    return brai(G2(data, dof="plain"), BDeu(data), s=s, seed=seed)


def _foretold(graph: PDAG, train: Dataset, new: Dataset) -> float:
    """ln of the probability of a new row, on average."""
    return predictive_log_likelihood(consistent_extension(graph).dag, train, new) / new.n


def unique_graphs(piece: Piece) -> Iterator[Figure]:
    """Figure 3, left: different CPDAGs in a tree, by rows."""
    data = sample(load_network(piece["network"]), piece["n"], piece["seed"])
    result, seconds = _timed(lambda: _brai(data, 3, piece["seed"]))
    yield Figure("B-RAI s=3", "unique CPDAGs", result.extra.n_classes(MOST_CLASSES), seconds)
    yield Figure("B-RAI s=3", "log10 routes", len(str(result.extra.tree.n_routes)) - 1.0)


def efficiency(piece: Piece) -> Iterator[Figure]:
    """Figure 3, right: how well the best graph foretells new rows, and the tests it took; trees and bootstraps."""
    network, seed = load_network(piece["network"]), piece["seed"]
    train, new = sample(network, piece["n"], seed), sample(network, TEST_ROWS, seed + 500)
    for s in SPLITS:
        result, seconds = _timed(lambda s=s: _brai(train, s, seed))
        yield Figure(f"B-RAI s={s}", "tests", result.n_tests, seconds)
        yield Figure(f"B-RAI s={s}", "ln P(new row)", _foretold(result.graph, train, new))
    for n in BOOTSTRAPS:
        result, seconds = _timed(
            lambda n=n: learn(
                "bootstrap", train, base="rai", n_resamples=n, graph="best", score="bdeu", seed=seed
            )
        )  # fmt: skip
        yield Figure(f"bootstrap {n}", "tests", result.n_tests, seconds)
        yield Figure(f"bootstrap {n}", "ln P(new row)", _foretold(result.graph, train, new))


def averaging(piece: Piece) -> Iterator[Figure]:
    """Figure 4: area under the ROC curve of three kinds of features, by the classes averaged over."""
    network, seed = load_network(piece["network"]), piece["seed"]
    truth, data = network.dag, sample(network, piece["n"], seed)
    began = time.process_time()
    exact = best_classes(BDeu(data), max(AVERAGED))
    spent = time.process_time() - began
    tree, seconds = _timed(lambda: _brai(data, 3, seed))
    rival, slower = _timed(
        lambda: learn(
            "bootstrap", data, base="mmhc", n_resamples=RIVAL_RESAMPLES, graph="best", score="bdeu", seed=seed
        )
    )
    classes = {
        "exact": (exact, spent),
        "B-RAI s=3": (tree.extra.classes(max(AVERAGED)), seconds),
        "BS-MMHC": (rival.extra.posterior().classes, slower),
    }
    for name, (found, used) in classes.items():
        for k in AVERAGED:
            posterior = Posterior(found[:k])
            for feature in FEATURES:
                value = getattr(posterior, feature)
                area = _area(value() if callable(value) else value, _true(truth, feature))
                yield Figure(name, f"AUC {feature}, k={k}", area, used)


def selection(piece: Piece) -> Iterator[Figure]:
    """Table 1: ln of the probability of new rows under the one graph that each learner ends with."""
    network, seed = load_network(piece["network"]), piece["seed"]
    train, new = sample(network, piece["n"], seed), sample(network, TEST_ROWS, seed + 500)
    runs = {
        "B-RAI s=3": lambda: _brai(train, 3, seed),
        "RAI": lambda: learn("rai", train),
        "MMHC": lambda: learn("mmhc", train, score="bdeu"),
        "BS-MMHC": lambda: learn(
            "bootstrap", train, base="mmhc", n_resamples=RIVAL_RESAMPLES, graph="best", score="bdeu", seed=seed
        ),
    }
    for name, run in runs.items():
        result, seconds = _timed(run)
        yield Figure(name, "ln P(new row)", _foretold(result.graph, train, new), seconds)


def _true(dag: PDAG, feature: str) -> np.ndarray:
    """What is true of the network."""
    if feature == "directed":
        return dag.amat
    if feature == "paths":
        return ancestors(dag)
    blanket = np.zeros((dag.p, dag.p), dtype=bool)
    for i in range(dag.p):
        blanket[i, list(markov_blanket(dag, i))] = True
    return blanket


def _area(probability: np.ndarray, truth: np.ndarray) -> float:
    """Area under the ROC curve over all pairs of different nodes; ties count half."""
    off = ~np.eye(len(truth), dtype=bool)
    value, is_true = probability[off], truth[off]
    above = value[is_true][:, None] - value[~is_true][None, :]
    return float(np.mean((above > 1e-12) + 0.5 * (np.abs(above) <= 1e-12)))


FIGURE3_LEFT = Experiment(
    name="brai_unique",
    what="Rohekar et al. (2018), figure 3 left: different CPDAGs in a tree of B-RAI, s = 3, alarm, by rows",
    cells=tuple({"network": "alarm", "n": n} for n in (50, 100, 200, 300, 400, 500)),
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=unique_graphs,
)
FIGURE3_RIGHT = Experiment(
    name="brai_efficiency",
    what="Rohekar et al. (2018), figure 3 right: tests and how well new rows are foretold, B-RAI and bootstraps of RAI",
    cells=({"network": "alarm", "n": 500},),
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=efficiency,
    claims=(
        Claim("ln P(new row)", "B-RAI s=3", "bootstrap 9"),
        Claim("ln P(new row)", "B-RAI s=5", "bootstrap 27"),
        Claim("tests", "bootstrap 27", "B-RAI s=3"),
    ),
)
FIGURE4 = Experiment(
    name="brai_averaging",
    what="Rohekar et al. (2018), figure 4: features averaged over classes, exact, of B-RAI and of bootstraps of MMHC",
    cells=tuple({"network": network, "n": 500} for network in ("cancer", "earthquake", "survey", "asia")),
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=averaging,
)
BRAI_TABLE1 = Experiment(
    name="brai_table1",
    what="Rohekar et al. (2018), table 1: how well the graph of each learner foretells new rows, from 500 rows",
    cells=tuple({"network": network, "n": 500} for network in TABLE1_PRINTED),
    networks={"smoke": 1, "desk": 3, "paper": 10},
    run=selection,
    printed={
        (f"network={network} n=500", method, "ln P(new row)"): f"{total / TEST_ROWS:.3g}"
        for network, totals in TABLE1_PRINTED.items()
        for method, total in zip(("RAI", "MMHC", "BS-MMHC", "B-RAI s=3"), totals, strict=True)
    },
    claims=(
        Claim("ln P(new row)", "B-RAI s=3", "RAI"),
        Claim("ln P(new row)", "B-RAI s=3", "MMHC"),
        Claim("ln P(new row)", "B-RAI s=3", "BS-MMHC"),
    ),
)
