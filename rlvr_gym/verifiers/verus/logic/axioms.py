"""Axioms of the library and broadcast lemmas: at hand where a query holds all that one of their triggers names."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.core import (
    Apply,
    ApplyValue,
    CodeFunction,
    Construct,
    Expression,
    Op,
    Program,
    Project,
    Test,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import Type, erased, substituted
from rlvr_gym.verifiers.verus.logic.shapes import walk
from rlvr_gym.verifiers.verus.logic.terms import Theory
from rlvr_gym.verifiers.verus.logic.world import Node
from rlvr_gym.verifiers.verus.logic.z3api import Handle, PatternError

_MOST_KNOWN = 2000
_MOST_INLINED = 8
_Key = tuple[object, ...]
"""What a node is: a function's id with types, over the type parameters of an axiom where it is a pattern."""


class Axioms:
    """The axioms of one program."""

    def __init__(self, theory: Theory) -> None:
        self._theory = theory
        self._by_head: dict[object, list[tuple[CodeFunction, list[_Key]]]] = {}
        self._made: dict[tuple[str, tuple[Type, ...]], Node] = {}
        program = theory.world.program
        for function in program.codes.values():
            if function.broadcast:
                for group in _heads(function, program):
                    for head in dict.fromkeys(key[0] for key in group):
                        self._by_head.setdefault(head, []).append((function, group))

    def reached(self, key: _Key, keys: set[_Key], broadcasts: dict[str, None]) -> list[Node]:
        """Return the axioms that a query can use once it reaches ``key`` besides ``keys``, which it is added to."""
        keys.add(key)
        found = []
        for function, group in self._by_head.get(key[0], ()):
            if not function.always and function.id not in broadcasts:
                continue
            for pattern in group:
                values: dict[str, Type] = {}
                if not _matches(pattern, key, values) or len(values) < len(function.type_parameters):
                    continue
                if all(_instance(other, values) in keys for other in group):
                    found.append(
                        self._node(function, tuple(values[name] for name in function.type_parameters))
                    )
        return found

    def _node(self, function: CodeFunction, types: tuple[Type, ...]) -> Node:
        made = self._made.get((function.id, types))
        if made is None:
            name = f"{function.id} {' '.join(map(str, types))}".strip()
            made = Node(name, lambda: self._facts(function, types))
            self._made[function.id, types] = made
        return made

    def _facts(self, function: CodeFunction, types: tuple[Type, ...]) -> list[Handle]:
        theory, z3 = self._theory, self._theory.world.z3
        translator = theory.scope({}, dict(zip(function.type_parameters, types, strict=True)))
        bound = translator.bind([(param.name, param.type) for param in function.params])
        typed = [translator.typed(param.type, one) for param, one in zip(function.params, bound, strict=True)]
        premises = [translator.translate(clause.condition) for clause in function.requires]
        conclusions = [translator.translate(clause.condition) for clause in function.ensures]
        triggers = [[translator.trigger(each) for each in group] for group in function.triggers]
        fact = z3.implies(z3.and_(*typed, *premises), z3.and_(*conclusions))
        try:
            made = z3.forall(bound, triggers, fact)
        except PatternError as error:
            raise Unsupported(f"the triggers of `{function.id}`: {error}", function.place) from None
        if not function.always:
            made = z3.implies(theory.functions.visible(function.id), made)
        return [made]


_known_heads: dict[int, tuple[CodeFunction, list[list[_Key]]]] = {}
"""Of the axioms of the library, which are the same objects for every job."""


def _heads(function: CodeFunction, program: Program) -> list[list[_Key]]:
    """Return, for each trigger of an axiom, the keys that a query must hold for it to match."""
    known = _known_heads.get(id(function))
    if known is not None and known[0] is function:
        return known[1]
    found = [
        list(dict.fromkeys(key for term in group for key in _keys(term, program, {})))
        for group in function.triggers
    ]
    if function.library:
        if len(_known_heads) >= _MOST_KNOWN:
            _known_heads.clear()
        # The function is kept beside its identity, which could be another's once it is gone.
        _known_heads[id(function)] = function, found
    return found


def _keys(term: Expression, program: Program, types: dict[str, Type], depth: int = 0) -> Iterator[_Key]:
    if depth > _MOST_INLINED:
        raise Unsupported("inline functions inside each other in a trigger", term.place)
    for each in walk(term):
        match each:
            case Apply():
                arguments = tuple(erased(substituted(of, types)) for of in each.type_arguments)
                function = program.specs.get(each.function)
                if function is not None and function.inline and function.body is not None:
                    inner = dict(zip(function.type_parameters, arguments, strict=True))
                    yield from _keys(function.body, program, inner, depth + 1)
                else:
                    yield (each.function, *arguments)
            case Op(op="=~=" | "=~~="):
                yield (each.op, erased(substituted(each.operands[0].type, types)))
            case Op(op="*" | "/" | "%" | "+" | "-"):
                yield (each.op,)
            case ApplyValue():
                yield ("apply", erased(substituted(each.function.type, types)))
            case Construct():
                yield ("datatype", erased(substituted(each.type, types)))
            case Project() | Test():
                yield ("datatype", erased(substituted(each.operand.type, types)))


def _matches(pattern: _Key, key: _Key, values: dict[str, Type]) -> bool:
    """Return whether a key is an instance of a pattern, and of which types."""
    if pattern[0] != key[0] or len(pattern) != len(key):
        return False
    return all(_unify(a, b, values) for a, b in zip(pattern[1:], key[1:], strict=True))


def _unify(pattern: object, type: object, values: dict[str, Type]) -> bool:
    assert isinstance(pattern, Type)
    assert isinstance(type, Type)
    if pattern.name.startswith("'"):
        return values.setdefault(pattern.name[1:], type) == type
    if isinstance(pattern.size, str):
        # A generic constant stands in the map as a type that carries it, as `substituted` reads it.
        length = Type("size", size=type.size)
        if values.setdefault(pattern.size, length) != length:
            return False
    elif pattern.size != type.size:
        return False
    return (
        pattern.name == type.name
        and len(pattern.args) == len(type.args)
        and all(_unify(a, b, values) for a, b in zip(pattern.args, type.args, strict=True))
    )


def _instance(pattern: _Key, values: dict[str, Type]) -> _Key:
    return (pattern[0], *(substituted(of, values) for of in pattern[1:] if isinstance(of, Type)))
