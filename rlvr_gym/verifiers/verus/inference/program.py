"""Names and types of a whole program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.declare import Declarations
from rlvr_gym.verifiers.verus.inference.functions import infer_const, infer_function
from rlvr_gym.verifiers.verus.inference.impls import check_derived
from rlvr_gym.verifiers.verus.inference.known import brings_macro
from rlvr_gym.verifiers.verus.inference.library import library
from rlvr_gym.verifiers.verus.inference.names import Names, Scope
from rlvr_gym.verifiers.verus.inference.typenames import TypeReader
from rlvr_gym.verifiers.verus.report import NOWHERE, Dialect
from rlvr_gym.verifiers.verus.syntax.tree import Const, File, Item, Mod, Use


def infer(file: File, *, dialect: Dialect = "current") -> Crate:
    """Find what every name of ``file`` stands for and the type of every expression in it.

    Raises:
        Rejected: the compiler would refuse the names or types.
        Unsupported: something is outside of the subset.
    """
    model = library()
    crate = Crate(file, dialect, model)
    outer = model.declarations
    root = Scope("")
    names = Names(
        root,
        {name: scope for name, scope in outer.names.root.types.items() if isinstance(scope, Scope)},
        outer.names.prelude,
    )
    declarations = Declarations(names, TypeReader(names), crate, outer)
    _macro_known(file)
    try:
        members = declarations.declare(file.items, root)
        crate.derived = {id: frozenset(found) for id, found in declarations.derived.items()}
        for datatype in crate.datatypes:
            check_derived(crate, datatype)
        for member in members:
            if isinstance(member, Const):
                infer_const(member, declarations, crate)
            else:
                infer_function(member, declarations, crate)
    except RecursionError:
        raise Unsupported("nested too deeply", NOWHERE) from None
    return crate


def _macro_known(file: File) -> None:
    """Refuse a program that uses ``verus!`` without importing it."""
    if not file.macros:
        return
    for use in _uses(file.items):
        for path, name in use.leaves:
            parts = tuple(path.removeprefix("::").split("::"))
            if brings_macro((*parts, "*") if name == "*" else parts):
                return
    raise Rejected("cannot find macro `verus` in this scope: `use vstd::prelude::*;` is missing", NOWHERE)


def _uses(items: Iterable[Item]) -> Iterator[Use]:
    for item in items:
        if isinstance(item, Use):
            yield item
        elif isinstance(item, Mod):
            yield from _uses(item.items)
