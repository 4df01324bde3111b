"""Read long text tables whose cells hold no quote and no line break, with a compiled kernel.

Most large files are of this kind. A kernel reads them in a quarter of the time of a general parser and a conversion of
texts to numbers. Any other text is refused as irregular, and the caller reads it by the general parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pyarrow as pa

from ...kernels.reading.decimal_numbers import MAX_POWER, MIN_POWER
from ...kernels.reading.delimited_rows import (
    ALL_LETTERS,
    AT,
    CROWDED,
    FINISHED,
    IGNORED,
    IRREGULAR,
    MANY_TEXTS,
    N_BLANK,
    N_OTHERS,
    NO_MATTER,
    ROWS,
    USED,
    Format,
    Texts,
    move_texts,
    read_rows,
)
from ..column_types.cells import Encoded
from .long_columns import Gathered, NumberColumn
from .streams import Pieces

BITS = 128

BATCH_ROWS = 1 << 14  # maximum number of rows read by one call of the kernel
MIN_OTHERS = 1 << 14  # minimum number of cells other than numbers that a call has room for
SLOTS, LETTERS = 64, 1 << 12  # initial sizes of a table of texts
GROWTH = 4
MAX_HEAD_TEXTS, MAX_HEAD_SHARE = 1_000, 0.5  # maximum number and share of distinct texts for codes


class IrregularText(Exception):
    """The text has quotes or line breaks in cells, rows of different length, or too many distinct texts."""


def have_few_texts(parts: Sequence[Encoded], numeric: Sequence[bool]) -> bool:
    """Return False if the first rows of a column other than numbers have so many texts that codes will not suffice."""
    limits = [max(MAX_HEAD_TEXTS, MAX_HEAD_SHARE * len(codes)) for codes, _, _ in parts]
    return all(
        is_number or len(texts) <= limit for (_, texts, _), is_number, limit in zip(parts, numeric, limits, strict=True)
    )


def read_regular(
    text: Pieces, form: Format, width: int, chosen: Sequence[int], gathered: Gathered, most: int | None
) -> None:
    """Read all rows, or the first ones.

    Parameters
    ----------
    text : Pieces
        The text below the header.
    form : Format
    width : int
        Number of columns in the text.
    chosen : sequence of int
        Positions of the columns to read.
    gathered : Gathered
        The rows are added to these columns.
    most : int or None
        Maximum number of rows to read, blank ones included.

    Raises
    ------
    IrregularText
    """
    reader = _RegularReader(form, width, chosen, gathered, most)
    rest = b""
    while not reader.is_full:
        piece = text.next_piece()
        whole = rest + piece
        end = max(whole.rfind(b"\n"), whole.rfind(b"\r")) + 1
        if not piece and whole:
            whole, end = whole + b"\n", len(whole) + 1
        rest = whole[end:]
        reader.add(np.frombuffer(whole if len(whole) >= 8 else whole.ljust(8), np.uint8), end)
        if not piece:
            break
    reader.finish()


def compile_reader() -> None:
    """Read a small table, whose texts outgrow the first table, so that the kernels are compiled."""
    rows = b"".join(b"0.1234567890123456%d,level %d\n" % (k % 10, k) for k in range(SLOTS))
    gathered = Gathered([True, False], ".", SLOTS)
    read_regular(Pieces(iter([rows])), Format(ord(","), ord("."), keeps_blank=False), 2, [0, 1], gathered, None)


class _RegularReader:
    """Reads complete rows into the columns of a table; see `read_regular`."""

    def __init__(self, form: Format, width: int, chosen: Sequence[int], gathered: Gathered, most: int | None) -> None:
        self.form, self.gathered, self.left = form, gathered, most
        self.is_full = most == 0
        self.numbers = [column for column in gathered.columns if isinstance(column, NumberColumn)]
        self.levels = [column for column in gathered.columns if not isinstance(column, NumberColumn)]
        self.places = np.full(width, IGNORED, np.int64)
        n_levels = 0
        for j, column in zip(chosen, gathered.columns, strict=True):
            if isinstance(column, NumberColumn):
                self.places[j] = column.place
            else:
                n_levels += 1
                self.places[j] = -n_levels
        self.codes = np.empty((n_levels, BATCH_ROWS), np.int32)
        self.others = np.empty((max(MIN_OTHERS, 2 * width), 4), np.int64)
        self.texts = _free_texts(np.full(n_levels, SLOTS, np.int64), np.empty(LETTERS, np.uint8))
        self.used = 0

    def add(self, text: np.ndarray, end: int) -> None:
        """Read the rows in the first `end` bytes."""
        at, reason = 0, None
        while reason != FINISHED and not self.is_full:
            room = BATCH_ROWS if self.left is None else min(BATCH_ROWS, self.left)
            block, first = self.gathered.block, self.gathered.n
            block.reserve(first + room) if block.rows.shape[1] else None
            numbers = block.rows[first : first + room] if block.rows.shape[1] else np.empty((room, 0))
            state = np.array([at, 0, 0, 0, self.used, NO_MATTER], dtype=np.int64)
            reason = read_rows(
                text,
                words_of(text),
                end,
                self.form,
                self.places,
                powers_of_ten(),
                numbers,
                self.codes,
                self.others,
                self.texts,
                state,
            )
            if reason in (IRREGULAR, MANY_TEXTS):
                raise IrregularText
            at, self.used = int(state[AT]), int(state[USED])
            self._add_rows(int(state[ROWS]), int(state[N_BLANK]), text, self.others[: state[N_OTHERS]])
            if reason != FINISHED:
                self._make_room(int(state[CROWDED]))

    def _add_rows(self, rows: int, blank: int, text: np.ndarray, others: np.ndarray) -> None:
        with_others = set(others[:, 0].tolist())
        for column in self.numbers:
            if column.place in with_others:
                own = others[others[:, 0] == column.place]
                column.add_filled(rows, own[:, 1], _texts_at(text, own[:, 2], own[:, 3]))
            else:
                column.add_filled(rows)
        for column, codes, used in zip(self.levels, self.codes, self.texts.used, strict=True):
            column.add_codes(codes[:rows], int(used))
        self.gathered.n += rows
        self.gathered.blank += blank
        if self.left is not None:
            self.left -= rows + blank
            self.is_full = self.left <= 0

    def _make_room(self, crowded: int) -> None:
        """Enlarge the table of texts of one column, or the letters of all."""
        letters = self.texts.letters
        if crowded == NO_MATTER:
            return
        if crowded == ALL_LETTERS:
            letters = np.concatenate([letters, np.empty((GROWTH - 1) * len(letters), np.uint8)])
            self.texts = self.texts._replace(letters=letters)
            return
        size = self.texts.size.copy()
        size[crowded] *= GROWTH
        larger = _free_texts(size, letters)
        for k in range(len(size)):
            move_texts(self.texts, larger, k)
        self.texts = larger

    def finish(self) -> None:
        """Name the codes of all columns."""
        for k, column in enumerate(self.levels):
            slots = slice(int(self.texts.first[k]), int(self.texts.first[k] + self.texts.size[k]))
            code, start, length = (part[slots] for part in (self.texts.code, self.texts.start, self.texts.length))
            order = np.flatnonzero(code >= 0)
            order = order[np.argsort(code[order])]
            column.name(_texts_at(self.texts.letters, start[order], start[order] + length[order]).to_pylist())


def words_of(text: np.ndarray) -> np.ndarray:
    """Return the eight bytes that begin at each position of a text as little-endian integers, without a copy."""
    return np.lib.stride_tricks.as_strided(text[:8].view("<u8"), (len(text) - 7,), (1,), writeable=False)


def _free_texts(size: np.ndarray, letters: np.ndarray) -> Texts:
    """Return empty tables of the given sizes."""
    first, slots = np.cumsum(size) - size, int(size.sum())
    free, zeros = np.full(slots, -1, np.int32), np.zeros(len(size), np.int64)
    return Texts(first, size, zeros, free, np.zeros(slots, np.int64), np.zeros(slots, np.int64), letters)


def _texts_at(letters: np.ndarray, start: np.ndarray, stop: np.ndarray) -> pa.StringArray:
    """Return the texts from each `start` to its `stop`."""
    lengths = stop - start
    offsets = np.zeros(len(start) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    places = np.repeat(start - offsets[:-1], lengths) + np.arange(offsets[-1])
    return pa.Array.from_buffers(
        pa.string(), len(start), [None, pa.py_buffer(offsets), pa.py_buffer(letters[places].tobytes())]
    )


@cache
def powers_of_ten() -> np.ndarray:
    """Return the leading 128 bits of 5^q for the powers q of the kernel, (591, 2) uint64, the upper half first.

    The leading bits of 10^q are those of 5^q. They are rounded down for q >= 0, and up for q < 0 (Lemire 2021,
    section 5).
    """
    halves = [divmod(_leading_bits(power), 1 << 64) for power in range(MIN_POWER, MAX_POWER + 1)]
    table = np.array(halves, dtype=np.uint64)
    table.flags.writeable = False
    return table


def _leading_bits(power: int) -> int:
    """Return the leading 128 bits of 5^power as an integer of that many bits."""
    whole = 5 ** abs(power)
    if power >= 0:
        excess = whole.bit_length() - BITS
        return whole >> excess if excess > 0 else whole << -excess
    return (1 << (BITS - 1 + (whole - 1).bit_length())) // whole + 1
