"""Explanations of runs: language-independent records of why a pair is adjacent or separated."""
