"""Files of the lessons in one folder, with translations in a folder per language."""

from __future__ import annotations

from pathlib import Path

from learners.teaching.lessons.lesson import Lesson, LessonError
from learners.teaching.lessons.lesson_parser import read_lesson

FOLDER = Path(__file__).parents[3] / "lessons"


def keys() -> list[str]:
    """Return the names of the files in order."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def titles(language: str = "en") -> dict[str, str]:
    """Return the title of each lesson; the name of the file if it cannot be read."""
    return {key: _title(key, language) for key in keys()}


def _title(key: str, language: str) -> str:
    try:
        return _text(_path(key, language)).partition("\n")[0].lstrip("# ").strip() or key
    except LessonError:
        return key


def lesson(key: str, language: str = "en") -> Lesson:
    """Return a lesson, in English if there is no translation.

    Raises
    ------
    LessonError
        If the file is not a valid lesson; the message names the line.
    """
    path = _path(key, language)
    return read_lesson(_text(path), key, language if path.parent != FOLDER else "en")


def _path(key: str, language: str) -> Path:
    translated = FOLDER / language / f"{key}.md"
    return translated if translated.exists() else FOLDER / f"{key}.md"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LessonError(f"{path.stem}, line 1: the file is not UTF-8 text; save it as UTF-8") from None
