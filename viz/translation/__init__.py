"""The app in other languages: catalogs of sentences and messages in German, and what writes texts from them."""
