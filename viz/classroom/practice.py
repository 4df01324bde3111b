"""Sentences and pictures of the games on random DAGs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise

from learners.effects.adjustment import adjustment_sets
from learners.effects.paths import Path, mediators, separation
from learners.graphs.graph import Edge
from learners.teaching.lessons.path_reasons import Reason, path_reason, path_text
from learners.teaching.quiz.graph_tasks import Answer, Game, GraphTask, is_adjustment_set

from ..effects.picture import Roles, with_marked, with_path, with_reason
from ..graph_data import GraphViewData


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


def drawn_roles(task: GraphTask, answer: Answer, chosen: Collection[int] = ()) -> Roles:
    """Return the roles of the nodes in the picture of a task; `answer` is None until it is checked.

    Only a task on an effect has a cause. The variables of other tasks, and chosen variables that are not conditioned
    on, have neutral badges.
    """
    if task.game is Game.REMOVAL:
        if answer is None:
            return {}
        edge = tuple(sorted(answer))
        members, _ = task.removals.evidence(frozenset([edge]) if not task.is_right(answer) else task.removals.solution)
        return dict.fromkeys(members, "given") | dict.fromkeys(edge, "asked")
    ends = dict.fromkeys(task.ends, "asked")
    if task.game is Game.ADJUSTMENT:
        return dict.fromkeys(chosen if answer is None else answer, "given") | dict(
            zip(task.ends, ("cause", "effect"), strict=True)
        )
    if task.game is Game.COLLIDERS:
        if answer is None:
            return dict.fromkeys(chosen, "chosen") | ends
        found = task.solution
        judged = {"right": found & answer, "wrong": answer - found, "missed": found - answer}
        return ends | {k: role for role, some in judged.items() for k in some}
    return dict.fromkeys(task.given, "given") | ends


def task_picture(task: GraphTask, answer: Answer, data: GraphViewData, chosen: Edge | None = None) -> GraphViewData:
    """Return the graph of a task with the marks of its state.

    Parameters
    ----------
    task : GraphTask
    answer : bool, set of nodes, edge or None
        The checked answer; None until it is checked.
    data : GraphViewData
        The DAG of the task.
    chosen : (int, int), optional
        The edge that is chosen but not checked, in `Game.EQUIVALENCE`.

    Returns
    -------
    GraphViewData
        The path that the task names has its own mark, open or not. After an answer, all paths between two variables
        are open or blocked under this answer; and an edge is right, wrong, or part of the reason.
    """
    if task.path:
        return with_path(data, task.path, "", "traced")
    if task.game is Game.EQUIVALENCE:
        return _marked_edges(task, answer, data, chosen)
    paths = () if answer is None else evidence(task, answer)
    return with_reason(data, paths, "") if paths else data


def working_picture(task: GraphTask, answer: Answer, data: GraphViewData, chosen: Edge | None = None) -> GraphViewData:
    """Return the graph of PC with the chosen edge, or with the verdict: the edge that leaves, and a wrong choice."""
    if answer is None:
        return with_marked(data, [chosen], "chosen") if chosen else data
    wrong = [] if task.is_right(answer) else [answer]
    return with_marked(with_marked(data, wrong, "mistaken"), [task.solution], "solved")


def _marked_edges(task: GraphTask, answer: Answer, data: GraphViewData, chosen: Edge | None) -> GraphViewData:
    """Return the DAG with the chosen edge; after an answer, with the verdict and the edges that its reason names."""
    if answer is None:
        return with_marked(data, [chosen], "chosen") if chosen else data
    if task.is_right(answer):
        return with_marked(data, [answer], "solved")
    _, path, _ = _equivalence(task, answer, {})
    marked = with_marked(data, [*pairwise(path)], "reason")
    return with_marked(with_marked(marked, [task.solution], "solved"), [answer], "mistaken")


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
        return _colliders(task, answer, say), task.path, not task.solution
    if task.game is Game.EQUIVALENCE:
        return _equivalence(task, answer, say)
    if task.game is Game.REMOVAL:
        # of a wrong choice and the edge that leaves, each has its sentence
        return task.removals.reason(frozenset([tuple(sorted(answer))]), texts)
    if task.game is Game.ADJUSTMENT:
        return _adjustment(task, answer, say, texts)
    return path_reason(task.graph, task.names, *task.ends, task.given, texts)


def evidence(task: GraphTask, answer: Answer) -> tuple[Path, ...]:
    """Return all paths of the picture of an answer, open and blocked under it; empty in games about other things."""
    if task.game is Game.REMOVAL:
        return task.removals.evidence(frozenset([tuple(sorted(answer))]))[1]
    if task.game is Game.ADJUSTMENT:
        return separation(task.graph, *task.ends, sorted(answer)).paths
    return separation(task.graph, *task.ends, task.given).paths if task.game is Game.SEPARATION else ()


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


def _colliders(task: GraphTask, answer: Answer, say: Mapping[str, str]) -> str:
    """Return why each wrongly chosen node is no collider on the path, and which nodes are."""
    found = sorted(task.solution)
    said = [_no_collider(task, k, say) for k in sorted(answer - task.solution)]
    names = _listed(found, task.names, say)
    said.append(
        say["why colliders" if len(found) > 1 else "why collider" if found else "why no collider"].format(names=names)
    )
    return " ".join(said)


def _no_collider(task: GraphTask, node: int, say: Mapping[str, str]) -> str:
    """Return which part of the path a node is the middle of, or that it is not on the path."""
    if node not in task.path:
        return say["why off path"].format(name=task.names[node])
    at = task.path.index(node)
    part = task.path[at - 1 : at + 2]
    arrows_out = sum(bool(task.graph.amat[node, k]) for k in (part[0], part[2]))
    drawn = path_text(task.graph, part, task.names)
    return say["why fork" if arrows_out == 2 else "why chain"].format(name=task.names[node], path=drawn)


def _adjustment(task: GraphTask, answer: Answer, say: Mapping[str, str], texts: Mapping[str, str]) -> Reason:
    """Return the state of the non-causal paths, and of the causal ones if the answer is right, or a forbidden node."""
    if forbidden := sorted(set(answer) & set(adjustment_sets(task.graph, *task.ends).forbidden)):
        return _forbidden(task, forbidden[0], say)
    words = {key[len("non-causal ") :]: text for key, text in say.items() if key.startswith("non-causal ")}
    graph, given = task.blocking(answer)
    why, path, is_open = path_reason(graph, task.names, *task.ends, given, {**texts, **words})
    if not is_open:
        causal = [one.nodes for one in separation(task.graph, *task.ends, given).paths if one.causal]
        drawn = ", ".join(path_text(task.graph, one, task.names) for one in causal)
        why += " " + say["causal path open" if len(causal) == 1 else "causal paths open"].format(paths=drawn)
        if needless := sorted(set(answer) - set(enough := _smallest_part(task, answer))):
            values = {"names": _listed(needless, task.names, say), "enough": _listed(enough, task.names, say)}
            why += " " + say["needless"].format(**values)
    return why, path, is_open


def _smallest_part(task: GraphTask, answer: Collection[int]) -> tuple[int, ...]:
    """Return the smallest part of an adjustment set that is one."""
    parts = (part for n in range(len(answer) + 1) for part in combinations(sorted(answer), n))
    return next(part for part in parts if is_adjustment_set(task.graph, *task.ends, part))


def _forbidden(task: GraphTask, node: int, say: Mapping[str, str]) -> Reason:
    """Return why a node must not be adjusted for: it is on a causal path, or descends from one."""
    dag, (x, y) = task.graph, task.ends
    for path in separation(dag, x, y).paths:
        if path.causal and node in path.nodes:
            values = {"name": task.names[node], "path": path_text(dag, path.nodes, task.names)}
            return say["why mediator"].format(**values), path.nodes, False
    reached = {y, *mediators(dag, x, y)}
    routes = [path.nodes for path in separation(dag, x, node).paths if path.causal and reached & set(path.nodes)]
    last = next(k for k in reversed(routes[0]) if k in reached)
    values = {"name": task.names[node], "path": path_text(dag, routes[0], task.names), "on": task.names[last]}
    return say["why descendant"].format(**values), routes[0], False


def _equivalence(task: GraphTask, answer: Answer, say: Mapping[str, str]) -> Reason:
    """Return what the reversal of an edge keeps, or the v-structure or the cycle that it changes.

    Without captions, the sentence is empty.
    """
    dag, names = task.graph, task.names
    a, b = answer if dag.amat[answer] else answer[::-1]

    def written(key: str, **values: str) -> str:
        return say[key].format(**values) if say else ""

    edge = path_text(dag, (a, b), names)
    others = {key: set(dag.parents(key)) - {a} for key in (a, b)}
    if task.is_right(answer):
        shared = ", ".join(names[k] for k in sorted(others[a]))
        key = "why reversible" if shared else "why reversible alone"
        return written(key, a=names[a], b=names[b], edge=edge, shared=shared), (a, b), False
    if made := sorted(others[a] - others[b]):  # such a parent of a is not adjacent to b: a cycle would arise otherwise
        drawn = f"{names[made[0]]} → {names[a]} ← {names[b]}"
        return written("why v-structure made", edge=edge, path=drawn), (made[0], a, b), False
    lost = sorted(others[b] - others[a], key=lambda k: (bool(dag.skeleton[a, k]), k))[0]
    if not dag.skeleton[a, lost]:
        drawn = path_text(dag, (a, b, lost), names)
        return written("why v-structure lost", edge=edge, path=drawn), (a, b, lost), False
    drawn = " → ".join(names[k] for k in (a, lost, b, a))
    return written("why cycle", edge=edge, path=drawn), (a, lost, b), False


def _listed(nodes: Sequence[int], names: Sequence[str], say: Mapping[str, str]) -> str:
    return ", ".join(names[k] for k in nodes) if nodes else say["nothing given"]
