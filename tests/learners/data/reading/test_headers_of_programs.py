"""Tests of headers and quotes that programs write: numpy.savetxt, trailing separators, single quotes."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from learners.common.errors import DataError
from learners.data.reading.separators import has_fixed_columns
from learners.data.reading.table import read_table

CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.parametrize("name", ["r23_savetxt_comma.csv", "r23_savetxt_space.txt"])
def test_the_header_of_savetxt(name):
    table = read_table(CASES / name)
    assert (table.names, table.n) == (("X1", "X2", "X3"), 100)
    assert [column.kind for column in table.guess.columns] == ["continuous"] * 3
    assert "100" in repr(table)


def test_a_trailing_comma_in_the_header_alone():
    table = read_table(CASES / "r20_trailing_header.csv")
    assert (table.names, table.n) == (("a", "b", "c"), 400)


@pytest.mark.parametrize("end", [",", ";", "\t"])
@pytest.mark.parametrize("above", [True, False])
def test_separators_that_end_the_rows_name_no_rows(end, above):
    """The cells stay below their names, whether the header ends with a separator or not, as the rows do."""
    rows = "".join(f"{k / 3:.2f}{end}{k * 3 % 7}{end}{k * 5 % 11}{end}\n" for k in range(30))
    table = read_table(f"a{end}b{end}c{end * above}\n{rows}".encode())
    assert (table.names, table.n) == (("a", "b", "c"), 30)
    assert table.frame["a"].tolist()[:2] == ["0.00", "0.33"]


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
@pytest.mark.parametrize("footer", ["end of file", "made by me\non a Monday"])
def test_the_footer_of_savetxt_is_no_row(separator, footer):
    file, values = io.BytesIO(), np.random.default_rng(2).normal(size=(30, 3))
    np.savetxt(file, values, delimiter=separator, header=separator.join("abc"), footer=footer)
    table = read_table(file.getvalue())
    assert (table.names, table.n) == (("a", "b", "c"), 30)


def test_a_mark_that_begins_each_row_is_no_footer():
    assert read_table(b"#tag,n\n#a,1\n#b,2\n#a,3\n#c,4\n").n == 4
    assert read_table(b"# a,b\n1,2\n2,4\n# 3,7\n5,1\n# 6,1\n").n == 5


def test_blanks_behind_commas_are_no_part_of_names():
    file = io.BytesIO()
    np.savetxt(file, np.random.default_rng(3).normal(size=(30, 3)), delimiter=", ", header="a, b, c")
    assert read_table(file.getvalue()).names == ("a", "b", "c")
    assert read_table(b"a, b,c\n1,2,3\n2,2,4\n").names == ("a", " b", "c")


def test_single_quotes_are_no_part_of_names_and_cells():
    table = read_table(b"'a','b'\n'x','1.5'\n'y','2.5'\n'x','4'\n'y','3'\n")
    assert table.names == ("a", "b")
    assert table.frame.to_numpy().tolist()[0] == ["x", "1.5"]
    assert table.guess.of("b").kind == "continuous"


@pytest.mark.parametrize("mark", ["#", "##", "%", ";", "//", "!", "--"])
@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_the_comment_mark_of_savetxt_is_no_part_of_the_first_name(mark, separator):
    """numpy.savetxt writes its comment mark before the first name, with or without a blank."""
    for width in (1, 2):
        names, values = ("a", "b", "c")[:width], np.random.default_rng(1).normal(size=(30, width))
        for comments in (mark, f"{mark} "):
            file = io.BytesIO()
            np.savetxt(file, values, delimiter=separator, header=separator.join(names), comments=comments)
            table = read_table(file.getvalue())
            assert (table.names, table.n) == (names, 30)


@pytest.mark.parametrize("mark", ["%", ";", "//", "!", "--"])
def test_a_removed_comment_mark_is_reported(mark):
    """A note quotes the mark; a header of several lines loses those above the names."""
    rows = "\n".join(f"{k - 9}.5 {k * k % 7} {k * 3 % 5}" for k in range(20))
    table = read_table(f"{mark} made by me\n{mark} a b c\n{rows}\n".encode())
    assert (table.names, table.n) == (("a", "b", "c"), 20)
    alone = read_table(f"{mark}a\n1\n-2\n3\n-4\n".encode())
    assert alone.guess.notes == (f"{mark!r} before the header is read as a comment mark, not as part of 'a'",)


@pytest.mark.parametrize("header", ["% fat,weight", "%fat,weight", "%,weight", "fat %,% of weight"])
def test_a_percent_sign_above_percentages_stays(header):
    rows = "".join(f"{k * 7 % 100}.5,{k * 3 % 50}\n" for k in range(20))
    assert read_table(f"{header}\n{rows}".encode()).names == tuple(header.split(","))


@pytest.mark.parametrize("header", ["!x,name", "--,name", "; x,name", "//x,name", "% x,name"])
def test_a_mark_above_words_stays(header):
    assert read_table(f"{header}\n1,a\n2,b\n3,a\n4,b\n".encode()).names == tuple(header.split(","))


def test_number_signs_of_several_names_stay():
    assert read_table(b"#a,#b\n1,2\n2,5\n3,4\n4,4\n").names == ("#a", "#b")


def test_a_number_sign_in_a_name_stays():
    table = read_table(b"#x,name\n1,a\n2,b\n3,a\n4,b\n")
    assert table.names == ("#x", "name")


def test_covariances_of_tetrad_are_refused_with_the_reason():
    with pytest.raises(DataError, match="a covariance matrix"):
        read_table(b"/covariance\n100\nX1\tX2\n1.0\n0.5\t1.0\n")


@pytest.mark.parametrize("raw", [b"#", b"#\n", b"# \n", b"#,\n"])
def test_a_comment_alone_is_a_header_without_rows(raw):
    """A file with only a comment is refused because it has no rows."""
    with pytest.raises(DataError, match="no row"):
        read_table(raw)


@pytest.mark.parametrize("header", ["# made by me\n# a b c", "# made, by\n#\n# me\n# a b c"])
def test_the_last_line_of_a_header_of_savetxt_has_the_names(header):
    """numpy.savetxt writes several lines of a header with a number sign each."""
    rows = "\n".join(f"{k}.5 {k * k % 7} {k * 3 % 5}" for k in range(20))
    table = read_table(f"{header}\n{rows}\n".encode())
    assert (table.names, table.n) == (("a", "b", "c"), 20)


@pytest.mark.parametrize("above", ["# made by me\n", "# made, by, me\n# 2020\n", "# made, 2020\n", "#\n# 2020\n"])
def test_comments_above_the_header_are_left_out(above):
    """Comments above a header of words are no header, whatever separators they have; the note lists them."""
    rows = "".join(f"{k},{k * k % 7}\n" for k in range(20))
    table = read_table(f"{above}day,x\n{rows}".encode())
    assert (table.names, table.n) == (("day", "x"), 20)
    assert table.guess.notes[0].startswith("left out above the header: '#")


def test_a_number_sign_is_a_name():
    for rows in ("1,a\n2,b\n3,a\n", "".join(f"{k},{'ab'[k % 2]}\n" for k in range(9))):
        assert read_table(f"#,name\n{rows}".encode()).names == ("#", "name")


def test_cells_with_blanks_in_columns_of_fixed_width():
    """Words of two columns below one name are one cell, although all lines have the same number of words."""
    people = ("Ann Lee", "Bo Dee", "Cy Kay", "Ann Ray")
    text = "name      age  sex\n" + "".join(f"{name:<10}{20 + k:<5}{'fm'[k % 2]}\n" for k, name in enumerate(people))
    table = read_table(text.encode())
    assert table.names == ("name", "age", "sex")
    assert table.cells[0].texts.to_pylist() == list(people)


def test_an_error_names_the_separator_of_the_file():
    """Rows divided by blanks that do not fit are no matter of commas."""
    with pytest.raises(DataError, match="line 2 has 3. Fix it or choose another separator than the blank"):
        read_table(b"a b\n1 2 3\n4 5\n6 7\n", separator=" ")


FIXED = b"""\
Name        Age  City
Ann Miller   34  New York
Bo           28
Cy Brown      5  Rome
Dee Adams    41  Los Angeles
"""


def test_columns_of_fixed_width():
    """Columns of fixed width are read, with blanks in cells, empty cells and right-aligned numbers."""
    table = read_table(FIXED)
    assert table.guess.separator == " "
    assert table.frame.to_dict("list") == {
        "Name": ["Ann Miller", "Bo", "Cy Brown", "Dee Adams"],
        "Age": ["34", "28", "5", "41"],
        "City": ["New York", "", "Rome", "Los Angeles"],
    }


@pytest.mark.parametrize("seed", range(20))
def test_names_of_several_words_in_columns_of_fixed_width(seed):
    """Names of several words are read if a column has numbers; words alone are prose."""
    rng = np.random.default_rng(seed)
    towns, names = ("New York", "Rome", "Los Angeles", "Rio"), ["town of birth", "weight in kg", "mark"]
    cells = [
        [towns[k % 4] for k in range(9)],
        [f"{value:.1f}" for value in rng.normal(70, 9, 9)],
        [str(mark) for mark in rng.choice(["A", "B"], 9)],
    ]
    order = rng.permutation(3).tolist()
    names, cells = [names[k] for k in order], [cells[k] for k in order]
    pads = [(str.ljust, str.rjust)[k] for k in rng.integers(0, 2, 3)]
    rows = zip(*([name, *column] for name, column in zip(names, cells, strict=True)), strict=True)
    text = "\n".join(" ".join(pad(cell, 13) for pad, cell in zip(pads, row, strict=True)) for row in rows)
    table = read_table(text.encode())
    assert table.frame.to_dict("list") == dict(zip(names, cells, strict=True))
    assert not has_fixed_columns(b"the big dog\nwas red and\nran far and\nsat on one\n")


def test_texts_of_several_words_are_one_column():
    """A gap that all lines share by chance does not divide a column unless each part has a word of the header."""
    assert read_table(b"city\nNew York\nLos Altos Hills\nSan Jose\nSan Juan\n").names == ("city",)


def test_separators_within_single_quotes_are_text():
    """Separators within single quotes are text; apostrophes within cells stay, also in files without quotes."""
    table = read_table(b"'a','b'\n'x, y','1'\n'z','2'\n'x, y','3'\n")
    assert table.frame.to_dict("list") == {"a": ["x, y", "z", "x, y"], "b": ["1", "2", "3"]}
    assert list(read_table(b"a,b\nO'Brien,1\n't Hooft,2\nMeyer,3\n").frame["a"]) == ["O'Brien", "'t Hooft", "Meyer"]


@pytest.mark.parametrize("head", [b"", b"/covariance\n"])
def test_a_triangle_is_a_covariance_matrix(head):
    """A triangle of numbers is refused as a covariance matrix."""
    with pytest.raises(DataError, match="found a covariance matrix"):
        read_table(head + b"100\nX1 X2 X3\n1.0\n0.5 1.0\n0.3 -.2 1.0\n")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("inside", [",", ";", "|"])
def test_a_separator_within_single_quotes_in_every_row_is_text(separator, inside):
    """The header and all rows have a separator within quotes, so that rows have one width with and without quotes."""
    lines = [f"'name{inside} in full'{separator}'x'"]
    lines += [f"'Smith{inside} J{k}'{separator}{k}" for k in range(20)]
    table = read_table("\n".join(lines).encode())
    assert table.names == (f"name{inside} in full", "x")
    assert table.frame.iloc[3].tolist() == [f"Smith{inside} J3", "3"]


def test_apostrophes_that_do_not_enclose_cells_stay():
    """An apostrophe at the start of all rows, or around one cell, cuts nothing."""
    for cell in ("'tis", "O'Neil", "the boys'", "'60s"):
        lines = ["a,b,c", *(f"{cell},{k},{k}" for k in range(20))]
        assert set(read_table("\n".join(lines).encode()).frame["a"]) == {cell}
