"""Views of runs whose graphs are PAGs."""

from __future__ import annotations

import numpy as np

from learners.common.sentences import Count, Number, Phrase, phrase
from learners.families.latent.explaining import event_of_ends, event_of_mags
from learners.graphs.graph import PDAG
from learners.graphs.pag import ARROW
from learners.results.result import LearnResult

from ..graph_data import GraphViewData
from ..kind_contract import Kind
from ..replay import replay
from ..score_based.timeline import class_timeline
from ..tables import edge_rows
from ..text import shorten

DIRECTED = phrase("a cause, possibly through others")


def hidden_causes(result: LearnResult) -> Phrase | None:
    """Name a pair with a hidden common cause."""
    marks = result.graph.marks
    pairs = np.argwhere(np.triu((marks == ARROW) & (marks.T == ARROW)))
    if not len(pairs):
        return None
    i, j = (shorten(result.names[k]) for k in pairs[0])
    template = (
        "{i} ↔ {j}: if the ends are right, neither causes the other; variables that are not in the table connect them."
    )
    if len(pairs) > 1:
        template += " The same holds for {others}."
    return phrase(template, i=i, j=j, others=Count(len(pairs) - 1, "other pair"))


def improvement(result: LearnResult) -> Phrase | None:
    """Report how much better the MAG fits than the DAG."""
    n = len(result.extra.moves)
    if not n:
        return phrase("No hidden cause that the search tried improves the score: the ends are those of its best DAG.")
    template = "{moves} from the best DAG raised the score by {gain} nats."
    return phrase(template, moves=Count(n, "move"), gain=Number(float(result.extra.gain)))


def open_ends(result: LearnResult) -> Phrase | None:
    """Explain a circle."""
    n = result.graph.n_circles
    if not n:
        return None
    template = "A circle at an end means that the data do not settle it: arrowhead or tail ({ends})."
    return phrase(template, ends=Count(n, "open end"))


def timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Replay a run; its arrows stand for causes."""
    return replay(result, positions, truth=truth, sentence=event_of_ends) | {"directed": DIRECTED}


def mag_timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Replay a search over MAGs with its scores; its arrows stand for causes."""
    return class_timeline(result, positions, truth=truth, sentence=event_of_mags) | {"directed": DIRECTED}


KINDS = {
    "pag": Kind(
        timeline=timeline,
        callouts=(hidden_causes, open_ends),
    ),
    "mag": Kind(
        timeline=mag_timeline,
        callouts=(hidden_causes, improvement, open_ends),
        tables={"Edges": edge_rows},
        to_find_more="smaller penalty",
    ),
}
