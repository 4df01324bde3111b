"""Exercises of lessons, whose answers are all computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from ...common.wording import format_p
from ...effects.paths import separation
from ...evaluation.metrics import shd
from ...graphs.cpdag import cpdag, v_structures
from ...graphs.equivalence_class import class_size, first_dags
from ...graphs.graph import PDAG
from ...graphs.mag import mag_of_dag, pag_of_mag
from ...graphs.pag import PAG
from ...independence.oracle import DSeparation
from ...registry import LEARNERS
from ...results.events import Action
from ...results.result import LearnResult
from .answer_texts import TEXTS, Texts
from .entered_answers import setting_text
from .entry_checks import ENTRY_CHECKS
from .graph_syntax import ends_of, numbers, pair_given, read_graph, split_names
from .lesson import MAX_MEMBERS, Exercise, LessonError, LessonGraph, LessonQuestion, LessonRun
from .lesson_runs import data_of, result_of
from .path_reasons import descendants, named_paths, names_text, path_reason, path_text
from .probability_answers import probability_answer

# Edges that an answer offers, in the words of `Mark`.
SIGNS = {
    "forward": "→",
    "backward": "←",
    "circle-forward": "o→",
    "circle-backward": "←o",
    "bidirected": "↔",
    "circles": "o–o",
    "none": "",
}
N_CHOICES = 5  # number of offered answers for the size of a class, including the correct one


@dataclass(frozen=True)
class AnswerCheck:
    """Solver of a question type: the type of its subject, and a function that returns the rest of its Exercise."""

    of: type
    answer: Callable[[LessonGraph | LessonRun, str, Texts], tuple[tuple[str, ...], int, str]]


def exercise(question: LessonQuestion, language: str = "en") -> Exercise:
    """Compute the choices and the answer of a question.

    Parameters
    ----------
    question : LessonQuestion
    language : str
        Language of choices and reason: one of `learners.teaching.lessons.answer_texts.TEXTS`.

    Raises
    ------
    LearnersError
        If it names a variable, edge or setting that the graph or run does not have.
    """
    solver = CHECKS[question.check].answer
    solved = Exercise(question.text, *solver(question.subject, question.about, TEXTS[language]))
    if not question.because:
        return solved
    return replace(solved, why=f"{solved.why} {question.because}", because=question.because)


def _yes(found: bool, why: str, say: Texts) -> tuple[tuple[str, ...], int, str]:
    return (say["yes"], say["no"]), int(not found), why


def _independent(graph: LessonGraph, about: str, say: Texts, *, wanted: bool = True) -> tuple:
    """Check whether two variables are d-separated; with `wanted` False, whether they are not."""
    x, y, given = pair_given(graph, about)
    why, path, is_open = path_reason(graph.graph, graph.names, x, y, given, say)
    paths = separation(graph.graph, x, y, given).paths
    return *_yes(is_open is not wanted, why, say), path, is_open, (), None, given, paths


def _separator(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Find the single variable that separates a pair; exactly one must exist."""
    x, y, _ = pair_given(graph, about)
    test = DSeparation(graph.graph, graph.names)
    others = [k for k in range(len(graph.names)) if k not in (x, y)]
    right = [k for k in others if test.test(x, y, (k,)).log_p == 0.0]
    if len(right) != 1 or test.test(x, y).log_p == 0.0:
        raise LessonError(f"exactly one variable has to separate {about}, and it has to be needed")
    path = named_paths(graph.graph, x, y, ())[0].nodes
    why = say["separator"].format(name=graph.names[right[0]], path=path_text(graph.graph, path, graph.names))
    choices = (*(graph.names[k] for k in others), say["none needed"], say["no single"])
    paths = separation(graph.graph, x, y, right).paths
    return choices, others.index(right[0]), why, path, False, (), None, tuple(right), paths


def _collider(graph: LessonGraph, about: str, say: Texts) -> tuple:
    triple = numbers(split_names(about), graph.names)
    if len(triple) != 3:
        raise LessonError(f'expected three variables with the middle in between, got "{about[:80]}"')
    i, k, j = triple
    n_heads = len({i, j} & set(graph.graph.parents(k)))
    return _yes(n_heads == 2, say[("fork", "no collider", "collider")[n_heads]].format(name=graph.names[k]), say)


def _equivalent(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Check whether another DAG, written as in a graph block with ; between lines, is equivalent."""
    other = read_graph([part.strip() for part in about.split(";")])
    places = numbers(other.names, graph.names)
    arrows = [(places[a], places[b]) for a, b in other.graph.directed_edges()]
    asked = PDAG.from_edges(len(graph.names), directed=arrows)
    same = cpdag(asked) == cpdag(graph.graph)
    known, found = set(v_structures(graph.graph)), set(v_structures(asked))
    differs, shared = sorted(known ^ found), sorted(known)
    path = next((f"{graph.names[i]} → {graph.names[k]} ← {graph.names[j]}" for i, k, j in differs or shared), "")
    if same:
        both = say["shared v-structure" if shared else "no v-structure"].format(path=path)
        verdict = say["same"].format(shared=both)
    elif (asked.skeleton == graph.graph.skeleton).all():
        verdict = say["other v-structures"].format(path=path)
    else:
        verdict = say["other edges"]
    return _yes(same, say["member"].format(verdict=verdict), say)


def _members(graph: LessonGraph, _about: str, say: Texts) -> tuple:
    whole = cpdag(graph.graph)
    size = class_size(whole)
    low = max(1, size - 2)
    choices = tuple(str(k) for k in range(low, low + N_CHOICES))
    why = say["members" if size > 1 else "one member"].format(size=size)
    return choices, choices.index(str(size)), why, (), False, tuple(first_dags(whole, MAX_MEMBERS))


def _arrow(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Find the direction of an edge in the CPDAG of a DAG."""
    x, y, _ = pair_given(graph, about)
    a, b = graph.names[x], graph.names[y]
    mark = cpdag(graph.graph).mark(x, y)
    if mark == "none":
        raise LessonError(f"{a} and {b} are not adjacent")
    answer = ("forward", "backward", "undirected").index(mark)
    why = say["open edge" if answer == 2 else "compelled"]
    return (f"{a} → {b}", f"{b} → {a}", say["either way"]), answer, why


def _causes(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Check whether directed edges lead from the first variable to the second."""
    x, y, _ = pair_given(graph, about)
    found = y in descendants(graph.graph, x)
    return _yes(found, say["path to" if found else "no path to"].format(a=graph.names[x], b=graph.names[y]), say)


def _ends_in_pag(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Return the choices, answer and meaning for the edge between two variables in the PAG of a DAG."""
    hidden = numbers(graph.hidden, graph.names)
    seen = tuple(name for name in graph.names if name not in graph.hidden)
    return _edge_of(pag_of_mag(mag_of_dag(graph.graph, hidden)), seen, about, say)


def _drawn(run: LessonRun, about: str, say: Texts) -> tuple:
    """Return the choices, answer and meaning for the edge between two variables in the last run."""
    result = result_of(run)
    choices, answer, why = _edge_of(result.graph, result.names, about, say)
    x, y = ends_of(result.names, about)
    mark = result.graph.mark(x, y)
    if mark in ("forward", "backward") and not isinstance(result.graph, PAG):  # the learner knows no hidden causes
        a, b = (result.names[k] for k in ((x, y) if mark == "forward" else (y, x)))
        why = say["drawn"].format(learner=LEARNERS[run.learner].label, a=a, b=b)
    return choices, answer, why


def _edge_of(graph: PDAG, names: tuple[str, ...], about: str, say: Texts) -> tuple:
    """Return the edges that a PAG can have between two variables, the correct one, and its meaning."""
    x, y = ends_of(names, about)
    mark = graph.mark(x, y)
    if mark not in SIGNS:
        raise LessonError(f'the edge between {about} is "{mark}", which no answer offers')
    choices = tuple(f"{names[x]} {sign} {names[y]}" if sign else say["no edge"] for sign in SIGNS.values())
    cause, effect = (y, x) if mark.endswith("backward") else (x, y)
    why = say[mark.replace("backward", "forward")].format(a=names[cause], b=names[effect])
    return choices, list(SIGNS).index(mark), why


def _adjusts(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Check the back-door criterion of a set (Pearl 2009, definition 3.3.1): ``adjusts: cause, effect | set``."""
    x, y, given = pair_given(graph, about)
    amat = graph.graph.amat.copy()
    amat[x] = False  # without the arrows that leave the cause
    why, path, is_open = path_reason(PDAG(amat), graph.names, x, y, given, say)
    below = descendants(graph.graph, x) & set(given)
    if below:
        why, paths = say["below"].format(name=graph.names[min(below)]), separation(graph.graph, x, y, given).paths
        return *_yes(False, why, say), (), False, (), None, given, paths
    why = why if is_open else f"{say['adjusts']} {why}" if path else say["adjusts"]
    paths = separation(PDAG(amat), x, y, given).paths
    return *_yes(not is_open, why, say), path, is_open, (), None, given, paths


def _adjacent(run: LessonRun, about: str, say: Texts) -> tuple:
    """Check whether two variables are adjacent in the last run."""
    result = result_of(run)
    x, y = ends_of(result.names, about)
    joined = bool(result.graph.skeleton[x, y])
    answer = say["joined" if joined else "not joined"].format(a=result.names[x], b=result.names[y])
    return _yes(joined, answer if joined else _removed(result, x, y, say) or answer, say)


def _removed(result: LearnResult, x: int, y: int, say: Texts) -> str:
    """Return a sentence on the test with which a run removed a pair; empty if no test did."""
    changes = enumerate(result.trace.changes.tolist(), start=1)
    events = [(step, result.trace[t]) for step, t in changes]
    removals = [(step, one) for step, one in events if one.action is Action.REMOVE and {one.i, one.j} == {x, y}]
    if not removals or not math.isfinite(removals[-1][1].log_p):
        return ""
    step, event = removals[-1]
    given = names_text(event.cond, result.names, say) if event.cond else say["given nothing"]
    values = {"a": result.names[x], "b": result.names[y], "p": format_p(event.log_p)}
    return say["removed"].format(**values, step=step, given=given)


def _sepset(run: LessonRun, about: str, say: Texts) -> tuple:
    """Find the single variable, or none, that separated two variables in the run."""
    result = result_of(run)
    x, y = ends_of(result.names, about)
    found = result.sepsets.between(x, y)
    if found is None or len(found) > 1:
        raise LessonError(f"the run separates {about} given no set of at most one variable; ask about another pair")
    near = [k for k in range(len(result.names)) if k not in (x, y)]
    near = sorted(near, key=lambda k: (k not in found, not result.graph.skeleton[x, k], k))[:3]
    names = tuple(result.names[k] for k in sorted(near))
    answer = 1 + names.index(result.names[found[0]]) if found else 0
    why = _removed(result, x, y, say)
    why = why or (say["sepset"].format(name=names[answer - 1]) if found else say["sepset nothing"])
    return (say["nothing"], *names), answer, why


def _best(
    run: LessonRun, _about: str, say: Texts, *, sign: int, measure: Callable[[LessonRun, int], int], word: str
) -> tuple:
    """Find the value of the varied setting with the smallest, or with `sign` -1 the largest, measure."""
    if run.varied is None:
        raise LessonError("the run has to have a setting with several values")
    values = run.settings[run.varied]
    found = [measure(run, k) for k in range(len(values))]
    best = min(found, key=lambda n: sign * n)
    if found.count(best) > 1:
        raise LessonError("two values are equally good; choose other values, or another seed")
    texts = [setting_text(value, say) for value in values]
    counts = ", ".join(say["at"].format(n=n, value=text) for n, text in zip(found, texts, strict=True))
    return tuple(f"{run.varied} = {text}" for text in texts), found.index(best), say[word].format(counts=counts)


def _wrong(run: LessonRun, k: int) -> int:
    truth = data_of(run, k)[1]
    if truth is None:
        raise LessonError("the truth of these data is not known")
    return shd(result_of(run, k).graph, truth)


def _edges(run: LessonRun, k: int) -> int:
    return result_of(run, k).graph.n_edges


CHECKS: Mapping[str, AnswerCheck] = {
    "independent": AnswerCheck(LessonGraph, _independent),
    "dependent": AnswerCheck(LessonGraph, partial(_independent, wanted=False)),
    "separator": AnswerCheck(LessonGraph, _separator),
    "collider": AnswerCheck(LessonGraph, _collider),
    "equivalent": AnswerCheck(LessonGraph, _equivalent),
    "members": AnswerCheck(LessonGraph, _members),
    "arrow": AnswerCheck(LessonGraph, _arrow),
    "adjusts": AnswerCheck(LessonGraph, _adjusts),
    "causes": AnswerCheck(LessonGraph, _causes),
    "probability": AnswerCheck(LessonGraph, probability_answer),
    "ends": AnswerCheck(LessonGraph, _ends_in_pag),
    "adjacent": AnswerCheck(LessonRun, _adjacent),
    "drawn": AnswerCheck(LessonRun, _drawn),
    "sepset": AnswerCheck(LessonRun, _sepset),
    "fewest wrong pairs": AnswerCheck(LessonRun, partial(_best, sign=1, measure=_wrong, word="wrong")),
    "most edges": AnswerCheck(LessonRun, partial(_best, sign=-1, measure=_edges, word="edges")),
    **{name: AnswerCheck(of, answer) for name, (of, answer) in ENTRY_CHECKS.items()},
}
