"""Pages of the app: widgets, calls of the library and pictures. No algorithm and no drawing belongs here."""
