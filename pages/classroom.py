"""Class: the lecturer's view while students answer on their phones."""

import streamlit as st

from pages.blocks.classroom import lecturer_view
from pages.session import classrooms
from pages.session.state import LANGUAGE
from viz.translation.sentences import translator

entry = classrooms.mine()
if entry is None:
    t = translator(st.session_state.get(LANGUAGE) or "en")
    st.title(t("Class"), anchor=False)
    st.markdown(
        t("No class is open. To open one, press *Ask a class* in a [quiz](inspect) or a [lesson](lessons)."),
        help=t("Students join by QR code, without an account."),
    )
    st.stop()
lecturer_view.show(entry)
