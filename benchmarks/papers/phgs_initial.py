"""Huang and Zhou (2022), sections 5.2 and 5.3: share of valid graphs, and gain of HGI over orientation by rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from learners import BIC, G2, PDAG, cpdag, path
from learners.common.progress import silent
from learners.evaluation.metrics import jaccard
from learners.families.phgs.ppc import ppc_skeleton
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.knowledge import BoundKnowledge
from learners.results.trace import TraceBuilder
from learners.search.hgi import hgi
from learners.search.orientation import orient_triples
from learners.search.restriction import Restriction

from .experiment import NETWORKS_A_CELL, Experiment, Figure, Piece, timed
from .phgs import ALPHA_MIN, ALPHAS, CELLS, LARGEST, PHGS_ALPHA, TAU, finder, oriented, true_middles
from .phgs_details import FEW
from .summary import by_cell
from .tiled import drawn

OVER = "networks=all"  # the cell of a figure over all networks
VALID, GAIN = "valid, %", "HGI gains, median %"
OF_RULES, OF_HGI = "JI by rules", "JI by HGI"


def initial(piece: Piece, rivals: Iterable[str] = (), own: bool = True) -> Iterator[Figure]:
    """Yield the validity of pPC with PATH, and the JI of pPC's and the true skeleton, oriented by rules and by HGI."""
    truth, data = drawn(piece)
    test, score, known = G2(data, dof="plain"), BIC(data), BoundKnowledge.none(data.p)
    skeletons = {}
    if own:
        yield from _of_path(test, BIC(data))
        skeletons["pPC"] = _found(ppc_skeleton(test, PHGS_ALPHA, LARGEST, known, draws=True))
        skeletons["True"] = truth.skeleton, true_middles(test, truth, PHGS_ALPHA)
    for name in rivals:
        skeletons[name] = _found(finder(test, name, PHGS_ALPHA, draws=True))
        yield from _best_level(test, name, truth)
    for name, (skeleton, triples) in skeletons.items():
        graph, trace = PDAG(skeleton), TraceBuilder(PDAG(skeleton))
        rules = orient_triples(graph, lambda triples=triples: triples, known, trace)
        yield Figure(name, OF_RULES, jaccard(rules, truth))
        yield Figure(name, OF_HGI, jaccard(cpdag(hgi(score, skeleton, triples).dag), truth))


def _found(restriction: Restriction) -> tuple[np.ndarray, np.ndarray]:
    """Return the skeleton and v-structures of a restriction."""
    restriction.run(silent)
    return restriction.search.graph.skeleton, restriction.v_structures(silent)


def _of_path(test: G2, score: BIC) -> Iterator[Figure]:
    options = {"alpha": ALPHAS[0], "tau": TAU, "alpha_min": ALPHA_MIN, "max_cond_size": LARGEST}
    result, seconds = timed(lambda: path(test, score, **options))
    solutions = result.extra.path
    yield Figure("pPC", "valid", float(solutions.valid[solutions.choice]), seconds)


def _best_level(test: G2, rival: str, truth: PDAG) -> Iterator[Figure]:
    """Yield the validity of the graph with the highest JI over ten levels."""
    graphs, seconds = timed(lambda: [oriented(test, rival, alpha).graph for alpha in ALPHAS])
    best = max(graphs, key=lambda graph: jaccard(graph, truth))
    yield Figure(rival, "valid", float(consistent_extension(best).valid), seconds)


def over_networks(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows, and for each data set of a network the share of valid graphs and the median gain."""
    found = by_cell(rows)
    found["data set"] = found["seed"].astype(int) % NETWORKS_A_CELL
    lines = []
    for (number, method), values in found.groupby(["data set", "method"], sort=False):
        table = values.pivot_table(index="cell", columns="metric", values="value")
        metrics = {}
        if "valid" in table:
            metrics[VALID] = 100 * table["valid"].mean()
        if OF_HGI in table:
            metrics[GAIN] = 100 * float(np.nanmedian(table[OF_HGI] / table[OF_RULES].where(table[OF_RULES] > 0) - 1))
        lines += [
            {"piece": f"{OVER} seed={number}", "method": method, "metric": m, "value": v} for m, v in metrics.items()
        ]
    return pd.concat([rows, pd.DataFrame(lines, columns=rows.columns)])


def _printed(valid: dict[str, str], gains: dict[str, str]) -> dict[tuple[str, str, str], str]:
    printed = {(OVER, name, VALID): text for name, text in valid.items()}
    return printed | {(OVER, name, GAIN): text for name, text in gains.items()}


INITIAL = Experiment(
    name="phgs_initial",
    what="pHGS, text of sections 5.2 and 5.3: valid graphs, and HGI against orientation by rules",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=initial,
    smoke=FEW,
    derive=over_networks,
    printed=_printed({"pPC": "49.1"}, {"pPC": "16.2", "True": "7.3"}),
    remarks=(
        "Valid: some DAG has the skeleton and the v-structures of the graph; of pPC the one that PATH chose. The paper "
        f"does not name the level of the skeletons that HGI orients; here it is {PHGS_ALPHA:g}, that of pHGS.",
    ),
)
INITIAL_RIVALS = replace(
    INITIAL,
    name="phgs_initial_rivals",
    what="pHGS, text of sections 5.2 and 5.3: valid graphs, and HGI against orientation by rules, rivals",
    networks={"smoke": 1, "desk": 0, "paper": 100},
    run=partial(initial, rivals=("MMPC", "HPC", "IAMB"), own=False),
    printed=_printed({"HPC": "9.8", "IAMB": "41.3"}, {"MMPC": "1.9", "HPC": "9.5"}),
)
ALL = (INITIAL, INITIAL_RIVALS)
