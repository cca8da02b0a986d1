"""Trees as straight-line code: common parts once, rational constants worked out exactly where they stay short."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from flint import fmpq, fmpz

from rlvr_gym.verifiers.algebra.folding import (
    MAX_FOLD_BITS,
    Rational,
    UndefinedError,
    bits,
    fold_call,
    perfect_root,
)
from rlvr_gym.verifiers.algebra.kept import Kept
from rlvr_gym.verifiers.algebra.tree import Add, Based, Call, Const, Expr, Mul, Num, Pow, Sym


class Op:
    """What one instruction does with the values at ``a`` and ``b``; plain integers, because they are hashed often."""

    NUM: Final = 0
    PI: Final = 1
    E: Final = 2
    I: Final = 3  # noqa: E741  # its usual name
    SYM: Final = 4
    ADD: Final = 5
    MUL: Final = 6
    DIV: Final = 7
    INT_POW: Final = 8
    ROOT_POW: Final = 9
    POW: Final = 10
    EXP: Final = 11
    LN: Final = 12
    FUNCTION: Final = 13


Step: TypeAlias = tuple[int, int, int, Any]
"""Operation, two slots, and a number, exponent or name. The result of step k stands in slot k.

A rational exponent is a pair of integers.
"""

_MAX_KEPT_BITS: Final = 8_000
_RATIONAL: Final = frozenset([Op.SYM, Op.ADD, Op.MUL, Op.DIV, Op.INT_POW])
_MAX_RESIDUE_FACTORIAL: Final = 20_000
_MAX_EXPANDED: Final = 12
"""Up to this k a binomial coefficient of a formula over k is written as a product."""

_REAL: Final = frozenset("xyz")
"""Names that nobody gives to whole numbers."""
PIECEWISE: Final = frozenset(["floor", "ceil", "sign", "mod", "gcd", "lcm"])
"""Functions that jump: points can tell two of them apart but never prove them equal."""
KINKED: Final = frozenset(["abs", "min", "max"])
"""Functions that are not analytic."""
COMPLEX: Final = frozenset(["re", "im", "conj", "arg"])
"""Functions that say that their argument is complex."""


@dataclass(slots=True)
class Tape:
    """The code of several expressions."""

    steps: list[Step] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    """Exact values, ``flint.fmpq``, of the slots that are rational constants of bearable length; else None."""
    varies: list[bool] = field(default_factory=list)
    """Which slots depend on a symbol."""
    symbols: dict[str, int] = field(default_factory=dict)
    """Number of each symbol."""
    whole: set[str] = field(default_factory=set)
    """Symbols in an exponent of a negative number, which only make sense as whole numbers."""
    rational: bool = True
    """Whether all slots are rational functions of the symbols."""
    info_bits: int = 0
    """Bits of everything written: what chance would have to reproduce."""
    kinked: bool = False
    complex_symbols: bool = False
    piecewise: bool = False
    branched: bool = False
    """Whether there are roots or logarithms of something with symbols."""
    exponent_bits: int = 0
    """Bits of all long exponents together: what residues cost."""

    def copy(self) -> Tape:
        """Return a tape of its own with the same code."""
        return Tape(
            self.steps.copy(),
            self.values.copy(),
            self.varies.copy(),
            self.symbols.copy(),
            self.whole.copy(),
            self.rational,
            self.info_bits,
            self.kinked,
            self.complex_symbols,
            self.piecewise,
            self.branched,
            self.exponent_bits,
        )


class Compiler:
    """Adds expressions to one tape."""

    def __init__(self, tape: Tape | None = None) -> None:
        self.tape = Tape() if tape is None else tape
        self._seen: dict[tuple[Any, ...], int] = {}

    def branch(self) -> Compiler:
        """Return a compiler that goes on from here and leaves this one as it is."""
        other = Compiler(self.tape.copy())
        other._seen = self._seen.copy()
        return other

    def add(self, expr: Expr) -> int:
        """Return the slot that holds ``expr``; its depth is bounded by the parser's limits.

        Raises:
            UndefinedError: a part of it is a constant without a value.
        """
        return _VISIT[type(expr)](self, expr)  # type: ignore[no-any-return]  # a table of the methods below

    def _emit(self, op: int, a: int = -1, b: int = -1, extra: Any = None) -> int:
        key = (op, a, b, extra)
        found = self._seen.get(key)
        if found is not None:
            return found
        tape = self.tape
        varies = tape.varies
        self._seen[key] = slot = len(varies)
        tape.steps.append(key)
        tape.values.append(None)
        varies.append(op == Op.SYM or (a >= 0 and varies[a]) or (b >= 0 and varies[b]))
        tape.info_bits += 2
        if op not in _RATIONAL and not (extra == "factorial" and self._has_residues(tape.values[a])):
            tape.rational = False
        return slot

    def _has_residues(self, n: Rational | None) -> bool:
        """Return whether the factorial of ``n`` is too long to be written out, but its residues are not."""
        if n is None or n.q != 1 or not 0 <= n <= _MAX_RESIDUE_FACTORIAL:
            return False
        self.tape.exponent_bits += int(n.p) // 4
        return True

    def number(self, value: Rational) -> int:
        """Return the slot of an exact number."""
        return self._number(int(value.p), int(value.q), value)

    def _number(self, top: int, bottom: int, value: Rational = None, *, literal: bool = False) -> int:
        key = (Op.NUM, top, bottom)
        found = self._seen.get(key)
        if found is not None:
            return found
        if value is None:
            value = fmpq(top, bottom)
        tape = self.tape
        self._seen[key] = slot = len(tape.varies)
        tape.steps.append((Op.NUM, -1, -1, value))
        tape.values.append(value)
        tape.varies.append(False)
        if literal:
            tape.info_bits += top.bit_length() + bottom.bit_length()
        return slot

    # One method per kind of node.

    def _num(self, expr: Num) -> int:
        return self._number(*expr.value.as_integer_ratio(), literal=True)

    def _based(self, expr: Based) -> int:
        value = 0
        for digit in expr.digits:
            value = value * expr.base + int(digit, 16)
        return self._number(value, 1, literal=True)

    def _const(self, expr: Const) -> int:
        if expr.name == "inf":
            raise UndefinedError("infinity inside a formula")
        return self._emit({"pi": Op.PI, "e": Op.E, "i": Op.I}[expr.name])

    def _sym(self, expr: Sym) -> int:
        symbols = self.tape.symbols
        return self._emit(Op.SYM, extra=symbols.setdefault(expr.name, len(symbols)))

    def _sum(self, expr: Add) -> int:
        total = -1
        number: Rational | None = None
        for term in expr.terms:
            slot = self.add(term)
            value = self.tape.values[slot]
            if value is not None:
                if number is None:
                    number = value
                    continue
                if bits(value) + bits(number) < MAX_FOLD_BITS:
                    number += value
                    continue
            total = slot if total < 0 else self._emit(Op.ADD, total, slot)
        if number is None or (number == 0 and total >= 0):
            return total
        at = self.number(number)
        return at if total < 0 else self._emit(Op.ADD, total, at)

    def _product(self, expr: Mul) -> int:
        total = -1
        number: Rational | None = None
        for factor in expr.factors:
            if type(factor) is Pow and type(factor.exponent) is Num and factor.exponent.value == -1:
                slot, divide = self.add(factor.base), True
                if self.tape.values[slot] is not None:
                    slot, divide = self._int_power(slot, -1), False
            else:
                slot, divide = self.add(factor), False
            value = self.tape.values[slot]
            if value is not None:
                if number is None:
                    number = value
                    continue
                if bits(value) + bits(number) < MAX_FOLD_BITS:
                    number *= value
                    continue
            if total < 0:
                total = self._int_power(slot, -1) if divide else slot
            else:
                total = self._emit(Op.DIV if divide else Op.MUL, total, slot)
        if number is None or (number == 1 and total >= 0):
            return total
        at = self.number(number)
        return at if total < 0 else self._emit(Op.MUL, total, at)

    def _power(self, expr: Pow) -> int:
        exponent = expr.exponent
        if type(exponent) is Num:
            power: Any = fmpq(exponent.value.numerator, exponent.value.denominator)
            self.tape.info_bits += int(power.p).bit_length() + int(power.q).bit_length()
            at = -1
        else:
            at = self.add(exponent)
            power = self.tape.values[at]
        if type(expr.base) is Const and expr.base.name == "e":
            if power is not None and power.q == 1 and abs(power.p) < 64:
                return self._int_power(self._emit(Op.E), int(power.p))
            return self._emit(Op.EXP, at if at >= 0 else self.number(power))
        base = self.add(expr.base)
        if power is not None:
            if power.q == 1:
                return self._int_power(base, int(power.p))
            return self._root_power(base, power)
        value = self.tape.values[base]
        if value is not None and value <= 0:
            if value == 0:
                raise UndefinedError("a power of 0")
            self._mark_whole(exponent)
        if self.tape.varies[base]:
            self.tape.branched = True
        return self._emit(Op.POW, base, at)

    def _mark_whole(self, exponent: Expr) -> None:
        stack = [exponent]
        while stack:
            node = stack.pop()
            if type(node) is Sym and node.name not in _REAL:
                self.tape.whole.add(node.name)
            elif type(node) is Add:
                stack += node.terms
            elif type(node) is Mul:
                stack += node.factors

    def _int_power(self, base: int, power: int) -> int:
        if power == 1:
            return base
        value = self.tape.values[base]
        if value is not None:
            if value == 0 and power <= 0:
                raise UndefinedError(f"0 to the power of {power if power > -1000 else 'a negative number'}")
            if bits(value) * abs(power) <= MAX_FOLD_BITS or value in (0, 1, -1):
                return self.number(value ** (power if value not in (0, 1, -1) else 2 - power % 2))
        if abs(power) > 1 << 20:
            self.tape.exponent_bits += power.bit_length()
        return self._emit(Op.INT_POW, base, extra=power)

    def _root_power(self, base: int, power: Rational) -> int:
        value = self.tape.values[base]
        if value is not None:
            if value == 0:
                if power < 0:
                    raise UndefinedError("0 to a negative power")
                return base
            root = perfect_root(value, int(power.q))
            if root is not None:
                return self._int_power(self.number(root), int(power.p))
        elif self.tape.varies[base]:
            self.tape.branched = True
            if power.q % 2 == 0 and not self._is_linear(base):
                # The root of a square is an absolute value.
                self.tape.kinked = True
        return self._emit(Op.ROOT_POW, base, extra=(int(power.p), int(power.q)))

    def _is_linear(self, slot: int) -> bool:
        """Return whether a slot is a sum of symbols times constants."""
        stack = [slot]
        while stack:
            op, a, b, _ = self.tape.steps[stack.pop()]
            if op == Op.ADD or (op == Op.MUL and not (self.tape.varies[a] and self.tape.varies[b])):
                stack += (at for at in (a, b) if self.tape.varies[at])
            elif op != Op.SYM:
                return False
        return True

    def _call(self, expr: Call) -> int:
        name = expr.name
        slots = [self.add(arg) for arg in expr.args]
        values = [self.tape.values[slot] for slot in slots]
        if all(value is not None for value in values):
            folded = fold_call(name, values)
            if folded is not None:
                return self.number(folded)
        if name == "binom" and values[1] is not None and values[1].q == 1 and 0 < values[1] <= _MAX_EXPANDED:
            return self._falling(slots[0], int(values[1].p))
        if any(self.tape.varies[slot] for slot in slots):
            self._mark(name)
        if name in ("ln", "log"):
            result = self._emit(Op.LN, slots[0])
            return result if len(slots) == 1 else self._emit(Op.DIV, result, self._emit(Op.LN, slots[1]))
        if name in _ROUND_ABOUT:
            top, bottom = _ROUND_ABOUT[name]
            below = self._emit(Op.FUNCTION, slots[0], extra=bottom)
            if top is None:
                return self._int_power(below, -1)
            return self._emit(Op.DIV, self._emit(Op.FUNCTION, slots[0], extra=top), below)
        if name in _OF_RECIPROCAL:
            return self._emit(Op.FUNCTION, self._int_power(slots[0], -1), extra=_OF_RECIPROCAL[name])
        result = self._emit(Op.FUNCTION, slots[0], slots[1] if len(slots) > 1 else -1, name)
        for slot in slots[2:]:
            result = self._emit(Op.FUNCTION, result, slot, name)
        return result

    def _mark(self, name: str) -> None:
        """Remember what kind of function a symbol goes through."""
        if name in KINKED:
            self.tape.kinked = True
        elif name in PIECEWISE:
            self.tape.piecewise = True
        elif name in COMPLEX:
            self.tape.complex_symbols = self.tape.kinked = True
        elif name in ("ln", "log") or name.startswith("a"):
            self.tape.branched = True

    def _falling(self, top: int, k: int) -> int:
        """Return ``top (top - 1) ... (top - k + 1) / k!``."""
        result = self.number(fmpq(1, int(fmpz.fac_ui(k))))
        for less in range(k):
            factor = self._emit(Op.ADD, top, self.number(fmpq(-less))) if less else top
            result = self._emit(Op.MUL, result, factor)
        return result


def started(expr: Expr) -> tuple[Compiler, int]:
    """Return a compiler that has added ``expr``, and its slot.

    Raises:
        UndefinedError: a part of it is a constant without a value.
    """
    compiler, slot = _kept(expr)
    return compiler.branch(), slot


def _compiled(expr: Expr) -> tuple[Compiler, int]:
    compiler = Compiler()
    return compiler, compiler.add(expr)


def _is_small(compiled: tuple[Compiler, int]) -> bool:
    values = compiled[0].tape.values
    return sum(bits(value) for value in values if value is not None) <= _MAX_KEPT_BITS


_kept: Final = Kept(_compiled, _is_small)


_VISIT: Final[dict[type, Any]] = {
    Num: Compiler._num, Based: Compiler._based, Const: Compiler._const, Sym: Compiler._sym, Add: Compiler._sum,
    Mul: Compiler._product, Pow: Compiler._power, Call: Compiler._call,
}  # fmt: skip
_ROUND_ABOUT: Final = {
    "tan": ("sin", "cos"), "cot": ("cos", "sin"), "sec": (None, "cos"), "csc": (None, "sin"),
    "coth": ("cosh", "sinh"), "sech": (None, "cosh"), "csch": (None, "sinh"),
}  # fmt: skip
_OF_RECIPROCAL: Final = {"asec": "acos", "acsc": "asin", "asech": "acosh", "acsch": "asinh", "acoth": "atanh"}
