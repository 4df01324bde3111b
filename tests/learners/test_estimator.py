"""Tests of `StructureLearner` with scikit-learn's tools; its results equal those of `learn`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from learners import DataError, Knowledge, ParameterError, StructureLearner, learn, load_sample
from learners.data.dataset import Dataset
from learners.families.catalogue import LEARNERS

SKIPPED = {"check_array_api_input"}  # this check needs SCIPY_ARRAY_API


def asia() -> pd.DataFrame:
    data = load_sample("asia").dataset
    columns = [np.array(levels)[codes] for levels, codes in zip(data.levels, data.codes, strict=True)]
    return pd.DataFrame(dict(zip(data.names, columns, strict=True)))


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", [pytest.param("pc"), pytest.param("ges", marks=pytest.mark.deep)])
def test_scikit_learns_checks_pass(key):
    for estimator, check in estimator_checks_generator(StructureLearner(key)):
        if getattr(check, "func", check).__name__ not in SKIPPED:
            check(estimator)


@pytest.mark.parametrize("given", ["pandas", "polars", "arrow", "dataset"])
def test_every_table_gives_the_graph_of_learn(given):
    """Every type of table gives the graph of `learn`, with the names of the columns."""
    frame = asia()
    table = {
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "arrow": pa.Table.from_pandas(frame),
        "dataset": Dataset.from_frame(frame),
    }[given]
    knowledge = Knowledge(forbidden=(("smoke", "lung"),))
    found = StructureLearner("pc", alpha=0.01, knowledge=knowledge).fit(table)
    wanted = learn("pc", Dataset.from_frame(frame), alpha=0.01, knowledge=knowledge)
    assert found.graph_ == wanted.graph
    assert found.result_.params == wanted.params
    assert list(found.feature_names_in_) == list(frame.columns)


def test_an_array_has_numbered_columns_and_no_names():
    found = StructureLearner("hc").fit(np.random.default_rng(0).normal(size=(200, 3)))
    assert found.result_.names == ("x0", "x1", "x2")
    assert not hasattr(found, "feature_names_in_")


def test_a_clone_has_the_same_settings():
    one = StructureLearner("boss", restarts=3, seed=4)
    assert clone(one).get_params() == one.get_params() == {
        "learner": "boss", "knowledge": None, "seed": 4, "kinds": None, "restarts": 3,
    }  # fmt: skip


@pytest.mark.compiled
def test_a_grid_search_prefers_the_level_that_predicts_best():
    """A grid search chooses the alpha of PC that predicts held-out rows best; these may have new levels."""
    frame = asia().head(1_500)
    search = GridSearchCV(StructureLearner("pc"), {"alpha": [1e-300, 0.01]}, cv=3).fit(frame)
    assert search.best_params_ == {"alpha": 0.01}
    assert np.isfinite(cross_val_score(StructureLearner("hc"), frame, cv=3)).all()


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(ParameterError, match="pc has no parameter 'alhpa'; did you mean 'alpha'"):
        StructureLearner().set_params(alhpa=0.1)
    with pytest.raises(ParameterError, match="unknown learner 'pcc'"):
        StructureLearner("pcc").fit(asia())
    with pytest.raises(ParameterError, match="call fit first"):
        StructureLearner().score(asia())
    with pytest.raises(DataError, match="the columns must be those of fit"):
        StructureLearner().fit(asia()).score(asia().iloc[:, ::-1])


@pytest.mark.parametrize("key", LEARNERS)
def test_every_setting_can_be_set(key):
    names = [setting.name for setting in LEARNERS[key].settings]
    made = StructureLearner(key).set_params(
        **{parameter.name: parameter.default for parameter in LEARNERS[key].parameters}
    )
    assert set(made.get_params()) == {"learner", "knowledge", "seed", "kinds", *names}


def test_a_setting_hides_no_method():
    """A setting with the name of a method, such as `score` of BOSS, does not hide the method; False is shown, too."""
    model = StructureLearner("boss", score="bic", restarts=1).fit(asia().head(500))
    assert model.result_.params["score"] == "bic"
    assert model.score(asia().tail(100)) < 0
    assert repr(StructureLearner("mmhc", polish=False)) == "StructureLearner('mmhc', polish=False)"
