"""Loops, and what leaves them or the function."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from rlvr_gym.verifiers.verus.checks.binding import NOTHING, Binding
from rlvr_gym.verifiers.verus.checks.borrows import TEMPORARY
from rlvr_gym.verifiers.verus.checks.flow import Key, State, joined
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.syntax.tree import (
    Break,
    Continue,
    Expr,
    For,
    Function,
    Local,
    Loop,
    Node,
    Parameter,
    Return,
    TypeExpr,
    TypeRef,
    While,
)

_MOST_ROUNDS = 2_000
"""Each round of a loop learns of another variable or is its last, but nested loops multiply: all of a body together."""


@dataclass(slots=True)
class _Frame:
    """A loop that is being followed."""

    label: str | None
    node: While | Loop | For
    breaks: State | None = None
    continues: State | None = None


class Loops(Binding):
    """Follows loops to a fixed point, and ``break``, ``continue`` and ``return``."""

    def __init__(self, crate: Crate, function: Function) -> None:
        super().__init__(crate, function)
        self._frames: list[_Frame] = []
        self._rounds = 0
        self.returned: frozenset[Local] = frozenset()
        """Parameters that the function's result may point into."""

    @abstractmethod
    def _condition(self, node: Expr) -> State | None:
        """Evaluate a condition; return the state in which it is false, if it can be."""

    @abstractmethod
    def ghostly(self, node: Node) -> None:
        """Follow ghost code."""

    def loop(self, node: While | Loop | For) -> None:
        """Follow a loop until another round teaches nothing."""
        iterator, owners = Local("iterator", Type("tuple")), NOTHING
        if isinstance(node, For):
            owners = self.value(node.iterable)
            self.refuse_temporary(owners, node)
            if self.state is not None:
                self.state.set(iterator, owners)
        start = self.state
        while start is not None:
            self._rounds += 1
            if self._rounds > _MOST_ROUNDS:
                raise Unsupported("loops nested too deeply to follow their moves", node.place)
            frame = _Frame(node.label, node)
            self.state = start.copy()
            self._frames.append(frame)
            after = self._round(node, iterator, owners)
            self._frames.pop()
            following = joined(start, joined(self.state, frame.continues))
            if following == start:
                self.state = joined(after, frame.breaks)
                if self.state is not None:
                    self.state.forget(frozenset({iterator}))
                return
            start = following

    def _round(self, node: While | Loop | For, iterator: Local, owners: frozenset[Key]) -> State | None:
        """Follow one round; return the state in which the loop ends by itself."""
        self.ghost = True
        self.ghostly(node.clauses)
        self.ghost = False
        after: State | None = None
        with self.scope():
            if isinstance(node, While):
                after = self._condition(node.condition)
            elif isinstance(node, For) and self.state is not None:
                if iterator in self.state.stale:
                    raise Rejected("cannot change what a `for` loop goes through", node.place)
                after = self.state.copy()
                self.bind(node.pattern, None, owners)
            self.value(node.body)
        return after

    def leave(self, node: Break | Continue | Return) -> None:
        """Follow ``break``, ``continue`` or ``return``."""
        if isinstance(node, Return):
            owners = self.value(node.value) if node.value is not None else NOTHING
            self.check_returned(owners, node)
            self.state = None
            return
        frame = self._target(node)
        if isinstance(node, Break):
            if node.value is not None:
                if not isinstance(frame.node, Loop):
                    raise Rejected("`break` with a value from a `while` or `for` loop", node.place)
                if self.value(node.value):
                    raise Unsupported("`break` with a reference", node.place)
            frame.breaks = joined(frame.breaks, self.state)
        else:
            frame.continues = joined(frame.continues, self.state)
        self.state = None

    def _target(self, node: Break | Continue) -> _Frame:
        for frame in reversed(self._frames):
            if node.label is None or frame.label == node.label:
                return frame
        word = type(node).__name__.lower()
        where = f"no loop here is called `'{node.label}`" if node.label is not None else "outside of a loop"
        raise Rejected(f"`{word}` {where}", node.place)

    # ------------------------------------------------------------ results

    def check_returned(self, owners: frozenset[Key], node: Node) -> None:
        """Refuse a result that points into something that ends with the function."""
        for owner in owners:
            if owner == TEMPORARY:
                raise Rejected("cannot return a reference to a temporary value", node.place)
            if owner[0] not in self.returned:
                raise Rejected(f"cannot return a value that borrows from `{owner[0].name}`", node.place)

    def _returnable(self, function: Function) -> frozenset[Local]:
        """Return the parameters that the result borrows from, by Rust's rules for lifetimes that are not written."""
        if self.ghost or function.result_type is None or not self.has_references(function.result_type):
            return frozenset()
        if _mentions_mutable(function.result_type):
            raise Unsupported("mutable references as results", function.place)
        candidates = [
            parameter
            for parameter, type in zip(function.parameters, function.parameter_types, strict=True)
            if self.has_references(type)
        ]
        if any(generic.kind == "lifetime" for generic in self.generics):
            return self._named(function, candidates)
        if _lifetime(function.result) == "'static" and not _is_deep(function.result_type):
            return frozenset()
        itself = [parameter for parameter in candidates if parameter.self_reference]
        chosen = itself or candidates
        if len(chosen) != 1 or (
            not itself and chosen[0].local is not None and _count(chosen[0].local.type) != 1
        ):
            raise Rejected("missing lifetime specifier in the result", function.place)
        if (
            chosen[0].self_reference == "&mut"
            or chosen[0].local is None
            or chosen[0].local.type.name == "&mut"
        ):
            raise Unsupported("a result that borrows from a mutable reference", function.place)
        return frozenset({chosen[0].local})

    def _named(self, function: Function, candidates: list[Parameter]) -> frozenset[Local]:
        """Return the parameters that the result borrows from where their lifetimes are written."""
        wanted = _lifetime(function.result)
        parameters = frozenset(generic.name for generic in self.generics if generic.kind == "lifetime")
        plain = all(_lifetime(parameter.type) is not None for parameter in candidates)
        bounds = any(generic.bounds for generic in self.generics if generic.kind == "lifetime")
        assert function.result_type is not None
        types = [function.result_type, *(item.local.type for item in candidates if item.local is not None)]
        if wanted not in parameters or not plain or bounds or any(_is_deep(type) for type in types):
            raise Unsupported("lifetimes other than those of plain references", function.place)
        chosen = [parameter for parameter in candidates if _lifetime(parameter.type) == wanted]
        if any(parameter.local is None or parameter.local.type.name != "&" for parameter in chosen):
            raise Unsupported("a result that borrows from a mutable reference", function.place)
        return frozenset(parameter.local for parameter in chosen if parameter.local is not None)


def _lifetime(type: TypeExpr | None) -> str | None:
    return type.lifetime if isinstance(type, TypeRef) else None


def _count(type: Type) -> int:
    """Return how many references stand in ``type``."""
    return int(type.name in ("&", "&mut")) + sum(_count(argument) for argument in type.args)


def _is_deep(type: Type) -> bool:
    """Return whether references stand inside of ``type``, apart from itself."""
    return any(argument.name in ("&", "&mut") or _is_deep(argument) for argument in type.args)


def _mentions_mutable(type: Type) -> bool:
    return type.name == "&mut" or any(_mentions_mutable(argument) for argument in type.args)
