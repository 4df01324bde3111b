"""Each finding that a test of this folder makes is a record: it survives JSON, and has a German text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from learners.data.quality.finding import Finding
from viz.translation.sentences import catalog

NAMES = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[„“]")
ENGLISH = re.compile(r"\b(the|is|are|has|have|and|of|its|because|rows?|columns?|cells?|levels?|numbers|missing|as)\b")


@pytest.fixture(autouse=True)
def findings_are_records(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check all findings that the test makes."""
    made: dict[str, Finding] = {}
    make = Finding.__init__

    def keep(finding: Finding, *args: object, **values: object) -> None:
        make(finding, *args, **values)
        made.setdefault(finding.code, finding)

    monkeypatch.setattr(Finding, "__init__", keep)
    yield
    monkeypatch.undo()
    for finding in made.values():
        again = Finding.from_dict(json.loads(json.dumps(finding.to_dict())))
        assert again == finding
        for own, other in zip(texts(finding), texts(again), strict=True):
            assert own.written(catalog("de")) == other.written(catalog("de"))
            left = ENGLISH.findall(NAMES.sub("", own.written(catalog("de"))))
            assert left == [], f"{finding.code}: {own} -> {own.written(catalog('de'))}"


def texts(finding: Finding) -> list:
    """Return the reason and the labels of the fixes."""
    return [finding.reason, *(fix.label for fix in finding.fixes)]
