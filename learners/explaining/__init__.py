"""Explanations of runs: why a pair is adjacent or separated, as records that any language can be written from."""
