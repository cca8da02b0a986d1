"""Calls: arguments are evaluated left to right, what is lent stays lent until the call, what is lent mutably changes."""

from __future__ import annotations

from abc import abstractmethod

from rlvr_gym.verifiers.verus.checks.binding import NOTHING, Binding
from rlvr_gym.verifiers.verus.checks.borrows import TEMPORARY
from rlvr_gym.verifiers.verus.checks.flow import Key, key
from rlvr_gym.verifiers.verus.checks.mode_uses import builtin_name
from rlvr_gym.verifiers.verus.checks.places import PlacePath, place_of
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.syntax.tree import (
    BoolLit,
    Borrow,
    Call,
    CharLit,
    Expr,
    FunctionRef,
    IntLit,
    Local,
    MethodCall,
    Node,
    StrLit,
)


class Calls(Binding):
    """Evaluates calls."""

    @abstractmethod
    def ghostly(self, node: Node) -> None:
        """Follow ghost code."""

    @abstractmethod
    def steps(self, node: Expr) -> None:
        """Evaluate the indices on the way to a place."""

    def call(self, node: Call) -> frozenset[Key]:
        """Evaluate ``f(arguments)``."""
        if isinstance(node.target, FunctionRef):
            types = node.target.function.parameter_types
            return self._called(node, list(zip(node.arguments, types, strict=True)), None)
        if node.target is None:
            if builtin_name(node) == "Ghost":
                self.ghost = True
                for argument in node.arguments:
                    self.ghostly(argument)
                self.ghost = False
                return NOTHING
            raise Unsupported("a call of a value", node.place)
        return self._called(node, [(argument, None) for argument in node.arguments], None)

    def method(self, node: MethodCall) -> frozenset[Key]:
        """Evaluate ``receiver.name(arguments)``, whose receiver is borrowed as the method asks."""
        if node.target is None:
            owners = self.read(node.receiver)
            for argument in node.arguments:
                self.value(argument)
            return owners
        types = node.target.function.parameter_types
        return self._called(
            node, list(zip(node.arguments, types[1:], strict=True)), (node.receiver, types[0])
        )

    def _called(
        self,
        node: Call | MethodCall,
        arguments: list[tuple[Expr, Type | None]],
        receiver: tuple[Expr, Type] | None,
    ) -> frozenset[Key]:
        owners = NOTHING
        changed: list[tuple[PlacePath, Expr]] = []
        later: PlacePath | None = None
        with self.lending():
            if receiver is not None:
                later, found = self._receiver(*receiver)
                owners |= found
                if later is not None:
                    changed.append((later, receiver[0]))
            for argument, type in arguments:
                place = self._mutable_argument(argument, type)
                if place is not None:
                    self.lend(frozenset({key(place)}), "mutable", argument.place)
                    changed.append((place, argument))
                    continue
                found = self._lent_value(argument, type)
                self.lend(found, "shared", argument.place)
                owners |= found
            if later is not None:
                # From here on the receiver is lent mutably: no argument may point into it.
                for lent, how in self.lent:
                    if (
                        how != "later"
                        and later.local is lent[0]
                        and later.overlaps(PlacePath(lent[0], lent[1]))
                    ):
                        raise Rejected(
                            f"cannot borrow `{later.local.name}` as mutable, an argument borrows it",
                            node.place,
                        )
        for place, argument in changed:
            if self.state is not None:
                self.change(place, argument.place)
        self._keep([place.local for place, _ in changed], owners, node)
        if changed and self.has_references(node.type):
            raise Unsupported("a result that may borrow from a mutable reference", node.place)
        return owners

    def _keep(self, changed: list[Local], owners: frozenset[Key], node: Expr) -> None:
        """Note that what was handed to a call may be kept in what the call could change."""
        if self.state is None:
            return
        keeping = [local for local in changed if self.has_references(_behind(local.type))]
        for local in keeping:
            owners |= self.state.owners.get(local, NOTHING)
        for local in keeping:
            self.refuse_temporary(owners, node)
            if local.kind == "parameter" and not owners <= {(local, ())}:
                raise Unsupported(f"a reference that `{local.name}`, a parameter, may keep", node.place)
            self.state.owners[local] = self.state.owners.get(local, NOTHING) | owners

    def _receiver(self, node: Expr, type: Type) -> tuple[PlacePath | None, frozenset[Key]]:
        """Evaluate a receiver: the place that the method may change, and what its reference points into."""
        if type.name == "&mut":
            place = self._reborrowed(node)
            self.lend(frozenset({key(place)}), "later", node.place)
            return place, NOTHING
        if type.name != "&":
            owners = self._by_value(node)
        elif node.type is not None and node.type.name == "&":
            owners = self.value(node)
        else:
            owners = self.read(node) if place_of(node) is not None else self.value(node) | {TEMPORARY}
        self.lend(owners - {TEMPORARY}, "shared", node.place)
        return None, owners

    def _by_value(self, node: Expr) -> frozenset[Key]:
        """Evaluate a receiver that the method takes by value, through the references that are followed for it."""
        inner = node.type
        if inner is None or inner.name not in ("&", "&mut", "Box"):
            return self.value(node)
        owners = self.read(node)
        while inner.name in ("&", "&mut", "Box"):
            inner = inner.args[0]
        if not self.is_copy(inner):
            raise Rejected("cannot move out of a reference or box to call a method", node.place)
        return owners if self.has_references(inner) else NOTHING

    def _mutable_argument(self, node: Expr, type: Type | None) -> PlacePath | None:
        """Return the place that an argument lends mutably, if it does."""
        if isinstance(node, Borrow) and node.mutable:
            if type is None or type.name != "&mut":
                raise Unsupported("a mutable reference as a value", node.place)
            named = place_of(node.operand)
            if named is not None:
                # `&mut r` of a mutable reference `r` lends `r` itself, which must be `mut` for it.
                self.check_mutable(named, node.place)
            return self._reborrowed(node.operand)
        if type is not None and type.name == "&mut":
            return self._reborrowed(node)
        return None

    def _reborrowed(self, node: Expr) -> PlacePath:
        """Return the place that is lent mutably by naming it, or by naming the mutable reference to it."""
        place = place_of(node)
        if place is None:
            raise Unsupported("a mutable reference to something without a name", node.place)
        self.steps(node)
        self.use(place, node.place)
        inner = node.type
        while inner is not None and inner.name in ("&", "&mut", "Box"):
            place = PlacePath(place.local, (*place.steps, "*" + inner.name))
            inner = inner.args[0]
        self.check_mutable(place, node.place)
        return place

    def _lent_value(self, node: Expr, type: Type | None) -> frozenset[Key]:
        """Evaluate an argument: a reference to something without a name ends with the statement."""
        if type is not None and type.name == "&" and node.type is not None and node.type.name == "&mut":
            # The mutable reference is lent on as a shared one.
            place = place_of(node)
            if place is not None and self.state is not None:
                self.read(node)
                return self.borrowed(PlacePath(place.local, (*place.steps, "*&mut")))
        owners = self.value(node)
        if isinstance(node, Borrow) and place_of(node.operand) is None:
            literal = isinstance(node.operand, IntLit | BoolLit | CharLit | StrLit)
            return owners if literal else owners | {TEMPORARY}
        return owners


def _behind(type: Type) -> Type:
    """Return what a mutable reference points to."""
    while type.name == "&mut":
        type = type.args[0]
    return type
