r"""Tokens to a tree: a Pratt parser whose recursion is counted, so that no text can exhaust the stack.

Readings where writers differ. ``1/2x`` is ``(1/2)x``. ``sin x/2`` is ``(sin x)/2``; a function without brackets
takes numbers, letters and pi, so ``sin 2xy`` is the sine of the whole and ``sin x cos x`` and ``sin x(y)`` are products.
``sin^-1 x`` is arcsin, ``sin^2 x`` a square. ``log`` without a base is natural, ``lg`` decimal. An odd root of a
negative number is the real one, written either way: ``\sqrt[3]{-8}`` and ``(-8)^{1/3}`` are -2. ``e`` is Euler's
number and ``i`` the imaginary unit. ``2e3``, ``1e-3`` and ``2.0e-3`` are decimal, ``2e-3`` is ``2e - 3``.
``\frac12`` is one half, ``\sqrt12`` the root of twelve, ``x^12`` the twelfth power. ``1,234`` and ``1 234`` are one
number when all groups have three digits, except that a comma inside brackets separates. ``0.(3)`` is one third.
``2\frac13`` is a product unless mixed numbers are asked for; ``2½`` is mixed. ``30^\circ`` is ``pi/6``.
``6x10^3`` is 6000. ``a \pm b`` gives two values wherever it stands.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers.algebra.cursor import SCALARS, Cursor
from rlvr_gym.verifiers.algebra.limits import ParseError
from rlvr_gym.verifiers.algebra.numerals import based, choose, number
from rlvr_gym.verifiers.algebra.structures import Brackets, Interval, Matrix, Node, SetOf, TupleOf
from rlvr_gym.verifiers.algebra.tree import (
    EULER,
    HALF,
    INFINITY,
    MINUS_ONE,
    ONE,
    PI,
    Call,
    Const,
    Expr,
    Mul,
    Num,
    Pow,
    Sym,
    add,
    div,
    mul,
    neg,
)

_STARTS: Final = frozenset(
    [
        "sym", "const", "func", "(", "lbar", "|", "frac", "binom", "{", "[", "lfloor", "lceil", "based",
        "ncr", "overline", "begin",
    ]
)  # fmt: skip
_CONSTANTS: Final = {"pi": PI, "e": EULER, "i": Const("i"), "inf": INFINITY}
_INVERSES: Final = frozenset(
    ["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "sech", "csch"]
)
_TWO_ARGUMENTS: Final = frozenset(["binom", "mod"])
_MANY_ARGUMENTS: Final = frozenset(["gcd", "lcm", "min", "max"])
_CLOSERS: Final = frozenset(["end", ")", "]", ",", ";", "rset", "cup", "cap", "setminus", "rel", "and", "or"])
_DEGREE = Mul((PI, Num(Fraction(1, 180))))
_TWO: Final = Num(Fraction(2))
_THREE: Final = Num(Fraction(3))
_TRANSPOSE = Sym("T")
_PAIRS: Final = {"lfloor": ("rfloor", "floor"), "lceil": ("rceil", "ceil"), "lbar": ("rbar", "abs")}
_MAX_POSTFIX = 60


class ScalarParser(Cursor):
    """One pass over the tokens; sums, products, powers and atoms.

    Every way to recurse goes through ``atom`` or ``_exponent``, which count. A bracket is left to
    ``bracket``, which the structures define.
    """

    def bracket(self) -> Node:
        """Read what stands in brackets."""
        raise AssertionError("defined by the structures")

    def sum(self) -> Node:
        """Read terms up to something that cannot continue a sum."""
        first = self._signed(1)
        kind = self.kinds[self.at]
        if kind in ("+", "-", "pm", "mp"):
            if type(first) not in SCALARS and type(first) is not Matrix:
                # R - {0}: a difference of sets.
                return first
            terms = [first]
            while kind in ("+", "-", "pm", "mp"):
                terms.append(self._signed(1))
                kind = self.kinds[self.at]
            first = self._total(terms)
        if kind == "over" or kind == "choose":
            # TeX's older fraction divides all of its group.
            self.at += 1
            self.enter()
            bottom = self.scalar(self.sum())
            self.level -= 1
            top = self.scalar(first)
            return div(top, bottom) if kind == "over" else Call("binom", (top, bottom))
        return first

    def _total(self, terms: list[Node]) -> Node:
        matrices = [term for term in terms if type(term) is Matrix]
        if not matrices:
            return add([self.scalar(term) for term in terms])
        width = len(matrices[0].rows[0])
        height = len(matrices[0].rows)
        if len(matrices) < len(terms) or any(
            len(other.rows) != height or len(other.rows[0]) != width for other in matrices
        ):
            raise ParseError("syntax", "a sum of matrices of unequal shape")
        return Matrix(
            tuple(
                tuple(add([matrix.rows[row][column] for matrix in matrices]) for column in range(width))
                for row in range(height)
            )
        )

    def _signed(self, sign: int) -> Node:
        kind = self.kinds[self.at]
        while kind in ("+", "-", "pm", "mp"):
            if kind == "-":
                sign = -sign
            elif kind != "+":
                self.saw_plus_minus = True
                sign *= self.plus_minus if kind == "pm" else -self.plus_minus
            self.at += 1
            kind = self.kinds[self.at]
        term = self._product()
        if sign > 0:
            return term
        if type(term) is Matrix:
            return _scaled(MINUS_ONE, term)
        return neg(self.scalar(term))

    def _product(self) -> Node:
        result = self._factor()
        while True:
            kind = self.kinds[self.at]
            if kind == "*" or kind == "/":
                self.at += 1
                signed = self.kinds[self.at] in ("+", "-")
                factor = self._negative_factor() if signed else self._factor()
                if kind == "/":
                    result = div(self.scalar(result), self.scalar(factor))
                    continue
            elif kind in _STARTS:
                if kind == "|" and self.bars[-1] != 0:
                    return result
                if kind == "[" and self.kinds[self.at + 1] in _CLOSERS:
                    # The end of the interval ]a, b[.
                    return result
                if type(result) not in SCALARS:
                    return result
                factor = self._factor()
            elif kind == "num" and self.kinds[self.at - 1] not in ("num", "based", "ncr"):
                factor = self._factor()
            else:
                return result
            result = self._times(result, factor)

    def _times(self, left: Node, right: Node) -> Node:
        if type(right) is Matrix:
            return _scaled(self.scalar(left), right)
        if type(right) is TupleOf and left == Sym("C") and len(right.items) == 2:
            return Call("binom", (self.scalar(right.items[0]), self.scalar(right.items[1])))
        return mul(self.scalar(left), self.scalar(right))

    def _negative_factor(self) -> Expr:
        negative = False
        while self.kinds[self.at] in ("+", "-"):
            negative ^= self.kinds[self.at] == "-"
            self.at += 1
        factor = self.scalar(self._factor())
        return neg(factor) if negative else factor

    def _factor(self) -> Node:
        base = self.atom()
        before = self.at
        while True:
            kind = self.kinds[self.at]
            if kind == "^":
                self.at += 1
                exponent = self._exponent()
                flipped = _transposed(base) if exponent == _TRANSPOSE else None
                base = flipped or Pow(self.scalar(base), exponent)
            elif kind == "!":
                self.at += 1
                name = "double_factorial" if self.take("!") else "factorial"
                base = Call(name, (self.scalar(base),))
                if self.at - before > _MAX_POSTFIX:
                    raise ParseError("too_deep", "factorials of factorials")
            elif kind == "degree":
                self.at += 1
                base = mul(self.scalar(base), _DEGREE)
            else:
                return base

    def _exponent(self) -> Expr:
        self.enter()
        negative = False
        while self.kinds[self.at] in ("+", "-"):
            negative ^= self.kinds[self.at] == "-"
            self.at += 1
        exponent = self.scalar(self._factor())
        self.level -= 1
        return neg(exponent) if negative else exponent

    def atom(self) -> Node:
        """Read a number, a symbol, a function with its argument, or a bracket."""
        kind = self.kinds[self.at]
        self.atoms_left -= 1
        if kind == "num":
            self.at += 1
            value = number(self.texts[self.at - 1])
            mixed = self.mixed and self.kinds[self.at] in ("frac", "num")
            return self._mixed_number(value) if mixed else value
        if kind == "sym":
            self.at += 1
            name = self.texts[self.at - 1]
            if name == "Gamma" and self.kinds[self.at] == "(":
                return Call("gamma", (self.scalar(self.bracket_counted()),))
            return Sym(name)
        if kind == "const":
            self.at += 1
            return _CONSTANTS[self.texts[self.at - 1]]
        if kind == "{" and self.kinds[self.at + 1] == "num" and self.kinds[self.at + 2] == "}":
            # Most groups hold one number.
            self.enter()
            self.level -= 1
            self.at += 3
            return number(self.texts[self.at - 2])
        if self.atoms_left < 0:
            raise ParseError("too_large", "too many plus-minus signs inside each other")
        self.enter()
        node = self._compound(kind)
        self.level -= 1
        return node

    def _compound(self, kind: str) -> Node:
        if kind == "frac":
            self.at += 1
            top = self._argument(split=True)
            return div(top, self._argument(split=True))
        if kind == "func":
            return self._function()
        if kind == "|":
            self.at += 1
            self.bars.append(1)
            inner = self.scalar(self.sum())
            self.bars.pop()
            self.expect("|")
            return Call("abs", (inner,))
        if kind in _PAIRS:
            closing, name = _PAIRS[kind]
            self.at += 1
            self.bars.append(0)
            inner = self.scalar(self.sum())
            self.bars.pop()
            self.expect(closing)
            return Call(name, (inner,))
        if kind == "binom":
            self.at += 1
            top = self._argument(split=True)
            return Call("binom", (top, self._argument(split=True)))
        if kind == "overline":
            self.at += 1
            return Call("conj", (self._argument(),))
        if kind == "based":
            self.at += 1
            return based(self.texts[self.at - 1])
        if kind == "ncr":
            self.at += 1
            return choose(self.texts[self.at - 1])
        return self.bracket()

    def _argument(self, *, split: bool = False) -> Expr:
        r"""Read what LaTeX takes as one argument; with ``split`` only one digit: ``\frac12`` is one half."""
        text = self.texts[self.at]
        if split and self.kinds[self.at] == "num" and text.isdigit() and len(text) > 1:
            self.splits.append((self.at, text))
            self.texts[self.at] = text[1:]
            return number(text[0])
        return self.scalar(self.atom())

    def _mixed_number(self, number_before: Num) -> Expr:
        """Read the proper fraction that follows a whole number, if there is one."""
        start, whole = self.at, number_before.value
        part: Node = ONE
        if whole.denominator == 1 and self.kinds[start] == "frac":
            part = self.atom()
        elif whole.denominator == 1 and self.kinds[start : start + 3] == ["num", "/", "num"]:
            part = div(number(self.texts[start]), number(self.texts[start + 2]))
            self.at += 3
        if type(part) is Num and 0 < part.value < 1:
            return Num(whole + part.value)
        self.rewind(start)
        return number_before

    def _function(self) -> Expr:
        name = self.texts[self.at]
        self.at += 1
        if name == "sqrt" or name == "cbrt":
            return self._root(name)
        base: Expr | None = None
        exponent: Expr | None = None
        if self.kinds[self.at] == "_":
            if name != "log":
                raise self.unexpected()
            self.at += 1
            base = self._log_base()
        if self.take("^"):
            exponent = self._exponent()
            if exponent == MINUS_ONE and name in _INVERSES:
                name, exponent = f"a{name}", None
        if self.kinds[self.at] == "^":
            raise self.unexpected()
        result = self._applied(name, self._arguments(name), base)
        return result if exponent is None else Pow(result, exponent)

    def _log_base(self) -> Expr:
        text = self.texts[self.at]
        following = self.kinds[self.at + 1]
        if text.isdigit() and (following in _STARTS or following in ("num", "lset")):
            return self.scalar(self.atom())
        return self._argument(split=True)

    def _arguments(self, name: str) -> tuple[Expr, ...]:
        if self.kinds[self.at] == "lset" and name in _MANY_ARGUMENTS:
            among = self.bracket_counted()
            if type(among) is SetOf and among.items:
                return tuple(self.scalar(item) for item in among.items)
        if self.kinds[self.at] not in ("(", "["):
            return (self._bare_argument(),)
        inner = self.bracket_counted()
        if type(inner) is TupleOf:
            return tuple(self.scalar(item) for item in inner.items)
        return (self.scalar(inner),)

    def bracket_counted(self) -> Node:
        """Read a bracket one level down."""
        self.enter()
        inner = self.bracket()
        self.level -= 1
        return inner

    def _applied(self, name: str, args: tuple[Expr, ...], base: Expr | None) -> Expr:
        if name == "exp" and len(args) == 1:
            return Pow(EULER, args[0])
        if name == "cis" and len(args) == 1:
            return add([Call("cos", args), mul(Const("i"), Call("sin", args))])
        if name == "lg":
            name, base = "log", Num(Fraction(10))
        if base is not None:
            args = (*args, base)
        wanted = 1
        if name in _TWO_ARGUMENTS:
            wanted = 2
        elif name in _MANY_ARGUMENTS or (name == "log" and len(args) == 2):
            wanted = len(args)
        if len(args) != wanted or name == "exp":
            raise ParseError("syntax", f"{name} of {len(args)} arguments")
        return Call(name, args)

    def _bare_argument(self) -> Expr:
        """Read the argument of a function without brackets: numbers, then letters, up to something else."""
        sign = self.kinds[self.at]
        if sign in ("+", "-"):
            self.at += 1
        grouped = self.kinds[self.at] == "{"
        argument = self.scalar(self._factor())
        while not grouped:
            kind = self.kinds[self.at]
            letter = kind == "sym" or self.texts[self.at] == "pi"
            if not letter and (kind != "frac" or _has_letter(argument)):
                break
            argument = mul(argument, self.scalar(self._factor()))
        return neg(argument) if sign == "-" else argument

    def _root(self, name: str) -> Expr:
        degree: Expr = _THREE if name == "cbrt" else _TWO
        if name == "sqrt" and self.take("["):
            degree = self.scalar(self.sum())
            self.expect("]")
        exponent: Expr | None = self._exponent() if self.take("^") else None
        argument = self.scalar(self.atom())
        result = Pow(argument, HALF if degree == _TWO else div(ONE, degree))
        return result if exponent is None else Pow(result, exponent)


def _has_letter(expr: Expr) -> bool:
    """Return whether a factor of ``expr`` is a letter, or a power or product of letters."""
    factor = expr.factors[-1] if type(expr) is Mul else expr
    if type(factor) is Pow:
        factor = factor.base
    return type(factor) is Sym


def _transposed(node: Node) -> Matrix | None:
    """Return a matrix with rows as columns, where a list in brackets is one row; None for anything else."""
    if type(node) is Matrix:
        return Matrix(tuple(zip(*node.rows, strict=True)))
    if type(node) is Interval and node.low_closed and node.high_closed:
        return Matrix(((node.low,), (node.high,)))
    if type(node) is TupleOf or type(node) is Brackets:
        entries = [item for item in node.items if isinstance(item, Expr)]
        return Matrix(tuple((entry,) for entry in entries)) if len(entries) == len(node.items) else None
    return None


def _scaled(factor: Expr, matrix: Matrix) -> Matrix:
    return Matrix(
        tuple(
            tuple(neg(entry) if factor == MINUS_ONE else mul(factor, entry) for entry in row)
            for row in matrix.rows
        )
    )
