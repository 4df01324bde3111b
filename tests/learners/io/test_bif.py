"""Tests of reading and writing networks in BIF format."""

import gzip
import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from learners.common.errors import DataError
from learners.graphs.graph import PDAG
from learners.io.bif import read_bif, write_bif
from learners.io.samples import FOLDER
from learners.networks.network import DiscreteNetwork, GaussianNetwork
from tests.refusals import refusal

REFERENCE = Path(__file__).parents[2] / "reference" / "data"
BUNDLED = sorted(path.name.removesuffix(".bif.gz") for path in (FOLDER / "networks").glob("*.bif.gz"))

# Nodes, edges and parameters as published in the bnlearn network repository.
PUBLISHED = {
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "earthquake": (5, 4, 10),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
    "alarm": (37, 46, 509),
    "barley": (48, 84, 114005),
    "child": (20, 25, 230),
    "insurance": (27, 52, 1008),
    "mildew": (35, 46, 540150),
    "water": (32, 66, 10083),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "win95pts": (76, 112, 574),
    "andes": (223, 338, 1157),
    "diabetes": (413, 602, 429409),
    "link": (724, 1125, 14211),
    "pathfinder": (109, 195, 72079),
    "pigs": (441, 592, 5618),
    "munin1": (186, 273, 15622),
    "munin": (1041, 1397, 80592),
}
SAMPLED = ["asia_n2000", "survey_n2000", "sachs_n1000", "child_n2000", "insurance_n1000", "alarm_n2000"]

RAIN = """
network "wet grass" { property author "somebody; else"; }
// the weather comes first
variable rain { type discrete [2] { yes, no }; property position = (1, 2); }
variable sprinkler { type discrete[ 3 ] { off low high }; }
variable "wet grass" { type discrete [ 2 ] { "very wet", dry }; }
/* two lines
   of comment */
probability ( rain ) { table 0.2, 0.8; }
probability ( sprinkler | rain ) { (yes) 0.9, 0.05, 0.05; default 0.2, 0.3, 0.5; }
probability ( "wet grass" | sprinkler, rain ) {
  (off, yes) 0.8, 0.2;  (off, no) 0.0, 1.0;
  (low, yes) 0.9 0.1;   (low, no) 7e-1 .3;
  (high, yes) 1, 0;     (high, no) 0.95, 0.05;
}
"""


def _assert_same(a: DiscreteNetwork, b: DiscreteNetwork) -> None:
    assert (a.names, a.levels, a.dag) == (b.names, b.levels, b.dag)
    for x, y in zip(a.cpts, b.cpts, strict=True):
        assert x.tobytes() == y.tobytes()


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_network_has_its_published_size_and_survives_writing(name):
    """Every bundled network has the published counts, and its rows sum to 1.

    Writing and reading keep every bit.
    """
    network = read_bif(FOLDER / "networks" / f"{name}.bif.gz")
    assert (network.p, network.dag.n_edges, network.n_parameters) == PUBLISHED[name]
    for cpt in network.cpts:
        np.testing.assert_allclose(cpt.sum(axis=1), 1, rtol=0, atol=1e-9)
    _assert_same(read_bif(write_bif(network)), network)


def test_every_bundled_network_has_a_published_size():
    """The table of published sizes lists every bundled network."""
    assert sorted(PUBLISHED) == BUNDLED


@pytest.mark.parametrize("name", SAMPLED)
def test_network_agrees_with_a_sample_drawn_by_another_program(name):
    """Names, levels and edges equal those of the reference, whose rows follow the tables under the right parents."""
    stored = json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))
    network = read_bif(FOLDER / "networks" / f"{stored['network']}.bif.gz")
    assert list(network.names) == stored["names"]
    assert network.arity.tolist() == stored["arity"]
    assert [list(levels) for levels in network.levels] == [stored["levels"][name] for name in network.names]
    edges = {(network.names[i], network.names[j]) for i, j in network.dag.directed_edges()}
    assert edges == {tuple(edge) for edge in stored["dag"]}
    assert network.n_parameters == stored["n_params"]
    with gzip.open(REFERENCE / f"{name}.csv.gz", "rt") as file:
        codes = np.loadtxt(file, delimiter=",", skiprows=1, dtype=int).T
    for j in range(network.p):
        _assert_follows(network, j, codes)


def _assert_follows(network: DiscreteNetwork, j: int, codes: np.ndarray) -> None:
    parents = network.dag.parents(j)
    row = np.ravel_multi_index(codes[list(parents)], network.arity[list(parents)]) if parents else 0 * codes[j]
    cpt = network.cpts[j]
    counts = np.zeros(cpt.shape)
    np.add.at(counts, (row, codes[j]), 1)
    expected = counts.sum(axis=1, keepdims=True) * cpt
    assert not counts[cpt == 0].any()
    used = expected >= 5  # the usual limit of the chi-square approximation
    statistic = ((counts - expected)[used] ** 2 / expected[used]).sum()
    # About 110 nodes at the level 1e-6 give one false alarm in 10 000 runs; the files never change.
    assert chi2.sf(statistic, max(used.sum(), 1)) > 1e-6, network.names[j]


def test_tables_hold_the_printed_numbers():
    """The tables of asia and insurance hold the numbers printed in the files, whatever the order of the parents."""
    asia = read_bif(FOLDER / "networks" / "asia.bif.gz")
    index = {name: j for j, name in enumerate(asia.names)}
    assert asia.cpts[index["asia"]].tolist() == [[0.01, 0.99]]
    assert asia.dag.parents(index["either"]) == (index["tub"], index["lung"])
    assert asia.cpts[index["either"]].tolist() == [[1, 0], [1, 0], [1, 0], [0, 1]]
    # dysp | bronc, either: rows (yes, yes), (yes, no), (no, yes), (no, no)
    assert asia.cpts[index["dysp"]].tolist() == [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.1, 0.9]]
    survey = read_bif(FOLDER / "networks" / "survey.bif.gz")
    # E | A, S in the file runs through A first: (young, M), (adult, M), (old, M), (young, F) ...
    assert survey.cpts[survey.names.index("E")][:, 0].tolist() == [0.75, 0.64, 0.72, 0.7, 0.88, 0.9]


def test_comments_quotes_defaults_and_loose_separators_are_understood():
    """The parser accepts comments, properties, quoted names, blanks instead of commas, and `default` rows."""
    network = read_bif(RAIN)
    assert network.names == ("rain", "sprinkler", "wet grass")
    assert network.levels[2] == ("very wet", "dry")
    assert network.cpts[1].tolist() == [[0.9, 0.05, 0.05], [0.2, 0.3, 0.5]]
    # Parents are in ascending order (rain, sprinkler), although the file names sprinkler first.
    assert network.cpts[2][:, 0].tolist() == [0.8, 0.9, 1.0, 0.0, 0.7, 0.95]


def test_table_of_a_node_with_parents_lists_its_levels_slowest():
    """In a `table` the node's level varies slowest and the last named parent fastest (BIF 0.15)."""
    text = """variable a { type discrete [2] { t, f }; } variable b { type discrete [3] { x, y, z }; }
    variable c { type discrete [2] { t, f }; }
    probability ( a ) { table 1, 0; } probability ( b ) { table .5, .25, .25; }
    probability ( c | b, a ) { table 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4; }"""
    # c = t given (b, a): (x, t) .1, (x, f) .2, (y, t) .3 ...; rows here run through (a, b)
    assert read_bif(text).cpts[2][:, 0].tolist() == [0.1, 0.3, 0.5, 0.2, 0.4, 0.6]


@pytest.mark.parametrize("form", ["text", "bytes", "gzip", "bom", "crlf", "path", "gzip path"])
def test_source_may_be_text_bytes_or_a_file(form, tmp_path):
    """A source given as text, bytes or a file gives the same network."""
    raw = RAIN.encode()
    path = tmp_path / "rain.bif"
    path.write_bytes(gzip.compress(raw) if form == "gzip path" else raw)
    source = {
        "text": RAIN,
        "bytes": raw,
        "gzip": gzip.compress(raw),
        "bom": b"\xef\xbb\xbf" + raw,
        "crlf": raw.replace(b"\n", b"\r\n"),
        "path": str(path),
        "gzip path": path,
    }[form]
    _assert_same(read_bif(source), read_bif(RAIN))


def test_rows_of_printed_decimals_are_rescaled_and_exact_rows_kept():
    """Rows of rounded decimals are rescaled: 0.333 three times becomes three thirds.

    Rows whose sum is within 1e-9 of 1 keep every bit.
    """
    text = "variable a {{ type discrete [3] {{ x, y, z }}; }} probability ( a ) {{ table {}; }}"
    np.testing.assert_array_equal(read_bif(text.format("0.333, 0.333, 0.333")).cpts[0], np.full((1, 3), 1 / 3))
    kept = [0.1, 0.2, 0.7 + 5e-10]
    assert read_bif(text.format(", ".join(map(repr, kept)))).cpts[0].tolist() == [kept]


BROKEN = {
    "empty file": (b"", "empty"),
    "not BIF": (b"a,b,c\n1,2,3\n", "in line 1 .*expected 'network', 'variable' or 'probability' here, found 'a'"),
    "no variables": ("network x { }", "at least one variable"),
    "binary": (bytes(range(256)) * 4, "in line 1"),
    "damaged gzip": (gzip.compress(RAIN.encode())[:-20], "damaged"),
    "no such file": ("/no/such/file.bif", "cannot be opened"),
    "end in the middle": (RAIN[:-30], "in line 14 .*found the end"),
    "end in a number": (RAIN[: RAIN.index("0.95,")] + "0.95", "in line 14 .*numbers and a semicolon .*found '0.95'"),
    "open quote": (RAIN.replace('"very wet"', '"very wet'), "in line 6 "),
    "unknown parent": (RAIN.replace("sprinkler | rain", "sprinkler | snow"), "in line 10 .*'snow' is not one"),
    "unknown level": (RAIN.replace("(off, no)", "(off, maybe)"), "in line 12 .*'maybe' must be a level of 'rain'"),
    "parent twice": (RAIN.replace("sprinkler | rain", "sprinkler | rain, rain"), "in line 10 .*must differ"),
    "own parent": (RAIN.replace("sprinkler | rain", "sprinkler | sprinkler"), "in line 10 .*must differ"),
    "no table": (RAIN.replace("probability ( rain ) { table 0.2, 0.8; }", ""), r"'rain' have none"),
    "empty table": (RAIN.replace("table 0.2, 0.8;", ""), "in line 9 .*'rain' must have its probabilities"),
    "two tables": (RAIN + "probability ( rain ) { table 0.2, 0.8; }", "in line 16 .*found another"),
    "missing row": (RAIN.replace("(low, no) 7e-1 .3;", ""), r"in line 11 .*found none for 'low' and 'no'"),
    "row twice": (RAIN.replace("(low, no)", "(low, yes)"), "in line 13 .*found a second"),
    "short row": (RAIN.replace("(yes) 0.9, 0.05,", "(yes) 0.9,"), "in line 10 .*must hold 3 probabilities, found 2"),
    "short table": (RAIN.replace("table 0.2, 0.8", "table 0.2"), "in line 9 .*must hold 2 probabilities, found 1"),
    "long default": (RAIN.replace("default 0.2", "default 0, 0.2"), "in line 10 .*must hold 3 .*found 4"),
    "levels of a row": (RAIN.replace("(off, yes)", "(off)"), "in line 12 .*one level for each of"),
    "table beside rows": (RAIN.replace("default 0.2, 0.3, 0.5", "table 1, 0, 0, 1, 0, 0"), "in line 10 .*rows beside"),
    "sum": (RAIN.replace("table 0.2", "table 0.21"), "in line 9 .*sums to 1.01"),
    "negative": (RAIN.replace("table 0.2, 0.8", "table -0.2, 1.2"), r"in line 9 .*in \[0, 1\]"),
    "infinite": (RAIN.replace("table 0.2", "table 1e999"), r"in line 9 .*in \[0, 1\]"),
    "not a number": (RAIN.replace("table 0.2", "table 0.2.1"), "in line 9 .*'0.2.1' is not one"),
    "nan": (RAIN.replace("table 0.2", "table nan"), "in line 9 .*numbers and a semicolon"),
    "level count": (RAIN.replace("[2] { yes, no }", "[3] { yes, no }"), "in line 4 .*3 different levels"),
    "level twice": (RAIN.replace("{ yes, no }", "{ yes, yes }"), "in line 4 .*2 different levels"),
    "no type": (RAIN.replace("type discrete[ 3 ] { off low high };", ""), "in line 5 .*at least one level"),
    "continuous": (RAIN.replace("discrete[ 3 ]", "continuous[ 3 ]"), "in line 5 .*must be discrete"),
    "declared twice": (RAIN.replace("variable sprinkler", "variable rain"), "in line 5 .*declared again"),
    "stray word": (RAIN.replace("type discrete[", "typo discrete["), "in line 5 .*found 'typo'"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_text_is_refused_with_its_line(case):
    """Broken text is refused with a message of one line that gives the cause and its position."""
    source, message = BROKEN[case]
    with pytest.raises(DataError, match=message) as caught:
        read_bif(source)
    assert "\n" not in str(caught.value)


def test_cycle_is_refused_by_the_names_on_it():
    """A cycle is refused by the names of its nodes, without nodes outside the cycle."""
    text = "".join(f"variable {v} {{ type discrete [1] {{ x }}; }}\n" for v in "abcd")
    text += "".join(f"probability ( {v} | {w} ) {{ (x) 1; }}\n" for v, w in ("ba", "cb", "ac", "dc"))
    with pytest.raises(DataError, match=r"must be a DAG, found a cycle .*among '[abc]', '[abc]' and '[abc]';"):
        read_bif(text)
    two = text.replace("probability ( a | c )", "probability ( a | b )")
    with pytest.raises(DataError, match=r"must be a DAG, found a cycle .*among '[ab]' and '[ab]';"):
        read_bif(two)


def test_few_words_cannot_claim_all_memory():
    """A node with forty binary parents declares 2^41 cells in one line and is refused before they are allocated."""
    names = [f"v{k}" for k in range(41)]
    text = "".join(f"variable {v} {{ type discrete [2] {{ x, y }}; }}\n" for v in names)
    text += "".join(f"probability ( {v} ) {{ table 1, 0; }}\n" for v in names[1:])
    with pytest.raises(DataError, match="at most 2,000 variables and [0-9,]+ probabilities"):
        read_bif(text + f"probability ( v0 | {' '.join(names[1:])} ) {{ default 1, 0; }}")


@pytest.mark.parametrize(
    "junk",
    ['"', "/* ", '"\\"', '\\"', "(", "a ", 'variable x { property "'],
    ids=["quotes", "comments", "escapes", "backslashes", "parentheses", "words", "properties"],
)
def test_a_megabyte_of_junk_is_refused(junk):
    """Invalid text is refused in linear time; in quadratic time this test would take hours."""
    with pytest.raises(DataError):
        read_bif((junk * (1_000_000 // len(junk)) + "\\").encode())


hostile = st.text(min_size=1, max_size=12) | st.sampled_from(
    [
        '<script>alert("1")</script>',
        "a b",
        'say "hi"',
        "back\\slash",
        '\\"',
        "//",
        "/*",
        "*/",
        "table",
        "default",
        "}",
        "|",
    ]
)


@st.composite
def networks(draw) -> DiscreteNetwork:
    """Draw networks of up to four nodes with up to three levels, any names and any probabilities."""
    p = draw(st.integers(1, 4))
    names = draw(st.lists(hostile.filter(str.strip), min_size=p, max_size=p, unique=True))
    levels = [draw(st.lists(hostile, min_size=1, max_size=3, unique=True)) for _ in range(p)]
    order = draw(st.permutations(range(p)))
    amat = np.zeros((p, p), dtype=bool)
    for a in range(p):
        for b in range(a):
            amat[order[b], order[a]] = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    dag = PDAG(amat)
    sizes = [int(np.prod([len(levels[i]) for i in dag.parents(j)])) for j in range(p)]
    cpts = [rng.dirichlet(np.full(len(levels[j]), 0.3), size=q) for j, q in enumerate(sizes)]
    return DiscreteNetwork(names, levels, dag, cpts)


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(networks())
def test_writing_and_reading_gives_the_same_network(network):
    """Names, levels, graph and every bit survive writing and reading, for any names."""
    text = write_bif(network)
    _assert_same(read_bif(text), network)
    _assert_same(read_bif(text.encode()), network)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damaged_text_is_a_data_error_or_a_network(data):
    """Text with random deletions and insertions raises no other error than DataError."""
    start = data.draw(st.integers(0, len(RAIN)))
    end = data.draw(st.integers(start, len(RAIN)))
    inserted = data.draw(st.sampled_from(["", '"', "{", "}", "(", ")", ";", "\x00", "1e5", "variable", "é", "/*"]))
    with suppress(DataError):
        read_bif((RAIN[:start] + inserted + RAIN[end:]).encode())


A_TO_B = PDAG.from_edges(2, directed=[(0, 1)])
GOOD = {
    "names": ("a", "b"),
    "levels": (("x", "y"), ("u", "v")),
    "dag": A_TO_B,
    "cpts": (np.full((1, 2), 0.5), np.full((2, 2), 0.5)),
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ("a", "a")}, "names must differ"),
        ({"levels": (("x", "x"), ("u", "v"))}, r"'a' do not"),
        ({"levels": ((), ("u", "v"))}, "1 to 65535"),
        ({"levels": (("x", "y"),)}, "levels must have one entry per name"),
        ({"dag": PDAG.empty(3)}, "dag must have one entry per name"),
        ({"dag": PDAG.complete(2)}, r"must be a DAG, .*among '[ab]' and '[ab]';"),
        ({"dag": PDAG.empty(2)}, r"the table of 'b' must be \(1, 2\)"),
        ({"cpts": (np.full((1, 2), 0.5),)}, "cpts must have one entry per name"),
        ({"cpts": (np.full((1, 2), 0.5), np.array([[0.5, 0.5], [0.5, 0.49]]))}, "row 2 of 'b' sums to 0.99"),
        ({"cpts": (np.full((1, 2), np.nan), np.full((2, 2), 0.5))}, r"in \[0, 1\]"),
    ],
    ids=["names", "levels", "no level", "levels short", "dag", "undirected", "shape", "cpts", "sum", "nan"],
)
def test_discrete_network_refuses_parts_that_do_not_fit(change, message):
    with pytest.raises(DataError, match=message):
        DiscreteNetwork(**{**GOOD, **change})


@pytest.mark.parametrize(
    ("weights", "variance", "message"),
    [
        ([[0, 1], [1, 0]], [1, 1], r"must be a DAG, found a cycle .*among '[ab]' and '[ab]';"),
        ([[1, 1], [0, 0]], [1, 1], "its own cause"),
        ([[0, np.inf], [0, 0]], [1, 1], "weights must be finite"),
        ([[0, 1], [0, 0]], [1, 0], r"above 0, that of 'b'"),
        ([[0, 1]], [1, 1], r"weights must have shape \(2, 2\)"),
        ([[0, 1], [0, 0]], [1], "noise_variance must have shape"),
    ],
    ids=["cycle", "loop", "infinite", "variance", "shape", "length"],
)
def test_gaussian_network_refuses_parts_that_do_not_fit(weights, variance, message):
    with pytest.raises(DataError, match=message):
        GaussianNetwork(("a", "b"), np.array(weights, dtype=float), np.array(variance, dtype=float), np.zeros(2))


def test_networks_cannot_be_changed_and_do_not_share_memory():
    """The arrays of a network are read-only copies."""
    cpt = np.full((1, 2), 0.5)
    network = DiscreteNetwork(**{**GOOD, "cpts": (cpt, GOOD["cpts"][1])})
    cpt[0] = 0.1, 0.9
    assert network.cpts[0].tolist() == [[0.5, 0.5]]
    with pytest.raises(ValueError, match="read-only"):
        network.cpts[0][0, 0] = 1


@pytest.mark.deep
def test_many_parents_take_no_more_memory_than_their_text_is_worth():
    """Large tables are refused without using much memory.

    Tested with 16 million cells in one line, and with a table without rows.
    """
    names = [f"v{k}" for k in range(23)]
    text = "".join(f"variable {v} {{ type discrete [2] {{ x, y }}; }}\n" for v in ["x", *names])
    text += "".join(f"probability ( {v} ) {{ table 1, 0; }}\n" for v in names)
    for parents, error in ((names, "'x' with 23 parents"), (names[:18], "'x' must have a row for every")):
        text_of = text + f"probability ( x | {' '.join(parents)} ) {{ }}"
        grown, reason = refusal(f"text = {text_of!r}", "read_bif(text)")
        assert error in reason
        assert grown < 20_000_000


def test_a_network_of_blanks_is_refused_before_it_is_unfolded():
    """A gzip file that expands to a thousand times its size is refused."""
    with pytest.raises(DataError, match="may expand to at most 100 times its size"):
        read_bif(gzip.compress(b" " * 30_000_000))
