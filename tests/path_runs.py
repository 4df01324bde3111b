"""Runs of PATH and pHGS for tests."""

from __future__ import annotations

from functools import cache

from learners.graphs.knowledge import BoundKnowledge, Knowledge
from learners.io.samples import load_network
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import learn
from learners.results.result import LearnResult

P = 20
CASES = ("path", "pc skeleton", "to zero", "knowledge", "numbers", "phgs", "phgs knowledge")
SETTINGS = {"pc skeleton": {"skeleton": "pc"}, "to zero": {"alpha_min": 0.0, "tau": 6}}


@cache
def dataset(numbers: bool = False):
    if numbers:
        return sample(random_gaussian_network(P, 24, 3), 200, 4)
    return sample(load_network("child"), 500, 3)


@cache
def known(case: str) -> Knowledge | None:
    """Return knowledge with a required edge, a forbidden pair and a forbidden direction."""
    if "knowledge" not in case:
        return None
    a, b, c, d, e, f = dataset().names[:6]
    return Knowledge(required=((a, f),), forbidden=((b, c), (c, b), (e, b)), tiers={d: 1})


def bound(case: str) -> BoundKnowledge:
    return known(case).bind(dataset().names) if known(case) else BoundKnowledge.none(P)


@cache
def learnt(case: str) -> LearnResult:
    key = "phgs" if case.startswith("phgs") else "path"
    return learn(key, dataset(case == "numbers"), knowledge=known(case), **SETTINGS.get(case, {}))


def cancelled() -> LearnResult:
    """Return a run that was cancelled before its solutions."""
    calls = iter(range(100))
    return learn("path", dataset(), tick=lambda *_: next(calls) < 1)
