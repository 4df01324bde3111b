"""The experiments of Rohekar et al. (2018): figures 3 and 4 and table 1, on samples of the bundled networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from learners import (
    G2,
    PDAG,
    BDeu,
    Dataset,
    LearnResult,
    Posterior,
    best_classes,
    bootstrap,
    consistent_extension,
    learn,
    order_posterior,
    rai,
    sample,
    sample_dags,
)
from learners.evaluation.categorical_likelihood import predictive_log_likelihood
from learners.evaluation.metrics import skeleton_confusion
from learners.families.brai.brai import brai
from learners.graphs.graph import ancestors, markov_blanket
from learners.io.samples import load_network

from .experiment import Claim, Experiment, Figure, Piece, n_calls, timed

TEST_ROWS = 5_000
SPLITS = (2, 3, 4, 5)
BOOTSTRAPS = (1, 3, 9, 27)
MAX_CLASSES = 1_000  # maximum number of classes counted in a tree
RIVAL_RESAMPLES = 100  # resamples of BS-MMHC; 1 000 in the paper
AVERAGED = (5, 10, 15)
KEPT_DAGS = 1_000  # DAGs kept from the chain of MCMC-DP
PUBLISHED = {"cut": "c1", "pools": "parents", "collider_check": "off"}  # published settings
FEATURES = ("directed", "blanket", "paths")

TABLE1_PRINTED = {  # ln of the probability of 5 000 new rows: RAI, MMHC, BS-MMHC, B-RAI
    "child": (-68_861, -73_290, -72_125, -65_671),
    "insurance": (-71_296, -89_670, -85_915, -70_634),
    "mildew": (-288_677, -296_375, -296_815, -279_686),
    "alarm": (-52_198, -86_190, -80_645, -51_173.5),
    "barley": (-340_317, -380_790, -380_305, -339_057),
    "hailfinder": (-291_632.5, -308_125, -306_930, -289_074),
    "munin1": (-447_481, -455_290, -442_860, -436_309),
    "link": (-1_857_751, -1_907_700, -1_863_546, -1_772_132),
}


def _rai(data: Dataset, **settings: object) -> LearnResult:
    return rai(G2(data, dof="plain"), **settings)


def _brai(data: Dataset, s: int, seed: int, **settings: object) -> LearnResult:
    return brai(G2(data, dof="plain"), BDeu(data), s=s, roots=1, seed=seed, **settings)


def _published(data: Dataset, s: int, seed: int) -> LearnResult:
    """Run B-RAI exactly as published."""
    return _brai(data, s, seed, resample_factor=1.0, **PUBLISHED)


def _best_of_bootstraps(data: Dataset, learn_one: Callable[[Dataset], LearnResult], n: int, seed: int) -> LearnResult:
    """Return the best graph of `n` resamples by BDeu."""
    return bootstrap(
        data, BDeu(data), lambda resample, _t, _tick: learn_one(resample), n_resamples=n, graph="best", seed=seed
    )


def _bs_mmhc(data: Dataset, seed: int) -> LearnResult:
    return _best_of_bootstraps(data, lambda one: learn("mmhc", one, score="bdeu", polish=False), RIVAL_RESAMPLES, seed)


def _predicted(graph: PDAG, train: Dataset, new: Dataset) -> float:
    """Return the mean log probability of a new row under a graph fitted to the training rows."""
    return predictive_log_likelihood(consistent_extension(graph).dag, train, new) / new.n


def unique_graphs(piece: Piece) -> Iterator[Figure]:
    """Yield figure 3, left: different CPDAGs in a tree, by rows."""
    data = sample(load_network(piece["network"]), piece["n"], piece["seed"])
    for name, run in {"B-RAI s=3": _brai, "B-RAI published": _published}.items():
        result, seconds = timed(lambda run=run: run(data, 3, piece["seed"]))
        yield Figure(name, "unique CPDAGs", result.extra.n_classes(MAX_CLASSES), seconds, n_calls(result))
        yield Figure(name, "log10 routes", len(str(result.extra.tree.n_routes)) - 1.0)


def efficiency(piece: Piece) -> Iterator[Figure]:
    """Yield figure 3, right: predictive quality of the best graph and its number of tests, for trees and bootstraps."""
    network, seed = load_network(piece["network"]), piece["seed"]
    train, new = sample(network, piece["n"], seed), sample(network, TEST_ROWS, seed + 500)
    for s in SPLITS:
        result, seconds = timed(lambda s=s: _brai(train, s, seed))
        yield Figure(f"B-RAI s={s}", "tests", result.n_tests, seconds, n_calls(result))
        yield Figure(f"B-RAI s={s}", "ln P(new row)", _predicted(result.graph, train, new))
    for n in BOOTSTRAPS:
        result, seconds = timed(lambda n=n: _best_of_bootstraps(train, _rai, n, seed))
        yield Figure(f"bootstrap {n}", "tests", result.n_tests, seconds, n_calls(result))
        yield Figure(f"bootstrap {n}", "ln P(new row)", _predicted(result.graph, train, new))


def averaging(piece: Piece) -> Iterator[Figure]:
    """Yield figure 4: area under the ROC curve of three types of features, by the number of averaged classes."""
    network, seed = load_network(piece["network"]), piece["seed"]
    truth, data = network.dag, sample(network, piece["n"], seed)
    exact, spent = timed(lambda: best_classes(BDeu(data), max(AVERAGED)))
    tree, seconds = timed(lambda: _brai(data, 3, seed))
    published, as_long = timed(lambda: _published(data, 3, seed))
    rival, slower = timed(lambda: _bs_mmhc(data, seed))
    classes = {
        "exact": (exact, spent),
        "B-RAI s=3": (tree.extra.classes(max(AVERAGED)), seconds),
        "BS-MMHC": (rival.extra.posterior().classes, slower),
        "B-RAI published": (published.extra.classes(max(AVERAGED)), as_long),
    }
    for name, (found, used) in classes.items():
        for k in AVERAGED:
            posterior = Posterior(found[:k])
            for feature in FEATURES:
                value = getattr(posterior, feature)
                area = _area(value() if callable(value) else value, _true(truth, feature))
                yield Figure(name, f"AUC {feature}, k={k}", area, used)
    chain, used = timed(lambda: sample_dags(order_posterior(BDeu(data)), KEPT_DAGS, seed=seed))
    for feature in FEATURES:
        area = _area(getattr(chain, feature), _true(truth, feature))
        for k in AVERAGED:
            yield Figure("MCMC-DP", f"AUC {feature}, k={k}", area, used)


def selection(piece: Piece) -> Iterator[Figure]:
    """Yield table 1: log probability of new rows under the graph that each learner selects."""
    network, seed = load_network(piece["network"]), piece["seed"]
    train, new = sample(network, piece["n"], seed), sample(network, TEST_ROWS, seed + 500)
    runs = {
        "B-RAI s=3": lambda: _brai(train, 3, seed),
        "RAI": lambda: _rai(train),
        "MMHC": lambda: learn("mmhc", train, score="bdeu", polish=False),
        "BS-MMHC": lambda: _bs_mmhc(train, seed),
        "B-RAI published": lambda: _published(train, 3, seed),
        "RAI published": lambda: _rai(train, **PUBLISHED),
    }
    for name, run in runs.items():
        result, seconds = timed(run)
        yield Figure(name, "ln P(new row)", _predicted(result.graph, train, new), seconds, n_calls(result))
        skeleton = skeleton_confusion(result.graph, network.dag)
        yield Figure(name, "false edges", skeleton.fp)
        yield Figure(name, "missing edges", skeleton.fn)


def _true(dag: PDAG, feature: str) -> np.ndarray:
    """Return the true features of the network."""
    if feature == "directed":
        return dag.amat
    if feature == "paths":
        return ancestors(dag)
    blanket = np.zeros((dag.p, dag.p), dtype=bool)
    for i in range(dag.p):
        blanket[i, list(markov_blanket(dag, i))] = True
    return blanket


def _area(probability: np.ndarray, truth: np.ndarray) -> float:
    """Return the area under the ROC curve over all pairs of different nodes; ties count half."""
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
    what="Rohekar et al. (2018), figure 3 right: tests and prediction of new rows, B-RAI and bootstraps of RAI",
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


def _printed(networks: tuple[str, ...]) -> dict[tuple[str, str, str], str]:
    return {
        (f"network={network} n=500", method, "ln P(new row)"): f"{total / TEST_ROWS:.3g}"
        for network in networks
        for method, total in zip(("RAI", "MMHC", "BS-MMHC", "B-RAI s=3"), TABLE1_PRINTED[network], strict=True)
    }


SMALL, LARGE = tuple(TABLE1_PRINTED)[:6], tuple(TABLE1_PRINTED)[6:]
BRAI_TABLE1 = Experiment(
    name="brai_table1",
    what="Rohekar et al. (2018), table 1: prediction of new rows by the graph of each learner, from 500 rows",
    cells=tuple({"network": network, "n": 500} for network in SMALL),
    networks={"smoke": 1, "desk": 5, "paper": 10},
    run=selection,
    printed=_printed(SMALL),
    claims=(
        Claim("ln P(new row)", "B-RAI s=3", "RAI"),
        Claim("ln P(new row)", "B-RAI s=3", "MMHC"),
        Claim("ln P(new row)", "B-RAI s=3", "BS-MMHC"),
    ),
)
BRAI_TABLE1_LARGE = replace(
    BRAI_TABLE1,
    name="brai_table1_large",
    what="Rohekar et al. (2018), table 1: the same on the two largest networks",
    cells=tuple({"network": network, "n": 500} for network in LARGE),
    printed=_printed(LARGE),
    networks={"smoke": 1, "desk": 1, "paper": 10},
    smoke={"network": "child", "n": 500},
)
