"""How kernels are compiled: one decorator, and a cache on disk that knows a kernel by what it says.

An entry belongs to a kernel's own code and to that of all that it calls (`stamps`), to the types of its arguments, and
to the processor. So a change recompiles what it touches and nothing else, and all checkouts share one folder (`store`).
Of several processes that need the same kernel one compiles it; the others wait, then load it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from numba import config, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from . import linking, store
from .borrowing import Pipeline
from .stamps import digest, signature_text, stamp

ENABLED = not config.DISABLE_JIT


def kernel(function: Callable) -> Callable:
    """Compile the function when it is first called, without the GIL; plain Python where numba is switched off.

    It may use arrays, numbers, named tuples, other kernels, and constants of its module.
    """
    return Kernel(function) if ENABLED else function


def processor() -> str:
    """What machine code is made for."""
    return repr(cpu_target.target_context.codegen().magic_tuple())


class Kernel(CPUDispatcher):
    """A function that is compiled once for each list of argument types, on this computer.

    Machine code is made where Python calls it; for its callers there is plain code (see `linking`).
    """

    def __init__(self, py_func: Callable, locals: dict | None = None, targetoptions: dict | None = None) -> None:  # noqa: A002
        super().__init__(py_func, locals, {"nopython": True, "nogil": True, **(targetoptions or {})})
        self._cache = KernelCache(self)
        self._compiler = Compiler(py_func, self.targetdescr, self.targetoptions, self.locals, Pipeline)
        self._made = {True: {}, False: {}}

    def compile(self, sig: object) -> object:
        """As numba does, but in one process at a time."""
        inner = global_compiler_lock.is_locked()  # while a caller is compiled
        with global_compiler_lock:
            key = tuple(normalize_signature(sig)[0])
            known = self._made[inner].get(key)
            if known is not None:
                self.overloads[key] = known
                return known.entry_point
            self.overloads.pop(key, None)
            self._compiler.inner = self._cache.inner = inner
            with store.alone(self._cache.name(sig)):
                return super().compile(sig)

    def get_call_template(self, args: Sequence, kws: Mapping) -> tuple:
        """What a calling kernel takes: constants and narrow integers become int64, which saves compiling each."""
        return super().get_call_template(tuple(map(_usual, args)), {name: _usual(one) for name, one in kws.items()})

    def add_overload(self, cres: CompileResult) -> None:
        """Tell Python's calls of it, if it is for those."""
        key, inner = tuple(cres.signature.args), self._compiler.inner
        if inner:
            self.overloads[key] = cres
        else:
            super().add_overload(cres)
        self._made[inner][key] = cres


def _usual(one: types.Type) -> types.Type:
    one = types.unliteral(one)
    narrow = isinstance(one, types.Integer) and one.signed and one.bitwidth < types.int64.bitwidth
    return types.int64 if narrow else one


class Compiler(_FunctionCompiler):
    """Leaves out the wrappers that only Python or C would call."""

    inner = False

    def _customize_flags(self, flags: Flags) -> Flags:
        flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = self.inner
        return flags


class KernelCache(_Cache):
    """What is compiled of one kernel, on disk."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._enabled = True
        self.inner = False

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(store.folder())

    def enable(self) -> None:
        """Use what is on disk."""
        self._enabled = True

    def disable(self) -> None:
        """Compile in memory."""
        self._enabled = False

    def flush(self) -> None:
        """Nothing to do: an entry cannot be stale."""

    def load_overload(self, sig: object, target_context: CPUContext) -> CompileResult | None:
        """The compiled kernel; None if there is none that can be read."""
        target_context.refresh()
        if not self._enabled:
            return None
        name = self.name(sig)
        return store.load(name, lambda parts: CompileResult._rebuild(target_context, *parts))

    def save_overload(self, sig: object, data: CompileResult) -> None:
        """Keep the compiled kernel, if there is a place for it."""
        if self._enabled:
            store.save(self.name(sig), dumps(data._reduce()))

    def name(self, sig: object) -> str:
        """Of the entry: the kernel's, and letters for its code, who calls it, the types and the processor."""
        arguments, _ = normalize_signature(sig)
        key = digest(stamp(self._kernel), str(self.inner), signature_text(arguments), processor())
        return f"{self._kernel.__module__.rpartition('.')[2]}.{self._kernel.__name__}-{key}"


if ENABLED:
    linking.install(cpu_target.target_context)
