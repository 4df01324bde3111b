"""Support of directions: graph, table, sentences and files agree."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from learners import learn
from learners.explaining.explanation import explanation
from learners.explaining.support import LEADS as SUPPORT_LEADS
from learners.explaining.support import SCORE_NAMES, STABLE, STRONG, evidence_on
from learners.io.edge_csv import to_edge_csv
from learners.io.interchange import to_json
from learners.results.result import judging_score, metadata
from tests.learners.families.score_based.test_near_classes import near_tie
from tests.tiers import family
from tests.viz.test_kinds import CASES, learnt
from viz.kinds import timeline
from viz.tables import edge_rows
from viz.weak_evidence import DOUBTS as DOUBT_TEMPLATES
from viz.weak_evidence import doubtful as is_doubtful

LEADS = [template.removesuffix("{reason}.") for template in SUPPORT_LEADS]
DOUBTS = tuple(template.removesuffix("{reason}") for template in DOUBT_TEMPLATES.values())


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_all_views_show_the_same_support(key, kind):
    """Only the doubtful arrows are marked; the table, the files and the sentence name their support."""
    result = learnt(key, kind)
    arrows = dict(result.directions)
    doubtful = {arrow for arrow in arrows if is_doubtful(result, *arrow)}
    drawn = timeline(result, np.random.default_rng(0).random((len(result.names), 2)))["edges"]
    marked = {(e["a"], e["b"]) if e["doubt"] == "forward" else (e["b"], e["a"]) for e in drawn if "doubt" in e}
    assert marked == doubtful
    assert all(edge["doubt_text"].startswith(DOUBTS) for edge in drawn if "doubt" in edge)
    words = {(result.names[i], result.names[j]): direction.support.value for (i, j), direction in arrows.items()}
    table = edge_rows(result).table()
    assert {(a, b): word for a, b, word in table[["from", "to", "direction"]].itertuples(index=False) if word} == words
    text = to_edge_csv(result.graph, result.names, result.strengths, result.directions)
    rows = csv.DictReader(io.StringIO(text))
    assert {(row["from"], row["to"]): row["direction"] for row in rows if row["direction"]} == words
    actual = json.loads(to_json(result.graph, result.names, metadata(result)))["directions"]
    assert {(result.names[i], result.names[j]): word for i, j, word in actual} == words
    for (i, j), direction in arrows.items():
        said = explanation(result, (i, j)).sentences
        leads = [lead for lead in LEADS if any(one.startswith(lead) for one in said)]
        assert leads == [LEADS[evidence_on(direction)]]
        shares = [one for one in said if "of the resamples with this edge have this direction" in one]
        assert all("stable. " in one for one in shares)  # resamples show stability, not support


@pytest.mark.deep
def test_heads_are_hollow_where_nearly_equal_classes_disagree():
    """The picture marks the directions that Explain doubts: classes within 3 nats of the best score disagree."""
    seen = 0
    for seed in range(12):
        result = learn("boss", near_tie(seed), edge_penalty=0.0, seed=seed)
        drawn = timeline(result, np.zeros((8, 2)))["edges"]
        doubted = {frozenset((edge["a"], edge["b"])) for edge in drawn if "doubt" in edge}
        for i, j in result.graph.directed_edges():
            marks = set(result.extra.marks(i, j)) - {"none"}
            if (i, j) in result.directions and len(marks) > 1:
                assert frozenset((i, j)) in doubted
                seen += 1
    assert seen


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_odds_of_directions_name_their_score(key, kind):
    """Two runs judge directions by different scores, so each of their odds names its score, in the panel and drawn."""
    result = learnt(key, kind)
    score = SCORE_NAMES[judging_score(result)]
    drawn = timeline(result, np.random.default_rng(0).random((len(result.names), 2)))["edges"]
    said = [
        text
        for pair in result.directions
        for text in explanation(result, pair).sentences
        if text.startswith(tuple(LEADS))
    ]
    for text in (*said, *(edge["doubt_text"] for edge in drawn if "doubt" in edge)):
        assert ("odds" in text) == (f" by {score}" in text)


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_only_strongly_supported_directions_have_a_causal_claim(key, kind):
    """A claim such as "x causes y", even with its conditions, is never made of a direction that the panel doubts."""
    result = learnt(key, kind)
    for (i, j), direction in result.directions.items():
        claims = [text for text in explanation(result, (i, j)).written() if text.startswith("If the arrow is right")]
        assert not claims or evidence_on(direction) in (STRONG, STABLE)
