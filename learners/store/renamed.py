"""Classes that have moved since earlier versions stored them: old name to present name."""

RENAMED = {
    "learners.constraint_based.skeleton:PairEvidence": "learners.search.skeleton:PairEvidence",
    "learners.constraint_based.semi_interleaved:OrientedCandidateSets": (
        "learners.constraint_based.si_hiton_pc:OrientedCandidateSets"
    ),
    "learners.score_based.greedy:GreedySearch": "learners.search.dag_result:GreedySearch",
    "learners.score_based.equivalence:EquivalenceSearch": "learners.search.class_result:EquivalenceSearch",
    "learners.h2pc.search:Neighborhoods": "learners.h2pc.hpc_search:Neighborhoods",
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
}
