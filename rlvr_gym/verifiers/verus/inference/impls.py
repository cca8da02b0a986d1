"""Whether an implementation of a trait has the shape that the trait asks for, and derived traits hold of all fields."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate, variants
from rlvr_gym.verifiers.verus.inference.traits import has_trait
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.syntax.tree import Enum, Function, Generic, Impl, Struct, TypeAlias_

# For each trait the mode of its one method and whether it has an associated type.
_SHAPES = {"View": ("view", "spec", True), "Clone": ("clone", "exec", False)}
# Types of specifications, of which it is not kept what traits they have.
_UNSURE = frozenset(("Seq", "Set", "ISet", "Map", "IMap", "Multiset", "spec_fn", "Ghost", "Tracked"))
_NEEDS = {"Copy": "Clone", "Eq": "PartialEq", "Structural": "PartialEq"}


def check_trait_impl(impl: Impl, associated_types: dict[str, Type]) -> None:
    """Refuse an ``impl View`` or ``impl Clone`` that is not exactly that.

    Raises:
        Rejected: a member is missing, of another mode or of other types.
        Unsupported: members that the trait allows and the model does not.
    """
    if impl.trait is None or impl.outside or not impl.items:
        return
    trait = impl.trait.segments[-1].name
    method, mode, associated = _SHAPES[trait]
    functions = [member for member in impl.items if isinstance(member, Function)]
    types = [member for member in impl.items if isinstance(member, TypeAlias_)]
    if [item.name for item in functions] != [method] or len(functions) + len(types) != len(impl.items):
        raise Unsupported(f"`impl {trait}` with other members than `{method}`", impl.place)
    function = functions[0]
    wanted = 1 if associated else 0
    if len(types) != wanted or (types and types[0].name != "V"):
        raise Rejected(
            f"`impl {trait}` needs {'`type V`' if associated else 'no associated type'}", impl.place
        )
    if function.mode != mode:
        raise Rejected(f"`{method}` of `{trait}` is a {mode} function", function.place)
    subject = impl.subject_type
    assert subject is not None
    if function.parameter_types != (Type("&", (subject,)),) or function.generics:
        raise Rejected(f"`{method}` of `{trait}` takes `&self` alone", function.place)
    result = associated_types.get("V") if associated else subject
    if function.result_type != result:
        raise Rejected(
            f"`{method}` of `{trait}` returns `{result}`, not `{function.result_type}`", function.place
        )
    if function.requires:
        raise Rejected("a trait's method cannot declare `requires` in an implementation", function.place)


def check_derived(crate: Crate, datatype: Struct | Enum) -> None:
    """Refuse a derived trait that a field lacks, or that needs another trait.

    Raises:
        Rejected: the compiler would.
    """
    found = crate.derived[datatype.id]
    for trait, needed in _NEEDS.items():
        if trait in found and not has_trait(crate, Type(datatype.id), needed):
            raise Rejected(f"`{datatype.name}` is `{trait}` but not `{needed}`", datatype.place)
    for trait in ("Copy", "Clone", "PartialEq", "Eq", "Structural"):
        if trait not in found:
            continue
        generics = tuple([Generic(item.name, item.kind, (*item.bounds, trait)) for item in datatype.generics])
        for variant in variants(datatype):
            for (name, _, ghostness), type in zip(variant.fields, variant.types, strict=True):
                if ghostness == "exec" and not has_trait(crate, type, trait, generics):
                    message = f"`{trait}` is not implemented for `{type}`, the type of `{name}`"
                    if type.name in _UNSURE:
                        raise Unsupported(message, datatype.place)
                    raise Rejected(message, datatype.place)
