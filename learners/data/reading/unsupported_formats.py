"""Recognize files of unsupported formats, and explain how to convert them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

from ...common.errors import DataError
from ...common.wording import quoted

AS_CSV = "Save the table as CSV"
ROWS_AS_CSV = "Save the rows behind it as CSV"
AS_GRAPH = "Give it as the true graph, beside a table of rows"
UNPACK = "Unpack it first"
HEAD = 4096
# First bytes of a file, its format, and the fix.
MAGIC = (
    (b"ARROW1\0", "an Arrow or Feather file", AS_CSV),
    (b"%PDF-", "a PDF", "Save the table behind it as CSV"),
    (b"\x89PNG", "a picture", AS_CSV),
    (b"\xff\xd8\xff", "a picture", AS_CSV),
    (b"GIF87a", "a picture", AS_CSV),
    (b"GIF89a", "a picture", AS_CSV),
    (b"II*\0", "a picture", AS_CSV),
    (b"MM\0*", "a picture", AS_CSV),
    (b"RDX2\n", "an R data file", "Save the table in R with write.csv"),
    (b"RDX3\n", "an R data file", "Save the table in R with write.csv"),
    (b"X\n\0\0", "an R data file", "Save the table in R with write.csv"),
    (b"\xd0\xcf\x11\xe0", "an Excel file of the old kind (.xls)", "Save it as .xlsx or as CSV"),
    (b"\x93NUMPY", "a NumPy file", "Save the table with numpy.savetxt"),
    (b"\x89HDF", "an HDF5 file", AS_CSV),
    (b"SQLite format 3", "a database", "Save a table of it as CSV"),
    (b"\x80\x04\x95", "a Python pickle", "Save the table with to_csv"),
    (b"\x1f\x8b", "a packed file (gzip) within another one", UNPACK),
    (b"\xfd7zXZ", "a packed file (xz)", UNPACK),
    (b"7z\xbc\xaf", "a packed file (7z)", UNPACK),
    (b"Rar!\x1a", "a packed file (rar)", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a packed file (zstd)", UNPACK),
)
ZIP = b"PK\x03\x04"
BZIP2 = re.compile(rb"BZh[1-9]1AY&SY")
# Beginnings of texts that are not tables.
WRITTEN = (
    (re.compile(rb"<!doctype html|<html|<table[ >]", re.I), "a web page (HTML)", "Copy the table, or save it as CSV"),
    (re.compile(rb"<\?xml", re.I), "an XML file", AS_CSV),
    (re.compile(rb"\{\\rtf"), "a text document (RTF)", "Save the table in it as CSV"),
    (re.compile(rb"/(covariance|correlation)", re.I), "a covariance matrix (Tetrad)", ROWS_AS_CSV),
    (
        re.compile(rb"/(discretevars|variables|data|knowledge)[ \t]*\r?\n"),
        "sections of Tetrad",
        ROWS_AS_CSV,
    ),
    (re.compile(rb"@relation\b", re.I), "an ARFF file", "Save it as CSV in Weka"),
    (re.compile(rb"network\s+\S+\s*\{"), "a network (BIF)", AS_GRAPH),
    (
        re.compile(rb"(strict\s+)?(di)?graph\b[^\n,;\t]*\{|p?dag\b[^\n,;\t]*\{|[mp]ag\s*\{", re.I),
        "a graph (DAGitty or DOT)",
        AS_GRAPH,
    ),
    (re.compile(rb"graph nodes:", re.I), "a graph (Tetrad)", AS_GRAPH),
    (re.compile(rb"%%matrixmarket", re.I), "a sparse matrix (Matrix Market)", AS_CSV),
    (re.compile(rb"[-+]?[0-9.]+([ \t]+[0-9]+:[-+0-9.eE]+)+[ \t]*\r?\n"), "a sparse matrix (LIBSVM)", AS_CSV),
    (re.compile(rb"\|[^\n]*\|[ \t]*\r?\n[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[-:| \t]*\r?\n"), "a Markdown table", AS_CSV),
)
# Opening tag; it must be closed at the very end, because cells may contain tags.
TAG = re.compile(rb"<([a-z][\w:.-]*)[\s>]", re.I)
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
MAX_TRIANGLE = 10  # number of rows of a triangular matrix that are examined
JSON = re.compile(rb'\s*(\[\s*[\[{]|\{\s*")')


def refuse_other_formats(raw: bytes) -> None:
    """Raise DataError if the bytes have the signature of a known binary format."""
    for magic, what, advice in MAGIC:
        if raw.startswith(magic):
            raise _foreign(what, advice)
    if BZIP2.match(raw):
        raise _foreign("a packed file (bzip2)", UNPACK)
    if raw.startswith(ZIP):
        raise _zipped(raw)


def refuse_other_texts(utf8: bytes) -> None:
    """Raise DataError if the text has a known format other than rows with separators."""
    head, tail = utf8[:HEAD].lstrip(), utf8[-HEAD:].rstrip()
    for start, what, advice in WRITTEN:
        if start.match(head):
            raise _foreign(what, advice)
    if _is_triangle(head.decode("utf-8", "ignore").splitlines()[: MAX_TRIANGLE + 2]):
        raise _foreign("a covariance matrix (Tetrad)", ROWS_AS_CSV)
    if JSON.match(head) and tail[-1:] in b"]}":
        raise _foreign("a JSON file", "Save the table as CSV, as pandas.read_json(...).to_csv does")
    root = TAG.match(head)
    if root and tail.endswith(end := b"</%b>" % root[1]) and utf8.count(end) == 1:
        raise _foreign("an XML file", AS_CSV)


def _is_triangle(lines: Sequence[str]) -> bool:
    """Return True if the lines are a number of rows, names, and the lower triangle of a matrix."""
    if len(lines) < 4 or not lines[0].strip().isdecimal() or len(lines[1].split()) < 2:
        return False
    rows = [line.split() for line in lines[2:] if line.strip()]
    return len(rows) > 1 and all(len(row) == k + 1 and all(map(NUMBER.fullmatch, row)) for k, row in enumerate(rows))


def _foreign(what: str, advice: str) -> DataError:
    return DataError(f"the file must be text with separators, found {what}. {advice}")


def _zipped(raw: bytes) -> DataError:
    """Return the error for a zip file that is a document or contains other files."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            names = packed.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return _foreign("a zip file", AS_CSV)
    if "content.xml" in names or "mimetype" in names:
        return _foreign("an OpenDocument file", "Save the table as CSV or .xlsx")
    if any(name.startswith(("word/", "ppt/")) for name in names):
        return _foreign("a document", "Save the table in it as CSV")
    held = f" that holds {quoted(names)}" if names else ""
    return _foreign(f"a zip file{held}", UNPACK)
