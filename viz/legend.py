"""Meaning of the marks in the graph, and the caveat on causal interpretation."""

from __future__ import annotations

import pandas as pd

from learners.common.sentences import phrase
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.results.result import LearnResult

from .graph_data import GraphViewData
from .language import Language
from .text import as_sentence

ENDS = (
    "An arrowhead means that the variable at this end does not cause the other one. A tail means that "
    "it does, possibly through others. A circle is open. Common causes may be hidden."
)
MARKS = (
    "An edge is an arrow if all equivalent graphs agree on its direction; the direction of a plain line is open. A "
    "hollow arrowhead with ? marks a direction that is weakly supported or contradicted, ! conflicting evidence. "
)
WIDER = {  # legend texts of wider lines, by the label of the strengths
    "log10 of the largest p": phrase("wider line: stronger evidence (its largest p is smaller)"),
    "score lost without the edge": phrase("wider line: removing the edge would lower the score more"),
    "largest penalty survived, times BIC": phrase("wider line: stays up to a larger penalty"),
    "edges removed before it": phrase("wider line: removed later"),
    "edges that left before it": phrase("wider line: removed later"),  # in runs stored before 30 November 2026
    "mutual information in mbit": phrase("wider line: more mutual information"),
    "share of resamples with the edge": phrase("wider line: in more resamples"),
    "posterior probability of an edge": phrase("wider line: more probable"),
}
FAINTER = {"share of resamples with the edge": phrase("fainter line: in fewer resamples")}  # the same of fainter lines
CAVEAT = (
    "Arrows are the same in all equivalent graphs. Arrows show causes only under assumptions, such as no "
    "hidden common causes."
)
CAVEAT_OF_SEVERAL = (
    "Within each graph, arrows are the same in all equivalent graphs; the compared graphs may differ. Arrows show "
    "causes only under assumptions, such as no hidden common causes."
)
DOUBT = "A hollow head with ? is a weak direction: a graph that fits almost as well may reverse it. "
DOUBTED_CAVEAT = CAVEAT.replace("Arrows show", f"{DOUBT}Arrows show")

MARKS_SHOWN = pd.DataFrame(
    [
        ("line with a solid arrowhead", "compelled: same direction in all equivalent graphs"),
        ("plain line", "direction open"),
        (
            "o→, FCI",
            "the end with the arrowhead is not the cause; the other end is, or they share a hidden cause, or both",
        ),
        ("↔, FCI", "a hidden common cause; neither variable causes the other"),
        ("wider line", "stronger: the legend of each graph names the measure"),
        ("letter in a coloured badge", "in pPC, PATH and pHGS: cluster of the variable"),
        ("dot at an end", "in LMM: this variable conditions on the other one"),
        ("fainter line, with a number", "less probable: the number is the probability, or the share of resamples"),
        ("dashed outline around variables", "in RAI: group refined at this step"),
        ("very faint line", "removed in one of the last ten steps"),
        ("long dashes, labelled", "removed at the next step"),
        (
            "one head hollow, with ?",
            "direction weakly supported or contradicted, or graphs with nearly the same score disagree",
        ),
        ("line with =", "linked (nearly) by a function, such as a copy or a sum, so neither direction can be learned"),
        ("both heads hollow, with !", "conflicting evidence on the direction"),
        ("star on the curve", "chosen solution"),
        ("hollow point on the curve", "solution that is not a valid CPDAG; cannot be chosen"),
        ("lock", "required by your background knowledge"),
        ("crossed faint line", "forbidden by your background knowledge"),
    ],
    columns=["mark", "meaning"],
)


def caveat_of(graph: PDAG, *, doubted: bool = False, several: bool = False) -> str:
    """Return sentences on the claim of the arrows of a graph, and on those with ? if some are `doubted`.

    With `several`, the graph is the first of several graphs that are compared.
    """
    if several and graph.directed_edges() and not isinstance(graph, PAG):
        return CAVEAT_OF_SEVERAL
    if isinstance(graph, PAG):
        return ENDS if graph.n_edges else ""
    return (DOUBTED_CAVEAT if doubted else CAVEAT) if graph.directed_edges() else ""


def marks_of(graph: PDAG) -> str:
    """Return the meaning of the marks in a picture of a graph; `caveat_of` explains the ends of a PAG."""
    return "" if isinstance(graph, PAG) else MARKS.strip()


def line_texts(result: LearnResult) -> GraphViewData:
    """Return the legend texts of wider and fainter lines in pictures of a run."""
    label = result.strengths.label
    found = {"wider": WIDER.get(label), "fainter": FAINTER.get(label)}
    return {name: text for name, text in found.items() if text is not None}


def printed_legend(result: LearnResult, language: Language) -> str:
    """Return the meaning of the marks and of the line widths in a printed picture of a run."""
    wider = WIDER.get(result.strengths.label)
    parts = [language.written(text) for text in (marks_of(result.graph), wider and as_sentence(wider)) if text]
    return " ".join(parts)
