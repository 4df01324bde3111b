"""Lookup of the views of a result by its kind; only the views of that family are imported."""

from __future__ import annotations

from importlib import import_module

from learners.explaining.explanation import FAMILY_OF_KIND
from learners.results.result import LearnResult

from .kind import Kind


def kind_of(result: LearnResult) -> Kind:
    """Return the views of the kind of this result."""
    return kind_named(result.kind)


def kind_named(name: str) -> Kind:
    """Return the views of a kind; only its family is imported."""
    return import_module(f".{FAMILY_OF_KIND[name]}.kind", __package__).KINDS[name]
