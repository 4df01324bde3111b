"""Measures on edges, and the format of probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from learners.common.sentences import Count, Phrase, percent, phrase, say
from learners.evaluation.frequencies import interval_clause
from learners.evaluation.probable_graph import EVEN
from learners.families.averaging.order_mcmc import ChainsRun, agreement_of

from ..kind_contract import SliderModes
from ..text import ARROWS, count, format_probability, shorten

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MODES_HELP = (
    "Edges with at least the {number.name} at the line; fainter edges have a smaller one. Run: step by step, as "
    "{number.graph} was found."
)
KINDS = {"->": "forward", "<-": "backward", "-": "undirected"}


@dataclass(frozen=True)
class EdgeMeasure:
    """The meaning of the number on an edge.

    Attributes
    ----------
    symbol, short, name : str
        "P", "probability", "probability".
    asked : str
        Phrase before the name of a feature.
    graph : str
        Noun for the result of the run itself.
    directed : str
        Meaning of an arrow.
    evidence : "classes", "resamples", "chains" or "sums"
        Source of the number. For "classes" the user chooses how many classes are averaged over.
    """

    symbol: str
    short: str
    name: str
    asked: str
    graph: str
    directed: str
    evidence: Literal["classes", "resamples", "chains", "sums"]


PROBABILITY = EdgeMeasure(
    symbol="P",
    short="probability",
    name="probability",
    asked="Probability of",
    graph="the best graph",
    directed=phrase("directed: at least {share} of the edge's probability has this direction", share=percent(EVEN)),
    evidence="classes",
)
SHARE = EdgeMeasure(
    symbol="share",
    short="share",
    name="share of resamples",
    asked="Share of resamples with",
    graph="it",
    directed=phrase("directed: this way in more resamples than any other"),
    evidence="resamples",
)
CHANCE = replace(PROBABILITY, graph="the graph", evidence="chains")
EXACT = replace(CHANCE, evidence="sums")


def number_modes(number: EdgeMeasure) -> SliderModes:
    """Return the slider modes of an edge measure: a minimum of it, or the run."""
    return SliderModes(
        {"probable": f"{number.short[0].upper()}{number.short[1:]}", "run": "Steps of the run"},
        "probable",
        MODES_HELP.format(number=number),
    )


def kind_words(kind: str, x: str, y: str) -> str:
    """Describe an edge, given as "->", "<-", "-" or "none", with the names of the two variables."""
    a, b = shorten(x), shorten(y)
    return f"{a} {ARROWS[KINDS[kind]]} {b}" if kind in KINDS else "no edge"


def posterior_sentence(k: int, asked: int, trees: int = 1, *, polished: bool = False) -> str:
    """Return a sentence on the graphs that the probabilities average over."""
    if polished:
        classes = "1 class" if k == 1 else f"{k:,} classes"
        return f"over the DAGs of {classes}, where tabu searches from {count(trees, 'tree')} ended"
    if trees > 1:
        return f"over the best {'class' if asked == 1 else f'{asked:,} classes'} of each of {trees:,} trees"
    if k == 1:
        return "over the DAGs of the one class with the highest score"
    if k < asked:
        return f"over the DAGs of {'both' if k == 2 else f'all {k:,}'} classes that the tree holds"
    return f"over the DAGs of the {k:,} classes with the highest scores"


def share_words(shares: dict[str, float], x: str, y: str) -> str:
    """Write each mark that occurs with its probability."""
    parts = [f"{kind_words(kind, x, y)} {format_probability(value)}" for kind, value in shares.items() if value > 0.0]
    return ", ".join(parts)


def interval_words(share: float, n: int) -> str:
    """Write the 95% interval of a share or of a mean probability over n draws; n = 0 if the value is exact."""
    return interval_clause(share, n).text(())


def draws_of(extra: object) -> int | None:
    """Return the number of draws behind a probability: 0 if it is exact, None if it has no interval.

    Classes that B-RAI's polish reaches are averaged together by their scores, so they are no independent draws.
    """
    return None if getattr(extra, "polished", ()) else extra.n_draws


def routes_words(n: int) -> str:
    """Write a number of routes; a very large one as a power of ten."""
    return count(n, "route") if n < 1_000_000 else f"about 10{str(len(str(n)) - 1).translate(RAISED)} routes"


def chains_sentence(run: ChainsRun) -> Phrase:
    """Return a sentence on the agreement of the chains."""
    verdict = say("They have converged") if run.converged else say("They have not converged")
    return phrase(
        "{chains} made {moves} moves each. {verdict}: {agreement}.",
        chains=Count(len(run.agreement.directed), "chain"),
        moves=run.moves,
        verdict=verdict,
        agreement=agreement_of(run),
    )
