"""Small changes of programs, in code, contracts and proofs: each of them one piece of text put in place of another."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Function, Local
from rlvr_gym.verifiers.verus.syntax.walk import walk

_OPERATORS = {
    "+": ("-", "*"), "-": ("+",), "*": ("+",), "/": ("%", "*"), "%": ("/",), "<": ("<=", ">", ">=", "!="), "<=": ("<", ">=", "=="),
    ">": (">=", "<", "<="), ">=": (">", "<=", "=="), "==": ("!=", "<=", ">="), "!=": ("==", "<"), "&&": ("||",), "||": ("&&",),
    "==>": ("<==>", "&&", "||"), "<==>": ("==>",), "<<": (">>",), ">>": ("<<",), "&": ("|", "^"), "|": ("&", "^"), "^": ("|", "&"), "=~=": ("!=",),
}  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """One change: characters from ``start`` up to ``end`` become ``text``."""

    start: int
    end: int
    text: str
    part: str
    """``code``, ``contract`` or ``proof``."""

    def applied(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


class Mutants:
    """All small changes of one program."""

    def __init__(self, source: str, crate: Crate) -> None:
        self._source = source
        self._crate = crate
        self._lines = list(accumulate((len(line) + 1 for line in source.split("\n")), initial=0))

    def edits(self) -> Iterator[Edit]:
        for function in self._crate.functions:
            yield from self._of_function(function)

    def some(self, rng: random.Random, count: int, parts: tuple[str, ...]) -> list[Edit]:
        """Return some of the changes of given kinds."""
        every = [edit for edit in self.edits() if edit.part in parts]
        return rng.sample(every, min(count, len(every)))

    def _span(self, node: tree.Node) -> tuple[int, int]:
        place = node.place
        return (
            self._lines[place.line - 1] + place.column - 1,
            self._lines[place.end_line - 1] + place.end_column - 1,
        )

    def _text(self, node: tree.Node) -> str:
        start, end = self._span(node)
        return self._source[start:end]

    def _of_function(self, function: Function) -> Iterator[Edit]:
        for clause in function.requires:
            yield Edit(*self._span(clause), "true", "contract")
        for clause in (*function.requires, *function.ensures):
            yield from self._below(clause, function, "contract")
        for measure in function.decreases:
            yield Edit(*self._span(measure), "0int", "proof")
            yield from self._below(measure, function, "proof")
        if function.body is not None:
            part = {"exec": "code", "proof": "proof", "spec": "contract"}[function.mode]
            yield from self._below(function.body, function, part)

    def _below(self, node: tree.Node, function: Function, part: str) -> Iterator[Edit]:
        for each in walk(node):
            inside = "proof" if part == "code" and isinstance(each, tree.ExprNode) and each.ghost else part
            match each:
                case tree.Binary():
                    yield from self._operator(each.left, each.op, each.right, inside)
                    yield from self._swapped(each.left, each.right, inside)
                case tree.Chain():
                    for left, op, right in zip(each.operands, each.ops, each.operands[1:], strict=False):
                        yield from self._operator(left, op, right, inside)
                case tree.Assign():
                    if each.op is not None:
                        yield from self._operator(each.target, each.op, each.value, inside)
                case tree.IntLit():
                    yield from self._number(each, inside)
                case tree.BoolLit():
                    yield Edit(*self._span(each), str(not each.value).lower(), inside)
                case tree.PathExpr(target=Local() as local):
                    yield from self._variable(each, local, function, inside)
                case tree.Index():
                    start, end = self._span(each.index)
                    for change in (" + 1", " - 1"):
                        yield Edit(start, end, self._source[start:end] + change, inside)
                case tree.IfExpr() if not isinstance(each.condition, tree.LetCondition):
                    for value in ("true", "false", f"!({self._text(each.condition)})"):
                        yield Edit(*self._span(each.condition), value, inside)
                case tree.ExprStatement():
                    yield Edit(*self._span(each), "", self._kind(each.value, inside))
                case tree.While() | tree.Loop() | tree.For():
                    yield from self._loop(each)
                case tree.MatchExpr():
                    yield from self._arms(each, inside)

    def _kind(self, node: Expr, part: str) -> str:
        proofs = (tree.Assert, tree.AssertForall, tree.Proof, tree.Reveal, tree.BroadcastUse)
        return "proof" if isinstance(node, proofs) or (part == "code" and node.ghost) else part

    def _operator(self, left: Expr, op: str, right: Expr, part: str) -> Iterator[Edit]:
        start, end = self._span(left)[1], self._span(right)[0]
        at = self._source.find(op, start, end)
        if at >= 0:
            for other in _OPERATORS.get(op, ()):
                yield Edit(at, at + len(op), other, part)

    def _swapped(self, left: Expr, right: Expr, part: str) -> Iterator[Edit]:
        first, second = self._span(left), self._span(right)
        between = self._source[first[1] : second[0]]
        if self._text(left) != self._text(right):
            yield Edit(first[0], second[1], self._text(right) + between + self._text(left), part)

    def _number(self, node: tree.IntLit, part: str) -> Iterator[Edit]:
        suffix = node.suffix or ""
        for value in {node.value + 1, max(node.value - 1, 0), 0} - {node.value}:
            yield Edit(*self._span(node), f"{value}{suffix}", part)

    def _variable(self, node: tree.PathExpr, local: Local, function: Function, part: str) -> Iterator[Edit]:
        seen = {local.name}
        for other in function.locals:
            if other.type == local.type and other.name not in seen and other.name.isidentifier():
                seen.add(other.name)
                yield Edit(*self._span(node), other.name, part)

    def _loop(self, node: tree.While | tree.Loop | tree.For) -> Iterator[Edit]:
        clauses = node.clauses
        for clause in (*clauses.invariant, *clauses.invariant_except_break, *clauses.ensures):
            yield Edit(*self._span(clause), "true", "proof")
        for measure in clauses.decreases:
            yield Edit(*self._span(measure), "0int", "proof")

    def _arms(self, node: tree.MatchExpr, part: str) -> Iterator[Edit]:
        for arm, other in zip(node.arms, node.arms[1:], strict=False):
            yield Edit(*self._span(arm.body), self._text(other.body), part)
            yield Edit(*self._span(other.body), self._text(arm.body), part)
