"""Tests of graphs in other packages: round trips, and the edges that the package sees."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pgmpy.base
import pyagrum
import pytest

from learners import PAG, PDAG, ParameterError, consistent_extension, cpdag, learn, load_sample, random_dag
from learners.io import packages
from learners.io.interchange import to_networkx
from tests.test_architecture import ROOT

DOWHY = Path(__file__).with_name("dowhy.txt")
# The graph x <- z -> y, x -> y in DoWhy, with rows of its equations.
WITH_DOWHY = """
import json
import dowhy, numpy, pandas
from learners import PDAG
from learners.io import packages
graph = packages.to_dowhy(PDAG.from_edges(3, directed=[(0, 1), (0, 2), (1, 2)]), ("z", "x", "y"))
rng = numpy.random.default_rng(0)
z = rng.normal(size=500)
x = z + rng.normal(size=500)
frame = pandas.DataFrame({"z": z, "x": x, "y": 2.0 * x + z + rng.normal(size=500)})
model = dowhy.CausalModel(frame, "x", "y", graph=graph)
estimand = model.identify_effect()
effect = model.estimate_effect(estimand, method_name="backdoor.linear_regression").value
print(json.dumps({"sets": estimand.get_backdoor_variables(), "effect": effect}))
"""
NAMES = ("b", "a c", "d'\"", "e", "f", "g")
PACKAGES = ("networkx", "igraph", "pgmpy", "pyagrum", "causal_learn")


def there_and_back(package: str, graph: PDAG) -> tuple[PDAG, tuple[str, ...]]:
    write = to_networkx if package == "networkx" else getattr(packages, f"to_{package}")
    return getattr(packages, f"from_{package}")(write(graph, NAMES))


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("seed", range(8))
def test_a_graph_comes_back_from_a_package(package, seed):
    """DAGs and CPDAGs survive a round trip, with isolated nodes and unusual names."""
    dag = random_dag(6, 1.5, seed=seed)
    for graph in (dag, cpdag(dag), PDAG.empty(6)):
        found, names = there_and_back(package, graph)
        place = [names.index(name) for name in NAMES]
        assert np.array_equal(found.amat[np.ix_(place, place)], graph.amat)


def test_the_packages_see_the_same_edges():
    """Each package reads the same graph, with one arrow and one undirected edge."""
    graph = PDAG.from_edges(6, directed=[(0, 1)], undirected=[(1, 2)])
    made = packages.to_pgmpy(graph, NAMES)
    assert isinstance(made, pgmpy.base.PDAG)
    assert made.directed_edges == {("b", "a c")}
    assert set(made.nodes) == set(NAMES)
    other = packages.to_pyagrum(graph, NAMES)
    assert (other.arcs(), other.edges()) == ({(0, 1)}, {(1, 2)})
    assert [other.nameFromId(k) for k in range(6)] == list(NAMES)


def test_a_network_of_pyagrum_gives_its_dag():
    graph, names = packages.from_pyagrum(pyagrum.fastBN("a->b<-c"))
    assert {(names[i], names[j]) for i, j in graph.directed_edges()} == {("a", "b"), ("c", "b")}


def test_an_undirected_graph_has_undirected_edges():
    graph, names = packages.from_networkx(nx.path_graph(["x", "y", "z"]))
    assert names == ("x", "y", "z")
    assert graph == PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_of_a_graph_is_recognised(package):
    graph = PDAG.from_edges(6, directed=[(0, 1)], undirected=[(1, 2)])
    write = to_networkx if package == "networkx" else getattr(packages, f"to_{package}")
    found, names = packages.from_package(write(graph, NAMES))
    place = [names.index(name) for name in NAMES]
    assert np.array_equal(found.amat[np.ix_(place, place)], graph.amat)


def test_a_graph_of_no_package_is_refused():
    with pytest.raises(ParameterError, match="graph must be of networkx, .*, got PDAG"):
        packages.from_package(PDAG.empty(2))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_result_converts_its_graph(package):
    result = learn("hc", load_sample("asia").dataset)
    graph, names = packages.from_package(getattr(result, f"to_{package}")())
    place = [names.index(name) for name in result.names]
    assert np.array_equal(graph.amat[np.ix_(place, place)], result.graph.amat)


def test_the_graph_for_dowhy_is_a_dag_of_the_class():
    """DoWhy checks with networkx that its graph is acyclic; its CPDAG is that of the result."""
    result = learn("hc", load_sample("asia").dataset)
    made = result.to_dowhy()
    assert nx.is_directed_acyclic_graph(made)
    graph, names = packages.from_package(made)
    assert names == result.names
    assert cpdag(graph) == cpdag(consistent_extension(result.graph).dag)
    with pytest.raises(ParameterError, match="DoWhy needs a DAG, but no DAG has the adjacencies"):
        packages.to_dowhy(PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)]), ("a", "b", "c"))


@pytest.fixture(scope="module")
def dowhy_folder() -> Path:
    """Return a folder with DoWhy and what it needs beside the packages of the tests."""
    folder = ROOT / ".venv" / "dowhy"
    stamp = folder / DOWHY.read_text("utf-8").replace("\n", " ").strip()
    if not stamp.exists():
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--target", folder, "-r", DOWHY], check=True)
        stamp.touch()
    return folder


@pytest.mark.deep
def test_dowhy_takes_the_graph(dowhy_folder):
    """DoWhy finds the adjustment set of the graph, z, and the effect of the equations, 2."""
    paths = os.pathsep.join(map(str, (ROOT, dowhy_folder)))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WITH_DOWHY],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["sets"] == ["z"]
    assert found["effect"] == pytest.approx(2.0, abs=0.15)  # three standard errors of the coefficient, 1 / sqrt(500)


def test_ends_of_a_pag_are_kept_or_refused():
    pag = PAG.from_ends(6, [(0, "o->", 2), (1, "o->", 2), (2, "->", 3), (4, "<->", 3), (4, "o-o", 5)])
    for package in ("igraph", "pgmpy", "pyagrum", "dowhy"):
        with pytest.raises(ParameterError, match="no ends of a PAG"):
            getattr(packages, f"to_{package}")(pag, NAMES)
    assert there_and_back("causal_learn", pag) == (pag, NAMES)


def test_a_missing_package_is_named():
    with pytest.raises(ParameterError, match="this needs causal-learn, .* `pip install causal-learn`"):
        packages._package("causallearn.missing")
