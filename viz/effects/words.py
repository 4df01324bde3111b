"""What is known of the effect of one variable on another, in sentences of plain text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from learners.data.scales import Scale
from learners.effects.adjustment import Adjustment
from learners.effects.estimates import Effect
from learners.effects.held_out import HeldOutCalibration
from learners.effects.ida import effect_range
from learners.effects.implications import ImplicationResult
from learners.effects.instruments import Instrument
from learners.effects.paths import Path, Separation
from learners.graphs.graph import PDAG

from ..labels import with_unit
from ..text import count, format_number, format_set, shorten

STATED = "You state that this graph is causal and that nothing is hidden: so read, this is an effect."
ASIDE = (
    "The log-likelihood is of a fifth of the rows, kept aside from a network fitted to the others; "
    "the graph itself was learnt from all of them."
)
UNSTATED = "These are associations, unless you state that the graph is causal and that nothing is hidden."


def path_text(graph: PDAG, path: Sequence[int], names: Sequence[str]) -> str:
    """A path with its arrows: a → b ← c."""
    signs = {"forward": "→", "backward": "←", "undirected": "—"}
    told = shorten(names[path[0]])
    for a, b in zip(path, path[1:], strict=False):
        told += f" {signs.get(graph.mark(a, b), '⇠')} {shorten(names[b])}"
    return told


def path_sentence(path: Path, names: Sequence[str]) -> str:
    """Whether a path is open, and what would close or open it."""
    told = " – ".join(shorten(names[k]) for k in path.nodes)
    if path.open:
        held = f"; to hold {_any(path.closers, names)} fixed closes it" if path.closers else "; nothing closes it"
        return f"{told} is open{held}"
    return f"{told} is closed at {_listed(path.closed_at, names)}"


def separation_sentence(found: Separation, x: int, y: int, names: Sequence[str]) -> str:
    """Whether two variables are d-separated, and how many paths join them."""
    pair = f"{shorten(names[x])} and {shorten(names[y])}"
    if not found.paths and found.complete:
        return f"{pair} are d-separated: no path joins them"
    n_open = sum(path.open for path in found.paths)
    if found.complete and len(found.paths) == 1:
        joined = "d-separated" if found.separated else "d-connected"
        return f"{pair} are {joined}: the only path between them is {'closed' if found.separated else 'open'}"
    listed = f"{'' if found.complete else 'at least '}{count(len(found.paths), 'path')} between them"
    if found.separated:
        return f"{pair} are d-separated: all {listed} are closed"
    return f"{pair} are d-connected: {n_open:,} of {listed} {'is' if n_open == 1 else 'are'} open"


def separating_sentence(found: Separation, names: Sequence[str], most: int = 5) -> str:
    """What sets would separate them."""
    if not found.sets:
        return "No set separates them: they are adjacent."
    told = ", ".join(format_set(one, names) for one in found.sets[:most])
    more = f" and {len(found.sets) - most:,} more" if len(found.sets) > most else ""
    return f"Smallest sets that separate them: {told}{more}."


def adjustment_sentence(found: Adjustment, graph: PDAG, x: int, y: int, names: Sequence[str]) -> str:
    """What to adjust for, or why nothing helps."""
    cause, effect = shorten(names[x]), shorten(names[y])
    if found.obstacle == "no effect":
        return f"{cause} has no effect on {effect} in this graph: no path of arrows can lead from one to the other."
    if found.obstacle == "open direction":
        told = path_text(graph, found.path, names)
        return (
            f"The effect of {cause} on {effect} is not identifiable by adjustment, because the path {told} may be "
            "causal and begins with an edge whose direction is open. A range over the class is all that the data give."
        )
    if found.obstacle == "open path":
        told = path_text(graph, found.path, names) if max(found.path) < graph.p else _through_hidden(found.path, names)
        return (
            f"The effect of {cause} on {effect} is not identifiable by adjustment, because the path {told} is no "
            "effect and stays open whatever is adjusted for."
        )
    sets = count(len(found.sets), "minimal adjustment set")
    return f"{'' if found.complete else 'At least '}{sets} for the effect of {cause} on {effect}."


def _through_hidden(path: Sequence[int], names: Sequence[str]) -> str:
    return " – ".join(shorten(names[k]) if k < len(names) else "(hidden cause)" for k in path)


def instruments_sentence(found: Sequence[Instrument], names: Sequence[str], most: int = 5) -> str:
    """Which variables are instruments."""
    if not found:
        return "No variable of this graph is an instrument."
    told = [shorten(names[z]) + (f" given {format_set(given, names)}" if given else "") for z, given in found[:most]]
    more = f" and {len(found) - most:,} more" if len(found) > most else ""
    return f"{'Instrument' if len(found) == 1 else 'Instruments'}: {', '.join(told)}{more}."


def effect_sentence(
    effects: Sequence[Effect],
    x: int,
    y: int,
    names: Sequence[str],
    levels: Sequence,
    scales: Mapping[str, Scale],
) -> str:
    """The effect, or its range over the sets of parents.

    Parameters
    ----------
    effects : sequence of Effect
        One for each set of parents of the cause.
    x, y : int
    names : sequence of str
    levels : sequence of (sequence of str, or None)
        Of each variable.
    scales : mapping of str to Scale
        By name how numbers are read, where that needs saying.
    """
    low, high = effect_range(tuple(effects))
    cause, effect = (with_unit(names[k], scales) for k in (x, y))
    if effects[0].measure == "slope":
        return f"A unit more of {cause} changes {effect} by {_span(low, high)}."
    if effects[0].measure == "means":
        return f"Mean of {effect} with {cause} set to {_by_level(levels[x], low, high)}."
    return f"P({effect} = {shorten(levels[y][0])}) with {cause} set to {_by_level(levels[x], low[:, 0], high[:, 0])}."


def _by_level(levels: Sequence[str] | None, low: np.ndarray, high: np.ndarray, most: int = 6) -> str:
    """What holds at each level of the cause, of the first few of many."""
    names = levels if levels is not None else ["any number"] * len(low)
    told = [f"{shorten(name)}: {_span(a, b)}" for name, a, b in zip(names, low, high, strict=True)]
    return "; ".join(told[:most]) + ("; and so on" if len(told) > most else "")


def implied_sentence(found: Collection[ImplicationResult], n_implied: int) -> str:
    """How many of the implied independencies the data reject."""
    if not n_implied:
        return "Every pair is adjacent: the graph implies no independence, so the data cannot speak against it."
    done = sum(one.result.tested for one in found)
    rejected = sum(one.rejected for one in found)
    so_far = "" if len(found) == n_implied else f" of {n_implied:,}"
    untested = (
        f" {count(len(found) - done, 'could', 'could')} not be tested for want of rows." if done < len(found) else ""
    )
    verdict = f"the data reject {rejected:,}" if rejected else "the data reject none"
    return (
        f"The graph implies that {count(len(found), 'pair')}{so_far} are independent given the parents of one; "
        f"{verdict} (5 % false alarms expected among them, Benjamini and Hochberg).{untested}"
    )


def calibration_sentence(found: HeldOutCalibration) -> str:
    """How far what the fitted network says is from what came true."""
    return (
        f"On rows kept aside, what the fitted network says of each variable given its parents came true within "
        f"{found.error:.3f} of as often as said, on average."
    )


def _span(low: float, high: float) -> str:
    if not np.isfinite(low) or not np.isfinite(high):
        return "unknown, no rows"
    return format_number(float(low)) if low == high else f"{format_number(float(low))} to {format_number(float(high))}"


def _listed(nodes: Sequence[int], names: Sequence[str]) -> str:
    return " and ".join(shorten(names[k]) for k in nodes)


def _any(nodes: Sequence[int], names: Sequence[str]) -> str:
    return " or ".join(shorten(names[k]) for k in nodes)
