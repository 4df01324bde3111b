"""Query: distributions in a network, given evidence that the user clicks in the picture."""

import streamlit as st

from learners.common.errors import LearnersError
from pages.blocks import rare_values
from pages.blocks.effects import model_fit
from pages.blocks.query import answers, evidence, network_source, picture
from pages.session.words import t, written
from viz.text import escape_markdown

CAVEAT = "Interventions show effects only if the graph is causal and has no hidden common causes."

asked = network_source.choose()
if asked is None:
    st.stop()
st.caption(" ".join([t(CAVEAT), *([escape_markdown(written(asked.said))] if asked.said else [])]))


@st.fragment
def query() -> None:
    """Show picture and answers; a click reruns only this fragment."""
    own = evidence.enter(asked)
    evidence.choose_way(own)
    evidence.list_known(asked.scales)
    evidence.warn_of_determined(asked.run)
    evidence.warn_of_weak_arrows(asked.run, own)
    if asked.run is not None:
        model_fit.warn(asked.run, "query")
    try:
        network = evidence.after_setting(own, evidence.done())
        before = own.posterior()
        now = network.posterior(evidence.known(), virtual=evidence.likely())
        unsure = evidence.uncertainty(asked, own, network)
        held = st.session_state.query_held
        aside = None if held is None else evidence.after_setting(own, held[2]).posterior(held[0], virtual=held[1])
    except LearnersError as error:
        answers.refused(error)
        return
    wide, narrow = st.columns([3, 1], gap="medium")
    with wide:
        picture.show(asked, network, now, before, aside, unsure)
        rare = asked.run is not None and rare_values.ask("query", asked.run)
        answers.aside(network, now, aside, asked, unsure.intervals, rare=rare)
    with narrow:
        answers.of_evidence(network, now)
        evidence.ask(network.names, network.states, asked.scales)
        answers.what_to_ask(network)
        answers.explanation(network, asked.scales)
    answers.tables(own, asked.scales, asked.of_tables)
    answers.cases(network, asked)
    answers.rows(network, asked, rare=rare)


query()
