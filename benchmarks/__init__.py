"""Measurements of speed, memory and scale, against other programs in the same run; and the papers' experiments.

``python -m benchmarks`` does the experiments, see `papers`. ``python -m benchmarks speed`` runs the measurements;
`catalogue` and `waits` declare each one once. What a contender runs lives in `ours`, `peers`, `start` and `scrubber`;
`worker` times it in a process of its own, and `measurement` puts the figures side by side.
"""
