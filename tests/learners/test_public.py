"""Tests of the library's public name `edgewise`, and of imports that load no more than they need."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import edgewise
import learners
import learners.independence
import learners.scores
from learners.common.lazy_imports import modules_by_name

ROOT = Path(__file__).parents[2]
OPTIONAL = "streamlit sqlalchemy alembic psycopg pyagrum plotly pyvis segno distributed python_calamine pyreadstat"
PATH = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'learners' / 'public')!r}]; "


def printed(program: str, folder: Path = ROOT) -> list[str]:
    """Run a program in a separate process and return the words that it prints."""
    done = subprocess.run([sys.executable, "-c", PATH + program], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


LAZY = (edgewise, learners, learners.independence, learners.scores)


@pytest.mark.parametrize("package", LAZY)
def test_every_name_is_what_its_home_defines(package):
    """Each name of a stub loads the object that its module defines."""
    stub = Path(package.__file__).with_suffix(".pyi")
    homes = modules_by_name(stub, package.__name__)
    assert set(package.__all__) == set(homes) == set(dir(package))
    for name, home in homes.items():
        value = getattr(package, name)
        assert value is getattr(import_module(home), name)


def test_stubs_list_the_names_they_import():
    """`__all__` of a stub, read by type checkers, has every name once."""
    for package in LAZY:
        listed = {}
        text = Path(package.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
        exec(text[text.index("__all__") :], listed)
        assert sorted(listed["__all__"]) == package.__all__


def test_the_wheel_has_every_stub():
    """The wheel has every stub, without which a package with lazy imports cannot be imported."""
    calls = [node for node in ast.walk(ast.parse((ROOT / "setup.py").read_text())) if isinstance(node, ast.keyword)]
    (data,) = (ast.literal_eval(node.value) for node in calls if node.arg == "package_data")
    stubs = {path.parent.relative_to(ROOT) for path in (ROOT / "learners").rglob("*.pyi")}
    packages = {".".join(path.parts).removeprefix("learners.public.") for path in stubs}
    assert packages == {package.__name__ for package in LAZY}
    assert {name for name in packages if "*.pyi" not in data.get(name, ())} == set()


def test_no_name_of_the_library_is_that_of_a_package():
    """No public name equals that of a package, which would replace it as soon as the package is imported."""
    folders = {path.name for path in (ROOT / "learners").iterdir() if (path / "__init__.py").exists()}
    assert folders & set(learners.__all__) == set()


def test_unknown_names_are_refused():
    """Unknown names raise attribute and import errors that name the package and the attribute."""
    with pytest.raises(AttributeError, match="module 'edgewise' has no attribute 'lern'"):
        edgewise.lern  # noqa: B018
    assert not hasattr(learners, "__wrapped__")


def test_importing_the_library_loads_no_other_package():
    """Importing the library loads no other package, because names are loaded at first use."""
    ours = "print(*sorted({name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    text = printed(f"before = set(sys.modules); import edgewise, learners; {ours}")
    assert set(text) - set(printed(ours)) == {"edgewise", "learners"}


@pytest.mark.deep
def test_a_graph_is_learned_without_the_apps_packages():
    """Tables, graphs, recipes and files need neither the app's packages nor any extra."""
    blocked = f"sys.modules.update(dict.fromkeys({OPTIONAL!r}.split())); "
    program = (
        "import edgewise; table = edgewise.read_table(edgewise.SAMPLES['asia'].path); "
        "plan = edgewise.default_plan(table); data = edgewise.prepare(table, plan).dataset; "
        "result = edgewise.learn('pc', data, alpha=0.01); "
        "edgewise.recipe_of(table, plan, result, seed=0, name='asia'); "
        "print(result.graph.n_edges)"
    )
    assert printed(blocked + program) == ["5"]


@pytest.mark.skipif(Path(sys.prefix).resolve() != ROOT / ".venv", reason="the environment belongs to another folder")
def test_a_clones_python_finds_the_library_anywhere(tmp_path):
    """Both names can be imported, because `.ci/setup` adds them to the path of `.venv`."""
    program = "import edgewise, learners; print(edgewise.__file__, learners.__file__)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [edgewise.__file__, learners.__file__]


def test_the_api_page_is_current():
    """The page docs/api.md is what `python docs/api.py` writes."""
    spec = spec_from_file_location("api", ROOT / "docs" / "api.py")
    api = module_from_spec(spec)
    spec.loader.exec_module(api)
    assert api.TARGET.read_text(encoding="utf-8") == api.page(), "run `python docs/api.py`"
