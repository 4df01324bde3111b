"""What stands around lessons and terms, in each language; the lessons themselves are files of their own."""

from __future__ import annotations

from collections.abc import Mapping

FRAME: Mapping[str, Mapping[str, str]] = {
    "en": {
        "lesson": "Lesson",
        "language": "Language of lessons and of the words explained",
        "time": "About {minutes} minutes. Nothing that you answer is kept.",
        "time in English": "About {minutes} minutes. Nothing that you answer is kept.",
        "next": "Next: {title}",
        "words on this page": "Words on this page",
        "to the lesson": "Lesson: {title} (in a new tab)",
        "click": "Click an edge, and read why it is there.",
        "use it": "Use it on your own run: Inspect, then Quiz me",
        "right": "Right. {why}",
        "wrong": "No: {right}. {why}",
        "learning": "Learning…",
    },
    "de": {
        "lesson": "Lektion",
        "language": "Sprache der Lektionen und der erklärten Wörter",
        "time": "Etwa {minutes} Minuten. Keine Antwort wird aufbewahrt.",
        "time in English": "Etwa {minutes} Minuten. Keine Antwort wird aufbewahrt. Es gibt sie nur auf Englisch.",
        "next": "Weiter: {title}",
        "words on this page": "Wörter auf dieser Seite",
        "to the lesson": "Lektion: {title} (in einem neuen Tab)",
        "click": "Klicken Sie eine Kante an, und lesen Sie (auf Englisch), warum es sie gibt.",
        "use it": "Am eigenen Lauf üben: Inspect, dann Quiz me",
        "right": "Richtig. {why}",
        "wrong": "Nein: {right}. {why}",
        "learning": "Es wird gelernt…",
    },
}
