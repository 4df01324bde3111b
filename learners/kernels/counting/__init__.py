"""Contingency tables, counted from codes and from bit planes."""
