"""Z3 through its C interface: a tenth of the cost of its Python classes, and no reference counts to keep.

A context without reference counting keeps every term until it is deleted, which suits one context per job.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from z3 import z3core, z3types

Handle: TypeAlias = Any
"""A term, sort or function of Z3: an opaque pointer that only this module looks into."""


class SolverError(RuntimeError):
    """Z3 refused a term or died; a bug of ours or a limit of memory, never a verdict."""


class PatternError(SolverError):
    """Z3 refused a trigger."""


def _raw(name: str) -> Callable[..., Any]:
    """Return the C function itself: the wrapper asks for an error code after each call, null results tell as much."""
    wrapper = getattr(z3core, name)
    elementaries = (wrapper.__defaults__ or (None,))[0]
    function: Callable[..., Any] = getattr(elementaries, "f", wrapper)
    return function


_APP, _CONST, _NOT, _AND, _OR = map(_raw, ("Z3_mk_app", "Z3_mk_const", "Z3_mk_not", "Z3_mk_and", "Z3_mk_or"))
_EQ, _ITE, _IMPLIES = map(_raw, ("Z3_mk_eq", "Z3_mk_ite", "Z3_mk_implies"))
_ADD, _SUB, _MUL, _NEG = map(_raw, ("Z3_mk_add", "Z3_mk_sub", "Z3_mk_mul", "Z3_mk_unary_minus"))
_DIV, _MOD = map(_raw, ("Z3_mk_div", "Z3_mk_mod"))
_LE, _LT, _GE, _GT = map(_raw, ("Z3_mk_le", "Z3_mk_lt", "Z3_mk_ge", "Z3_mk_gt"))
_NUMERAL, _INT64, _SYMBOL = map(_raw, ("Z3_mk_numeral", "Z3_mk_int64", "Z3_mk_string_symbol"))
_DECL, _PATTERN, _QUANTIFIER = map(_raw, ("Z3_mk_func_decl", "Z3_mk_pattern", "Z3_mk_quantifier_const_ex"))
_ERROR_CODE, _ERROR_TEXT = map(_raw, ("Z3_get_error_code", "Z3_get_error_msg"))
_Ast = z3types.Ast
z3core.Z3_toggle_warning_messages(False)


def _keep_memory() -> None:
    """Let the C library keep memory that was freed.

    A context takes some megabytes and frees them with the job. Handed back to the system each time, they cost a
    small job more in page faults than everything else together.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_M_MMAP_THRESHOLD, _KEPT_BYTES)


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT_BYTES = 32 << 20
_keep_memory()
_PAIR = _Ast * 2

MARK = "#"
"""Stands in every name given to the solver; no source identifier can hold it."""


class Z3:
    """One context with its terms.

    Args:
        settings: Parameters of the context.
    """

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        config = z3core.Z3_mk_config()
        for name, value in {"auto_config": "false", **(settings or {})}.items():
            z3core.Z3_set_param_value(config, name, value)
        self.context = context = z3core.Z3_mk_context(config)
        z3core.Z3_del_config(config)
        # The default handler would end the process. The callback must live as long as the context.
        self._handler = z3core.Z3_set_error_handler(context, _ignore)
        self.int = z3core.Z3_mk_int_sort(context)
        self.bool = z3core.Z3_mk_bool_sort(context)
        self.true = z3core.Z3_mk_true(context)
        self.false = z3core.Z3_mk_false(context)
        self._true, self._false = self.true.value, self.false.value
        self._no_asts = (_Ast * 0)()
        self._null_symbol = self.symbol("")
        self._numerals: dict[int, Handle] = {}
        self._names: set[str] = set()
        self._count = 0

    def close(self) -> None:
        """Free everything."""
        if self.context is not None:
            z3core.Z3_del_context(self.context)
            self.context = None

    # ------------------------------------------------------------ names and declarations

    def symbol(self, name: str) -> Handle:
        """Return Z3's symbol for a name."""
        return _SYMBOL(self.context, name.encode())

    def name(self, base: str) -> str:
        """Return a new name that starts with ``base``; two things of one name would be one thing to the solver."""
        self._count += 1
        name = f"{base}{MARK}{self._count}"
        assert name not in self._names, f"the internal name {name} is taken"
        self._names.add(name)
        return name

    def const(self, base: str, sort: Handle) -> Handle:
        """Return a new constant."""
        return self._made(_CONST(self.context, self.symbol(self.name(base)), sort))

    def function(self, base: str, domain: Sequence[Handle], range: Handle) -> Handle:
        """Return a new uninterpreted function."""
        array = (z3types.Sort * len(domain))(*domain)
        return self._made(_DECL(self.context, self.symbol(self.name(base)), len(domain), array, range))

    def sort(self, base: str) -> Handle:
        """Return a new uninterpreted sort."""
        return self._made(z3core.Z3_mk_uninterpreted_sort(self.context, self.symbol(self.name(base))))

    def _made(self, handle: Handle) -> Handle:
        if not handle:
            code = _ERROR_CODE(self.context)
            raise SolverError(_ERROR_TEXT(self.context, code).decode(errors="replace"))
        return handle

    # ------------------------------------------------------------ terms

    def app(self, function: Handle, *arguments: Handle) -> Handle:
        """Return a function applied to arguments."""
        count = len(arguments)
        return self._made(_APP(self.context, function, count, (_Ast * count)(*arguments)))

    def numeral(self, value: int) -> Handle:
        """Return an integer."""
        found = self._numerals.get(value)
        if found is None:
            if -(1 << 63) <= value < 1 << 63:
                found = _INT64(self.context, value, self.int)
            else:
                found = _NUMERAL(self.context, str(value).encode(), self.int)
            self._numerals[value] = self._made(found)
        return found

    def not_(self, a: Handle) -> Handle:
        """Return the negation."""
        if a.value == self._true:
            return self.false
        if a.value == self._false:
            return self.true
        return self._made(_NOT(self.context, a))

    def and_(self, *parts: Handle) -> Handle:
        """Return the conjunction, without parts that are true."""
        left = []
        for part in parts:
            value = part.value
            if value == self._false:
                return self.false
            if value != self._true:
                left.append(part)
        if len(left) < 2:
            return left[0] if left else self.true
        return self._made(_AND(self.context, len(left), (_Ast * len(left))(*left)))

    def or_(self, *parts: Handle) -> Handle:
        """Return the disjunction, without parts that are false."""
        left = []
        for part in parts:
            value = part.value
            if value == self._true:
                return self.true
            if value != self._false:
                left.append(part)
        if len(left) < 2:
            return left[0] if left else self.false
        return self._made(_OR(self.context, len(left), (_Ast * len(left))(*left)))

    def implies(self, a: Handle, b: Handle) -> Handle:
        """Return the implication."""
        if a.value == self._true or b.value == self._true:
            return b
        if a.value == self._false:
            return self.true
        return self._made(_IMPLIES(self.context, a, b))

    def eq(self, a: Handle, b: Handle) -> Handle:
        """Return the equality; the sorts must be one."""
        return self._made(_EQ(self.context, a, b))

    def ite(self, condition: Handle, a: Handle, b: Handle) -> Handle:
        """Return the case distinction."""
        return self._made(_ITE(self.context, condition, a, b))

    def add(self, a: Handle, b: Handle) -> Handle:
        """Return the sum."""
        return self._made(_ADD(self.context, 2, _PAIR(a, b)))

    def sub(self, a: Handle, b: Handle) -> Handle:
        """Return the difference."""
        return self._made(_SUB(self.context, 2, _PAIR(a, b)))

    def mul(self, a: Handle, b: Handle) -> Handle:
        """Return the product."""
        return self._made(_MUL(self.context, 2, _PAIR(a, b)))

    def neg(self, a: Handle) -> Handle:
        """Return the additive inverse."""
        return self._made(_NEG(self.context, a))

    def div(self, a: Handle, b: Handle) -> Handle:
        """Return the Euclidean quotient."""
        return self._made(_DIV(self.context, a, b))

    def mod(self, a: Handle, b: Handle) -> Handle:
        """Return the Euclidean remainder."""
        return self._made(_MOD(self.context, a, b))

    def le(self, a: Handle, b: Handle) -> Handle:
        """Return ``a <= b``."""
        return self._made(_LE(self.context, a, b))

    def lt(self, a: Handle, b: Handle) -> Handle:
        """Return ``a < b``."""
        return self._made(_LT(self.context, a, b))

    def ge(self, a: Handle, b: Handle) -> Handle:
        """Return ``a >= b``."""
        return self._made(_GE(self.context, a, b))

    def gt(self, a: Handle, b: Handle) -> Handle:
        """Return ``a > b``."""
        return self._made(_GT(self.context, a, b))

    def quantifier(
        self, is_forall: bool, bound: Sequence[Handle], patterns: Sequence[Sequence[Handle]], body: Handle
    ) -> Handle:
        """Return a quantified formula over the constants ``bound``; Z3 never chooses a trigger by itself.

        Raises:
            PatternError: no trigger, or one that Z3 refuses.
        """
        if not bound:
            return body
        if not patterns:
            raise PatternError("a quantifier without a trigger")
        made = []
        for terms in patterns:
            pattern = _PATTERN(self.context, len(terms), (_Ast * len(terms))(*terms))
            if not pattern:
                raise PatternError("a trigger that the solver refuses")
            made.append(pattern)
        result = _QUANTIFIER(
            self.context, is_forall, 1, self._null_symbol, self._null_symbol,
            len(bound), (_Ast * len(bound))(*bound), len(made), (z3types.Pattern * len(made))(*made),
            0, self._no_asts, body,
        )  # fmt: skip
        if not result:
            raise PatternError("a trigger that the solver refuses")
        return result

    def forall(self, bound: Sequence[Handle], patterns: Sequence[Sequence[Handle]], body: Handle) -> Handle:
        """Return the universal statement."""
        return body if body.value == self._true else self.quantifier(True, bound, patterns, body)

    def datatypes(
        self, shapes: Sequence[tuple[str, Sequence[tuple[str, Sequence[tuple[str, Handle | int]]]]]]
    ) -> list[tuple[Handle, list[tuple[Handle, Handle, list[Handle]]]]]:
        """Make algebraic datatypes that may refer to each other.

        Args:
            shapes: For each: its name and its variants, each with its fields; a field's sort is a handle, or the
                number of one of ``shapes``.

        Returns:
            For each its sort and, per variant, constructor, tester and field functions.
        """
        context = self.context
        lists, kept = [], []
        for _, variants in shapes:
            constructors = []
            for variant, fields in variants:
                sorts = [None if isinstance(sort, int) else sort for _, sort in fields]
                references = [sort if isinstance(sort, int) else 0 for _, sort in fields]
                constructor = z3core.Z3_mk_constructor(
                    context, self.symbol(self.name(variant)), self.symbol(self.name("is-" + variant)), len(fields),
                    (z3types.Symbol * len(fields))(*[self.symbol(self.name(field)) for field, _ in fields]),
                    (z3types.Sort * len(fields))(*sorts), (ctypes.c_uint * len(fields))(*references),
                )  # fmt: skip
                constructors.append((self._made(constructor), len(fields)))
            array = (z3types.Constructor * len(constructors))(*[handle for handle, _ in constructors])
            lists.append(z3core.Z3_mk_constructor_list(context, len(constructors), array))
            kept.append(constructors)
        names = (z3types.Symbol * len(shapes))(*[self.symbol(self.name(name)) for name, _ in shapes])
        sorts_made = (z3types.Sort * len(shapes))()
        z3core.Z3_mk_datatypes(
            context, len(shapes), names, sorts_made, (z3types.ConstructorList * len(shapes))(*lists)
        )
        results = []
        for sort, constructors in zip(sorts_made, kept, strict=True):
            variants_made = []
            for handle, count in constructors:
                make, test = z3types.FuncDecl(None), z3types.FuncDecl(None)
                fields_made = (z3types.FuncDecl * max(count, 1))()
                z3core.Z3_query_constructor(
                    context, handle, count, ctypes.byref(make), ctypes.byref(test), fields_made
                )
                variants_made.append((make, test, [fields_made[i] for i in range(count)]))
                z3core.Z3_del_constructor(context, handle)
            results.append((sort, variants_made))
        for made in lists:
            z3core.Z3_del_constructor_list(context, made)
        return results

    def partial_order(self, sort: Handle) -> Handle:
        """Return a relation that the solver knows to be a partial order."""
        self._count += 1
        return self._made(z3core.Z3_mk_partial_order(self.context, sort, self._count))

    def show(self, term: Handle) -> str:
        """Return a term as text, for our own eyes."""
        return str(z3core.Z3_ast_to_string(self.context, term))


def _ignore(context: Any, code: int) -> None:
    """Errors are read from null results."""
