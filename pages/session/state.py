"""State of a session in a few keys of `st.session_state`; sessions share no state.

source    Source      the table in use
runs      list[Run]   results, newest last
current   int         position of the run on screen, or -1
places    dict        fingerprint of a data set -> computed positions by arrangement
layout    str         name of the arrangement of nodes; `large_layout` that of large graphs
by_hand   dict        (title of the table, arrangement) -> positions chosen by the user, by name
job       Job         the run in progress, or None
pair      tuple       names of the two variables being explained, or None
pins      list[Moment]   graphs pinned for comparison, oldest first
page      str         address of the page on screen
tables    dict        hash of a table -> its source, with the user's decisions
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import streamlit as st

from learners.choosing.adaptation import adapted
from learners.common.errors import LearnersError
from learners.common.run_warning import RunWarning
from learners.common.sentences import Message, Phrase, say
from learners.data.dataset import Dataset
from learners.data.plan.data_use import use_of
from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.plan.scales import Scale, scales
from learners.data.quality.health import check_health, with_found_groups
from learners.data.reading.table import read_table
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.io.samples import SAMPLES, load_sample
from learners.recipes.recipe import Recipe
from learners.registry import LEARNERS, as_completed, learn
from learners.results.result import LearnResult
from learners.settings.learner import Learner
from learners.workers.warm_up import FIRST_LEARNER
from pages.session import background_knowledge, history, streamlit_patches, tables
from pages.session.source import Source
from pages.session.words import LANGUAGE as LANGUAGE
from pages.session.words import language as language
from pages.session.words import t
from viz.kinds import comparable_truth, graph_at
from viz.labels import parameter_of, setting_text, within_sentence
from viz.snippet import of_sample
from viz.text import MAX_TITLE_LENGTH, shorten

FIRST_SAMPLE = "child"
FIRST_TIME = "Learning the first graph… (after an installation this takes up to a minute)"
VIEWS = {"Graph": "Graph", "Network": "Spring layout", "Matrix": "Matrix", "Table": "Table"}  # of a run, with labels
DEFAULT_VIEW = "Graph"
LEARNER = "learner"  # session key of the learner chosen on the Learn page; None for the recommended one
MAX_PINS = 8
MAX_RUNS = 12  # maximum number of runs of a session; the next one replaces the oldest


@dataclass(frozen=True)
class Run:
    """A result with its data.

    Attributes
    ----------
    aside : Dataset or None
        Held-out rows.
    recipe : Recipe or None
        The recipe that the run followed.
    ticket : str
        Identifier of the run in the store.
    data : dict
        Cache of objects made from the run; see `made_once`.
    """

    number: int
    title: str
    result: LearnResult
    dataset: Dataset
    truth: PDAG | None
    source: Source
    knowledge: Knowledge | None = None
    aside: Dataset | None = None
    seed: int = 0
    recipe: Recipe | None = None
    ticket: str = ""
    data: dict = field(default_factory=dict, compare=False)

    @property
    def label(self) -> str:
        """Return the label for pickers."""
        return f"{self.number}. {self.title}"


@dataclass(frozen=True)
class Moment:
    """A graph to compare: the result of a run, or a pinned step of it."""

    label: str
    run: Run
    graph: PDAG

    @property
    def is_result(self) -> bool:
        """Return True if the graph is the result of its run."""
        return self.graph is self.run.result.graph


def start_session(restore: Callable[[], bool] = lambda: False) -> None:
    """Initialize the session with the state that `restore` finds, else with a learned sample."""
    if "runs" in st.session_state:
        return
    st.session_state.update(source=None, runs=[], current=-1, places={}, job=None, pair=None, step=None, pins=[])
    st.session_state.update(layout="layered", large_layout="hubs", by_hand={})
    if restore():
        return
    with st.spinner(t(FIRST_TIME)):
        use_sample(st.query_params.get("sample", FIRST_SAMPLE))
        here = source()
        learned = None if here.dataset is None else first_result(st.session_state.sample_key)
    if learned is not None:
        add_run(FIRST_LEARNER, learned, here.dataset, here)


def enter(path: str) -> None:
    """Record the current page and drop the timers of the previous page."""
    if st.session_state.get("page") != path:
        st.session_state.page = path
        forget_timers()


def forget_timers() -> None:
    """Ignore pending requests of fragments that are already drawn.

    A timer may tick while another page takes over. Streamlit would then run the timer's fragment after that page,
    under the address of the previous page, and so empty the screen. It ignores ticks of unknown fragments.
    """
    streamlit_patches.forget_fragments()


@st.cache_resource(show_spinner=False)
def first_result(key: str) -> LearnResult:
    """Return the result for a bundled sample, which is public and shared by all sessions."""
    return learn(FIRST_LEARNER, sample_source(key).dataset)


@st.cache_resource(show_spinner=False)
def sample_source(key: str) -> Source:
    """Return a bundled sample, prepared; shared by all sessions."""
    loaded = load_sample(key)
    table = read_table(loaded.sample.path)
    settled = ("possible_missing", "doubtful_missing") if loaded.sample.truth else ()
    base = Source(
        loaded.sample.title, table, default_plan(table), truth=loaded.truth, truth_names=table.names, settled=settled,
        origin=of_sample(key),
    )  # fmt: skip
    return with_plan(base, base.plan)


def use_sample(key: str) -> None:
    """Put a bundled sample in use."""
    key = key if key in SAMPLES else FIRST_SAMPLE
    st.session_state.sample_key = key
    set_source(tables.find(sample_source(key).table) or sample_source(key))
    st.session_state.pair = None


def with_plan(old: Source, plan: Plan) -> Source:
    """Return the table under another plan, checked and, unless a finding blocks it, prepared."""
    findings = tuple(finding for finding in check_health(old.table, plan) if finding.code not in old.settled)
    blocker = next((finding for finding in findings if finding.severity == "blocker"), None)
    if blocker is not None:
        return replace(old, plan=plan, findings=findings, prepared=None, problem=blocker.reason)
    try:
        return replace(old, plan=plan, findings=findings, prepared=prepare(old.table, plan), problem="")
    except LearnersError as error:
        return replace(old, plan=plan, findings=findings, prepared=None, problem=str(error))


def for_one_run(here: Source, learner: Learner) -> Source | None:
    """Return the table prepared for a learner that refuses the unchanged table; None if that is impossible."""
    ready = adapted(learner, here.table, here.plan)
    if ready is None:
        return None
    made = with_plan(replace(here, base=here.dataset), ready.plan)
    return None if made.dataset is None or learner.refusal(made.dataset) else replace(made, alone=ready.note)


def source() -> Source | None:
    """Return the table in use."""
    return st.session_state.source


def set_source(new: Source) -> None:
    """Use another table, or another plan for the table."""
    st.session_state.source = new
    tables.remember(new)


def truth_of(here: Source, result: LearnResult) -> PDAG | None:
    """Return the graph with which a result is compared; None if the truth is unknown."""
    truth = here.truth_over(result.names)
    return None if truth is None else comparable_truth(result, truth)


def set_truth(graph: PDAG, names: tuple[str, ...]) -> None:
    """Compare all present and future results on the data in use with a true graph."""
    here = replace(source(), truth=graph, truth_names=names)
    set_source(here)
    if here.dataset is not None:
        st.session_state.runs = [
            replace(run, truth=truth_of(here, run.result))
            if run.dataset.fingerprint == here.dataset.fingerprint
            else run
            for run in st.session_state.runs
        ]


def add_run(
    key: str,
    result: LearnResult,
    dataset: Dataset,
    source: Source,
    knowledge: Knowledge | None = None,
    aside: Dataset | None = None,
    seed: int = 0,
    recipe: Recipe | None = None,
    ticket: str = "",
) -> Run:
    """Store a result and show it."""
    runs: list[Run] = st.session_state.runs
    run = Run(
        number=max((run.number for run in runs), default=0) + 1,
        title=title_of(key, result, source, knowledge),
        result=with_use(result, dataset, source),
        dataset=dataset,
        truth=truth_of(source, result),
        source=source,
        knowledge=knowledge,
        aside=aside,
        seed=seed,
        recipe=recipe,
        ticket=ticket or uuid4().hex,
    )
    history.add(runs, run, MAX_RUNS)
    st.session_state.current = len(runs) - 1
    st.session_state.step = None
    return run


def title_of(key: str, result: LearnResult, source: Source, knowledge: Knowledge | None) -> str:
    """Return the title of a run."""
    rows = None if source.plan is None else source.plan.rows
    settings = _settings_in_short(key, result, knowledge, rows)
    return f"{LEARNERS[key].label} on {shorten(source.title, MAX_TITLE_LENGTH)}{settings}"


def _settings_in_short(key: str, result: LearnResult, knowledge: Knowledge | None, rows: tuple[int, int] | None) -> str:
    """Return the settings that distinguish runs: rows, alpha, non-default parameters, and background knowledge."""
    defaults: dict[str, list] = {}  # a name may have one setting per column type
    for one in LEARNERS[key].parameters:
        defaults.setdefault(one.name, []).append(one.default)
    asked = {
        name: parameter_of(LEARNERS[key], name, (result.params[name],), None)
        for name, usual in defaults.items()
        if name in result.params and (name == "alpha" or result.params[name] not in usual)
    }
    shown = [] if rows is None else [f"rows {rows[0]:,} to {rows[1]:,}"]
    shown += [
        f"{name if name == 'alpha' else within_sentence(one.label)} {setting_text(one, result.params[name])}"
        for name, one in asked.items()
    ]
    known = background_knowledge.in_short(knowledge)
    shown += [f"background knowledge: {known}"] if known else []
    return " (" + ", ".join(shown) + ")" if shown else ""


def with_use(result: LearnResult, dataset: Dataset, source: Source) -> LearnResult:
    """Return the result with its use of the table, and with a warning on changes made for this run only."""
    use = use_of(dataset, source.table, source.plan)
    result = result if result.use == use else replace(result, use=use)
    if source.alone and source.alone not in result.warnings:
        note = source.alone  # a plain text in projects saved by earlier versions
        change = note.sentence if isinstance(note, Phrase) else say("{change}", change=Message(note))
        result = replace(result, warnings=(RunWarning("prepared", change), *result.warnings))
    return result


def remove_run(run: Run) -> None:
    """Remove a run; if it is on screen, show another run."""
    runs, shown = st.session_state.runs, current_run()
    history.remove(runs, run)
    st.session_state.current = next((k for k, other_run in enumerate(runs) if other_run is shown), len(runs) - 1)
    if run is shown:
        st.session_state.step = None


def current_run() -> Run | None:
    """Return the run on screen, or None."""
    runs = st.session_state.runs
    return runs[st.session_state.current] if runs else None


def shown_graph(run: Run) -> PDAG:
    """Return the graph at the step on screen."""
    step = st.session_state.step
    return made_once(run, "shown", step, lambda: graph_at(run.result, step))


def pin(run: Run, graph: PDAG, where: str = "") -> None:
    """Pin a graph for comparison; `where` names its position in the run, by default the step on screen."""
    pins, step = st.session_state.pins, st.session_state.step
    where = where or ("" if step is None else f"step {step:,}")
    at = f", {where}" if where else ""
    number = sum(1 for moment in pins if moment.run.number == run.number) + 1
    pins.append(Moment(f"pin {number} of run {run.number}{at}", run, graph))
    del pins[:-MAX_PINS]


def moments() -> list[Moment]:
    """Return all graphs to compare: the result of every run, then the pins of existing runs."""
    kept = {run.number for run in st.session_state.runs}
    st.session_state.pins = [moment for moment in st.session_state.pins if moment.run.number in kept]
    return [Moment(run.label, run, run.result.graph) for run in st.session_state.runs] + st.session_state.pins


def made_once(run: Run, what: str, key: object, make: Callable[[], Any]) -> Any:
    """Return the cached object `what` of a run, rebuilt when `key`, which must cover all its inputs, has changed."""
    known = run.data.get(what)
    if known is None or known[0] != key:
        known = run.data[what] = (key, make())
    return known[1]


def completed(run: Run) -> Dataset:
    """Return the data of a run as its scores use them, with missing cells imputed where the scores need it."""
    return made_once(run, "completed", None, lambda: as_completed(run.result, run.dataset))


def grouped(run: Run) -> Dataset:
    """Return the data of a run with the groups of dependent rows that are found in its table."""
    here = run.source
    if here.table is None or here.plan is None or here.base is not None:
        return run.dataset
    return made_once(run, "grouped", None, lambda: with_found_groups(run.dataset, here.table, here.plan))


def scales_of(run: Run) -> dict[str, Scale]:
    """Return the scales of the continuous variables of a run that need one, by name."""
    here = run.source
    if here.table is None or here.plan is None:
        return {}
    found = made_once(run, "scales", None, lambda: scales(here.table, here.plan))
    kinds = dict(zip(run.dataset.names, run.dataset.kinds, strict=True))
    return {name: one for name, one in found.items() if kinds.get(name) == "continuous"}
