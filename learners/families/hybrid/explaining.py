"""Explanations of searches within a skeleton."""

from __future__ import annotations

from ...explaining.events import event_of_search
from ...explaining.hybrid_pairs import why_by_search
from ...explaining.optimal_search import optimum_sentence
from ...explaining.pair import Explainer

EXPLAINERS = {"hybrid": Explainer(why_by_search, event_of_search, optimum_sentence)}
