"""Benchmarks of speed, memory and scale against other programs in the same run, and the papers' experiments.

``python -m benchmarks`` carries out the experiments, see `papers`. ``python -m benchmarks speed`` runs the
measurements; `catalogue` and `waits` declare each of them once. The contenders run functions of `ours`, `peers`,
`start` and `scrubber`; `worker` times each in a separate process, and `measurement` compares the figures.
"""
