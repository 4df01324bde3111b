"""Reliability of a result: checks of assumptions, hidden causes, and calibrated probabilities of causes."""
