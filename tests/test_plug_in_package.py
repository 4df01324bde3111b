"""The example of the guide as a package: installed by pip beside the wheel, in a fresh environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from sysconfig import get_paths

import pytest

from learners.io.samples import SAMPLES
from tests.learners.settings.test_plug_ins import block
from tests.test_wheel import CLONE_ONLY, ROOT
from tests.viz.replay_page.opening import ReplayFile

pytestmark = [pytest.mark.deep, pytest.mark.compiled]
BROKEN = {
    "pyproject.toml": """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "edgewise-broken"
version = "1.0"

[project.entry-points."edgewise.learners"]
broken = "edgewise_broken:LEARNER"

[tool.setuptools]
py-modules = ["edgewise_broken"]
""",
    "edgewise_broken.py": "import a_package_that_nobody_has\n",
}
COMPARE = """
from edgewise import compare, default_plan, learn, prepare, read_table, replay
table = read_table(open({path!r}, "rb").read())
data = prepare(table, default_plan(table)).dataset
found = compare(learn("marginal", data), learn("pc", data), dataset=data)
assert found.labels[0] == "Marginal graph"
assert len(found.to_html()) > 100_000
print(found.summary)
"""


class Environment:
    """A virtual environment with the wheel; its dependencies come from the environment of the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.python = folder, folder / "env" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
        (site,) = (folder / "env").glob("lib/python*/site-packages")
        (site / "packages.pth").write_text(get_paths()["purelib"] + "\n", encoding="utf-8")
        clone = folder / "clone"
        shutil.copytree(ROOT, clone, ignore=CLONE_ONLY)
        shutil.rmtree(clone / "build", ignore_errors=True)
        self.pip("install", "--no-index", "--no-deps", "--no-build-isolation", clone)
        shutil.rmtree(clone)

    def pip(self, *words: object) -> None:
        command = [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
        subprocess.run(list(map(str, command)), check=True, cwd=self.folder, env=self.env)

    @property
    def env(self) -> dict[str, str]:
        """Return an environment in which this clone cannot be imported."""
        return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"NUMBA_DISABLE_JIT": "1"}

    def install(self, name: str, files: dict[str, str]) -> None:
        """Write a package and install it, as the guide says."""
        folder = self.folder / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        self.pip("install", "--no-index", "--no-deps", "--no-build-isolation", f"./{name}")

    def run(self, *words: object) -> subprocess.CompletedProcess:
        """Run Python in an empty folder."""
        done = subprocess.run(
            [self.python, "-P", *map(str, words)], cwd=self.folder, env=self.env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Environment:
    made = Environment(tmp_path_factory.mktemp("plug-in"))
    made.install("edgewise-marginal", {"pyproject.toml": block("toml"), "edgewise_marginal.py": block("python")})
    return made


@pytest.fixture
def learner(environment) -> Callable[..., subprocess.CompletedProcess]:
    """Return a function that runs the learner of the example on 300 rows of asia."""
    lines = Path(SAMPLES["asia"].path).read_text(encoding="utf-8").splitlines(keepends=True)
    table = environment.folder / "asia.csv"
    table.write_text("".join(lines[:301]), encoding="utf-8")
    return lambda *words: environment.run("-m", "learners", "learn", table, "--learner", "marginal", "--quiet", *words)


def test_the_wheel_and_not_the_clone_is_used(environment):
    where = environment.run("-c", "import learners, edgewise; print(learners.__file__, edgewise.__file__)").stdout
    assert all(str(environment.folder / "env") in path for path in where.split())


def test_it_is_listed_learns_and_explains(environment, learner):
    assert "Marginal graph" in environment.run("-m", "learners", "list").stdout
    assert "The only test" in learner("--explain", "tub", "xray").stdout


def test_its_replay_explains_every_pair(environment, learner):
    learner("--replay", "marginal.html")
    file = ReplayFile((environment.folder / "marginal.html").read_text(encoding="utf-8"))
    assert len(file.packs["texts-de"]["texts"]) == 28
    assert file.packs["page"]["facts"][1] == ["Learner", "Marginal graph: Cox and Wermuth (1993)"]


def test_it_is_compared_with_another_learner(environment, learner):
    learner()
    path = str(environment.folder / "asia.csv")
    assert "Marginal graph and PC-stable: " in environment.run("-c", COMPARE.format(path=path)).stdout


def test_a_broken_package_beside_it_costs_a_warning(environment, learner):
    """A broken package gives a warning; this test is the last, because the package stays installed."""
    environment.install("edgewise-broken", BROKEN)
    listed = environment.run("-W", "default", "-m", "learners", "list")
    assert "Marginal graph" in listed.stdout
    assert "'broken' of the package 'edgewise-broken' is left out" in listed.stderr
    assert "a_package_that_nobody_has" in listed.stderr
    assert learner("--explain", "tub", "xray").stdout
