"""Views of a class: the student page on phones, and tally and QR code for the lecturer."""

from pathlib import Path

FOLDER = Path(__file__).parent
