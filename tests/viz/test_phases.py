"""Phases as text; their labels never affect the results."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import learn, load_sample
from learners.explaining.clauses import when
from learners.explaining.explanation import explanation
from learners.graphs.rules import Rule
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult
from viz.evidence_table import evidence_table
from viz.kinds import callouts, interval, timeline
from viz.tables import separated_rows

RUNS = {
    "pc": {},
    "mmpc": {},
    "si_hiton_pc": {},
    "fast_iamb": {},
    "gs": {},
    "hpc": {},
    "hpc_target": {},
    "bootstrap": {"n_resamples": 2},
    "ppc": {},
    "path": {},
    "gsc": {"skeleton": "mmpc", "start": "hgi", "restarts": 1},
    "tabu": {},
    "ges": {},
    "boss": {},
    "cimap": {"preset": "P-4"},
    "aracne": {},
    "lmm": {},
    "rai": {},
    "brai": {"s": 1},
    "order_mcmc": {"steps": 2_000, "run_on": 0},
}


@pytest.mark.parametrize(
    ("phase", "name", "words"),
    [
        (Phase(Stage.LEVEL, size=2), "level 2", "at level 2"),
        (Phase(Stage.FDR_OF_LEVEL, size=0), "FDR, level 0", "at FDR, level 0"),
        (Phase(Stage.ROUND, round=3), "round 3", "at round 3"),
        (Phase(Stage.EDGES, last=Stage.ALONE), "edges, alone", "at edges, alone"),
        (
            Phase(Stage.WITHIN_CLUSTERS, size=1),
            "within clusters, size 1",
            "by a test within a cluster",
        ),
        (Phase(Stage.SECOND_SCREEN), "second screen", "by the second screen between clusters"),
    ],
)
def test_phase_as_text(phase, name, words):
    assert str(phase) == name
    assert when(phase).text(()) == words


def everything_said(result: LearnResult) -> str:
    """Return all texts that are shown for a run."""
    pairs = list(combinations(range(len(result.names)), 2))
    stories = [explanation(result, pair) for pair in pairs]
    tables = [evidence_table(story).to_csv() for story in stories]
    steps = timeline(result, np.zeros((len(result.names), 2)))["steps"]
    actual = [(story.written(), interval(result, *pair)) for story, pair in zip(stories, pairs, strict=True)]
    return "\n".join(map(str, (actual, tables, steps, callouts(result), separated_rows(result).table().to_csv())))


@pytest.mark.gate_cases(3)
@pytest.mark.compiled
@pytest.mark.parametrize("key", RUNS)
def test_labels_do_not_affect_the_texts(key, monkeypatch):
    """With other labels of rules and phases, the texts differ only in these labels."""
    dataset = load_sample("gauss30" if key == "lmm" else "asia").dataset
    before = everything_said(learn(key, dataset, **RUNS[key]))
    for stage in Stage:
        monkeypatch.setattr(stage, "label", f"§{stage.label}§")
    for rule in Rule:
        monkeypatch.setattr(rule, "_value_", f"§{rule.value}§")
    after = everything_said(learn(key, dataset, **RUNS[key]))
    assert after.replace("§", "").casefold() == before.casefold()
