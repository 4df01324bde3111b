"""Pages: widgets, one call, pictures. No algorithm and no drawing lives here."""
