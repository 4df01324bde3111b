"""Headers and quotes that programs write: numpy.savetxt, a trailing separator, single quotes."""

from __future__ import annotations

from pathlib import Path

import pytest

from learners.common.errors import DataError
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


def test_single_quotes_are_no_part_of_names_and_cells():
    table = read_table(b"'a','b'\n'x','1.5'\n'y','2.5'\n'x','4'\n'y','3'\n")
    assert table.names == ("a", "b")
    assert table.frame.to_numpy().tolist()[0] == ["x", "1.5"]
    assert table.guess.of("b").kind == "continuous"


def test_a_number_sign_in_a_name_stays():
    table = read_table(b"#x,name\n1,a\n2,b\n3,a\n4,b\n")
    assert table.names == ("#x", "name")


def test_covariances_of_tetrad_are_refused_with_the_reason():
    with pytest.raises(DataError, match="a covariance matrix"):
        read_table(b"/covariance\n100\nX1\tX2\n1.0\n0.5\t1.0\n")
