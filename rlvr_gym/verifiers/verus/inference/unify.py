"""Variables of inference: what they may stand for, and making two types equal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import Type, is_integer, is_machine
from rlvr_gym.verifiers.verus.report import NOWHERE

Kind = Literal["any", "machine", "integer"]
"""``machine``: an integer literal of compiled code, ``i32`` where nothing says otherwise. ``integer``: one of ghost code,
which may also be ``int`` or ``nat`` and has no default: the real compiler asks for an annotation."""

# Types grow by sharing (`let b = (a, a)` doubles), so work on them is counted rather than measured by their size.
_MOST_STEPS = 400_000

_STRENGTH = {"any": 0, "integer": 1, "machine": 2}


@dataclass(slots=True)
class Variables:
    """The variables of one function and what is known about each."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    values: dict[str, Type] = field(default_factory=dict)
    sizes: dict[str, int | str] = field(default_factory=dict)
    steps: int = 0
    trail: list[str] | None = None
    """Variables bound since the last `attempt` began, while one is running."""

    def fresh(self, kind: Kind = "any") -> Type:
        """Return a new variable."""
        name = f"?{len(self.kinds)}"
        self.kinds[name] = kind
        return Type(name)

    def fresh_size(self) -> str:
        """Return a new variable for the length of an array."""
        name = f"?{len(self.kinds)}"
        self.kinds[name] = "any"
        return name

    def head(self, type: Type) -> Type:
        """Return ``type`` with a variable at its head replaced by its value, as far as known."""
        values = self.values
        while type.name[0] == "?":
            value = values.get(type.name)
            if value is None:
                return type
            type = value
        return type

    def size(self, size: int | str | None) -> int | str | None:
        """Return an array's length with variables replaced."""
        while isinstance(size, str) and size[0] == "?" and size in self.sizes:
            size = self.sizes[size]
        return size

    def spend(self) -> None:
        """Count one step of work on types.

        Raises:
            Unsupported: there were too many.
        """
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Unsupported("types too large to infer", NOWHERE)

    def resolved(self, type: Type) -> Type:
        """Return ``type`` with all known variables replaced, at every depth."""
        self.spend()
        type = self.head(type)
        if not type.args and type.size is None:
            return type
        args = tuple([self.resolved(arg) for arg in type.args])
        size = self.size(type.size)
        if args == type.args and size == type.size:
            return type
        return Type(type.name, args, size)

    def unify(self, left: Type, right: Type) -> bool:
        """Make the two equal; False, with some variables perhaps bound, where they cannot be."""
        if left is right:
            return True
        self.spend()
        left, right = self.head(left), self.head(right)
        if left is right:
            return True
        if left.name[0] == "?":
            return left.name == right.name or self._bind(left, right)
        if right.name[0] == "?":
            return self._bind(right, left)
        if left.name != right.name or len(left.args) != len(right.args):
            return False
        if (left.size is not None or right.size is not None) and not self._unify_sizes(left.size, right.size):
            return False
        for first, second in zip(left.args, right.args, strict=True):
            if not self.unify(first, second):
                break
        else:
            return True
        return False

    def attempt(self, left: Type, right: Type) -> bool:
        """Make the two equal, or change nothing and return False."""
        outer, self.trail = self.trail, []
        done = self.unify(left, right)
        if not done:
            for name in self.trail:
                self.values.pop(name, None)
                self.sizes.pop(name, None)
        elif outer is not None:
            outer.extend(self.trail)
        self.trail = outer
        return done

    def _bind(self, variable: Type, value: Type) -> bool:
        kind = self.kinds[variable.name]
        if value.name[0] == "?":
            # The weaker of two variables points to the stronger: any, then integer, then machine.
            other = self.kinds[value.name]
            if _STRENGTH[kind] > _STRENGTH[other]:
                variable, value = value, variable
        elif not _may_be(kind, value) or (value.args and self._occurs(variable.name, value)):
            return False
        self.values[variable.name] = value
        if self.trail is not None:
            self.trail.append(variable.name)
        return True

    def _occurs(self, name: str, type: Type) -> bool:
        self.spend()
        type = self.head(type)
        found = type.name == name
        for arg in type.args:
            # A loop and not `any`: that would use the C stack at every level of a deep type.
            found = found or self._occurs(name, arg)
        return found

    def _unify_sizes(self, left: int | str | None, right: int | str | None) -> bool:
        left, right = self.size(left), self.size(right)
        if left == right:
            return True
        for first, second in ((left, right), (right, left)):
            if isinstance(first, str) and first[0] == "?" and second is not None:
                self.sizes[first] = second
                if self.trail is not None:
                    self.trail.append(first)
                return True
        return False


def _may_be(kind: Kind, value: Type) -> bool:
    """Return whether a variable of ``kind`` may stand for ``value``."""
    if kind == "machine":
        return is_machine(value)
    if kind == "integer":
        return is_integer(value) or value.name == "char"
    return value.name != "!"
