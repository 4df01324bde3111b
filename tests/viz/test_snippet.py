"""Python code of a run: executed in a fresh process, it learns the same graph."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from learners.data.plan.binning import Binning
from learners.data.plan.conversion import Treatment
from learners.data.plan.plan import ColumnPlan, Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading.table import Table, read_table
from learners.data.resampling import held_out
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.io.edge_csv import to_edge_csv
from learners.io.interchange import from_model_string
from learners.io.samples import SAMPLES, load_network, load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS, learn
from tests.viz.cases import HOSTILE, made
from viz.snippet import Repeated, changes, model_string, of_file, of_network, of_random_network, of_sample, snippet

ROOT = Path(__file__).resolve().parents[2]
# Runs each text separately, as if it were pasted, and returns the output of each.
PASTE = """
import contextlib, io, json, sys
reported = []
for text in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "pasted", "exec"), {"__name__": "__main__"})
    reported.append(out.getvalue())
print(json.dumps(reported))
"""
TINY = {"n_resamples": 3}
# The instructions used for sums, and thus the last digits, depend on the machine.
ARITHMETIC = {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_")}


def pasted(texts: list[str], folder: Path) -> list[str]:
    """Return the output of a fresh process for each of the texts, run in a folder."""
    ended = subprocess.run(
        [sys.executable, "-c", PASTE], input=json.dumps(texts), capture_output=True, text=True, cwd=folder, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(Path.home())} | ARITHMETIC, timeout=500,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    return json.loads(ended.stdout)


def reported(result) -> str:
    """Return the output expected of the code's last line: the edge list."""
    return to_edge_csv(result.graph, result.names, result.strengths) + "\n"


def params_of(key: str, kind: str) -> dict:
    """Return settings that differ from the defaults, if the learner has them."""
    known = {one.name for one in LEARNERS[key].parameters_for(kind)}
    return {name: value for name, value in {"alpha": 0.02, **TINY}.items() if name in known}


@pytest.mark.deep
def test_every_learner_learns_the_same_when_pasted(tmp_path):
    """Each accepted column type is covered, with settings that differ from the defaults."""
    tables = {
        "categorical": (of_network("asia", 300, 2), Table.from_dataset(sample(load_network("asia"), 300, 2))),
        "continuous": (
            of_random_network(6, 6, 200, 3),
            Table.from_dataset(sample(random_gaussian_network(6, 6, 3), 200, 3)),
        ),
        "mixed": (of_sample("penguins"), read_table(SAMPLES["penguins"].path)),
    }
    texts, expected = [], []
    for key, learner in LEARNERS.items():
        for kind in learner.kinds:
            origin, table = tables[kind]
            plan = default_plan(table)
            if kind != "mixed":
                plan = plan.change(*table.names, kind=kind, missing=())
            result = learn(key, prepare(table, plan).dataset, **params_of(key, kind))
            texts.append(snippet(Repeated(origin, table, plan, result)))
            assert texts[-1].startswith("# pip install edgewise\n")
            expected.append(reported(result))
    assert len(texts) > len(LEARNERS)
    assert pasted(texts, tmp_path) == expected


def files() -> dict[str, bytes]:
    """Return two uploads: a German one with a title, dates and an inconsistent spelling, and a plain one."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=150)
    y, z = x + rng.normal(size=150), rng.normal(size=150)
    numbers = [";".join(f"{value:.3f}".replace(".", ",") for value in row) for row in zip(x, y, z, strict=True)]
    words = [
        f"{'up' if a > 0 else 'down' if a > -1 else '?'};{'m' if b > 0 else 'M '};{2000 + k % 7}-0{1 + k % 9}-11"
        for k, (a, b) in enumerate(zip(x, y, strict=True))
    ]
    rows = [f"{one};{other}" for one, other in zip(numbers, words, strict=True)]
    german = "\n".join(["A title above", "x;y;z;group;sex;day", *rows])
    plain = ["a,b,c", *(f"{k % 2},{k // 2 % 2},{(k % 2) ^ (k % 5 == 0)}" for k in range(90))]
    return {"mine's.csv": german.encode("utf-16"), "plain.csv": "\n".join(plain).encode()}


@pytest.mark.deep
def test_uploads_are_read_and_changed_as_they_were(tmp_path):
    """The code repeats the import options, the changes to columns, knowledge and held-out rows."""
    content = files()
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    cases = []
    options = {
        "header": 2,
        "separator": ";",
        "decimal": ",",
        "names": ["x", "y", "constructor", 'group "1"', "sex", "day"],
    }
    table = read_table(content["mine's.csv"], **options)
    plan = default_plan(table).change("x", "y", "constructor", kind="categorical", binning=Binning(bins=2))
    plan = plan.change('group "1"', missing=("", "?")).with_policy("category")
    plan = plan.change("sex", treatment=Treatment("spelling")).change("day", kind="ignore", tier=1)
    made_columns = [
        ColumnPlan(f"day: {part}", "categorical", treatment=Treatment("date", part=part), source="day", tier=1)
        for part in ("year", "month")
    ]
    plan = Plan((*plan.columns[:2], made_columns[0], *plan.columns[2:], made_columns[1]), plan.missing_policy)
    knowledge = Knowledge(required=(("x", "y"),), forbidden=(("sex", "constructor"),), tiers={"x": 0, "sex": 1})
    cases.append((of_file("mine's.csv", options), table, plan, knowledge, 0.0))
    table = read_table(content["plain.csv"])
    cases.append((of_file("plain.csv", {}), table, default_plan(table), None, 0.2))
    cases.append((of_file("plain.csv", {}), table, default_plan(table).with_weights("c"), None, 0.0))
    child = read_table(SAMPLES["child"].path)
    cases.append((of_sample("child"), child, default_plan(child).change("Age", "Sick", kind="ignore"), None, 0.0))
    texts, expected = [], []
    for origin, table, plan, knowledge, aside in cases:
        dataset = prepare(table, plan).dataset
        dataset = held_out(dataset, aside, seed=0)[0] if aside else dataset
        result = learn("pc", dataset, knowledge=knowledge, alpha=0.1)
        texts.append(snippet(Repeated(origin, table, plan, result, knowledge, aside)))
        expected.append(reported(result))
    assert pasted(texts, tmp_path) == expected


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_a_text_and_no_code(name):
    """Columns, levels and files may have any name."""
    table = read_table(b"a,b\n1,2\n2,1\n", names=["a", "b " + name]) if "\n" not in name else read_table(b"a,b\n1,2\n")
    plan = default_plan(table).change(table.names[1], kind="ignore", missing=(name,))
    result = made([], p=2, names=table.names)
    lines = snippet(Repeated(of_file(name, {}), table, plan, result))
    space: dict = {"default_plan": default_plan}
    exec(f"def change(plan):\n    return {changes(default_plan(table), plan)[0]}", space)
    assert space["change"](default_plan(table)) == plan
    compile(lines, "pasted", "exec")


def test_an_unchanged_plan_needs_no_line():
    """The text contains only changes, and equal changes of columns share one line."""
    table = read_table(SAMPLES["child"].path)
    plan = default_plan(table)
    assert changes(plan, plan) == []
    assert changes(plan, plan.change("Age", "LVH", kind="ignore")) == ["plan.change('LVH', 'Age', kind='ignore')"] or (
        changes(plan, plan.change("Age", "LVH", kind="ignore")) == ["plan.change('Age', 'LVH', kind='ignore')"]
    )


def test_model_string_holds_a_dag_of_the_class():
    """The model string, read back, has the skeleton and arrows of the class; the text calls it one DAG of the class."""
    result = learn("pc", load_sample("asia").dataset)
    text, sentence = model_string(result)
    dag, names = from_model_string(text)
    assert names == result.names
    assert np.array_equal(dag.skeleton, result.graph.skeleton)
    assert np.all(dag.amat[result.graph.amat & ~result.graph.amat.T])
    assert sentence.startswith("One DAG of the equivalence class")


@pytest.mark.parametrize(
    ("names", "graph", "reason"),
    [
        (("a", "b[1]", "c"), PDAG.from_edges(3, directed=[(0, 1)]), "b[1]"),
        (("a", "b", "c"), PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)]), "no DAG"),
    ],
    ids=["brackets", "cycle"],
)
def test_graphs_without_a_model_string_say_why(names, graph, reason):
    """Names that the format cannot escape and graphs without a consistent DAG have no model string."""
    text, sentence = model_string(dataclasses.replace(made([], names=names), graph=graph))
    assert text is None
    assert reason in sentence
