"""Scopes: what a name or path stands for in a module or block, through `use` and the prelude."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.known import LANGUAGE, OUTSIDE_CRATES, is_known_module, is_known_name
from rlvr_gym.verifiers.verus.inference.visibility import check_item, is_open, sees
from rlvr_gym.verifiers.verus.report import NOWHERE, Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    Const,
    Enum,
    Function,
    ItemNode,
    Struct,
    Trait,
    TypeAlias_,
    Variant,
)

Namespace = Literal["type", "value"]
_MOST_HOPS = 32
"""How many `use` items may lead to each other."""
_MOST_LOOKUPS = 50_000


@dataclass(frozen=True, slots=True)
class VariantEntry:
    """A constructor of an enum."""

    enum: Enum
    variant: Variant


@dataclass(frozen=True, slots=True)
class Unmodelled:
    """A name of the real libraries that our model of them lacks."""

    path: str


@dataclass(frozen=True, slots=True)
class Import:
    """One leaf of a ``use``."""

    path: tuple[str, ...]
    public: str
    place: Place


@dataclass(eq=False, slots=True)
class Scope:
    """A module, or a block with items of its own (``around`` set)."""

    path: str
    parent: Scope | None = None
    """The module that this one stands in."""
    around: Scope | None = None
    """For a block: the scope whose names it sees."""
    library: bool = False
    types: dict[str, TypeEntry] = field(default_factory=dict)
    values: dict[str, ValueEntry] = field(default_factory=dict)
    public: str = "pub"
    """The words in front of the module."""
    uses: dict[str, list[Import]] = field(default_factory=dict)
    globs: list[Import] = field(default_factory=list)

    @property
    def module(self) -> Scope:
        """The innermost module: itself, unless it is a block."""
        scope = self
        while scope.around is not None:
            scope = scope.around
        return scope


TypeEntry: TypeAlias = Struct | Enum | TypeAlias_ | Trait | Scope | VariantEntry | Unmodelled
ValueEntry: TypeAlias = Function | Const | Struct | VariantEntry | Unmodelled
Entry: TypeAlias = TypeEntry | ValueEntry


_Question: TypeAlias = tuple[Scope, str, Namespace, bool]


@dataclass(eq=False, slots=True)
class Names:
    """Resolution of paths in one program; ``extern`` are the roots of the libraries (``vstd``, ``std``)."""

    root: Scope
    extern: dict[str, Scope]
    prelude: Scope
    spent: int = 0
    _known: dict[_Question, Entry | None] = field(default_factory=dict)
    _busy: set[_Question] = field(default_factory=set)
    _cut: bool = False
    """Whether a lookup came upon itself, so that what it found is not the whole answer."""

    def find(self, path: tuple[str, ...], scope: Scope, space: Namespace, hops: int = 0) -> Entry | None:
        """Return what ``path`` stands for where ``scope`` is open, or None."""
        if hops > _MOST_HOPS:
            return None
        if len(path) == 1:
            return self._open(path[0], scope, space, hops)
        start, rest = self._start(path, scope, hops)
        if isinstance(start, Unmodelled) or start is None:
            return Unmodelled("::".join(path)) if isinstance(start, Unmodelled) else None
        return self._walk(start, rest, space, path, scope.module.path, hops)

    def _walk(
        self,
        start: Entry,
        rest: tuple[str, ...],
        space: Namespace,
        path: tuple[str, ...],
        reader: str,
        hops: int,
    ) -> Entry | None:
        """Return what the parts ``rest`` of ``path`` lead to from ``start``, as module ``reader`` sees it."""
        for index, name in enumerate(rest):
            last = index == len(rest) - 1
            if isinstance(start, Enum):
                return _variant(start, name) if last else None
            if not isinstance(start, Scope):
                return None
            found = self._inside(
                start, name, space if last else "type", hops, private=sees(reader, start.path)
            )
            if isinstance(found, Scope) and not found.library and found.parent is start:
                owner = found.parent.path
                if not is_open(found.public, owner, reader, NOWHERE):
                    raise Rejected(f"module `{found.path}` is private", NOWHERE)
            if found is None:
                return Unmodelled("::".join(path)) if start.library else None
            if isinstance(found, Unmodelled) or last:
                return found
            start = found
        return start

    def known(self, scope: Scope, space: Namespace) -> Iterator[str]:
        """Yield the names that are open in ``scope``, for hints."""
        while True:
            yield from scope.types if space == "type" else scope.values
            yield from scope.uses
            if scope.around is None:
                break
            scope = scope.around
        yield from self.prelude.types if space == "type" else self.prelude.values

    def check_uses(self, scope: Scope) -> None:
        """Refuse a ``use`` of something that is not there.

        Raises:
            Rejected: the path leads nowhere.
            Unsupported: it leads to a part of a library that is not modelled and not known to exist.
        """
        for leaves in scope.uses.values():
            for leaf in leaves:
                path, place = leaf.path, leaf.place
                found = self.find(path, scope.module, "type", 1)
                if isinstance(found, ItemNode):
                    check_item(found, path[-1], scope.module.path, place)
                value = self.find(path, scope.module, "value", 1)
                if isinstance(value, ItemNode):
                    check_item(value, path[-1], scope.module.path, place)
                if found is None or isinstance(found, Unmodelled):
                    found = value or found
                if found is None and path[0] not in OUTSIDE_CRATES:
                    known = self.known(scope.module, "type")
                    raise Rejected(
                        f"unresolved import `{'::'.join(path)}`.{did_you_mean(path[-1], known)}", place
                    )
                if isinstance(found, Unmodelled) and not is_known_name(path):
                    raise Unsupported(f"`use {'::'.join(path)}`: not in the model of the library", place)

    def _open(self, name: str, scope: Scope, space: Namespace, hops: int) -> Entry | None:
        """Return what a bare name stands for."""
        inner: Scope | None = scope
        while inner is not None:
            found = self._inside(inner, name, space, hops, private=True)
            if found is not None:
                return found
            inner = inner.around
        if space == "type" and (root := self._root(name, scope)) is not None:
            return root
        entries = self.prelude.types if space == "type" else self.prelude.values
        return entries.get(name)

    def _root(self, name: str, scope: Scope) -> Scope | None:
        if name == "crate":
            return self.prelude if scope.library else self.root
        if name == "self":
            return scope.module
        if name == "super":
            return scope.module.parent
        return self.extern.get(name)

    def _start(self, path: tuple[str, ...], scope: Scope, hops: int) -> tuple[Entry | None, tuple[str, ...]]:
        """Return where a path of several segments starts and what is left of it."""
        name = path[0]
        if name in ("crate", "self", "super"):
            start = self._root(name, scope)
            rest = path[1:]
            while rest and rest[0] == "super" and start is not None:
                start, rest = start.parent, rest[1:]
            return start, rest
        found = self._open(name, scope, "type", hops)
        if found is None and name in OUTSIDE_CRATES:
            return Unmodelled(name), ()
        return found, path[1:]

    def _inside(self, scope: Scope, name: str, space: Namespace, hops: int, *, private: bool) -> Entry | None:
        """Return what ``name`` is in ``scope`` itself: its items, then what it imports.

        ``private`` lets imports count that are not public.

        Raises:
            Unsupported: imports lead to each other in too many ways.
        """
        found: Entry | None = (scope.types if space == "type" else scope.values).get(name)
        if found is not None or not (scope.globs or name in scope.uses):
            return found
        key = (scope, name, space, private)
        if key in self._known:
            return self._known[key]
        if key in self._busy or hops > _MOST_HOPS:
            self._cut = True
            return None
        self.spent += 1
        if self.spent > _MOST_LOOKUPS:
            raise Unsupported("imports that lead to each other in very many ways", NOWHERE)
        outer, self._cut = self._cut, False
        self._busy.add(key)
        found = self._imported(scope, name, space, hops, private)
        self._busy.discard(key)
        if not self._cut:
            self._known[key] = found
        self._cut = self._cut or outer
        return found

    def _imported(self, scope: Scope, name: str, space: Namespace, hops: int, private: bool) -> Entry | None:
        missing: Unmodelled | None = None
        for leaf in scope.uses.get(name, ()):
            path = leaf.path
            if not private and not leaf.public:
                continue
            if path == (name,):
                # `use vstd;` names the crate itself.
                return self.extern.get(name) if space == "type" else None
            found = self.find(path, scope.module, space, hops + 1)
            if isinstance(found, Unmodelled):
                missing = found
            elif found is not None:
                return found
        if missing is not None:
            return missing
        candidates: list[Entry] = []
        for leaf in scope.globs:
            if not private and not leaf.public:
                continue
            path = leaf.path
            target = self._glob_target(path, scope, hops)
            if isinstance(target, Unmodelled):
                missing = target
                continue
            found = None
            if isinstance(target, Enum):
                found = _variant(target, name)
            elif target is not None and target is not scope:
                inner = sees(scope.module.path, target.path)
                found = self._inside(target, name, space, hops + 1, private=inner)
            if isinstance(found, Unmodelled):
                missing = found
            elif found is not None and all(found is not other and found != other for other in candidates):
                candidates.append(found)
        if len(candidates) > 1:
            raise Unsupported(f"`{name}` is imported by more than one `use ..::*`", NOWHERE)
        if candidates:
            return candidates[0]
        if missing is not None and self._prelude_or_nothing(name, space):
            return None
        return Unmodelled(f"{missing.path}::{name}") if missing is not None else None

    def _prelude_or_nothing(self, name: str, space: Namespace) -> bool:
        """Return whether the prelude or the language explains ``name``, so that an unmodelled glob need not."""
        entries = self.prelude.types if space == "type" else self.prelude.values
        return name in entries or name in LANGUAGE or (space == "type" and name in self.extern)

    def _glob_target(
        self, path: tuple[str, ...], scope: Scope, hops: int
    ) -> Scope | Enum | Unmodelled | None:
        if path[0] in OUTSIDE_CRATES and path[0] not in self.extern:
            return None
        if path[0] in self.extern and path[0] not in scope.module.types:
            found: Entry | None = self.extern.get(path[0])
            if found is not None and len(path) > 1:
                found = self._walk(found, path[1:], "type", path, scope.module.path, hops)
        else:
            found = self.find(path, scope.module, "type", hops + 1)
        if isinstance(found, Scope | Enum | Unmodelled):
            return found
        return None


def check_globs(names: Names, scope: Scope) -> None:
    """Refuse ``use path::*`` where the path leads nowhere, or to no known part of a library."""
    for leaf in scope.globs:
        path, place = leaf.path, leaf.place
        if path[0] in OUTSIDE_CRATES and path[0] not in names.extern:
            continue
        found = names.find(path, scope.module, "type", 1)
        if isinstance(found, Unmodelled):
            if not is_known_module(path):
                raise Unsupported(f"`use {'::'.join(path)}::*`: not in the model of the library", place)
        elif not isinstance(found, Scope | Enum):
            raise Rejected(f"unresolved import `{'::'.join(path)}`", place)


def _variant(enum: Enum, name: str) -> VariantEntry | None:
    for variant in enum.variants:
        if variant.name == name:
            return VariantEntry(enum, variant)
    return None
