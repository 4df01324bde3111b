"""Ticks of a timer that reach the server only after its page was left, as over a slow line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .conftest import ON_INSPECT, ROOT
from .test_app import go_to, graph

pytestmark = [pytest.mark.browser, pytest.mark.deep]


class Line:
    """The line between page and server; once another page begins, the last tick of the one before is heard again."""

    def __init__(self, page: Page) -> None:
        self.tick: bytes | None = None
        self.late = False
        page.route_web_socket(re.compile("_stcore/stream"), self._join)

    def _join(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def up(message: bytes) -> None:
            if BackMsg.FromString(message).rerun_script.fragment_id:
                self.tick = message
            server.send(message)

        def down(message: bytes) -> None:
            if self.tick and not self.late and self._begins_another_page(message):
                self.late = True
                server.send(self.tick)
            page.send(message)

        page.on_message(up)
        server.on_message(down)

    def _begins_another_page(self, message: bytes) -> bool:
        said = ForwardMsg.FromString(message)
        left = BackMsg.FromString(self.tick).rerun_script.page_script_hash
        return said.WhichOneof("type") == "new_session" and said.new_session.page_script_hash != left


def test_a_late_tick_of_learn_does_not_empty_inspect(app_server: Callable[..., str], page: Page):
    """The result of a run that was watched stays on screen."""
    line = Line(page)
    page.goto(app_server(ROOT / "app.py", program="tests.browser.apps.slow_streamlit"))
    expect(graph(page)).to_be_visible(timeout=60_000)
    go_to(page, "Learn")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    expect(page.locator(ON_INSPECT)).to_be_visible()
    assert line.late
    page.wait_for_timeout(3_000)  # a screen that is emptied is empty by then
    expect(page.locator(ON_INSPECT)).to_be_visible()
    expect(graph(page)).to_be_visible()
