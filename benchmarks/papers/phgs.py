"""The experiments of Huang and Zhou (2022), section 5."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pandas as pd

from learners import BIC, G2, PDAG, LearnResult, cpdag, gsc, path, pc, phgs, ppc, tabu
from learners.common.progress import silent
from learners.constraint_based.finish import Restriction, oriented_result
from learners.constraint_based.middles import tested_v_structures
from learners.constraint_based.skeleton import PairEvidence
from learners.evaluation.metrics import jaccard
from learners.graphs.knowledge import BoundKnowledge
from learners.graphs.sepsets import Sepsets
from learners.hybrid.hybrid import Climbing, learn_within
from learners.independence import CITest
from learners.phgs.restrictions import restriction_by
from learners.results.trace import TraceBuilder
from learners.search import greedy_search, hgi

from .experiment import Claim, Experiment, Figure, Piece, n_calls, timed
from .tiled import TILES, drawn

ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001, 0.0005, 0.0001, 0.00005, 0.00001, 0.000005)  # equation 5.1
TAU, ALPHA_MIN, LARGEST = 10, 1e-5, 3
# Other learners of skeletons, with their largest sets. HPC is that of Gasse et al. (2014), as in bnlearn.
FINDERS = {
    "MMPC": ("mmpc", 5, {}),
    "HPC": ("hpc", 4, {"pc_method": "fdr"}),
    "IAMB": ("fast_iamb", 5, {}),
    "HITON": ("si_hiton_pc", 5, {}),
}
RIVALS, SLOW_RIVALS = ("MMPC", "IAMB", "HITON"), ("HPC",)
T0, T1, PHGS_ALPHA = 100, 100, 0.05  # of every search, section 5.3


def table2(piece: Piece) -> Iterator[Figure]:
    """Table 2: JI and calls of pPC and PC, at one level with and without PATH, and at the best of ten levels."""
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
    """Table 3: JI and calls of pPC with PATH, and of other constraint-based learners at the best of ten levels."""
    truth, data = drawn(piece)
    test, score = G2(data, dof="plain"), BIC(data)
    result, seconds = timed(lambda: path(test, score, alpha=ALPHAS[0], tau=TAU, alpha_min=ALPHA_MIN))
    yield Figure("pPC PATH", "JI", jaccard(result.graph, truth), seconds, n_calls(result))
    yield Figure("pPC PATH", "calls", n_calls(result))
    for name in rivals:
        yield from best_of_ten(
            name,
            lambda alpha, name=name: _oriented(test, name, alpha),
            lambda result: jaccard(result.graph, truth),
        )


def finder(test: G2, rival: str, alpha: float, *, draws: bool) -> Restriction:
    """The unstarted search of one of `FINDERS`."""
    skeleton, largest, settings = FINDERS[rival]
    return restriction_by(skeleton, test, alpha, largest, BoundKnowledge.none(test.p), draws=draws, **settings)


def _oriented(test: G2, rival: str, alpha: float) -> LearnResult:
    known = BoundKnowledge.none(test.p)
    return oriented_result(
        finder(test, rival, alpha, draws=True),
        method=rival,
        params={},
        knowledge=known,
        extra=lambda _triples: None,
        cancelled="",
        tick=silent,
    )


def table4(piece: Piece) -> Iterator[Figure]:
    """Table 4: JI of searches by score: free, within the true or pPC's skeleton; from no edge or from HGI."""
    truth, data = drawn(piece)
    test, score = G2(data, dof="plain"), BIC(data)

    def climb(allowed, start=None) -> float:
        found = greedy_search(score, allowed=allowed, start=start, tabu_length=T1, patience=T0)
        return jaccard(cpdag(PDAG(found.dag.amat)), truth)

    result, seconds = timed(lambda: tabu(score, tabu_length=T1, patience=T0))
    yield Figure("HC", "JI", jaccard(result.graph, truth), seconds, n_calls(result))
    yield Figure("GSC*", "JI", climb(truth.skeleton))
    start = hgi(score, truth.skeleton, true_middles(test, truth, PHGS_ALPHA))
    yield Figure("GSC* HGI", "JI", climb(truth.skeleton, start.dag))
    yield from best_of_ten(
        "pPC",
        lambda alpha: gsc(test, score, skeleton="ppc", alpha=alpha, tabu_length=T1, patience=T0),
        lambda result: jaccard(result.graph, truth),
    )
    result, seconds = timed(lambda: phgs(test, score, alpha=PHGS_ALPHA, tau=TAU, alpha_min=ALPHA_MIN))
    yield Figure("pHGS", "JI", jaccard(result.graph, truth), seconds, n_calls(result))
    calls = result.extra.evidence.calls
    added = sum(calls[phase] for phase in ("solution path", "search"))
    yield Figure("pHGS", "additional calls, %", 100 * added / (sum(calls.values()) - added))


def true_middles(test: CITest, truth: PDAG, alpha: float) -> np.ndarray:
    """v-structures of the true skeleton by tests, equation (B.2)."""
    none = np.empty((truth.p, truth.p, 0), dtype=np.int32)
    apart = ~truth.skeleton & ~np.eye(truth.p, dtype=bool)
    evidence = PairEvidence(np.zeros((truth.p, truth.p)), Sepsets(none, apart))
    trace = TraceBuilder(PDAG(truth.skeleton))
    return tested_v_structures(test, truth.skeleton, evidence.hardest, evidence, alpha, LARGEST, trace, silent)


def table4_rivals(piece: Piece, name: str = "MMHC", rival: str = "MMPC") -> Iterator[Figure]:
    """Table 4: JI of MMHC, or of H2PC, at the best of ten levels, from no edge and from HGI."""
    truth, data = drawn(piece)
    test, score = G2(data, dof="plain"), BIC(data)
    for start, called in {"empty": name, "hgi": f"{name} HGI"}.items():
        yield from best_of_ten(
            called,
            lambda alpha, start=start: learn_within(
                finder(test, rival, alpha, draws=start == "hgi"),
                score,
                Climbing(T1, T0, None, "data"),
                method="gsc",
                params={},
                start=start,
            ),
            lambda result: jaccard(result.graph, truth),
        )


def best_of_ten(
    name: str, learn: Callable[[float], LearnResult], index: Callable[[LearnResult], float]
) -> Iterator[Figure]:
    """The highest JI over the ten levels, and the calls of all of them."""
    best, total, seconds = 0.0, 0, 0.0
    for alpha in ALPHAS:
        result, taken = timed(lambda alpha=alpha: learn(alpha))
        best, total, seconds = max(best, index(result)), total + n_calls(result), seconds + taken
    yield Figure(name, "JI", best, seconds, total)
    yield Figure(name, "calls", total)


def normalised(rows: pd.DataFrame, by: str = "pPC PATH") -> pd.DataFrame:
    """The rows with calls as multiples of those of one method on the same data."""
    calls = rows["metric"] == "calls"
    unit = rows[calls & (rows["method"] == by)].set_index("piece")["value"]
    divided = rows[calls].assign(metric="normalised calls")
    divided["value"] = divided["value"] / divided["piece"].map(unit)
    return pd.concat([rows, divided[divided["method"] != by]])


@cache
def _printed2() -> dict[tuple[str, str, str], str]:
    methods = [("pPC", "JI"), ("pPC PATH", "JI"), ("PC", "JI"), ("PC PATH", "JI"), ("pPC*", "JI"), ("PC*", "JI")]
    methods += [("PC PATH", "normalised calls"), ("pPC*", "normalised calls"), ("PC*", "normalised calls")]
    return printed(
        methods,
        """
        0.449 0.726 0.390 0.694 0.712 0.707 3.256 8.537 11.543
        0.249 0.333 0.259 0.331 0.292 0.292 7.842 7.258 15.863
        0.220 0.292 0.211 0.290 0.258 0.259 1.434 4.629 5.199
        0.326 0.359 0.309 0.361 0.359 0.359 2.811 7.934 10.474
        0.504 0.560 0.488 0.561 0.519 0.508 4.334 7.681 12.905
        0.407 0.414 0.385 0.405 0.412 0.400 2.490 8.377 11.049
        0.568 0.583 0.538 0.564 0.573 0.552 1.585 8.478 9.480
        0.475 0.478 0.469 0.480 0.477 0.474 1.811 8.193 10.013
        0.518 0.548 0.505 0.537 0.520 0.508 1.296 7.515 8.166
        0.621 0.633 0.572 0.595 0.621 0.574 1.894 8.249 10.089
        0.852 0.853 0.867 0.871 0.852 0.867 1.561 8.938 10.747
        0.206 0.235 0.199 0.226 0.207 0.201 2.235 7.729 10.013
        0.407 0.426 0.404 0.421 0.411 0.407 1.898 8.175 10.095
        0.339 0.359 0.341 0.361 0.342 0.347 1.465 8.624 9.697
        0.307 0.296 0.291 0.262 0.307 0.291 1.874 8.537 10.396
        0.086 0.085 0.087 0.087 0.088 0.090 2.009 8.620 13.546
        0.053 0.053 0.053 0.052 0.054 0.053 1.266 8.844 9.940
        0.219 0.219 0.262 0.262 0.239 0.263 1.765 8.744 11.738
        0.323 0.297 0.312 0.274 0.326 0.313 1.664 8.707 10.410
        0.158 0.157 0.149 0.149 0.168 0.160 1.684 8.289 9.840
        """,
    )


@cache
def _printed3() -> dict[tuple[str, str, str], str]:
    methods = [(name, "JI") for name in ("pPC PATH", "MMPC", "HPC", "IAMB", "HITON")]
    methods += [(name, "normalised calls") for name in ("MMPC", "HPC", "IAMB", "HITON")]
    return printed(
        methods,
        """
        0.726 0.759 0.760 0.749 0.759 33.882 86.705 53.451 17.162
        0.333 0.757 0.805 0.870 0.701 30.137 156.298 39.448 16.699
        0.292 0.306 0.245 0.260 0.299 15.263 47.094 21.773 7.754
        0.359 0.773 0.818 0.835 0.734 33.020 97.426 40.322 20.100
        0.560 0.563 0.692 0.532 0.606 34.573 166.639 32.882 60.477
        0.414 0.295 0.379 0.251 0.243 30.760 101.360 44.621 17.124
        0.583 0.087 0.717 0.317 0.077 29.538 67.649 49.586 15.094
        0.478 0.200 0.434 0.314 0.158 29.007 78.418 59.496 14.934
        0.548 0.423 0.633 0.360 0.316 12.139 53.574 14.409 7.756
        0.633 0.259 0.724 0.352 0.358 27.113 99.919 30.702 14.292
        0.853 0.536 0.974 0.385 0.276 12.441 69.035 12.747 6.194
        0.235 0.259 0.399 0.289 0.262 21.312 82.698 31.353 12.402
        0.426 0.189 0.310 0.252 0.114 24.900 95.270 38.858 12.959
        0.359 0.246 0.325 0.287 0.220 32.216 59.157 40.003 16.633
        0.296 0.283 0.287 0.291 0.232 32.270 88.132 48.729 16.591
        0.085 0.004 0.010 0.032 0.004 11.961 72.268 12.745 6.756
        0.053 0.067 0.077 0.050 0.062 7.282 19.076 10.686 3.737
        0.219 0.067 0.221 0.073 0.061 28.934 74.795 26.146 14.964
        0.297 0.066 0.252 0.232 0.064 32.694 82.547 36.928 16.622
        0.157 0.055 0.244 0.093 0.055 24.945 96.624 22.784 12.777
        """,
    )


@cache
def _printed4() -> dict[tuple[str, str, str], str]:
    names = ("HC", "GSC*", "GSC* HGI", "pPC", "pHGS", "MMHC", "MMHC HGI", "H2PC", "H2PC HGI")
    return printed(
        [(name, "JI") for name in names],
        """
        0.341 0.478 0.806 0.500 0.746 0.500 0.761 0.548 0.762
        0.419 0.596 0.954 0.581 0.758 0.570 0.874 0.590 0.903
        0.323 0.504 0.802 0.255 0.289 0.254 0.302 0.224 0.255
        0.649 0.770 0.931 0.751 0.817 0.726 0.819 0.760 0.887
        0.610 0.910 0.970 0.716 0.765 0.544 0.598 0.686 0.738
        0.295 0.564 0.736 0.414 0.476 0.254 0.306 0.330 0.403
        0.450 0.535 0.995 0.528 0.871 0.191 0.199 0.532 0.854
        0.361 0.567 0.889 0.410 0.522 0.288 0.329 0.493 0.636
        0.630 0.823 0.902 0.686 0.739 0.388 0.441 0.695 0.738
        0.320 0.417 1.000 0.413 0.873 0.276 0.308 0.418 0.921
        0.827 1.000 1.000 0.992 0.991 0.450 0.535 0.990 0.991
        0.529 0.634 0.763 0.513 0.579 0.247 0.294 0.585 0.622
        0.368 0.513 0.811 0.416 0.615 0.212 0.227 0.404 0.423
        0.456 0.730 0.920 0.387 0.449 0.279 0.315 0.455 0.488
        0.234 0.361 0.581 0.293 0.432 0.268 0.366 0.328 0.419
        0.261 0.576 0.655 0.043 0.056 0.007 0.007 0.096 0.102
        0.358 0.407 0.478 0.069 0.075 0.081 0.081 0.345 0.336
        0.222 0.618 0.946 0.166 0.186 0.063 0.069 0.241 0.304
        0.375 0.549 0.690 0.278 0.327 0.106 0.114 0.440 0.481
        0.260 0.524 0.607 0.144 0.163 0.068 0.080 0.289 0.327
        """,
    )


def printed(methods: Iterable[tuple[str, str]], table: str) -> dict[tuple[str, str, str], str]:
    """Numbers of a table whose lines are the networks of table 1."""
    lines = [line.split() for line in table.split("\n") if line.strip()]
    return {
        (f"network={name}", *method): text
        for name, line in zip(TILES, lines, strict=True)
        for method, text in zip(methods, line, strict=True)
    }


SMOKE = {"network": "earthquake", "tiles": 8}
CELLS = tuple({"network": name} for name in TILES)  # a desk has as many of the first as it has time for
TABLE2 = Experiment(
    name="phgs_table2",
    what="pHGS, table 2: pPC against PC, with and without PATH",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    at_desk=CELLS[:10],
    run=table2,
    smoke=SMOKE,
    derive=normalised,
    printed=_printed2(),
)
TABLE3 = Experiment(
    name="phgs_table3",
    what="pHGS, table 3: pPC with PATH against other constraint-based learners",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    at_desk=CELLS[:3],
    run=table3,
    smoke=SMOKE,
    derive=normalised,
    printed=_printed3(),
)
TABLE4 = Experiment(
    name="phgs_table4",
    what="pHGS, table 4: searches by score, from no edge and from HGI",
    cells=CELLS,
    networks={"smoke": 1, "desk": 1, "paper": 100},
    at_desk=CELLS[:12],
    run=table4,
    smoke=SMOKE,
    printed=_printed4(),
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
    at_desk=CELLS[:8],
    run=table4_rivals,
    smoke=SMOKE,
    printed=_printed4(),
    claims=(Claim("JI", "MMHC HGI", "MMHC"),),
)
PAPER_ONLY = {"smoke": 1, "desk": 0, "paper": 100}  # HPC takes minutes a level on 1 000 variables
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
