"""Reproduction of the papers' experiments, piece by piece.

`python -m benchmarks` carries them out and prints the published and our values. An experiment is declared once
(`experiment.Experiment`); a piece is one simulated network; its rows go to a CSV file as soon as it is done
(`store.ResultFile`), so that a run may be killed at any moment and continued later.
"""
