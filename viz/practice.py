"""Sentences of the games on random DAGs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from learners.effects.adjustment import adjustment_sets
from learners.teaching.lessons.path_reasons import Reason, path_reason, path_text
from learners.teaching.quiz.graph_tasks import Answer, Game, GraphTask


def task_sentence(task: GraphTask, say: Mapping[str, str]) -> str:
    """Return the task in words, in the language of the captions."""
    values = dict(zip("xy", (task.names[k] for k in task.ends), strict=False))
    if task.game is Game.SEPARATION:
        values["given"] = _listed(task.given, task.names, say)
    if task.game is Game.REMOVAL:
        values["sets"] = say[f"sets of {task.level}"]
    if task.path:
        values["path"] = path_text(task.graph, task.path, task.names)
    return say[f"task {task.game.value}"].format(**values)


def reason(task: GraphTask, answer: Answer, say: Mapping[str, str], texts: Mapping[str, str]) -> Reason:
    """Return a sentence on why an answer is right or wrong, and the path that it names.

    Parameters
    ----------
    task : GraphTask
    answer : bool, set of nodes or edge
    say : mapping
        Captions of the language.
    texts : mapping
        `learners.teaching.lessons.answer_texts.TEXTS` of the language.
    """
    if task.game is Game.COLLIDERS:
        found = _listed(sorted(task.solution), task.names, say)
        key = "why colliders" if task.solution else "why no collider"
        return say[key].format(names=found), task.path, not task.solution
    if task.game is Game.EQUIVALENCE:
        return _equivalence(task, answer, say), (), False
    if task.game is Game.REMOVAL:
        return task.removals.reason(frozenset({tuple(sorted(answer))}), texts)
    if task.game is Game.ADJUSTMENT:
        forbidden = sorted(set(answer) & set(adjustment_sets(task.graph, *task.ends).forbidden))
        if forbidden:
            return say["why forbidden"].format(name=task.names[forbidden[0]]), (), False
    graph, given = task.blocking(answer)
    return path_reason(graph, task.names, *task.ends, given, texts)


def _equivalence(task: GraphTask, answer: Answer, say: Mapping[str, str]) -> str:
    a, b = answer if task.graph.amat[answer] else answer[::-1]
    edge = {"a": task.names[a], "b": task.names[b]}
    if task.is_right(answer):
        return say["why reversible"].format(**edge)
    c, d = task.solution
    return say["why not reversible"].format(**edge, c=task.names[c], d=task.names[d])


def _listed(nodes: Sequence[int], names: Sequence[str], say: Mapping[str, str]) -> str:
    return ", ".join(names[k] for k in nodes) if nodes else say["nothing given"]
