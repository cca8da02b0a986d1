"""The rules for single places: what may be read, changed, moved away or lent, and what that makes stale."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from rlvr_gym.verifiers.verus.checks.flow import Key, State, is_part, key, overlap
from rlvr_gym.verifiers.verus.checks.places import PlacePath
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.report import NOWHERE, Place
from rlvr_gym.verifiers.verus.syntax.tree import Function, Local

Lending = Literal["shared", "later", "mutable"]
"""How a place is lent while the rest of a call is evaluated; ``later``: mutably, once the call begins."""
TEMPORARY: Key = (Local("temporary", Type("tuple")), ())
"""Stands for a value without a name, which ends with its statement."""


class Borrows:
    """Checks single places against the state at this point."""

    def __init__(self, crate: Crate, function: Function) -> None:
        self.crate = crate
        self.generics = (*(function.owner.generics if function.owner is not None else ()), *function.generics)
        self.state: State | None = State()
        self.ghost = False
        self.lent: list[tuple[Key, Lending]] = []
        self.guarding = 0
        """Inside of how many guards of arms this point is; there nothing may change."""

    # ------------------------------------------------------------ types

    def is_copy(self, type: Type | None) -> bool:
        """Return whether reading a value of ``type`` leaves it where it is."""
        return type is not None and self.crate.has_trait(type, "Copy", self.generics)

    def has_references(self, type: Type | None) -> bool:
        """Return whether a value of ``type`` may point into other values."""
        if type is None or type.name in ("&", "&mut"):
            return True
        datatype = self.crate.datatype(type.name)
        if datatype is not None and any(generic.kind == "lifetime" for generic in datatype.generics):
            return True
        return any(self.has_references(argument) for argument in type.args)

    # ------------------------------------------------------------ places

    def use(self, place: PlacePath, where: Place) -> None:
        """Check that ``place`` can be read."""
        if self.state is None or self.ghost:
            # What was moved can still be spoken of, and what has no value yet has any.
            return
        name = place.local.name
        for gone, why in self.state.gone.items():
            if overlap(gone, key(place)):
                if why == "unset":
                    raise Rejected(f"used binding `{name}` is possibly-uninitialized", where)
                raise Rejected(f"use of moved value: `{name}`", where)
        if place.local in self.state.stale:
            raise Rejected(f"`{name}` borrows from something that has changed since", where)
        for lent, how in self.lent:
            if how == "mutable" and overlap(lent, key(place)):
                raise Rejected(f"cannot use `{name}` because it is mutably borrowed in the same call", where)

    def move(self, place: PlacePath, where: Place) -> None:
        """Move the value of ``place`` away."""
        if self.state is None:
            return
        name = place.local.name
        if place.has_index:
            raise Rejected(f"cannot move out of an element of `{name}`", where)
        if place.behind_reference:
            raise Rejected(f"cannot move out of `{name}`, which is behind a reference", where)
        if "*Box" in place.steps:
            # The whole box counts as gone: what is left of it is not followed.
            place = PlacePath(place.local, place.steps[: place.steps.index("*Box")])
        if place.local.type.name == "&mut":
            raise Unsupported(f"`{name}`, a mutable reference, as a value", where)
        self._refuse_lent(place, where)
        self.state.gone[key(place)] = "moved"
        self.expire(key(place), place.local)

    def change(self, place: PlacePath, where: Place) -> None:
        """Change ``place``, or lend it to somebody who may."""
        if self.state is None:
            return
        self.check_mutable(place, where)
        self._refuse_lent(place, where)
        self.expire(key(place), place.local)

    def check_mutable(self, place: PlacePath, where: Place) -> None:
        """Check that what stands at ``place`` may change."""
        name = place.local.name
        if place.behind_shared:
            raise Rejected(f"cannot change `{name}`, which is behind a `&` reference", where)
        if "*&mut" not in place.steps and not place.local.mutable:
            raise Rejected(f"cannot change `{name}`, as it is not declared as mutable", where)

    def assign(self, place: PlacePath, owners: frozenset[Key], where: Place) -> None:
        """Give ``place`` a new value that points into ``owners``."""
        state = self.state
        if state is None:
            return
        if not place.steps:
            local = place.local
            if not local.mutable and local in state.ever:
                raise Rejected(f"cannot assign twice to immutable variable `{local.name}`", where)
            if local.kind == "parameter" and not owners <= {(local, ())}:
                # What a parameter points to outlives the call, by its type.
                raise Rejected(
                    f"`{local.name}`, a parameter, would point to what does not live long enough", where
                )
            self._refuse_lent(place, where)
            self.expire(key(place), local)
            state.set(local, owners)
            return
        for gone in state.gone:
            if is_part(key(place), gone) and (gone != key(place) or place.has_index):
                raise Rejected(f"assign to part of moved or unset value: `{place.local.name}`", where)
        if owners:
            raise Unsupported("storing a reference", where)
        self.change(place, where)
        for gone in [gone for gone in state.gone if is_part(gone, key(place))]:
            del state.gone[gone]

    def borrowed(self, place: PlacePath) -> frozenset[Key]:
        """Return what a reference to ``place`` points into."""
        assert self.state is not None
        held = self.state.owners.get(place.local, frozenset())
        for step in place.steps:
            if step == "*&":
                return held
            if step == "*&mut":
                break
        return held | {key(place)}

    def expire(self, changed: Key, but: Local | None = None) -> None:
        """Note that references into ``changed`` no longer hold."""
        assert self.state is not None
        for local, owners in self.state.owners.items():
            if local is not but and any(overlap(owner, changed) for owner in owners):
                self.state.stale.add(local)

    # ------------------------------------------------------------ calls in progress

    @contextmanager
    def lending(self) -> Iterator[None]:
        """Forget at the end what was lent inside."""
        before = len(self.lent)
        try:
            yield
        finally:
            del self.lent[before:]

    def lend(self, owners: frozenset[Key], how: Lending, where: Place = NOWHERE) -> None:
        """Lend ``owners`` until the call that is being evaluated ends."""
        for owner in owners:
            for lent, other in self.lent:
                if overlap(lent, owner) and "mutable" in (how, other):
                    raise Rejected(
                        f"cannot borrow `{owner[0].name}` twice in one call, once as mutable", where
                    )
            self.lent.append((owner, how))

    def _refuse_lent(self, place: PlacePath, where: Place) -> None:
        if self.guarding and not self.ghost:
            # The arms behind this one would have to start from what the guard leaves.
            raise Unsupported("a guard that moves or changes something", where)
        if not self.ghost and any(overlap(lent, key(place)) for lent, _ in self.lent):
            raise Rejected(f"cannot change or move `{place.local.name}` while it is borrowed", where)
