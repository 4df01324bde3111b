"""Experiments of the papers: choose one and compare its results with ours."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from learners.common.sentences import Count
from learners.common.version import __version__
from pages.session.data_frame import show_table
from pages.session.words import headings, labels_of, spoken, t, worded, written
from viz.experiments import curves, figures, words
from viz.experiments.published import MetricCurve, Published, experiments_of, papers, tables_of
from viz.text import escape_markdown

FIRST_METHODS = 8  # number of methods drawn until the user chooses others
BOTH = "TPR and SHD side by side"  # figure 13 of Mahdi and Mezey (2013)
BENCHMARKS = Path(__file__).parents[3] / "benchmarks"  # present in a clone only


def can_run() -> bool:
    """Return True if the programs that repeat the experiments are installed."""
    return BENCHMARKS.is_dir()


def pick() -> Published:
    """Choose a figure or table of a paper."""
    left, right = st.columns([1, 2])
    paper = left.selectbox(t("Paper"), list(papers()), format_func=labels_of(papers()), key="experiments_paper")
    choices = experiments_of(paper)
    titles = {name: _title(one) for name, one in choices.items()}
    name = right.selectbox(
        t("Figure or table"),
        list(choices),
        format_func=titles.__getitem__,
        key=f"experiments_of_{paper}",
    )
    return choices[name]


def _title(experiment: Published) -> str:
    """Return the title of an experiment without its paper."""
    title = written(experiment.what.partition(", ")[2] or experiment.what)
    return title[0].upper() + title[1:]


def show(experiment: Published) -> None:
    """Show our results next to the paper's."""
    values, claims = _tables(experiment.name)
    if values.empty:
        st.info(t("Edgewise has no results of this experiment yet."))
    _origin(experiment)
    _values(experiment, values)
    _claims(claims)


def _origin(experiment: Published) -> None:
    """State which version computed the values, and which methods have changed since."""
    if experiment.outdated:
        st.warning(
            escape_markdown(
                t(
                    "The values of {methods} come from an earlier version of the learner, which now gives "
                    "different ones.",
                    methods=", ".join(experiment.outdated),
                )
            ),
            icon=":material/history:",
        )
    if experiment.versions:
        st.caption(
            escape_markdown(t("Computed with Edgewise {versions}.", versions=", ".join(experiment.releases))),
            help=escape_markdown(
                t(
                    "Builds: {builds}. For most experiments, a few small data sets were rerun with the version in use, "
                    "{version}.",
                    builds=", ".join(experiment.builds),
                    version=__version__,
                )
            ),
        )


@st.cache_data(show_spinner=False, max_entries=32)
def _tables(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    return tables_of(name)


def _values(experiment: Published, table: pd.DataFrame) -> None:
    if table.empty:
        return
    for text in experiment.remarks:
        st.markdown(f"- {escape_markdown(written(text))}")
    table = _part(experiment, table)
    drawn = {curve.title: curve for curve in experiment.curves if table["metric"].map(curve.place).notna().any()}
    metrics = [metric for metric in table["metric"].unique() if not experiment.is_point(metric)]
    # Drawn metrics first, then printed ones, then those of claims.
    printed = [metric for metric in metrics if table.loc[table["metric"] == metric, "paper"].notna().any()]
    claimed = [metric for metric in experiment.claimed if metric in metrics]
    pair = [curve for curve in drawn.values() if curve.y.partition(" ")[0] in ("TPR", "SHD")]
    sides = [BOTH] if len(pair) == 2 and pair[0].x == pair[1].x else []
    metrics = list(dict.fromkeys([*drawn, *sides, *printed, *claimed, *metrics]))
    names = {metric: words.metric_label(metric, spoken()) for metric in metrics}
    metric = st.selectbox(
        t("Metric"), metrics, key=f"experiments_metric_{experiment.name}", format_func=names.__getitem__
    )
    curve = drawn.get(metric)
    if metric == BOTH:
        table = table[table["metric"].map(lambda one: any(pd.notna(side.place(one)) for side in pair))]
    elif curve is None:
        table = table[table["metric"] == metric]
    else:
        table = table.assign(at=table["metric"].map(curve.place)).dropna(subset="at")
    methods = list(table["method"].unique())
    if len(methods) > FIRST_METHODS:
        chosen = st.multiselect(
            t("Methods"),
            methods,
            default=methods[:FIRST_METHODS],
            key=f"experiments_methods_{experiment.name}_{metric}",
            format_func=partial(words.method_label, language=spoken()),
            placeholder=t("none"),
        )
        table = table[table["method"].isin(chosen)]
    if table.empty:
        return
    shown_names = " ".join([metric, *table["method"].unique(), *table["cell"].unique()])
    abbreviations = words.meanings(shown_names, spoken())
    table = table.assign(method=[words.method_label(one, spoken()) for one in table["method"]])
    if metric == BOTH:
        _both(table, pair, abbreviations)
    elif curve is None:
        _points(experiment, table, metric, abbreviations)
    else:
        _curve(table, curve, abbreviations)
    _reasons(table)
    with st.expander(t("As a table"), key="experiments_table_fold"):
        shown = _shown(table).rename(columns={"ours": "mean"} if experiment.compares_programs else {})
        whose = "{metric} by program" if experiment.compares_programs else "{metric}, ours and the paper's"
        show_table(shown, hide_index=True, alt=t(whose, metric=names[metric]), column_config=headings(shown))


def _points(experiment: Published, table: pd.DataFrame, metric: str, abbreviations: str) -> None:
    figure, alt = figures.dots(table, words.metric_label(metric), spoken())
    st.plotly_chart(worded(figure), key="experiments_dots", alt=written(alt))
    tally = _tally(table)
    meaning = _meaning(experiment, printed=bool(table["paper"].notna().any()))
    st.caption(t(meaning), help=f"{abbreviations}." if abbreviations else None)
    if tally:
        st.markdown(f"**{t('Our values and the paper’s:')}** {tally}.")


def _curve(table: pd.DataFrame, curve: MetricCurve, abbreviations: str) -> None:
    figure, alt = curves.curves(table, curve.y, curve.x, curve.log, spoken())
    st.plotly_chart(worded(figure), key="experiments_curves", alt=written(alt))
    st.caption(
        t("Each point is a mean over data sets. Hover over it to see the standard deviation."),
        help=f"{abbreviations}. " * bool(abbreviations)
        + t(
            "A curve ends as soon as one of its data sets has no further points. The paper draws these curves without "
            "printing values."
        ),
    )


def _both(table: pd.DataFrame, pair: list[MetricCurve], abbreviations: str) -> None:
    """Show TPR and SHD of the same graphs side by side."""
    ordered = sorted(pair, key=lambda curve: curve.y, reverse=True)
    for curve, column in zip(ordered, st.columns(2), strict=True):
        own = table.assign(at=table["metric"].map(curve.place)).dropna(subset="at")
        figure, alt = curves.curves(own, curve.y, curve.x, curve.log, spoken())
        figure.update_xaxes(title="", col=2)  # in half the width, titles of two panels would overlap
        column.plotly_chart(worded(figure), key=f"experiments_curves_{curve.y}", alt=written(alt))
    st.caption(
        t(
            "1 − TPR is the share of true edges that are missing; retrieved edges minus TPR are the false "
            "ones. SHD counts a wrong direction once, TPR as one missing and one false edge."
        ),
        help=f"{abbreviations}." if abbreviations else None,
    )


def _meaning(experiment: Published, *, printed: bool) -> str:
    """Return the caption of the dots."""
    if experiment.compares_programs:
        return (
            "Mean and standard deviation over data sets, with the same rows for all programs. Seconds are those of "
            "the call on one core."
        )
    if printed:
        return "Filled: our mean and standard deviation over data sets. Hollow: the value printed in the paper."
    return "Mean and standard deviation over data sets. There are no published values."


def _part(experiment: Published, table: pd.DataFrame) -> pd.DataFrame:
    """Choose one value of the parameter whose values have separate tables."""
    if not experiment.apart:
        return table
    value = table["cell"].str.extract(rf"\b{experiment.apart}=(\S+)", expand=False)
    chosen = st.segmented_control(
        t(experiment.apart.capitalize()),
        list(value.unique()),
        default=value.iloc[0],
        required=True,
        key=f"experiments_part_{experiment.name}",
    )
    return table[value == chosen]


def _claims(table: pd.DataFrame) -> None:
    if table.empty:
        return
    st.subheader(t("Claims of the paper"), anchor=False)
    st.markdown(
        f"**{t('Of {claims}:', claims=Count(len(table), 'claim'))}** {_tally(table)}.",
        help=t(
            "A claim names the better of two methods by a metric. It is decided if the mean of their "
            "differences is more than two standard errors from 0."
        ),
    )
    _reasons(table)
    with st.expander(t("Claim by claim"), key="experiments_claims_fold"):
        shown = _shown(table)
        show_table(
            shown,
            hide_index=True,
            alt=t("Claims of the paper and by how much they hold"),
            column_config=headings(shown),
        )


def _reasons(table: pd.DataFrame) -> None:
    for text in words.reasons(table, spoken()):
        st.markdown(f"- {escape_markdown(text)}")


def _tally(table: pd.DataFrame) -> str:
    """Return the number of cases of each verdict as text."""
    return words.tally_text(table["verdict"], spoken())


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    cells = [words.cell_label(cell, spoken()) for cell in table["cell"]]
    methods = [words.method_label(method, spoken()) for method in table["method"]]
    shown = table.assign(cell=cells, method=methods).dropna(axis="columns", how="all")
    if "metric" in shown:
        shown = shown.assign(metric=[words.metric_label(one, spoken()) for one in shown["metric"]])
    if "above 0" in shown:
        shown = shown.assign(**{"above 0": [words.share_label(str(one), spoken()) for one in shown["above 0"]]})
    shown = shown.assign(
        **{name: [written(one) for one in shown[name]] for name in ("verdict", "note") if name in shown}
    )
    return shown.rename(columns={"networks": "number of networks", "above 0": "positive differences"})
