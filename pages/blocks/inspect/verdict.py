"""Card "Reliability of the arrows": what the checks found, and how far each arrow is supported as a cause."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from learners.common.cancellable_job import Progress
from learners.common.progress import Tick
from learners.verdict.assumptions import why_unread
from learners.verdict.pair_evidence import RESAMPLES
from learners.verdict.remedies import parts_at_change, remedies, run_of_curves, run_of_hidden
from learners.verdict.trust import HIDDEN_SHARES, Trust, reliability, silent_trust, trust
from learners.workers.remote import trust_in_worker
from pages.blocks.fix_label import label_of, tooltip_of
from pages.blocks.inspect.edge_directions import by_noise
from pages.blocks.inspect.measures import assumptions_of
from pages.blocks.table_mismatch import of_another_table
from pages.session import node_positions, shared_link, state, verdicts
from pages.session.data_frame import show_table
from pages.session.jobs import dispatch, runner
from pages.session.jobs.progress_with_cancel import SideTask
from pages.session.serialize import Order
from pages.session.state import Run
from pages.session.words import labels_of, t, worded, worded_cells, written
from viz.averaging.truth import calibration_chart
from viz.graph_view import graph_view
from viz.text import as_sentence, escape_markdown
from viz.verdicts import (
    ADJACENT,
    CAUSES,
    MEANINGS,
    NO_CAUSE,
    SUPPORT_MEANS,
    arrow_table,
    below_warnings,
    beside_support,
    details,
    headline,
    other_causes,
    reliability_caption,
    support_table,
    verdict_view,
    well_supported,
)

JUDGE = SideTask("trust")
FIELDS = {0.1: "1 in 10", 0.5: "half", 0.9: "9 in 10"}
FIELD_MEANS = (
    "If you do not know, leave it at half. The probabilities come from simulated tables, half "
    "of which have hidden common causes; the slider reweights them."
)
VERDICT_HEIGHT = 420  # pixels
VERDICT_MEANS = (
    "The graph with its probabilities. Arrows show P(cause); undirected edges show P(adjacent). Undecided arrows are "
    "grey."
)
SECONDS = 5.0  # approximate duration of the judgement for 20 columns


def collect(run: Run) -> None:
    """Keep a finished verdict with its run, before the parts of the page that state it are drawn.

    If the checks of the table forbid all claims about causes, the verdict is known at once.
    """
    if found := JUDGE.collect():
        done, judged = found
        done.data[verdicts.JUDGED] = judged
    if run.result.complete and run.dataset is not None and verdicts.of(run) is None:
        silent = state.made_once(
            run, "silent verdict", None, lambda: silent_trust(state.grouped(run), assumptions_of(run))
        )
        if silent is not None:
            run.data[verdicts.JUDGED] = silent


def card(run: Run) -> None:
    """Show the checks of the table, and the verdict on the arrows or the button that asks for it."""
    if not run.result.complete:
        return
    with st.expander(t("Reliability of the arrows"), icon=":material/fact_check:", key=f"belief_{run.number}"):
        if JUDGE.under_way(run):
            JUDGE.watch(_progress_text, "inspect_cancel_trust")
        elif judged := verdicts.of(run):
            _show(run, judged)
        else:
            _offer(run)


def of_pair(run: Run, x: int, y: int) -> None:
    """Show the verdict on a pair, if the arrows were judged."""
    found = verdicts.of(run)
    sentences = found.of_pair(x, y) if found is not None else []
    if sentences:
        with st.expander(t("Reliability of the arrows"), expanded=True, key="why_belief_fold"):
            for sentence in sentences:
                st.markdown("- " + escape_markdown(written(as_sentence(sentence))))
            table = worded_cells(support_table(found, x, y), "method")
            show_table(
                table, hide_index=True, key="why_belief_table", alt=t("How often each method finds an arrow"),
                column_config={
                    "method": st.column_config.TextColumn(t("method"), width="small"),
                    **{name: st.column_config.NumberColumn(format="percent") for name in table.columns[1:]},
                },
            )  # fmt: skip
            st.caption(t(SUPPORT_MEANS))


def show_beside_support(run: Run, x: int, y: int) -> None:
    """Show the verdict on the edge of a pair beside the odds for its direction, if the arrows were judged."""
    sentences = beside_support(verdicts.of(run), run.result, x, y)
    if sentences:
        st.markdown(escape_markdown(" ".join(map(written, sentences))))


def _offer(run: Run) -> None:
    JUDGE.show_error()
    _gates(run)
    st.caption(
        t(
            "How probable is it that an arrow is causal, even if a common cause is not in the table? Three learners "
            "search for the arrow in twelve bootstrap samples, and order MCMC in all rows. Their shares give the "
            "probability, calibrated on simulated tables. It usually takes 1 to 20 seconds."
        )
    )
    if st.button(t("Judge the arrows"), icon=":material/fact_check:", key="inspect_trust", disabled=JUDGE.busy):
        running, data = dispatch.remote_task(SECONDS), state.grouped(run)

        def work(tick: Tick) -> Trust | None:
            if running is None:
                return trust(run.result, data, tick=tick)
            return trust_in_worker(dispatch.workers(), run.result, data, tick=tick, running=running)

        JUDGE.start(run, work, running)


def _gates(run: Run, *, violated: bool = False) -> None:
    """Show as a list what the checks found, unless the warnings above show it.

    If the table violates an assumption, no directions are suggested by the noise.
    """
    for sentence in below_warnings(assumptions_of(run), run.result.names):
        st.markdown("- " + escape_markdown(written(sentence)))
    if not violated:
        _noise(run)


def _noise(run: Run) -> None:
    """List the directions that the noise suggests."""
    if not shared_link.hides_table():
        for sentence in by_noise(run).sentences():
            st.markdown("- " + escape_markdown(written(as_sentence(sentence))))


def fixes_of(run: Run) -> None:
    """Show a button for each fix of what the checks found, if the run belongs to the table in use."""
    here = state.source()
    if here is None or here.plan is None or run.source.base is not None or of_another_table(run):
        return
    fixes = remedies(assumptions_of(run), run.result.names, here.plan)
    with st.container(horizontal=True):
        for k, fix in enumerate(fixes):
            help_ = ". ".join(filter(None, (tooltip_of(here, fix), t("Learn again afterwards; Undo is on Data."))))
            if st.button(escape_markdown(label_of(fix)), key=f"inspect_remedy_{k}", help=escape_markdown(help_)):
                changed = replace(here, steps=(*here.steps, (fix.label, here.plan)))
                state.set_source(state.with_plan(changed, fix.plan))
                st.rerun(scope="app")


def run_with_curves(run: Run) -> None:
    """Offer to learn with basis functions if relations are nonlinear: by the learner of the run, or else by BOSS."""
    if run.dataset is None:
        return
    other = run_of_curves(assumptions_of(run), run.result, run.dataset.kind)
    if other is None:
        return
    key, params = other
    label = t("Learn with basis functions") if key == run.result.method else t("Learn with BOSS and basis functions")
    help_ = t("Starts a run with a test or score that follows curves. This run stays in the list.")
    if st.button(
        label, icon=":material/replay:", key="inspect_curves", help=help_, disabled=bool(st.session_state.job)
    ):
        runner.start(key, run.dataset, run.knowledge, params, run.source)
        st.rerun(scope="app")


def run_with_hidden(run: Run) -> None:
    """Offer to learn with FCI if hidden common causes are likely."""
    key = run_of_hidden(assumptions_of(run), run.result)
    if run.dataset is None or key is None:
        return
    help_ = t("Starts FCI on the same data. This run stays in the list.")
    if st.button(
        t("Learn with FCI"), icon=":material/replay:", key="inspect_hidden", help=help_,
        disabled=bool(st.session_state.job),
    ):  # fmt: skip
        runner.start(key, run.dataset, run.knowledge, {}, run.source)
        st.rerun(scope="app")


def compare_parts(run: Run) -> None:
    """Offer to learn from the rows before and after a change of the relations, and to compare the two graphs."""
    own = run.source
    if run.dataset is None or own.table is None or own.plan is None:
        return
    parts = parts_at_change(assumptions_of(run), run.dataset.n_rows, own.table, own.plan)
    if not parts:
        return
    label = t("Compare the rows up to {n} with the rest", n=parts[0].plan.rows[1])
    help_ = t("Starts this run again on each part of the table, and opens Compare.")
    if not st.button(
        label, icon=":material/compare_arrows:", key="inspect_parts", help=help_, disabled=bool(st.session_state.job)
    ):
        return
    base = replace(own, base=own.base or run.dataset)
    halves = [replace(state.with_plan(base, part.plan), alone=part.label) for part in parts]
    if problem := next((one.problem for one in halves if one.dataset is None), ""):
        st.error(escape_markdown(written(as_sentence(problem))), icon=":material/error:")
        return
    runner.start_all(
        [Order(run.result.method, one.dataset, run.knowledge, run.result.params, one, None, run.seed) for one in halves]
    )
    st.session_state.compare_follow = len(halves)
    st.switch_page("pages/compare.py")


def _show(run: Run, found: Trust) -> None:
    st.markdown(f"**{escape_markdown(written(headline(found, run.result)))}**")
    for sentence in details(found, run.result):
        st.markdown(escape_markdown(written(sentence)))
    if not found.silent:
        _field(run, found)
    table = worded_cells(arrow_table(found, run.result), "verdict")
    if len(table):
        show_table(
            table, hide_index=True, key=f"inspect_arrows_{run.number}", alt=t("Probabilities of each arrow as a cause"),
             height=min(420, 38 + 35 * len(table)),
            column_config={
                CAUSES: st.column_config.ProgressColumn(
                    t(CAUSES), min_value=0.0, max_value=1.0, format="%.3f",
                    help=t("x → y is the arrow: x causes y, directly or through others."),
                ),
                NO_CAUSE: st.column_config.NumberColumn(
                    t(NO_CAUSE), format="%.3f",
                    help=t(
                        "y causes x neither directly nor through others. This probability has a calibration of its "
                        "own, and is at least P(x causes y)."
                    ),
                ),
                "verdict": st.column_config.TextColumn(t("verdict"), help=t(MEANINGS)),
                ADJACENT: st.column_config.NumberColumn(
                    t(ADJACENT), format="%.3f",
                    help=t(
                        "No set of other columns separates the two. An indirect cause need not be adjacent, so "
                        "P(x causes y) may be larger."
                    ),
                ),
            },
        )  # fmt: skip
    if more := other_causes(found, run.result):
        st.caption(written(more))
    if not found.silent:
        _pictures(run, found)
    _gates(run, violated=bool(found.silent) and not why_unread(state.grouped(run)))


def _field(run: Run, found: Trust) -> None:
    """Ask how common hidden causes are in the field, and update the verdicts."""
    share = st.select_slider(
        t("Assumed share of tables in your field with hidden common causes"), HIDDEN_SHARES, found.hidden_share,
        key=f"inspect_hidden_share_{run.number}", format_func=labels_of(FIELDS), help=t(FIELD_MEANS),
    )  # fmt: skip
    counts = [f"{t(FIELDS[one])}: {well_supported(found.with_hidden_share(one), run.result)}" for one in HIDDEN_SHARES]
    st.caption(t("Well supported arrows by this share: {counts}.", counts="; ".join(counts)))
    if share != found.hidden_share:
        run.data[verdicts.JUDGED] = found.with_hidden_share(share)
        st.rerun()


def _pictures(run: Run, found: Trust) -> None:
    """Show the graph by verdict, and how reliable such verdicts were."""
    places = node_positions.shown(run, node_positions.arrangement(run))
    graph, chart = st.columns([3, 2], gap="medium")
    with graph:
        st.caption(t(VERDICT_MEANS))
        graph_view(
            verdict_view(found, run.result, places),
            key=f"inspect_verdict_{run.number}", height=VERDICT_HEIGHT, language=state.language(),
        )  # fmt: skip
    with chart:
        known = reliability(found.kind, found.hidden_share)
        figure, alt = calibration_chart(known.claims, "simulated tables")
        st.plotly_chart(worded(figure), key=f"inspect_reliability_{run.number}", alt=written(alt))
        st.caption(written(reliability_caption(known, found)))


def _progress_text(progress: Progress) -> tuple[float, str]:
    if not progress.total:
        return 0.0, t("Starting…")
    share, extra = progress.done / progress.total, (progress.total - RESAMPLES) // 2  # steps before and after
    sample = progress.done - extra
    if sample < 1:
        return share, t("Checking all rows…")
    if sample > RESAMPLES:
        return share, t("Order MCMC on all rows…")
    return share, t("Bootstrap sample {k} of {n}…", k=sample, n=RESAMPLES)
