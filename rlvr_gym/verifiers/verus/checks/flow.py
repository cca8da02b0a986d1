"""What is known of the variables at one point of a body: set or not, moved away or not, borrowed by whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rlvr_gym.verifiers.verus.checks.places import PlacePath
from rlvr_gym.verifiers.verus.syntax.tree import Local

Key: TypeAlias = tuple[Local, tuple[str, ...]]
"""A local and fields of it."""
Gone = Literal["moved", "unset"]


def key(place: PlacePath) -> Key:
    """Return the part of a variable that a place stands for; elements count as the whole that they are in."""
    return place.local, place.fields


def overlap(one: Key, other: Key) -> bool:
    """Return whether one of them is, or is part of, the other."""
    if one[0] is not other[0]:
        return False
    shared = min(len(one[1]), len(other[1]))
    return one[1][:shared] == other[1][:shared]


def is_part(inner: Key, outer: Key) -> bool:
    """Return whether ``inner`` is ``outer`` or stands in it."""
    return inner[0] is outer[0] and inner[1][: len(outer[1])] == outer[1]


@dataclass(slots=True)
class State:
    """Facts that hold on some path to here: whatever may be wrong on one path is wrong."""

    gone: dict[Key, Gone] = field(default_factory=dict)
    """What has no value, or had it moved away."""
    ever: set[Local] = field(default_factory=set)
    """Variables that may have been given a value."""
    owners: dict[Local, frozenset[Key]] = field(default_factory=dict)
    """For each variable that holds references: what they may point into."""
    stale: set[Local] = field(default_factory=set)
    """Variables whose references may point to something that has changed since."""

    def copy(self) -> State:
        """Return a state to go on from separately."""
        return State(dict(self.gone), set(self.ever), dict(self.owners), set(self.stale))

    def set(self, local: Local, owners: frozenset[Key]) -> None:
        """Give ``local`` a new value that points into ``owners``."""
        for found in [found for found in self.gone if found[0] is local]:
            del self.gone[found]
        self.ever.add(local)
        self.stale.discard(local)
        self.owners[local] = owners

    def forget(self, ended: frozenset[Local]) -> None:
        """Drop variables whose block has ended."""
        self.gone = {gone: why for gone, why in self.gone.items() if gone[0] not in ended}
        self.owners = {local: owners for local, owners in self.owners.items() if local not in ended}
        self.ever -= ended
        self.stale -= ended


def joined(one: State | None, other: State | None) -> State | None:
    """Return what is known where two paths meet; None is a path that control does not take."""
    if one is None or other is None:
        return one if other is None else other
    result = one.copy()
    result.gone.update(other.gone)
    result.ever |= other.ever
    result.stale |= other.stale
    for local, owners in other.owners.items():
        result.owners[local] = result.owners.get(local, frozenset()) | owners
    return result
