"""Learn more: the meaning of terms and marks, and the limits of what a graph says."""

import streamlit as st

from learners.registry import LEARNERS
from pages import documentation
from pages.blocks.lessons import lesson_view
from pages.session import workspace
from viz.glossary.terms import GLOSSARIES, LESSONS
from viz.legend import MARKS_SHOWN

st.title("Learn more", anchor=False)
if documentation.is_built():
    st.link_button("Open the documentation", documentation.FIRST_PAGE, icon=":material/menu_book:")
st.markdown(
    """
A **Bayesian network** is a set of arrows between variables such that each variable, given the ones that point at it,
tells nothing more about those it does not lead to. Many tables can be described by several such graphs that fit
equally well. What they share is drawn as one graph, a **CPDAG**: an arrow where all of them agree, a plain line where
they do not.
"""
)
st.subheader("An arrow is not yet a cause", anchor=False)
st.markdown(
    """
An arrow means: *in every graph that fits these independences, it points this way*. To read it as "causes" you need
more than the table: that no common cause of two variables was left out, that no selection shaped the rows, that the
independences reflect the mechanism and did not arise by cancellation, that relations run one way, and that the tests
decided rightly. Edgewise cannot check these for you.
"""
)
st.subheader("Marks", anchor=False)
st.dataframe(MARKS_SHOWN, hide_index=True, alt="Marks of the graph and their meaning")
st.subheader("Words", anchor=False)
lesson_view.choose_language()
language = lesson_view.language()
for word, meaning in GLOSSARIES[language].items():
    st.markdown(f"**{word}**: {meaning} [{lesson_view.words()['lesson']}](lessons?lesson={LESSONS[word]})")
st.subheader("Algorithms", anchor=False)
for learner in LEARNERS.values():
    st.markdown(f"**{learner.label}**: {learner.summary} {learner.paper}.")
st.subheader("Your data", anchor=False)
st.markdown(
    (
        "What you upload and make is kept on this server in your workspace, which nobody else sees, until you delete "
        "it on the Projects page. "
        if workspace.is_kept()
        else "An uploaded table stays in the memory of this server for your session only, and is gone when you close "
        "or reload the page. Nothing of it is written to disk, and no other session can see it. "
    )
    + "The page asks nothing of any other server."
)
