"""From terms of the core language to terms of the solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlvr_gym.verifiers.verus.core import (
    Apply,
    ApplyValue,
    Construct,
    Expression,
    Lambda,
    LetIn,
    Literal_,
    Op,
    Project,
    Quantified,
    Test,
    Text,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import UNSIGNED, WIDTHS, Type, erased, substituted
from rlvr_gym.verifiers.verus.logic.arithmetic import Arithmetic
from rlvr_gym.verifiers.verus.logic.closures import Closures
from rlvr_gym.verifiers.verus.logic.equality import Extensional
from rlvr_gym.verifiers.verus.logic.functions import Functions
from rlvr_gym.verifiers.verus.logic.heights import Heights
from rlvr_gym.verifiers.verus.logic.shapes import is_literal, walk
from rlvr_gym.verifiers.verus.logic.sorts import Sorts
from rlvr_gym.verifiers.verus.logic.strings import Strings
from rlvr_gym.verifiers.verus.logic.world import Rewrap, World
from rlvr_gym.verifiers.verus.logic.z3api import Z3, Handle, PatternError

_IN_TRIGGERS = frozenset(
    {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "bitnot", "clip", "wrap+", "wrap-", "wrap*", "=~=", "neg",
     "max_of", "min_of", "height<"}
)  # fmt: skip
"""Operators that a trigger may hold; all others have no term that could match."""


class Theory:
    """Everything that terms of one job are made of."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sorts = Sorts(world)
        self.arithmetic = Arithmetic(world, self.sorts)
        self.functions = Functions(world, self.sorts, self.scope)
        self.closures = Closures(world, self.sorts)
        self.extensional = Extensional(world, self.sorts, self.closures, self.functions)
        self.heights = Heights(world, self.sorts, self.functions)
        self.strings = Strings(world, self.sorts)
        self.resolved: dict[int, tuple[Type, Type]] = {}
        """Types without references, by identity."""
        self.lengths: dict[str, Handle] = {}
        """Values of generic constants, by name."""

    def scope(self, environment: dict[str, Handle], types: dict[str, Type]) -> Translator:
        """Return a translator with values for variables and generic parameters."""
        return Translator(self, environment, types)


class Translator:
    """Reads terms in one scope."""

    def __init__(self, theory: Theory, environment: dict[str, Handle], types: dict[str, Type]) -> None:
        self.theory = theory
        self.world = theory.world
        self.environment = environment
        self.types = types
        self.fuel: tuple[int | None, Handle] | None = None
        """In the body of a recursive function: its group and the fuel that calls in it run on."""
        self.native = False
        """Whether products and quotients are the solver's own, for its nonlinear mode."""
        self.holes: dict[int, Handle] = {}
        """Parts that stand for values from around, by identity."""
        self._in_trigger = False
        # Without generic parameters a type means the same everywhere.
        self._resolved: dict[int, tuple[Type, Type]] = {} if types else theory.resolved
        self._z3 = theory.world.z3

    # ------------------------------------------------------------ types and scopes

    def type_of(self, type: Type) -> Type:
        """Return a type with generic parameters replaced, without references."""
        found = self._resolved.get(id(type))
        if found is None or found[0] is not type:
            resolved = erased(substituted(type, self.types)) if self.types else erased(type)
            # The type is kept beside its identity, which could be another's once it is gone.
            self._resolved[id(type)] = found = type, resolved
        return found[1]

    def bind(self, binders: Sequence[tuple[str, Type]]) -> list[Handle]:
        """Return new constants for bound variables, which the scope knows from here on."""
        bound = []
        for name, type in binders:
            constant = self._z3.const(name, self.theory.sorts.sort(self.type_of(type)))
            self.environment[name] = constant
            bound.append(constant)
        return bound

    def typed(self, type: Type, value: Handle) -> Handle:
        """Return what is known of a value of a type of the program."""
        return self.theory.sorts.invariant(self.type_of(type), value)

    def triggers(self, term: Quantified) -> list[list[Handle]]:
        """Return the triggers of a quantifier; its variables must be bound."""
        outer, self._in_trigger = self._in_trigger, True
        try:
            return [[self._trigger(each) for each in group] for group in term.triggers]
        finally:
            self._in_trigger = outer

    def trigger(self, term: Expression) -> Handle:
        """Return one term of a trigger."""
        outer, self._in_trigger = self._in_trigger, True
        try:
            return self._trigger(term)
        finally:
            self._in_trigger = outer

    def _trigger(self, term: Expression) -> Handle:
        for each in walk(term):
            if isinstance(each, Op):
                if each.op not in _IN_TRIGGERS:
                    raise Unsupported(f"`{each.op}` in a trigger", each.place)
                if each.op in ("+", "-", "*", "/", "%") and not self.world.wrapped:
                    raise Rewrap
            elif isinstance(each, Quantified):
                raise Unsupported("a quantifier in a trigger", each.place)
        return self.translate(term)

    # ------------------------------------------------------------ terms

    def translate(self, term: Expression) -> Handle:
        """Return the solver's term."""
        if self.holes:
            found = self.holes.get(id(term))
            if found is not None:
                return found
        return _READ[term.__class__](self, term)

    def _var(self, term: Var) -> Handle:
        if term.name[0] == "'":
            return self._generic_constant(term.name[1:])
        return self.environment[term.name]

    def _generic_constant(self, name: str) -> Handle:
        """Return the value of a generic constant; in the function that has it as a parameter it is any number."""
        argument = self.types.get(name)
        size = name if argument is None else argument.size
        if isinstance(size, int):
            return self._z3.numeral(size)
        assert size is not None
        lengths = self.theory.lengths
        if size not in lengths:
            lengths[size] = self._z3.const(f"length {size}", self._z3.int)
        return lengths[size]

    def _literal(self, term: Literal_) -> Handle:
        value = term.value
        if value is True:
            return self._z3.true
        if value is False:
            return self._z3.false
        return self._z3.numeral(value)

    def _text(self, term: Text) -> Handle:
        return self.theory.strings.literal(self.type_of(term.type), term.value)

    def _op(self, term: Op) -> Handle:
        op = term.op
        plain = _PLAIN.get(op)
        if plain is not None:
            return plain(self._z3, *[self.translate(operand) for operand in term.operands])
        z3, theory = self._z3, self.theory
        if op in ("+", "-", "*", "/", "%"):
            return self._arithmetic(op, term)
        if op == "neg":
            return z3.neg(self.translate(term.operands[0]))
        if op == "clip":
            return self._clip(term)
        if op in ("=~=", "=~~="):
            left, right = term.operands
            type = self.type_of(left.type)
            return theory.extensional.equal(
                type, self.translate(left), self.translate(right), deep=op == "=~~="
            )
        if op in ("&", "|", "^", "<<", ">>", "bitnot"):
            type = self.type_of(term.operands[0].type)
            return self._bits(op, type, term)
        if op in ("wrap+", "wrap-", "wrap*"):
            exact = self._arithmetic(op[-1], term)
            return theory.arithmetic.clip(self.type_of(term.type), exact)
        if op in ("min_of", "max_of"):
            type = self.type_of(term.type)
            if type.name not in WIDTHS:
                raise Unsupported(f"the bounds of `{type}`", term.place)
            return theory.sorts.bounds(type)[op == "max_of"]
        if op in ("height<", "is_smaller_than"):
            left, right = term.operands
            return theory.heights.less(
                self.type_of(left.type), self.translate(left), self.type_of(right.type), self.translate(right)
            )
        raise Unsupported(f"the operator `{op}`", term.place)

    def _bits(self, op: str, type: Type, term: Op) -> Handle:
        operands = [self.translate(operand) for operand in term.operands]
        if type.name == "bool":
            z3 = self._z3
            logical: dict[str, Callable[..., Handle]] = {
                "&": z3.and_, "|": z3.or_, "^": lambda a, b: z3.not_(z3.eq(a, b)), "bitnot": z3.not_,
            }  # fmt: skip
            return logical[op](*operands)
        return self.theory.arithmetic.bits(op, type, *operands)

    def _arithmetic(self, op: str, term: Op) -> Handle:
        left, right = term.operands
        a, b = self.translate(left), self.translate(right)
        z3 = self._z3
        if not self.native and (
            self.world.wrapped or (op in ("*", "/", "%") and not is_literal(left) and not is_literal(right))
        ):
            return self.theory.arithmetic.wrapped(op, a, b)
        operators = {"+": z3.add, "-": z3.sub, "*": z3.mul, "/": z3.div, "%": z3.mod}
        return operators[op](a, b)

    def _clip(self, term: Op) -> Handle:
        operand = term.operands[0]
        source, target = self.type_of(operand.type), self.type_of(term.type)
        value = self.translate(operand)
        if _always_fits(source, target):
            return value
        if isinstance(operand, Literal_) and _literal_fits(operand.value, target):
            return value
        return self.theory.arithmetic.clip(target, value)

    def _apply(self, term: Apply) -> Handle:
        theory = self.theory
        arguments = [self.translate(argument) for argument in term.arguments]
        types = tuple(self.type_of(each) for each in term.type_arguments)
        made = theory.functions.instance(term.function, types)
        function = made.function
        if function.inline and function.body is not None and not function.recursive:
            self.world.inlined()
            environment = dict(zip((param.name for param in function.params), arguments, strict=True))
            inner = Translator(theory, environment, made.types)
            inner.fuel, inner.native, inner._in_trigger = self.fuel, self.native, self._in_trigger
            return inner.translate(function.body)
        if function.recursive and self.fuel is not None and function.group == self.fuel[0]:
            return theory.functions.apply_fueled(made, arguments, self.fuel[1])
        return theory.functions.apply(made, arguments)

    def _construct(self, term: Construct) -> Handle:
        shape = self.theory.sorts.shape(self.type_of(term.type))
        return self._z3.app(shape.variants[term.variant][0], *[self.translate(each) for each in term.fields])

    def _project(self, term: Project) -> Handle:
        shape = self.theory.sorts.shape(self.type_of(term.operand.type))
        return self._z3.app(shape.variants[term.variant][2][term.index], self.translate(term.operand))

    def _test(self, term: Test) -> Handle:
        shape = self.theory.sorts.shape(self.type_of(term.operand.type))
        if len(shape.variants) == 1:
            return self._z3.true
        return self._z3.app(shape.variants[term.variant][1], self.translate(term.operand))

    def _let(self, term: LetIn) -> Handle:
        value = self.translate(term.value)
        environment = self.environment
        outer = environment.get(term.name)
        environment[term.name] = value
        result = self.translate(term.body)
        self._restore(term.name, outer)
        return result

    def _restore(self, name: str, outer: Handle | None) -> None:
        if outer is None:
            del self.environment[name]
        else:
            self.environment[name] = outer

    def _quantified(self, term: Quantified) -> Handle:
        if term.kind == "choose":
            return self.theory.closures.choice(term, self)
        z3 = self._z3
        outer = [(name, self.environment.get(name)) for name, _ in term.binders]
        bound = self.bind(term.binders)
        guards = [self.typed(type, one) for (_, type), one in zip(term.binders, bound, strict=True)]
        body = self.translate(term.body)
        try:
            triggers = self.triggers(term)
            if term.kind == "forall":
                return z3.quantifier(True, bound, triggers, z3.implies(z3.and_(*guards), body))
            return z3.quantifier(False, bound, triggers, z3.and_(*guards, body))
        except PatternError as error:
            raise Unsupported(str(error), term.place) from None
        finally:
            for name, value in outer:
                self._restore(name, value)

    def _lambda(self, term: Lambda) -> Handle:
        return self.theory.closures.function_value(term, self)

    def _apply_value(self, term: ApplyValue) -> Handle:
        function = self.translate(term.function)
        arguments = [self.translate(argument) for argument in term.arguments]
        return self.theory.closures.apply(self.type_of(term.function.type), function, arguments)


def _always_fits(source: Type, target: Type) -> bool:
    """Return whether every value of one integer type is one of another."""
    if source == target or target.name == "int":
        return True
    if source.name in UNSIGNED:
        if target.name == "nat":
            return True
        if target.name in UNSIGNED:
            # usize has 32 bits or 64.
            return (WIDTHS[source.name] or 64) <= (WIDTHS[target.name] or 32)
    if source.name == "char":
        return target.name in ("nat", "u32", "u64", "u128", "usize", "i32", "i64", "i128")
    return False


def _literal_fits(value: int | bool, target: Type) -> bool:
    """Return whether a number as written is surely one of a type."""
    if isinstance(value, bool):
        return False
    if target.name == "nat":
        return value >= 0
    if target.name not in WIDTHS:
        return False
    width = WIDTHS[target.name] or 32
    if target.name in UNSIGNED:
        return 0 <= value < 1 << width
    return -(1 << (width - 1)) <= value < 1 << (width - 1)


_READ: dict[type, Callable[[Translator, Any], Handle]] = {
    Var: Translator._var, Literal_: Translator._literal, Text: Translator._text, Op: Translator._op,
    Apply: Translator._apply, Construct: Translator._construct, Project: Translator._project, Test: Translator._test,
    LetIn: Translator._let, Quantified: Translator._quantified, Lambda: Translator._lambda,
    ApplyValue: Translator._apply_value,
}  # fmt: skip
_PLAIN: dict[str, Callable[..., Handle]] = {
    "<": Z3.lt, "<=": Z3.le, ">": Z3.gt, ">=": Z3.ge, "==": Z3.eq, "<=>": Z3.eq, "not": Z3.not_,
    "and": Z3.and_, "or": Z3.or_, "=>": Z3.implies, "ite": Z3.ite,
}  # fmt: skip
