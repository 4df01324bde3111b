"""Sentences of the games on random DAGs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from learners.effects.adjustment import adjustment_sets
from learners.effects.paths import Path, mediators, separation
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
        return _equivalence(task, answer, say)
    if task.game is Game.REMOVAL:
        # the chosen edge is the only one that differs from the solution, so the sentence is about it
        return task.removals.reason(task.removals.solution | {tuple(sorted(answer))}, texts)
    if task.game is Game.ADJUSTMENT and (forbidden := _forbidden_in(task, answer)):
        return _forbidden(task, forbidden[0], say)
    graph, given = task.blocking(answer)
    return path_reason(graph, task.names, *task.ends, given, texts)


def evidence(task: GraphTask, answer: Answer) -> tuple[Path, ...]:
    """Return all paths that decide, open and blocked; empty in games about other things, and for a forbidden node."""
    if task.game is Game.REMOVAL:
        return task.removals.evidence(task.removals.solution | {tuple(sorted(answer))})[1]
    if task.game not in (Game.SEPARATION, Game.ADJUSTMENT) or (
        task.game is Game.ADJUSTMENT and _forbidden_in(task, answer)
    ):
        return ()
    graph, given = task.blocking(answer)
    return separation(graph, *task.ends, given).paths


def _forbidden_in(task: GraphTask, answer: Answer) -> list[int]:
    """Return the nodes of an answer that no adjustment set may contain."""
    return sorted(set(answer) & set(adjustment_sets(task.graph, *task.ends).forbidden))


def verdict(task: GraphTask, answer: Answer, say: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """Return the feedback on an answer: right or wrong, the reason, and a right answer where that does not state it."""
    why, _, _ = reason(task, answer, say, texts)
    if task.is_right(answer):
        return say["right"].format(why=why)
    if task.game in (Game.SEPARATION, Game.COLLIDERS):
        return say["not right"].format(why=why)
    words = "wrong entry" if task.game is Game.REMOVAL else "wrong set"
    return say[words].format(why=why, right=_solution(task))


def _solution(task: GraphTask) -> str:
    """Return the solution of a task on nodes or edges as text."""
    if task.game is Game.ADJUSTMENT:
        return ", ".join(task.names[k] for k in sorted(task.solution))
    return f" {'—' if task.shown else '→'} ".join(task.names[k] for k in task.solution)


def _forbidden(task: GraphTask, node: int, say: Mapping[str, str]) -> Reason:
    """Return why a node must not be adjusted for: it is on a causal path, or descends from one."""
    dag, (x, y) = task.graph, task.ends
    for path in separation(dag, x, y).paths:
        if path.causal and node in path.nodes:
            values = {"name": task.names[node], "path": path_text(dag, path.nodes, task.names)}
            return say["why mediator"].format(**values), path.nodes, True
    reached = {y, *mediators(dag, x, y)}
    routes = [path.nodes for path in separation(dag, x, node).paths if path.causal and reached & set(path.nodes)]
    last = next(k for k in reversed(routes[0]) if k in reached)
    values = {"name": task.names[node], "path": path_text(dag, routes[0], task.names), "on": task.names[last]}
    return say["why descendant"].format(**values), routes[0], True


def _equivalence(task: GraphTask, answer: Answer, say: Mapping[str, str]) -> Reason:
    """Return what the reversal of an edge keeps, or the v-structure or the cycle that it changes."""
    dag, names = task.graph, task.names
    a, b = answer if dag.amat[answer] else answer[::-1]
    if task.is_right(answer):
        return say["why reversible"].format(a=names[a], b=names[b]), (a, b), False
    edge = path_text(dag, (a, b), names)
    others = {key: set(dag.parents(key)) - {a} for key in (a, b)}
    if made := sorted(others[a] - others[b]):  # such a parent of a is not adjacent to b: a cycle would arise otherwise
        drawn = f"{names[made[0]]} → {names[a]} ← {names[b]}"
        return say["why v-structure made"].format(edge=edge, path=drawn), (made[0], a, b), False
    lost = sorted(others[b] - others[a], key=lambda k: (bool(dag.skeleton[a, k]), k))[0]
    if not dag.skeleton[a, lost]:
        drawn = path_text(dag, (a, b, lost), names)
        return say["why v-structure lost"].format(edge=edge, path=drawn), (a, b, lost), False
    drawn = " → ".join(names[k] for k in (a, lost, b, a))
    return say["why cycle"].format(edge=edge, path=drawn), (a, lost, b), False


def _listed(nodes: Sequence[int], names: Sequence[str], say: Mapping[str, str]) -> str:
    return ", ".join(names[k] for k in nodes) if nodes else say["nothing given"]
