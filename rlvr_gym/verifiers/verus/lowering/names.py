"""Ids of the library's declarations that the lowering itself writes into terms."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.core import Apply, Expression
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate, argument_map, type_parameters
from rlvr_gym.verifiers.verus.inference.types import Type, substituted
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Function, FunctionRef


def method_id(crate: Crate, owner: Type, name: str, place: Place) -> str:
    """Return the id of method ``name`` of a library type."""
    datatype = crate.library.datatypes.get(owner.name)
    if datatype is None:
        raise Unsupported(f"`{name}` of type `{owner}`", place)
    id = f"{datatype.module}::{datatype.name}::{name}"
    if id not in crate.library.functions:
        raise Unsupported(f"`{name}` of type `{owner}`", place)
    return id


def apply_method(
    crate: Crate, owner: Type, name: str, arguments: tuple[Expression, ...], result: Type, place: Place
) -> Apply:
    """Return a spec method of a library type applied; ``arguments`` start with the receiver where it has one.

    The method has no type parameters beyond those of its owner.
    """
    return Apply(
        method_id(crate, owner, name, place), type_arguments(owner), arguments, type=result, place=place
    )


def type_arguments(owner: Type) -> tuple[Type, ...]:
    """Return the arguments of an owner's methods: those of the type, and for an array its length."""
    return (*owner.args, Type("const", size=owner.size)) if owner.name == "array" else owner.args


def core_arguments(types: tuple[Type, ...]) -> tuple[Type, ...]:
    """Return type arguments as the logic sees them."""
    return tuple(core_type(type) for type in types)


def spec_twin(crate: Crate, ref: FunctionRef, place: Place) -> FunctionRef:
    """Return the spec function that a call in ghost code means.

    An exec function of the library may name one by ``when_used_as_spec``; any other call of compiled code there has no
    meaning.
    """
    function = ref.function
    if function.mode == "spec":
        return ref
    name = twin_name(function)
    if name is None:
        raise Unsupported(f"call of {function.mode} function `{function.name}` inside a specification", place)
    prefix = function.id.rpartition("::")[0]
    twin = crate.function(f"{prefix}::{name}" if prefix else name)
    return FunctionRef(twin, ref.type_arguments[: len(type_parameters(twin))])


def twin_name(function: Function) -> str | None:
    """Return the name that ``when_used_as_spec`` gives, if there is one."""
    for attribute in function.attributes:
        if attribute.path == "verifier::when_used_as_spec" and attribute.arguments:
            return attribute.arguments[0]
    return None


def instance(ref: FunctionRef) -> tuple[Type, ...]:
    """Return the types of a function's parameters at one use, references included."""
    function = ref.function
    if not ref.type_arguments:
        return function.parameter_types
    values = argument_map(function, ref.type_arguments)
    return tuple(substituted(type, values) for type in function.parameter_types)
