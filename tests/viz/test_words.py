"""Words on screen: correct number, no names of parameters, and a reason to choose each learner."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from learners.common.errors import ParameterError
from learners.explaining.explanation import event_sentence, explanation
from learners.registry import LEARNERS
from tests.viz.test_kinds import CASES, learnt
from viz.kinds import callouts, kind_of
from viz.labels import with_labels

# "1 pairs"; the exceptions end in s and are correct after a 1.
VERBS = "ms|is|uses|was|has|less|across|as|this|class|leaves|lets|keeps|gives|means|makes|takes|relaxes|believes|tests"
WRONG_NUMBER = re.compile(rf"(?<![\w.,−^-])1 (?!(?:{VERBS})\b)[a-z]+s\b")
RAW = re.compile(rf"\b({'|'.join({p.name for one in LEARNERS.values() for p in one.parameters if '_' in p.name})})\b")


def said(key: str, kind: str) -> list[str]:
    """Return the texts on a small run: its steps, pairs, callouts and tables."""
    result = learnt(key, kind)
    own = kind_of(result)
    sentences = [event_sentence(result, event).text(result.names) for event in result.trace]
    for pair in combinations(range(len(result.names)), 2):
        story = explanation(result, pair)
        sentences += [story.headline, *story.sentences]
    blanket = own.summary(result)
    learner = LEARNERS[key]
    return [
        *sentences,
        *callouts(result),
        *([blanket] if blanket else []),
        *(with_labels(one, learner) for one in result.warnings),
        learner.summary,
        learner.choose_if,
        *(text for one in learner.parameters for text in (one.label, one.help, one.up, one.down, one.source) if text),
    ]


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_sentences_are_right_in_number_and_name_no_parameter(key, kind):
    """Texts use "1 edge", "2 edges" and "largest conditioning set", never max_cond_size."""
    sentences = said(key, kind)
    assert [one for one in sentences if WRONG_NUMBER.search(one)] == []
    assert [one for one in sentences if RAW.search(one)] == []


@pytest.mark.parametrize("key", LEARNERS)
def test_refusals_on_the_form_name_settings_as_the_form_does(key):
    """An error about a value out of range uses the label of the field."""
    learner = LEARNERS[key]
    for one in learner.parameters:
        if one.low is None or one.steps or one.choices:
            continue
        with pytest.raises(ParameterError) as refused:
            learner.checked(one.kinds[0], {one.name: one.low - 1})
        sentence = with_labels(str(refused.value), learner)
        assert not RAW.search(sentence)
        assert one.label in sentence or "_" not in one.name


def test_each_learner_says_when_to_choose_it():
    """Each reason is one clause, and no two learners share a reason or a name."""
    reasons = [one.choose_if for one in LEARNERS.values()]
    assert all(20 < len(one) < 110 and one[-1] != "." for one in reasons)
    assert len(set(reasons)) == len(reasons)
    assert [one.key for one in LEARNERS.values() if "candidate" in one.label.lower()] == ["sca"]
    assert len({one.label.lower() for one in LEARNERS.values()}) == len(LEARNERS)
