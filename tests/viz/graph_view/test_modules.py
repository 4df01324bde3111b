"""The picture's pure functions, run in Node as the ES modules that they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from learners.graphs.graph import PDAG, markov_blanket
from tests.javascript import MODULES


@pytest.mark.parametrize("module", sorted(path.stem for path in MODULES.glob("*.js")))
def test_every_module_stands_alone(run, module):
    """Its imports lead somewhere, and each name is there."""
    assert run(module, "Object.keys(m).length > 0")


# ------------------------------------------------------------------ geometry


@pytest.mark.parametrize(
    ("to", "at"),
    [([100, 0], [20, 0]), ([-100, 0], [-20, 0]), ([0, 100], [0, 10]), ([0, -7], [0, -10])],
)
def test_border_of_a_pill_lies_on_the_way(run, to, at):
    """Straight out of the round ends, straight up and down from the middle."""
    assert run("geometry", f"m.border({{px: 0, py: 0, w: 40, h: 20}}, {to})") == pytest.approx(at)


def test_border_of_a_dot_is_its_circle(run):
    """Also aslant."""
    x, y = run("geometry", "m.border({px: 5, py: 5, w: 20, h: 20}, [35, 45])")
    assert (x, y) == pytest.approx((5 + 6, 5 + 8))


def test_route_is_straight_where_nothing_is_in_the_way(run):
    """And the label stands in the middle between the borders."""
    nodes = "[{px: 0, py: 0, w: 20, h: 20}, {px: 100, py: 0, w: 20, h: 20}, {px: 50, py: 90, w: 20, h: 20}]"
    found = run("geometry", f"(([a, b, c]) => m.route(a, b, [a, b, c]))({nodes})")
    assert found["bow"] == 0
    assert found["from"] == [10, 0]
    assert found["to"] == [90, 0]
    assert found["mid"] == [50, 0]


@pytest.mark.parametrize(("y", "side"), [(2, -1), (-2, 1)])
def test_route_bows_away_from_a_node_in_the_way(run, y, side):
    """Round the nearer side, far enough."""
    nodes = f"[{{px: 0, py: 0, w: 20, h: 20}}, {{px: 100, py: 0, w: 20, h: 20}}, {{px: 50, py: {y}, w: 20, h: 20}}]"
    found = run("geometry", f"(([a, b, c]) => m.route(a, b, [a, b, c]))({nodes})")
    assert side * found["mid"][1] > 0
    assert abs(found["mid"][1] - y) >= 10


def test_push_apart_leaves_no_overlap(run):
    """Three labels on nearly one spot."""
    nodes = "[{px: 0, py: 0, w: 60, h: 20}, {px: 5, py: 1, w: 60, h: 20}, {px: 9, py: 9, w: 60, h: 20}]"
    placed = run("geometry", f"((nodes) => (m.pushApart(nodes), nodes))({nodes})")
    for k, a in enumerate(placed):
        for b in placed[:k]:
            assert abs(a["px"] - b["px"]) >= 60 or abs(a["py"] - b["py"]) >= 20


def test_hull_is_convex_and_holds_the_boxes(run):
    """Nine nodes on a grid: four corners, with room to spare."""
    nodes = "[0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => ({px: 50 * i, py: 50 * j, w: 10, h: 10})))"
    assert sorted(run("geometry", f"m.hullOf({nodes})")) == [[-14, -14], [-14, 114], [114, -14], [114, 114]]
    assert run("geometry", "m.hullOf([])") == []


def test_world_is_wide_enough_for_a_row_of_labels(run):
    """Labels that would touch make it wider, up to a limit; a few nodes alone do not."""
    row = "(room) => [0, 1, 2, 3, 4, 5].map((k) => ({x: k / 5, y: 0, h: 20, room}))"
    width = f"(room) => m.usualSize(({row})(room), true, {{clientWidth: 400, clientHeight: 300}})[0]"
    assert run("world", f"({width})(20)") == 400
    assert 400 < run("world", f"({width})(100)") <= 2.2 * 400


@pytest.mark.parametrize(
    ("heads", "corner"),
    [("[]", [-20, -11]), ("[[-14, -10]]", [20, -11]), ("[[0, -10]]", [-20, 11]), ("[[-20, -4], [20, -4]]", [-20, 11])],
)
def test_a_badge_stands_where_it_hides_no_arrowhead(run, heads, corner):
    """Left above where it can; of corners that are all near a head the one farthest from them."""
    assert run("geometry", f"m.freeCorner({{w: 40, h: 20}}, 10, {heads})") == corner


def test_distance_to_a_bowed_line(run):
    """Nearest at its middle, which lies halfway to the bend."""
    path = "{from: [0, 0], to: [100, 0], bend: [50, 40]}"
    assert run("geometry", f"m.distanceTo({path}, 50, 20)") == pytest.approx(0, abs=1e-9)
    assert run("geometry", f"m.distanceTo({path}, 50, 0)") > 15


# ------------------------------------------------------------------ steps


@pytest.mark.parametrize(
    ("step", "mark", "leaves"),
    [(0, "", None), (2, "undirected", False), (4, "undirected", True), (5, "ghost", None), (19, "forward", False)],
)
def test_state_of_an_edge_at_a_step(run, step, mark, leaves):
    """Not yet there, there, about to go, just gone, back with an arrow."""
    edge = "{spans: [[2, 5, 'undirected'], [18, 30, 'forward']]}"
    state = run("spans", f"m.stateAt({edge}, {step}, 29)")
    assert state["mark"] == mark
    assert state.get("leaves") == leaves
    assert state.get("away", False) == (leaves is None)


def test_a_ghost_fades_and_the_last_step_has_none(run):
    """Ten steps long; the finished graph shows what is in it."""
    edge = "{spans: [[0, 5, 'undirected']]}"
    assert run("spans", f"[14, 15].map((k) => m.stateAt({edge}, k, 29).mark)") == ["ghost", ""]
    assert run("spans", f"m.stateAt({edge}, 9, 9).mark") == ""
    assert run("spans", "m.stateAt({spans: [], forbidden: true}, 3, 9).mark") == "forbidden"


def test_an_edge_points_at_a_node_at_some_step(run):
    edge = "{na: 'a', nb: 'b', spans: [[0, 3, 'undirected'], [3, 9, 'backward']]}"
    assert run("spans", f"['a', 'b'].map((node) => m.pointsAt({edge}, node))") == [True, False]


def test_pair_key_does_not_mind_the_order(run):
    """Of names and of numbers."""
    assert run("spans", "m.pairKey('b', 'a') === m.pairKey('a', 'b') && m.pairKey(10, 9) === m.pairKey(9, 10)")


def test_upper_is_the_first_place_above(run):
    """As bisect_right."""
    assert run("spans", "[-1, 1, 2, 9].map((v) => m.upper([1, 1, 2, 5], v))") == [0, 2, 3, 4]


# ------------------------------------------------------------------ scale and numbers


@pytest.mark.parametrize(
    "series",
    ["{values: [3, 9, 5]}", "{values: [1, 10, 1000], log: true}", "{values: [0.2, 0.6, 0.999], probability: true}",
     "{values: [-300, -2, -0.01], log_p: true}"],
)  # fmt: skip
def test_scale_goes_back_where_it_came_from(run, series):
    """Larger is higher, the ends keep clear of the edge, `back` undoes `at` where values are told apart."""
    places = run("scale", f"((s) => s.values.map(m.scaleOf(s).at))({series})")
    values = run("scale", f"({series}).values")
    assert sorted(zip(values, places, strict=True), reverse=True) == sorted(
        zip(values, places, strict=True), key=lambda pair: pair[1]
    )
    assert min(places) >= 0.08 - 1e-9
    assert max(places) <= 0.92 + 1e-9
    if "log: true" not in series:
        again = run("scale", f"((s) => s.values.map((v) => m.scaleOf(s).back(m.scaleOf(s).at(v))))({series})")
        assert again == pytest.approx(values)


def test_marks_of_the_scale_stand_clear_of_each_other(run):
    """The middle of the probabilities first."""
    at = run("scale", "((s) => s.marks.map(s.at))(m.scaleOf({values: [1e-9, 1 - 1e-9], probability: true}))")
    assert all(abs(a - b) > 0.17 for k, a in enumerate(at) for b in at[:k])
    assert run("scale", "m.scaleOf({values: [0.3], probability: true}).marks[0]") == 0.5


def test_curve_breaks_at_gaps(run):
    """A lone value is a dot; between two probabilities the curve goes on."""
    path = "(s) => m.curveOf(s, {at: () => 0.5})"
    assert run("scale", f"({path})({{values: [1, 2, null, 4]}})") == "M0 0.5000L1 0.5000M3 0.5000h0"
    assert run("scale", f"({path})({{values: [0.1, null, 0.4], probability: true}})") == "M0 0.5000L2 0.5000"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("m.number(12345)", "12,345"), ("m.number(0.12345)", "0.1235"), ("m.number(0.0001234)", "1.23e-4"),
        ("m.number(-20512.34)", "-20,512.3"), ("m.probability(0.25)", "0.25"), ("m.probability(1)", "1"),
        ("m.probability(0.99999)", "1\u00a0−\u00a01e-5"), ("m.formatValue({log_p: true}, -2)", "0.01"),
        ("m.formatValue({log_p: true}, -300.5)", "3.2e-301"), ("m.formatValue({log_p: true}, -9.000001)", "1e-9"),
        ("m.formatValue({log_p: true}, -3)", "0.001"), ("m.formatValue({}, 1.5)", "1.5"),
        ("m.shorten('abcdef', 4)", "ab…f"),
        ("m.shorten('🙂🙂', 2)", "🙂🙂"), (r"m.clean('a\u0000b\u2028c')", "a b c"),
        ("m.rounded(0.99995671)", 0.9999567),
        ("m.awareness('x', 'y', [true, false])", "x aware of y"),
    ],
)  # fmt: skip
def test_values_as_text(run, call, text):
    """Three digits of what a value is, or of what it lacks to 1; powers of ten where a number has no room."""
    assert run("numbers", call) == text


# ------------------------------------------------------------------ the threshold


def test_line_stops_before_the_first_value_beyond_it(run):
    """Rising and falling, and at the latest at the last step."""
    rising = "m.stepAtThreshold({first: 0, last: 3}, [1, 2, 3, 4], 2.5)"
    falling = "m.stepAtThreshold({first: 0, last: 3, falling: true}, [4, 3, 2, 1], 2.5)"
    assert run("threshold", rising) == 1
    assert run("threshold", falling) == 1
    assert run("threshold", "m.stepAtThreshold({first: 1, last: 3}, [9, 9, 3, 4], 100)") == 3


def test_line_lies_where_the_user_left_it(run):
    """Else at the step's next value if it follows, else where it belongs."""
    steps = (
        "{choice: 3, series: [{values: [1, 2, 3, 4]}], threshold: {series: 0, first: 0, value: 7, low: 0, high: 9%s}}"
    )
    still, following, falling = (steps % more for more in ("", ", follows: true", ", follows: true, falling: true"))
    assert run("threshold", f"m.lineValue({still}, 1, 5)") == 5
    assert run("threshold", f"m.lineValue({still}, 1, null)") == 7
    assert run("threshold", f"m.lineValue({following}, 1, null)") == 3
    assert run("threshold", f"m.lineValue({following}, 3, null)") == 7
    assert run("threshold", f"m.lineValue({falling}, 0, null)") == 9
    assert run("threshold", "m.lineValue({}, 0, null)") is None


def test_ends_of_the_curve_are_the_ends_of_the_line(run):
    """Between them the value is rounded as it is told."""
    line, series = "{low: 0, high: 1}", "{values: [0.01, 0.5, 0.99], probability: true}"
    assert run("threshold", f"[0, 0.08, 0.92, 1].map((y) => m.valueAt(y, {line}, {series}))") == [1, 1, 0, 0]
    assert run("threshold", f"m.valueAt(0.5, {line}, {series})") == 0.5


# ------------------------------------------------------------------ what if

EDGE = "{spans: [[0, 2, 'undirected'], [2, 4, 'forward'], [5, 6, 'forward']]}"


@pytest.mark.parametrize(
    ("step", "base", "expected"),
    [
        (0, 1, {"mark": "undirected", "change": ""}),
        (2, 1, {"mark": "forward", "change": "reversed"}),
        (5, 4, {"mark": "forward", "change": "added"}),
        (4, 0, {"mark": "undirected", "away": True, "change": "removed"}),
        (4, 4, {"mark": "", "away": True, "change": ""}),
    ],
)
def test_an_edge_is_held_against_that_of_another_step(run, step, base, expected):
    assert run("what_if", f"m.compareSteps({EDGE}, {step}, {base})") == expected


def test_a_value_that_is_missing_shows_the_one_held(run):
    assert run("what_if", f"m.compareSteps({EDGE}, 5, 0, true)") == {
        "mark": "undirected",
        "away": True,
        "change": "pending",
    }


@pytest.mark.parametrize(
    ("added", "removed", "turned", "words"),
    [(0, 0, 0, "no change"), (1, 0, 1, "1 edge added, 1 reversed"), (3, 2, 0, "3 edges added, 2 removed"),
     (0, 0, 1, "1 edge reversed")],
)  # fmt: skip
def test_what_changed_is_one_sentence(run, added, removed, turned, words):
    assert run("what_if", f"m.describeChanges({{added: {added}, removed: {removed}, reversed: {turned}}})") == words


# ------------------------------------------------------------------ presenting


def test_keys_of_a_remote_step_turn_and_leave(run):
    """And nothing else does."""
    keys = '[" ", "ArrowRight", "ArrowLeft", "PageDown", "PageUp", "Escape", "x", "toString"]'
    asked = run("presenter", f"{keys}.map(m.remoteKey)")
    assert asked == [{"step": 1}, {"step": 1}, {"step": -1}, {"slide": 1}, {"slide": -1}, {"leave": True}, None, None]


def test_notes_belong_to_the_presentation_that_opened_them(run):
    """A presentation keeps its name, and gives it to its notes; notes without one follow whoever presents."""
    kept = "const kept = {}, own = m.presentationOf('1', kept, ''), other = m.presentationOf('1', {}, '');"
    notes = "m.presentationOf('notes', { ...kept }, own), m.presentationOf('notes', {}, 'edited')"
    found = run("presenter", f"(() => {{ {kept} return [own, m.presentationOf('1', kept, ''), other, {notes}]; }})()")
    own, again, other, of_notes, of_anybody = found
    assert own == again == of_notes != other
    assert of_anybody == ""


def test_the_spotlight_is_on_edges_that_come_go_or_turn(run):
    edge = '{ spans: [[0, 3, "undirected"], [3, 5, "forward"]] }'
    assert run("presenter", f"[0, 1, 3, 5].map((step) => m.changesAt({edge}, step))") == [False, False, True, True]
    assert run("presenter", "m.elapsed(605)") == "10:05"


# ------------------------------------------------------------------ hands


def test_lines_break_between_words_and_within_long_ones(run: Callable[[str, str], object]) -> None:
    """No letter is lost."""
    assert run("export", "m.wrapped('to be or not to be', (t) => t.length <= 6)") == ["to be", "or not", "to be"]
    assert run("export", "m.wrapped('a abcdefgh i', (t) => t.length <= 3)") == ["a", "abc", "def", "gh", "i"]


def random_pdag(rng: np.random.Generator) -> PDAG:
    """Any marks at all, cycles included."""
    p = int(rng.integers(2, 9))
    marks = np.triu(rng.choice(4, size=(p, p), p=[0.5, 0.2, 0.2, 0.1]), 1)
    return PDAG((marks == 1) | (marks == 3) | ((marks == 2) | (marks == 3)).T)


BLANKETS = """(graphs) => graphs.map(({ p, edges }) => {
    const nodes = Array.from({ length: p }, (_, id) => ({ id, edges: [] }));
    for (const [a, b, mark] of edges) {
        const edge = { na: nodes[a], nb: nodes[b], spans: [[0, 1, mark]] };
        nodes[a].edges.push(edge);
        nodes[b].edges.push(edge);
    }
    return nodes.map((node) => [...m.blanketOf(node, 0, 0).roles].map(([other, role]) => [other.id, role]));
})"""


def test_the_blanket_is_that_of_the_library(run: Callable[[str, str], object]) -> None:
    """Two hundred random PDAGs: the same variables, and each in the role that the graph gives it."""
    rng = np.random.default_rng(5)
    graphs = [random_pdag(rng) for _ in range(200)]
    given = [{"p": g.p, "edges": [[i, j, g.mark(min(i, j), max(i, j))] for i, j in
             ((min(e), max(e)) for e in g.edges())]} for g in graphs]  # fmt: skip
    for graph, told in zip(graphs, run("blanket", f"({BLANKETS})({given!r})"), strict=True):
        for node, found in enumerate(told):
            roles = dict(map(tuple, found))
            assert tuple(sorted(roles)) == markov_blanket(graph, node)
            for role, members in (("parent", graph.parents), ("child", graph.children), ("open", graph.neighbors)):
                assert tuple(sorted(k for k, r in roles.items() if r == role)) == members(node)
