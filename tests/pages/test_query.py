"""Query: evidence by boxes, answers, what to ask, two cases, tables edited as a copy, cases predicted, files read."""

from __future__ import annotations

import math

import pytest

from learners import fit, load_network, write_bif
from tests.pages.driving import go, open_app, plain, press, sound, table

ASIA = load_network("asia")


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown, *at.info, *at.error))


def frame(at, column):
    """The table on screen with this column."""
    return next(one.value for one in at.dataframe if column in one.value.columns)


@pytest.fixture
def asia():
    """The page with the bundled network asia."""
    at = go(open_app(), "query")
    return sound(at.segmented_control(key="query_way").set_value("A bundled network").run())


def known(at, name, level):
    """Say what is known by the boxes."""
    at.selectbox(key="query_variable").set_value(name).run()
    return sound(at.selectbox(key=f"query_state_{ASIA.names.index(name)}").set_value(level).run())


def test_evidence_moves_every_number(asia):
    """Shown is what the network answers; taken back, all is as before."""
    at = known(known(asia, "smoke", "yes"), "xray", "yes")
    shown = frame(at, "now").set_index(["variable", "level"])["now"]
    found = ASIA.posterior({"smoke": "yes", "xray": "yes"})
    for name, levels in zip(ASIA.names, ASIA.levels, strict=True):
        assert shown[name].tolist() == found[name].tolist(), levels
    assert f"{math.exp(found.log_probability):.3f}"[:4] in words(at)
    at = sound(press(at, "query_take_back_0"))
    assert frame(at, "now").set_index(["variable", "level"])["now"]["lung"].tolist() == pytest.approx(
        ASIA.posterior({"xray": "yes"})["lung"].tolist()
    )
    assert "Nothing is known yet" in words(sound(press(at, "query_clear")))


def test_what_to_ask_the_most_probable_case_and_a_case_aside(asia):
    """As the library answers; the case aside stays while the other one changes."""
    at = press(known(asia, "dysp", "yes"), "query_hold")
    at = known(at, "smoke", "no")
    at.selectbox(key="query_target").set_value("lung").run()
    worth = ASIA.worth_asking("lung", {"dysp": "yes", "smoke": "no"})
    assert frame(at, "bits")["variable"].tolist() == [name for name, _ in worth]
    at.toggle(key="query_mpe").set_value(True).run()
    assert dict(frame(at, "value").to_numpy().tolist()) == ASIA.most_probable({"dysp": "yes", "smoke": "no"}).case
    both = frame(sound(at), "aside").set_index(["variable", "level"])
    assert both["aside"]["lung"].tolist() == ASIA.posterior({"dysp": "yes"})["lung"].tolist()


def test_what_never_comes_together_is_a_sentence_and_can_be_taken_back(asia):
    """The buttons stay."""
    at = known(known(asia, "either", "no"), "lung", "yes")
    assert "never comes together" in words(at)
    assert "never comes together" not in words(sound(press(at, "query_take_back_1")))


def test_a_run_is_fitted_and_says_that_a_member_stands_for_its_class():
    """The first graph, a CPDAG; rows and intervals stand beside its tables."""
    at = sound(go(open_app(), "query"))
    run = at.session_state["runs"][0]
    network = fit(run.result.graph, run.dataset)
    assert network.fitted.member == ("one DAG of those" in words(at))
    assert frame(at, "now")["now"].iloc[0] == network.posterior()[network.names[0]][0]
    assert frame(at, "rows")["rows"].tolist() == network.fitted.nodes[0].rows.tolist()


def test_a_network_of_a_file_is_asked_and_cases_run_through_it():
    """Without data; hostile names are text; the predictions are the library's."""
    text = write_bif(ASIA).replace("smoke", '"**<b>smo\u20ac:ke**"')
    at = go(open_app(), "query")
    at.segmented_control(key="query_way").set_value("A file").run()
    at = sound(at.file_uploader(key="query_file").set_value(("mine.bif", text.encode(), "text/plain")).run())
    assert "**<b>smo\u20ac:ke**" in set(frame(at, "now")["variable"])
    at.selectbox(key="query_predict").set_value("lung").run()
    cases = table([["yes", "no"], ["", "yes"]], ("xray", "dysp"))
    at = sound(at.file_uploader(key="query_cases").set_value(("cases.csv", cases, "text/csv")).run())
    found = frame(at, "P(yes)")["P(yes)"].tolist()
    expected = [ASIA.posterior(one)["lung"][0] for one in ({"xray": "yes", "dysp": "no"}, {"dysp": "yes"})]
    assert found == pytest.approx(expected)
    at = sound(at.file_uploader(key="query_file").set_value(("bad.bif", b"network {", "text/plain")).run())
    assert at.error
