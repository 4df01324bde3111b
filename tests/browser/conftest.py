"""Fixtures for tests that drive the app in Debian's Chromium."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Frame,
    Locator,
    Page,
    Request,
    ViewportSize,
    WebSocket,
    expect,
    sync_playwright,
)

collect_ignore = ["apps"]  # Streamlit programs: pytest would run them while it collects doctests
ROOT = Path(__file__).resolve().parents[2]
ON_INSPECT = ".st-key-inspect_room"  # the part of Inspect that contains graph and explanation
TABLE_FILE = ".st-key-data_file input[type=file]"  # by its key: for a moment another file input may come first
NUMBERS = ".st-key-inspect_head [data-testid=stCaptionContainer]"  # the line of numbers on Inspect
SCREENSHOTS = Path(__file__).parent / "screenshots"
LOOKS = [("light", 1280), ("dark", 800)]  # theme and page width of each screenshot
PHOTOGRAPHED_PX = (800, 1280)
PATIENCE_S = 60.0
REST_MS = 5_000  # maximum wait of a click for script runs to end; Cancel is clicked during one
VIEWPORT = {"width": 1280, "height": 1000}
SUBMENUS = {
    "Use": ("Query", "Effects"),
    "Teach": ("Lessons", "Build", "Class"),
    "More": ("Projects", "Experiments", "Learn more"),
}
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--ignore-certificate-errors",  # Chromium may abandon a file if errors are overridden one by one
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start a headless Chromium. A missing browser is a failure, not a reason to skip."""
    executable = shutil.which("chromium")
    if executable is None:
        pytest.fail("the browser tests need Chromium on the PATH; install it with: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session", autouse=True)
def rested_clicks() -> Iterator[None]:
    """Let each click wait until no script runs, since an element redrawn between press and release drops the click."""
    click = Locator.click

    def rested(self: Locator, **options: object) -> None:
        self.wait_for(timeout=options.get("timeout"))
        app = self.page.locator("[data-testid=stApp]").first
        if app.count():
            with suppress(AssertionError):
                expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=REST_MS)
        click(self, **options)

    Locator.click = rested
    yield
    Locator.click = click


@pytest.fixture(scope="session")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Return ``app_server(path, *flags)``: the address of a server that runs the Streamlit file at `path`.

    The whole session shares one server per file and flags. `program` is the module that is run as Streamlit, `env` is
    added to the environment.
    """
    started: dict[tuple, tuple[subprocess.Popen, str]] = {}

    def start(path: str | Path, *flags: str, program: str = "streamlit", env: Mapping[str, str] | None = None) -> str:
        recipe = (str(path), flags, program, tuple((env or {}).items()))
        if recipe not in started:
            log = tmp_path_factory.mktemp("server") / "log.txt"
            started[recipe] = start_server(Path(path), flags, log, program, env or {})
        return started[recipe][1]

    yield start
    for process, _ in started.values():
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="session")
def visitors(browser: Browser) -> Callable[[int], Visitor]:
    """Return ``visitors(k)``: the k-th browser of the session, which keeps its downloads and compiled code."""
    known: list[Visitor] = []

    def visitor(k: int) -> Visitor:
        while len(known) <= k:
            known.append(Visitor(browser.new_context(viewport=VIEWPORT)))
        return known[k]

    return visitor


class Visitor:
    """A browser of one visitor, reused by one test after another.

    An empty tab stays open: each new window would start Chromium's own controls again.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.empty = context.new_page()
        self.line = context.new_cdp_session(self.empty)
        self.origins: set[str] = set()
        context.on("request", self._note)

    def page(self, viewport: ViewportSize = VIEWPORT, color_scheme: str = "light") -> Page:
        """Open a new page."""
        page = self.context.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        return page

    def _note(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.netloc:
            self.origins.add(f"{parts.scheme}://{parts.netloc}")

    def forget(self) -> None:
        """Close the pages and clear what they stored, as in a fresh browser."""
        for page in self.context.pages:
            if page != self.empty:
                page.close()
        self.context.set_offline(False)
        self.context.clear_cookies()
        for origin in self.origins:
            self.line.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage,indexeddb"})
        self.origins.clear()


@pytest.fixture
def open_page(browser: Browser, visitors: Callable[[int], Visitor]) -> Iterator[Callable[..., Page]]:
    """Return ``open_page(**context_options)``: a watched page with its own session.

    The page carries `request_urls` (every requested address) and `console_errors` (errors logged or thrown). When a
    test fails, its output lists the traffic to the server: it shows whether a click was sent at all.
    """
    contexts, guests, lines = [], [], []

    def open_one(**options: object) -> Page:
        if options.keys() <= {"viewport", "color_scheme"}:
            guests.append(visitors(len(guests)))
            page = guests[-1].page(**options)
        else:
            contexts.append(browser.new_context(**{"viewport": VIEWPORT, **options}))
            page = contexts[-1].new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        page.request_urls, page.console_errors = [], []
        page.on("request", lambda request: page.request_urls.append(request.url))
        page.on("websocket", lambda socket_: page.request_urls.append(socket_.url))
        lines.append(followed_line(page))
        page.lines = []
        page.on("websocket", lambda line: page.lines.append(line))
        page.on("console", lambda line: page.console_errors.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: page.console_errors.append(str(error)))
        return page

    yield open_one
    for k, line in enumerate(lines):
        sys.stdout.write("\n  ".join((f"line of page {k}:", *line)) + "\n")
    for context in contexts:
        context.close()
    for guest in guests:
        guest.forget()


def followed_line(page: Page) -> deque[str]:
    """Record when the page's connections opened and closed, and the size of the latest messages it sent."""
    events, began = deque(maxlen=40), time.monotonic()

    def note(what: str) -> None:
        events.append(f"{time.monotonic() - began:7.2f} s {what}")

    def follow(line: WebSocket) -> None:
        note("opened")
        line.on("close", lambda _: note("closed"))
        line.on("framesent", lambda sent: note(f"sent {len(sent)} bytes"))

    page.on("websocket", follow)
    return events


@pytest.fixture
def open_run(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return ``open_run(learner, **context)``: Inspect with a run on a sample, by default `child`."""

    def open_one(learner: str = "ppc", sample: str = "child", **context: object) -> Page:
        page = open_page(**context)
        page.goto(f"{app_server(ROOT / 'app.py')}/?sample={sample}")
        expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
        page.get_by_role("link", name="Learn", exact=True).first.click()
        choose_learner(page, learner)
        page.get_by_role("button", name="Run learner", exact=True).click()
        # After a change of the kernels the first run compiles them.
        expect(page.locator(ON_INSPECT)).to_be_visible(timeout=240_000)
        expect(page.locator(".graph-view[data-ready]")).to_be_visible()
        return page

    return open_one


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """Open a watched page with the defaults: light theme, 1280 x 1000."""
    return open_page()


def choose_learner(page: Page, key: str) -> None:
    """Choose a learner in the list on the Learn page, and wait for its form."""
    expect(page.get_by_role("heading", name="Learn a graph")).to_be_visible()
    # By keyboard: the page may be redrawn between the press and the release of the mouse button.
    all_learners(page)
    page.locator(f".st-key-learn_choose_{key} button:visible").press("Enter")  # the hidden button is for touch screens
    expect(page.locator(f".st-key-learn_chosen_{key}")).to_be_attached()


def all_learners(page: Page) -> None:
    """Open the list of all learners on the Learn page."""
    if not page.locator(".st-key-learn_list").is_visible():
        open_fold(page, re.compile(r"All \d+ learners"))


def option(page: Page, name: str) -> Locator:
    """Open the options on Inspect and return a button in them."""
    page.get_by_role("button", name="Change view", exact=True).click()
    return page.get_by_role("button", name=name, exact=True)


def at_rest(page: Page) -> None:
    """Wait until no script runs, since elements that are being redrawn ignore clicks."""
    app = page.locator("[data-testid=stApp]")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")


def open_fold(page: Page, words: str | re.Pattern[str]) -> None:
    """Open an expander and check that it is open. Wait for the page first, since a script run may close it."""
    at_rest(page)
    head = page.locator("summary", has_text=words)
    head.click()
    expect(page.locator("details").filter(has=head)).to_have_attribute("open", "")


def focus(one: Locator) -> None:
    """Focus an element after all script runs, since a redraw would drop the focus before the next key."""
    expect(one).to_be_attached()
    at_rest(one.page)
    one.focus()


def act_and_wait(page: Page, act: Callable[[], None]) -> None:
    """Perform an action and wait for the redraw; before the server's reply the page seems idle."""
    with page.lines[-1].expect_event("framereceived", timeout=1000 * PATIENCE_S):
        act()
    page.wait_for_timeout(200)
    at_rest(page)


def posed(page: Page) -> None:
    """Wait until the effect of a click is drawn, for a screenshot rather than a check."""
    page.wait_for_timeout(400)
    at_rest(page)
    page.wait_for_timeout(200)


def photograph(page: Page, name: str, top: Locator | None = None) -> None:
    """Take screenshots of the narrow and the wide page for a person to look at, the present width last.

    The element `top` is scrolled to the top of the window.
    """
    SCREENSHOTS.mkdir(exist_ok=True)
    own = page.viewport_size["width"]
    for width in sorted(PHOTOGRAPHED_PX, key=lambda px: px == own):
        page.set_viewport_size({"width": width, "height": VIEWPORT["height"]})
        posed(page)
        if top is not None:
            top.evaluate("one => one.scrollIntoView({block: 'start'})")
        page.screenshot(path=SCREENSHOTS / f"{name.replace(' ', '_')}_{width}.png")


def wait_until(page: Page | Frame, condition: str, arg: object = None) -> None:
    """Wait until a JavaScript condition is true. It is polled from outside: the app's own pages forbid `eval`."""
    deadline = time.monotonic() + PATIENCE_S
    while not page.evaluate(condition, arg):
        assert time.monotonic() < deadline, f"still not so: {condition}"
        page.wait_for_timeout(50)


def resting_box(one: Locator) -> dict[str, float]:
    """Return the position of an element after all script runs and animations have ended."""
    at_rest(one.page)
    box, before = one.bounding_box(), None
    while box is None or box != before:
        one.page.wait_for_timeout(100)
        box, before = one.bounding_box(), box
    return box


def click_mark(mark: Locator) -> None:
    """Click a point or bar of a chart, once the chart shows that the pointer is over it.

    `mark` has to name its chart: another chart may be on the page before the intended one.
    """
    page = mark.page
    expect(mark).to_be_attached()
    at_rest(page)  # until then the chart may be redrawn
    mark.scroll_into_view_if_needed()
    box = resting_box(mark)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    chart = mark.locator("xpath=ancestor::div[contains(@class, 'js-plotly-plot')]")
    expect(chart.locator(".hoverlayer .hovertext").first).to_be_visible()
    page.mouse.down()
    page.mouse.up()


def click_row(table: Locator, row: int) -> None:
    """Choose a row of a table by its checkbox. The table is one canvas, so the position is computed."""
    page, head, high = table.page, 36, 35
    expect(table.locator("canvas").first).to_be_visible()
    at_rest(page)
    table.scroll_into_view_if_needed()
    box = resting_box(table)
    page.mouse.click(box["x"] + 16, box["y"] + head + high * row + high / 2)


def outside(urls: list[str], address: str) -> list[str]:
    """Return the `urls` that leave the server at `address`; addresses made by the page (blob:, data:) stay inside."""
    host = address.split("://", 1)[1].rstrip("/")
    inside = (f"http://{host}/", f"ws://{host}/", "blob:", "data:")
    return [url for url in urls if not url.startswith(inside)]


def start_server(
    path: Path, flags: tuple[str, ...], log: Path, program: str, env: Mapping[str, str], port: int | None = None
) -> tuple[subprocess.Popen, str]:
    """Start a server, at a free port by default, and return it with its address; the caller stops it."""
    port = port or free_port()
    command = [sys.executable, "-m", program, "run", str(path), "--server.port", str(port)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true"]
    command += ["--browser.gatherUsageStats", "false", *flags]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT), "EDGEWISE_KEEP": "no"} | env, stdout=out,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
    prefix = f"/{flags[flags.index('--server.baseUrlPath') + 1]}" if "--server.baseUrlPath" in flags else ""
    address = f"http://127.0.0.1:{port}{prefix}"
    deadline = time.monotonic() + 60
    while not _is_healthy(address):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            pytest.fail(f"the server for {path} did not start:\n{log.read_text(errors='replace')[-4000:]}")
        time.sleep(0.1)
    return process, address


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _is_healthy(address: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{address}/_stcore/health", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def turn_to(page: Page, title: str) -> None:
    """Click a page in the menu at the top, which groups some pages."""
    submenu = next((submenu for submenu, titles in SUBMENUS.items() if title in titles), None)
    if submenu is None:
        page.get_by_role("link", name=title, exact=True).first.click()
        return
    page.get_by_role("button", name=submenu, exact=True).click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).click()
