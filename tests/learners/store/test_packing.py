"""Tests of packing: unpacked values are equal to the last bit, and invalid data give a clear error message."""

from __future__ import annotations

import dataclasses
import io
import json
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from learners import LEARNERS, DataError, check_health, default_plan, learn, load_sample, prepare, read_table
from learners.common import memory
from learners.data.plan.binning import Binning
from learners.data.plan.conversion import Treatment
from learners.data.plan.data_use import use_of
from learners.registry import bound
from learners.store.packing import ARRAYS, CONSTRUCTORS, TREE, pack, unpack
from learners.store.renamed import RENAMED, present_class
from learners.store.validation import check_result
from tests.learners.test_registry import CASES, sample
from tests.tiers import family

ROOT = Path(__file__).parents[3]
REFERENCE = "learners.settings.reference:Reference"  # a class whose instances call a function of the library
pytestmark = pytest.mark.compiled  # no test here depends on kernels, so one run suffices


def same(a: object, b: object) -> bool:
    """Return True if type and content are equal, down to the bits of arrays and their write flags."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        alike = (a.dtype, a.shape, a.flags.writeable) == (b.dtype, b.shape, b.flags.writeable)
        return alike and a.tobytes() == b.tobytes()
    if isinstance(a, pa.Array):
        return a.equals(b)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if dataclasses.is_dataclass(a):
        return all(same(getattr(a, one.name), getattr(b, one.name)) for one in dataclasses.fields(a))
    if type(a) in CONSTRUCTORS:
        return same(*(CONSTRUCTORS[type(one)][0](one) for one in (a, b)))
    return a == b or (a != a and b != b)


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_result_of_any_learner_is_the_same_after_it_was_stored(key, kind):
    data = sample(kind)
    result = learn(key, data, **({"n_resamples": 3} if key == "bootstrap" else {}))
    known = dict(result.directions)
    back = check_result(unpack(pack(result)))
    for one in dataclasses.fields(result):
        assert same(getattr(back, one.name), getattr(result, one.name)), one.name
    if result.posterior is not None:
        assert same(back.posterior.adjacent, result.posterior.adjacent)
    again = bound(back, data)
    assert dict(again.directions) == known
    assert again.information(0, 1) == result.information(0, 1)


def test_table_and_plan_are_the_same_after_they_were_stored():
    table = read_table("a;b\n1,5;ä\n;NA\n2,5;\U0001f600\n".encode())
    both = unpack(pack((table, default_plan(table))))
    assert same(both, (table, default_plan(table)))


def under_old_names(raw: bytes) -> bytes:
    """Return packed bytes with the class names of earlier versions."""
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        (classes, tree), arrays = json.loads(file.read(TREE)), file.read(ARRAYS)
    old = {present_class(earlier): earlier for earlier in RENAMED}
    names = [old.get(name, name.replace("learners.families.", "learners.")) for name in classes]
    assert names != classes
    with io.BytesIO() as stream, zipfile.ZipFile(stream, "w") as file:
        file.writestr(TREE, json.dumps([names, tree]))
        file.writestr(ARRAYS, arrays)
        file.close()
        return stream.getvalue()


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("key", ["pc", "ges", "mmhc", "h2pc", "tabu", "bootstrap", "brai", "cimap", "phgs"])
def test_result_that_an_earlier_version_stored_is_read(key):
    raw = pack(learn(key, sample("categorical")))
    assert pack(unpack(under_old_names(raw))) == raw


def test_table_that_an_earlier_version_stored_is_read():
    table = read_table(b"when;price\n1.2.2023;NA\n2.2.2023;10\n3.2.2023;12\n4.2.2023;30\n")
    plan = default_plan(table).change("when", treatment=Treatment("date", order="dmy"))
    plan = plan.change("price", kind="categorical", binning=Binning(bins=2))
    stored = (table, plan, use_of(prepare(table, plan).dataset, table, plan), check_health(table, plan))
    raw = pack(stored)
    assert pack(unpack(under_old_names(raw))) == raw


def test_all_renamed_classes_are_found():
    for name in RENAMED:
        module, _, kind = present_class(name).partition(":")
        assert getattr(import_module(module), kind).__module__ == module


def hostile(tree: object, arrays: bytes = b"", classes: tuple[str, ...] = ()) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr(TREE, tree if isinstance(tree, str) else json.dumps([classes, tree]))
        file.writestr(ARRAYS, arrays)
    return stream.getvalue()


DEEP: list = ["tuple"]
for _ in range(300):
    DEEP = ["tuple", DEEP]
GRAPH = "learners.graphs.graph:PDAG"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"PK\x03\x04",
        pack((1, 2))[:-30],
        hostile("no JSON"),
        hostile(["unheard of"]),
        hostile(["__init__", 1]),
        hostile(DEEP),
        hostile(["again", 7]),
        hostile(["array", "|O", [1], 0, False], b"12345678"),
        hostile(["array", "<f8", [1 << 40], 0, False], b"12345678"),
        hostile(["array", "<f8", [-1], 0, False], b"12345678"),
        hostile(["data", 0, 1], classes=("os:system",)),
        hostile(
            ["data", 0, "common.processes", "begin", ["tuple"]], classes=("learners.settings.reference:Reference",)
        ),
        hostile(["data", 0, 1], classes=("learners.__main__:Options",)),
        hostile(["data", 0, 1], classes=("learners.nowhere:Nothing",)),
        hostile(["data", 0, 1], classes=("learners.common.cancellable_job:Job",)),
        hostile(["data", 0, 1], classes=("learners.registry:learn",)),
        hostile(["data", 0, "text"], classes=(GRAPH,)),
        hostile(["data", 0], classes=(GRAPH,)),
        hostile(["data", 0, ["array", "<f8", [1, 2], 0, False]], b"1" * 16, classes=(GRAPH,)),
        hostile(["data", 0, 1, 2], classes=("learners.data.plan.plan:Plan",)),
    ],
)
def test_what_is_no_packed_value_is_refused_in_a_sentence(raw):
    with pytest.raises(DataError, match="export it again"):
        unpack(raw)


def test_a_small_file_that_unfolds_to_much_is_refused_before_it_does(monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "1")
    raw = pack(np.zeros(200_000))
    assert len(raw) < 10_000
    with pytest.raises(DataError, match="more than the 1 MB"):
        unpack(raw)


def test_a_small_file_that_names_its_arrays_again_and_again_is_refused():
    with pytest.raises(DataError, match="export it again"):
        unpack(hostile(["list", *[["array", "<f8", [2], 0, False]] * 2], b"1" * 16))


FRESH = """
import sys
from pathlib import Path
from tests.tiers import family
from learners.store.packing import unpack
print(unpack(Path(sys.argv[1]).read_bytes()).method)
"""


@pytest.mark.deep
@pytest.mark.parametrize("key", LEARNERS)
def test_a_fresh_process_reads_a_result(key, tmp_path):
    """A process that has not loaded any learner unpacks the results of every learner."""
    kind = LEARNERS[key].kinds[0]
    stored = tmp_path / "result"
    stored.write_bytes(pack(learn(key, sample(kind), **({"n_resamples": 3} if key == "bootstrap" else {}))))
    output = subprocess.run([sys.executable, "-c", FRESH, stored], capture_output=True, text=True, cwd=ROOT)
    assert output.stdout.strip() == key, output.stderr


@pytest.mark.parametrize("value", [object(), np.array([object()]), LEARNERS["pc"], open])
def test_what_is_no_data_is_not_packed(value):
    with pytest.raises((TypeError, ValueError)):
        pack(value)


def test_result_about_variables_that_it_does_not_name_is_refused():
    result = learn("pc", sample("categorical"))
    for wrong in (
        dataclasses.replace(result, names=result.names[:-1]),
        dataclasses.replace(result, trace=dataclasses.replace(result.trace, i=result.trace.i + 99)),
        dataclasses.replace(result, trace=dataclasses.replace(result.trace, n_rows=result.trace.n_rows[:-1])),
        dataclasses.replace(result, trace=dataclasses.replace(result.trace, rules=())),
        "no result",
    ):
        with pytest.raises(DataError, match="export it again"):
            check_result(wrong)


def test_fields_that_an_earlier_version_did_not_have_get_their_defaults():
    """Missing fields with a default get it, as two fields of MMHC runs do; other missing and extra ones are refused."""
    kept = learn("mmhc", load_sample("asia").dataset).extra
    with zipfile.ZipFile(io.BytesIO(pack(kept))) as file:
        (classes, tree), arrays = json.loads(file.read(TREE)), file.read(ARRAYS)
    found = unpack(hostile(tree[:-2], arrays, classes))
    assert found.min_gain is None
    assert found.dag == kept.dag
    assert kept.min_gain > 0.0
    for wrong in (tree[:5], [*tree, 1.0]):
        with pytest.raises(DataError, match="corrupt or from another version"):
            unpack(hostile(wrong, arrays, classes))


STORED = zipfile.ZipFile(Path(__file__).with_name("stored_by_0_1_0.zip"))


@pytest.mark.parametrize("name", STORED.namelist())
def test_files_of_version_0_1_0_are_read(name):
    """Results and a table with its plan that version 0.1.0 packed, before classes were moved and renamed, are read."""
    value = unpack(STORED.read(name))
    if name == "table.bin":
        table, plan = value
        assert (table.n, len(plan.columns)) == (3, 3)
    else:
        result = check_result(value)
        assert name.startswith(f"{result.method}-")
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
