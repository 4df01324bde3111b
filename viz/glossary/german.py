"""The field's words in German, each with its meaning: the keys are those of the English glossary."""

from __future__ import annotations

GLOSSARY_DE = {
    "adjustment set": (
        "Adjustierungsmenge",
        "Variablen, die man festhält, damit zwischen Ursache und Wirkung nur die Wirkung übrig bleibt.",
    ),
    "alpha": ("alpha", "das Signifikanzniveau. Ein Paar gilt als unabhängig, sobald ein Test ein p über alpha hat."),
    "autonomous group": (
        "autonome Gruppe",
        "bei RAI Variablen, die sich allein verfeinern lassen, gegeben ihre Eltern außerhalb.",
    ),
    "awareness": (
        "Gewahrsein",
        "bei LMM bedingt eine Variable auf einen Nachbarn, den sie kennt; ein Punkt am Kantenende zeigt es.",
    ),
    "back-door path": (
        "Hintertürpfad",
        "ein Pfad, der auf die Ursache zeigt; bleibt er offen, so mischt er anderes in die Wirkung.",
    ),
    "Bayesian network": ("Bayessches Netz", "ein DAG mit einer Verteilung, die seine Unabhängigkeiten einhält."),
    "BDeu": (
        "BDeu",
        "die Bewertung eines Graphen nach seiner Wahrscheinlichkeit gegeben die Daten; anfangs gelten alle "
        "Anteile als gleich.",
    ),
    "BIC": (
        "BIC",
        "die Bewertung, die Anpassung gegen Parameter abwägt: Log-Likelihood minus ein halbes log n für jeden.",
    ),
    "bootstrap": (
        "Bootstrap",
        "Zeilen werden mit Zurücklegen neu gezogen, so viele es gibt; so könnte eine andere Stichprobe aussehen.",
    ),
    "C1": (
        "C1",
        "bei RAI gilt ein Paar als unabhängig, wenn sein G² unter seinen Freiheitsgraden liegt, dem Mittel bei Zufall.",
    ),
    "calibration": ("Kalibrierung", "ob das, was mit 90 % gesagt wird, in neun von zehn Fällen stimmt."),
    "CD": (
        "CD",
        "bei LMM, wie viel abhängiger zwei Variablen werden, sobald die Variable zwischen ihnen berücksichtigt ist.",
    ),
    "chain": (
        "Kette",
        "x → z → y: ihre Enden hängen zusammen, bis man z festhält; bei order MCMC Graphen, nacheinander gezogen.",
    ),
    "cluster": (
        "Cluster",
        "bei pPC und pHGS Variablen, die viel übereinander verraten; Tests beginnen innerhalb der Cluster.",
    ),
    "collider": (
        "Kollider",
        "eine Variable, auf die zwei Pfeile eines Pfads zeigen: sie blockiert ihn und öffnet ihn, wenn man "
        "sie festhält.",
    ),
    "compelled edge": ("festgelegte Kante", "eine Kante, die in jedem DAG der Äquivalenzklasse gleich gerichtet ist."),
    "conditioning set": (
        "Bedingungsmenge",
        "die Variablen, die ein Test festhält; bleibt in Gruppen gleicher Werte ein Zusammenhang?",
    ),
    "CPDAG": (
        "CPDAG",
        "der Graph einer Äquivalenzklasse: Pfeile, wo ihre DAGs übereinstimmen, einfache Linien, wo nicht.",
    ),
    "CPPD": ("CPPD", "bei LMM die Wahrscheinlichkeit, dass zwei Variablen zusammenhängen, gegeben andere."),
    "d-separation": ("d-Separation", "die Regel, mit der man Unabhängigkeiten an einem DAG abliest."),
    "DAG": ("DAG", "ein gerichteter Graph ohne gerichtete Kreise."),
    "decentralised search": (
        "dezentrale Suche",
        "bei HPC wird ein Nachbar, den die Suche einer Variable übersah, von der anderen übernommen.",
    ),
    "degenerate Gaussian test": (
        "Test der entarteten Normalverteilung",
        "der Test für beide Arten von Spalten: eine Kategorie zählt als eine Spalte aus 0 und 1 je Stufe.",
    ),
    "degrees of freedom": (
        "Freiheitsgrade",
        "auf wie viele Arten eine Tabelle abweichen kann; je mehr, desto größer das G² beim selben p.",
    ),
    "effective sample size": (
        "effektive Stichprobengröße",
        "wie viele gleich schwere Zeilen ebenso viel verrieten wie diese gewichteten.",
    ),
    "equivalence class": (
        "Äquivalenzklasse",
        "alle DAGs mit denselben Unabhängigkeiten; keine Zahl von Zeilen unterscheidet sie.",
    ),
    "equivalent sample size": (
        "äquivalente Stichprobengröße",
        "für wie viele Zeilen die A-priori-Verteilung von BDeu zählt; je größer, desto mehr Kanten bleiben.",
    ),
    "faithfulness": ("Treue", "die Annahme, dass jede Unabhängigkeit in den Daten vom Graphen kommt."),
    "false discovery": (
        "falsche Entdeckung",
        "ein zufällig gefundener Zusammenhang; bei mehr Tests muss jedes p kleiner sein.",
    ),
    "Fisher's z": ("Fishers z", "der Test einer partiellen Korrelation, für Zahlen."),
    "fork": ("Gabel", "x ← z → y: ihre Enden hängen zusammen, bis man die gemeinsame Ursache festhält."),
    "generative tree": (
        "erzeugender Baum",
        "bei B-RAI jede Verfeinerung jeder Gruppe auf jeder Ziehung; jeder Weg hindurch ist ein Graph.",
    ),
    "G²": ("G²", "der Likelihood-Quotienten-Test auf Unabhängigkeit in einer Kontingenztafel, für Kategorien."),
    "instrument": (
        "Instrument",
        "eine Variable, die die Ursache bewegt und die Wirkung auf keinem anderen Weg erreicht.",
    ),
    "joint CPPD": (
        "joint CPPD",
        "bei LMM die Wahrscheinlichkeit, dass ein Paar zusammenhängt, gegeben die schwierigsten Mengen beider Enden.",
    ),
    "level": (
        "Stufe",
        "bei PC die Größe der Bedingungsmengen, die gerade geprüft werden; auch ein Wert einer Kategorie.",
    ),
    "Markov blanket": (
        "Markov-Decke",
        "Eltern, Kinder und deren andere Eltern; sind sie gegeben, sagt der Rest nichts mehr.",
    ),
    "Meek's rules": ("Meeks Regeln", "vier Regeln, die weitere Kanten richten, sobald die v-Strukturen bekannt sind."),
    "mutual information": (
        "Transinformation",
        "wie viele Bit je Zeile eine Variable über eine andere verrät; 0, wenn sie unabhängig sind.",
    ),
    "order MCMC": (
        "order MCMC",
        "Graphen, im Verhältnis ihrer Wahrscheinlichkeit gezogen, auf einem Gang von Reihenfolge zu Reihenfolge.",
    ),
    "p-value": (
        "p-Wert",
        "wie oft Zufall allein eine mindestens so große Abweichung ergäbe, wären die beiden unabhängig.",
    ),
    "permutation test": (
        "Permutationstest",
        "eine Statistik, verglichen mit dem, was sie wird, wenn eine Variable je Gruppe gemischt wird.",
    ),
    "posterior probability": (
        "A-posteriori-Wahrscheinlichkeit",
        "wie sicher etwas nach den Daten ist; der gewichtete Anteil der Graphen dafür.",
    ),
    "prior": ("A-priori-Verteilung", "was für wahrscheinlich gilt, bevor man die Daten sieht."),
    "sepset": ("Trennmenge", "die Menge, die ein Paar unabhängig machte und so seine Kante entfernte."),
    "SHD": (
        "SHD",
        "strukturelle Hamming-Distanz: Zahl der Paare, deren Kante sich in zwei Graphen unterscheidet; 0 heißt gleich.",
    ),
    "shrinkage": (
        "Schrumpfung",
        "Schätzungen werden zu gleichen Anteilen gezogen, umso mehr, je weniger Zeilen es gibt.",
    ),
    "skeleton": ("Skelett", "die Kanten ohne ihre Richtungen."),
    "solution path": (
        "Lösungspfad",
        "bei PATH die Graphen eines Laufs bei immer strengerem alpha; der bestbewertete wird gewählt.",
    ),
    "spouse": ("Partner", "ein anderer Elternteil eines Kindes der Variable."),
    "statistical call": (
        "statistischer Aufruf",
        "ein Test, eine lokale Bewertungsdifferenz oder ein Maß gemeinsamer Information.",
    ),
    "superset": ("Obermenge", "bei HPC alle, die nach Tests mit höchstens einer Variable Nachbarn sein können."),
    "temperature γ": (
        "Temperatur γ",
        "bei B-RAI, wie frei Graphen aus dem Baum gezogen werden; 0 zieht nur den besten.",
    ),
    "v-structure": (
        "v-Struktur",
        "zwei nicht verbundene Variablen zeigen beide auf eine dritte; nur hier zeigt sich die Richtung.",
    ),
    "Φ": ("Φ", "das größte p aller Tests eines Paars: wie nahe es daran war, wegerklärt zu werden."),
}
