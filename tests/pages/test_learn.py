"""Tests of Learn: settings, background knowledge, the run with its progress and Cancel, and errors."""

from __future__ import annotations

import re

import pytest

from learners.common.errors import DataError
from learners.families.brai.settings import RAI_CUT
from learners.registry import LEARNERS, learn
from pages.session.jobs import runner
from tests.pages.driving import (
    edit,
    errors,
    figure,
    finish_run,
    go,
    learn_now,
    open_app,
    plain,
    press,
    small_table,
    sound,
    table,
    title,
    unfold,
    upload,
)
from viz.labels import setting_text, without_value


def latest(at):
    """Return the newest run."""
    return at.session_state["runs"][-1]


def small(page="learn"):
    """Open the app with a small table of three columns in use."""
    return go(upload(open_app("data"), small_table()), page)


def test_form_is_made_from_the_declared_parameters():
    """Each parameter has a widget with its default; the help explains both directions and the source of the default."""
    at = small()
    labels = {one.label: one for kind in ("number_input", "button_group", "selectbox") for one in at.get(kind)}
    for one in LEARNERS["pc"].parameters_of(at.session_state["source"].dataset):
        widget = labels[one.label]
        assert widget.value == one.default
        assert without_value(setting_text(one, one.default), one.source) in plain(widget.help)
        assert one.up in plain(widget.help)


def test_form_fits_the_kind_of_data():
    """Settings of the G² test are not offered for numeric data."""
    at = go(press(open_app(), "start_sample_gauss30"), "learn")
    labels = [one.label for kind in ("button_group", "number_input") for one in sound(at).main.get(kind)]
    assert labels == ["Check v-structures", "Significance level", "Largest conditioning set"]


def test_settings_that_another_leaves_idle_cannot_be_set():
    """RAI uses one of three thresholds; the help of the other two names the choice that enables them."""
    at = press(small(), "learn_choose_rai")
    keys = {"alpha": "learn_rai_alpha", "c1": "learn_rai_c1_factor", "mi": "learn_rai_mi_bits"}
    for cut in ("alpha", "c1", "mi"):
        sound(at.selectbox(key="learn_rai_cut").set_value(cut).run())
        idle = {word for word, key in keys.items() if at.number_input(key=key).disabled}
        assert idle == set(keys) - {cut}
        for word, key in keys.items():
            actual = RAI_CUT.word(word)
            assert f"Only used with Criterion of independence: {actual}" in plain(at.number_input(key=key).help)


def test_what_a_switch_leaves_idle_cannot_be_set():
    """Without a polish, its minimum gain cannot be set."""
    at = press(small(), "learn_choose_mmhc")
    least = "learn_mmhc_polish_gain_limited"
    assert "Only used with Polish by GES: on" in plain(at.toggle(key=least).help)
    for polish in (False, True):
        sound(at.toggle(key="learn_mmhc_polish").set_value(polish).run())
        assert at.toggle(key=least).disabled == (not polish)


def test_an_idle_setting_is_not_refused():
    """An alpha of 0 blocks a run only while p-values decide."""
    at = press(small(), "learn_choose_rai")
    at.number_input(key="learn_rai_alpha").set_value(0.0).run()
    assert at.button(key="learn_run").disabled
    sound(at.selectbox(key="learn_rai_cut").set_value("c1").run())
    assert errors(at) == []
    learn_now(at)
    assert latest(at).result.params["cut"] == "c1"


def test_settings_reach_the_learner_and_the_runs_name():
    """The learner gets the entered values, and the run's title lists those that differ from the defaults."""
    at = small()
    at.number_input(key="learn_pc_alpha").set_value(0.2)
    at.number_input(key="learn_pc_max_cond_size").set_value(1)
    at.run()
    learn_now(at)
    assert latest(at).result.params["alpha"] == 0.2
    assert latest(at).result.params["max_cond_size"] == 1
    assert "alpha 0.2, largest conditioning set 1" in latest(at).title


def test_limit_can_be_lifted():
    """A toggle, not a special number, removes the limit on the conditioning set."""
    at = small()
    at.toggle(key="learn_pc_max_cond_size_limited").set_value(False).run()
    assert "learn_pc_max_cond_size" not in [one.key for one in at.number_input]
    learn_now(at)
    assert latest(sound(at)).result.params["max_cond_size"] is None


def test_run_ends_on_inspect_with_the_result():
    """A finished run opens Inspect by itself."""
    at = learn_now(small())
    assert figure(sound(at), "edge")
    assert figure(at, "test")
    assert at.session_state["current"] == 1
    assert latest(at).result.names == ("a", "b", "c")


def test_quick_run_is_taken_in_at_once(monkeypatch):
    """A run that ends within the click shows its result without a progress bar."""
    at = small()
    result = learn("pc", at.session_state["source"].dataset)
    monkeypatch.setattr(runner, "learn", lambda *_, **__: result)
    press(at, "learn_run")
    assert at.session_state["job"] is None
    assert latest(sound(at)).result is result
    assert at.session_state["current"] == 1


def test_run_under_way_is_watched_in_one_place(slow_runs):
    """Progress is shown on Learn, and one line in the sidebar of other pages; never both."""
    at = press(small(), "learn_run")
    assert [bool(at.get("progress")), [one.value for one in at.sidebar.info]] == [True, []]
    go(at, "start")
    assert "A run is in progress" in at.sidebar.info[0].value
    slow_runs()
    finish_run(at)


@pytest.mark.deep
def test_value_out_of_range_is_a_sentence_at_once():
    """The learner's own message appears, and Run is disabled until a valid value clears it."""
    at = small()
    at.number_input(key="learn_pc_alpha").set_value(0.0).run()
    assert errors(sound(at)) == ["Alpha must be in (0, 1), got 0.0."]
    assert at.button(key="learn_run").disabled
    assert title(at) == "Learn a graph"
    assert len(at.session_state["runs"]) == 1
    at.number_input(key="learn_pc_alpha").set_value(0.05).run()
    learn_now(at)
    assert errors(sound(go(at, "learn"))) == []


def test_values_that_contradict_one_another_are_refused_by_the_form():
    """One message appears at once, and no run can start until the values are fixed."""
    at = small()
    at.session_state["learner"] = "path"
    at.run()
    at.number_input(key="learn_path_alpha_min").set_value(0.2).run()
    assert errors(sound(at)) == ["“Last threshold” must be below alpha = 0.1, got 0.2; lower it."]
    assert at.button(key="learn_run").disabled
    at.number_input(key="learn_path_alpha_min").set_value(0.001).run()
    assert errors(sound(at)) == []
    assert not at.button(key="learn_run").disabled


def test_failure_with_names_cannot_inject_markup(monkeypatch):
    """A learner's message quotes column names, which are escaped."""

    def fails(*_args, **_options):
        raise DataError("column '<script>' [x](http://evil.example) is wrong")

    monkeypatch.setattr(runner, "learn", fails)
    at = learn_now(small())
    assert errors(at) == ["Column '<script>' [x](http://evil.example) is wrong."]
    assert "\\<script\\>" in at.error[0].value


def test_bug_of_a_learner_looks_like_one(monkeypatch):
    """Only errors meant for users show their message; the details of a bug go to the log, and the session continues."""

    def breaks(*_args, **_options):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(runner, "learn", breaks)
    at = press(small(), "learn_run")
    if not at.exception:  # otherwise the run was quick enough to fail at once
        finish_run(at)
    assert len(at.exception) == 1
    assert "division by zero" not in at.exception[0].value
    sound(at.run())
    assert at.session_state["job"] is None


def test_progress_and_cancel_while_a_run_works(slow_runs):
    """Stage, completed work and time are shown; only one run is active; Cancel ends it and keeps the partial result."""
    at = press(small(), "learn_run")
    assert ": 3 of 3, " in at.get("progress")[0].proto.text
    assert at.button(key="learn_run").disabled
    press(at, "learn_cancel")
    finish_run(at, 10.0)
    assert title(sound(at)) == "Learn a graph"
    assert not latest(at).result.complete
    assert any(plain(one.value).endswith("(cancelled)") for one in at.markdown)
    assert not at.button(key="learn_run").disabled
    del slow_runs


def test_cancelled_run_can_be_inspected(slow_runs):
    """A warning marks the run as incomplete, and every view shows the partial result."""
    at = press(small(), "learn_run")
    press(at, "learn_cancel")
    finish_run(at)
    press(at, f"learn_show_{latest(at).number}")
    assert any("cancelled" in one.value for one in sound(at).warning)
    for view in ("Network", "Matrix", "Table", "Graph"):
        sound(at.segmented_control(key="inspect_view").set_value(view).run())
    unfold(at).selectbox(key="why_x").set_value(0).run()
    sound(at.selectbox(key="why_y").set_value(1).run())
    del slow_runs


def test_run_survives_a_visit_to_another_page(slow_runs):
    """The result is taken over on any page, and the user stays on that page."""
    at = go(press(small(), "learn_run"), "data")
    slow_runs()
    finish_run(at)
    assert title(sound(at)) == "Data"
    assert latest(at).result.complete


def test_run_belongs_to_the_data_it_was_started_on(slow_runs):
    """A run keeps its data set even if another table is uploaded meanwhile."""
    at = go(press(small(), "learn_run"), "data")
    upload(at, small_table(("p", "q", "r")), "other.csv")
    slow_runs()
    finish_run(at)
    assert latest(sound(at)).result.names == ("a", "b", "c")
    assert "mine.csv" in latest(at).title
    assert latest(at).dataset.names == ("a", "b", "c")


@pytest.mark.deep
def test_runs_so_far_can_be_shown_again():
    """One click restores any earlier result."""
    at = go(learn_now(small()), "learn")
    press(at, "learn_show_1")
    assert at.session_state["current"] == 0
    assert any("Child" in one.value for one in sound(at).sidebar.markdown)


def test_required_and_forbidden_edges_are_obeyed():
    """The result satisfies the constraints entered into the editors."""
    at = small()
    rules = [{"from": "a", "to": "b", "rule": "required"}]
    rules += [{"from": x, "to": y, "rule": "forbidden"} for x, y in (("a", "c"), ("c", "a"))]
    edit(at, "learn_known_edges", added=rules)
    learn_now_keeping(at)
    graph = latest(sound(at)).result.graph
    assert graph.mark(0, 1) == "forward"
    assert graph.mark(0, 2) == "none"


def learn_now_keeping(at):
    """Run without leaving the page first, because the editors' content belongs to it."""
    return finish_run(press(at, "learn_run"))


def test_tiers_are_obeyed():
    """No arrow points from a later tier to an earlier one."""
    at = small()
    edit(at, "learn_known_tiers", rows={0: {"tier": 2}, 2: {"tier": 1}})
    learn_now_keeping(at)
    assert latest(sound(at)).result.graph.mark(0, 2) in ("backward", "none")


def test_contradictory_knowledge_is_a_sentence():
    """The message names the columns, and the run does not start."""
    at = small()
    rules = [{"from": "a", "to": "b", "rule": rule} for rule in ("required", "forbidden")]
    edit(at, "learn_known_edges", added=rules)
    learn_now_keeping(at)
    assert errors(sound(at)) == ["Edge 'a' -> 'b' is both required and forbidden; keep one of the two."]


def test_knowledge_outlives_a_visit_to_another_page():
    """Incomplete rows are ignored, and complete rows are still there after the visit."""
    at = small()
    edit(at, "learn_known_edges", added=[{"from": "a", "to": "b", "rule": "required"}, {"from": "c"}])
    go(go(at, "data"), "learn")
    shown = next(one for one in sound(at).data_editor if one.key.startswith("learn_known_edges")).value
    assert shown.iloc[0].tolist() == ["a", "b", "required"]
    learn_now_keeping(at)
    assert latest(at).result.graph.mark(0, 1) == "forward"


def test_knowledge_of_one_table_is_not_asked_of_another():
    """Other variables start with empty editors."""
    at = small()
    edit(at, "learn_known_edges", added=[{"from": "a", "to": "b", "rule": "required"}])
    go(at, "data")
    upload(at, small_table(("p", "q", "r")))
    go(at, "learn")
    assert all(one.value.dropna().empty for one in sound(at).data_editor)
    learn_now_keeping(at)
    assert latest(at).result.complete


@pytest.mark.deep
@pytest.mark.parametrize("tier", [0, 3])
def test_same_tier_for_all_changes_nothing(tier):
    """A tier shared by all variables does not change the graph, because tiers only order variables."""
    at = small()
    learn_now_keeping(at)
    free = latest(at).result.graph
    go(at, "learn")
    edit(at, "learn_known_tiers", rows={k: {"tier": tier} for k in range(3)})
    learn_now_keeping(at)
    assert latest(sound(at)).result.graph == free


@pytest.mark.deep
def test_runs_say_what_they_spent_their_time_on():
    """PC counts its tests, and a search by score shows its time: a number of local scores says little to a newcomer."""
    at = learn_now(open_app("learn"))
    at = go(learn_now(press(go(at, "learn"), "learn_choose_hc")), "learn")
    captions = [plain(caption.value) for caption in at.caption]
    assert any(re.search(r"edges?, [0-9,]+ tests$", caption) for caption in captions)
    assert any(re.search(r"edges?, [0-9.]+ (ms|s)$", caption) for caption in captions)
    assert not any("local score" in caption for caption in captions)
    assert not any(", 0 tests" in caption for caption in captions)


def test_a_table_that_a_learner_cannot_bear_is_refused_before_the_run():
    """The message names the columns; no estimate, no traceback and no Run button appear."""
    rows = [(f"street {k % 700}", f"name {k % 699}", round(k * 0.37 % 5, 2)) for k in range(2_100)]
    at = upload(open_app("data"), table(rows, ("street", "surname", "weight")))
    at = sound(go(at, "learn"))
    assert "Columns 'street' and 'surname' have 700 and 699 levels. With numbers" in "".join(errors(at))
    assert not [button for button in at.button if button.key == "learn_run" and not button.disabled]


def test_titles_say_what_is_not_at_its_default():
    """A test chosen by the user is named in the title; the default test of the data type is not."""
    at = learn_now(open_app(sample="asia"))
    assert at.session_state["runs"][-1].title == "PC-stable on Asia (simulated) (alpha 0.05)"
