"""The formula inside a sentence, such as ``The antiderivative of x is $x^2/2 + C$, where C is a constant``.

Only sentences of known words are read. Any other word stays in the text, which then is no formula: a sentence that
hedges, negates or asks is never cut down to its formula.
"""

from __future__ import annotations

import re
from typing import Final

from rlvr_gym.verifiers.calculus.limits import ParseError

_MAX_CHARS: Final = 5_000
"""Longer texts are taken as they stand."""
_LEAD: Final = (
    "sure! sure by_the_power_rule using_the_power_rule applying_the_power_rule integrating integrating_both_sides "
    "so thus therefore hence then finally now and consequently in_conclusion as_a_result overall "
    "we_have we_get we_obtain we_find we_conclude we_see i_get i_got i_obtain i_find this_gives this_gives_us giving "
    "which_gives this_yields it_follows_that it_is it's this_is that_is that put_together putting_it_together "
    "putting_it_all_together combining_these combining simplifying in_summary"
)
_SUBJECT: Final = (
    "answer antiderivative anti-derivative antiderivatives integral primitive primitive_function antiderivative_function "
    "solution result"
)
_KIND: Final = "possible final correct general indefinite required resulting simplified complete full most_general desired exact given"
_GENERIC: Final = (
    "the_function the_given_function this_function the_expression the_integral this_integral the_integrand"
)
_VERB: Final = (
    "is equals is_equal_to is_given_by is_therefore is_thus is_then is_simply is_just will_be becomes"
)


def _words(words: str) -> list[str]:
    return words.split()


def _any(words: str) -> str:
    # Longest first, so that "is" does not stop before "is equal to".
    return "|".join(re.escape(w).replace("_", r"[ ]+") for w in sorted(words.split(), key=len, reverse=True))


_PREFIX = re.compile(
    rf"(?:(?:{_any(_LEAD)})(?:[,:]|(?=\s))[ ]*)*"
    rf"(?:(?P<subject>(?:(?:the|an?|one|its|my|our|this)[ ]+)?(?:(?:{_any(_KIND)})[ ]+)*(?:{_any(_SUBJECT)}))"
    rf"(?:[ ]+(?:of|for)[ ]+(?P<of>(?:(?!(?:[ ](?:is|equals|will|becomes)[ ]|[ ]with[ ]respect[ ]|:|\n)).)+?))?"
    rf"(?:[ ]+with[ ]respect[ ]to[ ]+\$?[A-Za-z]\$?)?[ ]*,?[ ]*(?:(?:{_any(_VERB)})(?:[ ]*:)?(?=[\s$\\:=])|:=|:|=))?\s*",
    re.IGNORECASE,
)
_TAIL_START = re.compile(
    r"\bwhere\b|\bwith[ ]+\$?[A-Za-z](?:_?\{?[0-9]\}?)?\$?[ ]+|\bfor[ ]+(?:any|some|an|every|all)\b|[,(][ ]*[A-Z][ ]+(?:is[ ]+an?[ ]+)?constant\b|"
    r"[,(\s]\s*\$?(?:\\quad|\\qquad|\\[,; ])?\s*[A-Z](?:_?\{?[0-9]\}?)?\s*(?:\\in\b|∈)"
)
_TAIL_WORDS: Final = frozenset(
    _words(
        "where with for any some an a every all the is are arbitrary real constant constants of integration denotes "
        "represents being number numbers value in be"
    )
)
_TAIL_TOKEN = re.compile(r"\\mathbb\{R\}|\\mathbf\{R\}|ℝ|\\in|∈|[A-Za-z]+")
_DOMAIN = re.compile(
    r"(?:,| \(?for| \(|\\quad)\s*\(?(?:\\quad|\\text\{ ?for \})? ?\(?[a-z] ?(?:≠|>|<|≥|\\neq?|\\ge|\\gt) ?-?[0-9]{1,3}\)?$"
)
"""A remark on where a formula holds, which the verdict does not need: it is judged wherever the integrand is real."""
_IS_ONE = re.compile(r" is (?:an|the|one) (?:indefinite )?(?:antiderivative|integral|answer)$", re.IGNORECASE)
_NAME_IS = re.compile(r"^(?:the function )(?=\$?[A-Za-z]\()", re.IGNORECASE)
_ADDED = re.compile(
    r"(?:\+|,?\s*\bplus\b)\s*\(?(?:an?\s+|the\s+|some\s+)?(?:arbitrary\s+)?(?:integration\s+)?constant"
    r"(?:\s+of\s+integration)?\)?$",
    re.IGNORECASE,
)
_SPANS: Final = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_TEXT = re.compile(r"\\text(?:rm|bf|it)?\{([^{}]*)\}")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{(?:align|aligned|equation|gather|gathered|split|array)\*?\}")
_HEDGES: Final = frozenset(
    _words("or either alternatively maybe perhaps possibly otherwise versus vs unless another")
)


_SEVERAL = re.compile(
    r"\b(?:answer|option|choice|candidate|possibility|guess|solution|attempt)\s*#?(?:[A-D]|[1-9]|one|two)\b\s*[:).-]",
    re.IGNORECASE,
)


def hedges(words: str) -> bool:
    """Return whether a stretch of prose holds a word that leaves the answer open."""
    return any(word in _HEDGES for word in re.findall(r"[a-z]+", words.lower()))


def statement(text: str, variable: str = "x") -> str:
    r"""Return the formula, or equation, that a sentence states; a text of another form comes back as it is.

    Example:
        >>> statement("The antiderivative of $x$ is $x^2/2 + C$, where $C$ is a constant.")
        '\\int (x) dx = x^2/2 + C'
        >>> statement("The answer is not x^2/2")
        'not x^2/2'
    """
    if len(text) > _MAX_CHARS:
        return text
    # Single spaces: the patterns below would take cubic time on long runs of them.
    text = _plain(" ".join(text.split()))
    if text.startswith("\\text"):
        # \text{Answer: } inside a box.
        opening = _TEXT.match(text)
        text = opening[1] + text[opening.end() :] if opening is not None else text
    text = re.sub(rf"\b(of|for) (\$?)[a-zA-Z]\({variable}\) ?= ?", r"\1 \2", text)
    text = _without_tail(_DOMAIN.sub("", text.rstrip(" .$")))
    match = _PREFIX.match(text)
    assert match is not None
    formula = text[match.end() :].strip()
    # Nothing but the words: the formula is elsewhere, or nowhere.
    formula = _bare(formula) if formula else text
    of = (match["of"] or "").strip()
    if not of or re.fullmatch(_any(_GENERIC), of, re.IGNORECASE):
        return formula
    of = _bare(re.sub(rf"^(?:{_any(_GENERIC)})\s+", "", of, flags=re.IGNORECASE))
    name, equals, rest = of.partition("=")
    if equals and re.fullmatch(rf"\s*[a-zA-Z]\s*\(\s*{variable}\s*\)\s*", name):
        of = rest
    name, equals, rest = formula.partition("=")
    if equals and re.fullmatch(rf"\s*[A-Za-z]\s*(?:\(\s*{variable}\s*\)\s*)?", name) and "=" not in rest:
        formula = rest.strip()
    if "int" in of or "∫" in of or "=" in of or "=" in formula:
        # "The integral of f is F(x) = ..." and the like: let the equation speak for itself.
        return formula if of.strip().startswith(("\\int", "∫")) and "=" not in of else f"{of} = {formula}"
    return f"\\int ({of}) d{variable} = {formula}"


def _plain(text: str) -> str:
    """Return ``text`` without Markdown around it."""
    text = text.strip().lstrip("#> ").strip()
    for mark in ("***", "**", "__", "*", "_", "```", "``", "`"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text = text[len(mark) : -len(mark)].strip()
        elif text.startswith("**") and mark == "**" and text.count("**") >= 2:
            # **Answer:** x^2/2
            head, _, tail = text[2:].partition("**")
            if not any(c.isdigit() or c in "^()+" for c in head):
                text = f"{head}{tail}".strip()
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1].strip()
    return text


def _without_tail(text: str) -> str:
    """Return ``text`` without words on what the constant is; they must say nothing else."""
    text = text.rstrip(" .\n")
    start = _TAIL_START.search(text)
    if start is not None:
        tail = text[start.start() :]
        tokens = _TAIL_TOKEN.findall(_TEXT.sub(r" \1 ", tail).replace("\\quad", " ").replace("\\text", " "))
        names = {t for t in tokens if len(t) == 1 and t.isalpha() and t not in ("a", "ℝ", "R")}
        rest = _TAIL_TOKEN.sub("", _TEXT.sub(r" \1 ", tail).replace("\\quad", " "))
        known = all(len(t) == 1 or t.startswith("\\") or t.lower() in _TAIL_WORDS for t in tokens)
        if known and len(names) <= 1 and not names & {"x", "e"} and not rest.strip(" $.,;()_{}0123456789\\"):
            text = text[: start.start()].rstrip()
            for _ in range(4):
                text = re.sub(r"(?:\\text\{|\\q?quad|\\[,;! ]|[,;(])\s*$", "", text).rstrip()
    one = _IS_ONE.search(text)
    if one is not None:
        text = _NAME_IS.sub("", text[: one.start()])
    return _ADDED.sub("", text).rstrip()


def _bare(formula: str) -> str:
    """Return ``formula`` without delimiters of mathematics, one-sided ones included."""
    formula = formula.strip().rstrip(".,;: ").strip()
    formula = _plain(formula) if formula.startswith(("*", "_", "`")) else formula
    for left, right in _SPANS:
        if formula.startswith(left) and formula.endswith(right) and len(formula) >= len(left) + len(right):
            inner = formula[len(left) : -len(right)]
            if left not in inner:
                return inner.strip()
        if formula.startswith(left) and formula.count(left) == 1 and right not in formula[len(left) :]:
            return formula[len(left) :].strip()
    return formula


def joined(text: str) -> str:
    """Return a formula over several lines as one; a line that does not go on from the last is another formula.

    Raises:
        ParseError: ``list``.
    """
    text = _ENVIRONMENT.sub(" ", text)
    if "&" in text or "\\\\" in text:
        text = text.replace("&", " ").replace("\\\\", "\n")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    whole = ""
    for line in lines:
        if whole and not (
            line.startswith(_GOES_ON) or whole.endswith(_OPEN_END) or _depth(whole) > 0 or line in _CLOSERS
        ):
            raise ParseError("list", "several lines: more than one formula")
        whole = f"{whole} {line}".strip()
    return whole


_GOES_ON: Final = (
    "+",
    "-",
    "=",
    "*",
    "/",
    "^",
    "−",
    "\\cdot",
    "\\times",
    ")",
    "}",
    "]",
    "\\right",
    "$$",
    "\\]",
    "\\)",
    ".",
)
_OPEN_END: Final = ("+", "-", "=", "*", "/", "^", "(", "{", "[", "−", "\\cdot", "\\times", "$$", "\\left")
_CLOSERS: Final = ("$$", "$", "\\]", "\\)")


def _depth(text: str) -> int:
    return sum(text.count(c) for c in "({[") - sum(text.count(c) for c in ")}]")


def last_statement(text: str) -> str:
    """Return the last statement of a text of several paragraphs or lines, or the whole text when there is none.

    Raises:
        ParseError: ``hedge``.
    """
    lines = _logical_lines(text)
    if len(lines) <= 1:
        return lines[0] if lines else text
    answers = {
        line[match.end() :].strip(" .$*")
        for line in map(_plain, lines)
        if (match := _PREFIX.match(line))
        and match["subject"]
        and match["subject"] != line[: match.end()].strip()
    } - {""}
    if len(answers) > 1 or _SEVERAL.search(text):
        raise ParseError("hedge", "several answers")
    last = lines[-1]
    before = lines[-2].rstrip(" *")
    match = _PREFIX.match(_plain(last))
    speaks = bool(match and match.end()) or last.startswith(("\\int", "∫", "$\\int", "$$", "\\[", "$∫"))
    led = before.endswith((":", " is", " get", " have", " obtain", "=", ","))
    if not (speaks or led):
        return text
    if hedges(before) or hedges(_TEXT.sub(r" \1 ", last)):
        raise ParseError("hedge", "the last lines leave the answer open")
    if led and before.endswith((" is", "=")) and not speaks:
        return f"{before} {last}"
    if led:
        opening = _PREFIX.fullmatch(_plain(before) + " ") or _PREFIX.fullmatch(_plain(before))
        return f"{before} {last}" if opening is not None and opening["of"] else last
    return last


def _logical_lines(text: str) -> list[str]:
    """Return the lines of ``text``, with displayed formulas joined to one line and fences dropped."""
    lines: list[str] = []
    closing = ""
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if line.startswith("```"):
            continue
        if not line or not line.strip("*-_ #=") or line in ("---",):
            continue
        if not closing and lines and line.startswith("where "):
            lines[-1] += f" {line}"
            continue
        if closing:
            lines[-1] += f"\n{line}"
            if closing in line:
                closing = ""
            continue
        if line.startswith(("$$", "\\[")):
            end = "$$" if line.startswith("$$") else "\\]"
            closing = end if end not in line[2:] else ""
        lines.append(line)
    return lines
