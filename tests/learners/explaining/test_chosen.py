"""What a run itself chose because a setting asked for it is stated on the command line, in reports and in papers."""

from __future__ import annotations

import numpy as np
import pytest

from learners import __main__ as cli
from learners import load_network, random_gaussian_network, sample
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading.table import read_table
from learners.explaining.explanation import chosen_sentence
from learners.registry import LEARNERS, learn
from viz.kinds import callouts, chosen
from viz.language import Language
from viz.report.methods import methods_text
from viz.report.report import markdown_report
from viz.report.subject import Subject

# Settings with which a run makes automatic choices, by learner.
CHOOSING = {
    "brai": {"s_by": "data", "roots": 2},
    "cimap": {"preset": "P-2", "effect_by": "cv"},
    "mmhc": {"search": "optimal"},
    "h2pc": {"search": "optimal"},
}


@pytest.fixture
def table(tmp_path):
    """Return a CSV file with 500 rows of asia."""
    path = tmp_path / "asia.csv"
    sample(load_network("asia"), 500, 1).to_frame().to_csv(path, index=False)
    return path


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", CHOOSING)
def test_what_a_run_chose_is_stated_everywhere(key, table, capsys):
    read = read_table(table)
    data = prepare(read, default_plan(read)).dataset
    result = learn(key, data, **CHOOSING[key])
    sentence = chosen_sentence(result).text(result.names)
    assert callouts(result)[0] == chosen(result) == sentence
    options = [word for name, value in CHOOSING[key].items() for word in (f"--{name.replace('_', '-')}", str(value))]
    assert cli.main(["learn", str(table), "--learner", key, *options]) == 0
    assert f"edgewise: {sentence}\n" in capsys.readouterr().err
    for language in (Language("en"), Language("de")):
        subject = Subject("a run", "asia.csv", result, data, np.zeros((8, 2)), language=language)
        assert language.written(chosen(result)) in methods_text(subject)
        assert language.written(chosen(result)) in markdown_report(subject).replace("\\", "")


def test_each_learner_with_such_a_setting_has_a_case():
    asking = {key for key, one in LEARNERS.items() for setting in one.settings if setting.name in ("s_by", "effect_by")}
    optimal = {key for key, one in LEARNERS.items() for setting in one.settings if "optimal" in setting.choices}
    assert asking | optimal == set(CHOOSING)


@pytest.mark.parametrize("key", CHOOSING)
def test_a_run_that_was_given_its_settings_chose_nothing(key):
    assert chosen_sentence(learn(key, sample(load_network("asia"), 300, 1))) is None


@pytest.mark.parametrize("n", [40, 300, 900])
def test_the_effect_size_by_cross_validation_is_stated_for_each_number_of_rows(n):
    """One value may compete, or none; several may be equally good."""
    result = learn("cimap", sample(random_gaussian_network(9, 13, 47_471), n, 3), preset="P-2", effect_by="cv")
    text, scores = chosen(result), result.extra.effects
    assert f"w = {result.extra.settings.effect:.3g}" in text
    if len(scores) < 2:
        assert "too little power" in text
    else:
        assert f"{len(scores)} values" in text
        assert ("alike" in text) == (len({round(one.log_likelihood, 9) for one in scores}) == 1)


def test_a_single_resample_is_counted_in_the_singular():
    result = learn("brai", sample(load_network("asia"), 300, 1), s=1, s_by="data", roots=1)
    assert "not settled at 1 resample per group" in chosen(result)
