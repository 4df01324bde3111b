"""Tests of the quiz: from the first question to the steps worth another look."""

from __future__ import annotations

from tests.pages.driving import go, markup, open_app, plain, press, sound


def begun():
    return sound(press(open_app("inspect"), "quiz_begin"))


def answer(at, k, choice):
    at.radio(key=f"quiz_choice_{k}").set_value(choice)
    return sound(press(at, f"quiz_answer_{k}"))


def test_every_answer_is_reported_why_and_wrong_ones_come_again():
    """The first answer is correct, later ones are wrong; the last button leads to the pair of the question."""
    at = begun()
    quiz = at.session_state["quiz"]
    for k, question in enumerate(quiz.questions):
        assert any(f"Question {k + 1} of" in text for text in markup(at))
        right = question.answer
        answer(at, k, right if k == 0 else (right + 1) % len(question.choices))
        assert ("Right:" in plain(at.success[0].value)) if k == 0 else ("Not quite." in plain(at.error[0].value))
        assert any(text.endswith("is in the graph.") or "There is no edge" in text for text in map(plain, markup(at)))
        sound(press(at, f"quiz_next_{k}"))
    assert f"**1 of {len(quiz.questions)} right.**" in markup(at)
    sound(press(at, "quiz_again_0"))
    assert at.session_state["quiz"] is None
    assert set(at.session_state["pair"]) == {
        at.session_state["runs"][0].result.names[k] for k in quiz.questions[1].pair
    }


def test_an_address_begins_a_quiz_and_leaves_it():
    """An address with a quiz asks its questions on the run that it names; without one, the run is there again."""
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


def test_every_lesson_ends_with_a_link_to_a_quiz():
    """The link at the end of a lesson leads to an address that begins a quiz, and says so."""
    for language, label in (("en", "Start quiz"), ("de", "Quiz")):
        at = sound(open_app("lessons", lesson="05-equivalence-classes", language=language))
        (link,) = [one for one in at.get("page_link") if one.proto.query_string]
        assert (link.proto.page, link.proto.query_string) == ("inspect", "quiz=1")
        assert label in link.proto.label


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
