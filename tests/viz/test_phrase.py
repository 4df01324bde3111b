"""Texts of the graph are phrases, and every phrase of a run has a German version."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from learners.common.sentences import Node, Phrase, phrase, say
from learners.evaluation.comparison import consensus
from learners.graphs.graph import PDAG
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult
from tests.tiers import family
from tests.viz.transcripts import EDGES, FEW, NAMES, table_for
from tests.viz.translation.test_sentences import WORDS_EN, has_words
from viz.averaging.words import EdgeMeasure
from viz.build.learning_curve import learning_curve_view
from viz.classroom.lessons import SLIDER_VIEWS
from viz.cluster_marks import grouped
from viz.compare.overlay import consensus_view, difference_view
from viz.graph_data import GraphViewData
from viz.kinds import kind_of, timeline
from viz.phgs.words import Solutions
from viz.text import in_language
from viz.translation.sentences import catalog

PLACES = np.full((len(NAMES), 2), 0.5)
TRUTH = PDAG.from_edges(len(NAMES), directed=EDGES)
# Keys whose values are not texts of the app, but marks, numbers, or names of variables and files.
NO_TEXTS = {"nodes", "mark", "marks", "colour", "ink", "shape", "file_name", "run"}
NO_TEXTS |= {"doubt", "truth", "turns", "diff", "ticks", "labels"}


class Lookups(dict):
    """A catalog that records the texts that it lacks."""

    def __init__(self, known: dict[str, str]) -> None:
        super().__init__(known)
        self.missing: set[str] = set()

    def get(self, text: str, default: str | None = None) -> str | None:
        if text not in self and has_words(text):
            self.missing.add(text)
        return super().get(text, default)


def texts(data: Any) -> Iterator[str]:
    """Yield the texts in the data of a graph."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in NO_TEXTS:
                yield from texts(value)
    elif isinstance(data, list | tuple) and not (data and isinstance(data[0], int)):
        for value in data:
            yield from texts(value)


@cache
def learnt(key: str) -> LearnResult:
    return learn(key, table_for(key), **FEW.get(key, {}))


def of_run(key: str) -> Iterator[GraphViewData]:
    """Yield the pictures of a run: its changes, and the other sequences of graphs that the slider moves through."""
    result = learnt(key)
    yield timeline(result, PLACES, truth=TRUTH)
    if kind_of(result).special_part(Solutions, result) is not None:
        yield SLIDER_VIEWS["solutions"](result, PLACES, TRUTH)
    if kind_of(result).special_part(EdgeMeasure, result) is not None:
        yield SLIDER_VIEWS["probable"](result, PLACES, TRUTH)


def assert_german(data: GraphViewData) -> None:
    looked_up = Lookups(dict(catalog("de")))
    in_language(data, looked_up)
    assert looked_up.missing == set()
    assert [text for text in texts(in_language(data, catalog("de"))) if WORDS_EN.search(text)] == []
    assert [text for text in texts(data) if not isinstance(text, Phrase) and has_words(text)] == []


@pytest.mark.gate_cases(each=family)
@pytest.mark.compiled
@pytest.mark.parametrize("key", LEARNERS)
def test_every_text_of_a_run_has_a_german_version(key):
    for data in of_run(key):
        assert_german(data)


OTHERS: dict[str, Callable[[], GraphViewData]] = {
    "difference": lambda: difference_view(TRUTH, PDAG.from_edges(5, directed=EDGES[:2]), NAMES, PLACES),
    "consensus": lambda: consensus_view(consensus([TRUTH, TRUTH]), 2, NAMES, PLACES),
    "curve": lambda: learning_curve_view([TRUTH, None], ["50", "100"], TRUTH, NAMES, PLACES),
    "clusters": lambda: grouped(consensus_view(consensus([TRUTH, TRUTH]), 2, NAMES, PLACES), np.arange(5) % 2),
}


@pytest.mark.parametrize("name", OTHERS)
def test_every_text_of_other_graphs_has_a_german_version(name):
    assert_german(OTHERS[name]())


def test_a_missing_translation_is_found():
    with pytest.raises(AssertionError):
        assert_german({"nodes": [], "edges": [], "steps": {"count": 1, "text": [phrase("no such text")]}})
    with pytest.raises(AssertionError):
        assert_german({"nodes": [], "edges": [], "steps": {"count": 1, "text": ["plain text"]}})


def test_a_phrase_is_a_text_and_stays_translatable_as_a_copy():
    known = {"{a} found": "{a} gefunden"}
    one = phrase("{a} found", ("salt",), a=Node(0))
    for copied in (one, copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert copied == "salt found"
        assert copied.written(known) == "salt gefunden"
    assert one.written({"{a} found": "{a} trouvé"}) == "salt trouvé"


def test_data_keep_their_form_in_another_language():
    data = {"text": [Phrase(say("found"))], "spans": [[0, 1, "forward"]], "values": [None, 2], "label": "SHD"}
    known = {"found": "gefunden"}
    assert in_language(data, known) == data | {"text": ["gefunden"]}
    assert in_language(data, {}) is data
