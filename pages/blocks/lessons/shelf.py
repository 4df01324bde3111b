"""The lessons that there are: files of one folder, which anyone can add to."""

from __future__ import annotations

from pathlib import Path

from learners.lessons.lesson import Lesson, LessonError
from learners.lessons.reading import read_lesson

FOLDER = Path(__file__).parents[3] / "lessons"


def keys() -> list[str]:
    """Names of the files, in their order."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def titles() -> dict[str, str]:
    """What stands on the first line of each."""
    return {key: _text(key).partition("\n")[0].lstrip("# ").strip() or key for key in keys()}


def lesson(key: str) -> Lesson:
    """One of them.

    Raises
    ------
    LessonError
        If the file is no lesson; the sentence names the line.
    """
    return read_lesson(_text(key), key)


def _text(key: str) -> str:
    try:
        return (FOLDER / f"{key}.md").read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LessonError(f"{key}, line 1: the file is no UTF-8 text; save it as UTF-8") from None
