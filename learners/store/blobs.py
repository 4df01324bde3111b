"""Large objects of a workspace, stored once by the hash of their bytes: as files or in the database."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import Connection, delete, func, insert, select

from ..common.errors import DataError
from .schema import parts, runs

CHECK_BYTES = 2**20  # bytes of free space that a check needs
RESCUED = "left-"  # prefix of the file in which a worker rescued a run
HASH = re.compile(r"[0-9a-f]{64}")


def blob_hash(raw: bytes) -> str:
    """Return the hash that names a blob."""
    return hashlib.sha256(raw).hexdigest()


class Blobs:
    """Blobs of all workspaces.

    Parameters
    ----------
    folder : Path or None
        Folder of the files; None if blobs lie in the database.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder and folder / "parts"

    def put(self, connection: Connection, workspace: str, raw: bytes) -> str:
        """Store a blob and return its hash. The file is complete before the database refers to it."""
        name, size = blob_hash(raw), len(raw)
        if self._folder and not (self._folder / workspace / name).exists():
            write_atomically(self._folder / workspace / name, raw)
        of = select(parts.c.size).where(parts.c.workspace == workspace, parts.c.hash == name)
        if connection.execute(of).scalar() is None:
            content = None if self._folder else raw
            connection.execute(insert(parts).values(workspace=workspace, hash=name, size=size, content=content))
        return name

    def get(self, connection: Connection, workspace: str, name: str) -> bytes:
        """Return the bytes of a blob.

        Raises
        ------
        DataError
            If it is missing or damaged, or its name is not a hash: an imported project could name any file of the
            server.
        """
        if not (isinstance(name, str) and HASH.fullmatch(name)):
            raw = None
        elif self._folder:
            path = self._folder / workspace / name
            raw = path.read_bytes() if path.exists() else None
            if raw is None:
                self._folder.stat()  # raises OSError if the whole folder is missing, as with an unmounted disk
        else:
            of = select(parts.c.content).where(parts.c.workspace == workspace, parts.c.hash == name)
            raw = connection.execute(of).scalar()
        if raw is None or blob_hash(raw) != name:
            raise DataError(
                "a stored table or result is missing or damaged; learn the run again, or open the table again"
            )
        return bytes(raw)

    def check(self) -> None:
        """Write and delete a file; raise OSError if that fails."""
        if self._folder:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=self._folder) as file:
                file.write(bytes(CHECK_BYTES))
                file.flush()
                os.fsync(file.fileno())

    def size(self, connection: Connection, workspace: str) -> int:
        """Return the total size of a workspace's blobs in bytes."""
        return connection.execute(select(func.sum(parts.c.size)).where(parts.c.workspace == workspace)).scalar() or 0

    def keep_only(self, connection: Connection, workspace: str, used: Iterable[str]) -> bool:
        """Delete the rows of unused blobs, but not their files; return True if there were any."""
        known = connection.execute(select(parts.c.hash).where(parts.c.workspace == workspace)).scalars()
        gone = sorted(set(known) - set(used))
        for name in gone:
            connection.execute(delete(parts).where(parts.c.workspace == workspace, parts.c.hash == name))
        return bool(gone)

    def delete_files(self, connection: Connection, workspace: str) -> None:
        """Delete files without a row, in a transaction that locks the workspace against concurrent writes.

        Rescued results stay until their run is shown again.
        """
        known = set(connection.execute(select(parts.c.hash).where(parts.c.workspace == workspace)).scalars())
        waiting = select(runs.c.id).where(runs.c.workspace == workspace, runs.c.result.is_(None))
        known |= {f"{RESCUED}{run}" for run in connection.execute(waiting).scalars()}
        for path in (self._folder / workspace).iterdir():
            if path.name not in known:
                path.unlink(missing_ok=True)

    def delete_all(self, workspace: str) -> None:
        """Delete the files of a deleted workspace; an empty name would delete those of all workspaces."""
        if self._folder and workspace:
            shutil.rmtree(self._folder / workspace, ignore_errors=True)

    def left(self, workspace: str, run: str) -> Path | None:
        """Return the path where a worker rescues the result of a run; None if blobs are not files."""
        return self._folder and self._folder / workspace / f"{RESCUED}{run}"

    def folders(self) -> set[str]:
        """Return the workspaces that have files."""
        return {path.name for path in self._folder.iterdir()} if self._folder and self._folder.exists() else set()


def write_atomically(path: Path, raw: bytes) -> None:
    """Write a file that other processes never see incomplete."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:  # free the space on a full disk
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Flush the directory entries of a folder to the disk."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
