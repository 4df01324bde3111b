"""Learn more: terms, marks, and the limits of conclusions from a graph."""

import streamlit as st

from learners.registry import LEARNERS
from pages import documentation
from pages.blocks.lessons import lesson_view
from pages.session import workspace
from viz.glossary.terms import GLOSSARIES, LESSONS
from viz.legend import MARKS_SHOWN
from viz.text import count

st.title("Learn more", anchor=False)
if documentation.is_built():
    st.link_button("Open the documentation", documentation.FIRST_PAGE, icon=":material/menu_book:")
st.markdown(
    """
A **Bayesian network** is a graph of arrows between variables. Given its parents, each variable is independent of all
others except its descendants. Often several such graphs fit a table equally well. A **CPDAG** represents them all: an
arrow where they agree, a line without arrowhead where they differ.
"""
)
st.subheader("Arrows and causes", anchor=False)
st.markdown(
    """
An arrow means that *all graphs with these independences share this direction*. A causal reading needs assumptions that
no table can confirm:

- no common cause of two variables is missing (causal sufficiency),
- the rows were not selected by their values,
- independences follow from the graph, not from effects that cancel (faithfulness),
- there are no feedback loops,
- the tests decided correctly.
"""
)
st.subheader("Marks", anchor=False)
st.dataframe(MARKS_SHOWN, hide_index=True, alt="Marks of the graph and their meaning")
st.subheader("Terms", anchor=False)
language = lesson_view.language()
glossary = GLOSSARIES[language]
with st.expander(f"Glossary ({count(len(glossary), 'term')})", key="learn_more_glossary"):
    for term, meaning in glossary.items():
        st.markdown(f"**{term}**: {meaning} [{lesson_view.words()['lesson']}](lessons?lesson={LESSONS[term]})")
st.subheader("Methods", anchor=False)
with st.expander(count(len(LEARNERS), "learner"), key="learn_more_learners"):
    for learner in LEARNERS.values():
        st.markdown(f"**{learner.label}**: {learner.summary} {learner.paper}.")
st.subheader("Your data", anchor=False)
st.markdown(
    (
        "Your tables and results are saved on this server until you delete them on the Projects page. "
        "Only you can see them. "
        if workspace.is_kept()
        else "Your tables stay in the memory of this server until you close or reload the page. They are not written "
        "to disk, and only you can see them. "
    )
    + "The page contacts no other server."
)
