"""RAI's recursion: the group that each call refines, boxed in the graph and listed in a table."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from learners.brai.call_trace import CallRecord
from learners.brai.rai import AutonomyRun
from learners.results.result import LearnResult

from ..graph_data import Box, GraphViewData
from ..text import count, format_set

MOST_NAMED = 6  # variables of a group in a sentence


def boxed(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """The replay with the group that is being refined at each step; a group of all variables is not boxed."""
    run: AutonomyRun = result.extra
    skipped, p = data["steps"]["offset"], len(result.names)
    boxes: list[Box] = [
        {
            "from": call.begin + 1 - skipped,
            "to": call.end + 1 - skipped,
            "nodes": list(call.nodes),
            "label": f"level {call.size}, {group_size(call)}",
        }
        for call in run.calls
        if len(call.nodes) < p and call.begin < call.end and call.end > skipped
    ]
    return data | {"boxes": boxes}


def group_size(call: CallRecord) -> str:
    """How large the group of a call is, and how many parents it has outside."""
    outside = f", {count(len(call.exogenous), 'parent')} outside" if call.exogenous else ""
    return f"{count(len(call.nodes), 'variable')}{outside}"


def call_table(result: LearnResult) -> pd.DataFrame:
    """A row for each call in order; the step that shows its work as ``step``."""
    names = result.names
    rows = [
        {
            "call": t,
            "called by": call.parent + 1 if call.parent >= 0 else None,
            "level": call.size,
            "size": len(call.nodes),
            "group": format_set(call.nodes, names).strip("{}"),
            "parents outside": format_set(call.exogenous, names).strip("{}"),
            "splits into": " + ".join(str(len(group)) for group in call.groups),
            "changes": call.end - call.begin,
            "tests": sum(call.n_tests),
            "step": call.end,
        }
        for t, call in enumerate(result.extra.calls, 1)
    ]
    return pd.DataFrame(rows)


def why_group(result: LearnResult, x: int, y: int) -> str | None:
    """In which group the recursion last looked at a pair."""
    last = last_call_of(result.extra.calls, x, y)
    if last is None:
        return None
    call = result.extra.calls[last]
    where = "among all variables" if len(call.nodes) == len(result.names) else f"in the group {_named(call, result)}"
    return f"The last call of the recursion that had both was at level {call.size}, {where}."


def last_call_of(calls: Iterable[CallRecord], x: int, y: int) -> int | None:
    """Position of the deepest call with one of the two in its group and the other there, or a parent of it."""
    found = None
    for t, call in enumerate(calls):
        mine, around = set(call.nodes), {*call.nodes, *call.exogenous}
        if (x in mine and y in around) or (y in mine and x in around):
            found = t
    return found


def _named(call: CallRecord, result: LearnResult) -> str:
    shown = format_set(call.nodes[:MOST_NAMED], result.names)
    more = f" and {len(call.nodes) - MOST_NAMED:,} more" if len(call.nodes) > MOST_NAMED else ""
    return shown + more
