"""How kernels are compiled: one decorator, and a cache on disk that knows a kernel by what it says.

An entry belongs to a kernel's own code and to that of all that it calls (`stamps`), to the types of its arguments, and
to the processor. So a change recompiles what it touches and nothing else, and all checkouts share one folder (`store`).
Of several processes that need the same kernel one compiles it; the others wait, then load it.
"""

from __future__ import annotations

from collections.abc import Callable

from numba import config
from numba.core.caching import _Cache
from numba.core.codegen import JITCPUCodegen
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from . import store
from .stamps import digest, signature_text, stamp


def kernel(function: Callable) -> Callable:
    """Compile the function when it is first called, without the GIL; plain Python where numba is switched off.

    It may use arrays, numbers, named tuples, other kernels, and constants of its module.
    """
    return function if config.DISABLE_JIT else Kernel(function)


class Kernel(CPUDispatcher):
    """A function that is compiled once for each list of argument types, on this computer."""

    def __init__(self, py_func: Callable, locals: dict | None = None, targetoptions: dict | None = None) -> None:  # noqa: A002
        super().__init__(py_func, locals, {"nopython": True, "nogil": True, **(targetoptions or {})})
        self._cache = KernelCache(self)

    def compile(self, sig: object) -> object:
        """As numba does, but in one process at a time."""
        with global_compiler_lock, store.alone(self._cache.name(sig, self.targetctx.codegen())):
            return super().compile(sig)


class KernelCache(_Cache):
    """What is compiled of one kernel, on disk."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._enabled = True

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
        name = self.name(sig, target_context.codegen())
        return store.load(name, lambda parts: CompileResult._rebuild(target_context, *parts))

    def save_overload(self, sig: object, data: CompileResult) -> None:
        """Keep the compiled kernel, if there is a place for it."""
        if self._enabled:
            store.save(self.name(sig, data.codegen), dumps(data._reduce()))

    def name(self, sig: object, codegen: JITCPUCodegen) -> str:
        """Of the entry: the kernel's, and letters for its code, the types and the processor."""
        types, _ = normalize_signature(sig)
        key = digest(stamp(self._kernel), signature_text(types), repr(codegen.magic_tuple()))
        return f"{self._kernel.__module__.rpartition('.')[2]}.{self._kernel.__name__}-{key}"
