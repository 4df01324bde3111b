"""Searches for skeletons that hybrid learners restrict themselves to, by the learner they belong to.

A family imports no other one. A learner that runs the search of another family as one of its steps calls it through
this table, which imports the search at its first use.
"""

from .reference import Reference

# Each takes (ci_test, alpha, max_cond_size, knowledge, *, draws) and returns a `search.restriction.Restriction`.
SKELETONS = {
    "ppc": Reference("phgs.ppc", "ppc_skeleton"),
    "pc": Reference("constraint_based.pc", "pc_skeleton"),
    "mmpc": Reference("constraint_based.mmpc", "mmpc_skeleton"),
    "fast_iamb": Reference("constraint_based.fast_iamb", "fast_iamb_skeleton"),
    "si_hiton_pc": Reference("constraint_based.si_hiton_pc", "si_hiton_pc_skeleton"),
    "hpc": Reference("h2pc.hpc", "hpc_skeleton"),
}
