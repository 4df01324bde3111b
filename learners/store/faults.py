"""Faults of the store: reasons why it cannot be read or written, each with a remedy."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass

from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import DataError as ValueRefused
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from ..common.errors import LearnersError


@dataclass(frozen=True)
class Fault:
    """Reason why the store cannot be used.

    Attributes
    ----------
    name : str
        Name in the log.
    said : str
        Clause that visitors read.
    remedy : str
        Instruction for the operator, in the log.
    readable : bool
        True if the store can still be read.
    """

    name: str
    said: str
    remedy: str
    readable: bool = False


FULL = Fault("full", "the server's disk is full", "Free space on its disk.", readable=True)
READ_ONLY = Fault(
    "read-only", "the server may not write to its storage", "Make the file and its folder writable.", readable=True
)
LOCKED = Fault(
    "locked", "another program has locked the server's database", "End the program that locks it.", readable=True
)
DAMAGED = Fault(
    "damaged", "the server's database is damaged", "Stop other servers that use it; it is set aside and replaced then."
)
UNREACHABLE = Fault("unreachable", "the server cannot reach its storage", "Check the disk, or the database server.")
NEWER = Fault("newer", "a newer version of Edgewise wrote the server's database", "Update Edgewise.")
FAILED = Fault("failed", "the server's storage reported an error", "Check the database.")
FAULTS = (FULL, READ_ONLY, LOCKED, DAMAGED, UNREACHABLE, NEWER, FAILED)

_OF_SYSTEM = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), FULL),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), READ_ONLY),
    **dict.fromkeys((errno.EAGAIN, errno.EBUSY), LOCKED),
}
_OF_SQLITE = {  # extended result codes before primary ones
    sqlite3.SQLITE_IOERR_SHMSIZE: FULL,
    sqlite3.SQLITE_IOERR_DATA: DAMAGED,
    sqlite3.SQLITE_IOERR_CORRUPTFS: DAMAGED,
    sqlite3.SQLITE_READONLY_DBMOVED: UNREACHABLE,
    sqlite3.SQLITE_FULL: FULL,
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM), READ_ONLY),
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), LOCKED),
    **dict.fromkeys((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB), DAMAGED),
    **dict.fromkeys((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR), UNREACHABLE),
}
_OF_POSTGRES = {  # complete SQLSTATE, or its class
    "53100": FULL,
    **dict.fromkeys(("25006", "42501"), READ_ONLY),
    **dict.fromkeys(("55P03", "40001", "40P01", "57014"), LOCKED),
    "XX": DAMAGED,
    **dict.fromkeys(("08", "53", "57", "28", "3D"), UNREACHABLE),
}


class StoreFault(LearnersError):
    """The store cannot be used at the moment.

    Parameters
    ----------
    fault : Fault
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.said}; try again in a while")
        self.fault = fault


def fault_of(error: Exception) -> Fault | None:
    """Return the fault that caused an error; None if the error has another cause, such as a bug.

    Parameters
    ----------
    error : Exception
        Raised by the system, by the driver of the database, or by SQLAlchemy.
    """
    if isinstance(error, StoreFault):
        return error.fault
    if isinstance(error, OSError):
        return _OF_SYSTEM.get(error.errno, UNREACHABLE)
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0)
        return _OF_SQLITE.get(code) or _OF_SQLITE.get(code & 0xFF, FAILED)
    if isinstance(error, (ArgumentError, NoConnectionFree)):
        return LOCKED if isinstance(error, NoConnectionFree) else FAILED
    if not isinstance(error, DBAPIError) or isinstance(error, (IntegrityError, ProgrammingError, ValueRefused)):
        return None
    if isinstance(error.orig, sqlite3.Error):
        return fault_of(error.orig)
    state = getattr(error.orig, "sqlstate", None) or "08"
    return _OF_POSTGRES.get(state) or _OF_POSTGRES.get(state[:2], FAILED)
