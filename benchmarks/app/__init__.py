"""The app as a whole, measured in a browser: what watching costs, how soon a cancel is heard, what memory stays."""
