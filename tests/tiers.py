"""The gate's cases of a parametrized test; all other cases are deep.

A test that is not marked is in the gate with all of its cases. `gate_cases` keeps a few of them there:

- ``@pytest.mark.gate_cases(5)``: five that show as many different values of each parameter as possible,
- ``@pytest.mark.gate_cases(each="key")``: one for each value of the parameter `key`, with the values of the other
  parameters in turn,
- ``@pytest.mark.gate_cases(each=family)``: the same for a function of the case's parameters.

The choice depends on the cases alone, so every machine and worker makes the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

Params = Mapping[str, Any]


def family(params: Params) -> str:
    """Return the family of the learner of a case; averaging learners, whose runs take seconds, count as score-based."""
    from learners.registry import LEARNERS

    _, found, _ = LEARNERS[params["key"]].function.module.split(".")  # families.<family>.<module>
    return "score_based" if found == "averaging" else found


def mark_deep_cases(items: Iterable[pytest.Item]) -> None:
    """Mark the cases that their test's `gate_cases` does not keep as deep."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("gate_cases") is not None:
            functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in functions.values():
        marker = cases[0].get_closest_marker("gate_cases")
        params = [case.callspec.params if hasattr(case, "callspec") else {} for case in cases]
        kept = chosen(params, *marker.args, **marker.kwargs)
        for k, case in enumerate(cases):
            if k not in kept:
                case.add_marker(pytest.mark.deep)


def chosen(cases: list[Params], n: int = 0, *, each: str | Callable[[Params], Any] | None = None) -> set[int]:
    """Return the positions of `n` different cases, or of one case for each value of `each`."""
    if each is None:
        return _varied(cases, n)
    groups: dict[str, list[int]] = {}
    for k, params in enumerate(cases):
        groups.setdefault(repr(each(params) if callable(each) else params[each]), []).append(k)
    return {group[turn % len(group)] for turn, group in enumerate(groups.values())}


def _varied(cases: list[Params], n: int) -> set[int]:
    """Return the positions of `n` cases; each adds the values that the previous ones showed least often."""
    shown: Counter[tuple[str, str]] = Counter()
    left, kept = dict(enumerate(cases)), set()
    while left and len(kept) < n:
        k = min(left, key=lambda k: (sum(shown[name, repr(value)] for name, value in left[k].items()), k))
        shown.update((name, repr(value)) for name, value in left.pop(k).items())
        kept.add(k)
    return kept
