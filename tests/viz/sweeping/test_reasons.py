"""Explanations of differences between two runs of any learner, derived from their traces."""

from __future__ import annotations

import math

import pytest

from learners import LEARNERS, causes, learn
from learners.results.events import Event
from learners.sweeping import Cause, changes
from learners.sweeping.reasons import difference
from tests.learners.test_registry import sample
from tests.tiers import family

pytestmark = pytest.mark.compiled  # two runs of every learner

SMALL = {"bootstrap": {"n_resamples": 3}, "brai": {"roots": 1, "s": 2}, "order_mcmc": {"chains": 2, "steps": 200}}
LEADING_ON = (Cause.NOT_ASKED, Cause.PREMISE, Cause.SETS)  # causes that another link must follow
LABELS = ("all rows", "half of the rows")


def same(one: Event, other: Event) -> bool:
    """Compare events by their text, because NaN does not equal itself."""
    return repr(one) == repr(other)


def check_chain(pair, chain, before, after):
    """Check that each link agrees with the traces and leads to the next, until the last."""
    assert chain[0].pair == pair
    for link, following in zip(chain, chain[1:], strict=False):
        assert link.cause is Cause.EVENTS or (link.cause in LEADING_ON and link.on == following.pair)
    assert chain[-1].cause not in LEADING_ON
    for link in chain:
        assert link.cause is Cause.EVENTS or link.before or link.after
        for result, event in ((before, link.before), (after, link.after)):
            if event is not None:
                assert link.cause is Cause.RUNS_PART or {event.i, event.j} == set(link.pair)
                assert any(same(event, one) for one in result.trace.of_pair(event.i, event.j))
        if link.cause is Cause.LINE:
            event = link.before or link.after
            low, high = sorted(link.lines)
            number = event.statistic if math.isnan(event.log_p) else math.exp(event.log_p)
            assert low <= number <= high
            assert low < high


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize("key", list(LEARNERS))
def test_every_changed_edge_has_a_chain_of_events_and_sentences(key):
    learner = LEARNERS[key]
    data = sample(learner.kinds[0], p=7, n=300)
    known = {one.name for one in learner.parameters_for(data.kind)}
    params = {name: value for name, value in SMALL.get(key, {}).items() if name in known}
    before = learn(key, data, **params)
    others = [learn(key, data.take(range(60)), **params)]
    if "alpha" in known:
        others.append(learn(key, data, **params, alpha=0.3))
    for after in others:
        found, changed = causes(before, after), changes(before.graph, after.graph)
        assert set(found) == {*changed.more, *changed.fewer, *changed.turned}
        for pair, chain in found.items():
            check_chain(pair, chain, before, after)
            sentences = difference(chain, before, after, LABELS).written()
            assert len(sentences) == len(chain) + 1
            assert all(data.names[k] in sentences[0] for k in pair)
            assert all(one.endswith(".") and "None" not in one for one in sentences)
            for link, sentence in zip(chain, sentences[1:], strict=True):
                if link.cause is Cause.NUMBER:  # the number of the first run, then that of the other
                    assert sentence.index(LABELS[0]) < sentence.index(LABELS[1])
    assert not causes(before, before)
