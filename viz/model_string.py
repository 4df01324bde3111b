"""Export of a result as a bnlearn model string, which represents DAGs only."""

from __future__ import annotations

from learners.common.errors import ParameterError
from learners.graphs.consistent_extension import consistent_extension
from learners.io.interchange import to_model_string
from learners.results.result import LearnResult

from .kinds import kind_of
from .text import as_sentence, count

NO_DIRECTIONS = "A model string needs a DAG, but this learner finds no directions."
NO_DAG = "A model string needs a DAG, but no DAG has exactly these arrows and v-structures."


def model_string(result: LearnResult) -> tuple[str | None, str]:
    """Return the model string, or None, and a sentence on the DAG or on the reason why it has no model string."""
    if kind_of(result).leaves_open(result):
        return None, NO_DIRECTIONS
    extension = consistent_extension(result.graph)
    if not extension.valid:
        return None, NO_DAG
    try:
        text = to_model_string(extension.dag, result.names)
    except ParameterError as error:
        sentence = str(error)
        return None, as_sentence(sentence)
    n_open = len(result.graph.undirected_edges())
    if not n_open:
        return text, "The learned graph: it is the only DAG of its equivalence class."
    return (
        text,
        f"One DAG of the equivalence class: {count(n_open, 'undirected edge')} got a direction that fits equally well.",
    )
