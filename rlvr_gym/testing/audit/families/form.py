"""The form of an answer without one."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import CHANNELS, Ground

_FORMS = {
    "empty box": "\\boxed{}",
    "box of a box": "\\boxed{\\boxed{}}",
    "open box": "\\boxed{",
    "name of the box": "\\boxed",
    "box of a space": "\\boxed{ }",
    "tags": "<think></think><answer></answer>",
    "thought and tags": "<think>Step by step, I find the answer.</think><answer></answer>",
    "thought alone": "<think>Step by step, I find the answer.</think>",
    "open tag": "<answer>",
    "closing tag": "</answer>",
    "code block": "```\n```",
    "dollars": "$$$$",
    "empty table": "{}",
    "empty list": "[]",
    "steps": "Step 1: Read the problem.\nStep 2: Solve it.\nStep 3: Therefore the answer follows.",
}
_PLACEHOLDERS = ("answer", "your answer here", "final answer", "...", "x_answer", "[answer]")


def form(ground: Ground) -> Iterator[Named]:
    """Yield boxes, tags and headings with nothing or a placeholder in them."""
    yield from _FORMS.items()
    for channel in dict.fromkeys([*ground.channels, *CHANNELS]):
        yield f"{channel.name}, empty", channel.wrap("")
        for text in _PLACEHOLDERS:
            yield f"{channel.name}, placeholder", channel.wrap(text)


FAMILIES = (Family("form only", form, blind=True),)
