"""Tests that two inputs both take effect if they reach the server before it processes either.

No test here depends on a clock. Runs wait at a gate that opens once both inputs have arrived, and a third input, which
is handled after them, shows that the server has processed them. Plain Streamlit is tried as well: once it loses no
input any more, a patch is no longer needed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.apps.gated_streamlit import FOLDER
from tests.browser.conftest import ON_INSPECT, ROOT, option, turn_to

pytestmark = pytest.mark.browser
PATIENCE = 120_000  # milliseconds; the machine may be busy
SWITCH = "EDGEWISE_STREAMLIT_PATCHES"
LEARNER = "document.querySelector('.st-key-learn_choose_pc_mi button')"  # in a list that scrolls
CHOSEN = ".st-key-learn_chosen_pc_mi"
TURN = "[...document.querySelectorAll('a')].find((one) => one.textContent.trim().endsWith('Data'))"
STEP = "document.querySelector('[data-testid=stNumberInputStepUp]')"
PLAIN_TOO = pytest.mark.parametrize(
    "patches", [pytest.param("on", id="patched"), pytest.param("off", id="plain", marks=pytest.mark.deep)]
)


class Visit:
    """A browser page whose server waits at gates, with a record of the pages that the server began to draw."""

    def __init__(self, page: Page, gates: Path) -> None:
        self.page, self.gates, self.drawn = page, gates, []
        page.on("websocket", self._follow)

    def _follow(self, line: WebSocket) -> None:
        line.on("framereceived", self._note)

    def _note(self, frame: bytes | str) -> None:
        message = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
        if message.HasField("new_session"):
            self.drawn.append(message.new_session.page_script_hash)

    def turn(self, title: str) -> None:
        """Click a page in the menu."""
        turn_to(self.page, title)

    def reach(self, title: str, heading: str) -> None:
        """Open a page by the menu and wait until it is drawn."""
        self.turn(title)
        expect(self.page.get_by_role("heading", name=heading, exact=True)).to_be_visible(timeout=PATIENCE)
        self.rest()

    def rest(self) -> None:
        """Wait until no script runs."""
        app = self.page.locator("[data-testid=stApp]")
        expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENCE)

    def send_together(self, *acts: Callable[[], object]) -> None:
        """Send several inputs before the server processes any of them."""
        gate = self.gates / "requests"
        gate.write_text(str(len(acts)))
        for act in acts:
            with self.page.lines[-1].expect_event("framesent", timeout=PATIENCE):
                act()


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder whose files make the server of a test wait or continue."""
    return tmp_path_factory.mktemp("gates")


@pytest.fixture
def visit(open_page, app_server, gates) -> Callable[[str], Visit]:
    """Return ``visit(patches)``: the Learn page of a server with the patches "on" or "off"."""

    def start(patches: str) -> Visit:
        new = Visit(open_page(), gates)
        env = {FOLDER: str(gates), SWITCH: patches}
        new.page.goto(app_server(ROOT / "app.py", program="tests.browser.apps.gated_streamlit", env=env))
        expect(new.page.locator(".graph-view[data-ready]")).to_be_visible(timeout=2 * PATIENCE)
        new.reach("Learn", "Learn a graph")
        expect(new.page.locator("[data-testid=stNumberInputStepUp]").first).to_be_attached(timeout=PATIENCE)
        new.rest()
        return new

    yield start
    (gates / "requests").unlink(missing_ok=True)


@pytest.mark.deep
@pytest.mark.parametrize("patches", ["on", "off"])
def test_the_app_opens_and_answers_a_click_with_and_without_the_patches(visit, patches):
    """Inputs sent one at a time are answered without the patches too."""
    page = visit(patches).page
    page.evaluate(f"() => {LEARNER}.click()")
    expect(page.locator(CHOSEN)).to_be_attached(timeout=PATIENCE)


@PLAIN_TOO
def test_a_click_counts_though_another_input_follows(visit, patches):
    """A click that chooses a learner counts though the next input arrives before its script run begins."""
    here = visit(patches)
    page = here.page
    here.send_together(
        lambda: page.evaluate(f"() => {LEARNER}.click()"), lambda: page.evaluate(f"() => {STEP}.click()")
    )
    here.reach("Data", "Data")
    here.reach("Learn", "Learn a graph")
    expect(page.locator(CHOSEN)).to_have_count(1 if patches == "on" else 0)


@pytest.mark.deep
@PLAIN_TOO
def test_a_page_turn_holds_though_the_previous_page_sends_an_input(visit, patches):
    """A page change holds though the browser still shows the previous page, which sends an input.

    The graph on that page can send such an input by itself: it reports node positions shortly after they were moved.
    """
    here = visit(patches)
    before, learn = len(here.drawn), here.drawn[-1]
    (here.gates / "requests").write_text("2")  # the menu soon removes the button, so one script sends both clicks
    here.page.evaluate(f"() => {{ {TURN}.click(); setTimeout(() => {STEP}.click(), 0); }}")
    here.reach("Projects", "Projects")
    assert (learn in here.drawn[before:]) is (patches == "off")


@pytest.mark.deep
def test_the_next_input_does_not_undo_a_change_of_the_address(visit):
    """An Escape sent before the browser shows the new address closes the presenter view.

    Before it, a step changes the address. Back leads to the presenter view again.
    """
    here = visit("on")
    page = here.page
    here.turn("Inspect")
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=PATIENCE)
    here.rest()
    option(page, "Present run").click()
    expect(page.locator(".graph-view.presenting[data-ready]")).to_be_visible(timeout=PATIENCE)
    here.rest()
    page.keyboard.press("Home")
    page.wait_for_url(lambda url: "step=0" in url, timeout=PATIENCE)
    here.rest()
    here.send_together(lambda: page.keyboard.press("ArrowRight"), lambda: page.keyboard.press("Escape"))
    page.wait_for_url(lambda url: "present" not in url and "step=1" in url, timeout=PATIENCE)
    expect(page.get_by_role("button", name="Change view", exact=True)).to_be_visible(timeout=PATIENCE)
    page.go_back()
    expect(page.locator(".graph-view.presenting[data-ready]")).to_be_visible(timeout=PATIENCE)
