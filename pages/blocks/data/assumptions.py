"""Checks of a table against the assumptions of learners, before any run."""

from __future__ import annotations

import streamlit as st

from learners.common.errors import LearnersError
from learners.data.quality.health import with_found_groups
from learners.verdict.assumptions import Assumptions, check_assumptions
from learners.verdict.remedies import HIDDEN_RUN, parts_at_change, remedies
from pages.blocks.data.findings import come_first, fix_buttons
from pages.session import background_knowledge
from pages.session.jobs import runner
from pages.session.state import Source
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown
from viz.verdicts import gates

MAX_CELLS = 100_000  # maximum number of cells checked without a click; takes 0.1 to 1 s on one core
# The assumption that a warning doubts, by the code of the warning
DOUBTED = {
    "serial_rows": "independent rows",
    "nonlinear": "linear relations",
    "drifting": "same relations in all rows",
    "hidden_factors": "no hidden common causes",
    "hidden_causes": "no hidden common causes",
}
MEANS = (
    "Checks four assumptions: independent rows, linear relations, the same relations in all rows, no hidden common "
    "causes. About 1 in 20 tables that meet all four gets a warning."
)


def assumptions(here: Source) -> None:
    """Show what the checks of a table found, with its fixes.

    A large table with numbers, or one with numbers that may be missing-value codes, is checked when asked.
    """
    dataset = here.dataset
    if dataset is None or dataset.p < 2:
        return
    codes = come_first(here)
    if codes:
        st.caption(t("Decide about the missing-value codes first: read as numbers, they distort the results."))
    found = _found(here, on_request=codes)
    if found is None:
        return
    sentences = gates(found, dataset.names)
    against = found.sentences(dataset.names)
    against = against[: len(against) - len(found.skipped)]
    rest = ""
    if dataset.kind != "categorical":
        rest = " ".join(escape_markdown(written(sentence)) for sentence in sentences[len(against) :])
    if any(finding.code == "serial_dependence" for finding in here.findings):  # it states the same
        against = [sentence for sentence in against if sentence.code != "serial_rows"]
    if against:
        # Beside findings the warnings are folded, so that the variables stay in sight.
        with st.expander(
            t(
                "Possibly violated: {assumptions}",
                assumptions=", ".join(t(DOUBTED[sentence.code]) for sentence in against),
            ),
            expanded=not here.findings, key="data_assumptions_fold", icon=":material/warning:",
        ):  # fmt: skip
            for sentence in against:
                st.warning(escape_markdown(written(as_sentence(sentence))), icon=":material/warning:")
            if rest:
                st.caption(rest)
            if here.plan is not None:
                parts = parts_at_change(found, dataset.n_rows, here.table, here.plan)
                fix_buttons(here, (*remedies(found, dataset.names, here.plan), *parts), "data_remedy")
            if found.hidden is not None:
                _learn_hidden(here)
    elif rest:
        st.caption(rest, help=None if found.unread else t(MEANS))


def _learn_hidden(here: Source) -> None:
    """Offer to learn at once with FCI, which leaves open what hidden common causes explain."""
    if st.button(
        t("Learn with FCI"), icon=":material/play_arrow:", key="data_learn_hidden",
        help=t("FCI leaves open what hidden common causes can explain. Nothing in the table changes."),
        disabled=bool(st.session_state.job),
    ):  # fmt: skip
        runner.start(HIDDEN_RUN, here.dataset, background_knowledge.knowledge(here.dataset.names), {}, here)
        st.switch_page("pages/learn.py")


def _found(here: Source, *, on_request: bool) -> Assumptions | None:
    """Return the checks of the data in use, made once; None until a table that waits for a request is checked."""
    dataset = here.dataset
    known = st.session_state.get("assumptions", {})
    if dataset.fingerprint in known:
        return known[dataset.fingerprint]
    on_request |= dataset.n_rows * dataset.p > MAX_CELLS and dataset.kind != "categorical"
    if on_request and not st.button(
        t("Check the assumptions"), icon=":material/fact_check:", key="data_check_assumptions", help=t(MEANS)
    ):
        return None
    with st.spinner(t("Checking the assumptions…")):
        try:
            grouped = with_found_groups(dataset, here.table, here.plan) if here.plan is not None else dataset
            found = check_assumptions(grouped)
        except LearnersError as error:  # for example too few rows
            found = Assumptions((), (f"the assumptions were not checked: {error}",))
    st.session_state.assumptions = {dataset.fingerprint: found}
    if on_request or found.nonlinear:
        st.rerun()  # redraws this part without its button, or the button that learns, which then follows curves
    return found
