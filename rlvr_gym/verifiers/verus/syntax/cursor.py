"""The base of the parser: where it stands in the tokens, what it expects next, and how deep it may go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.lexer import Token

T = TypeVar("T")

MAX_NESTING = 200
"""How deep brackets, blocks, types and patterns may nest."""
MAX_CHAIN = 400
"""How far one expression may grow to the left: ``a + b + c ..``, ``x.f().g() ..``."""

KEYWORDS = frozenset(
    (
        "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for", "if",
        "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self",
        "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while", "async",
        "await", "dyn", "abstract", "become", "box", "do", "final", "macro", "override", "priv", "typeof",
        "unsized", "virtual", "yield", "try",
    )
)  # fmt: skip
"""Words that can name nothing."""

_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_OPENERS.values())
_JOINED = frozenset(
    (
        "::",
        "..",
        "==",
        "=>",
        "!=",
        "<=",
        ">=",
        "&&",
        "||",
        "<<",
        ">>",
        "->",
        "//",
        "/*",
        "+=",
        "-=",
        "*=",
        "<-",
        "=~",
        "!~",
    )
)
_GLUED_BEFORE = frozenset((",", ";", ".", "::", "(", ")", "[", "]", "<", ">", ">>", "?", ":", "@", "!"))
_GLUED_AFTER = frozenset(("(", "[", "<", "::", ".", "&", "!", "#", "'", "*", "@", "$"))


def spaced(texts: list[str]) -> str:
    """Return tokens as one line in canonical spacing."""
    parts: list[str] = []
    previous = ""
    for text in texts:
        if previous and not _glued(previous, text):
            parts.append(" ")
        parts.append(text)
        previous = text
    return "".join(parts)


def _glued(before: str, text: str) -> bool:
    """Return whether two tokens stand without a space between them; never where they would read as one."""
    if before[-1] + text[0] in _JOINED and before != ">":
        return False
    return text in _GLUED_BEFORE or before in _GLUED_AFTER


class Cursor:
    """A position in a list of tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0
        self.token = tokens[0]
        self.text = self.token.text
        self.last = self.token
        """The token before."""
        self.depth = 0
        self.taken: dict[int, list[str]] = {}
        """What was already taken off the front of a token, by its position."""
        self.partner = _partners(tokens)
        """For the position of each opening bracket, that of its closing one."""

    # ------------------------------------------------------------ moving

    def advance(self) -> Token:
        """Return the token and step past it."""
        token = self.token
        self.last = token
        self.position += 1
        self.token = self.tokens[self.position]
        self.text = self.token.text
        return token

    def peek(self, ahead: int = 1) -> str:
        """Return the text of a token further on."""
        position = self.position + ahead
        return self.tokens[position].text if position < len(self.tokens) else ""

    def peek_kind(self, ahead: int = 1) -> str:
        """Return the kind of a token further on."""
        position = self.position + ahead
        return self.tokens[position].kind if position < len(self.tokens) else "end"

    def accept(self, text: str) -> bool:
        """Step past the token if it is ``text``."""
        if self.text == text and self.token.kind != "end":
            self.advance()
            return True
        return False

    def expect(self, text: str) -> Token:
        """Step past ``text``, the only thing that may stand here."""
        if self.text != text:
            raise self.refused(f"expected `{text}`")
        return self.advance()

    def name(self, what: str = "a name") -> str:
        """Step past an identifier that is no keyword."""
        token = self.token
        if token.kind != "word" or token.text in KEYWORDS:
            raise self.refused(f"expected {what}")
        if token.text.startswith("r#"):
            raise Unsupported(f"raw identifier `{token.text}`", token.place)
        self.advance()
        return token.text

    def split(self, first: str) -> bool:
        """Step past ``first`` where the token is it or starts with it: ``>`` of ``>>=``, ``|`` of ``||``."""
        if self.text == first and self.token.kind == "operator":
            self.advance()
            return True
        token = self.token
        if token.kind != "operator" or not token.text.startswith(first):
            return False
        width = len(first)
        self.last = Token("operator", first, token.line, token.column, token.line, token.column + width)
        rest = Token(
            "operator", token.text[width:], token.line, token.column + width, token.end_line, token.end_column
        )
        self.taken.setdefault(self.position, []).append(first)
        # In place, so that a program of nothing but `>>` costs no more than any other.
        self.tokens[self.position] = self.token = rest
        self.text = rest.text
        return True

    def close_angle(self) -> None:
        """Step past one ``>``."""
        if not self.split(">"):
            raise self.refused("expected `>`")

    # ------------------------------------------------------------ places and errors

    def place(self, start: Token) -> Place:
        """Return the place from ``start`` to the last token."""
        last = self.last
        return Place(start.line, start.column, last.end_line, last.end_column)

    def refused(self, message: str) -> Rejected:
        """Return the error that says what else should stand here."""
        found = self.text if self.token.kind == "end" else f"`{self.text[:40]}`"
        return Rejected(f"{message}, found {found}", self.token.place)

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Count one level of nesting."""
        self.deeper()
        yield
        self.depth -= 1

    def deeper(self) -> None:
        """Count one level of nesting; the caller counts it down."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise Unsupported(f"nesting deeper than {MAX_NESTING}", self.token.place)

    # ------------------------------------------------------------ lists and raw text

    def separated(self, close: str, item: Callable[[], T]) -> tuple[T, ...]:
        """Return comma-separated items up to ``close``, which is stepped past; a last comma is allowed."""
        items: list[T] = []
        while self.text != close:
            items.append(item())
            if not self.accept(","):
                break
        self.expect(close)
        return tuple(items)

    def group(self) -> str:
        """Step past a bracketed group and return its inside, a space between any two tokens."""
        length = self.partner[self.position] - self.position
        inside = self._texts(self.position + 1, self.position + length)
        self.skip(length + 1)
        return " ".join(inside)

    def bracketed(self) -> list[str]:
        """Step past a bracketed group and return its tokens, brackets included."""
        position = self.position
        self.skip_group()
        return self._texts(position, self.position)

    def skip_group(self) -> None:
        """Step past a bracketed group."""
        self.skip(self.partner[self.position] - self.position + 1)

    def skip(self, count: int) -> None:
        """Step past ``count`` tokens."""
        self.position += count
        self.last = self.tokens[self.position - 1]
        self.token = self.tokens[self.position]
        self.text = self.token.text

    def text_since(self, position: int, past: int = 0) -> str:
        """Return the tokens from ``position`` to here as canonical text.

        ``past`` is how often something was taken off the first one before: the text starts behind that.
        """
        return spaced(self._texts(position, self.position)[past:])

    def tokens_since(self, position: int) -> str:
        """Return the tokens from ``position`` to here with a space between any two: no two texts share one form."""
        return " ".join(self._texts(position, self.position))

    def _texts(self, start: int, end: int) -> list[str]:
        """Return the tokens of a range with what was taken off their fronts, and off that of the token at its end."""
        found: list[str] = []
        for position in range(start, end):
            found += [*self.taken.get(position, ()), self.tokens[position].text]
        return found + self.taken.get(end, [])


def _partners(tokens: list[Token]) -> dict[int, int]:
    """Return where the bracket that opens at each position closes."""
    found: dict[int, int] = {}
    waiting: list[tuple[int, str]] = []
    for position, token in enumerate(tokens):
        text = token.text
        if text in _OPENERS:
            waiting.append((position, _OPENERS[text]))
        elif text in _CLOSERS:
            if not waiting or waiting[-1][1] != text:
                raise Rejected(f"mismatched closing bracket `{text}`", token.place)
            found[waiting.pop()[0]] = position
    if waiting:
        token = tokens[waiting[-1][0]]
        raise Rejected(f"unclosed bracket `{token.text}`", token.place)
    return found
