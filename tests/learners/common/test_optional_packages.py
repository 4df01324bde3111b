"""Tests of missing optional packages: the error message names the extra that installs them."""

from __future__ import annotations

import ast
import io
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from learners import load_network, read_table
from learners.common import optional_packages
from learners.common.optional_packages import MissingPackage
from learners.data.reading.binary_reader import OPTIONAL
from learners.networks.inference.junction_tree import JunctionTreeInference
from learners.store.database import open_database
from learners.store.settings import store_settings
from pages import command

ROOT = Path(__file__).parents[3]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
CHECKS = ("require", "check_installed", "MissingPackage")


def read_excel() -> None:
    """Read a workbook."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        packed.writestr("xl/workbook.xml", "")
    read_table(content.getvalue())


def read_spss() -> None:
    """Read an SPSS file."""
    read_table(b"$FL2@(#)" + bytes(200))


def ask() -> None:
    """Ask a network for a probability."""
    asia = load_network("asia")
    JunctionTreeInference(asia.names, asia.states, asia.dag, asia.cpts).order  # noqa: B018


def open_postgres() -> None:
    """Open a store on a PostgreSQL server."""
    open_database(store_settings({"EDGEWISE_DATABASE": "postgresql://nobody@nowhere/none"}))


@pytest.fixture
def _nothing_optional(monkeypatch):
    monkeypatch.setattr(optional_packages, "find_spec", lambda _: None)


@pytest.mark.usefixtures("_nothing_optional")
@pytest.mark.parametrize(
    ("use", "package", "extra"),
    [
        (read_excel, "python_calamine", "files"),
        (read_spss, "pyreadstat", "files"),
        (ask, "pyagrum", "inference"),
        (open_postgres, "psycopg", "postgres"),
    ],
)
def test_what_lacks_a_package_says_what_to_install(use: Callable[[], None], package: str, extra: str):
    """The first sentence of the error names the missing package, the second one the command that installs it."""
    with pytest.raises(MissingPackage) as actual:
        use()
    assert f"needs the package {package}, which is not installed. " in str(actual.value)
    assert str(actual.value).endswith(f'Install it with `pip install "edgewise[{extra}]"`.')


@pytest.mark.usefixtures("_nothing_optional")
def test_the_command_says_what_the_app_lacks(capsys):
    """Without the app's packages `edgewise app` prints what to install and ends without a traceback."""
    assert command.main(["app"]) == 2
    assert "The app needs the package streamlit" in capsys.readouterr().err


@pytest.mark.deep
def test_every_extra_that_is_named_has_the_package():
    """The extra in an error message contains the missing package."""
    found = 0
    for path in [*(ROOT / "learners").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CHECKS:
                module, _task, extra = node.args
                if isinstance(module, ast.Constant):  # skips the call within `require` itself
                    package = module.value.partition(".")[0].replace("_", "-")
                    assert any(one.lower().startswith(package) for one in EXTRAS[extra.value]), ast.unparse(node)
                    found += 1
    assert found >= 3
    for package in OPTIONAL:  # the child process reports which of these packages a file needs
        assert any(one.lower().startswith(package.replace("_", "-")) for one in EXTRAS["files"])
