"""Version of the library; the wheel and the command line read it from here."""

__version__ = "1.0.0"
