"""Explanations of partitioned runs, solution paths and adaptively restricted searches."""

from __future__ import annotations

import math
from dataclasses import replace

from ...common.sentences import Capitalized, Number, Sentence, Unit, p_of, say, setting
from ...explaining.events import event_of_search, event_of_tests
from ...explaining.hybrid_pairs import why_by_search
from ...explaining.not_added import class_not_added
from ...explaining.pair import Explainer, Pair, Reasons, hardest_first
from ...explaining.scored_pairs import why_by_score
from ...explaining.tested_pairs import own_events, why_by_tests, with_side_tests
from ...results.result import LearnResult
from .alpha_steps import path_of


def why_path(pair: Pair) -> Reasons:
    """Explain a pair of PATH: its tests, then the levels at which it is adjacent."""
    return _with_levels(pair, why_by_tests(pair))


def why_search(pair: Pair) -> Reasons:
    """Explain a pair of pHGS: its search, then the levels at which it is adjacent."""
    return _with_levels(pair, why_by_search(pair))


def _with_levels(pair: Pair, reasons: Reasons) -> Reasons:
    return replace(reasons, sentences=[*reasons.sentences, why_levels(pair.result, pair.x, pair.y)])


def why_levels(result: LearnResult, x: int, y: int) -> Sentence:
    """State Φ, and the levels of alpha at which the tests leave the pair adjacent."""
    evidence = path_of(result)
    log_phi, cond = float(evidence.log_phi[x, y]), evidence.hardest.between(x, y)
    if math.isnan(log_phi) or cond is None:
        return say("This pair was not tested, so no level of alpha changes its edge.")
    values = {"alpha": setting(result.params["alpha"]), "phi": p_of(log_phi)}
    log_chosen = float(evidence.path.log_alphas[evidence.path.choice])
    chosen = Number(log_chosen, Unit.LOG_LEVEL)
    if log_phi > math.log(result.params["alpha"]):
        return say(
            "Its largest p, Φ = {phi}, exceeds {alpha}, so the tests separate the pair at any lower alpha.",
            **values,
        )
    return say(
        (
            "The tests keep it at each alpha from {alpha} to its largest p, Φ = {phi}. They remove it at "
            "the chosen {chosen}."
        )
        if log_phi > log_chosen
        else "The tests keep it at any alpha from {alpha} down to its largest p, Φ = {phi}; {chosen} was chosen.",
        chosen=chosen,
        **values,
    )


def why_adaptive(pair: Pair) -> Reasons:
    """Explain a pair in an ARGES result: whether the search could add it, and which moves changed it."""
    events = own_events(pair)
    searched = why_by_score(pair, events, class_not_added)
    return with_side_tests(pair, [_admission(pair), *searched], next(iter(hardest_first(events)), None))


def _admission(pair: Pair) -> Sentence:
    """State whether the search was allowed to add the pair, and the result of the tests."""
    extra, params, at = pair.result.extra, pair.result.params, (pair.x, pair.y)
    log_p, alpha = float(extra.log_p[at]), params["alpha"]
    inside, given_rest = extra.restriction.skeleton[at], params.get("restriction") == "cig"
    if inside:
        free = say("the search could add this edge")
    elif given_rest:
        free = say("the search could add this edge only to shield a v-structure")
    else:
        free = say("the search could add this edge only to shield an unshielded triple")
    if math.isnan(log_p):
        return say("{free}.", free=Capitalized(free))
    return say(
        "Given all other columns, p = {p} {sign} alpha = {alpha}, so {free}."
        if given_rest
        else "The largest p of their tests is {p} {sign} alpha = {alpha}, so {free}.",
        p=p_of(log_p),
        sign="≤" if log_p <= math.log(alpha) else ">",
        alpha=setting(alpha),
        free=free,
    )


EXPLAINERS = {
    "ppc": Explainer(why_by_tests, event_of_tests),
    "path": Explainer(why_path, event_of_tests),
    "phgs": Explainer(why_search, event_of_search),
    "arges": Explainer(why_adaptive, event_of_search),
}
