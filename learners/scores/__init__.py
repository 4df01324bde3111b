"""Scores of DAGs, bound to data."""

from ..common.lazy_imports import attach

__all__, __getattr__, __dir__ = attach(__name__, __file__)
