"""What a session keeps, in a few keys of `st.session_state`. Nothing of it is shared between sessions.

source    Source      the table in use
runs      list[Run]   results, newest last
current   int         position of the run on screen, or -1
places    dict        data set's fingerprint -> node positions, the same for every run and view
layout    str         how nodes are arranged
by_hand   dict        table's title and arrangement -> where the user put variables, by name
job       Job         the run under way, or None
pair      tuple       names of the two variables being explained, or None
pins      list[Moment]   graphs kept for comparing, oldest first
page      str         address of the page on screen
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import streamlit as st

from learners.common.errors import LearnersError
from learners.data.dataset import Dataset
from learners.data.health import check_health
from learners.data.prepare import Plan, default_plan, prepare
from learners.data.scales import Scale, scales
from learners.data.tables import read_table
from learners.data.use import use_of
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.io.samples import SAMPLES, load_sample
from learners.recipes.recipe import Recipe
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult
from learners.settings.alone import alone
from learners.settings.learner import Learner
from learners.warm_up import FIRST_LEARNER
from pages.session import background_knowledge, history, streamlit_patches
from pages.session.source import Source
from viz.snippet import of_sample
from viz.steps import graph_at
from viz.text import LONGEST_TITLE, shorten

FIRST_SAMPLE = "child"
FIRST_TIME = "Learning the first graph… (just after installation kernels are compiled first, up to a minute)"
VIEWS = ["Graph", "Network", "Matrix", "Table"]  # of a run
LANGUAGE = "language"  # key of a choice: the language in which terms are explained
MOST_PINS = 8
MOST_RUNS = 12  # kept a session; older ones make room


@dataclass(frozen=True)
class Run:
    """One result with the data it came from; `data` keeps the pictures made of it (see `made_once`).

    `aside` are rows that were kept from the learner, if any. `recipe` is the one that the run followed, if it did.
    `ticket` is what the run is called in the store.
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
        """For pickers."""
        return f"{self.number}. {self.title}"


@dataclass(frozen=True)
class Moment:
    """A graph to compare: the result of a run, or what a pinned step of it showed."""

    label: str
    run: Run
    graph: PDAG

    @property
    def is_result(self) -> bool:
        """Whether it is what the run returned."""
        return self.graph is self.run.result.graph


def start_session(restore: Callable[[], bool] = lambda: False) -> None:
    """Fill the session the first time: with what `restore` finds, else with a sample, learnt, on screen."""
    if "runs" in st.session_state:
        return
    st.session_state.update(source=None, runs=[], current=-1, places={}, job=None, pair=None, step=None, pins=[])
    st.session_state.update(layout="layered", by_hand={})
    if restore():
        return
    use_sample(st.query_params.get("sample", FIRST_SAMPLE))
    here = source()
    if here.dataset is not None:
        add_run(FIRST_LEARNER, _first_result(st.session_state.sample_key), here.dataset, here)


def enter(path: str) -> None:
    """Note which page is shown; what the page before it redraws by itself is forgotten."""
    if st.session_state.get("page") != path:
        st.session_state.page = path
        forget_timers()


def forget_timers() -> None:
    """Ignore requests that still come from fragments drawn so far.

    A tick of a timer may be on its way when another page takes over. Streamlit would run its fragment after that page,
    under the address of the page it came from, and so empty the screen. It ignores ticks of unknown fragments.
    """
    streamlit_patches.forget_fragments()


@st.cache_resource(show_spinner=FIRST_TIME)
def _first_result(key: str) -> LearnResult:
    """A bundled sample's result: public data, so sessions may share it."""
    loaded = _sample_source(key)
    return learn(FIRST_LEARNER, loaded.dataset)


@st.cache_resource(show_spinner="Reading the sample…")
def _sample_source(key: str) -> Source:
    loaded = load_sample(key)
    table = read_table(loaded.sample.path)
    settled = ("possible_missing",) if loaded.sample.truth else ()
    base = Source(
        loaded.sample.title, table, default_plan(table), truth=loaded.truth, truth_names=table.names, settled=settled,
        origin=of_sample(key),
    )  # fmt: skip
    return with_plan(base, base.plan)


def use_sample(key: str) -> None:
    """Put a bundled sample in use."""
    key = key if key in SAMPLES else FIRST_SAMPLE
    st.session_state.sample_key = key
    st.session_state.source = _sample_source(key)
    st.session_state.pair = None


def with_plan(old: Source, plan: Plan) -> Source:
    """The same table under another plan: checked and, unless something blocks, prepared."""
    findings = tuple(one for one in check_health(old.table, plan) if one.code not in old.settled)
    blocker = next((finding for finding in findings if finding.severity == "blocker"), None)
    if blocker is not None:
        return replace(old, plan=plan, findings=findings, prepared=None, problem=blocker.reason)
    try:
        return replace(old, plan=plan, findings=findings, prepared=prepare(old.table, plan), problem="")
    except LearnersError as error:
        return replace(old, plan=plan, findings=findings, prepared=None, problem=str(error))


def for_one_run(here: Source, learner: Learner) -> Source | None:
    """The table in use as a learner can take it that cannot take it as it is; None if there is no way."""
    ready = alone(learner, here.table, here.plan)
    if ready is None:
        return None
    made = with_plan(replace(here, base=here.dataset), ready.plan)
    return None if made.dataset is None or learner.refusal(made.dataset) else replace(made, alone=ready.said)


def source() -> Source | None:
    """The table in use."""
    return st.session_state.source


def set_source(new: Source) -> None:
    """Put another table, or another view of it, in use."""
    st.session_state.source = new


def set_truth(graph: PDAG, names: tuple[str, ...]) -> None:
    """Hold what was learnt from the data in use, and what will be, against a known graph."""
    here = replace(source(), truth=graph, truth_names=names)
    set_source(here)
    if here.dataset is not None:
        st.session_state.runs = [
            replace(run, truth=here.truth_over(run.result.names))
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
    """Keep a result and show it."""
    runs: list[Run] = st.session_state.runs
    run = Run(
        number=max((run.number for run in runs), default=0) + 1,
        title=title_of(key, result, source, knowledge),
        result=with_use(result, dataset, source),
        dataset=dataset,
        truth=source.truth_over(dataset.names),
        source=source,
        knowledge=knowledge,
        aside=aside,
        seed=seed,
        recipe=recipe,
        ticket=ticket or uuid4().hex,
    )
    history.add(runs, run, MOST_RUNS)
    st.session_state.current = len(runs) - 1
    st.session_state.step = None
    return run


def title_of(key: str, result: LearnResult, source: Source, knowledge: Knowledge | None) -> str:
    """What a run is called."""
    told = _settings_in_short(key, result, knowledge)
    return f"{LEARNERS[key].label} on {shorten(source.title, LONGEST_TITLE)}{told}"


def _settings_in_short(key: str, result: LearnResult, knowledge: Knowledge | None) -> str:
    """What tells runs apart: alpha, whatever parameter is not at its default, and background knowledge."""
    defaults: dict[str, list] = {}  # one name may be a setting for each kind of data
    for one in LEARNERS[key].parameters:
        defaults.setdefault(one.name, []).append(one.default)
    asked = {
        one.name: one
        for one in LEARNERS[key].parameters
        if one.name in result.params and (one.name == "alpha" or result.params[one.name] not in defaults[one.name])
    }
    shown = [
        f"{name if '_' not in name else one.label[0].lower() + one.label[1:]} "
        f"{'no limit' if result.params[name] is None else result.params[name]}"
        for name, one in asked.items()
    ]
    known = background_knowledge.in_short(knowledge)
    shown += [f"knowing {known}"] if known else []
    return " (" + ", ".join(shown) + ")" if shown else ""


def with_use(result: LearnResult, dataset: Dataset, source: Source) -> LearnResult:
    """The result, saying how much of its table it used and what was done to that for this run alone."""
    use = use_of(dataset, source.table, source.plan)
    result = result if result.use == use else replace(result, use=use)
    if source.alone and source.alone not in result.warnings:
        result = replace(result, warnings=(source.alone, *result.warnings))
    return result


def remove_run(run: Run) -> None:
    """Let a run go; the one on screen stays on screen if it is another."""
    runs, shown = st.session_state.runs, current_run()
    history.remove(runs, run)
    st.session_state.current = next((k for k, one in enumerate(runs) if one is shown), len(runs) - 1)
    if run is shown:
        st.session_state.step = None


def current_run() -> Run | None:
    """The run on screen."""
    runs = st.session_state.runs
    return runs[st.session_state.current] if runs else None


def shown_graph(run: Run) -> PDAG:
    """The graph at the step on screen."""
    step = st.session_state.step
    return made_once(run, "shown", step, lambda: graph_at(run.result, step))


def pin(run: Run, graph: PDAG, where: str = "") -> None:
    """Keep a graph that a run showed for comparing; `where` in the run, if it is not the step on screen."""
    pins, step = st.session_state.pins, st.session_state.step
    where = where or ("" if step is None else f"step {step:,}")
    at = f", {where}" if where else ""
    number = sum(1 for moment in pins if moment.run.number == run.number) + 1
    pins.append(Moment(f"pin {number} of run {run.number}{at}", run, graph))
    del pins[:-MOST_PINS]


def moments() -> list[Moment]:
    """All there is to compare: every run's result, then the pins of runs still kept."""
    kept = {run.number for run in st.session_state.runs}
    st.session_state.pins = [moment for moment in st.session_state.pins if moment.run.number in kept]
    return [Moment(run.label, run, run.result.graph) for run in st.session_state.runs] + st.session_state.pins


def made_once(run: Run, what: str, key: object, make: Callable[[], Any]) -> Any:
    """The picture `what` of a run, made anew only when `key`, all that it depends on, has changed."""
    known = run.data.get(what)
    if known is None or known[0] != key:
        known = run.data[what] = (key, make())
    return known[1]


def scales_of(run: Run) -> dict[str, Scale]:
    """By name how the numbers of a run are read, of the variables that need it."""
    here = run.source
    if here.table is None or here.plan is None:
        return {}
    found = made_once(run, "scales", None, lambda: scales(here.table, here.plan))
    kinds = dict(zip(run.dataset.names, run.dataset.kinds, strict=True))
    return {name: one for name, one in found.items() if kinds.get(name) == "continuous"}
