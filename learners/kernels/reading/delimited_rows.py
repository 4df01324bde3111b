"""Read the rows of a delimited text: numbers into an array, all other cells as codes of their texts."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .decimal_numbers import read_number

LINE_FEED, CARRIAGE_RETURN, QUOTE, BLANK, TAB, DELETE = 10, 13, 34, 32, 9, 127
# In UTF-8, characters of white space beyond ASCII begin with the bytes C2, E1 and E2, and one begins with E3 80.
FIRST_LETTER, BLANK_LETTERS, IDEOGRAPHIC, BLANK_PAGE = 0xC3, (0xE1, 0xE2), 0xE3, 0x80
IGNORED = 1 << 30  # entry of `places` for a column that is not read
FINISHED, IRREGULAR, NO_ROOM, MANY_TEXTS = 0, 1, 2, 3  # reasons why the kernel returned
AT, ROWS, N_BLANK, N_OTHERS, USED, CROWDED = 0, 1, 2, 3, 4, 5  # entries of the state
MAX_TEXTS = 65_535  # maximum number of texts of a column, as `learners.data.columns.MAX_LEVELS`
NO_MATTER, ALL_LETTERS = -1, -2  # values of `CROWDED` that name no column
HASH_FACTOR, HASH_BITS = 0x01000193, 0xFFFFFFFF


class Texts(NamedTuple):
    """The distinct texts of several columns: a hash table of each, with open addressing, one behind the other.

    Attributes
    ----------
    first, size, used : (m,) int64 arrays
        First slot of each column, number of its slots (a power of two), and number of its texts.
    code : (slots,) int32 array
        Code of the text of each slot; -1 for a free slot.
    start, length : (slots,) int64 arrays
        Position of the text in `letters`, and number of its bytes.
    letters : uint8 array
        The bytes of all texts.
    """

    first: np.ndarray
    size: np.ndarray
    used: np.ndarray
    code: np.ndarray
    start: np.ndarray
    length: np.ndarray
    letters: np.ndarray


class Format(NamedTuple):
    """Format of a text: the signs that divide it into cells, and the treatment of blank rows.

    Attributes
    ----------
    separator, mark : int
        Separator of cells and decimal mark, each a byte.
    keeps_blank : bool
        Rows without a cell are kept.
    """

    separator: int
    mark: int
    keeps_blank: bool


@kernel
def read_rows(text, words, end, form, places, powers, numbers, codes, others, texts, state):
    """Read rows until the text ends or something is full, and return the reason.

    Quoted cells must hold no quote and no line break, and each row as many cells as there are places; otherwise the
    text is irregular. Empty lines are skipped.

    Parameters
    ----------
    text : uint8 array
        Complete rows; the last one ends with a line break.
    words : uint64 array
        As in `read_number`.
    end : int
        Number of bytes to read.
    form : Format
    places : (columns,) int64 array
        Column of `numbers`, or -1 - row of `codes`, of each column of the text; `IGNORED` if it is not read.
    powers : uint64 array
        As in `read_number`.
    numbers : (rows, q) float64 array
        Overwritten with numbers; NaN where a cell is not a number that the kernel can round.
    codes : (m, at least rows) int32 array
        Overwritten with the codes of texts.
    others : (k, 4) int64 array
        Overwritten: column of `numbers`, row, begin and end of each cell that is not such a number.
    texts : Texts
        New texts are added.
    state : (6,) int64 array
        Position in the text, number of rows read, number of blank rows left out, number of other cells, and bytes used
        of `letters`; all updated. The last entry is the column of texts whose table is full, `ALL_LETTERS`, or
        `NO_MATTER` if the caller only has to empty the filled arrays.
    """
    width, most = places.shape[0], numbers.shape[0]
    at, row, n_others, n_blank = state[AT], state[ROWS], state[N_OTHERS], state[N_BLANK]
    found = np.empty(1, np.float64)
    bits = found.view(np.uint64)
    reason = FINISHED
    while at < end:
        if text[at] == LINE_FEED or text[at] == CARRIAGE_RETURN:
            at += 1
            continue
        if row + n_blank == most or n_others + width > others.shape[0]:
            state[CROWDED] = NO_MATTER
            reason = NO_ROOM
            break
        begin, first_other, is_filled, is_odd = at, n_others, False, False
        for j in range(width):
            place = places[j]
            is_quoted = text[at] == QUOTE
            if is_quoted:
                at += 1
            start = at
            is_number = False
            if 0 <= place < IGNORED:
                at = read_number(text, words, at, form.mark, powers, found, bits)
                is_number = at >= 0 and (text[at] == QUOTE if is_quoted else is_cell_end(text[at], form.separator))
                if is_number:
                    numbers[row, place] = found[0]
                    is_filled = True
                else:
                    at = start
                    numbers[row, place] = np.nan
            if not is_number:
                mixed = 0
                while text[at] != QUOTE and (is_quoted or text[at] != form.separator):
                    if text[at] == LINE_FEED or text[at] == CARRIAGE_RETURN:
                        break
                    mixed = ((mixed ^ np.int64(text[at])) * HASH_FACTOR) & HASH_BITS
                    at += 1
                if (text[at] == QUOTE) != is_quoted:
                    return IRREGULAR
                if not is_filled and place != IGNORED:
                    for k in range(start, at):
                        is_filled |= is_visible(text, k)
                        is_odd |= text[k] != BLANK and text[k] != TAB
                if 0 <= place < IGNORED:
                    others[n_others, 0], others[n_others, 1] = place, row
                    others[n_others, 2], others[n_others, 3] = start, at
                    n_others += 1
                elif place < 0:
                    code = code_of(text, start, at, mixed, -1 - place, texts, state)
                    if code < 0:
                        state[AT], state[ROWS], state[N_BLANK], state[N_OTHERS] = begin, row, n_blank, first_other
                        return NO_ROOM if code == -1 else MANY_TEXTS
                    codes[-1 - place, row] = code
            if is_quoted:
                at += 1
            if j < width - 1:
                if text[at] != form.separator:
                    return IRREGULAR
            elif text[at] != LINE_FEED and text[at] != CARRIAGE_RETURN:
                return IRREGULAR
            at += 1
        if is_filled or form.keeps_blank:
            row += 1
        elif is_odd:
            return IRREGULAR
        else:
            n_blank += 1
            n_others = first_other
    state[AT], state[ROWS], state[N_BLANK], state[N_OTHERS] = at, row, n_blank, n_others
    return reason


@kernel
def is_visible(text, k):
    """Return True if the byte begins a character that is certainly no blank; False also for a few other characters."""
    letter = text[k]
    if letter < DELETE:
        return letter > BLANK
    if letter == IDEOGRAPHIC:
        return text[k + 1] != BLANK_PAGE
    return letter >= FIRST_LETTER and letter not in BLANK_LETTERS


@kernel
def is_cell_end(letter, separator):
    """Return True for a separator or a line break."""
    return letter in (separator, LINE_FEED, CARRIAGE_RETURN)


@kernel
def code_of(text, start, stop, mixed, k, texts, state):
    """Return the code of a text, a new one if it is new; -1 if an array is full, and -2 if all codes are used.

    Parameters
    ----------
    text : uint8 array
    start, stop : int
        First byte of the text, and the one behind its last.
    mixed : int
        Hash of the text.
    k : int
        Its column.
    texts : Texts
    state : int64 array
        As in `read_rows`.
    """
    first, last = texts.first[k], texts.size[k] - 1
    slot = (mixed ^ (mixed >> 15)) & last
    while texts.code[first + slot] >= 0:
        if is_same(text, start, stop, texts, first + slot):
            return texts.code[first + slot]
        slot = (slot + 1) & last
    code = texts.used[k]
    if code == MAX_TEXTS:
        return -2
    if 2 * code > last:
        state[CROWDED] = k
        return -1
    if state[USED] + stop - start > texts.letters.shape[0]:
        state[CROWDED] = ALL_LETTERS
        return -1
    slot += first
    texts.code[slot], texts.start[slot], texts.length[slot] = code, state[USED], stop - start
    for i in range(stop - start):
        texts.letters[state[USED] + i] = text[start + i]
    state[USED] += stop - start
    texts.used[k] = code + 1
    return code


@kernel
def is_same(text, start, stop, texts, slot):
    """Return True if the text from `start` to `stop` is that of a slot of the `texts`."""
    if texts.length[slot] != stop - start:
        return False
    begin = texts.start[slot]
    for i in range(stop - start):  # noqa: SIM110  (kernels have no generators)
        if texts.letters[begin + i] != text[start + i]:
            return False
    return True


@kernel
def hash_of(letters, start, length):
    """Return the hash of the text of `length` bytes that begins at `start`."""
    mixed = 0
    for i in range(start, start + length):
        mixed = ((mixed ^ np.int64(letters[i])) * HASH_FACTOR) & HASH_BITS
    return mixed


@kernel
def move_texts(old, new, k):
    """Copy the texts of column `k` into the free, larger table `new`, which uses the same letters."""
    first, last = new.first[k], new.size[k] - 1
    for slot in range(old.first[k], old.first[k] + old.size[k]):
        if old.code[slot] >= 0:
            mixed = hash_of(old.letters, old.start[slot], old.length[slot])
            place = (mixed ^ (mixed >> 15)) & last
            while new.code[first + place] >= 0:
                place = (place + 1) & last
            new.code[first + place] = old.code[slot]
            new.start[first + place], new.length[first + place] = old.start[slot], old.length[slot]
    new.used[k] = old.used[k]
