"""What literals mean: numbers with suffix, characters, strings."""

from __future__ import annotations

import re

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.lexer import MAX_DIGITS, Token

_INTEGER = re.compile(
    r"(0x[0-9a-fA-F_]+?|0o[0-7_]+|0b[01_]+|[0-9][0-9_]*)((?:[iu](?:8|16|32|64|128|size)|int|nat|f32|f64)?)"
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "'": "'", '"': '"', "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F_]+)\}|(\n[ \t\n\r]*)|(.))", re.DOTALL)


def literal(token: Token) -> tree.IntLit | tree.FloatLit | tree.CharLit | tree.StrLit:
    """Return the node of a literal token."""
    if token.kind == "integer":
        return _integer(token)
    if token.kind == "float":
        return tree.FloatLit(token.text, place=token.place)
    if token.kind == "char":
        byte = token.text.startswith("b")
        value = _unescaped(token.text[2 if byte else 1 : -1], token)
        if byte and (len(value) != 1 or ord(value) > 255):
            raise Rejected("a byte literal holds one byte", token.place)
        return tree.CharLit(ord(value), byte, place=token.place)
    return _string(token)


def _integer(token: Token) -> tree.IntLit | tree.FloatLit:
    text = token.text
    if len(text) > MAX_DIGITS:
        raise Unsupported(f"a literal of more than {MAX_DIGITS} digits", token.place)
    matched = _INTEGER.fullmatch(text)
    if matched is None:
        raise Rejected(f"`{text}` is not a number", token.place)
    digits, suffix = matched.groups()
    if suffix in ("f32", "f64"):
        return tree.FloatLit(text, place=token.place)
    plain = digits.replace("_", "")
    base = {"0x": 16, "0o": 8, "0b": 2}.get(plain[:2], 10)
    if base != 10 and len(plain) == 2:
        raise Rejected(f"`{text}` has no digits", token.place)
    return tree.IntLit(int(plain, base) if base != 10 else int(plain), suffix or None, place=token.place)


def _string(token: Token) -> tree.StrLit:
    text = token.text
    byte = text.startswith("b")
    if text.startswith("c"):
        raise Unsupported("C string literal", token.place)
    text = text.removeprefix("b")
    if text.startswith("r"):
        hashes = text.index('"') - 1
        return tree.StrLit(text[hashes + 2 : len(text) - hashes - 1], byte, place=token.place)
    return tree.StrLit(_unescaped(text[1:-1], token), byte, place=token.place)


def _unescaped(text: str, token: Token) -> str:
    if "\\" not in text:
        return text

    def replaced(matched: re.Match[str]) -> str:
        byte, code, _, plain = matched.groups()
        if byte is not None:
            return chr(int(byte, 16))
        if code is not None:
            value = int(code.replace("_", "") or "0", 16)
            if value > 0x10FFFF or 0xD800 <= value <= 0xDFFF:
                raise Rejected(f"U+{value:X} is not a character", token.place)
            return chr(value)
        if plain is None:
            return ""
        if plain not in _ESCAPES:
            raise Rejected(f"unknown escape `\\{plain}`", token.place)
        return _ESCAPES[plain]

    return _ESCAPE.sub(replaced, text)
