"""The one place that asks a result for its kind, and loads the family that shows it."""

from __future__ import annotations

from importlib import import_module

from learners.explaining.explanation import FAMILY_OF_KIND
from learners.results.result import LearnResult

from .kind import Kind


def kind_of(result: LearnResult) -> Kind:
    """Return what a run of this kind shows."""
    return kind_named(result.kind)


def kind_named(name: str) -> Kind:
    """Return what runs of a kind show; only its family is imported."""
    return import_module(f".{FAMILY_OF_KIND[name]}.kind", __package__).KINDS[name]
