"""Parts of a run with a solution path: its solutions as a table and a chart, and Φ of every pair."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from learners.families.phgs.alpha_steps import path_of
from pages.blocks.inspect import selection
from pages.blocks.inspect.alpha_modes import alpha_on_screen, go_to_solution, solutions_of, steps_of
from pages.blocks.inspect.measures import SHD_MEANS
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.phgs import figures, tables
from viz.phgs.words import score_name, why_along
from viz.text import count, distinct_labels, escape_markdown, shorten
from viz.translation.sentences import catalog

MAX_MAPPED = 100  # maximum number of variables per side of the heat map
FIRST_NAMES = 3  # number of variables named in the label of a cluster


def _path(run: Run) -> None:
    steps, name, solutions = (
        steps_of(run, "solutions"),
        score_name(run.result),
        solutions_of(run),
    )
    st.caption(written(_path_words(run, name, len(steps))))
    frame = state.made_once(
        run, "solutions", run.truth, lambda: tables.solution_table(run.result, steps, solutions, run.truth)
    )
    key = f"inspect_solutions_{run.number}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            go_to_solution(run, rows[0] + 1)

    show_table(
        frame,
        key=key,
        hide_index=True,
        column_config={
            "": st.column_config.TextColumn(width=25, help=t("★: chosen")),
            "step": st.column_config.NumberColumn(width=45, help=t("Step of the slider along the solution path")),
            "alpha": st.column_config.TextColumn(width=70, help=t("Edges with a larger p are removed")),
            "fits a DAG": st.column_config.TextColumn(help=t("Solutions whose arrows and v-structures fit a DAG")),
            name: st.column_config.TextColumn(help=t("Score of the solution's DAG; higher is better")),
            "Δ": st.column_config.TextColumn(help=t("Score gained over the solution before")),
            "SHD": st.column_config.NumberColumn(width=50, help=SHD_MEANS[0].upper() + SHD_MEANS[1:]),
            "JI": st.column_config.NumberColumn(
                width=50,
                format="%.3f",
                help=t("Jaccard index: edges equal in both CPDAGs ÷ edges in either; 1 is perfect"),
            ),
        },
        on_select=clicked,
        selection_mode="single-row",
        alt=t("Solutions of the path, the densest first"),
    )
    _chart(run)


def _path_words(run: Run, name: str, n: int) -> str:
    solutions = solutions_of(run)
    then = ", and the search begins there" if solutions.begin_search else ""
    lead = f"Each of {n} values of alpha gives" if n > 1 else "The only value of alpha gives"
    words = (
        f"The solution with the best {name} is chosen (★){then}. {lead} {solutions.what} from the same tests. "
        "Click a row or a point to show it."
    )
    if len({graph.n_edges for graph in path_of(run.result).path.graphs}) == 1 and not solutions.begin_search:
        words += " Here every level keeps the same edges."
    if not path_of(run.result).path.valid.all():
        words += " Hollow points have contradictory arrows, so they cannot be chosen."
    return words


def _chart(run: Run) -> None:
    key, shown = f"inspect_path_{run.number}", alpha_on_screen(run)
    steps, solutions = steps_of(run, "solutions"), solutions_of(run)

    def clicked() -> None:
        number = selection.number_clicked(key)
        if number is not None:
            go_to_solution(run, number)

    figure, alt = state.made_once(
        run,
        "path_figure",
        (run.truth, shown),
        lambda: figures.path_figure(run.result, steps, solutions, run.truth, shown),
    )
    st.plotly_chart(worded(figure), key=key, on_select=clicked, selection_mode="points", alt=written(alt))
    st.caption(f"{written(alt)}." + ("" if shown is None else " " + t("The dotted line is the alpha on screen.")))


def _phi(run: Run) -> None:
    st.caption(
        t(
            "Φ is the largest p of all tests of a pair. Dark pairs are adjacent, light ones were "
            "separated. Click a cell to explain its pair."
        )
    )
    rows, columns = _mapped(run)
    key = f"inspect_phi_{run.number}"

    def clicked() -> None:
        cell = selection.number_clicked(key)
        if cell is not None:
            selection.select(run, divmod(cell, len(run.result.names)))

    drawn, alt = state.made_once(
        run, "phi", (tuple(rows), tuple(columns)), lambda: figures.phi_heat_map(run.result, rows, columns)
    )
    st.plotly_chart(worded(drawn), key=key, on_select=clicked, selection_mode="points", alt=written(alt))
    if len(np.unique(path_of(run.result).labels)) > 1:
        st.caption(t("Lines separate the clusters, within which the run tested first."))


def _mapped(run: Run) -> tuple[list[int], list[int]]:
    """Return the variables of rows and columns by cluster; of many variables, two clusters that the user picks."""
    labels = path_of(run.result).labels
    if len(labels) <= MAX_MAPPED:
        order = np.argsort(labels, kind="stable").tolist()
        return order, order
    numbers = np.unique(labels).tolist()
    members = [_strongest_linked(run, np.flatnonzero(labels == number)) for number in numbers]
    names = distinct_labels(run.result.names)

    def title_of(k: int) -> str:
        own = ", ".join(shorten(names[i], 16) for i in members[k][:FIRST_NAMES])
        return f"{k + 1}: {own} … ({count(int((labels == numbers[k]).sum()), 'variable')})"

    pair = selection.selected(run)
    homes = [numbers.index(labels[k]) for k in pair] if pair else [0, 0]
    boxes = [
        column.selectbox(
            label, range(len(numbers)), index=home, format_func=title_of, key=f"inspect_phi_{which}_{run.number}"
        )
        for column, label, which, home in zip(
            st.columns(2), ("Rows: cluster", "Columns: cluster"), ("rows", "columns"), homes, strict=True
        )
    ]
    most = max(int((labels == numbers[k]).sum()) for k in boxes)
    caption = f"The map shows two clusters, because {count(len(labels), 'variable')} are too many."
    if most > MAX_MAPPED:
        caption += f" Clusters are limited to the {MAX_MAPPED} variables with the most edges."
    st.caption(escape_markdown(written(caption)))
    return members[boxes[0]], members[boxes[1]]


def _strongest_linked(run: Run, members: np.ndarray) -> list[int]:
    """Return at most `MAX_MAPPED` variables of a cluster, those with the most edges, in their order."""
    degree = path_of(run.result).path.graphs[0].skeleton[members].sum(axis=1)
    return np.sort(members[np.argsort(-degree, kind="stable")[:MAX_MAPPED]]).tolist()


def survival(run: Run, x: int, y: int) -> None:
    """Show at which levels of alpha a pair is adjacent, and its direction in each solution."""
    language = state.language()
    known = catalog(language)
    along = why_along(run.result, steps_of(run, "solutions"), solutions_of(run), x, y)
    st.markdown(escape_markdown(along.written(known)))
    shown = alpha_on_screen(run)
    figure, alt = state.made_once(run, "survival", (x, y, shown), lambda: figures.survival_bar(run.result, x, y, shown))
    st.plotly_chart(worded(figure), key="why_survival", alt=alt.written(known), config={"displayModeBar": False})
    ticks = (
        t("Ticks are the solutions, ★ the chosen one.")
        if shown is None
        else t("Ticks are the solutions, ★ the chosen one; the dotted line is the alpha on screen.")
    )
    st.caption(escape_markdown(f"{alt.written(known)}. {ticks}"))


PARTS: dict[str, Callable[[Run], None]] = {"α path": _path, "Φ heat map": _phi}  # shown one at a time
