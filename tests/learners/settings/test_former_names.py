"""Tests that earlier names of parameters are accepted wherever users or files may use them."""

from __future__ import annotations

import dataclasses

import pytest

from learners import (
    LEARNERS,
    BDeu,
    BGe,
    ParameterError,
    default_plan,
    learn,
    load_sample,
    prepare,
    read_recipe,
    read_table,
    recipe_of,
    sweep,
    write_recipe,
)
from learners.__main__ import main
from learners.registry import bound

CSV = "a,b\n" + "0,1\n1,1\n1,0\n" * 10
ASIA = load_sample("asia").dataset.take(range(100))


def test_calls_and_sweeps_take_an_earlier_name():
    result = learn("hc", ASIA, edge_price=2.0)
    assert result.params == learn("hc", ASIA, edge_penalty=2.0).params
    assert result.params["edge_penalty"] == 2.0
    found = sweep("hc", ASIA, "edge_price", [1.0, 2.0])
    assert [each.params["edge_penalty"] for each in found.results] == [1.0, 2.0]


@pytest.mark.parametrize(("score", "sample"), [(BDeu, "asia"), (BGe, "gauss30")])
def test_scores_take_an_earlier_name(score, sample):
    dataset = load_sample(sample).dataset
    assert score(dataset, edge_price=2.0).settings == score(dataset, edge_penalty=2.0).settings


@pytest.mark.parametrize(
    "call",
    [
        lambda names: learn("hc", ASIA, **names),
        lambda names: BDeu(ASIA, **names),
        lambda names: BGe(load_sample("gauss30").dataset, **names),
    ],
)
def test_both_names_of_a_parameter_are_refused(call):
    with pytest.raises(ParameterError, match="edge_price is the earlier name of edge_penalty, got both; leave out"):
        call({"edge_price": 2.0, "edge_penalty": 1.0})


def test_a_stored_result_has_the_present_names():
    result = learn("hc", ASIA, edge_penalty=2.0)
    stored = dataclasses.replace(result, params={"edge_price": 2.0})
    assert bound(stored, ASIA).params == {"edge_penalty": 2.0}


def test_a_recipe_with_an_earlier_name_is_read():
    table = read_table(CSV.encode())
    plan = default_plan(table)
    recipe = recipe_of(table, plan, learn("hc", prepare(table, plan).dataset, edge_penalty=2.0))
    text = write_recipe(recipe)
    assert "edge_penalty" in text
    assert read_recipe(text.replace("edge_penalty", "edge_price").encode()) == recipe


def test_the_command_line_takes_an_earlier_name(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(CSV)
    options = ["learn", str(path), "--learner", "hc", "--edge-price", "2"]
    assert main(options) == 0
    assert '"edge_penalty": 2.0' in capsys.readouterr().out


def test_an_earlier_name_is_no_present_one():
    """No earlier name is a current name, since it would be ambiguous."""
    for learner in LEARNERS.values():
        names = {parameter.name for parameter in learner.settings}
        assert not names & {parameter.former for parameter in learner.settings if parameter.former}
