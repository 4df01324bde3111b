"""Answers that are entered: in the picture, as a number, on the slider of a run, or as an order of steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from learners.teaching.lessons.answer_texts import TEXTS, Texts
from learners.teaching.lessons.entered_answers import EnteredNumber, SliderPosition, StepOrder
from learners.teaching.lessons.lesson import Exercise, LessonQuestion
from learners.teaching.lessons.picture_answers import MARKS, ChosenEdges, ChosenNodes, OrientedEdges, edge_text
from pages.session.words import language
from viz.classroom.lessons import PICTURED, entry_view, lesson_view, verdict_view, working_view
from viz.graph_view import GraphViewData, GraphViewState, graph_view
from viz.text import escape_markdown
from viz.translation.captions import CAPTIONS

OF_LEVEL = ("held by PC", "unseen truth")  # captions of the graph of PC and of the true one
AFTER_LEVEL = ("after level", "unseen truth")  # captions of the graph of PC after the level and of the true one
OF_ANSWER = ("own answer", "right answer")  # captions of the student's graph and of the correct one
HEIGHT = 320  # pixels of a picture in which an answer is given


def ask(question: LessonQuestion, one: Exercise, key: str, slider_key: str, lesson_language: str) -> bool:
    """Ask for an answer that is entered, and show its verdict; return True once it is shown.

    Parameters
    ----------
    question : LessonQuestion
    one : Exercise
        The exercise with its entry.
    key : str
        Prefix of the keys of its widgets.
    slider_key : str
        Key of the slider of the run, for questions about its position.
    lesson_language : str
        Language of the lesson.
    """
    entry, say = one.entry, CAPTIONS[lesson_language]
    if isinstance(entry, EnteredNumber):
        return _number(one, key, lesson_language)
    st.markdown(escape_markdown(one.question))
    done = st.session_state.get(f"{key}_done")  # the answer that was checked
    if done is not None:
        given = done
        if isinstance(entry, PICTURED):
            _verdict_picture(question, entry, given, key, lesson_language)
        elif isinstance(entry, StepOrder):
            st.caption(escape_markdown(say["your order"].format(steps=entry.label(given, TEXTS[lesson_language]))))
    elif isinstance(entry, SliderPosition):
        st.caption(say["move slider"])
        st.button(
            say["check"], key=f"{key}_check", type="primary", on_click=_read_slider, args=(key, slider_key, entry)
        )
        return False
    else:
        if isinstance(entry, PICTURED):
            _picture(question, entry, key, say)
        _choose(entry, key, say)
        return False
    _verdict(one, given, say, TEXTS[lesson_language])
    st.button(say["change"], key=f"{key}_change", on_click=_reopen, args=(key, entry, given), type="tertiary")
    return True


def _number(one: Exercise, key: str, lesson_language: str) -> bool:
    say, is_share = CAPTIONS[lesson_language], one.entry.unit == "%"
    low, high = (0.0, 100.0) if is_share else (None, None)
    placeholder = say["percent" if is_share else "number"]
    given = st.number_input(
        one.question, low, high, None, 0.1, key=key, placeholder=placeholder, format="%.4g", persist_state="session"
    )
    if given is None:
        return False
    _verdict(one, given, say, TEXTS[lesson_language])
    return True


def _finish(key: str, given: Any) -> None:
    st.session_state[f"{key}_done"] = given


def _read_slider(key: str, slider_key: str, entry: SliderPosition) -> None:
    """Check the position at which the slider of the run stands."""
    _finish(key, entry.values.index(st.session_state.get(slider_key, entry.values[0])))


def _reopen(key: str, entry: Any, given: Any) -> None:
    """Reopen the checked answer for changes."""
    st.session_state[f"{key}_done"] = None
    if isinstance(entry, OrientedEdges):
        for edge, mark in zip(entry.edges, given, strict=True):
            if edge in entry.options:
                st.session_state[_mark_key(key, edge)] = mark
    elif not isinstance(entry, SliderPosition):
        st.session_state[f"{key}_chosen"] = list(given)


def _verdict(one: Exercise, given: Any, say: Mapping[str, str], texts: Texts) -> None:
    """Show whether an answer is right, and why."""
    why = escape_markdown(" ".join(filter(None, (one.entry.reason(given, texts)[0], one.because))))
    if one.entry.is_right(given):
        st.success(say["right"].format(why=why), icon=":material/check:")
    elif isinstance(one.entry, EnteredNumber):
        st.error(say["wrong"].format(right=escape_markdown(one.right_text(texts)), why=why), icon=":material/close:")
    else:
        right = escape_markdown(one.right_text(texts))
        words = "wrong set" if isinstance(one.entry, ChosenNodes) else "wrong entry"
        st.error(say[words].format(right=right, why=why), icon=":material/close:")


def _picture(question: LessonQuestion, entry: Any, key: str, say: Mapping[str, str]) -> None:
    """Show the picture in which the answer is given, and follow clicks in it."""
    given = _given(entry, key)
    data = entry_view(question.subject, entry, given) | {"run": f"{key} asked"}
    if captions := _captions(question, entry):
        shown = _beside(data, f"{key}_picture", lesson_view(question.subject), f"{key}_true", captions, say)
    else:
        shown = graph_view(data, key=f"{key}_picture", height=HEIGHT, language=language())
    for stroke in shown.strokes:
        if stroke["what"] == "click":
            _follow(entry, key, stroke["nodes"])
        elif stroke["what"] == "edge" and isinstance(entry, OrientedEdges):
            _orient(entry, key, stroke["nodes"])
    if shown.strokes and _given(entry, key) != given:
        st.rerun()


def _verdict_picture(question: LessonQuestion, entry: Any, given: Any, key: str, lesson_language: str) -> None:
    texts, say = TEXTS[lesson_language], CAPTIONS[lesson_language]
    subject = question.subject
    data = verdict_view(subject, entry, given, entry.reason(given, texts)) | {"run": f"{key} answered"}
    if isinstance(entry, ChosenEdges):
        after = working_view(subject, entry.after, entry.mistakes(given)) | {"run": f"{key} answered"}
        _beside(after, f"{key}_after", data, f"{key}_answer", AFTER_LEVEL, say)
    elif isinstance(entry, OrientedEdges) and entry.mistakes(given):
        own = working_view(subject, entry.drawn(given), entry.mistakes(given)) | {"run": f"{key} own"}
        _beside(own, f"{key}_own", data, f"{key}_answer", OF_ANSWER, say)
    else:
        graph_view(data, key=f"{key}_answer", height=HEIGHT, language=language())


def _captions(question: LessonQuestion, entry: Any) -> tuple[str, str] | None:
    """Return the captions of two pictures, if the graph of the question is shown beside the one that is clicked."""
    if isinstance(entry, ChosenEdges):
        return OF_LEVEL
    return ("own CPDAG", "given DAG") if question.check == "draw" else None


def _beside(
    working: GraphViewData,
    key: str,
    truth: GraphViewData,
    true_key: str,
    captions: tuple[str, str],
    say: Mapping[str, str],
) -> GraphViewState:
    """Show a working graph beside the graph of the question, each with a caption; return the state of the first."""
    left, right = st.columns(2)
    with left:
        st.caption(say[captions[0]])
        shown = graph_view(working, key=key, height=HEIGHT, language=language())
    with right:
        st.caption(say[captions[1]])
        graph_view(truth, key=true_key, height=HEIGHT, language=language())
    return shown


def _follow(entry: Any, key: str, nodes: Sequence[int]) -> None:
    """Update the answer for a click on a node or an edge."""
    if isinstance(entry, OrientedEdges):
        edge = tuple(sorted(nodes))
        if edge in entry.options:
            name = _mark_key(key, edge)
            mark = st.session_state.get(name) or MARKS[0]
            st.session_state[name] = MARKS[(MARKS.index(mark) + 1) % len(MARKS)]
        return
    choice = nodes[0] if isinstance(entry, ChosenNodes) and len(nodes) == 1 else tuple(sorted(nodes))
    if choice in entry.options:
        chosen = st.session_state.get(f"{key}_chosen") or []
        kept = [one for one in chosen if one != choice]
        st.session_state[f"{key}_chosen"] = kept if choice in chosen else [*chosen, choice]


def _orient(entry: OrientedEdges, key: str, nodes: Sequence[int]) -> None:
    """Direct an edge from the node where the user began to drag to the other one."""
    edge = tuple(sorted(nodes))
    if edge in entry.options:
        st.session_state[_mark_key(key, edge)] = "forward" if tuple(nodes) == edge else "backward"


def _mark_key(key: str, edge: tuple[int, int]) -> str:
    return f"{key}_mark_{edge[0]}_{edge[1]}"


def _given(entry: Any, key: str) -> Any:
    """Return the answer so far."""
    if isinstance(entry, OrientedEdges):
        turned = {edge: st.session_state.get(_mark_key(key, edge)) or MARKS[0] for edge in entry.options}
        return tuple(turned.get(edge, mark) for edge, mark in zip(entry.edges, entry.start, strict=True))
    chosen = st.session_state.get(f"{key}_chosen") or []
    return tuple(chosen) if isinstance(entry, StepOrder) else frozenset(chosen)


def _choose(entry: Any, key: str, say: Mapping[str, str]) -> None:
    """Show the controls that give the answer without a pointer, and the button that checks it."""
    if isinstance(entry, OrientedEdges):
        with st.container(horizontal=True, gap="small"):
            for edge in entry.options:
                st.session_state.setdefault(_mark_key(key, edge), MARKS[0])
                st.segmented_control(
                    edge_text(edge, MARKS[0], entry.names), ("backward", "undirected", "forward"), required=True,
                    key=_mark_key(key, edge), label_visibility="collapsed", persist_state="session",
                    format_func=lambda mark, edge=edge: escape_markdown(edge_text(edge, mark, entry.names)),
                )  # fmt: skip
        st.caption(say["click marks"])
    else:
        label, hint, text = _control(entry, say)
        st.pills(
            label, list(entry.options), selection_mode="multi", key=f"{key}_chosen", format_func=text,
            persist_state="session",
        )  # fmt: skip
        if isinstance(entry, StepOrder):
            chosen = st.session_state.get(f"{key}_chosen") or []
            hint = entry.label(tuple(chosen), {}) if chosen else say["order them"]
        if hint:
            st.caption(escape_markdown(hint))
    given = _given(entry, key)
    unfinished = isinstance(entry, StepOrder) and len(given) < len(entry.steps)
    st.button(
        say["check"], key=f"{key}_check", type="primary", on_click=_finish, args=(key, given), disabled=unfinished
    )


def _control(entry: Any, say: Mapping[str, str]) -> tuple[str, str, Any]:
    """Return the label, the hint and the texts of the options of a list."""
    if isinstance(entry, StepOrder):
        return say["order"], "", lambda k: escape_markdown(entry.steps[k])
    if isinstance(entry, ChosenEdges):
        return say["edges"], say["click edges"], lambda edge: escape_markdown(entry.edge_text(edge))
    return say["chosen"], say["click nodes"], lambda k: escape_markdown(entry.names[k])
