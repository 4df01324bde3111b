"""Compile kernels with private parts of numba: cold starts take half the time, and kernels call each other faster.

This is the only module that imports `numba.core`; `compiling` falls back to plain ``numba.njit`` on any version that is
not listed in `TRIED`. Figures are in docs/adr/0001-kernels-and-their-cache.md.

- **Linking.** numba optimizes a callee, generates machine code for it, and optimizes it again inside each direct and
  indirect caller. Here a callee is typed and lowered once, stored as LLVM's intermediate code, and optimized only as
  part of the kernels that Python calls. Operations and their order stay the same: LLVM may not reassociate sums.
- **Borrowing.** numba updates an atomic reference count whenever a function takes an array out of a tuple or slices
  it. A callee that creates no array needs no counts, because its callers own all arrays.
- **Cache.** Compiled code is stored by content (`stamps`, `store`).

All of this applies to kernels only: they have their own code generator, and numba's generator is never modified. Both
share numba's table of functions, so a kernel can call any function that numba compiled. A function that calls a kernel
must be a kernel itself: numba needs the intermediate code of what it calls, and a kernel from the disk may have none.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from weakref import WeakKeyDictionary

import llvmlite.binding as llvm
from numba import jit, types
from numba.core import ir
from numba.core.caching import _Cache
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.datamodel import default_manager
from numba.core.descriptors import TargetDescriptor
from numba.core.dispatcher import _FunctionCompiler
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_registry
from numba.core.typed_passes import AnnotateTypes

from .compiling import store
from .compiling.stamps import digest, processor, signature_text, stamp

TRIED = ("0.68",)  # tested versions of numba
PLAIN, MACHINE = "plain", "machine"
PARTS = ("getitem", "static_getitem", "typed_getitem")  # operations that select from a tuple or an array
MANGLED, ENVIRONMENT = "_ZN", "_ZN08NumbaEnv"  # prefixes of symbol names
# numba numbers functions from 1 in each process and puts the number into the symbol name. Symbols loaded from disk must
# not clash with new ones, so each process adds its own tag.
TAG = f"edgewise{secrets.token_hex(6)}"
TAGGED = f"B{len(TAG)}edgewise"  # marks a tagged name, from any process


class Library(JITCodeLibrary):
    """The code of one function, like numba's library, but finalized only when an address in it is needed."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        """Record the library of a callee."""
        self._linking_libraries.append(library)

    def add_llvm_module(self, ll_module: llvm.ModuleRef) -> None:
        """Add code; symbols that numba named get the tag of this process."""
        _tag(ll_module)
        super().add_llvm_module(ll_module)

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, or 0 if the library does not contain its machine code."""
        if not self._finalized and name not in {one.name for one in self._final_module.functions}:
            return 0
        return super().get_pointer_to_function(name)

    def finalize(self) -> None:
        """Optimize the function together with its callees, and generate machine code."""
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        self._link()
        self._own_callees()
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def serialize_using_object_code(self) -> tuple:
        """Return the content of a cache entry: machine code and its symbols, or unlinked intermediate code."""
        if not self._finalized:
            return self.name, PLAIN, self._get_module_for_linking().as_bitcode()
        known = [one.name for one in self._named() if not one.is_declaration]
        return self.name, MACHINE, (self._get_compiled_object(), known)

    @classmethod
    def _unserialize(cls, codegen: JITCPUCodegen, state: tuple) -> Library:
        name, kind, content = state
        library = codegen.create_library(name)
        library.enable_object_caching()
        if kind == PLAIN:
            library._final_module = llvm.parse_bitcode(content)
        else:
            machine, known = content
            library._set_compiled_object(machine)
            library._finalize_final_module()
            codegen._engine._defined_symbols.update(known)
        return library

    def _named(self) -> itertools.chain:
        return itertools.chain(self._final_module.functions, self._final_module.global_variables)

    def _link(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(self._codegen.module_of(library), preserve=True)
        self._linking_libraries.clear()

    def _own_callees(self) -> None:
        """Give callees internal linkage, so that LLVM can drop arguments that they do not read."""
        for one in self._final_module.functions:
            if not one.is_declaration and one.linkage == llvm.Linkage.linkonce_odr:
                one.linkage = llvm.Linkage.internal

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """Return the intermediate code of the function and its callees, for any number of callers."""
        if self._finalized:
            return super()._get_module_for_linking()
        if self._shared_module is None:
            self._link()
            self._shared_module = self._final_module.clone()
            for one in self._shared_module.functions:
                if not one.is_declaration and one.linkage == llvm.Linkage.external:
                    one.linkage = "linkonce_odr"
        return self._shared_module

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(variable.name, environment)
        self._codegen.set_waiting()


class Codegen(JITCPUCodegen):
    """Code generator that creates these libraries and sets environments as soon as they have an address."""

    _library_class = Library

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._waiting = {}
        self._copies = WeakKeyDictionary()

    def module_of(self, library: JITCodeLibrary) -> llvm.ModuleRef:
        """Return a library's code for linking; a copy with tagged names if numba compiled it."""
        if library.codegen is self:
            return library._get_module_for_linking()
        if library not in self._copies:
            self._copies[library] = library._get_module_for_linking().clone()
            _tag(self._copies[library])
        return self._copies[library]

    def set_env(self, env_name: str, env: object) -> None:
        """Set an environment now if its symbol is defined, otherwise as soon as it is."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)
        else:
            self._waiting[env_name] = env

    def set_waiting(self) -> None:
        """Set all waiting environments whose symbols are defined."""
        for name in [name for name in self._waiting if self._engine.is_symbol_defined(name)]:
            super().set_env(name, self._waiting.pop(name))


def _tag(module: llvm.ModuleRef) -> None:
    """Add the tag to functions that numba's code generator named."""
    for function in module.functions:
        if function.name.startswith(MANGLED) and TAGGED not in function.name:
            function.name = f"{function.name}B{len(TAG)}{TAG}"


class Context(CPUContext):
    """Copy of numba's context with its own code generator, built as numba does for ahead-of-time compilation.

    Both contexts share their tables of functions, so a function registered in one is visible in the other.
    """

    def __init__(self, shared: CPUContext) -> None:
        vars(self).update(vars(shared.subtarget(_internal_codegen=Codegen("edgewise"))))
        vars(self).pop("nrt", None)  # cached by numba's context if it was used before
        self.target, self.target_name = Kernels, TARGET._target_name
        self._shared = shared

    def refresh(self) -> None:
        """Fill the tables through numba's context, so that numba's generator compiles numba's own helpers."""
        self._shared.refresh()

    def mangler(self, name: str, types: Sequence, *, abi_tags: Sequence[str] = (), uid: int | None = None) -> str:  # noqa: A002
        """Return numba's symbol name of a function, with the tag of this process."""
        return super().mangler(name, types, abi_tags=(*abi_tags, TAG), uid=uid)


class Kernels(CPU):
    """Hardware target of kernels: the CPU, with our code generator."""


class KernelTarget(TargetDescriptor):
    """Options, typing context and target context of kernels."""

    options = cpu_target.options
    typing_context = cpu_target.typing_context

    @cached_property
    def target_context(self) -> Context:
        """Return the context that all kernels share."""
        return Context(cpu_target.target_context)


TARGET = KernelTarget("edgewise")


class Helper(CPUDispatcher):
    """Dispatcher of a function that `overload` supplies, compiled for kernels only."""

    targetdescr = TARGET

    def __init__(self, py_func: Callable, locals: dict | None, targetoptions: dict, **others: type) -> None:  # noqa: A002
        super().__init__(py_func, locals, {**targetoptions, "no_cfunc_wrapper": True}, **others)


# Register the target with numba: its name, its dispatcher, and the decorator for helpers.
target_registry[TARGET._target_name] = Kernels
dispatcher_registry[Kernels] = Helper
jit_registry[Kernels] = partial(jit, _target=TARGET._target_name)


@register_pass(mutates_CFG=False, analysis_only=False)
class Borrow(AnalysisPass):
    """Compiler pass that disables reference counts where that is safe."""

    _name = "borrow"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: object) -> bool:
        """Switch reference counts off for a callee that only borrows arrays; return False, as the code is unchanged."""
        called_by_kernels = state.flags.no_cpython_wrapper
        if called_by_kernels and only_borrows(state.func_ir, state.typemap, state.return_type):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


class Pipeline(CompilerBase):
    """numba's compiler pipeline with the additional pass `Borrow` after type inference."""

    def define_pipelines(self) -> list[PassManager]:
        """Return a list with the single pipeline."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(Borrow, AnnotateTypes)
        pipeline.finalize()
        return [pipeline]


def only_borrows(code: ir.FunctionIR, typemap: dict[str, types.Type], returned: types.Type) -> bool:
    """Return True if a function neither creates nor returns an array.

    Only types are checked. Every expression that yields an array counts as creating one, except names, tuples and their
    members, selections by integers and slices, and the iterator over an array of numbers. Storing an array in another
    also counts, because it may make a copy.
    """
    made = (one.value for one in _found(code, ir.Assign) if is_counted(typemap[one.target.name]))
    put = (one.value for one in _found(code, ir.SetItem, ir.StaticSetItem))
    return (
        not code.is_generator
        and not is_counted(returned)
        and not any(is_counted(typemap[one.name]) for one in put)
        and all(_is_borrowed(one, typemap) for one in made)
    )


def is_counted(one: types.Type) -> bool:
    """Return True if numba counts references to values of the type, such as arrays and tuples that contain them."""
    return default_manager.lookup(one).contains_nrt_meminfo()


def _found(code: ir.FunctionIR, *kinds: type[ir.Stmt]) -> Iterator[ir.Stmt]:
    return (one for block in code.blocks.values() for one in block.find_insts(kinds))


def _is_borrowed(value: object, typemap: dict[str, types.Type]) -> bool:
    if isinstance(value, ir.Var | ir.Arg):
        return True
    if not isinstance(value, ir.Expr):
        return False
    if value.op in ("cast", "phi", "build_tuple"):
        return True
    if value.op not in (*PARTS, "getattr", "exhaust_iter", "getiter"):
        return False
    whole = typemap[value.value.name]
    if value.op == "getiter":  # only over an array of numbers
        return isinstance(whole, types.Array) and whole.ndim == 1
    return isinstance(whole, types.BaseTuple) or (value.op in PARTS and _cuts(value, typemap))


def _cuts(value: ir.Expr, typemap: dict[str, types.Type]) -> bool:
    """Return True if only integers and slices select from the array."""
    by = value.index_var if value.op == "static_getitem" else value.index
    if by is None:
        return True
    by = typemap[by.name]
    parts = by.types if isinstance(by, types.BaseTuple) else (by,)
    return all(isinstance(one, types.Integer | types.SliceType | types.EllipsisType) for one in parts)


class Compiler(_FunctionCompiler):
    """Compiler that omits the C wrapper, and the Python wrapper of callees."""

    inner = False

    def _customize_flags(self, flags: Flags) -> Flags:
        flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = self.inner
        return flags


class KernelCache(_Cache):
    """Cache of one kernel on disk."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._enabled = True
        self.inner = False

    @property
    def cache_path(self) -> str:
        """Return the folder of the cache."""
        return str(store.folder())

    def enable(self) -> None:
        """Use the cache on disk."""
        self._enabled = True

    def disable(self) -> None:
        """Compile in memory, without the cache on disk."""
        self._enabled = False

    def flush(self) -> None:
        """Do nothing: entries are named by content, so they cannot be stale."""

    def load_overload(self, sig: object, target_context: CPUContext) -> CompileResult | None:
        """Return the compiled kernel, or None if the cache has no readable entry."""
        target_context.refresh()
        if not self._enabled:
            return None
        name = self.name(sig)
        return store.load(name, lambda parts: CompileResult._rebuild(target_context, *parts))

    def save_overload(self, sig: object, data: CompileResult) -> None:
        """Store the compiled kernel if the folder is writable."""
        if self._enabled:
            store.save(self.name(sig), dumps(data._reduce()))

    def name(self, sig: object) -> str:
        """Return the entry's name: the kernel's name and a hash of its code, kind of caller, types and processor."""
        arguments, _ = normalize_signature(sig)
        key = digest(stamp(self._kernel), str(self.inner), signature_text(arguments), processor())
        return f"{self._kernel.__module__.rpartition('.')[2]}.{self._kernel.__name__}-{key}"


class Kernel(CPUDispatcher):
    """Dispatcher of a kernel, compiled once for each list of argument types and cached on this computer.

    Calls from Python use machine code; calling kernels link the intermediate code.
    """

    targetdescr = TARGET

    def __init__(self, py_func: Callable, locals: dict | None = None, targetoptions: dict | None = None) -> None:  # noqa: A002
        super().__init__(py_func, locals, {"nopython": True, "nogil": True, **(targetoptions or {})})
        self._cache = KernelCache(self)
        self._compiler = Compiler(py_func, self.targetdescr, self.targetoptions, self.locals, Pipeline)
        self._made = {True: {}, False: {}}

    def compile(self, sig: object) -> object:
        """Compile as numba does, but let only one process compile a kernel at a time."""
        inner = global_compiler_lock.is_locked()  # a caller is being compiled
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
        """Type a call from a kernel. Constants and narrow integers become int64, which avoids compiling each type."""
        return super().get_call_template(tuple(map(_usual, args)), {name: _usual(one) for name, one in kws.items()})

    def add_overload(self, cres: CompileResult) -> None:
        """Register the compiled kernel; Python can call it only if it was compiled for Python."""
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
