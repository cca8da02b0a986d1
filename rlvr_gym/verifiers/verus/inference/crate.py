"""A program after inference: its declarations with everything found about them, and the library's next to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rlvr_gym.verifiers.verus.inference.traits import has_trait
from rlvr_gym.verifiers.verus.inference.types import Type, parameter, substituted
from rlvr_gym.verifiers.verus.report import Dialect
from rlvr_gym.verifiers.verus.syntax.tree import (
    BroadcastItem,
    Const,
    Enum,
    File,
    Function,
    FunctionRef,
    Generic,
    Impl,
    Struct,
    Variant,
    VariantRef,
)

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.inference.library import Library


@dataclass(eq=False, slots=True)
class Crate:
    """What later stages read. Lists are in source order, nested items and members of impls included.

    Ids: a function of the file is ``f``, ``m::f``, ``Point::new``, ``outer::{}::inner`` (an item inside of a function);
    one of the library starts with its module, ``vstd::seq::Seq::len``. A type of the library goes by its bare name
    (``Seq``); one of the file by its path, with ``crate::`` in front where that would be a name of the library.
    """

    file: File
    dialect: Dialect
    library: Library
    functions: list[Function] = field(default_factory=list)
    """All functions inside the macro, of every mode; each has its ``id``, types and locals."""
    datatypes: list[Struct | Enum] = field(default_factory=list)
    consts: list[Const] = field(default_factory=list)
    impls: list[Impl] = field(default_factory=list)
    broadcasts: list[BroadcastItem] = field(default_factory=list)
    """``broadcast use`` items and ``broadcast group``s of the file."""
    derived: dict[str, frozenset[str]] = field(default_factory=dict)
    """For each datatype's id the traits that it derives or implements without a body (``Copy``, ``PartialEq``, ...)."""
    functions_by_id: dict[str, Function] = field(default_factory=dict)
    datatypes_by_id: dict[str, Struct | Enum] = field(default_factory=dict)
    consts_by_id: dict[str, Const] = field(default_factory=dict)

    def function(self, id: str) -> Function:
        """Return a function of the file or of the library (whose contract is inferred the first time)."""
        found = self.functions_by_id.get(id)
        return found if found is not None else self.library.function(id)

    def datatype(self, id: str) -> Struct | Enum | None:
        """Return a datatype of the file or of the library; None for a built-in type."""
        found = self.datatypes_by_id.get(id)
        return found if found is not None else self.library.datatypes.get(id)

    def const(self, id: str) -> Const:
        """Return a constant of the file or of the library."""
        found = self.consts_by_id.get(id)
        return found if found is not None else self.library.consts[id]

    def sibling(self, function: FunctionRef, name: str) -> FunctionRef | None:
        """Return the method ``name`` of the type that ``function`` is a method of, at the same type arguments.

        For ``v[i] = e``: the sibling ``index_set`` of the target ``index``.
        """
        owner = function.function.owner
        if owner is None:
            return None
        arguments = function.type_arguments[: len(names(owner.generics))]
        prefix = function.function.id.rpartition("::")[0]
        id = f"{prefix}::{name}"
        if id not in self.functions_by_id and id not in self.library.functions:
            return None
        return FunctionRef(self.function(id), arguments)

    def has_trait(self, type: Type, trait: str, generics: tuple[Generic, ...] = ()) -> bool:
        """Return whether ``type`` is known to have ``Copy``, ``Clone``, ``PartialEq``, ``Eq`` or ``Structural``.

        ``generics`` are the parameters in scope with their bounds; False also where it is merely not known.
        """
        return has_trait(self, type, trait, generics)


def names(generics: tuple[Generic, ...]) -> tuple[str, ...]:
    """Return the names of generic parameters that take an argument: lifetimes are left out."""
    return tuple(generic.name for generic in generics if generic.kind != "lifetime")


def type_parameters(function: Function) -> tuple[str, ...]:
    """Return a function's parameters in the order of `FunctionRef.type_arguments`: its impl's first, then its own."""
    owner = names(function.owner.generics) if function.owner is not None else ()
    return owner + names(function.generics)


def argument_map(function: Function, arguments: tuple[Type, ...]) -> dict[str, Type]:
    """Return the type arguments of one use by name, for `types.substituted`."""
    return dict(zip(type_parameters(function), arguments, strict=True))


def variants(datatype: Struct | Enum) -> tuple[Variant, ...]:
    """Return the constructors of a datatype."""
    return (datatype.variant,) if isinstance(datatype, Struct) else datatype.variants


def field_types(ref: VariantRef) -> tuple[Type, ...]:
    """Return the types of a constructor's fields at the type arguments of this use."""
    values = dict(zip(names(ref.datatype.generics), ref.type_arguments, strict=True))
    return tuple(substituted(type, values) for type in ref.variant.types)


def own_type(datatype: Struct | Enum) -> Type:
    """Return a datatype's type at its own parameters."""
    return Type(datatype.id, tuple(parameter(name) for name in names(datatype.generics)))
