"""Tests of kernels compiled by plain numba: same results, one warning, and only if needed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba import config

from learners.kernels.compiling import PLAIN_NUMBA, way

ROOT = Path(__file__).parents[3]
PINNED = re.search(r"^numba==(\S+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)[1]
pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
with_pinned_numba = pytest.mark.skipif(numba.__version__ != PINNED, reason="the fallback is compared with this version")

OURS = """
from typing import NamedTuple
import numpy as np
from learners.kernels.compiling import kernel

class Table(NamedTuple):
    values: np.ndarray
    n: int

@kernel
def row_sum(table, i):
    total = 0.0
    for value in table.values[i]:
        total += value * 0.1
    return total

@kernel
def row_sums(table):
    out = np.empty(table.n)
    for i in range(table.n):
        out[i] = row_sum(table, i)
    return out
"""
FEW_KERNELS = """
import numpy as np, ours
from learners.kernels.compiling import way
table = ours.Table(np.random.default_rng(0).normal(size=(5, 40)), 5)
print(way(), ours.row_sums(table).tobytes().hex())
"""
SMALL_RUNS = """
import numpy as np
from learners import Dataset, learn
from learners.kernels.compiling import way
from learners.kernels.ci.tail_probabilities import log_chi2_sf
rng = np.random.default_rng(0)
values = rng.normal(size=(200, 6)) @ rng.normal(size=(6, 6))
codes = (rng.random((5, 300)) < 0.3).cumsum(axis=0) % 2
tables = Dataset.from_values(values, list("abcdef")), Dataset.from_codes(codes, [2] * 5, list("abcde"))
results = [learn("pc", table, alpha=0.2) for table in tables]
tails = [log_chi2_sf(x, 3.0).hex() for x in (0.5, 3.0, 90.0)]
print(way(), tails, [(one.graph.amat.tobytes().hex(), repr(one.strengths)) for one in results])
"""
WARNED = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import ours
    from learners.kernels.compiling import way
ours = [str(one.message) for one in caught if "compiles its kernels" in str(one.message)]
print(way(), len(ours), *ours)
"""


@pytest.fixture
def run(tmp_path):
    """Return ``run(code)``, which returns the output of a child process with its own cache."""
    (tmp_path / "ours.py").write_text(OURS)
    own = {"EDGEWISE_CACHE": str(tmp_path / "cache"), "PYTHONPATH": f"{tmp_path}:{ROOT}"}

    def output(code: str, **more: str) -> str:
        env = {name: value for name, value in os.environ.items() if name != PLAIN_NUMBA} | own | more
        command = [sys.executable, "-W", "error::UserWarning", "-c", code]
        child = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert child.returncode == 0, child.stderr
        return child.stdout.strip()

    return output


@pytest.mark.deep
@with_pinned_numba
def test_plain_numba_computes_the_same_and_fills_a_folder_of_ours(run, tmp_path):
    """A kernel that calls another gives the same results, and numba's setting of its cache folder is unchanged."""
    private = run(FEW_KERNELS)
    plain = run(FEW_KERNELS, **{PLAIN_NUMBA: "1"})
    assert private.split() == ["Kernel", plain.split()[1]]
    assert plain.split()[0] == "plain"
    (folder,) = (tmp_path / "cache" / "kernels").glob("plain-*")
    assert {path.name.partition(".")[0] for path in folder.rglob("*.nbi")} == {"ours"}
    loaded = "import numba; before = numba.config.CACHE_DIR\n" + FEW_KERNELS
    hits = "print(ours.row_sums.stats.cache_hits.total(), numba.config.CACHE_DIR == before)"
    assert run(f"{loaded}\n{hits}", **{PLAIN_NUMBA: "1"}).split("\n") == [plain, "1 True"]


@with_pinned_numba
@pytest.mark.deep
def test_runs_with_plain_numba_give_the_same_graphs_and_strengths(run):
    """The results are equal to the last bit, since the method of compilation reorders no operations."""
    private, plain = run(SMALL_RUNS), run(SMALL_RUNS, **{PLAIN_NUMBA: "1"})
    assert private.partition(" ")[2] == plain.partition(" ")[2]
    assert (private.partition(" ")[0], plain.partition(" ")[0]) == ("Kernel", "plain")


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("import numba; numba.__version__ = '0.99.1'", "0.99.1 (tried with 0.68)"),
        ("import numba.core.caching as module; del module._Cache", "ImportError: cannot import name '_Cache'"),
    ],
    ids=["version", "private part"],
)
def test_another_numba_falls_back_with_one_warning(run, change, reason):
    """With another version of numba, plain numba compiles all kernels, and a single warning gives the reason."""
    said = run(f"{change}\n{WARNED}")
    assert said.startswith("plain 1 ")
    assert reason in said


def test_without_a_folder_plain_numba_compiles_in_memory(run, tmp_path):
    """Without a writable folder, as in a read-only container, nothing is cached and everything runs."""
    code = (
        "from numba.core import caching; caching.CacheImpl._locator_classes = []\n" + FEW_KERNELS
    )  # simulates folders that cannot be written
    plain = run(code, **{PLAIN_NUMBA: "1"})
    assert plain.startswith("plain ")
    assert not list(tmp_path.rglob("*.nbi"))


@with_pinned_numba
def test_this_version_of_numba_was_tried():
    """With the pinned version of numba, the tests run with the faster method of compilation."""
    assert way() == ("plain" if os.environ.get(PLAIN_NUMBA) else "Kernel")
