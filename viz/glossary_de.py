"""The field's words in German: the keys are those of the English glossary."""

from __future__ import annotations

GLOSSARY_DE = {
    "alpha": "das Signifikanzniveau. Ein Paar gilt als unabhängig, sobald ein Test ein p über alpha hat.",
    "autonomous group": (
        "autonome Gruppe: bei RAI Variablen, die sich allein verfeinern lassen, gegeben ihre Eltern außerhalb."
    ),
    "awareness": (
        "Gewahrsein: bei LMM bedingt eine Variable auf einen Nachbarn, den sie kennt; ein Punkt am Kantenende zeigt es."
    ),
    "Bayesian network": "Bayessches Netz: ein DAG mit einer Verteilung, die seine Unabhängigkeiten einhält.",
    "bootstrap": (
        "Bootstrap: Zeilen werden mit Zurücklegen neu gezogen, so viele es gibt; so könnte eine andere Stichprobe "
        "aussehen."
    ),
    "C1": (
        "bei RAI gilt ein Paar als unabhängig, wenn sein G² unter seinen Freiheitsgraden liegt, dem Mittel bei Zufall."
    ),
    "CD": "bei LMM, wie viel abhängiger zwei Variablen werden, sobald die Variable zwischen ihnen berücksichtigt ist.",
    "cluster": (
        "Cluster: bei pPC und pHGS Variablen, die viel übereinander verraten; Tests beginnen innerhalb der Cluster."
    ),
    "compelled edge": "festgelegte Kante: eine Kante, die in jedem DAG der Äquivalenzklasse gleich gerichtet ist.",
    "conditioning set": (
        "Bedingungsmenge: die Variablen, die ein Test festhält; bleibt in Gruppen gleicher Werte ein Zusammenhang?"
    ),
    "CPPD": (
        "bei LMM die Wahrscheinlichkeit, dass zwei Variablen gegeben andere abhängen; joint: nach den Mengen "
        "beider Enden."
    ),
    "CPDAG": "der Graph einer Äquivalenzklasse: Pfeile, wo ihre DAGs übereinstimmen, einfache Linien, wo nicht.",
    "d-separation": "d-Separation: die Regel, mit der man Unabhängigkeiten an einem DAG abliest.",
    "DAG": "ein gerichteter Graph ohne gerichtete Kreise.",
    "decentralised search": (
        "dezentrale Suche: bei HPC wird ein Nachbar, den die Suche einer Variable übersah, von der anderen übernommen."
    ),
    "degenerate Gaussian test": (
        "der Test für beide Arten von Spalten: eine Kategorie zählt als eine Spalte aus 0 und 1 je Stufe."
    ),
    "degrees of freedom": (
        "Freiheitsgrade: auf wie viele Arten eine Tabelle abweichen kann; je mehr, desto größer das G² beim selben p."
    ),
    "false discovery": (
        "falsche Entdeckung: ein zufällig gefundener Zusammenhang; bei mehr Tests muss jedes p kleiner sein."
    ),
    "Fisher's z": "Fishers z: der Test einer partiellen Korrelation, für Zahlen.",
    "generative tree": (
        "erzeugender Baum: bei B-RAI jede Verfeinerung jeder Gruppe auf jeder Ziehung; jeder Weg hindurch ist ein "
        "Graph."
    ),
    "G²": "der Likelihood-Quotienten-Test auf Unabhängigkeit in einer Kontingenztafel, für Kategorien.",
    "level": "Stufe: bei PC die Größe der Bedingungsmengen, die gerade geprüft werden; auch ein Wert einer Kategorie.",
    "Markov blanket": (
        "Markov-Decke: Eltern, Kinder und deren andere Eltern; sind sie gegeben, sagt der Rest nichts mehr."
    ),
    "Meek's rules": "Meeks Regeln: vier Regeln, die weitere Kanten richten, sobald die v-Strukturen bekannt sind.",
    "p-value": "p-Wert: wie oft Zufall allein eine mindestens so große Abweichung gäbe, wären die beiden unabhängig.",
    "permutation test": (
        "Permutationstest: eine Statistik, verglichen mit dem, was sie wird, wenn eine Variable je Gruppe "
        "gemischt wird."
    ),
    "posterior probability": (
        "A-posteriori-Wahrscheinlichkeit: wie sicher etwas nach den Daten ist; der gewichtete Anteil der Graphen dafür."
    ),
    "sepset": "Trennmenge: die Menge, die ein Paar unabhängig machte und so seine Kante entfernte.",
    "SHD": (
        "strukturelle Hamming-Distanz: Zahl der Paare, deren Kante sich in zwei Graphen unterscheidet; 0 heißt gleich."
    ),
    "shrinkage": "Schrumpfung: Schätzungen werden zu gleichen Anteilen gezogen, umso mehr, je weniger Zeilen es gibt.",
    "skeleton": "Skelett: die Kanten ohne ihre Richtungen.",
    "solution path": (
        "Lösungspfad: bei PATH die Graphen eines Laufs bei immer strengerem alpha; der bestbewertete wird gewählt."
    ),
    "statistical call": (
        "statistischer Aufruf: ein Test, eine lokale Bewertungsdifferenz oder ein Maß gemeinsamer Information."
    ),
    "superset": "Obermenge: bei HPC alle, die nach Tests mit höchstens einer Variable Nachbarn sein können.",
    "temperature γ": "Temperatur γ: bei B-RAI, wie frei Graphen aus dem Baum gezogen werden; 0 zieht nur den besten.",
    "v-structure": (
        "v-Struktur: zwei nicht verbundene Variablen zeigen beide auf eine dritte; nur hier zeigt sich die Richtung."
    ),
    "Φ": "das größte p aller Tests eines Paars: wie nahe es daran war, wegerklärt zu werden.",
}
