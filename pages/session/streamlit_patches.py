"""Patches of Streamlit, and every other use of its internals.

`start` applies the patches when the server starts; importing this module changes nothing. The patches rely on classes
that Streamlit does not document. They are applied only to the releases in `TESTED`, and only if those classes look as
expected. Otherwise, or with EDGEWISE_STREAMLIT_PATCHES=off, Streamlit stays as it is and one warning says why.
docs/adr/0002-streamlit-patches.md describes the benefit of each patch.

Click queue
    Streamlit handles an input by running the script again, and interrupts that run for the next input. A browser sends
    a click only once. If its run is interrupted before the script reaches the button, the click is lost. So one run
    follows another (`runner.fastReruns` is off), inputs that arrive meanwhile are merged, and a run that carries a
    click is not interrupted for `CLICK_SECONDS`.
Page turns
    Until a browser shows the new page, inputs from the previous page still name that page and would turn back. For
    example, a graph reports the positions of its nodes a moment after they were moved. A tick of a timer never turns
    a page: a tick from a previous page is dropped.
Addresses
    Each input carries the address that its browser showed at that time. If the script has changed the address since,
    Streamlit takes the older one for a click on Back, and undoes the step, the view or the pair in the address. So an
    address counts only where the browser went there: by Back or Forward, to another page, or as a session begins.
First request
    After a restart, an open page asks its new session for fragments that this session does not know. Streamlit ignores
    such requests. So the first request always runs the whole page, on which `lost` explains what happened.
Upload addresses
    A browser asks where to send a file. When a run begins, Streamlit drops the answer if it was not sent yet, and the
    upload never starts. So the answer is kept.
Main script
    Until a script has called `st.navigation`, Streamlit runs the files of a folder named pages without app.py.
Uploads in memory
    Starlette writes uploads above 1 MB to a temporary file. The disk may be full, or others may read it. Streamlit
    keeps the whole upload in memory anyway.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from uuid import uuid4

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import config

try:
    from streamlit import runtime
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from streamlit.proto.WidgetStates_pb2 import WidgetState
    from streamlit.runtime import websocket_session_manager
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
    from streamlit.runtime.pages_manager import PagesManager
    from streamlit.runtime.scriptrunner import ScriptRunContext, get_script_run_ctx, script_runner
    from streamlit.runtime.scriptrunner_utils.script_requests import (
        RerunData,
        ScriptRequest,
        ScriptRequests,
        ScriptRequestType,
    )
except ImportError as error:
    MISSING = str(error)
    AppSession = ScriptRequests = object  # the patched classes below stay unused
else:
    MISSING = ""

TESTED = ("1.67",)  # releases of Streamlit with which all tests of this module passed
SWITCH = "EDGEWISE_STREAMLIT_PATCHES"
CLICK_SECONDS = 3.0  # seconds until a run with a click can be interrupted, so that users can leave a long computation
TRANSIT_SECONDS = 2.0  # assumed time until a page reaches its browser
TRIGGER_FIELDS = ("trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value")
ANSWERS = ("file_urls_response", "backend_operation_response")  # to uploads and downloads; sent once
UNLIMITED = 0  # value of `spool_max_size`
_LOG = logging.getLogger(__name__)
_loop: asyncio.AbstractEventLoop | None = None  # event loop of the server


class PatchedSession(AppSession):
    """Session that starts with a full page run, and loses no page changes, addresses, uploads or downloads."""

    has_begun = False
    _shown = _left = _turned_to = ""  # page hashes; `_left` until the browser is known to have left that page
    _drawn: float | None = 0.0  # time at which the script began to draw the new page; None until then
    _common: frozenset[str] = frozenset()  # widgets of both pages, kept when the page changes
    _address = ""  # the last address that the script wrote or the browser went to

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Request a run of the page, or of a fragment if the page has run before."""
        if client_state is not None:
            if not self.has_begun:
                client_state.fragment_id = ""
                client_state.is_auto_rerun = False
            if client_state.is_auto_rerun and client_state.page_script_hash not in (self._turned_to, self._shown):
                return  # the script has switched to another page
            turns = self._hold_turn(client_state)
            if turns or client_state.is_history_navigation or not self.has_begun:
                self._address = client_state.query_string
            client_state.query_string = self._address
        self.has_begun = True
        super().request_rerun(client_state)

    def _hold_turn(self, request: ClientState) -> bool:
        """Return True if a request changes the page; redirect a late one to the current page."""
        page = request.page_script_hash
        of_page = {widget.id for widget in request.widget_states.widgets} - self._common  # empty if the page changes
        if page == self._left != "" and of_page and not self._is_shown():
            request.page_script_hash, request.fragment_id = self._turned_to, ""
        elif page != self._turned_to:
            self._left, self._turned_to, self._drawn = self._shown, page, None
            self._common = frozenset(widget.id for widget in request.widget_states.widgets)
            return True
        elif of_page:
            self._left = ""
        return False

    def _is_shown(self) -> bool:
        """Return True if the browser surely shows the new page: an input of the previous page then returns to that."""
        return self._drawn is not None and time.monotonic() > self._drawn + TRANSIT_SECONDS

    def _enqueue_forward_msg(self, msg: ForwardMsg) -> None:
        if msg.HasField("page_info_changed"):
            self._address = msg.page_info_changed.query_string
        if msg.HasField("navigation"):
            self._shown = msg.navigation.page_script_hash
            if self._shown == self._turned_to:
                self._drawn = time.monotonic() if self._drawn is None else self._drawn
            elif self._drawn is not None:  # the script switched to another page
                self._left, self._turned_to = "", self._shown
        super()._enqueue_forward_msg(msg)

    def _clear_queue(self, fragment_ids_this_run: list[str] | None = None) -> None:
        answers = [message for message in self._browser_queue._queue if message.WhichOneof("type") in ANSWERS]
        super()._clear_queue(fragment_ids_this_run)
        kept = {id(message) for message in self._browser_queue._queue}
        for answer in answers:
            if id(answer) not in kept:
                self._browser_queue.enqueue(answer)


class PatchedRequests(ScriptRequests):
    """Rerun requests of a session; requests after a click wait for the run of the click.

    The script itself makes requests here too (`st.rerun`, `st.switch_page`, `st.stop`), and never waits.
    """

    def __init__(self) -> None:
        super().__init__()
        self._protected_until = 0.0
        self._has_run = False

    def request_rerun(self, new_data: RerunData) -> bool:
        """Request a run; return False if the runs have ended."""
        page = self._page_of_script()
        if page and self._full_run_waits() and self._rerun_data.page_script_hash != page:
            return True  # the user changed the page meanwhile, so the script no longer decides the next page
        waits = self._rerun_data if self._state == ScriptRequestType.RERUN else RerunData()
        if new_data.is_auto_rerun and waits.page_script_hash not in ("", new_data.page_script_hash):
            return True  # a tick would return the waiting run to its own page
        accepted = super().request_rerun(new_data)
        stays = waits.page_script_hash == new_data.page_script_hash and not new_data.is_history_navigation
        if accepted and waits.is_history_navigation and stays:  # neither an input nor the script undoes Back
            self._rerun_data = replace(self._rerun_data, query_string=waits.query_string, is_history_navigation=True)
        return accepted

    def request_rerun_batch(self, rerun_batch: list[RerunData]) -> bool:
        """Request the runs for which the callbacks of the script asked."""
        self._page_of_script()
        return super().request_rerun_batch(rerun_batch)

    def request_stop(self) -> None:
        """End the run if its script asks, or all runs if the session does."""
        if self._page_of_script():
            if self._state == ScriptRequestType.RERUN and has_click(self._rerun_data):
                self._rerun_data = replace(self._rerun_data, fragment_id_queue=[], is_fragment_scoped_rerun=False)
            if self._full_run_waits():
                return  # the next run interrupts the script, which is about to yield
        super().request_stop()

    def _full_run_waits(self) -> bool:
        """Return True if the next yield interrupts the script; a waiting fragment does not interrupt it."""
        return self._state == ScriptRequestType.RERUN and not self._rerun_data.fragment_id_queue

    def _page_of_script(self) -> str:
        """Return the page on screen and end the protection if the script itself makes the request, else ""."""
        context = get_script_run_ctx(suppress_warning=True)
        if context is None or context.script_requests is not self:
            return ""
        self._protected_until = 0.0
        return context.page_script_hash

    def on_scriptrunner_ready(self) -> ScriptRequest:
        """Return the request of the next run, or a stop."""
        request = super().on_scriptrunner_ready()
        if request.type == ScriptRequestType.RERUN and self._has_run and _is_tick_of_another_page(request.rerun_data):
            request = super().on_scriptrunner_ready()
        return self._begin(request)

    def on_scriptrunner_yield(self) -> ScriptRequest | None:
        """Return the request that interrupts the current run, if any."""
        if self._state == ScriptRequestType.RERUN and time.monotonic() < self._protected_until:
            return None
        request = super().on_scriptrunner_yield()
        return None if request is None else self._begin(request)

    def _begin(self, request: ScriptRequest) -> ScriptRequest:
        if request.type == ScriptRequestType.RERUN and self._has_run:
            request = ScriptRequest(request.type, _at_current_address(request.rerun_data))
        self._has_run = True
        clicked = request.type == ScriptRequestType.RERUN and has_click(request.rerun_data)
        self._protected_until = time.monotonic() + CLICK_SECONDS if clicked else 0.0
        return request


def _is_tick_of_another_page(data: RerunData) -> bool:
    """Return True if a timer requests fragments of a page other than the last drawn one."""
    before = get_script_run_ctx(suppress_warning=True)
    is_tick = data.is_auto_rerun and bool(data.fragment_id_queue)
    return is_tick and before is not None and data.page_script_hash not in ("", before.page_script_hash)


def _at_current_address(data: RerunData) -> RerunData:
    """Start a run on the same page at the address that the previous run has set."""
    before = get_script_run_ctx(suppress_warning=True)
    if before is None or data.is_history_navigation or data.page_script_hash != before.page_script_hash:
        return data
    return replace(data, query_string=before.query_string)


def has_click(data: RerunData) -> bool:
    """Return True if a request carries a one-shot trigger, such as a click on a button."""
    return any(_is_click(state) for state in (data.widget_states.widgets if data.widget_states else ()))


def _is_click(state: WidgetState) -> bool:
    field = state.WhichOneof("value")
    if field not in TRIGGER_FIELDS:
        return False
    value = getattr(state, field)
    return bool(value.ListFields() if hasattr(value, "ListFields") else value)


def start() -> bool:
    """Apply the patches to the server of the running event loop; return False if Streamlit stays as it is."""
    global _loop
    _loop = asyncio.get_running_loop()
    _keep_uploads_in_memory()
    obstacles = find_obstacles()
    if obstacles:
        _LOG.warning("Streamlit %s runs without Edgewise's patches: %s.", st.__version__, "; ".join(obstacles))
        return False
    websocket_session_manager.AppSession = PatchedSession
    script_runner.ScriptRequests = PatchedRequests
    config.set_option("runner.fastReruns", False)
    PagesManager.uses_pages_directory = False
    return True


def _keep_uploads_in_memory() -> None:
    """Keep uploads off the disk; this depends on Starlette alone."""
    if is_off():
        return
    if isinstance(getattr(MultiPartParser, "spool_max_size", None), int):
        MultiPartParser.spool_max_size = UNLIMITED
    else:
        _LOG.warning("Starlette has no MultiPartParser.spool_max_size: uploads above 1 MB go through temporary files.")


def is_off() -> bool:
    """Return True if the environment turns the patches off."""
    return os.environ.get(SWITCH, "").strip().lower() == "off"


def find_obstacles() -> list[str]:
    """Return the reasons not to apply the patches of Streamlit; empty if there are none."""
    release = ".".join(st.__version__.split(".")[:2])
    if is_off():
        return [f"{SWITCH} is off"]
    if release not in TESTED:
        return [f"they were tested with {', '.join(TESTED)}"]
    return [MISSING] if MISSING else list(_differences())


def _differences() -> Iterator[str]:
    """Compare the installed Streamlit with the parts that the patches rely on."""
    methods = {
        (AppSession, "request_rerun"): ["self", "client_state"],
        (AppSession, "_enqueue_forward_msg"): ["self", "msg"],
        (AppSession, "_clear_queue"): ["self", "fragment_ids_this_run"],
        (ScriptRequests, "__init__"): ["self"],
        (ScriptRequests, "request_rerun"): ["self", "new_data"],
        (ScriptRequests, "request_rerun_batch"): ["self", "rerun_batch"],
        (ScriptRequests, "request_stop"): ["self"],
        (ScriptRequests, "on_scriptrunner_ready"): ["self"],
        (ScriptRequests, "on_scriptrunner_yield"): ["self"],
        (ForwardMsgQueue, "enqueue"): ["self", "msg"],
    }
    for (owner, name), expected in methods.items():
        method = getattr(owner, name, None)
        if method is None or list(inspect.signature(method).parameters) != expected:
            yield f"{owner.__name__}.{name} differs"
    names = {
        AppSession: {"_browser_queue"},
        ForwardMsgQueue: {"_queue"},
        ScriptRequests: {"_state", "_rerun_data"},
        ScriptRequestType: {"RERUN", "STOP"},
        ScriptRunContext: {"script_requests", "page_script_hash", "query_string"},
        RerunData: {"query_string", "widget_states", "page_script_hash", "fragment_id_queue"}
        | {"is_fragment_scoped_rerun", "is_history_navigation", "is_auto_rerun"},
        ClientState: {"query_string", "widget_states", "page_script_hash", "fragment_id"}
        | {"is_auto_rerun", "is_history_navigation"},
        ForwardMsg: {"page_info_changed", "navigation", "file_urls_response"},
        WidgetState: set(TRIGGER_FIELDS),
        PagesManager: {"uses_pages_directory"},
        websocket_session_manager: {"AppSession"},
        script_runner: {"ScriptRequests"},
    }
    for owner, expected in names.items():
        yield from (f"{owner.__name__}.{name} is missing" for name in sorted(expected) if not _has(owner, name))
    if "runner.fastReruns" not in config.get_config_options():
        yield "runner.fastReruns is missing"


def _has(owner: object, name: str) -> bool:
    """Return True if a module, class, dataclass or message has a name; a class may also set it in `__init__`."""
    if hasattr(owner, "DESCRIPTOR"):
        return name in owner.DESCRIPTOR.fields_by_name
    constructor = getattr(getattr(owner, "__init__", None), "__code__", None)
    return hasattr(owner, name) or (constructor is not None and name in constructor.co_names + constructor.co_varnames)


def session_id() -> str:
    """Return the id of the session whose script is running."""
    if _knows_sessions():
        return get_script_run_ctx().session_id
    return st.session_state.setdefault("session_id", uuid4().hex)


def is_connected(session: str) -> bool:
    """Return True if the page of a session is open, or if no server can tell."""
    return not _knows_sessions() or not runtime.exists() or runtime.get_instance().is_active_session(session)


def close_session(session: str) -> None:
    """Close a session on the event loop of the server, from any thread."""
    if _knows_sessions() and _loop is not None:
        _loop.call_soon_threadsafe(runtime.get_instance().close_session, session)


def forget_fragments() -> None:
    """Make Streamlit ignore requests for the fragments that this session has drawn so far."""
    if _knows_sessions():
        get_script_run_ctx().fragment_storage.clear()


@cache
def _knows_sessions() -> bool:
    """Return True if the installed Streamlit has the attributes needed to find and close sessions."""
    if MISSING:
        return False
    needs = ((ScriptRunContext, "session_id"), (ScriptRunContext, "fragment_storage"))
    needs += ((runtime.Runtime, "is_active_session"), (runtime.Runtime, "close_session"))
    return all(_has(owner, name) for owner, name in needs)
