"""Tests of conditional independence and searches over conditioning sets.

A module for each test computes its statistic; a module `<test>_search` beside it tests many pairs, each given one set
after the other, up to the first set that separates the pair.
"""
