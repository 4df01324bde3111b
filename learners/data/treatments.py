"""Earlier home of treatments, from which notebooks exported by version 0.2 import."""

from .plan.conversion import Treatment

__all__ = ["Treatment"]
