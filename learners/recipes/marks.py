"""Earlier names of fingerprints, which notebooks exported by version 0.2 import."""

from .fingerprints import ResultFingerprint as ResultMark
from .fingerprints import fingerprint_result as mark_of_result

__all__ = ["ResultMark", "mark_of_result"]
