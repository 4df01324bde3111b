"""Quiz on a run: the next event and its reason."""

from __future__ import annotations

import streamlit as st

from learners.teaching.quiz.question import QuizQuestion, questions_to_review
from pages.blocks.classroom import class_button
from pages.blocks.inspect import selection
from pages.blocks.slider import go_to_run
from pages.session import node_positions
from pages.session.quizzes import Quiz, begin, leave
from pages.session.state import Run
from pages.session.words import language, t
from viz import quiz as words
from viz.glossary.terms import with_terms
from viz.graph_view import graph_view
from viz.kinds import kind_of
from viz.text import escape_markdown
from viz.translation.sentences import Translator, catalog


def offer(run: Run) -> None:
    """Show the button that begins a quiz."""
    st.button(
        t("Start quiz"), key="quiz_begin", icon=":material/quiz:", on_click=begin, args=(run,),
        help=t("Questions about what happens next at selected steps of this run."),
    )  # fmt: skip


def show(run: Run, quiz: Quiz) -> None:
    """Show the graph next to its question."""
    room = st.container(horizontal=True, key="inspect_room")
    with room.container(key="inspect_picture"):
        if quiz.questions:
            picture(run, quiz)
    with room.container(key="inspect_why"):
        panel(run, quiz)


def picture(run: Run, quiz: Quiz) -> None:
    """Show the graph of the question; a click in it is an answer."""
    question = quiz.questions[min(quiz.at, len(quiz.questions) - 1)]
    shown = graph_view(
        words.quiz_view(question, run.result.names, node_positions.shown(run, node_positions.arrangement(run))),
        key=f"quiz_graph_{run.number}_{st.session_state.quizzes}_{quiz.at}",
        selected=question.pair if quiz.revealed else None,
        language=language(),
    )
    choice = None if quiz.revealed else words.choice_at(question, shown.selected)
    if choice is not None and quiz.at < len(quiz.questions):
        _answer(quiz, choice)


def as_slides(run: Run, quiz: Quiz) -> class_button.Slides:
    """Return the questions for a class, each with its picture."""
    places = node_positions.shown(run, node_positions.arrangement(run))
    pictures = [words.quiz_view(question, run.result.names, places) for question in quiz.questions]
    slides = [{"pictures": {"": p}, "pair": q.pair} for p, q in zip(pictures, quiz.questions, strict=True)]
    known = catalog(language())
    return [words.as_exercise(question, run.result, known) for question in quiz.questions], slides, run.title


def panel(run: Run, quiz: Quiz) -> None:
    """Show the question, its choices and the reason, and at the end the score."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(t("Quiz"), anchor=False, width="stretch")
        if quiz.questions:
            class_button.offer(lambda: as_slides(run, quiz), "quiz")
        st.button(t("Leave quiz"), key="quiz_leave", type="tertiary", icon=":material/close:", on_click=leave)
    if not quiz.questions:
        st.caption(t("There are no questions about this run, because its graph is empty or never changed."))
    elif quiz.at == len(quiz.questions):
        _end(run, quiz, t)
    else:
        _question(run, quiz, quiz.questions[quiz.at], t)


def _question(run: Run, quiz: Quiz, question: QuizQuestion, t: Translator) -> None:
    names, known = run.result.names, catalog(language())
    score = words.score_sentence(quiz.right, len(quiz.given), known)
    st.caption(t("Question {k} of {n} · {score}", k=quiz.at + 1, n=len(quiz.questions), score=score))
    st.markdown(f"**{escape_markdown(words.question_sentence(question, run.result, known))}**")
    if quiz.revealed:
        _reveal(run, quiz, question, t)
        return
    st.caption(words.how_to_click(question, known))
    with st.form(f"quiz_form_{quiz.at}", border=False):
        st.radio(
            t("Your answer"), range(len(question.choices)), index=None, key=f"quiz_choice_{quiz.at}",
            format_func=lambda k: escape_markdown(words.choice_label(question, k, names, known)),
            label_visibility="collapsed",
        )  # fmt: skip
        st.form_submit_button(
            t("Submit answer"),
            type="primary",
            key=f"quiz_answer_{quiz.at}",
            on_click=_choose,
            args=(quiz, f"quiz_choice_{quiz.at}"),
        )


def _choose(quiz: Quiz, key: str) -> None:
    """Record the choice in the list, if there is one."""
    if st.session_state[key] is not None:
        _answer(quiz, st.session_state[key])


def _answer(quiz: Quiz, choice: int) -> None:
    quiz.given.append(choice)
    quiz.revealed = True


def _go_on(quiz: Quiz) -> None:
    quiz.revealed = False


def _reveal(run: Run, quiz: Quiz, question: QuizQuestion, t: Translator) -> None:
    """Show whether the answer is correct, and why."""
    known = catalog(language())
    label = escape_markdown(words.choice_label(question, question.answer, run.result.names, known))
    if quiz.given[-1] == question.answer:
        st.success(t("Correct: {answer}.", answer=label), icon=":material/check:")
    else:
        given = escape_markdown(words.choice_label(question, quiz.given[-1], run.result.names, known))
        text = t("Not quite. Correct: {answer}. Your answer: {given}.", answer=label, given=given)
        st.error(text, icon=":material/close:")
    last = quiz.at + 1 == len(quiz.questions)
    st.button(
        t("Show score") if last else t("Show next question"), key=f"quiz_next_{quiz.at}", type="primary",
        on_click=_go_on, args=(quiz,),
    )  # fmt: skip
    for sentence in words.reveal(question, run.result, known):
        st.markdown(with_terms(sentence, language()))


def _end(run: Run, quiz: Quiz, t: Translator) -> None:
    """Show the score and the steps to review."""
    st.markdown(f"**{words.score_sentence(quiz.right, len(quiz.questions), catalog(language()))}.**")
    again = questions_to_review(quiz.questions, quiz.given)
    if again:
        st.markdown(t("Steps to repeat:"))
    for k, question in enumerate(again):
        st.button(
            escape_markdown(words.again_label(question, run.result.names, catalog(language()))), key=f"quiz_again_{k}",
            icon=":material/replay:", on_click=_look_at, args=(run, question),
        )  # fmt: skip
    st.button(t("Draw new questions"), key="quiz_more", type="primary", on_click=begin, args=(run,))


def _look_at(run: Run, question: QuizQuestion) -> None:
    """Leave the quiz and show the step of a question, with its pair explained."""
    leave()
    if "run" in kind_of(run.result).slider_modes(run.result).labels:
        go_to_run(run, question.step)
    selection.select(run, question.pair)
