"""Elements that several pages or views share."""

from __future__ import annotations

from itertools import islice
from typing import Any

import streamlit as st

from learners.explaining.support import is_determined
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.equivalence_class import each_dag
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.registry import LEARNERS
from learners.results.directions import Support
from learners.results.result import LearnResult
from pages.blocks.inspect import slider_modes
from pages.blocks.inspect.cluster_labels import pick_groups
from pages.blocks.inspect.edge_directions import pick_class
from pages.blocks.inspect.graphs import SHOW_FEW_ROWS
from pages.blocks.inspect.measures import all_warnings, few_rows
from pages.blocks.slider import mode_of
from pages.session import node_positions, state
from pages.session.initial_value import initial
from pages.session.state import DEFAULT_VIEW, VIEWS, Run
from pages.session.words import labels_of, language, run_title, t, written
from viz import tables
from viz.kinds import callouts, chosen, kind_of
from viz.labels import with_labels
from viz.legend import caveat_of
from viz.text import as_sentence, count, escape_markdown
from viz.translation.sentences import catalog
from viz.weak_evidence import doubtful

MAX_MEMBERS = 1_000  # maximum number of DAGs counted in an equivalence class
PICKER_WIDTH = 380  # pixels: most titles fit


def pick_run(page: str) -> None:
    """Show the title of the run on screen, or a picker if there are several runs."""
    runs = st.session_state.runs
    if len(runs) == 1:
        st.markdown(f"**{escape_markdown(run_title(runs[0].title))}**", width="content")
        return
    key = f"{page}_run"

    def changed() -> None:
        st.session_state.current, st.session_state.step = st.session_state[key], None

    st.session_state[key] = st.session_state.current
    titles = [run_title(run.label) for run in runs]
    st.selectbox(
        t("Run"), range(len(runs)), format_func=titles.__getitem__, key=key, on_change=changed,
        label_visibility="collapsed", width=PICKER_WIDTH,
    )  # fmt: skip


def no_run() -> None:
    """Show the next action before the first run."""
    st.info(t("There is no run yet. Learn a graph first."), icon=":material/play_arrow:")
    st.page_link("pages/learn.py", label=t("Open Learn"), icon=":material/play_arrow:")


def warnings_of(run: Run) -> None:
    """Show the warnings of the learner, and evidence in the data against its assumptions."""
    for warning in all_warnings(run):
        sentence = with_labels(warning, LEARNERS[run.result.method])
        st.warning(escape_markdown(written(as_sentence(sentence))), icon=":material/warning:")


def caveat(graph: PDAG, result: LearnResult | None = None, *, several: bool = False) -> None:
    """Show what the arrows claim, where there are arrows, and what ? means if the result has such arrows."""
    doubted = result is not None and any(doubtful(result, *arrow) for arrow in result.directions)
    if text := caveat_of(graph, doubted=doubted, several=several):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="caveat"):
            st.caption(t(text), width="content")
            st.page_link("pages/learn_more.py", label=t("Assumptions"), width="content")


def chosen_by(run: Run) -> None:
    """Show the automatic choices and extra findings that settings requested."""
    if sentence := state.made_once(run, "chosen", None, lambda: chosen(run.result)):
        st.caption(escape_markdown(written(sentence)))


def nothing_left(run: Run) -> None:
    """Explain an empty graph and how to continue."""
    if run.result.graph.n_edges == 0:
        st.info(
            t(
                "The graph has no edges, because every pair was separated. Drag the slider back to see the "
                "last ones, or learn with a {to_find_more}.",
                to_find_more=t(kind_of(run.result).to_find_more),
            ),
            icon=":material/link_off:",
        )


def blanket_of(run: Run) -> None:
    """Show neighbours and Markov blanket of a local run."""
    sentence = kind_of(run.result).summary(run.result)
    if sentence:
        st.markdown(escape_markdown(written(sentence)))


def stale(run: Run) -> None:
    """Warn while another run is about to replace this one."""
    if st.session_state.job is None:
        return
    number, change, own = st.session_state.get("rerun_of", (None, "", ""))
    if number == run.number:
        st.warning(
            t(
                "A run with {change} is in progress and will replace this result, which has {own}.",
                change=change,
                own=own,
            ),
            icon=":material/hourglass_top:",
        )


def callouts_of(run: Run) -> list[str]:
    """Return the remarks on a run that the user has not dismissed."""
    return state.made_once(run, "callouts", None, lambda: callouts(run.result))


def dismiss_callout(run: Run, sentence: str) -> None:
    """Dismiss a remark."""
    callouts_of(run).remove(sentence)


def pick_view(run: Run) -> tuple[str, Any]:
    """Let the user choose the view and its options; return it with the popover of rarer options."""
    view = st.segmented_control(
        t("View"), list(VIEWS), format_func=labels_of(VIEWS), default=initial("inspect_view", DEFAULT_VIEW),
        required=True, key="inspect_view", persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    if view == "Graph":
        slider_modes.choose_mode(run)
        pick_class(run)
        if few_rows(run):
            st.toggle(
                written(few_rows(run)).capitalize(), key=SHOW_FEW_ROWS, persist_state="session",
                help=t("Draws a faint line between pairs that no test could judge."),
            )  # fmt: skip
    if view in ("Graph", "Network"):
        pick_groups(run)
    options = st.popover(t("Change view"), icon=":material/tune:", key="inspect_options")
    if view == "Graph":
        layouts = node_positions.arrangements(run)
        choice = node_positions.choice(run)
        chosen = node_positions.arrangement(run).split()[0]
        if st.session_state.get(f"inspect_{choice}", chosen) not in layouts:
            st.session_state[f"inspect_{choice}"] = chosen
        st.session_state[choice] = options.segmented_control(
            t("Arrangement"), list(layouts), default=initial(f"inspect_{choice}", chosen), required=True,
            format_func=labels_of(layouts), key=f"inspect_{choice}", persist_state="session",
        )  # fmt: skip
    return view, options


def pin(run: Run, graph: PDAG) -> None:
    """Show a button that pins the graph on screen for the Compare page."""
    if st.button(t("Pin graph"), icon=":material/keep:", key="inspect_pin"):
        state.pin(run, graph, slider_modes.current_mode(run).where(run))
        st.toast(t("Pinned for the Compare page."), icon=":material/keep:")
    variables = set(run.result.names)
    alike = sum(set(moment.run.result.names) == variables for moment in state.moments())
    if alike > 1:
        st.page_link(
            "pages/compare.py", label=t("Compare ({moments})", moments=alike), icon=":material/compare_arrows:"
        )


def equivalence_class(run: Run, graph: PDAG) -> None:
    """Show how many DAGs fit as well as the graph on screen; nothing while it is a step towards the result."""
    if not run.result.complete:
        return
    mode, own = mode_of(run), run.result.graph
    if mode in slider_modes.DIRECTING:  # the graph on screen is one of the DAGs
        graph = own
    if mode == "values" or graph == own:
        sentence = state.made_once(run, "class", graph, lambda: _class_sentence(run.result, graph))
        st.caption(written(sentence))


def _class_sentence(result: LearnResult, graph: PDAG) -> str:
    """Count the DAGs of a graph, with doubts about directions where it is that of the run, which judged them."""
    if kind_of(result).leaves_open(result):
        return "This learner finds no directions, so equivalent DAGs are not counted."
    if isinstance(graph, PAG):
        return "Common causes may be hidden, so equivalent DAGs are not counted."
    if not consistent_extension(graph).valid:
        return "No DAG has exactly these arrows and v-structures, because some evidence conflicts."
    size = sum(1 for _ in islice(each_dag(graph), MAX_MEMBERS + 1))
    if size > MAX_MEMBERS:
        return f"More than {MAX_MEMBERS:,} DAGs fit equally well."
    if size == 1 and not graph.n_edges:
        return "One DAG fits best: the one without edges."
    if size == 1:
        return "One DAG fits best" + (_doubts(result) if graph == result.graph else ".")
    fixed = any(is_determined(result, *arrow) for arrow in graph.directed_edges())  # drawn as =, but counted as arrows
    kept = " Some edges marked = keep one direction in this count." if fixed else ""
    return f"{size:,} DAGs fit equally well.{kept}"


def _doubts(result: LearnResult) -> str:
    """Return the end of the class sentence: the number of edges with a doubtful or an impossible direction."""
    weak = sum(doubtful(result, *arrow) for arrow in result.directions)
    none = sum(is_determined(result, i, j) for i, j in result.graph.edges())
    resampled = any(direction.is_of_resamples for direction in result.directions.values())
    doubt, support = ("not stable", "stable") if resampled else ("weakly supported", "strongly supported")
    parts = [f"the direction of {count(weak, 'edge')} is {doubt}"] if weak else []
    parts += [f"{count(none, 'edge')} cannot have a direction"] if none else []
    if not parts and any(direction.support is Support.NOT_JUDGED for direction in result.directions.values()):
        return ". The support of its directions cannot be assessed for these data."
    return f", but {' and '.join(parts)}." if parts else f", and each direction is {support} or known."


def in_words(run: Run, graph: PDAG) -> None:
    """Show the graph as sentences, for screen readers and quotation."""
    with st.expander(t("Graph as text"), key="inspect_words_fold"):
        sentences = tables.text_of_graph(run.result, graph, catalog(language()))
        st.text("\n".join(sentences))
