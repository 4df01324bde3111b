"""The version, said here only: the wheel and the command line read it."""

__version__ = "1.0.0"
