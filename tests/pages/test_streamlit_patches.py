"""What browsers ask of their sessions: the whole page first, every click once, and the page that was turned to."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
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

from pages.session import streamlit_patches as inputs

CLICK = WidgetState(id="button", trigger_value=True)
NUMBER = WidgetState(id="number", int_value=3)


class Session:
    """An `AttentiveSession` without a server: what it hands on to Streamlit is noted."""

    def __init__(self, monkeypatch) -> None:
        self.heard: list[ClientState | None] = []
        monkeypatch.setattr(AppSession, "request_rerun", lambda _self, state: self.heard.append(state))
        monkeypatch.setattr(AppSession, "_enqueue_forward_msg", lambda _self, _message: None)
        self.session = inputs.AttentiveSession.__new__(inputs.AttentiveSession)
        self.session._state = AppSessionState.SHUTDOWN_REQUESTED  # or it would be shut down at the end, never opened

    def draw(self, page: str) -> None:
        message = ForwardMsg()
        message.navigation.page_script_hash = page
        self.session._enqueue_forward_msg(message)

    def write(self, address: str) -> ForwardMsg:
        """What the script sends that writes into the address bar."""
        message = ForwardMsg()
        message.page_info_changed.query_string = address
        self.session._enqueue_forward_msg(message)
        return message

    def ask(self, page: str, *widgets: str, **more: object) -> ClientState:
        """The browser asks, with the states of these widgets; what became of it."""
        states = WidgetStates(widgets=[WidgetState(id=one, int_value=1) for one in widgets])
        self.session.request_rerun(ClientState(page_script_hash=page, widget_states=states, **more))
        return self.heard[-1]


@pytest.fixture
def session(monkeypatch) -> Session:
    """On the page of the address `one`, which has been drawn."""
    new = Session(monkeypatch)
    new.ask("")
    new.draw("one")
    return new


def test_only_the_first_request_is_widened(monkeypatch):
    """A fragment that an old page asks for becomes the page; from then on fragments are fragments."""
    new = Session(monkeypatch)
    heard = [new.ask("one", fragment_id=fragment, is_auto_rerun=True).fragment_id for fragment in ("old", "known")]
    new.session.request_rerun(None)
    assert heard == ["", "known"]
    assert new.heard[-1] is None


@pytest.mark.parametrize("drawn", [False, True])
def test_a_page_turn_holds(session, drawn):
    """What the page before still sends does not turn back, not even as a fragment, and its values are handed on."""
    assert session.ask("two", "menu").page_script_hash == "two"
    if drawn:
        session.draw("two")
    for _ in range(2):
        late = session.ask("one", "menu", "graph", fragment_id="room")
        assert (late.page_script_hash, late.fragment_id) == ("two", "")
        assert [one.id for one in late.widget_states.widgets] == ["menu", "graph"]
    assert session.ask("two", "menu", "table", fragment_id="part").fragment_id == "part"


def test_one_can_turn_back(session):
    """At once, or later, or twice, and use the page then."""
    for page in ("two", "one", "three", "two", "one"):
        assert session.ask(page, "menu").page_script_hash == page
    session.draw("one")
    assert session.ask("one", "menu", "graph").page_script_hash == "one"


def test_one_can_turn_back_from_a_page_with_more_in_its_menu(session, monkeypatch):
    """Once the browser has had time to show it."""
    session.ask("two", "menu")
    session.draw("two")
    session.draw("two")
    monkeypatch.setattr(inputs, "UNDERWAY_S", -1.0)
    assert session.ask("one", "menu", "more").page_script_hash == "one"


def test_a_script_that_leads_back_is_followed(session):
    """As `st.switch_page` does: the browser is on that page, and what it sends from there is meant."""
    session.ask("two", "menu")
    session.draw("one")  # by a run that had begun before
    session.draw("two")
    session.draw("one")
    assert session.ask("one", "menu", "graph").page_script_hash == "one"


def test_an_address_counts_where_the_browser_went_there(session):
    """As a session begins, by Back, and to another page; an input has that of the script, whatever its own is."""
    addresses = [session.ask("one", "graph", query_string="old").query_string]
    session.write("step=1")
    addresses += [session.ask("one", "graph", query_string=one).query_string for one in ("step=0", "step=1")]
    addresses.append(session.ask("one", "graph", query_string="step=0", is_history_navigation=True).query_string)
    addresses += [session.ask(page, query_string=page).query_string for page in ("one", "two", "two")]
    assert addresses == ["", "step=1", "step=1", "step=0", "step=0", "two", "two"]
    assert Session.ask(session, "two", "graph", query_string="old", fragment_id="room").query_string == "two"


def test_a_session_begins_where_a_bookmark_leads(monkeypatch):
    """Its first request says so."""
    assert Session(monkeypatch).ask("", query_string="step=3").query_string == "step=3"


def requests_of(*widgets: WidgetState) -> inputs.PatientRequests:
    """Those of a session whose run with these inputs has begun."""
    new = inputs.PatientRequests()
    new.request_rerun(RerunData(widget_states=WidgetStates(widgets=widgets)))
    assert new.on_scriptrunner_ready().type == ScriptRequestType.RERUN
    return new


def test_a_run_with_a_click_is_left_alone_and_the_next_input_waits(monkeypatch):
    """Until the run is over, or for some seconds; nothing of what arrived meanwhile is lost."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(widget_states=WidgetStates(widgets=[CLICK])))
    assert begun.on_scriptrunner_yield() is None
    begun.request_rerun(RerunData(widget_states=WidgetStates(widgets=[NUMBER])))
    after = begun.on_scriptrunner_ready()
    assert {one.id for one in after.rerun_data.widget_states.widgets} == {"number", "button"}
    begun.request_rerun(RerunData())
    assert begun.on_scriptrunner_yield() is None  # the one joined from the two bears a click again
    monkeypatch.setattr(inputs, "LEFT_ALONE_S", 0.0)
    assert requests_of(CLICK).on_scriptrunner_yield() is None
    late = requests_of(CLICK)
    late.request_rerun(RerunData())
    assert late.on_scriptrunner_yield().type == ScriptRequestType.RERUN


@pytest.fixture
def by_script(monkeypatch) -> Callable[[inputs.PatientRequests], None]:
    """``by_script(requests)``: from now on it is their script that asks, on the page `here`."""

    def ask(requests: inputs.PatientRequests) -> None:
        monkeypatch.setattr(inputs, "get_script_run_ctx", lambda **_: asking_of(requests))

    return ask


def asking_of(requests: inputs.PatientRequests) -> SimpleNamespace:
    """What Streamlit knows of their script, on the page `here`."""
    return SimpleNamespace(script_requests=requests, page_script_hash="here", query_string="written")


@pytest.mark.parametrize("batch", [False, True])
def test_what_the_script_itself_asks_for_is_heard_at_once(by_script, batch):
    """As `st.rerun` and `st.switch_page` do, with what a browser asked for on the same page joined."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(page_script_hash="here", widget_states=WidgetStates(widgets=[CLICK])))
    by_script(begun)
    asked = RerunData(page_script_hash="there")
    assert begun.request_rerun_batch([asked]) if batch else begun.request_rerun(asked)
    data = begun.on_scriptrunner_yield().rerun_data
    assert data.page_script_hash == "there"
    assert inputs.bears_click(data)


def test_a_page_that_was_turned_to_comes_before_what_the_script_asks_for(by_script):
    """The run that ended meanwhile does not lead on to its result."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(page_script_hash="turned"))
    by_script(begun)
    assert begun.request_rerun(RerunData(page_script_hash="here"))
    assert begun.on_scriptrunner_yield().rerun_data.page_script_hash == "turned"


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
def test_what_waits_begins_at_the_address_that_was_written_meanwhile(by_script, asked, address):
    """It was sent before; but for where the browser went itself, also if an input follows that."""
    begun = requests_of(NUMBER)
    begun.request_rerun(RerunData(query_string="sent", **asked))
    if "is_history_navigation" in asked:
        begun.request_rerun(RerunData(query_string="sent", page_script_hash="here"))
    by_script(begun)
    assert begun.on_scriptrunner_ready().rerun_data.query_string == address


def test_a_way_back_that_waits_is_not_undone_by_the_script(by_script):
    """Which asks for its next run at its own address; the next way back, or another page, counts."""
    for more, address in (({}, "sent"), ({"is_history_navigation": True}, "own"), ({"page_script_hash": "on"}, "own")):
        begun = requests_of(NUMBER)
        begun.request_rerun(RerunData(query_string="sent", page_script_hash="here", is_history_navigation=True))
        by_script(begun)
        begun.request_rerun(RerunData(**({"query_string": "own", "page_script_hash": "here"} | more)))
        assert begun.on_scriptrunner_ready().rerun_data.query_string == address


def test_the_first_run_of_a_thread_begins_at_the_address_asked_for(by_script):
    """No run has written another one there."""
    new = inputs.PatientRequests()
    new.request_rerun(RerunData(query_string="sent", page_script_hash="here"))
    by_script(new)
    assert new.on_scriptrunner_ready().rerun_data.query_string == "sent"


def test_a_script_that_stops_loses_no_input(by_script):
    """`st.stop` ends a run, and with it all that the same requests would take up."""
    begun = requests_of(CLICK)
    begun.request_rerun(RerunData(page_script_hash="here"))
    by_script(begun)
    begun.request_stop()
    assert begun.on_scriptrunner_yield().type == ScriptRequestType.RERUN
    begun.request_stop()
    assert begun.on_scriptrunner_yield().type == ScriptRequestType.STOP


def test_a_fragment_that_waits_lets_no_script_go_on(by_script):
    """Beyond `st.stop` or `st.rerun`: a fragment breaks off no run. A click in one becomes one of the whole page."""
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
def test_file_and_address_are_told_though_a_run_begins(session, fragments):
    """Where the file is to be sent, once (the address Streamlit keeps); what was drawn before is dropped as ever."""
    session.session._browser_queue = queue = ForwardMsgQueue()
    answer, drawn = ForwardMsg(), ForwardMsg()
    answer.file_urls_response.response_id = "file"
    drawn.delta.fragment_id = "part"
    address = session.write("step=1")
    for message in (address, answer, drawn):
        queue.enqueue(message)
    session.session._clear_queue(fragments)
    assert queue.flush() == [address, answer]


def test_other_runs_are_broken_off_and_every_run_can_be_stopped():
    """A slider that is dragged is drawn at its last place; a session that ends does not wait."""
    begun = requests_of(NUMBER)
    begun.request_rerun(RerunData(widget_states=WidgetStates(widgets=[NUMBER])))
    assert begun.on_scriptrunner_yield().type == ScriptRequestType.RERUN
    stopped = requests_of(CLICK)
    stopped.request_stop()
    assert stopped.on_scriptrunner_yield().type == ScriptRequestType.STOP


@pytest.mark.parametrize("field", inputs.TOLD_ONCE)
def test_everything_that_is_told_once_counts_as_a_click(field):
    """And only if it is set."""
    unset, value = WidgetState(), WidgetState()
    if field in ("string_trigger_value", "chat_input_value"):
        getattr(unset, field).SetInParent()
        getattr(value, field).data = "text"
    else:
        setattr(unset, field, type(getattr(unset, field))())
        setattr(value, field, True if field == "trigger_value" else "{}")
    assert not inputs.bears_click(RerunData(widget_states=WidgetStates(widgets=[unset, NUMBER])))
    assert inputs.bears_click(RerunData(widget_states=WidgetStates(widgets=[unset, value])))
    assert not inputs.bears_click(RerunData())


def test_sessions_are_such_ones_once_the_server_asks_for_it(monkeypatch):
    """Streamlit makes its sessions and their requests in one place each, by the name that is looked up there."""
    monkeypatch.setattr(websocket_session_manager, "AppSession", AppSession)
    monkeypatch.setattr(script_runner, "ScriptRequests", ScriptRequests)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    before = config.get_option("runner.fastReruns")
    try:
        inputs.take_every_input()
        assert websocket_session_manager.AppSession is inputs.AttentiveSession
        assert script_runner.ScriptRequests is inputs.PatientRequests
        assert config.get_option("runner.fastReruns") is False
    finally:
        config.set_option("runner.fastReruns", before)
