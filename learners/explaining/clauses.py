"""Clauses on a test: when it was run, its statistic, its conditioning set, and the threshold it was compared with."""

from __future__ import annotations

import math

from ..common.sentences import Nodes, Number, Sentence, mbit, only_if, say, setting
from ..graphs.rules import CUTS, IN_MBIT, INFORMATION, Rule
from ..results.events import Event
from ..results.phases import Phase, Stage
from ..results.result import LearnResult

NAME_OF_TEST = {"x2": "X²", "shrinkage": "2nI"}  # statistics of the tests of tables; all others use G²
WHERE = {
    Stage.WITHIN_CLUSTERS: "by a test within a cluster",
    Stage.FIRST_SCREEN: "by the first screen between clusters",
    Stage.SECOND_SCREEN: "by the second screen between clusters",
    Stage.COMPLETION: "in the completion, which runs the tests that the clusters postponed",
    Stage.WITHIN_BLANKETS: "within the Markov blankets",
}


def conditioned(event: Event) -> Sentence:
    """Describe the conditioning of a test: groups of equal rows, or adjustment for numbers."""
    adjusted = is_linear(event) and event.cond
    return say("after adjusting for {set}" if adjusted else "given {set}", set=Nodes(event.cond))


def is_linear(event: Event) -> bool:
    """Return True if the statistic is Fisher's z, which has no degrees of freedom."""
    return math.isnan(event.dof)


def statistic_of(result: LearnResult, event: Event) -> Sentence:
    """Name the statistic, with its degrees of freedom if it has any."""
    rows = only_if(event.n_rows, say(", n = {n}", n=event.n_rows))
    if is_linear(event):
        return say("z = {z}{rows}", z=Number(event.statistic), rows=rows)
    # Only tables of categories have a G²; the statistic of the degenerate Gaussian test has the same distribution.
    of_mixed = result.rows is not None and result.rows.arity is None
    name = "χ²" if of_mixed else NAME_OF_TEST.get(result.params.get("test"), "G²")
    if result.params.get("test", "g2") == "g2" and _has_trend(result, event):
        # G² has a whole number of degrees of freedom; those of X² follow from its moments.
        name = "M²" if event.dof == 1 else "G²" if event.dof == int(event.dof) else "X²"
    return say(
        "{name} = {value}, dof {dof}{rows}", name=name, value=Number(event.statistic), dof=Number(event.dof), rows=rows
    )


def _has_trend(result: LearnResult, event: Event) -> bool:
    """Return True if the pair was tested for a trend of ordered levels as well (`OrderedG2`)."""
    rows = result.rows
    if rows is None or rows.ordered is None:
        return False
    i, j = event.i, event.j
    levels = rows.arity[[i, j]]
    return bool(rows.ordered[i] or rows.ordered[j]) and levels.max() > 2


def compared_with_cut(event: Event, *, separated: bool) -> Sentence:
    """Describe the comparison of a test with its cut."""
    values = {"statistic": Number(event.statistic), "dof": Number(event.dof), "cut": setting(event.threshold)}
    if event.rule is Rule.C1:
        return say("G² = {statistic} {sign} {cut} × dof {dof} (cut C1)", sign="<" if separated else "≥", **values)
    if separated:
        return say("its information is below the cut of {cut} bits (G² = {statistic}, dof {dof})", **values)
    return say("its information is not below the cut of {cut} bits (G² = {statistic}, dof {dof})", **values)


def statistic_value(event: Event) -> Number:
    """Return the statistic with its unit."""
    return mbit(event.statistic) if event.rule in IN_MBIT else Number(event.statistic)


def threshold_value(event: Event) -> Sentence | Number:
    """Return the threshold of a test: an alpha, a cut on information, or a multiple of its degrees of freedom."""
    if event.rule in INFORMATION:
        return mbit(event.threshold) if event.rule in IN_MBIT else Number(event.threshold)
    if event.rule not in CUTS:
        return setting(event.threshold)
    template = "{cut} × dof" if event.rule is Rule.C1 else "{cut} bits"
    return say(template, cut=setting(event.threshold))


def phase_clause(phase: Phase) -> Sentence:
    """Return the name of a phase as a record."""
    last = say(phase.last.label) if phase.last else None
    fields = {"size": phase.size, "round": phase.round, "last": last}
    return say(phase.stage.label, **{name: value for name, value in fields.items() if value is not None})


def when(phase: Phase) -> Sentence:
    """Return the time of a test in a run, in words that need no knowledge of the phases: "at level 2"."""
    return say(WHERE[phase.stage]) if phase.stage in WHERE else say("at {phase}", phase=phase_clause(phase))
