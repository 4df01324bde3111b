"""Tests of a lesson as one HTML file."""
