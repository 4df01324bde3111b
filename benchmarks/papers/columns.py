"""The papers' claims on column types that they do not cover."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from learners import (
    Dataset,
    LearnResult,
    cpdag,
    learn,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
)
from learners.evaluation.curves import average_precision
from learners.evaluation.metrics import jaccard
from learners.graphs.graph import PDAG
from learners.results.result import ranking_of

from .experiment import Claim, Experiment, Figure, Piece, n_calls, timed

SEED = 899_000  # first seed; none of these was used to choose a default
ROWS = 1_000
PRECISION, SKELETON, CPDAG, BRIER, CALLS = (
    "average precision",
    "JI of the skeleton",
    "JI of the CPDAG",
    "Brier score for each true edge",
    "calls",
)
# Learner and settings by name. Rankings are compared by average precision, skeletons by JI.
METHODS: dict[str, tuple[str, dict[str, object]]] = {
    "LMM": ("lmm", {}),
    "LMM-1": ("lmm", {"omega": 1.0}),
    "LMM-2": ("lmm", {"omega": 1.0, "criterion": "minimum"}),
    "PC": ("pc", {}),
    "pPC": ("ppc", {}),
    "RAI": ("rai", {}),
    "B-RAI, 1 tree": ("brai", {"roots": 1}),
    "B-RAI, 10 trees": ("brai", {}),
    "order MCMC": ("order_mcmc", {}),
    "CImap P-1": ("cimap", {"preset": "P-1"}),
    "CImap P-3": ("cimap", {"preset": "P-3"}),
    "PC-MI": ("pc_mi", {}),
    "ARACNE": ("aracne", {}),
    "ARACNE, S-FDR": ("aracne", {"fdr": "sfdr"}),
}
PROBABLE = ("B-RAI, 1 tree", "B-RAI, 10 trees", "order MCMC")
COUNTED = ("PC", "pPC")
UNDIRECTED = ("ARACNE", "ARACNE, S-FDR")
CELLS: tuple[Piece, ...] = (
    {"kind": "numbers", "p": 20},
    {"kind": "numbers", "p": 40},
    {"kind": "mixed", "p": 20},
    {"kind": "mixed", "p": 10},
    {"kind": "categories", "network": "child"},
    {"kind": "categories", "network": "alarm"},
)


def drawn(piece: Piece) -> tuple[Dataset, PDAG]:
    """Return the rows of a piece and the true DAG."""
    seed = int(piece["seed"])
    if piece["kind"] == "categories":
        network = load_network(str(piece["network"]))
    else:
        p = int(piece["p"])
        make = random_gaussian_network if piece["kind"] == "numbers" else random_mixed_network
        network = make(p, round(1.5 * p), seed=seed)
    return sample(network, ROWS, seed=seed), network.dag


def runs(piece: Piece) -> Iterator[Figure]:
    """Yield the accuracy of each method on the rows of a piece."""
    data, dag = drawn(piece)
    truth = cpdag(dag)
    for name, (key, settings) in METHODS.items():
        seeded = {"seed": int(piece["seed"])} if key in ("brai", "order_mcmc") else {}
        result, seconds = timed(lambda key=key, options={**settings, **seeded}: learn(key, data, **options))
        about = seconds, n_calls(result)
        yield Figure(name, PRECISION, _precision(result, truth), *about)
        yield Figure(name, SKELETON, jaccard(PDAG(result.graph.skeleton), PDAG(truth.skeleton)), *about)
        if name not in UNDIRECTED:
            yield Figure(name, CPDAG, jaccard(result.graph, truth), *about)
        if name in COUNTED:
            yield Figure(name, CALLS, about[1])
        if name in PROBABLE:
            above = np.triu_indices(truth.p, 1)
            errors = (result.posterior.adjacent - truth.skeleton)[above] ** 2
            yield Figure(name, BRIER, float(errors.sum() / truth.n_edges), *about)


def _precision(result: LearnResult, truth: PDAG) -> float:
    """Return the average precision of the pairs: by probability, else by the learner's ranking; NaN without either."""
    if result.posterior is not None:
        return average_precision(result.posterior.adjacent, truth)
    ranking = ranking_of(result)
    if ranking is None:
        return float("nan")
    strengths = np.full((truth.p, truth.p), np.nan)
    i, j = ranking.pairs.T
    strengths[i, j] = strengths[j, i] = -ranking.ranks
    return average_precision(strengths, truth)


COLUMNS = Experiment(
    name="columns",
    what="claims of the papers on the column types that they do not cover",
    cells=CELLS,
    networks={"smoke": 1, "desk": 10, "paper": 20},
    run=runs,
    smoke={"kind": "mixed", "p": 6},
    claims=(
        *(Claim(PRECISION, "LMM", rival) for rival in ("PC", "LMM-1", "LMM-2")),
        Claim(PRECISION, "B-RAI, 10 trees", "B-RAI, 1 tree"),
        Claim(CPDAG, "B-RAI, 10 trees", "RAI"),
        Claim(BRIER, "B-RAI, 1 tree", "B-RAI, 10 trees"),
        *(Claim(SKELETON, better, "PC") for better in ("LMM", "CImap P-1", "CImap P-3")),
        Claim(CALLS, "PC", "pPC"),
        Claim(SKELETON, "CImap P-1", "PC-MI"),
        Claim(SKELETON, "ARACNE, S-FDR", "ARACNE"),
        Claim(SKELETON, "CImap P-1", "ARACNE"),
    ),
    first_seed=SEED,
    remarks=(
        f"Each table has {ROWS:,} rows: samples of child and alarm, and of random networks with 1.5 edges for each "
        "variable. LMM's paper covers numbers only, those of B-RAI and CImap categories only.",
        "A Brier score is the sum of the squared errors over all pairs, divided by the number of true edges; lower is "
        "better.",
    ),
)
