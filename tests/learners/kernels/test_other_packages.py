"""Tests that importing Edgewise and running its kernels changes nothing in other packages that use numba."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import config

ROOT = Path(__file__).parents[3]
compiled_only = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")

THEIRS = """
import numpy as np
from numba import njit

@njit(cache=True)
def double(x):
    return 2 * x

@njit(cache=True)
def quadruple(x):
    return double(double(x))

@njit(cache=True)
def total(n):
    return np.arange(n).sum() + np.zeros(3).size

@njit
def uncached(x):
    return quadruple(x) + double(x) + total(4)

def results():
    return [double(3), quadruple(3), total(4), uncached(3)]

def hits():
    return [sum(one.stats.cache_hits.values()) for one in (double, quadruple, total)]
"""
OURS = """
import numpy as np
from learners.kernels.compiling import kernel
from theirs import quadruple, total

@kernel
def calls_theirs(x, n):
    return quadruple(x) + total(n) + triple(x)

@kernel
def triple(x):
    return 3 * x

@kernel
def nine_times(x):
    return triple(triple(x)) + np.zeros(2)[1]

@kernel
def raises(x):
    if x > 1:
        raise ValueError("too large")
    return x
"""
CALLING_OURS = """
from numba import njit
from ours import nine_times, raises

@njit(cache=True)
def eighteen_times(x):
    return nine_times(x) + nine_times(x)

@njit
def caught(x):
    return raises(x)
"""


@pytest.fixture
def run(tmp_path):
    """Return ``run(code)``, which returns the output of a child process with its own caches and the modules above."""
    for name, text in (("theirs", THEIRS), ("ours", OURS), ("calling_ours", CALLING_OURS)):
        (tmp_path / f"{name}.py").write_text(text)
    own = {"EDGEWISE_CACHE": str(tmp_path / "kernels"), "NUMBA_CACHE_DIR": str(tmp_path / "theirs")}
    env = os.environ | own | {"PYTHONPATH": f"{tmp_path}:{ROOT}"}

    def output(code: str, **more: str) -> str:
        command = [sys.executable, "-c", code]
        child = subprocess.run(command, env=env | more, capture_output=True, text=True, check=False)
        assert child.returncode == 0, (child.returncode, child.stderr)
        return child.stdout.strip()

    return output


RESULTS = "[6, 12, 9, 27]"
CALLED = "import theirs; print(theirs.results(), theirs.hits())"


@pytest.mark.deep
@compiled_only
def test_cached_functions_of_others_run_before_and_after_the_import(run):
    """Cached functions load from numba's cache and call each other, with kernels run in between."""
    assert run(CALLED) == f"{RESULTS} [0, 0, 0]"
    loaded = run(CALLED)
    assert loaded.startswith(RESULTS)
    assert "0" not in loaded.removeprefix(RESULTS)
    assert run(f"import learners; {CALLED}") == loaded
    between = "import ours; assert ours.nine_times(2) == 18; "
    assert run(f"{between} import theirs; print(theirs.results())") == RESULTS
    assert run(f"import theirs; assert theirs.quadruple(3) == 12; {between} print(theirs.results())") == RESULTS
    assert run(f"{between} print(ours.nine_times.stats.cache_hits.total())") == "1"  # loaded from our cache


@pytest.mark.deep
@compiled_only
def test_functions_that_others_compile_after_the_import_are_cached_for_everybody(run):
    """A process without Edgewise reads the cache entries written by a process with Edgewise."""
    assert run(f"import learners; {CALLED}") == f"{RESULTS} [0, 0, 0]"
    loaded = run(CALLED)
    assert loaded.startswith(RESULTS)
    assert "0" not in loaded.removeprefix(RESULTS)


@pytest.mark.deep
@compiled_only
def test_our_kernels_call_functions_of_others(run):
    """Kernels can call functions of other packages, compiled or loaded, while Python also calls them."""
    assert run("import ours; print(ours.calls_theirs(2, 4))") == "23"
    code = "import ours, theirs; print(theirs.results(), ours.calls_theirs(2, 4), ours.calls_theirs(2.0, 4))"
    assert run(code) == f"{RESULTS} 23 23.0"
    assert run(f"{code}; print(ours.calls_theirs.stats.cache_hits.total())") == f"{RESULTS} 23 23.0\n2"


@pytest.mark.deep
@compiled_only
def test_functions_of_others_call_our_kernels(run):
    """Functions of other packages call our kernels, cached or not, whether or not Python called the kernel before."""
    assert run("import calling_ours as c; print(c.eighteen_times(1), c.eighteen_times(1.5))") == "18.0 27.0"
    code = (
        "import calling_ours as c; from ours import nine_times, raises; "
        "values = nine_times(2), c.eighteen_times(1), c.eighteen_times(1.5), nine_times(2), c.caught(1)\n"
        "try: c.caught(2)\n"
        "except ValueError as error: print(*values, error, c.eighteen_times.stats.cache_hits.total())"
    )
    assert run(code) == "18.0 18.0 27.0 18.0 1 too large 2"


IMPORTED = """
import json, sys
known = set(sys.modules)
import learners.registry, learners.kernels.jit, learners.data.frames
learners.registry.LEARNERS["pc"].function
print(json.dumps(sorted(set(sys.modules) - known)))
"""
COMPARED = """
import contextlib, importlib, json, os, sys, types, warnings
OURS = {"learners", "sample_data", "lessons", "__main__"}
PACKAGES = {name.partition(".")[0] for name in IMPORTED} - OURS - sys.stdlib_module_names
for name in IMPORTED:
    if name.partition(".")[0] in PACKAGES:
        with contextlib.suppress(ImportError):  # parts of Cython's that are in no package
            importlib.import_module(name)
import numba, numpy, pandas
from numba.core import bytecode, registry

@numba.njit
def first(x):
    return x

first(1)  # set up by numba when it compiles its first function

def state():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES and isinstance(module, types.ModuleType):
            for key, value in list(vars(module).items()):
                found[name, key] = value
                if isinstance(value, type) and value.__module__ == name:
                    found.update({(name, key, inner): one for inner, one in vars(value).items()})
    context = registry.cpu_target.target_context
    for key, one in {"context": context, "codegen": context.codegen(), "typing": context.typing_context}.items():
        found |= {(key, "class"): type(one)} | {(key, name): value for name, value in vars(one).items()}
    return found

def settings():
    names = [name for name in dir(numba.config) if name.isupper()]
    return {
        "identities": repr(bytecode.FunctionIdentity._unique_ids),
        "numba": {name: repr(getattr(numba.config, name)) for name in names},
        "numpy": repr((numpy.geterr(), numpy.get_printoptions())),
        "pandas": repr(pandas.describe_option(_print_desc=False)),
        "environment": dict(os.environ),
        "warnings": repr(warnings.filters),
    }

set_before, before = settings(), state()
import learners.registry, learners.kernels.jit, learners.data.frames
learners.registry.LEARNERS["pc"].function
set_after, after = settings(), state()
IGNORED = ("__warningregistry__", "__abstractmethods__", "_abc_impl")
missing = object()
changed = [
    key for key in before | after
    if before.get(key, missing) is not after.get(key, missing) and key[-1] not in IGNORED
]
print(json.dumps([changed, [key for key in set_before if set_before[key] != set_after[key]], sorted(PACKAGES)]))
"""


@pytest.mark.deep
def test_the_import_changes_nothing_in_other_packages(run):
    """No attribute of a module, class or singleton of other packages changes, and no setting."""
    imported = run(IMPORTED)
    changed, settings, packages = json.loads(run(f"IMPORTED = {imported}\n{COMPARED}"))
    assert changed == []
    assert settings == []
    assert {"numba", "llvmlite", "numpy", "pandas"} <= set(packages)
