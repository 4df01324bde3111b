"""Views of CImap: thresholds, power, and the order of its tests."""
