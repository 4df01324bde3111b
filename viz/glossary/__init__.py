"""Terms on screen: marked where they stand, told on hover, and listed in words below the page."""
