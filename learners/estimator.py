"""`StructureLearner`: any learner with the interface of scikit-learn, which need not be installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from .common.errors import DataError, ParameterError
from .common.wording import did_you_mean, quoted_columns
from .data.dataset import Dataset
from .data.frames import as_frame, default_kinds
from .evaluation.held_out_likelihood import held_out_log_likelihood
from .families.catalogue import LEARNERS
from .registry import learn

if TYPE_CHECKING:
    from .data.dataset import Kind
    from .graphs.graph import PDAG
    from .graphs.knowledge import Knowledge
    from .results.result import LearnResult


OWN = ("learner", "knowledge", "seed", "kinds")  # parameters that are not settings of a learner


class StructureLearner:
    """A learner with `fit`, `score`, `get_params` and `set_params`, for pipelines and searches of scikit-learn.

    Parameters
    ----------
    learner : str, default "pc"
        Key in `LEARNERS`.
    knowledge : Knowledge, optional
    seed : int, default 0
    kinds : mapping of column name to "categorical" or "continuous", optional
        Default: by the types of the columns; see `Dataset.from_frame`.
    **settings
        Parameters of the learner; the others have their defaults.

    Attributes
    ----------
    result_ : LearnResult
    graph_ : PDAG
        The learned graph, with the columns as nodes.
    feature_names_in_ : (p,) array of str
        Names of the columns; those of an array are x0, x1, ...
    n_features_in_ : int

    Examples
    --------
    >>> from learners import StructureLearner, load_sample
    >>> codes = load_sample("asia").dataset.codes.T
    >>> StructureLearner("pc", alpha=0.01).fit(codes).graph_.n_edges
    5
    """

    def __init__(
        self,
        learner: str = "pc",
        *,
        knowledge: Knowledge | None = None,
        seed: int = 0,
        kinds: Mapping[str, Kind] | None = None,
        **settings: Any,
    ) -> None:
        self.learner = learner
        self.knowledge = knowledge
        self.seed = seed
        self.kinds = kinds
        self._settings = settings  # not attributes: a setting such as `score` would hide a method

    def fit(self, X: object, y: object = None) -> Self:  # noqa: N803, ARG002  (names of scikit-learn)
        """Learn a graph of the columns of X.

        Parameters
        ----------
        X : DataFrame of pandas, polars or pyarrow, (n, p) array, or Dataset
            Missing cells are None, NaN or ``pd.NA``.
        y : None
            Not used.

        Raises
        ------
        ParameterError
            If the key or a setting is wrong.
        DataError
            If the learner cannot take the table.
        """
        if isinstance(X, Dataset):
            self._table, data = None, X
        else:
            frame = _frame(X)
            self._table = frame, {**default_kinds(frame, tuple(frame.columns)), **(self.kinds or {})}
            data = Dataset.from_frame(frame, self._table[1])
        if min(data.n_rows, data.p) < 2:  # in the wording that scikit-learn expects
            raise DataError(
                f"a graph needs two rows and two columns, found n_samples = {data.n_rows}, n_features = {data.p}"
            )
        self.result_: LearnResult = learn(
            self.learner, data, knowledge=self.knowledge, seed=self.seed, **self._settings
        )
        self.graph_: PDAG = self.result_.graph
        self.n_features_in_ = data.p
        if not isinstance(X, np.ndarray):
            self.feature_names_in_ = np.array(data.names, dtype=object)
        elif "feature_names_in_" in vars(self):
            del self.feature_names_in_
        return self

    def score(self, X: object, y: object = None) -> float:  # noqa: N803, ARG002
        """Return the log-likelihood of other rows, in nats per row; see `held_out_log_likelihood`.

        The parameters of the network are fitted to the rows of `fit`.

        Raises
        ------
        ParameterError
            Before `fit`.
        DataError
            If the columns are not those of `fit`.
        """
        if "result_" not in vars(self):
            raise ParameterError("score needs a learned graph; call fit first")
        if self._table is None:
            raise ParameterError("score needs a table, but fit had a Dataset; pass tables to both")
        train, kinds = self._table
        new = _frame(X)
        if len(new.columns) != len(train.columns):
            expected = f"StructureLearner is expecting {len(train.columns)} features as input"
            raise DataError(f"X has {len(new.columns)} features, but {expected}")
        if list(new.columns) != list(train.columns):
            raise DataError(
                f"the columns must be those of fit, {quoted_columns(list(train.columns))}, got "
                f"{quoted_columns(list(new.columns))}"
            )
        # Joined, so that the levels of both agree.
        both = Dataset.from_frame(pd.concat([train, new], ignore_index=True), kinds)
        return float(
            held_out_log_likelihood(
                self.graph_, both.take(range(len(train))), both.take(range(len(train), len(train) + len(new)))
            )
        )

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002, ARG002
        """Return the parameters, with the settings of the learner that were given."""
        return {**{name: getattr(self, name) for name in OWN}, **self._settings}

    def set_params(self, **params: Any) -> Self:
        """Change parameters; their values are checked by `fit`.

        Raises
        ------
        ParameterError
            If neither this class nor the learner has a parameter of this name.
        """
        learner = params.get("learner", self.learner)
        known = isinstance(learner, str) and learner in LEARNERS
        own = [setting.name for setting in LEARNERS[learner].settings] if known else [*params]
        for name in params:
            if name not in (*OWN, *own):
                raise ParameterError(f"{learner} has no parameter {name!r}{did_you_mean(name, own)}")
        vars(self).update({name: value for name, value in params.items() if name in OWN})
        self._settings = {**self._settings, **{name: value for name, value in params.items() if name not in OWN}}
        return self

    def __repr__(self) -> str:
        usual = {"learner": self.learner, "knowledge": None, "seed": 0, "kinds": None}
        given = [f"{name}={value!r}" for name, value in self.get_params().items() if usual.get(name, ...) != value]
        return f"StructureLearner({', '.join([repr(self.learner), *given])})"

    def __sklearn_tags__(self) -> Any:
        """Return the tags of an estimator, which only scikit-learn requests."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(allow_nan=True, string=True, categorical=True),
        )


def _frame(X: object) -> pd.DataFrame:  # noqa: N803
    """Return a table, or the columns of an array with the names x0, x1, ..."""
    if isinstance(X, pd.DataFrame) or hasattr(X, "to_pandas") or hasattr(X, "__arrow_c_stream__"):
        return as_frame(X)
    if hasattr(X, "tocsr") or hasattr(X, "toarray"):
        raise DataError("a sparse matrix has no table of rows; pass X.toarray()")
    array = np.asarray(X)
    if array.ndim != 2:
        raise DataError(f"X must have rows and columns, got shape {array.shape}. Reshape your data")
    if array.shape[1] == 0:
        raise DataError(
            f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 2 is required. Pass columns"
        )
    if np.iscomplexobj(array):
        raise DataError("Complex data not supported: X must have real numbers, or levels")
    return pd.DataFrame(array, columns=[f"x{k}" for k in range(array.shape[1])]).infer_objects()
