"""Class: the lecturer's view while students answer on their phones."""

import streamlit as st

from pages.blocks.classroom import lecturer_view
from pages.session import classrooms

entry = classrooms.mine()
if entry is None:
    st.title("No open class", anchor=False)
    st.markdown(
        "Start one with *Ask a class* in a [quiz](inspect) or [lesson](lessons).",
        help="Students join by QR code, without an account.",
    )
    st.stop()
lecturer_view.show(entry)
