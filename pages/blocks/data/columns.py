"""The columns of the table in use: health, and a closer look at one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.data.cuts import cut_points
from learners.data.dataset_health import Finding
from learners.data.fixing import PROPOSED, with_proposals
from learners.data.plan import Binning
from pages.blocks.data.plan_changes import LONGEST_LABEL, how_to_read, use_plan
from pages.session.state import Source
from viz import figures
from viz.text import count, distinct_labels, escape_markdown, shorten

BINNINGS = {
    "none": "each value is a level",
    "frequency": "bins of equally many rows",
    "width": "bins of equal width",
    "cuts": "my cut points",
}
MOST_FINDINGS = 12
IN_SIGHT = 3  # findings before the others are folded away


def health(here: Source) -> None:
    """What is wrong or doubtful, each with the fixes that one click applies."""
    blockers = [f for f in here.findings if f.severity == "blocker"]
    warnings = [f for f in here.findings if f.severity == "warning"]
    if not here.findings and not here.problem:
        st.success("Data health: nothing to fix.", icon=":material/check_circle:")
    shown = [*blockers, *warnings][:MOST_FINDINGS]
    for position, finding in enumerate(shown[:IN_SIGHT]):
        _finding(here, position, finding)
    _all_at_once(here)
    folded = len(shown) - IN_SIGHT
    if folded > 0:
        with st.expander(count(folded, "more finding"), key="data_findings_fold"):
            for position, finding in enumerate(shown[IN_SIGHT:], IN_SIGHT):
                _finding(here, position, finding)
    rest = len(here.findings) - MOST_FINDINGS
    if rest > 0:
        st.caption(f"And {count(rest, 'more finding')}; fix these to see the rest.")
    if here.problem and not blockers:
        st.error(escape_markdown(here.problem[0].upper() + here.problem[1:] + "."), icon=":material/block:")
    if here.prepared and here.prepared.notes:
        done = count(len(here.prepared.notes), "step")
        with st.expander(f"What was done to the table ({done})", key="data_done_fold"):
            for note in here.prepared.notes:
                st.markdown("- " + escape_markdown(note))


def _finding(here: Source, position: int, finding: Finding) -> None:
    """What it is, and a button for each way out."""
    box = st.error if finding.severity == "blocker" else st.warning
    with st.container():
        sentence = finding.reason[0].upper() + finding.reason[1:]
        box(escape_markdown(sentence), icon=":material/block:" if box is st.error else ":material/warning:")
        with st.container(horizontal=True):
            for k, fix in enumerate(finding.fixes):
                label = escape_markdown(shorten(fix.label, LONGEST_LABEL))
                whole = escape_markdown(fix.label) if len(fix.label) > LONGEST_LABEL else None
                if st.button(label, key=f"data_fix_{position}_{k}", help=whole):
                    use_plan(here, fix.plan, fix.label)


def _all_at_once(here: Source) -> None:
    """One click for all that can be recommended without asking; one more takes it back."""
    if sum(f.severity == "blocker" or f.code in PROPOSED for f in here.findings if f.fixes) < 2:
        return
    help_ = "Takes the first way out of everything that stops learning, and of warnings where nothing is lost by it."
    if st.button("Take all that is proposed", key="data_fix_all", icon=":material/done_all:", help=help_):
        plan, _, done = with_proposals(here.table, here.plan)
        use_plan(here, plan, f"all that was proposed, {count(len(done), 'step')}")


def one_column(here: Source) -> None:
    """Distribution of one column, its missing marks, and how its values become levels."""
    with st.expander("A closer look at one column", key="data_column_fold", icon=":material/search:"):
        _one_column(here)


def _one_column(here: Source) -> None:
    names = [c.name for c in here.plan.columns]
    labels = distinct_labels(names)
    at = st.selectbox("Column", range(len(names)), format_func=labels.__getitem__, key=f"data_column_{here.title}")
    name = names[at]
    column = here.plan.column(name)
    cells = column.cells(here.table)
    picture, settings = st.columns([3, 2], gap="medium")
    with settings:
        how_to_read(here, column)
        _missing_marks(here, name)
        if column.kind == "categorical":
            _binning(here, name, numeric=bool(np.isfinite(cells.numbers).any()))
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
        order = np.argsort(-cells.counts[kept], kind="stable")[:40]
        texts = [cells.texts[int(k)].as_py() for k in np.flatnonzero(kept)[order]]
        figure = figures.level_counts(texts, cells.counts[kept][order], name)
    st.plotly_chart(figure, key="data_distribution", alt=f"Distribution of {shorten(name)}")


def _missing_marks(here: Source, name: str) -> None:
    column = here.plan.column(name)
    guess = here.table.guess.of(column.source or name)
    if not guess.markers:
        return
    known = {marker.text: marker.count for marker in guess.markers}
    chosen = st.pills(
        "Cells that mean missing here",
        list(known),
        selection_mode="multi",
        default=[text for text in known if text in column.missing],
        format_func=lambda text: escape_markdown(f"{text.strip() or 'empty cell'} ({known[text]:,})"),
        key=f"data_missing_{here.title}_{name}_{hash(here.plan)}",
    )
    agreed = tuple(text for text in column.missing if text not in known) + tuple(chosen)
    if set(agreed) != set(column.missing):
        use_plan(here, here.plan.change(name, missing=agreed), f"other missing marks of column {name!r}")


def _binning(here: Source, name: str, *, numeric: bool) -> None:
    if not numeric:
        return
    now = here.plan.column(name).binning
    with st.form(f"data_bins_{here.title}_{name}", border=False):
        methods = list(BINNINGS)
        method = st.selectbox(
            "Values become levels", methods, methods.index(now.method if now else "none"), format_func=BINNINGS.get
        )
        bins = st.number_input("Bins (not for cut points)", 2, 100, now.bins if now else 3)
        cuts = st.text_input("Cut points, separated by spaces", " ".join(f"{c:g}" for c in now.cuts) if now else "")
        if not st.form_submit_button("Apply"):
            return
    try:
        binning = None if method == "none" else Binning(method, bins, _numbers(cuts) if method == "cuts" else ())
        use_plan(here, here.plan.change(name, binning=binning), f"{BINNINGS[method]} of column {name!r}")
    except LearnersError as error:
        st.error(escape_markdown(str(error)))


def _numbers(text: str) -> tuple[float, ...]:
    numbers = pd.to_numeric(pd.Series(text.replace(";", " ").split(), dtype="str"), errors="coerce")
    return tuple(numbers.astype(float))


def _rare_levels(here: Source, name: str) -> None:
    now = here.plan.column(name).min_level_count
    fewest = st.number_input(
        "Merge levels with fewer rows than", 0, None, now, key=f"data_rare_{here.title}_{name}_{hash(here.plan)}"
    )
    if fewest != now:
        use_plan(here, here.plan.change(name, min_level_count=fewest), f"merge rare levels of column {name!r}")
