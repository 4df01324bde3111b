"""Titles of runs: each setting that differs from the default, in the words of the form."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from learners.registry import LEARNERS
from pages.session.state import title_of


@pytest.mark.parametrize("key", LEARNERS)
def test_a_title_has_words_for_every_choice_of_every_setting(key):
    """A setting may be declared once for each column type, each time with other choices."""
    parameters, source = LEARNERS[key].parameters, SimpleNamespace(title="t", plan=None)
    defaults = {(one.name, one.default) for one in parameters}
    for one in parameters:
        for value in (*one.choices, *((None,) if one.optional else ())):
            title = title_of(key, SimpleNamespace(params={one.name: value}), source, None)
            shown = one.word(value).lower() in title.lower()
            assert shown or (one.name, value) in defaults, title
