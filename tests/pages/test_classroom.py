"""Tests of a class, from the lecturer's button to the results, and of the students' pages."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette

from learners.store import workspaces
from learners.store.monitor import StoreMonitor
from learners.store.settings import StoreSettings
from learners.teaching.classroom.classroom import Classroom
from learners.teaching.classroom.own_questions import choice_question
from pages import join_pages
from pages.blocks.classroom import lecturer_view
from pages.session import classrooms, guard, storage
from pages.session.classrooms import classes
from pages.session.guard import Guard, new_cookie
from tests.pages.driving import go, markup, open_app, plain, press, sound

APP = Guard(Starlette(routes=join_pages.routes()))


@pytest.fixture(autouse=True)
def any_host(monkeypatch):
    """Allow any host name."""
    real = guard.st.get_option
    monkeypatch.setattr(guard.st, "get_option", lambda name: [] if name == "server.allowedHosts" else real(name))


class Phone:
    """A student's browser: it keeps its cookie, and follows no redirect."""

    def __init__(self, address: str = "10.0.0.1") -> None:
        self.address, self.cookie = address, ""

    def ask(self, path: str, body: bytes | dict | None = None, **headers: str) -> tuple[int, dict[str, str], str]:
        """Return status, headers and text of the answer."""
        where, _, query = path.partition("?")
        fields = {"host": "here", "cookie": self.cookie, **headers}
        content = urlencode(body).encode() if isinstance(body, dict) else body or b""
        scope = {
            "type": "http", "method": "GET" if body is None else "POST", "path": where, "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in fields.items()], "scheme": "http",
            "client": (self.address, 1), "server": ("here", 80), "root_path": "",
        }  # fmt: skip
        sent: list[dict] = []

        async def receive() -> dict:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: dict) -> None:
            sent.append(message)

        with ThreadPoolExecutor(1) as apart:  # a browser test before this one may have left a loop in this thread
            apart.submit(lambda: asyncio.run(APP(scope, receive, send))).result()
        back = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        if "set-cookie" in back:
            self.cookie = back["set-cookie"].partition(";")[0]
        return sent[0]["status"], back, b"".join(one.get("body", b"") for one in sent[1:]).decode()


@pytest.fixture
def led():
    """Open a lecturer's app with a class on the quiz of the first run."""
    at = press(press(open_app("inspect"), "quiz_begin"), "quiz_class")
    at = sound(go(at, "classroom"))
    yield at
    for entry in list(classes()._entries.values()):
        classes().forget(entry)


def entry_of(at):
    """Return the class on screen."""
    code = next(found[1] for one in at.get("html") if (found := re.search(r"join/([0-9a-z]+)", one.proto.body)))
    return classes().find(code, "nobody")


def test_answers_reach_the_lecturer_and_the_reason_the_students(led):
    """A student joins, answers, changes the answer and sees the reason; the lecturer sees results; names stay text."""
    entry = entry_of(led)
    address, one = f"/join/{entry.code}", entry.room.exercises[0]
    phone = Phone()
    assert "Join" in phone.ask(address)[2]
    status, headers, _ = phone.ask(address, {"name": "<b>Ann"})
    assert (status, headers["location"]) == (303, entry.code)
    assert re.search(rf"HttpOnly; Max-Age=\d+; Path={address}; SameSite=lax", headers["set-cookie"])
    card = phone.ask(address)[2]
    assert "&lt;b&gt;Ann" in card
    assert "<b>" not in card
    led = sound(press(led, "class_ask"))
    for choice in (0, one.answer):
        status, _, card = phone.ask(address, {"at": 0, "choice": choice}, accept=join_pages.CARD)
        assert status == 200
        assert f'value="{choice}" aria-pressed="true"' in card
        assert one.why[:20] not in card
    assert "1 of 1 student answered" in markup(sound(led.run()))
    sound(press(led, "class_tell_0"))
    status, headers, card = phone.ask(f"{address}/now?seen=1")
    assert "Correct: " in card
    assert "1 of 1 correct" in card
    assert headers["x-version"] == str(entry.room.version)
    sound(press(led, "class_end"))
    assert "has ended" in phone.ask(address)[2]
    assert "&lt;" not in entry.room.results()
    sound(press(led, "class_forget"))
    assert phone.ask(address)[0] == 404
    assert led.title[0].value == "Class"


def test_who_is_not_meant_does_not_get_in(led):
    """A student of another class, another site's page, a long body, a wrong code and too many codes are refused."""
    entry = entry_of(led)
    address, phone = f"/edgewise/join/{entry.code}", Phone()
    for origin in ("http://evil.example", "null", "http://[", "file://here"):
        assert phone.ask(address, {"name": "x"}, origin=origin)[0] == 403
    assert phone.ask(address, b"name=" + b"x" * 5000)[0] == 413
    assert phone.ask(address, b"name=\xff")[0] == 400
    assert phone.ask(f"{address}/now")[0] == 403
    assert entry.room.n_students == 0
    assert phone.ask(address, {"name": "x"}, origin="http://here")[0] == 303
    strayed = Phone("10.0.0.4").ask(f"//evil.example/join/{entry.code.upper()}", {"name": "x"})[1]
    assert strayed["location"] == entry.code
    assert f"Path=//evil.example/join/{entry.code};" in strayed["set-cookie"]
    odd = Phone("10.0.0.5").ask(f"/a; Domain=example/join/{entry.code}", {"name": "x"})[1]["set-cookie"]
    assert f"Path=/a%3B%20Domain%3Dexample/join/{entry.code};" in odd
    assert Phone("10.0.0.2").ask("/join/?code=ABC234")[1]["location"] == "abc234"


@pytest.mark.deep
def test_wrong_codes_from_an_address_are_refused_and_correct_ones_accepted(led):
    """A lecture hall shares one address: wrong codes are refused after a while, correct ones never."""
    address, hall = f"/join/{entry_of(led).code}", "10.0.0.9"
    other = Phone(hall)
    replies = [other.ask("/join/222222") for _ in range(61)]
    assert [status for status, _, _ in replies[-2:]] == [404, 429]
    assert "Too many wrong codes came from your network; wait a minute." in replies[-1][2]
    for _ in range(150):
        phone = Phone(hall)
        assert phone.ask(address)[0] == 200
        assert phone.ask(address, {"name": "x"})[0] == 303
    assert entry_of(led).room.n_students == 150


@pytest.mark.parametrize("script", [True, False])
def test_answers_that_do_not_count_are_refused_in_a_sentence(led, script):
    """A refused answer is not counted, and the reason is shown above the question, with and without scripts."""
    entry, phone = entry_of(led), Phone()
    room, address = entry.room, f"/join/{entry.code}"
    phone.ask(address, {"name": "x"})
    accept = {"accept": join_pages.CARD} if script else {}

    def refused(body: dict | bytes, sentence: str, status: int = 400) -> None:
        got, headers, text = phone.ask(address, body, **accept)
        assert (got, "x-version" in headers, "<!doctype" in text) == (status, script, not script)
        assert f'role="alert">{sentence}</p>' in text

    refused({"at": 0, "choice": 0}, "Question 1 takes no answers now; wait for the next question.")
    room.ask(1)
    refused({"at": 0, "choice": 0}, "Question 1 takes no answers now; answer the question on screen.")
    n, many = len(room.exercises), len(room.exercises[1].choices)
    for at in (n, -1):
        refused({"at": at, "choice": 0}, f"There is no question {at + 1}; answer the question on screen.")
    for choice in (many, -1, 99):
        refused({"at": 1, "choice": choice}, f"Question 2 has {many} choices; choose one of them.")
    for body in ({"at": "x", "choice": 0}, {"at": 1}, {}, b"at=1", b"&&&"):
        refused(body, join_pages.UNREADABLE)
    assert phone.ask(address, b"at=\xff")[0] == 400
    assert sum(room.tally()) == 0
    room.reveal()
    refused({"at": 1, "choice": 0}, "Question 2 takes no answers now; wait for the next question.")
    room.end()
    refused({"at": 1, "choice": 0}, "The class has ended and takes no more answers; ask your lecturer for the results.")
    assert sum(room.tally(1)) == 0


def test_a_student_who_answers_too_often_must_wait(led):
    """A student who answers too often is refused, and another student on the same network is not."""
    entry, phone, other = entry_of(led), Phone(), Phone()
    address = f"/join/{entry.code}"
    for one in (phone, other):
        one.ask(address, {"name": "x"})
    entry.room.ask(0)
    replies = [phone.ask(address, {"at": 0, "choice": 0}, accept=join_pages.CARD) for _ in range(join_pages.POSTS + 1)]
    assert [status for status, _, _ in replies[-2:]] == [200, 429]
    assert join_pages.TOO_OFTEN in replies[-1][2]
    assert other.ask(address, {"at": 0, "choice": 0})[0] == 303


def test_a_phone_gets_no_workspace():
    scope = {"type": "http", "method": "GET", "scheme": "http", "headers": [(b"accept", b"text/html")]}
    assert new_cookie(scope | {"path": "/"})
    assert not new_cookie(scope | {"path": "/edgewise/join/abc234"})


def test_a_lesson_asks_its_exercises_beside_their_graphs():
    at = press(open_app("lessons"), "lesson_class")
    at = sound(go(at, "classroom"))
    entry = entry_of(at)
    assert len(entry.slides) == len(entry.room.exercises) > 1
    assert all(one["nodes"] for slide in entry.slides for one in slide["pictures"].values())
    classes().forget(entry)


def test_an_entered_question_that_nobody_answered_shows_its_answer():
    """The open tally, the answer and the end of the class need no answer of a student."""
    at = open_app("lessons")
    at.session_state["lesson"] = "03-pc-by-hand"
    at = sound(go(press(at.run(), "lesson_class"), "classroom"))
    entry = entry_of(at)
    assert not entry.room.exercises[0].choices
    at = sound(press(at, "class_ask"))
    at = sound(at.toggle(key="class_tally_0").set_value(True).run())
    at = sound(press(at, "class_tell_0"))
    assert any("Correct answer: a — b." in one for one in map(plain, markup(at)))
    sound(press(at, "class_end"))
    classes().forget(entry)


@pytest.mark.deep
def test_a_run_with_several_values_is_shown_at_the_one_chosen(monkeypatch):
    """A question about several values of alpha shows the run at each of them, beginning with the first."""
    drawn, draw = [], lecturer_view.graph_view
    monkeypatch.setattr(
        lecturer_view, "graph_view", lambda data, **how: drawn.append(data["edges"]) or draw(data, **how)
    )
    at = open_app("lessons")
    at.session_state["lesson"] = "07-alpha"
    led = sound(go(press(at.run(), "lesson_class"), "classroom"))
    entry = entry_of(led)
    pictures = entry.slides[0]["pictures"]
    assert list(pictures) == ["alpha = 0.0001", "alpha = 0.05", "alpha = 0.4"]
    led = sound(press(led, "class_ask"))
    sound(led.select_slider[0].set_value("alpha = 0.4").run())
    assert drawn[0] == pictures["alpha = 0.0001"]["edges"] != drawn[-1] == pictures["alpha = 0.4"]["edges"]
    classes().forget(entry)


def test_the_tally_is_hidden_until_it_is_shown(led):
    """Until the tally is shown, the screen has only the number of answers; the next question hides its own tally."""
    led = sound(press(led, "class_ask"))
    assert not any('<ol class="class-tally"' in one.proto.body for one in led.get("html"))
    led = sound(led.toggle(key="class_tally_0").set_value(True).run())
    assert any('<ol class="class-tally"' in one.proto.body for one in led.get("html"))
    led = sound(press(sound(press(led, "class_tell_0")), "class_next_0"))
    assert not any('<ol class="class-tally"' in one.proto.body for one in led.get("html"))


def test_a_question_typed_in_class_reaches_the_phones(led):
    """The phone shows the choices of a question without a right answer, and no verdict."""
    entry = entry_of(led)
    address, phone = f"/join/{entry.code}", Phone()
    phone.ask(address, {"name": "Ann"})
    led = sound(press(led, "class_ask"))
    led = sound(led.text_input(key="own_question_text").set_value("Clear <b>so far?").run())
    led = press(led, "own_question_ask")
    assert any("from 2 to 8" in one.value for one in led.error)
    led = sound(led.text_area(key="own_question_choices").set_value("yes\nno").run())
    led = sound(press(led, "own_question_ask"))
    at = entry.room.at
    card = phone.ask(address)[2]
    assert "Clear &lt;b&gt;so far?" in card
    assert phone.ask(address, {"at": at, "choice": 1}, accept=join_pages.CARD)[0] == 200
    led = sound(press(led, f"class_tell_{at}"))
    card = phone.ask(f"{address}/now?seen=1")[2]
    assert "Your answer: no." in card
    assert "Correct" not in card


def test_a_class_survives_a_restart(monkeypatch, tmp_path):
    """A second process finds the class by its code and its lecturer by the workspace; a deleted class is gone."""
    health = StoreMonitor(StoreSettings(f"sqlite:///{tmp_path / 'x.sqlite'}", tmp_path))
    monkeypatch.setattr(storage, "health", lambda: health)
    workspace_id = workspaces.make(health.store, "a" * 32).id
    room = Classroom([choice_question("Tea?", ["yes", "no"], 0)])
    entry = classes().open(room, ({"pictures": {}, "pair": None},), "T", "a" * 32, "session")
    entry.keeps, entry.workspace = True, workspace_id
    token = room.join("Ann")
    room.ask(0)
    room.answer(token, 0, 0)
    classrooms.save_changes(classes())
    classes()._entries.clear()  # as in a new process
    found = classrooms.find(entry.code.upper(), "nobody")
    assert found is not entry
    assert found.room.knows(token)
    assert found.room.tally() == (1, 0)
    assert (found.title, found.keeps) == ("T", True)
    assert classes().adopt(workspace_id, "a" * 32, "later") is found
    classrooms.forget(found)
    assert classrooms.find(entry.code, "nobody") is None
