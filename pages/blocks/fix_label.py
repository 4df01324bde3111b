"""Label and tooltip of the button of a fix."""

from __future__ import annotations

from learners.common.sentences import Listed, Quoted, phrase
from learners.data.quality.extent import changed_columns, extent
from learners.data.quality.finding import Fix
from pages.session.state import Source
from pages.session.words import written
from viz.text import shorten

MAX_LABEL_LENGTH = 100
MAX_NAMED_COLUMNS = 30  # maximum number of columns named in a tooltip


def label_of(fix: Fix) -> str:
    """Return the label of the button; only the longest names of columns and texts are shortened."""
    return shorten(_capitalized(fix), MAX_LABEL_LENGTH)


def tooltip_of(here: Source, fix: Fix) -> str:
    """Return the full label if it was shortened, the names of counted columns, and the effect of the fix."""
    whole = _capitalized(fix)
    names = changed_columns(here.plan, fix.plan)[:MAX_NAMED_COLUMNS]
    parts = [whole] if len(whole) > MAX_LABEL_LENGTH else []
    if len(names) > 1 and not all(repr(name) in whole for name in names):
        parts.append(written(phrase("Columns: {columns}", columns=Listed([Quoted([name]) for name in names]))))
    parts.append(written(extent(here.table, here.plan, fix.plan).sentence))
    return ". ".join(filter(None, parts))


def _capitalized(fix: Fix) -> str:
    whole = written(fix.label)
    return whole[0].upper() + whole[1:]
