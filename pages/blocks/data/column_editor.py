"""Edit one column: its distribution, its missing-value codes, and its levels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.wording import format_setting
from learners.data.arrow_arrays import to_arrow
from learners.data.column_types.level_order import MAX_LEVELS, MIN_LEVELS
from learners.data.plan.binning import Binning, cut_points
from learners.data.plan.command_line import listed_levels
from learners.data.plan.plan import with_new_orders
from learners.data.plan.preparation import natural_order
from pages.blocks.data.plan_changes import how_to_read, use_plan
from pages.session.state import Source
from pages.session.words import labels_of, t, written
from viz import figures
from viz.text import distinct_labels, escape_markdown, shorten

BINNINGS = {
    "none": "one level per value",
    "frequency": "bins of equal frequency",
    "width": "bins of equal width",
    "cuts": "own cut points",
}


def one_column(here: Source) -> None:
    """Edit one column: distribution, missing-value codes, and levels."""
    with st.expander(t("Edit one column"), key="data_column_fold", icon=":material/search:"):
        _one_column(here)


def _one_column(here: Source) -> None:
    names = [c.name for c in here.plan.columns]
    labels = distinct_labels(names)
    at = st.selectbox(t("Column"), range(len(names)), format_func=labels.__getitem__, key=f"data_column_{here.title}")
    name = names[at]
    column = here.plan.column(name)
    cells = column.cells(here.table)
    picture, settings = st.columns([3, 2], gap="medium")
    with settings:
        how_to_read(here, column)
        _missing_marks(here, name)
        if column.kind == "categorical":
            _binning(here, name, numeric=bool(np.isfinite(cells.numbers).any()))
            if column.binning is None:
                _order(here, name)
            _rare_levels(here, name)
    with picture:
        _distribution(here, name)


def _distribution(here: Source, name: str) -> None:
    column = here.plan.column(name)
    cells = column.cells(here.table)
    kept = ~cells.among(column.missing)
    if column.kind == "continuous" or column.binning is not None:
        numbers = np.repeat(cells.numbers[kept], cells.counts[kept])
        numbers = numbers[np.isfinite(numbers)]
        cuts = () if column.binning is None or not len(numbers) else cut_points(numbers, column.binning)
        figure = figures.histogram(numbers, name, cuts)
    else:
        texts = cells.texts.filter(to_arrow(kept)).to_pylist()
        if column.ordered:
            order = natural_order(texts, cells.numbers[kept], column.order)[:40]
        else:
            order = np.argsort(-cells.counts[kept], kind="stable")[:40]
        texts = [texts[k] for k in order]
        figure = figures.level_counts(texts, cells.counts[kept][order], name)
    st.plotly_chart(figure, key="data_distribution", alt=t("Distribution of {name}", name=shorten(name)))


def _missing_marks(here: Source, name: str) -> None:
    column = here.plan.column(name)
    guess = here.table.guess.of(column.source or name)
    if not guess.markers:
        return
    known, empty = {marker.text: marker.count for marker in guess.markers}, t("empty cell")
    chosen = st.pills(
        t("Missing-value codes"),
        list(known),
        selection_mode="multi",
        default=[text for text in known if text in column.missing],
        format_func=lambda text: escape_markdown(f"{text.strip() or empty} ({known[text]:,})"),
        key=f"data_missing_{here.title}_{name}_{hash(here.plan)}",
    )
    agreed = tuple(text for text in column.missing if text not in known) + tuple(chosen)
    if set(agreed) != set(column.missing):
        plan = with_new_orders(here.table, here.plan, here.plan.change(name, missing=agreed))
        use_plan(here, plan, f"missing-value codes of column {name!r}")


def _binning(here: Source, name: str, *, numeric: bool) -> None:
    if not numeric:
        return
    now = here.plan.column(name).binning
    with st.form(f"data_bins_{here.title}_{name}", border=False):
        methods = list(BINNINGS)
        method = st.selectbox(
            t("Levels"), methods, methods.index(now.method if now else "none"), format_func=labels_of(BINNINGS)
        )
        bins = st.number_input(
            t("Number of bins"), 2, 100, now.bins if now else 3, help=t("Not used if you enter cut points.")
        )
        cuts = st.text_input(
            t("Cut points"),
            " ".join(format_setting(c) for c in now.cuts) if now else "",
            help=t("Numbers separated by spaces."),
        )
        if not st.form_submit_button(t("Apply bins")):
            return
    try:
        binning = None if method == "none" else Binning(method, bins, _numbers(cuts) if method == "cuts" else ())
        ordered = here.plan.column(name).ordered if binning is None else True
        plan = here.plan.change(name, binning=binning, ordered=ordered, order=())
        use_plan(here, plan, f"{BINNINGS[method]} of column {name!r}")
    except LearnersError as error:
        st.error(escape_markdown(written(str(error))))


def _numbers(text: str) -> tuple[float, ...]:
    numbers = pd.to_numeric(pd.Series(text.replace(";", " ").split(), dtype="str"), errors="coerce")
    return tuple(numbers.astype(float))


def _order(here: Source, name: str) -> None:
    """Let the user order the levels of a column with few distinct texts, or remove the order."""
    column = here.plan.column(name)
    cells = column.cells(here.table)
    kept = ~cells.among(column.missing)
    if not MIN_LEVELS <= np.count_nonzero(kept) <= MAX_LEVELS:
        return
    texts, numbers = cells.texts.filter(to_arrow(kept)).to_pylist(), cells.numbers[kept]
    levels = [texts[k] for k in natural_order(texts, numbers, column.order)]
    natural = [texts[k] for k in natural_order(texts, numbers)]
    key = f"data_order_{here.title}_{name}_{hash(here.plan)}"
    with st.form(key, border=False):
        ordered = st.toggle(
            t("Levels have an order"),
            column.ordered,
            key=f"{key}_on",
            help=t("Tests then also look for a trend between this column and others with an order."),
        )
        text = st.text_input(t("From the lowest to the highest"), " < ".join(levels), key=f"{key}_levels")
        if not st.form_submit_button(t("Apply order")):
            return
    listed = listed_levels(text)
    if sorted(listed) != sorted(texts):
        st.error(t("List each of the {texts} levels once, with < between them.", texts=len(texts)))
        return
    order = () if list(listed) == natural else listed
    use_plan(here, here.plan.change(name, ordered=ordered, order=order), f"order of the levels of column {name!r}")


def _rare_levels(here: Source, name: str) -> None:
    now = here.plan.column(name).min_level_count
    fewest = st.number_input(
        t("Minimum rows per level"),
        0,
        None,
        now,
        key=f"data_rare_{here.title}_{name}_{hash(here.plan)}",
        help=t("Levels with fewer rows are merged, those with an order with a neighbour."),
    )
    if fewest != now:
        use_plan(here, here.plan.change(name, min_level_count=fewest), f"merge rare levels of column {name!r}")
