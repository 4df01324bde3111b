"""Lazily evaluated dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Self


class LazyDataclass:
    """Base of dataclasses whose instances can be created from a factory that runs at the first access of a field.

    A field must have no default or a `default_factory`, because a class attribute would hide the missing value.
    """

    @classmethod
    def lazily(cls, make: Callable[[], Self]) -> Self:
        """Return an instance that calls ``make()`` once a field is read.

        Threads that read a field at the same time may each call it.
        """
        record = cls.__new__(cls)
        record.__dict__["_make"] = make
        return record

    def __getattr__(self, name: str) -> Any:
        """Evaluate the factory if `name` is a field that does not exist yet."""
        make = self.__dict__.get("_make")
        if make is not None and name in self.__dataclass_fields__:
            self.__dict__.update(make().__getstate__())
            self.__dict__.pop("_make", None)
        if name not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
