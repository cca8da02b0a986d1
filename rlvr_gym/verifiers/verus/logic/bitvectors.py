"""``by (bit_vector)``: integers as vectors of bits, wide enough that sums and products are exact.

A term is a vector with a width and a sign that holds its mathematical value; operators widen, casts cut.
"""

from __future__ import annotations

from dataclasses import dataclass

from z3 import z3core

from rlvr_gym.verifiers.verus.core import Expression, LetIn, Literal_, Op, Var
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import UNSIGNED, WIDTHS, Type, erased
from rlvr_gym.verifiers.verus.logic.solver import Answer, Solver
from rlvr_gym.verifiers.verus.logic.z3api import Z3, Handle
from rlvr_gym.verifiers.verus.report import Finding, Place

_MOST_BITS = 1024


@dataclass(frozen=True, slots=True)
class BitQuestion:
    """That premises imply a condition, over bit vectors."""

    premises: tuple[Expression, ...]
    condition: Expression
    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class _Bits:
    """An integer: a vector read with a sign or without."""

    vector: Handle
    width: int
    signed: bool


def answer_bits(question: BitQuestion, z3: Z3, solver: Solver) -> list[Finding]:
    """Return the finding if it cannot be proved for both sizes of usize."""
    machines = (64, 32) if _Reader.depends_on_machine(question) else (64,)
    for machine in machines:
        reader = _Reader(z3, machine)
        premises = [reader.truth(each) for each in question.premises]
        condition = reader.truth(question.condition)
        solver.start([*premises, z3.not_(condition)], logic="QF_BV")
        result = solver.check()
        if result is not Answer.PROVED:
            message = question.message
            if result is Answer.OUT_OF_RESOURCES:
                message = "assert_bitvector_by: resource limit exceeded"
            return [Finding(message, question.place)]
    return []


class _Reader:
    """Reads terms for one size of usize."""

    def __init__(self, z3: Z3, machine: int) -> None:
        self._z3 = z3
        self._machine = machine
        self._variables: dict[str, _Bits | Handle] = {}

    @staticmethod
    def depends_on_machine(question: BitQuestion) -> bool:
        """Return whether the size of usize matters."""
        from rlvr_gym.verifiers.verus.logic.shapes import walk

        terms = (*question.premises, question.condition)
        return any(each.type.name in ("usize", "isize") for term in terms for each in walk(term))

    # ------------------------------------------------------------ widths

    def _width(self, type: Type, place: Place) -> tuple[int, bool]:
        type = erased(type)
        if type.name not in WIDTHS:
            raise Rejected(f"`by (bit_vector)` about a value of type `{type}`", place)
        return WIDTHS[type.name] or self._machine, type.name not in UNSIGNED

    def _numeral(self, value: int, width: int) -> Handle:
        sort = z3core.Z3_mk_bv_sort(self._z3.context, width)
        return z3core.Z3_mk_numeral(self._z3.context, str(value % (1 << width)), sort)

    def _resized(self, bits: _Bits, width: int) -> Handle:
        """Return the vector of a width: longer keeps the value, shorter cuts."""
        context = self._z3.context
        if width > bits.width:
            extend = z3core.Z3_mk_sign_ext if bits.signed else z3core.Z3_mk_zero_ext
            return extend(context, width - bits.width, bits.vector)
        if width < bits.width:
            return z3core.Z3_mk_extract(context, width - 1, 0, bits.vector)
        return bits.vector

    def _common(self, a: _Bits, b: _Bits, more: int = 0) -> tuple[Handle, Handle, int, bool]:
        """Return two integers as vectors of one width and sign that hold both values."""
        signed = a.signed or b.signed
        width = max(each.width + (signed and not each.signed) for each in (a, b)) + more
        self._bounded(width)
        return self._resized(a, width), self._resized(b, width), width, signed

    def _bounded(self, width: int) -> None:
        if width > _MOST_BITS:
            raise Unsupported("a bit-vector term that needs too many bits", Place(0, 0))

    # ------------------------------------------------------------ terms

    def truth(self, term: Expression) -> Handle:
        """Return a formula."""
        z3 = self._z3
        match term:
            case Literal_(value=bool() as value):
                return z3.true if value else z3.false
            case Var():
                return self._variable(term)
            case LetIn():
                return self._in_let(term, self.truth)
            case Op(op="not" | "and" | "or" | "=>" | "<=>" | "ite", operands=operands):
                parts = [self.truth(operand) for operand in operands]
                if term.op == "not":
                    return z3.not_(parts[0])
                if term.op == "and":
                    return z3.and_(*parts)
                if term.op == "or":
                    return z3.or_(*parts)
                if term.op == "=>":
                    return z3.implies(*parts)
                return z3.eq(*parts) if term.op == "<=>" else z3.ite(*parts)
            case Op(op="==" | "=~=" | "=~~=", operands=(left, right)):
                if erased(left.type).name == "bool":
                    return z3.eq(self.truth(left), self.truth(right))
                a, b, _, _ = self._common(self._integer(left), self._integer(right))
                return z3.eq(a, b)
            case Op(op="<" | "<=" | ">" | ">=", operands=(left, right)):
                a, b, _, signed = self._common(self._integer(left), self._integer(right))
                names = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
                compare = getattr(z3core, f"Z3_mk_bv{'s' if signed else 'u'}{names[term.op]}")
                return compare(z3.context, a, b)
            case Op(op="^", operands=(left, right)) if erased(left.type).name == "bool":
                return z3.not_(z3.eq(self.truth(left), self.truth(right)))
            case Op(op="&", operands=(left, right)) if erased(left.type).name == "bool":
                return z3.and_(self.truth(left), self.truth(right))
            case Op(op="|", operands=(left, right)) if erased(left.type).name == "bool":
                return z3.or_(self.truth(left), self.truth(right))
        raise Unsupported("this formula in `by (bit_vector)`", term.place)

    def _variable(self, term: Var) -> Handle:
        found = self._variables.get(term.name)
        if found is None:
            if erased(term.type).name == "bool":
                found = self._z3.const(term.name, self._z3.bool)
            else:
                width, signed = self._width(term.type, term.place)
                sort = z3core.Z3_mk_bv_sort(self._z3.context, width)
                found = _Bits(self._z3.const(term.name, sort), width, signed)
            self._variables[term.name] = found
        return found

    def _in_let(self, term: LetIn, read: object) -> Handle:
        is_truth = erased(term.value.type).name == "bool"
        self._variables[term.name] = self.truth(term.value) if is_truth else self._integer(term.value)
        return read(term.body)  # type: ignore[operator]  # one of the two readers of this class

    def _integer(self, term: Expression) -> _Bits:
        """Return an integer."""
        z3 = self._z3
        context = z3.context
        match term:
            case Literal_(value=value) if not isinstance(value, bool):
                width = value.bit_length() + 1
                self._bounded(width)
                return _Bits(self._numeral(value, width), width, value < 0)
            case Var():
                found = self._variable(term)
                if not isinstance(found, _Bits):
                    raise Unsupported("a truth value as an integer in `by (bit_vector)`", term.place)
                return found
            case LetIn():
                made = self._in_let(term, self._integer)
                assert isinstance(made, _Bits)
                return made
            case Op(op="ite", operands=(condition, then, otherwise)):
                a, b, width, signed = self._common(self._integer(then), self._integer(otherwise))
                return _Bits(z3.ite(self.truth(condition), a, b), width, signed)
            case Op(op="+", operands=(left, right)):
                a, b, width, signed = self._common(self._integer(left), self._integer(right), 1)
                return _Bits(z3core.Z3_mk_bvadd(context, a, b), width, signed)
            case Op(op="-", operands=(left, right)):
                a, b, width, signed = self._common(self._integer(left), self._integer(right), 1)
                # A difference of values without sign has one: its top bit is the sign.
                return _Bits(z3core.Z3_mk_bvsub(context, a, b), width, True)
            case Op(op="neg", operands=(operand,)):
                bits = self._integer(operand)
                wide = self._resized(bits, bits.width + 1)
                return _Bits(z3core.Z3_mk_bvneg(context, wide), bits.width + 1, True)
            case Op(op="*", operands=(left, right)):
                one, two = self._integer(left), self._integer(right)
                signed = one.signed or two.signed
                width = one.width + two.width + (2 if signed else 0)
                self._bounded(width)
                product = z3core.Z3_mk_bvmul(context, self._resized(one, width), self._resized(two, width))
                return _Bits(product, width, signed)
            case Op(op="/" | "%", operands=(left, right)):
                return self._divided(term, self._integer(left), self._integer(right))
            case Op(op="clip"):
                return self._cut(self._integer(term.operands[0]), term.type, term.place)
            case Op(op="wrap+" | "wrap-" | "wrap*"):
                plain = Op(term.op[-1], term.operands, type=term.type, place=term.place)  # type: ignore[arg-type]  # the operator without "wrap"
                return self._cut(self._integer(plain), term.type, term.place)
            case Op(op="&" | "|" | "^", operands=(left, right)):
                a, b, width, signed = self._common(self._integer(left), self._integer(right))
                names = {"&": "and", "|": "or", "^": "xor"}
                return _Bits(getattr(z3core, f"Z3_mk_bv{names[term.op]}")(context, a, b), width, signed)
            case Op(op="<<" | ">>", operands=(left, right)):
                return self._shifted(term, left, right)
            case Op(op="bitnot", operands=(operand,)):
                width, signed = self._width(operand.type, term.place)
                vector = self._resized(self._integer(operand), width)
                return _Bits(z3core.Z3_mk_bvnot(context, vector), width, signed)
            case Op(op="min_of" | "max_of"):
                width, signed = self._width(term.type, term.place)
                half = 1 << (width - 1)
                low, high = (-half, half - 1) if signed else (0, 2 * half - 1)
                return _Bits(self._numeral(low if term.op == "min_of" else high, width), width, signed)
        raise Unsupported("this term in `by (bit_vector)`", term.place)

    def _cut(self, bits: _Bits, type: Type, place: Place) -> _Bits:
        """Return a cast: Rust keeps the low bits."""
        if erased(type).name in ("int", "nat"):
            if erased(type).name == "nat" and bits.signed:
                raise Unsupported("a cast of a signed value to nat in `by (bit_vector)`", place)
            return bits
        width, signed = self._width(type, place)
        return _Bits(self._resized(bits, width), width, signed)

    def _divided(self, term: Op, left: _Bits, right: _Bits) -> _Bits:
        if left.signed or right.signed:
            raise Unsupported("a signed quotient in `by (bit_vector)`", term.place)
        a, b, width, _ = self._common(left, right)
        context, z3 = self._z3.context, self._z3
        made = (z3core.Z3_mk_bvudiv if term.op == "/" else z3core.Z3_mk_bvurem)(context, a, b)
        sort = z3core.Z3_mk_bv_sort(context, width)
        # By zero the value is unspecified, also where the vectors would say which it is.
        by_zero = z3.eq(b, self._numeral(0, width))
        return _Bits(z3.ite(by_zero, z3.const("by zero", sort), made), width, False)

    def _shifted(self, term: Op, left: Expression, right: Expression) -> _Bits:
        width, signed = self._width(left.type, term.place)
        amount = self._integer(right)
        if amount.signed:
            raise Unsupported("a shift by a signed amount in `by (bit_vector)`", term.place)
        wide = max(width, amount.width)
        self._bounded(wide)
        value = _Bits(self._resized(self._integer(left), width), width, signed)
        a, b = self._resized(value, wide), self._resized(amount, wide)
        context = self._z3.context
        if term.op == "<<":
            shifted = z3core.Z3_mk_bvshl(context, a, b)
        else:
            shifted = (z3core.Z3_mk_bvashr if signed else z3core.Z3_mk_bvlshr)(context, a, b)
        return _Bits(self._resized(_Bits(shifted, wide, signed), width), width, signed)
