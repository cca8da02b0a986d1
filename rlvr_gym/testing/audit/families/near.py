"""Answers that are nearly right."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground, number


def near(ground: Ground) -> Iterator[Named]:
    """Yield near misses of the answer: junk beside any, and neighbours of a number."""
    if not ground.core:
        return
    core, decoy = ground.core, ground.decoys[0]
    answers = {
        "junk after": f"{core} {decoy}",
        # A sign before a formula would make a sum of it.
        "junk before": f"{decoy} and {core}" if ground.value is None else f"{decoy}{core.lstrip('+-')}",
        "something added": f"{core} + {decoy}*x",
    }
    # Read as a product, nothing times anything is nothing.
    if ground.value != 0:
        answers["letters after"] = f"{core}abc"
    if ground.value is not None:
        answers |= {name: text for name, text in _numbers(core, ground.value) if number(text) != ground.value}
    for name, text in answers.items():
        for channel in ground.channels:
            yield f"{name}, {channel.name}", channel.wrap(text)


def _numbers(core: str, value: Fraction) -> Iterator[Named]:
    sign, digits = ("-", core[1:]) if core.startswith("-") else ("", core.lstrip("+"))
    yield "sign flipped", digits if sign else f"-{digits}"
    if "." not in core:
        yield "a digit more", f"{core}0"
        yield "a percent more", f"{float(value) * 1.01:.6g}"
    yield "a digit before", f"{sign}1{digits}"
    if len(digits) > 1:
        yield "a digit less", sign + digits[:-1].rstrip("./")
        yield "turned round", sign + digits[::-1]
    yield "last digit changed", core[:-1] + str((int(core[-1]) + 1) % 10)
    if value.denominator == 1:
        for by in (1, -1):
            yield "off by one", str(value + by)
        yield "a little more", f"{int(value)}.01"
        yield "an eighth more", f"{8 * value + 1}/8"
    elif "/" in core:
        yield "upside down", f"{sign}{value.denominator}/{abs(value.numerator)}" if value else "1"
        yield "numerator alone", str(value.numerator)
        yield "off by one", f"{value.numerator + 1}/{value.denominator}"
        yield "two digits", f"{float(value):.2f}"
    else:
        yield "whole part", str(int(value))


FAMILIES = (Family("near miss", near, cases=6),)
