"""The explanations of the pairs of a run, and of differences at other values of a swept parameter, in each language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from learners.common.progress import Stopped, Tick, silent
from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.results.result import LearnResult
from learners.sweeping.causes import causes
from learners.sweeping.changes import changes
from learners.sweeping.reasons import difference

from ..evidence_table import COLUMNS, evidence_rows
from ..translation.sentences import LANGUAGES, catalog
from .views import View

MAX_PAIRS = 5_000  # maximum number of explained pairs: all pairs of 100 variables
EXPLAINING = "explaining pairs"  # phase of the tick
PAIRS_A_TICK = 10  # explanations between two ticks, some milliseconds each
MAX_EDGES = 30  # maximum number of differing edges explained at each value of a swept parameter


def explained_pairs(result: LearnResult, most: int) -> list[tuple[int, int]]:
    """Return at most `most` pairs i < j to explain: all if possible, else first edges, then pairs with late events."""
    p = len(result.names)
    if p * (p - 1) // 2 <= most:
        return list(combinations(range(p), 2))
    return sorted({pair: None for pair, _ in zip(_in_order(result), range(most), strict=False)})


def _in_order(result: LearnResult) -> Iterator[tuple[int, int]]:
    """Yield each pair once: edges, then pairs of the trace from its end, then the others."""
    trace, known = result.trace, set()
    ends = zip(trace.i[::-1].tolist(), trace.j[::-1].tolist(), strict=True)
    for source in (result.graph.edges(), ends, combinations(range(len(result.names)), 2)):
        for a, b in source:
            pair = (min(a, b), max(a, b))
            if pair not in known and a != b:
                known.add(pair)
                yield pair


def n_explained(result: LearnResult) -> int:
    """Return the number of pairs that the file explains."""
    p = len(result.names)
    return min(p * (p - 1) // 2, MAX_PAIRS)


def explanation_packs(
    result: LearnResult, dataset: Dataset | None, most: int, tick: Tick = silent
) -> Mapping[str, Mapping[str, Any]]:
    """Return a pack for each language, and one with the tests of each pair.

    A pack of a language has the ``pairs`` and their ``texts``: for each pair the claim and its sentences, as
    `Explanation.written` returns them. The pack of tests has ``columns`` and, for each pair, ``rows``. Raises `Stopped`
    if the tick cancels.
    """
    pairs = explained_pairs(result, most)
    texts: dict[str, list[tuple[str, ...]]] = {language: [] for language in LANGUAGES}
    rows = []
    for done, pair in enumerate(pairs):
        if done % PAIRS_A_TICK == 0 and not tick(EXPLAINING, done, len(pairs)):
            raise Stopped
        found = explanation(result, pair, dataset)
        rows.append(evidence_rows(found))
        for language, own in texts.items():
            own.append(found.written(catalog(language)))
    packs = {f"texts-{language}": {"pairs": pairs, "texts": own} for language, own in texts.items()}
    return packs | {"tests": {"columns": COLUMNS, "rows": rows}}


def reason_packs(result: LearnResult, views: Sequence[View], tick: Tick = silent) -> tuple[dict[str, list[Any]], int]:
    """Return a pack for each language, and the number of differences that are not explained.

    A pack lists ``[view, step, a, b, texts]``: the position of the slider, its step, the pair a < b, and why its edge
    differs from that of the run. Raises `Stopped` if the tick cancels.
    """
    packs: dict[str, list[Any]] = {f"reasons-{language}": [] for language in LANGUAGES}
    omitted = 0
    for number, view in enumerate(views):
        ticks, axis = view.data["steps"].get("ticks", ()), view.data["steps"].get("axis_label", "")
        for step, other in sorted(view.results.items()):
            if not tick("explaining differences", step, view.data["steps"]["count"]):
                raise Stopped
            found = changes(result.graph, other.graph)
            pairs = sorted((*found.more, *found.fewer, *found.turned))
            omitted += max(0, len(pairs) - MAX_EDGES)
            labels = (f"{axis} {ticks[view.base]}".strip(), f"{axis} {ticks[step]}".strip())
            for pair, chain in causes(result, other, pairs[:MAX_EDGES]).items():
                reason = difference(chain, result, other, labels)
                for language in LANGUAGES:
                    packs[f"reasons-{language}"].append([number, step, *pair, reason.written(catalog(language))])
    return packs, omitted
