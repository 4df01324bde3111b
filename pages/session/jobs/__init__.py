"""Run jobs: the queue and its limits, runs in progress, progress bars, and cost limits."""
