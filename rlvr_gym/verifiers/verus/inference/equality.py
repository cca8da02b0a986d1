"""Which values may be compared with ``==``."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body
from rlvr_gym.verifiers.verus.inference.types import Type, erased, is_integer
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Binary


def check_ghost_equality(body: Body, expr: Binary, left: Type, right: Type) -> None:
    """Refuse a ghost ``==`` of different types, unless both are integers or characters.

    Raises:
        Rejected: the types differ even without references and boxes.
    """
    first, second = erased(body.variables.resolved(left)), erased(body.variables.resolved(right))
    if first == second or "!" in (first.name, second.name):
        return
    if _number(first) and _number(second):
        return
    raise Rejected(f"mismatched types in `{expr.op}`: `{first}` and `{second}`", expr.place)


def check_compiled_equality(body: Body, type: Type, place: Place) -> None:
    """Refuse ``==`` of compiled code on values whose equality is not what the proof takes it for.

    Raises:
        Rejected: the type has no ``==``.
        Unsupported: it may have one, of which nothing is known.
    """
    found = body.variables.resolved(type)
    while found.name == "&":
        found = found.args[0]
    if _structural(body, found):
        return
    if found.name in body.declarations.datatypes and "PartialEq" not in body.crate.derived[found.name]:
        raise Rejected(f"binary operation `==` cannot be applied to type `{found}`", place)
    raise Unsupported(f"`==` in compiled code on `{found}`", place)


def _structural(body: Body, type: Type) -> bool:
    name = type.name
    if is_integer(type) or name in ("bool", "char"):
        return True
    if name in ("tuple", "Option", "Result") and body.crate.dialect == "current":
        return all(_structural(body, arg) for arg in type.args)
    derived = body.crate.derived.get(name, ())
    if "PartialEq" in derived and "Structural" in derived:
        return all(_structural(body, arg) for arg in type.args)
    return False


def _number(type: Type) -> bool:
    return is_integer(type) or type.name == "char"
