"""Glossary: definitions in English and German, links in sentences, and the glossary component of every page."""
