"""Sentences as records: each kind of value survives JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from learners.common.sentences import (
    _TYPES,
    Capitalized,
    Count,
    Edge,
    Listed,
    Message,
    Node,
    Nodes,
    Quoted,
    Setting,
    caveat,
    cells_of,
    columns_of,
    hundredths,
    mbit,
    p_of,
    paragraph,
    percent,
    probability,
    restored,
    rows_of,
    say,
    setting,
    stored,
)

NAMES = ("smoke", "type", "either")
SENTENCES = [
    say("{a} and {b}", a=Node(0), b=Edge(0, "forward", 2)),
    say("{set} of {type}", set=Nodes((0, 1)), type="a value named like the key"),
    say("{p}, {level}, {share}, {bits}, {how}", p=p_of(-3.0), level=setting(0.05), share=percent(0.2), bits=mbit(3.0),
        how=probability(0.9)),
    say("{n} {tests}: {listed}", n=1_200, tests=Count(2, "test"), listed=Listed([say("one"), say("two")], last=" or ")),
    say("{clause}", clause=Capitalized(say("small letter"))),
    say("{names} {empty}", names=Quoted(["a", "b"]), empty=Quoted([""], empty="empty cells")),
    say("{text}.", text=Message("the weights are unusable")),
    say("{name}: {ratio}", name=Setting("alpha"), ratio=hundredths(0.456)),
    caveat("{rows}", rows=rows_of(1)),
    paragraph(columns_of(["a", "b"]), say(""), cells_of(3)),
]  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda one: one.template)
def test_a_sentence_survives_json(sentence):
    again = restored(json.loads(json.dumps(stored(sentence))))
    assert type(again) is type(sentence)
    assert again.text(NAMES) == sentence.text(NAMES)
    assert stored(again) == stored(sentence)


def test_numbers_of_numpy_are_stored_as_plain_numbers():
    sentence = say("{tests}", tests=Count(np.int64(2), "test"))
    assert restored(json.loads(json.dumps(stored(sentence)))).text(()) == sentence.text(())


def test_every_kind_of_value_is_tried():
    def kinds(written: object) -> set[str]:
        if isinstance(written, list):
            return set().union(*map(kinds, written)) if written else set()
        if not isinstance(written, dict):
            return set()
        own = {written["type"]} & set(_TYPES) if isinstance(written.get("type"), str) else set()
        return own.union(*map(kinds, written.values()))

    found = set().union(*(kinds(stored(sentence)) for sentence in SENTENCES))
    assert set(_TYPES) <= found


def test_sentences_are_written_one_after_another():
    assert paragraph(say("One."), say(""), say("Two.")).text(()) == "One. Two."
    assert columns_of(["a"]).text(()) == "column 'a'"
    assert Quoted(["", "x"], empty="empty cells").text() == "empty cells and 'x'"
