"""Serialize results, tables and plans to bytes, and restore them bit for bit, without pickle.

A packed value is a zip archive with two members: a tree as JSON, and the raw arrays that it refers to. A tree is a
plain value, or a list that starts with its kind. Classes are named by module and name, and only data classes of this
library are instantiated, so that a file cannot run code.

The archive is read defensively: its entries are counted before they are listed, and only zlib decompresses them,
because a hostile file may list millions of entries or request gigabytes for LZMA.
"""

from __future__ import annotations

import dataclasses
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from enum import Enum
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa

from ..common.errors import DataError
from ..common.memory import check_memory
from ..common.run_warning import RunWarning
from ..common.sentences import Phrase
from ..evaluation.posterior import OF_PAIRS, Posterior
from ..graphs.sepsets import Sepsets
from ..results.directions import Directions
from ..results.information import Information
from .renamed import present_class
from .validation import check_fields

END = struct.Struct(
    "<4s4H2LH"
)  # end record of a zip file: signature, counts, size and offset of the directory, comment
LOCATOR = b"PK\6\7"  # signature of the ZIP64 locator, for files beyond 4 GB
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENTRY_BYTES = 256  # bytes of a directory entry with a short name
TREE, ARRAYS = "tree.json", "arrays.bin"
OBJECT_BYTES_PER_TREE_BYTE = 16  # approximate memory of the parsed tree per byte of JSON
MAX_DEPTH = 200  # maximum depth of nesting
SHARED_KINDS = frozenset({"array", "texts", "made", "data"})  # kinds of values that are stored once and then referenced
KINDS = SHARED_KINDS | {"enum", "number", "named", "tuple", "list", "set", "frozenset", "dict"}
DTYPES = frozenset(f"{order}{kind}{size}" for kind, sizes in (("i", "1248"), ("u", "1248"), ("f", "48"), ("b", "1"))
                   for size in sizes for order in "<|")  # fmt: skip


def _averaged(one: Posterior) -> dict[str, np.ndarray]:
    """Return the cached averages, whose last digits depend on the order of the variables."""
    return {name: vars(one)[name] for name in OF_PAIRS if name in vars(one)}


def _posterior(classes: tuple, shares: np.ndarray, known: dict, averaged: dict) -> Posterior:
    made = Posterior(classes, shares, known)
    vars(made).update({name: averaged[name] for name in OF_PAIRS if name in averaged})
    return made


def _judged(known: dict) -> Directions:
    """Return evaluated directions, without the data."""
    directions = Directions(lambda: known)
    len(directions)
    return directions


# Classes that are not dataclasses: functions to pack and to rebuild them.
CONSTRUCTORS: dict[type, tuple[Callable[[Any], tuple], Callable[..., Any]]] = {
    Sepsets: (lambda one: (one.members, one.present), Sepsets),
    Posterior: (lambda one: (one.classes, one.shares, one.known, _averaged(one)), _posterior),
    # Cached values are kept; `registry.bound` computes the others.
    Information: (lambda one: (one.known,), lambda known: Information(None, known)),
    Directions: (lambda one: (one.known,), _judged),
    Phrase: (lambda one: (one.sentence, tuple(one.names)), Phrase),
    RunWarning: (lambda one: (one.code, one.sentence, one.columns), RunWarning),
}


def pack(value: Any) -> bytes:
    """Serialize a value; raise TypeError if it contains anything but data."""
    packer = _Packer()
    tree = packer.tree(value)
    with io.BytesIO() as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr(_entry(TREE), json.dumps([packer.classes, tree], separators=(",", ":")))
        file.writestr(_entry(ARRAYS), b"".join(packer.arrays))
        file.close()
        return stream.getvalue()


def unpack(raw: bytes) -> Any:
    """Restore a packed value, with read-only arrays where they were read-only.

    Raises
    ------
    DataError
        If the bytes were not written by `pack`, are damaged, or come from an incompatible version.
    """
    try:
        with open_archive(raw, 2) as file:
            if sorted(file.namelist()) != sorted((TREE, ARRAYS)):
                raise ValueError("members")
            unpacked = file.getinfo(ARRAYS).file_size + OBJECT_BYTES_PER_TREE_BYTE * file.getinfo(TREE).file_size
            check_memory(unpacked, "the stored data", "choose another file")
            classes, tree = json.loads(file.read(TREE))
            return _Unpacker([_class_of(present_class(name)) for name in classes], file.read(ARRAYS)).value(tree)
    except DataError:
        raise
    except RecursionError:
        raise DataError("the stored data is nested too deeply; export it again") from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, zipfile.BadZipFile, zlib.error, OverflowError,
            EOFError, NotImplementedError, RuntimeError, MemoryError, pa.ArrowException) as error:  # fmt: skip
        raise DataError("the stored data is corrupt or from another version; export it again") from error


def open_archive(raw: bytes, max_entries: int) -> zipfile.ZipFile:
    """Open a zip archive, as a context manager.

    Raises
    ------
    zipfile.BadZipFile
        If Edgewise did not write it: it has a comment, too many entries, or another compression method.
    """
    if len(raw) < END.size or LOCATOR in raw[-END.size - 20 : -END.size]:
        raise zipfile.BadZipFile("no plain end")
    mark, _disk, _first, _here, entries, size, _at, comment = END.unpack(raw[-END.size :])
    if mark != b"PK\5\6" or comment or entries > max_entries or size > ENTRY_BYTES * max_entries:
        raise zipfile.BadZipFile("no plain end, or too many entries")
    file = zipfile.ZipFile(io.BytesIO(raw))
    if not all(entry.compress_type in METHODS for entry in file.infolist()):
        raise zipfile.BadZipFile("another way of packing")
    return file


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a member without a time stamp, so that equal values give equal bytes."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


class _Packer:
    """Convert values to trees; arrays and data that occur repeatedly are stored once."""

    def __init__(self) -> None:
        self.arrays: list[bytes] = []
        self.classes: list[str] = []
        self._length = 0
        self._met: dict[int, tuple[int, Any]] = {}  # a reference to the value keeps its id unique

    def tree(self, value: Any) -> Any:
        if value is None or type(value) in (bool, int, float, str):
            return value
        if id(value) in self._met:
            return ["again", self._met[id(value)][0]]
        tree = self._new_tree(value)
        if tree[0] in SHARED_KINDS:
            self._met[id(value)] = (len(self._met), value)
        return tree

    def _new_tree(self, value: Any) -> Any:
        if isinstance(value, Enum):
            return ["enum", self._class(type(value)), value.name]
        if isinstance(value, np.generic):
            return ["number", *self._stored(np.asarray(value))]
        if isinstance(value, np.ndarray):
            return ["array", *self._stored(value), value.flags.writeable]
        if isinstance(value, pa.Array):
            return ["texts", value.to_pylist()]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return ["named", self._class(type(value)), *map(self.tree, value)]
        if isinstance(value, (tuple, list, set, frozenset)):
            members = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
            return [type(value).__name__, *map(self.tree, members)]
        if type(value) in CONSTRUCTORS:
            return ["made", self._class(type(value)), *map(self.tree, CONSTRUCTORS[type(value)][0](value))]
        if isinstance(value, Mapping):
            return ["dict", *([self.tree(key), self.tree(one)] for key, one in value.items())]
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = (self.tree(getattr(value, one.name)) for one in dataclasses.fields(value) if one.init)
            return ["data", self._class(type(value)), *fields]
        raise TypeError(f"{type(value).__name__} is no data")

    def _class(self, kind: type) -> int:
        name = f"{kind.__module__}:{kind.__qualname__}"
        if name not in self.classes:
            _class_of(name)
            self.classes.append(name)
        return self.classes.index(name)

    def _stored(self, array: np.ndarray) -> tuple[str, list[int], int]:
        if array.dtype.str not in DTYPES:
            raise TypeError(f"an array of {array.dtype} is no data")
        raw, begin = np.ascontiguousarray(array).tobytes(), self._length
        self.arrays.append(raw)
        self._length += len(raw)
        return array.dtype.str, list(array.shape), begin


class _Unpacker:
    """Convert trees to values."""

    def __init__(self, classes: list[type], arrays: bytes) -> None:
        self._classes, self._arrays = classes, arrays
        self._met: list[Any] = []
        self._depth = 0
        self._left = len(arrays)  # unread bytes; each belongs to one array only

    def value(self, tree: Any) -> Any:
        if tree is None or isinstance(tree, (bool, int, float, str)):
            return tree
        kind, *rest = tree
        if kind == "again":
            return self._met[rest[0]]
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise RecursionError
        if kind not in KINDS:
            raise ValueError(kind)
        value = getattr(self, f"_{kind}")(rest)
        self._depth -= 1
        if kind in SHARED_KINDS:
            self._met.append(value)
        return value

    def _enum(self, rest: list) -> Enum:
        return self._of(rest[0], Enum)[rest[1]]

    def _number(self, rest: list) -> np.generic:
        return self._read(*rest)[()]

    def _array(self, rest: list) -> np.ndarray:
        array = self._read(*rest[:3])
        array.flags.writeable = bool(rest[3])
        return array

    def _texts(self, rest: list) -> pa.Array:
        return pa.array(rest[0], pa.string())

    def _named(self, rest: list) -> tuple:
        return self._of(rest[0], tuple)(*map(self.value, rest[1:]))

    def _tuple(self, rest: list) -> tuple:
        return tuple(map(self.value, rest))

    def _list(self, rest: list) -> list:
        return list(map(self.value, rest))

    def _set(self, rest: list) -> set:
        return set(map(self.value, rest))

    def _frozenset(self, rest: list) -> frozenset:
        return frozenset(map(self.value, rest))

    def _dict(self, rest: list) -> dict:
        return {self.value(key): self.value(one) for key, one in rest}

    def _made(self, rest: list) -> Any:
        return CONSTRUCTORS[self._classes[rest[0]]][1](*map(self.value, rest[1:]))

    def _data(self, rest: list) -> Any:
        kind = self._classes[rest[0]]
        names = [one.name for one in dataclasses.fields(kind) if one.init]
        if len(rest) - 1 > len(names):
            raise ValueError(kind.__name__)
        # An earlier version may have had fewer fields; later ones take their defaults.
        fields = dict(zip(names, map(self.value, rest[1:]), strict=False))
        check_fields(kind, fields)
        return kind(**fields)

    def _of(self, position: int, kind: type) -> type:
        found = self._classes[position]
        if not issubclass(found, kind):
            raise ValueError(found)
        return found

    def _read(self, dtype: str, shape: list[int], begin: int) -> np.ndarray:
        if dtype not in DTYPES or not all(isinstance(one, int) and one >= 0 for one in (*shape, begin)):
            raise ValueError("array")
        size = int(np.dtype(dtype).itemsize)
        for one in shape:
            size *= one
        self._left -= size
        if begin + size > len(self._arrays) or self._left < 0:
            raise ValueError("array")
        count = size // np.dtype(dtype).itemsize
        return np.frombuffer(self._arrays, dtype, count, begin).reshape(shape).copy()


def _class_of(name: str) -> type:
    """Return a data class of the library by its stored name, and import its module if necessary.

    Declarations of learners are refused, because they refer to functions.
    """
    module, _, qualified = name.partition(":")
    parts = module.split(".")
    if parts[0] != "learners" or parts[1:2] == ["settings"] or not all(map(str.isidentifier, parts)):
        raise ValueError(name)
    if module.endswith("__"):  # `__main__`
        raise ValueError(name)
    try:
        found = getattr(import_module(module), qualified)
    except ImportError as error:
        raise ValueError(name) from error
    is_data = isinstance(found, type) and (
        dataclasses.is_dataclass(found) or issubclass(found, Enum) or hasattr(found, "_fields") or found in CONSTRUCTORS
    )
    if not is_data or found.__module__ != module:
        raise ValueError(name)
    return found
