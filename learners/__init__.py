"""Edgewise's library: structure learning of Bayesian networks, without a screen.

>>> import learners
>>> sorted(learners.LEARNERS)
['pc']
"""

from .algorithms.pc import pc
from .dataset import Dataset
from .errors import DataError, LearnersError, ParameterError
from .graph import PDAG
from .independence import G2, DSeparation, FisherZ
from .knowledge import Knowledge
from .registry import LEARNERS, learn
from .result import LearnResult

__all__ = [
    "G2",
    "LEARNERS",
    "PDAG",
    "DSeparation",
    "DataError",
    "Dataset",
    "FisherZ",
    "Knowledge",
    "LearnResult",
    "LearnersError",
    "ParameterError",
    "learn",
    "pc",
]
