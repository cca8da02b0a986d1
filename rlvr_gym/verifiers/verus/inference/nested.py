"""Items inside of function bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body
from rlvr_gym.verifiers.verus.inference.functions import infer_const, infer_function
from rlvr_gym.verifiers.verus.inference.impls import check_derived
from rlvr_gym.verifiers.verus.inference.names import Scope
from rlvr_gym.verifiers.verus.syntax.tree import BroadcastItem, Const, Item, Use


def enter_items(body: Body, items: Sequence[Item]) -> None:
    """Open a block's items for the rest of the block, and infer them.

    Raises:
        Unsupported: an item that would need the names of the function around it.
    """
    if body.function is None:
        raise Unsupported("items inside of a constant", items[0].place)
    for item in items:
        if isinstance(item, BroadcastItem):
            raise Unsupported("`broadcast use` among the items of a block", item.place)
    declarations = body.declarations
    outer = body.home.scope
    scope = Scope(f"{outer.path}::{{}}", around=outer, library=outer.library)
    body.home = replace(body.home, scope=scope)
    before = len(declarations.crate.datatypes) if declarations.crate is not None else 0
    uses = [item for item in items if isinstance(item, Use)]
    prefix = f"{body.function.id}::{{}}::"
    members = declarations.declare(
        [*uses, *(item for item in items if not isinstance(item, Use))], scope, prefix
    )
    if declarations.crate is not None:
        for datatype in declarations.crate.datatypes[before:]:
            declarations.crate.derived[datatype.id] = frozenset(declarations.derived[datatype.id])
            check_derived(declarations.crate, datatype)
    for member in members:
        if isinstance(member, Const):
            infer_const(member, declarations, body.crate)
        else:
            infer_function(member, declarations, body.crate)
