"""Evidence of the case on screen, by name, entered by clicks in the picture or in select boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Quoted, phrase
from learners.common.wording import format_value
from learners.data.plan.scales import PLAIN, Scale
from learners.effects.interventions import chosen_directions, with_set_values
from learners.explaining.support import determination, is_determined, relation_clause
from learners.networks.inference.belief_ranges import Ends, FittedNetwork, belief_ranges, class_networks, united
from learners.networks.inference.evidence import States
from pages.blocks.query.network_source import Asked
from pages.session import state
from pages.session.state import Run
from pages.session.words import labels_of, t, written
from viz.effects.words import chosen_arrows_sentence, weak_arrows_at_sentence
from viz.query.texts import number_text, range_sentence
from viz.text import as_sentence, escape_markdown

OPEN = "unknown"
SEEN, DONE = "Observe", "Intervene (do)"


def enter(asked: Asked) -> Any:
    """Start a new case if the network changed, and return the network with its edited tables."""
    if st.session_state.get("query_of") != asked.key:
        st.session_state.update(query_of=asked.key, query_edited=None)
        clear()
        st.session_state.query_held = None
    return st.session_state.query_edited or asked.network


def known() -> dict[str, str | float]:
    """Return the observed values by name."""
    return st.session_state.query_known


def likely() -> dict[str, list[float]]:
    """Return the soft evidence by name."""
    return st.session_state.query_likely


def done() -> dict[str, str | float]:
    """Return the values set by interventions, by name."""
    return st.session_state.query_done


def clear() -> None:
    """Remove all evidence."""
    st.session_state.update(query_known={}, query_likely={}, query_done={})


def say(name: str, value: str | float | None) -> None:
    """Observe or set a value of a variable; None removes its evidence."""
    for evidence in (likely(), known(), done()):
        evidence.pop(name, None)
    if value is not None:
        (done() if st.session_state.get("query_click") == DONE else known())[name] = value


def after_setting(network: Any, values: dict[str, str | float]) -> Any:
    """Return the network under an intervention; the network itself if no value is set."""
    return with_set_values(network, values) if values else network


def choose_way(network: Any) -> None:
    """Let the user choose whether a click observes a value or intervenes; name the arrows that a set value rests on."""
    st.segmented_control(
        t("On click"),
        [SEEN, DONE],
        format_func=labels_of(),
        default=SEEN,
        required=True,
        key="query_click",
        persist_state="session",
        help=t(
            "Intervening removes the arrows into a variable, so its set value gives no information about its causes."
        ),
    )
    if done():
        st.caption(
            t(
                "The result is a causal effect only if the graph is causal and no cause is hidden. Other "
                "DAGs of the class may give other effects."
            )
        )
        if said := chosen_arrows_sentence(chosen_directions(network, done()), network.names):
            st.caption(escape_markdown(written(said)))


class AnswerUncertainty(NamedTuple):
    """Uncertainty of the answers on screen: ranges over the class, and intervals.

    Attributes
    ----------
    ranges : dict or None
        Ranges of the answers over the DAGs of the class; None if all give the same.
    intervals : dict or None
        Intervals of the answers, over all these DAGs; None if there are none.
    reason : str
        Why a fitted network has no intervals; empty if it has.
    """

    ranges: Ends | None
    intervals: Ends | None
    reason: str = ""


def uncertainty(asked: Asked, own: Any, network: Any) -> AnswerUncertainty:
    """Return ranges over the DAGs of the class, and intervals of the answers.

    Parameters
    ----------
    asked : Asked
    own, network : networks
        The network of the run, possibly with edited tables, before and after the interventions.
    """
    networks = [network]
    ranges = None
    if asked.run is not None and own is asked.network and chosen_directions(own, done()):
        networks = [with_set_values(one, done()) for one in _of_class(asked, own)]
        ranges = belief_ranges([one.posterior(known(), virtual=likely()) for one in networks])
    if network.fitted is None:
        return AnswerUncertainty(ranges, None)
    try:
        return AnswerUncertainty(ranges, united([one.intervals(known(), virtual=likely()) for one in networks]))
    except LearnersError as error:
        return AnswerUncertainty(ranges, None, str(error))


def _of_class(asked: Asked, network: Any) -> tuple[FittedNetwork, ...]:
    """Return networks of the DAGs of the class that differ in the causes of what is set, and state how many."""
    run, ess, nodes = asked.run, network.fitted.ess, tuple(network.names.index(name) for name in done())
    with st.spinner(t("Fitting the DAGs of the class…")):
        found = state.made_once(
            run, "class_networks", (ess, nodes),
            lambda: class_networks(run.result.graph, state.completed(run), network, nodes, ess),
        )  # fmt: skip
    said = range_sentence(len(found.networks), complete=found.complete)
    st.markdown(f"**{escape_markdown(written(said))}**")
    return found.networks


def warn_of_weak_arrows(run: Run | None, network: Any) -> None:
    """Name the arrows with an uncertain direction that an intervention rests on."""
    if run is None or not done():
        return
    at = [network.names.index(name) for name in done()]
    if said := weak_arrows_at_sentence(run.result, network.dag, at, network.names):
        st.markdown(escape_markdown(written(said)))


def warn_of_determined(run: Run | None) -> None:
    """Warn of a value set for a column that determines another and is determined by it, such as a copy."""
    result = None if run is None else run.result
    for name in done() if result is not None else ():
        j = result.names.index(name)
        pairs = [pair for pair in sorted(result.undirected_pairs) if j in pair and is_determined(result, *pair)]
        for group in dict.fromkeys(determination(result, *pair) for pair in pairs):
            sentence = phrase(
                "{relation}. The data cannot show what happens if only {name} is set.",
                relation=relation_clause(group, result.names),
                name=Quoted([name]),
            )
            st.warning(escape_markdown(written(as_sentence(sentence))), icon=":material/warning:")


def hold() -> None:
    """Pin the current case for comparison."""
    st.session_state.query_held = (dict(known()), dict(likely()), dict(done()))


def let_go() -> None:
    """Unpin the case."""
    st.session_state.query_held = None


def original() -> None:
    """Return to the network without edited tables."""
    st.session_state.query_edited = None


def ask(names: tuple[str, ...], states: States, scales: Mapping[str, Scale]) -> None:
    """Show boxes to enter evidence without clicking in the picture."""
    name = st.selectbox(t("Variable"), names, key="query_variable")
    levels = states[names.index(name)]
    if not levels:
        _ask_number(name, names.index(name), scales.get(name, PLAIN))
        return
    options, unknown = [None, *levels], t(OPEN)
    key = f"query_state_{names.index(name)}"
    st.session_state[key] = done().get(name, known().get(name))
    st.selectbox(
        t("Value of {variable}", variable=escape_markdown(name)), options,
        format_func=lambda one: unknown if one is None else one, key=key, placeholder=unknown,
        on_change=lambda: say(name, st.session_state[key]),
    )  # fmt: skip
    with st.expander(t("Soft evidence"), key="query_likely_fold"):
        st.caption(t("Likelihood of the observation under each level; only ratios matter."))
        given = [
            st.number_input(escape_markdown(level), 0.0, value=1.0, key=f"query_likely_{names.index(name)}_{k}")
            for k, level in enumerate(levels[:20])
        ]
        if len(levels) > 20:
            st.caption(t("Only the first 20 levels can be edited; the others count as 1."))
        whole = given + [1.0] * (len(levels) - len(given))

        def weigh() -> None:
            say(name, None)
            likely()[name] = whole

        st.button(t("Add evidence"), key="query_weigh", on_click=weigh, disabled=not any(whole))


def _ask_number(name: str, j: int, scale: Scale) -> None:
    """Show a box for a number in the units of the table; for ranks, only between the smallest and the largest."""
    low, high = (float(scale.numbers[0]), float(scale.numbers[-1])) if scale.by_ranks else (None, None)
    key = f"query_value_{j}_{low}_{high}"
    variable = escape_markdown(name)
    label = t("Value of {variable}", variable=variable)
    if scale.unit:
        label = t("Value of {variable} in {unit}", variable=variable, unit=escape_markdown(scale.unit))
    st.number_input(
        label,
        low,
        high,
        value=None,
        key=key,
        placeholder=t(OPEN),
        help=t(
            "From {low} to {high}, because the network was learned from ranks.",
            low=format_value(low),
            high=format_value(high),
        )
        if scale.by_ranks
        else None,
    )

    def take() -> None:
        number = st.session_state[key]
        say(name, None if number is None else float(scale.in_data(number)))

    st.button(t("Add evidence"), key="query_set", on_click=take)


def list_known(scales: Mapping[str, Scale]) -> None:
    """List the evidence, each item with a button that removes it."""
    if not known() and not likely() and not done():
        return
    with st.container(horizontal=True, gap="small"):
        items = _items((known(), likely(), done()), scales)
        for k, (name, words) in enumerate(items):
            st.button(
                escape_markdown(words), key=f"query_take_back_{k}", icon=":material/close:",
                on_click=say, args=(name, None), help=t("Remove"),
            )  # fmt: skip
        st.button(t("Clear all"), key="query_clear", on_click=clear, type="tertiary")


def _shown(name: str, value: str | float, scales: Mapping[str, Scale]) -> str:
    return value if isinstance(value, str) else number_text(value, scales.get(name, PLAIN))


def pinned_text(scales: Mapping[str, Scale]) -> str:
    """Return the evidence of the pinned case; "no evidence" if it has none."""
    items = _items(st.session_state.query_held, scales)
    return ", ".join(text for _, text in items) or t("no evidence")


def _items(case: tuple[dict, dict, dict], scales: Mapping[str, Scale]) -> list[tuple[str, str]]:
    """Return the variables of a case, each with the text of its observed, likely or set value."""
    seen, weighed, intervened = case
    items = [(name, f"{name}: {_shown(name, value, scales)}") for name, value in seen.items()]
    items += [(name, f"{name}: {t('likely')}") for name in weighed]
    return items + [(name, f"do({name}: {_shown(name, value, scales)})") for name, value in intervened.items()]
