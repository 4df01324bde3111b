"""The two ways a user can be wrong, as exceptions.

LearnersError
├── DataError        fix the table
└── ParameterError   fix the setting

A message is one sentence, lower case: what must hold, what was found, what to do. It names columns and
parameters as the user knows them, never by index.
"""


class LearnersError(ValueError):
    """Something the user can mend. Pages show its text; any other exception is a bug."""


class DataError(LearnersError):
    """The table has to change."""


class ParameterError(LearnersError):
    """A setting has to change."""
