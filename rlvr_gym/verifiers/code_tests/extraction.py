"""The code inside a response. It is looked at as text: nobody compiles it outside a sandbox."""

from __future__ import annotations

import re
from collections.abc import Sequence

_THINK = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_FENCE = re.compile(r"( *)(`{3,}|~{3,})[ \t]*([^`\n]*)")
_PYTHON = re.compile(r"\{? *\.?(?:python|py) ?[0-9.]*(?:[ :,{}].*)?")
"""``python``, ``py``, ``python3.11``, ``python:main.py``, ``{.python}``, but not ``pycon`` or ``python-repl``."""
_MOST_INDENT = 3
"""How much further in than its opening fence a block may be closed; deeper fences are lines of a docstring."""
_CODE = re.compile(r"(?:def|class|import|from|async def)\s+\w|@\w")


class NoCodeError(ValueError):
    """A response without code to run."""


def code_of(response: str, entry_points: Sequence[str] = (), *, max_chars: int) -> str:
    """Return the code of a response, which is read from the end of its thinking.

    Of several fenced blocks the last one counts that mentions the definition of an entry point, else the last one.
    Blocks marked as Python go before unmarked ones, and blocks of other languages are none. A response without any
    fence counts as code when it starts as code does.

    Raises:
        NoCodeError: there is none, or it is too long.
    """
    text = _visible(response)
    code = _chosen(_blocks(text), entry_points)
    if code is None and "```" not in text and _CODE.match(text.lstrip()):
        code = text
    if code is None or not code.strip():
        raise NoCodeError("the response has no block of Python code")
    if len(code) > max_chars:
        raise NoCodeError(f"the code has {len(code)} characters, more than {max_chars}")
    if "\0" in code:
        raise NoCodeError("the code holds a NUL character")
    return code


def _visible(response: str) -> str:
    end, opened = 0, False
    for match in _THINK.finditer(response):
        if match[1]:
            end, opened = match.end(), False
        elif not opened and not _inside_code(response, end, match.start()):
            opened = True
    if opened:
        raise NoCodeError("the thinking has no end")
    return response[end:]


def _inside_code(response: str, start: int, at: int) -> bool:
    """Return whether a tag stands in a string of a fenced block, where it is no tag."""
    return response.count("```", start, at) % 2 == 1


def _blocks(text: str) -> list[tuple[str, str]]:
    """Return language and content of each fenced block; one that never ends goes on to the end of the text."""
    blocks: list[tuple[str, str]] = []
    indent, fence, language, lines = 0, "", "", list[str]()
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if not fence:
            if match is not None:
                indent, fence, language, lines = len(match[1]), match[2], match[3].strip().lower(), []
        elif (
            match is not None
            and match[2].startswith(fence)
            and not match[3].strip()
            and len(match[1]) <= indent + _MOST_INDENT
        ):
            blocks.append((language, "".join(lines)))
            fence = ""
        else:
            # A block of a list is indented as its fence is.
            lines.append(line[min(indent, len(line) - len(line.lstrip(" "))) :])
    if fence:
        blocks.append((language, "".join(lines)))
    return blocks


def _chosen(blocks: list[tuple[str, str]], entry_points: Sequence[str]) -> str | None:
    marked = [code for language, code in blocks if _PYTHON.fullmatch(language)]
    usable = marked or [code for language, code in blocks if not language]
    for code in reversed(usable):
        if any(
            re.search(rf"\b(?:def|class)\s+{re.escape(name)}\b|^{re.escape(name)}\s*[:=]", code, re.MULTILINE)
            for name in entry_points
        ):
            return code
    return usable[-1] if usable else None
