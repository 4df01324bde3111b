"""Time until a new visitor sees the first graph, on a server that others have visited."""

from __future__ import annotations

import statistics
import time

from ..browser import GRAPH, new_visitor, open_browser, serve_as
from ..machine import ROOT
from .driving import cpu_seconds

VISITORS = 5


def main(words: list[str]) -> None:
    """Print a line for each visitor: seconds until the graph is drawn, bytes sent, CPU seconds of the server."""
    with serve_as(ROOT / "app.py") as (address, pid), open_browser() as browser:
        taken = [visit(browser, address, pid) for _ in range(1 + int(words[0] if words else VISITORS))][1:]
    for seconds, cpu, sent in taken:
        print(f"graph after {seconds:5.2f} s, server {cpu:5.2f} s of CPU, {sent / 1e6:5.2f} MB by WebSocket")
    print(f"median {statistics.median(one[0] for one in taken):.2f} s")


def visit(browser: object, address: str, pid: int) -> tuple[float, float, int]:
    """Make one visit in a new browser profile; return seconds to the graph, CPU seconds and received bytes."""
    sent = [0]
    with new_visitor(browser) as page:
        page.on(
            "websocket",
            lambda line: line.on("framereceived", lambda data: sent.__setitem__(0, sent[0] + len(data))),
        )
        cpu, began = cpu_seconds(pid), time.perf_counter()
        page.goto(address, wait_until="commit")
        page.locator(GRAPH).first.wait_for()
        seconds = time.perf_counter() - began
        page.wait_for_timeout(1_500)  # work of the server after the first graph counts for this visitor, too
        return seconds, cpu_seconds(pid) - cpu, sent[0]
