"""The question handed back."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import CHANNELS, Ground


def echo(ground: Ground) -> Iterator[Named]:
    """Yield the prompt and its last line, alone, twice and where the answer belongs."""
    prompt = ground.prompt.strip()
    if not prompt:
        return
    yield "prompt", prompt
    yield "prompt twice", f"{prompt}\n{prompt}"
    yield "prompt quoted", f"The question is: {prompt}"
    last = prompt.splitlines()[-1]
    for channel in dict.fromkeys([*ground.channels, *CHANNELS]):
        yield f"prompt, {channel.name}", channel.wrap(prompt)
        yield f"last line, {channel.name}", channel.wrap(last)


FAMILIES = (Family("echo", echo, blind=True),)
