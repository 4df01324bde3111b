"""Repeat a run from its recipe on the table in use."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Count
from learners.data.plan.plan_file import fitted
from learners.recipes.recipe import Recipe, read_recipe
from learners.registry import LEARNERS
from pages.session import state
from pages.session.jobs import runner
from pages.session.state import Source
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown, shorten

READ = "data_recipe"  # session key of the recipe, or of the error


def recipe_file(here: Source) -> None:
    """Let the user open a stored recipe, summarize it, and offer to run it."""
    with st.expander(t("Repeat a run from a recipe"), key="data_recipe_fold"):
        st.caption(
            t(
                "A recipe holds all settings of a run; export it on the Inspect page. On the command line: "
                "`edgewise run recipe.json data.csv`."
            )
        )
        file = st.file_uploader(t("Recipe file"), type=["json"], key="data_recipe_in")
        if file is None:
            return
        found = _read(file)
        if isinstance(found, str):
            st.error(escape_markdown(written(as_sentence(found))))
            return
        for sentence in _sentences(found, here):
            st.markdown(escape_markdown(sentence))
        busy = bool(st.session_state.job)
        if st.button(t("Run recipe"), type="primary", icon=":material/replay:", key="data_recipe_run", disabled=busy):
            _follow(found, here)
        if problem := st.session_state.pop("data_recipe_problem", ""):
            st.error(escape_markdown(written(as_sentence(problem))))


def _read(file: Any) -> Recipe | str:
    """Return the recipe of an upload, read once, or the error message."""
    if st.session_state.get(READ, ("",))[0] != file.file_id:
        try:
            found: Recipe | str = read_recipe(file.getvalue())
        except LearnersError as error:
            found = str(error)
        st.session_state[READ] = (file.file_id, found)
    return st.session_state[READ][1]


def _sentences(recipe: Recipe, here: Source) -> list[str]:
    """Summarize a recipe, and how the table in use differs from its table."""
    of, mark = shorten(recipe.table.name) or t("a table"), recipe.table
    sentences = [
        t(
            "{learner} on {table}, {rows} and {columns}; its settings replace those of {here}.",
            learner=t(LEARNERS[recipe.learner].label),
            table=of,
            rows=Count(mark.rows, "row"),
            columns=Count(mark.columns, "column"),
            here=shorten(here.title),
        )
    ]
    reading = here.origin.options if here.origin else {}
    if dict(recipe.reading) != dict(reading):
        asked = ", ".join(f"{name} {value}" for name, value in recipe.reading.items()) or t("everything as guessed")
        sentences.append(
            t(
                "Its file was read with other options: {options}. Set them under Import options.",
                options=shorten(asked, 200),
            )
        )
    return sentences


def _follow(recipe: Recipe, here: Source) -> None:
    """Apply the plan of the recipe and run it; if the plan does not fit, only show a message."""
    try:
        plan, _ = fitted(recipe.plan, here.table)
        made = state.with_plan(replace(here, steps=(*here.steps, ("settings of the recipe", here.plan))), plan)
        if made.dataset is None:
            raise LearnersError(made.problem)
        runner.follow(recipe, made)
    except LearnersError as error:
        st.session_state.data_recipe_problem = str(error)
        return
    state.set_source(made)
    st.switch_page("pages/learn.py")
