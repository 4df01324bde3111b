"""Names of `learners.scores` and their modules; `__init__.py` reads this file."""

from .basis_bic import BasisBIC
from .bdeu import BDeu
from .bge import BGe
from .bic import BIC
from .degenerate_bic import DegenerateBIC
from .gaussian_bic import GaussianBIC
from .score import FamilyScore, FitMemory, Score

__all__ = [
    "BDeu",
    "BGe",
    "BIC",
    "BasisBIC",
    "DegenerateBIC",
    "FamilyScore",
    "FitMemory",
    "GaussianBIC",
    "Score",
]
