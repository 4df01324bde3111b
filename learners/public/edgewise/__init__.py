"""Edgewise: learn the structure of a Bayesian network from a table, and explain every edge.

The names here are imported at their first use, from the modules that `__init__.pyi` lists; everything else is in the
modules of `learners`.

>>> import edgewise
>>> asia = edgewise.load_sample("asia").dataset
>>> edgewise.learn("pc", asia, alpha=0.01).graph.n_edges
5
"""

from learners.common.lazy_imports import attach

__all__, __getattr__, __dir__ = attach(__name__, __file__)
