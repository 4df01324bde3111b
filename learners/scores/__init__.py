"""Scores of DAGs, bound to data."""

from .bdeu import BDeu
from .bge import BGe
from .bic import BIC
from .degenerate_bic import DegenerateBIC
from .gaussian_bic import GaussianBIC
from .score import FamilyScore, FitMemory, Score

__all__ = ["BIC", "BDeu", "BGe", "DegenerateBIC", "FamilyScore", "FitMemory", "GaussianBIC", "Score"]
