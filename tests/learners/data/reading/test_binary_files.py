"""Tests of binary formats: mutated files and bombs give an error message or a table, and the process survives.

The full test reads 300 mutations of a valid file of each format, and all bombs; the gate has a sample of both.
"""

import contextlib
import io
import re
import resource
import struct
import tempfile
import zipfile
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import parquet

from learners.common.errors import LearnersError
from learners.common.memory import resident_mb
from learners.data.reading.source import read_bytes
from learners.data.reading.table import first_lines, read_table

pytestmark = pytest.mark.compiled  # these tests run no kernel, so running them without compilation would add nothing

CSV = b"a,b\n" + b"".join(b"%d,x%d\n" % (k, k % 3) for k in range(40))
FRAME = pd.DataFrame({"age": [31.5, np.nan, 40.25] * 12, "sex": ["f", "m", None] * 12, "sick": [0.0, 1.0, 2.0] * 12})
LABELS = {"sick": {0: "no", 1: "yes", 2: "unknown"}}
MAX_CHILD_MB, MAX_CPU_SECONDS = 1024, 10
SHEET = "xl/worksheets/sheet1.xml"
SHEET_XML = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
)
TWO_CELLS = '<row r="1"><c r="A1"><v>1</v></c></row><row><c %s><v>2</v></c></row>'
MUTATIONS = 300


def zipped(parts, method=zipfile.ZIP_DEFLATED):
    """Return a zip file with these parts by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return out.getvalue()


@cache
def parts_of_workbook():
    book = openpyxl.Workbook()
    for row in [["age", "sex", "dose"], *[[k, "fm"[k % 2], k / 7] for k in range(30)]]:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def workbook(rows=None, shared=None, **replaced):
    """Return the bytes of a workbook; `rows` and `shared` replace its rows and shared strings."""
    parts = dict(parts_of_workbook()) | replaced
    if rows is not None:
        parts[SHEET] = SHEET_XML % rows
    if shared is not None:
        items = "".join(f"<si><t>{text}</t></si>" for text in shared)
        parts["xl/sharedStrings.xml"] = (
            f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{items}</sst>'
        )
    return zipped(parts)


def pointing(n):
    """Return a workbook in which n cells refer to one shared string of a megabyte."""
    row = "<row>" + '<c t="s"><v>0</v></c>' * 10 + "</row>"
    return workbook(row * (n // 10), ["y" * 1_000_000])


def zeros(n, wbits):
    """Return a deflated stream of n million zero bytes."""
    packer = zlib.compressobj(1, zlib.DEFLATED, wbits)
    million = bytes(1_000_000)
    return b"".join(packer.compress(million) for _ in range(n)) + packer.flush()


def zip_of_stream(name, stream, size, method=8, crc=0):
    """Return a zip file with one member whose packed bytes, size and method are as given."""
    about = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, len(stream), size & 0xFFFFFFFF, len(name), 0)
    local = b"PK\3\4" + about + name + stream
    entry = b"PK\1\2" + struct.pack("<H", 20) + about + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    return local + entry + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)


def table_of(frame_or_table, **options):
    """Return the bytes of a Parquet file."""
    out = io.BytesIO()
    parquet.write_table(frame_or_table, out, **options)
    return out.getvalue()


def written(write, suffix):
    """Return the bytes of a file that `write` writes at a path."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"file.{suffix}")
        write(path)
        return path.read_bytes()


def lying_dimensions(suffix):
    """Return an SPSS or Stata file that claims two billion rows."""
    raw = bytearray(GOOD[suffix]())
    if suffix == "sav":
        raw[80:84] = struct.pack("<i", 2_000_000_000)
    else:
        at = raw.index(b"<N>") + 3
        raw[at : at + 4] = struct.pack("<I", 2_000_000_000)
    return bytes(raw)


def lying_parquet():
    """Return a Parquet file of ten thousand rows whose footer claims a million."""
    raw = table_of(pa.table({"a": np.zeros(9_999)}))
    return raw.replace(b"\x9e\x9c\x01", b"\xfe\xff\x7f")


def nested(depth):
    """Return a zip file nested in `depth` other zip files."""
    raw = zipped({"table.csv": CSV})
    for _ in range(depth):
        raw = zipped({"table.zip": raw})
    return raw


def part_that_lies():
    """Return a workbook with a part that is larger than its entry claims."""
    raw = workbook('<row><c r="A1"><v>1</v></c></row>' * 20_000)
    size = len(SHEET_XML % ('<row><c r="A1"><v>1</v></c></row>' * 20_000))
    return raw.replace(struct.pack("<I", size), struct.pack("<I", 200))


def entities():
    """Return a workbook whose sheet has an XML bomb of nested entities."""
    declared = "".join(f'<!ENTITY e{k + 1} "{f"&e{k};" * 10}">' for k in range(9))
    text = f'<!DOCTYPE x [<!ENTITY e0 "lol">{declared}]>' + SHEET_XML % (
        '<row><c t="inlineStr"><is><t>&e9;</t></is></c></row>'
    )
    return zipped(parts_of_workbook() | {SHEET: text})


GOOD = {
    "xlsx": lambda: workbook(),
    "parquet": lambda: table_of(pa.Table.from_pandas(FRAME)),
    "sav": lambda: written(lambda path: pyreadstat.write_sav(FRAME, path, variable_value_labels=LABELS), "sav"),
    "zsav": lambda: written(lambda path: pyreadstat.write_sav(FRAME, path, compress=True), "zsav"),
    "por": lambda: written(lambda path: pyreadstat.write_por(FRAME, path), "por"),
    "dta": lambda: written(lambda path: pyreadstat.write_dta(FRAME, path, variable_value_labels=LABELS), "dta"),
    "old dta": lambda: written(lambda path: pyreadstat.write_dta(FRAME, path, version=12), "dta"),
    "xpt": lambda: written(lambda path: pyreadstat.write_xport(FRAME, path), "xpt"),
    "sas7bdat": lambda: b"\0" * 12 + b"\xc2\xea\x81\x60" + bytes(range(256)) * 40,
    "gzip": lambda: zlib.compress(CSV, wbits=31),
    "zip": lambda: zipped({"table.csv": CSV}),
    "zip bzip2": lambda: zipped({"table.csv": CSV}, zipfile.ZIP_BZIP2),
    "zip lzma": lambda: zipped({"table.csv": CSV}, zipfile.ZIP_LZMA),
    "zip parquet": lambda: zipped({"table.parquet": GOOD["parquet"]()}),
}
LZMA_HEAD = b"\x09\x04\x05\x00\x5d"  # version, size of the properties, the first property
# bombs, each with a pattern of its error message
SMALL_BOMBS = {
    "far cell": (lambda: workbook(TWO_CELLS % 'r="XFD1048576"'), "row 1,048,576 and column 16,384 would take 512"),
    "single quotes": (lambda: workbook(TWO_CELLS % "r='XFD1048576'"), "row 1,048,576 and column 16,384 would take 512"),
    "blanks": (lambda: workbook(TWO_CELLS % 'r = "XFD1048576"'), "row 1,048,576 and column 16,384 would take 512"),
    "line end": (lambda: workbook(TWO_CELLS % '\nr\n=\n"XFD1048576"'), "row 1,048,576 and column 16,384 would take"),
    "character reference": (lambda: workbook(TWO_CELLS % 'r="&#88;FD1048576"'), "row 1,048,576 and column 16,384"),
    "no positions": (
        lambda: workbook(f"<row>{'<c><v>1</v></c>' * 16_384}</row><row r='1048576'><c><v>1</v></c></row>"),
        "row 1,048,576 and column 16,384 would take 512",
    ),
    "prefix": (
        lambda: zipped(
            parts_of_workbook()
            | {
                SHEET: '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>'
                '<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c><x:c r="XFD1048576"><x:v>1</x:v></x:c></x:row>'
                "</x:sheetData></x:worksheet>"
            }
        ),
        "row 1,048,576 and column 16,384 would take 512",
    ),
    "many columns": (lambda: workbook(TWO_CELLS % "r='ALL100000'"), "row 100,000 and column 1,000 would take 3.0 GB"),
    "beyond a sheet": (lambda: workbook(TWO_CELLS % 'r="ZZZZZZZ99999999999"'), "beyond the end of any sheet"),
    "shared text": (lambda: pointing(5_000), "may hold at most 200 MB of text"),
    "more shared text": (lambda: pointing(20_000), "may hold at most 200 MB of text"),
    "lying part": (part_that_lies, "the Excel file is damaged"),
    "entities": (entities, ""),
    "lying sav": (lambda: lying_dimensions("sav"), ""),
    "lying dta": (lambda: lying_dimensions("dta"), "a table of 2,000,000,000 rows and 3 columns would take"),
    "lying parquet": (lying_parquet, ""),
    "long text in a dictionary": (
        lambda: table_of(pa.table({"a": pa.DictionaryArray.from_arrays(np.zeros(5_000, "i4"), ["y" * 1_000_000])})),
        "the text of the cells up to column 'a' would take 4.7 GB",
    ),
    "long text and missing cells": (
        lambda: table_of(
            pa.table({"a": pa.DictionaryArray.from_arrays(pa.array([0, None] * 2_500, pa.int32()), ["y" * 1_000_000])})
        ),
        "the text of the cells up to column 'a' would take 2.3 GB",
    ),
    "long run": (lambda: table_of(pa.table({"a": pa.array(np.zeros(3_000_000))}), compression="zstd"), None),
    "nested zips": (lambda: nested(6), "found a zip file that holds 'table.zip'. Unpack it first"),
    "dictionary of lzma": (
        lambda: zip_of_stream(b"a.csv", LZMA_HEAD + b"\xff\xff\xff\xff" + bytes(200), 10_000_000, method=14),
        "the zip file",
    ),
    "many entries": (lambda: zipped({f"{k}.csv": b"" for k in range(20_000)}), "must hold one table"),
}
LARGE_BOMBS = {
    "gzip of zeros": (lambda: zeros(2_000, 31), "expand to at most 100 times|holds more"),
    "zip of zeros": (lambda: zip_of_stream(b"a.csv", zeros(2_000, -15), 2_000_000_000), "at most 100 times|holds more"),
    "bzip2 of zeros": (
        lambda: zipped({"a.csv": bytes(500_000_000)}, zipfile.ZIP_BZIP2),
        "takes more than the .* MB of memory|at most 100 times",
    ),
    "xz of zeros": (lambda: zipped({"a.csv": bytes(300_000_000)}, zipfile.ZIP_LZMA), "memory|at most 100 times"),
    "workbook of zeros": (
        lambda: workbook(**{SHEET: bytes(300_000_000)}),
        "",
    ),
    "workbook of 2 GB": (lambda: workbook(**{SHEET: bytes(2_000_000_000)}), "may expand to at most 400 MB"),
    "texts of zeros": (
        lambda: table_of(
            pa.table({"a": pa.chunked_array([["y" * 1_000_000 + str(k)] for k in range(1_500)])}),
            use_dictionary=False, compression="zstd",
        ),
        "takes more than the .* MB of memory|the text of the cells",
    ),
    "distinct values": (
        lambda: table_of(pa.table({"a": np.arange(5_000_000), "b": np.arange(5_000_000) * 1.5})),
        None,
    ),
}  # fmt: skip


def mutations(raw, n, rng):
    """Yield n mutated files: bytes are changed, cut off, removed, repeated, set to zero, or set to 255."""
    for k in range(n):
        at, length = int(rng.integers(len(raw))), int(rng.integers(1, 40))
        kind = k % 6
        if kind == 0:
            changed = bytearray(raw)
            for place in rng.integers(len(raw), size=rng.integers(1, 8)):
                changed[place] ^= int(rng.integers(1, 256))
            yield bytes(changed)
        elif kind == 1:
            yield raw[:at]
        elif kind == 2:
            yield raw[:at] + raw[at + length :]
        elif kind == 3:
            yield raw[:at] + raw[at : at + length] * 2 + raw[at + length :]
        elif kind == 4:
            yield raw[:at] + bytes(length) + raw[at + length :]
        else:
            yield raw[:at] + b"\xff" * min(length, 8) + raw[at + min(length, 8) :]


def outcome(raw):
    """Return the error message of a file, or "" for a table; any other exception fails the test."""
    try:
        read_table(raw)
    except LearnersError as error:
        text = str(error)
        assert text
        assert "\n" not in text
        return text
    return ""


def usage():
    """Return the processor seconds of all children so far, and the largest memory of a child in MB.

    The memory of this process is the minimum, because a child counts it until it runs its own program.
    """
    used, own = (resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF))
    return used.ru_utime + used.ru_stime, max(used.ru_maxrss, own.ru_maxrss) / 1024


def check_bomb(bomb):
    """Check that a bomb gives its error message within the limits, and that this process does not grow."""
    make, sentence = bomb
    raw = make()
    before, most = usage()  # `most` includes the memory for making the bomb
    held = resident_mb()
    reason = outcome(raw)
    after, peak = usage()
    assert after - before <= MAX_CPU_SECONDS
    assert peak <= max(most, MAX_CHILD_MB)
    assert resident_mb() - held < 700
    assert (reason == "") if sentence is None else re.search(sentence, reason) and (reason or not sentence)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(
    "name",
    ["single quotes", "many columns", "beyond a sheet", "shared text", "long text and missing cells", "nested zips"],
)
def test_a_bomb_ends_in_a_sentence(name):
    """Each bomb of a sample gives an error message, since sizes are checked before memory is allocated."""
    check_bomb(SMALL_BOMBS[name])


@pytest.mark.deep
@pytest.mark.parametrize("name", SMALL_BOMBS)
def test_every_small_bomb_ends_in_a_sentence(name):
    """Files of a few kilobytes that claim gigabytes give an error message."""
    check_bomb(SMALL_BOMBS[name])


@pytest.mark.deep
@pytest.mark.parametrize("name", LARGE_BOMBS)
def test_every_large_bomb_ends_in_a_sentence(name):
    """Files of a few megabytes that expand to gigabytes give an error message."""
    check_bomb(LARGE_BOMBS[name])


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["xlsx", "zip lzma", "gzip"])
def test_a_mutated_file_ends_in_a_sentence_or_a_table(kind):
    """One mutation of each type gives an error message or a table."""
    for raw in mutations(GOOD[kind](), 6, np.random.default_rng(0)):
        outcome(raw)


@pytest.mark.deep
@pytest.mark.parametrize("kind", GOOD)
def test_many_mutated_files_end_in_a_sentence_or_a_table(kind):
    """Each of 300 mutations per format gives an error message or a table, also as a preview or as a network file."""
    before, most = usage()
    sentences = 0
    for k, raw in enumerate(mutations(GOOD[kind](), MUTATIONS, np.random.default_rng(1))):
        sentences += bool(outcome(raw))
        if k % 10 == 0:
            first_lines(raw)
            with contextlib.suppress(LearnersError):
                read_bytes(raw)
    after, peak = usage()
    assert sentences > MUTATIONS / 20
    assert after - before <= MAX_CPU_SECONDS * MUTATIONS
    assert peak <= max(most, MAX_CHILD_MB)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("kind", GOOD)
def test_the_good_files_are_read(kind):
    """Every base file of the mutations is valid, except that there is no valid SAS file."""
    assert (outcome(GOOD[kind]()) == "") is (kind != "sas7bdat")


@pytest.mark.parametrize("kind", ["gzip", "zip", "zip bzip2", "zip lzma"])
def test_a_packed_file_of_any_text_is_unpacked(kind):
    """Compressed texts of any type, such as networks and plans, are unpacked."""
    assert read_bytes(GOOD[kind]()) == CSV


def test_every_binary_format_is_read_in_the_sandbox(monkeypatch):
    """Without the sandbox no binary format is read, because native readers never run in this process."""

    def refuse(*_given, **_named):
        raise LearnersError("no sandbox")

    monkeypatch.setattr("learners.data.reading.binary_files.run_in_sandbox", refuse)
    assert {outcome(make()) for make in GOOD.values()} == {"no sandbox"}
    assert outcome(CSV) == ""


def test_a_file_is_named_and_read_where_it_lies(tmp_path):
    """A file is read by its descriptor and not copied, and the error message names the file."""
    path = tmp_path / "survey.xlsx"
    path.write_bytes(workbook())
    assert read_table(path).n == 30
    path.write_bytes(part_that_lies())
    assert "the Excel file 'survey.xlsx' is damaged" in outcome(path)
