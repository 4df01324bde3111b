"""Export and import a project as one `.edgewise` file, with or without its data; the import validates all of it.

The file is a zip archive with `project.json`, which lists the other members: the saved project, the orders of its runs,
and blobs named by their hashes. Without data the blobs of tables, the history of plans and the settings of ignored
columns are left out; a run can be shown again once its table is in the workspace.
"""

from __future__ import annotations

import io
import secrets
import time
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import insert, select, update

from ..common.checks import check_type
from ..common.errors import DataError, ParameterError
from ..common.version import __version__
from ..data.disclosure import sharable
from ..data.reading.json_file import JSONFormat
from ..data.reading.table import Table
from ..results.result import LearnResult
from . import projects, runs, schema
from .blobs import HASH, blob_hash
from .packing import open_archive, pack, unpack
from .store import Store
from .validation import check_result, check_table

PROJECT = JSONFormat("project", "edgewise_project", 1)
INDEX, BODY = "project.json", "body"
# Maximum number of members: a run has an order, a result and a few tables; a zip file has at most 65,535.
MAX_MEMBERS = 60_000
MAX_RUNS, MAX_TITLE_LETTERS, MAX_RUN_NUMBER = 10_000, 1000, 10**9
OF_RUN = {"number": int, "title": str, "said": str, "order": str, "result": str, "tables": list}


def export_project(store: Store, workspace: str, project: str, *, data: bool) -> bytes:
    """Return a project as a file, including its tables if `data`."""
    with store.reading() as connection:
        of = select(schema.projects).where(schema.projects.c.workspace == workspace, schema.projects.c.id == project)
        row = connection.execute(of).first()
        if row is None:
            raise DataError(projects.GONE)
        done = (schema.runs.c.project == project) & (schema.runs.c.state == runs.DONE)
        rows = connection.execute(select(schema.runs).where(done).order_by(schema.runs.c.number)).all()
        tables = {name for one in (row, *rows) for name in one.tables.split()}
        parts = {name: store.blobs.get(connection, workspace, name) for name in {one.result for one in rows}}
        if data:
            parts |= {name: store.blobs.get(connection, workspace, name) for name in tables}
    keep = bytes if data else _without_values
    ordered = [keep(bytes(one.order)) for one in rows]
    orders = {blob_hash(order): order for order in ordered}
    entries = [
        {"number": one.number, "title": one.title, "said": one.said, "order": blob_hash(order),
         "result": one.result, "tables": one.tables.split()}
        for one, order in zip(rows, ordered, strict=True)
    ]  # fmt: skip
    index = {"version": __version__, "name": row.name, "tables": row.tables.split(), "runs": entries}
    with (
        io.BytesIO() as raw,
        zipfile.ZipFile(raw, "w", zipfile.ZIP_STORED) as file,
    ):  # the members are compressed already
        file.writestr(INDEX, PROJECT.written(index))
        for name, content in {**({BODY: keep(bytes(row.body))} if row.body else {}), **orders, **parts}.items():
            file.writestr(name, content)
        file.close()
        return raw.getvalue()


def _without_values(raw: bytes) -> bytes:
    """Return a packed order or saved project without the history of its plan and settings of ignored columns.

    Both quote values of the table.
    """
    document = unpack(raw)
    source, recipe = document.get("source"), document.get("recipe")
    changed: dict[str, Any] = {}
    if source:
        changed["source"] = _bare(source)
    if document.get("tables"):
        changed["tables"] = tuple(map(_bare, document["tables"]))
    if recipe:
        changed["recipe"] = replace(recipe, plan=sharable(recipe.plan))
    return pack({**document, **changed}) if changed else raw


def _bare(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a table without the history of its plan and settings of ignored columns."""
    return {**source, "steps": (), "plan": source["plan"] and sharable(source["plan"])}


def import_project(store: Store, workspace: str, raw: bytes) -> str:
    """Add the project of a file to a workspace and return its id.

    Raises
    ------
    DataError, ParameterError
        If the file is invalid, damaged, of another version or too large, or the workspace is full.
    """
    index, contents = _checked(raw, store.settings.megabytes * 1024**2)
    body = contents.pop(BODY, None)
    orders = {one["order"] for one in index["runs"]}
    with store.writing(workspace) as connection:
        made = projects.create_in(connection, workspace, index["name"])
        of_runs = sum(
            len(contents[one["order"]]) for one in index["runs"]
        )  # each run stores its own order, so equal orders count twice
        store.check_room(connection, workspace, of_runs + sum(map(len, contents.values())))
        for name, content in contents.items():
            if name not in orders:
                store.blobs.put(connection, workspace, content)
        own = schema.projects.c.id == made
        values = {"body": body, "tables": " ".join(index["tables"])}
        connection.execute(update(schema.projects).where(own).values(values))
        for one in index["runs"]:
            about = {name: one[name] for name in ("title", "said", "result", "number")}
            connection.execute(
                insert(schema.runs).values(
                    id=secrets.token_hex(16), workspace=workspace, project=made, state=runs.DONE, began=time.time(),
                    worker="", order=contents[one["order"]], tables=" ".join(one["tables"]), **about,
                )
            )  # fmt: skip
        runs.check_room(store, connection, workspace)
    return made


def _checked(raw: bytes, most: int) -> tuple[Mapping[str, Any], dict[str, bytes]]:
    """Return the index of a file and its members by name, after checks of completeness, names, checksums and sizes."""
    try:
        with open_archive(raw, MAX_MEMBERS) as file:
            members = file.infolist()
            names = [one.filename for one in members]
            if sum(one.file_size for one in members) > most:
                raise DataError(
                    f"a project may have at most {most // 1024**2:,} MB on this server; export it without data"
                )
            if len(set(names)) < len(names) or not all(one in (INDEX, BODY) or HASH.fullmatch(one) for one in names):
                raise DataError("the project file contains unexpected parts; export it again")
            index = _index(file.read(INDEX) if INDEX in names else b"{}")
            contents = {name: file.read(name) for name in names if name != INDEX}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, (DataError, ParameterError)):
            raise
        raise DataError("the project file is corrupt; export it again") from error
    _check_contents(index, contents)
    return index, contents


def _index(raw: bytes) -> dict[str, Any]:
    index = PROJECT.read(raw)
    for name, kind in {"version": str, "name": str, "tables": list, "runs": list}.items():
        check_type(f"{name} of a project", index.get(name), kind, "as Edgewise writes it")
    if len(index["runs"]) > MAX_RUNS:
        raise DataError(f"a project may have {MAX_RUNS:,} runs, this one has {len(index['runs']):,}; export less")
    for one in index["runs"]:
        check_type("a run of a project", one, dict, "a mapping in braces")
        for name, kind in OF_RUN.items():
            check_type(f"{name} of a run", one.get(name), kind, "as Edgewise writes it")
        too_long = max(len(one["title"]), len(one["said"])) > MAX_TITLE_LETTERS
        if too_long or not _are_hashes([one["order"], one["result"], *one["tables"]]):
            raise DataError("a run of the project file is corrupt; export it again")
    numbers = [one["number"] for one in index["runs"]]
    if len(set(numbers)) < len(numbers) or not all(0 < n <= MAX_RUN_NUMBER and n is not True for n in numbers):
        raise DataError("the run numbers of the project file are corrupt; export it again")
    if not _are_hashes(index["tables"]):
        raise DataError("the table names of the project file are corrupt; export it again")
    return index


def _are_hashes(names: list[Any]) -> bool:
    return all(isinstance(name, str) and HASH.fullmatch(name) for name in names)


def _check_contents(index: Mapping[str, Any], contents: Mapping[str, bytes]) -> None:
    """Check that each member matches its name and is referenced."""
    orders, results = ({one[what] for one in index["runs"]} for what in ("order", "result"))
    tables = {name for one in (index, *index["runs"]) for name in one["tables"]}
    lacking = (orders | results) - set(contents)
    if lacking or set(contents) - orders - results - tables - {BODY}:
        raise DataError("the project file has missing or unexpected parts; export it again")
    for name, raw in contents.items():
        if name != BODY and blob_hash(raw) != name:
            raise DataError("the project file is damaged; export it again")
        value = unpack(raw)
        if name in results:
            check_result(value)
        elif name in tables and isinstance(value, Table):
            check_table(value)
        elif name in orders or name == BODY:
            check_type("each order of the project file, and its saved project,", value, dict, "a mapping")
        elif isinstance(value, LearnResult) or name not in tables:
            raise DataError("the project file is corrupt; export it again")
