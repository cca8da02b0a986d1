"""Source text to tokens, each with its place. Comments are dropped here, so nothing behind one is ever read as code."""

from __future__ import annotations

import re
from typing import Literal

from rlvr_gym.verifiers.verus.errors import Cheat, Rejected, Unsupported
from rlvr_gym.verifiers.verus.report import Place

Kind = Literal["word", "integer", "float", "string", "char", "lifetime", "operator", "end"]

MAX_CHARACTERS = 400_000
MAX_TOKENS = 100_000
MAX_DIGITS = 200

_OPERATORS = [
    "!~~=", "=~~=", "<==>",
    "&&&", "|||", "===", "!==", "==>", "<==", "=~=", "!~=", "<<=", ">>=", "...", "..=",
    "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "..",
    *"+-*/%^!&|=<>@.,;:#$?~()[]{}",
]  # fmt: skip

# Alternatives in order: what starts like something longer comes after it. A digit's token takes every letter that
# follows, so that `1x` is one bad number and not two tokens; `1.` is a float only where no name, digit or dot follows. A word in
# front of a quote is a prefix of the string, known or not.
_TOKEN = re.compile(
    r"""
      (?P<space>[\ \t\n\r\x0b\x0c]+ | //[^\n]*)
    | (?P<comment>/\*)
    | (?P<string>[bc]?"(?:[^"\\]|\\.)*" | [bc]?r(?P<hashes>\#*)"(?:.*?)"(?P=hashes))
    | (?P<char>b?'(?:[^'\\\n\r\t]|\\(?:[nrt0'"\\]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]{1,8}\}))')
    | (?P<lifetime>'[A-Za-z_][A-Za-z0-9_]*)
    | (?P<word>(?:r\#(?=[A-Za-z_]))?[A-Za-z_][A-Za-z0-9_]*+(?!\#*"))
    | (?P<float>[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9_]+)?|[eE][+-]?[0-9_]+)(?:f32|f64)?(?![A-Za-z0-9_])
        | [0-9][0-9_]*\.(?![A-Za-z_.0-9]))
    | (?P<integer>[0-9][0-9A-Za-z_]*)
    | (?P<operator>OPERATORS)
    """.replace("OPERATORS", "|".join(map(re.escape, _OPERATORS))),
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")
# Marks that change the order in which text is shown: code could read otherwise than it is compiled.
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufeff]")


class Token:
    """One token: its kind, its text as written, and where it stands."""

    __slots__ = ("column", "end_column", "end_line", "kind", "line", "text")

    def __init__(self, kind: Kind, text: str, line: int, column: int, end_line: int, end_column: int) -> None:
        self.kind = kind
        self.text = text
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.line, self.column, self.end_line, self.end_column)

    def __repr__(self) -> str:
        return f"{self.kind} {self.text!r} at {self.line}:{self.column}"


def tokens(source: str, *, characters: int = MAX_CHARACTERS, limit: int = MAX_TOKENS) -> list[Token]:
    """Return the tokens of ``source``, the last one of kind ``end``.

    Raises:
        Unsupported: The text is longer than ``characters``, or has more than ``limit`` tokens.
        Cheat: The text holds marks that change the order in which it is shown.
        Rejected: Something is no token: an open comment or string, a letter outside ASCII in a name.
    """
    if len(source) > characters:
        raise Unsupported(f"the program has more than {characters} characters", Place(1, 1))
    if (hidden := _DIRECTION.search(source)) is not None:
        raise Cheat("a mark that changes the direction of text", _place(source, hidden.start()))
    found: list[Token] = []
    position = 1 if source.startswith("\ufeff") else 0
    line, start = 1, position
    match = _TOKEN.match
    while position < len(source):
        matched = match(source, position)
        if matched is None:
            raise _unreadable(source, position)
        end = matched.end()
        kind = matched.lastgroup
        if kind == "space" or kind == "comment":
            if kind == "comment":
                end = _comment_end(source, position)
            breaks = source.count("\n", position, end)
            if breaks:
                line += breaks
                start = source.rindex("\n", position, end) + 1
            position = end
            continue
        text = matched.group()
        column = position - start + 1
        if kind == "string":
            if (invisible := _INVISIBLE.search(text)) is not None:
                raise _unreadable(source, position + invisible.start())
            end_line = line + text.count("\n")
            end_start = start if end_line == line else source.rindex("\n", position, end) + 1
            found.append(Token("string", text, line, column, end_line, end - end_start + 1))
            line, start = end_line, end_start
        else:
            found.append(Token(kind, text, line, column, line, end - start + 1))  # type: ignore[arg-type]  # a group's name
        position = end
    if len(found) > limit:
        raise Unsupported(f"the program has more than {limit} tokens", found[limit].place)
    column = position - start + 1
    found.append(Token("end", "the end of the program", line, column, line, column))
    return found


def _comment_end(source: str, position: int) -> int:
    """Return where the block comment that starts at ``position`` ends; they nest."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(source, position):
        depth += 1 if edge.group() == "/*" else -1
        if depth == 0:
            return edge.end()
    raise Rejected("unterminated block comment", _place(source, position))


def _unreadable(source: str, position: int) -> Rejected:
    """Return the error for a text that no token starts."""
    character = source[position]
    place = _place(source, position)
    if character == '"' or re.match(r'(?:[bc]?r#*|[bc])"', source[position : position + 300]):
        return Rejected("unterminated string", place)
    if character == "_" or (character.isascii() and character.isalpha()):
        return Rejected("a string with an unknown prefix", place)
    if character == "'":
        return Rejected("a character literal without its end", place)
    if _INVISIBLE.match(character):
        return Rejected(f"an invisible character, U+{ord(character):04X}", place)
    if ord(character) > 127:
        return Rejected(f"a character outside ASCII in code, {character!r}", place)
    return Rejected(f"unknown start of a token, {character!r}", place)


def _place(source: str, position: int) -> Place:
    line = source.count("\n", 0, position) + 1
    column = position - (source.rfind("\n", 0, position) + 1) + 1
    return Place(line, column, line, column + 1)
