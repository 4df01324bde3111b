"""Texts of HPC: each end and its rule, the consequences, the steps of the slider, and callouts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import Knowledge
from learners.explaining.explanation import explanation
from learners.io.samples import load_sample
from learners.registry import learn
from learners.results.phases import Stage
from viz.kinds import callouts, timeline
from viz.text import format_set, shorten

WORDS = {  # (rule, held) -> part of the sentence on that end
    (1, False): "{x} is not a candidate neighbour of {t}:",
    (2, True): "{x} is a neighbour of {t}. There are too few candidates around {t} for further tests",
    (3, True): "{x} is a neighbour of {t}. No tested subset of the Markov blanket of {t} separates them",
    (4, True): "so {x} counts as a neighbour of {t} (decentralised search;",
}


def reported(result, x, y, dataset=None):
    return explanation(result, (x, y), dataset).sentences


def neighborhoods_of(result):
    """Return the neighbourhoods found by HPC, alone or as the first phase of H2PC."""
    return result.extra.evidence if result.kind == "h2pc" else result.extra


def check_side(result, t, x, sentences):
    """Check that one sentence names the reason for x at t, with the set of the matching event."""
    found, name_t, name_x = neighborhoods_of(result), shorten(result.names[t]), shorten(result.names[x])
    rule, held = int(found.rule[t, x]), bool(found.candidates[t, x])
    if (rule, held) == (3, False):
        near = f"{name_x} was found in the Markov blanket of {name_t}, but not as a neighbour:"
        text = near if found.blanket[t, x] else f"{name_x} is not in the Markov blanket of {name_t}:"
    else:
        text = WORDS[rule, held].format(t=name_t, x=name_x)
    own = [sentence for sentence in sentences if text in sentence]
    assert len(own) == 1
    stage = (Stage.MARGINAL, Stage.ONE_VARIABLE, Stage.ALONE, Stage.BLANKET, Stage.DECENTRALISED)[rule]
    event = next(e for e in result.trace.of_pair(t, x) if (e.phase.stage, e.i) == (stage, t))
    assert format_set(event.cond, result.names) in own[0]


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(
    ("key", "name", "settings"),
    [
        pytest.param("hpc", "child", {}, id="hpc child"),
        pytest.param("hpc", "child", {"pc_method": "fdr"}, id="hpc fdr child"),
        pytest.param("hpc", "asia", {"unreliable": "skip"}, id="hpc skip asia"),
        pytest.param("hpc", "gauss30", {}, id="hpc gauss30"),
        pytest.param("h2pc", "child", {}, id="h2pc child"),
        pytest.param("gsc", "asia", {"skeleton": "hpc", "start": "hgi"}, id="gsc asia"),
    ],
)
def test_every_pair_explains_each_end_and_its_rule(key, name, settings):
    """A marginally independent pair has one sentence; others have one for each end and one for the consequence."""
    dataset = load_sample(name).dataset
    result = learn(key, dataset, **settings)
    found = neighborhoods_of(result)
    for x, y in combinations(range(len(result.names)), 2):
        sentences = reported(result, x, y, dataset)
        if found.rule[x, y] == 0:
            assert "Separated at the start" in sentences[0] or "too few rows to test" in sentences[0]
        else:
            check_side(result, x, y, sentences)
            check_side(result, y, x, sentences)
        ends = int(found.candidates[x, y]) + int(found.candidates[y, x])
        assert any(s.startswith("Each is a neighbour of the other") for s in sentences) == (ends == 2)
        assert any("but not the reverse, and an edge requires both" in s for s in sentences) == (ends == 1)


def test_hybrid_shows_only_moves_of_allowed_pairs():
    """The candidates come first, then the gain of the move that added or removed the edge."""
    result = learn("h2pc", load_sample("child").dataset, polish=False)
    allowed, seen = result.extra.skeleton.skeleton, set()
    for x, y in combinations(range(len(result.names)), 2):
        text, joined = " ".join(reported(result, x, y)), bool(result.graph.skeleton[x, y])
        assert ("could add this edge" in text) == allowed[x, y]
        assert ("could not add this edge" in text) == (not allowed[x, y])
        assert ("Without it the final score" in text) == joined
        assert ("would not raise the score" in text) == (allowed[x, y] and not joined)
        assert text.count("So the search could ") == 1
        seen.add((bool(allowed[x, y]), joined))
    assert seen == {(False, False), (True, False), (True, True)}


def test_decisive_test_of_a_separated_pair_is_the_one_the_result_holds():
    """The decisive test of a separated pair is given the separating set of the result."""
    dataset = load_sample("child").dataset
    result = learn("hpc", dataset)
    for pair, cond in result.sepsets.items():
        assert sorted(explanation(result, sorted(pair), dataset).decisive.cond) == sorted(cond)


def test_knowledge_is_reported_instead_of_tests():
    """For required and forbidden pairs, which were never tested, the text names the background knowledge."""
    known = Knowledge(required=(("asia", "xray"),), forbidden=(("smoke", "bronc"), ("bronc", "smoke")))
    result = learn("hpc", load_sample("asia").dataset, knowledge=known)
    at = result.names.index
    assert reported(result, at("asia"), at("xray"))[0] == "Your background knowledge requires this edge."
    assert "forbids this edge" in reported(result, at("smoke"), at("bronc"))[0]


def test_search_around_one_variable_describes_only_that_variable():
    """The texts cover the target's own side only, and the callout names blanket and neighbours."""
    result = learn("hpc_target", load_sample("child").dataset, target="Disease")
    t = result.names.index("Disease")
    others = [k for k in range(len(result.names)) if k != t]
    for x in others:
        if result.extra.rule[t, x] > 0:
            check_side(result, t, x, reported(result, x, t))
            assert len([s for s in reported(result, x, t) if "is a neighbour of" in s and "reverse" not in s]) <= 1
    asked, *_ = reported(result, *others[:2])
    assert asked == "It looked only for neighbours of Disease."
    near = np.flatnonzero(result.graph.skeleton[t])
    lead = callouts(result)[0]
    assert lead.startswith(f"Disease has {len(near)} neighbours: ")
    assert all(result.names[k] in lead for k in (*near, *result.extra.blanket_of_target))


def test_cancelled_run_says_which_ends_are_missing():
    """The texts make no claim about an end whose search did not finish."""
    result = learn("hpc", load_sample("child").dataset, tick=lambda phase, *_: phase == "marginal")
    assert not result.complete
    pairs = [pair for pair in combinations(range(20), 2) if result.extra.rule[pair] < 0]
    assert pairs
    assert all("cancelled before the search around" in reported(result, *pair)[0] for pair in pairs)
    assert not any("A search around each variable" in text for text in callouts(result))


@pytest.mark.parametrize("key", ["hpc", "hpc_target"])
def test_slider_joins_the_edges_by_rule_with_their_hardest_test(key):
    """Blankets come first, then edges restored by the other end's search; each step names its pair and p."""
    result = learn(key, load_sample("child").dataset)
    steps = timeline(result, np.zeros((20, 2)))["steps"]
    order = ["edges, alone", "edges, blanket", "edges, decentralised"]
    labels = [phase["label"] for phase in steps["phases"]]
    assert labels
    assert labels == [label for label in order if label in labels]
    assert steps["count"] == result.graph.n_edges + 1
    who = "each is a neighbour of the other" if key == "hpc" else "a neighbour of the target"
    for text, t in zip(steps["text"][1:], result.trace.changes.tolist(), strict=True):
        event = result.trace[t]
        assert f"{shorten(result.names[event.i])} — {shorten(result.names[event.j])} added: {who}" in text
        assert event.log_p == result.extra.log_phi[event.i, event.j]


def test_callout_counts_what_the_other_end_saved():
    """The callout counts pairs of the skeleton, and those settled at one end by decentralised search."""
    result = learn("hpc", load_sample("child").dataset)
    saved = sum(4 in (result.extra.rule[i, j], result.extra.rule[j, i]) for i, j in result.graph.edges())
    assert saved > 0
    assert f"{result.graph.n_edges} pairs found each other. {saved} of these" in callouts(result)[0]
