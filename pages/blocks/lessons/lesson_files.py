"""The lessons that there are: files of one folder, which anyone can add to; translations in a folder per language."""

from __future__ import annotations

from pathlib import Path

from learners.lessons.lesson import Lesson, LessonError
from learners.lessons.reading import read_lesson

FOLDER = Path(__file__).parents[3] / "lessons"


def keys() -> list[str]:
    """Names of the files, in their order."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def titles(language: str = "en") -> dict[str, str]:
    """What stands on the first line of each; the name of a file that cannot be read."""
    return {key: _title(key, language) for key in keys()}


def _title(key: str, language: str) -> str:
    try:
        return _text(_path(key, language)).partition("\n")[0].lstrip("# ").strip() or key
    except LessonError:
        return key


def lesson(key: str, language: str = "en") -> Lesson:
    """One of them; in English where nobody has translated it.

    Raises
    ------
    LessonError
        If the file is no lesson; the sentence names the line.
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
        raise LessonError(f"{path.stem}, line 1: the file is no UTF-8 text; save it as UTF-8") from None
