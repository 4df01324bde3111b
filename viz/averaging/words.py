"""Which results have probabilities, and how those are written."""

from __future__ import annotations

from learners.brai.brai import BootstrapRun
from learners.brai.rai import AutonomyRun
from learners.results.result import LearnResult

from ..text import ARROWS, count, format_probability, shorten
from .frequencies import is_frequent

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
KINDS = {"->": "forward", "<-": "backward", "-": "undirected"}


def is_brai(result: LearnResult) -> bool:
    """Whether the result holds a tree of graphs."""
    return isinstance(result.extra, BootstrapRun) and result.extra.tree is not None


def is_autonomous(result: LearnResult) -> bool:
    """Whether the result holds the calls of RAI's recursion."""
    return isinstance(result.extra, AutonomyRun) and bool(result.extra.calls)


def has_probabilities(result: LearnResult) -> bool:
    """Whether each edge has a probability, or a share of resamples."""
    return is_brai(result) or (is_frequent(result) and result.extra.n > 0)


def number_name(result: LearnResult) -> str:
    """What the number of an edge is."""
    return "P" if is_brai(result) else "share"


def kind_words(kind: str, x: str, y: str) -> str:
    """One of "->", "<-", "-" and "none" with the names of the two."""
    a, b = shorten(x), shorten(y)
    return f"{a} {ARROWS[KINDS[kind]]} {b}" if kind in KINDS else "no edge"


def posterior_sentence(k: int, asked: int) -> str:
    """What probabilities are averages over."""
    if k == 1:
        return "over the DAGs of the one class with the highest score"
    if k < asked:
        return f"over the DAGs of all {k:,} classes that the tree holds"
    return f"over the DAGs of the {k:,} classes with the highest scores"


def share_words(shares: dict[str, float], x: str, y: str) -> str:
    """Each kind of edge that comes up, with its number."""
    told = [f"{kind_words(kind, x, y)} {format_probability(value)}" for kind, value in shares.items() if value > 0.0]
    return ", ".join(told)


def routes_words(n: int) -> str:
    """1,234 routes; of very many the power of ten."""
    return count(n, "route") if n < 1_000_000 else f"about 10{str(len(str(n)) - 1).translate(RAISED)} routes"
