"""A whole program in the core language."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.recursion import cycles
from rlvr_gym.verifiers.verus.core import CodeFunction, Program, SpecFunction, Statement
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.lowering.declarations import code_function, constant, datatype, spec_function
from rlvr_gym.verifiers.verus.lowering.library import core_library
from rlvr_gym.verifiers.verus.syntax.tree import Const, Function


def lower(crate: Crate) -> Program:
    """Return the program that the logic reads.

    Raises:
        Unsupported: a construct whose meaning the core language cannot say.
    """
    library = core_library(crate.library)
    specs: dict[str, SpecFunction] = {}
    codes: dict[str, CodeFunction] = {}
    constants: dict[str, tuple[Statement, ...]] = {}
    recursive = cycles(crate) if any(function.group is not None for function in crate.functions) else {}
    for const in crate.consts:
        made = constant(crate, const)
        specs[const.id], constants[const.id] = made.value, made.checks
        if made.axiom is not None:
            codes[made.axiom.id] = made.axiom
    for function in crate.functions:
        if function.mode == "spec":
            specs[function.id] = spec_function(crate, function, recursive.get(function.id))
        else:
            codes[function.id] = code_function(crate, function)
    items: list[Const | Function] = sorted((*crate.consts, *crate.functions), key=lambda item: item.place)
    own = {item.id: datatype(item) for item in crate.datatypes}
    return Program(
        {**library.datatypes, **own},
        {**library.specs, **specs},
        {**library.codes, **codes},
        tuple(item.id for item in items),
        constants,
        crate.dialect,
    )
