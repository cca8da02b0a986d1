"""Quantifiers over finite domains: ranges found from the guards in the body, or all values of small types."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rlvr_gym.verifiers.verus.inference.crate import Crate, variants
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.interpreter.values import (
    Data,
    Unknown,
    Value,
    is_character,
    limits,
    stripped,
)
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Local

MOST_VALUES = 600
"""Values of one variable; a range that is longer is only looked at in part."""
MOST_TUPLES = 6_000
"""Values of all variables of one quantifier together."""

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
Evaluate = Callable[[Expr], Value]


@dataclass(slots=True)
class _Range:
    low: int | None = None
    high: int | None = None

    def above(self, bound: int) -> bool:
        """Narrow from below; True if that changed anything."""
        if self.low is None or bound > self.low:
            self.low = bound
            return True
        return False

    def below(self, bound: int) -> bool:
        """Narrow from above."""
        if self.high is None or bound < self.high:
            self.high = bound
            return True
        return False


def conditions(body: Expr, *, holds: bool) -> Iterator[Expr]:
    """Yield what must be true for ``body`` to be true (``holds``) or to be false."""
    match body:
        case tree.Binary(op="&&") if holds:
            yield from conditions(body.left, holds=True)
            yield from conditions(body.right, holds=True)
        case tree.Binary(op="||") if not holds:
            yield from conditions(body.left, holds=False)
            yield from conditions(body.right, holds=False)
        case tree.Binary(op="==>") if not holds:
            yield from conditions(body.left, holds=True)
            yield from conditions(body.right, holds=False)
        case tree.BigLogic() if (body.op == "&&&") == holds:
            for operand in body.operands:
                yield from conditions(operand, holds=holds)
        case tree.Unary(op="!"):
            yield from conditions(body.operand, holds=not holds)
        case tree.BlockExpr(statements=(), tail=tail) if tail is not None:
            yield from conditions(tail, holds=holds)
        case _ if holds:
            yield body
        case _:
            return


def _relations(condition: Expr) -> Iterator[tuple[Expr, str, Expr]]:
    """Yield the comparisons that a condition states, for a chain between any two of its operands."""
    if isinstance(condition, tree.Binary) and condition.op in _TURNED:
        yield condition.left, condition.op, condition.right
    elif isinstance(condition, tree.Chain) and all(op in ("<", "<=", "==") for op in condition.ops):
        for first, last in itertools.combinations(range(len(condition.operands)), 2):
            ops = condition.ops[first:last]
            op = "<" if "<" in ops else "<=" if "<=" in ops else "=="
            yield condition.operands[first], op, condition.operands[last]


class Domains:
    """Finds what values the variables of one quantifier need to take."""

    def __init__(self, locals: Sequence[Local], crate: Crate, evaluate: Evaluate) -> None:
        self._locals = locals
        self._crate = crate
        self._evaluate = evaluate
        self._ranges = {local: _type_range(local.type) for local in locals}

    def narrow(self, needed: Sequence[Expr]) -> None:
        """Use conditions without which nothing has to be looked at."""
        relations = [relation for condition in needed for relation in _relations(condition)]
        # Bounds travel from one variable to the next: once more than there are variables is enough.
        for _ in range(len(self._locals) + 1):
            changed = [self._use(*relation) for relation in relations]
            if not any(changed):
                return

    def _use(self, left: Expr, op: str, right: Expr) -> bool:
        return self._bound(left, op, right) | self._bound(right, _TURNED[op], left)

    def _bound(self, subject: Expr, op: str, other: Expr) -> bool:
        """Narrow a variable on the left by what is known of the other side."""
        found = self._linear(subject)
        if found is None:
            return False
        local, offset = found
        least, greatest = self._ends(other)
        changed = False
        if op in (">", ">=", "==") and least is not None:
            changed |= self._ranges[local].above(least - offset + (op == ">"))
        if op in ("<", "<=", "==") and greatest is not None:
            changed |= self._ranges[local].below(greatest - offset - (op == "<"))
        return changed

    def _linear(self, node: Expr) -> tuple[Local, int] | None:
        """Return a bound variable and what is added to it."""
        match node:
            case tree.PathExpr(target=Local() as local) if local in self._ranges:
                return local, 0
            case tree.Cast() if node.type is not None and stripped(node.type).name == "int":
                return self._linear(node.operand)
            case tree.Binary(op="+" | "-"):
                found, change = self._linear(node.left), self._number(node.right)
                if found is not None and change is not None:
                    return found[0], found[1] + (change if node.op == "+" else -change)
        return None

    def _number(self, node: Expr) -> int | None:
        try:
            value = self._evaluate(node)
        except Unknown:
            return None
        return value if isinstance(value, int) else None

    def _ends(self, node: Expr) -> tuple[int | None, int | None]:
        found = self._linear(node)
        if found is None:
            value = self._number(node)
            return value, value
        range_ = self._ranges[found[0]]
        return (
            None if range_.low is None else range_.low + found[1],
            None if range_.high is None else range_.high + found[1],
        )

    def tuples(self) -> tuple[Iterator[tuple[Value, ...]], bool]:
        """Return the values to look at, and whether these are all that matter."""
        lists, complete, total = [], True, 1
        for local in self._locals:
            values, whole = self._values(local)
            lists.append(values)
            complete &= whole
            total *= max(len(values), 1)
        if total > MOST_TUPLES:
            return itertools.islice(itertools.product(*lists), MOST_TUPLES), False
        return itertools.product(*lists), complete

    def _values(self, local: Local) -> tuple[list[Value], bool]:
        type = stripped(local.type)
        range_ = self._ranges[local]
        if type.name == "bool":
            return [False, True], True
        if range_.low is not None and range_.high is not None:
            if range_.high - range_.low < MOST_VALUES:
                every = range(range_.low, range_.high + 1)
                return [value for value in every if type.name != "char" or is_character(value)], True
            return [*range(range_.low, range_.low + 8), *range(range_.high - 3, range_.high + 1)], False
        if _has_order(type):
            start = range_.low if range_.low is not None else (range_.high or 0) - 8
            return [*range(start, start + 12)], False
        datatype = self._crate.datatype(type.name)
        if (
            datatype is not None
            and variants(datatype)
            and all(not item.fields for item in variants(datatype))
        ):
            return [Data(type.name, item.name) for item in variants(datatype)], True
        return [], False


def _has_order(type: Type) -> bool:
    return type.name in ("int", "nat") or limits(type) is not None


def _type_range(type: Type) -> _Range:
    found = stripped(type)
    if found.name == "nat":
        return _Range(0)
    bounds = limits(found)
    return _Range() if bounds is None else _Range(*bounds)
