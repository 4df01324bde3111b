"""The steps of the Dockerfile, run in an empty folder with the packages of this environment."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import socket
import subprocess
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pages.driving import PAGES
from tests.polling import wait_until
from tests.test_wheel import open_pages

ROOT = Path(__file__).parents[1]
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
OFFLINE |= {"PIP_NO_DEPS": "1", "PIP_QUIET": "1"}  # the setup of this environment has resolved the requirements
PLAIN_PYTHON = {"NUMBA_DISABLE_JIT": "1"}  # otherwise the test would compile for minutes


def instructions() -> list[tuple[str, str]]:
    """Return keyword and arguments of each instruction; comments are removed and continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", "").splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if line)]


def ignored(path: Path) -> bool:
    """Return True if .dockerignore excludes the path; the last matching line decides."""
    lines = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    whole = [str(path), *map(str, path.parents)]
    fits = [line for line in lines if any(fnmatch.fnmatch(name, line.lstrip("!")) for name in whole)]
    return bool(fits) and not fits[-1].startswith("!")


class Container:
    """A folder as the file system of a container, filled by the steps; `port` replaces the container's 8501."""

    def __init__(self, root: Path, port: int) -> None:
        self.root, self.port = root, port
        self.folder = root
        self.env = {"PATH": f"{root}/bin:{os.environ['PATH']}", "STREAMLIT_SERVER_PORT": str(port)}
        self.env |= OFFLINE | PLAIN_PYTHON
        self.last = {}
        venv.create(root, symlinks=True)
        (site,) = root.glob("lib/python*/site-packages")
        (site / "shared.pth").write_text(sysconfig.get_path("purelib"))
        self.write_script("pip", 'exec python -m pip "$@"')
        self.write_script("chown", "")  # needs rights that the test does not have

    def write_script(self, name: str, line: str) -> None:
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def here(self, text: str) -> str:
        """Replace the container's folders and port by those of this machine."""
        return re.sub(r"(?<![\w./])/(?=src\b|data\b)", f"{self.root}/", text).replace(":8501/", f":{self.port}/")

    def step(self, word: str, rest: str) -> None:
        """Execute an instruction."""
        match word:
            case "COPY":
                self.copy(*rest.split())
            case "RUN":
                self.start(rest).check_returncode()
            case "WORKDIR":
                self.folder = Path(self.here(rest))
                self.folder.mkdir(exist_ok=True)
            case "ENV":
                self.env |= {name: self.here(value.strip('"')) for name, value in re.findall(r"(\w+)=(\S+)", rest)}
            case _:
                self.last[word] = rest

    def copy(self, *words: str) -> None:
        *sources, goal = words
        for source in sources:
            assert not ignored(Path(source)), source
            files = [path for path in (ROOT / source).rglob("*") if path.is_file()] or [ROOT / source]
            for path in (path for path in files if not ignored(path.relative_to(ROOT))):
                target = self.folder / goal / (path.relative_to(ROOT / source) if path != ROOT / source else path.name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)

    def start(self, command: str) -> subprocess.CompletedProcess:
        """Run a command to its end, as RUN and HEALTHCHECK do."""
        return subprocess.run(["sh", "-c", self.here(command)], cwd=self.folder, env=self.env, timeout=300)

    def files(self) -> dict[str, int]:
        """Return all files with their modification times."""
        paths = (path for path in self.root.rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)): path.stat().st_mtime_ns for path in paths}


@pytest.fixture(scope="module")
def container(tmp_path_factory) -> Container:
    """Return the container after all steps."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        container = Container(tmp_path_factory.mktemp("container"), free.getsockname()[1])
    for word, rest in instructions():
        container.step(word, rest)
    return container


@pytest.fixture(scope="module")
def changed(container) -> Iterator[set[str]]:
    """Start the app, which runs during the tests, and yield the files it has written before it is healthy."""
    before = container.files()
    command = json.loads(container.last["ENTRYPOINT"])
    process = subprocess.Popen(
        command, cwd=container.folder, env=container.env, executable=container.root / "bin" / command[0]
    )
    health = container.last["HEALTHCHECK"].partition("CMD ")[2]

    def is_healthy() -> bool:
        assert process.poll() is None, "the app ended"
        return container.start(health).returncode == 0

    wait_until(is_healthy)
    yield {name for name, changed in container.files().items() if before.get(name) != changed}
    process.terminate()
    process.wait(timeout=20)


@pytest.mark.deep
def test_steps_lead_to_a_healthy_app(container, changed):
    """Installed by pip and started by the entry point, the app becomes healthy and writes to its volume only."""
    assert (container.root / "bin" / "edgewise").exists()
    assert {name for name in changed if not name.startswith("data/")} == set()


@pytest.mark.deep
def test_every_page_opens(container):
    """No page needs a file or a module that the image lacks."""
    (app,) = container.root.glob("lib/python*/site-packages/edgewise/app/app.py")
    open_pages(app, PAGES, [str(container.root / "bin" / "python")], container.env, container.folder)


def test_app_runs_as_nobody_in_particular():
    """The user is numeric, so a cluster can see that it is not root; one volume has all changing files."""
    user = [rest for word, rest in instructions() if word == "USER"][-1]
    assert user not in ("root", "0", "0:0")
    assert user.split(":")[0].isdigit()
    assert [rest for word, rest in instructions() if word == "VOLUME"] == ["/data"]
    env = dict(part for word, rest in instructions() if word == "ENV" for part in re.findall(r"(\w+)=(\S+)", rest))
    for name in ("HOME", "TMPDIR", "EDGEWISE_CACHE"):
        assert env[name].strip('"').startswith("/data")


def test_what_the_image_does_not_need_is_not_sent():
    """Tests, benchmarks, history and secrets are not sent to the engine."""
    for name in ("tests", "benchmarks", ".git", ".venv", ".streamlit/secrets.toml", "learners/__pycache__/x.pyc"):
        assert ignored(Path(name)), name


@pytest.mark.deep
def test_the_image_has_its_folders_and_no_bytecode(container):
    """Folders that the app writes to are made with the image, and no compiled file of the clone is in it."""
    for name in ("HOME", "TMPDIR"):
        assert Path(container.env[name]).is_dir()
    assert not list((container.root / "src").rglob("__pycache__/*"))
