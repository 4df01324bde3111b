"""Tests of groups of columns that determine one another (copies, sums, products, bands), and of false alarms."""

from collections import defaultdict
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest

from learners import Dataset, learn, load_sample
from learners.data import determination
from learners.data.bit_planes import MAX_PAIRED_LEVELS
from learners.data.determination import determination_of, determined_groups, undirected_pairs
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table
from learners.io.samples import SAMPLES

N = 400


def rng(seed=3):
    return np.random.default_rng(seed)


def numbers():
    """Draw five unrelated columns of positive numbers."""
    draws = rng()
    return pd.DataFrame(np.exp(draws.normal(0, 0.4, size=(N, 5))) * [70, 170, 5, 30, 8]).set_axis(list("abcde"), axis=1)


def labels():
    """Draw four unrelated columns of levels."""
    draws = rng()
    return pd.DataFrame({name: draws.choice(list("xyz"), N) for name in "pqrs"})


def found(frame):
    """Return the target, the parts and the form of each group, with the names of the columns."""
    data = Dataset.from_frame(frame)
    return [(data.names[g.target], "".join(data.names[k] for k in g.by), g.form) for g in determined_groups(data)]


@pytest.mark.parametrize(
    ("make", "group"),
    [
        (lambda f: f.a, ("new", "a", "line")),
        (lambda f: 30 - 2 * f.a, ("new", "a", "line")),
        (lambda f: f.a + rng(9).normal(0, 0.05 * f.a.std(), N), ("new", "a", "line")),
        (lambda f: f.a + f.b, ("new", "ab", "line")),
        (lambda f: f.a + f.b + 20 * f.c, ("new", "abc", "line")),
        (lambda f: (1e4 * f.a / f.b**2).round(1), ("new", "ab", "logs")),
        (lambda f: f.a * f.b, ("new", "ab", "logs")),
        (lambda f: f.a * f.b * f.c, ("new", "abc", "logs")),
        (lambda f: (f.a - f.a.median()) ** 2, None),
        (lambda f: f.a + rng(9).normal(0, 0.3 * f.a.std(), N), None),
        (lambda _: pd.Series(np.where(np.arange(N) == 7, 1e9, rng(9).normal(size=N))), None),
    ],
    ids=["copy", "line", "near", "sum", "three", "bmi", "product", "volume", "curve", "correlated", "outlier"],
)
@pytest.mark.parametrize("missing", [False, True], ids=["complete", "missing"])
def test_numbers_computed_from_others_are_found(make, group, missing):
    """Exactly one group is found, with its parts; a correlation below the limit or an outlier is not reported."""
    frame = numbers()
    frame["new"] = make(frame)
    if missing:
        frame.loc[::23, "b"] = np.nan
    assert found(frame) == ([] if group is None else [group])


def test_one_outlying_row_in_two_columns_determines_nothing():
    """A row with outliers in two unrelated columns, which gives R² = 1, does not make a group."""
    frame = numbers()
    frame.loc[5, ["a", "c"]] = 1e9
    assert found(frame) == []


@pytest.mark.parametrize("order", ["abnew", "newba"])
def test_a_ratio_is_left_out_and_not_its_root(order):
    """The fix leaves out BMI, a ratio of weight and height, and not height, the root of a ratio."""
    frame = numbers()[["a", "b"]]
    frame["new"] = frame.a / frame.b**2
    frame = frame[["a", "b", "new"] if order == "abnew" else ["new", "b", "a"]]
    ((target, _, form),) = found(frame)
    assert form == "logs"
    assert target != "b"


@pytest.mark.parametrize("missing", [False, True], ids=["complete", "missing"])
@pytest.mark.parametrize("columns", list(permutations(["bmi", "height", "weight"])), ids="-".join)
def test_a_product_is_not_taken_for_a_sum(columns, missing):
    """BMI, weight and height of adults are related in both directions, though weight is also nearly a sum."""
    draws = rng()
    height = draws.normal(170, 9, 1500).round()
    weight = (70 + 0.9 * (height - 170) + draws.normal(0, 11, 1500)).round(1)
    frame = pd.DataFrame({"height": height, "weight": weight, "bmi": (weight / (height / 100) ** 2).round(2)})
    if missing:
        frame.loc[::13, "weight"] = np.nan
    (group,) = determined_groups(Dataset.from_frame(frame[list(columns)].assign(age=draws.integers(20, 90, 1500))))
    assert (group.form, group.mutual) == ("logs", True)
    assert group.pairs == {(0, 1), (0, 2), (1, 2)}


@pytest.mark.parametrize(
    ("make", "group"),
    [
        (lambda f: f.p.map({"x": "one", "y": "two", "z": "three"}), ("new", "p", "copy")),
        (lambda f: f.p == "x", ("new", "p", "levels")),
        (lambda f: f.p + f.q, None),
        (lambda f: f.p.where(np.arange(N) % 20 > 0, "x"), None),
        (lambda _: pd.Series(np.where(np.arange(N) < 3, "u", "v")), None),
    ],
    ids=["relabelled", "coarser", "pasted", "noisy", "rare"],
)
def test_levels_that_repeat_others_are_found(make, group):
    """A copy with other labels and a coarser column are found; a noisy copy and a rare level are not."""
    frame = labels()
    frame["new"] = make(frame)
    if group is None:
        assert [one for one in found(frame) if one[0] == "new" and len(one[1]) == 1] == []
    else:
        assert found(frame) == [group]


def test_a_copy_may_differ_in_a_few_rows():
    """A copy that differs in three of 3,000 rows is found."""
    frame = pd.concat([labels()] * 8, ignore_index=True).sample(frac=1, random_state=0, ignore_index=True)
    frame["new"] = frame.p.where(frame.index > 2, frame.q)
    assert found(frame) == [("new", "p", "copy")]


def test_a_sum_of_levels_is_mutual_and_an_or_is_not():
    """A sum and one part determine the other part; "either" and one part do not."""
    draws = rng()
    a, b = draws.integers(0, 2, N), draws.integers(0, 2, N)
    for third, mutual in ((a ^ b, True), (a + b, True), (a | b, False)):
        data = Dataset.from_frame(pd.DataFrame({"a": a, "b": b, "c": third}).astype(str))
        (group,) = determined_groups(data)
        assert (group.mutual, bool(group.pairs)) == (mutual, mutual)


def test_numbers_and_their_labels_are_found():
    """In a mixed table, a band of numbers and a number for each level are found."""
    frame = pd.concat([numbers(), labels()], axis=1)
    frame["band"] = pd.cut(frame.a, [0, 60, 80, 1e9], labels=["low", "middle", "high"]).astype(str)
    frame["code"] = frame.q.map({"x": 1.5, "y": 2.5, "z": 7.0})
    assert sorted(found(frame)) == [("band", "a", "bands"), ("code", "q", "means")]


@pytest.mark.deep
def test_no_false_alarm_on_bundled_samples():
    """In the bundled samples only one group is found: "either" of asia, a logical or."""
    reported = {}
    for key, sample in SAMPLES.items():
        data = load_sample(key).dataset
        if data is None:
            table = read_table(sample.path.read_bytes())
            data = prepare(table, with_proposals(table, default_plan(table))[0]).dataset
        if groups := determined_groups(data):
            reported[key] = [(data.names[g.target], [data.names[k] for k in g.by], sorted(g.pairs)) for g in groups]
    assert reported == {"asia": [("either", ["tub", "lung"], [])]}


def test_each_group_is_one_finding_with_a_fix():
    """Copies of one column form one group; no group is reported by two checks."""
    frame = pd.concat([numbers().round(3), labels()], axis=1)
    frame["bmi"] = (frame.a / frame.b**2 * 1e4).round(1)
    frame["total"] = (frame.c + frame.d).round(3)
    frame["p2"] = frame.p.map({"x": "one", "y": "two", "z": "three"})
    frame["is_x"] = frame.q == "x"
    frame["is_y"] = frame.q == "y"
    table = read_table(frame.to_csv(index=False).encode())
    plan = default_plan(table)
    codes = {"determined", "sum_score", "duplicate", "linear_dependence"}
    reported = [(one.code, one.columns) for one in check_health(table, plan) if one.code in codes]
    assert sorted(reported) == [
        ("determined", ("bmi",)),
        ("determined", ("is_x", "is_y")),
        ("duplicate", ("p2",)),
        ("sum_score", ("total",)),
    ]
    for finding in check_health(table, plan):
        if finding.code == "determined":
            fixed = finding.fixes[0].plan
            assert {fixed.column(name).kind for name in finding.columns} == {"ignore"}
            assert finding not in check_health(table, fixed)
    kept, _, _ = with_proposals(table, plan)
    assert kept.column("bmi").kind == "continuous"  # a column that varies is left out on request only


def parts_of(kind, n_parts):
    """Draw unrelated columns of numbers, of numeric levels, or of both, and add their sum."""
    draws = rng()
    frame = pd.DataFrame(draws.normal(size=(N, 8)), columns=list("abcdefgh"))
    items = pd.DataFrame(draws.integers(0, 4, (N, 8)), columns=list("abcdefgh"))
    coded = {"continuous": "", "categorical": "abcdefgh", "mixed": "bdfh"}[kind]
    for name in coded:
        frame[name] = items[name]
    frame["sum"] = frame.iloc[:, :n_parts].sum(axis=1)
    return frame.astype(dict.fromkeys([*coded, *(["sum"] if kind == "categorical" else [])], str))


@pytest.mark.parametrize("kind", ["continuous", "categorical", "mixed"])
@pytest.mark.parametrize("n_parts", [2, 3, 4, 8])
def test_no_part_of_a_sum_has_a_direction(kind, n_parts):
    """Exactly the pairs within a sum have no direction, for any length and for numbers, questionnaire items or both."""
    frame = parts_of(kind, n_parts)
    pairs = undirected_pairs(determined_groups(Dataset.from_frame(frame)))
    members = [*range(n_parts), frame.columns.get_loc("sum")]
    assert pairs == set(combinations(members, 2))


def test_relations_with_common_columns_join():
    """Two relations that share a column form one group, such as BMI of weight and height, and dose of age and height.

    Which relations are found depends on the order of the columns; the pairs without a direction do not.
    """
    frame = numbers().set_axis(["weight", "height", "age", "x", "y"], axis=1)
    frame["bmi"], frame["dose"] = frame.weight / frame.height**2, frame.age * frame.height
    five = {"weight", "height", "age", "bmi", "dose"}
    for seed in range(6):
        data = Dataset.from_frame(frame[rng(seed).permutation(frame.columns)])
        pairs = undirected_pairs(determined_groups(data))
        assert {frozenset(data.names[k] for k in pair) for pair in pairs} == {*map(frozenset, combinations(five, 2))}
        for i, j in pairs:
            reason = determination_of(determined_groups(data), i, j)
            assert {i, j} <= {reason.target, *reason.by}


def test_two_columns_of_bands_may_have_a_direction():
    """Two columns of bands of one number may have a direction, since they do not determine one another."""
    frame = numbers()[["a"]]
    frame["two"] = np.where(frame.a > 70, "high", "low")
    frame["three"] = pd.cut(frame.a, [0, 60, 80, 1e9], labels=["low", "middle", "high"]).astype(str)
    assert undirected_pairs(determined_groups(Dataset.from_frame(frame))) == {(0, 1), (0, 2)}


@pytest.mark.parametrize("key", ["pc", "hc", "ges", "mmhc"])
def test_learners_warn_of_copies_and_sums(key):
    """A run warns of copies and sums, because users of the library have no Data page."""
    frame = numbers()
    frame["sum"] = frame.a + frame.b
    data = Dataset.from_frame(frame)
    assert any("'sum' is a linear combination of 'a' and 'b'" in one for one in learn(key, data).warnings)
    frame = labels()
    frame["copy"] = frame.p.map({"x": "one", "y": "two", "z": "three"})
    result = learn(key, Dataset.from_frame(frame))
    assert any("'copy' and 'p' are copies with different labels" in one for one in result.warnings)
    assert result.undirected_pairs == {(0, 4)}
    assert not learn(key, Dataset.from_frame(labels())).warnings


def test_wide_tables_are_searched_with_bounded_work():
    """Pairs are found among many columns; three thousand columns are not searched."""
    draws = rng()
    values = draws.normal(size=(200, 600))
    values[:, 599] = 2 * values[:, 3]
    (group,) = determined_groups(Dataset.from_values(values, [f"v{j}" for j in range(600)]))
    assert (group.target, group.by) == (599, (3,))
    assert determined_groups(Dataset.from_values(draws.normal(size=(50, 3_000)), [f"v{j}" for j in range(3_000)])) == ()


@pytest.mark.parametrize("form", ["copy", "levels"])
def test_levels_that_are_nearly_determined_are_named(form):
    """A column of levels with two typing errors is found, and a sentence says that it is nearly determined."""
    frame = pd.DataFrame({"village": rng().choice(list("stuvwxyz"), 3_000), "p": rng(4).choice(list("kl"), 3_000)})
    own = frame.village.to_numpy() if form == "copy" else frame.village.isin(list("stuv")).map({True: "n", False: "s"})
    frame["region"] = np.where(np.arange(3_000) < 2, "n", own)
    assert [kind for *_, kind in found(frame)] == [form]
    with_file = Dataset.from_frame(frame)
    (group,) = determined_groups(with_file)
    assert "nearly" in group.clause(with_file.names).text(())
    assert type(group.share) is float


@pytest.mark.parametrize("scored", ["a", "c", "total", "amount", "all"])
def test_normal_scores_hide_no_determined_columns(scored):
    """Pairs without a direction stay so if columns become normal scores: ranks of a sum are no sum."""
    frame = numbers()
    frame["a"], frame["visits"] = frame.a.round(), rng(5).poisson(2.5, N)
    frame["total"], frame["amount"] = frame.a + frame.b + frame.visits, frame.c * frame.visits
    frame.loc[rng(6).choice(N, 20, replace=False), "b"] = np.nan
    table = read_table(frame.to_csv(index=False).encode())
    plan = default_plan(table)
    every = [column.name for column in plan.used if column.kind == "continuous"]
    plain = prepare(table, plan).dataset
    dataset = prepare(table, plan.change(*(every if scored == "all" else [scored]), normal_scores=True)).dataset
    before, after = (undirected_pairs(determined_groups(data)) for data in (plain, dataset))
    index = [dataset.names.index(name) for name in ("a", "total")]
    assert tuple(index) in before
    assert tuple(sorted(dataset.names.index(name) for name in ("c", "amount"))) in before
    assert before <= after
    part = dataset.take(np.arange(0, N, 2)).in_name_order
    assert {tuple(sorted(part.names.index(dataset.names[k]) for k in pair)) for pair in before} <= undirected_pairs(
        determined_groups(part)
    )


def test_zeros_of_a_product_are_zeros_of_its_factors():
    """A product is found if its zeros come from a factor; a column with other zeros is no product."""
    frame = numbers()[["a", "b"]]
    frame["count"] = rng(5).poisson(2.5, N).astype(float)
    frame["product"] = frame.a * frame["count"]
    assert found(frame[["a", "count", "product"]]) == [("product", "acount", "logs")]
    frame.loc[frame["count"].idxmax(), "product"] = 0.0
    assert found(frame[["a", "count", "product"]]) == []


def test_columns_without_a_complete_row_have_no_sums():
    """Levels that are numbers are searched too; each row has one missing cell."""
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 3, (10, 200))
    codes[np.arange(200) % 10, np.arange(200)] = -1
    data = Dataset.from_codes(codes, [3] * 10, list("abcdefghij"), levels=[["0", "1", "2"]] * 10)
    assert determined_groups(data) == ()


def test_a_part_of_a_product_may_be_a_part_of_a_sum():
    """A product and a sum that share a column are both found, in any order of the columns."""
    rng = np.random.default_rng(3)
    price, fee, other = rng.uniform(1, 9, 400), rng.normal(5, 1, 400), rng.normal(10, 2, 400)
    amount = rng.integers(1, 20, 400).astype(float)
    columns = {
        "price": price, "amount": amount, "cost": price * amount, "fee": fee, "other": other,
        "points": price + fee + other,
    }  # fmt: skip
    for k in range(12):
        names = sorted(columns) if k == 0 else rng.permutation(sorted(columns)).tolist()
        groups = determined_groups(Dataset.from_values(np.column_stack([columns[name] for name in names]), names))
        found = {frozenset(names[j] for j in (group.target, *group.by)) for group in groups}
        assert found == {frozenset({"price", "amount", "cost"}), frozenset({"price", "fee", "other", "points"})}


@pytest.mark.parametrize("n_levels", [MAX_PAIRED_LEVELS - 1, MAX_PAIRED_LEVELS, MAX_PAIRED_LEVELS + 9])
@pytest.mark.parametrize("missing", [False, True], ids=["complete", "missing"])
def test_copies_of_columns_with_many_levels_are_found(n_levels, missing):
    """A copy is found and a noisy copy is not, whether pairs of levels are counted by planes or by a product."""
    draws, n = rng(), 6 * n_levels
    own = np.arange(n) % n_levels
    codes = np.array([own, (own + 1) % n_levels, np.where(draws.random(n) < 0.3, draws.integers(0, n_levels, n), own)])
    if missing:
        codes[draws.random(codes.shape) < 0.02] = -1
    data = Dataset.from_codes(codes, [n_levels] * 3, ["a", "b", "c"])
    assert [(group.target, group.by, group.form) for group in determined_groups(data)] == [(1, (0,), "copy")]


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("seed", range(4))
def test_findings_and_runs_name_the_same_columns_in_any_order_of_columns(seed):
    """Findings call the columns redundant that the run does; neither calls one of two copies the original."""
    draws = np.random.default_rng(910_046 + seed)
    frame = labels().assign(height=draws.normal(170, 8, N).round(), weight=draws.normal(75, 12, N).round(1))
    frame = frame.assign(copy=frame.p.map({"x": "eins", "y": "zwei", "z": "drei"}), Q=frame.q.str.upper())
    frame["bmi"] = (frame.weight / (frame.height / 100) ** 2).round(1)
    for _ in range(3):
        names = list(draws.permutation(frame.columns))
        table = read_table(frame[names].to_csv(index=False).encode())
        plan = default_plan(table)
        findings = [one for one in check_health(table, plan) if one.code in {"duplicate", "determined"}]
        result = learn("hc", prepare(table, plan).dataset)
        copies = {name for one in findings if one.code == "duplicate" for name in one.columns}
        of_run = {frozenset(result.names[k] for k in pair) for pair in result.undirected_pairs}
        assert all(any(name in pair for pair in of_run) for name in copies)
        others = {name for one in findings if one.code == "determined" for name in one.columns}
        assert others == {result.names[group.target] for group in result.determined if group.form != "copy"}
        texts = " ".join((*result.warnings, *(one.reason for one in findings if one.code == "determined")))
        assert "repeats" not in texts  # neither of two copies is called the original


@pytest.mark.parametrize("seed", range(20))
def test_columns_that_are_constant_in_groups_are_found(seed):
    """The result for each pair and column equals that of a dictionary, also with missing cells and unseen levels."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 6, 5)
    codes = np.array([rng.integers(0, rng.integers(1, r + 1), 12) for r in size]).astype(np.uint8)
    pairs = np.array([(0, 1), (1, 3), (2, 4)])
    triples = np.array([(pair, z) for pair, ends in enumerate(pairs.tolist()) for z in range(5) if z not in ends])

    def is_constant(x: int, y: int, z: int) -> bool:
        levels = defaultdict(set)
        for a, b, c in codes[[x, y, z]].T.tolist():
            levels[a, b].add(c)
        return all(len(own) == 1 for own in levels.values())

    expected = [is_constant(*pairs[pair].tolist(), z) for pair, z in triples.tolist()]
    assert determination._are_constant(codes, pairs, size, triples).tolist() == expected
