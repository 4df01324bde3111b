"""Explanations of partitioned runs, solution paths and adaptively restricted searches."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from ..explaining.events import event_of_search, event_of_tests
from ..explaining.pair import Explainer, Pair, Reasons, hardest_first
from ..explaining.record import Nodes, Number, Sentence, Unit, p_of, say, setting
from ..explaining.restricted_search import why_by_search
from ..explaining.search import class_not_added, why_by_score
from ..explaining.separation import own_events, why_by_tests, with_side_tests
from ..results.result import LearnResult
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
    """State Φ, its conditioning set, and the levels at which the pair is adjacent."""
    evidence = path_of(result)
    log_phi, cond = float(evidence.log_phi[x, y]), evidence.hardest.between(x, y)
    if math.isnan(log_phi) or cond is None:
        return say("This pair was not tested, so no level of alpha changes its edge.")
    alpha = result.params["alpha"]
    log_chosen = float(evidence.path.log_alphas[evidence.path.choice])
    if log_phi > math.log(alpha):
        ending = "above {alpha}, the level of the run, so the edge is absent at every lower level."
    else:
        chosen = "so no longer" if log_phi > log_chosen else "so also"
        ending = f"the edge is present at every alpha from {{alpha}} down to Φ, {chosen} at the chosen {{chosen}}."
    return say(
        f"Φ = {{phi}}, the largest p of its tests (given {{set}}): {ending}",
        phi=p_of(log_phi),
        set=Nodes(cond),
        alpha=setting(alpha),
        chosen=Number(log_chosen, Unit.LOG_LEVEL),
    )


def why_adaptive(pair: Pair) -> Reasons:
    """Explain a pair of ARGES: whether the search could add it, and its moves."""
    events = own_events(pair)
    searched = why_by_score(pair, events, partial(class_not_added, tests=say("the tests, ")))
    return with_side_tests(pair, [_admission(pair), *searched], next(iter(hardest_first(events)), None))


def _admission(pair: Pair) -> Sentence:
    """State whether the search was allowed to add the pair, and the result of the tests."""
    extra, params, at = pair.result.extra, pair.result.params, (pair.x, pair.y)
    log_p, alpha = float(extra.log_p[at]), params["alpha"]
    inside, given_rest = extra.restriction.skeleton[at], params.get("restriction") == "cig"
    triple = "a v-structure" if given_rest else "an unshielded triple"
    free = "could add this edge" if inside else f"could add this edge only to shield {triple}"
    if math.isnan(log_p):
        return say(f"The search {free}.")
    sign = "≤" if log_p <= math.log(alpha) else ">"
    tested = "Given all other columns p = {p}" if given_rest else "The largest p of their tests is {p}"
    return say(f"{tested} {sign} alpha = {{alpha}}, so the search {free}.", p=p_of(log_p), alpha=setting(alpha))


EXPLAINERS = {
    "ppc": Explainer(why_by_tests, event_of_tests),
    "path": Explainer(why_path, event_of_tests),
    "phgs": Explainer(why_search, event_of_search),
    "arges": Explainer(why_adaptive, event_of_search),
}
