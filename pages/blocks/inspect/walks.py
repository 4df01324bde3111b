"""What the slider walks through: the run as it went, or for some runs the levels of a threshold."""

from __future__ import annotations

import math

import streamlit as st

from learners.averaging.posterior import Posterior
from learners.averaging.probable_edges import ProbableEdges, of_frequencies, of_posterior
from learners.brai.brai import BootstrapRun
from learners.cimap.cuts import Cuts, Kind, cuts_of, kind_of
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import BoundKnowledge, bind
from learners.phgs.path_steps import AlphaSteps, alpha_steps, path_of, solution_steps
from pages.session import state
from pages.session.state import Run
from viz.averaging.words import has_probabilities, is_brai
from viz.cimap.words import is_cimap
from viz.phgs.words import has_path, is_search
from viz.text import LN10

WALKS = {"solutions": "Solution path", "free": "Free alpha", "run": "Run"}
PATH_HELP = (
    "Solution path: the graphs that were scored, one a step. Free alpha: the graph at any level of significance up to "
    "that of the run. Run: test by test, as it was learnt."
)
CUT_WALKS: dict[Kind, str] = {"q": "Any q", "cut": "Any cut μ", "normal cut": "Any cut μ"}
CUT_HELP = "Run: test by test, as it was learnt. The other: the skeleton at any threshold, read off the stored numbers."
PROBABLE_HELP = (
    "Any {number}: the edges with at least the {name} at the line, as faint as it is small, read off what the run "
    "stored. Run: step by step, as {graph} was found."
)


def pick_walk(run: Run) -> None:
    """Solution by solution, any alpha, or test by test; remembered for the session."""
    if has_probabilities(run.result):
        _pick_probable_walk(run)
    if is_cimap(run.result):
        _pick_cut_walk(run)
    if not has_path(run.result):
        return
    key, before = _key(run), walk_of(run)
    st.session_state.setdefault(key, before)

    def changed() -> None:
        """Stay at the alpha on screen."""
        alpha, walk = _alpha_at(run, before), st.session_state[key]
        st.session_state.line = None
        st.session_state.step = None if walk == "run" or alpha is None else _step_of(run, walk, alpha)

    st.segmented_control(
        "What the slider walks", list(WALKS), required=True, format_func=WALKS.get, key=key, persist_state="session",
        on_change=changed, help=PATH_HELP,
    )  # fmt: skip


def _pick_cut_walk(run: Run) -> None:
    """Test by test, or any threshold; remembered for the session."""

    def changed() -> None:
        st.session_state.line = st.session_state.step = None

    st.segmented_control(
        "What the slider walks", ["run", "cuts"], default="run", required=True, key=_key(run), persist_state="session",
        format_func={"run": "Run", "cuts": CUT_WALKS[kind_of(run.result.extra)]}.get, on_change=changed, help=CUT_HELP,
    )  # fmt: skip


def _pick_probable_walk(run: Run) -> None:
    """Any probability, or step by step; remembered for the session."""
    posterior = is_brai(run.result)
    labels = {"probable": "Any probability" if posterior else "Any share", "run": "Run"}
    said = ("probability", "probability", "the best graph") if posterior else ("share", "share of resamples", "it")

    def changed() -> None:
        st.session_state.line = st.session_state.step = None

    st.segmented_control(
        "What the slider walks", list(labels), default="probable", required=True, key=_key(run),
        persist_state="session", format_func=labels.get, on_change=changed,
        help=PROBABLE_HELP.format(number=said[0], name=said[1], graph=said[2]),
    )  # fmt: skip


def walk_of(run: Run) -> str:
    """The one chosen: "solutions", "free", "cuts", "probable" or "run"."""
    if has_probabilities(run.result):
        return st.session_state.get(_key(run)) or "probable"
    if is_cimap(run.result):
        return st.session_state.get(_key(run)) or "run"
    return (st.session_state.get(_key(run)) or _default(run)) if has_path(run.result) else "run"


def steps_of(run: Run, walk: str) -> AlphaSteps:
    """The graphs of a walk along alpha."""
    make = solution_steps if walk == "solutions" else alpha_steps
    return state.made_once(run, f"{walk}_steps", None, lambda: make(run.result, _knowledge(run)))


def cuts_of_run(run: Run) -> Cuts:
    """The skeletons along the threshold of a run of CImap."""
    return state.made_once(run, "cuts", None, lambda: cuts_of(run.result.extra, run.result.graph.skeleton))


def n_classes(run: Run) -> int:
    """How many classes of a run of B-RAI probabilities are averaged over: the run's own number, or the one chosen."""
    return st.session_state.get(f"brai_k_{run.number}") or run.result.extra.k


def posterior_of(run: Run) -> Posterior:
    """The averages over so many classes, from the stored tree."""
    extra: BootstrapRun = run.result.extra
    return state.made_once(run, "posterior", n_classes(run), lambda: extra.posterior(n_classes(run)))


def probable_edges(run: Run) -> ProbableEdges:
    """The edges of a run of B-RAI or the bootstrap by their number."""
    result = run.result
    if is_brai(result):
        return state.made_once(run, "probable", n_classes(run), lambda: of_posterior(posterior_of(run)))
    share = result.params["share"] if result.params["graph"] == "frequent" else None
    return state.made_once(run, "probable", None, lambda: of_frequencies(result.extra, result.graph, share))


def least_on_screen(run: Run) -> float:
    """The probability, or share, that edges on screen have at least."""
    line, edges = st.session_state.get("line"), probable_edges(run)
    at = _step_among(edges)
    if line and line[0] == run.number and edges.step_of(line[1]) == at:
        return line[1]
    return edges.cut if at == edges.choice or not len(edges) else float(edges.levels[at])


def keep_least(run: Run, least: float) -> None:
    """Stay at a probability when others are counted."""
    edges = probable_edges(run)
    at = edges.step_of(least)
    st.session_state.step = None if at == edges.choice else at


def _step_among(edges: ProbableEdges) -> int:
    step = st.session_state.step
    return edges.choice if step is None else max(0, min(step, len(edges) - 1))


def shown_graph(run: Run) -> PDAG:
    """The graph at the step on screen."""
    walk, step = walk_of(run), st.session_state.step
    if walk == "run":
        return state.shown_graph(run)
    if walk == "cuts":
        cuts = cuts_of_run(run)
        at = cuts.choice if step is None else max(0, min(step, len(cuts)))
        return state.made_once(run, "shown_cut", at, lambda: cuts.graph(at, len(run.result.names)))
    if walk == "probable":
        edges = probable_edges(run)
        at = _step_among(edges)
        key = (at, n_classes(run) if is_brai(run.result) else None)
        return state.made_once(run, "shown_probable", key, lambda: edges.graph(at))
    steps = steps_of(run, walk)
    return state.made_once(run, "shown_alpha", (walk, step), lambda: steps.at(_at(steps, walk), len(run.result.names)))


def alpha_on_screen(run: Run) -> float | None:
    """ln of the level of the graph on screen; None while the slider walks the run."""
    return _alpha_at(run, walk_of(run))


def _alpha_at(run: Run, walk: str) -> float | None:
    if walk in ("run", "cuts", "probable"):
        return None
    line, steps, path = st.session_state.get("line"), steps_of(run, walk), path_of(run.result).path
    if walk == "free" and line and line[0] == run.number:
        return line[1] * LN10
    at = _at(steps, walk)
    if at == steps.choice:
        return float(path.log_alphas[path.choice])
    return float(steps.log_alphas[at]) if at else math.log(run.result.params["alpha"])


def go_to_solution(run: Run, number: int) -> None:
    """Show a solution, counted from 1."""
    st.session_state[_key(run)] = "solutions"
    st.session_state.step, st.session_state.line = number, None


def go_to_run(run: Run, step: int) -> None:
    """Show a step of the run as it went."""
    if walk_of(run) != "run":
        st.session_state[_key(run)] = "run"
    st.session_state.step, st.session_state.line = step, None


def _at(steps: AlphaSteps, walk: str) -> int:
    """The step on screen, as `AlphaSteps` counts."""
    step = st.session_state.step
    return steps.choice if step is None else max(0, min(step - _offset(walk), len(steps) - 1))


def _step_of(run: Run, walk: str, log_alpha: float) -> int:
    return steps_of(run, walk).step_of(log_alpha) + _offset(walk)


def _offset(walk: str) -> int:
    """Number of the first step."""
    return int(walk == "solutions")


def _key(run: Run) -> str:
    return f"{run.result.method}_walk"


def _default(run: Run) -> str:
    # The result of pHGS is no solution of its path, so there the run comes first.
    return "run" if is_search(run.result) else "solutions"


def _knowledge(run: Run) -> BoundKnowledge:
    names = run.result.names
    return bind(run.knowledge, names)
