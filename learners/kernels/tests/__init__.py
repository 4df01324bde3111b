"""Tests of independence, walks over conditioning sets, tail probabilities."""
