"""Property test: all suggested fixes keep the answers of columns that look like marks, codes, keys or clocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.destructive_changes import MAX_LOST_SHARE
from learners.data.quality.fixes import with_proposals
from learners.data.reading.table import read_table

COLUMNS = 8
Draw = Callable[[np.random.Generator, int], np.ndarray]


@dataclass(frozen=True)
class Kind:
    """A kind of column that invites a wrong guess.

    Attributes
    ----------
    name : str
        Name of the column.
    draw : callable
        Returns n cells drawn by a random generator.
    code : str
        Text that means missing, and must become missing.
    is_key : bool
        True if the column must be left out.
    """

    name: str
    draw: Draw
    code: str = ""
    is_key: bool = False


def levels(*texts: str) -> Draw:
    """Return equally frequent levels in random order."""
    return lambda rng, n: rng.permutation(np.resize(np.array(texts, dtype=object), n))


def whole(low: int, high: int) -> Draw:
    return lambda rng, n: rng.integers(low, high, n).astype(str).astype(object)


def mixed(others: Draw, text: str, share: float = 0.1) -> Draw:
    """Return cells of which a share are the text."""

    def draw(rng: np.random.Generator, n: int) -> np.ndarray:
        cells = others(rng, n)
        cells[rng.permutation(n)[: int(share * n)]] = text
        return cells

    return draw


def written(template: str, low: int, high: int) -> Draw:
    """Return texts with two random whole numbers."""
    return lambda rng, n: np.array([template.format(a, b) for a, b in rng.integers(low, high, (n, 2))], dtype=object)


ANSWERS = (
    Kind("test", mixed(levels("+", "-"), ".", 0.02)),
    Kind("reflex", levels("-", "+", "++", "+++")),
    Kind("change", levels("-", "0", "+")),
    Kind("stars", levels("*", "**", "***", "****")),
    Kind("significance", levels(".", "*", "**", "***", "n.s.")),
    Kind("grade", levels("A", "B", "C", "-")),
    Kind("dots", levels(".", "..", "...")),
    Kind("doubt", levels("!", "?")),
    Kind("attendance", levels("/", "X", "O")),
    Kind("attended", levels("x", ".")),
    Kind("present", levels("X", "-")),
    Kind("phone_yes", levels("x", "")),
    Kind("consent", levels("✓", "")),
    Kind("own_car", levels("1", "")),
    Kind("flag", levels("TRUE", "")),
    Kind("extra_dose", levels("2.5", "")),
    Kind("pain", levels("None", "Mild", "Severe")),
    Kind("arm", levels("None", "Drug")),
    Kind("nutrition", levels("Nil", "Oral", "Tube")),
    Kind("fluid", levels("nil", "some")),
    Kind("electrolyte", levels("NA", "K", "CL", "CA")),
    Kind("country_code", levels("NA", "DE", "ZA", "BW", "FR")),
    Kind("genotype", levels("null", "wt", "het")),
    Kind("hypothesis", levels("null", "alternative")),
    Kind("outcome", levels("found", "missing")),
    Kind("status", levels("known", "unknown")),
    Kind("decision", levels("approved", "declined")),
    Kind("offer", levels("accepted", "refused", "pending")),
    Kind("stock", levels("available", "not available")),
    Kind("opinion", levels("agree", "disagree", "don't know")),
    Kind("schmerz", levels("keine", "leicht", "stark")),
    Kind("done", levels("True", "False", "None")),
    Kind("infected", levels("Inf", "Non")),
    Kind("first_name", levels("Nan", "Ann", "Eve")),
    Kind("snp", levels("AA", "Aa", "aa")),
    Kind("cross", levels("AaBb", "AaBB", "aabb")),
    Kind("allele", levels("A", "a", "B", "b")),
    Kind("unit", levels("m", "M", "k", "K")),
    Kind("plz", levels("01067", "01069", "04103", "80331")),
    Kind("vorwahl", lambda rng, n: np.array([f"0{k:04}" for k in rng.integers(1, 30, n)], dtype=object)),
    Kind("titre", levels("1:10", "1:20", "1:40", "1:80", "1:160")),
    Kind("share_of", levels("1/2", "1/3", "2/3", "3/4")),
    Kind("age_band", levels("<18", "18-24", "25-64", "65+")),
    Kind("children", mixed(whole(0, 13), "many")),
    Kind("last_visit", mixed(whole(0, 60), "never")),
    Kind("lead", mixed(whole(10, 300), "LOD")),
    Kind("crp", mixed(whole(1, 90), "<1", 0.2)),
    Kind("visits", mixed(whole(0, 13), "13+")),
    Kind("temperature", mixed(whole(-15, 30), "-9")),
    Kind("fee", levels("49", "99", "199", "499", "999")),
    Kind("cigarettes", mixed(whole(0, 4), "20")),
    Kind("dose", levels("1", "10", "100", "1000")),
    Kind("died", mixed(levels("no"), "yes", 0.03)),
    Kind("NO2", whole(5, 2_000_000)),
    Kind("number_of_steps", whole(2_000, 2_000_000)),
    Kind("price_index", whole(1_000, 2_000_000)),
    Kind("record_sales", whole(1_000, 2_000_000)),
    Kind("phone_minutes", whole(1_000, 2_000_000)),
    Kind("number_of_visits", whole(0, 14)),
    Kind("family_size", whole(1, 14)),
    Kind("mother_age", whole(16, 45)),
    Kind("plant_height", whole(10, 40)),
    Kind("salary_rank", lambda rng, n: rng.permutation(n) + 1),
    Kind("hour", lambda _, n: np.arange(n) % 24),
    Kind("month", lambda _, n: np.arange(n) // 6 % 12 + 1),
    Kind("at", lambda rng, n: np.array([f"{a % 24:02}:{b:02}" for a, b in rng.integers(0, 60, (n, 2))], dtype=object)),
    Kind("weight_kg", lambda rng, n: np.array([f"{x:.1f}".replace(".", ",") for x in rng.normal(70, 9, n)], object)),
    Kind("blood_pressure", mixed(written("{}/{}", 50, 190), "-")),
    Kind("coordinates", written("({}.5, -{}.25)", 10, 90)),
    Kind("mass", written("{} kg", 40, 110)),
)
CODES = (
    Kind("guideline", mixed(whole(0, 2), "666"), "666"),
    Kind("answer", mixed(whole(1, 6), "77"), "77"),
    Kind("scale", mixed(whole(0, 11), "98"), "98"),
    Kind("yes_no", mixed(whole(1, 3), "99"), "99"),
    Kind("smokes", mixed(whole(0, 2), "-9"), "-9"),
    Kind("lived_here", mixed(whole(18, 90), "777"), "777"),
    Kind("income", mixed(whole(0, 3_000), "9999"), "9999"),
    Kind("pack_years", mixed(whole(0, 60), "k.A.", 0.2), "k.A."),
)
KEYS = (
    Kind("key", lambda rng, n: 1_000 + np.cumsum(rng.integers(1, 6, n)), is_key=True),
    Kind("patient_id", lambda rng, n: rng.permutation(1_000 + np.cumsum(rng.integers(1, 6, n))), is_key=True),
    Kind("invoice no", lambda rng, n: rng.permutation(9 * n)[:n], is_key=True),
    Kind("case", lambda rng, n: np.array([f"P{k:05}" for k in rng.permutation(3 * n)[:n]], dtype=object), is_key=True),
    Kind("school code", lambda _, n: 100 + np.sort(np.resize(np.arange(n // 12), n)), is_key=True),
)


def check(path: Path, seed: int) -> None:
    """Check a table of some kinds of columns."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([150, 300, 600]))
    kinds = [(ANSWERS + CODES + KEYS)[k] for k in rng.permutation(len(ANSWERS + CODES + KEYS))[:COLUMNS]]
    frame = pd.DataFrame({kind.name: kind.draw(rng, n) for kind in kinds}).assign(noise=rng.normal(size=n).round(3))
    frame.to_csv(path, index=False, sep=str(rng.choice([",", ";"])))
    table = read_table(path)
    plan, _, _ = with_proposals(table, default_plan(table))
    dataset = prepare(table, plan).dataset
    for kind in kinds:
        used = [column for column in plan.used if (column.source or column.name) == kind.name]
        assert bool(used) != kind.is_key, kind.name
        frequent = {text for text, times in frame[kind.name].astype(str).value_counts().items() if text.strip() and
                    times > MAX_LOST_SHARE * n and text != kind.code}  # fmt: skip
        for column in used:
            assert kind.code == "" or kind.code in column.missing, kind.name
            assert kind.name == "blood_pressure" or not frequent.intersection(column.missing), kind.name
            assert column.treatment is None or column.treatment.how != "spelling", kind.name
            cells = column.cells(table)
            rare = ~cells.among(column.missing) & ~cells.blank & (cells.counts < column.min_level_count)
            assert cells.counts[rare].sum() <= MAX_LOST_SHARE * n, kind.name
            assert column.name in dataset.names, kind.name


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("seed", range(45_000, 45_030))
def test_answers_stay_and_codes_and_keys_go(tmp_path, seed):
    """No frequent level becomes missing or is merged, no column that varies is left out; codes and keys are found."""
    check(tmp_path / "table.csv", seed)


@pytest.mark.deep
@pytest.mark.compiled
def test_answers_stay_and_codes_and_keys_go_in_many_tables(tmp_path):
    for seed in range(46_000, 46_500):
        check(tmp_path / "table.csv", seed)
