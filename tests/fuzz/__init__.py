"""Fuzzing: odd tables, bytes, values and knowledge at every entry of the library and on the pages.

Run it with `python -m tests.fuzz`.
"""
