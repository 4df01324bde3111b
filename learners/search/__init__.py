"""Searches for DAGs of high score."""

from .climber import Stage, Ties
from .estimate import seconds_of_search
from .hill_climbing import Search, greedy_search

__all__ = ["Search", "Stage", "Ties", "greedy_search", "seconds_of_search"]
