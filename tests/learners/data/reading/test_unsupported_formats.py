"""Tests of unsupported formats: the message names the format and a fix, and similar tables are still read."""

import bz2
import gzip
import io
import json
import lzma
import zipfile

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather

from learners.common.errors import DataError
from learners.data.reading.table import read_table

CSV = "a,b,c\n" + "".join(f"{k},x{k % 3},{2 * k}\n" for k in range(30))
RECORDS = [{"a": k, "b": "x"} for k in range(9)]


def zipped(name, text="x"):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(name, text)
    return packed.getvalue()


def written(write):
    file = io.BytesIO()
    write(pa.table({"a": [1, 2], "b": ["x", "y"]}), file)
    return file.getvalue()


FILES = {
    "broken zip": (b"PK\x03\x04" + bytes(50), "found a zip file. Save the table as CSV"),
    "ods": (zipped("content.xml"), "found an OpenDocument file. Save the table as CSV or .xlsx"),
    "docx": (zipped("word/document.xml"), "found a document"),
    "feather": (written(feather.write_feather), "found an Arrow or Feather file"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "found a PDF. Save the table behind it as CSV"),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(9), "found a picture"),
    "jpeg": (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "found a picture"),
    "gif": (b"GIF89a\x01\0\x01\0", "found a picture"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), r"found an Excel file of the old kind \(.xls\)"),
    "rds": (gzip.compress(b"X\n\0\0\0\3" + bytes(99)), "found an R data file. Save the table in R with write.csv"),
    "rdata": (gzip.compress(b"RDX3\nX\n" + bytes(99)), "found an R data file"),
    "bzip2": (bz2.compress(CSV.encode()), r"found a packed file \(bzip2\). Unpack it first"),
    "gzip twice": (
        gzip.compress(gzip.compress(CSV.encode())),
        r"found a packed file .gzip. within another one",
    ),
    "xz": (lzma.compress(CSV.encode()), r"found a packed file \(xz\). Unpack it first"),
    "html": (b"\n<!DOCTYPE html>\n<html><body>a,b</body></html>\n", r"found a web page \(HTML\). Copy the table"),
    "html table": (b"<table>\n<tr><td>a</td></tr>\n</table>", r"found a web page \(HTML\)"),
    "xml": (b'<?xml version="1.0"?>\n<rows>\n<row a="1"/>\n</rows>\n', "found an XML file. Save the table as CSV"),
    "xml without a head": (b"<rows>\n<row><a>1</a></row>\n</rows>", "found an XML file"),
    "json records": (json.dumps(RECORDS).encode(), "found a JSON file. Save the table as CSV"),
    "json on lines": (json.dumps(RECORDS, indent=1).encode(), "found a JSON file"),
    "json columns": (pd.DataFrame(RECORDS).to_json().encode(), "found a JSON file"),
    "a record a line": ("\n".join(map(json.dumps, RECORDS)).encode(), "found a JSON file"),
    "rtf": (b"{\\rtf1\\ansi hello}", r"found a text document \(RTF\)"),
    "arff": (b"@relation x\n@attribute a numeric\n@data\n1\n", "found an ARFF file. Save it as CSV in Weka"),
    "bif": (b"network asia {\n}\nvariable a {\n}\n", r"found a network \(BIF\). Give it as the true graph"),
    "dagitty": (b"dag {\nA [exposure]\nA -> B\n}\n", r"found a graph \(DAGitty or DOT\). Give it as the true graph"),
    "dot": (b"digraph G {\na -> b\n}\n", r"found a graph \(DAGitty or DOT\)"),
    "tetrad graph": (b"Graph Nodes:\nA;B\n\nGraph Edges:\n1. A --> B\n", r"found a graph \(Tetrad\)"),
    "tetrad covariance": (b"/Covariance\n100\nX1\tX2\n1.0\n0.5\t1.0\n", r"found a covariance matrix \(Tetrad\)"),
    "tetrad data": (
        b"/discretevars\nA:0=no,1=yes\n/data\nA B\n0 1\n",
        r"found sections of Tetrad\. Save the rows behind it as CSV",
    ),
    "libsvm": (b"1 1:0.5 2:1\n0 1:0.2 3:1\n", r"found a sparse matrix \(LIBSVM\)"),
    "matrix market": (b"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", r"found a sparse matrix"),
    "markdown": (b"| a | b |\n|---|:-:|\n| 1 | x |\n", "found a Markdown table"),
    "empty": (b"", "the file is empty. It needs a header row and rows of data"),
    "blank": (b" \n\n", "the file is blank"),
    "a header alone": (b"a;b;c\r\n", "a header of 3 names and no row. Add rows of data below it"),
    "a cell alone": (b"a", "a header of 1 name and no row"),
    "a separator alone": (b"sep=;\n", "must begin with a header row"),
    "a separator and a header": (b"sep=;\na;b\n", "a header of 2 names and no row"),
    "a zero byte": (CSV.encode() + b"1,\0,3\n", "line 32 holds a zero byte, as damaged files do. Remove it"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_table_is_called_what_it_is(case):
    """A file in another format is refused with the requirement, its format and a fix."""
    raw, sentence = FILES[case]
    with pytest.raises(DataError, match=sentence) as caught:
        read_table(raw)
    assert "\n" not in str(caught.value)
    assert "1 names" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be", "utf-16", "utf-16-le", "utf-16-be"])
def test_wide_encodings_are_read(encoding):
    """Tables in wide encodings are read with and without a byte order mark."""
    table = read_table(CSV.replace("x1", "ä€").encode(encoding))
    assert (table.n, table.names) == (30, ("a", "b", "c"))
    assert "ä€" in table.column("b").texts.to_pylist()


@pytest.mark.parametrize(
    "name",
    [
        "PAR1",
        "RDA",
        "RDX",
        "BZh",
        "GIF",
        "<b>bold</b>",
        "<script>x</script>",
        "[a]",
        "{a}",
        "@relations",
        "network",
        "%PDF",
    ],
)
def test_a_table_whose_first_name_begins_like_another_format_is_read(name):
    """A CSV file is read even if its first column name begins like another format."""
    assert read_table(f"{name},b\n1,2\n3,4\n".encode()).names == (name, "b")


def test_a_table_that_says_its_separator_is_read():
    """A first line "sep=;", as Excel writes it, sets the separator and is no row."""
    table = read_table(b"sep=;\na;b\n1;2\n3;4\n")
    assert (table.names, table.n) == (("a", "b"), 2)


def test_many_repeated_names_read_well():
    """The note on many repeated names abbreviates the list of names."""
    header = ",".join(f"c{k // 2}" for k in range(24))
    (note,) = read_table(f"{header}\n{','.join(map(str, range(24)))}\n{'x,' * 23}y\n".encode()).guess.notes
    assert note.startswith("more than once in the header: 'c0', 'c1', 'c2', 'c3', 'c4' and 7 more; ")


@pytest.mark.parametrize("header", ["dag,x", "graph,nodes", "graph;b", "digraph\tx", "magnitude|x", "pag,b"])
def test_names_that_begin_like_a_graph_are_names(header):
    separator = next(mark for mark in ",;\t|" if mark in header)
    rows = "".join(f"{k}{separator}{k * k % 5}\n" for k in range(9))
    assert read_table(f"{header}\n{rows}".encode()).names == tuple(header.split(separator))
