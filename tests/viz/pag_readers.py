"""Readers of PAGs from every view and file of a result."""

from __future__ import annotations

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np

from learners.graphs.pag import PAG
from learners.io import interchange
from learners.io.dagitty import to_dagitty
from learners.io.edge_csv import to_adjacency_csv, to_edge_csv
from learners.results.result import LearnResult
from tests.viz.test_pyvis_network import contents, page_of
from viz.tables import ASSUMES_ENDS, LISTED, edge_rows, sentence_list

SHOWN = {"o—o": "o-o", "o→": "o->", "←o": "<-o", "↔": "<->", "→": "->"}
WORDS = {"forward": "->", "backward": "<-", "bidirected": "<->", "circles": "o-o"}
WORDS |= {"circle-forward": "o->", "circle-backward": "<-o"}
ENDS_OF_DOT = {"odot": "o", "none": "", "normal": ">"}


def places(result: LearnResult) -> dict[str, int]:
    return {name: k for k, name in enumerate(result.names)}


def pag_of(result: LearnResult, edges: list[tuple[int, str, int]]) -> PAG:
    return PAG.from_ends(len(result.names), edges)


def sign_of(at_start: str, at_end: str) -> str:
    """Return the sign of two ends, each "o", ">" for an arrowhead, or ""."""
    return f"{at_start.replace('>', '<')}-{'o' * (at_end == 'o')}{'>' * (at_end == '>')}"


def from_csv(result: LearnResult) -> PAG:
    rows, at = csv.DictReader(io.StringIO(to_edge_csv(result.graph, result.names))), places(result)
    return pag_of(result, [(at[row["from"]], row["type"], at[row["to"]]) for row in rows])


def from_adjacency(result: LearnResult) -> PAG:
    _, *rows = csv.reader(io.StringIO(to_adjacency_csv(result.graph, result.names)))
    return PAG(np.array([row[1:] for row in rows], dtype=int))


def from_dot(result: LearnResult) -> PAG:
    found = re.findall(
        r"n(\d+) -> n(\d+) \[dir=both arrowtail=(\w+) arrowhead=(\w+)\]", interchange.to_dot(result.graph, result.names)
    )
    signs = [(int(i), sign_of(ENDS_OF_DOT[tail], ENDS_OF_DOT[head]), int(j)) for i, j, tail, head in found]
    return pag_of(result, signs)


def from_graphml(result: LearnResult) -> PAG:
    root = ElementTree.fromstring(interchange.to_graphml(result.graph, result.names))
    edges = [one for one in root.iter() if one.tag.endswith("edge")]
    return pag_of(result, [(int(e.get("source")[1:]), e[0].text, int(e.get("target")[1:])) for e in edges])


def from_dagitty(result: LearnResult) -> PAG:
    at = places(result)
    found = re.findall(r'"(.*)" ([@<]?-[@>]?) "(.*)"', to_dagitty(result.graph, result.names))
    return pag_of(result, [(at[a], sign.replace("@", "o"), at[b]) for a, sign, b in found])


def from_tetrad(result: LearnResult) -> PAG:
    at = places(result)
    found = re.findall(r"^\d+\. (.*) (\S+) (.*)$", interchange.to_tetrad(result.graph, result.names), re.MULTILINE)
    return pag_of(result, [(at[a], sign.replace("--", "-"), at[b]) for a, sign, b in found])


def from_page(result: LearnResult) -> PAG:
    def end(edge: dict, name: str) -> str:
        return {"circle": "o", "arrow": ">"}.get(edge["arrows"].get(name, {}).get("type"), "")

    edges = contents(page_of(result))[1]
    return pag_of(result, [(e["from"], sign_of(end(e, "from"), end(e, "to")), e["to"]) for e in edges])


def from_table(result: LearnResult) -> PAG:
    table, at = edge_rows(result).table(), places(result)
    rows = table[["from", "", "to"]].itertuples(index=False)
    return pag_of(result, [(at[a], SHOWN.get(sign) or result.graph.sign(at[a], at[b]), at[b]) for a, sign, b in rows])


def from_words(result: LearnResult) -> PAG:
    """Read the graph from the sentences, which list each edge from both ends."""
    at, found = places(result), {}
    words = {
        text.replace("{s}", s).removesuffix(" {names}"): WORDS[mark] for mark, text in LISTED.items() for s in ("", "s")
    }
    for sentence in sentence_list(result.graph, result.names):
        if sentence == ASSUMES_ENDS or sentence.startswith("No edges"):
            continue
        name = next(one for one in sorted(at, key=len, reverse=True) if sentence.startswith(f"{one}: "))
        for part in sentence.removeprefix(f"{name}: ").rstrip(".").split("; "):
            verb = next(one for one in sorted(words, key=len, reverse=True) if part.startswith(one))
            for other in part.removeprefix(verb).strip().split(", "):
                found[at[name], at[other]] = words[verb]
    assert {(j, i) for i, j in found} == set(found)
    return pag_of(result, [(i, sign, j) for (i, j), sign in found.items() if i < j])


PAG_READERS = (
    from_csv, from_adjacency, from_dot, from_graphml, from_dagitty, from_tetrad, from_page, from_table, from_words
)  # fmt: skip
