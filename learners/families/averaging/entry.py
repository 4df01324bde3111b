"""The catalogue entries of order MCMC and of the exact posterior."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import cost_of_orders, score_for, the_data
from ...settings.reference import Reference
from .settings import EDGE_PENALTY, EDGE_PENALTY_OF_NUMBERS, EXACT_POSTERIOR, MAX_VARIABLES, ORDER_MCMC

if TYPE_CHECKING:
    from ...data.dataset import Dataset
    from ...scores.score import FamilyScore

exact_posterior = Reference("families.averaging.exact_posterior", "exact_posterior")
order_mcmc = Reference("families.averaging.order_mcmc", "order_mcmc")

MIN_SHARE_OF_ROWS = 0.7  # minimum number of rows of each pair for BGe, as a share of the rows of the data
MOVE_SECONDS, SET_SECONDS, SUM_SECONDS = 2e-6, 5e-6, 4e-9  # measured: 1 to 3e-6, 1 to 1e-5 and 2 to 4e-9


def marginal_likelihood(
    dataset: Dataset, *, score: str = "bdeu", ess: float = 5.0, edge_penalty: float | None = None
) -> FamilyScore:
    """Return the requested score: BDeu or BIC for categorical, BGe or BIC for complete continuous data; else BIC.

    Continuous data with completed moments have BGe if all pairs of variables have about equally many rows.
    The penalty of an edge in BDeu and BGe makes graphs with fewer edges more probable a priori. None is ln p for p
    variables, so that each of the p - 1 arrows to a variable has prior odds of 1 to p; half of it for continuous data.
    """
    if edge_penalty is None:
        automatic = EDGE_PENALTY_OF_NUMBERS if dataset.kind == "continuous" else EDGE_PENALTY
        edge_penalty = automatic.amount(dataset.n, dataset.p)
    if dataset.kind == "continuous" and score != "bic" and _has_even_rows(dataset):
        from ...scores import BGe

        return BGe(dataset, edge_penalty=edge_penalty)
    score = score if dataset.kind == "categorical" else "bic"
    return score_for(dataset, score=score, ess=ess, edge_penalty=edge_penalty)


def _has_even_rows(dataset: Dataset) -> bool:
    """Return True if no cell is missing, or all pairs of completed variables have about equally many rows.

    BGe has one sample size for all variables; BIC takes that of each pair.
    """
    from ...data.completed_data import completed_moments

    completed = completed_moments(dataset)
    return dataset.complete or (completed is not None and completed.min_n >= MIN_SHARE_OF_ROWS * completed.n)


def cost_of_chains(score: FamilyScore, *, chains: int, steps: int, n_candidates: int, **_others: Any) -> float:
    """Estimate the running time, in seconds, of the searches, the tables and one round of the chains."""
    from .candidates import RESAMPLES

    tables = score.p * 2.0**n_candidates * n_candidates * 2e-8
    return (1 + RESAMPLES) * cost_of_orders(score, restarts=0) + tables + chains * steps * MOVE_SECONDS


def cost_of_sums(score: FamilyScore, *, max_parents: int | None, **_others: Any) -> float:
    """Estimate the seconds of the scores and of the sums over sets; 0 with too many variables."""
    p = score.p
    if p > MAX_VARIABLES:
        return 0.0
    from .parent_weights import most_parents, sets_of

    sets = p * sets_of(p - 1, most_parents(max_parents, p - 1, score))
    return sets * SET_SECONDS + 2.0**p * p * p * SUM_SECONDS


ENTRIES = (
    Learner(
        key="order_mcmc",
        label="Order MCMC",
        summary="Samples orders of the variables (MCMC), and averages over all DAGs that are consistent with each.",
        choose_if="you want calibrated probabilities of edges and arrows",
        paper="Friedman and Koller (2003), Kuipers and Moffa (2017)",
        family="score-based",
        gives="probabilities",
        kinds=EVERY_KIND,
        settings=ORDER_MCMC,
        function=order_mcmc,
        needs=(the_data, marginal_likelihood),
        cost=cost_of_chains,
        cost_needs=(marginal_likelihood,),
        spreads=True,
        pair_bytes=510,
    ),
    Learner(
        key="exact_posterior",
        label="Exact posterior",
        summary="Sums over all orders of the variables, so that the probability of every edge and arrow is exact.",
        choose_if="you have at most 24 variables and want exact probabilities",
        paper="Koivisto and Sood (2004), Koivisto (2006)",
        family="score-based",
        gives="probabilities",
        kinds=EVERY_KIND,
        settings=EXACT_POSTERIOR,
        function=exact_posterior,
        needs=(marginal_likelihood,),
        cost=cost_of_sums,
        most_columns=MAX_VARIABLES,
    ),
)
