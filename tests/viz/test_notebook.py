"""Notebook of a run: a real kernel executes it cell by cell and finds the same result."""

from __future__ import annotations

import os

import nbformat
import pytest
from nbclient import NotebookClient

from learners.data.plan.binning import Binning
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading.table import read_table
from learners.data.resampling import held_out
from learners.explaining.explanation import explanation
from learners.graphs.knowledge import Knowledge
from learners.io.edge_csv import to_edge_csv
from learners.io.samples import SAMPLES
from learners.registry import learn
from tests.viz.cases import HOSTILE
from tests.viz.test_snippet import ROOT, files
from viz.notebook import notebook
from viz.snippet import Repeated, of_file, of_sample

EXPORTED_BY_0_2 = """
from learners import default_plan, Knowledge, learn, prepare, read_table
from learners.data.plan import Binning, ColumnPlan, Plan
from learners.data.tables import Table
from learners.data.treatments import Treatment
from learners.io.edge_csv import to_edge_csv
from learners.recipes.marks import mark_of_result, ResultMark
table = read_table('plain.csv')
plan = default_plan(table)
plan = plan.change('b', binning=Binning(method='width', bins=2))
plan = plan.change('a', tier=0)
dataset = prepare(table, plan).dataset
result = learn(
    'pc',
    dataset,
    knowledge=Knowledge(forbidden=(('c', 'a'),)),
    alpha=0.05,
    max_cond_size=3,
    test='g2',
    dof='adjusted',
    rows_per_cell=0.0,
)
print(to_edge_csv(result.graph, result.names, result.strengths))
expected = ResultMark(
    edges=1,
    graph='42d7f50337cd5028af5e3d0fdae335e445b9903c754c14626b4e02b229706435',
    strengths='9b8976fb5af49b88a389f095dff8cf4d0db5ad4b914ad3e63e3aceb6e4e796f9',
)
print('the same result' if mark_of_result(result) == expected else 'another result')
"""


def read(run: Repeated, title: str = "A run") -> nbformat.NotebookNode:
    """Return the notebook after validating its format."""
    found = nbformat.reads(notebook(run, title), as_version=4)
    nbformat.validate(found)
    return found


def run_of(origin, table, plan, key="pc", **params) -> Repeated:
    """Return a run to repeat."""
    return Repeated(origin, table, plan, learn(key, prepare(table, plan).dataset, **params))


@pytest.mark.deep
@pytest.mark.compiled
def test_a_kernel_finds_the_same_result(tmp_path, monkeypatch):
    """The notebook repeats a run on an upload with a plan, knowledge, held-out rows and a seed."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    data = files()["plain.csv"]
    (tmp_path / "plain.csv").write_bytes(data)
    table = read_table(data)
    plan = default_plan(table).change("a", kind="categorical", tier=0)
    known = Knowledge(forbidden=(("c", "a"),))
    dataset = held_out(prepare(table, plan).dataset, 0.2, seed=0)[0]
    result = learn("hc", dataset, knowledge=known, restarts=2, seed=4)
    found = read(Repeated(of_file("plain.csv", {}), table, plan, result, known, 0.2, 4))
    NotebookClient(found, timeout=240, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = ["".join(one.get("text", "") for one in cell.get("outputs", ())) for cell in found.cells]
    assert to_edge_csv(result.graph, result.names, result.strengths) + "\n" in printed
    assert printed[-1] == "the same result\n"


def test_a_notebook_of_version_0_2_runs(tmp_path, monkeypatch):
    """Its imports still work, and its last cell finds the same result."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{k % 2},{k * 7 % 5},{k * 3 % 4}\n" for k in range(60))
    (tmp_path / "plain.csv").write_text(f"a,b,c\n{rows}", encoding="utf-8")
    printed = []
    exec(EXPORTED_BY_0_2, {"print": printed.append})
    assert printed[-1] == "the same result"


def test_another_result_is_reported():
    """The last cell compares the result with that of the original run."""
    table = read_table(SAMPLES["penguins"].path)
    plan = default_plan(table)
    run = run_of(of_sample("penguins"), table, plan, alpha=0.05)
    last = read(run).cells[-1].source
    other = learn("pc", prepare(table, plan).dataset, alpha=1e-9)
    calls = []
    head = read(run).cells[1].source
    exec(f"{head}\n{last}", {"result": other, "print": calls.append})
    exec(f"{head}\n{last}", {"result": run.result, "print": calls.append})
    assert calls == ["another result", "the same result"]


def test_an_edge_is_explained_as_in_the_app():
    """The cell prints the sentences of the record, for a pair given by its names."""
    table = read_table(SAMPLES["penguins"].path)
    plan = default_plan(table)
    run, printed = run_of(of_sample("penguins"), table, plan, "hc"), []
    cells = [cell.source for cell in read(run).cells if cell.cell_type == "code"]
    explaining = next(source for source in cells if "explanation(" in source)
    data = prepare(table, plan).dataset
    exec(
        f"{cells[0]}\n{explaining}",
        {"result": run.result, "dataset": data, "print": lambda *texts, **_: printed.extend(texts)},
    )
    assert tuple(printed) == explanation(run.result, sorted(run.result.graph.edges())[0][:2], data).written()


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_only_names(name):
    """Headings show the names of tables, columns and levels as text, and code quotes them."""
    name = " ".join(name.split())
    table = read_table(b"a,b\n1,2\n2,1\n3,1\n", names=["a", f"b {name}"])
    plan = default_plan(table).change(f"b {name}", "a", kind="categorical", binning=Binning(bins=2), missing=(name,))
    found = read(run_of(of_file(name, {}), table, plan), name)
    for cell in found.cells:
        if cell.cell_type == "code":
            compile(cell.source, "cell", "exec")
    assert found.cells[0].source.startswith("# ")
    assert "\n#" not in found.cells[0].source
