"""Families of probes, one idea per file."""

from rlvr_gym.testing.audit.families import (
    candidates,
    changed,
    echo,
    form,
    injection,
    near,
    null,
    other,
    right,
    size,
    slow,
    thought,
    types,
)
from rlvr_gym.testing.audit.families.base import Expect, Family, Probe

FAMILIES: tuple[Family, ...] = tuple(
    family
    for module in (
        right,
        null,
        echo,
        form,
        candidates,
        changed,
        thought,
        injection,
        near,
        other,
        types,
        size,
        slow,
    )
    for family in module.FAMILIES
)
"""All families, the harmless first: what a process is lost to comes last."""

__all__ = ["FAMILIES", "Expect", "Family", "Probe"]
