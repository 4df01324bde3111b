"""LMM: CPPD of pairs, forward selection and backward elimination of edges, v-structures.

Mahdi and Mezey (2013), Sub-local constraint-based learning of Bayesian networks using a joint dependence criterion.
JMLR 14.
"""
