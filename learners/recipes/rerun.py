"""Rerun of a recipe, and a comparison of its result with the recorded fingerprints."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..common.progress import Tick
from ..common.validation import validated
from ..common.version import __version__
from ..common.wording import count, quoted
from ..data.plan.data_use import use_of
from ..data.plan.plan_file import fitted
from ..data.plan.preparation import prepare
from ..data.reading.table import Table
from ..data.resampling import held_out
from ..registry import learn
from ..results.result import LearnResult
from .fingerprints import ResultFingerprint, TableFingerprint, fingerprint_result, fingerprint_table
from .recipe import Recipe


@dataclass(frozen=True)
class Verdict:
    """Comparison of a result with the result of a recipe.

    Attributes
    ----------
    same : bool or None
        True if graph and strengths agree; None if either run was cancelled, so that they cannot be compared.
    sentences : tuple of str
        Agreements and differences of result, table and version.
    """

    same: bool | None
    sentences: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Rerun:
    """Result of `rerun`.

    Attributes
    ----------
    result : LearnResult
    verdict : Verdict
    notes : tuple of str
        Changes of the plan and preparation steps that the table needed.
    """

    result: LearnResult
    verdict: Verdict
    notes: tuple[str, ...]


@validated
def rerun(recipe: Recipe, table: Table, *, tick: Tick | None = None) -> Rerun:
    r"""Rerun a recipe on its own table or on another table with the same columns.

    Parameters
    ----------
    recipe : Recipe
    table : Table
        Read with ``read_table(path, **recipe.reading)``.
    tick : Tick, optional
        Progress listener ``tick(phase, done, total)``; the run stops if it returns False.

    Raises
    ------
    DataError
        If the table lacks a column of the recipe, or the learner does not accept it.
    ParameterError
        If a parameter is out of range.

    Examples
    --------
    >>> from learners import default_plan, learn, prepare, read_table, recipe_of, rerun
    >>> table = read_table(b"a,b\n" + b"0,0\n0,1\n1,1\n" * 30)
    >>> plan = default_plan(table)
    >>> recipe = recipe_of(table, plan, learn("pc", prepare(table, plan).dataset))
    >>> rerun(recipe, table).verdict.sentences
    ('the result is the same: 1 edge, of the same strength',)
    """
    plan, notes = fitted(recipe.plan, table)
    prepared = prepare(table, plan)
    dataset = held_out(prepared.dataset, recipe.held_out, seed=0)[0] if recipe.held_out else prepared.dataset
    result = learn(
        recipe.learner, dataset, knowledge=recipe.knowledge, tick=tick, seed=recipe.seed, **recipe.parameters
    )
    result = replace(result, use=use_of(dataset, table, plan))
    return Rerun(result, verdict(recipe, table, result), (*notes, *prepared.notes))


def verdict(recipe: Recipe, table: Table, result: LearnResult) -> Verdict:
    """Compare the result of a rerun with the fingerprints in the recipe."""
    same, sentence = _result_sentence(recipe.result, result)
    others = [
        _table_sentence(recipe.table, fingerprint_table(table)),
        _edges_sentence(recipe.result, fingerprint_result(result)),
    ]
    if recipe.version != __version__:
        others.append(f"the recipe is of version {quoted([recipe.version])}, this is version {quoted([__version__])}")
    return Verdict(same, (sentence, *filter(None, others)))


def _result_sentence(then: ResultFingerprint | None, result: LearnResult) -> tuple[bool | None, str]:
    if then is None:
        return None, "the run of the recipe was stopped before its end, so there is no result to compare with"
    if not result.complete:
        return None, "this run was stopped before its end, so its result cannot be compared"
    now = fingerprint_result(result)
    edges = count(now.edges, "edge")
    if now.graph != then.graph:
        were = f"{count(then.edges, 'edge')} then, {now.edges:,} now"
        return False, f"the result differs: another graph ({were if now.edges != then.edges else f'also of {edges}'})"
    if now.strengths != then.strengths:
        return False, f"the result differs: the graph is the same, of {edges}, but not all strengths are"
    return True, f"the result is the same: {f'{edges}, of the same strength' if now.edges else 'no edge'}"


def _edges_sentence(then: ResultFingerprint | None, now: ResultFingerprint) -> str:
    """Return a warning if the recipe states a wrong number of edges for its own graph; "" otherwise."""
    if then is None or then.graph != now.graph or then.edges == now.edges:
        return ""
    return f"the recipe was changed: it gives its graph {count(then.edges, 'edge')}, not {now.edges:,}; export it again"


def _table_sentence(then: TableFingerprint, now: TableFingerprint) -> str:
    """Return the difference between the table and the table of the recipe, or ""."""
    sizes = [f"{count(one.rows, 'row')} and {count(one.columns, 'column')}" for one in (then, now)]
    if then.sha256 == now.sha256:
        if sizes[0] == sizes[1]:
            return ""
        return f"the recipe was changed: it gives its table {sizes[0]}, the table has {sizes[1]}; export it again"
    if sizes[0] != sizes[1]:
        return f"the table differs: {sizes[0]} then, {sizes[1]} now"
    return f"the table differs: its names, cells or their order, though it has {sizes[1]} as then"
