"""One event of a search as a sentence, for the line below the scrubber."""

from __future__ import annotations

from collections.abc import Sequence

from learners.results.events import Event
from learners.results.rules import BEGINNINGS, CLASS_MARKS, MOVES

from ..constraint_based.sentences import sentence as test_sentence
from .moves import move_sentence


def sentence(event: Event, names: Sequence[str]) -> str:
    """A move of the search, or what tests or knowledge did before."""
    return (move_sentence if event.rule in MOVES | BEGINNINGS | CLASS_MARKS else test_sentence)(event, names)
