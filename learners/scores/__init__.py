"""Scores of DAGs, bound to data."""

from .base import FamilyScore, FitMemory, Score
from .bdeu import BDeu
from .bge import BGe
from .bic import BIC
from .degenerate_bic import DegenerateBIC
from .gaussian_bic import GaussianBIC

__all__ = ["BIC", "BDeu", "BGe", "DegenerateBIC", "FamilyScore", "FitMemory", "GaussianBIC", "Score"]
