"""A search by score to drag through: its score at each step, and its DAGs."""

from __future__ import annotations

import math

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..graph_view.contract import GraphViewData
from ..replay import SHD, replay
from .search_steps import search_steps, shd_of_steps
from .sentences import sentence as search_sentence

DIRECTED = "directed: so far; at the end, same way in every equivalent graph"


def class_timeline(
    result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None, sentence=search_sentence
) -> GraphViewData:
    """The replay with the score of each step; parameters as for `replay`."""
    data = replay(result, positions, truth=truth, sentence=sentence)
    steps = data["steps"]
    scores = result.extra.scores[steps["offset"] :].tolist()
    score = {"label": "score", "values": [round(v, 3) if math.isfinite(v) else None for v in scores]}
    return data | {"steps": steps | {"series": [score, *steps["series"]]}}


def dag_timeline(
    result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None, sentence=search_sentence
) -> GraphViewData:
    """The same of a search over DAGs, whose classes are held against the truth."""
    data = class_timeline(result, positions, truth=truth, sentence=sentence)
    if truth is not None:
        skipped = data["steps"]["offset"]
        distance = next(one["values"] for one in data["steps"]["series"] if one["label"] == SHD)
        for step, value in shd_of_steps(result, truth).items():
            if step >= skipped:
                distance[step - skipped] = value
    return ({"directed": DIRECTED} if len(search_steps(result)) else {}) | data
