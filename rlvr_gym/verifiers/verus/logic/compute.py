"""``by (compute)``: evaluates closed terms; what it cannot evaluate stays unproved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlvr_gym.verifiers.verus.core import (
    Apply,
    Construct,
    Expression,
    LetIn,
    Literal_,
    Op,
    Project,
    Test,
    Var,
)
from rlvr_gym.verifiers.verus.inference.types import UNSIGNED, WIDTHS, Type, erased, substituted
from rlvr_gym.verifiers.verus.logic.world import World

_MOST_STEPS = 300_000
_MOST_DEPTH = 400
_MOST_BITS = 20_000


class Stuck(Exception):
    """The term has no value that evaluation can find."""


class Evaluator:
    """Evaluates terms of one job with a bound on all steps together."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._steps = 0
        self._depth = 0
        self._memory: dict[tuple[str, tuple[Type, ...], tuple[Any, ...]], Any] = {}

    def value(self, term: Expression, environment: dict[str, Any], types: dict[str, Type]) -> Any:
        """Return an integer, a truth value, a sequence (``list`` of a tuple) or ``(variant, fields)``.

        Raises:
            Stuck: there is no telling.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise Stuck
        match term:
            case Literal_():
                return term.value
            case Var():
                if term.name not in environment:
                    raise Stuck
                return environment[term.name]
            case LetIn():
                inner = {**environment, term.name: self.value(term.value, environment, types)}
                return self.value(term.body, inner, types)
            case Construct():
                return term.variant, tuple(self.value(each, environment, types) for each in term.fields)
            case Project():
                variant, fields = self.value(term.operand, environment, types)
                if variant != term.variant:
                    raise Stuck
                return fields[term.index]
            case Test():
                return self.value(term.operand, environment, types)[0] == term.variant
            case Apply():
                return self._applied(term, environment, types)
            case Op():
                return self._op(term, environment, types)
        raise Stuck

    def _op(self, term: Op, environment: dict[str, Any], types: dict[str, Type]) -> Any:
        op, operands = term.op, term.operands

        def read(i: int) -> Any:
            return self.value(operands[i], environment, types)

        if op == "ite":
            return read(1) if read(0) else read(2)
        if op in ("and", "or"):
            stop = op == "or"
            return stop if any(read(i) is stop for i in range(len(operands))) else not stop
        if op == "=>":
            return not read(0) or read(1)
        if op in ("min_of", "max_of"):
            return _bound(erased(substituted(term.type, types)), largest=op == "max_of")
        values = [read(i) for i in range(len(operands))]
        if op == "clip":
            return _fitting(values[0], erased(substituted(term.type, types)))
        if op in ("/", "%"):
            if values[1] == 0:
                raise Stuck
            remainder = values[0] % abs(values[1])
            return remainder if op == "%" else (values[0] - remainder) // values[1]
        found = _SIMPLE.get(op)
        if found is None:
            raise Stuck
        result = found(*values)
        if isinstance(result, int) and result.bit_length() > _MOST_BITS:
            raise Stuck
        return result

    def _applied(self, term: Apply, environment: dict[str, Any], types: dict[str, Type]) -> Any:
        arguments = tuple(self.value(each, environment, types) for each in term.arguments)
        own = tuple(erased(substituted(each, types)) for each in term.type_arguments)
        sequence = _SEQUENCES.get(term.function)
        if sequence is not None:
            return sequence(*arguments)
        function = self._world.program.specs.get(term.function)
        if function is None or function.body is None or function.opaque or function.when is not None:
            raise Stuck
        key = term.function, own, arguments
        if key in self._memory:
            return self._memory[key]
        if self._depth >= _MOST_DEPTH:
            raise Stuck
        self._depth += 1
        inner = dict(zip((param.name for param in function.params), arguments, strict=True))
        parameters = dict(zip(function.type_parameters, own, strict=True))
        result = self.value(function.body, inner, parameters)
        self._depth -= 1
        self._memory[key] = result
        return result


_SIMPLE: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "neg": lambda a: -a,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "=~=": lambda a, b: a == b, "=~~=": lambda a, b: a == b, "<=>": lambda a, b: a == b,
    "not": lambda a: not a, "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}  # fmt: skip


def _bound(type: Type, *, largest: bool) -> int:
    width = WIDTHS.get(type.name, 0)
    if not width:
        raise Stuck
    if type.name in UNSIGNED:
        return (1 << width) - 1 if largest else 0
    return (1 << (width - 1)) - 1 if largest else -(1 << (width - 1))


def _fitting(value: int, type: Type) -> int:
    """Return a value that a cast keeps, whatever the machine."""
    if type.name == "int" or (type.name == "nat" and value >= 0):
        return value
    width = WIDTHS.get(type.name)
    if width is None:
        raise Stuck
    width = width or 32
    low, high = (0, 1 << width) if type.name in UNSIGNED else (-(1 << (width - 1)), 1 << (width - 1))
    if not low <= value < high:
        raise Stuck
    return value


def _at(values: tuple[Any, ...], i: int) -> Any:
    if not 0 <= i < len(values):
        raise Stuck
    return values[i]


def _part(values: tuple[Any, ...], start: int, end: int) -> tuple[Any, ...]:
    if not 0 <= start <= end <= len(values):
        raise Stuck
    return values[start:end]


def _replaced(values: tuple[Any, ...], i: int, value: Any) -> tuple[Any, ...]:
    if not 0 <= i < len(values):
        raise Stuck
    return (*values[:i], value, *values[i + 1 :])


def _longer(values: tuple[Any, ...], more: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(values) + len(more) > 10_000:
        raise Stuck
    return values + more


_SEQUENCES: dict[str, Callable[..., Any]] = {
    "vstd::seq::Seq::empty": lambda: (),
    "vstd::seq::Seq::len": len,
    "vstd::seq::Seq::index": _at,
    "vstd::seq::Seq::push": lambda values, value: _longer(values, (value,)),
    "vstd::seq::Seq::update": _replaced,
    "vstd::seq::Seq::subrange": _part,
    "vstd::seq::Seq::add": _longer,
}
"""Sequences are tuples of their elements."""


def evaluated(evaluator: Evaluator, term: Expression) -> bool | None:
    """Return whether a closed formula is true, None where evaluation cannot tell."""
    try:
        value = evaluator.value(term, {}, {})
    except Stuck:
        return None
    return value if isinstance(value, bool) else None
