"""Small JSON files with a version, read strictly: any other content raises an error with a message."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...common.errors import DataError, ParameterError
from ...common.wording import quoted
from .source import read_bytes

MAX_BYTES = 16 * 1024**2


@dataclass(frozen=True)
class JSONFormat:
    """A file format: its name, and the key and version that identify it in the file.

    Attributes
    ----------
    noun : str
        Name of the content without an article, such as "plan".
    key : str
    version : int
    """

    noun: str
    key: str
    version: int

    def written(self, body: dict[str, Any]) -> str:
        """Return the text of a file with the content `body`."""
        return json.dumps({self.key: self.version, **body}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def read(self, source: str | Path | bytes) -> dict[str, Any]:
        """Read a file of this format, and return its content without the key.

        Raises
        ------
        DataError
            If the file cannot be read, or is not JSON.
        ParameterError
            If it has another format or version, a repeated key, or a number that is not finite.
        """
        raw = read_bytes(source, most=MAX_BYTES, advice=f"Export the {self.noun} again")
        stored = self._parsed(raw)
        version = stored.pop(self.key, None) if isinstance(stored, dict) else None
        if version != self.version or isinstance(version, (bool, float)):
            raise ParameterError(
                f"a {self.noun} file must say {self.key!r}: {self.version}, this one does not. Export it again"
            )
        return stored

    def _parsed(self, raw: bytes) -> Any:
        try:
            return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=self._once, parse_constant=self._no_number)
        except json.JSONDecodeError as error:
            raise DataError(
                f"a {self.noun} must be JSON, line {error.lineno} is not ({error.msg}). Export it again"
            ) from error
        except (UnicodeDecodeError, RecursionError) as error:
            raise DataError(f"a {self.noun} must be JSON in UTF-8, this file is not. Export it again") from error
        except ParameterError:
            raise
        except ValueError as error:  # Python refuses integers of more than a few thousand digits
            raise DataError(
                f"a {self.noun} must hold numbers of a usual length, this file has a longer one. Export it again"
            ) from error

    def _once(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ParameterError(
                f"a {self.noun} must name each key once, found {quoted([twice])} again. Export it again"
            )
        return found

    def _no_number(self, text: str) -> float:
        raise ParameterError(f"a {self.noun} must hold finite numbers, found {text}. Export it again")
