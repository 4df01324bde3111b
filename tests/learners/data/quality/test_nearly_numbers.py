"""Tests of texts among numbers and of missing-value codes: they are found and resolved by one fix."""

from pathlib import Path

import numpy as np
import pytest

from learners.data.column_types.types_and_missing_codes import kind_of
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table

CASES = Path(__file__).parents[1] / "cases"
RNG = np.random.default_rng(7)
AGES = [str(age) for age in RNG.integers(18, 90, 60)]
INCOMES = [f"{income:.1f}" for income in RNG.normal(2000, 500, 60)]


def findings_of(code, **columns):
    """Return the findings with this code for a table of these columns, and the table."""
    rows = zip(*columns.values(), strict=True)
    text = "\n".join(["\t".join(columns), *("\t".join(row) for row in rows)])
    table = read_table(text.encode(), separator="\t")
    plan = default_plan(table)
    return [finding for finding in check_health(table, plan) if finding.code == code], table


def with_texts(texts, *odd):
    """Return the column with its first cells replaced."""
    return [*odd, *texts[len(odd) :]]


def test_marks_among_numbers_are_missing_in_all_columns_at_once():
    """One mark turns a column of numbers into text; one fix reads all such columns as numbers."""
    ages, incomes = with_texts(AGES, "k.A.", "k.A."), with_texts(INCOMES, "?", "unknown")
    (finding,), table = findings_of("nearly_numbers", age=ages, income=incomes)
    assert finding.columns == ("age", "income")
    assert "'k.A.' and '?' and 'unknown'" in finding.reason.replace(", ", " and ")
    plan = finding.fixes[0].plan
    assert {column.kind for column in plan.columns} == {"continuous"}
    assert prepare(table, plan.with_policy("drop")).dataset.n == 58


@pytest.mark.parametrize("texts", [["a", "b", "c", "d", "e", "f"], ["1x"] * 30], ids=["many texts", "half are texts"])
def test_a_column_of_texts_is_left_in_peace(texts):
    """A column with many different texts, or with a large share of texts, has no finding."""
    assert findings_of("nearly_numbers", age=with_texts(AGES, *texts), other=INCOMES)[0] == []


@pytest.mark.parametrize("word", ["leer", "nil", "tbd", "bus + car"])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_a_frequent_word_is_named_and_kept(word, share):
    """A word in many cells may be a value, so no suggested fix takes it. The finding names it and offers a fix."""
    many = [str(k % 61 + 18) for k in range(300)]
    n = int(share * 300)
    numbers, other = with_texts(many, *[word] * n), [f"{k / 7:.3f}" for k in range(300)]
    amounts = with_texts([f"{k} EUR" for k in many], *[word] * n)
    for code, column in (("nearly_numbers", numbers), ("amounts", amounts)):
        (finding,), table = findings_of(code, paid=column, other=other)
        assert f"with {word!r} missing" in finding.fixes[0].label
        assert finding.fixes[0].plan.column("paid").kind == "continuous"
        if code == "nearly_numbers":
            assert finding.reason.endswith(f"In column 'paid', {word!r} fills {n} of 300 cells and may be a value.")
        plan, left, _ = with_proposals(table, default_plan(table))
        assert plan.column("paid").kind == "categorical"
        codes = {one.code for one in left}
        assert code in codes
        assert not codes & {"many_levels", "small_counts"}  # levels of what may become numbers
    (finding,), _ = findings_of("doubtful_missing", paid=numbers, city=[*[word] * 30, *["Ulm", "Jena"] * 135])
    assert finding.reason.endswith("Without it, the cells of column 'paid' are numbers.")


def test_wards_with_letters_and_numbers_are_levels():
    """A column with as many words as numbers is a column of codes."""
    wards = [*(str(k % 15 + 1) for k in range(60)), *("ABCDE"[k % 5] for k in range(60))]
    assert findings_of("nearly_numbers", ward=wards, other=[f"{k / 7:.3f}" for k in range(120)])[0] == []


def test_grades_with_a_text_stay_levels():
    """A column of few different numbers and a text has no finding, because it is categorical in any case."""
    grades = with_texts([str(k % 5) for k in range(60)], "absent")
    assert findings_of("nearly_numbers", grade=grades, other=INCOMES)[0] == []


def test_a_word_beside_a_few_digits_can_be_taken_as_missing():
    """The digits stay levels; "5+" has no finding, and two digits are not enough evidence."""
    grades = with_texts([str(k % 5) for k in range(60)], "abs.", "abs.")
    (finding,), table = findings_of("beside_digits", grade=grades, mark=grades, other=INCOMES)
    assert (finding.severity, finding.columns) == ("warning", ("grade", "mark"))
    assert (
        "'abs.' may mean missing, because all other levels of columns 'grade' and 'mark' are numbers" in finding.reason
    )
    assert [fix.label for fix in finding.fixes] == ["treat 'abs.' as missing in both columns"]
    dataset = prepare(table, finding.fixes[0].plan).dataset
    assert (dataset.kinds[0], dataset.levels[0], int((~dataset.is_there(0)).sum())) == (
        "categorical",
        tuple("01234"),
        2,
    )
    for cells in (with_texts(grades, "5+", "5+"), [*["1", "0"] * 28, *["abs."] * 4]):
        assert findings_of("beside_digits", grade=cells, other=INCOMES)[0] == []


@pytest.mark.parametrize(
    ("column", "code"),
    [(AGES, "-9"), (AGES, "-99"), (AGES, "999"), (INCOMES, "9999"), (INCOMES, "-999.0")],
    ids=["-9", "-99", "999", "9999", "-999.0"],
)
def test_codes_far_from_all_numbers_are_found(column, code):
    """Missing-value codes far from all numbers are found; the fix makes them missing and keeps the other numbers."""
    (finding,), table = findings_of("codes", x=with_texts(column, code, code), y=AGES)
    assert finding.columns == ("x",)
    assert repr(code) in finding.reason
    assert prepare(table, finding.fixes[0].plan.with_policy("drop")).dataset.n == 58


def test_a_number_among_its_like_is_no_code():
    """99 in a column of 18 to 90, and -9 among other negative numbers, are not reported, because they may be values."""
    temperatures = [str(t) for t in RNG.integers(-20, 30, 60)]
    assert findings_of("codes", x=with_texts(AGES, "99"), y=with_texts(temperatures, "-9"))[0] == []


def test_a_number_of_few_levels_far_from_the_others_is_a_code():
    """-9 and 99 among answers of 0 to 3 are codes, although such columns are categorical."""
    answers = [str(k % 4) for k in range(60)]
    (finding,), table = findings_of(
        "codes", x=with_texts(answers, "-9", "-9", "-9"), y=with_texts(answers, *["99"] * 5)
    )
    assert finding.columns == ("x", "y")
    assert prepare(table, finding.fixes[0].plan).dataset.arity.tolist() == [4, 4]


def test_a_code_that_is_the_only_number_of_a_column_is_found():
    """One fix makes -99 missing among words and among numbers, but not 12, which may be a level."""
    sex, age = with_texts(["m", "w"] * 30, *["-99"] * 4), with_texts(AGES, "-99", "-99")
    (finding,), table = findings_of("codes", sex=sex, age=age, ward=with_texts(["a", "b"] * 30, "12"))
    assert finding.columns == ("age", "sex")
    assert finding.reason == (
        "'-99' lies far outside the range of column 'age'. '-99' is the only plain number in "
        "column 'sex'. It looks like "
        "a missing-value code."
    )
    (fix,) = finding.fixes
    dataset = prepare(table, fix.plan).dataset
    assert (dataset.levels[dataset.place[0]], dataset.is_there(0).sum(), dataset.is_there(1).sum()) == (
        ("m", "w"),
        56,
        58,
    )
    for cells in (with_texts(["m", "w"] * 30, "99", "100"), with_texts(["m"] * 60, "-99")):
        assert findings_of("codes", sex=cells, other=AGES)[0] == []


WORDS = ["k.A.", "k. A.", "K.A.", "-", "?", "n/a", "keine Angabe", "weiß nicht", "Don’t know", "refused", "#NV", "--"]


@pytest.mark.gate_cases(5)
@pytest.mark.parametrize("word", WORDS)
def test_words_for_no_answer_become_missing_in_all_columns_at_once(word):
    """One fix makes the word missing among digits, texts and numbers; the column of many numbers becomes numeric."""
    columns = {
        "item": with_texts([str(k % 4) for k in range(60)], *[word] * 9),
        "age": with_texts(AGES, *[word] * 3),
        "city": with_texts(["Ulm", "Jena"] * 30, word),
        "other": AGES[::-1],
    }
    found, table = findings_of("possible_missing", **columns)
    if word in ("?", "n/a", "#NV"):  # missing by default among numbers, and therefore also among levels
        assert found == []
        assert prepare(table, default_plan(table).with_policy("drop")).dataset.n == 51
        return
    if word == "-":  # missing among numbers, but possibly a level elsewhere
        columns = {"city": columns["city"]}
    else:
        assert findings_of("nearly_numbers", **columns)[0] == []  # there is only one finding for the same cells
    (finding,), names = found, tuple(name for name in columns if name != "other")
    assert (finding.columns, repr(word) in finding.reason) == (names, True)
    plan = finding.fixes[0].plan
    assert [plan.column(name).kind for name in ("item", "age", "city")] == ["categorical", "continuous", "categorical"]
    assert not {"possible_missing", "nearly_numbers"} & {one.code for one in check_health(table, plan)}
    assert prepare(table, plan.with_policy("drop")).dataset.n == 51


def test_each_word_can_be_taken_alone():
    """Besides the fix for all words, each word has its own fix, since one of the words may be a level."""
    (finding,), _ = findings_of("doubtful_missing", x=["None", "k.A.", "a", "b"] * 15, y=["k.A.", "a", "b"] * 20)
    labels = [fix.label for fix in finding.fixes]
    assert labels == [
        "treat 'None' and 'k.A.' as missing in both columns",
        "treat 'None' as missing in 'x'",
        "treat 'k.A.' as missing in both columns",
    ]
    alone = finding.fixes[2].plan
    assert [column.missing for column in alone.columns] == [("", "k.A."), ("", "k.A.")]


def test_each_column_of_numbers_has_a_fix_of_its_own():
    """Fixes for single columns follow the fix for all columns and name their column."""
    (finding,), _ = findings_of("nearly_numbers", age=with_texts(AGES, "k.A."), income=with_texts(INCOMES, "abs."))
    assert [fix.label for fix in finding.fixes] == [
        "read both columns as numbers, with 'k.A.' and 'abs.' missing",
        "read 'age' alone as numbers, with 'k.A.' missing",
        "read 'income' alone as numbers, with 'abs.' missing",
    ]
    assert [column.kind for column in finding.fixes[2].plan.columns] == ["categorical", "continuous"]


def test_buttons_with_one_label_do_one_thing():
    """Fixes that lead to different plans have different labels."""
    amounts, others = ([f"{1.1 * k:.2f} {sign}" for k in range(60)] for sign in ("€", "%"))
    days = [f"{k % 28 + 1}.{k % 12 + 1}.20{k}" for k in range(10, 70)]
    iso = [f"20{k}-{k % 12 + 1:02d}-{k % 28 + 1:02d}" for k in range(10, 70)]
    open_ = [f"{k}.{100 + k}" for k in range(1, 61)]
    columns = {
        **{"age": AGES, "income": INCOMES, "price": amounts, "share": others, "day": days, "iso": iso, "open": open_},
        **{"item": [str(k % 4) for k in range(60)], "sex": ["m", "f"] * 30},
    }
    marked = {f"{name} {word}": with_texts(cells, word) for name, cells in columns.items() for word in ("k.A.", "abs.")}
    rows = zip(*marked.values(), strict=True)
    text = "\n".join(["\t".join(marked), *("\t".join(row) for row in rows)])
    table = read_table(text.encode(), separator="\t")
    fixes = [fix for finding in check_health(table, default_plan(table)) for fix in finding.fixes]
    plans = {}
    for fix in fixes:
        assert plans.setdefault(fix.label, fix.plan) == fix.plan
    assert len(plans) > 10


def test_a_kind_is_reported_with_what_is_missing_now():
    """The column type and its reason depend on the missing markers, which the reason lists."""
    _, table = findings_of("nearly_numbers", age=with_texts(AGES, "k.A.", "k.A."), other=INCOMES)
    cells = table.column("age")
    kind, reason = kind_of(cells, cells.among(("k.A.",)))
    assert kind == "continuous"
    assert reason.startswith("numbers, ")
    assert reason.endswith("; 'k.A.' (2 times) taken as missing")
    assert kind_of(cells, np.ones(len(cells.texts), dtype=bool)) == ("ignore", "every cell is missing")


def test_levels_of_what_should_be_numbers_are_no_finding():
    """Ages with a marker have no finding for rare levels, because a fix reads them as numbers."""
    marked = {
        "age": with_texts(AGES, "k.A.", "k.A."),
        "item": with_texts([str(k % 4) for k in range(60)], *["k.A."] * 6),
    }
    assert findings_of("small_counts", **marked)[0] == []
    (finding,), _ = findings_of("small_counts", **marked, rare=with_texts(["m", "f"] * 30, "d"))
    assert finding.columns == ("rare",)


def test_a_text_that_may_mean_missing_is_no_rare_level():
    """Another finding asks whether 999 and k.A. are missing, so only a rare level beside them is a finding."""
    marked = with_texts(["yes", "no"] * 30, "999", "999", "999", "k.A.")
    assert findings_of("small_counts", asked=marked, other=INCOMES)[0] == []
    (finding,), _ = findings_of("small_counts", asked=[*marked[:-1], "perhaps"], other=INCOMES)
    assert finding.columns == ("asked",)


def test_no_fix_of_the_clinic_leaves_out_a_column_of_numbers_for_its_marks():
    """Ages, costs and dates are levels only until their marks are read, and 999 of 'Diabetes?' is no rare level."""
    table = read_table(CASES / "clinic2.csv")
    plan = default_plan(table)
    for _ in range(2):  # as read, and with the first fix applied
        found = check_health(table, plan)
        levels = [one for one in found if one.code in ("small_counts", "many_levels", "columns_of_levels")]
        assert levels == []
        plan = found[0].fixes[0].plan
