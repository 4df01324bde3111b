"""Sensitivity of a run's probabilities to the prior over structures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..common.errors import ParameterError
from ..common.progress import Tick, silent
from ..common.validation import Seed, validated
from ..data.dataset import Dataset
from ..evaluation.posterior import Posterior
from ..families.averaging.settings import PRIOR
from ..graphs.knowledge import Knowledge
from ..results.result import LearnResult
from .sweep import swept


@dataclass(frozen=True, eq=False)
class PriorDifference:
    """The probabilities of one table under all priors.

    Attributes
    ----------
    posteriors : mapping of str to Posterior
        By prior, in the order of its choices.
    """

    posteriors: Mapping[str, Posterior]

    @property
    def of_arrows(self) -> np.ndarray:
        """(p, p): the largest difference between any two priors in P(i -> j)."""
        return _largest([one.directed for one in self.posteriors.values()])

    @property
    def of_edges(self) -> np.ndarray:
        """(p, p), symmetric: the largest difference in P(adjacent)."""
        return _largest([one.adjacent for one in self.posteriors.values()])


def _largest(each: list[np.ndarray]) -> np.ndarray:
    return np.max(each, axis=0) - np.min(each, axis=0)


@validated
def under_priors(
    result: LearnResult,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    tick: Tick = silent,
) -> PriorDifference | None:
    """Repeat a run with each other prior over structures.

    Parameters
    ----------
    result : LearnResult
        A result of `order_mcmc` with probabilities.
    dataset, knowledge, seed
        The arguments of the run.
    tick : Tick, optional

    Returns
    -------
    PriorDifference or None
        None if it was cancelled.

    Raises
    ------
    ParameterError
        If the run has no prior over structures, or no probabilities.

    Examples
    --------
    >>> from learners import learn, load_sample
    >>> asia = load_sample("asia").dataset.take(range(100))
    >>> found = under_priors(learn("order_mcmc", asia, steps=2_000, run_on=0), asia)
    >>> list(found.posteriors)
    ['orders', 'dags', 'classes']
    """
    if result.posterior is None or PRIOR.name not in result.params:
        raise ParameterError(f"{result.method} has no prior over structures; use a run of order_mcmc")
    others = [prior for prior in PRIOR.choices if prior != result.params[PRIOR.name]]
    params = {name: value for name, value in result.params.items() if name != PRIOR.name}
    runs = swept(result.method, dataset, PRIOR.name, others, knowledge=knowledge, seed=seed, tick=tick, **params)
    found = {others[k]: other.posterior for k, other in runs if other.complete and other.posterior is not None}
    found[result.params[PRIOR.name]] = result.posterior
    if len(found) < len(PRIOR.choices):
        return None
    return PriorDifference({prior: found[prior] for prior in PRIOR.choices})
