"""Number of graphs in the tree of a run of B-RAI, and in trees learned from fewer rows."""

from __future__ import annotations

import streamlit as st

from learners.common.cancellable_job import Progress
from learners.common.progress import Tick
from learners.common.sentences import Count
from learners.data.dataset import Dataset
from learners.families.brai.classes_by_rows import CAP, classes_by_rows, sizes_up_to
from learners.registry import learn
from learners.results.result import LearnResult
from pages.session import state
from pages.session.jobs.progress_with_cancel import SideTask
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.averaging import figures
from viz.averaging.words import routes_words
from viz.text import format_seconds

COUNT = SideTask("brai")


def by_rows(run: Run) -> None:
    """Show how many different graphs the tree contains, with all rows and with fewer."""
    extra = run.result.extra
    n = state.made_once(run, "n_classes", None, lambda: extra.n_classes(CAP))
    st.write(
        t(
            "The first tree of this run, from {rows}, holds at least {graphs}, reached by {routes}."
            if n >= CAP
            else "The first tree of this run, from {rows}, holds {graphs}, reached by {routes}.",
            rows=Count(run.dataset.n, "row"),
            graphs=Count(n, "different CPDAG"),
            routes=written(routes_words(extra.tree.n_routes)),
        )
    )
    _collect()
    if "classes_by_rows" in run.data:
        sizes, counts = run.data["classes_by_rows"]
        figure, alt = figures.classes_figure(sizes, counts, CAP)
        st.plotly_chart(worded(figure), key=f"inspect_classes_{run.number}", alt=written(alt))
        st.caption(
            t("{alt}. Where resamples disagree on a test, the tree has more graphs.", alt=written(alt)),
            help=t("Both axes are logarithmic. Rows are drawn at random; smaller samples are parts of larger ones."),
        )
    elif COUNT.under_way(run):
        COUNT.watch(_progress_text, "inspect_cancel_classes")
    else:
        _offer(run)


def _offer(run: Run) -> None:
    """Show a button that learns from fewer rows and keeps only the counts."""
    if not run.result.complete:
        return
    sizes = sizes_up_to(run.dataset.n)
    COUNT.show_error()
    st.caption(t("With fewer rows, more graphs are plausible."))
    if st.button(
        t("Count graphs"),
        icon=":material/calculate:",
        key="inspect_count_classes",
        disabled=COUNT.busy,
        help=t(
            "Learns one tree of B-RAI with {size} rows and the settings of this run.",
            size=", ".join(f"{size:,}" for size in sizes),
        ),
    ):
        params = dict(run.result.params) | {"roots": 1, "polish": "none"}  # only the first tree is counted

        def work(tick: Tick) -> tuple[tuple[int, ...], list[int]]:
            def one(dataset: Dataset, tick: Tick) -> LearnResult:
                return learn("brai", dataset, knowledge=run.knowledge, tick=tick, **params)

            return sizes, classes_by_rows(run.dataset, one, sizes, tick=tick)

        COUNT.start(run, work)


def _progress_text(progress: Progress) -> tuple[float, str]:
    share = progress.done / progress.total if progress.total else 0.0
    return share, t(
        "{done} of {sizes} done, {seconds}",
        done=int(progress.done), sizes=Count(progress.total, "size"), seconds=format_seconds(progress.seconds),
    )  # fmt: skip


def _collect() -> None:
    """Keep the counts of a finished job."""
    if found := COUNT.collect():
        run, (sizes, counts) = found
        if counts:
            run.data["classes_by_rows"] = (sizes[: len(counts)], counts)
