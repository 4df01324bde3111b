"""Measurements of speed, memory and scale, against other programs in the same run.

``python -m benchmarks`` runs them; `catalogue` declares each one once. What a contender runs lives in `ours`, `peers`,
`start` and `scrubber`; `worker` times it in a process of its own, and `measurement` puts the figures side by side.
"""
