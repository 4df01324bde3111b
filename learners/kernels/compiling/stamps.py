"""Content hash of a kernel, which changes exactly when the kernel must be recompiled.

A stamp covers the bytecode of the kernel and of its direct and indirect callees, and the constants and named tuples
that they read. It ignores comments, line numbers and the path of the checkout. A plain function that numba replaces
(`@overload`, `@intrinsic`) counts with its whole module, because its body does not show its replacement.
"""

from __future__ import annotations

import dis
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.extending import is_jitted

MAKERS = (Path(__file__).parents[1] / "jit.py", Path(__file__))  # modules that compile and name entries
VERSIONS = (sys.version, numba.__version__, llvmlite.__version__, np.__version__, str(numba.config.BOUNDSCHECK))
READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")


def digest(*texts: str) -> str:
    """Return a hash of 32 hexadecimal digits of the texts in their order."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:32]


@cache
def processor() -> str:
    """Describe the processor and settings for which machine code is generated."""
    config = numba.config
    chosen = config.CPU_NAME, config.CPU_FEATURES, config.ENABLE_AVX, config.OPT
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # unknown to LLVM
        features = ""
    return repr((llvm.get_process_triple(), llvm.get_host_cpu_name(), features, *map(str, chosen)))


@cache
def stamp(kernel: Callable) -> str:
    """Return the hash of a kernel; it is the same in all processes."""
    reached, todo = set(), [kernel]
    while todo:
        one = todo.pop()
        if one not in reached:
            reached.add(one)
            todo += _callees(one)
    return digest(_label(kernel), *VERSIONS, *_makers(), *sorted(map(_own, reached)))


@cache
def _makers() -> list[str]:
    """Return the code of the modules that compile kernels, without docstrings and comments."""
    texts = (path.read_text(encoding="utf-8") for path in MAKERS)
    return [_code_text(compile(text, "", "exec", dont_inherit=True, optimize=2)) for text in texts]


def signature_text(argument_types: Iterable[types.Type]) -> str:
    """Return the types as text; named tuples include their module and fields."""
    return ", ".join(_type_text(one) for one in argument_types)


def _type_text(one: types.Type) -> str:
    if isinstance(one, types.BaseNamedTuple):
        return f"{_label(one.instance_class)}{one.fields}({signature_text(one.types)})"
    if isinstance(one, types.BaseTuple):
        return f"({signature_text(one.types)})"
    return str(one)


@cache
def _callees(function: Callable) -> list[Callable]:
    """Return the functions of this package that a function refers to; for a plain function, those of its module."""
    readers = [function.py_func] if is_jitted(function) else _plain_functions(sys.modules[function.__module__])
    values = (value for reader in readers for value in _outside(reader).values())
    return [one for value in values for one in _functions(value, _root(function))]


@cache
def _own(function: Callable) -> str:
    """Return the hash of a function without its callees; a plain function includes its whole module."""
    if not is_jitted(function):
        return digest(_label(function), inspect.getsource(sys.modules[function.__module__]))
    plain = function.py_func
    constants = (f"{name}={_text(value, _root(function))}" for name, value in sorted(_outside(plain).items()))
    return digest(_label(function), _code_text(plain.__code__, plain.__doc__), repr(plain.__defaults__), *constants)


def _plain_functions(module: ModuleType) -> list[FunctionType]:
    mine = [_unwrapped(one) for one in vars(module).values() if getattr(one, "__module__", None) == module.__name__]
    return [one for one in mine if isinstance(one, FunctionType)]


def _unwrapped(value: object) -> object:
    """Return the Python function behind an intrinsic, and any other value unchanged."""
    return value if isinstance(value, type) or is_jitted(value) else getattr(value, "__wrapped__", value)


def _is_function(value: object) -> bool:
    return isinstance(value, FunctionType) or is_jitted(value)


def _outside(function: FunctionType) -> dict[str, object]:
    """Return the values of the global and closure names that a function reads, without builtins."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    known = function.__globals__ | {name: cell.cell_contents for name, cell in cells}
    return {name: known[name] for name in _names(function.__code__) if name in known}


def _names(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in READS:
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _functions(value: object, root: str) -> Iterator[Callable]:
    """Yield the functions of package `root` that a global refers to, directly or as values of a dictionary."""
    value = _unwrapped(value)
    if isinstance(value, dict):
        for one in value.values():
            yield from _functions(one, root)
    elif _is_function(value) and _root(value) == root:
        yield value


def _text(value: object, root: str) -> str:
    """Return a global as text; functions by name only, because their code is hashed separately."""
    value = _unwrapped(value)
    if _is_function(value) or isinstance(value, BuiltinFunctionType | np.ufunc):
        return _label(value)
    if isinstance(value, ModuleType):
        return digest(inspect.getsource(value)) if value.__name__.startswith(f"{root}.") else value.__name__
    if isinstance(value, type):
        return f"{_label(value)}{getattr(value, '_fields', '')}{getattr(value, '_field_defaults', '')}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, tuple):
        return f"({', '.join(_text(one, root) for one in value)})"
    if isinstance(value, bool | int | float | complex | str | np.generic | types.Type | None):
        return repr(value)
    raise TypeError(f"a kernel of {root} reads {value!r}; let it read a number, an array, a named tuple or a kernel")


def _root(value: object) -> str:
    return value.__module__.partition(".")[0]


def _label(value: object) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', getattr(value, '__name__', value))}"


def _code_text(code: CodeType, docstring: str | None = None) -> str:
    """Return bytecode, names and constants as text, without docstring, line numbers and file names."""
    constants = [_constant_text(one) for one in code.co_consts if docstring is None or one is not docstring]
    return repr((code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, constants))


def _constant_text(value: object) -> str:
    if isinstance(value, CodeType):
        return _code_text(value)
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)
