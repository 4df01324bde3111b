"""Huang and Zhou (2022), figure 5: ARGES from no edge and from HGI, on Gaussian data of their networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from learners import PDAG, Dataset, FisherZ, GaussianBIC, GaussianNetwork, cpdag, sample
from learners.evaluation.metrics import jaccard
from learners.networks.sampling import permute_columns
from learners.search.ges_search import equivalence_search
from learners.search.hgi import hgi

from .experiment import Claim, Experiment, Figure, MetricCurve, Piece, timed
from .phgs import CELLS, SMOKE, true_middles
from .tiled import MIX, TILES, tiled

ROWS = (100, 250, 500, 1000, 2500, 5000)
PENALTIES = tuple(round(0.5 + 0.2 * k, 1) for k in range(10))  # penalties of each parameter, in units of ln n
ALPHA = 0.01  # level of the tests for v-structures
SMALLER = 5  # divisor of the number of tiles, so that scale desk includes all networks
JI, GAINED = MetricCurve("JI", "rows", log="x"), MetricCurve("JI gained, %", "rows", log="x")


def figure5(piece: Piece) -> Iterator[Figure]:
    """Yield figure 5: the highest JI of ten penalties by the number of rows, within the true skeleton or its CIG."""
    seed = piece["seed"]
    network = gaussian(tiled(piece["network"], seed, piece.get("tiles")).dag, seed)
    for n in ROWS:
        ways = searches(*permute_columns(sample(network, n, seed), network.dag, seed))
        best = {}
        for name, learn in ways.items():
            best[name], seconds = timed(lambda learn=learn: max(learn(penalty) for penalty in PENALTIES))
            yield Figure(name, JI.metric(n), best[name], seconds)
        best["ARGES"] = max(best["ARGES-skeleton"], best["ARGES-CIG"])
        yield Figure("ARGES", JI.metric(n), best["ARGES"])
        yield Figure("ARGES HGI", GAINED.metric(n), 100 * (best["ARGES HGI"] / best["ARGES"] - 1))


def searches(data: Dataset, dag: PDAG) -> dict[str, Callable[[float], float]]:
    """Return functions from a penalty to the JI of each search."""
    truth = cpdag(dag)
    triples = true_middles(FisherZ(data), truth, ALPHA)

    def score(penalty: float) -> GaussianBIC:
        return GaussianBIC(data, penalty=2 * penalty)  # our penalty is in units of half ln n

    def within_skeleton(penalty: float) -> float:
        found = equivalence_search(score(penalty), allowed=truth.skeleton, beside="triples")
        return jaccard(found.graph, truth)

    def within_cig(penalty: float) -> float:
        return jaccard(equivalence_search(score(penalty), allowed=moral(dag), beside="colliders").graph, truth)

    def from_hgi(penalty: float) -> float:
        own = score(penalty)
        start = hgi(own, truth.skeleton, triples).dag
        return jaccard(equivalence_search(own, start=start, allowed=truth.skeleton, beside="triples").graph, truth)

    return {"ARGES-skeleton": within_skeleton, "ARGES-CIG": within_cig, "ARGES HGI": from_hgi}


def gaussian(dag: PDAG, seed: int) -> GaussianNetwork:
    """Draw linear equations as in appendix D.2: absolute weights of 0.1 to 1, noise variances of 1 to 2."""
    rng, p = np.random.default_rng(seed), dag.p
    weights = rng.uniform(0.1, 1.0, (p, p)) * rng.choice([-1.0, 1.0], (p, p))
    names = tuple(f"X{j + 1}" for j in range(p))
    return GaussianNetwork(names, np.where(dag.amat, weights, 0.0), rng.uniform(1.0, 2.0, p), np.zeros(p))


def moral(dag: PDAG) -> np.ndarray:
    """Return (p, p) bool: the pairs that are adjacent or have a common child, so dependent given all others."""
    amat = dag.amat.astype(np.float32)
    near = dag.skeleton | (amat @ amat.T > 0)
    np.fill_diagonal(near, False)
    return near


SMALLER_CELLS = tuple(
    {"network": name, "tiles": max(1, round(count / SMALLER))} for name, count in TILES.items() if name != MIX
)
FIGURE5 = Experiment(
    name="phgs_figure5",
    what="pHGS, figure 5: ARGES with and without HGI, networks a fifth as large",
    cells=SMALLER_CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 10},
    at_desk=tuple(cell for cell in SMALLER_CELLS if cell["network"] not in ("pigs", "pathfinder")),
    run=figure5,
    smoke=SMOKE,
    claims=tuple(Claim(JI.metric(n), "ARGES HGI", "ARGES") for n in ROWS),
    curves=(JI, GAINED),
)
FIGURE5_FULL = replace(
    FIGURE5,
    name="phgs_figure5_full",
    what="pHGS, figure 5: ARGES with and without HGI, networks of the paper's size",
    cells=CELLS,
    networks={"smoke": 1, "desk": 0, "paper": 10},
)
