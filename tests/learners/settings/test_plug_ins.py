"""Tests of learners from other packages: the example of the guide, and broken packages."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from learners.common.errors import LearnersError
from learners.families.catalogue import LEARNERS
from learners.io.samples import load_sample
from learners.settings import plug_ins as module
from learners.settings.needs import the_data
from learners.settings.parameter import Parameter
from learners.settings.plug_ins import GROUP, plug_ins
from tests.test_architecture import ROOT

GUIDE = (ROOT / "docs/guides/plug-in.md").read_text(encoding="utf-8")
ASIA = "sample_data/data/asia.csv"


def block(language: str) -> str:
    return re.search(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)[1]


def in_process_with(folder: Path, *args: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *args],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Path:
    """Return a folder with the package of the guide, installed as pip would."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "edgewise_marginal.py").write_text(block("python"), encoding="utf-8")
    about = folder / "edgewise_marginal-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: edgewise-marginal\nVersion: 1.0\n", encoding="utf-8")
    name, target = re.search(r'^(\w+) = "(\w+:\w+)"', block("toml"), re.MULTILINE).groups()
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {target}\n", encoding="utf-8")
    return folder


def test_the_example_is_short():
    """The example of the guide has at most 30 lines, imports included."""
    assert len([line for line in block("python").splitlines() if line.strip()]) <= 30


@pytest.mark.deep
@pytest.mark.compiled
def test_the_example_learns_explains_and_stands_in_the_list(example):
    asked = ("-m", "learners", "learn", ASIA, "--learner", "marginal", "--explain", "tub", "xray", "--quiet")
    explained = in_process_with(example, *asked)
    assert explained.returncode == 0, explained.stderr
    assert "The only test" in explained.stdout
    listed = in_process_with(example, "-m", "learners", "list").stdout
    assert "marginal" in listed
    assert "Marginal graph" in listed


ON_PAGES = """
from learners import LEARNERS
from streamlit.runtime.pages_manager import PagesManager
from tests.pages.driving import as_on_our_server, go, learn_now, open_app

PagesManager.__init__ = as_on_our_server(PagesManager.__init__)
assert "marginal" in LEARNERS["bootstrap"].parameters[0].choices
at = learn_now(open_app(learner="marginal"))
assert not at.exception
assert at.session_state["runs"][-1].result.method == "marginal"
go(at, "inspect")
assert not at.exception
"""


@pytest.mark.deep
@pytest.mark.compiled
def test_the_example_runs_on_the_pages(example):
    """Learn shows the form of the example, Inspect shows its run, and the bootstrap can use it."""
    done = in_process_with(example, "-c", ON_PAGES)
    assert done.returncode == 0, done.stderr


class Point(EntryPoint):
    """An entry point that loads the object chosen by the test."""

    given: dict[str, object] = {}

    def load(self) -> object:
        value = self.given[self.name]
        if isinstance(value, Exception):
            raise value
        return value


BROKEN = {
    "missing": (ImportError("No module named 'torch'"), "No module named 'torch'"),
    "no_learner": (object(), "must give a Learner"),
    "taken": (LEARNERS["pc"], "a learner with the key 'pc' already"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_package_costs_a_warning_that_names_it(name, monkeypatch):
    value, reason = BROKEN[name]
    monkeypatch.setattr(Point, "given", {name: value})
    monkeypatch.setattr(module, "entry_points", lambda group: [Point(name, "strange:THING", group)])
    with pytest.warns(UserWarning, match=f"'{name}' of the package 'strange' is left out: .*{reason}"):
        assert plug_ins(LEARNERS) == {}


def fails(_data, *, least=0.5):
    raise KeyError(least)


def returns_text(_data, *, least=0.5):
    return f"a graph of edges above {least}"


def fails_too(_data, **_settings):
    raise ZeroDivisionError("no rows")


@pytest.mark.parametrize(("function", "reason"), [(fails, "failed with KeyError: 0.5"), (returns_text, "got str")])
def test_a_run_that_fails_names_its_package(function, reason, monkeypatch):
    """The error of a failed run names the package; a failed estimate causes only a warning."""
    own = Parameter("least", "Least", low=0.0, high=1.0, help="", up="", down="", source="")
    learner = dataclasses.replace(
        LEARNERS["pc"], key="own", function=function, settings=(own,), needs=(the_data,), cost=fails_too
    )
    monkeypatch.setattr(Point, "given", {"own": learner})
    monkeypatch.setattr(module, "entry_points", lambda group: [Point("own", "strange:THING", group)])
    data = load_sample("asia").dataset
    (found,) = plug_ins(()).values()
    with pytest.raises(LearnersError, match=f"the learner 'own' of the package 'strange' .*{reason}"):
        found.run(data, **found.checked(data.kind, {}))
    with pytest.warns(UserWarning, match="the estimate of the learner 'own' .* failed with ZeroDivisionError"):
        assert found.estimate(data, **found.checked(data.kind, {})) < 0.1
