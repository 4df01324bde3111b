"""Everything shown equals the result, for every learner on every sample that it accepts.

The graph at the last step, its matrix, table, sentences and downloads are the result. The graph of every step is the
previous one with one event applied.
"""

from __future__ import annotations

import csv
import io
import re
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest

from learners.data.dataset import Dataset
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.io import interchange
from learners.io.dagitty import to_dagitty
from learners.io.edge_csv import read_edge_csv, to_adjacency_csv, to_edge_csv
from learners.io.samples import SAMPLES, load_sample
from learners.registry import LEARNERS, learn
from learners.results.events import Action
from learners.results.result import LearnResult, metadata
from tests.viz.pag_readers import PAG_READERS
from tests.viz.test_kinds import DATA, FEW, drawn
from tests.viz.test_pyvis_network import contents, page_of
from viz.kinds import kind_of, timeline
from viz.matrix import _cells
from viz.tables import edge_rows, sentence_list

ROWS = 400  # rows of each sample: the test is independent of the quality of the results
MAX_STEPS = 60  # steps of a run to check, evenly spread
NUMBERED = re.compile(r"n(\d+) -> n(\d+)( \[dir=none\])?;")


@cache
def rows_of(sample: str) -> Dataset:
    """Return the first rows of a sample, or all rows of the mixed sample with missing values."""
    if SAMPLES[sample].kind == "mixed":
        return DATA["mixed"]
    data = load_sample(sample).dataset
    if data.codes is not None:
        return Dataset.from_codes(data.codes[:, :ROWS], data.arity, data.names, data.levels)
    return Dataset.from_values(data.values[:ROWS], data.names)


CASES = [
    pytest.param(key, name, id=f"{key} {name}")
    for key, learner in LEARNERS.items()
    for name, sample in SAMPLES.items()
    if sample.kind in learner.kinds and LEARNERS[key].refusal(rows_of(name)) is None
]


@cache
def learnt(key: str, sample: str) -> LearnResult:
    return learn(key, rows_of(sample), **FEW.get(key, {}))


def of_pairs(result: LearnResult, edges: list[tuple[int, int, bool]]) -> PDAG:
    """Return the graph of pairs (i, j) with a flag for undirected edges."""
    directed = [(i, j) for i, j, both in edges if not both]
    return PDAG.from_edges(len(result.names), directed=directed, undirected=[(i, j) for i, j, both in edges if both])


def from_csv(result: LearnResult) -> PDAG:
    """Read the graph from the edge list, which may have cycles."""
    at = {name: k for k, name in enumerate(result.names)}
    text = to_edge_csv(result.graph, result.names, result.strengths, result.directions)
    rows = csv.DictReader(io.StringIO(text))
    return of_pairs(result, [(at[row["from"]], at[row["to"]], row["type"] == "undirected") for row in rows])


def from_adjacency(result: LearnResult) -> PDAG:
    """Read the graph from the adjacency matrix with names."""
    head, *rows = csv.reader(io.StringIO(to_adjacency_csv(result.graph, result.names)))
    assert tuple(head[1:]) == result.names
    return PDAG(np.array([row[1:] for row in rows], dtype=int))


def from_dot(result: LearnResult) -> PDAG:
    """Read the graph from Graphviz."""
    found = NUMBERED.findall(interchange.to_dot(result.graph, result.names))
    return of_pairs(result, [(int(i), int(j), bool(both)) for i, j, both in found])


def from_graphml(result: LearnResult) -> PDAG:
    """Read the graph from GraphML."""
    root = ElementTree.fromstring(interchange.to_graphml(result.graph, result.names, result.strengths))
    edges = [one.attrib for one in root.iter() if one.tag.endswith("edge")]
    ends = [(int(e["source"][1:]), int(e["target"][1:]), e["directed"] == "false") for e in edges]
    return of_pairs(result, ends)


def from_dagitty(result: LearnResult) -> PDAG:
    """Read the graph from DAGitty."""
    at = {name: k for k, name in enumerate(result.names)}
    found = re.findall(r'"(.*)" (--|->) "(.*)"', to_dagitty(result.graph, result.names))
    return of_pairs(result, [(at[a], at[b], mark == "--") for a, mark, b in found])


def from_page(result: LearnResult) -> PDAG:
    """Read the graph from the interactive page."""
    edges = contents(page_of(result))[1]
    return of_pairs(result, [(e["from"], e["to"], e["arrows"] != "to") for e in edges])


def from_table(result: LearnResult) -> PDAG:
    """Read the graph from the table of edges."""
    table, at = edge_rows(result).table(), {name: k for k, name in enumerate(result.names)}
    rows = table[["from", "to", "type"]].itertuples(index=False)
    return of_pairs(result, [(at[a], at[b], word != "directed") for a, b, word in rows])


def without_directions(result: LearnResult) -> PDAG:
    """Return the graph without the directions between columns that determine one another."""
    amat = result.graph.amat.copy()
    for i, j in result.undirected_pairs:
        amat[i, j] = amat[j, i] = amat[i, j] or amat[j, i]
    return PDAG(amat)


def from_words(result: LearnResult) -> PDAG:
    """Read the graph from the sentences, which list each edge from both ends."""
    at = {name: k for k, name in enumerate(result.names)}
    amat = np.zeros((len(at), len(at)), dtype=bool)
    for sentence in sentence_list(result.graph, result.names):
        if sentence.startswith("No edges"):
            continue
        name = next(one for one in sorted(at, key=len, reverse=True) if sentence.startswith(f"{one}: "))
        for part in sentence.removeprefix(f"{name}: ").rstrip(".").split("; "):
            verb, others = re.match(r"(arrows? to|arrows? from|undirected edges? to) (.*)", part).groups()
            for other in others.split(", "):
                if not verb.endswith("from"):
                    amat[at[name], at[other]] = True
                if verb not in ("arrow to", "arrows to"):
                    amat[at[other], at[name]] = True
    return PDAG(amat)


def from_matrix(result: LearnResult) -> PDAG:
    """Read the graph from the cells of the heat map."""
    cells = _cells(result, result.graph, result.names)
    amat = np.zeros((len(result.names),) * 2, dtype=bool)
    amat[cells.i, cells.j] = True
    return PDAG(amat)


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "sample"), CASES)
def test_views_sentences_and_downloads_equal_the_result(key, sample):
    result = learnt(key, sample)
    if isinstance(result.graph, PAG):
        for read in PAG_READERS:
            assert read(result) == result.graph, read.__name__
        assert interchange.from_json(interchange.to_json(result.graph, result.names))[0] == result.graph
        return
    for read in (from_adjacency, from_dot, from_graphml, from_dagitty, from_words):
        assert read(result) == result.graph, read.__name__
    for read in (from_csv, from_page, from_matrix, from_table):  # without directions of determined columns
        assert read(result) == without_directions(result), read.__name__
    assert interchange.from_json(interchange.to_json(result.graph, result.names, metadata(result)))[0] == result.graph
    if result.graph.is_dag:
        text = interchange.to_model_string(result.graph, result.names)
        graph, names = interchange.from_model_string(text)
        order = [names.index(name) for name in result.names]
        assert np.array_equal(graph.amat[np.ix_(order, order)], result.graph.amat)
        csv_text = to_edge_csv(result.graph, result.names)
        assert read_edge_csv(csv_text, result.names) == result.graph


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "sample"), CASES)
def test_every_step_applies_one_event_to_the_previous_one(key, sample):
    """The graphs are rebuilt independently of the timeline; the last step is the result."""
    result = learnt(key, sample)
    trace, own = result.trace, kind_of(result)
    walks_moves = own.slider_modes(result).labels.keys() == {"moves"}  # LMM with dots draws skeletons
    data = timeline(result, np.random.default_rng(0).random((len(result.names), 2)))
    assert drawn(data, data["steps"]["choice"], result) == result.graph
    if walks_moves:
        return
    offset, count = data["steps"]["offset"], data["steps"]["count"]
    if isinstance(result.graph, PAG):
        for step in range(count):
            assert drawn(data, step, result) == trace.graph_at(offset + step), step
        return
    amat = trace.graph_at(offset).amat.copy()
    looked_at = set(np.linspace(0, count - 1, MAX_STEPS).astype(int).tolist())
    for step in range(count):
        if step:
            event = trace[int(trace.changes[offset + step - 1])]
            joined = event.action != Action.REMOVE
            amat[event.i, event.j] = joined
            amat[event.j, event.i] = joined and event.action != Action.ORIENT
        if step in looked_at:
            assert drawn(data, step, result) == PDAG(amat), step
    assert PDAG(amat) == result.graph
