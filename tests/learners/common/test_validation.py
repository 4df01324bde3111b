"""Tests of the decorator that checks arguments against their annotations."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import pandas as pd
import pytest

from learners import PDAG, ParameterError
from learners.common import validation
from learners.common.validation import AtLeast, Threads, argument_type, validated

if TYPE_CHECKING:
    from nowhere import Unknown


@validated
def called(a: int, b: float = 1.0, *others: str, c: Sequence[int] = (), **rest: int) -> tuple:
    """Return all arguments."""
    return a, b, others, c, rest


@validated
def of_unknown(a: Unknown, b: int) -> tuple:
    """Return both arguments; the type of the first is known only to type checkers."""
    return a, b


@validated
@dataclass(frozen=True)
class Box:
    """A record with a checked constructor."""

    size: int
    label: str = ""

    @validated
    def grown(self, by: int) -> Box:
        """Return a larger box."""
        return Box(self.size + by)

    @classmethod
    @validated
    def of(cls, size: int) -> Box:
        """Return a box of this size."""
        return cls(size)


GENERATOR = (k for k in range(3))
KINDS: list[tuple[Any, list[Any], list[Any]]] = [
    (int, [0, -3, np.int64(3)], [True, 1.0, "1", None, 2**70, np.True_]),
    (float, [0.5, 1, np.float64(2), np.int64(3), float("nan")], [True, "1", None, 10**400, 1j]),
    (bool, [True, np.False_], [0, 1, None, "True"]),
    (str, ["", "x"], [b"x", None, 1]),
    (int | None, [None, 3], [3.0, "None"]),
    (Threads | None, [None, 1], [0, -1, 1.0]),
    (Annotated[float, AtLeast(0.5)], [0.5, 2], [0.25, float("nan"), "x"]),
    (Annotated[int, "a note"], [-1], ["x"]),
    (Literal["a", "b"], ["a"], ["c", None, ["a"], 1]),
    (
        Sequence[int],
        [[], (1, 2), np.arange(3), pd.Series([1]), range(4)],
        ["12", 1, [1.5], {1: 2}, {1}, None],
    ),
    (Sequence[int], [np.zeros(0)], [np.zeros(2), np.array(3), np.array([None]), np.zeros((2, 2))]),
    (Sequence[Sequence[int]], [[[1], (2,)], np.zeros((2, 2), int)], [[1], np.arange(3), ["ab"]]),
    (Collection[int], [{1}, [1], {1: 2}], ["a", 3, {"a"}]),
    (Iterable[int], [GENERATOR, [1]], [5, "ab", np.array(3)]),
    (tuple[int, ...], [(), (1,), [1, 2]], [(1, "a"), 1]),
    (tuple[int, str], [(1, "a"), [1, "a"]], [(1,), ("a", 1), (1, "a", 2), 3]),
    (Mapping[str, int], [{}, {"a": 1}], [{1: 1}, {"a": "b"}, [("a", 1)], None]),
    (Mapping, [{}, {1: "x"}], [[], "x"]),
    (Callable[[int], int], [len, int], [None, 3]),
    (PDAG, [PDAG.empty(2)], [PDAG, None, np.zeros((2, 2))]),
    (str | Path | bytes, ["a", b"a", Path("a")], [1, None, ["a"]]),
    (np.ndarray, [[1, 2], np.zeros(3)], []),
    (Any, [None, object()], []),
]


@pytest.mark.parametrize(("annotation", "right", "wrong"), KINDS, ids=[str(one[0]) for one in KINDS])
def test_an_annotation_says_what_is_allowed(annotation, right, wrong):
    """Values are checked against annotations: booleans are no integers, and NumPy numbers are numbers."""
    kind = argument_type(annotation)
    assert [value for value in right if not kind.allows(value)] == []
    assert [value for value in wrong if kind.allows(value)] == []
    assert kind.words


def test_every_argument_is_checked_however_it_is_passed():
    """Arguments are passed by position, by name, or as starred arguments; the error message names the parameter."""
    assert called(1, 2, "x", "y", c=[3], d="any") == (1, 2, ("x", "y"), [3], {"d": "any"})
    for arguments, named, message in (
        (("x",), {}, "^a must be a whole number, got 'x'$"),
        ((1, "x"), {}, "^b must be a number, got 'x'$"),
        ((1, 1.0, "x", 3), {}, "^others must be a text, got 3$"),
        ((1,), {"b": None}, "^b must be a number, got None$"),
        ((1,), {"c": "12"}, "^c must be a list, each item a whole number, got '12'$"),
        ((2**70,), {}, "^a must be a whole number of at most 4,6"),
    ):
        with pytest.raises(ParameterError, match=message):
            called(*arguments, **named)
    with pytest.raises(TypeError, match="missing 1 required"):  # a call with the wrong number of arguments is a bug
        called()


def test_constructors_and_methods_are_checked():
    """Dataclasses are checked too, and remain ordinary classes that can be pickled."""
    assert Box(3).grown(2) == Box.of(5)
    assert pickle.loads(pickle.dumps(Box(3))) == Box(3)
    for ask in (lambda: Box("x"), lambda: Box(1, 2), lambda: Box(1).grown("x"), lambda: Box.of(None)):
        with pytest.raises(ParameterError):
            ask()


def test_what_describes_a_callable_stays():
    """A decorated function keeps its signature, name and docstring, and can be pickled."""
    assert str(inspect.signature(called)).startswith("(a: 'int', b: 'float' = 1.0, *others: 'str'")
    assert (called.__name__, called.__doc__) == ("called", "Return all arguments.")
    assert str(inspect.signature(Box)) == "(size: 'int', label: 'str' = '') -> None"
    assert pickle.loads(pickle.dumps(called)) is called


def test_an_annotation_for_type_checkers_only_allows_everything():
    """An annotation that cannot be resolved at run time allows every value; other parameters are still checked."""
    assert of_unknown("x", 2) == ("x", 2)
    with pytest.raises(ParameterError):
        of_unknown(1, "x")


def test_annotations_are_resolved_once(monkeypatch):
    """Annotations are resolved once, at the first call and not at the import."""
    asked = []
    monkeypatch.setattr(
        validation, "argument_type", lambda annotation: asked.append(annotation) or argument_type(annotation)
    )

    @validated
    def counted(a: int, b: str = "") -> int:
        return a + len(b)

    assert not asked
    assert [counted(k) for k in range(3)] == [0, 1, 2]
    assert asked == [int, str]
