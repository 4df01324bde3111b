"""Tests of the store: saved data and access to them."""
