"""Patterns: what they take from the value that they are matched against, and the variables that they make."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from rlvr_gym.verifiers.verus.checks.borrows import TEMPORARY, Borrows
from rlvr_gym.verifiers.verus.checks.flow import Key
from rlvr_gym.verifiers.verus.checks.places import PlacePath, place_of
from rlvr_gym.verifiers.verus.checks.walk import walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.syntax.tree import (
    BindPattern,
    Borrow,
    Expr,
    Function,
    Local,
    Node,
    OrPattern,
    Pattern,
    ReferencePattern,
    TuplePattern,
    VariantPattern,
)

NOTHING: frozenset[Key] = frozenset()


class Scope:
    """The variables of one block."""

    def __init__(self, parent: list[Local]) -> None:
        self.locals = parent

    def check(self, owners: frozenset[Key], node: Node) -> None:
        """Refuse a result that points into a variable of the block."""
        for owner in owners:
            if any(owner[0] is local for local in self.locals):
                raise Rejected(f"`{owner[0].name}` does not live long enough", node.place)


class Binding(Borrows):
    """Binds patterns."""

    def __init__(self, crate: Crate, function: Function) -> None:
        super().__init__(crate, function)
        self._scopes: list[list[Local]] = []

    @abstractmethod
    def value(self, node: Expr) -> frozenset[Key]:
        """Evaluate ``node`` for its value."""

    @abstractmethod
    def read(self, node: Expr) -> frozenset[Key]:
        """Evaluate ``node`` without moving it."""

    @contextmanager
    def scope(self) -> Iterator[Scope]:
        """Open a block: what it declares ends with it, and references to that are stale afterwards."""
        locals_: list[Local] = []
        self._scopes.append(locals_)
        yield Scope(locals_)
        self._scopes.pop()
        if self.state is not None:
            for local in locals_:
                self.expire((local, ()))
            self.state.forget(frozenset(locals_))

    def declared(self, local: Local) -> None:
        """Note a variable of the innermost block."""
        if self._scopes:
            self._scopes[-1].append(local)

    def refuse_temporary(self, owners: frozenset[Key], node: Node) -> None:
        """Refuse to keep a reference into a value that ends with the statement."""
        if TEMPORARY in owners:
            raise Unsupported("a reference into a value without a name is kept", node.place)

    def scrutinee(self, node: Expr, extended: bool = False) -> tuple[PlacePath | None, frozenset[Key]]:
        """Evaluate what patterns are matched against: its place, or None, and what it points into."""
        place = None if self.ghost else place_of(node)
        if place is not None:
            self.read(node)
            if self.state is None:
                return place, NOTHING
            return place, self.state.owners.get(place.local, NOTHING)
        if extended and isinstance(node, Borrow) and not node.mutable:
            return None, self.read(node.operand) if not self.ghost else self.value(node)
        return None, self.value(node)

    def bind(
        self, pattern: Pattern, place: PlacePath | None, owners: frozenset[Key], by_reference: bool = False
    ) -> None:
        """Bind ``pattern`` to the value at ``place`` (None: a value without a name) that points into ``owners``."""
        if self.state is None:
            return
        match pattern:
            case BindPattern():
                self._bind_name(pattern, place, owners, by_reference)
            case TuplePattern() | VariantPattern():
                by_reference, place, owners = self._through(pattern, place, owners, by_reference)
                for name, inner in _fields(pattern):
                    part = None if place is None else PlacePath(place.local, (*place.steps, "." + name))
                    self.bind(inner, part, owners, by_reference)
            case ReferencePattern():
                for found in walk(pattern.inner):
                    moves = (
                        isinstance(found, BindPattern)
                        and not found.by_reference
                        and not self.is_copy(found.type)
                    )
                    if moves and not self.ghost:
                        raise Rejected("cannot move out of a reference", pattern.place)
                self.bind(pattern.inner, None, owners)
            case OrPattern():
                for option in pattern.options:
                    self.bind(option, place, owners, by_reference)
            case _:
                pass

    def _through(
        self,
        pattern: TuplePattern | VariantPattern,
        place: PlacePath | None,
        owners: frozenset[Key],
        by_reference: bool,
    ) -> tuple[bool, PlacePath | None, frozenset[Key]]:
        """Follow references that a pattern of a plain form is matched through."""
        type = pattern.type
        while type is not None and type.name in ("&", "&mut", "Box"):
            if type.name == "&mut" and not self.ghost:
                raise Unsupported("a pattern on a mutable reference", pattern.place)
            by_reference = by_reference or type.name == "&"
            place = None if place is None else PlacePath(place.local, (*place.steps, "*" + type.name))
            type = type.args[0]
        return by_reference, place, owners

    def _bind_name(
        self, pattern: BindPattern, place: PlacePath | None, owners: frozenset[Key], by_reference: bool
    ) -> None:
        assert self.state is not None
        local = pattern.local
        if local is None:
            raise Unsupported("a pattern whose variable is not known", pattern.place)
        if pattern.inner is not None:
            self.bind(pattern.inner, place, owners, by_reference)
            if self.state is None:
                return
        found = NOTHING
        if not self.ghost:
            if by_reference or pattern.by_reference:
                if pattern.mutable and pattern.by_reference:
                    raise Unsupported("`ref mut`", pattern.place)
                found = owners if place is None else owners | self.borrowed(place)
            else:
                if place is not None and not self.is_copy(pattern.type):
                    if pattern.inner is not None:
                        raise Unsupported("moving a value that is also matched further", pattern.place)
                    self.move(place, pattern.place)
                found = owners if self._may_point(pattern.type) else NOTHING
        self.state.set(local, found)
        self.declared(local)

    def _may_point(self, type: Type | None) -> bool:
        return self.has_references(type)


def _fields(pattern: TuplePattern | VariantPattern) -> Iterator[tuple[str, Pattern]]:
    if isinstance(pattern, TuplePattern):
        for index, item in enumerate(pattern.items):
            # Items behind `..` get names of their own: what overlaps with them is not told apart.
            yield (str(index) if pattern.rest is None or index < pattern.rest else f"..{index}"), item
    else:
        yield from pattern.fields
