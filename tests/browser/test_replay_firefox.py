"""The replay file in Firefox: opened from disk without a network, and compared with the run step by step.

The tests speak WebDriver BiDi, which Firefox has built in.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from learners.explaining.explanation import explanation
from learners.recipes.replay_file import replay
from tests.polling import wait_until
from tests.viz.test_kinds import CASES, DATA, learnt
from viz.translation.sentences import catalog

from .conftest import SCREENSHOTS, free_port
from .replay_steps import STEPS, assert_steps_of

pytestmark = [pytest.mark.browser, pytest.mark.deep]
NOWHERE = 9  # a port that nothing listens at
# All requests go to a proxy that does not exist, so the network is off; Firefox itself asks for nothing.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": NOWHERE,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": NOWHERE,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}
READY = "() => !!document.querySelector('#replay[data-ready] .graph-view[data-ready]')"
CHOOSE = """([language, a, b]) => {
    const set = (box, value) => { box.value = value; box.dispatchEvent(new Event("change")); };
    set(document.querySelector("[aria-label='Language of the explanation']"), language);
    document.querySelectorAll(".why .pick select").forEach((box, k) => set(box, String([a, b][k])));
}"""
EXPLAINED = "() => [...document.querySelectorAll('.why .claim, .why .reasons p')].map((one) => one.textContent)"
ENTER = "\ue007"  # code point of the key in WebDriver


class Firefox:
    """A headless Firefox without a network, with one window.

    Attributes
    ----------
    requests, errors : list of str
        Addresses requested, and errors logged, since the last `open`.
    """

    def __init__(self, program: str, profile: Path) -> None:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        port = free_port()
        command = [program, "--headless", "--no-remote", "--profile", profile, f"--remote-debugging-port={port}"]
        with (profile / "log.txt").open("wb") as log:
            self.process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)
        self.open_lines, self.line, self.asked, self.requests, self.errors = ExitStack(), None, 0, [], []
        wait_until(lambda: self._connected(f"ws://127.0.0.1:{port}/session"))
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def _connected(self, address: str) -> bool:
        with suppress(OSError):
            self.line = self.open_lines.enter_context(connect(address, max_size=None, proxy=None))
        return self.line is not None

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result; note the events that come before it."""
        self.asked += 1
        self.line.send(json.dumps({"id": self.asked, "method": method, "params": params}))
        while True:
            answer = json.loads(self.line.recv())
            if answer.get("id") == self.asked:
                assert answer["type"] == "success", answer
                return answer["result"]
            if answer.get("method") == "network.beforeRequestSent":
                self.requests.append(answer["params"]["request"]["url"])
            elif answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(answer["params"]["text"])

    def run(self, function: str, argument: object = None) -> Any:
        """Return what a function of the page returns for an argument."""
        call = f"async () => JSON.stringify((await ({function})({json.dumps(argument)})) ?? null)"
        answer = self.ask(
            "script.callFunction", functionDeclaration=call, awaitPromise=True, target={"context": self.window}
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def open(self, path: Path) -> None:
        """Open a replay file, and wait until it is ready."""
        self.requests.clear()
        self.errors.clear()
        self.ask("browsingContext.navigate", context=self.window, url=path.as_uri(), wait="complete")
        wait_until(lambda: self.run(READY))

    def press(self, key: str) -> None:
        """Press a key."""
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        keys = {"type": "key", "id": "keys", "actions": actions}
        self.ask("input.performActions", context=self.window, actions=[keys])

    def resize(self, width: int, height: int) -> None:
        self.ask("browsingContext.setViewport", context=self.window, viewport={"width": width, "height": height})

    def picture(self, path: Path) -> None:
        """Store what is on screen."""
        path.write_bytes(b64decode(self.ask("browsingContext.captureScreenshot", context=self.window)["data"]))

    def close(self) -> None:
        with suppress(ConnectionClosed, OSError):
            self.open_lines.close()
        self.process.terminate()
        self.process.wait(timeout=60)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Start Firefox. A missing one is a failure, not a reason to skip."""
    program = shutil.which("firefox-esr")
    if program is None:
        pytest.fail("these tests need Firefox on the PATH; install it with: apt-get install firefox-esr")
    one = Firefox(program, tmp_path_factory.mktemp("firefox"))
    yield one
    one.close()


@pytest.fixture
def asia_file(tmp_path: Path) -> Path:
    path = tmp_path / "asia.html"
    path.write_text(replay(learnt("pc", "categorical"), DATA["categorical"]).to_html(), encoding="utf-8")
    return path


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_step_and_some_explanations_are_those_of_the_run(firefox, tmp_path, key, kind):
    result, dataset = learnt(key, kind), DATA[kind]
    path = tmp_path / "a replay.html"
    path.write_text(replay(result, dataset).to_html(), encoding="utf-8")
    firefox.open(path)
    firefox.run("() => document.querySelector(\"[aria-label='Slider: Steps of the run']\")?.click()")
    assert_steps_of(result, firefox.run(f"() => ({STEPS})(document.querySelector('.graph-view'))"))
    p = len(result.names)
    for language in ("en", "de"):
        for a, b in {(0, 1), (p - 2, p - 1), *((min(e), max(e)) for e in list(result.graph.edges())[:2])}:
            expected = list(explanation(result, (a, b), dataset).written(catalog(language)))
            firefox.run(CHOOSE, [language, a, b])
            wait_until(lambda expected=expected: firefox.run(EXPLAINED) == expected)
    inside = ("blob:", "data:")  # images that the page makes, and Firefox's own fonts: no network
    assert [url for url in firefox.requests if url != path.as_uri() and not url.startswith(inside)] == []
    assert firefox.errors == []


def test_the_network_is_off(firefox, asia_file):
    """The policy of the page forbids requests, and a page without a policy reaches nothing either."""
    firefox.open(asia_file)
    fetched = "() => fetch('https://example.org/').then(() => 'sent', () => 'refused')"
    assert firefox.run(fetched) == "refused"
    assert not [url for url in firefox.requests if url.startswith("http")]


def test_an_edge_is_explained_by_keys(firefox, asia_file):
    firefox.open(asia_file)
    a, b = next((min(e), max(e)) for e in learnt("pc", "categorical").graph.edges())
    firefox.run(f'() => document.querySelector(\'.edge[data-a="{a}"][data-b="{b}"]\').focus()')
    firefox.press(ENTER)
    expected = explanation(learnt("pc", "categorical"), (a, b), DATA["categorical"]).headline
    wait_until(lambda: firefox.run(EXPLAINED)[0] == expected)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_phones_and_both_themes(firefox, asia_file, width, theme):
    firefox.resize(width, 844)
    firefox.open(asia_file)
    clicks = {"light": 1, "dark": 2}[theme]
    click = "() => document.querySelector(\"[aria-label='Change the theme']\").click()"
    for _ in range(clicks):
        firefox.run(click)
    assert firefox.run("() => document.documentElement.dataset.theme") == theme
    firefox.run(CHOOSE, ["en", 0, 1])
    SCREENSHOTS.mkdir(exist_ok=True)
    for name in ("matrix", "table", "graph"):
        firefox.run(f"() => document.querySelector(\"[aria-label='Show the {name}']\").click()")
        assert firefox.run("() => document.documentElement.scrollWidth") <= width
        firefox.picture(SCREENSHOTS / f"replay_firefox_{name}_{width}_{theme}.png")
