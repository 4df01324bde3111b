"""Explanations of one pair of variables by each of the compared runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import streamlit as st

from learners.common.sentences import Phrase
from learners.explaining.explanation import explanation
from learners.explaining.support import support_sentences
from learners.sweeping.causes import causes
from learners.sweeping.reasons import difference
from pages.session.state import Moment
from pages.session.words import language, t, written
from viz.text import escape_markdown, shorten
from viz.translation.sentences import catalog


def one_pair(moments: Mapping[str, Moment], names: Sequence[str]) -> None:
    """Show the explanation of the chosen pair by each run, and why two runs differ."""
    pair = st.session_state.pair
    is_known = pair is not None and set(pair) <= set(names)
    st.subheader(escape_markdown(" – ".join(map(shorten, pair))) if is_known else t("One pair"), anchor=False)
    if not is_known:
        st.caption(t("Click an edge or a row below to compare the explanations of all runs."))
        return
    for letter, moment in moments.items():
        headline, sentence = said(moment, pair)
        st.markdown(f"**{letter}**: {escape_markdown(headline)}")
        if sentence:
            st.caption(escape_markdown(sentence))
    for label, why in differences(moments, pair):
        st.markdown(f"**{label}**: {escape_markdown(why)}")


def said(moment: Moment, pair: tuple[str, str]) -> tuple[str, str]:
    """Return the headline of a run on a pair, and the support of its direction or else the first reason."""
    own = moment.run.result.names
    nodes = (own.index(pair[0]), own.index(pair[1]))
    found = explanation(moment.run.result, nodes, moment.run.dataset)
    claim, *sentences = found.written(catalog(language()))
    if not moment.is_result:
        return claim, t("This describes the result of the run; the pinned step may differ.")
    if support := support_sentences(moment.run.result, *nodes):  # the history of the search is less informative
        return claim, " ".join(written(Phrase(sentence, own)) for sentence in support)
    return claim, next(iter(sentences), "")


def differences(moments: Mapping[str, Moment], pair: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the first cause of a difference between two runs over the same variables, for each pair of runs."""
    for letters in combinations(moments, 2):
        before, after = (moments[letter].run.result for letter in letters)
        if before is after or before.names != after.names:
            continue
        nodes = tuple(sorted(before.names.index(name) for name in pair))
        chain = next(iter(causes(before, after, [nodes]).values()), None)
        if chain:
            found = difference(chain, before, after, letters)
            _, *sentences = found.written(catalog(language()))
            yield t("Why {a} and {b} differ", a=letters[0], b=letters[1]), " ".join(sentences)
