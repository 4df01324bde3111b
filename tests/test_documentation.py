"""The documentation builds without warnings, has a page for each learner, and is served below the app."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from learners.families.catalogue import LEARNERS
from pages import documentation
from tests.test_architecture import ROOT, module_name, sources, tree
from viz.translation.sentences import catalog


def documented_defaults() -> Iterator[tuple[str, str, object, str]]:
    """Yield module, parameter, default and documented default of the functions of the library."""
    for path in sources("learners"):
        functions = [node for node in tree(path).body if isinstance(node, ast.FunctionDef)]
        for function in functions:
            for names, text in re.findall(
                r"^(\w+(?:, \w+)*) : .*?, default (.+)$", ast.get_docstring(function) or "", re.M
            ):
                known = inspect.signature(getattr(import_module(module_name(path)), function.name)).parameters
                words = [names] if ", " not in names else names.split(", ")
                for name, word in zip(
                    words, text.split(" and ") if " and " in text else [text] * len(words), strict=True
                ):
                    yield f"{path.name} {function.name}", name, known[name].default, word


def steps_of(path: Path) -> list[str]:
    """Return the names that the docstring of a module puts beside the steps of a paper."""
    doc = ast.get_docstring(tree(path)) or ""
    return re.findall(r"(?<!`)`([A-Za-z_][\w.]*)`(?!`)", doc) if re.search("^(here|step) +", doc, re.M) else []


def exists(name: str, module: str, known: Iterable[str]) -> bool:
    """Return True if a dotted name leads to an object, from the module, its package or one of the `known` modules."""
    package = module.rpartition(".")[0]
    for start in (module, *known, package, "learners"):
        found, parts = import_module(start), name.split(".")
        for k, part in enumerate(parts):
            if not hasattr(found, part) and find_spec_below(found, part):
                import_module(f"{found.__name__}.{part}")
            if not hasattr(found, part):
                break
            found = getattr(found, part)
            if k == len(parts) - 1:
                return True
    return False


def find_spec_below(found: object, part: str) -> bool:
    """Return True if an object is a package with a module of this name."""
    return hasattr(found, "__path__") and find_spec(f"{found.__name__}.{part}") is not None


@pytest.mark.parametrize("path", [path for path in sources("learners") if steps_of(path)], ids=lambda path: path.stem)
def test_steps_beside_a_paper_exist(path):
    """Each name in a table of steps is a function of the module, or of a module that the docstring names."""
    module, names = module_name(path), steps_of(path)
    above = ("learners", module.rpartition(".")[0])
    named = [name.split(".")[:k] for name in names for k in range(1, name.count(".") + 2)]
    known = sorted({place for start in above for parts in named if is_module(place := ".".join([start, *parts]))})
    assert [name for name in names if not exists(name, module, known)] == []


def is_module(name: str) -> bool:
    """Return True if there is a module of this name."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_the_main_learners_name_their_steps():
    """The modules in which a reader of the papers looks first have a table of steps."""
    named = {path.stem for path in sources("learners") if steps_of(path)}
    assert named >= {"pc", "fci", "ges", "lmm", "path", "phgs", "brai", "boss", "hc", "tabu", "sca"}


def test_documented_defaults_are_those_of_the_signature():
    found = list(documented_defaults())
    assert len(found) > 100
    assert not [one for one in found if one[2] != ast.literal_eval(one[3])]


NAMING_FILES = (
    "README.md",
    "CONTRIBUTING.md",
    "Dockerfile",
    "docs/architecture.md",
    "docs/testing.md",
    "docs/adr/*",
    ".ci/*",
)
NAMED_FILE = re.compile(
    r"(?<![\w/.\-])(?:\.ci|benchmarks|docs|learners|lessons|pages|sample_data|tests|viz)/[\w./*-]*[\w*]"
)


def test_scripts_and_documents_name_files_that_exist():
    """Each path and pattern in scripts and documents leads to a file."""
    named = [
        (path.name, name)
        for pattern in NAMING_FILES
        for path in ROOT.glob(pattern)
        for name in NAMED_FILE.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(named) > 60
    assert [one for one in named if next(ROOT.glob(one[1]), None) is None] == []


DOTTED_NAME = re.compile(r"`([a-z_]\w*(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")
FILE_ENDINGS = {"css", "js", "json", "md", "py", "pyi", "toml"}


def test_docstrings_and_comments_name_modules_and_functions_that_exist():
    """Dotted names in backticks that begin with a module or folder of ours lead to a module, or to a name in it."""
    modules = {}
    for path in sources("learners", "viz", "pages", "benchmarks", "sample_data"):
        parts = path.with_suffix("").parts
        modules[parts[:-1] if parts[-1] == "__init__" else parts] = path
    ours = {part for parts in modules for part in parts}
    names = {path: names_in(path) for path in modules.values()}

    def exists(parts: tuple[str, ...]) -> bool:
        return any(
            full[-k:] == parts[:k] and (k == len(parts) or parts[k] in names[path])
            for full, path in modules.items()
            for k in range(1, len(parts) + 1)
        )

    found, wrong = 0, []
    for path in modules.values():
        text = (ROOT / path).read_text(encoding="utf-8")
        if "overload(" in text:  # every letter of such a module is part of the key of its compiled code
            continue
        for name in DOTTED_NAME.findall(text):
            parts = tuple(name.split("."))
            is_option = parts[0] == "runner" and not parts[1].islower()  # of Streamlit's configuration
            if parts[0] in ours and parts[-1] not in FILE_ENDINGS and not is_option:
                found += 1
                wrong += [] if exists(parts) else [(str(path), name)]
    assert found > 150
    assert wrong == []


def names_in(path: Path) -> set[str]:
    """Return the names that a module defines or imports, and those of its stub."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[-1])
    stub = (ROOT / path).with_suffix(".pyi")
    return found | (set(re.findall(r"\w+", stub.read_text(encoding="utf-8"))) if stub.exists() else set())


LABEL = re.compile(r"(?<![\w*])\*([A-ZÄÖÜ][^*\n]+)\*(?![\w*])")  # in italics with a capital
# Columns of a table of figures, names of lessons and their parts, and advice.
NO_LABELS = {
    "Causes", "Silent", "About this file", "Ten-minute lesson", "Try it", "Colliders and Meek's rules",
    "Start near 0.01", "Compare values.", "Count the tests.", "Backward elimination",
    "Beginnen Sie bei 0.01", "Vergleichen Sie Werte.", "Zählen Sie die Tests.",
}  # fmt: skip


def test_labels_named_in_lessons_and_guides_are_on_screen():
    """A label in italics, such as *Start quiz*, is a text of the app in the language of the document."""
    words = catalog("de")
    known = {False: {*words}, True: {*words.values()}}
    documents = [
        path for pattern in ("docs/*.md", "docs/guides/*.md", "lessons/**/*.md") for path in ROOT.glob(pattern)
    ]
    unknown, found = set(), 0
    for path in documents:
        text = re.sub(r"```.*?```|\*\*.*?\*\*", "", path.read_text(encoding="utf-8"), flags=re.S)
        for label in LABEL.findall(text):
            found += 1
            if not any(one.startswith(label) for one in known[path.parent.name == "de"]):
                unknown.add(label)
    assert found > 80
    assert unknown == NO_LABELS


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site into an empty folder and return it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.mark.deep
def test_each_learner_has_a_page_with_its_settings_and_figure(site):
    for key, learner in LEARNERS.items():
        text = (site / "learners" / f"{key}.html").read_text(encoding="utf-8")
        assert learner.label in text
        assert f'src="{key}.svg"' in text
        assert all(f"<code>{parameter.name}</code>" in text for parameter in learner.parameters)
    assert (site / "learners" / "pc.svg").exists()


def test_the_site_asks_no_other_server(site):
    """Links may lead to other sites; scripts, fonts and pictures are local."""
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not [part for part in ('src="http', 'rel="stylesheet" href="http', "fonts.g") if part in text], path


@pytest.mark.parametrize("prefix", ["", "/below"])
def test_the_app_serves_the_site_also_below_a_path_prefix(site, monkeypatch, prefix):
    monkeypatch.setattr(documentation, "SITE", site)
    client = TestClient(Starlette(routes=documentation.routes()))
    assert "Edgewise" in client.get(f"{prefix}/{documentation.FIRST_PAGE}").text
    assert client.get(f"{prefix}/docs/learners/pc.svg").headers["content-type"] == "image/svg+xml"
    assert client.get(f"{prefix}/docs/../app.py").status_code == 404
    monkeypatch.setattr(documentation, "SITE", site / "missing")
    assert documentation.routes() == []
