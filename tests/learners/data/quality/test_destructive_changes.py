"""Tests that suggested fixes destroy no column and no level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest

from learners.data.plan.plan import ColumnPlan
from learners.data.plan.preparation import default_plan, prepare
from learners.data.quality.destructive_changes import MAX_LOST_SHARE, loses
from learners.data.quality.fixes import with_proposals
from learners.data.reading.table import Table, read_table
from learners.io.samples import SAMPLES

ROWS = 400
OTHER = object()  # the value of a cell whose level is merged with others
Draw = Callable[[np.random.Generator, int], np.ndarray]


def table_of(tmp_path, **columns: Sequence[object]) -> Table:
    """Return the table of a CSV file with these columns."""
    path = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return read_table(path)


def drawn(levels: Sequence[str], seed: int, shares: Sequence[float] | None = None) -> np.ndarray:
    """Return random cells drawn from the levels."""
    return np.random.default_rng(seed).choice(list(levels), ROWS, p=shares)


ANSWERS = {
    "a test that is + or -": (("+", "-"), (0.44, 0.56)),
    "the control arm": (("drug A", "drug B", "None"), None),
    "an amount in words": (("none", "some", "a lot"), None),
    "a ticked box": (("x", "."), None),
    "continents": (("AF", "AS", "EU", "NA", "OC", "SA"), None),
    "a frequent word": (("yes", "no", "unknown"), (0.6, 0.3, 0.1)),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_stays_a_level(tmp_path, name):
    """No suggested fix turns a real answer into a missing value; the user decides."""
    levels, shares = ANSWERS[name]
    table = table_of(
        tmp_path, answer=drawn(levels, 1, shares), age=drawn(["31", "42", "57", "NA"], 2), sex=drawn("fm", 3)
    )
    plan, _, _ = with_proposals(table, default_plan(table))
    dataset = prepare(table, plan).dataset
    assert set(dataset.levels[dataset.place[dataset.index("answer")]]) == set(levels)


def test_words_beside_numbers_are_still_suggested_as_missing(tmp_path):
    """A rare word for "no answer", or any word among numbers, can become missing without loss."""
    ages = np.random.default_rng(4).integers(18, 90, ROWS).astype(str)
    ages[::9] = "k.A."
    city = drawn(["Ulm", "Jena", "Bonn"], 5)
    city[:4] = "k.A."
    table = table_of(tmp_path, age=ages, city=city, sex=drawn("fm", 6))
    plan, _, done = with_proposals(table, default_plan(table))
    assert plan.column("age").kind == "continuous"
    assert "k.A." in plan.column("city").missing
    assert len(done) >= 1


def test_a_label_with_a_letter_keeps_its_column(tmp_path):
    """A column with the code 136A among codes such as 136 stays categorical."""
    families = np.repeat(np.arange(100, 200), 4).astype(str)
    families[144:148] = "136A"
    table = table_of(tmp_path, family=families, sex=drawn("fm", 7), arm=drawn("ab", 8))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert "136A" not in plan.column("family").missing


def randomly(*texts: object) -> Draw:
    """Return cells drawn from the texts with random shares."""
    return lambda rng, n: rng.choice(np.array(texts, dtype=object), n, p=rng.dirichlet(np.ones(len(texts))))


def numbers(template: str, low: int, high: int) -> Draw:
    """Return texts with up to three random whole numbers."""
    return lambda rng, n: np.array([template.format(*row) for row in rng.integers(low, high, (n, 3))], dtype=object)


def times(template: str, hours: int) -> Draw:
    """Return random times within some hours."""
    return lambda rng, n: (
        (pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, hours, n), "h")).strftime(template).to_numpy()
    )


def ticked(mark: str) -> Draw:
    """Return cells with the names of ticked boxes, joined by a mark."""
    options = np.array(["bus", "car", "bike", "foot"])
    return lambda rng, n: np.array([mark.join(options[row]) for row in rng.random((n, 4)) < 0.4], dtype=object)


def rarely(others: Draw, common: str) -> Draw:
    """Return cells most of which are a common text."""
    return lambda rng, n: np.where(rng.random(n) < 0.9, common, others(rng, n)).astype(object)


COLUMNS: tuple[Draw, ...] = (
    *(randomly(*(f"level {t}" for t in range(m))) for m in (1, 2, 4, 8)),
    *(randomly(*range(m)) for m in (2, 3, 5, 11)),
    *(
        randomly(*pair)
        for pair in (("TRUE", "FALSE"), ("+", "-"), ("none", "some"), (".", "x"), ("x", ""), ("-1", "1"))
    ),
    *(randomly("Yes", "yes", "No", "no ", "NO"), randomly("m", "M", "f", "F"), randomly("A+", "A", "A-", "B+", "B")),
    *(randomly("never", "rarely", "sometimes", "often"), randomly("18-24", "25-34", "35-44", "65+")),
    *(
        randomly("<5", "5-10", "10-20", ">20", "5"),
        randomly("NA", "DE", "FR", "ZA", "US"),
        randomly("Ja", "Nein", "k.A."),
    ),
    *(randomly(*(f"town {t}" for t in range(m))) for m in (20, 90, 300)),
    *(randomly(*(f"{code:05}" for code in range(997, 997 * m, 997))) for m in (5, 60)),
    *(numbers("{}", 18, 90), numbers("{}.{}", -5, 90), numbers("{},{}", 1, 90), numbers("{},{:03}", 1, 900)),
    *(numbers("{}/{}", 50, 190), numbers("{}/{}", 1, 9), numbers("{}x{}", 1, 190), numbers("{} - {}", 1, 9)),
    *(numbers("{} kg", 1, 300), numbers("{} EUR", 1, 3_000), numbers("${}", 1, 3_000), numbers("{:02}:{:02}", 0, 24)),
    *(times("%Y-%m-%d", 40_000), times("%d.%m.%Y", 40_000), times("%Y%m%d", 40_000), times("%d %b %Y", 9_000)),
    *(times("%Y-%m-%dT%H:%M:%S", 100), ticked(";"), ticked(", "), rarely(numbers("{}", 1, 90), "0")),
    *(ticked(" + "), ticked("+"), randomly("(bus)", "(car)", "(bus) + (car)"), randomly("[a]", "[b]", "*c*", "-")),
    *(rarely(numbers("{}", 1, 90), "leer"), rarely(numbers("{} EUR", 1, 3_000), "tbd"), numbers("{} + {}", 1, 90)),
)
ODD = (
    *("-", "None", "none", "?", ".", "NA", "k.A.", "unknown", "--", "*", "-9", "999", "99", "n.d.", "missing", "#N/A"),
    *("136A", "nc", "ND", "xx", "LOD", "<LOD", "never", "*nc*", "x", "+", "0", "yes", "a", "5*", "13+", "1e99", "1/2"),
    *("leer", "nil", "tbd", "bus + car", "(bus)", "1 + 1"),
)
FRAMED = ("*nc*", "(bus)")
MARKS = (*ODD[:16], *FRAMED)  # texts that may become missing among numbers, however frequent


def random_table(tmp_path, seed: int) -> Table:
    """Return a table of all kinds of columns, in which any share of the cells are odd texts."""
    rng, columns = np.random.default_rng(seed), {}
    n = int(rng.choice([40, 100, 250, 400]))
    for k in rng.permutation(len(COLUMNS))[: rng.integers(2, 9)]:
        cells = COLUMNS[k](rng, n).astype(object)
        for text in rng.choice(ODD, rng.integers(0, 3), replace=False):
            cells[rng.random(n) < rng.choice([0.01, 0.03, 0.1, 0.5], p=[0.4, 0.3, 0.2, 0.1])] = text
        columns[f"{rng.choice(['score', 'age', 'year', 'weight', 'x'])}{k}"] = cells
    return table_of(tmp_path, **columns)


def values_of(table: Table, column: ColumnPlan) -> list[object]:
    """Return the value of each row of a column, None if it is missing and `OTHER` if it is merged with others."""
    cells = column.cells(table)
    values: list[object] = []
    for text, count, number, gone in zip(
        cells.texts.to_pylist(), cells.counts, cells.numbers, cells.among(column.missing) | cells.blank, strict=True
    ):
        is_missing = gone or (column.kind == "continuous" and np.isnan(number))
        value = float(number) if column.kind == "continuous" else text if count >= column.min_level_count else OTHER
        values.append(None if is_missing else value)
    return [values[code] for code in cells.codes.tolist()]


def check_that_nothing_is_lost(table: Table) -> None:
    """Check that all suggested fixes together keep each column that varies and each frequent level.

    A level is frequent with more than 5 % of the filled cells. It may become missing only if it is a mark among
    numbers, and two such levels may become one only if they are spellings of one word. No more cells than that are
    merged into others, or have none of the answers that get a column.
    """
    before = default_plan(table)
    after, _, _ = with_proposals(table, before)
    for column in before.used:
        own = values_of(table, column)
        counts = Counter(value for value in own if value is not None)
        most = MAX_LOST_SHARE * counts.total()
        if len(counts) < 2:
            continue
        parts = [part for part in after.used if column.name in (part.source, part.name)]
        assert parts, f"{column.name} is left out"
        rows = list(zip(*(values_of(table, part) for part in parts), strict=True))
        assert len(set(rows) - {(None,) * len(parts)}) > 1, f"{column.name} is constant"
        if column.min_level_count == 0:
            assert max(Counter(row)[OTHER] for row in zip(*rows, strict=True)) <= most, f"{column.name}: merged levels"
        if parts[0].treatment is not None and parts[0].treatment.how == "answer":
            unnamed = [value for value, row in zip(own, rows, strict=True) if value and set(row) == {"no"}]
            assert len(unnamed) <= most, f"{column.name}: lost answers"
        left = {value for row in rows for value in row} - {None}
        are_numbers = any(map(is_number, left)) and all(is_number(value) or value in FRAMED for value in left)
        found: dict[tuple, object] = {}
        for level, row in dict(zip(own, rows, strict=True)).items():
            if level is None or counts[level] <= most:
                continue
            if set(row) == {None}:
                assert are_numbers, f"{column.name}: {level} is lost"
                assert isinstance(level, float) or level in MARKS, f"{column.name}: {level} is lost among numbers"
            else:
                other = found.setdefault(row, level)
                assert str(other).strip().lower() == str(level).strip().lower(), f"{column.name}: {level} is {other}"


def is_number(value: object) -> bool:
    if not isinstance(value, str):
        return True
    try:
        float(value)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("seed", range(12))
def test_suggestions_never_destroy(tmp_path, seed):
    check_that_nothing_is_lost(random_table(tmp_path, seed))


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("name", SAMPLES)
def test_suggestions_never_destroy_a_bundled_sample(name):
    check_that_nothing_is_lost(read_table(SAMPLES[name].path))


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("first", range(100, 3_100, 500))
def test_suggestions_never_destroy_on_many_tables(tmp_path, first):
    for seed in range(first, first + 500):
        check_that_nothing_is_lost(random_table(tmp_path, seed))


@pytest.mark.parametrize(("others", "text", "kind"), [
    (numbers("{}", 18, 90), "+", "categorical"), (numbers("{}/{}", 50, 190), "nc", "ignore"),
    (numbers("{},00{}", 1, 9), "1e99", "categorical"), (numbers("{}", 18, 90), "-", "continuous"),
])  # fmt: skip
def test_a_frequent_sign_or_number_is_not_lost_by_a_conversion(tmp_path, others, text, kind):
    """A sign, a word or a number that a conversion cannot read keeps a column of numbers from being converted."""
    rng = np.random.default_rng(10)
    cells = others(rng, ROWS)
    cells[rng.permutation(ROWS)[: ROWS // 10]] = text
    table = table_of(tmp_path, x=cells, sex=drawn("fm", 7), arm=drawn("ab", 8))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert (plan.column("x").kind, plan.column("x").treatment) == (kind, None)


@pytest.mark.parametrize("levels", [("bus", "car", "bus + car"), ("bus", "car", "bus+car", "bus+car+foot"),
    ("(bus)", "(car)", "(bus) + (car)"), ("+ drug", "drug", "- drug")])  # fmt: skip
def test_a_plus_between_words_is_part_of_a_level(tmp_path, levels):
    """Words with a plus are neither marks nor numbers, also where one of them occurs among numbers."""
    age = drawn([str(k) for k in range(18, 80)], 1)
    age[:8] = levels[0]
    table = table_of(tmp_path, way=drawn(levels, 2), age=age, sex=drawn("fm", 3))
    plan, _, _ = with_proposals(table, default_plan(table))
    dataset = prepare(table, plan).dataset
    assert set(dataset.levels[dataset.place[dataset.index("way")]]) == set(levels)


def test_a_sign_beside_words_between_signs_stays_a_level(tmp_path):
    """A single number among words such as "[a]" does not make a column of numbers, so a frequent "-" stays a level."""
    cells = drawn(["[a]", "[b]", "-"], 1, (0.5, 0.4, 0.1))
    cells[:4] = "99"
    table = table_of(tmp_path, part=cells, sex=drawn("fm", 2), arm=drawn("uv", 3))
    plan, left, _ = with_proposals(table, default_plan(table))
    assert "-" not in plan.column("part").missing
    assert "doubtful_missing" in {finding.code for finding in left}


def test_answers_in_own_words_are_not_lost_by_a_split(tmp_path):
    """An answer with more than 5 % of the rows gets a column; many cells of other answers keep cells from a split."""
    ticks = ticked(";")(np.random.default_rng(11), 40)
    ticks[:3], ticks[3:6] = "13+", "yes"
    table = table_of(tmp_path, q=ticks, sex=drawn("fm", 2)[:40])
    plan, _, _ = with_proposals(table, default_plan(table))
    assert {"13+ (q)", "yes (q)"} <= {column.name for column in plan.used}
    ticks = ticked(";")(np.random.default_rng(12), ROWS)
    ticks[:24] = [f"own word {k}" for k in range(24)]
    table = table_of(tmp_path, q=ticks, sex=drawn("fm", 2))
    plan, left, _ = with_proposals(table, default_plan(table))
    assert plan.column("q").kind == "categorical"
    assert "several_answers" in {finding.code for finding in left}


def test_rare_numbers_are_not_merged_by_a_suggestion(tmp_path):
    """No suggested fix merges rare numbers, because the merged level would have half of the rows."""
    codes = np.random.default_rng(9).integers(10_000, 10_300, ROWS).astype(str)
    table = table_of(tmp_path, code=[f"{code}/{code[::-1]}" for code in codes], sex=drawn("fm", 7), arm=drawn("ab", 8))
    before = default_plan(table).change("code", kind="categorical")
    after, _, _ = with_proposals(table, before)
    assert after.column("code").min_level_count == 0
    numbers = before.change("sex", kind="categorical").change("code", kind="categorical", min_level_count=5)
    assert loses(table, before, numbers)


def test_a_fix_of_several_columns_spares_those_that_it_would_destroy(tmp_path):
    """One fix reads both columns as numbers; only the one without a frequent word is changed."""
    age, visit = drawn([str(k) for k in range(18, 80)], 1), drawn([str(k) for k in range(60)], 2)
    age[:4], visit[:40] = "absent", "never"
    table = table_of(tmp_path, age=age, visit=visit, sex=drawn("fm", 3))
    plan, left, done = with_proposals(table, default_plan(table))
    assert (plan.column("age").kind, plan.column("visit").kind) == ("continuous", "categorical")
    assert "never" not in plan.column("visit").missing
    assert any("except in 'visit', where levels would be lost" in sentence for sentence in done)
    assert ("visit",) in [finding.columns for finding in left if finding.code == "nearly_numbers"]


def test_ticked_boxes_become_yes_and_no_before_any_is_left_out(tmp_path):
    """A box that is ticked or empty varies; a word with a few empty cells is constant, and is left out."""
    country = np.full(ROWS, "Chad", dtype=object)
    country[:3] = ""
    table = table_of(tmp_path, consent=drawn(["x", ""], 1), country=country, sex=drawn("fm", 2), arm=drawn("ab", 3))
    plan, _, _ = with_proposals(table, default_plan(table))
    dataset = prepare(table, plan).dataset
    assert dataset.names == ("consent", "sex", "arm")
    assert dataset.levels[0] == ("no", "yes")


def test_boxes_that_are_ticked_together_stay_columns_that_vary(tmp_path):
    both = drawn(["x", ""], 4)
    table = table_of(tmp_path, q_1=both, q_2=both, sex=drawn("fm", 2))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert {"q_1", "sex"} <= {column.name for column in plan.used}


@pytest.mark.parametrize(("texts", "merged"), [(("Yes", "yes", "No", "no "), True), (("a", "A", "b", "B"), False),
    (("AaBb", "aabb", "AABB"), False), (("m ", "m", "f"), True), (("left", "LEFT", "right"), True)])  # fmt: skip
def test_spellings_are_merged_unless_case_may_have_a_meaning(tmp_path, texts, merged):
    table = table_of(tmp_path, answer=drawn(texts, 5), sex=drawn("fm", 2), arm=drawn("uv", 3))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert (plan.column("answer").treatment is not None) == merged
