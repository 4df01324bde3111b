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
        "continue": "Continue to step {k} of {n}",
        "whole": "Show whole lesson",
        "glossary": "Glossary ({n})",
        "to the lesson": "Lesson: {title} (opens in a new tab)",
        "click": "Click an edge to see why it is there.",
        "use it": "Start quiz on the run of this lesson",
        "right": "Correct. {why}",
        "wrong": "Not quite. Correct answer: {right}. {why}",
        "learning": "Learning…",
        "practice": "Practice: endless exercises",
        "to practice": "Practise on random graphs",
        "game": "Game",
        "level": "Level",
        "game separation": "d-separation",
        "game adjustment": "Adjust for it",
        "game colliders": "Colliders",
        "game equivalence": "Equivalent DAGs",
        "game removal": "Edge that leaves next",
        "task removal": (
            "PC knows the true graph only through perfect tests. It conditions on {sets} now, and exactly one edge can "
            "leave. Which one?"
        ),
        "sets of 0": "nothing",
        "sets of 1": "one neighbour",
        "sets of 2": "two neighbours of one end",
        "graph of PC": "Graph of PC",
        "true graph": "True graph",
        "task separation": "Are {x} and {y} independent given {given}?",
        "task adjustment": (
            "Choose variables to adjust for, so that the effect of {x} on {y} can be estimated. Any set that works "
            "is right."
        ),
        "task colliders": "Which variables are colliders on the path {path}?",
        "task equivalence": "Name one edge that can be reversed alone, so that the new DAG is equivalent.",
        "independent": "Independent",
        "dependent": "Dependent",
        "nothing given": "nothing",
        "edge": "Edge",
        "chosen": "Chosen variables",
        "none chosen": "none",
        "click edge": "Choose here, or click the edge in the graph.",
        "click nodes": "Choose here, or click variables in the graph.",
        "check": "Check answer",
        "next task": "Next task",
        "not right": "Not quite. {why}",
        "streak": "Streak {n} · best {best} · task {task}",
        "missed": "Missed: {games}.",
        "why collider": "{names} is a collider: two arrowheads of the path point at it.",
        "why colliders": "The colliders are {names}: two arrowheads of the path point at each of them.",
        "why no collider": "The path has no collider: no variable on it has two arrowheads of the path.",
        "why chain": "{name} is no collider: it is the middle of the chain {path}.",
        "why fork": "{name} is no collider: it is the middle of the fork {path}.",
        "why off path": "{name} is not on the path.",
        "rule adjustment": (
            "A causal path follows the arrows from {x} to {y}. Leave causal paths open, and block all other paths."
        ),
        "teaches": "Lesson: {title}",
        "non-causal both blocked": "Both non-causal paths are blocked. {first}",
        "non-causal all blocked": "All {n} non-causal paths are blocked. {first}",
        "non-causal one open": "One of {n} non-causal paths is open. {first}",
        "non-causal some open": "{k} of {n} non-causal paths are open. {first}",
        "non-causal both open": "Both non-causal paths are open. {first}",
        "non-causal all open": "All {n} non-causal paths are open. {first}",
        "causal path open": "The causal path stays open: {paths}.",
        "causal paths open": "The causal paths stay open: {paths}.",
        "needless": "Not needed: {names}. Adjusting for {enough} suffices.",
        "why mediator": "Do not adjust for {name}: that blocks the causal path {path}, which is part of the effect.",
        "why descendant": (
            "Do not adjust for {name}: it descends from {on} ({path}). Its values depend on the effect, so adjusting "
            "for it can distort the estimate."
        ),
        "why reversible": (
            "{a} and {b} share all their other parents ({shared}). So reversing {edge} changes no v-structure and "
            "closes no cycle."
        ),
        "why reversible alone": (
            "Neither {a} nor {b} has another parent. So reversing {edge} changes no v-structure and closes no cycle."
        ),
        "why v-structure made": "Reversing {edge} adds the v-structure {path}.",
        "why v-structure lost": "Reversing {edge} removes the v-structure {path}.",
        "why cycle": "Reversing {edge} closes the cycle {path}.",
        "percent": "percent",
        "by click": "Choose above, or click the variable in the graph.",
        "number": "number",
        "wrong entry": "Not quite. {why} Correct answer: {right}.",
        "wrong set": "Not quite. {why} One correct answer: {right}.",
        "click marks": (
            "Choose here, click an edge to turn it, or drag from a node's blue handle to where the arrow points."
        ),
        "click edges": "Choose here, or click edges in the graph.",
        "move slider": "Move the slider above the run, then check your answer.",
        "edges": "Chosen edges",
        "order": "Order, first step first",
        "your order": "Your order: {steps}",
        "order them": "Click the steps one after the other, the first step first.",
        "members": "Move the slider to see each DAG of the class.",
        "own CPDAG": "Your CPDAG",
        "own answer": "Your answer",
        "right answer": "Correct answer",
        "kept": "Your answers stay here until you close or reload the page. They are not stored.",
        "given DAG": "The DAG",
        "held by PC": "What PC holds",
        "after level": "What PC holds after this level",
        "unseen truth": "The true graph, which PC does not see",
        "change": "Change answer",
        "all": "all",
        "difference": "difference",
        "share of": "{effect} = yes",
        "strength of": "{a} → {b}",
        "moving": (
            "Difference in {effect} by {cause}: **{plain}** points among all, **{adjusted}** adjusted for {group}. "
            "True effect of {cause}: **{causal}** points."
        ),
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
        "continue": "Weiter zu Schritt {k} von {n}",
        "whole": "Ganze Lektion zeigen",
        "glossary": "Glossar ({n})",
        "to the lesson": "Lektion: {title} (öffnet einen neuen Tab)",
        "click": "Klicken Sie auf eine Kante, um zu lesen, warum es sie gibt.",
        "use it": "Quiz zum Lauf dieser Lektion beginnen",
        "right": "Richtig. {why}",
        "wrong": "Leider nein. Richtig ist: {right}. {why}",
        "learning": "Es wird gelernt…",
        "practice": "Übung: Aufgaben ohne Ende",
        "to practice": "An Zufallsgraphen üben",
        "game": "Spiel",
        "level": "Stufe",
        "game separation": "d-Separation",
        "game adjustment": "Adjustieren",
        "game colliders": "Kollider",
        "game equivalence": "Äquivalente DAGs",
        "game removal": "Nächste Kante, die wegfällt",
        "task removal": (
            "PC kennt den wahren Graphen nur durch fehlerfreie Tests. Es bedingt jetzt auf {sets}, und genau eine "
            "Kante kann wegfallen. Welche?"
        ),
        "sets of 0": "nichts",
        "sets of 1": "einen Nachbarn",
        "sets of 2": "zwei Nachbarn eines Endes",
        "graph of PC": "Graph von PC",
        "true graph": "Wahrer Graph",
        "task separation": "Sind {x} und {y} unabhängig, wenn auf Folgendes bedingt wird: {given}?",
        "task adjustment": (
            "Wählen Sie Variablen zum Adjustieren, sodass sich die Wirkung von {x} auf {y} schätzen lässt. Jede "
            "Menge, die das leistet, ist richtig."
        ),
        "task colliders": "Welche Variablen sind Kollider auf dem Pfad {path}?",
        "task equivalence": "Nennen Sie eine Kante, die man allein umdrehen kann, sodass der neue DAG äquivalent ist.",
        "independent": "Unabhängig",
        "dependent": "Abhängig",
        "nothing given": "nichts",
        "edge": "Kante",
        "chosen": "Gewählte Variablen",
        "none chosen": "keine",
        "click edge": "Wählen Sie hier, oder klicken Sie die Kante im Graphen an.",
        "click nodes": "Wählen Sie hier, oder klicken Sie Variablen im Graphen an.",
        "check": "Antwort prüfen",
        "next task": "Nächste Aufgabe",
        "not right": "Leider nein. {why}",
        "streak": "Serie {n} · beste {best} · Aufgabe {task}",
        "missed": "Falsch: {games}.",
        "why collider": "{names} ist ein Kollider: Zwei Pfeilspitzen des Pfads zeigen darauf.",
        "why colliders": "Kollider sind {names}: Auf jede davon zeigen zwei Pfeilspitzen des Pfads.",
        "why no collider": "Der Pfad hat keinen Kollider: Auf keine Variable zeigen zwei Pfeilspitzen des Pfads.",
        "why chain": "{name} ist kein Kollider, sondern die Mitte der Kette {path}.",
        "why fork": "{name} ist kein Kollider, sondern die Mitte der Gabel {path}.",
        "why off path": "{name} liegt nicht auf dem Pfad.",
        "rule adjustment": (
            "Ein kausaler Pfad folgt den Pfeilen von {x} zu {y}. Lassen Sie kausale Pfade offen, und blockieren Sie "
            "alle anderen."
        ),
        "teaches": "Lektion: {title}",
        "non-causal both blocked": "Beide nichtkausalen Pfade sind blockiert. {first}",
        "non-causal all blocked": "Alle {n} nichtkausalen Pfade sind blockiert. {first}",
        "non-causal one open": "Einer von {n} nichtkausalen Pfaden ist offen. {first}",
        "non-causal some open": "{k} von {n} nichtkausalen Pfaden sind offen. {first}",
        "non-causal both open": "Beide nichtkausalen Pfade sind offen. {first}",
        "non-causal all open": "Alle {n} nichtkausalen Pfade sind offen. {first}",
        "causal path open": "Der kausale Pfad bleibt offen: {paths}.",
        "causal paths open": "Die kausalen Pfade bleiben offen: {paths}.",
        "needless": "Nicht nötig: {names}. Auf {enough} zu adjustieren genügt.",
        "why mediator": (
            "Adjustieren Sie nicht auf {name}: Das blockiert den kausalen Pfad {path}, einen Teil der Wirkung."
        ),
        "why descendant": (
            "Adjustieren Sie nicht auf {name}: Es stammt von {on} ab ({path}). Seine Werte hängen von der Wirkung ab; "
            "darauf zu adjustieren kann die Schätzung verfälschen."
        ),
        "why reversible": (
            "{a} und {b} haben alle übrigen Eltern gemeinsam ({shared}). {edge} umzudrehen ändert darum keine "
            "v-Struktur und schließt keinen Kreis."
        ),
        "why reversible alone": (
            "Weder {a} noch {b} hat weitere Eltern. {edge} umzudrehen ändert darum keine v-Struktur und schließt "
            "keinen Kreis."
        ),
        "why v-structure made": "{edge} umzudrehen fügt die v-Struktur {path} hinzu.",
        "why v-structure lost": "{edge} umzudrehen entfernt die v-Struktur {path}.",
        "why cycle": "{edge} umzudrehen schließt den Kreis {path}.",
        "percent": "Prozent",
        "by click": "Wählen Sie oben, oder klicken Sie die Variable im Graphen an.",
        "number": "Zahl",
        "wrong entry": "Leider nein. {why} Richtig ist: {right}.",
        "wrong set": "Leider nein. {why} Richtig ist zum Beispiel: {right}.",
        "click marks": (
            "Wählen Sie hier, oder klicken Sie eine Kante an, um sie zu drehen. Oder ziehen Sie vom blauen Griff eines "
            "Knotens zum Ziel des Pfeils."
        ),
        "click edges": "Wählen Sie hier, oder klicken Sie Kanten im Graphen an.",
        "move slider": "Bewegen Sie den Regler über dem Lauf, und prüfen Sie dann Ihre Antwort.",
        "edges": "Gewählte Kanten",
        "order": "Reihenfolge, erster Schritt zuerst",
        "your order": "Ihre Reihenfolge: {steps}",
        "order them": "Klicken Sie die Schritte nacheinander an, den ersten zuerst.",
        "members": "Bewegen Sie den Regler, um jeden DAG der Klasse zu sehen.",
        "own CPDAG": "Ihr CPDAG",
        "own answer": "Ihre Antwort",
        "right answer": "Richtige Antwort",
        "kept": "Ihre Antworten bleiben, bis Sie die Seite schließen oder neu laden. Sie werden nicht gespeichert.",
        "given DAG": "Der DAG",
        "held by PC": "Der Graph, mit dem PC arbeitet",
        "after level": "Der Graph nach dieser Stufe",
        "unseen truth": "Der wahre Graph, den PC nicht sieht",
        "change": "Antwort ändern",
        "all": "alle",
        "difference": "Unterschied",
        "share of": "{effect} = ja",
        "strength of": "{a} → {b}",
        "moving": (
            "Unterschied in {effect} nach {cause}: **{plain}** Punkte unter allen, **{adjusted}** adjustiert für "
            "{group}. Wahre Wirkung von {cause}: **{causal}** Punkte."
        ),
        "repeat": "Mit {n} Startwerten wiederholen",
        "repeating": "Es wird aus {n} Stichproben gelernt…",
        "spread": "SHD von {n} Stichproben nach {setting}. Die Linie verbindet die Mediane: {medians}.",
    },
}
