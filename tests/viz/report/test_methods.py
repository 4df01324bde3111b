"""The paragraphs for a paper: every number is that of the run, and every learner has its publications."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from learners.graphs.knowledge import Knowledge
from learners.registry import LEARNERS, learn
from learners.results.directions import Support
from tests.viz.transcripts import FEW, NAMES, table_for
from viz.report.methods import BIBLIOGRAPHY, CITED, bibtex, methods_text
from viz.report.subject import Subject
from viz.text import count


def subject(key: str, **given) -> Subject:
    data = table_for(key)
    result = learn(key, data, **FEW.get(key, {}), **given)
    return Subject("a run", "clinic.csv", result, data, np.zeros((len(NAMES), 2)), knowledge=given.get("knowledge"))


@pytest.mark.parametrize("key", LEARNERS)
def test_every_learner_is_cited(key):
    """Each citation has the year of the paper in the learner's declaration."""
    entries = dict(re.findall(r"^@\w+\{(\w+),.*year = \{(\d+)\}\}$", BIBLIOGRAPHY.read_text("utf-8"), re.MULTILINE))
    assert CITED[key]
    assert all(entries[one] in LEARNERS[key].paper for one in CITED[key])


def test_every_entry_is_cited_and_balanced():
    lines = BIBLIOGRAPHY.read_text("utf-8").splitlines()
    keys = [re.match(r"@\w+\{(\w+),", line)[1] for line in lines]
    assert keys == sorted(set(keys))
    assert {key for cited in CITED.values() for key in cited} == set(keys)
    assert all(line.count("{") == line.count("}") for line in lines)


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("key", LEARNERS)
def test_the_numbers_are_those_of_the_run(key):
    one = subject(key)
    text, graph = methods_text(one), one.result.graph
    assert "500 rows" in text
    assert f"{count(graph.n_edges, 'edge')}, {len(graph.directed_edges())} of them" in text
    strong = [found for found in one.result.directions.values() if found.support is Support.CLEAR]
    if one.result.directions:
        assert f"support {len(strong)} of these directions strongly" in text
    assert LEARNERS[key].paper in text
    assert text.count("\n\n") == 1
    assert "edgewise" in bibtex(one)


def test_settings_name_what_differs_from_the_defaults():
    known = Knowledge(forbidden=(("stroke", "salt"),), tiers={"salt": 0, "stroke": 1})
    text = methods_text(subject("pc", alpha=0.001, knowledge=known))
    assert "Settings: significance level: 0.001 (default 0.05)." in text
    assert "All other settings had their defaults." in text
    assert "Background knowledge: 1 forbidden edge, 2 variables ordered in tiers." in text


def test_a_bootstrap_cites_the_learner_that_it_repeats():
    found = bibtex(subject("bootstrap", base="pc"))
    assert "friedman1999bootstrap" in found
    assert "colombo2014" in found


def test_a_partial_result_is_called_so():
    one = subject("pc")
    stopped = dataclasses.replace(one, result=dataclasses.replace(one.result, complete=False))
    assert "this is its partial result" in methods_text(stopped)
