"""Tests of Query: evidence, answers, value of information, two cases, edited tables, predicted cases, files."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from learners import PDAG, Dataset, dags_of_class, fit, intervene, load_network, read_table, sample, write_bif
from learners.data.plan.scales import scales
from learners.data.quality.finding_order import by_effect
from learners.effects.interventions import chosen_directions, with_set_values
from learners.networks.inference.belief_ranges import belief_ranges, class_networks
from pages.blocks.query import answers
from tests.pages.driving import finish_run, go, learn_now, open_app, plain, press, sound, table, upload
from viz.query import picture as drawing
from viz.query.parameters import node_table, with_numbers
from viz.query.picture import picture, share
from viz.query.texts import ALIKE, member_sentence
from viz.weak_evidence import doubtful

ASIA = load_network("asia")


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown, *at.info, *at.error))


def frame(at, column):
    """Return the table on screen with this column."""
    return next(one.value for one in at.dataframe if column in one.value.columns)


@pytest.fixture
def asia():
    """Open the page with the bundled network asia."""
    at = open_app("query")
    return sound(at.segmented_control(key="query_way").set_value("Bundled").run())


def known(at, name, level):
    """Set evidence by the select boxes."""
    at.selectbox(key="query_variable").set_value(name).run()
    return sound(at.selectbox(key=f"query_state_{ASIA.names.index(name)}").set_value(level).run())


def test_evidence_moves_every_number(asia):
    """The page shows the network's answers, and removing the evidence restores the previous ones."""
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
    assert not any("query_take_back" in one.key for one in sound(press(at, "query_clear")).button)


def test_value_of_information_most_probable_explanation_and_pinned_case(asia):
    """All answers equal the library's; the pinned case stays while the current one changes."""
    at = press(known(asia, "dysp", "yes"), "query_hold")
    at = known(at, "smoke", "no")
    at.selectbox(key="query_target").set_value("lung").run()
    worth = ASIA.value_of_information("lung", {"dysp": "yes", "smoke": "no"})
    assert frame(at, "bits")["variable"].tolist() == [name for name, _ in worth]
    at.toggle(key="query_mpe").set_value(True).run()
    assert dict(frame(at, "value").to_numpy().tolist()) == ASIA.most_probable({"dysp": "yes", "smoke": "no"}).case
    both = frame(sound(at), "pinned").set_index(["variable", "level"])
    assert both["pinned"]["lung"].tolist() == ASIA.posterior({"dysp": "yes"})["lung"].tolist()


@pytest.mark.deep
def test_what_is_set_names_the_directions_that_the_fitted_dag_chose():
    """Each set variable with undirected edges in the class is named with the arrows of the DAG; others are not."""
    at = go(open_app(sample="asia"), "query")
    at = sound(at.segmented_control(key="query_click").set_value("Intervene (do)").run())
    run = at.session_state["runs"][at.session_state["current"]]
    network = fit(run.result.graph, run.dataset)
    assert network.fitted.open_edges
    for j, name in enumerate(network.names):
        at.session_state["query_done"] = {name: network.levels[j][0]}
        at = sound(at.run())
        said = [plain(one.value) for one in at.caption if "this DAG chose" in one.value]
        chosen = chosen_directions(network, [name])
        assert len(said) == bool(chosen)
        assert all(f"{network.names[a]} → {network.names[b]}" in said[0] for a, b in chosen)


@pytest.mark.parametrize("seed", range(4))
def test_ranges_over_a_class_contain_the_answer_of_each_dag(seed):
    """An intervention is answered by a range over all DAGs; where they differ, no single number is drawn."""
    rng = np.random.default_rng(seed)
    codes = np.cumsum(rng.integers(2, size=(4, 300)), axis=0) % 2
    codes = np.where(rng.random(codes.shape) < 0.1, 1 - codes, codes)
    data = Dataset.from_codes(codes, [2] * 4, list("abcd"))
    graph = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3)])
    network = fit(graph, data)
    dags = dags_of_class(graph)
    for j, name in enumerate(network.names):
        found = class_networks(graph, data, network, [j])
        assert found.complete
        assert found.networks[0] is network
        few = class_networks(graph, data, network, [j], max_sets=1)
        assert few.complete == (len(found.networks) == 1)
        done = {name: data.levels[0][1]}
        ranges = belief_ranges([with_set_values(one, done).posterior() for one in found.networks])
        now = with_set_values(network, done).posterior()
        everywhere = [with_set_values(fit(dag, data), done).posterior() for dag in dags]
        drawn = picture(network, np.zeros((4, 2)), range(4), now, network.posterior(), None, {}, ranges=ranges)["nodes"]
        for node in drawn:
            low, high = ranges[node["name"]]
            for one in everywhere:
                assert (low <= one[node["name"]] + 1e-9).all()
                assert (one[node["name"]] <= high + 1e-9).all()
            assert [text == share(value) for text, value in zip(node["texts"], now[node["name"]], strict=True)] == [
                share(a) == share(b) for a, b in zip(low, high, strict=True)
            ]


def test_an_intervention_on_a_class_shows_ranges_and_an_observation_does_not():
    at = go(open_app(sample="asia"), "query")
    at = sound(at.segmented_control(key="query_click").set_value("Intervene (do)").run())
    run = at.session_state["runs"][at.session_state["current"]]
    network = fit(run.result.graph, run.dataset)
    j = network.fitted.open_edges[0][0]
    name = network.names[j]
    at.selectbox(key="query_variable").set_value(name).run()
    at = sound(at.selectbox(key=f"query_state_{j}").set_value(network.levels[j][0]).run())
    assert "Numbers are ranges over" in words(at)
    at = sound(press(at, "query_clear"))
    assert "Numbers are ranges over" not in words(at)


def test_heads_in_the_picture_are_as_uncertain_as_the_run_says(monkeypatch):
    """A head is solid only if the class has the arrow and its direction is not doubtful; the caption says so."""
    shown = []
    of_picture = drawing.picture
    monkeypatch.setattr(drawing, "picture", lambda *args: shown.append(of_picture(*args)) or shown[-1])
    at = sound(go(open_app(sample="asia"), "query"))
    result = at.session_state["runs"][at.session_state["current"]].result
    hollow = {(i, j) for i, j, _, unsure in shown[-1]["edges"] if unsure}
    solid = {(i, j) for i, j, _, unsure in shown[-1]["edges"] if not unsure}
    assert hollow
    assert solid <= {arrow for arrow in result.graph.directed_edges() if not doubtful(result, *arrow)}
    assert not any(result.graph.mark(i, j) == "forward" and not doubtful(result, i, j) for i, j in hollow)
    assert "Hollow heads" in words(at)
    at = sound(at.segmented_control(key="query_way").set_value("Bundled").run())
    assert not any(unsure for *_, unsure in shown[-1]["edges"])
    assert "Hollow heads" not in words(at)


def test_what_is_set_is_the_truncated_factorisation(asia):
    """An intervention leaves the causes unchanged, and the page names its assumption; observations add to it."""
    at = sound(asia.segmented_control(key="query_click").set_value("Intervene (do)").run())
    at = known(at, "lung", "yes")
    assert "only if the graph is causal" in words(at)
    at = sound(at.segmented_control(key="query_click").set_value("Observe").run())
    at = known(at, "xray", "no")
    shown = frame(at, "now").set_index(["variable", "level"])["now"]
    found = intervene(ASIA, {"lung": "yes"}).posterior({"xray": "no"})
    for name in ASIA.names:
        assert shown[name].tolist() == found[name].tolist()
    assert shown["smoke"].tolist() == ASIA.posterior()["smoke"].tolist()
    at = sound(press(at, "query_take_back_1"))
    assert frame(at, "now").set_index(["variable", "level"])["now"]["smoke"].tolist() == pytest.approx(
        ASIA.posterior({"xray": "no"})["smoke"].tolist()
    )


def test_equations_are_shown_with_their_intervals_and_edited_in_a_copy():
    """After an edit of a numeric run's equations, the page shows the answers of the edited copy."""
    at = sound(go(open_app(sample="wine"), "query"))
    run = at.session_state["runs"][0]
    network = fit(run.result.graph, run.dataset)
    j = next(j for j in range(network.p) if network.dag.parents(j))
    at = sound(at.selectbox(key="query_table_of").set_value(network.names[j]).run())
    assert frame(at, "few")["rows"].tolist() == network.fitted.nodes[j].rows.tolist()
    table = node_table(network, j)
    table["intercept"] += 5.0
    at.session_state["query_edited"] = changed = with_numbers(network, j, table.to_numpy())
    mean = frame(sound(at.run()), "now").set_index(["variable", "level"])["now"][network.names[j], "mean"]
    assert mean == changed.posterior()[network.names[j]].mean


@pytest.mark.deep
def test_normal_scores_are_asked_and_answered_in_numbers_of_the_table():
    """Intervention, prediction and sampled rows are in the table's units; the box takes values in their range."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=400)
    rows = zip(np.exp(2 * x).round(3), (x + rng.normal(size=400)).round(3), np.where(x > 0, "up", "down"), strict=True)
    at = upload(open_app("data"), table(list(rows), ("pay", "b", "side")))
    here = at.session_state["source"]
    codes = [finding.code for finding in by_effect(here.table, here.plan, here.findings)]
    at = sound(press(at, f"data_fix_{codes.index('skewed')}_0"))
    at = sound(go(sound(finish_run(press(at, "data_learn_now"))), "query"))
    run = at.session_state["runs"][-1]
    own, network = scales(run.source.table, run.source.plan)["pay"], fit(run.result.graph, run.dataset)
    at.selectbox(key="query_variable").set_value("pay").run()
    box = next(one for one in at.number_input if one.label.startswith("Value of "))
    assert (box.min, box.max) == (own.numbers[0], own.numbers[-1])
    box.set_value(2.0)
    at = sound(press(at, "query_set"))
    assert at.session_state["query_known"] == {"pay": float(own.in_data(2.0))}
    assert any(plain(one.label) == "pay: 2" for one in at.button)
    assert "In the units of the table: pay" in words(at)
    found = network.posterior({"pay": float(own.in_data(2.0))})
    shown = frame(at, "now").set_index(["variable", "level"])["now"]
    assert shown["b", "mean"] == pytest.approx(found["b"].mean)
    assert shown["pay", "at the mean"] == pytest.approx(2.0)
    at.selectbox(key="query_predict").set_value("b").run()
    cases = ("cases.csv", table([[2.0], [0.1]], ("pay",)), "text/csv")
    means = frame(sound(at.file_uploader(key="query_cases").set_value(cases).run()), "given pay")["mean"].tolist()
    expected = [network.posterior({"pay": float(own.in_data(value))})["b"].mean for value in (2.0, 0.1)]
    assert means == pytest.approx(expected)
    at = sound(at.segmented_control(key="query_click").set_value("Intervene (do)").run())
    at.selectbox(key="query_variable").set_value("side").run()
    others = sound(at.selectbox(key=f"query_state_{network.names.index('side')}").set_value("up").run())
    actual = frame(others, "given pay")["mean"].tolist()  # recomputed under the intervention
    after = with_set_values(network, {"side": "up"})
    assert actual == pytest.approx([after.posterior({"pay": float(own.in_data(v))})["b"].mean for v in (2.0, 0.1)])
    assert actual != pytest.approx(expected)
    at = sound(press(at, "query_clear"))
    for pay, side, said in (
        ("much", "up", "Row 1: column 'pay' must hold finite numbers"),
        ("1", "u", "levels 'down'"),
    ):
        cases = ("cases.csv", table([[pay, side]], ("pay", "side")), "text/csv")
        assert said in plain(sound(at.file_uploader(key="query_cases").set_value(cases).run()).error[0].value)
    drawn = read_table(answers.drawn_rows(network, 50, 2, {"pay": own}).encode()).column("pay").numbers
    assert own.numbers[0] <= drawn.min() < drawn.max() <= own.numbers[-1]
    for here in (at, sound(go(at, "inspect"))):  # next to the numbers of the network and of the downloads
        assert "Units: pay: normal score." in words(here)


def test_what_never_comes_together_is_a_sentence_and_can_be_taken_back(asia):
    """The message about impossible evidence leaves the buttons that remove it."""
    at = known(known(asia, "either", "no"), "lung", "yes")
    assert "has probability 0" in words(at)
    assert "has probability 0" not in words(sound(press(at, "query_take_back_1")))


def test_a_run_is_fitted_and_says_that_a_member_stands_for_its_class():
    """For a CPDAG the page says that one DAG of its class is fitted; it shows the rows behind each line of a table."""
    at = sound(open_app("query"))
    run = at.session_state["runs"][0]
    network = fit(run.result.graph, run.dataset)
    assert network.fitted.member == ("One DAG of the equivalence class is fitted" in words(at))
    assert network.fitted.member == (ALIKE in words(at))
    assert frame(at, "now")["now"].iloc[0] == network.posterior()[network.names[0]][0]
    assert frame(at, "rows")["rows"].tolist() == network.fitted.nodes[0].rows.tolist()


@pytest.mark.parametrize("incomplete", [False, True])
@pytest.mark.parametrize("kinds", ["lll", "nnn", "nll"])
def test_only_where_all_members_answer_alike_it_is_said(kinds, incomplete):
    """Complete data of one type give equal answers in all members; mixed or incomplete data do not."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    rows = pd.DataFrame(x @ np.ones((1, 3)) + rng.normal(size=(200, 3)), columns=list("abc"))
    for name, kind in zip("abc", kinds, strict=True):
        rows[name] = np.where(rows[name] > 0, "yes", "no") if kind == "l" else rows[name]
    if incomplete:
        rows.loc[:40, "b"] = None
    data, chain = Dataset.from_frame(rows), PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])
    evidence = {"c": "yes" if kinds[-1] == "l" else 1.0}
    answers = [fit(dag, data).posterior(evidence)["a"] for dag in dags_of_class(chain)]
    alike = all(np.allclose(one, answers[0], atol=1e-9, rtol=0) for one in answers)
    assert alike == (ALIKE in member_sentence(data))


def test_a_network_of_a_file_is_asked_and_cases_run_through_it():
    """The network needs no data, escapes hostile names, and predicts as the library does."""
    text = write_bif(ASIA).replace("smoke", '"**<b>smo\u20ac:ke**"')
    at = open_app("query")
    at.segmented_control(key="query_way").set_value("File").run()
    at = sound(at.file_uploader(key="query_file").set_value(("mine.bif", text.encode(), "text/plain")).run())
    assert "**<b>smo\u20ac:ke**" in set(frame(at, "now")["variable"])
    at.selectbox(key="query_predict").set_value("lung").run()
    cases = table([["yes", "no"], ["", "yes"]], ("xray", "dysp"))
    at = sound(at.file_uploader(key="query_cases").set_value(("cases.csv", cases, "text/csv")).run())
    found = frame(at, "P(yes)")["P(yes)"].tolist()
    expected = [ASIA.posterior(one)["lung"][0] for one in ({"xray": "yes", "dysp": "no"}, {"dysp": "yes"})]
    assert found == pytest.approx(expected)
    drawn = read_table(answers.drawn_rows(ASIA, 50, 2, {}).encode()).frame
    assert drawn.to_numpy().tolist() == sample(ASIA, 50, 2).to_frame().to_numpy().tolist()
    for name, content, shown in (("bad.bif", b"network {", "expected"), ("no.bif", b"", "needs a network")):
        at = sound(at.file_uploader(key="query_file").set_value((name, content, "text/plain")).run())
        assert shown in at.error[0].value


@pytest.mark.deep
def test_setting_a_column_that_another_determines_is_warned_of():
    """An intervention on a copy or on a part of a sum gets a warning that names the relation; others get none."""
    rng = np.random.default_rng(3)
    a, b, d = rng.standard_normal((3, 200)).round(3)
    columns = {"left": a, "right": b, "total": (a + b).round(1), "other": d}
    kind = np.where(a > 0, "yes", "no")
    frame = pd.DataFrame(columns | {"alive": kind, "survived": np.where(kind == "yes", "1", "0")})
    at = upload(go(open_app(learner="boss"), "data"), frame.to_csv(index=False).encode())
    at = go(learn_now(go(at, "learn")), "query")
    result = at.session_state["runs"][-1].result
    determined = {result.names[k] for i, j in result.undirected_pairs for k in (i, j)}
    assert {"alive", "survived"} <= determined < set(result.names)
    for name in result.names:
        value = "yes" if name == "alive" else "1" if name == "survived" else 0.5
        at.session_state["query_done"] = {name: value}
        said = " ".join(plain(one.value) for one in sound(at.run()).warning)
        assert (f"what happens if only '{name}' is set" in said) == (name in determined), (name, said)
