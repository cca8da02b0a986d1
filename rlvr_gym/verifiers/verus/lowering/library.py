"""The library's declarations in the core language, made once per process."""

from __future__ import annotations

from dataclasses import dataclass

from rlvr_gym.verifiers.verus.checks.recursion import called
from rlvr_gym.verifiers.verus.checks.triggers import fill
from rlvr_gym.verifiers.verus.core import CodeFunction, CoreDatatype, SpecFunction
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.library import Library
from rlvr_gym.verifiers.verus.lowering.declarations import code_function, constant, datatype, spec_function
from rlvr_gym.verifiers.verus.syntax.tree import File, Function


@dataclass(frozen=True, slots=True)
class CoreLibrary:
    """What every program can reach."""

    datatypes: dict[str, CoreDatatype]
    specs: dict[str, SpecFunction]
    codes: dict[str, CodeFunction]


_lowered: dict[int, tuple[Library, CoreLibrary]] = {}


def core_library(library: Library) -> CoreLibrary:
    """Return the lowered library; the same object for the same library."""
    known = _lowered.get(id(library))
    if known is None:
        # The library is kept next to its lowering, so that no other one can get its identity.
        known = _lowered[id(library)] = (library, _lower(library))
    return known[1]


def _lower(library: Library) -> CoreLibrary:
    # Contracts of the library are written in the current dialect, whatever the program's is.
    crate = Crate(File(()), "current", library)
    made = CoreLibrary({}, {}, {})
    for item in library.datatypes.values():
        made.datatypes[item.id] = datatype(item)
    for const in library.consts.values():
        made.specs[const.id] = constant(crate, const).value
    for id in library.functions:
        function = library.function(id)
        fill(crate, function)
        if function.mode == "spec":
            recursive = _calls_itself(function)
            made.specs[id] = spec_function(crate, function, 1 if recursive else None)
            if recursive:
                # A group of its own: those of programs count upwards from zero.
                made.specs[id].group = -1 - len(made.specs)
        else:
            made.codes[id] = code_function(crate, function)
    return made


def _calls_itself(function: Function) -> bool:
    return function.body is not None and any(ref.function is function for ref, _ in called(function.body))
