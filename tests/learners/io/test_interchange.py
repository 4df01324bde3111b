"""Tests of importing and exporting graphs, including columns with hostile names."""

import csv
import io
import json
import re
from contextlib import suppress
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.common.errors import DataError, ParameterError
from learners.graphs.graph import PDAG
from learners.io.dagitty import to_dagitty
from learners.io.edge_csv import read_edge_csv, to_adjacency_csv, to_edge_csv
from learners.io.interchange import (
    from_json,
    from_model_string,
    to_dot,
    to_graphml,
    to_json,
    to_model_string,
    to_networkx,
)
from learners.results.directions import Direction, Directions, Support
from learners.results.result import Strengths
from tests import naive

HOSTILE = (
    'say "hi"',
    "back\\slash\\",
    "two\nlines",
    "carriage\rreturn",
    "<script>alert(1)</script>",
    "a & b &lt; &#65;",
    "x" * 200,
    "naïve 🦉 变量",
    "nul\x00 bell\x07 del\x7f",
    "=cmd|' /C calc'!A0",
    "-1",
    "+sum",
    "@ref",
    "\ttab",
    "'quoted'",
    "'=cmd|' /C calc'!A0",
    "a,b;c",
    "  padded ",
    "]]>",
    "\\N {a|b}",
    "true",
)
P = len(HOSTILE)
MIXED = PDAG(naive.random_pdag(np.random.default_rng(9120), P, 0.3))
DAG = PDAG(np.triu(np.random.default_rng(9121).random((P, P)) < 0.3, 1))
NAMES = ("rain", "wet", "cold")


def strengths_of(p):
    values = np.random.default_rng(9122).normal(size=(p, p))
    values += values.T
    values[0] = values[:, 0] = np.nan
    return Strengths("log10 of <p> & more", values, larger_is_stronger=False)


# --- networkx -----------------------------------------------------------------------------------------------------


def test_networkx_has_two_arcs_for_a_line():
    """An undirected edge becomes both arcs with directed=False; isolated nodes and the order of nodes are kept."""
    graph = to_networkx(PDAG.from_edges(3, directed=[(2, 0)], undirected=[(0, 1)]), NAMES)
    assert list(graph.nodes) == list(NAMES)
    assert sorted(graph.edges(data="directed")) == [
        ("cold", "rain", True),
        ("rain", "wet", False),
        ("wet", "rain", False),
    ]
    amat = nx.to_numpy_array(to_networkx(MIXED, HOSTILE), nodelist=HOSTILE).astype(bool)
    assert np.array_equal(amat, MIXED.amat)


# --- DOT ----------------------------------------------------------------------------------------------------------

STATEMENT = re.compile(
    r'\s*(?:n(?P<node>\d+) \[label="(?P<label>(?:[^"\\\n]|\\.)*)"\]'
    r"|n(?P<i>\d+) -> n(?P<j>\d+)(?P<line> \[dir=none\])?);"
)
DOT_ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


def parsed_dot(text):
    """Return labels and edges, parsed by Graphviz's rules for quoted strings alone."""
    assert text.startswith("digraph {\n")
    assert text.endswith("\n}\n")
    body, at, labels, edges = text[len("digraph {\n") : -len("\n}\n")], 0, {}, {}
    while at < len(body):
        match = STATEMENT.match(body, at)
        assert match, body[at : at + 60]
        at = match.end()
        if match["node"]:
            labels[int(match["node"])] = re.sub(r"\\.", lambda m: DOT_ESCAPES[m[0]], match["label"])
        else:
            edges[int(match["i"]), int(match["j"])] = bool(match["line"])
    return labels, edges


def test_dot_is_well_formed_for_hostile_names():
    """Every label and every edge is read back; control characters become symbols, and entities are not decoded."""
    labels, edges = parsed_dot(to_dot(MIXED, HOSTILE))
    expected = dict(enumerate(HOSTILE))
    expected[3] = "carriage␍return"
    expected[5] = "a & b &amp;lt; &amp;#65;"
    expected[8] = "nul␀ bell␇ del␡"
    expected[13] = "␉tab"
    assert labels == expected
    assert sorted(edges) == MIXED.edges()
    assert [pair for pair, line in edges.items() if line] == MIXED.undirected_edges()


# --- GraphML ------------------------------------------------------------------------------------------------------

XMLNS = "{http://graphml.graphdrawing.org/xmlns}"


def test_graphml_is_valid_xml_for_hostile_names():
    """An XML parser finds all names, marks and known strengths."""
    strengths = strengths_of(P)
    root = ElementTree.fromstring(to_graphml(MIXED, HOSTILE, strengths).encode("utf-8"))
    labels = [node.find(f"{XMLNS}data").text for node in root.iter(f"{XMLNS}node")]
    shown = [re.sub("[\r\x00\x07\t]", lambda m: chr(0x2400 + ord(m[0])), name).replace("\x7f", "␡") for name in HOSTILE]
    assert labels == shown
    seen = {}
    for edge in root.iter(f"{XMLNS}edge"):
        pair = int(edge.get("source")[1:]), int(edge.get("target")[1:])
        data = {item.get("key"): item.text for item in edge}
        assert data["type"] == {"true": "directed", "false": "undirected"}[edge.get("directed")]
        assert data.get("strength") == (None if 0 in pair else repr(float(strengths.values[pair])))
        seen[pair] = data["type"]
    assert sorted(seen) == MIXED.edges()
    assert [pair for pair, kind in seen.items() if kind == "undirected"] == MIXED.undirected_edges()
    assert root.find(f"{XMLNS}key/{XMLNS}desc").text == strengths.label


def test_graphml_of_a_dag_opens_in_networkx():
    """networkx reads the GraphML of a DAG as a directed graph with labels and strengths."""
    graph = nx.parse_graphml(to_graphml(DAG, HOSTILE, strengths_of(P)))
    assert [graph.nodes[f"n{i}"]["label"] for i in (0, 1, 4)] == [HOSTILE[i] for i in (0, 1, 4)]
    assert sorted((int(a[1:]), int(b[1:])) for a, b in graph.edges) == DAG.directed_edges()
    assert isinstance(graph.edges["n1", f"n{DAG.children(1)[0]}"]["strength"], float)


def test_graphml_replaces_lone_surrogates():
    """A lone surrogate can be neither parsed nor encoded, so it becomes U+FFFD."""
    text = to_graphml(PDAG.empty(1), ["half \ud83e"])
    assert "half \ufffd" in text
    assert ElementTree.fromstring(text.encode("utf-8")) is not None
    to_dot(PDAG.empty(1), ["half \ud83e"]).encode("utf-8")


# --- CSV ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encode", [str, lambda text: text.encode("utf-8-sig")], ids=["text", "bytes-with-bom"])
def test_edge_csv_round_trip_with_hostile_names(encode):
    """The edges read from the CSV equal those written; strengths are not read."""
    upwards = [(min(edge), max(edge)) for edge in MIXED.directed_edges()]  # a true graph has no cycles
    pdag = PDAG.from_edges(P, directed=upwards, undirected=MIXED.undirected_edges())
    assert read_edge_csv(encode(to_edge_csv(pdag, HOSTILE, strengths_of(P))), HOSTILE) == pdag


def test_edge_csv_lists_edges_with_type_and_strength():
    """The CSV has one row per edge; an unknown strength is an empty cell."""
    values = np.full((3, 3), np.nan)
    values[0, 1] = values[1, 0] = -2.5
    values[1, 2] = values[2, 1] = 1e-17
    strengths = Strengths("log p", values, larger_is_stronger=False)
    pdag = PDAG.from_edges(3, directed=[(2, 1)], undirected=[(0, 1), (0, 2)])
    rows = list(csv.reader(io.StringIO(to_edge_csv(pdag, NAMES, strengths))))
    assert rows == [
        ["from", "to", "type", "strength", "measure"],
        ["rain", "wet", "undirected", "2.5", "minus log p"],
        ["rain", "cold", "undirected", "", ""],
        ["cold", "wet", "directed", "-1e-17", "minus log p"],
    ]
    rising = Strengths("gain", values, larger_is_stronger=True)
    assert to_edge_csv(pdag, NAMES, rising).splitlines()[1] == '"rain","wet","undirected","-2.5","gain"'


def test_edge_csv_says_how_sure_each_arrow_is():
    """The last column holds the support of each arrow and is empty for other edges."""
    pdag = PDAG.from_edges(3, directed=[(2, 1)], undirected=[(0, 1)])
    directions = Directions(lambda: {(2, 1): Direction(Support.WEAK)})
    rows = list(csv.DictReader(io.StringIO(to_edge_csv(pdag, NAMES, None, directions))))
    assert [row["direction"] for row in rows] == ["", "weak"]


def test_json_says_what_is_said_of_the_graph():
    """The JSON has the learner and its parameters next to the graph, which is read back."""
    text = to_json(DAG, tuple(HOSTILE), {"learner": "pc", "parameters": {"alpha": 0.05}})
    assert json.loads(text)["parameters"] == {"alpha": 0.05}
    assert from_json(text) == (DAG, tuple(HOSTILE))


def test_dagitty_has_every_node_and_edge():
    """A DAG is declared as `dag`, and names that the format cannot hold are refused."""
    pdag = PDAG.from_edges(3, directed=[(2, 1)], undirected=[(0, 1)])
    text = to_dagitty(pdag, NAMES)
    assert text.split() == [
        "pdag",
        "{",
        '"rain"',
        '"wet"',
        '"cold"',
        '"rain"',
        "--",
        '"wet"',
        '"cold"',
        "->",
        '"wet"',
        "}",
    ]
    assert to_dagitty(PDAG.from_edges(3, directed=[(2, 1)]), NAMES).startswith("dag {")
    with pytest.raises(ParameterError, match="cannot hold quotes"):
        to_dagitty(pdag, ["a", 'b"', "c"])


@pytest.mark.parametrize("write", [to_edge_csv, to_adjacency_csv], ids=["edges", "adjacency"])
def test_csv_never_starts_a_name_like_a_formula(write):
    """No text cell begins with = + - @, a tab or a carriage return, so a spreadsheet runs none of them as a formula."""
    rows = list(csv.reader(io.StringIO(write(PDAG.complete(P), HOSTILE), newline="")))
    cells = [cell for row in rows for cell in row]
    assert any("=cmd" in cell for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_adjacency_csv_is_the_matrix():
    """The entry of row i and column j is 1 for i -> j and for i - j."""
    text = to_adjacency_csv(PDAG.from_edges(3, directed=[(2, 0)], undirected=[(0, 1)]), NAMES)
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [["", *NAMES], ["rain", "0", "1", "0"], ["wet", "1", "0", "0"], ["cold", "1", "0", "0"]]


@pytest.mark.parametrize(
    "text",
    [
        "from,to,type\nrain,wet,directed\nwet,cold,undirected\n",
        "From;To;Type\r\nrain;wet;->\r\nwet;cold;--\r\n",
        "to\tfrom\tnote\ttype\nwet\train\tx\t\ncold\twet\ty\t UNDIRECTED \n\n",
        '\ufefffrom,to,type\n"rain", wet,directed\n wet ,cold,--\n , , \n',
    ],
    ids=["words", "semicolons-and-arrows", "tabs-and-extra-columns", "bom-blanks-and-empty-lines"],
)
def test_read_edge_csv_takes_the_usual_spellings(text):
    """The usual separators, line ends, column orders, cases and blanks give the same graph."""
    expected = PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])
    assert read_edge_csv(text, NAMES) == expected
    assert read_edge_csv(text.encode(), NAMES) == expected


def test_read_edge_csv_without_types_means_arrows():
    """Without a column of types, all edges are arrows; a file with only a header is the empty graph."""
    assert read_edge_csv("from,to\nwet,rain\n", NAMES) == PDAG.from_edges(3, directed=[(1, 0)])
    assert read_edge_csv("from,to\n", NAMES) == PDAG.empty(3)


def test_read_edge_csv_understands_windows_bytes():
    """Names in a file saved by a spreadsheet in Windows-1252 match the column names."""
    pdag = read_edge_csv("from,to\nGröße,wet\n".encode("cp1252"), ["wet", "Größe"])
    assert pdag == PDAG.from_edges(2, directed=[(1, 0)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"must name the columns 'from' and 'to', found no 'from' and 'to'"),
        ("rain,wet\nwet,cold\n", r"found no 'from' and 'to'. Add a header"),
        ("from,target\nrain,wet\n", r"found no 'to'"),
        ("from,to\nrain,wett\nsnow,wet\n", r"found 'wett' and 'snow' \(line 2\).*are 'rain', 'wet' and 'cold'"),
        ("from,to\nrain,rain\n", r"'rain' twice in line 2"),
        ("from,to\nrain,wet\nwet,rain\n", r"'wet' and 'rain' again in line 3. For an edge without direction"),
        ("from,to,type\nrain,wet,sideways\n", r"'sideways' in line 2"),
        ("from,to\nrain\n", "line 2 does not"),
        ("from,to\nrain,wet\nwet,cold\ncold,rain\n", r"cycle 'rain', 'wet' and 'cold'"),
        ('from,to\n"' + "x" * 200_000 + '",wet\n', "cannot be read as CSV, found in line"),
    ],
    ids=[
        "nothing", "no-header", "half-a-header", "unknown-columns", "loop", "pair-twice", "type", "short-line", "cycle",
        "huge-cell",
    ],
)  # fmt: skip
def test_read_edge_csv_says_what_is_wrong(text, message):
    """An invalid file is refused with a message that quotes the user's words and gives the line."""
    with pytest.raises(DataError, match=message):
        read_edge_csv(text, NAMES)


@settings(max_examples=200, deadline=None)
@given(content=st.binary(max_size=200) | st.text(max_size=200))
def test_read_edge_csv_never_fails_otherwise(content):
    """Any bytes give a graph or a DataError."""
    for source in (content, ("from,to\n" if isinstance(content, str) else b"from,to\n") + content):
        with suppress(DataError):
            assert read_edge_csv(source, NAMES).p == 3


# --- JSON ---------------------------------------------------------------------------------------------------------


def test_json_round_trip_with_hostile_names():
    """Graph and names are read back exactly, including cycles and lone surrogates."""
    names = (*HOSTILE[:-1], "half \ud83e")
    text = to_json(MIXED, names)
    text.encode("ascii")
    assert from_json(text) == (MIXED, names)
    assert from_json(to_json(PDAG.empty(0), ())) == (PDAG.empty(0), ())


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[1, 2]",
        "[" * 100_000,
        {"names": ["a"], "directed": []},
        {"names": "ab", "directed": [], "undirected": []},
        {"names": ["a", "a"], "directed": [], "undirected": []},
        {"names": ["a", 1], "directed": [], "undirected": []},
        {"names": ["a", ["b"]], "directed": [], "undirected": []},
        {"names": ["a", "b"], "directed": [[0, 2]], "undirected": []},
        {"names": ["a", "b"], "directed": [[0, 1, 1]], "undirected": []},
        {"names": ["a", "b"], "directed": [[0, True]], "undirected": []},
        {"names": ["a", "b"], "directed": [["a", "b"]], "undirected": []},
        {"names": ["a", "b"], "directed": [[0, 1]], "undirected": [[1, 0]]},
        {"names": ["a", "b"], "directed": 3, "undirected": []},
        {"names": [str(k) for k in range(10_001)], "directed": [], "undirected": []},
    ],
    ids=[
        "text", "list", "deep", "no-undirected", "names-text", "names-twice", "name-number", "name-list",
        "node-outside", "triple", "boolean", "by-name", "pair-twice", "edges-number", "too-many",
    ],
)  # fmt: skip
def test_from_json_refuses_anything_else(content):
    """JSON with malformed or contradictory content raises a DataError."""
    with pytest.raises(DataError):
        from_json(content if isinstance(content, str) else json.dumps(content))


# --- model string -------------------------------------------------------------------------------------------------


def test_model_string_is_that_of_bnlearn():
    """The model string equals bnlearn's: nodes in topological order, with their parents after a bar."""
    dag = PDAG.from_edges(3, directed=[(0, 1), (2, 1)])
    assert to_model_string(dag, ("A", "B", "C")) == "[A][B|A:C][C]"
    assert from_model_string("[A][B|A:C][C]") == (dag, ("A", "B", "C"))
    assert from_model_string(" [A]\n[B|A:C] [C]\n") == (dag, ("A", "B", "C"))


def test_model_string_round_trip_with_hostile_names():
    """All names without brackets, bars and colons are read back."""
    names = tuple(re.sub(r"[\[\]|:]", "_", name) for name in HOSTILE)
    assert from_model_string(to_model_string(DAG, names)) == (DAG, names)
    assert from_model_string(to_model_string(PDAG.empty(0), ())) == (PDAG.empty(0), ())


@pytest.mark.parametrize("name", ["a[1]", "p(a|b)", "x:y", "]", ""])
def test_to_model_string_refuses_names_it_cannot_hold(name):
    """Names that need an escape are refused, since the format has no escapes."""
    with pytest.raises(ParameterError, match="Rename these columns"):
        to_model_string(PDAG.empty(2), ["fine", name])


def test_to_model_string_needs_a_dag():
    """A graph with undirected edges has no model string and is refused."""
    with pytest.raises(ParameterError, match="must be a DAG"):
        to_model_string(PDAG.complete(2), ["a", "b"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A -> B", "must read like"),
        ("[A][B|A", "must read like"),
        ("[A]x[B]", "must read like"),
        ("[A|]", "must read like"),
        ("[A][B|C]", r"found 'C'"),
        ("[A][B|A:]", r"found \(empty\)"),
        ("[A][A]", r"'A' again"),
        ("[A|A]", r"cycle 'A'"),
        ("[A|B][B|A]", r"cycle 'B' and 'A'"),
        ("".join(f"[{k}]" for k in range(10_001)), "at most 10000 nodes"),
    ],
    ids=[
        "prose", "open-bracket", "between", "empty-parents", "unknown-parent", "empty-parent", "twice", "own-parent",
        "cycle", "too-many",
    ],
)  # fmt: skip
def test_from_model_string_says_what_is_wrong(text, message):
    """Each error in a model string raises a DataError that names it."""
    with pytest.raises(DataError, match=message):
        from_model_string(text)


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "write",
    [to_networkx, to_dot, to_graphml, to_edge_csv, to_adjacency_csv, to_json, to_model_string],
    ids=lambda write: write.__name__,
)
@pytest.mark.parametrize("names", [("a",), ("a", "a"), ("a", "b", "c")], ids=["too-few", "twice", "too-many"])
def test_writers_need_one_distinct_name_a_node(write, names):
    """Duplicate and missing names are refused, since the file would describe another graph."""
    with pytest.raises(ParameterError, match="each node of the graph needs a different name"):
        write(PDAG.empty(2), names)
