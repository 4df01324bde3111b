"""Architecture rules, checked on the source: imports point down, and only the app uses Streamlit."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache, wraps
from pathlib import Path

import pytest

from learners.common.moved_modules import present_name
from learners.settings import shared
from learners.settings.parameter import Parameter

ROOT = Path(__file__).parents[1]

# Layers of the library, lowest first; a module imports only from its own layer or a lower one.
FLOORS = (
    {"learners.common", "learners.kernels"},
    {"learners.graphs", "learners.data", "learners.results", "learners.networks", "learners.io"},
    {"learners.settings"},
    {"learners.effects", "learners.evaluation", "learners.independence", "learners.scores", "learners.search"},
    {"learners.explaining"},
    {"learners.families"},
    {"learners.completion"},
    {"learners.families.catalogue"},
    {"learners.registry"},
    {"learners.choosing", "learners.sweeping", "learners.teaching", "learners.verdict"},
    {"learners.estimator", "learners.recipes"},
    {"learners.store"},
    {"learners.command_line", "learners.workers"},
    {"learners", "learners.__main__", "learners.__init__"},
)
FAMILIES = ("averaging", "brai", "cimap", "constraint_based", "h2pc", "hybrid", "latent", "lmm", "phgs", "score_based")
KERNEL_DECORATORS = {
    "kernel", "intrinsic", "overload(decide, inline='always')", "overload(penalize_families)", "overload(fit_families)",
    "overload(fit_families_above)",
    "overload(has_correlations, inline='always')", "overload(lower_one_by_one, inline='always')",
}  # fmt: skip
PRIVATE_NUMBA = Path("learners/kernels/jit.py")
LABELLED = {"rule", "rules", "phase", "phases", "stage"}  # attributes of events and traces that have a label
TEXT_METHODS = set(dir(str)) - set(dir(tuple)) - {"format"}  # functions that inspect a text
COMMAND_LINE = (Path("learners/__main__.py"), Path("learners/command_line/terminal.py"))
STREAMLIT_IN_VIZ = Path("viz/graph_view/__init__.py")
SERVER_METRICS = Path("pages/metrics.py")
KIND_OF_A_RUN = Path("viz/kinds.py")


def sources(*folders: str) -> list[Path]:
    """Return the Python files below the folders, relative to the root."""
    return sorted(path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py"))


def of_every(paths: Iterable[Path]) -> Callable:
    """Turn a rule for single files into one test that names every file that breaks it."""

    def of(check: Callable[[Path], None]) -> Callable[[], None]:
        @wraps(check)
        def holds() -> None:
            broken = []
            for path in paths:
                try:
                    check(path)
                except AssertionError as error:
                    broken.append(f"{path}: {error}")
            assert not broken, "\n".join(broken)

        del holds.__wrapped__  # otherwise pytest would look for a fixture named path
        return holds

    return of


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


@cache
def walk(module: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes of a file, which several rules read."""
    return tuple(ast.walk(module))


def module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    package = parts[-1] == "__init__" and len(parts) > 2
    return ".".join(parts[:-1] if package else parts)


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, also inside functions, with relative imports resolved."""
    package = path.parts[:-1]
    found = set()
    for node in walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            submodules = {f"{module}.{alias.name}" for alias in node.names if is_module(f"{module}.{alias.name}")}
            found |= submodules or {module}
    return frozenset(found)


@cache
def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def floor(module: str) -> int:
    """Return the number of the layer that contains the module or its package."""
    while module:
        for number, members in enumerate(FLOORS):
            if module in members:
                return number
        module = module.rpartition(".")[0]
    raise AssertionError("not a module of learners")


@of_every(sources("learners"))
def test_imports_of_learners_point_down(path):
    """No module imports from a higher layer."""
    own = [name for name in imports(path) if name.split(".")[0] == "learners"]
    # `from . import x` within the package itself would count as an import of everything
    upward = [name for name in own if name == "learners" or floor(name) > floor(module_name(path))]
    assert upward == []


@of_every([path for path in sources("learners/families") if len(path.parts) > 3])
def test_a_family_imports_no_other_family(path):
    """Shared code is in a layer below; a step of another family is called through a `Reference`."""
    own = path.parts[2]
    others = {name.split(".")[2] for name in imports(path) if name.startswith("learners.families.")}
    assert others <= {own}


def test_imports_have_no_cycle():
    """Modules can be removed one by one, each after all modules that import it."""
    graph = {module_name(path): imports(path) for path in sources("learners", "viz", "pages")}
    while graph:
        free = [name for name in graph if not any(name in graph[other] for other in graph.keys() - {name})]
        assert free, f"imports go round in a circle among {sorted(graph)}"
        for name in free:
            del graph[name]


def test_no_two_folders_import_each_other():
    """Folders of blocks and of pictures form layers; their shared code is one layer below."""
    arrows = set()
    for parent in ("pages/blocks", "viz"):
        for path in sources(parent):
            folder = module_name(path).rpartition(".")[0] if path.stem != "__init__" else module_name(path)
            targets = {
                name if (ROOT / name.replace(".", "/")).is_dir() else name.rpartition(".")[0] for name in imports(path)
            }
            arrows |= {(folder, target) for target in targets if target.startswith(parent.replace("/", "."))}
    both = sorted((one, other) for one, other in arrows if one < other and (other, one) in arrows)
    assert [pair for pair in both if "viz" not in pair] == []  # viz/kinds.py combines the folders of all families


@of_every(sources("pages/blocks", "pages/session"))
def test_pages_stand_above_blocks_and_blocks_above_the_session(path):
    """Blocks import no page, and modules of the session import neither pages nor blocks."""
    below = ("pages.session",) if path.parts[1] == "session" else ("pages.session", "pages.blocks")
    assert [name for name in imports(path) if name.startswith("pages") and not name.startswith(below)] == []


def test_no_two_rooms_of_the_library_import_each_other():
    """The folders and modules directly below `learners` form layers, too."""
    arrows = set()
    for path in sources("learners"):
        own = module_name(path).split(".")[:2]
        others = {tuple(name.split(".")[:2]) for name in imports(path) if name.startswith("learners.")}
        arrows |= {(tuple(own), other) for other in others if other != tuple(own)}
    assert sorted((one, other) for one, other in arrows if one < other and (other, one) in arrows) == []


@of_every(sources("learners", "viz", "pages", "sample_data", "benchmarks", "tests"))
def test_modules_are_imported_by_their_names_of_today(path):
    """No module uses an earlier name, which is kept only for notebooks and stored work of users."""
    assert {name for name in imports(path) if present_name(name) != name} == set()


def test_no_two_classes_share_a_name():
    """A public class is the only one of its name in the product, so that its name says which is meant."""
    modules: dict[str, list[str]] = {}
    for path in sources("learners", "viz", "pages"):
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, []).append(str(path))
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}


@of_every(sources("learners/families", "learners/independence", "learners/scores", "learners/search"))
def test_a_shared_parameter_is_checked_by_its_declaration(path):
    """The range of alpha or ess is declared only in `settings/shared.py`, also for tests and scores that users call."""
    declared = {one.name for one in vars(shared).values() if isinstance(one, Parameter)}
    for node in walk(tree(path)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("check_") and node.args:
            assert not (isinstance(node.args[0], ast.Constant) and node.args[0].value in declared), (
                f"line {node.lineno}"
            )


@of_every(sources("learners", "sample_data"))
def test_library_never_reaches_for_the_screen(path):
    """The library imports no Streamlit, no plots and nothing of the app."""
    above = {"streamlit", "plotly", "pyvis", "matplotlib", "viz", "pages", "app", "benchmarks", "tests"}
    assert not above & {name.split(".")[0] for name in imports(path)}


@of_every([p for p in sources("learners", "viz") if p not in COMMAND_LINE])
def test_library_never_prints(path):
    """The library neither prints nor writes to the standard streams; the command line may."""
    for node in walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"line {node.lineno}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys":
            assert node.attr not in ("stdout", "stderr"), f"line {node.lineno}"


@of_every(sources("viz"))
def test_viz_imports_only_what_is_below(path):
    """viz may import learners, but neither pages nor app."""
    assert not {"pages", "app", "benchmarks", "tests"} & {name.split(".")[0] for name in imports(path)}


MAY_RUN_BENCHMARKS = Path("pages/blocks/experiments/rerun.py")


@of_every(sources("learners", "viz", "pages"))
def test_an_installed_app_does_without_benchmarks(path):
    """Only one module imports `benchmarks`, and no module imports that one at its top level."""
    named = {name for name in imports(path) if name.split(".")[0] == "benchmarks"}
    assert path == MAY_RUN_BENCHMARKS or named == set()
    at_once = [ast.unparse(node) for node in tree(path).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert not any("rerun" in line and "experiments" in line for line in at_once)


@of_every(sources("viz"))
def test_viz_runs_no_kernel(path):
    """viz imports no kernel: all computations are functions of other modules of the library."""
    assert [name for name in imports(path) if name.startswith("learners.kernels")] == []


def last_name(node: ast.AST) -> str:
    """Return the name of a variable or an attribute."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@of_every(sources("viz", "pages"))
def test_one_place_asks_for_the_kind_of_a_run(path):
    """Only one module reads the kind of a result, or the type of its learner-specific part."""
    for node in walk(tree(path)):
        if isinstance(node, ast.Attribute) and node.attr == "kind" and path != KIND_OF_A_RUN:
            assert last_name(node.value) != "result", f"line {node.lineno}"
        if isinstance(node, ast.Call) and last_name(node.func) in ("isinstance", "type"):
            asked = {last_name(part) for part in ast.walk(node.args[0])}
            assert not asked & {"extra", "result"}, f"line {node.lineno}"


@of_every(sources("viz", "pages"))
def test_no_predicate_takes_a_run_or_result(path):
    """A question such as is_lmm(result) is a field of the record of its kind."""
    for node in walk(tree(path)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith(("is_", "has_")):
            assert not {argument.arg for argument in node.args.args} & {"result", "run"}, node.name


@of_every(sources("pages"))
def test_pages_do_not_import_the_app(path):
    """app.py imports pages, and not the reverse."""
    assert "app" not in {name.split(".")[0] for name in imports(path)}


@of_every(sources("learners", "pages", "viz"))
def test_only_the_login_makes_an_account_and_only_entries_choose_a_workspace(path):
    """Only these modules construct accounts and workspace keys: unchecked texts could open another user's workspace."""
    makers = {
        "Account": {"pages/session/login.py"},
        "Place": {"pages/session/workspace.py", "pages/session/shared_link.py"},
    }
    made = {last_name(node.func) for node in walk(tree(path)) if isinstance(node, ast.Call)}
    assert [name for name, allowed in makers.items() if name in made and path.as_posix() not in allowed] == []


@of_every(sources("pages"))
def test_every_fold_has_a_key(path):
    """Every expander has a key, so that it stays open in the browser if elements above it change."""
    calls = [node for node in walk(tree(path)) if isinstance(node, ast.Call) and last_name(node.func) == "expander"]
    assert [ast.unparse(one) for one in calls if "key" not in {given.arg for given in one.keywords}] == []


@of_every(sources("viz"))
def test_viz_never_calls_streamlit(path):
    """viz returns pictures; one line registers the component, whose wrapper may read its value."""
    uses = [name for name in imports(path) if name.split(".")[0] == "streamlit"]
    if path != STREAMLIT_IN_VIZ:
        assert uses == []
        return
    assert uses == ["streamlit"]
    asked = [node.attr for node in walk(tree(path)) if isinstance(node, ast.Attribute) and is_name(node.value, "st")]
    assert asked.count("components") == 1
    assert set(asked) <= {"components", "session_state"}


def is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@of_every(sources("learners"))
def test_kernels_are_compiled_alike(path):
    """Kernels use the decorator without options: it releases the GIL, caches machine code, and never reorders sums."""
    if path.parts[:3] == ("learners", "kernels", "compiling") or path == PRIVATE_NUMBA:
        return
    if path.parts[:2] == ("learners", "kernels"):
        for node in walk(tree(path)):
            if isinstance(node, ast.FunctionDef):
                assert {ast.unparse(one) for one in node.decorator_list} <= KERNEL_DECORATORS, node.name
    else:
        assert not [name for name in imports(path) if name.split(".")[0] == "numba"]


@of_every(sources("learners/kernels"))
def test_every_argument_of_a_kernel_is_documented(path):
    """A kernel with more than three arguments names each of them in its docstring."""
    for node in walk(tree(path)):
        if isinstance(node, ast.FunctionDef) and "kernel" in map(ast.unparse, node.decorator_list):
            arguments = {argument.arg for argument in node.args.args}
            described = set(re.findall(r"\w+", ast.get_docstring(node) or ""))
            assert len(arguments) <= 3 or arguments <= described, f"{node.name}: {sorted(arguments - described)}"


@of_every(sources("learners", "viz", "pages", "benchmarks"))
def test_private_parts_of_numba_are_used_in_one_module(path):
    """Only this module imports private parts of numba; it lists the releases that it was tested with."""
    allowed = ("numba", "numba.extending", "llvmlite", "llvmlite.binding")
    compilers = [name for name in imports(path) if name.split(".")[0] in ("numba", "llvmlite")]
    assert path == PRIVATE_NUMBA or set(compilers) <= set(allowed)


@of_every(sources("learners/kernels"))
def test_kernels_import_only_kernels_and_common_modules(path):
    """Kernels use arrays and other kernels only; the compiling modules use no kernel."""
    own = [name for name in imports(path) if name.split(".")[0] == "learners"]
    compilers = ("learners.kernels.compiling", "learners.kernels.jit")
    below = compilers if module_name(path).startswith(compilers) else ("learners.kernels",)
    assert [name for name in own if not name.startswith((*below, "learners.common"))] == []


def test_a_module_of_every_floor_exists():
    """Each layer lists existing modules, so that a renamed module cannot be missed."""
    for number, members in enumerate(FLOORS):
        assert any(floor(module_name(path)) == number for path in sources("learners")), members


@of_every(sources("learners", "viz", "pages"))
def test_what_an_event_did_is_never_read_off_text(path):
    """Rules and phases are enumerations: no code compares them with text or parses their labels."""
    for node in walk(tree(path)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            assert not (any(map(is_label, sides)) and any(map(holds_text, sides))), f"line {node.lineno}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_label(node.func.value):
            assert node.func.attr not in TEXT_METHODS, f"line {node.lineno}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "index":
            assert not (is_label(node.func.value) and any(map(holds_text, node.args))), f"line {node.lineno}"


def is_label(node: ast.expr) -> bool:
    """Return True for an attribute `rule`, `phase`, ..., or its text by `str`, `.value`, `.label` or `.name`."""
    if isinstance(node, ast.Call) and is_name(node.func, "str") and node.args:
        return is_label(node.args[0])
    if not isinstance(node, ast.Attribute):
        return False
    return node.attr in LABELLED or (node.attr in {"value", "label", "name"} and is_label(node.value))


def holds_text(node: ast.expr) -> bool:
    """Return True for a string, or a literal collection with one."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(map(holds_text, node.elts))
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def test_browser_tests_lie_in_one_folder():
    """All browser tests are in tests/browser, because .ci/test runs those of this folder only."""
    marked = [path for path in sources("tests") if "mark.brow" + "ser" in (ROOT / path).read_text(encoding="utf-8")]
    assert marked
    assert [path for path in marked if path.parts[1] != "browser"] == []


@pytest.mark.deep
def test_a_start_loads_no_slow_rarely_needed_module():
    """No slow and rarely needed package is loaded before the first page."""
    slow = {"scipy.stats", "scipy.optimize", "pyvis", "IPython"}
    words = f"import sys, learners, pages.navigation, viz.report.picture; print(sorted({slow} & set(sys.modules)))"
    output = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True)
    assert output.stdout.strip() == "[]", output.stderr


MAX_FUNCTION_LINES = 80  # lines of a function without its signature and docstring
OURS = sources("learners", "viz", "pages", "benchmarks", "sample_data") + [Path("app.py")]


@of_every(OURS)
def test_functions_are_short(path):
    """The body of a function, without its docstring, fits on two screens."""
    functions = [node for node in walk(tree(path)) if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in functions if body_lines(node) > MAX_FUNCTION_LINES] == []


def body_lines(function: ast.FunctionDef) -> int:
    """Return the number of lines of a function without its signature and docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_a_family_has_the_same_name_on_every_floor():
    """Folders of `viz`, and of kernels of a single family, are named after families of `learners`."""
    drawn = {"graph_view", "layout", "compare", "effects", "experiments", "report", "choosing", "sweeping", "query"}
    drawn |= {"build", "classroom", "glossary", "lesson_page", "replay_page", "translation"}
    folders = {path.parts[1] for path in sources("viz") if len(path.parts) > 2}
    assert folders - drawn <= set(FAMILIES)
    assert {path.parts[2] for path in sources("learners/families") if len(path.parts) > 3} == set(FAMILIES)
    shared = {"ci", "compiling", "completion", "counting", "graphs", "reading", "scores", "search"}
    own = {path.parts[2] for path in sources("learners/kernels") if len(path.parts) > 3}
    assert own - shared <= set(FAMILIES)


def test_tests_mirror_the_folders():
    """Tests of a folder are in a folder of the same name."""
    for folder in ("learners", "learners/families", "viz"):
        depth = folder.count("/") + 2
        folders = {path.parts[depth - 1] for path in sources(folder) if len(path.parts) > depth}
        tested = {path.parts[depth] for path in sources(f"tests/{folder}") if len(path.parts) > depth + 1}
        assert tested <= folders


CLOCKS = {"perf_counter", "process_time", "thread_time", "monotonic", "sleep", "wait_for_timeout"}
LOOK_AT_CLOCKS = {  # modules that may read a clock: they wait for other processes, or serve deep tests only
    Path("tests/polling.py"),
    Path("tests/browser/conftest.py"),
    Path("tests/fuzz/watching.py"),
    Path("tests/benchmarks/contenders.py"),
}


@of_every([path for path in sources("tests") if path not in LOOK_AT_CLOCKS and "apps" not in path.parts])
def test_no_test_of_the_gate_looks_at_a_clock(path):
    """Gate tests count work and poll with `wait_until`; only deep tests may read a clock."""
    deep = "mark.deep"
    parts = [node for node in tree(path).body if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign)]
    if any(isinstance(node, ast.Assign) and deep in ast.unparse(node) for node in parts):
        return
    for node in parts:
        if any(deep in ast.unparse(one) for one in getattr(node, "decorator_list", ())):
            continue
        named = [one for one in ast.walk(node) if isinstance(one, ast.Attribute) and not is_name(one.value, "asyncio")]
        asked = {one.attr for one in named}
        assert not asked & CLOCKS, f"line {node.lineno}: {sorted(asked & CLOCKS)}"


THIRD_PARTY_INTERNALS = ("learners/kernels/compiling/", "learners/kernels/jit.py", "pages/session/streamlit_patches.py")
# Documented names with an underscore: named tuples, enumerations, rows of SQLAlchemy, and os._exit.
DOCUMENTED = {"_replace", "_asdict", "_fields", "_make", "_value_", "_mapping", "_exit"}
DOCUMENTED_STREAMLIT = {"streamlit", "streamlit.errors", "streamlit.web.cli"}  # the last is the console script
STREAMLIT_MODULES = {f"streamlit.{name}" for name in ("config", "proto", "runtime", "util", "watcher", "web")}
PRODUCT = [
    path
    for path in [*sources("learners", "viz", "pages", "sample_data"), Path("app.py")]
    if not path.as_posix().startswith(THIRD_PARTY_INTERNALS)
]
OWN_PACKAGES = {"learners", "viz", "pages", "sample_data", "benchmarks", "tests", "app"}


@of_every(PRODUCT)
def test_private_parts_of_other_packages_are_used_in_two_places(path):
    """Only the compiling modules and the Streamlit patches use private parts, which releases may change."""
    assert sorted(private_names(tree(path)) - own_private_names() - DOCUMENTED) == []
    assert sorted(internal_modules(tree(path))) == []


@of_every(PRODUCT)
def test_no_module_changes_another_package(path):
    """No module sets an attribute of an imported class or module, which would change it for the whole process."""
    assert sorted(changes_of_others(tree(path))) == []


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


@cache
def own_private_names() -> set[str]:
    """Return the private names that the product defines."""
    found = set()
    for path in PRODUCT:
        for node in walk(tree(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_name(node.value, "self"):
                found.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return found


def private_names(module: ast.Module) -> set[str]:
    """Return the private attributes that a module reads, also by `getattr`."""
    found = {node.attr for node in walk(module) if isinstance(node, ast.Attribute)}
    for node in walk(module):
        if isinstance(node, ast.Call) and last_name(node.func) in {"getattr", "hasattr", "setattr", "delattr"}:
            found |= {
                part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
    return set(filter(is_private, found))


def third_party_imports(module: ast.Module) -> dict[str, str]:
    """Return the local names imported from other packages, with their full names."""
    found = {}
    for node in walk(module):
        if isinstance(node, ast.Import):
            names = {alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        else:
            continue
        found |= {local: full for local, full in names.items() if full.split(".")[0] not in OWN_PACKAGES}
    return found


def internal_modules(module: ast.Module) -> set[str]:
    """Return the imports of private names, and of undocumented parts of Streamlit and numba."""
    return {name for name in third_party_imports(module).values() if is_internal(name)}


def is_internal(name: str) -> bool:
    if name.split(".")[0] == "streamlit":
        return not {name, name.rpartition(".")[0]} & DOCUMENTED_STREAMLIT or name in STREAMLIT_MODULES
    return name.startswith(("numba.core", "llvmlite")) or any(map(is_private, name.split(".")))


def changes_of_others(module: ast.Module) -> set[str]:
    """Return the attributes of imported names that a module sets or deletes."""
    names = third_party_imports(module).items()
    imported = {local for local, full in names if full.split(".")[0] not in sys.stdlib_module_names}
    found = set()
    for node in walk(module):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            owner = node.value
        elif isinstance(node, ast.Call) and last_name(node.func) in {"setattr", "delattr"} and node.args:
            owner = node.args[0]
        else:
            continue
        if isinstance(owner, ast.Name) and owner.id in imported:
            found.add(f"{ast.unparse(node)}, line {node.lineno}")
    return found


def test_the_rules_about_other_packages_find_what_they_forbid():
    """The rules find each of these lines, which were once in the product, some of them in another form."""
    for line, found in (
        ("server._get_async_objs().eventloop", private_names),
        ("getattr(server, '_get_async_objs')", private_names),
        ("script._upgrade_revs('head', revision)", private_names),
        ("from streamlit.runtime.scriptrunner import get_script_run_ctx", internal_modules),
        ("from streamlit import runtime", internal_modules),
        ("import streamlit.runtime", internal_modules),
        ("from numba.core.caching import IndexDataCacheFile", internal_modules),
        ("from scipy.stats import _distn_infrastructure", internal_modules),
        ("from starlette.formparsers import MultiPartParser\nMultiPartParser.spool_max_size = 0", changes_of_others),
        ("import pandas as pd\nsetattr(pd, 'read_csv', None)", changes_of_others),
    ):
        assert found(ast.parse(line)), line
    for line in (
        "import streamlit as st\nst.session_state.page = 1",
        "from streamlit.errors import StreamlitAPIException",
    ):
        assert not internal_modules(ast.parse(line)) | changes_of_others(ast.parse(line)), line
    assert not {"_get_async_objs", "_upgrade_revs", "_clear_queue", "_browser_queue"} & own_private_names()


@of_every(sources("viz", "pages"))
def test_numbers_are_formatted_in_one_place(path):
    """No text on screen formats with "g" or "e": `learners.common.wording` decides on digits and exponents.

    A value that is rounded by way of a text, ``float(f"{x:.3g}")``, and the metrics of the server are no texts on
    screen.
    """
    if path == SERVER_METRICS:
        return
    calls = [node for node in walk(tree(path)) if isinstance(node, ast.Call) and is_name(node.func, "float")]
    rounded = {id(part) for call in calls for part in ast.walk(call)}
    for node in walk(tree(path)):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None and id(node) not in rounded:
            spec = ast.unparse(node.format_spec).strip("f'\"")
            assert not re.fullmatch(r".*[eEgG]", spec), f"line {node.lineno}: {spec}"
