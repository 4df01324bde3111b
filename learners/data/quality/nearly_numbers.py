"""Find words that may mean "missing" but are levels, or keep a column from being numeric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...common.sentences import (
    NOTHING,
    Count,
    Phrase,
    Quoted,
    Sentence,
    cells_of,
    columns_of,
    only_if,
    paragraph,
    phrase,
    rows_of,
    say,
)
from ..arrow_arrays import text_array, to_arrow
from ..column_types.cells import Cells
from ..column_types.missing_words import is_framed
from ..column_types.types_and_missing_codes import ColumnGuess, Use, kind_of
from ..columns import FEW_NUMBERS
from ..plan.conversion_guess import MIN_VALUES, non_numbers
from ..plan.plan import ColumnPlan, with_missing
from ..reading.table import Table
from .destructive_changes import loses, lost_columns, may_be_value
from .finding import MAX_SEPARATE_FIXES, Finding, Fix, and_missing, distinct_texts, fixes_of, listed_or_counted, warning
from .identifiers import kind_of_key
from .inspection import Inspection
from .registry import check

Texts = dict[str, list[str]]  # texts by column


class OddTexts(NamedTuple):
    """Texts that may mean "missing", by column, in three groups; a column with two kinds of texts is in two groups.

    Attributes
    ----------
    words : dict
        Words for a missing value that are levels.
    among_numbers : dict
        Texts that keep a column from being continuous.
    among_digits : dict
        Words in a column whose other levels are a few numbers.
    """

    words: Texts
    among_numbers: Texts
    among_digits: Texts


def odd_texts(inspection: Inspection) -> OddTexts:
    """Find the texts that may mean "missing", without reporting a text twice."""
    table, plan = inspection.table, inspection.plan
    words = {
        guess.name: texts
        for guess in table.guess.columns
        if (texts := _levels_among(guess, plan.column(guess.name), table))
    }
    numbers = {
        column.name: texts
        for column, cells in inspection.undecided
        if (texts := non_numbers(cells, column, FEW_NUMBERS)) and not _are_codes(cells, column, texts)
    }
    words |= _marks_among_digits(inspection, words)
    words |= _marks_elsewhere(inspection, words, numbers)
    if set(words) <= set(numbers):
        words = {}
    numbers = {name: texts for name, texts in numbers.items() if not set(texts) <= set(words.get(name, ()))}
    digits = {
        column.name: texts
        for column, cells in inspection.undecided
        if column.name not in {*words, *numbers}
        and (texts := non_numbers(cells, column, MIN_VALUES - 1))
        and not any(letter.isdigit() for text in texts for letter in text)  # "5+" is not a word
        and not _are_codes(cells, column, texts)
    }
    return OddTexts(words, numbers, digits)


def _are_codes(cells: Cells, column: ColumnPlan, texts: Sequence[str]) -> bool:
    """Return True if the numbers of an ignored column are keys, or parts of codes such as 15A."""
    numbers = cells.numbers[cells.codes]
    numbers = numbers[np.isfinite(numbers)]
    if column.kind != "ignore" or (numbers != np.floor(numbers)).any():
        return False
    return kind_of_key(column.name, numbers) == "id_like" or any(map(_is_code, texts))


def _is_code(text: str) -> bool:
    """Return True if a text has a letter and a digit."""
    return any(map(str.isalpha, text)) and any(map(str.isdigit, text))


def _marks_among_digits(inspection: Inspection, words: Texts) -> Texts:
    """Return the words of columns whose levels are a few numbers and marks such as "*nc*"."""
    found = {}
    for column, cells in inspection.undecided:
        texts = non_numbers(cells, column, MIN_VALUES - 1) if column.kind == "categorical" else None
        if texts and len(cells.texts) <= FEW_NUMBERS + len(texts) and is_framed(text_array(texts)).all():
            found[column.name] = list(dict.fromkeys([*words.get(column.name, ()), *texts]))
    return found


def _marks_elsewhere(inspection: Inspection, words: Texts, numbers: Texts) -> Texts:
    """Return the words of all columns with a text that occurs among numbers in one column and is a level of others.

    A text without a digit, such as "*", means "missing" in the column of numbers, and so probably in the whole file.
    """
    plan, found = inspection.plan, {}
    marks = {text for texts in numbers.values() for text in texts if not any(map(str.isdigit, text))}
    levels = {
        column.name: texts
        for column, cells in inspection.undecided
        if column.name not in numbers
        and column.kind == "categorical"
        and (texts := _texts_among(cells, marks.difference(column.missing)))
    }
    shared = {text for texts in levels.values() for text in texts}
    for name in (column.name for column in plan.columns):
        own = levels.get(name, [text for text in numbers.get(name, ()) if text in shared])
        if own:
            found[name] = list(dict.fromkeys([*words.get(name, ()), *own]))
    return found


def _texts_among(cells: Cells, marks: Iterable[str]) -> list[str]:
    """Return the marks of a column."""
    there = cells.among(tuple(sorted(marks)))
    return cells.texts.filter(to_arrow(there)).to_pylist() if there.any() else []


@check("possible_missing")
def possible_missing(inspection: Inspection) -> list[Finding]:
    """Return a warning for levels that often mean "missing" and whose loss would destroy nothing."""
    return _missing_words(inspection, "possible_missing", inspection.once(_by_doubt)[0])


@check("doubtful_missing")
def doubtful_missing(inspection: Inspection) -> list[Finding]:
    """Return a warning for levels that may mean "missing" or be a value; only the user can decide."""
    return _missing_words(inspection, "doubtful_missing", inspection.once(_by_doubt)[1])


def _by_doubt(inspection: Inspection) -> tuple[Texts, Texts]:
    """Split the words for "missing" into those without doubt and those that may be a value, by column."""
    clear: Texts = {}
    doubtful: Texts = {}
    for name, texts in inspection.once(odd_texts).words.items():
        column = inspection.plan.column(name)
        cells = column.cells(inspection.table)
        for text in texts:
            plan = _missing_in(inspection, [text], [name], {name: [text]}).plan
            is_doubtful = may_be_value(text, cells, column) or loses(inspection.table, inspection.plan, plan)
            (doubtful if is_doubtful else clear).setdefault(name, []).append(text)
        together = _missing_in(inspection, clear.get(name, ()), [name], {name: clear.get(name, ())}).plan
        if name in clear and loses(inspection.table, inspection.plan, together):
            doubtful.setdefault(name, []).extend(clear.pop(name))
    return clear, doubtful


def _missing_words(inspection: Inspection, code: str, by_column: Texts) -> list[Finding]:
    """Return the finding of a group of words, with a fix for all of them and one for each."""
    if not by_column:
        return []
    named_in = {text: [name for name in by_column if text in by_column[name]] for text in distinct_texts(by_column)}
    texts, names = list(named_in), list(by_column)
    fix = _missing_in(inspection, texts, names, by_column)
    n_cells, n_rows = _occurrences(inspection, by_column)
    marks, one = Quoted(texts), len(texts) == 1
    if code == "doubtful_missing":
        template = (
            "{marks} may mean missing or may be a value." if one else "{marks} may mean missing or may be values."
        )
    else:
        template = "{marks} often means missing." if one else "{marks} often mean missing."
    meaning = say(template, marks=marks)
    if n_cells == 1:
        template = "{cells} in {rows} of {columns} has it as a level."
    elif one:
        template = "{cells} in {rows} of {columns} have it as a level."
    else:
        template = "{cells} in {rows} of {columns} have them as levels."
    where = say(template, cells=cells_of(n_cells), rows=rows_of(n_rows), columns=columns_of(names))
    doubtful = _in_doubt(inspection, texts) if code == "possible_missing" else {}
    asked = code == "doubtful_missing"
    numeric = [name for name in names if asked and fix.plan.column(name).kind == "continuous"]
    template = "Without it, the cells of {columns} are numbers."
    template = template if one else "Without them, the cells of {columns} are numbers."
    numbers = only_if(numeric, say(template, columns=columns_of(numeric)))
    reason = paragraph(meaning, where, _apart(doubtful), numbers)
    fixes = [fix]
    if 1 < len(texts) <= MAX_SEPARATE_FIXES:
        fixes += [_missing_in(inspection, [text], columns, by_column) for text, columns in named_in.items()]
    if doubtful:
        everywhere = {name: [*by_column.get(name, ()), *doubtful.get(name, ())] for name in {**by_column, **doubtful}}
        plan = _missing_in(inspection, texts, list(everywhere), everywhere).plan
        others, marks = listed_or_counted(list(doubtful)), distinct_texts(doubtful)
        # The label names the texts of the first fix already, so several more would make it too long.
        both = Quoted(marks) if len(marks) == 1 else Count(len(marks), "text")
        values = {"fix": fix.label.sentence, "marks": both, "columns": others}
        fixes[0] = Fix(phrase("{fix}, except {marks} in {columns}", **values), fix.plan)
        fixes.append(Fix(phrase("{fix}, also {marks} in {columns}", **values), plan))
    return [warning(code, names, reason, *fixes)]


def _apart(doubtful: Texts) -> Sentence:
    """Return a sentence on texts that may be values in some columns, which another finding covers."""
    if not doubtful:
        return NOTHING
    texts = distinct_texts(doubtful)
    template = "In {columns}, {marks} may be a value; another finding asks about it."
    if len(texts) > 1:
        template = "In {columns}, {marks} may be values; another finding asks about them."
    return say(template, columns=columns_of(list(doubtful)), marks=Quoted(texts))


def _in_doubt(inspection: Inspection, texts: Sequence[str]) -> Texts:
    """Return the texts that may be a value in some columns, by column."""
    doubtful = inspection.once(_by_doubt)[1].items()
    return {name: both for name, own in doubtful if (both := [text for text in own if text in texts])}


def _occurrences(inspection: Inspection, by_column: Texts) -> tuple[int, int]:
    """Return the number of cells with the texts of their column, and the number of rows with such a cell."""
    n_cells, rows = 0, np.zeros(inspection.table.n, dtype=bool)
    for name, texts in by_column.items():
        cells = inspection.plan.column(name).cells(inspection.table)
        there = cells.among(tuple(texts))
        n_cells += int(cells.counts[there].sum())
        rows |= there[cells.codes]
    return n_cells, int(rows.sum())


@check("nearly_numbers")
def nearly_numbers(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns that are numeric except for a few texts, whatever share of the cells these fill."""
    by_column, plan = inspection.once(odd_texts).among_numbers, inspection.plan
    if not by_column:
        return []
    names = list(by_column)
    reason = paragraph(
        say(
            "{columns} has numbers except for {words}, so it is read as text."
            if len(names) == 1
            else "{columns} have numbers except for {words}, so they are read as text.",
            columns=columns_of(names),
            words=Quoted(distinct_texts(by_column)),
        ),
        _frequent(inspection, by_column),
    )

    def of(some: Sequence[str]) -> Texts:
        return {name: by_column[name] for name in some}

    fixes = fixes_of(
        names,
        lambda them, some: say("read {columns} as numbers{missing}", columns=them, missing=and_missing(of(some))),
        lambda some: with_missing(inspection.table, plan, of(some), kind="continuous"),
    )
    return [warning("nearly_numbers", names, reason, *fixes)]


def _frequent(inspection: Inspection, by_column: Texts) -> Sentence:
    """Return a sentence on frequent texts, which may be values although the other cells of the column are numbers."""
    plan = with_missing(inspection.table, inspection.plan, by_column, kind="continuous")
    names = lost_columns(inspection.table, inspection.plan, plan)
    if not names:
        return NOTHING
    own = {name: by_column[name] for name in names}
    texts, (n_cells, _) = distinct_texts(own), _occurrences(inspection, own)
    template = "In {columns}, {words} fill {n} of {total} cells and may be values."
    if len(texts) == 1:
        template = "In {columns}, {words} fills {n} of {total} cells and may be a value."
    total = sum(_n_filled(inspection, name) for name in names)
    return say(template, columns=columns_of(names), words=Quoted(texts), n=n_cells, total=total)


def _n_filled(inspection: Inspection, name: str) -> int:
    """Return the number of cells of a column that are not missing."""
    column = inspection.plan.column(name)
    cells = column.cells(inspection.table)
    return int(cells.counts[~cells.among(column.missing) & ~cells.blank].sum())


@check("beside_digits")
def beside_digits(inspection: Inspection) -> list[Finding]:
    """Return a warning for words in columns with mostly numeric levels."""
    by_column = inspection.once(odd_texts).among_digits
    if not by_column:
        return []
    texts, names = distinct_texts(by_column), list(by_column)
    reason = paragraph(
        say(
            "{words} may mean missing, because all other levels of {columns} are numbers.",
            words=Quoted(texts),
            columns=columns_of(names),
        ),
        say("At present it counts as a level." if len(texts) == 1 else "At present they count as levels."),
    )
    return [warning("beside_digits", names, reason, _missing_in(inspection, texts, names, by_column))]


def _levels_among(guess: ColumnGuess, column: ColumnPlan, table: Table) -> list[str]:
    """Return the words for "missing" that are levels of a column, or keep it from being continuous."""
    texts = [marker.text for marker in guess.markers if marker.text not in column.missing]
    if texts and column.kind == guess.kind == "ignore":
        return texts if _kind_with(table, column, texts) == "continuous" else []
    return texts if column.kind == "categorical" else []


def _missing_in(inspection: Inspection, texts: Sequence[str], names: Sequence[str], by_column: Texts) -> Fix:
    """Return the fix that makes texts missing; a column that they alone kept from being continuous becomes so."""
    plan = inspection.plan
    for name in names:
        column, own = plan.column(name), [text for text in by_column[name] if text in texts]
        plan = with_missing(inspection.table, plan, {name: own}, kind=_kind_with(inspection.table, column, own))
    marks = listed_or_counted(texts, "text")
    label = say("treat {marks} as missing in all {n} columns", marks=marks, n=len(names))
    if len(names) == 1:
        label = say("treat {marks} as missing in {columns}", marks=marks, columns=Quoted(names))
    elif len(names) < len(by_column):
        label = say("treat {marks} as missing in the {n} columns with it", marks=marks, n=len(names))
    elif len(names) == 2:
        label = say("treat {marks} as missing in both columns", marks=marks)
    return Fix(Phrase(label), plan)


def _kind_with(table: Table, column: ColumnPlan, texts: Sequence[str]) -> Use:
    """Return the type of a column that the plan leaves as guessed, once more of its texts are missing."""
    guess = table.guess.of(column.name)
    if column.kind != guess.kind or column.binning is not None or column.treatment is not None:
        return column.kind
    cells = column.cells(table)
    kind = kind_of(cells, cells.among((*column.missing, *texts)))[0]
    return column.kind if kind == "ignore" else kind
