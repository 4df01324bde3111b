"""Words in the names of methods and of cells of experiments, in each language but English.

They are not in the catalog, because variables and levels of the user may have the same names.
"""

from __future__ import annotations

from collections.abc import Mapping

EXPERIMENT_WORDS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "1 tree": "1 Baum",
        "10 trees": "10 Bäume",
        "100 rows": "100 Zeilen",
        "1000 rows": "1000 Zeilen",
        "10000 rows": "10000 Zeilen",
        "ARGES-skeleton": "ARGES-Skelett",
        "B-RAI published": "B-RAI, veröffentlicht",
        "H2PC polished": "H2PC mit Schlusssuche",
        "HC both ways": "HC in beide Richtungen",
        "LMM_EO random": "LMM_EO zufällig",
        "MAG search": "MAG-Suche",
        "MAG-search": "MAG-Suche",
        "MMHC polished": "MMHC mit Schlusssuche",
        "P-1 adjusted": "P-1 angepasst",
        "P-2 adjusted": "P-2 angepasst",
        "RAI published": "RAI, veröffentlicht",
        "all": "alle",
        "any gain": "jede Zunahme",
        "available": "verfügbare Zellen",
        "best": "bestes",
        "categorical": "kategorial",
        "categorical-hubs-hidden": "kategorial, verborgene Knotenpunkte",
        "categorical-six-hidden": "kategorial, sechs verborgene Ursachen",
        "categorical-three-hidden": "kategorial, drei verborgene Ursachen",
        "categories": "Kategorien",
        "clean": "nichts verborgen",
        "complete rows": "vollständige Zeilen",
        "dense": "dicht",
        "discrete": "diskret",
        "edgewise by column": "Edgewise nach Spalten",
        "edgewise by data": "Edgewise nach Daten",
        "exact": "exakt",
        "imputed": "imputiert",
        "mixed": "gemischt",
        "mixed-hubs-hidden": "gemischt, verborgene Knotenpunkte",
        "mixed-six-hidden": "gemischt, sechs verborgene Ursachen",
        "mixed-three-hidden": "gemischt, drei verborgene Ursachen",
        "no cell missing": "keine Zelle fehlt",
        "order MCMC": "Order-MCMC",
        "numbers": "Zahlen",
        "pHGS polished": "pHGS mit Schlusssuche",
        "pairs only": "nur Paare",
        "recommended": "empfohlen",
        "percentage": "Prozent",
        "search": "Suche",
        "six-hidden": "sechs verborgene Ursachen",
        "strong-hidden": "starke verborgene Ursachen",
        "three-hidden": "drei verborgene Ursachen",
        "three-hubs-hidden": "drei verborgene Knotenpunkte",
        "tiles": "Kacheln",
        "trust": "Verlässlichkeit",
        "v-structures": "v-Strukturen",
        "weak": "schwach",
        "world": "Welt",
    }
}
