"""Tests that the server contacts no other machine and refuses other origins, with every connection recorded."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ON_INSPECT, ROOT, TABLE_FILE, choose_learner, free_port, outside
from tests.pages.driving import small_table

pytestmark = pytest.mark.browser

RECORDER = """
import os, sys

def hear(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg"):
        with open(os.environ["CONNECTIONS"], "a") as log:
            log.write(f"{event} {args[1:] if event != 'socket.getaddrinfo' else args}\\n")

sys.addaudithook(hear)
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory) -> tuple[dict[str, str], Path]:
    """Return an environment in which every process records the connections it attempts, and the record's file."""
    folder = tmp_path_factory.mktemp("recording")
    (folder / "sitecustomize.py").write_text(RECORDER)
    log = folder / "connections.txt"
    log.touch()
    return {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "CONNECTIONS": str(log)}, log


@pytest.fixture(scope="module", params=["streamlit", "tests.browser.apps.edgewise_app"], ids=["streamlit", "edgewise"])
def recorded(app_server, recording, request) -> tuple[str, Path]:
    """Return the app's address and the record of its process, for both ways of starting it."""
    env, log = recording
    return app_server(ROOT / "app.py", program=request.param, env=env), log


def head_of(address: str, host: str | None = None, origin: str | None = None, *, socket_: bool = False) -> str:
    """Return the head of the answer to a request or WebSocket handshake with this `origin`."""
    name, port = address.removeprefix("http://").split(":")
    lines = [f"GET /{'_stcore/stream' if socket_ else ''} HTTP/1.1", f"Host: {host or f'{name}:{port}'}"]
    lines += [f"Origin: {origin}"] if origin else []
    if socket_:
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    with socket.create_connection((name, int(port)), timeout=20) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        return line.recv(8192).decode().partition("\r\n\r\n")[0]


@pytest.mark.deep
def test_the_record_hears_of_a_connection(recording):
    """The record contains a known connection, so the test below is meaningful."""
    env, log = recording
    code = (
        f"import socket; socket.socket().connect_ex(('127.0.0.1', {free_port()})); socket.getaddrinfo('localhost', 1)"
    )
    before = log.read_text()
    subprocess.run([sys.executable, "-c", code], env=os.environ | env, check=True)
    heard = log.read_text().removeprefix(before)
    assert "socket.connect" in heard
    assert "socket.getaddrinfo" in heard
    log.write_text(before)


@pytest.mark.gate_cases(1)
def test_nobody_else_is_asked_from_start_to_finish(recorded, open_page):
    """No connection leaves the machine from first graph to result, and WebSockets of other sites are refused."""
    address, log = recorded
    page = open_page()
    page.goto(address)
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
    page.get_by_role("link", name="Data", exact=True).first.click()
    upload = {"name": "mine.csv", "mimeType": "text/csv", "buffer": small_table()}
    page.locator(TABLE_FILE).set_input_files(upload)
    expect(page.get_by_role("heading", name="mine.csv")).to_be_visible(timeout=60_000)
    own = address.removeprefix("http://")
    for host, origin in (
        (None, "http://example.com"), ("example.com", "http://example.com"), (None, "null"), (None, "http://["),
        (None, f"file://{own}"), ("[", "http://["), (f"x@{own}", f"http://x@{own}"),
    ):  # fmt: skip
        assert " 403 " in head_of(address, host, origin, socket_=True)
    page.get_by_role("link", name="Learn", exact=True).first.click()
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=240_000)
    assert outside(page.request_urls, address) == []
    assert page.console_errors == []
    assert [line for line in log.read_text().splitlines() if not own(line)] == []


def own(line: str) -> bool:
    """Return True if a line of the record is about this machine."""
    return any(f"'{name}'" in line for name in ("127.0.0.1", "localhost", "::1"))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("ask", [lambda a, h: head_of(a, h), lambda a, h: head_of(a, h, f"http://{h}", socket_=True)])
def test_only_its_own_names_lead_to_it(recorded, ask: Callable[[str, str], str]):
    """An unknown host name that resolves to this machine is refused, for the page and for the WebSocket."""
    address, _ = recorded
    port = address.rpartition(":")[2]
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"):
        assert " 403 " not in ask(address, host).splitlines()[0]
    for host in ("example.com", f"localhost.example.com:{port}", "[", "127.0.0.1.example.com"):
        assert " 403 " in ask(address, host).splitlines()[0]


@pytest.mark.deep
def test_every_answer_has_the_headers_of_safety(recorded):
    """Every answer has the security headers, including a refusal."""
    for head in (head_of(recorded[0]), head_of(recorded[0], "example.com")):
        lines = [line.lower() for line in head.splitlines()]
        for wanted in ("content-security-policy: default-src 'self';", "x-content-type-options: nosniff"):
            assert sum(line.startswith(wanted) for line in lines) == 1
        assert "x-frame-options: deny" in lines
