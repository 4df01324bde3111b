"""Revisions of the run on screen: changes that are applied at once, in place, and can be undone.

A revised run has a history: its original, its state after each change, and the position of the state on screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.graphs.knowledge import Knowledge
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult
from pages.session import autosave, background_knowledge, state, sweeps
from pages.session.jobs import estimates, ownership
from pages.session.state import Run
from viz.labels import with_labels
from viz.sweeping.strip import value_text
from viz.text import as_sentence, shorten

LIVE_SECONDS = 0.3  # maximum duration of a run that is repeated at once
MAX_SECONDS = 3.0  # maximum wait for a repeated run on a busy machine
MAX_STATES = 50
REFUSED, HISTORIES = "live_refused", "histories"


@dataclass
class History:
    """The states of a revised run, the labels of the changes, and the position of the state on screen."""

    states: list[Run]
    labels: list[str] = field(default_factory=lambda: ["the original run"])
    position: int = 0

    def add(self, run: Run, label: str) -> None:
        """Append a change of the state on screen; undone changes are dropped."""
        del self.states[self.position + 1 :], self.labels[self.position + 1 :]
        self.states.append(run)
        self.labels.append(label)
        del self.states[:-MAX_STATES], self.labels[:-MAX_STATES]
        self.position = len(self.states) - 1


def history(run: Run) -> History:
    """Return the history of a run; a new one if the run was never revised."""
    one: History | None = st.session_state.get(HISTORIES, {}).get(run.number)
    return one if one is not None and one.states[one.position] is run else History([run])


def done_at_once(run: Run) -> bool:
    """Return True if changes are applied at once, because a similar run takes less than `LIVE_SECONDS`.

    The first run of a learner may have waited for its kernels or a busy machine, so the estimate counts as well.
    """
    result = run.result
    return (
        result.complete
        and min(result.seconds, estimates.seconds_of(result.method, run.dataset, result.params)) < LIVE_SECONDS
    )


def change_parameters(run: Run, params: Mapping[str, Any]) -> bool:
    """Repeat a run with other settings; return False if that failed."""
    return _carry_out(run, params, run.knowledge, settings_changed(run, params))


def change_knowledge(run: Run, now: Knowledge) -> bool:
    """Repeat a run with other background knowledge; return False if that failed."""
    return _carry_out(
        run, run.result.params, now, knowledge_changed(run.knowledge or Knowledge(), now, run.result.names)
    )


def settings_changed(run: Run, params: Mapping[str, Any]) -> str:
    """Return the label of a change of settings, such as "Significance level 0.01"."""
    kind = run.dataset.kind
    parameters = {parameter.name: parameter for parameter in LEARNERS[run.result.method].parameters_for(kind)}
    before = run.result.params
    changed = [name for name, value in params.items() if value != before.get(name)]
    return ", ".join(f"{parameters[name].label} {value_text(parameters[name], params[name])}" for name in changed)


def knowledge_changed(before: Knowledge, now: Knowledge, names: Sequence[str]) -> str:
    """Return the label of a change of background knowledge on the variables `names`.

    A variable whose arrows to all others are forbidden is an outcome; its arrows are not listed one by one.
    """
    had, has = (_outcomes(known, names) for known in (before, now))
    changes = [f"{shorten(name)} as outcome" for name in has if name not in had]
    changes += [f"{shorten(name)} no longer an outcome" for name in had if name not in has]
    named = {*had, *has}
    for rule in ("required", "forbidden"):
        old, new = (
            [edge for edge in getattr(known, rule) if rule == "required" or edge[0] not in named]
            for known in (before, now)
        )
        changes += [f"{_arrow(edge)} {rule}" for edge in new if edge not in old]
        changes += [f"{_arrow(edge)} no longer {rule}" for edge in old if edge not in new]
    return ", ".join(changes) or "other tiers"


def _outcomes(known: Knowledge, names: Sequence[str]) -> list[str]:
    """Return the variables whose arrows to all others are forbidden, if there are more than two variables."""
    forbidden = set(known.forbidden)
    return [
        name for name in names if len(names) > 2 and all((name, other) in forbidden for other in names if other != name)
    ]


def _arrow(edge: tuple[str, str]) -> str:
    return f"{shorten(edge[0])} → {shorten(edge[1])}"


def take(run: Run, result: LearnResult, label: str, knowledge: Knowledge | None) -> None:
    """Replace a run by another result of its learner that is already known."""
    revised, source = history(run), run.source
    after = replace(
        run,
        title=state.title_of(result.method, result, source, knowledge),
        result=state.with_use(result, run.dataset, source),
        knowledge=knowledge,
        recipe=None,
        data={},
    )
    revised.add(after, label)
    st.session_state.setdefault(HISTORIES, {})[run.number] = revised
    _show(after)


def undo(run: Run) -> None:
    """Show the run before its last change."""
    _move(run, -1)


def redo(run: Run) -> None:
    """Show the run after the change that was undone."""
    _move(run, 1)


def _move(run: Run, by: int) -> None:
    revised = history(run)
    if not 0 <= revised.position + by < len(revised.states):
        return
    revised.position += by
    after = revised.states[revised.position]
    background_knowledge.restore(after.result.names, after.knowledge or Knowledge())
    _show(after)


def _show(run: Run) -> None:
    sweeps.leave()
    runs: list[Run] = st.session_state.runs
    st.session_state.current = next(k for k, other_run in enumerate(runs) if other_run.number == run.number)
    runs[st.session_state.current] = run
    st.session_state.step, st.session_state.line = None, None
    st.session_state.temporary_mode = (run.number, "changes")
    autosave.change(run)


def _carry_out(run: Run, params: Mapping[str, Any], knowledge: Knowledge | None, label: str) -> bool:
    st.session_state.pop(REFUSED, None)
    given = {"knowledge": knowledge, "seed": run.seed}
    job = ownership.begin(lambda tick: learn(run.result.method, run.dataset, tick=tick, **given, **params))
    if not job.wait(MAX_SECONDS):
        job.cancel()
        return _refuse("This change takes too long to apply at once. Run it on the Learn page.")
    try:
        take(run, job.result(), label, knowledge)
    except LearnersError as error:
        sentence = with_labels(str(error), LEARNERS[run.result.method])
        return _refuse(as_sentence(sentence))
    return True


def _refuse(sentence: str) -> bool:
    st.session_state[REFUSED] = sentence
    return False
