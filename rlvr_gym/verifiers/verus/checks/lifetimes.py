"""Lifetimes as written: those that are used are declared."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.syntax.tree import (
    Function,
    TypeArray,
    TypeExpr,
    TypePath,
    TypeRef,
    TypeSlice,
    TypeTuple,
)


def check_lifetimes(function: Function) -> None:
    """Check the lifetimes in a function's signature.

    Raises:
        Rejected: one that no generic parameter introduces.
    """
    generics = (*function.generics, *(function.owner.generics if function.owner is not None else ()))
    declared = {generic.name for generic in generics} | {"'static", "'_"}
    for type in (*(parameter.type for parameter in function.parameters), function.result):
        for lifetime in _lifetimes(type):
            if lifetime not in declared:
                raise Rejected(f"use of undeclared lifetime name `{lifetime}`", function.place)


def _lifetimes(type: TypeExpr | None) -> Iterator[str]:
    match type:
        case TypeRef():
            if type.lifetime is not None:
                yield type.lifetime
            yield from _lifetimes(type.inner)
        case TypeTuple():
            for item in type.items:
                yield from _lifetimes(item)
        case TypeSlice() | TypeArray():
            yield from _lifetimes(type.element)
        case TypePath():
            for segment in type.segments:
                for argument in segment.generics or ():
                    yield from _lifetimes(argument)
        case _:
            pass
