"""Probabilities of chains and of exact sums, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from learners.averaging.order_mcmc import ChainsRun
from learners.averaging.probable_graph import EVEN
from learners.results.events import Action, Event
from learners.results.result import LearnResult

from ..text import ARROWS, format_probability, shorten
from .words import chains_of_pair

LIKELY = 0.75  # of an edge's probability: so much on one direction calls for a word if the graph leaves it open


def why_probable(result: LearnResult, x: int, y: int) -> list[str]:
    """The probabilities of the pair, how far they can be believed, and what the graph asks for."""
    posterior, run = result.posterior, result.extra
    if posterior is None:
        return ["The run ended before it had any probability."]
    a, b = shorten(result.names[x]), shorten(result.names[y])
    joined, forward, backward = posterior.adjacent[x, y], posterior.directed[x, y], posterior.directed[y, x]
    told = [
        f"P(joined) = {format_probability(float(joined))}: P({a} → {b}) = {format_probability(float(forward))}, "
        f"P({a} ← {b}) = {format_probability(float(backward))}.",
        chains_of_pair(run, x, y) if isinstance(run, ChainsRun) else "They are exact: sums over all orders.",
    ]
    if not result.graph.skeleton[x, y]:
        return [*told, f"The graph asks for at least {EVEN:.0%}."]
    ways = [(f"{a} → {b}", posterior.compelled[x, y]), (f"{a} ← {b}", posterior.compelled[y, x])]
    way, compelled = max(ways, key=lambda one: one[1])
    told.append(f"Classes that compel {way} make up {compelled / joined:.0%} of that.")
    if result.graph.mark(x, y) != "undirected":
        return told
    told.append(f"The graph asks for at least {EVEN:.0%}, so it leaves the direction open.")
    if max(forward, backward) >= LIKELY * joined and getattr(run, "prior", "orders") == "orders":
        told.append("Of the DAGs of a class, those with more orders are likelier beforehand; no data tell them apart.")
    return told


def settling_sentence(event: Event, names: Sequence[str]) -> str:
    """What changed in the graph, for the line below the scrubber."""
    a, b = shorten(names[event.i]), shorten(names[event.j])
    if event.action == Action.ORIENT:
        return f"{a} {ARROWS['forward']} {b}: compelled in {event.statistic:.0%} of its probability"
    value = f"P = {format_probability(event.statistic)}"
    if event.action == Action.REMOVE:
        return f"{a} {ARROWS['undirected']} {b} leaves: {value} by now"
    return f"{a} {ARROWS['undirected']} {b}: {value} by now"
