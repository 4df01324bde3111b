"""Tests of the Streamlit patches: no click, page change, address or upload is lost, and each patch is optional."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from runpy import run_path
from types import SimpleNamespace

import pytest
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType

from pages.lifespan import serving
from pages.session import streamlit_patches
from tests.pages.driving import ROOT

CLICK = WidgetState(id="button", trigger_value=True)
NUMBER = WidgetState(id="number", int_value=3)


class Session:
    """A `PatchedSession` without a server, with a record of what it passes on to Streamlit."""

    def __init__(self, monkeypatch) -> None:
        self.heard: list[ClientState | None] = []
        monkeypatch.setattr(AppSession, "request_rerun", lambda _self, state: self.heard.append(state))
        monkeypatch.setattr(AppSession, "_enqueue_forward_msg", lambda _self, _message: None)
        self.session = streamlit_patches.PatchedSession.__new__(streamlit_patches.PatchedSession)
        # Otherwise the session would be shut down at the end although it was never started.
        self.session._state = AppSessionState.SHUTDOWN_REQUESTED

    def draw(self, page: str) -> None:
        message = ForwardMsg()
        message.navigation.page_script_hash = page
        self.session._enqueue_forward_msg(message)

    def write(self, address: str) -> ForwardMsg:
        """Send the message with which a script changes the address; return it."""
        message = ForwardMsg()
        message.page_info_changed.query_string = address
        self.session._enqueue_forward_msg(message)
        return message

    def ask(self, page: str, *widgets: str, **more: object) -> ClientState:
        """Send a request with the states of these widgets; return it as Streamlit receives it."""
        states = WidgetStates(widgets=[WidgetState(id=one, int_value=1) for one in widgets])
        self.session.request_rerun(ClientState(page_script_hash=page, widget_states=states, **more))
        return self.heard[-1]


@pytest.fixture
def session(monkeypatch) -> Session:
    """Return a session whose page `one` has been drawn."""
    new = Session(monkeypatch)
    new.ask("")
    new.draw("one")
    return new


def test_only_the_first_request_runs_the_whole_page(monkeypatch):
    """A fragment request of an old page gets the whole page; later fragment requests remain fragments."""
    new = Session(monkeypatch)
    heard = [new.ask("one", fragment_id=fragment, is_auto_rerun=True).fragment_id for fragment in ("old", "known")]
    new.session.request_rerun(None)
    assert heard == ["", "known"]
    assert new.heard[-1] is None


@pytest.mark.parametrize("drawn", [False, True])
def test_a_page_turn_holds(session, drawn):
    """Late inputs of the previous page do not return to it, not even as a fragment; their values are passed on."""
    assert session.ask("two", "menu").page_script_hash == "two"
    if drawn:
        session.draw("two")
    for _ in range(2):
        late = session.ask("one", "menu", "graph", fragment_id="room")
        assert (late.page_script_hash, late.fragment_id) == ("two", "")
        assert [one.id for one in late.widget_states.widgets] == ["menu", "graph"]
    assert session.ask("two", "menu", "table", fragment_id="part").fragment_id == "part"


def test_one_can_turn_back(session):
    """A reader can return to an earlier page at once, later or twice, and use it."""
    for page in ("two", "one", "three", "two", "one"):
        assert session.ask(page, "menu").page_script_hash == page
    session.draw("one")
    assert session.ask("one", "menu", "graph").page_script_hash == "one"


def test_one_can_turn_back_from_a_page_with_more_in_its_menu(session, monkeypatch):
    """A request of the previous page returns to it once the browser has had time to show the new page."""
    session.ask("two", "menu")
    session.draw("two")
    session.draw("two")
    monkeypatch.setattr(streamlit_patches, "TRANSIT_SECONDS", -1.0)
    assert session.ask("one", "menu", "more").page_script_hash == "one"


def test_a_script_that_leads_back_is_followed(session):
    """After `st.switch_page` the browser is on that page, and its inputs count."""
    session.ask("two", "menu")
    session.draw("one")  # by a run that had started earlier
    session.draw("two")
    session.draw("one")
    assert session.ask("one", "menu", "graph").page_script_hash == "one"


def test_a_late_tick_turns_no_page(session):
    """The timer of a page that the script has left requests nothing; a timer of the new page does."""
    session.ask("one", "menu", fragment_id="progress", is_auto_rerun=True)
    session.draw("two")
    before = len(session.heard)
    session.ask("one", "menu", "progress", fragment_id="progress", is_auto_rerun=True)
    assert len(session.heard) == before
    assert session.ask("two", "menu", fragment_id="part", is_auto_rerun=True).fragment_id == "part"


def test_an_address_counts_where_the_browser_went_there(session):
    """An address counts at the start, on Back and on another page; other inputs get the script's address."""
    addresses = [session.ask("one", "graph", query_string="old").query_string]
    session.write("step=1")
    addresses += [session.ask("one", "graph", query_string=one).query_string for one in ("step=0", "step=1")]
    addresses.append(session.ask("one", "graph", query_string="step=0", is_history_navigation=True).query_string)
    addresses += [session.ask(page, query_string=page).query_string for page in ("one", "two", "two")]
    assert addresses == ["", "step=1", "step=1", "step=0", "step=0", "two", "two"]
    assert Session.ask(session, "two", "graph", query_string="old", fragment_id="room").query_string == "two"


def test_a_session_begins_where_a_bookmark_leads(monkeypatch):
    """The first request contains the address."""
    assert Session(monkeypatch).ask("", query_string="step=3").query_string == "step=3"


def requests_of(*widgets: WidgetState) -> streamlit_patches.PatchedRequests:
    """Return the requests of a session whose run with these inputs has begun."""
    new = streamlit_patches.PatchedRequests()
    new.request_rerun(RerunData(widget_states=WidgetStates(widgets=widgets)))
    assert new.on_scriptrunner_ready().type == ScriptRequestType.RERUN
    return new


def test_a_run_with_a_click_is_not_interrupted_and_the_next_input_waits(monkeypatch):
    """The run with a click ends, or exceeds its time, before the next begins; no input is lost."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(widget_states=WidgetStates(widgets=[CLICK])))
    assert begun.on_scriptrunner_yield() is None
    begun.request_rerun(RerunData(widget_states=WidgetStates(widgets=[NUMBER])))
    after = begun.on_scriptrunner_ready()
    assert {one.id for one in after.rerun_data.widget_states.widgets} == {"number", "button"}
    begun.request_rerun(RerunData())
    assert begun.on_scriptrunner_yield() is None  # the merged request contains a click again
    monkeypatch.setattr(streamlit_patches, "CLICK_SECONDS", 0.0)
    assert requests_of(CLICK).on_scriptrunner_yield() is None
    late = requests_of(CLICK)
    late.request_rerun(RerunData())
    assert late.on_scriptrunner_yield().type == ScriptRequestType.RERUN


@pytest.fixture
def by_script(monkeypatch) -> Callable[[streamlit_patches.PatchedRequests], None]:
    """Return a function that makes later requests come from the script, on the page `here`."""

    def ask(requests: streamlit_patches.PatchedRequests) -> None:
        monkeypatch.setattr(streamlit_patches, "get_script_run_ctx", lambda **_: asking_of(requests))

    return ask


def asking_of(requests: streamlit_patches.PatchedRequests) -> SimpleNamespace:
    """Return a stub of the script's context, on the page `here`."""
    return SimpleNamespace(script_requests=requests, page_script_hash="here", query_string="written")


@pytest.mark.parametrize("batch", [False, True])
def test_requests_of_the_script_take_effect_at_once(by_script, batch):
    """`st.rerun` and `st.switch_page` take effect at once and keep the waiting click of the same page."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(page_script_hash="here", widget_states=WidgetStates(widgets=[CLICK])))
    by_script(begun)
    asked = RerunData(page_script_hash="there")
    assert begun.request_rerun_batch([asked]) if batch else begun.request_rerun(asked)
    data = begun.on_scriptrunner_yield().rerun_data
    assert data.page_script_hash == "there"
    assert streamlit_patches.has_click(data)


def test_a_page_that_was_turned_to_comes_before_what_the_script_asks_for(by_script):
    """A page change by the user replaces a page change by the script, such as the switch to a finished run."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(page_script_hash="turned"))
    by_script(begun)
    assert begun.request_rerun(RerunData(page_script_hash="here"))
    assert begun.on_scriptrunner_yield().rerun_data.page_script_hash == "turned"


def test_a_tick_of_another_page_is_dropped(by_script):
    """A tick of an abandoned page starts no run, neither during a run nor after it."""
    tick = RerunData(page_script_hash="left", fragment_id="progress", is_auto_rerun=True)
    begun = requests_of(NUMBER)
    begun.request_rerun(RerunData(page_script_hash="here"))
    begun.request_rerun(tick)
    assert begun.on_scriptrunner_yield().rerun_data.page_script_hash == "here"
    by_script(begun)
    begun.request_rerun(tick)
    assert begun.on_scriptrunner_ready().type == ScriptRequestType.STOP
    for kept in (replace(tick, page_script_hash="here"), replace(tick, is_auto_rerun=False)):
        begun = requests_of(NUMBER)
        begun.request_rerun(kept)
        assert begun.on_scriptrunner_ready().rerun_data.fragment_id_queue == ["progress"]


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ({"page_script_hash": "here"}, "written"),
        ({"page_script_hash": "here", "fragment_id": "part"}, "written"),
        ({"page_script_hash": "here", "is_history_navigation": True}, "sent"),
        ({"page_script_hash": "turned"}, "sent"),
    ],
    ids=["input", "of a fragment", "Back", "page turn"],
)
def test_a_waiting_input_runs_at_the_current_address(by_script, asked, address):
    """A waiting input gets the new address; Back and page changes keep their own, even if an input follows."""
    begun = requests_of(NUMBER)
    begun.request_rerun(RerunData(query_string="sent", **asked))
    if "is_history_navigation" in asked:
        begun.request_rerun(RerunData(query_string="sent", page_script_hash="here"))
    by_script(begun)
    assert begun.on_scriptrunner_ready().rerun_data.query_string == address


def test_the_script_does_not_undo_a_waiting_back(by_script):
    """The script requests a run at its own address; a later Back or page change replaces that request."""
    for more, address in (({}, "sent"), ({"is_history_navigation": True}, "own"), ({"page_script_hash": "on"}, "own")):
        begun = requests_of(NUMBER)
        begun.request_rerun(RerunData(query_string="sent", page_script_hash="here", is_history_navigation=True))
        by_script(begun)
        begun.request_rerun(RerunData(**({"query_string": "own", "page_script_hash": "here"} | more)))
        assert begun.on_scriptrunner_ready().rerun_data.query_string == address


def test_the_first_run_of_a_thread_begins_at_the_address_asked_for(by_script):
    """The first run keeps the requested address, because no earlier run has changed it."""
    new = streamlit_patches.PatchedRequests()
    new.request_rerun(RerunData(query_string="sent", page_script_hash="here"))
    by_script(new)
    assert new.on_scriptrunner_ready().rerun_data.query_string == "sent"


def test_a_script_that_stops_loses_no_input(by_script):
    """`st.stop` ends a run but keeps the input that waits for the next."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(page_script_hash="here"))
    by_script(begun)
    begun.request_stop()
    assert begun.on_scriptrunner_yield().type == ScriptRequestType.RERUN
    begun.request_stop()
    assert begun.on_scriptrunner_yield().type == ScriptRequestType.STOP


def test_a_waiting_fragment_does_not_let_the_script_continue(by_script):
    """The script ends at `st.stop` or `st.rerun` although a fragment waits; a click in it runs the whole page."""
    for waiting, after in (([NUMBER], ScriptRequestType.STOP), ([CLICK], ScriptRequestType.RERUN)):
        begun = requests_of(NUMBER)
        widgets = WidgetStates(widgets=waiting)
        begun.request_rerun(RerunData(page_script_hash="here", fragment_id="part", widget_states=widgets))
        by_script(begun)
        begun.request_stop()
        assert begun.on_scriptrunner_yield().type == after
    begun = requests_of(NUMBER)
    begun.request_rerun(RerunData(page_script_hash="turned", fragment_id="part"))
    by_script(begun)
    begun.request_rerun(RerunData(page_script_hash="here"))
    assert begun.on_scriptrunner_yield().type == ScriptRequestType.RERUN


@pytest.mark.parametrize("fragments", [None, ["part"]])
def test_answers_and_page_addresses_survive_the_start_of_a_run(session, fragments):
    """Answers to an upload and a download, and the address, stay in the queue once; old elements are dropped."""
    session.session._browser_queue = queue = ForwardMsgQueue()
    upload, download, drawn = ForwardMsg(), ForwardMsg(), ForwardMsg()
    upload.file_urls_response.response_id = "file"
    download.backend_operation_response.request_id = "file"
    drawn.delta.fragment_id = "part"
    address = session.write("step=1")
    for message in (address, upload, download, drawn):
        queue.enqueue(message)
    session.session._clear_queue(fragments)
    assert queue.flush() == [address, upload, download]


def test_runs_without_a_click_can_be_interrupted_and_all_can_be_stopped():
    """A rerun interrupts a run that no click started; a stop interrupts any run."""
    begun = requests_of(NUMBER)
    begun.request_rerun(RerunData(widget_states=WidgetStates(widgets=[NUMBER])))
    assert begun.on_scriptrunner_yield().type == ScriptRequestType.RERUN
    stopped = requests_of(CLICK)
    stopped.request_stop()
    assert stopped.on_scriptrunner_yield().type == ScriptRequestType.STOP


@pytest.mark.parametrize("field", streamlit_patches.TRIGGER_FIELDS)
def test_every_trigger_counts_as_a_click(field):
    """A trigger counts only if it is set."""
    unset, value = WidgetState(), WidgetState()
    if field in ("string_trigger_value", "chat_input_value"):
        getattr(unset, field).SetInParent()
        getattr(value, field).data = "text"
    else:
        setattr(unset, field, type(getattr(unset, field))())
        setattr(value, field, True if field == "trigger_value" else "{}")
    assert not streamlit_patches.has_click(RerunData(widget_states=WidgetStates(widgets=[unset, NUMBER])))
    assert streamlit_patches.has_click(RerunData(widget_states=WidgetStates(widgets=[unset, value])))
    assert not streamlit_patches.has_click(RerunData())


@pytest.fixture
def plain(monkeypatch) -> None:
    """Restore unpatched Streamlit and Starlette, for the test and after it."""
    monkeypatch.setattr(websocket_session_manager, "AppSession", AppSession)
    monkeypatch.setattr(script_runner, "ScriptRequests", ScriptRequests)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)
    monkeypatch.setattr(streamlit_patches, "_loop", None)
    monkeypatch.delenv(streamlit_patches.SWITCH, raising=False)
    before = config.get_option("runner.fastReruns")
    config.set_option("runner.fastReruns", True)
    yield
    config.set_option("runner.fastReruns", before)


def state_of_streamlit() -> dict[str, object]:
    """Return everything that the patches change."""
    return {
        "session": websocket_session_manager.AppSession,
        "requests": script_runner.ScriptRequests,
        "fast": config.get_option("runner.fastReruns"),
        "folder": PagesManager.uses_pages_directory,
        "spool": MultiPartParser.spool_max_size,
    }


PLAIN = {"session": AppSession, "requests": ScriptRequests, "fast": True, "folder": None, "spool": 1024 * 1024}
PATCHED = {
    "session": streamlit_patches.PatchedSession,
    "requests": streamlit_patches.PatchedRequests,
    "fast": False,
    "folder": False,
    "spool": streamlit_patches.UNLIMITED,
}


async def start() -> bool:
    """Start the patches as the server does, on its event loop."""
    return streamlit_patches.start()


@pytest.mark.usefixtures("plain")
def test_the_server_applies_all_patches_at_its_start(caplog):
    """The installed release is a tested one, and no warning is logged."""
    assert asyncio.run(start())
    assert state_of_streamlit() == PATCHED
    assert caplog.records == []


@pytest.mark.usefixtures("plain")
def test_the_lifespan_of_the_server_starts_the_patches():
    """Importing app.py changes nothing; the server enters `serving` when it starts."""

    async def serve() -> dict[str, object]:
        async with serving(None):
            return state_of_streamlit()

    run_path(str(ROOT / "app.py"), run_name="app")
    assert state_of_streamlit() == PLAIN
    assert asyncio.run(serve()) == PATCHED


def without_parameter(monkeypatch) -> str:
    monkeypatch.setattr(AppSession, "request_rerun", lambda _self: None)
    return "AppSession.request_rerun differs"


def without_method(monkeypatch) -> str:
    monkeypatch.delattr(AppSession, "_clear_queue")
    return "AppSession._clear_queue differs"


def without_attribute(monkeypatch) -> str:
    monkeypatch.setattr(ScriptRequests, "__init__", lambda self: None)  # noqa: ARG005
    return "ScriptRequests._state is missing"


def without_module(monkeypatch) -> str:
    monkeypatch.setattr(streamlit_patches, "MISSING", "No module named 'streamlit.runtime.app_session'")
    return "No module named 'streamlit.runtime.app_session'"


def on_another_release(monkeypatch) -> str:
    monkeypatch.setattr(streamlit_patches.st, "__version__", "1.999.0")
    return f"they were tested with {', '.join(streamlit_patches.TESTED)}"


@pytest.mark.parametrize(
    "change", [without_parameter, without_method, without_attribute, without_module, on_another_release]
)
@pytest.mark.usefixtures("plain")
def test_any_other_streamlit_stays_as_it_is_and_one_warning_says_why(change, monkeypatch, caplog):
    """An untested Streamlit stays unpatched; only the upload patch applies, because it depends on Starlette alone."""
    reason = change(monkeypatch)
    session = websocket_session_manager.AppSession
    assert not asyncio.run(start())
    assert state_of_streamlit() == PLAIN | {"spool": streamlit_patches.UNLIMITED, "session": session}
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert reason in record.getMessage()


@pytest.mark.usefixtures("plain")
def test_the_environment_turns_all_patches_off(monkeypatch, caplog):
    """`EDGEWISE_STREAMLIT_PATCHES=off` leaves Streamlit and Starlette unpatched."""
    monkeypatch.setenv(streamlit_patches.SWITCH, "off")
    assert not asyncio.run(start())
    assert state_of_streamlit() == PLAIN
    assert [record.getMessage().split(": ")[1] for record in caplog.records] == [f"{streamlit_patches.SWITCH} is off."]


@pytest.mark.usefixtures("plain")
def test_a_starlette_without_the_limit_is_not_patched(monkeypatch, caplog):
    """A Starlette without that attribute is not patched, and the warning describes the effect on uploads."""
    monkeypatch.delattr(MultiPartParser, "spool_max_size")
    assert asyncio.run(start())
    assert not hasattr(MultiPartParser, "spool_max_size")
    assert ["temporary files" in record.getMessage() for record in caplog.records] == [True]


@pytest.mark.parametrize("patched", [True, False])
@pytest.mark.usefixtures("plain")
def test_uploads_reach_the_disk_only_without_the_patch(patched, monkeypatch):
    """By default Starlette moves a file of 2 MB from memory to the disk."""
    moved = []
    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", lambda file: moved.append(file.name))
    monkeypatch.setenv(streamlit_patches.SWITCH, "on" if patched else "off")
    asyncio.run(start())
    body = (
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n' + b"1" * 2**21 + b"\r\n--x--\r\n"
    )

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def read() -> int:
        request = Request({"type": "http", "headers": [(b"content-type", b"multipart/form-data; boundary=x")]}, receive)
        async with request.form() as form:
            return form["f"].size

    assert asyncio.run(read()) == 2**21
    assert bool(moved) is not patched


def test_an_unknown_streamlit_has_sessions_without_ids_that_never_leave(monkeypatch):
    """With an unknown Streamlit, each session has its own id, and no job or session is ended early."""
    own: dict[str, str] = {}
    monkeypatch.setattr(streamlit_patches, "_knows_sessions", lambda: False)
    monkeypatch.setattr(streamlit_patches.st, "session_state", own)
    assert streamlit_patches.session_id() == streamlit_patches.session_id() == own["session_id"]
    assert streamlit_patches.is_connected("any")
    streamlit_patches.close_session("any")
    streamlit_patches.forget_fragments()


def test_a_session_is_closed_on_the_event_loop_of_the_server(monkeypatch):
    """Another thread requests the close; before a server has started, nothing happens."""
    closed = []
    server = SimpleNamespace(close_session=lambda session: closed.append((session, threading.get_ident())))
    monkeypatch.setattr(streamlit_patches.runtime, "get_instance", lambda: server)
    monkeypatch.setattr(streamlit_patches, "_loop", None)
    streamlit_patches.close_session("early")

    async def serve() -> int:
        monkeypatch.setattr(streamlit_patches, "_loop", asyncio.get_running_loop())
        await asyncio.to_thread(streamlit_patches.close_session, "left")
        await asyncio.sleep(0)
        return threading.get_ident()

    assert [("left", asyncio.run(serve()))] == closed
