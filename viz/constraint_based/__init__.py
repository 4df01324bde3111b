"""What tests and orientation rules did to a pair, in sentences."""
