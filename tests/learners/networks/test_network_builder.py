"""Tests of networks built by hand: strengths, custom tables, and the refusal of invalid drafts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from learners import (  # fmt: skip
    DataError,
    DiscreteNetwork,
    Draft,
    GaussianNetwork,
    ParameterError,
    RegressionNetwork,
    build_network,
    load_network,
    read_network,
    sample,
    write_network,
)
from learners.store.packing import pack, unpack

TWO, THREE = ("no", "yes"), ("low", "mid", "high")


@pytest.mark.parametrize("strength", [-0.9, -0.3, 0.5, 0.8])
@pytest.mark.parametrize(("cause", "effect"), list(itertools.product([(), TWO, THREE], repeat=2)))
def test_a_strength_is_about_the_correlation_that_the_edge_makes(cause, effect, strength):
    """The strength is the correlation of two numbers, and nearly that of the scores of levels.

    A number cut into two levels has a weaker correlation.
    """
    network = build_network({"x": cause, "y": effect}, {("x", "y"): strength})
    dataset = sample(network, 4_000, 1)
    x, y = (
        dataset.values[:, dataset.place[j]] if kind == "continuous" else dataset.codes[dataset.place[j]]
        for j, kind in enumerate(dataset.kinds)
    )
    assert np.corrcoef(x, y)[0, 1] == pytest.approx(strength, abs=0.2 if cause or effect else 0.03)


def test_kinds_of_nodes_make_kinds_of_networks_with_margins_as_stated():
    """The column types of the nodes determine the class of the network.

    Numbers have variance 1 and levels are uniform, whatever the parents.
    """
    edges = [("a", "c"), ("b", "c"), ("c", "d")]
    for levels, kind in (((TWO,) * 4, DiscreteNetwork), (((),) * 4, GaussianNetwork)):
        network = build_network(dict(zip("abcd", levels, strict=True)), edges)
        assert type(network) is kind
        assert network.dag.directed_edges() == [(0, 2), (1, 2), (2, 3)]
        beliefs = network.posterior()
        for name in "abc":
            found = beliefs[name]
            assert np.allclose(found, [0.5, 0.5] if levels[0] else [0.0, 1.0])
    mixed = build_network({"a": THREE, "b": (), "c": TWO, "d": ()}, edges)
    assert type(mixed) is RegressionNetwork
    assert mixed.nodes[2].coefficients.shape == (3, 2, 2)


def test_tables_by_hand_count_instead_of_strengths():
    """Tables of probabilities, and equations with intercept, effects and variance, replace strengths."""
    table = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    assert np.array_equal(build_network({"a": THREE, "b": TWO}, [("a", "b")], {"b": table}).cpts[1], table)
    network = build_network({"a": (), "b": ()}, [("a", "b")], {"b": [[1.0, -2.0, 0.25]]})
    assert (network.intercept[1], network.weights[0, 1], network.noise_variance[1]) == (1.0, -2.0, 0.25)
    both = build_network({"a": TWO, "b": ()}, [("a", "b")], {"b": [[0.0, 1.0], [5.0, 2.0]]})
    assert both.nodes[1].coefficients[:, 0].tolist() == [0.0, 5.0]


BINARY = {"a": TWO, "b": TWO, "c": TWO}


@pytest.mark.parametrize(
    ("nodes", "edges", "tables", "expected"),
    [
        (BINARY, [("a", "b"), ("b", "c"), ("c", "a")], {}, "c -> a would close c -> a -> b -> c"),
        (BINARY, [("a", "b"), ("b", "a")], {}, "b -> a would close b -> a -> b"),
        (BINARY, [("a", "z")], {}, "'z' is not one"),
        (BINARY, [("a", "a")], {}, "'a' is both"),
        (BINARY, {("a", "b"): 1.0}, {}, "strength of a -> b"),
        (BINARY, {("a", "b"): 0.0}, {}, "strength other than 0"),
        (BINARY, {}, {"z": [[1.0]]}, "tables must be of nodes"),
        (BINARY, {}, {"b": [[0.5, 0.6]]}, "row 1 of 'b' sums to 1.1"),
        ({"a": ("one",)}, {}, {}, "two or more different levels"),
        ({"a": ("x", " ")}, {}, {}, "every level needs a name"),
        ({"a": (), "b": TWO}, [("a", "b")], {"b": [[0.5, 0.5]]}, "give strengths"),
        ({"a": (), "b": ()}, [("a", "b")], {"b": [[0.0, 0.0, 1.0]]}, "must not be 0"),
        ({"a": (), "b": ()}, [("a", "b")], {"b": [[0.0, 1.0]]}, "1 effects and a variance"),
    ],
)
def test_what_is_no_network_is_a_sentence(nodes, edges, tables, expected):
    """An invalid network is refused with a message that names the node, the edge or the path."""
    with pytest.raises((DataError, ParameterError), match=expected):
        build_network(nodes, edges, tables)


def test_a_draft_follows_every_change_and_keeps_what_still_holds():
    """A change of parents or of the number of levels removes a custom table; renaming a node keeps it."""
    draft = Draft().with_node("a").with_node("b", THREE).with_node("c").with_edge("a", "b", -0.4).with_edge("b", "c")
    table = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    draft = draft.with_table("c", table).renamed("c", "wet -> grass")
    assert draft.edges == {("a", "b"): -0.4, ("b", "wet -> grass"): 0.5}
    assert np.array_equal(draft.network.cpts[2], table)
    assert draft.with_levels("b", ("x", "y", "z")).tables.keys() == {"wet -> grass"}
    for other in (
        draft.with_levels("b", TWO),
        draft.with_edge("a", "wet -> grass"),
        draft.with_edge("b", "wet -> grass", 0.7),
        draft.without_edge("b", "wet -> grass"),
        draft.without_node("b"),
        draft.by_strengths("wet -> grass"),
    ):
        assert not other.tables
        assert other.network.dag.n_edges == len(other.edges)
    assert draft.turned("a", "b").edges[("b", "a")] == -0.4
    with pytest.raises(DataError, match="would close wet -> grass -> a -> b -> wet -> grass"):
        draft.with_edge("wet -> grass", "a")
    with pytest.raises(DataError, match="exists already"):
        draft.renamed("a", "b")
    assert draft.free_name() == "A"
    assert Draft(dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", ())).free_name() == "A1"


@pytest.mark.parametrize("form", ["bif", "net"])
def test_a_network_comes_back_from_a_draft_from_the_store_and_from_a_file(form):
    """A network is unchanged after conversion to a draft, to the stored form, or to a file and back."""
    asia = load_network("asia")
    draft = unpack(pack(Draft.of(asia)))
    read = read_network(write_network(draft.network, form).encode(), form)
    for network in (draft.network, read):
        assert network.names == asia.names
        assert network.dag == asia.dag
        assert all(map(np.allclose, network.cpts, asia.cpts))
    linear = build_network({"x": (), "y": ()}, {("x", "y"): 0.6})
    assert np.array_equal(Draft.of(linear).network.weights, linear.weights)
