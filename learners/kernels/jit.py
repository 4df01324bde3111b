"""Compile kernels with private parts of numba: half the time of a cold start, and faster calls between kernels.

This is the only module that imports `numba.core`; `compiling` falls back to plain ``numba.njit`` on any version that is
not listed in `TRIED`. Figures are in docs/adr/0001-kernels-and-their-cache.md.

- **Linking.** numba optimizes a callee, makes machine code of it, then optimizes it again inside each of its callers,
  and inside theirs. Here a callee is typed and lowered once, kept as LLVM's intermediate code, and optimized only as
  part of the kernels that Python calls. Operations and their order stay the same: nothing lets LLVM reassociate sums.
- **Borrowing.** numba counts references to arrays, in atomic steps, whenever a function takes one out of a tuple or
  slices it. A callee that creates no array needs no counts, because its callers own all arrays.
- **Cache.** Compiled code is stored by content (`stamps`, `store`).

All of it applies to kernels only: they have a code generator of their own, and numba's is never touched. Both share
numba's table of functions, so that a kernel may call any jitted function, and be called by one.
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

TRIED = ("0.68",)  # versions of numba
PLAIN, MACHINE = "plain", "machine"
PARTS = ("getitem", "static_getitem", "typed_getitem")  # of a tuple, or of an array
MANGLED, ENVIRONMENT = "_ZN", "_ZN08NumbaEnv"  # prefixes of names
# Names of functions contain a number that each process counts from 1. Code that other processes left on disk must not
# have the names of ours, so each process has a tag of its own.
TAG = f"edgewise{secrets.token_hex(6)}"
TAGGED = f"B{len(TAG)}edgewise"  # in names with a tag, of this process or another


class Library(JITCodeLibrary):
    """The code of one function, as numba keeps it, but finalized only when an address in it is needed."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        """Remember a callee."""
        self._linking_libraries.append(library)

    def add_llvm_module(self, ll_module: llvm.ModuleRef) -> None:
        """Add code, in which functions that numba compiled have our names for them."""
        _tag(ll_module)
        super().add_llvm_module(ll_module)

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; 0 if there is none of the name, as in code that Python does not call."""
        if not self._finalized and name not in {one.name for one in self._final_module.functions}:
            return 0
        return super().get_pointer_to_function(name)

    def finalize(self) -> None:
        """Optimize the function with all it calls, and make machine code."""
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        self._link()
        self._own_callees()
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def serialize_using_object_code(self) -> tuple:
        """Return what is kept on disk: machine code and the names in it, or plain code that is still to be linked."""
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
        """Give callees internal linkage, so that LLVM may drop arguments that they do not read."""
        for one in self._final_module.functions:
            if not one.is_declaration and one.linkage == llvm.Linkage.linkonce_odr:
                one.linkage = llvm.Linkage.internal

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """Return plain code with all it calls, for any number of callers."""
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
    """Creates such libraries, and gives functions their environments as soon as they have an address."""

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
        """Set it now, or as soon as there is machine code that reads it."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)
        else:
            self._waiting[env_name] = env

    def set_waiting(self) -> None:
        """Set the environments that have an address by now."""
        for name in [name for name in self._waiting if self._engine.is_symbol_defined(name)]:
            super().set_env(name, self._waiting.pop(name))


def _tag(module: llvm.ModuleRef) -> None:
    """Rename functions that numba's code generator named."""
    for function in module.functions:
        if function.name.startswith(MANGLED) and TAGGED not in function.name:
            function.name = f"{function.name}B{len(TAG)}{TAG}"


class Context(CPUContext):
    """numba's context with a code generator of our own, as numba makes one to compile ahead of time.

    The tables of functions are the same objects, so a function that either of the two learns of is known to both.
    """

    def __init__(self, shared: CPUContext) -> None:
        vars(self).update(vars(shared.subtarget(_internal_codegen=Codegen("edgewise"))))
        vars(self).pop("nrt", None)  # numba's, if it was used before
        self.target, self.target_name = Kernels, TARGET._target_name
        self._shared = shared

    def refresh(self) -> None:
        """Fill the tables; numba's context does it, so that numba's own helpers are compiled by numba's generator."""
        self._shared.refresh()

    def mangler(self, name: str, types: Sequence, *, abi_tags: Sequence[str] = (), uid: int | None = None) -> str:  # noqa: A002
        """Name a function as numba does, with the tag of this process."""
        return super().mangler(name, types, abi_tags=(*abi_tags, TAG), uid=uid)


class Kernels(CPU):
    """The name of our target among numba's: this processor, by our code generator."""


class KernelTarget(TargetDescriptor):
    """What our target consists of."""

    options = cpu_target.options
    typing_context = cpu_target.typing_context

    @cached_property
    def target_context(self) -> Context:
        """The only one."""
        return Context(cpu_target.target_context)


TARGET = KernelTarget("edgewise")


class Helper(CPUDispatcher):
    """A function that numba or a module of kernels supplies by `overload`, compiled for kernels alone."""

    targetdescr = TARGET

    def __init__(self, py_func: Callable, locals: dict | None, targetoptions: dict, **others: type) -> None:  # noqa: A002
        super().__init__(py_func, locals, {**targetoptions, "no_cfunc_wrapper": True}, **others)


# How numba learns of a target: by name, what compiles for it, and the decorator that makes helpers.
target_registry[TARGET._target_name] = Kernels
dispatcher_registry[Kernels] = Helper
jit_registry[Kernels] = partial(jit, _target=TARGET._target_name)


@register_pass(mutates_CFG=False, analysis_only=False)
class Borrow(AnalysisPass):
    """Compile without reference counts where that is safe."""

    _name = "borrow"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: object) -> bool:
        """Change how the kernel is about to be compiled, not what it computes."""
        called_by_kernels = state.flags.no_cpython_wrapper
        if called_by_kernels and only_borrows(state.func_ir, state.typemap, state.return_type):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


class Pipeline(CompilerBase):
    """numba's pipeline, with `Borrow` before machine code is made."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the only one."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(Borrow, AnnotateTypes)
        pipeline.finalize()
        return [pipeline]


def only_borrows(code: ir.FunctionIR, typemap: dict[str, types.Type], returned: types.Type) -> bool:
    """Return True if a function creates no array and returns none. To put one array into another may take a copy.

    Types alone decide: whatever yields an array may create it, except a name, a tuple and its members, a part that
    integers and slices select, and the iterator over an array of numbers.
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
    """Return True if values of the type are arrays, contain some, or are anything else that numba counts."""
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
    if value.op == "getiter":  # over numbers
        return isinstance(whole, types.Array) and whole.ndim == 1
    return isinstance(whole, types.BaseTuple) or (value.op in PARTS and _cuts(value, typemap))


def _cuts(value: ir.Expr, typemap: dict[str, types.Type]) -> bool:
    """Return True if integers and slices alone select the part of an array."""
    by = value.index_var if value.op == "static_getitem" else value.index
    if by is None:
        return True
    by = typemap[by.name]
    parts = by.types if isinstance(by, types.BaseTuple) else (by,)
    return all(isinstance(one, types.Integer | types.SliceType | types.EllipsisType) for one in parts)


class Compiler(_FunctionCompiler):
    """Leaves out the wrappers that only Python or C would call."""

    inner = False

    def _customize_flags(self, flags: Flags) -> Flags:
        flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = self.inner
        return flags


class KernelCache(_Cache):
    """The entries of one kernel on disk."""

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
        """Do nothing: an entry cannot be stale."""

    def load_overload(self, sig: object, target_context: CPUContext) -> CompileResult | None:
        """Return the compiled kernel; None if there is none that can be read."""
        target_context.refresh()
        if not self._enabled:
            return None
        name = self.name(sig)
        return store.load(name, lambda parts: CompileResult._rebuild(target_context, *parts))

    def save_overload(self, sig: object, data: CompileResult) -> None:
        """Store the compiled kernel, if the folder can be written."""
        if self._enabled:
            store.save(self.name(sig), dumps(data._reduce()))

    def name(self, sig: object) -> str:
        """Return the entry's name: the kernel's, and a hash of its code, who calls it, the types and the processor."""
        arguments, _ = normalize_signature(sig)
        key = digest(stamp(self._kernel), str(self.inner), signature_text(arguments), processor())
        return f"{self._kernel.__module__.rpartition('.')[2]}.{self._kernel.__name__}-{key}"


class Kernel(CPUDispatcher):
    """A function that is compiled once for each list of argument types, on this computer.

    Machine code is made where Python calls it; its callers get plain code.
    """

    targetdescr = TARGET

    def __init__(self, py_func: Callable, locals: dict | None = None, targetoptions: dict | None = None) -> None:  # noqa: A002
        super().__init__(py_func, locals, {"nopython": True, "nogil": True, **(targetoptions or {})})
        self._cache = KernelCache(self)
        self._compiler = Compiler(py_func, self.targetdescr, self.targetoptions, self.locals, Pipeline)
        self._made = {True: {}, False: {}}

    def compile(self, sig: object) -> object:
        """Compile as numba does, but in one process at a time."""
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
        """Type a call by a kernel; constants and narrow integers become int64, which saves compiling each."""
        return super().get_call_template(tuple(map(_usual, args)), {name: _usual(one) for name, one in kws.items()})

    def add_overload(self, cres: CompileResult) -> None:
        """Make the compiled kernel known, to Python only if it was compiled for Python."""
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
