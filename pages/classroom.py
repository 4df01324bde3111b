"""Class: the lecturer's view while students answer on their phones."""

import streamlit as st

from pages.blocks.classroom import lecturer_view
from pages.session import classrooms

entry = classrooms.mine()
if entry is None:
    st.title("No class is open", anchor=False)
    st.markdown(
        "Begin one with *Ask a class*: in the [quiz](inspect) on a run, or at the top of a [lesson](lessons). "
        "Students join by a QR code, without an account, and answer on their phones."
    )
    st.stop()
lecturer_view.show(entry)
