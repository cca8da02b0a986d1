r"""Letters that two answers may name differently: constants of integration, and ``I``, ``j`` and ``E`` of programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Const, Expr, Node, Sym, tree
from rlvr_gym.verifiers.answers.faults import scalars
from rlvr_gym.verifiers.answers.scalars import put

N = TypeVar("N")
_CONSTANT = re.compile(r"[cC](?:_[0-9])?")
_INTEGERS: Final = frozenset("klmn")
_PROGRAMS: Final = {"I": "i", "j": "i", "E": "e"}


def aligned(gold: Node, answer: Node, integer: str = "") -> Node:
    """Return ``answer`` with the letters of ``gold`` for constants that both name, and for ``i`` and ``e``.

    A letter is renamed only if the reference does not have it, so that no two letters become one. So is the letter
    ``integer`` of the answer, which stands for any integer.
    """
    given = _symbols(answer)
    if not given or given <= (wanted := _symbols(gold)):
        return answer
    wanted_constants, given_constants = _constants(gold), _constants(answer)
    renamed: dict[str, Expr] = {}
    for name in sorted(given - wanted):
        other = name[0].swapcase() + name[1:]
        if name == integer and len(wanted - given) == 1 and wanted - given <= _INTEGERS:
            renamed[name] = Sym(next(iter(wanted - given)))
        elif _CONSTANT.fullmatch(name) and other in wanted - given:
            renamed[name] = Sym(other)
        elif (constant := _PROGRAMS.get(name)) in wanted_constants and constant not in given_constants:
            renamed[name] = Const(constant)  # type: ignore[arg-type]  # one of the two
    return mapped(answer, renamed) if renamed else answer


def of_program(node: Node) -> Node:
    """Return what a program printed with its names of the constants, ``I`` and ``E``, read as such."""
    given = _symbols(node)
    known = {"I": Const("i")} | ({"E": Const("e")} if given <= {"E", "I"} else {})
    return mapped(node, {name: known[name] for name in given & known.keys()})


def _symbols(node: Node) -> frozenset[str]:
    if isinstance(node, Expr):
        return algebra.symbols(node)
    return frozenset().union(*map(algebra.symbols, scalars(node)))


def _constants(node: Node) -> frozenset[str]:
    return frozenset(
        part.name for expr in scalars(node) for part in tree.walk(expr) if isinstance(part, Const)
    )


def mapped(node: N, point: Mapping[str, Expr]) -> N:
    """Return a tree with values in place of its symbols."""
    given: Any = node
    if isinstance(given, Expr):
        given = put(given, point)
    elif isinstance(given, tuple):
        given = tuple(mapped(part, point) for part in given)
    elif is_dataclass(given) and not isinstance(given, type):
        given = replace(
            given, **{field.name: mapped(getattr(given, field.name), point) for field in fields(given)}
        )
    result: N = given
    return result
