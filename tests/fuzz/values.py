"""Odd values, and some valid ones."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from learners import Knowledge


class Rude:
    """An object whose `repr` and `str` fail."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __str__ = __repr__


VALUES: tuple[Callable[[], Any], ...] = (
    lambda: None, lambda: True, lambda: 0, lambda: 1, lambda: -1, lambda: 3, lambda: 2**31, lambda: 2**64,
    lambda: 10**400, lambda: -(10**400), lambda: 10**5_000, lambda: 0.0, lambda: 0.5, lambda: 1.0, lambda: -0.0,
    lambda: 1e308, lambda: 5e-324, lambda: math.nan, lambda: math.inf, lambda: -math.inf, lambda: 1j,
    lambda: "", lambda: "pc", lambda: "0.05", lambda: "x" * 10_000, lambda: "\0", lambda: "a\nb", lambda: b"bytes",
    lambda: bytearray(b"x"), lambda: [], lambda: [0.05], lambda: (), lambda: ("a", "b"), lambda: {}, lambda: {"a": 1},
    lambda: {1, 2}, lambda: range(5), lambda: iter([1]), lambda: np.array([]), lambda: np.array(0.05),
    lambda: np.array([0.05, 0.1]), lambda: np.zeros((3, 3)), lambda: np.float64(0.05), lambda: np.int64(3),
    lambda: np.bool_(True), lambda: np.datetime64("2020-01-01"), lambda: np.array(["a"]), lambda: np.array([None]),
    lambda: pd.NA, lambda: pd.NaT, lambda: pd.Series([1, 2]), lambda: pd.DataFrame({"a": [1]}), lambda: pd.Timestamp(0),
    lambda: decimal.Decimal("0.05"), lambda: decimal.Decimal("NaN"), lambda: decimal.Decimal("sNaN"),
    lambda: fractions.Fraction(1, 20), lambda: datetime.date(2020, 1, 1), lambda: object, lambda: len, lambda: Rude(),
    lambda: [[1, 2], [3]], lambda: [("a", "b")], lambda: "\ud800", lambda: Ellipsis, lambda: slice(1),
)  # fmt: skip


def odd_value(rng: np.random.Generator) -> Any:
    """Return one of the values, newly created."""
    return VALUES[rng.integers(len(VALUES))]()


def odd_knowledge(rng: np.random.Generator, names: tuple[str, ...]) -> Any:
    """Draw required and forbidden edges and tiers: valid, contradictory, of unknown names, or of wrong types."""
    if rng.random() < 0.05:
        return odd_value(rng)
    parts = {}
    for part in ("required", "forbidden"):
        if rng.random() < 0.6:
            edges = [tuple(_name(rng, names) for _ in range(rng.choice([2, 2, 2, 2, 1, 3]))) for _ in range(3)]
            parts[part] = odd_value(rng) if rng.random() < 0.15 else edges if rng.random() < 0.5 else tuple(edges)
    if rng.random() < 0.5:
        tiers = {_key(rng, names): odd_value(rng) if rng.random() < 0.2 else int(rng.integers(3)) for _ in range(3)}
        parts["tiers"] = odd_value(rng) if rng.random() < 0.15 else tiers
    return Knowledge(**parts)


def _name(rng: np.random.Generator, names: tuple[str, ...]) -> Any:
    return odd_value(rng) if rng.random() < 0.05 else names[rng.integers(len(names))]


def _key(rng: np.random.Generator, names: tuple[str, ...]) -> Any:
    return rng.choice([1, 2.5, "no such column"]) if rng.random() < 0.05 else names[rng.integers(len(names))]
