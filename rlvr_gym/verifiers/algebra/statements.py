"""Lists, tuples, sets, intervals, relations and matrices: everything around the scalar grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rlvr_gym.verifiers.algebra.cursor import SCALARS
from rlvr_gym.verifiers.algebra.lexer import lex
from rlvr_gym.verifiers.algebra.limits import DEFAULT, Limits, ParseError
from rlvr_gym.verifiers.algebra.parser import ScalarParser
from rlvr_gym.verifiers.algebra.structures import (
    All,
    Any,
    Brackets,
    Chain,
    Intersection,
    Interval,
    ListOf,
    Matrix,
    Minus,
    NamedSet,
    Node,
    Ratio,
    Relation,
    SetBuilder,
    SetOf,
    TupleOf,
    Union,
)
from rlvr_gym.verifiers.algebra.tree import Expr, add, mul, neg

_SEPARATORS: Final = frozenset([",", ";", "and", "or"])
_SET_OPERATORS: Final = frozenset(["cup", "cap", "setminus"])
_SET_LIKE: Final = (TupleOf, SetOf, Interval, NamedSet, Union, Intersection, Minus)
_MATRICES: Final = frozenset(["matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array"])
_MAX_DETERMINANT = 3


def parse(
    text: str, *, limits: Limits = DEFAULT, mixed: bool = False, grouped: bool = True, names: bool = False
) -> Node:
    r"""Return the tree of an answer in LaTeX, plain text, Unicode, or any mix of them.

    Args:
        text: The answer.
        limits: Sizes above which it is refused.
        mixed: Read ``2\frac13`` and ``2 1/3`` as the mixed number 7/3.
        grouped: Read ``1,234`` outside brackets as one number, not as a list.
        names: Make a symbol of any words in ``\text``.

    Raises:
        ParseError: a text outside the grammar, and nothing else.

    Example:
        >>> parse(r"\frac{1}{2}, \frac34") == parse("1/2, 0.75")
        True
    """
    tokens = lex(text, limits, grouped=grouped, names=names)
    if len(tokens.kinds) == 2:
        raise ParseError("empty", "no formula")
    parser = _StatementParser(tokens, limits, mixed)
    node = parser.sequence()
    if parser.kinds[parser.at] != "end":
        raise parser.unexpected()
    return node


def parse_items(
    text: str, *, limits: Limits = DEFAULT, mixed: bool = False, names: bool = False
) -> tuple[Node, ...]:
    """Return the items of a list, in which every comma separates: ``1,234`` has two.

    Raises:
        ParseError: a text outside the grammar.
    """
    node = parse(text, limits=limits, mixed=mixed, grouped=False, names=names)
    return node.items if type(node) is ListOf else (node,)


class _StatementParser(ScalarParser):
    _in_angle = False

    def sequence(self) -> Node:
        """Read items up to something that separates none; one item stands for itself."""
        items: list[Node] = []
        words: set[str] = set()
        self._items(items, words)
        if len(items) == 1:
            return items[0]
        related = all(type(item) is Relation or type(item) is Chain for item in items)
        # Without a separator, two items are the two values of a plus-minus sign.
        if "or" in words or (related and not words):
            return Any(tuple(items))
        if "and" in words and related:
            return All(tuple(items))
        return ListOf(tuple(items))

    def _items(self, items: list[Node], words: set[str]) -> None:
        while True:
            self._item(items)
            if self.kinds[self.at] not in _SEPARATORS:
                return
            words.add(self.kinds[self.at])
            self.at += 1
            # ", and" is one separator.
            if self.kinds[self.at] in ("and", "or") and self.kinds[self.at - 1] in (",", ";"):
                words.add(self.kinds[self.at])
                self.at += 1

    def _item(self, items: list[Node]) -> None:
        """Read one item, twice if it contains a plus-minus sign."""
        start, outer = self.at, self.saw_plus_minus
        self.saw_plus_minus = False
        items.append(self._relation())
        if self.saw_plus_minus and self.plus_minus == 1:
            self.rewind(start)
            self.plus_minus = -1
            other = self._relation()
            self.plus_minus = 1
            if other != items[-1]:
                items.append(other)
        self.saw_plus_minus = outer

    def _relation(self) -> Node:
        first = self._set()
        if self.kinds[self.at] != "rel" or self._in_angle:
            return first
        terms, ops = [first], []
        while self.kinds[self.at] == "rel":
            ops.append(self.texts[self.at])
            self.at += 1
            terms.append(self._set())
        if len(ops) == 1:
            return Relation(ops[0], terms[0], terms[1])  # type: ignore[arg-type]  # the lexer knows only these
        return Chain(tuple(terms), tuple(ops))  # type: ignore[arg-type]

    def _set(self) -> Node:
        node = self.sum()
        while True:
            kind = self.kinds[self.at]
            if kind == "sym" and self.texts[self.at] == "U" and isinstance(node, _SET_LIKE):
                kind = "cup"
            if kind == ":" and self.bars[-1] != -1:
                node = self._ratio(self.scalar(node))
                continue
            if kind == "-" and isinstance(node, NamedSet | SetOf | Interval | Union | Minus):
                kind = "setminus"
            if kind not in _SET_OPERATORS:
                return node
            self.at += 1
            right = self.sum()
            if kind == "setminus":
                node = Minus(node, right)
            elif kind == "cup":
                node = Union((*node.parts, right) if type(node) is Union else (node, right))
            else:
                node = Intersection((*node.parts, right) if type(node) is Intersection else (node, right))

    def _ratio(self, first: Expr) -> Ratio:
        parts = [first]
        while self.take(":"):
            parts.append(self.scalar(self.sum()))
        return Ratio(tuple(parts))

    def bracket(self) -> Node:
        """Read what stands in brackets, or a matrix, or a named set."""
        kind = self.kinds[self.at]
        reader = _READERS.get(kind)
        if kind == "rel" and self.texts[self.at] == "<":
            reader = _StatementParser._angle
        if reader is None:
            raise self.unexpected()
        self.at += 1
        return reader(self)

    def _round(self) -> Node:
        first = self._opened()
        if self.kinds[self.at] == ")":
            self.at += 1
            self.bars.pop()
            return first
        items = self._closed(first)
        if self.take("]"):
            return _interval(items, low=False, high=True)
        if self.take("["):
            return _interval(items, low=False, high=False)
        self.expect(")")
        return TupleOf(tuple(items))

    def _opened(self) -> Node:
        self.bars.append(0)
        return self._relation()

    def _closed(self, first: Node) -> list[Node]:
        """Read the items of a bracket after its first."""
        items = [first]
        while self.kinds[self.at] in (",", ";"):
            self.at += 1
            items.append(self._relation())
        self.bars.pop()
        return items

    def _square(self) -> Node:
        if self.kinds[self.at] == "[":
            return self._rows()
        items = self._closed(self._opened())
        if self.take("]"):
            if len(items) == 1:
                return items[0]
            if len(items) == 2 and all(type(item) in SCALARS for item in items):
                return _interval(items, low=True, high=True)
            return Brackets(tuple(items))
        if self.take("["):
            return _interval(items, low=True, high=False)
        self.expect(")")
        return _interval(items, low=True, high=False)

    def _reversed(self) -> Node:
        items = self._closed(self._opened())
        if self.take("["):
            return _interval(items, low=False, high=False)
        self.expect("]")
        return _interval(items, low=False, high=True)

    def _rows(self) -> Node:
        """Read the rows of a matrix in nested square brackets."""
        rows = []
        while True:
            self.expect("[")
            rows.append([self.scalar(item) for item in self._closed(self._opened())])
            self.expect("]")
            if not self.take(","):
                self.expect("]")
                return _matrix(rows)

    def _group(self) -> Node:
        if self.take("}"):
            return SetOf(())
        items = self._closed(self._opened())
        self.expect("}")
        return items[0] if len(items) == 1 else SetOf(tuple(items))

    def _braces(self) -> Node:
        if self.take("rset"):
            return SetOf(())
        self.bars.append(-1)
        items: list[Node] = []
        self._items(items, set())
        if len(items) == 1 and (self.take("|") or self.take(":")):
            node: Node = SetBuilder(items[0], self.sequence())
        else:
            node = SetOf(tuple(items))
        self.bars.pop()
        self.expect("rset")
        return node

    def _angle(self) -> Node:
        outer, self._in_angle = self._in_angle, True
        items = self._closed(self._opened())
        self._in_angle = outer
        if self.texts[self.at] != ">":
            raise self.unexpected()
        self.at += 1
        return TupleOf(tuple(items))

    def _angle_command(self) -> Node:
        items = self._closed(self._opened())
        self.expect("rangle")
        return TupleOf(tuple(items))

    def _empty_set(self) -> Node:
        return SetOf(())

    def _named_set(self) -> Node:
        return NamedSet(self.texts[self.at - 1])  # type: ignore[arg-type]  # the lexer knows only these

    def _environment(self) -> Node:
        name = self.texts[self.at - 1]
        if name not in _MATRICES and name != "vmatrix":
            raise ParseError("unknown_name", f"\\begin{{{name}}}")
        self.bars.append(0)
        rows: list[list[Expr]] = [[]]
        while True:
            rows[-1].append(self.scalar(self.sum()))
            if self.take("&"):
                continue
            if self.take("row"):
                while self.take("row"):
                    pass
                if self.kinds[self.at] != "close":
                    rows.append([])
                    continue
            break
        self.bars.pop()
        self.expect("close")
        if self.texts[self.at - 1] != name:
            raise ParseError("syntax", f"\\begin{{{name}}} without its end")
        matrix = _matrix(rows)
        return _determinant(matrix.rows) if name == "vmatrix" else matrix


_READERS: Final[dict[str, Callable[[_StatementParser], Node]]] = {
    "(": _StatementParser._round,
    "[": _StatementParser._square,
    "]": _StatementParser._reversed,
    "{": _StatementParser._group,
    "lset": _StatementParser._braces,
    "langle": _StatementParser._angle_command,
    "emptyset": _StatementParser._empty_set,
    "set": _StatementParser._named_set,
    "begin": _StatementParser._environment,
}


def _all_scalar(items: list[Node]) -> bool:
    return all(type(item) in SCALARS for item in items)


def _interval(items: list[Node], *, low: bool, high: bool) -> Interval:
    if len(items) != 2 or not _all_scalar(items):
        raise ParseError("syntax", "an interval has two ends")
    return Interval(items[0], items[1], low, high)  # type: ignore[arg-type]  # scalars, as just checked


def _matrix(rows: list[list[Expr]]) -> Matrix:
    if any(len(row) != len(rows[0]) for row in rows):
        raise ParseError("syntax", "rows of unequal length")
    return Matrix(tuple(map(tuple, rows)))


def _determinant(rows: tuple[tuple[Expr, ...], ...]) -> Expr:
    """Return the determinant, expanded along the first row."""
    if len(rows) != len(rows[0]) or len(rows) > _MAX_DETERMINANT:
        raise ParseError("too_large", f"a determinant of more than {_MAX_DETERMINANT} rows, or none")
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for column, entry in enumerate(rows[0]):
        minor = tuple(row[:column] + row[column + 1 :] for row in rows[1:])
        term = mul(entry, _determinant(minor))
        terms.append(neg(term) if column % 2 else term)
    return add(terms)
