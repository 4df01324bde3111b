"""Ticks of a timer that reach the server only after their page was left, as over a slow connection.

No test here depends on a clock: the run ends when the test opens its gate, and the server handles the last click after
the late tick.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .apps.gated_streamlit import FOLDER
from .conftest import ON_INSPECT, ROOT, choose_learner, turn_to
from .test_app import graph

pytestmark = [pytest.mark.browser, pytest.mark.deep]
PATIENCE = 120_000  # milliseconds; the machine may be busy


class Line:
    """The connection of a page; it repeats the last tick of a page once the next page begins."""

    def __init__(self, page: Page) -> None:
        self.tick: bytes | None = None
        self.late = False
        page.route_web_socket(re.compile("_stcore/stream"), self._join)

    def _join(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def up(message: bytes) -> None:
            if BackMsg.FromString(message).rerun_script.is_auto_rerun:
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
        begun = ForwardMsg.FromString(message)
        left = BackMsg.FromString(self.tick).rerun_script.page_script_hash
        return begun.WhichOneof("type") == "new_session" and begun.new_session.page_script_hash != left


def test_a_late_tick_of_learn_does_not_empty_inspect(app_server: Callable[..., str], page: Page, tmp_path: Path):
    """The result of a watched run stays on screen after a late tick of the Learn page."""
    line, gate = Line(page), tmp_path / "runs"
    program = "tests.browser.apps.gated_streamlit"
    page.goto(app_server(ROOT / "app.py", program=program, env={FOLDER: str(tmp_path)}))
    expect(graph(page)).to_be_visible(timeout=2 * PATIENCE)
    gate.touch()
    turn_to(page, "Learn")
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible(timeout=PATIENCE)
    while line.tick is None:
        page.wait_for_timeout(50)
    gate.unlink()
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=PATIENCE)
    assert line.late
    page.get_by_role("radio", name="Table", exact=True).click()
    expect(page.get_by_role("radio", name="Table", exact=True)).to_be_checked(timeout=PATIENCE)
    expect(graph(page)).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(ON_INSPECT)).to_be_visible()
