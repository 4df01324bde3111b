"""What a class sees: the page on a phone, the tally, and the code to join by."""

from pathlib import Path

FOLDER = Path(__file__).parent
