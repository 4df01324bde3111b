"""Views of searches by score."""

from __future__ import annotations

from ..kind import Kind, SliderModes
from ..tables import edge_rows
from .callouts import arrows, climb, growth, placing, strongest, surest
from .penalties import MODES_HELP
from .timeline import class_timeline, comparable, dag_timeline, order_timeline

KINDS = {
    "score": Kind(
        timeline=dag_timeline,
        callouts=(climb, strongest, arrows),
        comparable=comparable,
        tables={"Edges": edge_rows},
    ),
    "order": Kind(
        timeline=order_timeline,
        callouts=(placing, strongest, arrows),
        comparable=comparable,
        tables={"Edges": edge_rows},
    ),
    "score_path": Kind(
        timeline=class_timeline,
        callouts=(surest, strongest, arrows),
        tables={"Edges": edge_rows},
        slider_modes=lambda _result: SliderModes({"penalties": "Penalties", "run": "Run"}, "penalties", MODES_HELP),
        to_find_more="a smaller penalty",
    ),
    "ges": Kind(timeline=class_timeline, callouts=(growth, strongest, arrows), tables={"Edges": edge_rows}),
}
