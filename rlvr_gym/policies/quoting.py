"""Text of others inside a prompt, kept apart from the instructions, and the one line that answers them.

Data stands between two marks that carry a code, and every line of it begins with a bar. The code is a keyed hash of
the data itself: a text that holds its own code would have to be found by trying some 2^64 of them. Marks and bars tell
a model which text to judge and make it heed less of what stands there (arXiv:2403.14720); they cannot force it to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlvr_gym.seeding import derive

_BAR = "| "
_OUR_MARKS = re.compile(r"\[\[(?=/?(?:task|reference|response|answer_[ab]|verdict))", re.IGNORECASE)
# An endpoint may run its tokenizer over the filled-in chat template, where these would end or begin a turn.
_TURNS = re.compile(
    r"<(?=[|｜])|[|｜](?=>)|<(?=/?(?:s|bos|eos|pad|unk|think|start_of_turn|end_of_turn|(?:start|end)_header_id)>)"
    r"|<(?=</?SYS>>)|\[(?=/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_FORM = re.compile(r"\[\[verdict ([0-9a-f]{16}): ([^\]\n]*\|[^\]\n]*)\]\]")


def code_of(key: int, *texts: str) -> str:
    """Return the code that marks ``texts``, 16 hexadecimal digits that depend on every character of them."""
    return f"{derive(key, *map(plain, texts)):016x}"


_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def plain(text: str) -> str:
    """Return ``text`` without what only a machine would see: turn marks, marks like ours, unseen characters."""
    text = text.encode("utf-8", "replace").decode()
    # Line ends of every kind first: some are control characters.
    text = _LINE_END.sub("\n", text)
    text = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
    text = _OUR_MARKS.sub("[ [", text)
    return _TURNS.sub(r"\g<0> ", text)


def quoted(name: str, text: str, code: str) -> str:
    """Return ``text`` as data: between marks, a bar before each line."""
    lines = "\n".join(_BAR + line for line in plain(text).split("\n"))
    return f"[[{name} {code}]]\n{lines}\n[[/{name} {code}]]"


def unquoted(prompt: str, code: str) -> dict[str, str]:
    """Return the texts that `quoted` put into ``prompt`` under ``code``, by name."""
    blocks = re.findall(
        rf"^\[\[(\w+) {code}\]\]\n(.*?)\n\[\[/\1 {code}\]\]$", prompt, re.MULTILINE | re.DOTALL
    )
    return {name: "\n".join(line.removeprefix(_BAR) for line in text.split("\n")) for name, text in blocks}


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The last line that a reply must have: a code, and one word for each field."""

    code: str
    choices: Mapping[str, Sequence[str]]
    """Words to choose from, by field; a lone field may have the name ``""``."""

    def line(self, words: Mapping[str, str]) -> str:
        """Return the line that answers with ``words``, one for each field."""
        return f"[[verdict {self.code}: {' '.join(_part(name, words[name]) for name in self.choices)}]]"

    def shown(self) -> str:
        """Return the form as instructions show it, all words joined by bars; repeating it answers nothing."""
        return self.line({name: "|".join(words) for name, words in self.choices.items()})

    def read(self, line: str) -> dict[str, str] | None:
        """Return the words of a line that has this form exactly, None for any other line."""
        opening, closing = f"[[verdict {self.code}: ", "]]"
        if not (line.startswith(opening) and line.endswith(closing)):
            return None
        parts = line[len(opening) : -len(closing)].split(" ")
        if len(parts) != len(self.choices):
            return None
        words: dict[str, str] = {}
        for part, (name, choices) in zip(parts, self.choices.items(), strict=True):
            word = part.removeprefix(_part(name, ""))
            if word not in choices or part != _part(name, word):
                return None
            words[name] = word
        return words

    @classmethod
    def last_in(cls, prompt: str) -> AnswerForm | None:
        """Return the last form that ``prompt`` shows, as a reader of the prompt finds it."""
        shown = _FORM.findall(prompt)
        if not shown:
            return None
        code, body = shown[-1]
        fields = (part.rpartition("=") for part in body.split(" "))
        return cls(code, {name: tuple(words.split("|")) for name, _, words in fields})


def _part(name: str, word: str) -> str:
    return f"{name}={word}" if name else word
