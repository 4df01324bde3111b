"""Learn more: terms, marks, and the limits of conclusions from a graph."""

import streamlit as st

from learners.common.sentences import Count
from learners.registry import LEARNERS
from pages import documentation
from pages.blocks.lessons import lesson_view
from pages.session import workspace
from pages.session.data_frame import show_table
from pages.session.words import citation, counted, headings, t, worded_cells
from viz.glossary.terms import GLOSSARIES, LESSONS, entry_of
from viz.legend import MARKS_SHOWN

st.title(t("Learn more"), anchor=False)
if documentation.is_built():
    st.link_button(t("Open the documentation"), documentation.FIRST_PAGE, icon=":material/menu_book:")
st.markdown(
    t(
        "A **Bayesian network** is a graph of arrows between variables. Given its parents, each variable is "
        "independent of all others except its descendants. Often several such graphs fit a table equally well. A "
        "**CPDAG** represents them all: an arrow where they agree, a line without arrowhead where they differ."
    )
)
st.subheader(t("Arrows and causes"), anchor=False)
st.markdown(
    t(
        "An arrow means that *all graphs with the same independences share this direction*. It shows a cause only "
        "under assumptions that no table can confirm:"
    )
)
assumptions = (
    t("Every common cause of two variables is in the table (causal sufficiency)."),
    t("No row was included or left out because of its values (no selection bias)."),
    t("Effects along several paths do not cancel each other, and no column is a formula of others (faithfulness)."),
    t("No variable affects itself through others (no feedback)."),
    t("The tests or the score made no error."),
)
st.markdown("\n".join(f"- {one}" for one in assumptions))
st.subheader(t("Marks"), anchor=False)
marks = worded_cells(MARKS_SHOWN, "mark", "meaning")
show_table(
    marks,
    hide_index=True,
    alt=t("Marks of the graph and their meaning"),
    column_config=headings(marks),
)
st.subheader(t("Terms"), anchor=False)
language = lesson_view.language()
glossary = GLOSSARIES[language]
with st.expander(t("Glossary ({terms})", terms=Count(len(glossary), "term")), key="learn_more_glossary"):
    word = lesson_view.words()["lesson"]
    for term in glossary:
        head, meaning = entry_of(term, language)
        st.markdown(f"**{head}**: {meaning} [{word}](lessons?lesson={LESSONS[term]})")
st.subheader(t("Methods"), anchor=False)
with st.expander(counted(len(LEARNERS), "learner"), key="learn_more_learners"):
    for learner in LEARNERS.values():
        st.markdown(f"**{t(learner.label)}**: {t(learner.summary)} {citation(learner.paper)}.")
st.subheader(t("Your data"), anchor=False)
st.markdown(
    t(
        "This server saves your tables and results until you delete them on the Projects page. "
        "Other users cannot see them."
        if workspace.is_kept()
        else "Your tables stay in the memory of this server until you close or reload the page. They are not written "
        "to disk, and only you can see them."
    )
    + " "
    + t("The page contacts no other server.")
)
