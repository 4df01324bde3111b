"""Tests of `learners.verdict`."""
