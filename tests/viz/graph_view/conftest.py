"""Fixture that evaluates JavaScript expressions in the ES modules of the graph component."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.javascript import Node


@pytest.fixture(scope="package")
def run() -> Iterator[Callable[[str, str], object]]:
    """Return ``run(module, expression)``: the value of an expression in which `m` is the module."""
    node = Node()
    yield node
    node.close()
