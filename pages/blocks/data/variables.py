"""Table of the variables: type, shape and use of each column, editable one by one or several at once."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from learners.common.sentences import Count
from learners.common.wording import quoted_columns
from learners.data.plan.column_roles import SURVEY, USES, WEIGHTS, use_of_column, with_use
from learners.data.plan.plan import ColumnPlan
from learners.data.plan.preparation import chosen_cells
from pages.blocks.data.plan_changes import use_plan, why
from pages.session.state import Source
from pages.session.words import headings, labels_of, t, written
from viz.labels import POLICIES
from viz.sparklines import bar_heights, missing_share, n_values

READ_ONLY = ["variable", "shape", "missing", "values", "why"]


def _columns() -> dict:
    """Return the settings of the columns of the table."""
    config = {
        "pick": st.column_config.CheckboxColumn(
            t("select"), help=t("Select several to change their use below"), width=95
        ),
        "shape": st.column_config.BarChartColumn(
            t("shape"),
            help=t("Distribution: numbers from low to high, levels from the most frequent"),
            y_min=0,
            y_max=1,
            width=90,
        ),
        "use as": st.column_config.SelectboxColumn(
            t("use as"),
            options=USES,
            format_func=labels_of(),
            required=True,
            help=t(
                "Normal scores replace skewed numbers by normal quantiles of their ranks. Row weights state "
                "how often a row counts, survey weights how many people it represents."
            ),
        ),
        "missing": st.column_config.ProgressColumn(
            t("missing"), format="percent", min_value=0, max_value=1, help=t("Share of missing cells"), width=90
        ),
        "values": st.column_config.NumberColumn(t("values"), help=t("Number of distinct values without missing cells")),
    }
    return headings(("variable",)) | {"why": st.column_config.TextColumn(t("reason"))} | config


def variables(here: Source) -> None:
    """Let the user edit the use of the columns, one by one or several at once."""
    st.subheader(t("Variables"), anchor=False)
    frame = _frame(here)
    # The key changes with the plan, so that edits are applied once.
    edited = st.data_editor(
        frame,
        key=f"data_variables_{hash(here.plan)}_{here.title}",
        hide_index=True,
        disabled=READ_ONLY,
        column_config=_columns(),
        alt=t("Variables and what each is used as"),
        placeholder="",
    )
    changed = edited.index[edited["use as"] != frame["use as"]]
    if len(changed):
        plan = here.plan
        for k in changed:
            plan = with_use(plan, edited.at[k, "use as"], frame.at[k, "variable"])
        use_plan(here, plan, f"use of {quoted_columns([frame.at[k, 'variable'] for k in changed])}")
    _many(here, [frame.at[k, "variable"] for k in edited.index[edited["pick"]]])
    if any(c.cells(here.table).among(c.missing).any() for c in here.plan.used):
        _missing_policy(here)
    if here.table.n > 1:
        _rows(here)


def _frame(here: Source) -> pd.DataFrame:
    columns = here.plan.columns
    rows = [_summary(here, column) for column in columns]
    return pd.DataFrame(
        {
            "pick": False,
            "variable": [c.name for c in columns],
            "shape": [shape for shape, _, _ in rows],
            "use as": [use_of_column(here.plan, c) for c in columns],
            "missing": [missing for _, missing, _ in rows],
            "values": [values for _, _, values in rows],
            "why": [written(why(here, c)) for c in columns],
        }
    )


def _summary(here: Source, column: ColumnPlan) -> tuple[list[float], float, int]:
    """Return histogram heights, missing share and number of values of a column in the chosen rows, cached."""
    if st.session_state.get("data_summaries_of") is not here.table:
        st.session_state.update(data_summaries_of=here.table, data_summaries={})
    kept = st.session_state.data_summaries
    key = column, here.plan.rows, here.plan.drop_copies, here.plan.one_row_per
    if key not in kept:
        cells = chosen_cells(here.table, here.plan, column)
        kept[key] = bar_heights(cells, column), missing_share(cells, column), n_values(cells, column)
    return kept[key]


def _many(here: Source, picked: list[str]) -> None:
    """Show buttons that change all picked columns."""
    if not picked:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(t("Use {columns} as", columns=Count(len(picked), "column")), width="content")
        for use in USES:
            if use not in (WEIGHTS, SURVEY) and st.button(
                t(use).capitalize(), key=f"data_many_{use.replace(' ', '_')}"
            ):
                use_plan(here, with_use(here.plan, use, *picked), f"{quoted_columns(picked)} used as {use}")


def _rows(here: Source) -> None:
    """Let the user choose a range of rows."""
    whole = (1, here.table.n)
    used = (min(here.plan.rows[0], here.table.n), min(here.plan.rows[1], here.table.n)) if here.plan.rows else whole
    rows = st.slider(t("Rows"), *whole, used, key=f"data_rows_{here.title}_{here.plan.rows}")
    if rows != used:
        plan = here.plan.with_all_rows() if rows == whole else here.plan.with_rows(*rows)
        use_plan(here, plan, f"rows {rows[0]:,} to {rows[1]:,}")


def _missing_policy(here: Source) -> None:
    policy = st.selectbox(
        t("Missing cells"),
        list(POLICIES),
        index=list(POLICIES).index(here.plan.missing_policy),
        format_func=labels_of(POLICIES),
        key=f"data_policy_{here.title}_{here.plan.missing_policy}",  # a fix may have changed it
    )
    if policy != here.plan.missing_policy:
        use_plan(here, here.plan.with_policy(policy), f"missing cells: {POLICIES[policy]}")
