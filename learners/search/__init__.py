"""Searches for DAGs of high score."""

from .climber import PhaseMoves, Ties
from .equivalence import Beside, ClassSearch, Operator, equivalence_search
from .estimate import for_a_while, least_seconds, seconds_of_search
from .hgi import Initialization, Step, hgi
from .hill_climbing import Search, greedy_search
from .order_search import OrderFound, order_search
from .order_walk import Placements
from .sparse_candidate import Round, sparse_candidate_search

__all__ = [
    "Beside",
    "ClassSearch",
    "Initialization",
    "Operator",
    "OrderFound",
    "PhaseMoves",
    "Placements",
    "Round",
    "Search",
    "Step",
    "Ties",
    "equivalence_search",
    "greedy_search",
    "hgi",
    "for_a_while",
    "least_seconds",
    "order_search",
    "seconds_of_search",
    "sparse_candidate_search",
]
