"""Tests of uploaded lessons on their page: upload, faults, two sessions, links."""

from __future__ import annotations

import pytest

from pages.blocks.lessons import own_lessons
from tests.pages.driving import errors, go, markup, open_app, plain, press, sound, title
from tests.pages.test_workspace import OTHER, browse, store

__all__ = ["browse", "store"]  # fixtures
GOOD = """# My <b>lesson</b>
minutes: 5
<script>alert(1)</script> Text.
```graph
a -> b
```
```question
Are a and b independent?
independent: a, b |
```
"""


@pytest.fixture
def unchecked(monkeypatch):
    """Check uploads in this process, since a child process takes seconds."""

    def inside(_module, function, file, **_given):
        return list(own_lessons.check_upload.__globals__[function](file))

    monkeypatch.setitem(own_lessons.check_upload.__globals__, "run_in_sandbox", inside)


def take(at, text=GOOD, number=0):
    """Upload a lesson."""
    file = at.file_uploader(key=f"own_lesson_file_{number}")
    return sound(file.set_value(("mine.md", text.encode(), "text/markdown")).run())


@pytest.mark.usefixtures("unchecked")
def test_an_uploaded_lesson_is_taken_and_deleted():
    """Without a store, an uploaded lesson stays in the session; its text is never HTML."""
    at = take(sound(open_app("lessons")))
    assert plain(title(at)) == "My <b>lesson</b>"
    assert "<b>" not in title(at).replace("\\<b>", "")
    assert at.session_state["lesson"].startswith(own_lessons.OWN)
    sound(at.radio[0].set_value(1).run())
    assert at.success[0].value.startswith("Correct.") or "Not quite" in errors(at)[0]
    at = sound(press(at, "own_lesson_delete"))
    assert title(at) == "d-separation on three nodes"


@pytest.mark.usefixtures("unchecked")
def test_faults_of_an_upload_are_listed_with_their_lines():
    """A faulty upload adds nothing, and the lesson on screen stays."""
    at = sound(open_app("lessons"))
    file = at.file_uploader(key="own_lesson_file_0")
    at = file.set_value(
        ("bad.md", b"# T\nminutes: 5\n```grpah\n```\n```run\nlearner: nobody\n```\n", "text/plain")
    ).run()
    assert "bad.md has errors" in errors(at)[0]
    shown = next(one.value for one in at.code if "line 3" in one.value)
    assert "line 5: there is no learner" in shown
    assert title(at) == "d-separation on three nodes"


@pytest.mark.usefixtures("unchecked")
def test_a_lesson_is_shown_in_its_workspace_and_by_its_link(browse):
    """The next session of the browser lists the lesson; other browsers need the link, until it is revoked."""
    at = take(sound(go(browse(), "lessons")))
    key = at.session_state["lesson"]
    at = sound(press(at, "own_lesson_share"))
    secret = at.session_state[own_lessons.LINK][1].rpartition(own_lessons.SHARED)[2]
    again = sound(go(browse(), "lessons"))
    assert key in again.selectbox(key="lesson_pick").options or any("My" in one for one in again.selectbox[0].options)
    stranger = browse(OTHER)
    stranger.query_params["lesson"] = key
    stranger = go(stranger, "lessons")
    assert not any("lesson</b>" in one for one in markup(stranger))
    guest = browse(OTHER)
    guest.query_params["lesson"] = own_lessons.SHARED + secret
    guest = sound(go(guest, "lessons"))
    assert plain(title(guest)) == "My <b>lesson</b>"
    press(at, "own_lesson_revoke")
    guest = guest.run()
    assert plain(title(guest)) != "My <b>lesson</b>"
    assert any("withdrawn" in one.value for one in guest.warning)
