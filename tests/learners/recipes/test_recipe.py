"""Tests of recipes: round trips through a file, reruns, and reports of differences."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from learners import (
    LEARNERS,
    SAMPLES,
    Knowledge,
    LearnersError,
    ParameterError,
    default_plan,
    learn,
    load_network,
    prepare,
    random_gaussian_network,
    read_recipe,
    read_table,
    recipe_of,
    rerun,
    sample,
    write_recipe,
)
from learners.data.plan.binning import Binning
from learners.data.reading.table import Table
from learners.data.resampling import held_out
from learners.recipes.fingerprints import fingerprint_result, fingerprint_table
from tests.viz.cases import HOSTILE

ROWS = b"".join(b"%b,%b\n" % (pair, z) for pair in (b"0,0", b"0,1", b"1,1", b"1,1") for z in (b"a", b"b"))
CSV = b"x,y,z\n" + ROWS * 15
TINY = {"bootstrap": {"n_resamples": 3}}


def run(csv: bytes = CSV, key: str = "pc", **params):
    """Return a table, its plan and a run of it."""
    table = read_table(csv)
    plan = default_plan(table)
    return table, plan, learn(key, prepare(table, plan).dataset, **params)


def changed():
    """Return a recipe with every part that a recipe can have."""
    table = read_table(CSV, max_rows=80)
    plan = default_plan(table).change("z", kind="ignore").change("x", tier=1).change("y", missing=("", "?"))
    dataset = held_out(prepare(table, plan).dataset, 0.25, seed=0)[0]
    known = Knowledge(forbidden=(("y", "x"),), tiers={"x": 0})
    result = learn("hc", dataset, knowledge=known, restarts=2, seed=5)
    recipe = recipe_of(
        table, plan, result, knowledge=known, seed=5, held_out=0.25, reading={"max_rows": 80}, name="mine.csv"
    )
    return table, recipe


def test_a_recipe_comes_back_and_gives_the_same():
    """The recipe from the file is equal in every part; the file is readable JSON."""
    table, recipe = changed()
    text = write_recipe(recipe)
    assert read_recipe(text.encode()) == recipe
    assert json.loads(text)["table"]["name"] == "mine.csv"
    again = rerun(read_recipe(text.encode()), read_table(CSV, **recipe.reading))
    assert again.verdict.same
    assert again.verdict.sentences[0].startswith("the result is the same: ")
    assert len(again.verdict.sentences) == 1
    assert again.result.use.rows_of == table.n


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """Return a table for each column type."""
    return {
        "categorical": Table.from_dataset(sample(load_network("asia"), 300, 2)),
        "continuous": Table.from_dataset(sample(random_gaussian_network(6, 6, 3), 200, 3)),
        "mixed": read_table(SAMPLES["penguins"].path),
    }


@pytest.mark.gate_cases(4)
@pytest.mark.compiled
@pytest.mark.parametrize("key", LEARNERS)
def test_every_learner_is_replayed(key, tables):
    """A recipe file of any learner and column type, with a non-default seed, gives the same result again."""
    for kind in LEARNERS[key].kinds:
        table = tables[kind]
        plan = default_plan(table)
        if kind != "mixed":
            plan = plan.change(*table.names, kind=kind, missing=())
        result = learn(key, prepare(table, plan).dataset, seed=3, **TINY.get(key, {}))
        recipe = read_recipe(write_recipe(recipe_of(table, plan, result, seed=3)).encode())
        assert rerun(recipe, table).verdict.same, kind


def test_what_differs_is_said():
    """The verdict reports a changed table (size or content), version or graph, or that only strengths changed."""
    table, plan, result = run()
    recipe = recipe_of(table, plan, result)
    longer = rerun(recipe, read_table(CSV + ROWS)).verdict
    assert not longer.same
    assert longer.sentences == (
        "the result differs: the graph is the same, of 1 edge, but not all strengths are",
        "the table differs: 120 rows and 3 columns then, 128 rows and 3 columns now",
    )
    swapped = rerun(recipe, read_table(b"x,y,z\n" + b"".join(sorted(CSV.splitlines(keepends=True)[1:])))).verdict
    assert swapped.same
    assert swapped.sentences[1] == (
        "the table differs: its names, cells or their order, though it has 120 rows and 3 columns as then"
    )
    even = b"".join(b"%d,%d,%s\n" % (x, y, z) for x in (0, 1) for y in (0, 1) for z in (b"a", b"b"))
    odd = rerun(recipe, read_table(b"x,y,z\n" + even * 15)).verdict
    assert odd.sentences[0] == "the result differs: another graph (1 edge then, 0 now)"
    older = rerun(replace(recipe, version="0.0.1"), table).verdict
    assert older.same
    assert older.sentences[1].startswith("the recipe is of version '0.0.1', this is version '")


def test_a_recipe_whose_counts_do_not_fit_its_hashes_is_named():
    """No part of a recipe is ignored: rows and edges are compared even if the hashes agree."""
    table, plan, result = run()
    recipe = recipe_of(table, plan, result)
    edited = replace(recipe, table=replace(recipe.table, rows=9), result=replace(recipe.result, edges=7))
    assert rerun(edited, table).verdict.sentences[1:] == (
        "the recipe was changed: it gives its table 9 rows and 3 columns, the table has 120 rows and 3 columns; "
        "export it again",
        "the recipe was changed: it gives its graph 7 edges, not 1; export it again",
    )


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("seed", -1),
        ("seed", "x"),
        ("held_out", 1.0),
        ("learner", "pcc"),
        ("reading", {"a": 1}),
        ("parameters", {"a": 1}),
    ],
)
def test_a_recipe_that_could_not_be_read_is_not_made(part, value):
    """The parts of a recipe are checked at construction as strictly as on reading."""
    with pytest.raises(ParameterError):
        replace(changed()[1], **{part: value})


def test_a_run_that_was_stopped_cannot_be_held_against():
    """If the run of the recipe or its rerun was cancelled, there is no verdict."""
    table, plan, result = run()
    stopped = rerun(recipe_of(table, plan, replace(result, complete=False)), table).verdict
    assert (stopped.same, "stopped before its end" in stopped.sentences[0]) == (None, True)
    again = rerun(recipe_of(table, plan, result), table, tick=lambda *_: False)
    assert not again.result.complete
    assert again.verdict.same is None


def test_the_hash_of_a_table_sees_every_cell_and_name():
    """The hash depends on every cell and name, but neither on the file name nor on the file format."""
    table = read_table(CSV)
    mark = fingerprint_table(table).sha256
    assert fingerprint_table(read_table(CSV.replace(b",", b";")), "other").sha256 == mark
    for other in (CSV.replace(b"1,1,b", b"1,1,c", 1), CSV.replace(b"x,y", b"x,w"), CSV + b"0,0,a\n",
                  CSV.replace(b"x,y,z", b"y,x,z"), CSV.replace(b"0,0,b\n0,1,a", b"0,1,a\n0,0,b", 1)):  # fmt: skip
        assert fingerprint_table(read_table(other)).sha256 != mark


def test_the_hash_of_a_result_sees_edges_directions_and_strengths():
    """The hash depends on edges, directions and strengths, but not on the column order or on rounding differences."""
    table = Table.from_dataset(sample(load_network("asia"), 2000, 1))
    plan = default_plan(table)
    result = learn("pc", prepare(table, plan).dataset)
    mark = fingerprint_result(result)
    turned = replace(plan, columns=plan.columns[::-1])
    assert fingerprint_result(learn("pc", prepare(table, turned).dataset)) == mark
    values = result.strengths.values
    near = replace(result, strengths=replace(result.strengths, values=values * (1 + 1e-13)))
    far = replace(result, strengths=replace(result.strengths, values=values * 1.001))
    assert fingerprint_result(near) == mark
    assert fingerprint_result(far).graph == mark.graph
    assert fingerprint_result(far).strengths != mark.strengths
    amat = result.graph.amat.copy()
    i, j = result.graph.edges()[0]
    amat[i, j] = ~amat[i, j] if amat[j, i] else amat[i, j]
    amat[j, i] = True
    assert fingerprint_result(replace(result, graph=type(result.graph)(amat))).graph != mark.graph


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_any_kind_come_back(name):
    """Columns and tables may have any name."""
    table = read_table(b"a,b\n0,0\n1,1\n0,1\n" * 1, names=["a", "b " + name])
    plan = default_plan(table)
    recipe = recipe_of(table, plan, run()[2], name=name, knowledge=Knowledge(tiers={name: 1}))
    assert read_recipe(write_recipe(recipe).encode()) == recipe


PARTS = {
    "cut short": (lambda text: text[:-20], "a recipe must be JSON, line"),
    "no JSON": (lambda _: "table,plan\n1,2\n", "a recipe must be JSON, line 1"),
    "nested": (lambda _: "[" * 100_000, "a recipe must be JSON"),
    "long number": (lambda text: text.replace('"seed": 5', '"seed": ' + "9" * 5_000), "numbers of a usual length"),
    "list": (lambda _: "[]", "must say 'edgewise_recipe': 1"),
    "plan": (lambda text: text.replace("edgewise_recipe", "edgewise_plan"), "must say 'edgewise_recipe': 1"),
    "next version": (
        lambda text: text.replace('"edgewise_recipe": 1', '"edgewise_recipe": 2'), "must say 'edgewise_recipe': 1"),
    "true version": (
        lambda text: text.replace('"edgewise_recipe": 1', '"edgewise_recipe": true'), "must say 'edgewise_recipe': 1"),
    "foreign key": (lambda text: text.replace('"seed"', '"sead"'), "unknown entry 'sead' in the recipe; did you mean"),
    "twice": (lambda text: text.replace('"seed": 5', '"seed": 5, "seed": 6'), "each key once, found 'seed' again"),
    "foreign learner": (lambda text: text.replace('"hc"', '"pcc"'), "unknown learner 'pcc'"),
    "foreign parameter": (lambda text: text.replace('"restarts"', '"tick"'), "entry 'tick' in the parameters of"),
    "wrong parameter": (lambda text: text.replace('"restarts": 2', '"restarts": 1e9'), "restarts must be a whole"),
    "infinite": (lambda text: text.replace('"held_out": 0.25', '"held_out": 1e999'), "held_out must be in"),
    "NaN": (lambda text: text.replace('"held_out": 0.25', '"held_out": NaN'), "finite numbers, found NaN"),
    "huge seed": (lambda text: text.replace('"seed": 5', f'"seed": {10**30}'), "seed must be a whole number of at"),
    "negative seed": (lambda text: text.replace('"seed": 5', '"seed": -1'), "seed must be a whole number"),
    "foreign option": (lambda text: text.replace('"max_rows"', '"source"'), "entry 'source' in the reading of"),
    "text version": (lambda text: text.replace('"version": "', '"version": 1, "v": "'), "entry 'v' in the recipe"),
    "wrong hash": (lambda text: text.replace('"sha256": "', '"sha256": "z'), "sha256 of the table must be 64"),
    "wrong graph": (lambda text: text.replace('"graph": "', '"graph": "../'), "graph of the result must be 64"),
    "wrong rows": (lambda text: text.replace('"rows": 80', '"rows": -80'), "rows of the table must be"),
    "wrong tier": (lambda text: text.replace('"x": 0', '"x": "first"'), "tier of 'x' must be a number"),
    "wrong edge": (lambda text: text.replace('"forbidden": [', '"forbidden": [3, '), "each edge of forbidden"),
    "wrong plan": (lambda text: text.replace('"missing_policy": "', '"missing_policy": "no'), "unknown missing_policy"),
    "no plan": (lambda text: text.replace('"plan": {', '"plan": null, "p": {'), "entry 'p' in the recipe"),
}  # fmt: skip


@pytest.mark.parametrize("case", PARTS)
def test_a_file_that_is_no_recipe_is_refused(case):
    """An invalid recipe is refused with the reason when it is read, or at the rerun."""
    change, sentence = PARTS[case]
    table, recipe = changed()
    text = change(write_recipe(recipe))
    assert text != write_recipe(recipe)
    with pytest.raises(LearnersError, match=sentence):
        rerun(read_recipe(text.encode()), table)


def test_a_table_without_a_column_of_the_recipe_is_refused():
    """A table without a column of the recipe gives the same error as for a plan."""
    recipe = recipe_of(*run())
    with pytest.raises(LearnersError, match="the plan uses column 'y', which the table lacks"):
        rerun(recipe, read_table(CSV.replace(b"x,y", b"x,w")))


def test_bins_and_notes_travel():
    """Changes to columns, such as bins, are repeated at the rerun and reported in its notes."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    text = "x,y\n" + "\n".join(f"{a:.3f},{a + b:.3f}" for a, b in zip(x, rng.normal(size=200), strict=True))
    table = read_table(text.encode())
    plan = default_plan(table).change("x", "y", kind="categorical", binning=Binning("frequency", 4))
    recipe = recipe_of(table, plan, learn("pc", prepare(table, plan).dataset))
    again = rerun(read_recipe(write_recipe(recipe).encode()), table)
    assert again.verdict.same
    assert any("bins" in note for note in again.notes)
