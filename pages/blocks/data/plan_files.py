"""Export the plan of a table as a file, and use a stored one."""

from __future__ import annotations

from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.data.disclosure import MIN_ROWS, rare_texts, sharable
from learners.data.plan.plan_file import fitted, read_plan, write_plan
from pages.blocks import rare_values
from pages.blocks.data.plan_changes import use_plan
from pages.session.state import Source
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown


def plan_file(here: Source) -> None:
    """Show the download of the plan and the upload of a stored one."""
    with st.expander(t("Save these settings as a template"), key="data_plan_fold"):
        st.caption(
            t(
                "A template holds the type and missing-value codes of each column. On the command line: "
                "`edgewise learn data.csv --plan plan.json`."
            )
        )
        is_private = not here.is_public and bool(rare_texts(here.table, here.plan))
        if is_private:
            st.caption(
                t(
                    "Held back for privacy: the template names values that fewer than {n} rows have. To download it, "
                    "switch on *Include rare values*.",
                    n=MIN_ROWS,
                )
            )
            is_private = not st.toggle(t(rare_values.LABEL), key="data_plan_rare")
        st.download_button(
            t("Download template"), lambda: write_plan(sharable(here.plan)), "plan.json", "application/json",
            key="data_plan_out", on_click="ignore", icon=":material/download:", disabled=is_private,
        )  # fmt: skip
        file = st.file_uploader(t("Template file"), type=["json"], key="data_plan_in")
        if file is not None:
            _take(here, file)


def _take(here: Source, file: Any) -> None:
    """Apply a stored plan once; if it does not fit the table, only show a message."""
    if st.session_state.get("data_plan_read") != (file.file_id, here.title):
        st.session_state.update(data_plan_read=(file.file_id, here.title), data_plan_said="", data_plan_problem="")
        try:
            plan, notes = fitted(read_plan(file.getvalue()), here.table)
        except LearnersError as error:
            st.session_state.data_plan_problem = str(error)
        else:
            st.session_state.data_plan_said = "; ".join(notes)
            use_plan(here, plan, f"template {file.name}")
    for box, key in ((st.error, "data_plan_problem"), (st.info, "data_plan_said")):
        sentence = st.session_state[key]
        if sentence:
            box(escape_markdown(written(as_sentence(sentence))))
