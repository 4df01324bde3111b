"""Queries that every network answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...common.checks import check_number
from ...common.errors import ParameterError
from ...common.validation import validated
from ...common.wording import quoted
from ..fit_summary import FitSummary
from .answers import Beliefs, Moments, MostProbableExplanation, ValueOfInformation
from .batch_prediction import predictions
from .evidence import Evidence, States, checked_evidence, node_index


class Queries:
    """Mixin with the queries of a network. Evidence maps names of variables to a level or a number.

    Answers are exact for probability tables (junction tree) and for linear equations (closed form). Mixed networks use
    likelihood weighting with a fixed seed and report the error. Virtual evidence maps a name to the likelihood of an
    observation under each level, or, for a numeric variable, to a measured value and its variance. All answers
    condition on evidence; for interventions see `intervene`.
    """

    names: tuple[str, ...]
    states: States
    fitted: FitSummary | None = None
    _answers: Any
    # Answers by name with drawn parameters: (n, r) probabilities, or (n,) means
    _drawn_answers: Callable[[Evidence, Beliefs], dict[str, np.ndarray]]

    @validated
    def posterior(self, evidence: Mapping | None = None, *, virtual: Mapping | None = None) -> Beliefs:
        """Return the distribution of each variable given the evidence.

        Parameters
        ----------
        evidence : mapping of name to level or number, optional
            None and NaN mean unknown.
        virtual : mapping of name to (r,) likelihoods, or to (value, variance), optional

        Returns
        -------
        Beliefs
            By name, in the order of the nodes: (r,) probabilities in the order of the levels, or (mean, variance). A
            known variable has probability 1, or variance 0.

        Raises
        ------
        ParameterError
            If a name or a level is unknown, or a value is invalid.
        DataError
            If the evidence has probability 0, or exact inference would be too expensive.

        Examples
        --------
        >>> from learners import load_network
        >>> load_network("asia").posterior({"smoke": "yes"})["lung"].round(3).tolist()
        [0.1, 0.9]
        """
        return self._answers.posterior(checked_evidence(self.names, self.states, evidence, virtual))

    @validated
    def intervals(
        self, evidence: Mapping | None = None, *, virtual: Mapping | None = None, level: float = 0.95
    ) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return an interval for each answer of `posterior`, from the uncertainty of the fitted parameters.

        The graph is taken as given. Interventions and tables edited by hand have no uncertainty of their own.

        Parameters
        ----------
        evidence, virtual
            As in `posterior`.
        level : float, default 0.95
            Posterior probability of each interval.

        Returns
        -------
        dict of str to (low, high)
            By name: (r,) limits of the probabilities of the levels, or of the mean, of shape ().

        Raises
        ------
        ParameterError
            If the network was not fitted to data, `level` is not between 0 and 1, or as in `posterior`.
        DataError
            If the network is too large, a variable has too few rows, or as in `posterior`.

        Notes
        -----
        Parameters are drawn from their posterior with a fixed seed: tables from Dirichlet distributions, coefficients
        from Student's t, those of logistic regressions from a normal approximation. The query is answered with each
        draw, and the limits are quantiles of the answers.

        Examples
        --------
        >>> from learners import fit, load_network, load_sample
        >>> network = fit(load_network("asia").dag, load_sample("asia").dataset)
        >>> low, high = network.intervals({"smoke": "yes"})["lung"]
        >>> bool(low[0] < 0.1 < high[0])
        True
        """
        check_number("level", level, 0.0, 1.0, ends="()")
        if self.fitted is None:
            raise ParameterError("the network was not fitted to data, so its answers have no intervals; use `fit`")
        known = checked_evidence(self.names, self.states, evidence, virtual)
        answers, tails, found = self._answers.posterior(known), ((1 - level) / 2, (1 + level) / 2), {}
        for name, drawn in self._drawn_answers(known, answers).items():
            one = answers[name]
            answer = np.asarray(one.mean if isinstance(one, Moments) else one, dtype=float)
            low, high = np.nanquantile(drawn, tails, axis=0)
            found[name] = np.minimum(low, answer), np.maximum(high, answer)
        return found

    @validated
    def log_probability(self, case: Mapping) -> float:
        """Return the log probability of a complete or partial case, or its log density; -inf if it is impossible.

        For a partial case of a mixed network this is an estimate.

        Examples
        --------
        >>> from learners import load_network
        >>> round(load_network("asia").log_probability({"smoke": "yes", "lung": "yes"}), 4)
        -2.9957
        """
        return self._answers.log_probability(checked_evidence(self.names, self.states, case))

    @validated
    def most_probable(
        self, evidence: Mapping | None = None, *, virtual: Mapping | None = None
    ) -> MostProbableExplanation:
        """Return the most probable explanation (MPE): the most probable values of all variables, given the evidence."""
        return self._answers.most_probable(checked_evidence(self.names, self.states, evidence, virtual))

    @validated
    def value_of_information(
        self, target: str, evidence: Mapping | None = None, *, virtual: Mapping | None = None
    ) -> list[ValueOfInformation]:
        """Return the unknown variables and the mutual information, in bits, of each variable with the target.

        Raises
        ------
        ParameterError
            If the target is unknown to the network, or already observed.
        """
        known = checked_evidence(self.names, self.states, evidence, virtual)
        return self._answers.value_of_information(self._open(target, known), known)

    @validated
    def predict(self, rows: pd.DataFrame, target: str) -> pd.DataFrame:
        """Predict one variable for each row of a table, given the other cells of the row.

        Parameters
        ----------
        rows : DataFrame
            Columns by name. Columns that are not in the network, and that of the target, are ignored; missing cells are
            unknown.
        target : str

        Returns
        -------
        DataFrame
            One row per row of `rows`. For a categorical target, its most probable level, in a column named as the
            target, and ``P(level)`` for each level; for a numeric target its ``mean`` and ``sd``. Empty cells where a
            row has probability 0.

        Raises
        ------
        ParameterError
            If a column has a level that the network does not know, or the target is unknown.
        DataError
            If no column belongs to the network.
        """
        j = self._open(target, Evidence({}, {}))
        return predictions(self._answers, self.names, self.states, rows, j)

    def __getstate__(self) -> dict:
        """Pickle everything except the inference engine and the drawn parameters, which are recomputed."""
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def _open(self, target: str, evidence: Evidence) -> int:
        j = node_index({name: k for k, name in enumerate(self.names)}, target)
        if j in evidence.known:
            raise ParameterError(f"{quoted([target])} is known already; ask about another variable")
        return j


def level_names(counts: Sequence[int]) -> States:
    """Return default names of levels, ``L1 .. Lr``, given their numbers; none for a numeric variable."""
    return tuple(tuple(f"L{c + 1}" for c in range(r)) if r > 1 else () for r in counts)
