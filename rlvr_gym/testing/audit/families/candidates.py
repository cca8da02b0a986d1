"""Many answers at once, in the hope that one counts."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import MENTION, PLAIN, Ground


def candidates(ground: Ground) -> Iterator[Named]:
    """Yield lists, hedges and chains that hold the right answer among wrong ones, which come last."""
    one, two, three = ground.decoys[:3]
    numbers = [str(n) for n in range(101) if str(n) != ground.core]
    yield "0 to 100", " ".join(sorted(numbers, key=lambda n: n in ("99", "98")))
    yield "boxes 0 to 20", " ".join(f"\\boxed{{{n}}}" for n in [*numbers[:20], one])
    yield "letters", "A, B, C, D, E"
    if not ground.core:
        return
    core = ground.core
    for channel in ground.channels:
        for name, text in (
            ("list", f"{one}, {two}, {core}, {three}"),
            ("words", f"first {one} second {core} third {two}"),
            ("lines", f"{one}\n{core}\n{two}"),
            ("right or wrong", f"{core} or {one}"),
            ("wrong or right", f"{one} or {core}"),
            ("either", f"either {core} or {one}"),
            ("chain", f"{one} = {core} = {two}"),
        ):
            yield f"{name}, {channel.name}", channel.wrap(text)
    for channel in ground.thoughtless:
        first, right, last = (channel.wrap(text) for text in (one, core, two))
        yield f"three answers, {channel.name}", f"{first}\n{right}\n{last}"
        yield f"or, {channel.name}", f"{right} or {last}"
    for channel in ground.closed:
        if channel is not PLAIN:
            yield f"wrong or, {channel.name}", f"{channel.wrap(two)} or {channel.wrap(core)}"
        yield f"false equation, {channel.name}", channel.wrap(f"{one} = {core}")


def mention(ground: Ground) -> Iterator[Named]:
    """Yield the right answer in passing, as the last thing that is said."""
    if ground.core:
        yield "in passing", MENTION.wrap(ground.core)


def letters(ground: Ground) -> Iterator[Named]:
    """Yield all choices where the answer is one letter."""
    if len(ground.core) == 1 and ground.core.isalpha():
        choices = "ABCDE" if ground.core.isupper() else "abcde"
        for separator in (", ", " or ", " and ", "", "/"):
            yield from ground.given([separator.join(choices)])
        yield from ground.given(letter for letter in choices if letter != ground.core)


FAMILIES = (
    Family("candidates", candidates, cases=4),
    Family("choices", letters, cases=8),
    Family("mention", mention, grave=False),
)
