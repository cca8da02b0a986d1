"""What the probes of one example are made from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rlvr_gym.testing.verifiers import Example

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?")
_LAST = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:/[1-9][0-9]*)?")
_MOST_DIGITS = 200
# Unlikely answers; what holds one of them is told from a right answer by eye.
_DECOYS = tuple(str(number) for number in range(98761, 98769))
# Words that graders rightly take for each other, as `plain` writes them.
_ALIKE = (
    {"yes", "true", "correct", "right"},
    {"no", "false", "wrong"},
    {
        "{}",
        "\\emptyset",
        "\\varnothing",
        "none",
        "null",
        "undefined",
        "nosolution",
        "[]",
        "()",
        "set()",
        "void",
        "n/a",
    },
    {"0", "-0"},
)


@dataclass(frozen=True, slots=True)
class Channel:
    """A way of giving a final answer."""

    name: str
    before: str = ""
    after: str = ""

    def wrap(self, answer: str) -> str:
        """Return a response with ``answer`` for its final answer."""
        return f"{self.before}{answer}{self.after}"

    def core(self, response: str) -> str | None:
        """Return the answer inside ``response``, None when it is not given in this way."""
        if not (response.startswith(self.before) and response.endswith(self.after)):
            return None
        end = len(response) - len(self.after)
        return response[len(self.before) : end] if end >= len(self.before) else None


PLAIN = Channel("plain")
CHANNELS = (
    Channel("boxed", "\\boxed{", "}"),
    Channel("tag", "<answer>", "</answer>"),
    Channel("thought and tag", "<think>Let me see.</think>\n<answer>", "</answer>"),
    Channel("hashes", "#### "),
    Channel("sentence", "The final answer is ", "."),
    Channel("answer line", "Answer: "),
    PLAIN,
)
"""Forms of a final answer, the more particular first."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One example, taken apart."""

    case: int
    prompt: str
    right: str | None
    """A right response."""
    core: str
    """The answer inside it, without box or tag; empty when none is known."""
    own: Channel
    """How the right response gives its answer."""
    channels: Sequence[Channel]
    """Ways of giving an answer that earned the reward with the right one, its own first."""
    others: Sequence[str]
    """Right responses to examples with other answers."""
    wrong: Sequence[str]
    """Responses known to be wrong."""
    value: Fraction | None
    """The answer, if it is one number."""
    lenient: bool = False
    """Whether the answer is found anywhere, so that a text that ends in it is right."""

    @property
    def thoughtless(self) -> list[Channel]:
        """The ways without a thought in them, which can be put into one or follow each other."""
        return [channel for channel in self.channels if "<think>" not in channel.before]

    @property
    def closed(self) -> list[Channel]:
        """The ways to give an answer, none where it is found anywhere: a text that ends in it is then right."""
        return [] if self.lenient else self.thoughtless

    @property
    def decoys(self) -> list[str]:
        """Numbers that are not the answer."""
        return [text for text in _DECOYS if text not in self.core]

    def given(self, answers: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield each answer in each way that earns rewards here."""
        for answer in answers:
            for channel in self.channels:
                yield channel.name, channel.wrap(answer)

    def accident(self, text: str) -> bool:
        """Return whether ``text`` may be right by chance: it is the answer, or ends in its number."""
        if not self.core:
            return False
        said = {plain(core) for c in (PLAIN, *CHANNELS) if (core := c.core(text.strip())) is not None}
        alike = next((group for group in _ALIKE if plain(self.core) in group), {plain(self.core)})
        if said & alike:
            return True
        numbers = _LAST.findall(text[-1_000:]) if self.value is not None else []
        return bool(numbers) and number(numbers[-1]) == self.value


def taken_apart(response: str) -> tuple[Channel, str]:
    """Return how a right response gives its answer, and the answer."""
    thought, closing, rest = response.rpartition("</think>")
    if closing and thought.startswith("<think>"):
        inner, core = taken_apart(rest.lstrip())
        space = rest[: len(rest) - len(rest.lstrip())]
        return Channel("own", f"{thought}{closing}{space}{inner.before}", inner.after), core
    for channel in CHANNELS:
        answer = channel.core(response)
        if answer is not None and "\\boxed{" not in answer:
            return channel, answer
    before, _, rest = response.rpartition("\\boxed{")
    answer, brace, after = rest.partition("}")
    # Text around a box, and no brace inside it that would need counting.
    if before and brace and "{" not in answer and "}" not in after:
        return Channel("own", before + "\\boxed{", "}" + after), answer
    return PLAIN, response


def number(text: str) -> Fraction | None:
    """Return the value of a text that is one plain number of moderate length."""
    text = text.strip()
    if len(text) > _MOST_DIGITS or not _NUMBER.fullmatch(text):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None


def plain(text: str) -> str:
    """Return ``text`` as a lenient reader compares it: no space, no case, no end of a sentence."""
    return re.sub(r"\s+", "", text).casefold().rstrip(".")


def same_answer(one: str, two: str) -> bool:
    """Return whether two answers are the same for certain."""
    values = number(one), number(two)
    return plain(one) == plain(two) or (None not in values and values[0] == values[1])


MENTION = Channel("mention", "It may be 98768. Then again, ", " comes to mind")
"""No form at all: what is paid here is found anywhere."""


def grounds(examples: Sequence[Example], channels: Sequence[Sequence[Channel]]) -> list[Ground]:
    """Return the ground of each example.

    Args:
        examples: What is audited.
        channels: Per example, the ways of giving its answer that were found to earn rewards.
    """
    parts = [(PLAIN, "") if e.right is None else taken_apart(e.right) for e in examples]
    found = []
    for case, (example, (own, core)) in enumerate(zip(examples, parts, strict=True)):
        others = [
            other.right
            for other, (_, answer) in zip(examples, parts, strict=True)
            if other.right is not None
            and other.reference != example.reference
            and not same_answer(answer, core)
        ]
        ways = dict.fromkeys([own, *(channel for channel in channels[case] if channel is not MENTION)])
        found.append(
            Ground(
                case,
                example.prompt,
                example.right,
                core,
                own,
                tuple(ways),
                tuple(dict.fromkeys(others)),
                example.wrong,
                number(core),
                MENTION in channels[case],
            )
        )
    return found
