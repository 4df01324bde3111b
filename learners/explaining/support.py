"""Sentences on the support of the direction of an arrow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..common.sentences import (
    Capitalized,
    Count,
    Edge,
    Listed,
    Node,
    Number,
    Quoted,
    Sentence,
    caveat,
    only_if,
    percent,
    probability,
    say,
)
from ..common.wording import MAX_LISTED_NAMES, one_line, quoted
from ..data.determination import DeterminedGroup, determination_of
from ..graphs.graph import PDAG
from ..graphs.pag import CIRCLE, PAG
from ..results.directions import MAX_SURE_STEPS, STRONG_EVIDENCE, SURE_SHARE, Direction, Support
from ..results.result import LearnResult, judging_score

SCORE_NAMES = {"bdeu": "BDeu", "bic": "BIC", "basis": "BIC of basis functions"}
MAX_LOG_ODDS = math.log(999_500)  # maximum log odds that are shown as a number
# Support of a direction by the evidence. A share of resamples is stability: they repeat the errors of their rows.
STRONG, WEAK, CONFLICTING, WEAKLY_CONTRADICTED, CONTRADICTED, STABLE, UNSTABLE = range(7)
LEADS = (
    "If there are no hidden common causes, its direction is strongly supported. {reason}.",
    "Its direction is weakly supported. {reason}.",
    "The evidence on its direction conflicts. {reason}.",
    "Weak evidence contradicts its direction. {reason}.",
    "Strong evidence contradicts its direction. {reason}.",
    "Its direction is stable. {reason}.",
    "Its direction is not shown to be stable. {reason}.",
)
CLAIM = (
    "If the arrow is right, {head} does not cause {tail}. If no common cause is hidden either, {tail} causes {head}."
)


def support_sentences(result: LearnResult, i: int, j: int) -> list[Sentence]:
    """Return sentences on the support of the direction between i and j, with its evidence."""
    direction = direction_of(result, i, j, result.graph.mark(i, j))
    if direction is None or direction.support in (Support.KNOWN, Support.DETERMINED):
        return []
    if direction.support is Support.NOT_JUDGED:
        return [say("The support of its direction cannot be assessed for these data.")]
    return [say(LEADS[evidence_on(direction)], reason=Capitalized(support_reason(result, direction)))]


def evidence_on(direction: Direction) -> int:
    """Return the support of a direction: `STRONG`, `WEAK`, ... or, if resamples judge it, `STABLE` or `UNSTABLE`.

    It conflicts if the opposite v-structure was found as well, and the odds do not decide.
    """
    odds = direction.premise.evidence if direction.premise is not None and direction.share is None else 0.0
    if direction.is_of_resamples:
        return STABLE if direction.support is Support.CLEAR else UNSTABLE if direction.share < SURE_SHARE else WEAK
    if direction.support is Support.CLEAR:
        return STRONG
    if direction.support is Support.CONTESTED:
        return CONTRADICTED if odds < -STRONG_EVIDENCE else CONFLICTING
    return WEAKLY_CONTRADICTED if odds < 0.0 and not direction.is_refused_otherwise else WEAK


def is_contradicted(direction: Direction) -> bool:
    """Return True if the evidence on a direction, strong or weak, is against it."""
    return evidence_on(direction) in (WEAKLY_CONTRADICTED, CONTRADICTED)


def arrow_sentences(result: LearnResult, i: int, j: int) -> list[Sentence]:
    """Return sentences on the causal claim of an arrow, the safer part first; none unless the data gave the direction.

    A direction without strong support is called too uncertain; one that strong evidence contradicts gives no sentence.

    With hidden common causes, the head of an arrow was right more often than its tail: in tables of 20 variables
    without the three with the most effects, 2 % of BOSS's arrowheads and 40 % of its arrows were wrong.
    """
    direction = direction_of(result, i, j, result.graph.mark(i, j))
    if direction is None or direction.support in (Support.KNOWN, Support.DETERMINED) or isinstance(result.graph, PAG):
        return []
    if evidence_on(direction) == CONTRADICTED:
        return []
    if direction.support is not Support.CLEAR:
        return [caveat("The direction is too uncertain to say which of the two may be the cause.")]
    tail, head = (i, j) if result.graph.mark(i, j) == "forward" else (j, i)
    return [
        caveat(
            CLAIM,
            tail=Node(tail),
            head=Node(head),
        )
    ]


def direction_of(result: LearnResult, i: int, j: int, mark: str) -> Direction | None:
    """Return the direction record of an edge, or None if the edge is not drawn as in the result."""
    if mark not in ("forward", "backward") or result.graph.mark(i, j) != mark:
        return None
    return result.directions.get((i, j) if mark == "forward" else (j, i))


def support_reason(result: LearnResult, direction: Direction) -> Sentence:
    """Return the evidence for or against a direction, as a clause."""
    score = SCORE_NAMES[judging_score(result)] if result.rows is not None and result.rows.kind else ""
    if direction.left_out:
        column = Quoted([direction.left_out])
        return say(
            "{column} was left out by choice; in place of another column, it may change the direction", column=column
        )
    if direction.follows_from:
        tail, head = direction.follows_from
        return say("it follows from {arrow}, which is no more certain", arrow=Edge(tail, "forward", head))
    if direction.share is not None:
        return _share_reason(direction)
    if direction.is_refused_otherwise and evidence_on(direction) != CONTRADICTED:
        return say("a v-structure with the opposite direction was also found, and rejected")
    if direction.premise is None:
        return say("no v-structure of the graph implies it")
    # If `limited`, the evidence for the direction is strong, and something else limits its support.
    limited = direction.support is Support.WEAK and direction.premise.evidence > STRONG_EVIDENCE
    if limited and direction.edge_is_weak:
        return say("the edge itself is weakly supported ({odds})", odds=odds_of(direction.edge, score))
    if limited and direction.near_differ:
        return say("graphs with nearly the same score give the edge another direction")
    if limited:
        return say(
            "it follows from other arrows in {steps}; beyond {few}, errors accumulate",
            steps=Count(direction.steps, "step"),
            few=MAX_SURE_STEPS,
        )
    return say("{basis} ({odds})", basis=_basis(direction), odds=odds_of(direction.premise.evidence, score))


def _share_reason(direction: Direction) -> Sentence:
    """Return the share of resamples or of posterior probability that has an edge and its direction, as a clause."""
    limit, of_probability = percent(SURE_SHARE), direction.of_probability
    if direction.share >= SURE_SHARE and direction.edge_is_weak:
        if of_probability:
            return say("the edge has P = {p}, less than {limit}", p=probability(direction.edge_share), limit=limit)
        share = _below(direction.edge_share)
        return say("only {share} of the resamples have this edge (less than {limit})", share=share, limit=limit)
    below = direction.share < SURE_SHARE
    values = {
        "share": _below(direction.share) if below else percent(direction.share),
        "limit": only_if(below, say(" (less than {limit})", limit=limit)),
    }
    if of_probability:
        return say("graphs that compel it have {share} of the probability of the edge{limit}", **values)
    return say("{share} of the resamples with this edge have this direction{limit}", **values)


def _below(share: float) -> Number:
    """Return a share below the limit in percent, rounded down where it would otherwise be rounded up to the limit."""
    limit = round(100 * SURE_SHARE)
    return percent((limit - 1) / 100 if round(100 * share) >= limit else share)


def _basis(direction: Direction) -> Sentence:
    premise = direction.premise
    values = {"i": Node(premise.i), "k": Node(premise.k), "j": Node(premise.j)}
    if direction.steps:
        template = "it follows from other arrows; the least certain of them rests on the v-structure {i} → {k} ← {j}"
        if not premise.collider:
            template = (
                "it follows from other arrows; the least certain of them assumes that {k} is no collider between {i} "
                "and {j}"
            )
    elif premise.collider:
        template = "it is part of the v-structure {i} → {k} ← {j}"
    else:
        template = "{k} is no collider between {i} and {j}"
    return say(template, **values)


def odds_of(found: float, score: str = "") -> Sentence:
    """Return the Bayes factor as odds with three significant digits; if they are strong, with their condition.

    `score` names the score that they come from; empty for the score of the run.
    """
    by = only_if(bool(score), say(" by {score}", score=score))
    if abs(found) >= MAX_LOG_ODDS:
        template = "odds over a million to 1 in favour{by}" if found >= 0 else "odds over a million to 1 against{by}"
        odds = say(template, by=by)
    else:
        template = "odds {odds} to 1 in favour{by}" if found >= 0 else "odds {odds} to 1 against{by}"
        odds = say(template, odds=Number(math.exp(abs(found))), by=by)
    if abs(found) <= STRONG_EVIDENCE:
        return say("{odds}; 20 to 1 is strong", odds=odds)
    return say("{odds}, if the model of the score holds", odds=odds)


# Prefixes of sentences about direction; dropped for pairs that a function links.
ON_DIRECTION = (
    "It points ",
    "It pointed ",
    "The rules imply both directions",
    "The graph marks this with two hollow",
    "The v-structure ",
    "All DAGs of this equivalence class share",
    "Its direction ",
    "Weak evidence contradicts its direction",
    "Strong evidence contradicts its direction",
    "The evidence on its direction",
    "The support of its direction",
)


def determination(result: LearnResult, i: int, j: int) -> DeterminedGroup | None:
    """Return the group in which one of two variables determines the other, or None."""
    return determination_of(result.determined, i, j)


def is_determined(result: LearnResult, i: int, j: int) -> bool:
    """Return True if the pair has no direction, because one of the two determines the other."""
    if determination(result, i, j) is None:
        return False
    direction = direction_of(result, i, j, result.graph.mark(i, j))
    return direction is None or direction.support is not Support.KNOWN


def directed_graph(result: LearnResult, graph: PDAG | None = None) -> PDAG:
    """Return the graph of a result with undirected edges (o-o in a PAG) between variables that determine one another.

    `graph` is that of a step, by default the last one.
    """
    graph = result.graph if graph is None else graph
    if isinstance(graph, PAG):
        marks = graph.marks.copy()
        for i, j in graph.edges():
            if is_determined(result, i, j):
                marks[i, j] = marks[j, i] = CIRCLE
        return PAG(marks)
    amat = graph.amat.copy()
    for i, j in graph.directed_edges():
        amat[j, i] = is_determined(result, i, j)
    return PDAG(amat)


def edge_counts(result: LearnResult, graph: PDAG | None = None) -> tuple[int, int, int]:
    """Return how many edges are directed, bidirected (only in a PAG), and open, as they are drawn.

    `graph` is that of a step, by default the last one. An edge of a PAG is open if it has a circle.
    """
    graph = directed_graph(result, graph)
    marks = [graph.mark(i, j) for i, j in graph.edges()]
    directed, bidirected = len(graph.directed_edges()), marks.count("bidirected")
    return directed, bidirected, len(marks) - directed - bidirected


def determined_sentences(result: LearnResult, i: int, j: int) -> list[Sentence]:
    """Return the reason why the pair has no direction; none if it may have one."""
    if not is_determined(result, i, j):
        return []
    relation = relation_clause(determination(result, i, j), result.names)
    template = "{relation}. The data cannot direct an edge between them."
    if result.graph.mark(i, j) == "none":
        template = "{relation}. Tests and scores cannot judge an edge between them."
    return [say(template, relation=relation)]


def relation_clause(group: DeterminedGroup, names: Sequence[str]) -> Sentence:
    """Return `DeterminedGroup.sentence` as a record."""
    listed = [say("{name}", name=_quoted(names[k])) for k in group.by[:MAX_LISTED_NAMES]]
    if len(group.by) > MAX_LISTED_NAMES:
        listed.append(say("{n} more", n=f"{len(group.by) - MAX_LISTED_NAMES:,}"))
    by = Listed(listed, ", ", " and ")
    return say(group.template, target=_quoted(names[group.target]), by=by)


def _quoted(name: str) -> str:
    return one_line(quoted([name]))


def without_directions(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Drop the sentences on a direction."""
    return [one for one in sentences if not one.template.startswith(ON_DIRECTION) and "compelled" not in one.template]
