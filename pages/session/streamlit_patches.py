"""What browsers ask of their sessions: the whole page first, and nothing that a person did is lost.

*Whole first.* A page that outlived its session, because the server was restarted or the line was broken for long, goes
on asking for its fragments. Streamlit passes over those that a session does not know, and a new session knows none: the
click, or the progress that is looked at every second, would stay without an answer. Asked for the whole, `lost` says
what happened. And a session begins with app.py: Streamlit takes the files of a folder called pages for pages that need
nothing else until a script has called `st.navigation`.

*Every click is heard.* Streamlit takes up an input by running the script again, and breaks that run off for the input
after it. A click is told once: where its run had not come to it yet, it was lost, on a busy machine two times in five
if another input followed at once. So one run follows another (`runner.fastReruns` is off: no two at once, and what
arrives meanwhile is joined), and one that brings a click is left alone until it is over, or had time to act on it.

*A page turn holds.* Until a browser shows the page that was turned to, what is still sent by the page before it names
that page, which would turn back: a graph tells where its nodes lie a moment after they were moved.

*An address holds.* Each input names the address that its browser showed then. Where the script has written another one
since, the older one would be taken for Back, and undo the step, the view or the pair that the address tells of. So the
address counts where a browser says that it went there: by Back and Forward, to another page, or as a session begins.

*A file arrives.* A browser asks where to send it. Streamlit drops the answer with all that was not sent yet when a run
begins, and the browser would wait for ever.
"""

from __future__ import annotations

import time
from dataclasses import replace

from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx, script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequest,
    ScriptRequests,
    ScriptRequestType,
)

LEFT_ALONE_S = 3.0  # a page that computes for longer can be left, with what its click began
UNDERWAY_S = 2.0  # that a page takes to a browser
TOLD_ONCE = ("trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value")


class AttentiveSession(AppSession):
    """A session of Streamlit whose first request is never for a fragment, and whose page turns and addresses hold."""

    has_begun = False
    _shown = _left = _turned_to = ""  # pages, as Streamlit names them; `_left` until the browser is known to have
    _drawn: float | None = 0.0  # when the script began to draw the page that was turned to; None until then
    _common: frozenset[str] = frozenset()  # widgets that stay when pages are turned
    _address = ""  # what the script wrote into the bar last, or where the browser went since

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Run the page, or the fragment that is asked for if the page was run before."""
        if client_state is not None:
            if not self.has_begun:
                client_state.fragment_id = ""
                client_state.is_auto_rerun = False
            turns = self._hold_turn(client_state)
            if turns or client_state.is_history_navigation or not self.has_begun:
                self._address = client_state.query_string
            client_state.query_string = self._address
        self.has_begun = True
        super().request_rerun(client_state)

    def _hold_turn(self, asked: ClientState) -> bool:
        """Whether the page is turned; one that was turned before stays."""
        page = asked.page_script_hash
        of_page = {one.id for one in asked.widget_states.widgets} - self._common  # none where a page is turned
        if page == self._left != "" and of_page and not self._is_shown():
            asked.page_script_hash, asked.fragment_id = self._turned_to, ""
        elif page != self._turned_to:
            self._left, self._turned_to, self._drawn = self._shown, page, None
            self._common = frozenset(one.id for one in asked.widget_states.widgets)
            return True
        elif of_page:
            self._left = ""
        return False

    def _is_shown(self) -> bool:
        """Whether the browser must have the page by now: what it sends from the one before is a turn back."""
        return self._drawn is not None and time.monotonic() > self._drawn + UNDERWAY_S

    def _enqueue_forward_msg(self, msg: ForwardMsg) -> None:
        if msg.HasField("page_info_changed"):
            self._address = msg.page_info_changed.query_string
        if msg.HasField("navigation"):
            self._shown = msg.navigation.page_script_hash
            if self._shown == self._turned_to:
                self._drawn = time.monotonic() if self._drawn is None else self._drawn
            elif self._drawn is not None:  # the script led on to another
                self._left, self._turned_to = "", self._shown
        super()._enqueue_forward_msg(msg)

    def _clear_queue(self, fragment_ids_this_run: list[str] | None = None) -> None:
        answers = [one for one in self._browser_queue._queue if one.HasField("file_urls_response")]
        super()._clear_queue(fragment_ids_this_run)
        kept = {id(one) for one in self._browser_queue._queue}
        for answer in answers:
            if id(answer) not in kept:
                self._browser_queue.enqueue(answer)


class PatientRequests(ScriptRequests):
    """What a session's runs are to take up; the inputs that follow a click wait for its run.

    The script itself asks here too, by `st.rerun`, `st.switch_page` and `st.stop`, and never waits.
    """

    def __init__(self) -> None:
        super().__init__()
        self._left_alone_until = 0.0
        self._has_run = False

    def request_rerun(self, new_data: RerunData) -> bool:
        """Ask for a run; False if there will be none."""
        here = self._page_of_script()
        if here and self._whole_run_waits() and self._rerun_data.page_script_hash != here:
            return True  # the page was turned meanwhile: that run is the next, and where it goes is not for us to say
        waits = self._rerun_data if self._state == ScriptRequestType.RERUN else RerunData()
        asked = super().request_rerun(new_data)
        stays = waits.page_script_hash == new_data.page_script_hash and not new_data.is_history_navigation
        if asked and waits.is_history_navigation and stays:  # neither an input nor the script undoes a way back
            self._rerun_data = replace(self._rerun_data, query_string=waits.query_string, is_history_navigation=True)
        return asked

    def request_rerun_batch(self, rerun_batch: list[RerunData]) -> bool:
        """As `request_rerun`, for what a script's callbacks ask for."""
        self._page_of_script()
        return super().request_rerun_batch(rerun_batch)

    def request_stop(self) -> None:
        """End the run, and all of them if it is the session that ends."""
        if self._page_of_script():
            if self._state == ScriptRequestType.RERUN and bears_click(self._rerun_data):
                self._rerun_data = replace(self._rerun_data, fragment_id_queue=[], is_fragment_scoped_rerun=False)
            if self._whole_run_waits():
                return  # the script, which is about to yield, is broken off for that
        super().request_stop()

    def _whole_run_waits(self) -> bool:
        """Whether the script ends at its next step; it does not for one of its fragments."""
        return self._state == ScriptRequestType.RERUN and not self._rerun_data.fragment_id_queue

    def _page_of_script(self) -> str:
        """The page on screen if it is the script of these runs that asks, which is heard at once; empty otherwise."""
        asking = get_script_run_ctx(suppress_warning=True)
        if asking is None or asking.script_requests is not self:
            return ""
        self._left_alone_until = 0.0
        return asking.page_script_hash

    def on_scriptrunner_ready(self) -> ScriptRequest:
        """What the next run is to take up, or that there is none."""
        return self._begun(super().on_scriptrunner_ready())

    def on_scriptrunner_yield(self) -> ScriptRequest | None:
        """What the run under way is broken off for, if anything."""
        if self._state == ScriptRequestType.RERUN and time.monotonic() < self._left_alone_until:
            return None
        request = super().on_scriptrunner_yield()
        return None if request is None else self._begun(request)

    def _begun(self, request: ScriptRequest) -> ScriptRequest:
        if request.type == ScriptRequestType.RERUN and self._has_run:
            request = ScriptRequest(request.type, _at_address(request.rerun_data))
        self._has_run = True
        bears = request.type == ScriptRequestType.RERUN and bears_click(request.rerun_data)
        self._left_alone_until = time.monotonic() + LEFT_ALONE_S if bears else 0.0
        return request


def _at_address(data: RerunData) -> RerunData:
    """The run that follows on the same page begins at the address that the one before has left."""
    before = get_script_run_ctx(suppress_warning=True)
    if before is None or data.is_history_navigation or data.page_script_hash != before.page_script_hash:
        return data
    return replace(data, query_string=before.query_string)


def bears_click(data: RerunData) -> bool:
    """Whether a run with these inputs is told something that no later run will be."""
    return any(_told_once(state) for state in (data.widget_states.widgets if data.widget_states else ()))


def _told_once(state: WidgetState) -> bool:
    kind = state.WhichOneof("value")
    if kind not in TOLD_ONCE:
        return False
    value = getattr(state, kind)
    return bool(value.ListFields() if hasattr(value, "ListFields") else value)


def take_every_input() -> None:
    """Let all sessions that this process begins from now on do so."""
    websocket_session_manager.AppSession = AttentiveSession
    script_runner.ScriptRequests = PatientRequests
    config.set_option("runner.fastReruns", False)
    PagesManager.uses_pages_directory = False
