"""File of an SQLite database: its lock, its backup, and its recovery after damage.

A damaged database is renamed and never overwritten. If all of its rows can still be read, as with a damaged index, they
become the new database; otherwise the backup does, which is made at each start and every few hours.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from .blobs import sync_folder
from .faults import DAMAGED, FAILED, StoreFault, fault_of

try:
    import fcntl
except ImportError:  # Windows, which cannot rename an open file
    fcntl = None

REBUILT, COPY, EMPTY = "all rows", "the copy", "nothing"  # source of the recovered database
FILE_SUFFIXES = ("-wal", "-shm", "")  # the log is renamed before its database


class SqliteFile:
    """Database file, with a lock that shows that a process uses it.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    path, copy : Path
        The database and its backup.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.copy = path.with_name(f"{path.name}.copy")
        self._lock_path = path.with_name(f"{path.name}.lock")
        self._lock: int | None = None
        self._copying = threading.Lock()

    @property
    def identity(self) -> tuple[int, int]:
        """Return device and inode, which change when the file is replaced; raise OSError if it is missing."""
        found = self.path.stat()
        return found.st_dev, found.st_ino

    def is_lost(self, *, used: bool) -> bool:
        """Return True if the database is missing or has lost its tables.

        Parameters
        ----------
        used : bool
            True if this process has used it. Otherwise the backup shows whether it had tables.
        """
        if not self.path.exists():
            return self.copy.exists()
        return (used or self.copy.exists()) and self._has_no_tables()

    def _has_no_tables(self) -> bool:
        with suppress(sqlite3.DatabaseError), closing(_connected(self.path, "ro")) as connection:
            return connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None
        return False

    def use(self) -> None:
        """Lock the database as in use; raise OSError while another process replaces it, or if it is not writable."""
        self._lock_as("LOCK_SH")

    def release(self) -> None:
        """Release this process's lock."""
        if self._lock is not None:
            if fcntl:  # closing alone would keep the lock in forked processes
                fcntl.flock(self._lock, fcntl.LOCK_UN)
            os.close(self._lock)
            self._lock = None

    def _lock_as(self, kind: str) -> None:
        if self._lock is None:
            self._lock = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if fcntl:
                fcntl.flock(self._lock, getattr(fcntl, kind) | fcntl.LOCK_NB)
        except OSError:
            self.release()
            raise

    def save_copy(self) -> None:
        """Back up the database row by row; raise StoreFault, and keep the last backup, if it is damaged."""
        with self._copying, _new_file(self.copy) as made, closing(_connected(self.path, "rw")) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise StoreFault(DAMAGED)
            connection.execute("VACUUM INTO ?", (str(made),))

    def forget(self, workspace: str) -> None:
        """Delete a workspace from the backup as well."""
        with self._copying:
            if not self.copy.exists():
                return
            try:
                with closing(sqlite3.connect(self.copy, isolation_level=None)) as connection:
                    for setting in ("foreign_keys=ON", "secure_delete=ON"):
                        connection.execute(f"PRAGMA {setting}")
                    connection.execute("DELETE FROM workspaces WHERE id = ?", (workspace,))
            except sqlite3.DatabaseError:  # an unchanged backup would restore the workspace
                self.copy.unlink()

    def recover(self) -> str:
        """Rename the database, replace it by what can be recovered, and return the source of the rows.

        Raises
        ------
        OSError
            While another process uses the database.
        """
        self._lock_as("LOCK_EX")
        try:
            for source, recovered in ((self.path, REBUILT), (self.copy, COPY)):
                if source.exists():
                    try:
                        with _new_file(self.path) as made:
                            _rebuild(source, made)
                            self._set_aside()
                        return recovered
                    except sqlite3.DatabaseError as error:
                        if fault_of(error) not in (DAMAGED, FAILED):  # a full disk must not empty the database
                            raise
            self._set_aside()
            return EMPTY
        finally:
            self.release()

    def _set_aside(self) -> None:
        """Rename the database and its log."""
        stamp, k = time.strftime("%Y%m%dT%H%M%S"), 0
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{stamp}-{k}")).exists():
            k += 1
        for end in FILE_SUFFIXES:
            with suppress(FileNotFoundError):
                os.rename(f"{self.path}{end}", f"{aside}{end}")
        sync_folder(self.path.parent)


def _rebuild(source: Path, target: Path) -> None:
    """Copy all rows of a database to a new file; raise sqlite3.DatabaseError if any are unreadable or none exist."""
    with closing(_connected(source, "ro")) as old, closing(sqlite3.connect(target, isolation_level=None)) as new:
        old.execute("SELECT version_num FROM alembic_version").fetchone()
        for statement in old.iterdump():  # tables row by row; indexes are rebuilt
            new.execute(statement)


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file that replaces another one atomically once it is written."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.new-")
    os.close(handle)
    made = Path(name)
    try:
        yield made
        with made.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(made, path)
        sync_folder(path.parent)
    finally:
        made.unlink(missing_ok=True)
