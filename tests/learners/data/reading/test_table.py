"""Tests of reading text files: every cell is kept, guesses are visible, and invalid files give clear errors."""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from learners.common.errors import DataError, LearnersError, ParameterError
from learners.common.wording import quoted
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading import source, text_encoding
from learners.data.reading.separators import SEPARATORS
from learners.data.reading.table import Table, first_lines, read_table
from learners.io.samples import load_network
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from tests.refusals import refusal

pytestmark = pytest.mark.compiled  # these tests run no kernel, so running them without compilation would add nothing

HOSTILE = [
    "<script>alert(1)</script>",
    'say "href"',
    "two\nlines",
    "dos\r\nlines",
    "x" * 200,
    "🙂",
    "1st",
    "a,b;c\td|e",
    "NA",
    " ",
]

TEXT = str(pd.Series(["a"]).dtype)  # "str" since pandas 3


def written(rows, *, encoding="utf-8", separator=",", quoting=csv.QUOTE_MINIMAL, newline="\n", packed=False):
    """Return the bytes of a CSV file."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=newline).writerows(rows)
    raw = text.getvalue().encode(encoding)
    return gzip.compress(raw, mtime=0) if packed else raw


def cells_of(table):
    return table.frame.to_numpy(dtype=object).tolist()


def guess_of(texts, name="v"):
    """Return the guess for a column of these texts."""
    return read_table(written([[name, "w"], *([text, "k"] for text in texts)])).guess.columns[0]


@st.composite
def text_tables(draw, largest=0x1FFFF):
    """Draw a header and rows of texts with characters up to `largest`."""
    blocked = "".join(map(chr, range(0x80, 0xA0)))
    any_text = st.text(
        st.one_of(
            st.characters(
                max_codepoint=largest, exclude_categories=["Cc", "Cs"], exclude_characters=blocked + "\ufeff"
            ),
            st.sampled_from("\n\t,;|\"' .01"),
        ),
        max_size=6,
    )
    width = draw(st.integers(2, 4))
    header = [f"v{j}{draw(any_text)}" for j in range(width)]
    rows = draw(st.lists(st.lists(any_text, min_size=width, max_size=width), min_size=1, max_size=6))
    return [header, *rows]


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(
    data=st.data(),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
    separator=st.sampled_from(list(SEPARATORS)),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    newline=st.sampled_from(["\n", "\r\n"]),
    packed=st.booleans(),
)
def test_every_cell_comes_back_as_written(data, encoding, separator, quoting, newline, packed):
    """Names and cells are equal for any encoding, separator, quoting and line ends; only empty rows are dropped."""
    rows = data.draw(text_tables(0xFF if encoding == "latin-1" else 0x1FFFF))
    options = {"separator": separator, "quoting": quoting, "newline": newline}
    raw = written(rows, encoding=encoding, **options)
    if encoding == "latin-1":
        assume(raw.isascii() or not text_encoding._is_utf8(raw))  # bytes that are also valid UTF-8 are ambiguous
    table = read_table(gzip.compress(raw, mtime=0) if packed else raw, separator=separator)
    assert list(table.names) == rows[0]
    assert cells_of(table) == ([row for row in rows[1:] if any(map(str.strip, row))] or rows[1:])
    assert list(table.frame.dtypes.astype(str)) == [TEXT] * len(rows[0])


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(
        st.lists(st.decimals(-1000, 1000, places=2), min_size=2, max_size=4), min_size=2, max_size=6
    ).filter(lambda rows: len({len(row) for row in rows}) == 1),
    separator=st.sampled_from(list(SEPARATORS)),
    decimal=st.sampled_from(".,"),
)
def test_separator_and_decimal_mark_are_found_in_tables_of_numbers(values, separator, decimal):
    """Numbers with two decimals are read exactly, with either decimal mark and any separator."""
    rows = [[f"v{j}" for j in range(len(values[0]))], *([str(v).replace(".", decimal) for v in row] for row in values)]
    table = read_table(written(rows, separator=separator))
    assert (table.guess.separator, table.guess.decimal) == (separator, decimal)
    numbers = np.column_stack([cells.numbers[cells.codes] for cells in table.cells])
    np.testing.assert_array_equal(numbers, np.array(values, dtype=float))


@pytest.mark.parametrize("pair", [(",", ";"), (";", "\t"), ("\t", "|")], ids=repr)
def test_the_more_common_of_two_separators_that_fit_equally_well_is_taken(pair):
    """The more frequent separator is used if two give two columns in every row."""
    first, second = pair
    raw = "".join(f"{k}{first}{k}{second}{k}\n" for k in range(5))
    assert read_table(raw.encode()).guess.separator == first


@pytest.mark.parametrize("marks", [["k.A.", "-99"], ["<0,5", "k.A.", "NA"], []], ids=["code", "limit", "none"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_decimal_mark_is_found_beside_marks_for_missing(decimal, marks):
    """The decimal mark is found despite a few cells without numbers."""
    values = [f"{k * 7 % 90 + k / 10:.1f}".replace(".", decimal) for k in range(40)]
    table = read_table(written([["x", "y"], *([text, "abc"[k % 3]] for k, text in enumerate([*values, *marks]))]))
    assert table.guess.decimal == decimal
    assert np.isfinite(table.cells[0].numbers[:40]).all()


def test_thousands_beside_marks_are_no_decimals():
    """A comma before every three digits separates thousands, also among other cells."""
    rows = [[f"{k},{k % 10}50", "ab"[k % 2]] for k in range(1, 40)]
    assert read_table(written([["x", "y"], *rows, ["k.A.", "a"]])).guess.decimal == "."


def test_three_digits_after_a_comma_are_decimals_where_nothing_stands_before_it():
    """A leading zero, as in 0,822, excludes a thousands separator."""
    rows = [[f"{k % 2},{k % 10}50", "ab"[k % 2]] for k in range(1, 40)]
    assert read_table(written([["x", "y"], *rows])).guess.decimal == ","


@pytest.mark.parametrize(
    ("mark", "missing"), [("NA", True), ("?", True), ("#N/A", True), ("-", False), ("None", False)]
)
def test_what_is_missing_beside_numbers_is_missing_beside_levels(mark, missing):
    """Markers among numbers are also missing among levels, such as NA from R, unless the marker may be a level."""
    rows = [[mark if k % 5 == 0 else f"{k}.5", mark if k % 7 == 0 else "uv"[k % 2]] for k in range(40)]
    numbers, levels = read_table(written([["x", "y"], *rows])).guess.columns
    assert numbers.missing == (mark,)
    assert (levels.kind, levels.missing) == ("categorical", (mark,) * missing)
    assert (f"{mark!r} (6 times) taken as missing" in levels.reason) == missing
    alone = [["z" if k % 2 else "w", row[1]] for k, row in enumerate(rows)]
    assert read_table(written([["x", "y"], *alone])).guess.columns[1].missing == ()


@pytest.mark.parametrize("name", HOSTILE[:-1], ids=range(len(HOSTILE) - 1))
def test_hostile_names_and_cells_are_only_text(name):
    """Markup, quotes, line breaks, long names, emoji and separators stay unchanged."""
    table = read_table(written([[name, "other"], *([text, "k"] for text in HOSTILE)]), separator=",")
    assert table.names == (name, "other")
    assert table.frame.iloc[:, 0].tolist() == HOSTILE


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16-le"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("latin-1", "latin-1"),
        ("cp1252", "cp1252"),
    ],
)
def test_encoding_is_guessed_and_said(encoding, found):
    """A byte order mark is optional; quotation marks distinguish Windows-1252 from Latin-1."""
    word = "Größe“" if encoding == "cp1252" else "Größe"
    table = read_table(written([["Länge", "b"], [word, "1"], ["x", "2"]], encoding=encoding))
    assert table.guess.encoding == found
    assert cells_of(table) == [[word, "1"], ["x", "2"]]


def test_a_late_character_decides_the_encoding():
    """A late non-ASCII character decides the encoding, because the whole file is considered."""
    rows = [["a", "b"], *[["x", "y"]] * 600_000, ["é", "z"]]
    table = read_table(written(rows, encoding="latin-1"))
    assert table.guess.encoding == "latin-1"
    assert table.frame.iloc[-1].tolist() == ["é", "z"]


def test_every_guess_can_be_overridden():
    """Encoding, separator and decimal mark can be given."""
    raw = "a;b,c\n1,5;é,2\n".encode()
    table = read_table(raw, encoding="latin-1", separator=";", decimal=".")
    assert (table.guess.encoding, table.guess.separator, table.guess.decimal) == ("latin-1", ";", ".")
    assert table.names == ("a", "b,c")
    assert cells_of(table) == [["1,5", "Ã©,2"]]
    assert table.guess.columns[0].kind == "categorical"


def test_insurance_keeps_its_level_called_none():
    """Among texts 'None' is a level; it is reported, but not proposed as missing."""
    guess = guess_of(["None", "Mild", "Severe", "None", "Mild"], name="Accident")
    assert guess.kind == "categorical"
    assert [(m.text, m.count, m.missing) for m in guess.markers] == [("None", 2, False)]
    assert guess.missing == ()
    assert guess.n_distinct == 3


@pytest.mark.parametrize("marker", ["NA", "nan", "None", "?", "null", "N/A", "-", ".", "#N/A", " na ", ""])
def test_a_marker_among_numbers_is_proposed_as_missing(marker):
    """A marker among numbers is proposed as missing; the reason contains the marker with its count."""
    guess = guess_of([*(f"{k}.5" for k in range(20)), marker, marker])
    assert guess.kind == "continuous"
    assert guess.missing == (marker,)
    assert f"{repr(marker) if marker else 'empty'} (2 times) taken as missing" in guess.reason


def test_an_empty_cell_is_missing_even_among_text():
    """Empty and blank cells are proposed as missing; other markers in text columns are not."""
    guess = guess_of(["a", "", "b", "  ", "NA"])
    assert set(guess.missing) == {"", "  "}


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["0", "1"] * 5, "categorical"),
        (["1", "2", "3"] * 10, "categorical"),
        (["1.0", "2.0", ""] * 10, "categorical"),
        ([str(k * k) for k in range(12)], "continuous"),
        (["1", "2", "3", "7"], "continuous"),
        (["0.5", "1.5"] * 20, "continuous"),
        (["1e-3", "+2", ".5", "-Inf"] * 10, "continuous"),
        ([str(k) for k in range(7, 40)], "ignore"),
        ([f"person {k}" for k in range(40)], "ignore"),
        ([f"town {k % 9}" for k in range(40)], "categorical"),
        (["", "", "NA"], "ignore"),
        (["1,234", "5,678", "9,012"] * 3, "categorical"),
        (["x"] * 30, "categorical"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value[0]}..{value[-1]}",
)
def test_kind_of_a_column_is_guessed(texts, kind):
    """Few different integers are levels, other numbers continuous; row names, counters and empty columns ignored."""
    guess = guess_of(texts)
    assert guess.kind == kind
    assert guess.reason


def test_numbers_are_read_exactly():
    """Numbers with 17 significant digits are read as exactly the same double."""
    values = np.random.default_rng(3).normal(size=200) * 10.0 ** np.arange(-100, 100)
    table = read_table(written([["v", "w"], *([repr(float(v)), "a"] for v in values)]))
    cells = table.cells[0]
    np.testing.assert_array_equal(cells.numbers[cells.codes], values)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "the file is empty. It needs a header row"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (b" \n\r\n ", "the file is blank"),
        (b"\xef\xbb\xbf", "the file is blank"),
        (b"a,b\n", "a header of 2 names and no row"),
        (b"a,b\n1,2\n1,2,3\n", "must have the 2 cells of the header, line 3 has 3. .* separator than the comma$"),
        (b'a;b\n"x\ny";2\n\n1\n', "line 5 has 1. .* than the semicolon$"),
        (b'a,b\n1,2\n3,"x\n4,y\n5,z\n', "every quote must be closed, but one opened in line 3 is not"),
        (b'a,b\n1,2\n"3,x\n4,y\n5,z\n', "every quote must be closed, but one opened in line 3 is not"),
        (bytes(range(256)) * 20, "the file must be text, found binary data"),
        (np.random.default_rng(0).bytes(5000), "the file must be text"),
        (b";\r;", "the rows have 2 cells below 0 names"),
        (b"PK\x03\x04" + bytes(100), "found a zip file"),
        (b"a,b\n\xff\xfe\n" + bytes(9), "the file must be text"),
        (gzip.compress(b"a,b\n1,2\n" * 999, mtime=0)[:-20], "a gzip file must be complete"),
        (b"\x1f\x8bnonsense", "a gzip file must be complete"),
    ],
)
def test_a_bad_file_ends_in_one_sentence(raw, sentence):
    """The error message gives the cause, the line if there is one, the guess and the fix."""
    with pytest.raises(DataError, match=sentence) as caught:
        read_table(raw)
    assert "\n" not in str(caught.value)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text('ab01",;\n\r\t|. é', max_size=40).map(str.encode)))
def test_any_bytes_give_a_table_or_a_sentence(raw):
    """Any bytes give a table or a LearnersError."""
    try:
        table = read_table(raw)
    except LearnersError:
        return
    assert table.frame.shape == (table.n, table.p)


def test_wrong_separator_is_named():
    """A separator that leaves one column is refused, and the message gives the one in the header."""
    with pytest.raises(DataError, match=r"leaves one column, 'a;b', which holds semicolons. Choose .* semicolon$"):
        read_table(b"a;b\n1;2\n", separator=",")
    with pytest.raises(DataError, match=r"semicolon leaves one column, 'a,b', which holds commas. Choose .* comma$"):
        read_table(b"sep=;\r\na,b\r\n1,2\r\n")


def test_wrong_encoding_is_named_with_its_line():
    """For a wrong encoding, the message gives the first line with invalid UTF-8."""
    with pytest.raises(DataError, match="must be text in utf-8, line 3 is not. Choose another encoding"):
        read_table("a,b\n1,2\n3,é\n".encode("latin-1"), encoding="utf-8")


def test_a_missing_file_is_said(tmp_path):
    """A missing file is a user error and raises a DataError."""
    with pytest.raises(DataError, match="cannot be opened"):
        read_table(tmp_path / "absent.csv")


def test_a_path_and_its_bytes_give_the_same_table(tmp_path):
    """A path, as text or Path object, and the bytes of a plain or packed file give the same table."""
    raw = written([["a", "b"], ["1", "x"], ["2", "y"]])
    (tmp_path / "t.csv").write_bytes(raw)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(raw, mtime=0))
    for path in (tmp_path / "t.csv", str(tmp_path / "t.csv"), tmp_path / "t.csv.gz"):
        assert cells_of(read_table(path)) == [["1", "x"], ["2", "y"]]


def test_too_many_columns_offer_a_subset():
    """10 000 columns are refused, and a subset of them can be read."""
    raw = written([[f"v{j}" for j in range(10_000)], ["1"] * 10_000])
    with pytest.raises(DataError, match="at most 1,000 columns, found 10,000. Read the first 1,000 columns only"):
        read_table(raw)
    assert read_table(raw, max_columns=1000).p == 1000
    assert read_table(raw, columns=["v9999", "v3"]).names == ("v3", "v9999")


def test_a_file_may_be_wider_than_an_upload(tmp_path):
    """A file with a path may have up to 10,000 columns; the bytes of an upload, 1,000."""
    raw = written([[f"v{j}" for j in range(10_001)], *([str(k % 2)] * 10_001 for k in range(3))])
    (tmp_path / "wide.csv").write_bytes(raw)
    with pytest.raises(DataError, match="at most 10,000 columns, found 10,001"):
        read_table(tmp_path / "wide.csv")
    assert read_table(tmp_path / "wide.csv", max_columns=1_001).p == 1_001


def test_a_subset_of_columns_avoids_nameless_ones():
    """Columns without a name are an error only if they are read."""
    assert read_table(b",a,b\n1,2,3\n", columns=["a", "b"]).names == ("a", "b")
    with pytest.raises(DataError, match=r"columns must be names of the header"):
        read_table(b"a,b\n1,2\n", columns=["c"])


@pytest.mark.parametrize("rows", [1, 3, 200_000])
def test_max_rows_reads_from_the_top(rows):
    """With `max_rows` the first rows are read, and only their texts are counted."""
    table = read_table(b"a,b\n" + b"".join(b"%d,x\n" % k for k in range(150_000)), max_rows=rows)
    assert table.n == min(rows, 150_000)
    assert table.frame.iloc[-1, 0] == str(table.n - 1)
    assert table.cells[0].counts.tolist() == [1] * table.n


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_too_large_a_file_offers_a_subset(monkeypatch, encoding):
    """Above the limit the file is refused; with max_rows it is read up to the last complete row below the limit."""
    raw = written([["a", "b"], *[["1é", "two\nlines"]] * 1000], encoding=encoding)
    for limit in range(3000, 3040):
        for module in (source, text_encoding):
            monkeypatch.setattr(module, "MAX_BYTES", limit)
        with pytest.raises(DataError, match="Read only its first rows"):
            read_table(raw)
        table = read_table(raw, max_rows=2000)
        assert 50 < table.n < 1000
        assert set(map(tuple, cells_of(table))) == {("1é", "two\nlines")}


def test_numbers_for_names_are_questioned():
    """A first line of different numbers is taken as the header, with a note."""
    assert "read as the header" in read_table(b"1,2\n3,4\n").guess.notes[0]
    assert read_table(b"a,2\n3,4\n").guess.notes == ()


@pytest.mark.parametrize(
    "options",
    [
        {"separator": "x"},
        {"decimal": ";"},
        {"encoding": "klingon"},
        {"max_rows": 0},
        {"max_columns": -1},
        {"max_rows": 1.5},
    ],
    ids=str,
)
def test_an_option_out_of_range_is_refused(options):
    """An option out of range is refused before the file is parsed."""
    with pytest.raises(ParameterError):
        read_table(b"a,b\n1,2\n", **options)


def test_many_distinct_texts_are_counted():
    """More texts than 16 bits can number stay distinct."""
    table = read_table(b"a,b\n" + b"".join(b"t%d,x\n" % k for k in range(70_000)))
    assert table.guess.columns[0].n_distinct == 70_000
    assert table.frame.iloc[69_999, 0] == "t69999"
    assert table.head(2).shape == (2, 2)


@pytest.mark.parametrize("kind", ["categorical", "continuous"])
def test_table_of_a_dataset_is_that_of_its_file(kind):
    """The table of a data set has the cells of the CSV file and prepares to the same data set."""
    network = load_network("survey") if kind == "categorical" else random_gaussian_network(5, 6, seed=2)
    dataset = sample(network, 300, seed=3)
    direct, read = Table.from_dataset(dataset), read_table(dataset.to_frame().to_csv(index=False).encode())
    assert direct.names == read.names
    assert [column.kind for column in direct.guess.columns] == [column.kind for column in read.guess.columns]
    plans = [default_plan(table).change(*table.names, kind=kind) for table in (direct, read)]
    ours, theirs = (prepare(*pair).dataset for pair in zip((direct, read), plans, strict=True))
    assert ours.fingerprint == theirs.fingerprint
    if kind == "categorical":
        assert direct.frame.equals(read.frame)


def test_table_of_a_weighted_dataset_has_every_row():
    """In the table of a weighted data set, a row of weight 3 becomes three rows, and a row of weight 0 none."""
    dataset = sample(load_network("survey"), 4, seed=3).with_weights([3, 0, 1, 1])
    assert Table.from_dataset(dataset).n == 5


ODD_FILES = {  # exported files, with the expected names, first row and note
    "row names of pandas": (b",a,b\n0,1,x\n1,2,y\n", ("row", "a", "b"), ["0", "1", "x"], "names the rows"),
    "row names of R": (b'"a","b"\n"r1",1,"x"\n"r2",2,"y"\n', ("row", "a", "b"), ["r1", "1", "x"], "names the rows"),
    "empty columns of Excel": (b"a;b;;\n1;x;;\n2;y;;\n", ("a", "b"), ["1", "x"], "left out: 2 columns"),
    "separators at the end of rows": (b"a;b\n1;x;;\n2;y;;\n", ("a", "b"), ["1", "x"], "left out: 2 columns"),
    "declared separator": (b"sep=;\na;b\n1,5;x\n2,5;y\n", ("a", "b"), ["1,5", "x"], None),
    "title above": (b"Report 2024\n\na,b,c\n1,x,2\n2,y,3\n", ("a", "b", "c"), ["1", "x", "2"], "'Report 2024'"),
    "title as wide as the table": (b"Report;;\na;b;c\n1;x;2\n2;y;3\n", ("a", "b", "c"), ["1", "x", "2"], "'Report'"),
    "title, row names, empty columns": (
        b"Report of 2024\n\n;a;b;;\nr1;1;x;;\nr2;2;y;;\n", ("row", "a", "b"), ["r1", "1", "x"], "'Report of 2024'",
    ),
    "title above two columns": (b"Report\n\na;b\n1;x\n2;y\n", ("a", "b"), ["1", "x"], "'Report'"),
    "repeated names": (b"a,a,a (2)\n1,2,3\n4,5,6\n", ("a", "a (3)", "a (2)"), ["1", "2", "3"], "header: 'a';"),
    "a name left out": (b"a,,c\n1,2,3\n4,5,6\n", ("a", "column 2", "c"), ["1", "2", "3"], "'column 2'"),
    "blanks of R": (b'"a" "b"\n"r 1" 1 "x y"\n"r 2" 2 "y"\n', ("row", "a", "b"), ["r 1", "1", "x y"], "names the rows"),
    "aligned columns": (b" a    b\n 1   xx\n20    y\n", ("a", "b"), ["1", "xx"], None),
    "no header": (
        b"yes,1.5\nno,2.5\nyes,3\nno,4\nno,4\n", ("column 1", "column 2"), ["yes", "1.5"], "there is no header",
    ),
}  # fmt: skip


@pytest.mark.parametrize("key", ODD_FILES)
def test_files_as_people_export_them_open(key):
    """Files exported by common programs give the expected names, first row and note."""
    raw, names, first, note = ODD_FILES[key]
    table = read_table(raw)
    assert table.names == names
    assert cells_of(table)[0] == first
    assert table.n == (5 if key == "no header" else 2)
    assert table.guess.notes == () if note is None else any(note in note_text for note_text in table.guess.notes)


def test_what_names_the_rows_is_no_variable():
    """Row names stay in the table, but are ignored when learning."""
    guess = read_table(b",a\n0,1\n1,2\n").guess.columns
    assert [column.kind for column in guess] == ["ignore", "categorical"]


def test_header_and_names_can_be_given():
    """The header can be any line, or none, and names can be replaced."""
    raw = b"yes,no\na,b\nno,no\n"
    assert read_table(raw).names == ("yes", "no")
    assert (read_table(raw, header=2).names, read_table(raw, header=2).n) == (("a", "b"), 1)
    assert (read_table(raw, header=0).names, read_table(raw, header=0).n) == (("column 1", "column 2"), 3)
    assert read_table(raw, names=["x", "y"]).names == ("x", "y")
    assert read_table(b"a;b;;\n1;x;;\n2;y;;\n", names=["x", "y"]).names == ("x", "y")
    with pytest.raises(DataError, match="names must be 2"):
        read_table(raw, names=["x"])
    with pytest.raises(DataError, match="line 9 does not begin a row"):
        read_table(raw, header=9)


def test_lines_are_counted_from_the_top_of_the_file():
    """The line number of an invalid row includes titles and the header."""
    with pytest.raises(DataError, match="line 6 has 2"):
        read_table(b"Report\n\na,b,c\n1,2,3\n4,5,6\n7,8\n9,9,9\n")


@pytest.mark.deep
@settings(max_examples=100, deadline=None)
@given(text_tables(), st.integers(0, 3))
def test_titles_and_empty_columns_change_no_cell(rows, empty):
    """Titles above the header and separators at the end of rows are dropped; all cells are kept."""
    assume(all(any(cell.strip() for cell in row) for row in rows[1:]))
    assume(len(rows[0]) > 2 and len(rows) > 3)
    title = [["Table 1"] + [""] * (len(rows[0]) + empty - 1)]
    table = read_table(written([*title, *([*row, *[""] * empty] for row in rows)]), separator=",")
    assert list(table.names) == rows[0]
    assert cells_of(table) == rows[1:]


@pytest.mark.deep
def test_a_gzip_file_is_unpacked_only_as_far_as_tables_unfold():
    """A decompression bomb is refused early, and its first lines can still be shown."""
    bomb = gzip.compress(b"a,b\n" + b"0,0\n" * 10_000_000)
    grown, reason = refusal('import gzip; bomb = gzip.compress(b"a,b\\n" + b"0,0\\n" * 10_000_000)', "read_table(bomb)")
    assert "may expand to at most 100 times its size" in reason
    assert grown < 100_000_000
    assert first_lines(bomb)[:2] == ["a,b", "0,0"]
    assert read_table(bomb, max_rows=5).n == 5
    assert read_table(gzip.compress(b"a,b\n" + b"0,0\n" * 1_000_000)).n == 1_000_000  # small files may expand this far


@pytest.mark.parametrize("mark", ["\n", "\r\n", "\r"])
def test_many_short_lines_are_no_line_without_end(mark):
    """A file of short lines that exceeds a parser block is read with any line ending."""
    rows = 500_000
    table = read_table(("a,b" + mark + f"1,2345678901234567{mark}" * rows).encode())
    assert (table.n, table.names) == (rows, ("a", "b"))


@pytest.mark.deep
def test_a_line_without_end_is_refused_by_its_number():
    """A line that is too long is refused before it is split into cells; the message has its number."""
    grown, reason = refusal('raw = b"a,b\\n" + b"," * 9_000_000', "read_table(raw)")
    assert "a line may hold at most 8 MB, line 2 holds more" in reason
    assert grown < 100_000_000


@pytest.mark.parametrize("source", [3, None, ["a"], "a\0b", "x" * 5_000], ids=str)
def test_what_is_no_file_is_refused_in_a_short_sentence(source):
    with pytest.raises(LearnersError) as caught:
        read_table(source)
    assert len(str(caught.value)) < 250


def test_rows_of_separators_are_omitted_and_reported():
    """Rows that consist only of separators, as Excel writes below a table, are dropped with a note."""
    text = "no;x;;\n" + "".join(f"{k};{k % 3},5;;\n" for k in range(9)) + ";;;\n ; ;;\n"
    table = read_table(text.encode())
    assert (table.n, table.guess.of("no").kind) == (9, "ignore")
    assert table.guess.notes[-1] == "left out: 2 rows without a cell"
    assert table.cells[1].counts.sum() == 9
    assert read_table(text.encode(), columns=["x"]).n == 11  # other columns may have cells in these rows


def check_footers(table: str, below: str, left_out: list[str]) -> None:
    """Check which rows below a table of 30 rows are left out, and that a note names them."""
    found = read_table((table + below).encode())
    assert found.n == 30 + (below.count("\n") if not left_out else 0)
    noted = [note for note in found.guess.notes if "below the table" in note]
    assert noted == [f"left out below the table: {quoted(left_out)}"] * bool(left_out)


@pytest.mark.parametrize(
    ("below", "left_out"),
    [
        ("Total;87;4,5\n", ["Total"]),
        ("Summe:;;\n", ["Summe:"]),
        ("Total;87;4,5\nSource: Statistical Office;;\n", ["Total", "Source: Statistical Office"]),
        (";;\nQuelle: Statistisches Amt, 2024;;\n", ["Quelle: Statistisches Amt, 2024"]),
        ("P99;;\n", []),  # a case without values
        ("Total effort;3;1,5\n", []),
        ("North;3;1,5\n", []),
    ],
)
def test_totals_and_sources_below_a_table_are_omitted_and_reported(below, left_out):
    """Only last rows are footers; a level "Total" that occurs within the table stays."""
    rows = "".join(f"P{k};{k % 3};{k},5\n" for k in range(30))
    check_footers(f"case;a;b\n{rows}", below, left_out)
    middle = rows.replace("P3;", "Total;") + "Total;87;4,5\n"
    assert read_table(f"case;a;b\n{middle}".encode()).n == 31


@pytest.mark.parametrize(
    ("below", "left_out"),
    [
        (",Total,87,4.5\n", ["Total"]),
        (",Source: Statistical Office,,\n", ["Source: Statistical Office"]),
        (",Total,87,4.5\n,Source: Statistical Office,,\n", ["Total", "Source: Statistical Office"]),
        (",North,3,1.5\n", []),  # a case without its number
        (",,Total,4.5\n", []),  # the second column is blank elsewhere, too
    ],
)
def test_footers_are_found_beside_row_numbers(below, left_out):
    """Row numbers end above totals and sources."""
    rows = "".join(f"{k + 1},{f'P{k}' if k != 4 else ''},{k % 3},{k}.5\n" for k in range(30))
    check_footers(f",case,a,b\n{rows}", below, left_out)


@pytest.mark.parametrize("repeats", [0, 1, 3])
def test_repeated_headers_are_omitted_and_reported(repeats):
    """Appended files have their headers among the rows; a row that has some of the names is a case."""
    block = "".join(f"P{k};{k % 3};{k},5\n" for k in range(12))
    header = "case;a;b\n"
    table = read_table(f"{header}{block}{(header + block) * repeats}case;a;1,5\n".encode())
    assert table.n == 12 * (1 + repeats) + 1
    noted = [note for note in table.guess.notes if "header" in note]
    assert noted == [f"left out: {repeats} repeated header{'s' * (repeats > 1)}"] * (repeats > 0)
    clean = read_table(f"{header}{block * 2}{header}{block * 2}".encode())
    assert [clean.guess.of(name).kind for name in "ab"] == ["categorical", "continuous"]


def test_errors_of_spreadsheets_and_marks_of_stata_are_missing_among_numbers():
    rows = "".join(f"{k}.5,{k}.5\n" for k in range(20))
    table = read_table(f"a,b\n{rows}#DIV/0!,.\n#N/A,.a\n".encode())
    assert [column.kind for column in table.guess.columns] == ["continuous"] * 2
    assert [column.missing for column in table.guess.columns] == [("#DIV/0!", "#N/A"), (".", ".a")]
