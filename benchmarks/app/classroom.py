"""A class of 100 phones: seconds to join and to answer a question, and CPU time and memory of the server.

Argument: the number of phones. Each phone is a separate client: it joins, waits for updates as the script of the page
does, and answers as soon as it sees a question, all at once. The lecturer is a browser.
"""

from __future__ import annotations

import http.client
import re
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode, urlsplit

import numpy as np
from playwright.sync_api import Page, expect

from ..browser import GRAPH, new_visitor, open_browser, serve_as
from ..machine import ROOT
from .driving import cpu_seconds, resident_mb

PHONES, QUESTIONS = 100, 5
FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "text/x-card"}


class Phone:
    """One student: a persistent connection and a cookie."""

    def __init__(self, address: str) -> None:
        self.line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        self.path, self.cookie, self.version = urlsplit(address).path, "", ""

    def ask(self, method: str, path: str, fields: dict | None = None) -> tuple[int, str]:
        """Return status and text of the response."""
        body = None if fields is None else urlencode(fields)
        self.line.request(method, path, body, FORM | {"cookie": self.cookie})
        answer = self.line.getresponse()
        self.cookie = (answer.headers["set-cookie"] or self.cookie).partition(";")[0]
        self.version = answer.headers["x-version"] or self.version
        return answer.status, answer.read().decode()

    def join(self) -> float:
        """Return the seconds from opening the page to having joined."""
        began = time.perf_counter()
        self.ask("GET", self.path)
        assert self.ask("POST", self.path, {"name": "load"})[0] == 303
        self.ask("GET", self.path)
        return time.perf_counter() - began

    def answer(self, k: int) -> tuple[float, float]:
        """Return the time at which the question at position `k` appeared, and the seconds to submit an answer."""
        wanted = f'name="at" value="{k}"'
        while True:
            text = self.ask("GET", f"{self.path}/now?seen={self.version}")[1]
            if wanted in text:
                break
        came = time.perf_counter()
        assert self.ask("POST", self.path, {"at": k, "choice": 0})[0] == 200
        return came, time.perf_counter() - came


def main(words: list[str]) -> None:
    """Print median and maximum over the phones for each step, and the seconds and MB of the server."""
    phones = int(words[0]) if words else PHONES
    with serve_as(ROOT / "app.py") as (address, pid), open_browser() as browser, new_visitor(browser) as page:
        code = _open_class(page, address)
        held, spent, began = resident_mb(pid), cpu_seconds(pid), time.perf_counter()
        with ThreadPoolExecutor(phones) as pool:
            class_ = [Phone(f"{address}/join/{code}") for _ in range(phones)]
            _show("join", list(pool.map(Phone.join, class_)))
            for k in range(QUESTIONS):
                _ask(page, k, class_, pool)
        took = time.perf_counter() - began
        more = resident_mb(pid) - held
        print(f"server: {cpu_seconds(pid) - spent:.1f} s of the cores in {took:.1f} s, {more:.0f} MB more")


def _open_class(page: Page, address: str) -> str:
    page.goto(address)
    page.locator(GRAPH).first.wait_for()
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    page.get_by_role("button", name="Change view", exact=True).click()
    page.get_by_role("button", name="Start quiz").click()
    page.get_by_role("button", name="Ask a class").click()
    return re.search(r"join/(\w+)", page.locator("h2", has_text="join").inner_text())[1]


def _ask(page: Page, k: int, phones: list[Phone], pool: ThreadPoolExecutor) -> None:
    """Ask one question and wait until the lecturer's screen has counted every answer."""
    waiting = [pool.submit(phone.answer, k) for phone in phones]
    began = time.perf_counter()
    page.get_by_role("button", name="Start questions" if k == 0 else "Ask next question").click()
    seen = [one.result() for one in waiting]
    expect(page.get_by_text(f"{len(phones)} of {len(phones)} students answered")).to_be_visible()
    counted = time.perf_counter() - began
    _show(f"question {k + 1}: is there", [came - began for came, _ in seen])
    _show(f"question {k + 1}: answer taken", [took for _, took in seen])
    print(f"question {k + 1}: all counted on screen after {counted:.2f} s", flush=True)
    page.get_by_role("button", name="Show answer").click()
    expect(page.get_by_role("button", name="Ask next question")).to_be_visible()


def _show(what: str, seconds: list[float]) -> None:
    print(f"{what:28} median {1000 * np.median(seconds):6.0f} ms, slowest {1000 * max(seconds):6.0f} ms", flush=True)
