"""Check the arguments of public callables against their type annotations.

`validated` decorates a function, a method, or the constructor of a class. A value of a wrong type raises a
ParameterError that names the parameter, before anything is computed. Ranges, column names and everything that depends
on other arguments are checked by the callable itself.

Annotations are resolved at the first call, so that they do not slow down the import; a call costs about a microsecond.
An annotation that cannot be resolved, because its module is imported for type checkers only, allows every value.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import numbers
import types
from collections.abc import Callable, Mapping
from itertools import chain, cycle
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeVar, Union, get_args, get_origin

from .checks import MAX_INTEGER, is_integer, is_number
from .errors import ParameterError
from .wording import did_you_mean, shown_value

Decorated = TypeVar("Decorated", bound=Callable)
ORDERED = (collections.abc.Sequence, list, tuple)
LISTS = (collections.abc.Iterable, collections.abc.Collection, *ORDERED)
WHOLE_NUMBER = "a whole number"


class ArgumentType(NamedTuple):
    """Set of values that an annotation allows, with its description for messages, or the allowed words.

    All instances of `classes` are allowed; for the others, `allows` is called.
    """

    allows: Callable[[Any], bool]
    words: str
    choices: tuple[str, ...] = ()
    classes: frozenset[type] = frozenset()


class Arguments(NamedTuple):
    """Allowed values of a callable's arguments: positional, starred, and by name."""

    positional: tuple[tuple[str, ArgumentType], ...]
    starred: tuple[tuple[str, ArgumentType], ...]
    named: Mapping[str, ArgumentType]


class AtLeast(NamedTuple):
    """Lower bound of a number in an annotation, as in ``Annotated[int, AtLeast(1)]``."""

    least: float


Positive = Annotated[int, AtLeast(1)]
Threads = Positive
Seed = Annotated[int, AtLeast(0)]


def validated(public: Decorated) -> Decorated:
    """Check the arguments of each call against the annotations; keep the signature and the docstring.

    Raises
    ------
    ParameterError
        By the decorated callable, if an argument is of another type.

    Examples
    --------
    >>> from collections.abc import Iterable
    >>> @validated
    ... def largest(values: Iterable[float], *, least: int | None = None) -> float:
    ...     return max(values)
    >>> largest([1.0, 2.0])
    2.0
    >>> largest(["a"], least=1)
    Traceback (most recent call last):
    learners.common.errors.ParameterError: values must be a list, each item a number, got ['a']
    """
    if isinstance(public, type):
        public.__init__ = validated(public.__init__)
        return public
    found: Arguments | None = None

    @functools.wraps(public)
    def checked(*args: Any, **kwargs: Any) -> Any:
        nonlocal found
        if found is None:
            found = arguments_of(public)
        positional, starred, named = found
        by_position = chain(positional, cycle(starred)) if starred else positional
        for (name, kind), value in zip(by_position, args):  # noqa: B905  (Python refuses surplus arguments)
            if not (kind is ANYTHING or value.__class__ in kind.classes or kind.allows(value)):
                raise _refusal(name, kind, value)
        for name, value in kwargs.items():
            kind = named.get(name, ANYTHING)
            if not (kind is ANYTHING or value.__class__ in kind.classes or kind.allows(value)):
                raise _refusal(name, kind, value)
        return public(*args, **kwargs)

    return checked


def renamed(**former: str) -> Callable[[Callable], Callable]:
    """Let callers pass arguments by earlier names, ``renamed(old="new")``; decorates a function or a class.

    Raises
    ------
    ParameterError
        By the decorated callable, if an argument has both its names.
    """

    def decorate(public: Callable) -> Callable:
        if isinstance(public, type):
            public.__init__ = decorate(public.__init__)
            return public

        @functools.wraps(public)
        def with_present_names(*args: Any, **kwargs: Any) -> Any:
            return public(*args, **with_new_names(kwargs, former))

        return with_present_names

    return decorate


def with_new_names(arguments: Mapping[str, Any], former: Mapping[str, str]) -> dict[str, Any]:
    """Return arguments by their new names; `former` maps earlier names to them.

    Raises
    ------
    ParameterError
        If an argument has both its names.
    """
    for old, new in former.items():
        if old in arguments and new in arguments:
            raise ParameterError(f"{old} is the earlier name of {new}, got both; leave out {old}")
    return {former.get(name, name): value for name, value in arguments.items()}


def _refusal(name: str, kind: ArgumentType, value: Any) -> ParameterError:
    if kind.choices:
        return ParameterError(f"unknown {name} {shown_value(value)}{did_you_mean(value, kind.choices)}")
    words = kind.words
    if words.startswith(WHOLE_NUMBER) and isinstance(value, int) and value > MAX_INTEGER:
        words = f"{WHOLE_NUMBER} of at most {MAX_INTEGER:,}"
    return ParameterError(f"{name} must be {words}, got {shown_value(value)}")


def arguments_of(public: Callable) -> Arguments:
    """Return the allowed values of each argument, by position and by name."""
    named = {name: argument_type(annotation) for name, annotation in resolved(public).items()}
    positional, starred = [], []
    for name, parameter in inspect.signature(public).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            starred.append((name, named[name]))
        elif parameter.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):
            positional.append((name, named[name]))
    return Arguments(tuple(positional), tuple(starred), named)


def resolved(public: Callable) -> dict[str, Any]:
    """Return the resolved annotation of each parameter, and Any where it is missing or cannot be resolved.

    An annotation cannot be resolved if its module is imported for type checkers only.
    """
    function = inspect.unwrap(public.__init__ if isinstance(public, type) else public)
    found = {}
    for name, parameter in inspect.signature(public).parameters.items():
        annotation = parameter.annotation
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, function.__globals__)  # like typing.get_type_hints, but one at a time
            except NameError:
                annotation = Any
        found[name] = Any if annotation is parameter.empty or parameter.kind is parameter.VAR_KEYWORD else annotation
    return found


def argument_type(annotation: Any) -> ArgumentType:
    """Return the values that an annotation allows."""
    if annotation in TYPES:
        return TYPES[annotation]
    if getattr(annotation, "__module__", "") == "numpy" and annotation.__name__ == "ndarray":
        return ANYTHING  # `as_array` refuses values that are not array-like
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _bounded(argument_type(inner[0]), [one.least for one in inner[1:] if isinstance(one, AtLeast)])
    if origin is Literal:
        return ArgumentType(
            lambda value: isinstance(value, str) and value in inner, f"one of {', '.join(map(repr, inner))}", inner
        )
    if origin in (Union, types.UnionType):
        return _either([argument_type(one) for one in inner])
    if origin is tuple and Ellipsis not in inner:
        return _tuple([argument_type(one) for one in inner])
    if origin in LISTS:
        return _list(argument_type(inner[0]), ordered=origin in ORDERED)
    if (origin or annotation) is collections.abc.Mapping:
        return _mapping(*(argument_type(one) for one in inner or (Any, Any)))
    if (origin or annotation) is collections.abc.Callable:
        return ArgumentType(callable, "callable")
    cls = origin or annotation
    if not isinstance(cls, type) or Protocol in cls.__bases__:
        return ANYTHING
    article = "an" if cls.__name__[0] in "AEIOU" else "a"
    return ArgumentType(lambda value: isinstance(value, cls), f"{article} {cls.__name__}", classes=frozenset({cls}))


def _bounded(kind: ArgumentType, least: list[float]) -> ArgumentType:
    if not least:
        return kind
    return ArgumentType(
        lambda value: kind.allows(value) and value >= least[0],
        f"{kind.words} of at least {least[0]:g}",
    )


def _either(kinds: list[ArgumentType]) -> ArgumentType:
    if any(kind is ANYTHING for kind in kinds):
        return ANYTHING
    return ArgumentType(
        lambda value: any(kind.allows(value) for kind in kinds),
        _listed([kind.words for kind in kinds if not (kind is TYPES[str] and TYPES[Path] in kinds)]),
        classes=frozenset().union(*(kind.classes for kind in kinds)),
    )


def _listed(words: list[str]) -> str:
    """Return "a, b or c"."""
    return " or ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def _tuple(kinds: list[ArgumentType]) -> ArgumentType:
    def allows(value: Any) -> bool:
        return (
            isinstance(value, (tuple, list))
            and len(value) == len(kinds)
            and all(kind.allows(item) for kind, item in zip(kinds, value, strict=True))
        )

    if all(kind is ANYTHING for kind in kinds):
        return ArgumentType(allows, f"a tuple of {len(kinds)} values")
    return ArgumentType(allows, f"a tuple of {' and '.join(kind.words for kind in kinds)}")


def _list(item: ArgumentType, *, ordered: bool) -> ArgumentType:
    """Return the type of lists; of an array only the first item is checked, and an iterator is not consumed."""
    others = (str, bytes, bytearray, *((Mapping, set, frozenset) if ordered else ()))

    def allows(value: Any) -> bool:
        if value.__class__ in (list, tuple):
            return _allows_each(item, value)
        if _is_array(value):
            return value.ndim > 0 and _allows_each(item, value[:1] if value.dtype != object else value)
        if isinstance(value, others) or not hasattr(type(value), "__iter__") or getattr(value, "ndim", 1) != 1:
            return False  # a string is not a list of letters, nor a data frame a list of columns
        return not isinstance(value, collections.abc.Sized) or _allows_each(item, value)

    return ArgumentType(allows, "a list" if item is ANYTHING else f"a list, each item {item.words}")


def _mapping(key: ArgumentType, item: ArgumentType) -> ArgumentType:
    def allows(value: Any) -> bool:
        return isinstance(value, Mapping) and _allows_each(key, value) and _allows_each(item, value.values())

    words = "" if key is item is ANYTHING else f" of {key.words} to {item.words}"
    return ArgumentType(allows, f"a mapping{words}")


def _allows_each(kind: ArgumentType, values: collections.abc.Iterable) -> bool:
    return kind is ANYTHING or kind.classes.issuperset(map(type, values)) or all(map(kind.allows, values))


def _is_whole(value: Any) -> bool:
    if value.__class__ is int:
        return -MAX_INTEGER <= value <= MAX_INTEGER
    return is_integer(value) and -MAX_INTEGER <= value <= MAX_INTEGER


def _is_float(value: Any) -> bool:
    return value.__class__ is float or is_number(value) or (_is_of_numpy(value) and isinstance(value, numbers.Real))


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or (_is_of_numpy(value) and type(value).__name__ in ("bool", "bool_"))


def _is_array(value: Any) -> bool:
    return _is_of_numpy(value) and type(value).__name__ == "ndarray"


def _is_of_numpy(value: Any) -> bool:
    """Return True if the class of the value is defined in NumPy, without importing NumPy."""
    return type(value).__module__ == "numpy"


ANYTHING = ArgumentType(lambda _: True, "anything")
NOTHING = ArgumentType(lambda value: value is None, "None", classes=frozenset({type(None)}))
TYPES: dict[Any, ArgumentType] = {
    Any: ANYTHING,
    object: ANYTHING,
    None: NOTHING,
    type(None): NOTHING,
    bool: ArgumentType(_is_truth, "True or False", classes=frozenset({bool})),
    int: ArgumentType(_is_whole, WHOLE_NUMBER),
    float: ArgumentType(_is_float, "a number", classes=frozenset({float})),
    str: ArgumentType(lambda value: isinstance(value, str), "a text", classes=frozenset({str})),
    bytes: ArgumentType(lambda value: isinstance(value, bytes), "bytes", classes=frozenset({bytes})),
    Path: ArgumentType(lambda value: isinstance(value, Path), "a path"),
}
