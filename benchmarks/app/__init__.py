"""Benchmarks of the whole app in a browser: cost of live progress, latency of a cancel, and memory."""
