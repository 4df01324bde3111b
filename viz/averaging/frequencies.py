"""How often resamples joined a pair, in sentences."""

from __future__ import annotations

from learners.results.events import Action, Event
from learners.results.result import LearnResult

from ..text import ARROWS, shorten
from .words import interval_words


def why_frequent(result: LearnResult, x: int, y: int) -> list[str]:
    """Shares of each kind of edge, and what the graph asks for."""
    extra, graph = result.extra, result.graph
    if not extra.n:
        return ["The run ended before the first resample was done."]
    a, b = shorten(result.names[x]), shorten(result.names[y])
    shares = extra.types(x, y)
    marks = {"forward": shares["->"], "backward": shares["<-"], "undirected": shares["-"]}
    kinds = ", ".join(f"{a} {ARROWS[mark]} {b} in {share:.0%}" for mark, share in marks.items() if share)
    share = float(extra.adjacent[x, y])
    sure = interval_words(share, extra.n, ".0%")
    joined = f"In {share:.0%} of {extra.n} resamples ({sure}) they are joined{f': {kinds}' if kinds else ''}."
    if result.params.get("graph") == "best":
        return [joined, "Shown is the graph of one resample, the one with the best score on all rows."]
    asked = f"The graph asks for at least {result.params['share']:.0%}."
    settled = {
        "none": [],
        "undirected": ["No direction comes up more often than all else, or it would close a cycle of surer ones."],
    }
    return [joined, asked, *settled.get(graph.mark(x, y), ["The arrow points the way that came up more often."])]


def frequency_sentence(event: Event, names: tuple[str, ...]) -> str:
    """An edge that joins or an arrow, for the line below the scrubber."""
    a, b = shorten(names[event.i]), shorten(names[event.j])
    mark = "undirected" if event.action == Action.ADD else "forward"
    return f"{a} {ARROWS[mark]} {b}: in {event.statistic:.0%} of the resamples"
