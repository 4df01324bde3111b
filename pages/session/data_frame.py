"""Tables on pages; tables with rounded numbers have no download button."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import streamlit as st

NUMBER = r"[-−+]?\d[\d.,\u202f]*(?:e[-−+]?\d+)?"
ROUNDED = re.compile(rf"[^\w]*{NUMBER}(?:[^\w]+{NUMBER})*[^\w]*")  # numbers and signs only, such as "< 0.01" or "1 ± 2"
AS_SHOWN = "as_shown"  # begins the keys of containers in which page.css hides the button that downloads a table


def show_table(frame: pd.DataFrame, *, alt: str, key: str | None = None, **options: Any) -> Any:
    """Show a table by `st.dataframe`; without its download button if cells hold rounded numbers as words.

    The button of Streamlit writes cells as they are shown, so a file would hold three digits.

    Parameters
    ----------
    frame : DataFrame
    alt : str
        Name of the table for screen readers.
    key : str, optional
        Widget key.
    **options
        Further arguments of `st.dataframe`.
    """
    options |= {"alt": alt, "key": key, "placeholder": options.get("placeholder", "–")}
    if not has_rounded_words(frame):
        return st.dataframe(frame, **options)
    with st.container(key=f"{AS_SHOWN}_{key or alt}"):
        return st.dataframe(frame, **options)


def has_rounded_words(frame: pd.DataFrame) -> bool:
    """Return True if a cell is a text of numbers with decimals or exponents, such as "2.4e-06" or "[0.1, 0.2]"."""
    return any(
        is_rounded_word(cell)
        for column in range(frame.shape[1])
        if not pd.api.types.is_numeric_dtype(frame.iloc[:, column].dtype)
        for cell in frame.iloc[:, column]
    )


def is_rounded_word(cell: object) -> bool:
    """Return True if a cell is a text of numbers and signs only, with decimals or exponents."""
    return isinstance(cell, str) and bool(re.search(r"\d[.,e]", cell)) and ROUNDED.fullmatch(cell) is not None
