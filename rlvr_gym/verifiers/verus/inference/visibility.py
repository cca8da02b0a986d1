"""What code of one module may use of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Const, Enum, Function, Impl, ItemNode, Struct

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.inference.body import Body


def sees(reader: str, owner: str) -> bool:
    """Return whether private things of module ``owner`` are visible in module ``reader``: itself or one inside it."""
    return not owner or reader == owner or reader.startswith(f"{owner}::")


def is_open(public: str, owner: str, reader: str, place: Place) -> bool:
    """Return whether what stands in module ``owner`` with the words ``public`` in front is visible in ``reader``.

    Raises:
        Unsupported: ``pub(in path)``.
    """
    words = public.replace(" ", "")
    if words in ("pub", "pub(crate)") or sees(reader, owner):
        return True
    if words == "pub(super)":
        return sees(reader, owner.rpartition("::")[0])
    if words in ("", "pub(self)"):
        return False
    raise Unsupported(f"visibility `{public}`", place)


def check_item(item: ItemNode, name: str, reader: str, place: Place) -> None:
    """Refuse the use in module ``reader`` of an item that is private elsewhere.

    Raises:
        Rejected: it is private.
    """
    if not item.library and not is_open(item.public, item.module, reader, place):
        raise Rejected(f"`{name}` is private in module `{item.module}`", place)


def check_visible(body: Body, item: Function | Const | Struct | Enum, place: Place) -> None:
    """Refuse the use of an item that is private elsewhere; a trait's methods are as public as the trait."""
    owner = item.owner if isinstance(item, Function) else None
    if not (isinstance(owner, Impl) and owner.trait is not None):
        check_item(item, item.name, body.open_scope.module.path, place)


def check_fields_visible(body: Body, datatype: Struct | Enum, place: Place) -> None:
    """Refuse to look at the fields of another module's struct: which of them are public is not kept.

    Raises:
        Unsupported: the struct stands in another module.
    """
    if (
        isinstance(datatype, Struct)
        and not datatype.library
        and not sees(body.open_scope.module.path, datatype.module)
    ):
        raise Unsupported(f"fields of `{datatype.name}` used outside of module `{datatype.module}`", place)
