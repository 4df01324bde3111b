"""The page of a comparison: the edges of either graph, the replays of both runs, and both explanations of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from learners.common.version import __version__
from learners.explaining.explanation import explanation
from learners.recipes.comparison import BOTH, Comparison
from learners.recipes.replay_file import Replay, replay
from learners.sweeping.causes import causes
from learners.sweeping.reasons import difference

from ..compare.overlay import difference_view
from ..compare.tables import edge_by_edge
from ..evidence_table import COLUMNS, evidence_rows
from ..kinds import layout_graph
from ..layout.positions import layout
from ..legend import caveat_of
from ..tables import TYPES
from ..text import count
from ..translation.sentences import catalog
from ..weak_evidence import determined_pairs, doubted_arrows
from .contents import MAX_ROWS, facts_of, named, orders_of, table_pack, warnings_of
from .explanations import LANGUAGES, MAX_PAIRS, explained_pairs
from .page import html_of
from .views import View, run_view

MAX_DIFFERENCES = 200  # maximum number of differing pairs whose causes are explained
Pair = tuple[int, int]


def comparison_html(comparison: Comparison) -> str:
    """Return the page as text."""
    return html_of(" and ".join(comparison.labels), _packs(comparison))


def _packs(comparison: Comparison) -> dict[str, Mapping]:
    """Return the packs of the page by name, as `contents.packs_of` does for a replay."""
    replays = {
        label: replay(result, comparison.dataset)
        for label, result in zip(comparison.labels, (comparison.a, comparison.b), strict=True)
    }
    table, pairs = _table(comparison), _pairs(comparison)
    page = {
        "title": " and ".join(comparison.labels),
        "lead": comparison.summary,
        "names": comparison.a.names,
        "views": [
            {"label": view.label, "graph": named(view, k), "base": None}
            for k, view in enumerate(_views(comparison, replays))
        ],
        "first": 0,
        "orders": orders_of(comparison.a),
        "types": TYPES,
        "tables": [table],
        "languages": LANGUAGES,
        "caveat": caveat_of(comparison.a.graph, several=True),
        "warnings": [f"{label}: {text}" for label, one in replays.items() for text in warnings_of(one)],
        "facts": _facts(replays),
        "omitted": _omitted(comparison, table, len(pairs)),
        "recipe": "",
        "has_data": False,
    }
    return {"page": page, **_explanations(comparison, pairs), **{f"reasons-{one}": [] for one in LANGUAGES}}


def _views(comparison: Comparison, replays: Mapping[str, Replay]) -> Iterator[View]:
    """Yield the picture of the differences, and the steps of each run, with the same positions."""
    a, b, names = comparison.a, comparison.b, comparison.a.names
    positions = layout(layout_graph(a))
    determined = determined_pairs((a, b), names)
    doubted = doubted_arrows(a, names), doubted_arrows(b, names)
    yield View(BOTH, difference_view(a.graph, b.graph, names, positions, comparison.labels, determined, doubted))
    for label, one in replays.items():
        yield View(label, run_view(one, positions))


def _table(comparison: Comparison) -> dict[str, Any]:
    """Return the marks of each pair in both graphs, and whether they agree."""
    names, (a, b) = comparison.a.names, comparison.labels
    determined = determined_pairs((comparison.a, comparison.b), names)
    doubted = {a: doubted_arrows(comparison.a, names), b: doubted_arrows(comparison.b, names)}
    rows = edge_by_edge({a: comparison.a.graph, b: comparison.b.graph}, names, None, determined, doubted)
    return table_pack("Edge by edge", rows[:MAX_ROWS], max(0, len(rows) - MAX_ROWS))


def _pairs(comparison: Comparison) -> list[Pair]:
    """Return the pairs to explain: all if possible, else those that either run would explain first."""
    found = {pair for one in (comparison.a, comparison.b) for pair in explained_pairs(one, MAX_PAIRS)}
    return sorted(found)


def _explanations(comparison: Comparison, pairs: list[Pair]) -> dict[str, Mapping[str, Any]]:
    """Return the texts of each pair in each language, and the tests of both runs."""
    results = dict(zip(comparison.labels, (comparison.a, comparison.b), strict=True))
    reasons = {
        pair: difference(chain, comparison.a, comparison.b, comparison.labels)
        for pair, chain in causes(comparison.a, comparison.b, _different(comparison)).items()
    }
    texts: dict[str, list[tuple[str, ...]]] = {language: [] for language in LANGUAGES}
    tests = []
    for pair in pairs:
        records = {label: explanation(result, pair, comparison.dataset) for label, result in results.items()}
        tests.append([(label, *row) for label, one in records.items() for row in evidence_rows(one)])
        for language, own in texts.items():
            written = {label: one.written(catalog(language)) for label, one in records.items()}
            why = reasons[pair].written(catalog(language)) if pair in reasons else ()
            own.append(_joined(written, why))
    packs = {f"texts-{language}": {"pairs": pairs, "texts": own} for language, own in texts.items()}
    return packs | {"tests": {"columns": ("run", *COLUMNS), "rows": tests}}


def _joined(written: Mapping[str, tuple[str, ...]], why: tuple[str, ...]) -> tuple[str, ...]:
    """Return the claim of a pair and its sentences: why the graphs differ, and what each run says."""
    claims = [claim for claim, *_ in written.values()]
    if why:
        own = [" ".join((f"{label}:", claim, *first[:1])) for label, (claim, *first) in written.items()]
        return why[0], *why[1:], *own
    if claims[0] == claims[1]:
        return claims[0], *(" ".join((f"{label}:", *first)) for label, (_, *first) in written.items() if first)
    first, second = (f"{label}: {' '.join(texts)}" for label, texts in written.items())
    return first, second


def _different(comparison: Comparison) -> list[Pair]:
    """Return the pairs whose edges differ, at most `MAX_DIFFERENCES`."""
    position = {name: k for k, name in enumerate(comparison.a.names)}
    found = [pair for pair, verdict in comparison.verdicts.items() if verdict != "equal"]
    return [(position[a], position[b]) for a, b in found[:MAX_DIFFERENCES]]


def _facts(replays: Mapping[str, Replay]) -> list[tuple[str, str]]:
    """Return the facts about both runs, such as learner and data, each with the label of its run."""
    of_all = [("Made with", f"Edgewise {__version__}")]
    return of_all + [
        (f"{label}: {name}", value) for label, one in replays.items() for name, value in facts_of(one)[len(of_all) :]
    ]


def _omitted(comparison: Comparison, table: Mapping[str, Any], explained: int) -> list[str]:
    """Return a sentence for each part that the page omits."""
    p, omitted = len(comparison.a.names), ["The rows of the data are not included."]
    n_pairs = p * (p - 1) // 2
    different = sum(verdict != "equal" for verdict in comparison.verdicts.values())
    if explained < n_pairs:
        omitted.append(f"{n_pairs - explained:,} of {n_pairs:,} pairs are not explained.")
    if different > MAX_DIFFERENCES:
        omitted.append(f"The causes of {count(different - MAX_DIFFERENCES, 'difference')} are not explained.")
    if table["omitted"]:
        omitted.append(f"The table “{table['label']}” lacks its last {count(table['omitted'], 'row')}.")
    return omitted
