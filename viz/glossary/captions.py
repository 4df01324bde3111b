"""Captions of lessons and of the glossary, in each language."""

from __future__ import annotations

from collections.abc import Mapping

CAPTIONS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "lesson": "Lesson",
        "language": "Language of lessons and glossary",
        "time": "About {minutes} minutes. Your answers are not stored.",
        "time in English": "About {minutes} minutes. Your answers are not stored.",
        "next": "Next: {title}",
        "glossary": "Glossary ({n} terms)",
        "to the lesson": "Lesson: {title} (opens in a new tab)",
        "click": "Click an edge to see why it is there.",
        "use it": "Try it on your own run: open Inspect, then Start quiz.",
        "right": "Correct. {why}",
        "wrong": "Not quite. Correct answer: {right}. {why}",
        "learning": "Learning…",
    },
    "de": {
        "lesson": "Lektion",
        "language": "Sprache der Lektionen und des Glossars",
        "time": "Etwa {minutes} Minuten. Ihre Antworten werden nicht gespeichert.",
        "time in English": "Etwa {minutes} Minuten. Ihre Antworten werden nicht gespeichert. Nur auf Englisch.",
        "next": "Weiter: {title}",
        "glossary": "Glossar ({n} Begriffe)",
        "to the lesson": "Lektion: {title} (öffnet einen neuen Tab)",
        "click": "Klicken Sie auf eine Kante, um zu lesen (auf Englisch), warum es sie gibt.",
        "use it": "Üben Sie an Ihrem eigenen Lauf: Öffnen Sie Inspect, dann Start quiz.",
        "right": "Richtig. {why}",
        "wrong": "Leider nein. Richtig ist: {right}. {why}",
        "learning": "Es wird gelernt…",
    },
}
