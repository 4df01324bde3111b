"""Exceptions for errors that the user can fix.

LearnersError
├── DataError        fix the table
└── ParameterError   fix the setting

A message states the requirement, the value found and the fix, and starts with a lower-case letter. It names columns and
parameters as the user knows them, never by index.
"""


class LearnersError(ValueError):
    """Error that the user can fix. Pages show its message; any other exception is a bug."""


class DataError(LearnersError):
    """Error in the data."""


class ParameterError(LearnersError):
    """Error in a setting."""
