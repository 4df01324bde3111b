"""Tests of the address bar: its content, and the page state that an address opens."""

from __future__ import annotations

import re
from types import SimpleNamespace
from urllib.parse import parse_qs

import pytest

from pages.blocks import address, address_problems
from pages.blocks.lessons import lesson_files
from pages.session import words
from pages.session.words import LANGUAGE
from tests.pages.driving import PAGES, ROOT, go, learn_now, open_app, small_table, sound, title, unfold, upload
from viz.kinds import choice_step
from viz.translation.sentences import catalog


def run_of(at):
    """Return the run on screen."""
    return at.session_state["runs"][at.session_state["current"]]


def place(at):
    """Return run, step, view and pair on screen."""
    step = at.session_state["step"]
    view = at.segmented_control(key="inspect_view").value
    return run_of(at).number, step, view, at.session_state["pair"]


def visit(at, **query):
    """Open another address of the same page, as Back or Forward does."""
    at.query_params = dict(query)
    return sound(at.run())


def test_the_address_says_what_is_on_screen():
    """The address is empty at first, then names run, view and pair, and keeps any other parameter."""
    at = go(open_app(utm_source="1"), "inspect")
    assert at.query_params == {"utm_source": "1"}
    at.segmented_control(key="inspect_view").set_value("Table").run()
    unfold(at).selectbox(key="why_x").set_value(0).run()
    sound(at.selectbox(key="why_y").set_value(1).run())
    names = run_of(at).result.names
    assert at.query_params == {"utm_source": "1", "view": "Table", "pair": list(names[:2])}
    at = go(learn_now(at), "inspect")
    assert at.query_params["run"] == "2"


def test_back_and_forward_lead_where_they_led():
    """Addresses lead to another run, an earlier step, another view and pair, and back to the first state."""
    at = go(learn_now(open_app()), "inspect")
    names = run_of(at).result.names
    first = place(at)
    pair = (names[2], names[3])
    visit(at, run="1", step="4", view="Table", pair=list(pair))
    assert place(at) == (1, 4, "Table", pair)
    assert at.query_params == {"run": "1", "step": "4", "view": "Table", "pair": list(pair)}
    visit(at, run="2")
    assert place(at) == (2, choice_step(run_of(at).result), *first[2:])


def test_opening_the_step_of_an_address_leaves_temporary_modes():
    """The step of an address belongs to the run, so opening it leaves the DAGs of the class and parameter values."""
    at = open_app("inspect")
    at.session_state["temporary_mode"] = (1, "class")
    assert "step" not in sound(at.run()).query_params
    visit(at, step="4")
    assert at.session_state["temporary_mode"] is None
    assert at.session_state["step"] == 4


def test_a_bookmark_opens_its_place_in_a_new_session():
    """A new session opens sample, step, view and pair of the run that every session begins with."""
    at = sound(open_app(sample="asia", step="3", pair=["lung", "smoke"]))
    assert run_of(at).source.title.startswith("Asia")
    assert (at.session_state["step"], at.session_state["pair"]) == (3, ("lung", "smoke"))
    assert at.query_params["sample"] == "asia"


ODD = [
    {"run": "99"},
    {"run": "-1", "step": "-5"},
    {"step": "9" * 400},
    {"step": "²"},
    {"step": ["1", "x"], "view": "<script>"},
    {"pair": "Age"},
    {"pair": ["Age", "Age"]},
    {"pair": ["Age", "no such"]},
    {"sample": "../../etc/passwd"},
    {"sample": ["asia", "child", "x"]},
    {"view": ["Table", "Graph"], "run": ["1", "2"]},
]


# Of several values, the first known one counts.
HARMLESS = [{"sample": ["asia", "child", "x"]}, {"view": ["Table", "Graph"], "run": ["1", "2"]}]


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("query", ODD, ids=str)
def test_an_odd_address_breaks_nothing(query):
    """Values that do not exist produce a message and change nothing."""
    at = visit(open_app("inspect"), **query)
    assert run_of(at).number == 1
    assert at.session_state["pair"] is None
    assert bool(warnings(at)) != (query in HARMLESS)


def warnings(at):
    """Return the messages about the address."""
    return [one.value.replace("\\", "") for one in at.warning if one.icon == ":material/link_off:"]


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("page", "query", "words"),
    [
        ("inspect", {"learner": "pcc"}, "no learner 'pcc'. Did you mean pc?"),
        ("inspect", {"learner": "pc", "alpha": "2"}, "must be in (0, 1)"),
        ("inspect", {"learner": "pc", "alhpa": "0.05"}, "Did you mean alpha?"),
        ("inspect", {"lerner": "pc"}, "Did you mean learner?"),
        ("lessons", {"leson": "03-pc-by-hand"}, "Did you mean lesson?"),
        ("inspect", {"learner": "pc", "step": "9999"}, "no step '9999'"),
        ("inspect", {"data": "aisa"}, "no data 'aisa'. Did you mean asia?"),
        ("inspect", {"present": "yes"}, "no presenter mode 'yes'"),
        ("learn", {"learner": "magic"}, "no learner 'magic'"),
        ("lessons", {"lesson": "04-colliders"}, "Did you mean 04-colliders-and-meek?"),
        ("lessons", {"language": "fr"}, "no language 'fr'"),
        ("lessons", {"slide": "x"}, "no slide 'x'"),
        ("lessons", {"slide": "0"}, "no slide '0'"),
        ("inspect", {"quiz": "x"}, "no quiz 'x'"),
        ("inspect", {"alpha": "0.05"}, "parameters but no learner"),
    ],
    ids=str,
)
def test_an_unknown_value_produces_a_message(page, query, words):
    """The message names the value, and is gone on the next page."""
    at = visit(go(open_app(), page), **query)
    assert words in warnings(at)[0]
    assert not warnings(go(at, "data"))


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("page", PAGES)
def test_a_misspelt_name_produces_a_message_on_every_page(page):
    """The message stays until the address changes; names that other programs read or add to links produce none."""
    at = visit(go(open_app(), page), lerner="pc")
    assert "Did you mean learner?" in warnings(at)[0]
    assert "Did you mean learner?" in warnings(sound(at.run()))[0]
    assert not warnings(visit(at, utm_source="mail", fbclid="1", w="", s=""))
    assert "Did you mean learner?" in warnings(visit(at, lerner="pc", language="en"))[0]


@pytest.mark.deep
@pytest.mark.parametrize("page", PAGES)
def test_no_page_ignores_a_part_of_its_address(page):
    """Each unknown value of each part, and each part that the page does not read, produces a message that names it."""
    at = go(open_app(), page)
    known = address.PARTS_OF.get("" if page == "start" else page, ())
    for part in (*sorted(address.PARTS), "alpha", "teach"):
        [first, *_] = warnings(visit(at, **{part: "no such"})) or [""]
        assert "'no such'" in first or f"'{part}'" in first or "no learner" in first, (part, first)
        assert (f"'{part}', which this page does not read. Possible values: data, sample" in first) == (
            part not in {*address.COMMON, *known} and not (part == "alpha" and "run" in known)
        ), (part, first)
        assert not warnings(visit(at, language="en"))


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize(
    ("page", "query", "words"),
    [
        ("effects", {"view": "Magic"}, "no view 'Magic'. Possible values: Paths, Adjustment, Effect, Model fit."),
        ("effects", {"pair": ["Age", "LVH"], "step": "2"}, "contains 'step', which this page does not read"),
        ("effects", {"pair": ["Age", "LVh"]}, "no variable 'LVh'. Did you mean LVH?"),
        ("effects", {"pair": "Age"}, "must name two variables"),
        ("effects", {"learner": "pc", "alpha": "7"}, "must be in (0, 1)"),
        ("inspect", {"run": "99"}, "no run '99' in this session. Possible values: 1."),
        ("inspect", {"view": "zzz"}, "Possible values: Graph, Network, Matrix, Table."),
        ("lessons", {"present": "zzz"}, "Possible values: 1, notes."),
        ("lessons", {"slide": "2"}, "Add present=1"),
        ("lessons", {"lesson": "practice", "present": "1"}, "no presenter view"),
        ("lessons", {"lesson": "zzz"}, "Possible values: 01-d-separation, "),
        ("learn", {"learner": "lingam_zzz"}, "no learner 'lingam_zzz'"),
        (
            "learn",
            {"alpha": "0.05"},
            ("contains 'alpha', which this page does not read. Possible values: data, sample, language"),
        ),
        ("query", {"sample": "qqq"}, "Possible values: "),
    ],
    ids=str,
)
def test_a_message_says_what_is_possible(page, query, words):
    """The message lists the possible values, or the closest one."""
    assert words in " ".join(warnings(visit(go(open_app(), page), **query)))


def test_two_problems_of_an_address_stay_until_it_changes():
    """The message about the lesson does not replace that about the slide."""
    at = visit(go(open_app(), "lessons"), lesson="zzz", slide="3")
    for shown in (at, sound(at.run())):
        assert "Add present=1" in " ".join(warnings(shown))
        assert "no lesson 'zzz'" in " ".join(warnings(shown))


def test_a_learner_that_the_table_rules_out_produces_a_message():
    """The Learn page says why it shows the recommended learner instead of the one in the address."""
    at = visit(go(open_app(), "learn"), learner="mag_search")
    assert "continuous" in warnings(at)[0]


def test_an_address_asks_a_question_on_effects():
    """The address of Effects names run, question and the two variables; the same address leads there again."""
    asked = {"sample": "asia", "learner": "pc", "alpha": "0.02", "view": "Adjustment", "pair": ["smoke", "dysp"]}
    at = visit(go(open_app(), "effects"), **asked)
    assert not warnings(at)
    assert (run_of(at).result.method, run_of(at).result.params["alpha"]) == ("pc", 0.02)
    assert {name: at.query_params[name] for name in asked} == asked
    boxes = {box.label: box.value for box in at.selectbox}
    names = run_of(at).result.names
    assert (names[boxes["Cause"]], names[boxes["Outcome"]]) == ("smoke", "dysp")
    assert at.segmented_control(key="effects_view").value == "Adjustment"
    visit(at, **{"sample": "asia", "pair": ["tub", "lung"]})
    assert at.segmented_control(key="effects_view").value == "Paths"
    assert at.query_params["pair"] == ["tub", "lung"]


def test_an_address_names_learner_parameters_and_step():
    """A run that the session lacks is learned once; its own address leads to it again, in any session."""
    asked = {"sample": "asia", "learner": "pc", "alpha": "0.02", "step": "12"}
    at = visit(open_app("inspect"), **asked)
    assert not warnings(at)
    assert (run_of(at).result.method, run_of(at).result.params["alpha"]) == ("pc", 0.02)
    assert at.session_state["step"] == 12
    assert {name: at.query_params[name] for name in asked} == asked
    runs = len(at.session_state["runs"])
    other = dict(at.query_params) | {"step": "3"}
    visit(at, **other)
    assert len(at.session_state["runs"]) == runs
    assert at.session_state["step"] == 3


@pytest.mark.parametrize(("estimates", "is_learned"), [([99.0, 0.1], True), ([99.0, 99.0], False)])
def test_a_slow_first_estimate_does_not_refuse_a_run(monkeypatch, estimates, is_learned):
    """The first estimate of a process may include loading kernels."""
    left = list(estimates)
    monkeypatch.setattr("pages.blocks.addressed_run.expected_seconds", lambda *_: left.pop(0))
    at = visit(open_app("inspect"), sample="asia", learner="pc", alpha="0.03")
    assert (run_of(at).result.params.get("alpha") == 0.03) is is_learned
    assert bool(warnings(at)) is not is_learned


def test_the_language_is_in_the_address_of_a_lesson():
    """German stays after a reload, and a link leads to the German text."""
    at = visit(open_app("lessons"), lesson="03-pc-by-hand", language="de")
    assert title(at) == lesson_files.titles("de")["03-pc-by-hand"]
    assert at.query_params["language"] == "de"


def test_the_addresses_in_lessons_show_what_they_name():
    """Every link of a lesson to a state of a page opens without a message; links without a query name a page."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "lessons").rglob("*.md"))]
    links = {link for text in texts for link in re.findall(r"\]\((\w+)(?:\?([^)]+))?\)", text)}
    assert any(query for _, query in links)
    for page, query in sorted(links):
        asked = {name: values if len(values) > 1 else values[0] for name, values in parse_qs(query).items()}
        at = visit(go(open_app(), page), **asked)
        assert not warnings(at)
        assert all(at.query_params[name] == value for name, value in asked.items())


def test_the_addresses_in_the_documentation_show_what_they_name():
    """Every address in docs/classes.md opens without a message, at its step or slide."""
    text = (ROOT / "docs/classes.md").read_text(encoding="utf-8")
    addresses = re.findall(r"`…/(\w+)\?([^`]+)`", text)
    assert len(addresses) > 1
    for page, query in addresses:
        asked = {name: values if len(values) > 1 else values[0] for name, values in parse_qs(query).items()}
        at = visit(go(open_app(), page), **asked)
        assert not warnings(at)
        if "step" in asked:
            assert at.session_state["step"] == int(asked["step"])
        if "slide" in asked:
            assert at.session_state["slide"] == int(asked["slide"]) - 1


def test_a_table_of_ones_own_is_never_lost_by_going_back():
    """Back replaces neither an uploaded table nor a changed sample, because Forward could not restore it."""
    at = upload(open_app("data"), small_table(), "mine.csv")
    visit(at, sample="asia")
    assert at.session_state["source"].title == "mine.csv"
    assert at.query_params == {}
    assert "The current table stays in use" in warnings(at)[0]
    at = visit(open_app("data"), sample="asia")
    assert at.session_state["source"].title.startswith("Asia")
    assert at.query_params == {"sample": "asia"}


def test_a_kept_table_is_reported_once(monkeypatch):
    """The message on the sample of an address also says why its run is not shown; without a sample, the run says it."""
    monkeypatch.setattr(address, "_sample", lambda: "")
    assert address._show_run({"sample": ["asia"], "learner": ["pc"]}) == []
    assert len(address._show_run({"learner": ["pc"]})) == 1


def test_the_menu_leads_to_what_a_page_showed_last():
    """The menu leads to the view that a page showed last, although the address between does not contain it."""
    at = open_app("inspect")
    at.segmented_control(key="inspect_view").set_value("Matrix").run()
    at = go(at, "data")
    assert "view" not in at.query_params
    assert go(at, "inspect").segmented_control(key="inspect_view").value == "Matrix"
    assert at.query_params == {"view": "Matrix"}


def test_an_address_without_a_step_leaves_no_step_of_another_run(monkeypatch):
    """The step is not kept for a run whose slider shows other values, such as the penalties of a score path."""
    at = go(learn_now(open_app()), "inspect")
    visit(at, run="1", step="4")
    monkeypatch.setattr("pages.blocks.slider.replays", lambda _run: False)
    visit(at, run="2")
    assert place(at)[:2] == (2, choice_step(run_of(at).result))


def test_a_new_session_follows_the_language_of_the_browser(monkeypatch):
    """A German browser gets German pages; English chosen there stays in the address, and with it after a reload."""
    monkeypatch.setattr(address, "preferred", lambda: "de")
    at = sound(open_app("lessons"))
    assert title(at) == lesson_files.titles("de")[lesson_files.keys()[0]]
    assert at.query_params["language"] == "de"
    at = sound(at.segmented_control(key=LANGUAGE).set_value("en").run())
    assert at.query_params["language"] == "en"
    again = sound(go(open_app(language="en"), "lessons"))
    assert title(again) == lesson_files.titles()[lesson_files.keys()[0]]


@pytest.mark.parametrize(
    ("locale", "expected"), [("de-AT", "de"), ("de", "de"), ("en-US", "en"), (None, "en"), ("fr", "en")]
)
def test_the_locale_of_the_browser_gives_the_language(monkeypatch, locale, expected):
    """German in all its countries is German; everything else is English."""
    monkeypatch.setattr(words.st, "context", SimpleNamespace(locale=locale))
    assert words.preferred() == expected


def test_messages_about_the_address_are_written_in_german():
    german = catalog("de")
    assert address_problems.unknown("learner", "pcc", ["pc"]).written(german) == (
        "Es gibt kein Lernverfahren 'pcc'. Meinten Sie pc?"
    )
    assert address_problems.unknown("slide", "x").written(german) == "Es gibt keine Folie 'x'."
    [misspelt] = address_problems.unread(["lerner"], ["data"], {"learner"})
    assert misspelt.written(german) == "In der Adresse steht 'lerner'. Meinten Sie learner?"
