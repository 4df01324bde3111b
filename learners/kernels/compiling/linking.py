"""Machine code only for kernels that Python calls; what they call stays LLVM's plain intermediate code until then.

numba optimises a callee, makes machine code of it, then optimises it once more inside each caller, and inside theirs.
Here a callee is typed and lowered once, and optimised where it ends up. The same operations are done in the same order:
nothing here lets LLVM take sums apart.
"""

from __future__ import annotations

import itertools
import secrets

import llvmlite.binding as llvm
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext

PLAIN, MACHINE = "plain", "machine"
UNIQUE_BITS = 48


class Library(JITCodeLibrary):
    """The code of one function, as numba keeps it, but finished only when an address in it is asked for."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        """Remember a callee."""
        self._linking_libraries.append(library)

    def get_pointer_to_function(self, name: str) -> int:
        """Address of a function; 0 if there is none of the name, as for what Python does not call."""
        if not self._finalized and name not in {one.name for one in self._final_module.functions}:
            return 0
        return super().get_pointer_to_function(name)

    def finalize(self) -> None:
        """Optimise the function with all it calls, and make machine code."""
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        self._link()
        self._own_callees()
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def serialize_using_object_code(self) -> tuple:
        """What is kept on disk: machine code and the names in it, or plain code that is still to be linked."""
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
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._linking_libraries.clear()

    def _own_callees(self) -> None:
        """Let nobody else call these copies: what they do not read, of tuples of arrays most, need not be passed."""
        for one in self._final_module.functions:
            if not one.is_declaration and one.linkage == llvm.Linkage.linkonce_odr:
                one.linkage = llvm.Linkage.internal

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """Plain code with all it calls, as often as callers want it."""
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
        self._codegen.settle()


class Codegen(JITCPUCodegen):
    """Makes such libraries, and tells functions their environments as soon as they have an address."""

    _library_class = Library

    def set_env(self, env_name: str, env: object) -> None:
        """Now or when there is machine code that reads it."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)
        else:
            self.waiting[env_name] = env

    def settle(self) -> None:
        """Tell those that have an address by now."""
        for name in [name for name in self.waiting if self._engine.is_symbol_defined(name)]:
            super().set_env(name, self.waiting.pop(name))


def install(context: CPUContext) -> None:
    """Let numba's context link in this way."""
    codegen = context.codegen()
    codegen.__class__ = Codegen
    codegen.waiting = {}
    # Names end in a running number. Code that other processes left on disk must not have the numbers of ours.
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(UNIQUE_BITS))
