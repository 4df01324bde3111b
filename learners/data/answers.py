"""Cells that hold several answers at once, as surveys export a question of which more than one box can be ticked."""

from __future__ import annotations

SEPARATORS = (";", "|", "\n", ",")  # a comma last: it stands inside answers, too
YES, NO = "yes", "no"


def answers_of(text: str, separator: str) -> tuple[str, ...]:
    """The answers that a cell names, without blanks around them."""
    return tuple(part for one in text.split(separator) if (part := one.strip()))
