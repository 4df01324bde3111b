"""Tables, plans and data sets: from the bytes of a file to a `Dataset`."""
