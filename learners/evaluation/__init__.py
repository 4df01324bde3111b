"""How near a result is to the truth, or to another result."""
