"""Tests that the order of levels is found from words and numbers, in English and German."""

from __future__ import annotations

import random

import pytest

from learners.data.column_types.level_order import SCALES, level_order

ORDERED = [
    ("trust", ["strongly disagree", "Disagree", "neutral", "Agree", "Strongly agree"]),
    ("pain", ["none", "mild", "moderate", "severe"]),
    ("bp", ["LOW", "NORMAL", "HIGH"]),
    ("size", ["S", "M", "L", "XL"]),
    ("age", ["<18", "18-24", "25–34", "35-64", "65+"]),
    ("age", ["under 18", "18 to 24", "25 and over"]),
    ("Alter", ["unter 18 Jahre", "18 bis 24 Jahre", "25 Jahre und älter"]),
    ("income", ["<1,000", "1,000-1,999", "2,000+"]),
    ("band", ["[18,25)", "[25,40)", "[40,65)"]),
    ("risk", ["1 - low", "2 - mid", "3 - high"]),
    ("tumour", ["Stage I", "Stage II", "Stage III", "Stage IV"]),
    ("NYHA", ["I", "II", "III", "IV"]),
    ("grade", ["C", "B", "B+", "A-", "A"]),
    ("q1", ["1", "2", "3", "4", "5"]),
    ("severity", ["1", "2", "3"]),
    ("Menge", ["gering", "mittel", "hoch"]),
    ("Sport", ["nie", "selten", "oft", "immer"]),
    ("item_3", ["trifft gar nicht zu", "trifft eher nicht zu", "trifft eher zu", "trifft voll zu"]),
    ("sat", ["very unsatisfied", "unsatisfied", "neutral", "satisfied", "very satisfied"]),
    ("worry", ["not worried", "slightly worried", "worried", "Very worried"]),
    ("safe", ["sehr unsicher", "eher unsicher", "eher sicher", "sehr sicher"]),
    ("concern", ["Not at all concerned", "somewhat concerned", "very concerned"]),
    ("sport", ["never", "monthly", "weekly", "daily"]),
    ("Sport", ["nie", "seltener als monatlich", "wöchentlich", "täglich"]),
    ("cigs", ["0.0", "1.0", "2.0", "3.0", "4.0"]),
    ("channels_rank", ["1.0", "2.0", "3.0"]),
    ("MBSA2", ["StronglyDisagree", "Disagree", "Agree", "StronglyAgree"]),
    ("q", ["strongly.disagree", "disagree", "agree", "strongly.agree"]),
    ("english", ["Strongly Oppose", "Oppose", "Favor", "Strongly Favor"]),
    ("anx", ["not anxious at all", "a little anxious", "somewhat anxious", "very anxious"]),
    ("score", ["Low risk", "Medium risk", "High risk"]),
    ("reliability", ["Much worse", "worse", "average", "better", "Much better"]),
    ("year", ["Freshman", "Sophomore", "Junior", "Senior"]),
    ("educ", ["less than high school", "high school", "some college", "bachelor's degree or higher"]),
    ("education", ["1. < HS Grad", "2. HS Grad", "3. Some College"]),
    ("baseline", ["1_Good", "2_Fair", "3_Poor"]),
    ("alcgp", ["0-39g/day", "40-79", "80-119", "120+"]),
    ("engine", ["<1l", "1-1.5l", "1.5-2l", ">2l"]),
    ("period", ["1993-1996", "1997-1999", "2000-"]),
    ("party", ["Liberal", "Moderate", "Conservative"]),
    ("avis", ["Pas du tout d’accord", "plutôt pas d'accord", "plutôt d'accord", "tout à fait d'accord"]),
    ("satisfaction", ["très insatisfaite", "insatisfait", "neutre", "satisfait", "très satisfait"]),
    ("fréquence", ["jamais", "rarement", "parfois", "souvent", "toujours"]),
    ("douleur", ["aucune", "légère", "modérée", "sévère"]),
    ("niveau", ["faible", "moyen", "élevé"]),
    ("bmi", ["underweight", "normal", "overweight", "obese"]),
    ("risk", ["ASA I", "ASA II", "ASA III"]),
    ("stage", ["IA", "IB", "IIA", "IIB", "IV"]),
    ("q", ["1 (never)", "2", "3", "4", "5 (always)"]),
    ("r", ["1 = strongly disagree", "2", "3 = strongly agree"]),
]
PLAIN = [
    ("ward", ["A", "B", "C"]),
    ("region", ["1", "2", "3"]),
    ("blood", ["0", "A", "B", "AB"]),
    ("colour", ["red", "green", "blue"]),
    ("cylinders", ["4", "6", "8"]),
    ("weekday", ["0", "1", "2", "3", "4", "5", "6"]),
    ("sex", ["m", "f"]),
    ("pain", ["low", "Low", "high"]),
    ("span", ["1-10", "5-20", "20-30"]),
    ("phone", ["12-34", "56-12", "44-11"]),
    ("job", ["employed", "unemployed", "retired"]),
    ("state", ["married", "unmarried", "divorced"]),
    ("colour", ["red", "very red", "blue"]),
    ("form", ["complete", "incomplete", "neutral"]),
    ("site", ["1", "2", "3", "4", "5", "6"]),
    ("Lot", ["1", "2", "3", "4", "5"]),
    ("block", ["I", "II", "III", "IV"]),
    ("site", ["1_UM", "2_IU", "3_UK"]),
    ("race", ["1.0", "2.0", "3.0", "4.0", "5.0"]),
    ("size", ["1l", "2kg", "3-4m"]),
    ("state", ["IA", "IL", "ID"]),
    ("vein", ["i", "v", "c"]),
    ("any", ["x"] * 3),
    ("empty", []),
]


@pytest.mark.parametrize(("name", "levels"), ORDERED)
def test_the_order_does_not_depend_on_that_of_the_texts(name, levels):
    for seed in range(5):
        assert level_order(name, random.Random(seed).sample(levels, len(levels))) == tuple(levels)


@pytest.mark.parametrize(("name", "levels"), PLAIN)
def test_levels_without_an_order(name, levels):
    assert level_order(name, levels) == ()


def test_each_word_has_one_step_in_a_scale():
    for scale in SCALES:
        words = [word for step in scale for word in step]
        assert len(set(words)) == len(words)
        assert all(level_order("x", [step[0] for step in part]) for part in (scale, scale[-3:]))


def test_codes_of_unordered_categories_have_no_order():
    """Codes of occupations have no order; counts and scales with the same numbers do."""
    codes = [str(k) for k in range(1, 10)]
    assert level_order("occupation", codes) == ()
    assert level_order("rooms", codes) == tuple(codes)
