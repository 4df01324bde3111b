"""Definitions of the terms of the field, in German; the keys are those of the English glossary."""

from __future__ import annotations

GLOSSARY_DE = {
    "adjustment set": (
        "Adjustierungsmenge",
        "Eine Menge von Variablen, auf die man bedingt. Gegeben sie, ist der verbleibende Zusammenhang von Ursache "
        "und Wirkung kausal.",
    ),
    "alpha": (
        "alpha",
        "Das Signifikanzniveau der Tests. Zwei Variablen gelten als unabhängig, wenn ein Test ein p über alpha hat.",
    ),
    "autonomous group": (
        "autonome Gruppe",
        "Bei RAI eine Gruppe von Variablen, die sich getrennt von den anderen verfeinern lässt, gegeben ihre Eltern.",
    ),
    "awareness": (
        "Gewahrsein",
        "Bei LMM ist x der Variable y gewahr, wenn Tests der anderen Kanten von x auf y bedingen können. Ein Punkt am "
        "Ende von x zeigt es.",
    ),
    "back-door path": (
        "Hintertürpfad",
        "Ein Pfad, der mit einem Pfeil auf die Ursache beginnt. Ist er offen, so verzerrt er die Wirkung.",
    ),
    "Bayesian network": (
        "Bayessches Netz",
        "Ein DAG mit einer Verteilung, in der alle Unabhängigkeiten gelten, die aus dem DAG folgen.",
    ),
    "BDeu": (
        "BDeu",
        "Eine bayessche Bewertung von Graphen für kategoriale Daten, mit gleichverteilter A-priori-Verteilung.",
    ),
    "BIC": ("BIC", "Eine Bewertung, die Anpassung und Einfachheit abwägt: Log-Likelihood minus ½ log n je Parameter."),
    "bootstrap": (
        "Bootstrap",
        "Man lernt erneut auf n mit Zurücklegen gezogenen Zeilen. Das zeigt, wie stabil das Ergebnis ist.",
    ),
    "C1": (
        "C1",
        "Bei RAI ein Test ohne Signifikanzniveau: Ein Paar gilt als unabhängig, wenn G² unter seinen Freiheitsgraden "
        "liegt, dem Mittel bei Unabhängigkeit.",
    ),
    "calibration": (
        "Kalibrierung",
        "Übereinstimmung von Wahrscheinlichkeiten und Häufigkeiten: Von allen Kanten mit 90 % gibt es neun von zehn.",
    ),
    "CD": (
        "CD",
        "Bei LMM die Zunahme der Abhängigkeit zweier Variablen, wenn man auf die Variable zwischen ihnen bedingt.",
    ),
    "chain": (
        "Kette",
        "Der Pfad x → z → y: x und y sind abhängig, aber unabhängig gegeben z. Bei Order-MCMC eine Folge gezogener "
        "Graphen.",
    ),
    "cluster": (
        "Cluster",
        "Bei pPC und pHGS eine Gruppe von Variablen mit hoher Transinformation. Tests beginnen innerhalb der Cluster.",
    ),
    "collider": (
        "Kollider",
        "Eine Variable, auf die zwei Pfeile eines Pfads zeigen. Sie blockiert den Pfad, solange man weder auf sie "
        "noch auf einen Nachfahren bedingt.",
    ),
    "compelled edge": (
        "festgelegte Kante",
        "Eine Kante, die in allen DAGs der Äquivalenzklasse dieselbe Richtung hat.",
    ),
    "conditioning set": (
        "Bedingungsmenge",
        "Die Variablen, auf die ein Test bedingt. Er fragt, ob zwei Variablen gegeben diese unabhängig sind.",
    ),
    "CPDAG": (
        "CPDAG",
        "Der Graph aller DAGs mit denselben Unabhängigkeiten. Seine Pfeile haben sie gemeinsam; die Richtung der "
        "Linien ist nicht bestimmt.",
    ),
    "CPPD": (
        "CPPD",
        "Bei LMM die bedingte A-posteriori-Wahrscheinlichkeit, dass zwei Variablen abhängig sind, gegeben andere.",
    ),
    "d-connected": (
        "d-verbunden",
        "Verbunden durch einen Pfad, der gegeben die Bedingungsmenge offen ist. Solche Variablen sind in der Regel "
        "abhängig.",
    ),
    "d-separation": (
        "d-Separation",
        "Das Kriterium, mit dem man Unabhängigkeiten an einem DAG abliest: Alle Pfade sind blockiert.",
    ),
    "DAG": ("DAG", "Ein gerichteter azyklischer Graph: Pfeile ohne Kreise."),
    "decentralised search": (
        "dezentrale Suche",
        "Bei HPC wird ein Nachbar, den die Suche einer Variable übersieht, ergänzt, wenn dessen Suche sie findet.",
    ),
    "degenerate Gaussian test": (
        "Test der entarteten Normalverteilung",
        "Ein Test für gemischte Daten. Er macht aus jeder Kategorie Spalten aus 0 und 1 und nimmt alle Spalten als "
        "normalverteilt an.",
    ),
    "degrees of freedom": (
        "Freiheitsgrade",
        "Die Zahl der Zellen einer Kontingenztafel, die bei gegebenen Rändern frei variieren. Je mehr es sind, desto "
        "größer muss G² für dasselbe p sein.",
    ),
    "effective sample size": (
        "effektive Stichprobengröße",
        "Die Zahl gleich gewichteter Zeilen, die so viel Information enthalten wie die gewichteten.",
    ),
    "equivalence class": (
        "Äquivalenzklasse",
        "Alle DAGs mit denselben Unabhängigkeiten. Beobachtungen unterscheiden sie nicht, ein Experiment kann es.",
    ),
    "equivalent sample size": (
        "äquivalente Stichprobengröße",
        "Das Gewicht der A-priori-Verteilung von BDeu, in Zeilen. Je größer, desto mehr Kanten bleiben meist.",
    ),
    "faithfulness": ("Treue", "Die Annahme, dass alle Unabhängigkeiten in den Daten aus dem Graphen folgen."),
    "false discovery": (
        "falsche Entdeckung",
        "Eine zufällig gefundene Kante. Die Falschentdeckungsrate begrenzt ihren Anteil an allen gefundenen Kanten.",
    ),
    "Fisher's z": ("Fishers z", "Ein Test darauf, dass eine partielle Korrelation 0 ist, für numerische Daten."),
    "fork": (
        "Gabel",
        "Der Pfad x ← z → y: x und y sind durch ihre gemeinsame Ursache abhängig und unabhängig gegeben z.",
    ),
    "generative tree": (
        "erzeugender Baum",
        "Bei B-RAI der Baum aller Verfeinerungen aller Gruppen auf allen Ziehungen. Aus ihm werden Graphen gezogen.",
    ),
    "G²": ("G²", "Der Likelihood-Quotienten-Test auf Unabhängigkeit in einer Kontingenztafel, für kategoriale Daten."),
    "imputation": (
        "Imputation",
        "Das Ersetzen fehlender Zellen durch Werte, die gegeben die beobachteten Zellen geschätzt oder gezogen werden.",
    ),
    "instrument": (
        "Instrument",
        "Eine Variable, die die Ursache beeinflusst, und die Wirkung nur über die Ursache. Mit der Wirkung hat sie "
        "keine verborgene Ursache gemeinsam.",
    ),
    "joint CPPD": (
        "joint CPPD",
        "Bei LMM das Produkt von zwei CPPD eines Paars, einer je Variable. Jede ist bedingt auf diejenigen Nachbarn "
        "ihrer Variable, die die Abhängigkeit am stärksten schwächen.",
    ),
    "level": (
        "Stufe",
        "Bei PC die Größe der geprüften Bedingungsmengen. In einer Tabelle ein Wert einer kategorialen Variable.",
    ),
    "Markov blanket": (
        "Markov-Decke",
        "Eltern, Kinder und Partner einer Variable. Gegeben diese, sind alle anderen Variablen für sie belanglos.",
    ),
    "Meek's rules": ("Meeks Regeln", "Vier Regeln, die weitere Kanten richten, sobald die v-Strukturen bekannt sind."),
    "mutual information": (
        "Transinformation",
        "Die Information, die zwei Variablen teilen, in Bit je Zeile. Sie ist 0, wenn sie unabhängig sind.",
    ),
    "order MCMC": (
        "Order-MCMC",
        "Ein Verfahren, das Graphen nach ihrer A-posteriori-Wahrscheinlichkeit zieht, mit einer Markov-Kette über "
        "Reihenfolgen der Variablen.",
    ),
    "p-value": (
        "p-Wert",
        "Die Wahrscheinlichkeit einer Abweichung, die mindestens so groß ist wie beobachtet, wenn die beiden "
        "Variablen unabhängig wären.",
    ),
    "permutation test": (
        "Permutationstest",
        "Ein Test, der eine Statistik mit ihren Werten nach dem Mischen einer Variable vergleicht.",
    ),
    "posterior probability": (
        "A-posteriori-Wahrscheinlichkeit",
        "Die Wahrscheinlichkeit einer Aussage gegeben die Daten: der gewichtete Anteil der Graphen, die sie stützen.",
    ),
    "prior": ("A-priori-Verteilung", "Eine Wahrscheinlichkeitsverteilung, die man annimmt, bevor man die Daten sieht."),
    "sepset": ("Trennmenge", "Die Bedingungsmenge, gegeben die für ein Paar keine Abhängigkeit gefunden wurde."),
    "SHD": ("SHD", "Strukturelle Hamming-Distanz: die Zahl der Paare, deren Kante sich in zwei Graphen unterscheidet."),
    "shrinkage": (
        "Schrumpfung",
        "Schätzungen, die zu gleichen Wahrscheinlichkeiten gezogen werden, bei wenigen Zeilen stärker. Das "
        "stabilisiert kleine Stichproben.",
    ),
    "skeleton": ("Skelett", "Die Kanten eines Graphen ohne ihre Richtungen."),
    "solution path": (
        "Lösungspfad",
        "Bei PATH die Graphen eines Laufs bei abnehmenden Werten von alpha. Gewählt wird der am besten bewertete.",
    ),
    "spouse": ("Partner", "Ein anderer Elternteil eines Kindes der Variable."),
    "statistical call": (
        "statistischer Aufruf",
        "Ein Test, eine lokale Bewertung oder eine Transinformation: die Einheit, in der man die Kosten eines Laufs "
        "zählt.",
    ),
    "superset": (
        "Obermenge",
        "Bei HPC die möglichen Nachbarn einer Variable: die, die in allen Tests gegeben eine oder keine Variable von "
        "ihr abhängig bleiben. Mögliche Partner haben eine eigene Obermenge.",
    ),
    "temperature γ": (
        "Temperatur γ",
        "Bei B-RAI die Zufälligkeit, mit der Graphen aus dem Baum gezogen werden. Bei 0 wird nur der beste gezogen.",
    ),
    "v-structure": (
        "v-Struktur",
        (
            "Zwei nicht benachbarte Variablen, die beide auf eine dritte zeigen. Unabhängigkeiten "
            "verraten Richtungen nur durch dieses Muster."
        ),
    ),
    "Φ": ("Φ", "Das größte p aller Tests eines Paars. Eine Kante bleibt, wenn ihr Φ unter alpha liegt."),
}
