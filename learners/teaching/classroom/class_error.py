"""Errors of a class, with messages that can be translated."""

from __future__ import annotations

from ...common.errors import ParameterError


class ClassError(ParameterError):
    """An input that a class refuses.

    Parameters
    ----------
    template : str
        The message, with a field in braces for each value.
    **values
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template, self.values = template, values
