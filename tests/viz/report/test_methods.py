"""The paragraphs for a paper: every number is that of the run, and every learner has its publications."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from learners.data.dataset import Dataset
from learners.data.plan.plan import default_plan, with_missing
from learners.data.plan.preparation import prepare
from learners.data.reading.table import read_table
from learners.graphs.knowledge import Knowledge
from learners.graphs.pag import PAG
from learners.io.samples import SAMPLES
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.recipes.recipe import read_recipe, recipe_of, write_recipe
from learners.recipes.rerun import rerun
from learners.registry import LEARNERS, learn
from learners.results.directions import Support
from learners.verdict.assumptions import Assumptions
from learners.verdict.trust import Trust
from pages.session.notes import MAX_CHARACTERS
from tests.tiers import family
from tests.viz.transcripts import FEW, NAMES, table_for
from viz.labels import setting_text, without_value
from viz.language import Language
from viz.report.document import Grid, Items
from viz.report.methods import BIBLIOGRAPHY, CITED, OF_SETTINGS, bibtex, methods_text
from viz.report.of_data import data_section
from viz.report.of_method import method_section
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
    assert {*OF_SETTINGS, *(key for cited in CITED.values() for key in cited)} == set(keys)
    assert all(line.count("{") == line.count("}") for line in lines)


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("key", LEARNERS)
def test_the_numbers_are_those_of_the_run(key):
    one = subject(key)
    text, graph = methods_text(one), one.result.graph
    assert "500 rows" in text
    edges, n_arrows = count(graph.n_edges, "edge"), len(graph.directed_edges())
    if isinstance(graph, PAG):
        assert (f"{edges}. {n_arrows} of them" if n_arrows else f"{edges}, none of which can be read as causal") in text
    else:
        assert f"{edges}, {n_arrows} of them" in text
    strong = [found for found in one.result.directions.values() if found.support is Support.CLEAR]
    if any(found.is_of_resamples for found in one.result.directions.values()):
        verb = "is" if len(strong) == 1 else "are"
        assert f"{len(strong)} of these directions {verb} stable" in text
        assert "of these directions strongly" not in text
    elif one.result.directions:
        assert f"support {len(strong)} of these directions strongly" in text
    assert LEARNERS[key].paper in text
    assert text.count("\n\n") == 1
    assert "edgewise" in bibtex(one)


def test_settings_name_what_differs_from_the_defaults():
    known = Knowledge(forbidden=(("stroke", "salt"),), tiers={"salt": 0, "stroke": 1})
    text = methods_text(subject("pc", alpha=0.001, knowledge=known))
    assert "Settings: significance level: 0.001 (default 0.05; [state your reason])." in text
    assert (
        "All other settings had their defaults: largest conditioning set: 3 (m = 3 in Huang and Zhou (2022));" in text
    )
    assert "Background knowledge: 1 forbidden edge, 2 variables ordered in tiers." in text


def test_a_source_does_not_repeat_its_default():
    text = methods_text(subject("lmm"))
    assert "largest conditioning set: 4 (Mahdi and Mezey (2013); 6 in their" in text
    assert "joint CPPD: product (Mahdi and Mezey (2013), equation 4;" in text


@pytest.mark.parametrize(
    ("p", "score"),
    [
        (14, "score: BIC, the automatic choice up to 14 variables (Schwarz 1978)"),
        (15, "score: extended BIC, the automatic choice for more than 14 variables (Foygel and Drton 2010)"),
    ],
)
def test_an_automatic_score_is_named(p, score):
    """The text says which score the run used, and why it has its test, in both languages."""
    values = np.random.default_rng(0).standard_normal((100, p))
    data = Dataset.from_values(values, [f"v{k}" for k in range(p)])
    one = Subject("a run", "t.csv", learn("mmhc", data), data, np.zeros((p, 2)))
    text = methods_text(one)
    rows = [block.rows for block in method_section(one).blocks if isinstance(block, Grid)][0]
    used = "extended BIC" if p >= 15 else "BIC"
    assert [value for label, value, _ in rows if label == "Score"] == [f"automatic: {used} was used"]
    assert score in text
    assert "automatic choice" not in text.replace(score, "")
    assert "test: Fisher's z (as in the papers)" in text
    assert "Testverfahren: Fishers z (wie in den Veröffentlichungen)" in methods_text(
        dataclasses.replace(one, language=Language("de"))
    )


def test_a_bootstrap_cites_the_learner_that_it_repeats():
    found = bibtex(subject("bootstrap", base="pc"))
    assert "friedman1999bootstrap" in found
    assert "colombo2014" in found


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("p", "cited"), [(14, "schwarz1978"), (15, "foygel2010")])
@pytest.mark.parametrize("code", ["en", "de"])
def test_publications_of_settings_are_cited(p, cited, code):
    """The entries contain each publication of the bibliography that the text names, and no other of a setting."""
    data = sample(random_gaussian_network(p, p, seed=1), 200, seed=1)
    one = Subject("a run", "a.csv", learn("boss", data), data, np.zeros((p, 2)), language=Language(code))
    found = bibtex(one)
    assert cited in found
    assert "wienobst2026" in found
    assert ("Huang" in methods_text(one)) == ("huang2022" in found)
    assert [key for key in OF_SETTINGS if f"{{{key}," in found] == [cited]


def test_a_partial_result_is_called_so():
    one = subject("pc")
    stopped = dataclasses.replace(one, result=dataclasses.replace(one.result, complete=False))
    assert "this is its partial result" in methods_text(stopped)


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize("key", LEARNERS)
def test_every_default_has_a_reason_fit_for_a_paper(key):
    """The reasons name publications, or Edgewise, and no file of the source code; the text fits its field."""
    one = subject(key)
    text = methods_text(one)
    assert "benchmarks" not in text
    assert "our choice" not in text
    assert len(text) <= MAX_CHARACTERS
    params = {name for name in one.result.params if name != "missing"}
    used = [
        p for p in LEARNERS[key].parameters_for(one.dataset.kind) if p.name in params and p.counts(one.result.params)
    ]
    for parameter in used:
        if (parameter.name, parameter.default) == ("score", "auto"):
            assert "the automatic choice" in text
        elif one.result.params[parameter.name] == parameter.default and "our choice" not in parameter.source:
            value = setting_text(parameter, parameter.default).removesuffix(f" {parameter.unit}")
            assert without_value(value, parameter.source) in text or "benchmarks/" in parameter.source


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(
    ("name", "key"), [("penguins", "pc"), ("wine", "boss"), ("asia", "ges"), ("asia", "bootstrap")]
)
def test_every_number_follows_from_the_recipe(name, key):
    """A run that is repeated from its recipe and its table has the same text, digit by digit."""
    table = read_table(SAMPLES[name].path)
    plan = default_plan(table)
    prepared = prepare(table, plan)
    result = learn(key, prepared.dataset, seed=7, **({"n_resamples": 4} if key == "bootstrap" else {}))
    recipe = read_recipe(write_recipe(recipe_of(table, plan, result, seed=7, name=name)).encode())
    zeros = np.zeros((prepared.dataset.p, 2))
    one = Subject("a run", name, result, prepared.dataset, zeros, table, plan, prepared.notes, recipe=recipe)
    again = rerun(recipe, table)
    data = prepare(table, recipe.plan)
    other = Subject(
        "a run", recipe.table.name, again.result, data.dataset, zeros, table, recipe.plan, data.notes, recipe=recipe
    )
    assert again.verdict.same
    assert methods_text(other) == methods_text(one)
    assert recipe.table.sha256[:16] in methods_text(one)


def test_the_checks_that_found_nothing_are_named():
    clean = sample(random_gaussian_network(8, 8, seed=5), 1_000, seed=5)
    text = methods_text(Subject("a run", "clean", learn("boss", clean), clean, np.zeros((8, 2))))
    assert "Checks of the numeric columns found no curved relation and none that changes along the rows." in text
    x = np.random.default_rng(0).normal(size=1_000)
    bent = Dataset.from_values(np.column_stack([x, x**2 + clean.values[:, 0]]), ("x", "y"))
    text = methods_text(Subject("a run", "bent", learn("boss", bent), bent, np.zeros((2, 2))))
    assert "found no curved" not in text


def test_columns_that_are_not_used_are_named():
    """A column that was split and the column of weights are used; one that was left out is not."""
    rows = "".join(f"{k},{k % 3},{'ab'[k % 2]},{90 + k % 7}/{60 + k % 5},{1 + k % 2}\n" for k in range(40))
    table = read_table(f"id,x,y,pressure,w\n{rows}".encode())
    plan = default_plan(table).change("id", kind="ignore")
    plan = dataclasses.replace(plan, weights="w").change("w", kind="ignore")
    dataset = prepare(table, plan).dataset
    one = Subject("a run", "t.csv", learn("pc", dataset), dataset, np.zeros((dataset.p, 2)), plan=plan)
    left_out = re.search(r"Not used: columns? ([^.]+)\.", methods_text(one))[1]
    assert "'id'" in left_out
    assert "'w'" not in left_out
    assert not any(f"'{name}'" in left_out for name in dataset.names)
    assert "Not used" not in methods_text(subject("pc"))


def test_missing_cells_are_stated_once_with_their_codes():
    """The text names the texts that were treated as missing, and does not repeat the note on imputation."""
    rng = np.random.default_rng(0)
    numbers = rng.standard_normal((200, 3)).round(2).astype(str)
    numbers[:9, 0], numbers[20:26, 1], numbers[40:50, 2] = "unknown", "-99", ""
    table = read_table(("a,b,c\n" + "\n".join(map(",".join, numbers))).encode())
    plan = with_missing(table, default_plan(table), {"a": ["unknown"], "b": ["-99"]}, kind="continuous")
    prepared = prepare(table, plan)
    result = learn("boss", prepared.dataset)
    one = Subject("a run", "t.csv", result, prepared.dataset, np.zeros((3, 2)), table, plan, prepared.notes)
    text = methods_text(one)
    (changed,) = (block.items for block in data_section(one).blocks if isinstance(block, Items))
    assert "Treated as missing in column 'b': '-99' (6 cells)." in changed
    assert "Treated as missing: 'unknown' and '-99'." in text
    assert "25 of 600 cells are missing" in text
    assert text.count("are missing") == 1


def test_the_verdict_on_the_arrows_follows_the_support_of_directions():
    """A text that counts strongly supported directions also counts the well supported arrows, once they were judged."""
    one = subject("boss")
    p = one.dataset.p
    cause, none = np.full((p, p), 0.5), np.full((p, p), np.nan)
    found = Trust(one.result.names, cause, none, cause, cause > 1, Assumptions(()), n_resamples=12, rows_seen=300)
    n = len(one.result.graph.directed_edges())
    text = methods_text(dataclasses.replace(one, trust=found))
    assert f"0 of {count(n, 'arrow')} are well supported as causes (P ≥ 0.9)." in text
    assert "P comes from graphs that several methods learned from 12 bootstrap samples" in text
    assert "Because of missing cells, P counts the table as 300 rows." in text
    assert "well supported as cause" not in methods_text(one)
