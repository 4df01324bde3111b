"""Forms of the Learn page: learner, parameters, background knowledge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from learners.choosing.adaptation import adapted
from learners.common.errors import LearnersError
from learners.common.sentences import Count
from learners.common.wording import quoted
from learners.data.dataset import Dataset
from learners.graphs.knowledge import Knowledge
from learners.registry import LEARNERS
from learners.settings.learner import Learner
from learners.settings.parameter import Preset
from pages.blocks import parameter_widgets
from pages.session import background_knowledge, state
from pages.session.state import LEARNER, Source
from pages.session.words import citation, labels_of, t, written
from viz.choosing.learner_list import learner_groups, listed
from viz.labels import with_labels
from viz.text import as_sentence, escape_markdown

LIST_PX = 430  # height of the list of learners
KNOWN = {"tiers": "Known tiers", "edges": "Known edges"}


def least_work(learner: Learner, dataset: Dataset) -> str:
    """Return the minimum number of tests of a constraint-based learner, as the beginning of a sentence."""
    tests = Count(dataset.p * (dataset.p - 1) // 2, "test")
    return t("at least {tests} · ", tests=tests) if learner.family == "constraint-based" else ""


def chosen(here: Source, recommended: str) -> str:
    """Return the learner that the user chose; the recommended one before a choice, or if the table rules it out."""
    key = st.session_state.get(LEARNER)
    if key is None or (LEARNERS[key].refusal(here.dataset) and not _alone_now(here, key)):
        return recommended
    return key


def head(learner: Learner, *, is_recommended: bool) -> None:
    """Show the name of a learner and what it does."""
    mark = " :material/recommend:" if is_recommended else ""
    st.markdown(
        f"**{t(learner.label)}**, {t(learner.family)}{mark}",
        help=_about(learner),
    )


def _about(learner: Learner) -> str:
    """Return the summary of a learner, the reason to choose it, and its paper."""
    reason = t("**Choose it if** {choose_if}. {paper}.", choose_if=t(learner.choose_if), paper=citation(learner.paper))
    return f"{t(learner.summary)} {reason}"


def list_learners(here: Source, key: str, best: Sequence[str]) -> None:
    """List the best learners for the table and the chosen one, and in an expander all learners by kind of result."""
    phrases = {one: phrase for members in learner_groups().values() for one, phrase in members.items()}
    with st.container(key="learn_best", gap=None):
        for one in dict.fromkeys([*best, key]):
            _line(LEARNERS[one], phrases.get(one, ""), here, "best", is_chosen=one == key)
    with st.expander(t("All {learners}", learners=Count(len(LEARNERS), "learner")), key="learn_all"):
        _all_learners(here, key)


def _all_learners(here: Source, key: str) -> None:
    """Show one line for each learner; a learner that the table rules out shows its reason."""
    search = st.text_input(
        t("Search learners"),
        key="learn_search",
        icon=":material/search:",
        placeholder=t("Search learners"),
        label_visibility="collapsed",
    )
    groups = listed(search)
    with st.container(key="learn_list", height=LIST_PX, gap=None):
        if not groups:
            st.caption(t("No learner matches this search."))
        for group, members in groups.items():
            st.caption(t(group))
            for one, phrase in members.items():
                _line(LEARNERS[one], phrase, here, "choose", is_chosen=one == key)


def _line(one: Learner, phrase: str, here: Source, part: str, *, is_chosen: bool) -> None:
    """Show a learner as a button of one line in a part of the list."""
    about = [_about(one)]
    ready = None
    phrase = t(phrase)
    if refusal := one.refusal(here.dataset):
        ready = adapted(one, here.table, here.plan)
        about = [
            escape_markdown(written(as_sentence(refusal))),
            *([escape_markdown(written(as_sentence(ready.note)))] if ready else about),
        ]
    if refusal and not ready:
        phrase = escape_markdown(written(refusal).removeprefix(f"{t(one.label)} "))
    icon = ":material/check_circle:" if is_chosen else ":material/content_cut:" if ready else None
    # A callback, because another rerun may interrupt this one earlier.
    st.button(
        f"**{t(one.label)}**: {phrase}", key=f"learn_{part}_{one.key}", type="tertiary", icon=icon, on_click=choose,
        args=(one.key, (one.key, here.dataset.fingerprint) if ready else None),
        disabled=refusal is not None and ready is None, help=" ".join(about),
    )  # fmt: skip


def _alone_now(here: Source, key: str) -> bool:
    """Return True if the user wants the table prepared for this learner only, and this is possible."""
    asked = st.session_state.get("learner_alone") == (key, here.dataset.fingerprint)
    return asked and state.for_one_run(here, LEARNERS[key]) is not None


def for_this_run(here: Source, learner: Learner) -> Source:
    """Return the table, or its preparation for a learner that refuses it, with a note on what that costs."""
    if learner.refusal(here.dataset) is None:
        return here
    made = state.for_one_run(here, learner)
    st.info(escape_markdown(written(as_sentence(made.alone))), icon=":material/content_cut:")
    return made


def choose(key: str, alone_for: tuple[str, str] | None = None) -> None:
    """Choose a learner; `alone_for` is set if the table is prepared for this learner only."""
    st.session_state[LEARNER], st.session_state.learner_alone = key, alone_for


def parameters(learner: Learner, dataset: Dataset) -> dict[str, Any]:
    """Show a widget for each parameter and return the values."""
    preset = _pick_preset(learner)
    shown = [parameter for parameter in learner.parameters_of(dataset) if parameter.name not in preset.fixed]
    shown.sort(key=lambda one: one.name not in preset.start)  # parameters of the preset come first
    columns, values = st.columns(2), dict(preset.fixed)
    for k, one in enumerate(shown):
        start = preset.start.get(one.name, one.example)
        idle = not one.counts(values)
        by_hand = one.default is not None or one.name in preset.start
        given = parameter_widgets.widget(one, learner, columns[k % 2], start, dataset.names, idle=idle, by_hand=by_hand)
        # A disabled setting must not be refused.
        values[one.name] = one.default if idle else given
    return values


def refuses(learner: Learner, ask: Callable[[], object]) -> bool:
    """Show the error that `ask` raises about settings or table; return True if there is one."""
    try:
        ask()
    except LearnersError as error:
        sentence = with_labels(str(error), learner)
        st.error(escape_markdown(written(as_sentence(sentence))), icon=":material/error:")
        return True
    return False


def _pick_preset(learner: Learner) -> Preset:
    """Let the user choose a preset of a learner, which fixes some parameters."""
    if not learner.presets:
        return Preset("", "", {})
    presets = {preset.label: preset for preset in learner.presets}
    chosen = st.segmented_control(
        t("Preset"),
        list(presets),
        format_func=labels_of(),
        default=learner.presets[0].label,
        required=True,
        key=f"learn_{learner.key}_preset",
        persist_state="session",
    )
    st.caption("  \n".join(f"**{t(one.label)}**: {t(one.help)}" for one in learner.presets))
    return presets[chosen]


def knowledge(dataset: Dataset) -> Knowledge:
    """Let the user edit the background knowledge of the variables, and return it."""
    noted = f"known_said_{hash(dataset.names)}"
    summary = st.session_state.get(noted, "")
    label = t("Background knowledge ({summary})", summary=summary) if summary else t("Background knowledge")
    with st.expander(label, expanded=bool(summary), key="learn_known_fold"):
        st.caption(
            t(
                "Tiers order variables in time: no edge leads from a later tier to an earlier one. Leave "
                "unknown tiers empty."
            )
        )
        _edited("tiers", _no_tiers(dataset), dataset, _tier_columns(), "fixed")
        st.caption(t("Required and forbidden edges. To separate two variables, forbid both directions."))
        no_edges = pd.DataFrame(columns=background_knowledge.EDGES, dtype="str")
        edges = _edited("edges", no_edges, dataset, _edge_columns(dataset), "dynamic")
        unfinished = _unfinished(edges)
        if unfinished:
            st.warning(escape_markdown(" ".join(unfinished)), icon=":material/edit:")
    now = background_knowledge.knowledge(dataset.names)
    half = t("{rows} unfinished", rows=Count(len(unfinished), "row")) if unfinished else ""
    fresh = ", ".join(filter(None, [background_knowledge.in_short(now), half]))
    if fresh != summary:
        st.session_state[noted] = fresh
        st.rerun()
    return now


def _unfinished(edges: pd.DataFrame) -> list[str]:
    """Return one sentence for each incomplete row, which does not count yet."""
    empty = edges.isna() | (edges == "")
    return [
        t(
            "Row {n} is ignored until it has {fields}.",
            n=position + 1,
            fields=quoted([t(one) for one in edges.columns[row]]),
        )
        for position, row in enumerate(empty.to_numpy())
        if row.any() and not row.all()
    ]


def _no_tiers(dataset: Dataset) -> pd.DataFrame:
    return pd.DataFrame({"variable": dataset.names, "tier": pd.array([None] * dataset.p, "Int64")})


def _tier_columns() -> dict:
    return {
        "variable": st.column_config.TextColumn(t("variable"), disabled=True),
        "tier": st.column_config.NumberColumn(t("tier"), min_value=0, step=1),
    }


def _edge_columns(dataset: Dataset) -> dict:
    names = list(dataset.names)
    ends = {name: st.column_config.SelectboxColumn(t(name), options=names) for name in ("from", "to")}
    rule = st.column_config.SelectboxColumn(t("rule"), options=["required", "forbidden"], format_func=labels_of())
    return ends | {"rule": rule}


def _edited(what: str, empty: pd.DataFrame, dataset: Dataset, columns: dict, num_rows: str) -> pd.DataFrame:
    """Show a data editor whose content survives a visit to another page, one for each set of variables."""
    stem = background_knowledge.stem(what, dataset.names)
    key = f"learn_{stem}"
    if key not in st.session_state:  # the page was opened again
        st.session_state[f"{stem}_base"] = st.session_state.get(f"{stem}_now", empty)
    now = st.data_editor(
        st.session_state[f"{stem}_base"],
        key=key,
        hide_index=True,
        column_config=columns,
        num_rows=num_rows,
        alt=t(KNOWN[what]),
        placeholder="",
    )
    st.session_state[f"{stem}_now"] = now
    return now
