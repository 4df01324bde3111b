"""References to the tests, scores and skeletons that learners need, and to the estimates of their running times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .reference import Reference

if TYPE_CHECKING:
    from ..data.dataset import Dataset

ci_test_for = Reference("independence.selection", "ci_test_for")
score_for = Reference("scores.selection", "score_for")
BICs = Reference("scores.selection", "BICs")
DefaultScore = Reference("scores.selection", "DefaultScore")
PolishScore = Reference("scores.selection", "PolishScore")
DependencePosterior = Reference("independence.dependence", "DependencePosterior")
resampled_test_for = Reference("independence.selection", "resampled_test_for")
tree_score_for = Reference("scores.selection", "tree_score_for")
dependence_for = Reference("independence.selection", "dependence_for")
information_test_for = Reference("independence.selection", "information_test_for")

# The test and score of Tsamardinos et al. (2006) and Gasse et al. (2012).
test_with_five_rows = ci_test_for.giving(rows_per_cell=5.0)
bdeu_of_ten_rows = score_for.giving(score="bdeu", ess=10.0)
# With plain BDeu, a search adds far too many edges if rows are few or levels rare; with BIC, too few if
# variables have many levels.
bdeu_with_edge_penalty = score_for.giving(score="bdeu", ess=10.0, edge_penalty=None)

cost_of_tests = Reference("search.cost", "cost_of_tests")
cost_of_skeleton = Reference("search.cost", "cost_of_skeleton")
cost_of_blankets = Reference("search.cost", "cost_of_blankets")
cost_of_search = Reference("search.cost", "cost_of_search")
cost_of_orders = Reference("search.cost", "cost_of_orders")
cost_of_boss = Reference("search.cost", "cost_of_boss")
cost_of_search_and_polish = Reference("search.cost", "cost_of_search_and_polish")
cost_of_both = Reference("search.cost", "cost_of_both")

# Searches for skeletons that hybrid learners restrict themselves to, by the learner they belong to. A family imports no
# other one: a learner that runs the search of another family as one of its steps calls it through this table.
# Each takes (ci_test, alpha, max_cond_size, knowledge, *, draws) and returns a `search.restriction.Restriction`.
SKELETONS = {
    "ppc": Reference("families.phgs.ppc", "ppc_skeleton"),
    "pc": Reference("families.constraint_based.pc", "pc_skeleton"),
    "mmpc": Reference("families.constraint_based.mmpc", "mmpc_skeleton"),
    "fast_iamb": Reference("families.constraint_based.fast_iamb", "fast_iamb_skeleton"),
    "si_hiton_pc": Reference("families.constraint_based.si_hiton_pc", "si_hiton_pc_skeleton"),
    "hpc": Reference("families.h2pc.hpc", "hpc_skeleton"),
    "lmm": Reference("families.lmm.skeleton_for_searches", "lmm_skeleton"),
}


def the_data(dataset: Dataset) -> Dataset:
    """Return the data set itself, for learners that need no test or score."""
    return dataset
