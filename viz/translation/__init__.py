"""The app in other languages: catalogs of sentences and messages in German, and functions that apply them."""
