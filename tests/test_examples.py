"""Every example is run, by doctest or by a test."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from tests.examples import blocks, docstrings
from tests.test_architecture import ROOT, module_name, sources

# Files with blocks of code, and the test that runs them.
PLUG_IN = Path("docs/guides/plug-in.md")  # a package
GUIDES = [
    Path("docs/start.md"),
    *(path.relative_to(ROOT) for path in sorted(ROOT.glob("docs/guides/*.md")) if path != ROOT / PLUG_IN),
]
RUN = {
    **{path: "test_blocks_of_the_guides_run" for path in GUIDES if blocks(ROOT / path)},
    PLUG_IN: "tests/learners/settings/test_plug_ins.py",
    Path("README.md"): "test_blocks_of_the_readme_run",
    Path("docs/deploy.md"): "tests/schedulers.py",
    Path("learners/common/cluster.py"): "tests/learners/common/test_cluster.py",
}
DOCUMENTS = [
    path.relative_to(ROOT)
    for pattern in ("*.md", "docs/*.md", "docs/*/*.md", "benchmarks/*.md")
    for path in sorted(ROOT.glob(pattern))
    if path.name != "api.md"  # prints the docstrings again
]
PROMPT = re.compile(r"^\s*>>> ", re.MULTILINE)
FOLDERS = ("learners", "viz", "pages", "benchmarks")
PROMPTED = [path for path in sources(*FOLDERS) if PROMPT.search((ROOT / path).read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", PROMPTED, ids=str)
def test_doctest_finds_every_example(path: Path):
    """Pytest collects all examples below `learners`, also of decorated functions, and skips none."""
    assert path.parts[0] == "learners"
    written = [text for text in docstrings(path) if PROMPT.search(text)]
    module = importlib.import_module(module_name(path))
    found = [one for one in doctest.DocTestFinder(exclude_empty=True).find(module) if one.examples]
    assert len(found) == len(written)
    assert not any(doctest.SKIP in example.options for one in found for example in one.examples)


def test_no_block_of_code_is_left_unread():
    """Every block of code is run by a test."""
    assert {path for path in (*DOCUMENTS, *sources(*FOLDERS)) if blocks(path)} == set(RUN)


def test_blocks_of_the_readme_run(tmp_path, monkeypatch, capsys):
    """The block runs in a folder with the table that it reads, and prints something."""
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 200)) < 0.5
    rows = [f"{x:d},{y:d},{z:d}" for x, y, z in zip(a, b, a ^ (rng.random(200) < 0.1), strict=True)]
    (tmp_path / "data.csv").write_text("\n".join(["a,b,c", *rows]))
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(ROOT / "README.md")
    exec(block, {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("path", [path for path in RUN if path.suffix == ".md"], ids=str)
def test_blocks_import_names_that_exist(path):
    """Each name that a block imports from `edgewise` or `learners` is in that package."""
    for block in blocks(ROOT / path):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module in ("edgewise", "learners"):
                package = importlib.import_module(node.module)
                assert [one.name for one in node.names if one.name not in package.__all__] == []


@pytest.mark.deep
@pytest.mark.parametrize("path", [path for path in RUN if path in GUIDES], ids=str)
def test_blocks_of_the_guides_run(path, tmp_path, monkeypatch, capsys):
    """Each block prints something and runs independently."""
    monkeypatch.chdir(tmp_path)
    for block in blocks(ROOT / path):
        exec(block, {})
        assert capsys.readouterr().out
