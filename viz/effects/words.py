"""Sentences about the effect of one variable on another, as plain text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from learners.data.completion import ASSUMED, describe_filling
from learners.data.dataset import Dataset
from learners.data.plan.scales import Scale
from learners.effects.adjustment import Adjustment
from learners.effects.estimates import Effect, EffectDifference
from learners.effects.held_out import HeldOutCalibration
from learners.effects.ida import effect_range
from learners.effects.implications import ImplicationResult
from learners.effects.instruments import Instrument
from learners.effects.paths import Path, Separation
from learners.explaining.record import Count, Listed, Node
from learners.graphs.graph import PDAG
from learners.verdict.assumptions import Assumptions
from learners.verdict.trust import SURE, Trust, probability_text

from ..labels import with_unit
from ..phrase import Phrase, phrase
from ..text import as_sentence, count, format_number, format_set, format_signed, shorten

LITTLE = 0.1  # probability of a cause below which it counts as unsupported
STATED = "These are effects under your assumptions: the graph is causal and has no hidden causes."
UNSTATED = "These are associations. They are effects only if the graph is causal and has no hidden causes."
HELD_OUT = (
    "The log-likelihood is measured on a held-out fifth of the rows. "
    "The network was fitted to the other rows; the graph was learned from all rows."
)
SIGNS = {"forward": "→", "backward": "←", "undirected": "—"}


def cause_sentences(found: Assumptions, judged: Trust | None, x: int, y: int, names: Sequence[str]) -> list[str]:
    """Return what the checks of the table and the verdict on the arrows say against an effect of x on y, or for it.

    Parameters
    ----------
    found : Assumptions
        Checks of the table of the run.
    judged : Trust or None
        The verdict on its arrows, if it was asked for.
    x, y : int
        Cause and effect.
    names : sequence of str
    """
    a, b = shorten(names[x]), shorten(names[y])
    said = []
    if judged is not None and not judged.silent:
        forth, back = float(judged.cause[x, y]), float(judged.cause[y, x])
        if back >= SURE:
            said.append(f"The data support the opposite: {b} causes {a} (P {probability_text(back)}).")
        elif forth < LITTLE:
            said.append(f"The data do not support that {a} causes {b} (P < {LITTLE}).")
        elif forth < SURE:
            said.append(
                f"It is open whether {a} causes {b} (P {probability_text(forth)}), so an effect of 0 is possible."
            )
        else:
            said.append(f"It is well supported that {a} causes {b} (P {probability_text(forth)}).")
    elif found.hidden is not None:
        said.append("Hidden common causes are likely in this table. They bias effects.")
    if any(one.kind == "nonlinear" for one in found.violations):
        said.append("Relations of this table are not linear. An effect is the slope of the best line.")
    if any(one.kind == "drifting" for one in found.violations):
        said.append("Relations change along the rows. An effect is a mean over all rows.")
    return said


def filling_sentence(dataset: Dataset, effects: Sequence[Effect]) -> str:
    """Return how estimates treat missing cells; empty if the columns in question have none.

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
            f"estimates and intervals are pooled over {tables:,} filled tables by Rubin's rules",
            ASSUMED,
        )
        return " ".join(as_sentence(one) for one in said)
    n = dataset.n - min(one.n for one in effects)
    return as_sentence(f"{count(n, 'row')} with missing cells {'is' if n == 1 else 'are'} left out") if n else ""


def path_text(graph: PDAG, path: Sequence[int], names: Sequence[str]) -> str:
    """Return a path with its arrows, such as "a → b ← c"."""
    text = shorten(names[path[0]])
    for a, b in zip(path, path[1:], strict=False):
        text += f" {SIGNS.get(graph.mark(a, b), '⇠')} {shorten(names[b])}"
    return text


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
    """Return whether two variables are d-separated, and the number of open paths."""
    n_open = sum(path.open for path in found.paths)
    values = {"a": Node(x), "b": Node(y), "paths": Count(len(found.paths), "path"), "n": n_open}
    if not found.paths and found.complete:
        template = "{a} and {b} are d-separated: no path connects them"
    elif found.complete and len(found.paths) == 1 and found.separated:
        template = "{a} and {b} are d-separated: the only path is blocked"
    elif found.complete and len(found.paths) == 1:
        template = "{a} and {b} are d-connected: the only path is open"
    elif found.separated and found.complete:
        template = "{a} and {b} are d-separated: all {paths} are blocked"
    elif found.separated:
        template = "{a} and {b} are d-separated: all of at least {paths} are blocked"
    elif found.complete and n_open == 1:
        template = "{a} and {b} are d-connected: {n} of {paths} is open"
    elif found.complete:
        template = "{a} and {b} are d-connected: {n} of {paths} are open"
    elif n_open == 1:
        template = "{a} and {b} are d-connected: {n} of at least {paths} is open"
    else:
        template = "{a} and {b} are d-connected: {n} of at least {paths} are open"
    return phrase(template, names, **values)


def _nodes(members: Sequence[int]) -> list[Node]:
    return [Node(k) for k in members]


def separating_sentence(found: Separation, names: Sequence[str], most: int = 5) -> str:
    """Return the minimal separating sets of two variables."""
    if not found.sets:
        return "No set separates them: they are adjacent."
    sets = ", ".join(format_set(members, names) for members in found.sets[:most])
    more = f" and {len(found.sets) - most:,} more" if len(found.sets) > most else ""
    return f"Minimal separating sets: {sets}{more}."


def adjustment_sentence(found: Adjustment, graph: PDAG, x: int, y: int, names: Sequence[str]) -> str:
    """Return the number of minimal adjustment sets, or the reason why there is none."""
    cause, effect = shorten(names[x]), shorten(names[y])
    if found.obstacle == "no effect":
        return f"{cause} has no effect on {effect} in this graph: no directed path leads from {cause} to {effect}."
    if found.obstacle == "open direction":
        path = path_text(graph, found.path, names)
        return (
            f"The effect of {cause} on {effect} is not identifiable by adjustment. The path {path} may be causal, but "
            "the direction of its first edge is not determined. The data give a range of effects over the class."
        )
    if found.obstacle == "open path":
        path = path_text(graph, found.path, names) if max(found.path) < graph.p else _through_hidden(found.path, names)
        return (
            f"The effect of {cause} on {effect} is not identifiable by adjustment. "
            f"No adjustment set blocks the non-causal path {path}."
        )
    sets = count(len(found.sets), "minimal adjustment set")
    return f"{'' if found.complete else 'At least '}{sets} for the effect of {cause} on {effect}."


def _through_hidden(path: Sequence[int], names: Sequence[str]) -> str:
    return " – ".join(shorten(names[k]) if k < len(names) else "(hidden cause)" for k in path)


def instruments_sentence(found: Sequence[Instrument], names: Sequence[str], most: int = 5) -> str:
    """Return the instrumental variables."""
    if not found:
        return "This graph has no instrument."
    listed = [shorten(names[z]) + (f" given {format_set(given, names)}" if given else "") for z, given in found[:most]]
    more = f" and {len(found) - most:,} more" if len(found) > most else ""
    return f"{'Instrument' if len(found) == 1 else 'Instruments'}: {', '.join(listed)}{more}."


def mediators_sentence(found: Sequence[int], names: Sequence[str]) -> str:
    """Return the variables through which the cause acts."""
    if not found:
        return "No variable lies on a directed path from cause to effect."
    named = ", ".join(shorten(names[k]) if k < len(names) else "(hidden cause)" for k in found)
    return f"{'Mediator' if len(found) == 1 else 'Mediators'}: {named}. Adjusting for one removes part of the effect."


def difference_sentence(adjusted: EffectDifference, plain: EffectDifference) -> str:
    """Return the adjusted difference with its interval, and the unadjusted one."""
    return f"Effect: {_signed_interval(adjusted)}. Unadjusted: {_signed_interval(plain)}."


def _signed_interval(one: EffectDifference) -> str:
    value, low, high = (format_signed(part) for part in (one.value, one.low, one.high))
    return f"{value} (95% interval: {low} to {high})"


def effect_sentence(
    effects: Sequence[Effect],
    x: int,
    y: int,
    names: Sequence[str],
    levels: Sequence,
    scales: Mapping[str, Scale],
) -> str:
    """Return the effect, or its range over the possible parents of the cause.

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
    low, high = effect_range(tuple(effects))
    cause, effect = (with_unit(names[k], scales) for k in (x, y))
    if effects[0].measure == "slope":
        return f"One unit more of {cause} changes {effect} by {_range(low, high)}."
    if effects[0].measure == "means":
        return f"Mean of {effect} with {cause} set to {_by_level(levels[x], low, high)}."
    return f"P({effect} = {shorten(levels[y][0])}) with {cause} set to {_by_level(levels[x], low[:, 0], high[:, 0])}."


def _by_level(levels: Sequence[str] | None, low: np.ndarray, high: np.ndarray, most: int = 6) -> str:
    """Return the range at each level of the cause, up to `most` levels."""
    names = levels if levels is not None else ["any number"] * len(low)
    ranges = [f"{shorten(name)}: {_range(a, b)}" for name, a, b in zip(names, low, high, strict=True)]
    return "; ".join(ranges[:most]) + ("; and so on" if len(ranges) > most else "")


def implied_sentence(found: Collection[ImplicationResult], n_implied: int) -> str:
    """Return the number of implied independences that the data reject."""
    if not n_implied:
        return "All pairs are adjacent, so the graph implies no independence that the data could reject."
    done = sum(implied.result.tested for implied in found)
    rejected = sum(implied.rejected for implied in found)
    total = "" if len(found) == n_implied else f" of {n_implied:,}"
    untested = f" {len(found) - done:,} could not be tested: too few rows." if done < len(found) else ""
    verdict = f"the data reject {rejected:,}" if rejected else "the data reject none"
    independences = count(len(found), "implied independence", "implied independences")
    return f"Of {independences}{total}, {verdict}. False discovery rate 5% (Benjamini and Hochberg).{untested}"


def calibration_sentence(found: HeldOutCalibration) -> str:
    """Return the mean difference between predicted probabilities and observed frequencies."""
    return (
        "On held-out rows, predicted probabilities and observed frequencies differ by "
        f"{found.error:.3f} on average (each variable given its parents)."
    )


def _range(low: float, high: float) -> str:
    if not np.isfinite(low) or not np.isfinite(high):
        return "unknown (no rows)"
    return format_number(float(low)) if low == high else f"{format_number(float(low))} to {format_number(float(high))}"


def _all(nodes: Sequence[int], names: Sequence[str]) -> str:
    return " and ".join(shorten(names[k]) for k in nodes)


def _any(nodes: Sequence[int], names: Sequence[str]) -> str:
    return " or ".join(shorten(names[k]) for k in nodes)
