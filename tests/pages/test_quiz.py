"""Tests of the quiz: from the first question to the steps worth another look."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from learners.io.samples import load_sample
from learners.registry import LEARNERS
from pages.blocks import addressed_run
from pages.blocks.lessons import lesson_files, lesson_view, own_lessons
from tests.pages.driving import go, markup, open_app, plain, press, sound


def begun():
    return sound(press(open_app("inspect"), "quiz_begin"))


def answer(at, k, choice):
    at.radio(key=f"quiz_choice_{k}").set_value(choice)
    return sound(press(at, f"quiz_answer_{k}"))


@pytest.mark.deep
def test_every_answer_is_reported_why_and_wrong_ones_come_again():
    """The first answer is correct, later ones are wrong; the last button leads to the pair of the question."""
    at = begun()
    quiz = at.session_state["quiz"]
    for k, question in enumerate(quiz.questions):
        assert any(f"Question {k + 1} of" in text for text in markup(at))
        right = question.answer
        answer(at, k, right if k == 0 else (right + 1) % len(question.choices))
        assert ("Correct:" in plain(at.success[0].value)) if k == 0 else ("Not quite." in plain(at.error[0].value))
        assert any(text.endswith("is in the graph.") or "There is no edge" in text for text in map(plain, markup(at)))
        sound(press(at, f"quiz_next_{k}"))
    assert f"**1 of {len(quiz.questions)} right.**" in markup(at)
    sound(press(at, "quiz_again_0"))
    assert at.session_state["quiz"] is None
    assert set(at.session_state["pair"]) == {
        at.session_state["runs"][0].result.names[k] for k in quiz.questions[1].pair
    }


def test_an_address_begins_a_quiz_and_leaves_it():
    """An address with a quiz asks questions about the run in the address; without a quiz, it shows the run again."""
    at = open_app(sample="asia")
    at.query_params = {"sample": "asia", "learner": "pc", "alpha": "0.01", "quiz": "1"}
    go(at, "inspect")
    quiz = at.session_state["quiz"]
    assert quiz.questions
    assert any("Question 1 of" in text for text in markup(at))
    assert at.query_params["quiz"] == "1"
    assert sound(at.run()).session_state["quiz"] is quiz
    sound(press(at, "quiz_leave"))
    assert at.button(key="quiz_begin")
    assert "quiz" not in at.query_params


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_lesson_with_a_run_ends_with_a_quiz_on_it_and_another_with_practice(language):
    """The link leads to an address that begins a quiz on the run of the lesson; a lesson without one, to the games."""
    at = sound(press(sound(open_app("lessons", lesson="03-pc-by-hand", language=language)), "lesson_whole"))
    (link,) = [one for one in at.get("page_link") if one.proto.query_string]
    assert dict(parse_qsl(link.proto.query_string)) == {
        "sample": "asia", "learner": "pc", "alpha": "0.01", "quiz": "1",
    }  # fmt: skip
    at = sound(press(sound(open_app("lessons", lesson="01-d-separation", language=language)), "lesson_whole"))
    assert not [one for one in at.get("page_link") if one.proto.query_string]
    assert sound(press(at, "lesson_practice")).session_state["lesson"] == "practice"


def test_the_addresses_of_quizzes_name_the_runs_of_their_lessons():
    """Sample, learner and parameters of each address exist, and the learner accepts the parameters."""
    found = {}
    for key in lesson_files.titles("en"):
        if address := lesson_view.quiz_of(own_lessons.lesson_of(key)):
            sample, learner, given = address["sample"], address["learner"], dict(address)
            for name in ("sample", "learner", "quiz"):
                del given[name]
            kind = load_sample(sample).dataset.kind
            LEARNERS[learner].checked(kind, {name: addressed_run.parsed(value) for name, value in given.items()})
            found[key] = learner
    assert found == dict.fromkeys(("03-pc-by-hand", "04-colliders-and-meek", "08-faithfulness"), "pc")


def test_another_quiz_asks_other_things():
    """A second quiz has other questions; leaving it restores the run."""
    at = begun()
    first = at.session_state["quiz"].questions
    sound(press(at, "quiz_leave"))
    assert at.button(key="quiz_begin")
    assert sound(press(at, "quiz_begin")).session_state["quiz"].questions != first


def test_a_german_quiz_speaks_german():
    """Questions, choices, buttons and reasons are German if German is chosen."""
    at = open_app("inspect")
    at.session_state["language"] = "de"
    sound(press(at, "quiz_begin"))
    assert any("Frage 1 von" in text for text in markup(at))
    answer(at, 0, at.session_state["quiz"].questions[0].answer)
    assert "Richtig:" in plain(at.success[0].value)
    assert at.button(key="quiz_next_0").label == "Nächste Frage zeigen"
    assert any(text.endswith("ist im Graphen.") or "keine Kante" in text for text in map(plain, markup(at)))
