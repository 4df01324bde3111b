"""Tests of the words of a quiz: the question names what is asked, and the reason gives the numbers of all choices."""

from __future__ import annotations

import re

from learners import learn, load_sample
from learners.teaching.quiz.question import Topic
from learners.teaching.quiz.quiz import questions
from viz.quiz import choice_label, question_sentence, reveal
from viz.translation.sentences import catalog


def test_questions_on_pc_say_what_is_asked():
    """A rank is by the largest p, a collider question has the separating set, and no choice is an empty-set sign."""
    result = learn("pc", load_sample("asia").dataset, alpha=0.01)
    names, seen = result.names, set()
    for one in (one for seed in range(6) for one in questions(result, 12, seed=seed)):
        asked = question_sentence(one, result)
        seen.add(one.topic)
        if one.topic is Topic.RANK:
            assert "largest p" in asked
            listed = re.findall(r": (\u2212?[\d,.]*\d)(?:;|\.$)", reveal(one, result)[0])
            numbers = [float(number.replace(",", "").replace("\u2212", "-")) for number in listed]
            assert len(numbers) == len(one.choices)
            assert numbers[one.answer] == min(numbers)
            assert reveal(one, result, catalog("de"))[0].startswith("ln des größten p")
        elif one.topic is Topic.COLLIDER:
            members = result.sepsets.between(one.about[0], one.about[2])
            given = ", ".join(names[k] for k in members) if members else "nothing"
            assert f"separated given {given}" in asked.replace("{", "").replace("}", "")
        elif one.topic is Topic.SEPARATED:
            labels = [choice_label(one, k, names) for k in range(len(one.choices))]
            assert not [label for label in labels if "∅" in label]
            assert asked.startswith("Which set") == (None not in one.choices)
            assert any(label.startswith("no,") for label in labels) == (None in one.choices)
    assert {Topic.RANK, Topic.COLLIDER, Topic.SEPARATED} <= seen
