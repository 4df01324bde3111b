"""Tests of progress on standard error: a bar on a terminal, plain lines in a log."""

from __future__ import annotations

import io
import sys

import pytest

from learners.command_line.terminal import progress


class Terminal(io.StringIO):
    """A standard error stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_progress_names_no_total_that_is_unknown(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream())
    with progress(quiet=False) as tick:
        assert tick("groups", 16, 0)
        assert tick("level 1", 3, 12)
    text = sys.stderr.getvalue()
    assert "groups: 16, " in text
    assert "level 1: 25%, " in text
    assert "of 0" not in text


def test_a_log_has_one_line_for_each_phase_and_no_carriage_return(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress(quiet=False) as tick:
        for phase in ("level 0", "level 1"):
            for done in range(1_000):
                tick(f"{phase}, {done} tests", done, 1_000)
    text = sys.stderr.getvalue()
    assert "\r" not in text
    assert [line.split(":")[1].split(",")[0].strip() for line in text.splitlines()] == ["level 0", "level 1"]


def test_a_quiet_command_shows_no_progress(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress(quiet=True) as tick:
        tick("level 0", 1, 2)
    assert sys.stderr.getvalue() == ""
