"""The app with its guard before it: what `edgewise app` and `.ci/start` give to Streamlit."""

import streamlit as st
from starlette.middleware import Middleware

from pages.guard import Guard
from pages.session.beginning import begin_with_whole_pages

begin_with_whole_pages()
app = st.App("app.py", middleware=[Middleware(Guard)])
