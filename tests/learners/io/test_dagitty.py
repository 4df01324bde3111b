"""Tests of graphs in the formats of DAGitty and lavaan."""

from urllib.parse import quote, quote_plus

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import PDAG, DataError
from learners.io.dagitty import from_dagitty, read_model, to_dagitty, write_model
from learners.io.lavaan import to_lavaan
from tests import naive

NAMES = st.lists(
    st.text(min_size=1).filter(lambda name: not set(name) & set('"\n\r')), min_size=4, max_size=4, unique=True
)


@settings(max_examples=50, deadline=None)
@given(NAMES, st.integers(0, 10_000))
def test_what_is_written_is_read_back(names, seed):
    graph = PDAG(naive.cpdag(naive.random_dag(np.random.default_rng(seed), 4, 6)))
    assert from_dagitty(to_dagitty(graph, names)) == (graph, tuple(names))


def test_a_text_from_dagitty_is_read():
    text = """dag {
        bb="-2.1,-2.2,2.3,2.4"
        "Warm-up" [pos="0.1,-1.2"] // a comment
        X [exposure,pos="-1,0"] Y [outcome]
        X -> { M "Warm-up" } -> Y <- Z
        Z -> X [beta=0.3]
    }"""
    graph, names = from_dagitty(text)
    assert names == ("Warm-up", "X", "Y", "M", "Z")
    assert graph == PDAG.from_edges(5, directed=[(1, 3), (1, 0), (3, 2), (0, 2), (4, 2), (4, 1)])


def test_a_model_keeps_roles_and_positions():
    """Attributes are read and written; ``<->`` becomes a latent common cause."""
    model = read_model('dag { X [exposure,pos="-1,0"] Y [outcome] Z [adjusted] L [latent] X -> Y <- Z X <-> Z L -> X }')
    assert model.roles == {"X": "exposure", "Y": "outcome", "Z": "adjusted", "L": "latent", "U_X_Z": "latent"}
    assert model.positions == {"X": (-1.0, 0.0)}
    hidden = model.names.index("U_X_Z")
    assert {model.names[k] for k in model.graph.children(hidden)} == {"X", "Z"}
    again = read_model(write_model(model))
    assert (again.graph, again.names, again.roles) == (model.graph, model.names, model.roles)
    assert again.positions == model.positions


LINKS = (
    "https://dagitty.net/dags.html?id={}",
    "http://www.dagitty.net/dags.html?model={}&style=sem",
    "dagitty.net/dags.html#{}",
    "https://dags.example.org/draw?a=1&dag={}",
)


@pytest.mark.parametrize("encode", [quote, quote_plus], ids=["%20", "+"])
@pytest.mark.parametrize("link", LINKS)
def test_a_link_with_model_code_is_read(link, encode):
    """The code is found wherever it stands in the link, with roles, positions and odd names."""
    code = 'dag { "a & b" [exposure,pos="-1,0"] y+z [outcome] "50 % = x" -> "a & b" -> y+z }'.replace("y+z", '"y+z"')
    assert read_model(link.format(encode(code))) == read_model(code)
    assert from_dagitty(link.format(encode(code))) == from_dagitty(code)


@pytest.mark.parametrize(
    "link", ["dagitty.net/m331", "https://dagitty.net/dags.html?id=Kq0", "HTTPS://dagitty.net/mdag"]
)
@pytest.mark.parametrize("read", [read_model, from_dagitty])
def test_a_link_without_model_code_is_refused(link, read):
    with pytest.raises(DataError, match="has no model code"):
        read(link)


@pytest.mark.parametrize(
    "text", ["https://dagitty.net/mabc", "pdag { a -- b }", "dag { a [pos", "dag { a [pos=", "dag { a <-> a }"]
)
def test_a_faulty_model_is_refused(text):
    with pytest.raises(DataError):
        read_model(text)


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "hidden cause": ("dag { a <-> b }", "hidden cause"),
        "cycle": ("dag { a -> b -> c -> a }", "cycle"),
        "twice": ("dag { a -> b a <- b }", "another"),
        "itself": ("dag { a -> a }", "one from 'a' to itself"),
        "other arrow": ("dag { a => b }", "found '='"),
        "kind": ("mag { a -> b }", "'dag' or a 'pdag'"),
        "end": ("dag { a -> ", "the end"),
        "bracket": ("dag { a [pos", "before the end"),
        "nothing": ("dag { }", "must have a variable"),
        "no text": ("", "expected .* here"),
    }.values(),
)
def test_a_faulty_text_is_refused(text, message):
    with pytest.raises(DataError, match=message):
        from_dagitty(text)


def test_lavaan_has_a_regression_for_each_child_and_no_covariance():
    text = to_lavaan(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)]), ["a", "b\nc", "1", "d"])
    assert text.splitlines()[1:] == [
        "# b_c: b c", "# n1: 1", "n1 ~ a + b_c", "d ~ n1", "a ~~ a", "b_c ~~ b_c", "a ~~ 0*b_c",
    ]  # fmt: skip


HYPHENS = ("a-b", "blood-pressure", "x-1", "b2-microglobulin-x", "a_b-c.d")


@pytest.mark.parametrize("edge", ["->", "<-", "--", " -> ", " <- ", " -- "])
@pytest.mark.parametrize("name", HYPHENS)
def test_names_without_quotes_may_have_hyphens(name, edge):
    """A hyphen between letters belongs to the name, whatever edge follows, and a quoted name reads the same."""
    for text in (f"{name}{edge}c-d", f'"{name}"{edge}"c-d"', f"c-d {name}{edge}c-d"):
        graph, names = from_dagitty(f"pdag {{ {text} }}")
        a, b = names.index(name), names.index("c-d")
        expected = {"->": {"directed": [(a, b)]}, "<-": {"directed": [(b, a)]}, "--": {"undirected": [(a, b)]}}
        assert graph == PDAG.from_edges(2, **expected[edge.strip()])


@pytest.mark.parametrize("text", ["a- -> b", "-a -> b", "a - b", "a -b -> c", "a -> b-"])
def test_a_hyphen_outside_of_a_name_is_refused_with_the_reason(text):
    with pytest.raises(DataError, match=r"a hyphen stands outside of a name\. Put names"):
        from_dagitty(f"dag {{ {text} }}")


def test_names_with_hyphens_have_roles_and_hidden_causes():
    """Attributes and edges ``<->`` of names with hyphens are read."""
    model = read_model('dag { a-b [exposure,pos="-1.5,2"] c-d [outcome] a-b -> c-d a-b <-> c-d }')
    assert (model.with_role("exposure"), model.with_role("outcome")) == (("a-b",), ("c-d",))
    assert model.with_role("latent") == ("U_a-b_c-d",)
    assert model.positions == {"a-b": (-1.5, 2.0)}
