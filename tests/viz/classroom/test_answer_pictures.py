"""Tests of the pictures after an answer: each path that decides is shown open or blocked, right or wrong."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import LessonGraph, LessonQuestion
from learners.teaching.lessons.lesson_parser import read_lesson
from learners.teaching.lessons.picture_answers import ChosenEdges, ChosenNodes
from tests import naive, naive_effects
from viz.classroom.lessons import answer_view, verdict_view

FOLDER = Path(__file__).parents[3] / "lessons"
PATH_CHECKS = ("independent", "dependent", "separator", "adjusts")


def questions():
    """Return all questions of the lessons about paths in a graph."""
    for file in sorted(FOLDER.glob("*.md")):
        for block in read_lesson(file.read_text(encoding="utf-8"), file.stem).blocks:
            if isinstance(block, LessonQuestion) and isinstance(block.subject, LessonGraph):
                one = exercise(block)
                if block.check in PATH_CHECKS or isinstance(one.entry, (ChosenNodes, ChosenEdges)):
                    yield pytest.param(block, one, id=f"{file.stem} {block.line}")


def expected(dag, x, y, given):
    """Return the look of each edge on a path, and the nodes that block a path, by enumeration."""
    looks, crosses = {}, set()
    for path in naive_effects.paths(dag, x, y):
        is_open = naive_effects.is_open(dag, path, given)
        for a, b in pairwise(path):
            if is_open or (min(a, b), max(a, b)) not in looks:
                looks[min(a, b), max(a, b)] = "open" if is_open else "shut"
        crosses |= {k for a, k, b in zip(path, path[1:], path[2:], strict=False) if blocks(dag, a, k, b, given)}
    return looks, crosses


def blocks(dag, a, k, b, given):
    """Return True if a node blocks a path between its neighbours."""
    if dag[a, k] and dag[b, k]:
        return not ({k} | naive.reachable(dag, k)) & set(given)
    return k in given


def shown(view):
    """Return the look of each highlighted edge of a picture, and the nodes with a cross."""
    looks = {
        (min(one["a"], one["b"]), max(one["a"], one["b"])): turn[2]
        for one in view["edges"]
        for turn in one.get("turns", ())
    }
    return looks, {node["id"] for node in view["nodes"] if node.get("blocks")}


def answers_of(entry):
    """Return many answers: right, partly right and wrong ones."""
    if isinstance(entry, ChosenNodes):
        return [frozenset(one) for one in naive_effects.subsets(entry.options)]
    single = [frozenset([edge]) for edge in entry.options]
    part = [entry.solution - {edge} for edge in entry.solution]
    more = [entry.solution | one for one in single]
    return [frozenset(), frozenset(entry.options), entry.solution, *single, *part, *more]


def judged(entry, given):
    """Return the graph whose paths decide about an answer, its two variables and its conditioning set."""
    if isinstance(entry, ChosenEdges):
        members, paths = entry.evidence(given)
        return entry.dag.amat, (paths[0].nodes[0], paths[0].nodes[-1]) if paths else None, members
    dag, (x, y) = entry.graph.amat, entry.ends
    if entry.adjusts and not naive.reachable(dag, x) & given:
        dag = dag.copy()
        dag[x] = False
    return dag, (x, y), tuple(sorted(given))


@pytest.mark.parametrize(("block", "one"), list(questions()))
def test_every_answer_lights_open_and_blocked_paths(block, one):
    """Each edge on an open path is lit as open, each other edge on a path as blocked, with a cross where it is."""
    graph, names = block.subject, block.subject.names
    if one.entry is None:
        dag, ends = graph.graph.amat, [names.index(name.strip()) for name in block.about.partition("|")[0].split(",")]
        if block.check == "adjusts" and not naive.reachable(dag, ends[0]) & set(one.given):
            dag = dag.copy()
            dag[ends[0]] = False
        looks = expected(dag, *ends, one.given)
        view = answer_view(graph, one)
        assert (shown(view) if view else ({}, set())) == looks
        return
    for given in answers_of(one.entry):
        dag, ends, members = judged(one.entry, given)
        view = verdict_view(graph, one.entry, given, one.entry.reason(given, TEXTS["en"]))
        assert shown(view) == (expected(dag, *ends, members) if ends else ({}, set()))
