"""Probabilities of a run of RAI, B-RAI or the bootstrap: of edges and other features, with calibration and truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Count
from learners.evaluation.frequencies import Frequencies
from learners.evaluation.posterior import Posterior, RankedClass
from learners.graphs.cpdag import v_structures
from pages.blocks.inspect import selection
from pages.blocks.inspect.brai_sample_size import by_rows
from pages.blocks.inspect.brai_tree import draws, generative_tree
from pages.blocks.inspect.calibration import own_calibration
from pages.blocks.inspect.probability_mode import (
    classes_sentence,
    keep_least,
    least_on_screen,
    number_of,
    over,
    posterior_of,
)
from pages.blocks.inspect.rai_calls import all_calls, best_calls
from pages.blocks.slider import mode_of
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import labels_of, t, worded, written
from viz.averaging import figures, tables, truth
from viz.averaging.features import Feature, calibrated_values, features_of, pair_shares, values_of
from viz.averaging.words import draws_of, interval_words
from viz.text import escape_markdown, format_percent, format_share, with_relation

CLASSES = (1, 2, 3, 5, 10, 20, 50, 100, 200)
V_STRUCTURE = "v-structure"
OF_REACHED = (
    "P of an edge compares the scores with and without it, given all other edges. It can lie "
    "between 0 and 1 even within a single class. An arrow with P of 0 or 1 is in none or all "
    "of these classes; others may not have been reached."
)
MAX_IN_MATRIX = 150  # maximum number of variables in a matrix
CALIBRATED_MEANS = "How often such a claim was right on tables of other known networks with a similar number of rows"
LIMITS_MEAN = "95% interval of the mean over trees or draws, or of the share of resamples (Wilson 1927)"


def evidence_of(run: Run) -> Posterior | Frequencies:
    """Return the source of the probabilities: averages over classes, or shares of resamples."""
    return run.result.extra if number_of(run).evidence == "resamples" else posterior_of(run)


def pick_classes(run: Run) -> None:
    """Let the user choose the number of classes to average over; the stored tree is reused."""
    least = least_on_screen(run)

    def changed() -> None:
        """Keep the slider at the probability on screen when the mode changes."""
        if mode_of(run) == "probable":
            st.session_state.line = None
            keep_least(run, least)

    own = run.result.extra.k
    st.select_slider(
        t("Classes averaged, k"),
        sorted({*CLASSES, own}),
        value=own,
        key=f"brai_k_{run.number}",
        persist_state="session",
        on_change=changed,
        help=t(
            "Probabilities are averages over the k equivalence classes with the highest scores, "
            "weighted by exp(score). The graph above follows without a rerun."
        ),
    )


def _probabilities(run: Run) -> None:
    """Show the probability of a feature for every pair, as a matrix or a table."""
    if number_of(run).evidence == "classes":
        pick_classes(run)
        _tell_classes(run)
    evidence = evidence_of(run)
    features = features_of(evidence)
    labels = [*features, *([V_STRUCTURE] if isinstance(evidence, Posterior) else [])]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = st.segmented_control(
            t(number_of(run).asked), labels, default=labels[0], required=True, format_func=labels_of(),
            key=f"inspect_feature_{run.result.method}", persist_state="session",
        )  # fmt: skip
        drawn = label != V_STRUCTURE and len(run.result.names) <= MAX_IN_MATRIX
        form = st.segmented_control(
            t("View"), ["Matrix", "Table"], format_func=labels_of(), default="Matrix", required=True,
            key="inspect_feature_form", persist_state="session", disabled=not drawn,
        )  # fmt: skip
    if label == V_STRUCTURE:
        _v_structures(run, evidence)
        return
    feature = features.get(label, next(iter(features.values())))
    try:
        values = state.made_once(run, "feature", (feature.label, id(evidence)), lambda: values_of(feature, evidence))
    except LearnersError as error:
        st.info(escape_markdown(t("The paths could not be counted: {error}.", error=written(str(error)))))
        return
    as_matrix = drawn and form == "Matrix"
    lead = "P that" if isinstance(evidence, Posterior) else "The share of resamples in which"
    st.caption(
        t(
            f"{lead} {{meaning}}. Click a {'cell' if as_matrix else 'row'} to explain its pair.",
            meaning=t(feature.meaning),
        )
    )
    if as_matrix:
        _feature_matrix(run, feature, values, evidence)
    else:
        _feature_table(run, feature, values)


def _tell_classes(run: Run) -> None:
    """Show how many classes the average includes."""
    posterior = posterior_of(run)
    best = float(posterior.shares.max())
    st.caption(
        escape_markdown(
            t(
                "Averages {n_draws}; the best class has {best} of the weight.",
                n_draws=written(classes_sentence(run)),
                best=format_percent(best),
            )
            + (" " + t(OF_REACHED) if posterior.is_of_reached else "")
        )
    )


def _feature_matrix(run: Run, feature: Feature, values: np.ndarray, evidence: Posterior | Frequencies) -> None:
    key = f"inspect_probabilities_{run.number}_{feature.label}"

    def clicked() -> None:
        cell = selection.number_clicked(key)
        if cell is not None:
            selection.select(run, divmod(cell, len(run.result.names)))

    figure, alt = state.made_once(
        run, "feature_matrix", (feature.label, id(evidence)),
        lambda: figures.feature_matrix(feature, values, run.result.names, number_of(run).symbol),
    )  # fmt: skip
    st.plotly_chart(worded(figure), key=key, on_select=clicked, selection_mode="points", alt=written(alt))


def _feature_table(run: Run, feature: Feature, values: np.ndarray) -> None:
    true = None
    if run.truth is not None:
        try:
            true = values_of(feature, true_posterior(run)) if feature.of_posterior else None
        except LearnersError:
            true = None
    evidence = evidence_of(run)
    calibrated = calibrated_values(feature, evidence, run.result)
    frame = tables.feature_table(feature, values, run.result.names, true, draws_of(run.result.extra), calibrated)
    key = f"inspect_probable_pairs_{run.number}_{feature.label}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            selection.select(run, (int(frame["i"].iloc[rows[0]]), int(frame["j"].iloc[rows[0]])))

    alt = t("Pairs by their probability of: {meaning}", meaning=t(feature.meaning))
    _probability_table(frame, key, clicked, alt, number_of(run).symbol)


def _v_structures(run: Run, posterior: Posterior) -> None:
    true = set(v_structures(run.truth)) if run.truth is not None else set()
    frame = tables.v_structure_table(posterior.v_structures, run.result.names, true, draws_of(run.result.extra))
    st.caption(
        t("Probability that two non-adjacent variables are both parents of a third. Click a row to explain an edge.")
    )
    key = f"inspect_probable_v_{run.number}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            selection.select(run, (int(frame["i"].iloc[rows[0]]), int(frame["j"].iloc[rows[0]])))

    _probability_table(frame, key, clicked, t("v-structures by their probability"), "P")


def _probability_table(frame: pd.DataFrame, key: str, clicked: Callable[[], None], alt: str, number: str) -> None:
    show_table(
        frame, key=key, hide_index=True, column_order=[name for name in frame.columns if name not in ("i", "j")],
        column_config={
            "P": st.column_config.ProgressColumn(number, min_value=0.0, max_value=1.0, format="%.3f"),
            **{name: st.column_config.NumberColumn(format="%.2f", help=t(LIMITS_MEAN)) for name in tables.LIMITS},
            tables.CALIBRATED: st.column_config.NumberColumn(format="%.3f", help=t(CALIBRATED_MEANS)),
            "exactly": st.column_config.TextColumn(help=t("With three digits; near 1 as the difference from 1")),
            "in truth": st.column_config.TextColumn(help=t("In the true graph; a share where its direction is open")),
        },
        on_select=clicked, selection_mode="single-row", height=min(420, 38 + 35 * max(1, len(frame))), alt=alt,

    )  # fmt: skip


def true_posterior(run: Run) -> Posterior:
    """Return the true class with probability 1."""
    return state.made_once(run, "true_posterior", run.truth, lambda: Posterior([RankedClass(run.truth, 0.0)]))


def pair_probabilities(run: Run, x: int, y: int) -> None:
    """Show the probabilities of the types of edge between two variables."""
    evidence = evidence_of(run)
    names = run.result.names
    figure, alt = figures.pair_bar(pair_shares(evidence, x, y), names[x], names[y])
    st.plotly_chart(worded(figure), key="why_probabilities", alt=written(alt), config={"displayModeBar": False})
    if isinstance(evidence, Posterior):
        lead = t("Probabilities {over}", over=over(run))
        blanket = with_relation(format_share(float(evidence.blanket[x, y])))
        more = "; " + t("P(one is in the Markov blanket of the other) {p}", p=blanket)
    else:
        lead, more = t("Shares of {resamples}", resamples=Count(evidence.n, "resample")), ""
    joined = min(1.0, 1.0 - pair_shares(evidence, x, y)["none"])
    draws, share = draws_of(run.result.extra), format_share(joined)
    if draws is None:
        sure = "; " + t("adjacent {p}", p=share)
    else:
        sure = "; " + t("adjacent {p} ({interval})", p=share, interval=written(interval_words(joined, draws)))
    st.caption(escape_markdown(f"{lead}: {alt}{more}{sure}."))
    reached = isinstance(evidence, Posterior) and evidence.is_of_reached
    if reached and joined and not evidence.directed[[x, y], [y, x]].all():
        st.caption(t("The search reached no class with the other direction, which does not exclude it."))


def _truth(run: Run) -> None:
    """Compare the probabilities with a known true graph."""
    evidence = evidence_of(run)
    features = {label: feature for label, feature in features_of(evidence).items() if feature.of_posterior}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = st.segmented_control(
            t(number_of(run).asked), list(features), default="Edge", required=True, format_func=labels_of(),
            key=f"inspect_true_{run.result.method}", persist_state="session",
        )  # fmt: skip
        curve = st.segmented_control(
            t("Curve"),
            ["Calibration", "ROC"],
            format_func=labels_of(),
            default="Calibration",
            required=True,
            key="inspect_true_curve",
            persist_state="session",
        )
    feature, cut = features[label], least_on_screen(run)
    try:
        if curve == "ROC":
            figure, alt = truth.roc_figure(feature, evidence, true_posterior(run), cut)
        else:
            figure, alt = truth.calibration_figure(feature, evidence, true_posterior(run))
    except LearnersError as error:
        st.info(escape_markdown(t("The paths could not be counted: {error}.", error=written(str(error)))))
        return
    st.plotly_chart(worded(figure), key=f"inspect_true_chart_{curve}", alt=written(alt))
    caption = (
        "True and false positive rates as the probability threshold falls. The diamond is the threshold of the graph "
        "on screen."
        if curve == "ROC"
        else "Pairs in ten bins of predicted probability. On the dashed line predictions are calibrated, below it they "
        "are too high. Numbers count pairs."
    )
    st.caption(
        t(
            "{caption} {alt}. Open directions of the true CPDAG count by the share of its DAGs.",
            caption=t(caption),
            alt=written(alt),
        )
    )


def parts_of_tree(run: Run) -> Mapping[str, Callable[[Run], None]]:
    """Return the parts of a run of B-RAI by label."""
    shows = {"Probabilities": _probabilities, "Draws": draws, "Tree": generative_tree, "By rows": by_rows}
    calls = {"Calls": best_calls} if run.result.extra.calls else {}
    return shows | {"Calibration": own_calibration} | _against_truth(run) | calls


def parts_of_posterior(run: Run) -> Mapping[str, Callable[[Run], None]]:
    """Return the parts of a run of MCMC or exact sums by label."""
    return {"Probabilities": _probabilities, "Calibration": own_calibration} | _against_truth(run)


def parts_of_resamples(run: Run) -> Mapping[str, Callable[[Run], None]]:
    """Return the parts of a bootstrap run by label."""
    return {"Shares": _probabilities, "Calibration": own_calibration} | _against_truth(run)


def _against_truth(run: Run) -> dict[str, Callable[[Run], None]]:
    return {} if run.truth is None else {"True graph": _truth}


PARTS_OF_RUN: Mapping[str, Callable[[Run], None]] = {"Calls": all_calls}  # parts of a run of RAI
