"""Data-quality findings of the table in use, each with its fixes."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from learners.common.sentences import Count, columns_of, phrase
from learners.data.quality.finding import Finding, Fix
from learners.data.quality.finding_order import CODES, by_effect, is_detail
from learners.data.quality.fixes import PROPOSED, with_proposals
from learners.data.quality.sample_size import may_lie_across
from pages.blocks.data import table_source
from pages.blocks.data.plan_changes import OF_ALL, use_plan
from pages.blocks.fix_label import label_of, tooltip_of
from pages.session.state import Source
from pages.session.words import counted, t, written
from viz.text import as_sentence, count, escape_markdown

MAX_FINDINGS = 12
MAX_NAMED_FIXES = 6  # maximum number of fixes that a tooltip names
IN_SIGHT = 1  # number of findings shown outside the expander; more would push the variables out of sight


def health(here: Source) -> None:
    """Show the findings, each with its fixes."""
    _what_is_left(here)
    blockers = [f for f in here.findings if f.severity == "blocker"]
    if not here.findings and not here.problem:
        st.success(t("No data problems found."), icon=":material/check_circle:")
    shown = by_effect(here.table, here.plan, here.findings)[:MAX_FINDINGS]
    large = [finding for finding in shown if not is_detail(here.table, here.plan, finding)][:IN_SIGHT]
    for position, finding in enumerate(large):
        _finding(here, position, finding)
    folded = len(shown) - len(large)
    if folded > 0:
        with st.expander(counted(folded, "more finding" if large else "finding"), key="data_findings_fold"):
            for position, finding in enumerate(shown[len(large) :], len(large)):
                _finding(here, position, finding)
            rest = len(here.findings) - MAX_FINDINGS
            if rest > 0:
                st.caption(t("{findings} will be shown once these are fixed.", findings=Count(rest, "more finding")))
    if here.problem and not blockers:
        st.error(escape_markdown(written(as_sentence(here.problem))), icon=":material/block:")


def _what_is_left(here: Source) -> None:
    """State after all suggested fixes that the findings below need a decision of the user."""
    if not here.findings or not here.steps or not here.steps[-1][0].endswith(OF_ALL):
        return
    if any(finding.severity == "blocker" for finding in here.findings):
        return
    label, before = here.steps[-1]
    sentences = [t("{fixes} applied, each listed under the table.", fixes=written(label))]
    if gone := [column.name for column in before.used if here.plan.column(column.name).kind == "ignore"]:
        replaced = here.plan.replaced(gone)
        if left := [name for name in gone if name not in replaced]:
            sentences.append(written(phrase("They leave out {columns}.", columns=columns_of(left))))
        if replaced:
            sentences.append(written(phrase("New columns replace {columns}.", columns=columns_of(replaced))))
    n = len(here.findings)
    template = "1 finding remains. You can run a learner." if n == 1 else "{n} findings remain. You can run a learner."
    sentences.append(t(template, n=n))
    st.caption(escape_markdown(" ".join(sentences)))


def applied(here: Source) -> None:
    """Show what the button for all suggested fixes changed, and why it passed over columns."""
    of_all = [before for label, before in here.steps if label.endswith(OF_ALL)]
    if not of_all:
        return
    with st.expander(
        t("Suggested fixes applied"), key="data_applied_fold", icon=":material/done_all:", on_change="rerun"
    ) as fold:
        if fold.open:
            for step in with_proposals(here.table, of_all[-1])[2]:
                sentence = written(step)
                st.markdown("- " + escape_markdown(sentence[0].upper() + sentence[1:]))


def changes(here: Source) -> None:
    """Show how the table is prepared before learning."""
    if here.prepared and here.prepared.notes:
        notes = Count(len(here.prepared.notes), "note")
        with st.expander(t("How the table is read ({notes})", notes=notes), key="data_done_fold"):
            for note in here.prepared.notes:
                sentence = written(note)
                st.markdown("- " + escape_markdown(sentence[0].upper() + sentence[1:]))


def _finding(here: Source, position: int, finding: Finding) -> None:
    """Show a finding with a button for each fix."""
    box = st.error if finding.severity == "blocker" else st.warning
    with st.container():
        sentence = written(finding.reason)
        box(
            escape_markdown(sentence[0].upper() + sentence[1:]),
            icon=":material/block:" if box is st.error else ":material/warning:",
        )
        is_main = finding.code == CODES and len(_suggested(here)) < 2
        fix_buttons(here, finding.fixes, f"data_fix_{position}", is_main=is_main)
        if finding.code == "transposed" or (finding.code == "few_rows" and may_lie_across(here.table)):
            table_source.offer_transpose(here)


def fix_buttons(here: Source, fixes: Iterable[Fix], key: str, *, is_main: bool = False) -> None:
    """Show a button for each fix, with how much of the table it changes as tooltip; the first may be the main one."""
    with st.container(horizontal=True):
        for k, fix in enumerate(fixes):
            tooltip = escape_markdown(tooltip_of(here, fix)) or None
            kind = "primary" if is_main and not k else "secondary"
            if st.button(escape_markdown(label_of(fix)), key=f"{key}_{k}", help=tooltip, type=kind):
                use_plan(here, fix.plan, fix.label)


def come_first(here: Source) -> bool:
    """Return True if a run before the fixes would take missing-value codes for numbers."""
    return any(finding.code == CODES for finding in here.findings)


def _suggested(here: Source) -> list[Fix]:
    """Return the fixes that the button for all suggested fixes would apply."""
    return [f.fixes[0] for f in here.findings if f.fixes and (f.severity == "blocker" or f.code in PROPOSED)]


def all_at_once(here: Source) -> None:
    """Show one button that applies all fixes that need no decision."""
    suggested = _suggested(here)
    if len(suggested) < 2:
        return
    named = "; ".join(escape_markdown(label_of(fix)) for fix in suggested[:MAX_NAMED_FIXES])
    help_ = t("Applies these fixes: {fixes}. Skips any that would lose answers.", fixes=named)
    if len(suggested) > MAX_NAMED_FIXES:
        help_ = t("Applies {n} fixes: {fixes} and others. Skips any that would lose answers.", n=len(suggested),
                  fixes=named)  # fmt: skip
    main = "primary" if here.dataset is None or come_first(here) else "secondary"
    if st.button(t("Apply all suggested fixes"), key="data_fix_all", icon=":material/done_all:", help=help_, type=main):
        plan, _, done = with_proposals(here.table, here.plan)
        use_plan(here, plan, count(len(done), "fix", "fixes"))
