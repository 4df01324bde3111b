"""Source of a table: an upload, a bundled sample or a simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Count, Quoted, phrase
from learners.data.plan.data_use import use_of
from learners.data.plan.plan import default_plan
from learners.data.reading.table import Table, first_lines, read_table
from learners.data.reading.transposition import MAX_ROWS
from learners.io.samples import SAMPLES
from pages.blocks.data import simulation
from pages.blocks.data.plan_changes import n_changes, use_plan
from pages.session import state, tables, workspace
from pages.session.state import Source
from pages.session.words import counted, labels_of, t, table_title, written
from viz.snippet import Origin, of_file
from viz.text import as_sentence, escape_markdown

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "latin-1", "windows-1252")
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
DECIMALS = {".": "point", ",": "comma"}
EXAMPLE = "age_group,smokes,coughs\nyoung,no,no\nold,yes,yes\nold,no,no\nyoung,yes,no\n"
GUESS = "as guessed"
DEFAULT_OPTIONS = {"transpose": False, "rows": None, "columns": None, "header": None} | dict.fromkeys(
    ("separator", "decimal", "encoding"), GUESS
)


def way() -> None:
    """Ask for the source of the table."""
    st.segmented_control(
        t("Source"),
        ["Upload", "Samples", "Simulate"],
        format_func=labels_of(),
        default="Upload",
        required=True,
        key="data_way",
        persist_state="session",
        label_visibility="collapsed",
    )


def choose() -> bool:
    """Choose the table; return True if a new table was refused and the former one is still in use."""
    sources = {"Upload": _upload, "Samples": _samples, "Simulate": simulation.simulate}
    return bool(sources[st.session_state.data_way]())


def _upload() -> bool:
    is_saved = (
        t("It is saved until you delete it on the Projects page.")
        if workspace.is_kept()
        else t("It is deleted when you close or reload the page.")
    )
    formats = t(
        "CSV, Excel, Parquet, SPSS, Stata or SAS; plain or compressed (gzip, zip), up to "
        "{size} MB. The command line reads CSV and Parquet up to 20 GB.",
        size=st.get_option("server.maxUploadSize"),
    )
    file = st.file_uploader(
        t("Table file: one row per case, column names in the first row"),
        key="data_file",
        on_change=_new_file,
        help=f"{formats} {t('Only you can see the table.')} {is_saved}",
    )
    if file is None:
        st.download_button(
            t("Download example"), EXAMPLE, "example.csv", "text/csv", on_click="ignore", key="data_example"
        )
    if file is not None and st.session_state.get("data_read_as") != _settings_key(file):
        _read(file)
    if file is None:
        return False
    problem = st.session_state.data_problem
    if problem:
        st.error(escape_markdown(f"{file.name}: {written(as_sentence(problem))}"), icon=":material/error:")
        if b"\n" in file.getvalue().strip():  # no option adds rows to a header
            st.caption(t("Change the import options below, or read only the first rows or columns."))
        _reading_options(failed=True)
    return bool(problem)


def import_options() -> None:
    """Show and edit the import options of the uploaded file; those of a refused file are shown above."""
    uploaded = st.session_state.data_way == "Upload" and st.session_state.get("data_file") is not None
    if uploaded and not st.session_state.data_problem:
        _reading_options(failed=False)


def offer_transpose(here: Source) -> None:
    """Show a button that reads the uploaded file with rows and columns exchanged, if the file is at hand."""
    file = st.session_state.get("data_file")
    if st.session_state.data_way != "Upload" or file is None or file.name != here.title or here.table.n > MAX_ROWS:
        return
    st.button(
        t("Transpose table"), key="data_transpose_file", icon=":material/swap_horiz:", on_click=_transpose,
        help=t("Reads the file again with rows and columns exchanged."),
    )  # fmt: skip


def _transpose() -> None:
    """Switch the import option on; the page reads the file again."""
    st.session_state.data_transpose = True


def _new_file() -> None:
    """Reset the import options, which are those of one file."""
    st.session_state.pop("data_names", None)
    for name, value in DEFAULT_OPTIONS.items():
        if f"data_{name}" in st.session_state:  # assigned, since the browser would send a removed value again
            st.session_state[f"data_{name}"] = value


def _options() -> dict[str, Any]:
    chosen = {name: st.session_state.get(f"data_{name}") for name in ("separator", "decimal", "encoding")}
    options = {name: value for name, value in chosen.items() if value not in (None, GUESS)}
    limits = {"max_rows": st.session_state.get("data_rows"), "max_columns": st.session_state.get("data_columns")}
    options |= {name: int(value) for name, value in limits.items() if value}
    header, names = st.session_state.get("data_header"), st.session_state.get("data_names")
    options |= {"transpose": True} if st.session_state.get("data_transpose") else {}
    return options | ({} if header is None else {"header": int(header)}) | ({"names": names} if names else {})


def _settings_key(file: Any) -> tuple:
    return (file.file_id, *sorted((name, str(value)) for name, value in _options().items()))


def _read(file: Any) -> None:
    """Read the upload with the chosen options; if it cannot be read, only show a message.

    The upload counts as read only at the end, since a click of the user may interrupt the script anywhere.
    """
    read_as, raw = _settings_key(file), file.getvalue()
    st.session_state.data_lines = first_lines(raw)
    try:
        table = read_table(raw, **_options())
    except LearnersError as error:
        if st.session_state.pop("data_names", None):  # the names belong to other columns
            _read(file)
            return
        st.session_state.data_problem = str(error)
        st.session_state.data_read_as = read_as
        return
    st.session_state.data_problem = ""
    origin, known = of_file(file.name, _options()), tables.find(table)
    st.session_state.data_known = known is not None and bool(known.steps)
    if known is None:
        use_table(file.name, table, origin)
    else:
        state.set_source(replace(known, title=file.name, origin=origin))
    st.session_state.data_read_as = read_as
    st.rerun()  # updates the sidebar, which names the table in use


def use_table(title: str, table: Table, origin: Origin) -> None:
    """Use a table with its default plan."""
    plan = default_plan(table)
    state.set_source(state.with_plan(Source(title, table, plan, origin=origin), plan))


def _reading_options(*, failed: bool) -> None:
    with st.expander(t("Import options"), expanded=failed, key=f"data_reading_fold_{failed}"):
        places = st.columns(6)
        for place, name, label, known in (
            (places[0], "separator", "Column separator", SEPARATORS),
            (places[1], "decimal", "Decimal separator", DECIMALS),
            (places[2], "encoding", "Encoding", {name: name for name in ENCODINGS}),
        ):
            place.selectbox(
                t(label), [GUESS, *known], format_func=labels_of({GUESS: GUESS, **known}), key=f"data_{name}"
            )
        places[3].number_input(
            t("Header line"), 0, None, None, 1, key="data_header", placeholder=t("auto"),
            help=t("Counted from 1; 0 if the file has no header."),
        )  # fmt: skip
        places[4].number_input(t("Maximum rows"), 1, None, None, 1000, key="data_rows", placeholder=t("all"))
        places[5].number_input(t("Maximum columns"), 1, None, None, 10, key="data_columns", placeholder=t("all"))
        st.checkbox(
            t("Transpose"), key="data_transpose", help=t("Exchange rows and columns: each row becomes a variable.")
        )
        if not failed:
            _pick_names(state.source().table.names)
        st.caption(t("First lines of the file"))
        st.code("\n".join(st.session_state.data_lines), language=None, line_numbers=True)


def _pick_names(names: tuple[str, ...]) -> None:
    """Let the user edit the column names; the file is read again with them."""
    edited = st.data_editor(
        pd.DataFrame([list(names)], columns=[str(k + 1) for k in range(len(names))]),
        key="data_names_edited", hide_index=True, placeholder="",
    )  # fmt: skip
    wanted = [str(name) for name in edited.iloc[0]]
    if st.button(t("Use these names"), key="data_rename", disabled=wanted == list(names)):
        st.session_state.data_names = wanted
        st.rerun()


def _samples() -> None:
    # The list is folded once a sample is taken, so that its findings and buttons come into sight.
    n_taken = st.session_state.get("data_samples_taken", 0)
    with st.expander(t("Samples"), expanded=not n_taken, key=f"data_samples_fold_{n_taken}"):
        _sample_cards()


def _sample_cards() -> None:
    for start in range(0, len(SAMPLES), 3):
        for place, (key, one) in zip(st.columns(3), list(SAMPLES.items())[start : start + 3], strict=False):
            with place.container(border=True):
                st.markdown(f"**{escape_markdown(table_title(one.title))}**")
                known = "true graph known" if one.truth else "real data" if one.real else "true graph unknown"
                st.caption(
                    t(
                        "{description} {n} rows, {p} variables, {kind}, {known}.",
                        description=t(one.description),
                        n=one.n,
                        p=one.p,
                        kind=t(one.kind),
                        known=t(known),
                    )
                )
                if st.button(t("Use sample"), key=f"data_sample_{key}"):
                    state.use_sample(key)
                    st.session_state.data_samples_taken = st.session_state.get("data_samples_taken", 0) + 1
                    st.rerun()


def show_guess(here: Source) -> None:
    """Show how the file was read, and which part of the table a run uses."""
    guess = here.table.guess
    parts = [f"{counted(here.table.n, 'row')}, {counted(here.table.p, 'column')}"]
    parts += [guess.encoding] if guess.encoding else []
    if guess.separator:
        parts.append(t("column separator: {separator}", separator=t(SEPARATORS[guess.separator])))
        parts.append(t("decimal separator: {mark}", mark=t(DECIMALS[guess.decimal])))
    if here.dataset is not None:
        use = use_of(here.dataset, here.table, here.plan)
        parts += [] if use.is_whole else [written(phrase("A run {uses}.", uses=use.sentence))]
        used = {column.source or column.name for column in here.plan.used}
        if left_out := [name for name in here.table.names if name not in used]:
            parts[-1] += " " + written(phrase("Left out: {columns}.", columns=Quoted(left_out)))
    st.caption(" · ".join(parts))
    if st.session_state.get("data_known") and here.steps:
        with st.container(horizontal=True, vertical_alignment="center"):
            changes = Count(n_changes(here), "earlier change")
            st.caption(t("This table is known. {changes} applied again.", changes=changes), width="content")
            if st.button(t("Reset settings"), key="data_reset", type="tertiary", icon=":material/restart_alt:"):
                use_plan(here, default_plan(here.table), "reset of all settings")
