"""Explanation of why two variables of a run are adjacent, or not, as a record derived from the trace."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from ..common.checks import check_positions
from ..common.errors import ParameterError
from ..common.sentences import Caveat, Edge, Node, Nodes, Number, Sentence, say
from ..common.validation import validated
from ..common.wording import did_you_mean, quoted
from ..data.dataset import Dataset
from ..graphs.rules import CLASS_MARKS, CUTS, Rule
from ..results.events import Event
from ..results.result import LearnResult
from .caveats import completed_sentences, few_rows_sentences
from .explanation_record import Explanation
from .pair import Explainer, Pair
from .support import arrow_sentences, determined_sentences, is_determined, support_sentences, without_directions

# The family of learners that explains runs of each kind: its folder has a module `explaining` with `EXPLAINERS`.
FAMILY_OF_KIND: Mapping[str, str] = {
    "tests": "constraint_based",
    "skeleton": "constraint_based",
    "score": "score_based",
    "order": "score_based",
    "score_path": "score_based",
    "ges": "score_based",
    "hybrid": "hybrid",
    "hpc": "h2pc",
    "hpc_target": "h2pc",
    "h2pc": "h2pc",
    "ppc": "phgs",
    "path": "phgs",
    "phgs": "phgs",
    "arges": "phgs",
    "aracne": "cimap",
    "cimap": "cimap",
    "rai": "brai",
    "brai": "brai",
    "mcmc": "averaging",
    "exact": "averaging",
    "bootstrap": "averaging",
    "lmm": "lmm",
    "pag": "latent",
    "mag": "latent",
}
UNDIRECTED_KINDS = ("skeleton", "hpc", "hpc_target", "aracne", "lmm")  # kinds of runs whose graphs show no separations
MIN_BITS = 0.0001  # minimum information that is stated; chance alone gives as much in a million rows


@validated
def explanation(
    result: LearnResult, pair: tuple[int, int] | tuple[str, str], dataset: Dataset | None = None
) -> Explanation:
    """Explain why two variables are adjacent in a result, or not.

    Nothing is learned or tested again; only the family of the result is imported.

    Parameters
    ----------
    result : LearnResult
    pair : (int, int) or (str, str)
        The two variables, by position or by name.
    dataset : Dataset, optional
        Data of the run; shows which of the two a conditioning set determines.

    Returns
    -------
    Explanation
        Claim, evidence, caveats and numbers as typed values; `Explanation.written` writes them as sentences.

    Raises
    ------
    ParameterError
        If the result has no such variables, or they are the same.

    Examples
    --------
    >>> from learners import explanation, learn, load_sample
    >>> found = explanation(learn("pc", load_sample("asia").dataset), ("asia", "smoke"))
    >>> found.headline
    'There is no edge between asia and smoke.'
    """
    x, y = _positions(result, pair)
    asked = Pair(result, x, y, tuple(result.trace.of_pair(x, y)), dataset)
    reasons = explainer_of(result).why(asked)
    fixed = determined_sentences(result, x, y)
    given = without_directions(reasons.sentences) if fixed else reasons.sentences
    shared = [] if reasons.states_information else _shared(asked, reasons.decisive)
    few = [one for one in few_rows_sentences(result, x, y, asked.events) if one not in reasons.sentences]
    completed = completed_sentences(result, x, y, dataset)
    support, claims = support_sentences(result, x, y), arrow_sentences(result, x, y)
    sentences = (*fixed, *given, *few, *shared, *completed, *support, *claims)
    decisive = reasons.decisive
    return Explanation(
        names=result.names,
        claim=reasons.claim or _claim(asked),
        evidence=tuple(one for one in sentences if not isinstance(one, Caveat)),
        caveats=tuple(one for one in sentences if isinstance(one, Caveat)),
        rule=decisive.rule if decisive else None,
        numbers=_numbers(decisive, result.information(x, y)),
        decisive=decisive,
        tests=reasons.tests,
    )


def _positions(result: LearnResult, pair: tuple[int, int] | tuple[str, str]) -> tuple[int, int]:
    """Return the positions of two variables given by position or by name."""
    names = list(result.names)
    for end in pair:
        if isinstance(end, str) and end not in names:
            raise ParameterError(f"pair: no variable is called {quoted([end])}{did_you_mean(end, names)}")
    x, y = (names.index(end) if isinstance(end, str) else end for end in pair)
    check_positions("a variable of pair", (x, y), len(names))
    if x == y:
        raise ParameterError(f"pair must be two different variables, got {quoted([names[x]])} twice; name another one")
    return int(x), int(y)


def event_sentence(result: LearnResult, event: Event) -> Sentence:
    """Describe one event of the trace in a sentence."""
    if event.rule in CLASS_MARKS and is_determined(result, event.i, event.j):
        return say(
            "{a} = {b}: linked (nearly) by a function, so neither direction can be learned",
            a=Node(event.i),
            b=Node(event.j),
        )
    return explainer_of(result).event(event)


def chosen_sentence(result: LearnResult) -> Sentence | None:
    """State the automatic choices and extra findings that settings requested; None if there are none."""
    return explainer_of(result).chosen(result)


def explainer_of(result: LearnResult) -> Explainer:
    """Return the explanation functions for runs of this kind."""
    return _explainers(FAMILY_OF_KIND[result.kind])[result.kind]


@cache
def _explainers(family: str) -> Mapping[str, Explainer]:
    return import_module(f"..families.{family}.explaining", __package__).EXPLAINERS


def _claim(pair: Pair) -> Sentence:
    if pair.mark == "none":
        return say("There is no edge between {a} and {b}.", a=Node(pair.x), b=Node(pair.y))
    mark = "determined" if is_determined(pair.result, pair.x, pair.y) else pair.mark
    return say("{edge} is in the graph.", edge=Edge(pair.x, mark, pair.y))


def _shared(pair: Pair, decisive: Event | None) -> list[Sentence]:
    """Return sentences on the mutual information of the two variables, marginal and given their separating set."""
    result, x, y = pair.result, pair.x, pair.y
    bits, given = result.information(x, y), tuple(decisive.cond) if decisive and pair.mark == "none" else ()
    if math.isnan(bits):
        return []
    numbers = pair.dataset is not None and {pair.dataset.kinds[x], pair.dataset.kinds[y]} == {"continuous"}
    estimate = "Mutual information of the two variables: {amount} (estimate, bias-corrected)."
    if numbers:  # computed from their correlation
        estimate = (
            "Mutual information of the two variables, assuming a linear relation: {amount} (estimate, bias-corrected)."
        )
    sentences = [say(estimate, amount=_amount(bits))]
    template = "Given their separating set {set}, the estimate is {amount}."
    if pair.mark != "none":
        child, given = _other_parents(pair)
        template = "Given the other parents of {child}, {set}, the estimate is {amount}."
        if child is None and decisive is not None and decisive.rule is Rule.TEST:
            given, template = tuple(decisive.cond), "Given {set}, where p is largest, the estimate is {amount}."
        if given and not math.isnan(left := result.information(x, y, given)):
            sentences.append(say(template, set=Nodes(given), amount=_amount(left), **_named(child)))
        return sentences
    if not given and bits >= MIN_BITS and _is_separated_by_graph(pair, decisive):
        from ..graphs.d_separation import separating_set  # this import loads kernels

        given = separating_set(result.graph, x, y)
        template = "Given {set}, which separates them in the graph, the estimate is {amount}."
    if given and not math.isnan(left := result.information(x, y, given)):
        sentences.append(say(template, set=Nodes(given), amount=_amount(left)))
    return sentences


def _other_parents(pair: Pair) -> tuple[int | None, tuple[int, ...]]:
    """Return the child of the edge in the scored DAG of the result and its other parents; None and () without one."""
    dag = getattr(pair.result.extra, "dag", None)
    if dag is None or not dag.skeleton[pair.x, pair.y]:
        return None, ()
    parent, child = (pair.x, pair.y) if dag.amat[pair.x, pair.y] else (pair.y, pair.x)
    return child, tuple(i for i in dag.parents(child) if i != parent)


def _named(child: int | None) -> dict[str, Node]:
    return {} if child is None else {"child": Node(child)}


def _is_separated_by_graph(pair: Pair, decisive: Event | None) -> bool:
    """Return True if no test separated the pair, so that only the graph shows a separating set."""
    if pair.mark != "none" or (decisive is not None and decisive.rule in {Rule.TEST, Rule.UNTESTED, *CUTS}):
        return False
    has_meaning = pair.result.complete and pair.result.kind not in UNDIRECTED_KINDS
    return has_meaning and not is_determined(pair.result, pair.x, pair.y)


def _amount(bits: float) -> Sentence:
    if bits >= MIN_BITS:
        return say("{bits} bits", bits=Number(bits))
    return say("less than {bits} bits", bits=f"{MIN_BITS:g}") if bits else say("0 bits")


def _numbers(event: Event | None, bits: float) -> dict[str, float]:
    """Return the known numbers of the decisive event and of the pair, by name."""
    numbers = {"bits": bits}
    if event is not None:
        names = ("log_p", "threshold", "statistic", "dof")
        numbers |= {name: float(getattr(event, name)) for name in names}
        numbers |= {"tests": event.n_tests or math.nan, "rows": event.n_rows or math.nan}
    return {name: value for name, value in numbers.items() if not math.isnan(value)}
