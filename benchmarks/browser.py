"""Server of one Streamlit file, and Debian's Chromium to view it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from .machine import ROOT

CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
VIEWPORT = {"width": 1280, "height": 1000}
GRAPH = "[data-last-ms]"  # root of the graph component, once it has drawn a step
PATIENCE_MS = 120_000


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Open a headless Chromium."""
    executable = shutil.which("chromium")
    if executable is None:
        raise RuntimeError("no chromium on the PATH; install it with: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@contextmanager
def new_visitor(browser: Browser) -> Iterator[Page]:
    """Open an empty page in a new browser profile."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


@contextmanager
def open_page() -> Iterator[Page]:
    """Open an empty page of a headless Chromium."""
    with open_browser() as browser, new_visitor(browser) as page:
        yield page


@contextmanager
def serve(file: Path, env: Mapping[str, str] = os.environ) -> Iterator[str]:
    """Start a server for `file`, and yield its address as soon as it is healthy."""
    with serve_as(file, env) as (address, _):
        yield address


@contextmanager
def serve_as(file: Path, env: Mapping[str, str] = os.environ) -> Iterator[tuple[str, int]]:
    """Start a server as `serve` does, and yield its process id, too."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = {"port": port, "address": "127.0.0.1", "headless": "true"}
    options = [f"--server.{name}={value}" for name, value in flags.items()]
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(file), "--browser.gatherUsageStats=false", *options],
        cwd=ROOT,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        while not _is_healthy(address):
            if process.poll() is not None:
                raise RuntimeError(f"the server of {file.name} ended with exit code {process.returncode}")
            time.sleep(0.02)
        yield address, process.pid
    finally:
        process.kill()
        process.wait()


def _is_healthy(address: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{address}/_stcore/health", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False
