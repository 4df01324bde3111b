"""Earlier home of tables, from which notebooks exported by version 0.2 import."""

from .reading.table import Table

__all__ = ["Table"]
