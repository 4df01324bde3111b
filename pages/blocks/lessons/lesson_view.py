"""View of a lesson: text, graphs, live runs, and self-checking exercises."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.wording import format_setting
from learners.explaining.explanation import explanation
from learners.graphs.graph import PDAG
from learners.io.samples import SAMPLES
from learners.registry import LEARNERS
from learners.results.result import LearnResult
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.entered_answers import setting_text
from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import (
    Exercise,
    Lesson,
    LessonGraph,
    LessonNumbers,
    LessonQuestion,
    LessonRun,
    LessonText,
)
from learners.teaching.lessons.lesson_runs import data_of, errors_by_seed, result_of
from pages.blocks import addressed_run, presenter
from pages.blocks.classroom import class_button
from pages.blocks.lessons import entered_answers, moving_numbers, next_step
from pages.session.words import language, written
from viz.classroom.lesson_words import explained_in_lesson
from viz.classroom.lessons import (
    PICTURED,
    answer_view,
    entry_view,
    graph_of_lesson,
    lesson_view,
    probability_cells,
    probability_tables,
    run_places,
    run_view,
    spread_figure,
)
from viz.glossary.terms import with_terms
from viz.graph_view import GraphViewData, graph_view
from viz.lesson_page.page import is_compared, is_drawn_again, steps_of
from viz.text import as_sentence, escape_markdown
from viz.translation.captions import CAPTIONS
from viz.translation.sentences import catalog

# Pixels of graphs with many nodes, runs with many nodes, small runs, small graphs, and graphs above the run that they
# are compared with. A small run fits a laptop's screen with its slider and such a graph.
GRAPH_HEIGHT, RUN_HEIGHT, SMALL_RUN_HEIGHT, ANSWER_HEIGHT, COMPARED_HEIGHT = 380, 560, 440, 300, 240
MAX_SMALL, MAX_SMALL_RUN = 5, 10  # maximum number of nodes of a small graph, and of a small run
NEXT_STEP = "lesson_next_step"  # key of the bar that stays at the lower end of the window


def words() -> Mapping[str, str]:
    """Return the lesson captions in the current language."""
    return CAPTIONS[language()]


def show(lesson: Lesson) -> bool:
    """Show the steps of a lesson that are open, and a button that opens the next one; return True at the end."""
    steps, key = steps_of(lesson), f"lesson_{lesson.key}_open"
    n_open = min(st.session_state.get(key, 1), len(steps))
    for k, step in enumerate(steps[:n_open]):
        next_step.mark(key, k, len(steps))
        _step(lesson, step)
    if n_open == len(steps):
        return True
    with st.container(horizontal=True, key=NEXT_STEP):
        for name, opened in (("continue", n_open + 1), ("whole", len(steps))):
            st.button(
                words()[name].format(k=n_open + 1, n=len(steps)), key=f"lesson_{name}", on_click=_open,
                args=(key, n_open, opened), type="primary" if name == "continue" else "tertiary",
            )  # fmt: skip
    return False


def _open(key: str, n_open: int, n_steps: int) -> None:
    st.session_state[key] = n_steps
    next_step.request(key, n_open)


def _step(lesson: Lesson, step: range) -> None:
    for k in step:
        block, key = lesson.blocks[k], f"lesson_{lesson.key}_{k}"
        if isinstance(block, LessonText):
            st.markdown(block.text)
        elif is_drawn_again(lesson, k):
            continue
        elif isinstance(block, LessonGraph):
            _graph(lesson, block, key, k)
            show_tables(block)
        elif isinstance(block, LessonRun):
            _run(block, lesson, k)
        elif isinstance(block, LessonNumbers):
            moving_numbers.show(block, key, lesson.language)
        else:
            ask(block, lesson, k)


def show_tables(subject: LessonGraph | LessonRun) -> None:
    """Show the probabilities that a lesson gives for its graph."""
    tables = probability_tables(subject) if isinstance(subject, LessonGraph) else ()
    if tables:
        with st.container(horizontal=True, gap="medium"):
            for table in tables:
                st.markdown(table, width="content")


def _graph(lesson: Lesson, graph: LessonGraph, key: str, at: int) -> None:
    """Show a graph; every click on a variable answers the questions on it that ask for one."""
    blocks = enumerate(lesson.blocks)
    asking = [k for k, one in blocks if getattr(one, "subject", None) is graph and one.check == "separator"]
    data = graph_of_lesson(lesson, graph) | ({"asks": True} if asking else {})
    height = GRAPH_HEIGHT if len(graph.names) > MAX_SMALL else ANSWER_HEIGHT
    shown = graph_view(
        data, key=key, height=COMPARED_HEIGHT if is_compared(lesson, at) else height, language=language()
    )
    clicks = [stroke["nodes"][0] for stroke in shown.strokes if stroke["what"] == "click" and len(stroke["nodes"]) == 1]
    if not clicks:
        return
    name = graph.names[clicks[-1]]
    for k in asking:
        choices, question = solved(lesson, k).choices, f"lesson_{lesson.key}_{k}"
        st.session_state[question] = choices.index(name) if name in choices else None
        st.session_state[f"{question}_end"] = None if name in choices else name


def quiz_of(lesson: Lesson) -> dict[str, str] | None:
    """Return the address of a quiz on the last run of a lesson; None if no address names its data."""
    runs = [block for block in lesson.blocks if isinstance(block, LessonRun) and isinstance(block.data, str)]
    named = [run for run in runs if run.data in SAMPLES and set(run.settings) <= addressed_run.PARAMETERS]
    if not named:
        return None
    settings = {name: str(value) for name, value in named[-1].at(0).items()}
    return {"sample": str(named[-1].data), "learner": named[-1].learner, "quiz": "1"} | settings


def for_class(lesson: Lesson) -> class_button.Slides:
    """Return the exercises for a class, each with its graph or run."""
    asked = [(k, block) for k, block in enumerate(lesson.blocks) if isinstance(block, LessonQuestion)]
    exercises = [solved(lesson, k) for k, _ in asked]
    slides = [_class_slide(lesson, block, one) for (_, block), one in zip(asked, exercises, strict=True)]
    return exercises, slides, lesson.title


def _class_slide(lesson: Lesson, question: LessonQuestion, one: Exercise) -> dict:
    """Return the graph of a question, that of its answer, and its tables; or the run at each value."""
    subject = question.subject
    if not isinstance(subject, LessonGraph):
        return {"pictures": pictures_of(lesson, subject), "pair": None}
    picture = (
        entry_view(subject, one.entry, one.entry.nothing) if isinstance(one.entry, PICTURED) else lesson_view(subject)
    )
    tables = probability_cells(subject)
    return {"pictures": {"": picture}, "pair": None, "answer": answer_view(subject, one), "tables": tables}


def picture_of(lesson: Lesson, subject: LessonGraph | LessonRun, k: int = 0) -> GraphViewData:
    """Return the graph, or the run at value number `k`, which begins with its result."""
    if isinstance(subject, LessonGraph):
        return graph_of_lesson(lesson, subject)
    data = _step_view(lesson, _position(lesson, subject), k)
    return data | {"steps": {name: value for name, value in data["steps"].items() if name != "begin"}}


def _position(lesson: Lesson, subject: LessonGraph | LessonRun) -> int:
    """Return the position of a block; graphs hold arrays, which `index` cannot compare."""
    return next(k for k, block in enumerate(lesson.blocks) if block is subject)


def pictures_of(lesson: Lesson, subject: LessonGraph | LessonRun) -> dict[str, GraphViewData]:
    """Return the graph, or the run at each value of the setting that it varies."""
    if isinstance(subject, LessonGraph) or not subject.varied:
        return {"": picture_of(lesson, subject)}
    values = subject.settings[subject.varied]
    written_values = (setting_text(value, TEXTS[lesson.language]) for value in values)
    return {f"{subject.varied} = {value}": picture_of(lesson, subject, k) for k, value in enumerate(written_values)}


def _step_view(lesson: Lesson, position: int, k: int) -> GraphViewData:
    """Return the view of a run with its nodes at the positions of the first value."""
    with st.spinner(words()["learning"]):
        result, truth = learnt(lesson, position, k)
        places = run_places(lesson.blocks[position], learnt(lesson, position, 0)[0], lesson)
    run = lesson.blocks[position]
    return run_view(run.slider, result, places, truth, run.shows)


def pick_value(run: LessonRun, key: str) -> int:
    """Let the user choose a value of the setting that the run varies; 0 if there is none."""
    if not run.varied:
        return 0
    values = run.settings[run.varied]
    picked = st.select_slider(
        run.varied, values, key=f"{key}_value", format_func=lambda value: setting_text(value, TEXTS[language()]),
        persist_state="session",
    )  # fmt: skip
    return values.index(picked)


# Sessions share what is cached under the same key. The key of an uploaded lesson is the hash of its text.
BY_KEY = {Lesson: lambda lesson: (lesson.key, lesson.language)}


@st.cache_resource(show_spinner=False, max_entries=100, hash_funcs=BY_KEY)
def learnt(lesson: Lesson, position: int, k: int) -> tuple[LearnResult, PDAG | None]:
    """Return run number `k` of a block, and the true graph if it is known."""
    run = lesson.blocks[position]
    return result_of(run, k), data_of(run, k)[1]


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=BY_KEY)
def solved(lesson: Lesson, position: int) -> Exercise:
    """Return an exercise with its answer."""
    return exercise(lesson.blocks[position], lesson.language)


@st.fragment
def _run(run: LessonRun, lesson: Lesson, position: int) -> None:
    """Show a run at the value on the slider."""
    key = f"lesson_{lesson.key}_{position}"
    k = pick_value(run, key)
    step_key = f"{key}_step_{k}"
    try:
        data = _step_view(lesson, position, k) | {"run": f"{key} {k}"}
    except LearnersError as error:
        _show_fault(error)
        return
    height = RUN_HEIGHT if len(data["nodes"]) > MAX_SMALL_RUN else SMALL_RUN_HEIGHT
    shown = graph_view(
        data, key=f"{key}_graph", height=height, step=st.session_state.get(step_key), language=language()
    )
    st.session_state[step_key] = shown.step  # where the slider stands when the user returns to the lesson
    settings = ", ".join(f"{name} {value}" for name, value in run.at(k).items())
    settings = f"{LEARNERS[run.learner].label}{f', {settings}' if settings else ''}"
    st.caption(words()["click"], help=escape_markdown(settings))
    if run.repeats > 1:
        _spread(run, lesson, position)
    if isinstance(shown.selected, tuple):
        result, _ = learnt(lesson, position, k)
        claim, *sentences = explained_in_lesson(explanation(result, shown.selected), catalog(language()))
        st.markdown(f"**{escape_markdown(claim)}**")
        for sentence in sentences:
            st.markdown(with_terms(sentence, language(), lesson.key))
        next_step.mark_end(key, shown.selected)


def _show_fault(error: LearnersError) -> None:
    st.error(escape_markdown(written(as_sentence(str(error)))), icon=":material/error:")


def _spread(run: LessonRun, lesson: Lesson, position: int) -> None:
    """Offer to repeat the runs with other seeds, and show how much their errors vary."""
    say, key = words(), f"lesson_{lesson.key}_{position}_repeated"
    if st.button(say["repeat"].format(n=run.repeats), key=f"{key}_button", icon=":material/scatter_plot:"):
        st.session_state[key] = True
    if not st.session_state.get(key):
        return
    values = run.settings[run.varied]
    with st.spinner(say["repeating"].format(n=run.repeats * len(values))):
        try:
            counts = _repeated(lesson, position)
        except LearnersError as error:
            _show_fault(error)
            return
    medians = ", ".join(format_setting(median(row)) for row in counts)
    sentence = say["spread"].format(n=run.repeats * len(values), setting=run.varied, medians=medians)
    texts = [setting_text(value, TEXTS[language()]) for value in values]
    st.plotly_chart(spread_figure(run.varied, texts, counts), key=f"{key}_figure", alt=sentence)
    st.caption(sentence)


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=BY_KEY)
def _repeated(lesson: Lesson, position: int) -> tuple[tuple[int, ...], ...]:
    """Return the errors of all seeds."""
    return errors_by_seed(lesson.blocks[position])


@st.fragment
def ask(question: LessonQuestion, lesson: Lesson, position: int, closing: str = "") -> None:
    """Ask a question; show the answer, and the text that closes a slide, once a choice is made."""
    try:
        one = solved(lesson, position)
    except LearnersError as error:
        st.error(escape_markdown(written(f"{lesson.key}, line {question.line}: {error}")), icon=":material/error:")
        return
    with st.container(border=True):
        key = f"lesson_{lesson.key}_{position}"
        if presenter.mode():  # the picture of the slide has the key without the last word
            key += f"{presenter.suffix()}_asked"
        if one.entry is not None:
            answered = entered_answers.ask(question, one, key, slider_key(lesson, question, position), lesson.language)
        else:
            answered = _answer_by_choice(question, one, key, lesson)
        if answered and isinstance(question.subject, LessonGraph):
            lit = answer_view(question.subject, one)
            if lit is not None and not isinstance(one.entry, PICTURED):
                if one.members:
                    st.caption(CAPTIONS[lesson.language]["members"])
                graph_view(
                    lit, key=f"{key}_answer", height=GRAPH_HEIGHT if one.members else ANSWER_HEIGHT, language=language()
                )
        if answered:
            next_step.mark_end(key, st.session_state.get(key, st.session_state.get(f"{key}_done")))
    if closing and answered:
        st.markdown(closing)


def _answer_by_choice(question: LessonQuestion, one: Exercise, key: str, lesson: Lesson) -> bool:
    """Offer the choices, and show whether the chosen one is right; return True once one is chosen."""
    say = CAPTIONS[lesson.language]
    choice = st.radio(
        one.question, range(len(one.choices)), index=None, horizontal=True,
        format_func=lambda k: escape_markdown(one.choices[k]), key=key, persist_state="session",
    )  # fmt: skip
    if question.check == "separator" and choice is None:
        end = st.session_state.get(f"{key}_end")
        if end is None:
            st.caption(say["by click"])
        else:
            st.warning(TEXTS[lesson.language]["an end"].format(name=escape_markdown(end)), icon=":material/info:")
    if choice is not None:
        _show_verdict(one, say, is_right=choice == one.answer)
    return choice is not None


def slider_key(lesson: Lesson, question: LessonQuestion, position: int) -> str:
    """Return the key of the slider above the run that a question asks about; a slide has its own."""
    if presenter.mode():
        return f"lesson_{lesson.key}_{position}{presenter.suffix()}_value"
    return f"lesson_{lesson.key}_{_position(lesson, question.subject)}_value"


def _show_verdict(one: Exercise, say: Mapping[str, str], *, is_right: bool) -> None:
    if is_right:
        st.success(say["right"].format(why=escape_markdown(one.why)), icon=":material/check:")
        return
    answer = {"right": escape_markdown(one.choices[one.answer]), "why": escape_markdown(one.why)}
    st.error(say["wrong"].format(**answer), icon=":material/close:")
