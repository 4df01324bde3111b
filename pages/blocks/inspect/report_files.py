"""Report, recipe and notebook of a run, and the comparison of a run with its recipe."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st

from learners.recipes.recipe import Recipe, recipe_of, write_recipe
from learners.recipes.rerun import verdict
from pages.blocks import rare_values
from pages.session import notes, state, verdicts
from pages.session.state import Run
from pages.session.words import language, spoken, t, written
from viz.notebook import notebook
from viz.report.methods import bibtex, methods_text
from viz.report.report import html_report, markdown_report
from viz.report.subject import Subject
from viz.snippet import Repeated
from viz.text import as_sentence, escape_markdown

File = tuple[str, str, str, Callable[[], str]]  # label, suffix, media type, maker


def files(run: Run, places: np.ndarray, *, rare: bool) -> Sequence[File]:
    """Return report, recipe and notebook; only the report if the plan is unknown or would reveal rare values."""
    subject = subject_of(run, places, rare=rare)
    made: list[File] = [
        ("Report (HTML)", "report.html", "text/html", partial(html_report, subject)),
        ("Report (Markdown)", "report.md", "text/markdown", partial(markdown_report, subject)),
    ]
    if subject.recipe is not None and not names_values(run, rare=rare):
        made.append(("Recipe (JSON)", "recipe.json", "application/json", partial(write_recipe, subject.recipe)))
    again = repeated(run, rare=rare)
    if again is not None:
        made.append(
            ("Notebook (Jupyter)", "ipynb", "application/x-ipynb+json", partial(notebook, again, run.title, spoken()))
        )
    return made


def repeated(run: Run, *, rare: bool) -> Repeated | None:
    """Return the run as a program; None if its table has no known origin or it would reveal rare values."""
    here = run.source
    if names_values(run, rare=rare):
        return None
    if here.origin is None or here.table is None or here.plan is None:
        return None
    return Repeated(here.origin, here.table, here.plan, run.result, run.knowledge, _held_out(run), run.seed)


def names_values(run: Run, *, rare: bool) -> bool:
    """Return True if a recipe of the run would reveal rare values without the user's permission."""
    return not rare and rare_values.names_rare_texts(run)


def pick_explanation(run: Run, x: int, y: int) -> None:
    """Let the user choose whether the explanation of a pair is included in the report."""
    pair, chosen = (min(x, y), max(x, y)), notes.explained(run)
    wanted = st.toggle(
        t("Include in report"), pair in chosen, key=f"why_included_{run.number}_{pair[0]}_{pair[1]}",
        help=t("Reports of this run, under Export, then contain this explanation."),
    )  # fmt: skip
    if wanted != (pair in chosen):
        (chosen.append if wanted else chosen.remove)(pair)
        st.rerun(scope="app")


def say_verdict(run: Run) -> None:
    """Show whether a run that followed a recipe reproduced its result."""
    if run.recipe is None:
        return
    found = state.made_once(run, "verdict", None, lambda: verdict(run.recipe, run.source.table, run.result))
    text = escape_markdown(
        " ".join([t("This run followed a recipe."), *(written(as_sentence(sentence)) for sentence in found.sentences)])
    )
    if found.same:  # one line only, because the graph has priority
        st.caption(f":material/check_circle: {text}")
    else:
        st.warning(text, icon=":material/difference:")


def _held_out(run: Run) -> float:
    """Return the share of held-out rows."""
    rows = 0 if run.aside is None else run.aside.n_rows
    return round(rows / (rows + run.dataset.n_rows), 2)


def _recipe(run: Run) -> Recipe | None:
    here = run.source
    if here.table is None or here.plan is None:
        return None
    given = {"knowledge": run.knowledge, "seed": run.seed, "held_out": _held_out(run), "name": here.title}
    reading = here.origin.options if here.origin else {}
    return state.made_once(
        run, "recipe", None, lambda: recipe_of(here.table, here.plan, run.result, reading=reading, **given)
    )


def subject_of(run: Run, places: np.ndarray, *, rare: bool) -> Subject:
    """Return the run as the subject of a report, which may name `rare` values."""
    here = run.source
    return Subject(
        title=run.title,
        name=here.title,
        result=run.result,
        dataset=run.dataset,
        positions=places,
        table=here.table,
        plan=here.plan,
        notes=here.prepared.notes if here.prepared else (),
        findings=here.findings,
        knowledge=run.knowledge,
        truth=run.truth,
        pairs=tuple(notes.explained(run)),
        note=notes.of(run.ticket),
        recipe=_recipe(run),
        date=datetime.date.today().isoformat(),
        rare=rare,
        methods=notes.methods_of(run.ticket),
        trust=verdicts.of(run),
        language=spoken(),
    )


def methods_fold(run: Run, places: np.ndarray, *, rare: bool) -> None:
    """Show an editable text for a paper and the works to cite, generated when opened."""
    fold = st.expander(t("Text for a paper"), key="methods_fold", icon=":material/article:", on_change="rerun")
    if not fold.open:
        return
    subject = subject_of(run, places, rare=rare)
    with fold:
        notes.ask_methods(
            run.ticket, state.made_once(run, "methods", (rare, language()), lambda: methods_text(subject))
        )
        st.caption(t("Reports contain this text as you edit it. Empty the field to restore it."))
        st.code(bibtex(subject), language="bibtex", wrap_lines=True)
