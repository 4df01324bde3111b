"""The card "Reliability of the arrows" of Inspect."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.worlds import simulate
from learners.common.errors import DataError
from learners.verdict.assumptions import check_assumptions
from pages.blocks.data import assumptions
from tests.pages.driving import finish_run, go, learn_now, open_app, plain, press, sound, table, unfold, upload
from tests.pages.test_brai import words
from viz.text import as_sentence, escape_markdown


def learnt(values: np.ndarray):
    """Return the Inspect page with a run of BOSS on numbers."""
    at = upload(
        go(open_app(learner="boss"), "data"), table(values.round(4).tolist(), list("abcdefg"[: values.shape[1]]))
    )
    return sound(learn_now(go(at, "learn")))


def warnings(at):
    return " ".join(plain(one.value) for one in at.warning)


def judged(at):
    """Press the button of the card, and wait for the verdict."""
    at = press(at, "inspect_trust")
    if "trust_job" in at.session_state:
        at.session_state["trust_job"][1].wait(120)
        at.run()
    return sound(at)


@pytest.mark.compiled
def test_arrows_are_judged_with_one_click():
    rng = np.random.default_rng(0)
    a, b, d, e = rng.standard_normal((4, 300))
    at = learnt(np.column_stack([a, b, a + b + rng.standard_normal(300), d, d + e]))
    assert "No check found a violated assumption." in words(at)
    at = judged(at)
    assert "2 of 2 arrows are well supported as causes." in words(at)
    assert "2 of 2 supported as causes" in words(at)  # in the line above the graph
    assert "simulated tables" in words(at)
    run = at.session_state["runs"][at.session_state["current"]]
    assert run.data["trust"].names == run.result.names
    unfold(at).selectbox(key="why_x").set_value(0).run()
    at.selectbox(key="why_y").set_value(2).run()
    said = words(sound(at))
    assert "'a' causes 'c' with P" in said
    (table,) = [one.value for one in at.dataframe if "method" in one.value]
    assert table["a → c"].between(0.0, 1.0).all()
    assert table["method"].tolist()[0] == "BOSS"
    at = go(at, "effects")
    sound(at.segmented_control(key="effects_view").set_value("Effect").run())
    assert "It is well supported that a causes c" in words(at)


@pytest.mark.deep
@pytest.mark.compiled
def test_nothing_is_claimed_where_a_check_found_something():
    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 300))
    at = learnt(np.column_stack([a, a**2 + 0.3 * b, b + c, c]))
    assert "seem nonlinear" in warnings(at)
    assert "Nothing is claimed about causes" in words(at)  # without a click
    names = [column.name for column in at.session_state["source"].plan.used if column.normal_scores]
    assert names == []
    (remedy,) = [button for button in at.button if button.key == "inspect_remedy_0"]
    assert "are read differently\\. Learn again" in remedy.help
    at = sound(press(at, "inspect_remedy_0"))
    (done, _) = at.session_state["source"].steps[-1]
    assert done.startswith("convert")
    assert {"a", "b"} <= {c.name for c in at.session_state["source"].plan.used if c.normal_scores}
    assert not [button for button in at.button if (button.key or "").startswith("inspect_remedy")]


@pytest.mark.deep
@pytest.mark.compiled
def test_a_curved_table_is_learned_with_basis_functions_at_one_click():
    """The button repeats the run with the score that follows curves; then the warning says so, without a button."""
    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 300))
    at = learnt(np.column_stack([a, a**2 + 0.3 * b, b + c, c]))
    assert "or learn with basis functions" in warnings(at)
    first = at.session_state["runs"][-1].result
    at = sound(finish_run(press(at, "inspect_curves")))
    result = at.session_state["runs"][-1].result
    assert (first.method, result.params["score"]) == (result.method, "basis")
    assert {**result.params, "score": first.params["score"]} == dict(first.params)
    assert result.graph.skeleton[result.names.index("a"), result.names.index("b")]
    assert "The basis functions of this run follow curves" in warnings(at)
    assert not [button for button in at.button if button.key == "inspect_curves"]


@pytest.mark.deep
@pytest.mark.compiled
def test_parts_of_a_table_are_compared_at_one_click():
    """Both runs have the settings of the first, their titles name their rows, and Compare shows both."""
    rng = np.random.default_rng(0)
    a, noise, last = rng.standard_normal((3, 600))
    b = np.where(np.arange(600) < 380, 1.2 * a, 0.0) + noise
    at = learnt(np.column_stack([a, b, 0.9 * b + last]))
    assert "most clearly after row 378" in warnings(at)
    first, here = at.session_state["runs"][-1].result, at.session_state["source"]
    at = press(at, "inspect_parts")
    at._page_hash = ""
    for _ in range(2):
        at = finish_run(at)
    runs = at.session_state["runs"]
    before, after = (run.result for run in runs[-2:])
    assert (before.params, after.params) == (first.params, first.params)
    assert before.use.rows + after.use.rows == 600
    assert [bool(one.graph.skeleton[0, 1]) for one in (before, after)] == [True, False]
    assert all(f"rows {run.source.plan.rows[0]} to {run.source.plan.rows[1]}" in run.title for run in runs[-2:])
    assert at.session_state["source"] is here
    assert len(at.multiselect(key="compare_moments").value) == 2
    assert not [one for one in at.warning if "used" in one.value]


@pytest.mark.deep
@pytest.mark.compiled
def test_noise_suggests_directions_on_the_card_and_beside_the_explanation():
    rng = np.random.default_rng(0)
    a, b, c = rng.uniform(-1.0, 1.0, (3, 400))
    at = learnt(np.column_stack([a, a + b, a + b + c]))
    assert "Non-normal noise suggests a direction for 2 of 2 undirected edges that could be compared." in words(at)
    unfold(at).selectbox(key="why_x").set_value(1).run()
    at.selectbox(key="why_y").set_value(0).run()
    assert "'a' → 'b' fits the noise better than the opposite direction" in words(sound(at))
    assert [chart for chart in at.get("plotly_chart") if "why_noise" in chart.proto.id]


@pytest.mark.deep
@pytest.mark.compiled
def test_a_curved_table_is_learned_with_basis_functions_by_recommendation():
    """The main action of Data and the recommendation of Learn follow curves; on a linear table they do not."""
    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 300))
    at = upload(open_app("data"), table(np.column_stack([a, b, a + c]).round(4).tolist(), list("abc")))
    assert not any(one.value.startswith("Runs BOSS with basis functions") for one in at.caption)
    bent = table(np.column_stack([a, a**2 + 0.3 * b, b + c, c]).round(4).tolist(), list("abcd"))
    at = sound(upload(at, bent))
    assert any(one.value.startswith("Runs BOSS with basis functions") for one in at.caption)
    at = press(at, "data_learn_now")
    at._page_hash = ""
    at = sound(finish_run(at))
    result = at.session_state["runs"][-1].result
    assert (result.method, result.params["score"]) == ("boss", "basis")
    assert result.graph.skeleton[result.names.index("a"), result.names.index("b")]
    at = sound(go(at, "learn"))
    assert "BOSS with basis functions" in words(at)
    at = sound(press(at, "learn_take_curved"))
    assert at.session_state["learner"] == "boss"
    result = sound(finish_run(press(at, "learn_run"))).session_state["runs"][-1].result
    assert (result.method, result.params["score"]) == ("boss", "basis")
    assert "learn_take_curved" not in [one.key for one in go(at, "learn").button]


@pytest.mark.deep
@pytest.mark.compiled
def test_the_table_is_checked_before_any_run(monkeypatch):
    """The Data page warns of nonlinear relations and offers fixes; a large table is checked on request."""
    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 300))
    bent = table(np.column_stack([a, a**2 + 0.3 * b, b + c, c]).round(4).tolist(), list("abcd"))
    at = sound(upload(open_app("data"), bent))
    assert any("seem nonlinear" in warning.value for warning in at.warning)
    at = sound(press(at, "data_remedy_0"))
    assert at.session_state["source"].steps[-1][0].startswith("convert")
    straight = table(rng.standard_normal((300, 4)).round(4).tolist(), list("abcd"))
    monkeypatch.setattr(assumptions, "MAX_CELLS", 1_199)
    at = sound(upload(at, straight, "straight.csv"))
    assert "No check found" not in words(at)
    at = sound(press(at, "data_check_assumptions"))
    assert "No check found a violated assumption." in words(at)
    assert not [button for button in at.button if (button.key or "") == "data_check_assumptions"]


def slow_levels(stay: float) -> bytes:
    """Return a table of four columns whose levels are repeated in the next row with probability `stay`."""
    rng = np.random.default_rng(5)
    draws = rng.integers(0, 3, (1_000, 4))
    for row in range(1, 1_000):
        repeated = rng.random(4) < stay
        draws[row, repeated] = draws[row - 1, repeated]
    return table(np.array(["low", "mid", "high"])[draws].tolist(), list("abcd"))


@pytest.mark.compiled
def test_slow_levels_are_reported_once_before_any_run():
    """The Data page warns of categorical columns whose neighbouring rows are alike, and counts the rows as fewer.

    If the check of the file found the same, only that finding is shown.
    """
    at = sound(upload(open_app("data"), slow_levels(0.25)))
    assert any("rows are worth about" in warning.value for warning in at.warning)
    at = sound(press(at, "data_remedy_0"))
    assert at.session_state["source"].plan.independence < 0.95
    assert not any("rows are worth about" in warning.value for warning in at.warning)
    at = sound(upload(at, slow_levels(0.6), "slower.csv"))
    assert [one.code for one in at.session_state["source"].findings] == ["serial_dependence"]
    assert not [button for button in at.button if (button.key or "").startswith("data_remedy")]


def test_a_table_that_cannot_be_checked_keeps_the_page(monkeypatch):
    """For a table that cannot be checked, the page shows the reason instead of the result."""

    def refuse(_dataset: object) -> None:
        raise DataError("the machine has too little memory for it")

    monkeypatch.setattr(assumptions, "check_assumptions", refuse)
    values = np.random.default_rng(0).standard_normal((30, 2)).round(4)
    at = sound(upload(open_app("data"), table(values.tolist(), ["a", "b"])))
    assert "The assumptions were not checked: the machine has too little memory for it." in words(at)


@pytest.mark.deep
@pytest.mark.compiled
def test_arrows_between_categories_are_judged_with_a_picture():
    data = simulate("categorical", 890_200, 5, 600).data
    at = upload(go(open_app(learner="boss"), "data"), data.to_frame().astype(str).to_csv(index=False).encode())
    at = judged(sound(learn_now(go(at, "learn"))))
    assert "well supported" in words(at)
    assert "this check fits linear equations to numeric columns" in words(at)
    assert "simulated tables of categories" in words(at)
    assert [chart for chart in at.get("plotly_chart") if "inspect_reliability" in chart.proto.id]
    run = at.session_state["runs"][at.session_state["current"]]
    before = run.data["trust"]
    at = sound(at.select_slider(key=f"inspect_hidden_share_{run.number}").set_value(0.9).run())
    after = run.data["trust"]
    assert after.hidden_share == 0.9
    assert np.nanmax(after.cause) < np.nanmax(before.cause)


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["curved", "questionnaire"])
def test_a_finding_is_shown_once_and_named_by_the_headline(kind):
    """Each finding of the checks is one warning of the page, and the judged card names it without a second copy."""
    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 400))
    curved = np.column_stack([a, a**2 + 0.3 * b, b + c, c])
    items = 0.8 * a[:, None] + 0.6 * rng.standard_normal((400, 7))
    at = learnt(curved if kind == "curved" else items)
    run = at.session_state["runs"][-1]
    (sentence,) = check_assumptions(run.dataset, run.result).sentences(run.result.names)
    assert (warnings(at) + words(at)).count(plain(escape_markdown(as_sentence(sentence)))) == 1
    reason = "relations seem nonlinear" if kind == "curved" else "one hidden variable seems to explain"
    assert f"Nothing is claimed about causes, because {reason}" in words(at)
    assert "inspect_trust" not in [button.key for button in at.button]  # judging would claim nothing
    assert run.data["trust"].names == run.result.names
    fixes = [button.key for button in at.button if (button.key or "").startswith("inspect_remedy")]
    assert bool(fixes) == (kind == "curved")
    assert ("inspect_hidden" in [button.key for button in at.button]) == (kind == "questionnaire")
    assert "oise suggests" not in words(at)
