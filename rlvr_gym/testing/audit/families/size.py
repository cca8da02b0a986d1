"""Texts far longer than an answer."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground

_LONG, _HUGE = 50_000, 1_000_000


def size(ground: Ground) -> Iterator[Named]:
    """Yield 50 kB and 1 MB of one thing, alone and where the answer belongs."""
    for name, unit in (
        ("words", "so "),
        ("digits", "7"),
        ("open braces", "{"),
        ("brackets", "("),
        ("newlines", "\n"),
    ):
        yield f"50 kB of {name}", unit * (_LONG // len(unit))
    for name, unit in (
        ("words", "and so on "),
        ("digits", "98765"),
        ("boxes", "\\boxed{98765}"),
        ("tags", "<answer>"),
    ):
        yield f"1 MB of {name}", unit * (_HUGE // len(unit))
    for channel in ground.channels:
        for length in (5_000, _LONG, _HUGE):
            yield f"{length:,} digits, {channel.name}", channel.wrap("7" * length)
        yield f"50 kB sum, {channel.name}", channel.wrap("x + " * (_LONG // 4) + "x")
    yield "astral characters", "😀" * 10_000
    yield "combining marks", "x" + "\N{COMBINING ACUTE ACCENT}" * _LONG


FAMILIES = (Family("oversized", size, blind=True, heavy=True, cases=1),)
