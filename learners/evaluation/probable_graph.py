"""The graph of the probable edges of a posterior."""

from __future__ import annotations

from ..common.run_warning import RunWarning
from ..common.sentences import say
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from .frequencies import left_out, with_surest_arrows
from .posterior import Posterior

EVEN = 0.5  # minimum probability of an edge, and minimum share of it in which an arrow is compelled
APART = RunWarning(
    "no_dag", say("no DAG has all probable edges and arrows of the graph; each probability is valid by itself")
)


def probable_graph(posterior: Posterior, least: float = EVEN) -> PDAG:
    """Return the edges with P >= `least` and P > 0, directed if compelled with at least half of that probability.

    The probability of a direction itself is not used, since of two equivalent DAGs the one with more orders is more
    probable. The only direction that background knowledge allows is kept; see `with_surest_arrows`.
    """
    adjacent, compelled = posterior.adjacent, posterior.compelled
    joined = (adjacent >= least) & (adjacent > 0.0)
    only = joined & posterior.only
    wanted = only | (joined & (compelled >= EVEN * adjacent))
    # Arrows of edges above `EVEN` come first, so that less probable edges do not change them.
    return with_surest_arrows(joined, wanted, compelled + only + 2.0 * (adjacent >= EVEN), only)


def warnings_of_probable(graph: PDAG, posterior: Posterior) -> tuple[RunWarning, ...]:
    """Return warnings if edges are left out of a `probable_graph`, and if no DAG has its edges and arrows."""
    lost = left_out(graph, (posterior.adjacent >= EVEN) & (posterior.adjacent > 0.0))
    return lost if consistent_extension(graph).valid else (*lost, APART)
