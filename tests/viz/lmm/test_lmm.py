"""Views of LMM: steps, dots, CPDAGs, the threshold line, tables and explanations."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from learners.evaluation.metrics import shd
from learners.explaining.explanation import explanation
from learners.families.lmm.ranking import Moves, choice_in
from learners.families.lmm.step_graphs import aware_at, skeleton_at, step_graphs
from learners.families.lmm.words import format_joint, format_one_sided
from learners.graphs.cpdag import cpdag
from learners.independence import DependencePosterior
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import learn
from tests.lmm_runs import CASES, P, known, learnt, network, replayed
from tests.viz.annotations import annotations_outside
from viz.kinds import callouts, choice_step, interval, last_step, layout_graph
from viz.kinds import graph_at as shown_at
from viz.lmm.figures import cd_bars, prior_curve, prior_sentence
from viz.lmm.tables import ranking_table, v_structure_table
from viz.lmm.timeline import lmm_timeline
from viz.text import format_set


def positions() -> np.ndarray:
    return np.random.default_rng(0).random((P, 2))


def drawn(data: dict, step: int) -> dict:
    """Return the edges drawn at a step, with the rest of the span of each pair."""
    spans = {}
    for edge in data["edges"]:
        for begin, end, *rest in edge["spans"]:
            if begin <= step < end:
                assert (edge["a"], edge["b"]) not in spans
                spans[edge["a"], edge["b"]] = rest
    return spans


@pytest.mark.parametrize("result", [*map(learnt, CASES), known()], ids=[*CASES, "knowledge"])
def test_skeleton_view_draws_every_move(result):
    """Each step draws exactly the edges and dots that remain after the moves so far; the choice has its directions."""
    data = lmm_timeline(result, positions())
    states = replayed(result.extra.moves)
    assert data["steps"]["count"] == len(states) == len(data["steps"]["text"])
    for step, state in enumerate(states):
        shown = drawn(data, step)
        assert {pair: aware for pair, (_, *aware) in shown.items()} == {pair: list(one) for pair, one in state.items()}
        for pair, (mark, *_) in shown.items():
            expected = result.graph.mark(*pair) if step == result.extra.choice else "undirected"
            assert ("undirected" if mark == "conflict" else mark) == expected
    for edge in data["edges"]:
        assert all(a < b for a, b, *_ in edge["spans"])
        assert all(one[1] <= other[0] for one, other in zip(edge["spans"], edge["spans"][1:], strict=False))


@pytest.mark.parametrize("case", CASES)
def test_choice_is_the_result(case):
    """The step marked as the algorithm's choice shows the graph of the result, in both views and in the library."""
    result = learnt(case)
    graphs = step_graphs(result, np.inf)
    data = lmm_timeline(result, positions(), graphs=graphs)
    choice = data["steps"]["choice"]
    assert choice == choice_step(result)
    marks = {pair: mark for pair, (mark,) in drawn(data, choice).items()}
    truth = {(i, j): result.graph.mark(i, j) for i, j in combinations(range(P), 2) if result.graph.skeleton[i, j]}
    assert {pair: "undirected" if mark == "conflict" else mark for pair, mark in marks.items()} == truth
    assert graphs.at(choice, P) == result.graph == shown_at(result, choice) == shown_at(result, None)


def test_without_time_only_the_choice_is_oriented():
    """Steps without a computed CPDAG are drawn without directions; everything else is unchanged."""
    result = learnt()
    graphs = step_graphs(result, 0.0)
    choice = result.extra.choice
    assert (graphs.first, len(graphs.codes)) == (choice, 1)
    assert graphs.knows(choice)
    assert not graphs.knows(choice + 1)
    data = lmm_timeline(result, positions(), graphs=graphs, truth=cpdag(network().dag))
    for step in range(last_step(result) + 1):
        marks = drawn(data, step)
        assert np.array_equal(_joined(marks), skeleton_at(result.extra.moves, step, P))
        assert step == choice or {mark for (mark,) in marks.values()} <= {"undirected"}
    known_distances = [value for value in data["steps"]["series"][-1]["values"] if value is not None]
    assert known_distances == [shd(result.graph, cpdag(network().dag))]


def _joined(pairs) -> np.ndarray:
    skeleton = np.zeros((P, P), dtype=bool)
    for i, j in pairs:
        skeleton[i, j] = skeleton[j, i] = True
    return skeleton


def test_series_count_what_is_drawn():
    """Each step reports its edges, wrong edges, SHD, and the joint CPPD of the move that led to it."""
    result, truth = learnt(), cpdag(network().dag)
    graphs = step_graphs(result, np.inf)
    joint, edges, shares, wrong = (
        one["values"] for one in lmm_timeline(result, positions(), truth=truth)["steps"]["series"]
    )
    distance = lmm_timeline(result, positions(), graphs=graphs, truth=truth)["steps"]["series"][-1]
    assert distance["label"] == "SHD to the truth"
    actual = lmm_timeline(result, positions())["steps"]["text"]
    for step in range(last_step(result) + 1):
        skeleton = skeleton_at(result.extra.moves, step, P)
        assert edges[step] == skeleton.sum() // 2
        assert wrong[step] == (skeleton != truth.skeleton).sum() // 2
        assert distance["values"][step] == shd(graphs.at(step, P), truth)
    moves = result.extra.moves
    assert [share is not None for share in shares] == [*(moves.what == Moves.ELIMINATED).tolist(), False]
    tested = (moves.what == Moves.ADDED) | (moves.what == Moves.ELIMINATED)  # no edge is required here
    np.testing.assert_allclose(np.array(joint[1:], dtype=float), np.where(tested, moves.joint, np.nan))
    for rank, move in enumerate(result.extra.ranked[::-1].tolist()):
        assert f"rank {len(result.extra.ranked) - rank} of" in actual[move + 1]


def stop_of(steps: dict, value: float) -> int:
    """Return the step to which the threshold line of the picture leads, by the specified rule."""
    line = steps["threshold"]
    values, step = steps["series"][line["series"]]["values"], line["first"]
    while step < line["last"] and not values[step + 1] > value:
        step += 1
    return step


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("gamma", [1e-6, 1e-4, 0.01, 0.2, 0.5, 0.9, 0.9999, 0.999999])
def test_line_leads_where_elimination_would_stop(case, gamma):
    """The stopping rule in the browser equals that of the learner."""
    result = learnt(case)
    steps = lmm_timeline(result, positions())["steps"]
    assert stop_of(steps, gamma) == choice_in(result.extra.moves, gamma, result.params["min_size"])


def test_line_starts_at_the_runs_threshold():
    """The line starts at the threshold of the run, if it has one.

    It starts at even odds for a pure ranking, never below a threshold of forward selection, and is absent where the
    number of edges decided.
    """
    lines = {case: lmm_timeline(learnt(case), positions())["steps"]["threshold"] for case in CASES}
    assert lines["plain"]["value"] == 0.03
    assert (lines["threshold"]["value"], lines["threshold"]["low"]) == (0.2, 0.2)
    assert lines["sizes"]["value"] is None


def test_layout_is_of_slightly_more_than_the_result():
    """The layout includes the edges that were removed last before the choice."""
    result = learnt()
    wider = layout_graph(result)
    assert (wider.skeleton >= result.graph.skeleton).all()
    assert wider.n_edges == result.graph.n_edges + 2
    assert np.array_equal(wider.skeleton, skeleton_at(result.extra.moves, result.extra.choice - 2, P))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (-6.0, "6.21e-176"),
        (-3.0, "1.89e-9"),
        (0.0, "0.368"),
        (3.0, "0.951"),
        (9.0, "1 − 0.000123"),
        (50.0, "1 − 1.93e-22"),
    ],
    ids=str,
)
def test_joint_cppd_is_readable_at_both_ends(key, text):
    """A value near one is shown by its distance to one, a value far below a thousandth by its exponent."""
    assert format_joint(key).replace("\u00a0", " ") == text


def test_one_sided_cppd_is_readable_at_both_ends():
    """Log-odds are converted to readable probabilities at both ends."""
    assert format_one_sided(0.0) == "0.5"
    assert format_one_sided(-40.0) == "4.25e-18"
    assert format_one_sided(40.0).replace("\u00a0", " ") == "1 − 4.25e-18"


def test_ranking_table_has_what_each_rank_rests_on():
    """Ranks count from 1 in the order of elimination, with both sides, the aware variables, truth and choice."""
    result, truth = learnt(), cpdag(network().dag)
    table = ranking_table(result, truth)
    assert table["rank"].tolist() == list(range(1, len(result.extra.ranked) + 1))
    assert table[["i", "j"]].to_numpy().tolist() == result.extra.pairs.tolist()
    kept = [bool(result.graph.skeleton[i, j]) for i, j in result.extra.pairs.tolist()]
    assert (table["kept"] == "yes").tolist() == kept
    assert (table["in truth"] == "yes").tolist() == [bool(truth.skeleton[i, j]) for i, j in result.extra.pairs.tolist()]
    assert set(table["aware"]) <= {"both", "first", "second"}
    first = result.extra.ranked[0]
    hardest = format_set(result.extra.moves.hardest_set(first, 0), result.names)
    assert table["hardest set, first's side"][0] == hardest
    assert "in truth" not in ranking_table(result).columns


def test_v_structure_table_says_what_became_of_each():
    """Every candidate is listed once, the strongest first; a loser names the winner that took one of its edges."""
    result = learnt(n=60)
    found, table = result.extra.v_structures, v_structure_table(result)
    assert sorted(table["t"]) == list(range(len(found.triples)))
    assert table["CD"].is_monotonic_decreasing
    fates = {
        "accepted": found.accepted,
        "replaced by a more certain one": ~found.accepted & (found.induced > 0),
        "CD not above 0": found.induced <= 0,
    }
    for fate, mine in fates.items():
        assert set(table.loc[table["fate"] == fate, "t"]) == set(np.flatnonzero(mine).tolist())
    lost = table[table["fate"] == "replaced by a more certain one"]
    assert len(lost)
    assert (lost["lost to"] != "").all()
    figure = cd_bars(table)
    assert {t for bar in figure.data for t in bar.customdata} == set(table["t"])
    assert {bar.name for bar in figure.data} == set(table["fate"])


def test_prior_is_marked_and_explained():
    """The chart marks the share with the highest likelihood and the prior, which is half of it or set by the user."""
    prior = learnt().extra.prior
    figure, alt = prior_curve(prior)
    assert annotations_outside(figure) == []
    assert figure.data[0].y.max() == pytest.approx(prior.log_likelihood.max())
    assert f"{2 * prior.dependent:.3g}" in alt
    assert f"{prior.dependent:.3g}" in prior_sentence(prior, 66)
    given = learn("lmm", sample(network(), 120, 5), prior=0.3).extra.prior
    assert "You set the prior" in prior_sentence(given, 66)
    assert prior_curve(given)[1].endswith("as set: π = 0.6")


@pytest.mark.parametrize("case", CASES)
def test_every_pair_has_a_story_without_gaps(case):
    """Each pair has rank, both sides and history, adjacent or not; the interval equals that of the picture."""
    result = learnt(case)
    data = lmm_timeline(result, positions())
    ranks = {tuple(pair): rank for rank, pair in enumerate(result.extra.pairs.tolist(), start=1)}
    for x, y in combinations(range(P), 2):
        story = explanation(result, (y, x))
        shown = " ".join(story.sentences)
        assert ("is in the graph" in story.headline) == bool(result.graph.skeleton[x, y])
        joined = [step for step in range(last_step(result) + 1) if (x, y) in drawn(data, step)]
        first, last = interval(result, x, y)
        if (x, y) in ranks:
            assert shown.startswith(f"Rank {ranks[x, y]:,} of {len(ranks)}")
            assert joined[-1] == last - 1
            assert set(range(first, last)) <= set(joined)
        elif not joined:
            assert "It was never added" in shown
            assert first == last == last_step(result) + 1
        else:
            assert "dropped it for good" in shown
        assert "nan" not in shown


def test_pair_never_adjacent_shows_the_least_probability_of_dependence():
    """Each side reports the least probability of dependence over all considered sets, recomputed one by one."""
    result, posterior = learnt(), DependencePosterior(sample(network(), 120, 5))
    aware = aware_at(result.extra.moves, result.extra.moves.n_forward, P)
    joined = {(edge["a"], edge["b"]) for edge in lmm_timeline(result, positions())["edges"]}
    for x, y in [pair for pair in combinations(range(P), 2) if pair not in joined][:6]:
        shown = explanation(result, (x, y)).sentences
        for k in (x, y):
            known = np.flatnonzero(aware[k]).tolist()
            sets = [cond for size in range(5) for cond in combinations(known, size)]
            least = min(posterior.log_odds(x, y, cond) for cond in sets)
            assert format_one_sided(least) in shown[1]


def test_knowledge_is_reported():
    """A required edge is not ranked, and a forbidden pair never competed."""
    result = known()
    assert "requires this edge" in explanation(result, (0, 11)).sentences[0]
    assert "forbids" in explanation(result, (1, 2)).sentences[0]
    data = lmm_timeline(result, positions())
    required = [edge for edge in data["edges"] if edge.get("required")]
    assert [(edge["a"], edge["b"]) for edge in required] == [(0, 11)]
    assert required[0]["spans"][0][0] == 1
    assert required[0]["spans"][-1][1] == data["steps"]["count"]


def test_directions_are_reported_with_their_numbers():
    """An arrow of a v-structure shows CD with and without the middle; an open edge names its best candidate."""
    result = learnt(n=60)
    found = result.extra.v_structures
    x, w, y = found.triples[np.flatnonzero(found.accepted)[0]].tolist()
    joined_text = " ".join(explanation(result, (x, w)).sentences)
    assert "CD = " in joined_text
    assert f"with {result.names[w]} in every set" in joined_text
    loser = next(t for t in range(len(found.triples)) if found.induced[t] > 0 and not found.accepted[t])
    x, w, y = found.triples[loser].tolist()
    shown = " ".join(s for pair in ((x, w), (y, w)) for s in explanation(result, pair).sentences)
    assert "was proposed (CD = " in shown


def test_run_without_directions_says_so():
    """No edge is called open if the run did not look for directions."""
    result = learn("lmm", sample(network(), 120, 5), orientation="none")
    i, j = result.extra.pairs[0].tolist()
    assert "This run looked for no directions." in explanation(result, (i, j)).sentences


def test_a_run_stored_before_the_false_discovery_rate_existed_is_explained():
    """A stored run without the parameter q has the same explanation."""
    new = learnt()
    old = replace(new, params={name: value for name, value in new.params.items() if name != "q"})
    i, j = map(int, new.extra.pairs[-1])
    assert explanation(old, (i, j)).sentences == explanation(new, (i, j)).sentences


def test_cancelled_run_is_drawn_and_explained():
    """The partial result is shown without directions, and the texts claim no more than it shows."""
    calls = iter(range(100))
    result = learn("lmm", sample(random_gaussian_network(60, 90, 1), 100, 1), tick=lambda *_: next(calls) < 1)
    assert not result.complete
    data = lmm_timeline(result, np.random.default_rng(0).random((60, 2)))
    assert data["steps"]["choice"] == last_step(result)
    assert explanation(result, (0, 1)).sentences
    assert callouts(result) == []


def test_callouts_are_true():
    """At most three callouts name the race, the hub with few aware variables, and the strongest arrows."""
    result = learnt()
    shown = callouts(result)
    assert 1 <= len(shown) <= 3
    assert f"{len(result.extra.ranked)} edges" in shown[0]
