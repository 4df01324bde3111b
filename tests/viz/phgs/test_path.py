"""Views of the alpha path: steps, marks and line, table, chart, heat map and explanations."""

from __future__ import annotations

import dataclasses
import math
from itertools import combinations

import numpy as np
import pytest

from learners.evaluation.metrics import jaccard, shd
from learners.explaining.explanation import explanation
from learners.families.phgs.alpha_steps import AlphaSteps, alpha_steps, path_of, solution_steps
from learners.families.phgs.explaining import why_levels
from learners.graphs.cpdag import cpdag, v_structures
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import BoundKnowledge
from learners.io.samples import load_network
from learners.networks.random_networks import random_dag, random_discrete_network
from learners.networks.sampling import sample
from learners.registry import learn
from tests.path_runs import CASES, P, bound, cancelled, dataset, learnt
from tests.viz.cases import HOSTILE
from tests.viz.heat import cells_of
from tests.viz.test_figures import inert
from viz.kinds import callouts, kind_of
from viz.phgs.figures import path_figure, phi_heat_map, survival_bar
from viz.phgs.tables import solution_table
from viz.phgs.timeline import alpha_timeline, marks_of, solution_timeline
from viz.phgs.words import Solutions, score_name, why_along

LN10 = math.log(10)


def positions(p: int = P) -> np.ndarray:
    return np.random.default_rng(0).random((p, 2))


def truth() -> PDAG:
    return cpdag(load_network("child").dag)


def named(case: str) -> Solutions:
    """Return the names of the solutions."""
    return kind_of(learnt(case)).special_part(Solutions, learnt(case))


def solutions(case: str) -> AlphaSteps:
    return solution_steps(learnt(case), bound(case))


def every(case: str, seconds: float = math.inf) -> AlphaSteps:
    return alpha_steps(learnt(case), bound(case), seconds)


def drawn(data: dict, step: int) -> dict:
    """Return the edges drawn at a step: pair -> mark."""
    found = {}
    for edge in data["edges"]:
        for begin, end, mark in edge["spans"]:
            if begin <= step < end:
                assert (edge["a"], edge["b"]) not in found
                found[edge["a"], edge["b"]] = mark
    return found


def marks(graph: PDAG) -> dict:
    return {(i, j): graph.mark(i, j) for i, j in np.argwhere(np.triu(graph.skeleton)).tolist()}


def open_marks(found: dict) -> dict:
    """Return the marks with each conflict shown as an edge of open direction."""
    return {pair: "undirected" if mark == "conflict" else mark for pair, mark in found.items()}


@pytest.mark.parametrize("case", CASES)
def test_each_step_draws_its_graph(case):
    """For solutions and free levels, the edges equal the graph of the step, and so do the numbers beside it."""
    for steps, make in ((solutions(case), solution_timeline), (every(case), alpha_timeline)):
        data = make(learnt(case), steps, named(case), positions())["steps"]
        picture = make(learnt(case), steps, named(case), positions())
        assert data["count"] == len(steps) == len(data["text"])
        assert data["choice"] == steps.choice
        edges = next(one["values"] for one in data["series"] if one["label"] == "edges")
        for step in range(len(steps)):
            assert open_marks(drawn(picture, step)) == marks(steps.at(step, P))
            assert edges[step] == steps.at(step, P).n_edges
        for edge in picture["edges"]:
            assert edge["spans"]
            assert all(a < b for a, b, _ in edge["spans"])
            assert all(one[1] <= other[0] for one, other in zip(edge["spans"], edge["spans"][1:], strict=False))


def test_steps_without_directions_are_drawn_plain():
    """A step without a computed CPDAG is drawn as its skeleton, and shows no distance."""
    steps, full = every("path", 0.0), every("path")
    data = alpha_timeline(learnt("path"), steps, named("path"), positions(), truth=truth())
    for step in range(len(steps)):
        found = drawn(data, step)
        assert set(found) == set(marks(full.at(step, P)))
        assert step == steps.choice or set(found.values()) <= {"undirected"}
    distances = data["steps"]["series"][-1]["values"]
    assert [step for step, value in enumerate(distances) if value is not None] == [steps.choice]


@pytest.mark.parametrize("case", CASES)
def test_scores_are_those_of_the_solutions(case):
    """Each solution shows its score; a star marks the chosen one, hollow marks those without a DAG; texts say both."""
    result, path = learnt(case), path_of(learnt(case)).path
    steps = solution_timeline(result, solutions(case), named(case), positions())["steps"]
    curve = steps["series"][steps["curve"]]
    assert curve["label"] == ("extended BIC" if case == "numbers" else "BDeu with edge penalty")
    assert curve["values"] == pytest.approx(path.scores, abs=0.06)
    for step, mark in enumerate(curve["marks"]):
        assert ("star" in mark) == (step == path.choice) == ("chosen" in steps["text"][step])
        assert ("hollow" in mark) == (not path.valid[step]) == ("no DAG fits" in steps["text"][step])
    assert steps["offset"] == 1


def test_some_solutions_have_no_dag():
    """The path of the Gaussian sample begins with two solutions without a DAG, so tests cover hollow points."""
    assert marks_of(learnt("numbers"))[:2] == ["hollow", "hollow"]


def line_leads_to(steps: dict, value: float) -> int:
    """Return the step that the threshold line selects at a value, by the rule of the specification."""
    line = steps["threshold"]
    values, step = steps["series"][line["series"]]["values"], line["first"]
    while step < line["last"] and (values[step + 1] > value) == line["falling"]:
        step += 1
    return step


@pytest.mark.parametrize("case", CASES)
def test_line_of_alpha_leads_to_the_graph_of_that_level(case):
    """The graph is right for the level of the run, of each solution, and any other down to the last edge."""
    steps, result = every(case), learnt(case)
    data = alpha_timeline(result, steps, kind_of(result).special_part(Solutions, result), positions())["steps"]
    line, top = data["threshold"], math.log10(result.params["alpha"])
    tried = [top, *np.linspace(top, line["low"], 60), *(a / LN10 for a in path_of(result).path.log_alphas if a > -1e9)]
    for value in tried:
        if np.abs(steps.log_alphas / LN10 - value).min() > 1e-5:
            assert line_leads_to(data, value) == steps.step_of(value * LN10)
    assert line_leads_to(data, line["value"]) == steps.choice
    assert line_leads_to(data, line["high"]) == 0
    assert line_leads_to(data, line["low"]) == len(steps) - 1


@pytest.mark.parametrize("case", ["path", "to zero", "phgs"])
def test_landmarks_are_the_solutions(case):
    """The free slider jumps between the scored levels."""
    steps = every(case)
    data = alpha_timeline(learnt(case), steps, named(case), positions())["steps"]
    at = {steps.step_of(log_alpha) for log_alpha in path_of(learnt(case)).path.log_alphas}
    assert {step for step, mark in enumerate(data["series"][0]["marks"]) if mark} == at
    assert set(data["events"]) == at | {0, len(steps) - 1}
    assert "star" in data["series"][0]["marks"][steps.choice]
    for step in at:
        assert "solution" in data["text"][step]


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("case", CASES)
def test_table_counts_what_is_shown(case):
    """The table shows each solution's graph in numbers, compared with the true graph where it is known."""
    result, steps = learnt(case), solutions(case)
    table = solution_table(result, steps, named(case), truth())
    assert table["step"].tolist() == list(range(1, len(steps) + 1))
    assert table.index[table[""] == "★"].tolist() == [path_of(result).path.choice]
    for step, row in table.iterrows():
        graph = steps.at(step, P)
        assert (row["edges"], row["directed"]) == (graph.n_edges, len(graph.directed_edges()))
        assert row["v-structures"] == len(v_structures(graph))
        assert (row["SHD"], row["JI"]) == (shd(graph, truth()), jaccard(graph, truth()))
    assert ("fits a DAG" in table) != case.startswith("phgs")
    assert not {"SHD", "JI"} & set(solution_table(result, steps, named(case)).columns)


@pytest.mark.parametrize("case", CASES)
def test_chart_has_every_solution_once(case):
    """Each panel has one point for each solution and a star for the chosen one, as the text states."""
    result, steps = learnt(case), solutions(case)
    figure, alt = path_figure(result, steps, named(case), truth(), -5.0)
    points = [n for trace in figure.data if trace.mode == "markers" for n in trace.customdata]
    assert sorted(points) == sorted([*range(1, len(steps) + 1)] * 2)
    stars = [
        list(trace.customdata) for trace in figure.data if trace.mode == "markers" and "star" in trace.marker.symbol
    ]
    assert stars == [[steps.choice + 1]] * 2
    assert f"chosen is step {steps.choice + 1}" in alt
    assert ("no DAG fits" in alt) == (not path_of(result).path.valid.all())
    xs = [x for trace in figure.data if trace.mode == "lines" for x in trace.x]
    assert np.isfinite(xs).all()


@pytest.mark.deep
@pytest.mark.parametrize("case", CASES)
def test_every_pair_shows_the_levels_at_which_it_is_adjacent(case):
    """Φ, the set and the levels agree with the steps on screen and with the bar."""
    result, evidence, steps = learnt(case), path_of(learnt(case)), every(case)
    for x, y in combinations(range(P), 2):
        text, log_phi = why_levels(result, y, x).text(result.names), evidence.log_phi[x, y]
        sentences = explanation(result, (x, y)).sentences
        assert text in sentences
        figure, alt = survival_bar(result, x, y, None)
        joined = [step for step in range(len(steps)) if steps.at(step, P).skeleton[x, y]]
        if "was not tested" in text:
            assert np.isnan(log_phi)
            assert len(joined) in (0, len(steps))
            continue
        assert ("separate the pair at any lower alpha" in text) == (not joined) == ("Absent at every level" in alt)
        assert all(result.names[k] in " ".join(sentences) for k in evidence.hardest.between(x, y))
        if joined:
            assert steps.step_of(log_phi) == joined[-1]
        assert sum(trace.type == "scatter" for trace in figure.data) == len(evidence.path.graphs)


@pytest.mark.parametrize("case", CASES)
def test_directions_along_the_path_are_reported(case):
    """The intervals of each mark cover the solutions once, in order."""
    result, steps = learnt(case), solutions(case)
    words = {"undirected": "direction open", "none": "absent", "conflict": "conflicting evidence"}
    for x, y in combinations(range(P), 2):
        text = why_along(result, steps, named(case), y, x)
        a, b = result.names[x], result.names[y]
        looks = words | {"forward": f"{a} → {b}", "backward": f"{b} → {a}"}
        for look in {steps.at(step, P).mark(x, y) for step in range(len(steps))}:
            assert looks[look] in text or "has this edge" in text or "conflicting" in text
        if "has this edge" in text:
            assert not any(steps.at(step, P).skeleton[x, y] for step in range(len(steps)))


def test_heat_map_shows_phi_of_each_pair():
    """Rows follow the requested order with separated clusters; a tested pair shows its set."""
    result, evidence = learnt("path"), path_of(learnt("path"))
    order = np.argsort(evidence.labels, kind="stable").tolist()
    figure, alt = phi_heat_map(result, order, order)
    values, cells = cells_of(figure), figure.data[1]
    shown = {divmod(cell, P): text for cell, text in zip(cells.customdata, cells.text, strict=True)}
    for (a, i), (b, j) in combinations(enumerate(order), 2):
        assert values[a, b] == pytest.approx(max(evidence.log_phi[i, j] / LN10, -15.0))
        assert all(result.names[k] in shown[i, j] for k in evidence.hardest.between(i, j))
    assert len(shown) == P * (P - 1)
    assert np.isnan(np.diag(values)).all()
    assert len(figure.layout.shapes) == 2 * (len(set(evidence.labels.tolist())) - 1)
    kept = int((evidence.log_phi <= math.log(0.1)).sum()) - P
    assert f"{kept} of its cells" in alt


def test_required_pair_of_a_heat_map_says_so():
    """The cell of a required pair, which has no Φ, says that background knowledge set it."""
    figure, _ = phi_heat_map(learnt("knowledge"), range(P), range(P))
    cells = figure.data[1]
    shown = {divmod(cell, P): text for cell, text in zip(cells.customdata, cells.text, strict=True)}
    assert [pair for pair, text in shown.items() if "set by your knowledge" in text and 0 in pair] == [
        (0, 5),
        (5, 0),
    ]


@pytest.mark.deep
def test_hostile_names_are_no_markup():
    """Names are escaped in the chart, the bar and the heat map."""
    p = len(HOSTILE)
    data = sample(random_discrete_network(random_dag(p, 2.5, 1), 2, 1, 0.4), 400, 1)
    result = dataclasses.replace(learn("path", data), names=HOSTILE)
    steps = solution_steps(result, BoundKnowledge.none(p))
    figures = [
        path_figure(result, steps, kind_of(result).special_part(Solutions, result), None, None)[0],
        phi_heat_map(result, range(p), range(p))[0],
    ]
    figures += [survival_bar(result, x, y, None)[0] for x, y in combinations(range(p), 2)]
    for figure in figures:
        inert(figure)


@pytest.mark.parametrize(("case", "chosen"), [("path", "0.0033"), ("phgs", "0.0072")], ids=["path", "phgs"])
def test_callout_names_the_levels_and_the_choice(case, chosen):
    """The callout is the first of at most three and agrees with the run."""
    text = callouts(learnt(case))
    assert 1 <= len(text) <= 3
    assert f"{len(path_of(learnt(case)).path.graphs)} values of alpha" in text[0]
    assert f"alpha = {chosen} has the best BDeu with edge penalty" in text[0]
    assert ("the search begins there" in text[0]) == (case == "phgs")


@pytest.mark.parametrize(
    ("settings", "name"),
    [({"score": "bic"}, "BIC"), ({"edge_penalty": 0.0}, "BDeu"), ({"edge_penalty": 2.0}, "BDeu with edge penalty")],
)
def test_the_score_is_called_what_it_is(settings, name):
    """The name is that of the chosen score, and mentions the edge penalty if there is one."""
    assert score_name(learn("path", dataset(), **settings)) == name


def test_other_runs_have_no_path():
    """Runs of other learners show no view of the path."""
    assert kind_of(cancelled()).special_part(Solutions, cancelled()) is None
    assert Solutions not in kind_of(learn("ppc", dataset())).special
