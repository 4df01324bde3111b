"""Views of searches within a skeleton."""

from __future__ import annotations

from ..constraint_based.kind import collider, explained_away, first_level
from ..kind_contract import Kind
from ..score_based.kind import climb, polish
from ..score_based.timeline import comparable, dag_timeline

SEARCH = Kind(
    timeline=dag_timeline,
    callouts=(first_level, climb, polish, explained_away, collider),
    comparable=comparable,
)
KINDS = {"hybrid": SEARCH}
