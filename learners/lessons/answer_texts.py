"""Texts of answers, in each language of the lessons."""

from __future__ import annotations

from collections.abc import Mapping

Texts = Mapping[str, str]
TEXTS: Mapping[str, Texts] = {
    "en": {
        "yes": "yes",
        "no": "no",
        "no path": "No path connects {a} and {b}.",
        "blocked at": "{path} is blocked at {name}, which is conditioned on.",
        "blocked collider": "{path} is blocked at the collider {name}: neither it nor a descendant is conditioned on.",
        "both blocked": "Both paths are blocked. {first}",
        "all blocked": "All {n} paths are blocked. {first}",
        "edge": "{path} is an edge, which no set blocks.",
        "open": "{path} is open, because nothing on it is conditioned on.",
        "opened": "{path} is open, because conditioning on {given} opens the collider {name}.",
        "separator": "Given {name}, the two are separated; given any other single variable, a path is open.",
        "collider": "Both arrows point at {name}.",
        "no collider": "Not both arrows point at {name}.",
        "member": "DAGs fit equally well if they have the same edges and v-structures; these two {verdict}.",
        "same": "have the same edges without arrowheads, and the same v-structures",
        "other": "differ in one of the two",
        "one member": "The class has 1 DAG.",
        "members": "The class has {size} DAGs.",
        "either way": "either way",
        "open edge": "Both directions occur in the class.",
        "compelled": "All DAGs of the class have this direction.",
        "below": "{name} is a descendant of the cause, so the set must not contain it.",
        "adjusts": "All paths that enter the cause are blocked.",
        "joined": "{a} and {b} are adjacent in the result.",
        "not joined": "{a} and {b} are not adjacent in the result.",
        "nothing": "none, they are independent given nothing",
        "sepset": "The test that separated them was given {name}.",
        "sepset nothing": "The test that separated them was given nothing.",
        "at": "{n} at {value}",
        "wrong": "Wrong pairs (SHD): {counts}.",
        "edges": "Edges: {counts}.",
    },
    "de": {
        "yes": "ja",
        "no": "nein",
        "no path": "Kein Pfad verbindet {a} und {b}.",
        "blocked at": "{path} ist bei {name} blockiert, denn darauf wird bedingt.",
        "blocked collider": (
            "{path} ist beim Kollider {name} blockiert: Weder auf ihn noch auf einen Nachfahren wird bedingt."
        ),
        "both blocked": "Beide Pfade sind blockiert. {first}",
        "all blocked": "Alle {n} Pfade sind blockiert. {first}",
        "edge": "{path} ist eine Kante, und keine Menge blockiert sie.",
        "open": "{path} ist offen, denn auf keine Variable darauf wird bedingt.",
        "opened": "{path} ist offen, denn die Bedingung auf {given} öffnet den Kollider {name}.",
        "separator": (
            "Gegeben {name} ist jeder Pfad zwischen den beiden blockiert; gegeben eine andere Variable ist einer offen."
        ),
        "collider": "Beide Pfeile zeigen auf {name}.",
        "no collider": "Nicht beide Pfeile zeigen auf {name}.",
        "member": "DAGs passen gleich gut, wenn sie dieselben Kanten und v-Strukturen haben; diese beiden {verdict}.",
        "same": "haben ohne Pfeilspitzen dieselben Kanten und dieselben v-Strukturen",
        "other": "unterscheiden sich in einem davon",
        "one member": "Die Klasse hat 1 DAG.",
        "members": "Die Klasse hat {size} DAGs.",
        "either way": "beides kommt vor",
        "open edge": "In der Klasse kommen beide Richtungen vor.",
        "compelled": "Alle DAGs der Klasse haben diese Richtung.",
        "below": "{name} ist ein Nachkomme der Ursache und darf nicht in der Menge sein.",
        "adjusts": "Alle Pfade, die auf die Ursache zeigen, sind blockiert.",
        "joined": "{a} und {b} sind im Ergebnis benachbart.",
        "not joined": "{a} und {b} sind im Ergebnis nicht benachbart.",
        "nothing": "keine, sie sind ohne Bedingung unabhängig",
        "sepset": "Der Test, der sie trennte, war bedingt auf {name}.",
        "sepset nothing": "Der Test, der sie trennte, war ohne Bedingung.",
        "at": "{n} bei {value}",
        "wrong": "Falsche Paare (SHD): {counts}.",
        "edges": "Kanten: {counts}.",
    },
}
