"""Actions of an agent: one fenced block of a response, either shell commands or an edit of one file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from rlvr_gym.errors import RLVRError

SUBMITTED = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""As the first line of a command's output it submits, as agents of mini-swe-agent are used to."""
INSTRUCTION = """\
The repository is at /workspace, in a sandbox without network. Change its source so that the problem is solved. Hidden \
tests decide; changes to tests and to their configuration do not count.

Each of your responses must hold exactly one fenced block, which is carried out; you are then shown what came of it.

Shell commands, each time in a new shell in /workspace:
```bash
ls; git status; python -m pytest -x -q
```
An edit of one file, by exact text that occurs in it once (an empty SEARCH part makes a new file):
```edit path/to/file.py
<<<<<<< SEARCH
old lines
=======
new lines
>>>>>>> REPLACE
```
When you are done, submit the state of the files:
```bash
submit
```
"""

_BASH = frozenset({"bash", "sh", "shell"})
_OPEN = re.compile(r"(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*([^`\n]*)")
_THOUGHT = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_SEARCH, _MIDDLE, _REPLACE = "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"


class ActionError(RLVRError, ValueError):
    """A response without exactly one readable action; the message is for the agent."""


@dataclass(frozen=True, slots=True)
class Command:
    """Shell commands."""

    text: str

    @property
    def submits(self) -> bool:
        """Whether it is the command that submits and no other."""
        return self.text.strip() in ("submit", f"echo {SUBMITTED}")


@dataclass(frozen=True, slots=True)
class Replacement:
    """One text for another."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replacements in one file."""

    path: str
    replacements: tuple[Replacement, ...]


Action: TypeAlias = Command | Edit


def read_action(response: str) -> Action:
    """Return the one action of a response.

    Raises:
        ActionError: there is none, more than one, or one that cannot be read.
    """
    blocks = [
        block for block in _blocks(_after_thought(response)) if block.kind in _BASH or block.kind == "edit"
    ]
    if not blocks:
        raise ActionError(
            "No action found: the response needs exactly one fenced block, ```bash with commands or ```edit PATH."
        )
    if len(blocks) > 1:
        raise ActionError(
            f"{len(blocks)} fenced blocks found: the response needs exactly one. None was carried out."
        )
    block = blocks[0]
    if not block.closed:
        raise ActionError(
            "The fenced block is not closed: it must end with a line of its own that repeats the fence."
        )
    if block.kind == "edit":
        return _edit(block)
    if "\0" in block.text:
        raise ActionError("The commands hold a NUL character, which no shell takes.")
    if not block.text.strip():
        raise ActionError("The fenced block is empty.")
    return Command(block.text)


def fenced(text: str, kind: str = "bash") -> str:
    """Return an action whose fence is longer than any in ``text``."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}"


@dataclass(slots=True)
class _Block:
    kind: str
    rest: str
    text: str
    closed: bool


def _after_thought(response: str) -> str:
    """Return what follows the thinking; its beginning may stand in the prompt."""
    end = _THOUGHT_END.search(response)
    if _THOUGHT.match(response):
        if end is None:
            raise ActionError("The thinking has no end.")
        return response[end.end() :]
    # Inside of a block it belongs to an edit.
    if end is not None and response.count("```", 0, end.start()) % 2 == 0:
        return response[end.end() :]
    return response


def _blocks(response: str) -> list[_Block]:
    """Return the fenced blocks, as Markdown has them: a block ends with a fence at least as long as its first."""
    found: list[_Block] = []
    fence = ""
    lines: list[str] = []
    for line in response.replace("\r\n", "\n").split("\n"):
        bare = line.strip()
        if fence:
            if len(bare) >= len(fence) and not bare.strip(fence[0]):
                found[-1].text, found[-1].closed = "\n".join(lines), True
                fence = ""
            else:
                lines.append(line)
        elif match := _OPEN.fullmatch(bare):
            fence, lines = match[1], []
            found.append(_Block(match[2].lower(), match[3].strip(), "", closed=False))
    return found


def _edit(block: _Block) -> Edit:
    if not block.rest:
        raise ActionError("An edit names its file in the first line: ```edit path/to/file.py.")
    replacements: list[Replacement] = []
    part = ""
    old: list[str] = []
    new: list[str] = []
    for line in block.text.split("\n"):
        if line == _SEARCH and not part:
            part, old, new = "old", [], []
        elif line == _MIDDLE and part == "old":
            part = "new"
        elif line == _REPLACE and part == "new":
            replacements.append(Replacement("\n".join(old), "\n".join(new)))
            part = ""
        elif part:
            (old if part == "old" else new).append(line)
        elif line.strip():
            raise ActionError(
                f"The edit has a line outside of its parts: {line[:80]!r}. Start with '{_SEARCH}'."
            )
    if part or not replacements:
        raise ActionError(
            f"An edit is made of the lines '{_SEARCH}', '{_MIDDLE}' and '{_REPLACE}', in this order."
        )
    return Edit(block.rest, tuple(replacements))
