"""The questions that every network answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ...common.errors import ParameterError
from ...common.validation import validated
from ...common.wording import quoted
from .answers import Beliefs, MostProbableExplanation, ValueOfInformation
from .batch_prediction import predictions
from .evidence import Evidence, States, checked_evidence, node_index


class Queries:
    """What networks of all kinds can be asked. Evidence maps names of variables to a level or a number.

    Answers are exact for tables (junction tree) and for linear equations (closed form). Networks of both kinds answer
    by likelihood weighting, with the error, and alike each time. Virtual evidence maps a name to the likelihood of what
    was observed under each level; of a number to a measured value and the variance of the measurement. Associations
    alone are told: what is seen, not what would follow from doing it.
    """

    names: tuple[str, ...]
    states: States
    _answers: Any

    @validated
    def posterior(self, evidence: Mapping | None = None, *, virtual: Mapping | None = None) -> Beliefs:
        """Each variable's distribution given the evidence.

        Parameters
        ----------
        evidence : mapping of name to level or number, optional
            Cells that are None or NaN are not known.
        virtual : mapping of name to (r,) likelihoods, or to (value, variance), optional

        Returns
        -------
        Beliefs
            By name, in the order of the nodes: (r,) probabilities in the order of the levels, or (mean, variance). What
            is known has probability 1, or variance 0.

        Raises
        ------
        ParameterError
            If a name or a level is unknown, or a value is none.
        DataError
            If the evidence has probability 0, or the network is too entangled for an exact answer.

        Examples
        --------
        >>> from learners import load_network
        >>> load_network("asia").posterior({"smoke": "yes"})["lung"].round(3).tolist()
        [0.1, 0.9]
        """
        return self._answers.posterior(checked_evidence(self.names, self.states, evidence, virtual))

    @validated
    def log_probability(self, case: Mapping) -> float:
        """ln of the probability of a case, whole or in part; of numbers ln of the density. -inf if it never comes.

        Of a part of a case in a network of both kinds this is an estimate.

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
        """The most probable case of all variables together, given the evidence (MPE)."""
        return self._answers.most_probable(checked_evidence(self.names, self.states, evidence, virtual))

    @validated
    def value_of_information(
        self, target: str, evidence: Mapping | None = None, *, virtual: Mapping | None = None
    ) -> list[ValueOfInformation]:
        """What to ask next to learn about a variable: all that are not known, by the bits that each tells of it.

        Raises
        ------
        ParameterError
            If the target is unknown to the network, or known already.
        """
        known = checked_evidence(self.names, self.states, evidence, virtual)
        return self._answers.value_of_information(self._open(target, known), known)

    @validated
    def predict(self, rows: pd.DataFrame, target: str) -> pd.DataFrame:
        """What the network says of one variable in each case of a table, given the other cells of its row.

        Parameters
        ----------
        rows : DataFrame
            Columns by name. Those that the network lacks, and the target's own, are not looked at; missing cells are
            not known.
        target : str

        Returns
        -------
        DataFrame
            A row each: of a categorical target its most probable level, called as the target is, and ``P(level)`` for
            each level; of a number its ``mean`` and ``sd``. Empty where a row has probability 0.

        Raises
        ------
        ParameterError
            If a column holds a level that the network does not know, or the target is unknown.
        DataError
            If no column is one of the network's.
        """
        j = self._open(target, Evidence({}, {}))
        return predictions(self._answers, self.names, self.states, rows, j)

    def __getstate__(self) -> dict:
        """What is kept when it is pickled: engines are made anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_answers"}

    def _open(self, target: str, evidence: Evidence) -> int:
        j = node_index({name: k for k, name in enumerate(self.names)}, target)
        if j in evidence.known:
            raise ParameterError(f"{quoted([target])} is known already; ask about another variable")
        return j


def level_names(counts: Sequence[int]) -> States:
    """Names of the levels of variables that have numbers of them only: ``L1 .. Lr``; none of a number."""
    return tuple(tuple(f"L{c + 1}" for c in range(r)) if r > 1 else () for r in counts)
