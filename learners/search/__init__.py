"""Searches for DAGs of high score."""

from .climber import Stage, Ties
from .estimate import seconds_of_search
from .hgi import Initialization, Step, hgi
from .hill_climbing import Search, greedy_search
from .sparse_candidate import Round, sparse_candidate_search

__all__ = [
    "Initialization",
    "Round",
    "Search",
    "Stage",
    "Step",
    "Ties",
    "greedy_search",
    "hgi",
    "seconds_of_search",
    "sparse_candidate_search",
]
