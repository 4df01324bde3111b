"""Explanations of the learners by mutual information: every pair and every rule."""

from __future__ import annotations

from itertools import combinations

import pytest

from learners import load_sample
from learners.explaining.explanation import explanation
from learners.graphs.rules import INFORMATION, Rule
from learners.registry import learn
from learners.results.events import Action
from tests import references
from tests.viz.cases import sentence_of
from viz.evidence_table import evidence_table

CHILD = "child_n2000"
RUNS = {
    "plain": ("cimap", {"preset": "P-1"}, Rule.TEST),
    "interleaved": ("cimap", {"preset": "P-4", "q": 1e-4}, Rule.FDR),
    "per edge": ("cimap", {"preset": "P-3", "effect": 0.2}, Rule.FAMILY),
    "to the letter": ("cimap", {"preset": "P-3", "literal": True, "effect": 0.2}, Rule.FAMILY),
    "cut": ("cimap", {"preset": "MI2", "orient": False, "max_cond_size": 1}, Rule.CUT),
    "normal": ("cimap", {"preset": "PN1"}, Rule.NORMAL),
    "normal, given others": ("cimap", {"preset": "PN1", "test": "pn-all"}, Rule.NORMAL),
    "normal, per edge": ("cimap", {"preset": "PN1", "test": "pn-all", "fdr": "pefdr"}, Rule.FAMILY),
    "stable cut": ("pc_mi", {"max_cond_size": 1}, Rule.CUT),
    "triplets": ("aracne", {}, Rule.TRIPLET),
}


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("run", RUNS)
def test_every_pair_is_explained_by_what_was_done_to_it(run):
    """Each pair shows its information and the step that removed it, or the hardest test that it passed.

    Every step of the slider has a sentence.
    """
    key, options, rule = RUNS[run]
    result = learn(key, references.dataset(CHILD), **options)
    assert rule in {event.rule for event in result.trace if event.action == Action.REMOVE}
    for x, y in combinations(range(len(result.names)), 2):
        events = result.trace.of_pair(x, y)
        story = explanation(result, (x, y))
        assert story.sentences[0].startswith("Mutual information of the two variables: ")
        assert " mbit (plug-in estimate). Rough 95% interval, unreliable near 0: " in story.sentences[0]
        removals = [event for event in events if event.action == Action.REMOVE]
        text = " ".join(story.sentences)
        assert "nan" not in text
        if removals:
            assert story.headline.startswith("There is no edge between ")
            assert str(removals[0].phase) in text or removals[0].rule is Rule.TRIPLET
            assert " removed: " in sentence_of(removals[0], result)
            if removals[0].rule in INFORMATION:
                assert sentence_of(removals[0], result).split("removed: ")[1]
        else:
            assert "closest to separating them" in text or "The only test" in text
        open_ = key == "aracne" or options.get("orient") is False
        assert ("edges without directions" in text) == (open_ and not removals)
        assert len(evidence_table(story)) == len(story.tests)


def test_untested_pairs_are_reported_as_such():
    """Pairs skipped for lack of power show the number of rows and the degrees of freedom that these support."""
    result = learn("cimap", references.dataset(CHILD), preset="P-2", effect=0.1)
    x, y = next((x, y) for x, y in combinations(range(20), 2) if result.extra.untested[x, y])
    text = " ".join(explanation(result, (x, y)).sentences)
    assert "not tested: with 2,000 rows, only tests of at most 14 degrees of freedom have the requested power" in text
    assert "so the edge is untested" in text
    assert "closest to separating" not in text


def test_control_of_false_discoveries_names_the_family_that_says_no():
    """A kept edge is rejected by both families; a removed one names the stricter end."""
    result = learn("cimap", references.dataset(CHILD), preset="P-4", q=1e-4)
    texts = {pair: " ".join(explanation(result, pair).sentences) for pair in combinations(range(20), 2)}
    gone = next(event for event in result.trace if event.rule is Rule.FDR)
    text = texts[tuple(sorted((gone.i, gone.j)))]
    assert f"the family of {result.names[gone.i]} rejects" in text
    assert all("The families of both ends reject" in texts[i, j] for i, j in texts if result.graph.skeleton[i, j])


def test_a_cut_is_reported_in_mbit_not_in_p():
    """The sentence and the table of tests use the unit of the threshold."""
    result = learn("pc_mi", load_sample("asia").dataset)
    story = explanation(result, (0, 7))
    assert "below the cut of 10 mbit" in " ".join(story.sentences)
    assert set(evidence_table(story)["alpha"]) == {"10 mbit"}
