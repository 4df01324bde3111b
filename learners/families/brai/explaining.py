"""Explanations of runs of RAI and B-RAI."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...common.sentences import Count, Edge, Node, Nodes, Sentence, caveat, only_if, percent, probability, say
from ...evaluation.frequencies import interval_clause
from ...explaining.events import event_of_tests
from ...explaining.pair import Explainer, Pair, Reasons
from ...explaining.tested_pairs import why_by_tests
from ...graphs.rules import Rule
from ...results.events import Action, Event
from ...results.result import LearnResult
from .bootstrap_run import BootstrapRun
from .call_trace import CallRecord

ALL = 1.0 - 1e-9  # share of all classes, up to rounding
# Why the probabilities may contradict the tests of the tree, by whether the graph has the edge.
AGAINST_TESTS = {
    True: caveat(
        "The tests removed this edge, and the search by score added it. Such an edge can come from a common effect "
        "among the other variables, or from a hidden common cause."
    ),
    False: caveat("The tests kept this edge, and the search by score removed it, given all other edges."),
}
MAX_NAMED = 6  # maximum number of variables of a group that a sentence names


def why_rai(pair: Pair) -> Reasons:
    """Explain a pair by its tests and by the group in which the tests were done."""
    reasons, group = why_by_tests(pair), why_group(pair.result, pair.x, pair.y)
    return replace(reasons, sentences=[*reasons.sentences, group]) if group else reasons


def why_brai(pair: Pair) -> Reasons:
    """Explain a pair by its probability, its tests and its group."""
    run = pair.result.extra
    if is_of_probabilities(pair.result):
        return _why_polished(pair)
    reasons = why_rai(pair)
    stated = [trees_sentence(run, pair.x, pair.y), *against_graph(run, pair.x, pair.y, joined=pair.mark != "none")]
    return replace(reasons, sentences=[*reasons.sentences, *stated])


def is_of_probabilities(result: LearnResult) -> bool:
    """Return True if the graph is that of the probabilities after the tabu search, which has no score.

    In runs of earlier versions, it is the best graph of the first tree.
    """
    return bool(result.extra.polished) and result.score is None


def _why_polished(pair: Pair) -> Reasons:
    """Explain a pair by its probability after the tabu search, then by the tests of the first tree."""
    run, x, y = pair.result.extra, pair.x, pair.y
    earlier = tuple(e for e in pair.events if e.rule is not Rule.PROBABLE and e.action != Action.CONFLICT)
    of_tree = replace(pair, result=replace(pair.result, graph=run.tree_graph), events=earlier)
    reasons = why_rai(of_tree)
    if of_tree.mark == pair.mark:
        lead = say("The best graph of the first tree, before the tabu search, agrees.")
    elif of_tree.mark == "none":
        lead = say("The best graph of the first tree, before the tabu search, has no edge between them.")
    else:
        edge = Edge(x, of_tree.mark, y)
        lead = say("The best graph of the first tree, before the tabu search, has {edge}.", edge=edge)
    same = (of_tree.mark == "none") == (pair.mark == "none")
    against = [] if same else [AGAINST_TESTS[pair.mark != "none"]]
    sentences = [trees_sentence(run, x, y), *_directions(pair), lead, *reasons.sentences, *against]
    return replace(reasons, sentences=sentences, decisive=reasons.decisive if same else None)


def _directions(pair: Pair) -> list[Sentence]:
    """State how far the classes that the search reached agree on the direction of an edge."""
    if pair.mark == "none":
        return []
    x, y = pair.x, pair.y
    adjacent, compelled = pair.result.posterior.adjacent, pair.result.posterior.compelled
    a, b = (x, y) if compelled[x, y] >= compelled[y, x] else (y, x)
    way, share = Edge(a, "forward", b), float(compelled[a, b] / adjacent[a, b])
    if share >= ALL:
        return [
            caveat("All classes that the search reached have {way}. Classes that it did not reach may differ.", way=way)
        ]
    if share <= 1.0 - ALL:
        return [say("The classes that the search reached leave its direction open.")]
    return [
        say("Equivalence classes that compel {way} make up {share} of P(edge).", way=way, share=percent(share)),
    ]


def against_graph(run: BootstrapRun, i: int, j: int, *, joined: bool) -> list[Sentence]:
    """Return a caveat if the averaged probability contradicts the graph, the best one of the first tree."""
    p = mean_probability(run, i, j)
    if (p > 0.5) == joined or p == 0.5:
        return []
    if joined:
        return [
            caveat("The graph is the best of the first tree. Averaged over all trees, this edge is more likely absent.")
        ]
    return [
        caveat("The graph is the best of the first tree. Averaged over all trees, this edge is more likely present.")
    ]


def event_of_brai(event: Event) -> Sentence:
    """Describe a test, an orientation, or a change by the probabilities after the tabu search."""
    if event.rule is not Rule.PROBABLE:
        return event_of_tests(event)
    edge = Edge(event.i, "forward" if event.action == Action.ORIENT else "undirected", event.j)
    if event.action in (Action.ORIENT, Action.UNORIENT):
        template = "{edge}: the classes after the tabu search compel this direction in {share} of its probability"
        if event.action == Action.UNORIENT:
            template = "{edge}: the classes after the tabu search compel its direction in only {share}"
        return say(template, edge=edge, share=percent(event.statistic))
    template = "{edge} added: P = {p} after the tabu search"
    if event.action == Action.REMOVE:
        template = "{edge} removed: P = {p} after the tabu search"
    return say(template, edge=edge, p=probability(event.statistic))


def mean_probability(run: BootstrapRun, i: int, j: int) -> float:
    """Return the probability that two variables are adjacent, averaged over the trees or over polished classes."""
    if run.polished:
        return float(run.posterior().adjacent[i, j])
    return float(np.mean([tree.adjacent[i, j] for tree in run.posteriors()]))


def why_group(result: LearnResult, x: int, y: int) -> Sentence | None:
    """Name the group of the last recursive call with both variables."""
    last = last_call_of(result.extra.calls, x, y)
    if last is None:
        return None
    call = result.extra.calls[last]
    lead = say("The last recursive call with both was at level {level}", level=str(call.size))
    if len(call.nodes) == len(result.names):
        return say("{lead}, for all variables.", lead=lead)
    n_more = len(call.nodes) - MAX_NAMED
    return say(
        "{lead}, for the group {set}{more}{outside}.",
        lead=lead,
        set=Nodes(call.nodes[:MAX_NAMED]),
        more=only_if(n_more > 0, say(" and {n} more", n=n_more)),
        outside=_outside(call, x, y),
    )


def _outside(call: CallRecord, x: int, y: int) -> Sentence:
    """Name the variable of the pair that is a parent of the group; empty if both are members."""
    outside = next((k for k in (x, y) if k not in call.nodes), None)
    return say("") if outside is None else say(" and its parent {parent}", parent=Node(outside))


def last_call_of(calls: Iterable[CallRecord], x: int, y: int) -> int | None:
    """Return the position of the deepest call with one variable in its group and the other there or a parent."""
    found = None
    for t, call in enumerate(calls):
        mine, around = set(call.nodes), {*call.nodes, *call.exogenous}
        if (x in mine and y in around) or (y in mine and x in around):
            found = t
    return found


def trees_sentence(run: BootstrapRun, i: int, j: int) -> Sentence:
    """State how well the trees agree that two variables are adjacent."""
    each = [float(tree.adjacent[i, j]) for tree in run.posteriors()]
    p = mean_probability(run, i, j)
    if run.polished:
        low, high = (f"{limit:.2f}" for limit in (min(each), max(each)))
        ending = (
            say(" Each single tree gives {low}.", low=low)
            if low == high
            else say(" By single trees it ranges from {low} to {high}.", low=low, high=high)
        )
        return say(
            "P(edge) = {p}, averaged over {classes} that a search by score reaches from {trees}. It compares the "
            "scores with and without this edge, given all other edges.{ending}",
            p=probability(p),
            classes=Count(len(run.posterior().classes), "class", "classes"),
            trees=Count(len(each), "tree"),
            ending=only_if(len(each) > 1, ending),
        )
    if len(each) == 1:
        return say(
            "P(edge) = {p} comes from one tree of {classes} and one seed ({interval} for the mean over many trees). "
            "Average more trees to see how much it varies.",
            p=probability(p),
            classes=Count(len(run.classes()), "class", "classes"),
            interval=interval_clause(p, 1),
        )
    if min(each) == max(each):
        return say(
            "P(edge) = {p} in each of {n} trees ({interval} for the mean over many trees).",
            p=probability(p),
            n=str(len(each)),
            interval=interval_clause(p, len(each)),
        )
    return say(
        "P(edge) = {p} is the mean of {n} trees ({interval} for the mean over many trees); they range from {low} to "
        "{high}.",
        p=probability(p),
        n=str(len(each)),
        low=f"{min(each):.2f}",
        high=f"{max(each):.2f}",
        interval=interval_clause(p, len(each)),
    )


def chosen_resamples(result: LearnResult) -> Sentence | None:
    """State how the data chose the number of resamples of a group; None if it was given."""
    tried = getattr(result.extra, "branchings", ())
    if not tried:
        return None
    last = tried[-1]
    if not last.settled:
        return say(
            "The edge probabilities have not settled at {resamples} per group, the most allowed. Raise the number.",
            resamples=Count(last.s, "resample"),
        )
    return say(
        "The edge probabilities have settled at {n} resamples per group: their total change since {before} is {change} "
        "of the expected number of edges.",
        n=last.s,
        before=last.s - 1,
        change=percent(last.change),
    )


EXPLAINERS = {
    "rai": Explainer(why_rai, event_of_tests),
    "brai": Explainer(why_brai, event_of_brai, chosen_resamples),
}
