"""What stands around a lesson, in each language; the lessons themselves are files of their own."""

from __future__ import annotations

from collections.abc import Mapping

FRAME: Mapping[str, Mapping[str, str]] = {
    "en": {
        "lesson": "Lesson",
        "time": "About {minutes} minutes. Nothing that you answer is kept.",
        "next": "Next: {title}",
        "right": "Right. {why}",
        "wrong": "No: {right}. {why}",
        "learning": "Learning…",
    },
    "de": {
        "lesson": "Lektion",
        "time": "Etwa {minutes} Minuten. Keine Antwort wird aufbewahrt. Die Lektion selbst ist auf Englisch.",
        "next": "Weiter: {title}",
        "right": "Richtig. {why}",
        "wrong": "Nein: {right}. {why}",
        "learning": "Es wird gelernt…",
    },
}
