"""Mixed data with missing cells, from the first click to an explained pair."""

from __future__ import annotations

import pytest

from tests.pages.driving import go, learn_now, open_app, plain, press, sound
from tests.pages.test_inspect import ask


@pytest.mark.deep
def test_penguins_are_learned_from_without_being_bent():
    """No column is binned, dropped or imputed; each learner that cannot use the table states its requirements."""
    at = press(open_app("start"), "start_sample_penguins")
    data = at.session_state["source"].dataset
    assert (data.kind, data.n, data.p, data.complete) == ("mixed", 344, 8, False)
    at = sound(learn_now(sound(go(at, "data"))))
    run = at.session_state["runs"][-1]
    assert run.result.rows_used == (333, 344)
    sound(go(at, "inspect"))
    for x, y in ((0, 2), (2, 6), (4, 5), (0, 1)):
        sound(ask(at, x, y))
    text = " ".join(plain(one.value) for one in at.markdown)
    assert "n = 34" in text


@pytest.mark.deep
def test_a_mixed_network_is_exported_as_python():
    """No other program's format supports the regressions; the exported code rebuilds the network."""
    at = sound(go(learn_now(go(press(open_app("start"), "start_sample_penguins"), "learn")), "inspect"))
    form = at.selectbox(key="download_network_form")
    assert form.options == ["Python"]
    at = sound(form.set_value("python").run())
    run, made = at.session_state["runs"][-1], {}
    exec(run.data["network_file"][1], made)
    assert made["network"].names == run.result.names


@pytest.mark.deep
def test_the_score_of_numbers_has_a_widget_of_its_own():
    """The choice for categorical data applies only there; numeric data offer BIC and extended BIC."""
    at = press(go(press(open_app("start"), "start_sample_asia"), "learn"), "learn_choose_ges")
    sound(at.segmented_control(key="learn_ges_score").set_value("bdeu").run())
    at = sound(go(press(go(at, "start"), "start_sample_gauss30"), "learn"))
    assert at.selectbox(key="learn_ges_score_numbers").value == "auto"
    at = sound(learn_now(at.selectbox(key="learn_ges_score_numbers").set_value("bic").run()))
    assert at.session_state["runs"][-1].result.params["score"] == "bic"
