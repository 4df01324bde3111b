"""Contingency tables, from codes and from bit planes."""
