"""MMHC, and what learners share that search within a skeleton."""
