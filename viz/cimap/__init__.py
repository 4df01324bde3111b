"""What only CImap shows: its thresholds, its power, and the order in which it tests."""
