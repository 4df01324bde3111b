"""Odd tables, bytes, values and knowledge at every door of the library and on the pages: `python -m tests.fuzz`."""
