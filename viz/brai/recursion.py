"""RAI's recursion: the group of each call, boxed in the graph and listed in a table."""

from __future__ import annotations

import pandas as pd

from learners.common.sentences import Count, Sentence, only_if, phrase, say
from learners.families.brai.call_trace import CallRecord
from learners.families.brai.rai import AutonomyRun
from learners.results.result import LearnResult

from ..graph_data import Box, GraphViewData
from ..text import format_set


def boxed(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Add a box around the group that is refined at each step, unless it contains all variables."""
    run: AutonomyRun = result.extra
    skipped, p = data["steps"]["offset"], len(result.names)
    boxes: list[Box] = [
        {
            "from": call.begin + 1 - skipped,
            "to": call.end + 1 - skipped,
            "nodes": list(call.nodes),
            "label": phrase("level {size}, {group}", size=call.size, group=_size(call)),
        }
        for call in run.calls
        if len(call.nodes) < p and call.begin < call.end and call.end > skipped
    ]
    return data | {"boxes": boxes}


def _size(call: CallRecord) -> Sentence:
    outside = only_if(call.exogenous, say(", {parents} outside", parents=Count(len(call.exogenous), "parent")))
    return say("{variables}{outside}", variables=Count(len(call.nodes), "variable"), outside=outside)


def call_table(result: LearnResult) -> pd.DataFrame:
    """Return a row for each call in order; ``step`` is the step of the slider that shows its result."""
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
