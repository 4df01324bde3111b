"""The frame of all pages: page configuration, session state and menu."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.blocks import address, shared_links
from pages.blocks.classroom import class_button
from pages.blocks.lessons import glossary
from pages.blocks.projects import outage_banner, workspace_panel
from pages.session import autosave, login, lost_session, restore, shared_link, sidebar, state, workspace
from pages.session.jobs import active_runs, dispatch, ownership, runner
from pages.session.words import language, t

VIZ = Path(__file__).parents[1] / "viz"
STREAMLIT_WORDS = """<style>
[data-testid=stFileUploaderDropzone] button p, [data-testid=stFileUploaderDropzoneInstructions] span { display: none; }
[data-testid=stFileUploaderDropzone] button [data-testid=stMarkdownContainer]::after { content: "%s"; }
[data-testid=stFileUploaderDropzoneInstructions]::after { content: "%s"; font-size: 0.875rem; }
[data-testid=stSkipToContent] { font-size: 0; }
[data-testid=stSkipToContent]::after { content: "%s"; font-size: 0.875rem; }
</style>"""


class Menu(NamedTuple):
    """The requested page, and the pages that need a rule of their own."""

    requested: st.Page
    learn: st.Page
    inspect: st.Page
    compare: st.Page
    learn_more: st.Page


def show() -> None:
    """Run the requested page below the menu."""
    st.set_page_config(page_title="Edgewise", page_icon=VIZ / "icon.png", layout="wide", initial_sidebar_state=240)
    st.html(VIZ / "page.css")
    login.ask_for_login()
    shared_link.look()
    restore.try_again()
    is_lost = lost_session.look()
    if not is_lost:
        state.start_session(shared_link.restore_session)
    ownership.enter(workspace.place().secret if workspace.is_wanted() else "")
    dispatch.make_ready()
    address.speak()
    _translate_streamlit()
    menu = _menu()
    page = menu.requested
    if is_lost:
        lost_session.say_so()
        st.stop()
    shared_links.refuse()
    state.enter(page.url_path)
    address.follow(page.url_path)
    active_runs.look()
    finished = runner.collect()
    if finished is not None and finished.result.complete and page == menu.learn:
        st.switch_page(menu.inspect)
    login.offer_logout()
    sidebar.show(watches=page in (menu.learn, menu.compare))
    shared_links.banner()
    workspace_panel.say_whose(page.url_path)
    outage_banner.banner(page.url_path)
    address.say_problems(page.url_path)
    class_button.banner(page.url_path)
    try:
        if not shared_links.needs_table(page.url_path):
            page.run()
    finally:  # also when the page stops early
        if page != menu.learn_more:  # this page lists all terms itself
            glossary.show((st.session_state.get("lesson") or "") if page.url_path == "lessons" else "")
    address.write(page.url_path)
    outage_banner.show_new(has_saved=autosave.note())


def _menu() -> Menu:
    """Show the menu and return the requested page, with the pages that need their own rule."""
    learn = st.Page("pages/learn.py", title=t("Learn"), icon=":material/play_arrow:")
    inspect = st.Page("pages/inspect.py", title=t("Inspect"), icon=":material/hub:")
    compare = st.Page("pages/compare.py", title=t("Compare"), icon=":material/compare_arrows:")
    learn_more = st.Page("pages/learn_more.py", title=t("Learn more"), icon=":material/menu_book:")
    requested = st.navigation(
        {
            "": [  # pages with their own entry, because each analysis needs them; other pages are in submenus
                st.Page("pages/start.py", title=t("Start"), icon=":material/home:", default=True),
                st.Page("pages/data.py", title=t("Data"), icon=":material/table_chart:"),
                learn,
                inspect,
                compare,
            ],
            t("Use"): [
                st.Page("pages/query.py", title=t("Query"), icon=":material/question_answer:"),
                st.Page("pages/effects.py", title=t("Effects"), icon=":material/trending_up:"),
            ],
            t("Teach"): [
                st.Page("pages/lessons.py", title=t("Lessons"), icon=":material/school:"),
                st.Page("pages/build.py", title=t("Build"), icon=":material/draw:"),
                st.Page("pages/classroom.py", title=t("Class"), icon=":material/groups:"),
            ],
            t("More"): [
                st.Page("pages/projects.py", title=t("Projects"), icon=":material/folder_open:"),
                st.Page("pages/experiments.py", title=t("Experiments"), icon=":material/science:"),
                learn_more,
            ],
        },
        position="top",
        expanded=True,  # for the sidebar of a phone
    )
    return Menu(requested, learn, inspect, compare, learn_more)


def _translate_streamlit() -> None:
    """Replace the English words of Streamlit's file uploaders and its first link, unless the pages are in English."""
    if language() != "en":
        limit = t("at most {n} MB per file", n=st.get_option("server.maxUploadSize"))
        st.html(STREAMLIT_WORDS % (t("Upload"), limit, t("Skip to main content")))
