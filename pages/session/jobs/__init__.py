"""Run jobs: the queue and its limits, the runs in progress, their progress bars, and what they may cost."""
