"""Fixtures for tests of the picture's modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.javascript import Node


@pytest.fixture(scope="package")
def run() -> Iterator[Callable[[str, str], object]]:
    """``run(module, expression)``: the value of an expression in which `m` is the module."""
    node = Node()
    yield node
    node.close()
