"""Results, tables, plans and what is made of them as bytes, and back the same to the last bit. Nothing is pickled.

A packed value is a zip of two members: a tree as JSON, and the arrays that it names, one after the other as they lie in
memory. A tree is a plain value, or a list whose first member says what it is. Classes go by their names, and only those
of the library that hold data are made again.
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
from ..evaluation.posterior import OF_PAIRS, Posterior
from ..graphs.sepsets import Sepsets
from ..results.directions import Directions
from ..results.information import Information
from .renamed import RENAMED
from .validation import check_fields

END = struct.Struct("<4s4H2LH")  # the last record of a zip file: its marks, counts, size and place of the list, comment
LOCATOR = b"PK\6\7"  # of a second such record, which files beyond 4 GB have
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENTRY_BYTES = 256  # of a short name in the list
TREE, ARRAYS = "tree.json", "arrays.bin"
OBJECT_BYTES_PER_TREE_BYTE = 16  # bytes that a byte of the tree takes as objects, about
MAX_DEPTH = 200  # values within values
SHARED_KINDS = frozenset({"array", "texts", "made", "data"})  # kinds of values that are told once
KINDS = SHARED_KINDS | {"enum", "number", "named", "tuple", "list", "set", "frozenset", "dict"}
DTYPES = frozenset(f"{order}{kind}{size}" for kind, sizes in (("i", "1248"), ("u", "1248"), ("f", "48"), ("b", "1"))
                   for size in sizes for order in "<|")  # fmt: skip


def _averaged(one: Posterior) -> dict[str, np.ndarray]:
    """What was worked out already, in an order of the variables that the last digits depend on."""
    return {name: vars(one)[name] for name in OF_PAIRS if name in vars(one)}


def _posterior(classes: tuple, shares: np.ndarray, known: dict, averaged: dict) -> Posterior:
    made = Posterior(classes, shares, known)
    vars(made).update({name: averaged[name] for name in OF_PAIRS if name in averaged})
    return made


def _judged(known: dict) -> Directions:
    """What was judged, which needs not be judged again."""
    told = Directions(lambda: known)
    len(told)
    return told


# Classes that are no dataclasses: what they are made of, and how they are made of it.
CONSTRUCTORS: dict[type, tuple[Callable[[Any], tuple], Callable[..., Any]]] = {
    Sepsets: (lambda one: (one.members, one.present), Sepsets),
    Posterior: (lambda one: (one.classes, one.shares, one.known, _averaged(one)), _posterior),
    # What was asked for is kept; `registry.bound` can be asked again.
    Information: (lambda one: (one.known,), lambda known: Information(None, known)),
    Directions: (lambda one: (one.known,), _judged),
}


def pack(value: Any) -> bytes:
    """The value as bytes; TypeError if something in it is no data."""
    packer = _Packer()
    tree = packer.tree(value)
    with io.BytesIO() as told, zipfile.ZipFile(told, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr(_entry(TREE), json.dumps([packer.classes, tree], separators=(",", ":")))
        file.writestr(_entry(ARRAYS), b"".join(packer.arrays))
        file.close()
        return told.getvalue()


def unpack(raw: bytes) -> Any:
    """The value that `pack` told, its arrays read-only where they were.

    Raises
    ------
    DataError
        If the bytes are nothing that `pack` makes: another file, a damaged one, or one of another version.
    """
    try:
        with open_archive(raw, 2) as file:
            if sorted(file.namelist()) != sorted((TREE, ARRAYS)):
                raise ValueError("members")
            unpacked = file.getinfo(ARRAYS).file_size + OBJECT_BYTES_PER_TREE_BYTE * file.getinfo(TREE).file_size
            check_memory(unpacked, "a part of stored work", "choose another file")
            classes, tree = json.loads(file.read(TREE))
            return _Unpacker([_class_of(RENAMED.get(name, name)) for name in classes], file.read(ARRAYS)).value(tree)
    except DataError:
        raise
    except RecursionError:
        raise DataError("stored work must not be nested so deeply; export it again") from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, zipfile.BadZipFile, zlib.error, OverflowError,
            EOFError, NotImplementedError, RuntimeError, MemoryError, pa.ArrowException) as error:  # fmt: skip
        raise DataError("stored work must be as this version writes it, this is not; export it again") from error


def open_archive(raw: bytes, max_entries: int) -> zipfile.ZipFile:
    """Return the zip file that `raw` holds, a context manager.

    Raises
    ------
    zipfile.BadZipFile
        If it is no zip file as Edgewise writes one: with a comment, too many entries, or another way of packing.
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
    """A member without a time, so that the same value gives the same bytes."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


class _Packer:
    """Turns values into trees; arrays and data that are met again are told once."""

    def __init__(self) -> None:
        self.arrays: list[bytes] = []
        self.classes: list[str] = []
        self._length = 0
        self._met: dict[int, tuple[int, Any]] = {}  # the value is held, so that no other takes its id

    def tree(self, value: Any) -> Any:
        if value is None or type(value) in (bool, int, float, str):
            return value
        if id(value) in self._met:
            return ["again", self._met[id(value)][0]]
        tree = self._told(value)
        if tree[0] in SHARED_KINDS:
            self._met[id(value)] = (len(self._met), value)
        return tree

    def _told(self, value: Any) -> Any:
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
            told = (self.tree(getattr(value, one.name)) for one in dataclasses.fields(value) if one.init)
            return ["data", self._class(type(value)), *told]
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
    """Turns trees into values."""

    def __init__(self, classes: list[type], arrays: bytes) -> None:
        self._classes, self._arrays = classes, arrays
        self._met: list[Any] = []
        self._depth = 0
        self._left = len(arrays)  # bytes that no array was made of yet: each is of one alone

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
        # An earlier version may have had fewer fields; those that came after them have their defaults.
        told = dict(zip(names, map(self.value, rest[1:]), strict=False))
        check_fields(kind, told)
        return kind(**told)

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
    """Return a class of the library that holds data; import its module if no run needed it yet.

    Declarations of learners are no data: they refer to functions.
    """
    module, _, qualified = name.partition(":")
    parts = module.split(".")
    if parts[0] != "learners" or parts[1:2] == ["settings"] or not all(map(str.isidentifier, parts)):
        raise ValueError(name)
    if module.endswith("__"):  # a program
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
