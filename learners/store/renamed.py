"""Earlier names of stored classes, so that files of earlier versions can still be read.

`packing` names a class by its module and its name. A class that can be stored and is moved or renamed gets an entry
here, or its folder in `common.moved_modules`; a test lists the names that version 0.1.0 wrote.
"""

from ..common.moved_modules import present_name

RENAMED = {
    "learners.data.left_out:LeftOut": "learners.data.dataset:LeftOut",
    "learners.graphs.cpdags:Extension": "learners.graphs.consistent_extension:Extension",
    "learners.graphs.turning:Turned": "learners.graphs.edge_reversal:Reversal",
    "learners.independence.base:CIResult": "learners.independence.ci_test:CIResult",
    "learners.cimap.evidence:PairInformation": "learners.cimap.evidence:MarginalInformation",
    "learners.independence.turns:PairInformation": "learners.independence.information:PairInformation",
    "learners.independence.pools:Pools": "learners.independence.set_search:Pools",
    "learners.kernels.cimap.information:Rule": "learners.kernels.cimap.sequential_tests:DecisionRule",
    "learners.kernels.cimap.information:Turns": "learners.kernels.cimap.sequential_tests:TurnResults",
    "learners.kernels.lmm.contest:Terms": "learners.kernels.lmm.state:LMMRules",
    "learners.kernels.lmm.dependence:Evidence": "learners.kernels.lmm.dependence:DependenceEvidence",
    "learners.kernels.tests.deciding:Cut": "learners.kernels.ci.evidence:Threshold",
    "learners.kernels.tests.pair_pools:PairPools": "learners.kernels.ci.pair_pools:PairPools",
    "learners.kernels.tests.results:TestResults": "learners.kernels.ci.results:CIResults",
    "learners.constraint_based.skeleton:PairEvidence": "learners.search.skeleton_levels:PairEvidence",
    "learners.constraint_based.semi_interleaved:OrientedCandidateSets": (
        "learners.constraint_based.si_hiton_pc:OrientedCandidateSets"
    ),
    "learners.score_based.greedy:GreedySearch": "learners.search.dag_result:GreedySearch",
    "learners.score_based.equivalence:EquivalenceSearch": "learners.search.ges_result:EquivalenceSearch",
    "learners.h2pc.search:Neighborhoods": "learners.h2pc.hpc_search:Neighborhoods",
    "learners.search.order_walk:Placements": "learners.results.events:Placements",
    "learners.search.order_climber:Placements": "learners.results.events:Placements",
    "learners.hybrid.hybrid:HybridSearch": "learners.search.hybrid:HybridSearch",
    "learners.averaging.posterior:Posterior": "learners.evaluation.posterior:Posterior",
    "learners.averaging.posterior:RankedClass": "learners.evaluation.posterior:RankedClass",
    "learners.averaging.own_calibration:OwnCalibration": "learners.averaging.calibration:OwnCalibration",
    "learners.averaging.bootstrap:Frequencies": "learners.evaluation.frequencies:Frequencies",
    "learners.brai.story:CallRecord": "learners.brai.call_trace:CallRecord",
    "learners.cimap.options:Settings": "learners.cimap.presets:Options",
    "learners.phgs.calls:CallKind": "learners.phgs.partitioned:CallKind",
    "learners.effects.kept_aside:KeptAside": "learners.effects.held_out:HeldOutCalibration",
    "learners.networks.fitted:Fitted": "learners.networks.fit_summary:FitSummary",
    "learners.networks.fitted:RegressionFit": "learners.networks.fit_summary:RegressionFit",
    "learners.networks.fitted:TableFit": "learners.networks.fit_summary:TableFit",
    "learners.networks.mixed:MixedNetwork": "learners.networks.mixed_network:MixedNetwork",
    "learners.networks.regression:Linear": "learners.networks.regression_network:LinearRegression",
    "learners.networks.regression:Logistic": "learners.networks.regression_network:LogisticRegression",
    "learners.networks.regression:RegressionNetwork": "learners.networks.regression_network:RegressionNetwork",
    "learners.networks.regression:Table": "learners.networks.regression_network:ProbabilityTable",
    "learners.recipes.marks:ResultMark": "learners.recipes.fingerprints:ResultFingerprint",
    "learners.recipes.marks:TableMark": "learners.recipes.fingerprints:TableFingerprint",
    "learners.results.result:Rows": "learners.results.result:DataSize",
    "learners.data.guess:Cells": "learners.data.column_types.cells:Cells",
    "learners.data.guess:Marker": "learners.data.column_types.types_and_missing_codes:Marker",
    "learners.data.guess:ColumnGuess": "learners.data.column_types.types_and_missing_codes:ColumnGuess",
    "learners.data.guess:TableGuess": "learners.data.column_types.types_and_missing_codes:TableGuess",
    "learners.data.tables:Table": "learners.data.reading.table:Table",
    "learners.data.plan:Binning": "learners.data.plan.binning:Binning",
    "learners.data.plan:ColumnPlan": "learners.data.plan.plan:ColumnPlan",
    "learners.data.plan:Plan": "learners.data.plan.plan:Plan",
    "learners.data.treatments:Treatment": "learners.data.plan.conversion:Treatment",
    "learners.data.prepare:Prepared": "learners.data.plan.preparation:Prepared",
    "learners.data.use:DataUse": "learners.data.plan.data_use:DataUse",
    "learners.data.dataset_health:Finding": "learners.data.quality.finding:Finding",
    "learners.data.dataset_health:Fix": "learners.data.quality.finding:Fix",
}


def present_class(name: str) -> str:
    """Return the current name, ``module:class``, of a class that was stored under `name`."""
    module, _, kind = RENAMED.get(name, name).partition(":")
    return f"{present_name(module)}:{kind}"
