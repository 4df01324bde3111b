"""The address of a class as a picture that phones read."""

from __future__ import annotations

import segno


def qr_svg(address: str) -> str:
    """A QR code as SVG: black on white with its quiet zone, in both themes, for a camera needs the contrast."""
    return segno.make(address, error="m", micro=False).svg_inline(scale=8, border=4, dark="#000", light="#fff")
