"""The wheel, built and installed without a network, and used from an empty folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import learners
from learners import SAMPLES, default_plan, prepare, read_table
from learners.io.interchange import from_json

ROOT = Path(__file__).parents[1]
CLONE_ONLY = shutil.ignore_patterns(".venv", ".git", ".hypothesis", "__pycache__", "*.egg-info")
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True)
class Installed:
    """A folder with the packages of the wheel, another one that is empty, and what the wheel holds."""

    site: Path
    empty: Path
    files: frozenset[str]

    def start(self, *words: str, **options: object) -> subprocess.Popen:
        """Start the command `edgewise`, which sees no clone and need not compile."""
        env = os.environ | {"PYTHONPATH": str(self.site), "NUMBA_DISABLE_JIT": "1"}
        command = [sys.executable, self.site / "bin" / "edgewise", *words]
        return subprocess.Popen(command, cwd=self.empty, env=env, stdout=subprocess.PIPE, text=True, **options)

    def run(self, *words: str) -> str:
        """What the command writes."""
        with self.start(*words) as process:
            answer = process.communicate(timeout=120)[0]
        assert process.returncode == 0
        return answer


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Installed:
    """Built in a copy, for `pip` writes beside what it builds; installed into a folder of its own."""
    clone, wheels, site, empty = (tmp_path_factory.mktemp("wheel") / name for name in ("clone", "out", "site", "empty"))
    shutil.copytree(ROOT, clone, ignore=CLONE_ONLY)
    shutil.rmtree(clone / "build", ignore_errors=True)
    empty.mkdir()
    pip("wheel", "--no-build-isolation", "--wheel-dir", wheels, clone)
    (wheel,) = wheels.iterdir()
    pip("install", "--target", site, wheel)
    return Installed(site, empty, frozenset(zipfile.ZipFile(wheel).namelist()))


def pip(what: str, *words: object) -> None:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([sys.executable, "-m", "pip", what, *quiet, *map(str, words)], check=True)


def test_every_file_the_programs_read_is_in_the_wheel(installed):
    """Data sets, networks, the pages' style, the graph's script, the icon, the lessons and the app's configuration."""
    samples = {path for path in (ROOT / "sample_data").rglob("*") if path.suffix in (".csv", ".gz", ".json", ".md")}
    viz = {path for path in (ROOT / "viz").rglob("*") if path.suffix in (".css", ".js", ".png", ".json", ".parquet")}
    assert len(samples) > 30
    assert len(viz) >= 12
    assert {f"learners/{path.relative_to(ROOT)}" for path in samples} <= installed.files
    assert {f"edgewise/{path.relative_to(ROOT)}" for path in viz} <= installed.files
    assert "edgewise/.streamlit/config.toml" in installed.files
    assert {f"edgewise/{path.relative_to(ROOT)}" for path in (ROOT / "lessons").rglob("*.md")} <= installed.files


def test_the_wheels_modules_are_those_of_library_and_app(installed):
    """The library under its name, the app in one package; no test, no benchmark, no script for the clone."""
    library = {str(path.relative_to(ROOT)) for path in (ROOT / "learners").rglob("*.py")}
    app = {path.relative_to(ROOT) for folder in ("pages", "viz") for path in (ROOT / folder).rglob("*.py")}
    modules = library | {f"edgewise/{path}" for path in [*app, "app.py"]}
    assert {name for name in installed.files if name.endswith(".py")} == modules


def test_nothing_else_is_in_the_wheel(installed):
    """No cache, no data of the tests, no third name beside other people's packages."""
    version = learners.__version__
    assert {name.split("/")[0] for name in installed.files} == {"learners", "edgewise", f"edgewise-{version}.dist-info"}
    kinds = {Path(name).suffix for name in installed.files if ".dist-info/" not in name}
    assert kinds == {".py", ".css", ".js", ".png", ".toml", ".csv", ".gz", ".json", ".md", ".parquet"}


def test_the_wheel_needs_what_the_clone_needs(installed):
    """Version and requirements are said in one place each."""
    metadata = next(iter(installed.site.glob("*.dist-info"))) / "METADATA"
    lines = metadata.read_text(encoding="utf-8").splitlines()
    required = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    assert f"Version: {learners.__version__}" in lines
    needed = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist")]
    assert [one for one in needed if "extra ==" not in one] == required


def test_the_command_is_the_librarys(installed):
    """Same version, same learners, same graph as from a clone; the help names `app` as well."""
    assert installed.run("--version") == f"edgewise {learners.__version__}\n"
    assert "edgewise app" in installed.run("--help")
    assert installed.run("list").count("\n") > len(learners.LEARNERS)
    asia = installed.site / "learners" / "sample_data" / "data" / "asia.csv"
    graph, names = from_json(installed.run("learn", str(asia), "--quiet", "--alpha", "0.01"))
    table = read_table(SAMPLES["asia"].path)
    expected = learners.learn("pc", prepare(table, default_plan(table)).dataset, alpha=0.01)
    assert (graph, names) == (expected.graph, expected.names)


def test_the_app_opens_with_its_first_graph(installed):
    """Streamlit runs the first page without an error, with the configuration of the wheel: for this machine only."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    process = installed.start("app", "--server.port", port, "--server.scriptHealthCheckEnabled", "true")
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
        with DIRECT.open(f"http://127.0.0.1:{port}/_stcore/script-health-check", timeout=120) as answer:
            assert answer.status == 200
    finally:
        process.terminate()
    said = process.communicate(timeout=20)[0]
    assert f"URL: http://localhost:{port}\n" in said
    assert "Network URL" not in said


def wait_for(address: str, process: subprocess.Popen) -> None:
    """Until the server answers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            DIRECT.open(address, timeout=2).close()
        except OSError:
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server did not answer"
            time.sleep(0.1)
        else:
            return
