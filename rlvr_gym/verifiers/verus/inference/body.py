"""Inference over one body: its variables, its open names, and the fit of one type into another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.declare import Declarations
from rlvr_gym.verifiers.verus.inference.names import Scope, VariantEntry
from rlvr_gym.verifiers.verus.inference.typenames import Home
from rlvr_gym.verifiers.verus.inference.types import BOOL, INT, NAT, UNIT, Type, erased
from rlvr_gym.verifiers.verus.inference.unify import Variables
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    Const,
    Expr,
    ExprNode,
    Function,
    FunctionRef,
    Ghostness,
    Local,
    PatternNode,
    Struct,
    TypeExpr,
    VariantRef,
)

Handler = Callable[["Body", Any, Type | None], Type]
HANDLERS: dict[type, Handler] = {}
"""For each kind of expression the function that infers it; filled by `infers` when the package is imported."""


def infers(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a function as the one that infers expressions of ``kinds``."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


@dataclass(eq=False, slots=True)
class LoopFrame:
    """A loop that ``break`` may leave."""

    label: str | None
    result: Type | None
    """Type of the values that are broken with; None for ``while`` and ``for``."""
    left: bool = False
    """Whether any ``break`` leaves it."""


_BITS = frozenset(("&", "|", "^", "<<", ">>"))


@dataclass(eq=False, slots=True)
class Arithmetic:
    """A ghost operation whose operands' types were not known yet: its type waits for them."""

    op: str
    left: Type
    right: Type
    result: Type
    place: Place


@dataclass(eq=False, slots=True)
class Body:
    """The state of inference over one function or constant."""

    declarations: Declarations
    crate: Crate
    home: Home
    function: Function | None = None
    ghost: bool = False
    """Whether the code that is being read is ghost code."""
    result: Type = UNIT
    variables: Variables = field(default_factory=Variables)
    scopes: list[dict[str, Local]] = field(default_factory=lambda: [{}])
    loops: list[LoopFrame] = field(default_factory=list)
    closures: int = 0
    """How many closures are open: ``return`` and ``?`` have no meaning in them here."""
    seen: list[ExprNode | PatternNode | Local | FunctionRef | VariantRef] = field(default_factory=list)
    """Everything that carries a type, in the order of reading."""
    waiting: list[Arithmetic] = field(default_factory=list)
    checks: list[Callable[[], None]] = field(default_factory=list)
    """What can be judged once all types are known."""
    names_used: dict[str, int] = field(default_factory=dict)
    negated: set[Expr] = field(default_factory=set)
    """Literals with a minus in front: their least value is one further from zero."""

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr, expected: Type | None = None) -> Type:
        """Infer ``expr``, note its type on it and return it; ``expected`` is a hint and not checked."""
        handler = HANDLERS[type(expr)]
        found = handler(self, expr, expected)
        expr.type = found
        expr.ghost = self.ghost
        self.seen.append(expr)
        return found

    def check(self, expr: Expr, expected: Type) -> Type:
        """Infer ``expr`` where a value of type ``expected`` is needed; return its own type before any coercion."""
        found = self.expr(expr, expected)
        self.fit(found, expected, expr.place)
        return found

    def plain(self, expr: Expr, wanted: Type) -> None:
        """Infer ``expr`` where ``wanted`` is needed and later stages expect no change of form.

        References and boxes may be looked through; a vector must not become a slice here.
        """
        found = self.check(expr, wanted)
        if self.variables.head(found).name in ("&", "&mut"):
            self.checks.append(lambda: self.of_one_form(found, wanted, expr.place))

    def of_one_form(self, found: Type, wanted: Type, place: Place) -> None:
        """Refuse two types, known by now, that differ in more than references and boxes."""
        if erased(self.variables.resolved(found)) != erased(self.variables.resolved(wanted)):
            raise Unsupported("a coercion of a reference in this place", place)

    def ghostly(self, expr: Expr, expected: Type | None = None) -> Type:
        """Infer ``expr`` as ghost code; checked against ``expected`` if given."""
        outer, self.ghost = self.ghost, True
        found = self.expr(expr, expected) if expected is None else self.check(expr, expected)
        self.ghost = outer
        return found

    def condition(self, expr: Expr) -> None:
        """Infer a ghost clause: a truth value."""
        self.ghostly(expr, BOOL)

    # ------------------------------------------------------------ types

    def head(self, type: Type) -> Type:
        """Return ``type`` with a variable at its head replaced as far as known, waiting arithmetic included."""
        found = self.variables.head(type)
        if found.name[0] == "?" and self.waiting:
            self.settle()
            found = self.variables.head(found)
        return found

    def known(self, type: Type, place: Place) -> Type:
        """Return the head of ``type``, which must be known here.

        Raises:
            Rejected: it is not, as the real compiler would say.
        """
        found = self.head(type)
        if found.name[0] == "?" and self.variables.kinds[found.name] != "machine":
            raise Rejected("type annotations needed", place)
        return found

    def peeled(self, type: Type) -> Type:
        """Return ``type`` without the references and boxes around it."""
        found = self.head(type)
        while found.name in ("&", "&mut", "Box"):
            found = self.head(found.args[0])
        return found

    def fresh(self) -> Type:
        """Return a variable that may stand for any type."""
        return self.variables.fresh()

    def read_type(self, written: TypeExpr) -> Type:
        """Return a type that is written inside of the body."""
        return self.declarations.reader.read(written, self.home, self.fresh)

    def fit(self, actual: Type, expected: Type, place: Place) -> None:
        """Make ``actual`` usable where ``expected`` is needed: equal, or by one of the coercions of references.

        Raises:
            Rejected: mismatched types.
        """
        actual = self.variables.head(actual)
        expected = self.variables.head(expected)
        if actual is expected or actual.name == "!":
            return
        if actual.name in ("&", "&mut") and expected.name in ("&", actual.name):
            wanted = self.variables.head(expected.args[0])
            inner = self.variables.head(actual.args[0])
            # `&Vec<T>` fits `&[T]`, `&&T` fits `&T`, ...: at most as many steps as there are layers.
            first = inner
            while not self.variables.attempt(inner, wanted):
                # An array becomes a slice in the first step or not at all.
                below = dereferenced(inner) if inner is first or inner.name != "array" else None
                if below is None:
                    self.mismatch(actual, expected, place)
                inner = self.variables.head(below)
            return
        if (
            expected.name == "Box"
            and actual.name != "Box"
            and self.function is not None
            and self.function.library
        ):
            # The library says what a box is: its contents.
            expected = expected.args[0]
        if not self.variables.unify(actual, expected):
            self.mismatch(actual, expected, place)

    def mismatch(self, actual: Type, expected: Type, place: Place) -> NoReturn:
        """Refuse ``actual`` where ``expected`` is needed."""
        raise Rejected(
            f"mismatched types: expected `{self.show(expected)}`, found `{self.show(actual)}`", place
        )

    def join(self, first: Type, second: Type, place: Place) -> Type:
        """Return the type of two branches, which must agree unless one never ends."""
        first, second = self.variables.head(first), self.variables.head(second)
        if first.name == "!":
            return second
        if second.name != "!" and not self.variables.unify(second, first):
            self.mismatch(second, first, place)
        return first

    def show(self, type: Type) -> str:
        """Return ``type`` as a message shows it."""
        return str(self._shown(self.variables.resolved(type)))

    def _shown(self, type: Type) -> Type:
        if type.name[0] == "?":
            return Type("_" if self.variables.kinds[type.name] == "any" else "{integer}")
        size = "_" if isinstance(type.size, str) and type.size[0] == "?" else type.size
        return Type(type.name, tuple([self._shown(arg) for arg in type.args]), size)

    def settle(self) -> None:
        """Give ghost operations their types where the operands' have become known."""
        left: list[Arithmetic] = []
        for item in self.waiting:
            first, second = self.variables.head(item.left), self.variables.head(item.right)
            result: Type | None
            if item.op in _BITS:
                result = None if first.name[0] == "?" else first
            else:
                result = sum_type(first, second)
            if result is None:
                left.append(item)
            elif not self.variables.unify(item.result, result):
                self.mismatch(result, item.result, item.place)
        self.waiting = left

    # ------------------------------------------------------------ names

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Open a scope of local names."""
        depth = len(self.scopes)
        self.scopes.append({})
        yield
        del self.scopes[depth:]

    def local(self, name: str) -> Local | None:
        """Return the local variable of that name."""
        for scope in reversed(self.scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return None

    def declare(
        self,
        name: str,
        type: Type,
        kind: Any,
        place: Place,
        *,
        mutable: bool = False,
        ghostness: Ghostness = "exec",
    ) -> Local:
        """Open a new variable in the innermost scope."""
        if self.ghost and ghostness == "exec":
            ghostness = "ghost"
        if name != "_" and names_constructor(self.declarations.names.find((name,), self.open_scope, "value")):
            raise Unsupported(f"`{name}` names a constant or constructor and cannot be a variable", place)
        count = self.names_used.get(name, 0) + 1
        self.names_used[name] = count
        unique = name if count == 1 else f"{name}~{count}"
        found = Local(name, type, mutable, ghostness, kind, unique, place=place)
        self.scopes[-1][name] = found
        self.seen.append(found)
        if self.function is not None:
            self.function.locals.append(found)
        return found

    @property
    def open_scope(self) -> Scope:
        """The module or block whose items are in scope."""
        return self.home.scope


def names_constructor(found: object) -> bool:
    """Return whether a bare name in a pattern would be matched against ``found`` and bind nothing."""
    return isinstance(found, Const | VariantEntry) or (isinstance(found, Struct) and not found.variant.fields)


def dereferenced(type: Type) -> Type | None:
    """Return what ``*`` or an implicit step gives: of references, boxes, vectors, arrays and strings."""
    if type.name in ("&", "&mut", "Box"):
        return type.args[0]
    if type.name in ("Vec", "array"):
        return Type("slice", type.args[:1])
    if type.name == "String":
        return Type("str")
    return None


def sum_type(left: Type, right: Type) -> Type | None:
    """Return the type of a ghost ``left + right`` or ``left * right``; None where it depends on what is not known."""
    if left.name[0] == "?":
        return None
    if left.name == "nat":
        if right.name[0] == "?":
            return None
        return NAT if right.name == "nat" else INT
    return INT
