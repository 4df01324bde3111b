"""A warning about a run or its data, as a record whose text is made from a typed sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .sentences import Phrase, Sentence, restored, stored


class RunWarning(Phrase):
    """A warning about a run: an English text that stores its kind, its columns and its sentence.

    It can be used as a plain string. `written` writes it in another language, `to_dict` as a JSON object.

    Parameters
    ----------
    code : str
        Kind of the warning, for programs: "cancelled", "contradiction", "untested", "determined", ...
    sentence : Sentence
        Sentences, the first one without a capital: what is wrong, and why it matters or what to do.
    columns : sequence of str
        The affected columns; empty if the warning concerns the whole run.
    """

    __slots__ = ("code", "columns")

    code: str
    columns: tuple[str, ...]

    def __new__(cls, code: str, sentence: Sentence, columns: Sequence[str] = ()) -> RunWarning:
        """Write the sentence in English."""
        text = super().__new__(cls, sentence)
        text.code, text.columns = code, tuple(columns)
        return text

    def to_dict(self) -> dict[str, Any]:
        """Return the warning as a JSON object; `from_dict` reads it."""
        return {"code": self.code, "columns": list(self.columns), "text": str(self), "reason": stored(self.sentence)}

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> RunWarning:
        """Return the warning that `to_dict` wrote."""
        return cls(written["code"], restored(written["reason"]), written["columns"])

    def __reduce__(self) -> tuple:
        """Return the constructor arguments for copying and pickling."""
        return RunWarning, (self.code, self.sentence, self.columns)


def warning_records(warnings: Iterable[str]) -> list[dict[str, Any]]:
    """Return warnings as JSON objects; the plain texts of runs of earlier versions become records without a code."""
    return [one.to_dict() if isinstance(one, RunWarning) else {"code": "", "text": one} for one in warnings]
