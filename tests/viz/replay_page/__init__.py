"""Tests of the replay as one HTML file."""
