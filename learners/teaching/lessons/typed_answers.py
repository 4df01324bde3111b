"""Answers to questions that a lecturer types during a class. There need not be a right one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from .answer_texts import Texts
from .entered_answers import number_text
from .path_reasons import Reason

MAX_TEXT_LETTERS = 200


@dataclass(frozen=True)
class TypedText:
    """A free text without a right answer."""

    solution: None = None
    kind: ClassVar[str] = "text"

    def parse(self, text: str) -> str:
        """Return one line of text; raise ValueError if it is empty."""
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:MAX_TEXT_LETTERS]
        if not line:
            raise ValueError(text)
        return line

    def label(self, given: str, _say: Texts) -> str:
        """Return the text."""
        return given

    def is_right(self, _given: str) -> bool:
        """Return False: no text is right or wrong."""
        return False

    def reason(self, _given: str, _say: Texts) -> Reason:
        """Return no reason."""
        return "", (), False


@dataclass(frozen=True)
class TypedNumber:
    """A number, right within the tolerance of the solution if there is one."""

    solution: float | None = None
    tolerance: float = 0.0
    unit: ClassVar[str] = ""
    kind: ClassVar[str] = "number"

    def parse(self, text: str) -> float:
        """Convert text to a number, with a decimal point or comma; raise ValueError if it is not one."""
        given = float(text.strip().replace(",", ".").replace("−", "-"))
        if not math.isfinite(given):
            raise ValueError(text)
        return given

    def label(self, given: float, _say: Texts) -> str:
        """Return a number in words."""
        return number_text(given)

    def is_right(self, given: float) -> bool:
        """Return True within the tolerance."""
        return self.solution is not None and abs(given - self.solution) <= self.tolerance + 1e-12

    def reason(self, _given: float, _say: Texts) -> Reason:
        """Return no reason."""
        return "", (), False


@dataclass(frozen=True)
class ClickedNodes:
    """Nodes of the graph beside the question.

    Attributes
    ----------
    names : tuple of str
    solution : frozenset of int or None
        The right set, if there is one.
    """

    names: tuple[str, ...]
    solution: frozenset[int] | None = None
    kind: ClassVar[str] = "nodes"

    @property
    def options(self) -> tuple[int, ...]:
        """Positions of all nodes."""
        return tuple(range(len(self.names)))

    def parse(self, text: str) -> frozenset[int]:
        """Convert text such as "0,2" to a set of nodes; raise ValueError if it is none."""
        given = frozenset(int(part) for part in text.split(",") if part)
        if not given <= set(self.options):
            raise ValueError(text)
        return given

    def label(self, given: frozenset[int], say: Texts) -> str:
        """Return an answer in words."""
        return ", ".join(self.names[k] for k in sorted(given)) or say["nothing"]

    def is_right(self, given: frozenset[int]) -> bool:
        """Return True for the right set."""
        return self.solution is not None and given == self.solution

    def reason(self, _given: frozenset[int], _say: Texts) -> Reason:
        """Return no reason."""
        return "", (), False
