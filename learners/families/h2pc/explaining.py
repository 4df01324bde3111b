"""Explanations of runs of HPC: the search of each end, and the rule that decided there."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from ...common.sentences import Edge, Node, Nodes, Sentence, only_if, p_of, say, setting
from ...explaining.caveats import without_freedom
from ...explaining.events import event_of_search
from ...explaining.hybrid_pairs import ALLOWED, BARRED, PASSING, why_polished
from ...explaining.not_added import dag_not_added
from ...explaining.optimal_search import optimum_sentence
from ...explaining.orientation import why_directed
from ...explaining.pair import Explainer, Pair, Reasons, clearest, hardest_first, separations
from ...explaining.scored_pairs import why_by_score
from ...explaining.tested_pairs import NO_PROOF, REQUIRED, own_events, with_side_tests
from ...graphs.rules import ADJACENCY_RULES, Rule
from ...results.events import Action, Event
from ...results.phases import Stage
from .candidates import DECENTRALISED, MARGINAL, SINGLE, SMALL_POOL
from .hpc_search import STAGES, Neighborhoods

FORBIDDEN = say(
    "Your background knowledge forbids this edge in both directions; the pair is tested only as parents of one child."
)


def why_hpc(pair: Pair) -> Reasons:
    """Explain a pair of HPC around all variables."""
    return _why_around(pair, pair.result.extra)


def why_target(pair: Pair) -> Reasons:
    """Explain a pair of HPC around one variable."""
    target = pair.result.extra.target
    reasons = _why_around(pair, pair.result.extra, target)
    if target in (pair.x, pair.y) or pair.mark != "none":
        return reasons
    claim = say("This run did not look for an edge between {a} and {b}.", a=Node(pair.x), b=Node(pair.y))
    return replace(reasons, claim=claim)


def _why_around(pair: Pair, found: Neighborhoods, target: int | None = None) -> Reasons:
    events = own_events(pair)
    sentences = _why_candidate(pair, found, target, events, searched=False)
    if pair.mark != "none":
        sentences += why_directed(pair.result, pair.x, pair.y, events, only_skeleton=True)
    return _reasons(pair, events, sentences, ())


def why_within(pair: Pair) -> Reasons:
    """Explain a pair of H2PC: HPC around both ends, then the search within its skeleton."""
    events, extra = own_events(pair), pair.result.extra
    sentences = _why_candidate(pair, extra.evidence, None, events, searched=True)
    if extra.skeleton.skeleton[pair.x, pair.y]:
        sentences += why_by_score(pair, events, dag_not_added)
    else:
        sentences += why_polished(pair, events)
    return _reasons(pair, events, sentences, PASSING)


def _reasons(pair: Pair, events: Sequence[Event], sentences: list[Sentence], passing: Collection) -> Reasons:
    """Add the decisive test: for a pair that is not adjacent, the clearest separation."""
    last = clearest(separations(events, passing))
    if pair.mark != "none" or last is None or not last.n_tests:
        return with_side_tests(pair, sentences, next(iter(hardest_first(events)), None))
    freedom = [without_freedom(last, pair.dataset)] if last.dof == 0 else []
    return with_side_tests(pair, [*sentences, *freedom], last)


def _why_candidate(
    pair: Pair, found: Neighborhoods, target: int | None, events: Sequence[Event], *, searched: bool
) -> list[Sentence]:
    """Explain the results of the searches around x and y, and the conclusion from both."""
    x, y = pair.x, pair.y
    if any(e.rule is Rule.REQUIRED for e in events):
        return [REQUIRED]
    if any((e.rule, e.action) == (Rule.FORBIDDEN, Action.APART) for e in events):
        return [FORBIDDEN]
    if target is not None and target not in (x, y):
        return [say("It looked only for neighbours of {target}.", target=Node(target))]
    concluded = _of_target(found, x, y) if target is not None else _of_both(found, x, y, searched=searched)
    if found.rule[x, y] == MARGINAL:
        return [_marginal(events), *concluded]
    ends = [(t, other) for t, other in ((x, y), (y, x)) if target in (None, t)]
    return [*(_side(found, t, other, events) for t, other in ends), *concluded]


def _marginal(events: Sequence[Event]) -> Sentence:
    event = next(e for e in events if e.phase.stage is Stage.MARGINAL)
    if event.rule is Rule.UNTESTED:
        return say("There are too few rows to test the pair, so it counts as independent.")
    return say(
        "Separated at the start: judged independent given {set}, p = {p} > alpha = {alpha}.",
        set=Nodes(()),
        p=p_of(event.log_p),
        alpha=setting(event.threshold),
    )


def _side(found: Neighborhoods, t: int, x: int, events: Sequence[Event]) -> Sentence:
    """Explain the result of the search around t for x."""
    a, b = Node(t), Node(x)
    rule = int(found.rule[t, x])
    if rule < SINGLE:
        return say("The run was cancelled before the search around {a} ended.", a=a)
    event = next(e for e in events if (e.phase.stage, e.i, e.j) == (STAGES[rule], t, x))
    values = {"set": Nodes(event.cond), "p": p_of(event.log_p), "alpha": setting(event.threshold)}
    largest = say("largest p = {p} ≤ alpha = {alpha}, given {set}", **values)
    separated = say(_separated(event), **values)
    if rule == SINGLE:
        template = "{b} is not a candidate neighbour of {a}: {separated}."
    elif rule == SMALL_POOL:
        template = "{b} is a neighbour of {a}. There are too few candidates around {a} for further tests ({largest})."
    elif rule == DECENTRALISED:
        template = (
            "The search around {a} missed {b}. However, the search around {b} found {a}, so {b} counts as "
            "a neighbour of {a} (decentralised search; {largest})."
        )
    elif found.candidates[t, x]:
        template = (
            "{b} is a neighbour of {a}. No tested subset of the Markov blanket of {a} separates them ({largest})."
        )
    elif found.blanket[t, x]:
        template = "{b} was found in the Markov blanket of {a}, but not as a neighbour: {separated}."
    else:
        template = "{b} is not in the Markov blanket of {a}: {separated}."
    return say(template, a=a, b=b, separated=separated, largest=largest)


def _separated(event: Event) -> str:
    """Return the template for a test that excluded a partner; with FDR control, p may be below alpha."""
    if event.rule is Rule.UNTESTED:
        return "there are too few rows to test them given {set}, so they count as independent"
    if event.log_p <= math.log(event.threshold):
        return "p = {p} ≤ alpha = {alpha} given {set}, but the control of false discoveries does not reject"
    return "judged independent given {set}, p = {p} > alpha = {alpha}"


def _of_target(found: Neighborhoods, x: int, y: int) -> list[Sentence]:
    """Conclude from the search around one end only."""
    return [] if found.candidates[x, y] or found.candidates[y, x] else [NO_PROOF]


def _of_both(found: Neighborhoods, x: int, y: int, *, searched: bool) -> list[Sentence]:
    """Conclude from both ends on the skeleton, and from the skeleton on the result."""
    one, other = bool(found.candidates[x, y]), bool(found.candidates[y, x])
    if one and other:
        if searched:
            return [say("Each is a neighbour of the other."), ALLOWED]
        return [say("Each is a neighbour of the other, so the edge is in the graph.")]
    barred = [BARRED] if searched else []
    if one or other:
        a, b = (Node(k) for k in ((x, y) if one else (y, x)))
        return [
            say("{b} is a neighbour of {a}, but not the reverse, and an edge requires both.", a=a, b=b),
            *barred,
            NO_PROOF,
        ]
    return [*barred, NO_PROOF]


WHO = {
    Rule.BOTH_HOLD: "{pair} added: each is a neighbour of the other{later}; largest p {p}{given}",
    Rule.TARGET_HOLDS: "{pair} added: a neighbour of the target{later}; largest p {p}{given}",
}
LATER = {  # addition to the sentence, by the step that decided the later end
    Stage.ALONE: say("; one end had too few candidates for further tests"),
    Stage.DECENTRALISED: say("; one end takes it from the other's search"),
}


def event_of_hpc(event: Event) -> Sentence:
    """Describe one event of HPC, or of a search within the skeleton of HPC."""
    if event.rule not in ADJACENCY_RULES or event.action != Action.ADD:
        return event_of_search(event)
    return say(
        WHO[event.rule],
        pair=Edge(event.i, "undirected", event.j),
        later=LATER.get(event.phase.last, ""),
        p=p_of(event.log_p),
        given=only_if(event.cond, say(" given {set}", set=Nodes(event.cond))),
    )


EXPLAINERS = {
    "hpc": Explainer(why_hpc, event_of_hpc),
    "hpc_target": Explainer(why_target, event_of_hpc),
    "h2pc": Explainer(why_within, event_of_hpc, optimum_sentence),
}
