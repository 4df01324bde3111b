"""Sentences about the effect of one variable on another, as plain text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from learners.common.sentences import Count, Edge, Listed, Node, Number, Phrase, Sentence, phrase, say
from learners.data.completed_data import ASSUMED, describe_filling
from learners.data.dataset import Dataset
from learners.data.plan.scales import Scale
from learners.effects.adjustment import Adjustment
from learners.effects.estimates import Effect, EffectDifference
from learners.effects.held_out import HeldOutCalibration
from learners.effects.ida import effect_interval, effect_range
from learners.effects.implications import ImplicationResult
from learners.effects.instruments import Instrument
from learners.effects.paths import Path, Separation
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult
from learners.verdict.assumptions import Assumptions
from learners.verdict.trust import SURE, UNLIKELY, Trust, probability_text

from ..labels import with_unit
from ..text import as_sentence, format_set, format_signed, shorten
from ..weak_evidence import unsupported

STATED = "These are effects under your assumptions: the graph is causal and has no hidden common causes."
UNSTATED = "These are associations. They are effects only if the graph is causal and has no hidden common causes."
NOT_JUDGED = "Whether a hidden cause explains this was not checked. “Reliability of the arrows” on Inspect checks it."
GRAPH_IS_CAUSAL = "This is right only if the graph is causal and has no hidden common causes."
GRAPH_IS_RIGHT = "This is right only if the graph is causal and has no other hidden causes."
HELD_OUT = (
    "Parameters are fitted to four fifths of the rows, and the log-likelihood is measured on the rest. The graph "
    "itself was learned from all rows."
)
MAX_NAMED_ARROWS, MAX_NAMED_SETS, MAX_NAMED_INSTRUMENTS = 3, 5, 5
ABSENCE = frozenset(  # levels that serve as the reference of an outcome, in English and German
    ("no", "n", "none", "never", "not", "absent", "absence", "negative", "neg", "normal", "healthy", "control",
     "placebo", "false", "0", "-", "nein", "keine", "kein", "keiner", "nie", "niemals", "negativ", "gesund", "falsch")
)  # fmt: skip
SIGNS = {"forward": "→", "backward": "←", "undirected": "—"}


def cause_sentences(
    found: Assumptions, judged: Trust | None, x: int, y: int, names: Sequence[str], *, slope: bool = True
) -> list[Phrase]:
    """Return sentences for or against an effect of x on y, from the checks of the table and the verdict on the arrows.

    Parameters
    ----------
    found : Assumptions
        Checks of the table of the run.
    judged : Trust or None
        The verdict on its arrows, if it was asked for.
    x, y : int
        Cause and effect.
    names : sequence of str
    slope : bool, default True
        True if the effect is on a number, so that a regression estimates it.
    """
    a, b = shorten(names[x]), shorten(names[y])
    said = []
    if judged is not None and not judged.silent and not np.isnan(judged.cause[x, y]):
        forth, back = float(judged.cause[x, y]), float(judged.cause[y, x])
        if back >= SURE:
            template, p = "The data support the opposite: {b} causes {a} (P {p}).", probability_text(back)
        elif forth < UNLIKELY:
            template, p = "The reliability check finds little support for {a} causing {b} (P {p}).", f"< {UNLIKELY}"
        elif forth < SURE:
            template = "Whether {a} causes {b} is uncertain (P {p}); the effect may be 0."
            p = probability_text(forth)
        else:
            template, p = "It is well supported that {a} causes {b} (P {p}).", probability_text(forth)
        said.append(phrase(template, a=a, b=b, p=p))
    elif found.hidden is not None:
        said.append(phrase("This table shows signs of hidden common causes, which would bias effects."))
    elif judged is None:
        said.append(phrase(NOT_JUDGED))
    if slope and any(one.kind == "nonlinear" for one in found.violations):
        said.append(phrase("Relations of this table may be nonlinear. An effect is the slope of the best line."))
    if any(one.kind == "drifting" for one in found.violations):
        said.append(phrase("Relations change along the rows. An effect is a mean over all rows."))
    return said


def filling_sentence(dataset: Dataset, effects: Sequence[Effect]) -> str:
    """Return a sentence on how estimates treat missing cells; empty if the columns in question have none.

    Parameters
    ----------
    dataset : Dataset
    effects : sequence of Effect
    """
    tables = max(one.tables for one in effects)
    if tables:
        missing = int(dataset.n_missing.sum())
        said = (
            describe_filling(missing, missing / (dataset.n_rows * dataset.p)),
            f"estimates and intervals are pooled over {tables:,} imputed tables by Rubin's rules",
            ASSUMED,
        )
        return " ".join(as_sentence(one) for one in said)
    n = dataset.n - min(one.n for one in effects)
    return as_sentence(f"{Count(n, 'row').text()} with missing cells {'is' if n == 1 else 'are'} left out") if n else ""


def path_text(
    graph: PDAG, path: Sequence[int], names: Sequence[str], undirected: Collection[frozenset[int]] = ()
) -> str:
    """Return a path with its arrows, such as "a → b ← c"; "=" between variables of `undirected` pairs."""
    text = shorten(names[path[0]])
    for a, b in zip(path, path[1:], strict=False):
        sign = "=" if frozenset((a, b)) in undirected else SIGNS.get(graph.mark(a, b), "⇠")
        text += f" {sign} {shorten(names[b])}"
    return text


def no_direction_sentence(
    path: Sequence[int], graph: PDAG, names: Sequence[str], undirected: Collection[frozenset[int]], relation: Sentence
) -> Phrase:
    """State that no effect follows along a path, because columns on it determine one another.

    Parameters
    ----------
    path : sequence of int
        Nodes from cause to effect.
    graph : PDAG
    names : sequence of str
    undirected : collection of pairs
        Pairs of variables without a direction.
    relation : Sentence
        How the columns of the first such pair on the path determine one another.
    """
    return phrase(
        "The effect of {cause} on {effect} is not identifiable. {relation}, so the path {path} is not causal. Leave "
        "out one of these columns on the Data page.",
        cause=shorten(names[path[0]]),
        effect=shorten(names[path[-1]]),
        relation=relation,
        path=path_text(graph, path, names, undirected),
    )


def path_sentence(path: Path, names: Sequence[str]) -> Phrase:
    """Describe whether a path is open, and which nodes block it."""
    text = " – ".join(shorten(names[k]) for k in path.nodes)
    if not path.open:
        return phrase(
            "{path} is blocked at {nodes}", names, path=text, nodes=Listed(_nodes(path.closed_at), ", ", " and ")
        )
    if not path.closers:
        return phrase("{path} is open; nothing blocks it", path=text)
    closers = Listed(_nodes(path.closers), ", ", " or ")
    return phrase("{path} is open; conditioning on {nodes} blocks it", names, path=text, nodes=closers)


def separation_sentence(found: Separation, x: int, y: int, names: Sequence[str]) -> Phrase:
    """State whether two variables are d-separated given the conditioning set, and the number of open paths."""
    n_open = sum(path.open for path in found.paths)
    values = {"a": Node(x), "b": Node(y), "paths": Count(len(found.paths), "path"), "n": n_open}
    if not found.paths and found.complete:
        template = "{a} and {b} are d-separated: no path connects them"
    elif found.complete and len(found.paths) == 1 and found.separated:
        template = "{a} and {b} are d-separated: the only path is blocked at {nodes}"
        values["nodes"] = Listed(_nodes(found.paths[0].closed_at), ", ", " and ")
    elif found.complete and len(found.paths) == 1:
        template = "{a} and {b} are d-connected: their only path is open"
    elif found.separated and found.complete:
        template = "{a} and {b} are d-separated: all {paths} are blocked"
    elif found.separated:
        template = "{a} and {b} are d-separated: all of at least {paths} are blocked"
    elif found.complete:
        template = "{a} and {b} are d-connected: {n} of {paths} open"
    else:
        template = "{a} and {b} are d-connected: {n} of at least {paths} open"
    if not found.given:
        return phrase(template, names, **values)
    verdict = say(template, **values)
    return phrase("Given {set}, {verdict}", names, set=format_set(found.given, names), verdict=verdict)


def _nodes(members: Sequence[int]) -> list[Node]:
    return [Node(k) for k in members]


SMALLEST = {  # keys: True for several smallest sets, True for several larger ones
    (False, False): "Smallest separating set: {sets}; {n} larger one.",
    (False, True): "Smallest separating set: {sets}; {n} larger ones.",
    (True, False): "Smallest separating sets: {sets}; {n} larger one.",
    (True, True): "Smallest separating sets: {sets}; {n} larger ones.",
}


def separating_sentence(found: Separation, names: Sequence[str]) -> Phrase:
    """Return the sentence on the smallest separating sets of two variables; `separating_sets` lists all."""
    smallest = [one for one in found.sets if len(one) == len(found.sets[0])]
    larger = len(found.sets) - len(smallest)
    if not larger or len(smallest) > MAX_NAMED_SETS:
        return separating_sets(found, names)
    return phrase(
        SMALLEST[len(smallest) > 1, larger > 1],
        sets=", ".join(format_set(members, names) for members in smallest),
        n=larger,
    )


def separating_sets(found: Separation, names: Sequence[str]) -> Phrase:
    """Return the sentence that lists the minimal separating sets of two variables."""
    if not found.sets:
        return phrase("No set separates them: they are adjacent.")
    if not any(found.sets) and found.given and not found.separated:
        given = format_set(found.given, names)
        return phrase("Without conditioning on {set}, they are d-separated: the empty set separates them.", set=given)
    if not any(found.sets):
        return phrase("The empty set separates them.")
    sets = ", ".join(format_set(members, names) for members in found.sets[:MAX_NAMED_SETS])
    if len(found.sets) > MAX_NAMED_SETS:
        return phrase("Minimal separating sets: {sets} and {n} more.", sets=sets, n=len(found.sets) - MAX_NAMED_SETS)
    if len(found.sets) == 1:
        return phrase("Minimal separating set: {sets}.", sets=sets)
    return phrase("Minimal separating sets: {sets}.", sets=sets)


def adjustment_sentence(found: Adjustment, graph: PDAG, x: int, y: int, names: Sequence[str]) -> Phrase:
    """Return the number of minimal adjustment sets, or the reason why there is none."""
    cause, effect = shorten(names[x]), shorten(names[y])
    if found.obstacle == "no effect":
        template = (
            "{cause} has no effect on {effect} in this graph, because no directed path leads from {cause} to {effect}."
        )
        return phrase(template, cause=cause, effect=effect)
    if found.obstacle == "open direction":
        return phrase(
            "The effect of {cause} on {effect} is not identifiable by adjustment. The path {path} may be causal, but "
            "the direction of its first edge is not determined. No single set is right in all DAGs. Effect gives the "
            "range over them.",
            cause=cause,
            effect=effect,
            path=path_text(graph, found.path, names),
        )
    if found.obstacle == "open path":
        shown = max(found.path) < graph.p
        path = say("{path}", path=path_text(graph, found.path, names)) if shown else _with_hidden(found.path, names)
        return phrase(
            "The effect of {cause} on {effect} is not identifiable by adjustment. "
            "No adjustment set blocks the non-causal path {path}.",
            cause=cause,
            effect=effect,
            path=path,
        )
    if not any(found.sets):
        template = (
            "In this graph, no adjustment is needed for the effect of {cause} on {effect}: the empty set suffices."
        )
        return phrase(template, cause=cause, effect=effect)
    sets = Count(len(found.sets), "minimal adjustment set")
    template = "{sets} for the effect of {cause} on {effect}."
    if not found.complete:
        template = "At least {sets} for the effect of {cause} on {effect}."
    return phrase(template, sets=sets, cause=cause, effect=effect)


def _with_hidden(members: Sequence[int], names: Sequence[str], separator: str = " – ") -> Listed:
    """Return variables in a row; nodes without a name are hidden causes."""
    named = [say("{name}", name=shorten(names[k])) if k < len(names) else say("(hidden cause)") for k in members]
    return Listed(named, separator)


def instruments_sentence(found: Sequence[Instrument], names: Sequence[str]) -> Phrase:
    """Return the sentence that lists the instrumental variables."""
    if not found:
        return phrase("This graph has no instrument.")
    listed = Listed([_instrument(z, given, names) for z, given in found[:MAX_NAMED_INSTRUMENTS]])
    if len(found) == 1:
        return phrase("Instrument: {listed}.", listed=listed)
    if len(found) > MAX_NAMED_INSTRUMENTS:
        return phrase("Instruments: {listed} and {n} more.", listed=listed, n=len(found) - MAX_NAMED_INSTRUMENTS)
    return phrase("Instruments: {listed}.", listed=listed)


def front_door_sentence(found: Sequence[tuple[int, ...]], names: Sequence[str]) -> Phrase:
    """Name the smallest front-door set, or state that there is none."""
    if not found:
        return phrase("This graph has no front-door set.")
    return phrase(
        "Front-door set: {nodes}. It identifies the effect even if a hidden variable causes both.",
        names, nodes=Listed(_nodes(found[0]), ", ", " and "),
    )  # fmt: skip


def front_door_difference_sentence(found: EffectDifference, plain: EffectDifference) -> Phrase:
    """State the difference estimated through the front door, beside the unadjusted one."""
    values = [format_signed(value) for value in (found.value, found.low, found.high, plain.value)]
    return phrase(
        "Through the front door: {value} (95 % interval {low} to {high}). Unadjusted: {plain}.",
        **dict(zip(("value", "low", "high", "plain"), values, strict=True)),
    )


def _instrument(z: int, given: Collection[int], names: Sequence[str]) -> Sentence:
    if not given:
        return say("{name}", name=shorten(names[z]))
    return say("{name} given {set}", name=shorten(names[z]), set=format_set(given, names))


def mediators_sentence(found: Sequence[int], names: Sequence[str]) -> Phrase:
    """Return the sentence that lists the variables through which the cause acts."""
    if not found:
        return phrase("No variable lies between cause and effect on a directed path.")
    template = "Mediators: {listed}. Adjusting for one removes part of the effect."
    if len(found) == 1:
        template = "Mediator: {listed}. Adjusting for it removes part of the effect."
    return phrase(template, listed=_with_hidden(found, names, ", "))


def difference_sentence(adjusted: EffectDifference, plain: EffectDifference, *, causal: bool) -> Phrase:
    """Return the sentence with the adjusted difference, its interval, and the unadjusted difference.

    The difference is called an effect only if the graph is assumed to be `causal`. Otherwise nothing is called adjusted
    without an adjustment set.
    """
    if not adjusted.given and not causal:
        return phrase("Unadjusted: {plain}.", plain=_signed_interval(plain))
    template = "Effect: {adjusted}. Unadjusted: {plain}." if causal else "Adjusted: {adjusted}. Unadjusted: {plain}."
    return phrase(template, adjusted=_signed_interval(adjusted), plain=_signed_interval(plain))


def differences_sentence(by_set: Sequence[EffectDifference], plain: EffectDifference) -> Phrase:
    """Return the sentence with the differences adjusted for each possible set of parents, as one interval.

    The interval is the union of the 95 % intervals.
    """
    if len(by_set) == 1:
        return difference_sentence(by_set[0], plain, causal=False)
    low, high = min(one.low for one in by_set), max(one.high for one in by_set)
    values = [one.value for one in by_set]
    return phrase(
        "Difference, adjusted for each of {n} sets: {low} to {high} (95% intervals; estimates {least} to {most}). "
        "Unadjusted: {plain}.",
        n=len(by_set),
        low=format_signed(low),
        high=format_signed(high),
        least=format_signed(min(values)),
        most=format_signed(max(values)),
        plain=_signed_interval(plain),
    )


def weak_arrows_at_sentence(
    result: LearnResult, dag: PDAG, done: Collection[int], names: Sequence[str]
) -> Phrase | None:
    """Name the arrows with an uncertain direction at variables that are set; None if there are none.

    Parameters
    ----------
    result : LearnResult
    dag : PDAG
        The DAG of the fitted network.
    done : collection of int
        Variables that are set.
    names : sequence of str
    """
    directed = set(result.graph.directed_edges())
    found = [
        (i, j)
        for i, j in dag.directed_edges()
        if (i, j) in directed and (i in done) != (j in done) and unsupported(result, i, j)
    ]
    return uncertain_arrows_sentence(found, names)


def uncertain_arrows_sentence(found: Sequence[tuple[int, int]], names: Sequence[str]) -> Phrase | None:
    """Name the arrows with an uncertain direction that something rests on; None without arrows."""
    if not found:
        return None
    arrows = Listed([Edge(i, "forward", j) for i, j in found[:MAX_NAMED_ARROWS]])
    if len(found) > MAX_NAMED_ARROWS:
        template = "This rests on {arrows} and {n} more, whose directions are uncertain."
        return phrase(template, names, arrows=arrows, n=len(found) - MAX_NAMED_ARROWS)
    template = "This rests on {arrows}, whose direction is uncertain."
    return phrase(
        template if len(found) == 1 else "This rests on {arrows}, whose directions are uncertain.", names, arrows=arrows
    )


def chosen_arrows_sentence(arrows: Sequence[tuple[int, int]], names: Sequence[str]) -> Phrase | None:
    """Name the arrows of one DAG that a number rests on although the class leaves them open; None without arrows.

    Parameters
    ----------
    arrows : sequence of (int, int)
        Arrows i -> j of the DAG, which its class leaves undirected.
    names : sequence of str
    """
    if not arrows:
        return None
    listed = Listed([Edge(i, "forward", j) for i, j in arrows[:MAX_NAMED_ARROWS]])
    if len(arrows) > MAX_NAMED_ARROWS:
        template = "This rests on {arrows} and {n} more. The data leave these directions open; this DAG chose them."
        return phrase(template, names, arrows=listed, n=len(arrows) - MAX_NAMED_ARROWS)
    template = "This rests on {arrows}. The data leave these directions open; this DAG chose them."
    if len(arrows) == 1:
        template = "This rests on {arrows}. The data leave this direction open; this DAG chose it."
    return phrase(template, names, arrows=listed)


def _signed_interval(one: EffectDifference) -> Sentence:
    value, low, high = (format_signed(part) for part in (one.value, one.low, one.high))
    return say("{value} (95% interval: {low} to {high})", value=value, low=low, high=high)


def effect_sentence(
    effects: Sequence[Effect],
    x: int,
    y: int,
    names: Sequence[str],
    levels: Sequence,
    scales: Mapping[str, Scale],
    *,
    causal: bool,
) -> Phrase:
    """Return the sentence with the interval of an effect, over the possible parents of the cause, and its estimates.

    The interval is the union of the 95 % intervals for each set of parents. Numbers are said to be effects only if the
    graph is assumed to be `causal`.

    Parameters
    ----------
    effects : sequence of Effect
        One for each possible set of parents of the cause.
    x, y : int
        Cause and effect.
    names : sequence of str
    levels : sequence of (sequence of str, or None)
        Levels of each variable.
    scales : mapping of str to Scale
        Scales of the variables whose numbers are not plain, by name.
    """
    cause, effect = (with_unit(names[k], scales) for k in (x, y))
    if all(y in one.given for one in effects):
        template = "Setting {cause} does not change {effect}: the graph has {arrow}."
        return phrase(template, names, cause=cause, effect=effect, arrow=Edge(y, "forward", x))
    shown = [*effect_interval(tuple(effects)), *effect_range(tuple(effects))]
    several = len(effects) > 1
    if effects[0].measure == "slopes":
        stated = stated_level(levels[y])
        shown = [part[stated] for part in shown]
        effect = say("P({effect} = {level})", effect=effect, level=shorten(levels[y][stated]))
    if effects[0].measure in ("slope", "slopes"):
        template = "One unit more of {cause} changes {effect} by {interval}."
        if not causal:
            template = "Per unit of {cause}, {effect} differs by {interval}, {adjusted}."
        return phrase(
            template,
            cause=cause,
            effect=effect,
            interval=_interval(*map(float, shown), several=several, names_level=True),
            adjusted=_adjusted(effects, names),
        )
    values = {"effect": effect, "cause": cause, "adjusted": _adjusted(effects, names)}
    if effects[0].measure == "means":
        template = "Mean of {effect} if {cause} is set (95% intervals): {ranges}."
        if not causal:
            template = "Mean of {effect} by {cause}, {adjusted} (95% intervals): {ranges}."
    else:
        template = "P({effect} = {level}) if {cause} is set (95% intervals): {ranges}."
        if not causal:
            template = "P({effect} = {level}) by {cause}, {adjusted} (95% intervals): {ranges}."
        stated = stated_level(levels[y])
        values["level"] = shorten(levels[y][stated])
        shown = [part[:, stated] for part in shown]
    return phrase(template, **values, ranges=_by_level(levels[x], shown, several=several))


def estimator_sentence(effects: Sequence[Effect], kinds: Sequence[str], x: int) -> str:
    """Name the estimator of an effect.

    Parameters
    ----------
    effects : sequence of Effect
        Of the same measure.
    kinds : sequence of "categorical" or "continuous"
        Column type of each variable.
    x : int
        Cause.
    """
    if effects[0].measure in ("slope", "means"):
        return "Estimated by linear regression. The intervals are robust to unequal error variances."
    if all(kinds[k] == "categorical" for effect in effects for k in (x, *effect.given)):
        if not any(effect.given for effect in effects):
            return "Estimated by the shares of the rows."
        return "Estimated by the shares of the rows in each stratum of the adjustment set, averaged over the strata."
    return "Estimated by logistic regression, averaged over the rows."


def stated_level(levels: Sequence[str]) -> int:
    """Return the position of the level whose probability a sentence states: the last one that names no absence."""
    named = [k for k, level in enumerate(levels) if level.strip().casefold() not in ABSENCE]
    return named[-1] if named else len(levels) - 1


def _adjusted(effects: Sequence[Effect], names: Sequence[str]) -> Sentence:
    """Name the adjustment set, or the number of sets."""
    if len(effects) > 1:
        return say("adjusted for each of {n} sets", n=len(effects))
    if not effects[0].given:
        return say("without adjustment")
    return say("adjusted for {set}", set=format_set(effects[0].given, names))


def _by_level(levels: Sequence[str], shown: Sequence[np.ndarray], *, several: bool, most: int = 6) -> Listed:
    """Return interval and estimates at each level of the cause, up to `most` levels."""
    named = [say("{k}", k=shorten(one)) for one in levels]
    ranges = [
        say("{level}: {range}", level=level, range=_interval(*map(float, ends), several=several, names_level=False))
        for level, *ends in zip(named, *shown, strict=True)
    ]
    return Listed(ranges[:most] + ([say("and so on")] if len(ranges) > most else []), "; ")


def _interval(low: float, high: float, least: float, most: float, *, several: bool, names_level: bool) -> Sentence:
    """Return a clause with an interval and its estimates; `names_level` adds the level of the interval."""
    if not np.isfinite([low, high, least, most]).all():
        return say("unknown (no rows)")
    values = {"low": Number(low), "high": Number(high)}
    if not several:
        template = (
            "{low} to {high} (95% interval; estimate {value})" if names_level else "{low} to {high} (estimate {value})"
        )
        return say(template, **values, value=Number(least))
    template = (
        "{low} to {high} (95% intervals; estimates {value})" if names_level else "{low} to {high} (estimates {value})"
    )
    return say(template, **values, value=_range(least, most))


def implied_sentence(found: Collection[ImplicationResult], n_implied: int) -> Phrase:
    """Return the sentence with the number of implied independences that the data reject."""
    if not n_implied:
        return phrase("All pairs are adjacent, so the graph implies no independence that the data could reject.")
    done = sum(implied.result.tested for implied in found)
    rejected = sum(implied.rejected for implied in found)
    template = (
        "The data reject {rejected} of {tested}, corrected for their number (false discovery rate 5%). If the graph "
        "and the assumptions of the tests were right, usually none would be rejected."
    )
    if done < len(found):
        template += " {untested} could not be tested: too few rows."
    tested: Sentence | Count = Count(len(found), "implied independence")
    if len(found) < n_implied:
        tested = say("{part} tested of {all}", part=tested, all=n_implied)
    return phrase(template, rejected=rejected or say("none"), tested=tested, untested=len(found) - done)


def rejected_sentence(found: Collection[ImplicationResult], n_implied: int) -> Phrase | None:
    """Warn that the data reject independences of the graph, so that its answers may be wrong; None if they do not.

    Parameters
    ----------
    found : collection of ImplicationResult
        Tests that were done.
    n_implied : int
        Independences that the graph implies.
    """
    rejected = sum(implied.rejected for implied in found)
    if not rejected:
        return None
    template = "The data reject {rejected} of {tested} of this graph, so these numbers may be wrong."
    tested: Sentence | Count = Count(len(found), "implied independence")
    if len(found) < n_implied:
        tested = say("{part} tested of {all}", part=tested, all=n_implied)
    return phrase(template, rejected=rejected, tested=tested)


def calibration_sentence(found: HeldOutCalibration) -> Phrase:
    """Return the sentence with the mean difference between predicted probabilities and observed frequencies."""
    return phrase(
        "On these rows, predicted probabilities and observed frequencies differ by {error} on average; 0 is perfect "
        "calibration (each variable given its parents).",
        error=Number(found.error),
    )


def _range(low: float, high: float) -> Sentence:
    if not np.isfinite(low) or not np.isfinite(high):
        return say("unknown (no rows)")
    first, last = Number(float(low)), Number(float(high))
    return say("{value}", value=first) if first.text() == last.text() else say("{low} to {high}", low=first, high=last)
