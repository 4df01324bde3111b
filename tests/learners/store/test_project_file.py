"""Tests of project files: a round trip, and hundreds of invalid files, each refused with a clear message."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from learners import DataError, LearnersError, learn, read_table
from learners.store import project_file, projects, runs, workspaces
from learners.store.blobs import blob_hash
from learners.store.packing import pack
from learners.store.store import Store
from tests.learners.test_registry import sample

pytestmark = pytest.mark.compiled  # no test here depends on kernels, so one run suffices

TABLE = pack(read_table(b"a,b\n" + b"0,0\n0,1\n1,1\n" * 9))
RESULT = pack(learn("pc", sample("categorical", p=3, n=60)))


def begun(store: Store) -> tuple[str, str]:
    """Create a workspace with a project of one run, and return their ids."""
    workspace = workspaces.make(store, workspaces.new_address()).id
    project = projects.create(store, workspace, "P <b>")
    table = store.put(workspace, TABLE)
    projects.save(store, workspace, project, pack({"step": 3}), [table])
    runs.add(store, workspace, project, workspace, "PC", pack({"key": "pc"}), [table], RESULT, "2 edges")
    return workspace, project


@pytest.mark.parametrize("data", [True, False])
def test_project_is_the_same_in_another_workspace(store, data):
    workspace, project = begun(store)
    raw = project_file.export_project(store, workspace, project, data=data)
    other = workspaces.make(store, workspaces.new_address()).id
    made = project_file.import_project(store, other, raw)
    assert [one.name for one in projects.listed(store, other)] == ["P <b>"]
    assert projects.body(store, other, made) == projects.body(store, workspace, project)
    (entry,), _ = runs.listed(store, other, made)
    (kept,), (own,) = runs.read(store, other, [entry.id]), runs.read(store, workspace, [workspace])
    assert (entry.number, entry.title, entry.said, entry.state) == (1, "PC", "2 edges", "done")
    assert (kept.order, kept.result) == (own.order, own.result)
    if data:
        assert store.part(other, blob_hash(TABLE)) == TABLE
    else:
        assert TABLE not in raw
        assert blob_hash(store.part(workspace, store.put(other, TABLE))) == blob_hash(TABLE)  # is uploaded later
    again = project_file.export_project(store, other, made, data=data)
    assert members(again) == members(raw)


def test_what_runs_have_in_common_counts_for_each(given):
    store = Store(replace(given, megabytes=2))
    workspace, project = begun(store)
    own = members(project_file.export_project(store, workspace, project, data=True))
    index = json.loads(own["project.json"])
    (run,), order = index["runs"], pack({"key": "x", "a": random.Random(0).randbytes(50_000).hex()})
    many = [run | {"order": blob_hash(order), "number": k + 1} for k in range(40)]
    parts = {name: own[name] for name in own if name != run["order"]} | {blob_hash(order): order}
    raw = zipped(parts | {"project.json": json.dumps(index | {"runs": many}).encode()})
    assert len(raw) < 1024**2
    with pytest.raises(DataError, match="full .2 MB."):
        project_file.import_project(store, workspace, raw)
    store.engine.dispose()


def members(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        return {name: file.read(name) for name in sorted(file.namelist())}


def zipped(parts: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return stream.getvalue()


def hostile(raw: bytes) -> Iterator[bytes]:
    """Yield invalid files made from a valid one."""
    own, draw = members(raw), random.Random(1)
    index = json.loads(own["project.json"])
    rest = {name: content for name, content in own.items() if name != "project.json"}

    def reported(**changed: object) -> bytes:
        return zipped({"project.json": json.dumps(index | changed).encode(), **rest})

    yield from (b"", b"x", b"PK\x03\x04", raw[:-22], raw[22:], zipped({}), zipped(rest), b"\x1f\x8b" + raw)
    for name in ("../x", "/etc/passwd", "..\\x", "C:\\x", "a/b", "body/", "x" * 64, "A" * 64, "project.json/..", " "):
        yield zipped(own | {name: b"x"})
    for name in rest:  # a part that is missing, empty, damaged, or a zip bomb
        if name != "body" and name not in index["tables"]:
            yield zipped({k: v for k, v in own.items() if k != name})
        yield zipped(own | {name: b""})
        yield zipped(own | {name: own[name][:-1]})
        yield zipped(own | {name: bytes(3 * 1024**2)}, zipfile.ZIP_DEFLATED)
    yield zipped(own | {"project.json": bytes(3 * 1024**2)}, zipfile.ZIP_DEFLATED)
    yield zipped(own | {blob_hash(b"x"): b"x"})
    run = index["runs"][0]
    for wrong in (None, 0, True, [], {}, "", "x", "../..", [None], [0], {"a": 1}, 1e999, "é" * 3000):
        for key in ("edgewise_project", "version", "name", "tables", "runs"):
            is_fine = isinstance(wrong, str) if key == "version" else wrong == [] and key in ("tables", "runs")
            if not is_fine and not (key == "name" and wrong in ("x", "../..")):
                yield reported(**{key: wrong})
        for key in ("number", "order", "result", "tables"):
            if not (key == "tables" and wrong == []):
                yield reported(runs=[run | {key: wrong}])
    for key in run:
        yield reported(runs=[{name: value for name, value in run.items() if name != key}])
    yield reported(runs=[run | {"order": run["result"]}])
    yield reported(runs=[run | {"result": run["order"]}])
    yield reported(runs=[run | {"result": run["tables"][0]}])
    yield reported(runs=[run | {"title": "x" * 1001}])
    yield reported(edgewise_project=2)
    yield reported(runs=[run, run])
    for deep in ("[" * 5000, '{"a":' * 5000, "1" * 9999, '{"a": 1, "a": 2}', "NaN"):
        yield zipped(own | {"project.json": deep.encode()})
    for k in range(80):  # a flipped bit in the part of the file that is not compressed again
        broken = bytearray(raw)
        at = broken.index(b"PK\x03\x04") + 30 + draw.randrange(20) if k % 2 else draw.randrange(len(raw) // 2)
        broken[at] ^= 1 << draw.randrange(8)
        yield bytes(broken)


def test_two_hundred_hostile_files_are_refused_in_a_sentence_and_leave_nothing(given):
    store = Store(replace(given, megabytes=2))
    workspace, project = begun(store)
    other = workspaces.make(store, workspaces.new_address()).id
    raw = project_file.export_project(store, workspace, project, data=True)
    n = 0
    for k, bad in enumerate(hostile(raw)):
        try:
            made = project_file.import_project(store, other, bad)
        except LearnersError:
            n += 1
        else:  # the flipped bit was in a field that readers ignore, such as a date
            assert members(bad) == members(raw), k
            projects.remove(store, other, made)
    assert n >= 200
    assert workspaces.size(store, other) == (0, 0)
    assert projects.listed(store, other) == []
    store.engine.dispose()
