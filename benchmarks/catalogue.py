"""Every measurement, declared once."""

from __future__ import annotations

from .agreement import by_score
from .measurement import Contender, Measurement
from .tables import copies_of, first_of, gaussian, tiled
from .waits import WAITS

EDGEWISE = Contender("edgewise", "benchmarks.ours:pc")
EDGEWISE_2 = Contender("edgewise, 2 cores", "benchmarks.ours:pc", threads=2)
CAUSAL_LEARN = Contender("causal-learn", "benchmarks.peers:causal_learn_pc", package="causal-learn")
PYBNESIAN = Contender("pybnesian", "benchmarks.peers:pybnesian_pc", package="pybnesian")
HC = Contender("edgewise", "benchmarks.ours:greedy", params={"key": "hc"})
TABU = Contender("edgewise", "benchmarks.ours:greedy", params={"key": "tabu"})
PYBNESIAN_HC = Contender("pybnesian", "benchmarks.peers:pybnesian_hc", package="pybnesian")
PYAGRUM_HC = Contender("pyagrum", "benchmarks.peers:pyagrum_search", package="pyagrum", params={"tabu": False})
PYAGRUM_TABU = Contender("pyagrum", "benchmarks.peers:pyagrum_search", package="pyagrum", params={"tabu": True})
NAIVE_REFERENCE = Contender("naive reference", "benchmarks.ours:naive_pc")
G2_SIZE_3 = {"alpha": 0.05, "max_cond_size": 3}


def _pc_discrete(network: str, n: int) -> Measurement:
    return Measurement(
        name=f"pc_{network}_{n}",
        what=f"PC-stable, G², alpha 0.05, sets up to 3: {network}, {n:,} rows",
        prepare=lambda: copies_of(network, 1, n),
        params=G2_SIZE_3,
        ours=EDGEWISE,
        others=(PYBNESIAN,),
    )


def _learner(name: str, threads: int | None = None, **params: float | str) -> Contender:
    return Contender(name, "benchmarks.ours:learner", params=params, threads=threads)


def _beside_bnlearn(key: str, **settings: float | str) -> Measurement:
    theirs = Contender("bnlearn-port", "benchmarks.peers:bnlearn", package="bnlearn-port", params={"key": key})
    return Measurement(
        name=f"{key}_and_bnlearn",
        what=f"{key}, G² with plain degrees of freedom, alpha 0.05: alarm, 5,000 rows, beside bnlearn's C core",
        prepare=lambda: copies_of("alarm", 1, 5000),
        ours=_learner("edgewise", key=key, dof="plain", alpha=0.05, **settings),
        others=(theirs,),
    )


def _tiled(p: int) -> Measurement:
    size_3, bic = {"alpha": 0.1, "max_cond_size": 3}, {"score": "bic"}
    return Measurement(
        name=f"tiled_p{p}",
        what=f"pPC, PC, PATH (alpha 0.1), pHGS, MMHC (0.05), tabu, by BIC: alarm tiled to {p:,} variables, 25 000 rows",
        prepare=lambda: tiled("alarm", p, 25_000),
        ours=_learner("pPC", key="ppc", **size_3),
        others=(
            _learner("PC", key="pc", **size_3),
            _learner("PATH", key="path", **size_3, **bic),
            _learner("PATH, 2 cores", threads=2, key="path", **size_3, **bic),
            _learner("pHGS", key="phgs", alpha=0.05, polish=False, **bic),
            _learner("pHGS, 2 cores", threads=2, key="phgs", alpha=0.05, polish=False, **bic),
            _learner("pHGS polished", key="phgs", alpha=0.05, **bic),
            _learner("pHGS in the app", key="phgs"),
            _learner("tabu", key="tabu", ties="data", **bic),
            _learner("MMHC", key="mmhc", alpha=0.05, polish=False, **bic),
        ),
        time_out=240.0,
    )


def _neighbors(network: str, *, time_out: float = 60.0) -> Measurement:
    return Measurement(
        name=f"hpc_{network}_5000",
        what=f"HPC and H2PC beside MMPC and MMHC, alpha 0.05, BDeu 10: {network}, 5 000 rows",
        prepare=lambda: copies_of(network, 1, 5000),
        ours=_learner("HPC", key="hpc"),
        others=(
            _learner("HPC, 2 cores", threads=2, key="hpc"),
            _learner("H2PC", key="h2pc"),
            _learner("MMPC", key="mmpc"),
            _learner("MMHC", key="mmhc", polish=False),
        ),
        time_out=time_out,
    )


def _brai(network: str, n: int) -> Measurement:
    boot = {"key": "bootstrap", "base": "rai", "graph": "best", "score": "bdeu"}
    return Measurement(
        name=f"brai_{network}_{n}",
        what=f"B-RAI by resamples of a group, RAI, and bootstraps of RAI: {network}, {n:,} rows",
        prepare=lambda: copies_of(network, 1, n),
        ours=_learner("B-RAI, s = 3", key="brai", s=3),
        others=(
            _learner("B-RAI, s = 3, 2 cores", threads=2, key="brai", s=3),
            *(_learner(f"B-RAI, s = {s}", key="brai", s=s) for s in (1, 2, 4, 5)),
            _learner("RAI", key="rai"),
            *(_learner(f"{times} bootstraps of RAI", n_resamples=times, **boot) for times in (9, 27)),
        ),
        time_out=120.0,
    )


def _lmm(name: str, p: int, edges: int, n: int, *, reference: bool = False, **settings: float) -> Measurement:
    changed = "".join(f", {key} {value}" for key, value in settings.items())
    return Measurement(
        name=name,
        what=f"LMM{changed}: {p:,} variables, about {edges:,} edges, {n:,} rows, correlations given",
        prepare=lambda: gaussian(p, edges, n),
        ours=Contender("edgewise", "benchmarks.ours:lmm", params=settings),
        others=(Contender("naive reference", "benchmarks.ours:naive_lmm_skeleton"),) if reference else (),
        time_out=150.0,
    )


DECLARED = (
    _pc_discrete("alarm", 25_000),
    _pc_discrete("insurance", 5000),
    _pc_discrete("hailfinder", 5000),
    Measurement(
        name="pc_pigs_5000",
        what="PC-stable, G², alpha 0.05, sets up to 3: pigs, 441 variables with hubs of 41 neighbours, 5 000 rows",
        prepare=lambda: copies_of("pigs", 1, 5000),
        params=G2_SIZE_3,
        ours=EDGEWISE,
    ),
    Measurement(
        name="pairs_p1000",
        what="tables of all pairs: 28 alarms side by side, 1 036 variables of 2 to 4 states, 25 000 rows",
        prepare=lambda: copies_of("alarm", 28, 25_000),
        ours=Contender("edgewise, bit planes", "benchmarks.ours:pairs", params={"planes": True}),
        others=(Contender("edgewise, codes (a tenth, times ten)", "benchmarks.ours:pairs", params={"planes": False}),),
    ),
    Measurement(
        name="pc_fisher_z_1000",
        what="PC-stable, Fisher's z, alpha 0.01, sets up to 3, correlations given: 1 000 variables, 10 000 rows",
        prepare=lambda: gaussian(1000, 2000, 10_000),
        params={"alpha": 0.01, "max_cond_size": 3},
        ours=Contender("edgewise", "benchmarks.ours:pc_from_correlations"),
    ),
    Measurement(
        name="partial_correlation_sweep",
        what="2 million partial correlations: 2 000 times a node and a set of 3 with all partners, 1 000 variables",
        prepare=lambda: gaussian(1000, 2000, 10_000),
        ours=Contender("edgewise, one factor a set", "benchmarks.ours:partial_correlations", params={"sweep": True}),
        others=(
            Contender(
                "numpy, one inverse a triple (a thousandth, times thousand)",
                "benchmarks.ours:partial_correlations",
                params={"sweep": False},
            ),
        ),
    ),
    Measurement(
        name="hc_alarm_5000",
        what="hill climbing, BIC: alarm, 37 variables, 5 000 rows",
        prepare=lambda: copies_of("alarm", 1, 5000),
        ours=HC,
        others=(PYBNESIAN_HC, PYAGRUM_HC),
        compare=by_score,
    ),
    Measurement(
        name="tabu_alarm_5000",
        what="tabu search (100, 100), BIC: alarm, 37 variables, 5 000 rows",
        prepare=lambda: copies_of("alarm", 1, 5000),
        ours=TABU,
        others=(PYAGRUM_TABU,),
        compare=by_score,
    ),
    Measurement(
        name="pc_alarm_5000",
        what="PC-stable, G², alpha 0.05, sets up to 3: alarm, 37 variables, 5 000 rows",
        prepare=lambda: copies_of("alarm", 1, 5000),
        params=G2_SIZE_3,
        ours=EDGEWISE,
        others=(PYBNESIAN, CAUSAL_LEARN),
    ),
    Measurement(
        name="pc_alarm_1000",
        what="the same with 1 000 rows, beside the naive reference of the tests, whose skeleton ours must equal",
        prepare=lambda: copies_of("alarm", 1, 1000),
        params=G2_SIZE_3,
        ours=EDGEWISE,
        others=(NAIVE_REFERENCE,),
        time_out=120.0,
    ),
    Measurement(
        name="pc_p111",
        what="PC-stable, G², alpha 0.05, sets up to 3: 3 alarms side by side, 111 variables, 25 000 rows",
        prepare=lambda: copies_of("alarm", 3, 25_000),
        params=G2_SIZE_3,
        ours=EDGEWISE,
        others=(PYBNESIAN, CAUSAL_LEARN),
    ),
    Measurement(
        name="pc_p1000",
        what="PC-stable, G², alpha 0.05, sets up to 3: 28 alarms side by side, 1 036 variables, 25 000 rows",
        prepare=lambda: copies_of("alarm", 28, 25_000),
        params=G2_SIZE_3,
        ours=EDGEWISE,
        others=(EDGEWISE_2,),
        time_out=200.0,
    ),
    Measurement(
        name="pc_fisher_z_300",
        what="PC-stable, Fisher's z, alpha 0.01, sets up to 3: 300 variables, about 600 edges, 1 000 rows",
        prepare=lambda: gaussian(300, 600, 1000),
        params={"alpha": 0.01, "max_cond_size": 3},
        ours=EDGEWISE,
        others=(PYBNESIAN, CAUSAL_LEARN),
        time_out=40.0,  # causal-learn had not ended after ten minutes either
    ),
    *(_tiled(p) for p in (100, 200, 500, 1000, 2000)),
    _neighbors("alarm"),
    _neighbors("pigs", time_out=120.0),
    _neighbors("link", time_out=240.0),
    *(_beside_bnlearn(key) for key in ("hpc", "mmpc", "si_hiton_pc", "gs", "fast_iamb")),
    _beside_bnlearn("h2pc", score="bic", polish=False),
    Measurement(
        name="scores_p1000",
        what="hill climbing, GES, BOSS, BIC of linear models: 1,000 variables, about 2,000 edges, 1,000 rows",
        prepare=lambda: gaussian(1000, 2000, 1000),
        ours=_learner("BOSS", key="boss"),
        others=(
            _learner("GES", key="ges"),
            _learner("GES, 2 cores", threads=2, key="ges"),
            _learner("hill climbing", key="hc", ties="data"),
            _learner("PC", key="pc"),
            Contender("flopsearch", "benchmarks.peers:flop", package="flopsearch"),
        ),
        compare=by_score,
        time_out=120.0,
    ),
    Measurement(
        name="scores_p518",
        what="BOSS, GES, hill climbing, BIC: alarm tiled to 518 variables, 5,000 rows",
        prepare=lambda: tiled("alarm", 518, 5000),
        ours=_learner("BOSS", key="boss"),
        others=(_learner("GES", key="ges"), _learner("hill climbing", key="hc", ties="data")),
        compare=by_score,
        time_out=120.0,
    ),
    Measurement(
        name="exact_posterior_20",
        what="exact sums over orders: first variables of alarm, 5,000 rows, any number of parents or at most 5",
        prepare=lambda: first_of("alarm", 20, 5000),
        ours=_learner("15 variables", key="exact_posterior", variables=15, max_parents=None),
        others=(_learner("20 variables, 5 parents", key="exact_posterior", variables=20, max_parents=5),),
        time_out=120.0,
    ),
    Measurement(
        name="bootstrap_alarm_5000",
        what="100 resamples of PC beside one run: alarm, 5,000 rows",
        prepare=lambda: copies_of("alarm", 1, 5000),
        ours=_learner("100 resamples", key="bootstrap", base="pc", n_resamples=100),
        others=(_learner("one run", key="pc"),),
    ),
    *(_brai("alarm", n) for n in (100, 500, 2000, 5000)),
    Measurement(
        name="brai_link_500",
        what="B-RAI and RAI: link, 724 variables, 500 rows",
        prepare=lambda: copies_of("link", 1, 500),
        ours=_learner("B-RAI, s = 3, 2 cores", threads=2, key="brai", s=3),
        others=(_learner("B-RAI, s = 1, 2 cores", threads=2, key="brai", s=1), _learner("RAI", key="rai")),
        time_out=300.0,
    ),
    *(_lmm(f"lmm_p{p}", p, 2 * p, 100, reference=p <= 100) for p in (25, 50, 100, 200, 400, 1000)),
    *(_lmm(f"lmm_p200_e{edges}", 200, edges, 100) for edges in (100, 200, 800, 1600)),
    _lmm("lmm_p2500", 2500, 5000, 300),
    _lmm("lmm_table1", 1000, 2000, 10_000, max_cond_size=6, gamma=0.5),
    Measurement(
        name="cost_model_grid",
        what="every way to count a table, and the cost model's pick, on 900 tables of 500 to 100 000 rows",
        ours=Contender("even columns", "benchmarks.cost_grid:grid", params={"columns": "even"}),
        others=(Contender("skewed columns", "benchmarks.cost_grid:grid", params={"columns": "skewed"}),),
        budget=1.0,
    ),
    Measurement(
        name="merged_rows",
        what="hill climbing, BDeu, from the rows: asia, 8 variables, 25 000 rows, 67 of them distinct",
        prepare=lambda: copies_of("asia", 1, 25_000),
        ours=Contender("edgewise, as it picks", "benchmarks.ours:greedy_on", params={"rows": "as learned"}),
        others=(Contender("edgewise, all rows", "benchmarks.ours:greedy_on", params={"rows": "all"}),),
        compare=by_score,
    ),
    Measurement(
        name="merged_rows_pc",
        what="PC-stable, G², alpha 0.05, sets up to 3: the same rows, merged or by bit planes",
        prepare=lambda: copies_of("asia", 1, 25_000),
        params=G2_SIZE_3,
        ours=EDGEWISE,
        others=(Contender("edgewise, rows merged first", "benchmarks.ours:pc_on_merged"),),
    ),
    Measurement(
        name="kernel_limits",
        what="seconds of each kernel, 25 000 rows, and the share that the ANDs and popcounts it needs would take",
        ours=Contender("AND + popcount, a word of 64 rows", "benchmarks.limits:popcounts"),
        others=(
            Contender("all pairs, 2 to 4 states, a pair", "benchmarks.limits:all_pairs"),
            *(
                Contender(f"triple table, {r} states", "benchmarks.limits:triple_tables", params={"states": r})
                for r in (2, 3, 4)
            ),
            Contender("from codes, 27 cells, a row", "benchmarks.limits:codes"),
            Contender("correlations, p = 1 000, n = 10 000", "benchmarks.limits:correlation"),
            *(
                Contender(
                    f"partial correlation, set of {k}", "benchmarks.limits:partial_correlations", params={"size": k}
                )
                for k in (1, 2, 3)
            ),
            Contender("BIC family, 27 cells", "benchmarks.limits:families", params={"bdeu": False}),
            Contender("BDeu family, 27 cells", "benchmarks.limits:families", params={"bdeu": True}),
        ),
    ),
    Measurement(
        name="lmm_cpdags",
        what="the CPDAG at every step of LMM, forward and backward: 100 variables, 250 ranked edges, 300 rows",
        prepare=lambda: gaussian(100, 150, 300),
        ours=Contender("edge by edge", "benchmarks.ours:lmm_cpdags", params={"fresh": False}),
        others=(Contender("each from scratch", "benchmarks.ours:lmm_cpdags", params={"fresh": True}),),
    ),
    *WAITS,
)
MEASUREMENTS = {measurement.name: measurement for measurement in DECLARED}
