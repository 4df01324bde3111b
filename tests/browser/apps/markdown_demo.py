"""A page that shows every escaped text through Streamlit: as Markdown, in a caption, and on a button."""

import streamlit as st

from tests.browser.test_markdown import TEXTS
from viz.text import escape_markdown

for k, text in enumerate(TEXTS):
    for place, show in (("markdown", st.markdown), ("caption", st.caption), ("error", st.error)):
        with st.container(key=f"{place}{k}"):
            show(escape_markdown(text))
    with st.container(key=f"button{k}"):
        st.button(escape_markdown(text), key=f"press{k}")
