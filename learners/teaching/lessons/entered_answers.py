"""Answers that are entered: a number, a position of a slider, and an order of steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from learners.common.wording import format_number

from .answer_texts import Texts
from .path_reasons import Reason

# Maximum error of an entered probability: absolute, in percentage points, and relative, for small probabilities.
TOLERANCE, SHARE_OF_VALUE = 0.5, 0.1


@dataclass(frozen=True)
class EnteredNumber:
    """An answer that is entered as a number.

    Attributes
    ----------
    value : float
        In percent where `unit` is "%".
    slips : tuple of (float, str)
        Values of frequent mistakes, each with a sentence that names the mistake.
    unit : str
        "%" or "".
    tolerance : float
        Maximum error.
    why : str
        Reason of the value.
    """

    value: float
    slips: tuple[tuple[float, str], ...] = ()
    unit: str = "%"
    tolerance: float = TOLERANCE
    why: str = ""
    kind: ClassVar[str] = "number"

    @property
    def solution(self) -> float:
        """The right number."""
        return self.value

    def parse(self, text: str) -> float:
        """Convert text to a number, with a decimal point or comma; raise ValueError if it is not one."""
        given = float(text.strip().replace(",", ".").replace("−", "-"))
        if not math.isfinite(given):
            raise ValueError(text)
        return given

    def label(self, given: float, _say: Texts) -> str:
        """Return a number in words."""
        return number_text(given, self.unit)

    def is_right(self, given: float) -> bool:
        """Return True if a number is within the tolerance."""
        allowed = min(self.tolerance, SHARE_OF_VALUE * self.value) if self.unit == "%" else self.tolerance
        return bool(abs(given - self.value) <= allowed + 1e-12)

    def slip(self, given: float) -> str:
        """Return the sentence on the mistake that leads to a number; empty if no known mistake does."""
        near = [
            (abs(given - slip), sentence) for slip, sentence in self.slips if abs(given - slip) <= self.tolerance
        ]  # fmt: skip
        return min(near)[1] if near else ""

    def reason(self, given: float, _say: Texts) -> Reason:
        """Return the mistake behind a wrong number, if it is known, and the reason of the right one."""
        slip = "" if self.is_right(given) else self.slip(given)
        return " ".join(filter(None, (slip, self.why))), (), False


def number_text(value: float, unit: str = "") -> str:
    """Return a number with three significant digits and its unit."""
    return f"{format_number(value)} {unit}".strip()


def setting_text(value: str | float, say: Texts) -> str:
    """Return the value of a setting, an integer with thousands separators."""
    return f"{value:,}".replace(",", say["thousands"]) if isinstance(value, int) else str(value)


@dataclass(frozen=True)
class SliderPosition:
    """The first value of a slider at which an event happens.

    Attributes
    ----------
    setting : str
        Setting of the run that the slider moves.
    values : tuple of str, int or float
    happens : tuple of bool
        True where it happens, by value.
    event : str
        What happens, as text such as "a — b".
    """

    setting: str
    values: tuple
    happens: tuple[bool, ...]
    event: str
    kind: ClassVar[str] = "slider"

    @property
    def solution(self) -> int:
        """Position of the right value."""
        return self.happens.index(True)

    @property
    def options(self) -> tuple[int, ...]:
        """Positions of all values."""
        return tuple(range(len(self.values)))

    def parse(self, text: str) -> int:
        """Convert text to a position; raise ValueError if it is not one."""
        if int(text) not in self.options:
            raise ValueError(text)
        return int(text)

    def label(self, given: int, say: Texts) -> str:
        """Return a position in words."""
        return f"{self.setting} = {setting_text(self.values[given], say)}"

    def is_right(self, given: int) -> bool:
        """Return True for the first value at which the event happens."""
        return given == self.solution

    def reason(self, given: int, say: Texts) -> Reason:
        """Return a sentence on whether the event happens at a value, and where it happens first."""
        words = "happens" if self.happens[given] else "does not happen"
        here = say[words].format(event=self.event, at=self.label(given, say))
        first = say["happens first"].format(event=self.event, at=self.label(self.solution, say))
        return first if self.is_right(given) else f"{here} {first}", (), False


@dataclass(frozen=True)
class StepOrder:
    """Steps to be put in order.

    Attributes
    ----------
    steps : tuple of str
        In the order in which they are offered.
    ranks : tuple of int
        Position of each step in the right order.
    why : str
        Reason of the order.
    """

    steps: tuple[str, ...]
    ranks: tuple[int, ...]
    why: str
    kind: ClassVar[str] = "order"

    @property
    def solution(self) -> tuple[int, ...]:
        """Offered steps in the right order."""
        return tuple(sorted(range(len(self.steps)), key=self.ranks.__getitem__))

    @property
    def options(self) -> tuple[int, ...]:
        """Positions of the offered steps."""
        return tuple(range(len(self.steps)))

    def parse(self, text: str) -> tuple[int, ...]:
        """Convert text such as "2,0,1" to an order of all steps; raise ValueError if it is none."""
        given = tuple(int(part) for part in text.split(","))
        if sorted(given) != list(self.options):
            raise ValueError(text)
        return given

    def label(self, given: tuple[int, ...], _say: Texts) -> str:
        """Return an order in words."""
        return "; ".join(f"{k}. {self.steps[step]}" for k, step in enumerate(given, start=1))

    def is_right(self, given: tuple[int, ...]) -> bool:
        """Return True for the right order."""
        return given == self.solution

    def reason(self, given: tuple[int, ...], say: Texts) -> Reason:
        """Return the first step that is misplaced, and the reason of the order."""
        wrong = [(k, step) for k, (step, right) in enumerate(zip(given, self.solution, strict=True)) if step != right]
        if not wrong:
            return self.why, (), False
        k, step = wrong[0]
        return say["misplaced"].format(k=k + 1, step=self.steps[step]) + f" {self.why}", (), False
