"""Test cases to draw and explain: learned results of every kind, and results made event by event."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from learners.explaining.explanation import event_sentence
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.graphs.rules import Rule
from learners.graphs.sepsets import Sepsets
from learners.networks.random_networks import random_dag, random_discrete_network, random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import learn
from learners.results.events import Action, Event
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult, Strengths
from learners.results.trace import TraceBuilder

SEEDS = range(12)
HOSTILE = (
    "<script>fetch('//evil.example/a')</script>",
    "</script><script>window.ran = 1</script>",
    '<a href="https://evil.example">x</a>',
    "href",
    "<b>bold</b><br>",
    "a\"b'c`d\\e",
    "two\nlines\r\nand\ttab",
    "x" * 200,
    "x" * 199 + "y",
    "Größe 😀 日本語",
    "$x^2$ %{x} {{7*7}} ${y}",
    "=1+1",
    "1st",
    "**a** [b](http://c.example) :red[d] www.evil.example",
    "&lt;b&gt; &amp;",
    "\u202eright to left",
)


@cache
def learnt(seed: int) -> LearnResult:
    """Return a PC run on little data.

    Even seeds are categorical, odd ones continuous; some runs have knowledge, some are cancelled.
    """
    rng = np.random.default_rng(seed)
    p = int(rng.integers(4, 9))
    if seed % 2:
        network = random_gaussian_network(p, min(1.6 * p, p * (p - 1) / 2), seed)
    else:
        network = random_discrete_network(random_dag(p, 2.5, seed), 2, seed, 0.4)
    dataset = sample(network, int(rng.integers(40, 600)), seed)
    calls = iter(range(1000))
    limit = int(rng.integers(1, 4)) if seed % 4 == 3 else 1000
    return learn(
        "pc",
        dataset,
        knowledge=_knowledge(rng, dataset.names) if seed % 3 == 2 else None,
        tick=lambda *_: next(calls) < limit,
        alpha=0.2,
        **({"rows_per_cell": 5.0} if seed % 6 == 4 else {}),
    )


def _knowledge(rng: np.random.Generator, names: tuple[str, ...]) -> Knowledge:
    a, b, c, d = rng.permutation(names)[:4].tolist()
    return Knowledge(required=((a, b),), forbidden=((c, d), (d, c), (a, c)), tiers={b: 1, d: 0})


def made(
    events: Iterable[dict[str, Any]],
    *,
    p: int = 3,
    complete: bool = True,
    names: tuple[str, ...] = (),
    kind: str = "tests",
) -> LearnResult:
    """Return a result with these events after the complete graph; see `TraceBuilder.add` for their fields."""
    builder = TraceBuilder(PDAG.complete(p))
    for event in events:
        builder.add(**({"phase": Phase(Stage.LEVEL, size=0), "rule": Rule.TEST} | event))
    trace = builder.build()
    values = np.full((p, p), math.nan)
    for event in trace:
        values[[event.i, event.j], [event.j, event.i]] = event.log_p / math.log(10)
    return LearnResult(
        graph=trace.graph_at(len(trace.changes)),
        names=names or tuple("abcdefgh"[:p]),
        method="pc",
        kind=kind,
        params={"alpha": 0.05},
        n_tests=int(trace.n_tests.sum()),
        n_scores=0,
        seconds=0.0,
        score=None,
        sepsets=Sepsets.from_entries(p, []),
        strengths=Strengths("log10 of the largest p", values, larger_is_stronger=False),
        trace=trace,
        complete=complete,
    )


def sentence_of(event: Event, result: LearnResult) -> str:
    """Return the sentence on an event in the line below the slider."""
    return event_sentence(result, event).text(result.names)


def judged(
    action: Action, i: int, j: int, log_p: float, cond: tuple[int, ...] = (), n_tests: int = 1, **more: Any
) -> dict:
    """Return an event that sums up tests of a pair, in the form that `made` accepts."""
    numbers = {"statistic": 3.5, "dof": 1.0, "threshold": 0.05}
    return {"action": action, "i": i, "j": j, "cond": cond, "log_p": log_p, "n_tests": n_tests} | numbers | more


def level(size: int) -> Phase:
    """Return the phase of tests given sets of `size` variables."""
    return Phase(Stage.LEVEL, size=size)


def oriented(i: int, j: int, rule: Rule, cond: tuple[int, ...] = (), action: Action = Action.ORIENT) -> dict:
    """Return an event about a direction, in the form that `made` accepts."""
    return {"phase": Phase(Stage.MEEK_RULES), "action": action, "i": i, "j": j, "cond": cond, "rule": rule}
