"""The experiments of Huang and Zhou (2022), section 5."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from learners import BIC, G2, PDAG, Dataset, LearnResult, cpdag, gsc, path, pc, ppc, tabu
from learners.common.progress import silent
from learners.evaluation.metrics import jaccard
from learners.families.constraint_based.fast_iamb import fast_iamb_skeleton
from learners.families.constraint_based.mmpc import mmpc_skeleton
from learners.families.constraint_based.si_hiton_pc import si_hiton_pc_skeleton
from learners.families.h2pc.hpc import hpc_skeleton
from learners.families.phgs.partitioned import CallKind
from learners.families.phgs.phgs import phgs
from learners.graphs.knowledge import BoundKnowledge
from learners.graphs.sepsets import Sepsets
from learners.independence.ci_cache import CIMemory
from learners.independence.ci_test import CITest
from learners.results.trace import TraceBuilder
from learners.search.hgi import hgi
from learners.search.hill_climbing import greedy_search
from learners.search.hybrid import Climbing, learn_within
from learners.search.restriction import Restriction
from learners.search.skeleton_levels import PairEvidence
from learners.search.skeleton_result import oriented_result
from learners.search.v_structures import tested_v_structures

from .experiment import Claim, Experiment, Figure, Piece, n_calls, timed
from .phgs_printed import printed2, printed3, printed4
from .tiled import TILES, drawn

ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001, 0.0005, 0.0001, 0.00005, 0.00001, 0.000005)  # equation 5.1
TAU, ALPHA_MIN, LARGEST = 10, 1e-5, 3
# Other skeleton learners and the maximum size of their sets. HPC is that of Gasse et al. (2014), as in bnlearn.
FINDERS = {
    "MMPC": (mmpc_skeleton, 5, {}),
    "HPC": (hpc_skeleton, 4, {"pc_method": "fdr"}),
    "IAMB": (fast_iamb_skeleton, 5, {}),
    "HITON": (si_hiton_pc_skeleton, 5, {}),
}
RIVALS, SLOW_RIVALS = ("MMPC", "IAMB", "HITON"), ("HPC",)
MAX_TESTS = 1 << 23  # maximum number of cached tests of a data set, 268 MB
T0, T1, PHGS_ALPHA = 100, 100, 0.05  # settings of every search, section 5.3


def table2(piece: Piece) -> Iterator[Figure]:
    """Yield table 2: JI and calls of pPC and PC, at one level without and with PATH, and at the best of ten levels."""
    truth, data = drawn(piece)
    test, score = G2(data, dof="plain"), BIC(data)
    for name, learner in {"pPC": ppc, "PC": pc}.items():
        result, seconds = timed(
            lambda name=name: path(
                test,
                score,
                alpha=ALPHAS[0],
                tau=TAU,
                alpha_min=ALPHA_MIN,
                max_cond_size=LARGEST,
                skeleton=name.lower(),
            )
        )
        solutions = result.extra.path
        yield Figure(name, "JI", jaccard(solutions.graphs[0], truth))
        yield Figure(f"{name} PATH", "JI", jaccard(result.graph, truth), seconds, n_calls(result))
        yield Figure(f"{name} PATH", "calls", n_calls(result))
        yield Figure(f"{name} PATH", "valid", float(solutions.valid[solutions.choice]))
        yield from best_of_ten(
            f"{name}*",
            lambda alpha, learner=learner: learner(test, alpha=alpha, max_cond_size=LARGEST),
            lambda result: jaccard(result.graph, truth),
        )


def table3(piece: Piece, rivals: Iterable[str] = RIVALS) -> Iterator[Figure]:
    """Yield table 3: JI and calls of pPC with PATH, and of other constraint-based learners at the best level."""
    truth, data = drawn(piece)
    test, score = G2(data, dof="plain"), BIC(data)
    result, seconds = timed(lambda: path(test, score, alpha=ALPHAS[0], tau=TAU, alpha_min=ALPHA_MIN))
    yield Figure("pPC PATH", "JI", jaccard(result.graph, truth), seconds, n_calls(result))
    yield Figure("pPC PATH", "calls", n_calls(result))
    for name in rivals:
        test = remembering(data)
        yield from best_of_ten(
            name,
            lambda alpha, test=test, name=name: oriented(test, name, alpha),
            lambda result: jaccard(result.graph, truth),
        )


def remembering(data: Dataset) -> G2:
    """Return G² that counts every test but reuses those of other levels.

    Most tests are the same at all ten levels, so the runs take less time.
    """
    test = G2(data, dof="plain")
    test.remember_in(CIMemory(data.p, MAX_TESTS))
    return test


def finder(test: G2, rival: str, alpha: float, *, draws: bool) -> Restriction:
    """Return the search of one of `FINDERS` without starting it."""
    skeleton, largest, settings = FINDERS[rival]
    return skeleton(test, alpha, largest, BoundKnowledge.none(test.p), draws=draws, **settings)


def oriented(test: G2, rival: str, alpha: float) -> LearnResult:
    """Return the graph of one of `FINDERS`."""
    known = BoundKnowledge.none(test.p)
    return oriented_result(
        finder(test, rival, alpha, draws=True),
        method=rival,
        knowledge=known,
        extra=lambda _triples: None,
        cancelled="",
        tick=silent,
    )


def table4(piece: Piece) -> Iterator[Figure]:
    """Yield table 4: JI of score-based searches, free or within the true or pPC's skeleton.

    They start from no edge or from HGI.
    """
    truth, data = drawn(piece)
    test, score = G2(data, dof="plain"), BIC(data)

    def climb(allowed, start=None) -> float:
        found = greedy_search(score, allowed=allowed, start=start, tabu_length=T1, patience=T0)
        return jaccard(cpdag(PDAG(found.dag.amat)), truth)

    for name, ties in {"HC": "data", "HC both ways": "both"}.items():
        result, seconds = timed(lambda ties=ties: tabu(score, tabu_length=T1, patience=T0, max_parents=None, ties=ties))
        yield Figure(name, "JI", jaccard(result.graph, truth), seconds, n_calls(result))
    yield Figure("GSC*", "JI", climb(truth.skeleton))
    start = hgi(score, truth.skeleton, true_middles(test, truth, PHGS_ALPHA))
    yield Figure("GSC* HGI", "JI", climb(truth.skeleton, start.dag))
    yield from best_of_ten(
        "pPC",
        lambda alpha: gsc(
            test, score, skeleton="ppc", start="empty", alpha=alpha, tabu_length=T1, patience=T0, max_parents=None
        ),
        lambda result: jaccard(result.graph, truth),
    )
    for name in ("pHGS polished", "pHGS"):
        result, seconds = timed(lambda name=name: run_phgs(data, polish=name != "pHGS"))
        yield Figure(name, "JI", jaccard(result.graph, truth), seconds, n_calls(result))
    calls = result.extra.evidence.calls
    added = calls[CallKind.SOLUTION_PATH] + calls[CallKind.SEARCH]
    yield Figure("pHGS", "additional calls, %", 100 * added / (sum(calls.values()) - added))


def run_phgs(data: Dataset, *, polish: bool = False) -> LearnResult:
    """Run pHGS as published, or as in the app."""
    settings = {"alpha": PHGS_ALPHA, "tau": TAU, "alpha_min": ALPHA_MIN, "max_parents": None, "polish": polish}
    return phgs(G2(data, dof="plain"), BIC(data), **settings)


def true_middles(test: CITest, truth: PDAG, alpha: float) -> np.ndarray:
    """Return the v-structures that tests find in the true skeleton, equation (B.2)."""
    none = np.empty((truth.p, truth.p, 0), dtype=np.int32)
    apart = ~truth.skeleton & ~np.eye(truth.p, dtype=bool)
    evidence = PairEvidence(np.zeros((truth.p, truth.p)), Sepsets(none, apart))
    trace = TraceBuilder(PDAG(truth.skeleton))
    return tested_v_structures(test, truth.skeleton, apart, evidence, alpha, LARGEST, trace, silent)


def table4_rivals(piece: Piece, name: str = "MMHC", rival: str = "MMPC") -> Iterator[Figure]:
    """Yield table 4: JI of MMHC or H2PC at the best of ten levels, from no edge and from HGI."""
    truth, data = drawn(piece)
    test, score = remembering(data), BIC(data)
    for start, called in {"empty": name, "hgi": f"{name} HGI"}.items():
        yield from best_of_ten(
            called,
            lambda alpha, start=start: within(test, score, rival, alpha, start),
            lambda result: jaccard(result.graph, truth),
        )


def within(test: G2, score: BIC, rival: str, alpha: float, start: str = "empty") -> LearnResult:
    """Run a score-based search within the skeleton of one of `FINDERS`."""
    restriction, climbing = finder(test, rival, alpha, draws=start == "hgi"), Climbing(T1, T0, None, "data")
    return learn_within(restriction, score, climbing, method="gsc", start=start)


def best_of_ten(
    name: str, learn: Callable[[float], LearnResult], index: Callable[[LearnResult], float]
) -> Iterator[Figure]:
    """Yield the highest JI over the ten levels, and the calls of all of them."""
    best, total, seconds = 0.0, 0, 0.0
    for alpha in ALPHAS:
        result, taken = timed(lambda alpha=alpha: learn(alpha))
        best, total, seconds = max(best, index(result)), total + n_calls(result), seconds + taken
    yield Figure(name, "JI", best, seconds, total)
    yield Figure(name, "calls", total)


def normalised(rows: pd.DataFrame, by: str = "pPC PATH") -> pd.DataFrame:
    """Return the rows with calls as multiples of the calls of one method on the same data."""
    calls = rows["metric"] == "calls"
    unit = rows[calls & (rows["method"] == by)].set_index("piece")["value"]
    divided = rows[calls].assign(metric="normalised calls")
    divided["value"] = divided["value"] / divided["piece"].map(unit)
    return pd.concat([rows, divided[divided["method"] != by]])


SMOKE = {"network": "earthquake", "tiles": 8}
CELLS = tuple({"network": name} for name in TILES)
TABLE2 = Experiment(
    name="phgs_table2",
    what="pHGS, table 2: pPC against PC, with and without PATH",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=table2,
    smoke=SMOKE,
    derive=normalised,
    printed=printed2(),
    remarks=("Pathfinder, one of the 20 networks, was not computed.",),
)
TABLE3 = Experiment(
    name="phgs_table3",
    what="pHGS, table 3: pPC with PATH against other constraint-based learners",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=table3,
    smoke=SMOKE,
    derive=normalised,
    printed=printed3(),
)
TABLE4 = Experiment(
    name="phgs_table4",
    what="pHGS, table 4: searches by score, from no edge and from HGI",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=table4,
    smoke=SMOKE,
    printed=printed4(),
    claims=(
        Claim("JI", "pHGS", "pPC"),
        Claim("JI", "GSC* HGI", "GSC*"),
        Claim("JI", "pHGS", "HC"),
    ),
)
TABLE4_RIVALS = Experiment(
    name="phgs_table4_rivals",
    what="pHGS, table 4: MMHC from no edge and from HGI",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    run=table4_rivals,
    smoke=SMOKE,
    printed=printed4(),
    claims=(Claim("JI", "MMHC HGI", "MMHC"),),
)
PAPER_ONLY = {"smoke": 1, "desk": 0, "paper": 100}  # HPC takes minutes for each level on 1 000 variables
TABLE3_HPC = replace(
    TABLE3,
    name="phgs_table3_hpc",
    what="pHGS, table 3: pPC with PATH against HPC",
    networks=PAPER_ONLY,
    run=partial(table3, rivals=SLOW_RIVALS),
)
TABLE4_H2PC = replace(
    TABLE4_RIVALS,
    name="phgs_table4_h2pc",
    what="pHGS, table 4: H2PC from no edge and from HGI",
    networks=PAPER_ONLY,
    run=partial(table4_rivals, name="H2PC", rival="HPC"),
    claims=(Claim("JI", "H2PC HGI", "H2PC"),),
)
