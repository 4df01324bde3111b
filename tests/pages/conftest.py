"""Fixtures that every test of the pages uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
import streamlit
from streamlit.components.v2 import manifest_scanner
from streamlit.elements.lib import policies
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test

from learners.registry import learn
from learners.workers import warm_up
from pages.session.jobs import ownership, runner
from pages.session.jobs.limits import Limits
from pages.session.jobs.queue import Supervisor
from tests.pages.driving import as_on_our_server
from tests.polling import pause

scanned_once = cache(manifest_scanner.scan_component_manifests)
compiled_once = cache(ScriptCache)


@pytest.fixture(autouse=True)
def running_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate the app's server for each visit: its page list, its scanned packages and its compiled pages."""
    monkeypatch.setattr(PagesManager, "__init__", as_on_our_server(PagesManager.__init__))
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", scanned_once)
    monkeypatch.setattr(app_test, "ScriptCache", compiled_once)


@pytest.fixture(autouse=True)
def one_initial_value(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a widget has a default while the session sets its value: Streamlit logs that only once per process."""
    found: list[str] = []
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    monkeypatch.setattr(policies._LOGGER, "warning", lambda text, *args, **_: found.append(text % args))
    yield
    assert found == []


@pytest.fixture(autouse=True)
def ready_learners(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs begin at once, whether or not their learners were compiled before the tests."""
    monkeypatch.setattr(warm_up, "ready", lambda piece: True)  # noqa: ARG005


@pytest.fixture(autouse=True)
def house(monkeypatch: pytest.MonkeyPatch) -> Supervisor:
    """Give each test a separate supervisor with eight slots on any number of cores."""
    one = Supervisor(Limits(jobs=8, seconds=1e9, left_seconds=1e9, memory_mb=1e9))
    monkeypatch.setattr(ownership, "supervisor", lambda: one)
    return one


@pytest.fixture
def slow_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Make runs pause at every tick until they are cancelled, or until the returned function is called."""
    going = [True]

    def slowly(key: str, dataset: object, *, tick: Callable[..., bool], **rest: object) -> object:
        def slow_tick(*progress: object) -> bool:
            while going and tick(*progress):
                pause()
            return tick(*progress)

        return learn(key, dataset, tick=slow_tick, **rest)

    monkeypatch.setattr(runner, "learn", slowly)
    yield going.clear
    going.clear()


@pytest.fixture
def files(monkeypatch):
    """Return the files that the pages have offered, by key and label; a menu of formats offers one after another."""
    offered = {}
    real = streamlit.download_button

    def noting(label, data, name="", mime=None, **options):
        if not options.get("disabled"):
            offered[options["key"], label] = data
        return real(label, data, name, mime, **options)

    monkeypatch.setattr(streamlit, "download_button", noting)
    return offered
