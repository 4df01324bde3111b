"""Explanations of probabilities and of shares of resamples."""

from __future__ import annotations

import math

from ...common.sentences import Edge, Listed, Sentence, caveat, only_if, percent, probability, say
from ...evaluation.calibrated_probabilities import calibrated_probabilities
from ...evaluation.frequencies import interval_clause
from ...evaluation.probable_graph import EVEN
from ...explaining.pair import Explainer, Pair, Reasons
from ...explaining.support import direction_of
from ...results.events import Action, Event
from ...results.result import LearnResult
from .order_mcmc import ChainsRun

EXACT = say("These probabilities are exact sums over all orders.")
LIKELY = 0.75  # minimum share of an edge's probability on one direction for a note on an undirected edge


def why_frequent(pair: Pair) -> Reasons:
    """Explain a pair of the bootstrap: the share of each mark, and the minimum share of an edge in the graph."""
    result, x, y = pair.result, pair.x, pair.y
    extra = result.extra
    if not extra.n:
        return Reasons([say("The run ended before the first resample was done.")])
    shares = extra.types(x, y)
    marks = {"forward": shares["->"], "backward": shares["<-"], "undirected": shares["-"]}
    kinds = [
        say("{edge} in {share}", edge=Edge(x, mark, y), share=percent(share)) for mark, share in marks.items() if share
    ]
    share = float(extra.adjacent[x, y])
    joined = say(
        "The edge is in {share} of {n} resamples ({interval} of many resamples){kinds}.",
        share=percent(share),
        n=str(extra.n),
        interval=interval_clause(share, extra.n, ".0%"),
        kinds=only_if(kinds, say(": {kinds}", kinds=Listed(kinds))),
    )
    counted = [joined, *calibrated_sentences(result, x, y, pair.mark)]
    if result.params.get("graph") == "best":
        best = say("The graph is that of one resample, the one with the best score on all rows.")
        return Reasons([*counted, best])
    asked = say("An edge of the graph needs at least {share}.", share=percent(result.params["share"]))
    if pair.mark == "none":
        return Reasons([*counted, asked])
    if pair.mark == "undirected":
        leads = max(shares["->"], shares["<-"]) >= shares["-"] and shares["->"] != shares["<-"]
        way = (
            say("Its more frequent direction would close a cycle of more frequent arrows, so it is undirected.")
            if leads
            else say("Neither direction is the most frequent state of the edge, so it is undirected.")
        )
    else:
        way = say("The arrow has the more frequent direction.")
    return Reasons([*counted, asked, way])


def event_of_frequencies(event: Event) -> Sentence:
    """State the share of resamples that contain an edge or arrow."""
    mark = "undirected" if event.action == Action.ADD else "forward"
    share = percent(event.statistic)
    return say("{edge}: in {share} of the resamples", edge=Edge(event.i, mark, event.j), share=share)


def why_probable(pair: Pair) -> Reasons:
    """Explain a pair by its probabilities, their precision, and the minimum probability of an edge in the graph."""
    result, x, y = pair.result, pair.x, pair.y
    posterior, run = result.posterior, result.extra
    if posterior is None:
        return Reasons([say("The run ended before it had any probability.")])
    joined, forward, backward = (
        float(value) for value in (posterior.adjacent[x, y], posterior.directed[x, y], posterior.directed[y, x])
    )
    ways = Edge(x, "forward", y), Edge(x, "backward", y)
    is_drawn = bool(result.graph.skeleton[x, y])
    template = "P(edge) = {joined}: P({one}) = {forward}, P({other}) = {backward}."
    if not is_drawn and joined < EVEN:
        template = (
            "P(edge) = {joined} is below {least}, so no edge is drawn: P({one}) = {forward}, P({other}) = {backward}."
        )
    sentences = [
        say(
            template,
            least=percent(EVEN),
            joined=probability(joined),
            one=ways[0],
            other=ways[1],
            forward=probability(forward),
            backward=probability(backward),
        ),
        _chains(run, x, y) if isinstance(run, ChainsRun) else EXACT,
        *calibrated_sentences(result, x, y, pair.mark),
    ]
    if not is_drawn:
        return Reasons(sentences)
    compelled = float(posterior.compelled[x, y]), float(posterior.compelled[y, x])
    way = ways[0] if compelled[0] >= compelled[1] else ways[1]
    share = percent(max(compelled) / joined)
    direction = direction_of(result, x, y, pair.mark)
    if direction is None or direction.share is None:  # otherwise the support of the direction states the share
        sentences.append(say("Equivalence classes that compel {way} make up {share} of P(edge).", way=way, share=share))
    if pair.mark != "undirected":
        return Reasons(sentences)
    sentences.append(
        say("An arrow of the graph needs at least {least}, so the direction is open.", least=percent(EVEN))
    )
    if max(forward, backward) >= LIKELY * joined and getattr(run, "prior", "orders") == "orders":
        sentences.append(
            caveat("Within a class, DAGs with more orders have a higher prior; the data cannot distinguish them.")
        )
    return Reasons(sentences)


def calibrated_sentences(result: LearnResult, x: int, y: int, mark: str) -> list[Sentence]:
    """Return sentences with the calibrated probabilities of an edge and of its arrow; none if the run has none."""
    found = calibrated_probabilities(result)
    if found is None or math.isnan(found.adjacent[x, y]):
        return []
    values = {"joined": probability(float(found.adjacent[x, y]))}
    if mark not in ("forward", "backward"):
        return [say("Calibrated on tables of other known networks: P(edge) = {joined}.", **values)]
    ends = (x, y) if mark == "forward" else (y, x)
    return [
        say(
            "Calibrated on tables of other known networks: P(edge) = {joined}, and P({way} in all equivalent graphs) = "
            "{compelled}.",
            way=Edge(ends[0], "forward", ends[1]),
            compelled=probability(float(found.compelled[ends])),
            **values,
        )
    ]


def event_of_exact(event: Event) -> Sentence:
    """State the exact probability of an edge or arrow."""
    if event.action == Action.ORIENT:
        return event_of_chains(event)
    return say("{edge}: P = {p}", edge=Edge(event.i, "undirected", event.j), p=probability(event.statistic))


def event_of_chains(event: Event) -> Sentence:
    """Describe a change of the graph while the probabilities of the edges converge."""
    edge = Edge(event.i, "forward" if event.action == Action.ORIENT else "undirected", event.j)
    if event.action == Action.ORIENT:
        share = percent(event.statistic)
        return say("{edge}: compelled in {share} of its probability", edge=edge, share=share)
    template = "{edge} removed: P = {p} so far" if event.action == Action.REMOVE else "{edge}: P = {p} so far"
    return say(template, edge=edge, p=probability(event.statistic))


def _chains(run: ChainsRun, i: int, j: int) -> Sentence:
    """Give the probability of a pair in each chain."""
    each = [float(one[i, j] + one[j, i]) for one in run.agreement.directed]
    return say(
        "In the single chains, P(edge) is {each} (R̂ {r_hat}; {interval}).",
        each=Listed([probability(value) for value in each], " and "),
        r_hat=f"{run.agreement.r_hat[i, j]:.2f}",
        interval=interval_clause(sum(each) / len(each), run.n_draws),
    )


EXPLAINERS = {
    "mcmc": Explainer(why_probable, event_of_chains),
    "exact": Explainer(why_probable, event_of_exact),
    "bootstrap": Explainer(why_frequent, event_of_frequencies),
}
