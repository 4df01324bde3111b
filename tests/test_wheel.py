"""The wheel: built and installed offline, and used from an empty folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError

import pytest
from packaging.requirements import Requirement

import learners
from learners import SAMPLES, default_plan, prepare, read_table
from learners.explaining.explanation import explanation
from learners.io.interchange import from_json
from tests.pages.driving import PAGES
from tests.polling import wait_until
from tests.viz.replay_page.opening import ReplayFile

ROOT = Path(__file__).parents[1]
CLONE_ONLY = shutil.ignore_patterns(".venv", ".git", ".hypothesis", "__pycache__", "*.egg-info")
OPENING = Path(__file__).with_name("opening.py")
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True)
class Installed:
    """A folder with the packages of the wheel, an empty folder, and the names of the wheel's files."""

    site: Path
    empty: Path
    files: frozenset[str]

    @property
    def app(self) -> Path:
        """Return the file that Streamlit runs."""
        return self.site / "edgewise" / "app" / "app.py"

    @property
    def env(self) -> dict[str, str]:
        """Return an environment whose Python finds the wheel first; its kernels are those compiled for this clone."""
        return os.environ | {"PYTHONPATH": str(self.site)}

    def start(self, *words: str, **options: object) -> subprocess.Popen:
        """Start the command `edgewise`."""
        command = [sys.executable, self.site / "bin" / "edgewise", *words]
        return subprocess.Popen(command, cwd=self.empty, env=self.env, stdout=subprocess.PIPE, text=True, **options)

    def run(self, *words: str) -> str:
        """Return the output of a command."""
        with self.start(*words) as process:
            answer = process.communicate(timeout=120)[0]
        assert process.returncode == 0
        return answer


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Installed:
    """Build the wheel from a copy of the source and install it into a separate folder."""
    clone, wheels, site, empty = (tmp_path_factory.mktemp("wheel") / name for name in ("clone", "out", "site", "empty"))
    shutil.copytree(ROOT, clone, ignore=CLONE_ONLY)
    shutil.rmtree(clone / "build", ignore_errors=True)
    empty.mkdir()
    pip("wheel", "--no-build-isolation", "--wheel-dir", wheels, clone)
    (wheel,) = wheels.iterdir()
    pip("install", "--target", site, wheel)
    return Installed(site, empty, frozenset(zipfile.ZipFile(wheel).namelist()))


def open_pages(app: Path, pages: Sequence[str], python: list[str], env: dict[str, str], folder: Path) -> None:
    """Open pages of an installed app in a separate process."""
    command = [*python, "-P", OPENING, app, *pages]
    opened = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert opened.returncode == 0, opened.stderr
    assert opened.stdout.split() == [str(app.parent), *pages]


def pip(what: str, *words: object) -> None:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([sys.executable, "-m", "pip", what, *quiet, *map(str, words)], check=True)


def test_every_file_the_programs_read_is_in_the_wheel(installed):
    """The wheel has data sets, networks, styles, scripts, the icon, the lessons and the app's configuration."""
    samples = {path for path in (ROOT / "sample_data").rglob("*") if path.suffix in (".csv", ".gz", ".json", ".md")}
    viz = {path for path in (ROOT / "viz").rglob("*") if path.suffix in (".css", ".js", ".png", ".json", ".parquet")}
    assert len(samples) > 30
    assert len(viz) >= 12
    stubs = {path.relative_to(ROOT) for path in (ROOT / "learners").rglob("*.pyi") if "public" not in path.parts}
    assert {str(path) for path in stubs} <= installed.files
    assert {f"learners/{path.relative_to(ROOT)}" for path in samples} <= installed.files
    assert {f"edgewise/app/{path.relative_to(ROOT)}" for path in viz} <= installed.files
    assert "edgewise/app/.streamlit/config.toml" in installed.files
    assert {f"edgewise/app/{path.relative_to(ROOT)}" for path in (ROOT / "lessons").rglob("*.md")} <= installed.files


def test_the_wheels_modules_are_those_of_library_and_app(installed):
    """The library has its own name and the app is one package; tests, benchmarks and scripts are left out."""
    library = {str(path.relative_to(ROOT)) for path in (ROOT / "learners").rglob("*.py")}
    library = {path for path in library if not path.startswith("learners/public/")}
    app = {path.relative_to(ROOT) for folder in ("pages", "viz") for path in (ROOT / folder).rglob("*.py")}
    modules = library | {f"edgewise/app/{path}" for path in [*app, "app.py"]}
    modules |= {"edgewise/__init__.py", "edgewise/__main__.py"}
    assert {name for name in installed.files if name.endswith(".py")} == modules


def test_nothing_else_is_in_the_wheel(installed):
    """The wheel has no cache, no test data and no third top-level name."""
    version = learners.__version__
    assert {name.split("/")[0] for name in installed.files} == {"learners", "edgewise", f"edgewise-{version}.dist-info"}
    kinds = {Path(name).suffix for name in installed.files if ".dist-info/" not in name}
    assert kinds == {".py", ".bib", ".css", ".js", ".png", ".toml", ".csv", ".gz", ".json", ".md", ".parquet", ".pyi"}


def test_the_wheel_says_what_it_needs(installed):
    """The version is the library's; requirements have lower bounds only, those of the app are an extra."""
    metadata = next(iter(installed.site.glob("*.dist-info"))) / "METADATA"
    lines = metadata.read_text(encoding="utf-8").splitlines()
    assert f"Version: {learners.__version__}" in lines
    needed = [Requirement(line.removeprefix("Requires-Dist: ")) for line in lines if line.startswith("Requires-Dist")]
    assert {one.operator for need in needed for one in need.specifier} == {">="}
    library = {need.name for need in needed if need.marker is None}
    assert library == {"numpy", "scipy", "pandas", "pyarrow", "numba", "networkx"}


def test_the_pinned_set_satisfies_the_wheels_requirements(installed):
    """requirements.txt pins exactly the needs of library, app and PostgreSQL, within the bounds."""
    metadata = next(iter(installed.site.glob("*.dist-info"))) / "METADATA"
    lines = metadata.read_text(encoding="utf-8").splitlines()
    bounds = [Requirement(line.removeprefix("Requires-Dist: ")) for line in lines if line.startswith("Requires-Dist")]
    pins = [Requirement(line) for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").split()]
    pinned = {pin.name.lower(): next(iter(pin.specifier)).version for pin in pins}
    extras = ("", "app", "files", "inference", "postgres")
    of_app = {one.name.lower(): one for one in bounds if any(_applies(one, extra) for extra in extras)}
    of_app.pop("edgewise")  # the app extra requires other extras of this package
    assert set(of_app) == set(pinned)
    assert [name for name, one in of_app.items() if pinned[name] not in one.specifier] == []


def _applies(need: Requirement, extra: str) -> bool:
    return need.marker is None or need.marker.evaluate({"extra": extra})


@pytest.mark.deep
def test_the_command_is_the_librarys(installed):
    """Version, learners and graph equal those of a clone; the help also lists `app`."""
    assert installed.run("--version") == f"edgewise {learners.__version__}\n"
    assert "edgewise app" in installed.run("--help")
    assert installed.run("list").count("\n") > len(learners.LEARNERS)
    asia = installed.site / "learners" / "sample_data" / "data" / "asia.csv"
    graph, names = from_json(installed.run("learn", str(asia), "--quiet", "--alpha", "0.01"))
    table = read_table(SAMPLES["asia"].path)
    expected = learners.learn("pc", prepare(table, default_plan(table)).dataset, alpha=0.01)
    assert (graph, names) == (expected.graph, expected.names)


def test_the_command_writes_a_replay(installed):
    """The drawing part of the app, its scripts and its styles are found beside the installed library."""
    asia = installed.site / "learners" / "sample_data" / "data" / "asia.csv"
    target = installed.empty / "out.html"
    installed.run("learn", str(asia), "--quiet", "--replay", str(target))
    file = ReplayFile(target.read_text(encoding="utf-8"))
    table = read_table(SAMPLES["asia"].path)
    dataset = prepare(table, default_plan(table)).dataset
    texts = explanation(learners.learn("pc", dataset), (0, 1), dataset).written()
    assert tuple(file.packs["texts-en"]["texts"][0]) == texts
    assert "class GraphView" in file.code
    assert ".graph-view" in file.style
    target.unlink()


def script_runs(address: str) -> bool:
    """Return True if the app's script runs; a check ends after a minute, which a slow machine may need to compile."""
    for _ in range(3):
        try:
            with DIRECT.open(address, timeout=120) as answer:
                return answer.status == 200
        except HTTPError as error:
            if error.code != 503:
                raise
    return False


def test_the_app_opens_with_its_first_graph(installed):
    """The first page runs without an error, with the wheel's configuration, for this machine only."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    process = installed.start("app", "--server.port", port, "--server.scriptHealthCheckEnabled", "true")
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
        assert script_runs(f"http://127.0.0.1:{port}/_stcore/script-health-check")
    finally:
        process.terminate()
    actual = process.communicate(timeout=20)[0]
    assert f"URL: http://localhost:{port}\n" in actual
    assert "Network URL" not in actual


@pytest.mark.deep
def test_every_page_opens(installed):
    """No page of the installed app needs a file or a module that only a clone has."""
    open_pages(installed.app, PAGES, [sys.executable], installed.env, installed.empty)


def wait_for(address: str, process: subprocess.Popen) -> None:
    """Poll until the server answers."""

    def answers() -> bool:
        assert process.poll() is None, "the server ended"
        try:
            DIRECT.open(address, timeout=2).close()
        except OSError:
            return False
        return True

    wait_until(answers)
