"""Edgewise's library: structure learning of Bayesian networks, independent of the app.

Its public name is `edgewise`, which exports the names that most users need. This package exports all of them lazily,
from the modules that `__init__.pyi` lists.

>>> import learners
>>> child = learners.load_sample("child")
>>> learners.learn("pc", child.dataset, alpha=0.01).graph.n_edges
25
"""

from .common.lazy_imports import attach
from .common.moved_modules import find_moved_modules

__all__, __getattr__, __dir__ = attach(__name__, __file__)
find_moved_modules()
