"""Pure functions of the graph component, run in Node as ES modules."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from learners.graphs.graph import PDAG, markov_blanket
from tests.javascript import MODULES
from viz.text import one_line, short_names


@pytest.mark.parametrize("module", sorted(path.stem for path in MODULES.glob("*.js")))
def test_every_module_can_be_imported(run, module):
    assert run(module, "Object.keys(m).length > 0")


# ------------------------------------------------------------------ geometry


@pytest.mark.parametrize(
    ("to", "at"),
    [([100, 0], [20, 0]), ([-100, 0], [-20, 0]), ([0, 100], [0, 10]), ([0, -7], [0, -10])],
)
def test_border_point_of_a_pill(run, to, at):
    assert run("geometry", f"m.border({{px: 0, py: 0, w: 40, h: 20}}, {to})") == pytest.approx(at)


def test_border_of_a_dot_is_its_circle(run):
    x, y = run("geometry", "m.border({px: 5, py: 5, w: 20, h: 20}, [35, 45])")
    assert (x, y) == pytest.approx((5 + 6, 5 + 8))


def test_route_without_obstacles_is_straight(run):
    """The label is in the middle between the borders."""
    nodes = "[{px: 0, py: 0, w: 20, h: 20}, {px: 100, py: 0, w: 20, h: 20}, {px: 50, py: 90, w: 20, h: 20}]"
    found = run("routing", f"(([a, b, c]) => m.routeAround(a, b, [a, b, c]))({nodes})")
    assert found["bends"] == []
    assert found["from"] == [10, 0]
    assert found["to"] == [90, 0]
    assert found["mid"] == [50, 0]


@pytest.mark.parametrize(("y", "side"), [(2, -1), (-2, 1)])
def test_route_bends_around_an_obstacle(run, y, side):
    """The route passes on the nearer side, with enough distance."""
    nodes = f"[{{px: 0, py: 0, w: 20, h: 20}}, {{px: 100, py: 0, w: 20, h: 20}}, {{px: 50, py: {y}, w: 20, h: 20}}]"
    found = run("routing", f"(([a, b, c]) => m.routeAround(a, b, [a, b, c]))({nodes})")
    assert side * found["mid"][1] > 0
    assert abs(found["mid"][1] - y) >= 10


def test_push_apart_removes_all_overlaps(run):
    nodes = "[{px: 0, py: 0, w: 60, h: 20}, {px: 5, py: 1, w: 60, h: 20}, {px: 9, py: 9, w: 60, h: 20}]"
    placed = run("geometry", f"((nodes) => (m.pushApart(nodes), nodes))({nodes})")
    for k, a in enumerate(placed):
        for b in placed[:k]:
            assert abs(a["px"] - b["px"]) >= 60 or abs(a["py"] - b["py"]) >= 20


def test_hull_is_convex_and_contains_the_boxes(run):
    nodes = "[0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => ({px: 50 * i, py: 50 * j, w: 10, h: 10})))"
    assert sorted(run("geometry", f"m.hullOf({nodes})")) == [[-14, -14], [-14, 114], [114, -14], [114, 114]]
    assert run("geometry", "m.hullOf([])") == []


def test_world_is_wide_enough_for_a_row_of_labels(run):
    """Labels that would touch widen the world, up to a limit."""
    row = "(room) => [0, 1, 2, 3, 4, 5].map((k) => ({x: k / 5, y: 0, h: 20, room}))"
    width = f"(room) => m.usualSize(({row})(room), true, {{clientWidth: 400, clientHeight: 300}})[0]"
    assert run("world", f"({width})(20)") == 400
    assert 400 < run("world", f"({width})(100)") <= 2.2 * 400


def test_a_box_covers_the_least(run):
    """Of spots that cover equally much, the first one counts; a point on the border is not covered."""
    spots, points = "[[0, 0], [10, 0], [20, 0], [30, 0]]", "[[1, 1, 3], [12, 2, 1], [13, 2, 1], [20, 3, 9]]"
    assert run("geometry", f"m.clearestSpot({spots}, [5, 5], {points})") == [20, 0]
    assert run("geometry", f"m.clearestSpot({spots}.slice(0, 2), [5, 5], {points})") == [10, 0]
    assert run("geometry", f"m.clearestSpot({spots}, [5, 5], [])") == [0, 0]


@pytest.mark.parametrize(
    ("lines", "spot"),
    [
        ("[]", [0, 11.75]),
        ("[[[-30, 12], [30, 12]]]", [0, -11.75]),
        ("[[[-30, 12], [30, 12]], [[-30, -12], [30, -12]]]", [28, 0]),
        ("[[[-30, 12], [30, 12]], [[-30, -12], [30, -12]], [[9, -40], [9, 40]]]", [-28, 0]),
        ("[[[-60, 12], [60, 12]], [[-60, -12], [60, -12]], [[-60, 0], [60, 0]]]", None),
    ],
    ids=["free", "edge below", "edges below and above", "edge on the right", "edges everywhere"],
)
def test_name_of_a_dot_covers_no_edge(run, lines, spot):
    """A name lies below its dot, above or beside it, and is hidden if an edge passes through each of these places."""
    nodes = "[{px: 0, py: 0, w: 10, h: 10, room: 40}]"
    room = "{letters: 10, scale: 1, gap: 3, view: [-100, -100, 100, 100]}"
    found = run("labels", f"m.clearSpots({nodes}, {lines}, {room})")[0]
    assert found == (spot and pytest.approx(spot))


def test_names_of_dots_cover_no_other_dot_and_no_other_name(run):
    nodes = "[[0, 0], [30, 0], [0, 14], [15, 60]].map(([px, py]) => ({px, py, w: 10, h: 10, room: 26}))"
    room = "{letters: 8, scale: 1, gap: 1, view: [-100, -100, 100, 100]}"
    spots = run("labels", f"m.clearSpots({nodes}, [], {room})")
    at = [(0, 0), (30, 0), (0, 14), (15, 60)]
    boxes = [
        (x + s[0] - 13, y + s[1] - 5.4, x + s[0] + 13, y + s[1] + 5.4) for (x, y), s in zip(at, spots, strict=True)
    ]
    dots = [(x - 5, y - 5, x + 5, y + 5) for x, y in at]
    for k, (left, top, right, low) in enumerate(boxes):
        for other in [*boxes[:k], *dots[:k], *dots[k + 1 :]]:
            assert right <= other[0] or other[2] <= left or low <= other[1] or other[3] <= top


@pytest.mark.parametrize(
    ("heads", "corner"),
    [("[]", [-20, -11]), ("[[-14, -10]]", [20, -11]), ("[[0, -10]]", [-20, 11]), ("[[-20, -4], [20, -4]]", [-20, 11])],
)
def test_a_badge_hides_no_arrowhead(run, heads, corner):
    """The badge is at the top left if possible; if all corners are near arrowheads, at the farthest one."""
    assert run("geometry", f"m.freeCorner({{w: 40, h: 20}}, 10, {heads})") == corner


def test_distance_to_a_curved_line(run):
    path = "{points: [[0, 0], [50, 20], [100, 0]]}"
    assert run("routing", f"m.distanceTo({path}, 50, 20)") == pytest.approx(0, abs=1e-9)
    assert run("routing", f"m.distanceTo({path}, 50, 0)") > 15


# ------------------------------------------------------------------ steps


@pytest.mark.parametrize(
    ("step", "mark", "leaves"),
    [(0, "", None), (2, "undirected", False), (4, "undirected", True), (5, "ghost", None), (19, "forward", False)],
)
def test_state_of_an_edge_at_a_step(run, step, mark, leaves):
    """The cases are: absent, present, about to be removed, just removed, and present again as an arrow."""
    edge = "{spans: [[2, 5, 'undirected'], [18, 30, 'forward']]}"
    state = run("spans", f"m.stateAt({edge}, {step}, 29)")
    assert state["mark"] == mark
    assert state.get("leaves") == leaves
    assert state.get("away", False) == (leaves is None)


def test_a_ghost_lasts_ten_steps_and_the_last_step_has_none(run):
    edge = "{spans: [[0, 5, 'undirected']]}"
    assert run("spans", f"[14, 15].map((k) => m.stateAt({edge}, k, 29).mark)") == ["ghost", ""]
    assert run("spans", f"m.stateAt({edge}, 9, 9).mark") == ""
    assert run("spans", "m.stateAt({spans: [], forbidden: true}, 3, 9).mark") == "forbidden"


def test_an_edge_points_at_a_node_at_some_step(run):
    edge = "{na: 'a', nb: 'b', spans: [[0, 3, 'undirected'], [3, 9, 'backward']]}"
    assert run("spans", f"['a', 'b'].map((node) => m.pointsAt({edge}, node))") == [True, False]


def test_pair_key_ignores_the_order(run):
    assert run("spans", "m.pairKey('b', 'a') === m.pairKey('a', 'b') && m.pairKey(10, 9) === m.pairKey(9, 10)")


def test_upper_equals_bisect_right(run):
    assert run("spans", "[-1, 1, 2, 9].map((v) => m.upper([1, 1, 2, 5], v))") == [0, 2, 3, 4]


# ------------------------------------------------------------------ scale and numbers


@pytest.mark.parametrize(
    "series",
    ["{values: [3, 9, 5]}", "{values: [1, 10, 1000], log: true}", "{values: [0.2, 0.6, 0.999], probability: true}",
     "{values: [-300, -2, -0.01], log_p: true}"],
)  # fmt: skip
def test_scale_is_increasing_and_invertible(run, series):
    """Values stay inside the margins, and `back` inverts `at`."""
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


def test_marks_of_the_scale_do_not_overlap(run):
    """Marks keep their distance, and 0.5 is the first mark of a scale of probabilities."""
    at = run("scale", "((s) => s.marks.map(s.at))(m.scaleOf({values: [1e-9, 1 - 1e-9], probability: true}))")
    assert all(abs(a - b) > 0.17 for k, a in enumerate(at) for b in at[:k])
    assert run("scale", "m.scaleOf({values: [0.3], probability: true}).marks[0]") == 0.5


def test_curve_breaks_at_gaps(run):
    """A value between gaps is a dot; a curve of probabilities continues across gaps."""
    path = "(s) => m.curveOf(s, {at: () => 0.5})"
    assert run("scale", f"({path})({{values: [1, 2, null, 4]}})") == "M0 0.5000L1 0.5000M3 0.5000h0"
    assert run("scale", f"({path})({{values: [0.1, null, 0.4], probability: true}})") == "M0 0.5000L2 0.5000"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("m.number(12345)", "12,345"), ("m.number(0.12345)", "0.123"), ("m.number(0.0001234)", "0.000123"),
        ("m.number(-20512.34)", "\u221220,512.3"), ("m.probability(0.25)", "0.25"), ("m.probability(1)", "1"),
        ("m.probability(0.99999)", "1\u00a0−\u00a01.00e-5"), ("m.formatValue({log_p: true}, -2)", "0.01"),
        ("m.formatValue({log_p: true}, -300.5)", "3.16e-301"), ("m.formatValue({log_p: true}, -9.000001)", "1.00e-9"),
        ("m.formatValue({log_p: true}, -3)", "0.001"), ("m.formatValue({}, 1.5)", "1.5"),
        ("m.formatValue({decimals: 3}, -24.0171)", "\u221224.017"),
        ("m.shorten('abcdef', 4)", "ab…f"),
        ("m.shorten('🙂🙂', 2)", "🙂🙂"), (r"m.clean('a\u0000b\u2028c')", "a b c"),
        ("m.rounded(0.99995671)", 0.9999567),
        ("m.awareness('x', 'y', [true, false])", "x aware of y"),
    ],
)  # fmt: skip
def test_values_as_text(run, call, text):
    """Values have three digits; a probability near 1 is shown by its distance to 1, a tiny value by a power of ten."""
    assert run("numbers", call) == text


# ------------------------------------------------------------------ the threshold


def test_threshold_selects_the_step_before_the_first_value_beyond_it(run):
    """A step is found for rising and falling values and is at most the last one."""
    rising = "m.stepAtThreshold({first: 0, last: 3}, [1, 2, 3, 4], 2.5)"
    falling = "m.stepAtThreshold({first: 0, last: 3, falling: true}, [4, 3, 2, 1], 2.5)"
    assert run("threshold", rising) == 1
    assert run("threshold", falling) == 1
    assert run("threshold", "m.stepAtThreshold({first: 1, last: 3}, [9, 9, 3, 4], 100)") == 3


def test_threshold_stays_where_the_user_left_it(run):
    """A line without a position of its own follows the slider, or keeps its initial value."""
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


def test_ends_of_the_curve_are_the_limits_of_the_threshold(run):
    """Positions at the ends of the curve give the limits of the line; values in between are rounded as displayed."""
    line, series = "{low: 0, high: 1}", "{values: [0.01, 0.5, 0.99], probability: true}"
    assert run("threshold", f"[0, 0.08, 0.92, 1].map((y) => m.valueAt(y, {line}, {series}))") == [1, 1, 0, 0]
    assert run("threshold", f"m.valueAt(0.5, {line}, {series})") == 0.5


# ------------------------------------------------------------------ what if

EDGE = "{spans: [[0, 2, 'undirected'], [2, 4, 'forward'], [5, 6, 'forward']]}"


@pytest.mark.parametrize(
    ("step", "base", "expected"),
    [
        (0, 1, {"mark": "undirected", "change": ""}),
        (2, 1, {"mark": "forward", "change": "reversed", "kind": "directed"}),
        (1, 2, {"mark": "undirected", "change": "reversed", "kind": "opened"}),
        (5, 4, {"mark": "forward", "change": "added"}),
        (4, 0, {"mark": "undirected", "away": True, "change": "removed"}),
        (4, 4, {"mark": "", "away": True, "change": ""}),
    ],
)
def test_an_edge_is_compared_with_a_reference_step(run, step, base, expected):
    assert run("what_if", f"m.compareSteps({EDGE}, {step}, {base})") == expected


def test_edges_of_a_left_out_variable_are_no_difference(run):
    edge, others = "{a: 0, b: 1, spans: [[0, 1, 'forward']]}", "{left_out: [-1, 1, 2]}"
    assert run("what_if", f"m.compareSteps({edge}, 1, 0, false, {others})") == {"mark": "", "away": True, "change": ""}
    assert run("what_if", f"m.compareSteps({edge}, 2, 0, false, {others})")["change"] == "removed"
    assert run("what_if", f"m.compareSteps({edge}, 0, 1, false, {others})") == {"mark": "forward", "change": ""}


def test_a_missing_value_shows_the_reference(run):
    assert run("what_if", f"m.compareSteps({EDGE}, 5, 0, true)") == {
        "mark": "undirected",
        "away": True,
        "change": "pending",
    }


def test_an_arrow_that_turns_round_is_reversed(run):
    edge = "{spans: [[0, 1, 'forward'], [1, 2, 'backward']]}"
    assert run("what_if", f"m.compareSteps({edge}, 1, 0)") == {
        "mark": "backward",
        "change": "reversed",
        "kind": "reversed",
    }


@pytest.mark.parametrize(
    ("numbers", "words"),
    [("{added: 0}", "no change"), ("{added: 1, reversed: 1}", "1 edge added, 1 reversed"),
     ("{added: 3, removed: 2}", "3 edges added, 2 removed"), ("{reversed: 1}", "1 edge reversed"),
     ("{directed: 6, reversed: 3, opened: 1}", "3 edges reversed, 6 newly directed, 1 no longer directed")],
)  # fmt: skip
def test_changes_as_text(run, numbers, words):
    assert run("what_if", f"m.describeChanges({numbers})") == words


# ------------------------------------------------------------------ presenting


def test_keys_of_the_presenter_view(run):
    keys = '[" ", "ArrowRight", "ArrowLeft", "PageDown", "PageUp", "Escape", "x", "toString"]'
    asked = run("presenter", f"{keys}.map(m.remoteKey)")
    assert asked == [{"step": 1}, {"step": 1}, {"step": -1}, {"slide": 1}, {"slide": -1}, {"leave": True}, None, None]


def test_notes_belong_to_the_presentation_that_opened_them(run):
    """A presentation passes its id to its notes; notes without an id follow any presentation."""
    kept = "const kept = {}, own = m.presentationOf('1', kept, ''), other = m.presentationOf('1', {}, '');"
    notes = "m.presentationOf('notes', { ...kept }, own), m.presentationOf('notes', {}, 'edited')"
    found = run("presenter", f"(() => {{ {kept} return [own, m.presentationOf('1', kept, ''), other, {notes}]; }})()")
    own, again, other, of_notes, of_anybody = found
    assert own == again == of_notes != other
    assert of_anybody == ""


def test_edges_that_appear_disappear_or_turn_are_highlighted(run):
    edge = '{ spans: [[0, 3, "undirected"], [3, 5, "forward"]] }'
    assert run("presenter", f"[0, 1, 3, 5].map((step) => m.changesAt({edge}, step))") == [False, False, True, True]
    assert run("presenter", "m.elapsed(605)") == "10:05"


# ------------------------------------------------------------------ neighbourhoods


def test_lines_break_between_words_and_inside_long_ones(run: Callable[[str, str], object]) -> None:
    assert run("export", "m.wrapped('to be or not to be', (t) => t.length <= 6)") == ["to be", "or not", "to be"]
    assert run("export", "m.wrapped('a abcdefgh i', (t) => t.length <= 3)") == ["a", "abc", "def", "gh", "i"]


def random_pdag(rng: np.random.Generator) -> PDAG:
    """Return a graph with random marks; it may have cycles."""
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


def test_markov_blanket_equals_that_of_the_library(run: Callable[[str, str], object]) -> None:
    """On 200 random PDAGs, the blanket has the same variables, each with its role."""
    rng = np.random.default_rng(5)
    graphs = [random_pdag(rng) for _ in range(200)]
    given = [{"p": g.p, "edges": [[i, j, g.mark(min(i, j), max(i, j))] for i, j in
             ((min(e), max(e)) for e in g.edges())]} for g in graphs]  # fmt: skip
    for graph, shown in zip(graphs, run("blanket", f"({BLANKETS})({given!r})"), strict=True):
        for node, found in enumerate(shown):
            roles = dict(map(tuple, found))
            assert tuple(sorted(roles)) == markov_blanket(graph, node)
            for role, members in (("parent", graph.parents), ("child", graph.children), ("open", graph.neighbors)):
                assert tuple(sorted(k for k, r in roles.items() if r == role)) == members(node)


TOPICS = ["food", "bed", "staff", "noise", "light"]
QUESTIONS = [
    *(f"Q1_{k}. The {what} in this ward was fine?" for k, what in enumerate(TOPICS, 8)),
    *(f"treatment_arm_in_the_{which}_phase" for which in ("first", "second")),
    "age",
    "Q2. Something else that is long enough",
    "x" * 40 + "a",
    "x" * 40 + "b",
    ("\U0001f642 emoji " * 9).strip(),
    ("long " * 40).strip(),
    "",
]


@pytest.mark.parametrize("longest", [8, 11, 14, 20])
def test_names_that_begin_alike_show_what_differs(run, longest):
    """Shortened labels keep the words that differ, and are the same on screen and in print."""
    labels = run("numbers", f"m.shortNames({json.dumps(QUESTIONS)}.map(m.clean), {longest})")
    assert labels == short_names(QUESTIONS, longest)
    assert max(map(len, labels)) <= longest
    if longest >= 14:
        for label, what in zip(labels, TOPICS, strict=False):
            assert what in label
        assert ("first" in labels[5], "second" in labels[6]) == (True, True)
        assert len(set(labels)) == len(labels)


SYMPTOMS = ["palpitations", "oedema", "dyspnoea", "chest pain", "fatigue"]
FAMILIES = {
    "common end": [f"{what} (Symptoms (tick all that apply))" for what in SYMPTOMS],
    "common ends, one word": [f"expressionOfENSG00000{k}inTissueSample" for k in range(14150, 14156)],
    "dots": [f"systolic.blood.pressure.{arm}.arm.mean.of.visits" for arm in ("left", "right")],
    "inside": [f"{'a' * 30}{k}{'b' * 30}" for k in (1, 2, 30)],
    "one within another": ["a long name that ends here", "a long name that ends here too", "a long name that ends"],
    "emoji": [f"\U0001f642\U0001f642 how did you feel on day {k} of the whole trip?" for k in range(9)],
    "right to left": [f"שאלה ארוכה מאוד על הטיפול במחלקה {k} שלנו" for k in range(4)],
}


@pytest.mark.parametrize("longest", [12, 16, 22])
@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_long_names_look_the_same(run, family, longest):
    """Different names of a family have different labels, on screen and in print."""
    names = [*FAMILIES[family], "age"]
    labels = short_names(names, longest)
    assert run("numbers", f"m.shortNames({json.dumps(names)}.map(m.clean), {longest})") == labels
    assert len(set(labels)) == len(labels)
    assert max(map(len, labels)) <= longest
    if family == "common end" and longest > len("palpitations"):
        assert all(what in label for what, label in zip(SYMPTOMS, labels, strict=False))


@pytest.mark.parametrize(
    ("top", "width", "still", "height"),
    [
        (150, 980, False, 640),
        (430, 980, False, 780),
        (397, 506, False, 780),
        (343, 520, False, 447),  # German at 800 pixels: three lines of buttons stand above the graph
        (397, 506, True, 393),
        (620, 506, True, 780),
    ],
)
def test_a_graph_fills_the_first_screen_where_that_is_high_enough(run, top, width, still, height):
    """The graph fills the window below its top edge if that part is high enough, else a whole window of 800 pixels."""
    assert run("sizing", f"m.heightFor({top}, 800, {width}, {json.dumps(still)})") == height


def test_names_are_cleaned_as_in_the_library(run):
    """The picture and all texts replace the same characters; two more may not be in XML."""
    cleaned = run(
        "numbers", "Array.from({length: 65536}, (_, k) => k).filter((k) => m.clean(String.fromCharCode(k)) === ' ')"
    )
    assert {*cleaned} - {0xFFFE, 0xFFFF} == {k for k in range(65536) if one_line(f"a{chr(k)}b") == "a b"}
    assert run("numbers", r"m.clean('pay \u202eyad')") == "pay  yad"
