"""Practice: games without end on random DAGs, answered in the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.quiz.graph_tasks import Answer, Game, GraphTask, graph_task
from pages.blocks.lessons import lesson_files
from pages.blocks.lessons.lesson_view import language, words
from pages.session.initial_value import initial
from viz.classroom.practice import drawn_roles, task_picture, task_sentence, verdict, working_picture
from viz.effects.picture import given_graph
from viz.graph_view import graph_view
from viz.layout.positions import layout
from viz.text import escape_markdown

KEY, GAME, LEVEL, CHOSEN = "practice", "practice_game", "practice_level", "practice_chosen"
LEVELS = (1, 2, 3)
TAUGHT_IN = {  # the lesson whose rule a game practises
    Game.SEPARATION: "01-d-separation",
    Game.ADJUSTMENT: "09-simpson",
    Game.COLLIDERS: "01-d-separation",
    Game.EQUIVALENCE: "05-equivalence-classes",
    Game.REMOVAL: "03-pc-by-hand",
}
HEIGHT, HEIGHT_OF_TWO = 420, 300  # pixels: of a picture, and of each of two


@dataclass
class Practice:
    """Score of a session: the current task's number, the streak, missed tasks by game, and the answer if given."""

    seed: int = 1
    streak: int = 0
    best: int = 0
    missed: Counter = field(default_factory=Counter)
    is_answered: bool = False
    answer: Answer = None


def choose_game_of(lesson: str) -> None:
    """Choose the game that practises a lesson, if there is one."""
    game = next((game for game, of in TAUGHT_IN.items() if of == lesson), None)
    if game is not None and st.session_state.get(GAME) is not game:
        st.session_state[GAME] = game
        if KEY in st.session_state:
            _start_over()


def show() -> None:
    """Show one task after another."""
    _task()


@st.fragment
def _task() -> None:
    score: Practice = st.session_state.setdefault(KEY, Practice())
    say = words()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        game = st.segmented_control(
            say["game"], list(Game), default=initial(GAME, Game.SEPARATION), required=True, key=GAME,
            persist_state="session", format_func=lambda one: say[f"game {one.value}"], on_change=_start_over,
        )  # fmt: skip
        level = st.segmented_control(
            say["level"],
            LEVELS,
            default=initial(LEVEL, 1),
            required=True,
            key=LEVEL,
            persist_state="session",
            on_change=_start_over,
        )
    task = graph_task(game, level, score.seed)
    st.markdown(f"**{escape_markdown(task_sentence(task, say))}**")
    _hint(task, say)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        clicked = _picture_of_pc(task, score) if task.game is Game.REMOVAL else _picture(task, score)
    with right:
        _controls(task, score)
        _feedback(task, score)
    if clicked:
        st.rerun()  # reruns the whole page, because a click may arrive during a full run


def _hint(task: GraphTask, say: Mapping[str, str]) -> None:
    """Show the rule of a task on an effect, and a link to the lesson that teaches the game."""
    if task.game is Game.ADJUSTMENT:
        x, y = (task.names[k] for k in task.ends)
        st.caption(escape_markdown(say["rule adjustment"].format(x=x, y=y)))
    lesson = TAUGHT_IN[task.game]
    title = say["teaches"].format(title=escape_markdown(lesson_files.titles(language())[lesson]))
    st.page_link("pages/lessons.py", label=title, icon=":material/school:", query_params={"lesson": lesson})


def _start_over() -> None:
    """Discard the answer, and go on to a new task if there was one: no task is answered twice."""
    score: Practice = st.session_state[KEY]
    st.session_state.pop(_edge_key(score), None)
    score.seed += score.is_answered
    score.is_answered, score.answer = False, None
    st.session_state[CHOSEN] = []


def _give(task: GraphTask, answer: Answer) -> None:
    """Record an answer, once."""
    score: Practice = st.session_state[KEY]
    if score.is_answered:
        return
    score.is_answered, score.answer = True, answer
    if task.is_right(answer):
        score.streak += 1
        score.best = max(score.best, score.streak)
    else:
        score.streak = 0
        score.missed[task.game] += 1


def _picture(task: GraphTask, score: Practice) -> bool:
    """Show the graph; a click chooses a node or an edge. Return True after a click."""
    answer = score.answer if score.is_answered else None
    data = given_graph(task.graph, task.names, layout(task.graph), drawn_roles(task, answer, _chosen(task)))
    data = task_picture(task, answer, data, _chosen_edge(score)) | {
        "run": f"{task.game.value} {score.seed} {st.session_state.get(LEVEL)} {score.is_answered}",
        "file_name": "edgewise_practice",
    }
    shown = graph_view(data, key="practice_graph", height=HEIGHT, language=language())
    clicks = [stroke["nodes"] for stroke in shown.strokes if stroke["what"] == "click"]
    if score.is_answered:
        return False
    for nodes in clicks:
        if task.game is Game.EQUIVALENCE and len(nodes) == 2:
            _choose_edge(task, score, nodes)
        elif task.game in (Game.ADJUSTMENT, Game.COLLIDERS) and len(nodes) == 1 and nodes[0] not in task.ends:
            chosen = st.session_state.get(CHOSEN, [])
            name = task.names[nodes[0]]
            st.session_state[CHOSEN] = [one for one in chosen if one != name] if name in chosen else [*chosen, name]
    return bool(clicks)


def _picture_of_pc(task: GraphTask, score: Practice) -> bool:
    """Show the graph of PC, in which a click chooses an edge, and the true graph. Return True after a click."""
    say, places = words(), layout(task.graph)
    run = f"{task.game.value} {score.seed} {st.session_state.get(LEVEL)} {score.is_answered}"
    answer = score.answer if score.is_answered else None
    st.caption(say["graph of PC"])
    data = working_picture(task, answer, given_graph(task.shown, task.names, places, {}), _chosen_edge(score))
    shown = graph_view(data | {"run": run, "asks": True}, key="practice_pc", height=HEIGHT_OF_TWO, language=language())
    st.caption(say["true graph"])
    truth = given_graph(task.graph, task.names, places, drawn_roles(task, answer))
    truth = task_picture(task, answer, truth) | {"asks": False}
    graph_view(truth | {"run": f"{run} true"}, key="practice_truth", height=HEIGHT_OF_TWO, language=language())
    clicks = [stroke["nodes"] for stroke in shown.strokes if stroke["what"] == "click"]
    edges = [nodes for nodes in clicks if len(nodes) == 2]
    if not score.is_answered and edges:
        _choose_edge(task, score, edges[-1])
    return bool(edges) and not score.is_answered


def _edge_key(score: Practice) -> str:
    return f"practice_edge_{score.seed}"


def _edges(task: GraphTask) -> list[tuple[int, int]]:
    """Return the edges that an answer can name."""
    return task.shown.edges() if task.shown else task.graph.directed_edges()


def _choose_edge(task: GraphTask, score: Practice, nodes: Sequence[int]) -> None:
    """Choose the edge between two nodes in the list; the button checks it."""
    st.session_state[_edge_key(score)] = next((edge for edge in _edges(task) if set(edge) == set(nodes)), None)


def _chosen_edge(score: Practice) -> tuple[int, int] | None:
    """Return the edge that is chosen in the list, before it is checked."""
    return None if score.is_answered else st.session_state.get(_edge_key(score))


def _chosen(task: GraphTask) -> frozenset[int]:
    return frozenset(task.names.index(one) for one in st.session_state.get(CHOSEN, []) if one in task.names)


def _controls(task: GraphTask, score: Practice) -> None:
    """Show buttons and lists, with which a task is answered without a pointer."""
    say = words()
    if score.is_answered:
        return
    if task.game is Game.SEPARATION:
        with st.container(horizontal=True):
            for value, label in ((True, "independent"), (False, "dependent")):
                st.button(say[label], key=f"practice_{label}", on_click=_give, args=(task, value))
    elif task.game in (Game.EQUIVALENCE, Game.REMOVAL):
        sign = "—" if task.shown else "→"
        picked = st.selectbox(
            say["edge"], _edges(task), index=None, key=_edge_key(score), placeholder=say["none chosen"],
            format_func=lambda edge: f"{task.names[edge[0]]} {sign} {task.names[edge[1]]}",
        )  # fmt: skip
        st.caption(say["click edge"])
        st.button(
            say["check"], key="practice_check", type="primary", on_click=_give, args=(task, picked),
            disabled=picked is None,
        )  # fmt: skip
    else:
        inner = [k for k in range(task.graph.p) if k not in task.ends]
        st.session_state[CHOSEN] = [one for one in st.session_state.get(CHOSEN, []) if one in task.names]
        st.multiselect(say["chosen"], [task.names[k] for k in inner], key=CHOSEN, placeholder=say["none chosen"])
        st.caption(say["click nodes"])
        st.button(say["check"], key="practice_check", type="primary", on_click=lambda: _give(task, _chosen(task)))


def _feedback(task: GraphTask, score: Practice) -> None:
    """Show whether the answer is right and why, the streak, and the number of missed tasks by game."""
    say = words()
    if score.is_answered:
        feedback = escape_markdown(verdict(task, score.answer, say, TEXTS[language()]))
        if task.is_right(score.answer):
            st.success(feedback, icon=":material/check:")
        else:
            st.error(feedback, icon=":material/close:")
        st.button(say["next task"], key="practice_next", type="primary", on_click=_start_over)
    st.caption(say["streak"].format(n=score.streak, best=score.best, task=score.seed))
    if score.missed:
        named = ", ".join(f"{say[f'game {game.value}']} ({n})" for game, n in score.missed.most_common())
        st.caption(say["missed"].format(games=named))
