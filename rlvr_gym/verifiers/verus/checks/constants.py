"""Constants: none may be defined by itself, or the logic would be given an equation instead of a value."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.checks.recursion import called
from rlvr_gym.verifiers.verus.checks.walk import roots, walk
from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.syntax.tree import Const, ConstRef, Function, Node, PathExpr, PathPattern


def check_constants(crate: Crate) -> None:
    """Refuse constants whose value comes back to themselves, through other constants or through functions.

    Raises:
        Rejected: there is one.
    """
    own: dict[str, Const | Function] = {}
    own.update({const.id: const for const in crate.consts})
    own.update(crate.functions_by_id)
    for const in crate.consts:
        seen: set[str] = set()
        todo: list[Const | Function] = [const]
        while todo:
            for id in _mentioned(todo.pop()):
                if id == const.id:
                    raise Rejected(f"constant `{const.name}` is defined by itself", const.place)
                if id in own and id not in seen:
                    seen.add(id)
                    todo.append(own[id])


def _mentioned(item: Const | Function) -> Iterator[str]:
    """Yield the ids of the constants and functions that stand in ``item``."""
    parts: tuple[Node, ...] = tuple(roots(item)) if isinstance(item, Function) else ()
    if isinstance(item, Const):
        parts = item.ensures if item.value is None else (item.value, *item.ensures)
    for part in parts:
        for ref, _ in called(part):
            yield ref.function.id
        for node in walk(part):
            if isinstance(node, PathExpr | PathPattern) and isinstance(node.target, ConstRef):
                yield node.target.const.id
