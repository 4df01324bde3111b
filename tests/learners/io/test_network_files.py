"""Tests of networks in the formats of other programs: exact round trips, and malformed files."""

import gzip
from dataclasses import replace

import numpy as np
import pyagrum
import pytest

from learners import (
    DataError,
    DiscreteNetwork,
    GaussianNetwork,
    ParameterError,
    fit,
    load_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.graphs.graph import PDAG
from learners.io.lavaan import to_lavaan
from learners.io.network_code import to_python, to_r
from learners.io.network_files import NETWORK_FORMATS, read_network, write_network

HOSTILE = ('<script>alert("x")</script>', "a & b", "1st", "größe %", "a b_2", "a_b_2", "x{y}; // z")
# c has the parents b (3 levels) and a (2 levels), in this order: the rows of b = 0 come first, then those of b = 1, ...
NUMBERS = [0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6, 0.5, 0.5, 0.6, 0.4]
ROWS_BY_A_THEN_B = [0.1, 0.3, 0.5, 0.2, 0.4, 0.6]  # P(c = y), a varies slowest
BY_HAND = {
    "bif": """network x {} variable a { type discrete [2] { y, n }; } variable b { type discrete [3] { u, v, w }; }
        variable c { type discrete [2] { y, n }; } probability (a) { table 0.2, 0.8; }
        probability (b) { table 0.5, 0.3, 0.2; } probability (c | b, a) { (u, y) 0.1, 0.9; (u, n) 0.2,
        0.8; (v, y) 0.3, 0.7; (v, n) 0.4, 0.6; (w, y) 0.5, 0.5; (w, n) 0.6,
        0.4; }""",
    "xmlbif": """<?xml version="1.0"?><!DOCTYPE BIF [ <!ELEMENT BIF (NETWORK)*>
        <!ATTLIST BIF VERSION CDATA #REQUIRED> ]><BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
        <VARIABLE TYPE="nature"><NAME>a</NAME><OUTCOME>y</OUTCOME><OUTCOME>n</OUTCOME></VARIABLE>
        <VARIABLE TYPE="nature"><NAME>b</NAME><OUTCOME>u</OUTCOME><OUTCOME>v</OUTCOME><OUTCOME>w</OUTCOME></VARIABLE>
        <VARIABLE TYPE="nature"><NAME>c</NAME><OUTCOME>y</OUTCOME><OUTCOME>n</OUTCOME></VARIABLE>
        <DEFINITION><FOR>a</FOR><TABLE>0.2 0.8</TABLE></DEFINITION>
        <DEFINITION><FOR>b</FOR><TABLE>0.5 0.3 0.2 <!-- sums to 1 --></TABLE></DEFINITION>
        <DEFINITION><FOR>c</FOR><GIVEN>b</GIVEN><GIVEN>a</GIVEN><TABLE>0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4
        </TABLE></DEFINITION></NETWORK></BIF>""",
    "net": """net { node_size = (80 40); } % a comment; with { signs
        node a { label = ""; position = (10 -20); states = ("y" "n"); } node b { states = ("u" "v" "w"); }
        discrete node c { states = ("y" "n"); } potential (a) { data = (0.2 0.8); }
        potential (b) { data = (.5 3e-1 0.2); }
        potential (c | b a) { data = (((0.1 0.9)(0.2 0.8))((0.3 0.7)(0.4 0.6))((0.5 0.5)(0.6 0.4)));
        experience = (1); }""",
    "dsc": """belief network "n" node a { name: "a"; type: discrete[2] = { "y", "n" }; position: (1, 2); }
        node b { type : discrete [ 3 ] = {"u", "v", "w"}; } node c { type: discrete[2] = { "y", "n" }; }
        probability ( a ) { 0.2, 0.8; } probability(b) { 0.5, 0.3, 0.2; }
        probability(c | b, a) { (0, 0): 0.1, 0.9; (0, 1): 0.2, 0.8; (1, 0): 0.3, 0.7; (1, 1): 0.4, 0.6;
        (2, 1): 0.6, 0.4; default: 0.5, 0.5; }""",
    "xdsl": """<?xml version="1.0" encoding="UTF-8"?><smile version="1.0" id="n"><nodes>
        <cpt id="a"><state id="y"/><state id="n"/><probabilities>0.2 0.8</probabilities></cpt>
        <cpt id="b"><state id="u"/><state id="v"/><state id="w"/><probabilities>0.5 0.3 0.2</probabilities></cpt>
        <cpt id="c"><state id="y"/><state id="n"/><parents>b a</parents>
        <probabilities>0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4</probabilities></cpt></nodes></smile>""",
}


def hostile() -> DiscreteNetwork:
    """Return a network with markup, quotes and signs in its names; two names give the same identifier."""
    dag = PDAG.from_edges(7, directed=[(3, 0), (6, 0), (0, 5)])
    levels = tuple((f"{name} 1", "yes", '"%') for name in HOSTILE)
    rng = np.random.default_rng(0)
    cpts = tuple(rng.dirichlet(np.ones(3), 3 ** len(dag.parents(j))) for j in range(7))
    return DiscreteNetwork(HOSTILE, levels, dag, cpts)


def assert_same(found, network):
    """Check that two networks are equal in names, levels, graph and every bit."""
    assert (found.names, found.levels, found.dag) == (network.names, network.levels, network.dag)
    for one, other in zip(found.cpts, network.cpts, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("form", NETWORK_FORMATS)
def test_what_is_written_is_read_back_to_the_last_bit(form):
    for network in (load_network("asia"), load_network("child"), hostile()):
        text = write_network(network, form)
        assert_same(read_network(text, form), network)
    assert_same(read_network(gzip.compress(text.encode()), form), network)


@pytest.mark.parametrize("form", NETWORK_FORMATS)
def test_a_file_by_hand_is_read_with_its_parents_in_their_order(form, tmp_path):
    path = tmp_path / f"network{NETWORK_FORMATS[form].suffixes[0]}"
    path.write_text(BY_HAND[form])
    network = read_network(path)
    assert network.names == ("a", "b", "c")
    assert network.dag == PDAG.from_edges(3, directed=[(0, 2), (1, 2)])
    assert network.cpts[2][:, 0].tolist() == ROWS_BY_A_THEN_B
    assert network.cpts[1].tolist() == [[0.5, 0.3, 0.2]]


@pytest.mark.parametrize(("form", "suffix"), [("bif", ".bif"), ("xmlbif", ".bifxml"), ("net", ".net")])
def test_another_program_reads_the_same_probabilities(form, suffix, tmp_path):
    """pyAgrum gives the same probabilities, up to the single precision of some formats."""
    network = load_network("asia")
    path = tmp_path / f"asia{suffix}"
    path.write_text(write_network(network, form))
    answers = pyagrum.LazyPropagation(pyagrum.loadBN(str(path)))
    answers.makeInference()
    for name, wanted in network.posterior({}).items():
        assert answers.posterior(name).tolist() == pytest.approx(wanted, abs=1e-7)


def test_a_net_node_without_states_is_refused():
    text = "node a { } potential (a) { data = ( 1 ); }"
    with pytest.raises(DataError, match="node 'a' must have states, found none. Add them"):
        read_network(text, "net")


def test_levels_that_no_reader_accepts_survive_bif():
    """Levels that BIF readers do not accept survive: the file has identifiers and, as a property, the originals."""
    levels = (("not at all", "ein bißchen"), ("<5", "≥5"))
    cpts = np.array([[0.25, 0.75]]), np.array([[0.5, 0.5]])
    network = DiscreteNetwork(("mood", "count"), levels, PDAG.empty(2), cpts)
    assert read_network(write_network(network, "bif"), "bif").levels == levels


def test_equations_travel_as_net():
    network = load_network("ecoli70")
    found = read_network(write_network(network, "net"), "net")
    assert found.names == network.names
    for field in ("weights", "noise_variance", "intercept"):
        np.testing.assert_array_equal(getattr(found, field), getattr(network, field))
    text = """continuous node x { } continuous node y { } continuous node z { }
        potential (x) { data = normal (1, 2); } potential (y) { data = normal (0, 1); }
        potential (z | x y) { data = ( normal ( 0.5 - 2 * x + y -1.5, 4e-1 ) ); }"""
    found = read_network(text, "net")
    assert found.weights.tolist() == [[0, 0, -2], [0, 0, 1], [0, 0, 0]]
    assert (found.intercept.tolist(), found.noise_variance.tolist()) == ([1, 0, -1], [2, 1, 0.4])
    with pytest.raises(ParameterError, match="XMLBIF holds tables"):
        write_network(network, "xmlbif")


def test_equations_travel_as_xdsl():
    """Equations survive XDSL as GeNIe writes them; nonlinear equations are refused."""
    network = load_network("ecoli70")
    found = read_network(write_network(network, "xdsl"), "xdsl")
    assert found.names == network.names
    for field in ("weights", "intercept"):
        np.testing.assert_array_equal(getattr(found, field), getattr(network, field))
    np.testing.assert_allclose(found.noise_variance, network.noise_variance, rtol=1e-15)
    text = """<smile version="1.0" id="g"><nodes><equation id="A"><definition lower="-inf" upper="inf">A=Normal(1,1)
        </definition></equation><equation id="B"><definition>B=Normal(2,3)</definition></equation><equation id="C">
        <parents>A B</parents><definition>C=B*2-Normal(2,0.5)+3 - A</definition></equation></nodes></smile>"""
    found = read_network(text, "xdsl")
    assert found.weights.tolist() == [[0, 0, -1], [0, 0, 2], [0, 0, 0]]
    assert (found.intercept.tolist(), found.noise_variance.tolist()) == ([1, 2, 1], [1, 9, 0.25])
    for right, wrong, message in (
        ("-Normal(2,0.5)", "", "variance must be above 0"),
        ("B*2", "Sin(B)", "equation of 'C'"),
        ("2,0.5", "2,-0.5", "above 0"),
        ("3 - A", "Normal(0,1)", "one normal noise"),
        ("- A", "- q", "declared nodes"),
        ("C=", "", "equation of 'C'"),
        ("Normal(1,1)", "C+Normal(1,1)", "cycle"),
    ):
        assert right in text
        with pytest.raises(DataError, match=message):
            read_network(text.replace(right, wrong, 1), "xdsl")


def test_deterministic_nodes_of_genie_are_tables():
    end = "<resultingstates>y n y n y n</resultingstates></deterministic></nodes>"
    text = BY_HAND["xdsl"].replace('<cpt id="c">', '<deterministic id="c">').replace("</cpt></nodes>", end)
    assert read_network(text, "xdsl").cpts[2][:, 0].tolist() == [1, 1, 1, 0, 0, 0]


NOISY = """<smile><nodes><cpt id="a"><state id="y"/><state id="n"/><probabilities>0.2 0.8</probabilities></cpt>
    <cpt id="b"><state id="none"/><state id="u"/><state id="v"/><probabilities>0.5 0.3 0.2</probabilities></cpt>
    <noisymax id="c"><state id="high"/><state id="low"/><state id="none"/><parents>b a</parents>
    <strengths>2 1 0 0 1</strengths><parameters>0 0 1 0.2 0.3 0.5 0.6 0.3 0.1 0.4 0.1 0.5 0 0 1 0.1 0.2 0.7</parameters>
    </noisymax></nodes></smile>"""


def test_noisy_max_nodes_of_genie_are_tables():
    """The node takes the strongest of the levels that its parents and the leak give it: all of these are enumerated."""
    found = read_network(NOISY, "xdsl")
    of_b, of_a = ((0, 0, 1), (0.2, 0.3, 0.5), (0.6, 0.3, 0.1)), ((0.4, 0.1, 0.5), (0, 0, 1))
    expected = np.zeros((2, 3, 3))  # a varies slowest in the network, b in the file
    for a, b, *levels in np.ndindex(2, 3, 3, 3, 3):
        chances = [of_a[a][levels[0]], of_b[b][levels[1]], (0.1, 0.2, 0.7)[levels[2]]]
        expected[a, b, min(levels)] += np.prod(chances)
    np.testing.assert_allclose(found.cpts[2], expected.reshape(6, 3), rtol=1e-12)
    alone = NOISY.replace("<parents>b a</parents>", "").replace("2 1 0 0 1", "")
    alone = alone.replace("0 0 1 0.2 0.3 0.5 0.6 0.3 0.1 0.4 0.1 0.5 0 0 1 ", "")
    np.testing.assert_allclose(read_network(alone, "xdsl").cpts[2], [[0.1, 0.2, 0.7]])


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("0.1 0.2 0.7<", "0.1 0.2<", "'c' must hold 18 parameters, found 17"),
        ("0.1 0.2 0.7<", "0.1 0.2 0.8<", "must sum to 1"),
        ("2 1 0 0 1", "2 1 0 0", "must list each level"),
        ("2 1 0 0 1", "2 1 1 0 1", "must list each level"),
        ("2 1 0 0 1", "0 1 2 0 1", "must have no effect"),
        ("<parents>b a<", "<parents>b q<", "must be declared variables"),
        ("<parents>b a<", f"<parents>{'b ' * 2_000}a<", "must hold 18,009 parameters"),
    ],
)
def test_a_faulty_noisy_max_node_is_refused(right, wrong, message):
    assert right in NOISY
    with pytest.raises(DataError, match=message):
        read_network(NOISY.replace(right, wrong), "xdsl")


def test_a_noisy_max_node_with_many_parents_is_refused():
    """Its parameters are few, but its table would not fit into memory."""
    nodes = "".join(
        f'<cpt id="p{k}"><state id="y"/><state id="n"/><probabilities>0.5 0.5</probabilities></cpt>'
        for k in range(1_100)
    )
    text = (
        f'<smile><nodes>{nodes}<noisymax id="c"><state id="y"/><state id="n"/>'
        f"<parents>{' '.join(f'p{k}' for k in range(1_100))}</parents><strengths>{'0 1 ' * 1_100}</strengths>"
        f"<parameters>{'0.1 0.9 0 1 ' * 1_100} 0 1</parameters></noisymax></nodes></smile>"
    )
    with pytest.raises(DataError, match="the table of 'c' would take"):
        read_network(text, "xdsl")


FAULTS = {
    "sum": [(form, "0.8", "0.7", "sum to 1") for form in BY_HAND],
    "negative": [(form, "0.1", "-0.1", r"in \[0, 1\]") for form in BY_HAND],
    "words": [("xmlbif", "0.1 0.9", "0.1 x", "must be numbers"), ("net", "(0.1", "(x", "must be numbers"),
              ("dsc", ": 0.1", ": x", "must be numbers"), ("xdsl", "0.1 0.9", "x 0.9", "must be numbers")],
    "size": [("xmlbif", "0.1 0.9 ", "", "12 probabilities"), ("net", "(0.1 0.9)", "", "12 probabilities"),
             ("dsc", "0.2, 0.8; }", "0.2; }", "2 probabilities"), ("xdsl", "0.1 0.9 ", "", "12 probabilities")],
    "unknown parent": [("xmlbif", "<GIVEN>b", "<GIVEN>q", "declared variables"), ("net", "| b a", "| q a", "declared"),
                       ("dsc", "| b, a", "| b, q", "declared"), ("xdsl", ">b a<", ">b q<", "declared")],
    "cycle": [("xmlbif", "<FOR>b</FOR><TABLE>0.5 0.3 0.2", "<FOR>b</FOR><GIVEN>c</GIVEN><TABLE>1 0 0 1 0 0", "cycle"),
              ("net", "(b) { data = (.5 3e-1 0.2)", "(b | c) { data = (1 0 0 1 0 0)", "cycle"),
              ("dsc", "(b) { 0.5, 0.3, 0.2;", "(b | c) { (0): 1, 0, 0; (1): 1, 0, 0;", "cycle"),
              ("xdsl", "<probabilities>0.5 0.3 0.2", "<parents>c</parents><probabilities>1 0 0 1 0 0", "cycle")],
    "no table": [("xmlbif", "<FOR>b", "<FOR>a", "must have one table"),
                 ("net", "potential (b)", "potential (a)", "another"),
                 ("dsc", "probability(b)", "probability(a)", "another"), ("xdsl", 'id="b"', 'id="a"', "twice")],
    "other nodes": [("xmlbif", 'TYPE="nature"', 'TYPE="utility"', "nature"),
                    ("net", "discrete node c", "utility c", "utility"),
                    ("xdsl", '<cpt id="a">', '<noisyadder id="a"/><cpt id="q">', "found noisy adders 'a'")],
    "levels": [("net", '"u" "v" "w"', '"u" "u" "w"', "different levels"),
               ("xmlbif", "<OUTCOME>u</OUTCOME>", "", "2 probabilities"),
               ("dsc", "[ 3 ]", "[ 2 ]", "2 levels")],
    "ends": [("net", "experience = (1); }", "", "end"), ("dsc", "default: 0.5, 0.5; }", "", "end"),
             ("xdsl", "</smile>", "", "must be XML"), ("xmlbif", "</BIF>", "", "must be XML")],
    "row": [("dsc", "(2, 1)", "(3, 1)", "has no row"), ("dsc", "(2, 1)", "(1e999, 1)", "has no row")],
    "entity": [("xmlbif", "<!ELEMENT", '<!ENTITY a "b"><!ELEMENT', "no entities"),
               ("xmlbif", "<!ELEMENT", '<!ENTITY % a SYSTEM "file:///etc/passwd"><!ELEMENT', "no entities"),
               ("xdsl", '<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE a [<!ENTITY b "c">]>', "no entities")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("form", "right", "wrong", "message"),
    [case for cases in FAULTS.values() for case in cases],
    ids=[f"{fault}-{case[0]}-{k}" for fault, cases in FAULTS.items() for k, case in enumerate(cases)],
)
def test_a_faulty_file_is_refused_in_a_sentence(form, right, wrong, message):
    assert right in BY_HAND[form]
    with pytest.raises(DataError, match=message):
        read_network(BY_HAND[form].replace(right, wrong, 1), form)


@pytest.mark.parametrize(
    ("form", "text"),
    {
        "deep": ("xdsl", "<a>" * 100_000),
        "empty": ("net", "{"),
        "other XML": ("xmlbif", "<html><body/></html>"),
        "other XML of GeNIe": ("xdsl", "<html><body/></html>"),
        "quotes": ("net", '{"' + '\\"' * 500_000),
        "digits": ("dsc", "{" + "1" * 1_000_000 + "x"),
        "comments": ("dsc", "{" + "/*" * 500_000),
        "huge table": ("dsc", "node a { type: discrete[2] = { y, n }; } " + "".join(
            f"node b{k} {{ type: discrete[2] = {{ y, n }}; }} probability(b{k}) {{ 1, 0; }}" for k in range(60))
            + f"probability(a | {', '.join(f'b{k}' for k in range(60))}) {{ default: 1, 0; }}"),
        "encoding": ("xmlbif", '<?xml version="1.0" encoding="klingon"?><BIF/>'),
    }.values(),
    ids=str,
)  # fmt: skip
def test_odd_texts_are_refused_soon(form, text):
    with pytest.raises(DataError):
        read_network(text.encode(), form)


def test_a_format_must_be_known():
    assert read_network(BY_HAND["net"], "my.NET.gz").names == ("a", "b", "c")
    with pytest.raises(ParameterError, match="must show its format"):
        read_network(b"{}", "network.doc")
    with pytest.raises(ParameterError, match="unknown format"):
        write_network(load_network("asia"), "doc")
    with pytest.raises(ParameterError, match="cannot hold the names"):
        write_network(DiscreteNetwork(("a\n",), (("x",),), PDAG.empty(1), (np.ones((1, 1)),)), "net")


@pytest.mark.parametrize("network", [hostile(), load_network("ecoli70")], ids=["tables", "equations"])
def test_the_python_builds_the_same_network(network):
    made = {}
    exec(to_python(network), made)
    found = made["network"]
    assert found.names == network.names
    if isinstance(network, GaussianNetwork):
        np.testing.assert_array_equal(found.weights, network.weights)
    else:
        assert_same(found, network)


def test_code_is_of_tables_or_equations_whatever_their_names():
    """In the code, reserved words of R get a suffix and a single level stays a list; mixed networks are refused."""
    one = DiscreteNetwork(("if", "NA"), (("only",), ("x", "y")), PDAG.empty(2), (np.ones((1, 1)), np.full((1, 2), 0.5)))
    made = {}
    exec(to_python(one), made)
    assert made["network"].levels == one.levels
    assert 'model2network("[if_2][NA_2]")' in to_r(one)
    assert "NA_2 ~ if_2" in to_lavaan(PDAG.from_edges(2, directed=[(0, 1)]), one.names)
    for write in (to_python, to_r):
        with pytest.raises(ParameterError, match="must be a DiscreteNetwork or a GaussianNetwork"):
            write(random_mixed_network(3, 1.0, seed=0))


def test_code_of_regressions_gives_the_fitted_network_again():
    """The code gives tables, linear and logistic regressions again to the last bit, also with hostile names."""
    true = random_mixed_network(6, 8.0, seed=4)
    data = with_missing_cells(sample(true, 400, seed=1), 0.1, seed=2)
    network = replace(fit(true.dag, data), fitted=None, names=("<script>", '"', "a\nb", "if", "__proto__", "x" * 200))
    assert {type(node).__name__ for node in network.nodes} == {
        "ProbabilityTable",
        "LinearRegression",
        "LogisticRegression",
    }
    made = {}
    exec(to_python(network), made)
    again = made["network"]
    assert (again.names, again.states, again.dag) == (network.names, network.states, network.dag)
    for one, other in zip(network.nodes, again.nodes, strict=True):
        assert type(one) is type(other)
        for name, array in vars(one).items():
            np.testing.assert_array_equal(array, getattr(other, name))


def test_the_r_lists_the_nodes_own_levels_first():
    network = read_network(BY_HAND["net"], "net")
    lines = to_r(network).splitlines()
    assert 'dag <- model2network("[a][b][c|a:b]")' in lines
    # In R, dim = c(c, a, b) and the first axis varies fastest, so for b = 0 first a = 0, then a = 1.
    assert lines[-3].startswith(
        f"  c = array(c({', '.join(map(repr, NUMBERS))}), dim = c(2, 2, 3), dimnames = list(c = "
    )
    assert "# n1st" in to_r(hostile())
