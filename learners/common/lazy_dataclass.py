"""Records that are put together when they are first looked at."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Self


class LazyDataclass:
    """A dataclass of which some instances only know how they are made.

    A default value would be found in their stead, so that fields have a `default_factory` or none.
    """

    @classmethod
    def lazily(cls, make: Callable[[], Self]) -> Self:
        """What ``make()`` gives, once a field of it is asked for; threads that ask at once may each call it."""
        record = cls.__new__(cls)
        record.__dict__["_make"] = make
        return record

    def __getattr__(self, name: str) -> Any:
        """Asked for what is not there: a field of what is yet to be made."""
        make = self.__dict__.get("_make")
        if make is not None and name in self.__dataclass_fields__:
            self.__dict__.update(make().__getstate__())
            self.__dict__.pop("_make", None)
        if name not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
