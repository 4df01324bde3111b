"""Check uploaded lessons. A child process with limits reads the bytes first and computes all answers from graphs."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ...common.errors import DataError
from ...common.sandbox import ChildFailed, run_in_sandbox
from ...io.samples import NETWORKS, SAMPLES
from .lesson import Lesson, LessonError, LessonGraph, LessonQuestion, LessonRun, LessonText
from .lesson_parser import parsed

MODULE = "learners.teaching.lessons.uploads"
MAX_BYTES = 200_000  # maximum size of a file
MAX_OUTPUT = 1_000_000  # maximum size in bytes of the child's report
MAX_FAULTS = 20  # maximum number of faults that are shown
MAX_NODES, MAX_BLOCKS, MAX_QUESTIONS, MAX_RUNS = 20, 300, 100, 20
MAX_CELLS = 2_000_000  # maximum number of rows times variables of the data of one run
MAX_REPEATED = 200  # maximum number of runs of one block: its values times its seeds
IMAGE = "!["  # beginning of a picture in Markdown, whether its address follows here or elsewhere


def check_upload(raw: bytes, name: str) -> tuple[str, str]:
    """Return title and text of an uploaded lesson, once a limited process has read it without a fault.

    Parameters
    ----------
    raw : bytes
        The file, a UTF-8 text.
    name : str
        Name of the file, for errors.

    Raises
    ------
    LessonError
        If it is too large, not a text, or not a lesson; the message has a line for each fault, with its line number.
    """
    if len(raw) > MAX_BYTES:
        raise LessonError(f"{name[:80]} has {len(raw):,} bytes; a lesson has at most {MAX_BYTES:,}. Split it")
    try:
        frames = run_in_sandbox(MODULE, "report", io.BytesIO(raw), max_output=MAX_OUTPUT)
    except ChildFailed as failed:
        why = "takes too long to check" if failed.reason == "time" else "cannot be checked within the limits"
        raise LessonError(f"{name[:80]} {why}. Use smaller graphs or fewer questions") from None
    except DataError as error:
        raise LessonError(str(error)) from None
    title, faults = json.loads(frames[0])
    if faults:
        shown = "\n".join(f"line {line}: {sentence}" for line, sentence in faults[:MAX_FAULTS])
        more = f"\nand {len(faults) - MAX_FAULTS} more" if len(faults) > MAX_FAULTS else ""
        raise LessonError(shown + more)
    return title, text_of(raw)


def text_of(raw: bytes) -> str:
    """Return the text of a file; raise DataError with the line if it is not UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataError(f"line {line}: the file is not UTF-8 text; save it as UTF-8") from None


def report(file: BinaryIO) -> Iterator[bytes]:
    """Yield title and faults of a lesson as JSON. It runs in the child, and computes the answers from graphs."""
    text = text_of(file.read())
    lesson, faults = parsed(text, "lesson")
    if lesson is not None:
        faults = sorted([*faults, *_images(text), *_limits(lesson)])
    yield json.dumps(["" if lesson is None else lesson.title, faults]).encode()


def _images(text: str) -> list[tuple[int, str]]:
    """Return a fault for each picture from elsewhere, which would tell its server who reads the lesson."""
    sentence = "a lesson has no pictures from elsewhere; draw a graph block instead"
    return [(k, sentence) for k, line in enumerate(text.splitlines(), start=1) if IMAGE in line]


def _limits(lesson: Lesson) -> list[tuple[int, str]]:
    """Return a fault for each limit that an uploaded lesson exceeds. Only questions know their line."""
    blocks = lesson.blocks
    found = [
        f"a lesson has at most {most} {word}, got {n}; split it"
        for word, n, most in (
            ("blocks", len(blocks), MAX_BLOCKS),
            ("questions", _count(blocks, LessonQuestion), MAX_QUESTIONS),
            ("runs", _count(blocks, LessonRun), MAX_RUNS),
        )
        if n > most
    ]
    for block in blocks:
        if isinstance(block, LessonGraph) and len(block.names) > MAX_NODES:
            found.append(f"a graph has at most {MAX_NODES} variables, got {len(block.names)}; draw fewer")
        if isinstance(block, LessonRun):
            found += _run_limits(block)
    if not _count(blocks, LessonText):
        found.append("a lesson has text, and this one has none")
    return [(1, sentence) for sentence in found]


def _count(blocks: Sequence, kind: type) -> int:
    return sum(isinstance(block, kind) for block in blocks)


def _run_limits(run: LessonRun) -> list[str]:
    p, own_rows = _size(run)
    rows = max(run.settings.get("rows", (own_rows,)))
    n_values = len(run.settings[run.varied]) if run.varied else 1
    faults = []
    if rows * p > MAX_CELLS:
        faults.append(f"a run on {p:,} variables has at most {MAX_CELLS // p:,} rows, got {rows:,}")
    if n_values * run.repeats > MAX_REPEATED:
        faults.append(f"repeats times values is at most {MAX_REPEATED}, got {n_values * run.repeats}")
    return faults


def _size(run: LessonRun) -> tuple[int, int]:
    """Return the number of variables of the data of a run, and the number of its rows without a setting."""
    if isinstance(run.data, LessonGraph):
        return len(run.data.names), 1000
    if run.data in SAMPLES:
        return SAMPLES[run.data].p, SAMPLES[run.data].n
    return NETWORKS[run.data].p, 1000
