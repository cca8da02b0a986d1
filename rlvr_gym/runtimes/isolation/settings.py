"""What the caller tells the launcher, as it travels: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Limits(NamedTuple):
    """The limits of ``rlvr_gym.runtimes.base.Limits``, which says what each means."""

    wall_s: float
    cpu_s: float
    memory_mib: int
    pids: int
    disk_mib: int
    inodes: int
    output_bytes: int
    open_files: int


class Plan(NamedTuple):
    """Everything that a sandbox is made from."""

    kind: str
    """``commands`` or ``zygote``."""
    tier: str
    """``root``, ``unprivileged`` or ``landlock``."""
    limits: Limits
    workspace: str
    """Host folder, or empty."""
    binds: Mapping[str, str]
    """Host path of what appears read-only, by the path inside."""
    env: Mapping[str, str]
    imports: tuple[str, ...]
    path: tuple[str, ...]
    cgroups: tuple[tuple[str, str], ...]
    """Control groups to make children in: (kind, folder)."""
    parent: int
    """Process whose end ends the sandbox."""
    hidden: tuple[str, ...]
    """Folders inside that appear empty."""
    links: Mapping[str, str]
    """Targets of the symbolic links in the root, by the links' paths."""

    @classmethod
    def from_json(cls, values: Mapping[str, object]) -> Plan:
        """Return the plan that ``_asdict`` was taken from, after a trip through JSON."""
        plan = cls(**values)  # type: ignore[arg-type]  # both ends are ours and of one version
        groups = tuple((kind, folder) for kind, folder in plan.cgroups)
        return plan._replace(
            limits=Limits(*plan.limits),
            cgroups=groups,
            imports=tuple(plan.imports),
            path=tuple(plan.path),
            hidden=tuple(plan.hidden),
        )
