"""Runs that an address names by learner and parameters: ``learner=pc&alpha=0.05`` on a bundled sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from learners.choosing.recommendation import expected_seconds
from learners.common.errors import LearnersError
from learners.common.sentences import phrase
from learners.data.dataset import Dataset
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult
from learners.workers.warm_up import FIRST_LEARNER
from pages.blocks.address_problems import unknown
from pages.session import shared_link, state
from pages.session.state import Run
from viz.snippet import of_sample
from viz.text import as_sentence

MAX_SECONDS = 5.0  # maximum expected duration of a run that an address may start
PARAMETERS = {one.name for learner in LEARNERS.values() for one in learner.parameters} - {shared_link.QUERY}


def parts_of(run: Run, sample: str) -> dict[str, list[str]]:
    """Return learner and changed parameters of a run; empty for the first run, or if they do not reproduce the run."""
    learner = LEARNERS.get(run.result.method)
    if learner is None or not _is_plain(run, sample):
        return {}
    changed = _changed(run.result, run.dataset)
    if changed is None or not set(changed) <= PARAMETERS or (not changed and learner.key == FIRST_LEARNER):
        return {}
    return {"learner": [learner.key]} | {name: [str(value)] for name, value in changed.items()}


def _is_plain(run: Run, sample: str) -> bool:
    """Return True if learner and parameters alone reproduce the run on a bundled sample."""
    source = run.source
    of_the_sample = sample and source.origin == of_sample(sample) and not source.steps and not source.alone
    return bool(of_the_sample and run.aside is None and run.recipe is None and not run.knowledge)


def _changed(result: LearnResult, dataset: Dataset) -> dict[str, Any] | None:
    """Return the parameters that differ from their defaults; None if these are unknown."""
    try:
        defaults = LEARNERS[result.method].checked(dataset.kind, {})
    except LearnersError:
        return None
    return {name: value for name, value in result.params.items() if defaults.get(name) != value}


def show(asked: Mapping[str, list[str]], sample: str) -> list[str]:
    """Show the run that the address names, and learn it if the session has none; return the problems found.

    Parameters
    ----------
    asked : mapping of str to list of str
        Parts of the address.
    sample : str
        Key of the sample in use; empty for another table.
    """
    key = asked["learner"][0]
    if key not in LEARNERS:
        return [unknown("learner", key, LEARNERS)]
    if not sample:
        return [
            phrase("The address names a run on a bundled sample, but another table is in use. Open the sample first.")
        ]
    dataset = state.source().dataset
    try:
        given = {name: parsed(asked[name][0]) for name in asked if name in PARAMETERS}
        if refusal := LEARNERS[key].refusal(dataset):
            return [as_sentence(refusal)]
        params = LEARNERS[key].checked(dataset.kind, given)
    except LearnersError as error:
        return [as_sentence(str(error))]
    known = next((k for k, run in enumerate(st.session_state.runs) if _matches(run, key, params, sample)), None)
    if known is not None:
        st.session_state.current = known
        return []
    if not _is_quick(key, dataset):
        st.session_state[state.LEARNER] = key
        return [
            phrase(
                "This run takes longer than {n} s. Start it on Learn, where the learner is chosen.", n=int(MAX_SECONDS)
            )
        ]
    try:
        result = _learned(key, sample, tuple(sorted(given.items())))
    except LearnersError as error:
        return [as_sentence(str(error))]
    state.add_run(key, result, dataset, state.source())
    return []


def _is_quick(key: str, dataset: Dataset) -> bool:
    """Return True if an address may start a run; a slow first estimate may include loading kernels, so two are made."""
    return any(expected_seconds(key, dataset) <= MAX_SECONDS for _ in range(2))


def _matches(run: Run, key: str, params: Mapping[str, Any], sample: str) -> bool:
    own = run.result.params
    return run.result.method == key and _is_plain(run, sample) and all(params[name] == own[name] for name in own)


@st.cache_resource(show_spinner="Learning…", max_entries=50)
def _learned(key: str, sample: str, given: tuple[tuple[str, Any], ...]) -> LearnResult:
    """Return a run on an unchanged bundled sample; all sessions share it."""
    return learn(key, state.sample_source(sample).dataset, **dict(given))


def parsed(text: str) -> int | float | bool | str | None:
    """Return the value of a parameter as Python writes it; anything else is a string."""
    words = {"True": True, "False": False, "None": None}
    if text in words:
        return words[text]
    for kind in (int, float):
        try:
            return kind(text) if text.isascii() and len(text) < 30 else text
        except ValueError:
            continue
    return text
