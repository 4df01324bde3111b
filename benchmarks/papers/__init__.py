"""The experiments of the papers, run again piece by piece.

`python -m benchmarks` carries them out and prints what the paper says beside what was seen. An experiment is
declared once (`experiment.Experiment`); a piece is one simulated network; its rows go to a CSV file as soon as it is
done (`store.Store`), so that a run may be killed at any moment and taken up again.
"""
