"""Text to tokens in one pass of one regular expression; every branch of it is linear."""

from __future__ import annotations

import re
import string
from typing import Final, NamedTuple

from rlvr_gym.verifiers.algebra.characters import to_ascii
from rlvr_gym.verifiers.algebra.limits import Limits, ParseError
from rlvr_gym.verifiers.algebra.words import (
    COMMANDS,
    ESCAPED,
    LONGEST,
    NAMES,
    SIGNS,
    WHOLE_WORDS,
)

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\n\r~]++)
  | (?P<chosen>C\ ?_(?:\{[0-9a-z]{1,4}\}|[0-9a-z])\ ?\^(?:\{[0-9a-z]{1,4}\}|[0-9a-z](?![0-9])))
  | (?P<letter>[A-Za-z](?![A-Za-z0-9_.]))
  | (?P<grouped>[0-9]{1,3}(?:
        (?:,[0-9]{3}(?![0-9]))++
      | (?:(?:\{,\}|,?\\[,;:!]\ ?|\\\ |[\ ~])[0-9]{3}(?![0-9]))++
      )(?:\.[0-9]++)?)
  | (?P<based>[0-9]++_(?:[0-9]{1,2}(?![0-9])|\{[0-9]{1,2}\}|\{\\text\{[a-z]{3,8}\}\})
      | [A-F]{0,8}[0-9][0-9A-F]*+_(?:1[1-6](?![0-9])|\{1[1-6]\}|\{\\text\{[a-z]{3,8}\}\}))
  | (?P<ncr>(?:\{\}\ ?[_^]|(?<![0-9A-Za-z)}\]!\ ])\^|_)(?:\{[0-9A-Za-z]{1,6}\}|[0-9A-Za-z])\ ?[CP]\ ?_(?:\{[0-9A-Za-z]{1,6}\}|[0-9A-Za-z])
      | [0-9]{1,6}[CP][0-9]{1,6}(?![0-9A-Za-z_.]))
  | (?P<repeating>[0-9]*+\.[0-9]*+(?:\\(?:overline|bar|dot)\ ?(?:\{[0-9]++\}|[0-9])|(?<=\.)\([0-9]++\)))
  | (?P<num>(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)
  | (?P<degree>\^\ *(?:\\circ(?![A-Za-z])|\{\ *\\circ\ *\}))
  | (?P<sign>\*\*|<=|>=|!=|==|=<|\+/-|[-+*/^=<>!|()\[\]{},;:&])
  | (?P<begin>\\begin\ *\{[a-z]{1,12}\*?\}(?:\{[clr|]{1,40}\})?)
  | (?P<close>\\end\ *\{[a-z]{1,12}\*?\})
  | (?P<blackboard>\\(?:mathbb|Bbb)\ *(?:\{[RZNQC]\}|[RZNQC](?![A-Za-z])))
  | (?P<text>\\(?:text|textrm|textbf|textit|mbox|mathrm|operatorname)\*?\ *\{[^{}\\]{0,60}\})
  | (?P<delimiter>\\(?:left|right)\ *(?:[|.]|\\[lr]?vert(?![A-Za-z])))
  | (?P<gap>\\\\\ *\[\ *-?[0-9.]{1,6}\ *(?:pt|em|ex|mm|cm|in|px)\ *\]|\\(?:cr|tabularnewline)(?![A-Za-z]))
  | (?P<accent>\\(?:hat|widehat|tilde|dot|ddot)(?![A-Za-z])\ *(?:\{\ *\\?[A-Za-z]{1,8}\ *\}|\\?[A-Za-z]{1,8}))
  | (?P<command>\\[A-Za-z]++)
  | (?P<module>(?:math|cmath|np|numpy|sympy|sp)\.(?=[A-Za-z]))
  | (?P<word>[A-Za-z]++)
  | (?P<escaped>\\[^A-Za-z])
  | (?P<under>_)
    """,
    re.VERBOSE,
)

_COMMAND = re.compile(r"\\[A-Za-z]+")
# A short whole number that nothing can continue.
_SHORT = re.compile(r"[0-9]{1,9}+(?![0-9.,_A-Z\\{e ~])")
_LONE: Final = frozenset("()[]{}|/-,;&+")
_LONGER: Final = ("{}", "+/-")
_PAIRS: Final = {
    letter + after: NAMES.get(letter) or ("sym", letter)
    for letter in string.ascii_letters
    for after in ("", *"+-*/^)(}]=,|")
} | {f"^{after}": ("^", "") for after in string.digits + string.ascii_letters}
"""Tokens of one character, by this and the next, where no longer token can begin."""
_PLAIN_KINDS: Final = frozenset(["frac", "func", "const", "*"])
_PLAIN = re.compile(r"[0-9]++(?:\.[0-9]*+)?")
_NOT_DIGITS = re.compile(r"[^0-9.]")
_REPEATING = re.compile(r"([0-9]*)\.([0-9]*)[^0-9]+([0-9]+)")
_NCR = re.compile(r"([0-9A-Za-z]+?)([CP])([0-9A-Za-z]+)")
_PARTS = re.compile(r"[0-9a-z]+")
_NAMED = re.compile(r"[A-Za-z]+")
_NO_MARKS: Final = str.maketrans("", "", "{}_^ ")
_SUBSCRIPT = re.compile(
    r"_(?:[0-9]++|[A-Za-z](?![A-Za-z]{2})|[A-Za-z]{3,12}"
    r"|\{(?:[^{}\\]{1,16}|\\(?:text|textrm|mathrm|rm|max|min)\ *(?:\{[A-Za-z0-9 ,]{1,16}\}|[a-z]{0,8})?)\})"
    r"|[0-9]{1,3}(?![0-9.])"
)
_SUBSCRIPT_MARKS = re.compile(r"\\(?:text|textrm|mathrm|rm)(?![A-Za-z])|[_{}\\ ]")
# 6x10^3 in plain text.
_TIMES_TEN = re.compile(r" ?10 ?(?:\^|\*\*)")
_BASED_LOG = re.compile(r"(?:10|2)(?=\()")
_OPENING: Final = frozenset(["(", "[", "lset"])
_CLOSING: Final = frozenset([")", "]", "rset"])
_MAX_LETTERS = 3
_MAX_RUN = 40


class Tokens(NamedTuple):
    """Kinds and texts of all tokens; two ``end`` tokens close them."""

    kinds: list[str]
    texts: list[str]


def lex(text: str, limits: Limits, *, grouped: bool = True, names: bool = False) -> Tokens:
    r"""Return the tokens of ``text``.

    Args:
        text: The formula.
        limits: Sizes above which it is refused.
        grouped: Read ``1,234`` outside brackets as one number.
        names: Make a symbol of any words in ``\text``.

    Raises:
        ParseError: a character, word or size outside the grammar.
    """
    if len(text) > limits.max_chars:
        raise ParseError("too_long", f"{len(text)} characters, at most {limits.max_chars}")
    source = to_ascii(text)
    lexer = _Lexer(source, limits, grouped, names)
    kinds, texts = lexer.kinds, lexer.texts
    match, name_of, short = _TOKEN.match, _COMMAND.match, _SHORT.match
    at, end = 0, len(source)
    while at < end:
        # Shortcuts for what most texts consist of; the regular expression below reads all of it as well.
        char = source[at]
        if char in _LONE and not source.startswith(_LONGER, at):
            kinds.append(char)
            texts.append("")
            at += 1
            continue
        if char == "\\":
            found = name_of(source, at)
            token = COMMANDS.get(found[0][1:]) if found is not None else None
            if found is not None and token is not None and token[0] in _PLAIN_KINDS:
                kinds.append(token[0])
                texts.append(token[1])
                at = found.end()
                continue
        elif (found := short(source, at)) is not None:
            kinds.append("num")
            texts.append(found[0])
            at = found.end()
            continue
        elif (token := _PAIRS.get(source[at : at + 2])) is not None:
            kinds.append(token[0])
            texts.append(token[1])
            at += 1
            continue
        found = match(source, at)
        if found is None:
            raise ParseError("character", f"{source[at]!r} is outside the grammar")
        at = found.end()
        group = found.lastgroup
        if group == "space":
            continue
        if group == "sign":
            kind, word = SIGNS[found[0]]
            kinds.append(kind)
            texts.append(word)
        elif group == "letter":
            if found[0] == "x" and _TIMES_TEN.match(source, at) and kinds and kinds[-1] == "num":
                kind, word = "*", ""
            else:
                kind, word = NAMES.get(found[0]) or ("sym", found[0])
            kinds.append(kind)
            texts.append(word)
        elif group == "num":
            at -= lexer.number(found[0])
        else:
            at = lexer.other(group or "", found[0], found.start(), at)
    if len(kinds) > limits.max_nodes:
        raise ParseError("too_large", f"{len(kinds)} tokens, at most {limits.max_nodes}")
    kinds += ("end", "end")
    texts += ("", "")
    return Tokens(kinds, texts)


class _Lexer:
    """What the loop above leaves to functions: everything but signs, letters and plain numbers."""

    def __init__(self, source: str, limits: Limits, grouped: bool, names: bool) -> None:
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self._source = source
        self._limits = limits
        self._grouped = grouped
        self._names = names
        # Open brackets among the first ``_counted`` tokens.
        self._level = 0
        self._counted = 0

    def _put(self, kind: str, text: str = "") -> None:
        if kind != "skip":
            self.kinds.append(kind)
            self.texts.append(text)

    def number(self, text: str) -> int:
        """Add a number; return how many characters at its end are none of it."""
        left = 0
        if not text.isdigit():
            mantissa, mark, exponent = text.replace("E", "e").partition("e")
            if mark and exponent[0] in "+-" and "." not in mantissa and mantissa != "1":
                # 2e-3 is a product and a difference; 1e-3 and 2.0e-3 are what programs print.
                left = len(text) - len(mantissa)
                text = mantissa
            elif mark:
                self._check(abs(int(exponent)) if len(exponent) <= 6 else self._limits.max_digits + 1)
        self._check(len(text))
        self.kinds.append("num")
        self.texts.append(text)
        return left

    def _check(self, digits: int) -> None:
        # Counted before int() sees them: CPython refuses more than 4,300 digits with an exception.
        if digits > self._limits.max_digits:
            raise ParseError("too_many_digits", f"a number of more than {self._limits.max_digits} digits")

    def other(self, group: str, text: str, start: int, at: int) -> int:
        """Add a token of one of the rarer groups; return where to go on."""
        if group == "command":
            token = COMMANDS.get(text[1:])
            if token is None:
                raise ParseError("unknown_name", text[:20])
            if token[0] == "bad":
                raise ParseError("syntax", f"{text} in a value")
            self._put(*token)
            if token == ("func", "log"):
                return at
            return self._subscript(at) if token[0] == "sym" else at
        if group == "word":
            return self._word(text, at)
        if group == "escaped":
            if text not in ESCAPED:
                raise ParseError("character", f"{text} is outside the grammar")
            self._put(*ESCAPED[text])
        elif group == "grouped":
            return self._thousands(text, start, at)
        elif group == "text":
            return self._text(text[text.index("{") + 1 : -1].strip(), at)
        elif group == "delimiter":
            if text[-1] != ".":
                self._put("lbar" if text[1] == "l" else "rbar")
        elif group == "degree":
            self._put("degree")
        elif group in ("begin", "close"):
            self._put(group, text[text.index("{") + 1 : text.index("}")].rstrip("*"))
        elif group == "blackboard":
            self._put("set", text.rstrip("}")[-1])
        elif group == "repeating":
            self._repeating(text)
        elif group == "gap":
            self._put("row")
        elif group == "accent":
            return self._accent(text, at)
        elif group == "chosen":
            return self._chosen(text, start, at)
        elif group == "ncr":
            parts = _NCR.match(text.translate(_NO_MARKS))
            assert parts is not None
            self._put("ncr", " ".join(parts.groups()))
        elif group == "under":
            self._put("_")
        elif group == "based":
            self._check(len(text))
            self._put("based", text)
        return at

    def _thousands(self, text: str, start: int, at: int) -> int:
        sign = text.lstrip("0123456789")
        # Inside brackets a bare comma separates: (1,234) is a pair.
        if sign[0] == "," and sign[1].isdigit() and (not self._grouped or self._inside_brackets()):
            plain = _PLAIN.match(self._source, start)
            assert plain is not None
            self.number(plain[0])
            return plain.end()
        self.number(_NOT_DIGITS.sub("", text))
        return at

    def _chosen(self, text: str, start: int, at: int) -> int:
        """Read ``C_{10}^{3}`` as ten over three, where that is possible, else as the power of a letter."""
        n, k = _PARTS.findall(text[1:])
        whole = n.isdigit() and k.isdigit()
        if (whole and int(n) > 1 and int(k) <= int(n)) or (not whole and n.isalpha()):
            self._put("ncr", f"{n} C {k}")
            return at
        self._put("sym", "C")
        return self._subscript(start + 1)

    def _accent(self, text: str, at: int) -> int:
        r"""Read ``\hat{x}`` as x, ``\dot{x}`` as a letter of its own."""
        name = _NAMED.findall(text)[-1]
        name = name[0] if name in ("imath", "jmath") else name
        kind, word = NAMES.get(name) or COMMANDS.get(name) or ("sym", name)
        if kind not in ("sym", "const") or (len(name) > 1 and name not in COMMANDS):
            raise ParseError("unknown_name", text[:20])
        dots = "_ddot" if "\\ddot" in text else "_dot" if "\\dot" in text else ""
        self._put("sym" if dots else kind, word + dots)
        return self._subscript(at) if self.kinds[-1] == "sym" else at

    def _inside_brackets(self) -> bool:
        for kind in self.kinds[self._counted :]:
            self._level += (kind in _OPENING) - (kind in _CLOSING)
        self._counted = len(self.kinds)
        return self._level > 0

    def _repeating(self, text: str) -> None:
        self._check(len(text))
        found = _REPEATING.match(text)
        assert found is not None
        whole, once, again = found.groups()
        # 0.1666... is (16 - 1)/90.
        bottom = 10 ** len(once) * (10 ** len(again) - 1)
        self._put("num", f"{int(whole + once + again) - int('0' + whole + once)}/{bottom}")

    def _text(self, word: str, at: int) -> int:
        token = WHOLE_WORDS.get(word) or NAMES.get(word)
        if token is not None:
            self._put(*token)
        elif word.isascii() and word.isdigit():
            self.number(word)
        elif len(word) == 1 and word.isalpha():
            self._put("sym", word)
            return self._subscript(at)
        elif word and not self._names:
            raise ParseError("unknown_name", word[:20])
        elif word:
            self._put("sym", "_".join(word.split()))
        return at

    def _word(self, text: str, at: int) -> int:
        """Split a run of letters into words of the grammar and single letters."""
        if text == "x" and _TIMES_TEN.match(self._source, at) and self.kinds and self.kinds[-1] == "num":
            self._put("*")
            return at
        token = WHOLE_WORDS.get(text) or NAMES.get(text)
        if token is not None:
            self._put(*token)
            # Programming languages write log10(x) and log2(x).
            based = _BASED_LOG.match(self._source, at) if token == ("func", "log") else None
            if based is not None:
                self._put("_")
                self._put("num", based[0])
                return based.end()
            return self._subscript(at) if token[0] == "sym" else at
        if len(text) > _MAX_RUN:
            raise ParseError("unknown_name", text[:20])
        single = ""
        done = 0
        while done < len(text):
            for length in range(min(LONGEST, len(text) - done), 1, -1):
                token = NAMES.get(text[done : done + length])
                if token is not None:
                    break
            else:
                length = 1
                single += text[done]
                token = NAMES.get(text[done]) or ("sym", text[done])
            self._put(*token)
            done += length
        # A long run of letters is a word of some language, unless it is a product in the order of the alphabet.
        if len(single) > _MAX_LETTERS and list(single) != sorted(single):
            raise ParseError("unknown_name", text[:20])
        return self._subscript(at) if length == 1 else at

    def _subscript(self, at: int) -> int:
        """Add the subscript that begins at ``at``, if any, to the last token, a letter."""
        found = _SUBSCRIPT.match(self._source, at)
        if found is None:
            return at
        if found[0][0] != "_" and len(self.kinds) > 1 and self.kinds[-2] in ("frac", "binom"):
            # \frac x2 has two arguments.
            return at
        if self.kinds[-1] != "sym" and found[0][0] != "_":
            raise ParseError("syntax", f"{found[0]} right after {self.texts[-1]}")
        name = self.texts[-1] + "_" + _SUBSCRIPT_MARKS.sub("", found[0])
        self.kinds[-1], self.texts[-1] = "sym", name
        return found.end()
