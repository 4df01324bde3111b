"""Captions of lessons and of the glossary, in each language."""

from __future__ import annotations

from collections.abc import Mapping

CAPTIONS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "lesson": "Lesson",
        "language": "Language",
        "time": "About {minutes} minutes",
        "time in English": "About {minutes} minutes",
        "not stored": "Your answers are not stored.",
        "next": "Next: {title}",
        "continue": "Continue (step {k} of {n})",
        "whole": "Show whole lesson",
        "glossary": "Glossary ({n})",
        "to the lesson": "Lesson: {title} (opens in a new tab)",
        "click": "Click an edge to see why it is there.",
        "use it": "Take the quiz on your own run",
        "right": "Correct. {why}",
        "wrong": "Not quite. Correct answer: {right}. {why}",
        "learning": "Learning…",
        "by click": "Choose above, or click the variable in the graph.",
        "repeat": "Repeat with {n} seeds",
        "repeating": "Learning from {n} samples…",
        "spread": "SHD of {n} samples by {setting}. The line joins the medians: {medians}.",
    },
    "de": {
        "lesson": "Lektion",
        "language": "Sprache",
        "time": "Etwa {minutes} Minuten",
        "time in English": "Etwa {minutes} Minuten. Nur auf Englisch.",
        "not stored": "Ihre Antworten werden nicht gespeichert.",
        "next": "Weiter: {title}",
        "continue": "Fortsetzen (Schritt {k} von {n})",
        "whole": "Ganze Lektion zeigen",
        "glossary": "Glossar ({n})",
        "to the lesson": "Lektion: {title} (öffnet einen neuen Tab)",
        "click": "Klicken Sie auf eine Kante, um zu lesen, warum es sie gibt.",
        "use it": "Quiz zum eigenen Lauf",
        "right": "Richtig. {why}",
        "wrong": "Leider nein. Richtig ist: {right}. {why}",
        "learning": "Es wird gelernt…",
        "by click": "Wählen Sie oben, oder klicken Sie die Variable im Graphen an.",
        "repeat": "Mit {n} Startwerten wiederholen",
        "repeating": "Es wird aus {n} Stichproben gelernt…",
        "spread": "SHD von {n} Stichproben nach {setting}. Die Linie verbindet die Mediane: {medians}.",
    },
}
