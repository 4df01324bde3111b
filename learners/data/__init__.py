"""From the bytes of a file to a Dataset."""
