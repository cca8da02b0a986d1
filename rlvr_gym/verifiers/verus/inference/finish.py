"""The end of inference over one body: defaults, the types that were found written out, and what they must satisfy."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.inference.body import Body
from rlvr_gym.verifiers.verus.inference.bounds import check_size, check_value
from rlvr_gym.verifiers.verus.inference.literals import check_range
from rlvr_gym.verifiers.verus.inference.types import MACHINE, Type
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import FunctionRef, IntLit, Local, VariantRef


def finish(body: Body) -> None:
    """Replace every variable of inference by what it stands for.

    Raises:
        Rejected: a type stays open, or a value does not fit the type that was found for it.
    """
    variables = body.variables
    body.settle()
    for name, kind in list(variables.kinds.items()):
        if kind == "machine" and name not in variables.values:
            variables.values[name] = MACHINE["i32"]
    body.settle()
    place = Place(0, 0)
    literals: list[IntLit] = []
    for node in body.seen:
        if isinstance(node, FunctionRef | VariantRef):
            if node.type_arguments:
                node.type_arguments = tuple([_closed(body, item, place) for item in node.type_arguments])
                for item in node.type_arguments:
                    check_value(item, place)
            continue
        place = node.place
        found = node.type
        assert found is not None
        if found.args or found.name[0] == "?" or found.size is not None:
            node.type = found = _closed(body, found, place)
        if isinstance(node, Local):
            check_value(found, place)
        if isinstance(node, IntLit):
            literals.append(node)
    if body.waiting:
        raise Rejected("type annotations needed", body.waiting[0].place)
    for check in body.checks:
        check()
    for literal in literals:
        check_range(body, literal)


def _closed(body: Body, type: Type, place: Place) -> Type:
    found = check_size(body.variables.resolved(type), place)
    if _open(found):
        raise Rejected(f"type annotations needed: `{body.show(found)}`", place)
    return found


def _open(type: Type) -> bool:
    if type.name[0] == "?" or (isinstance(type.size, str) and type.size[0] == "?"):
        return True
    found = False
    for arg in type.args:
        found = found or _open(arg)
    return found
