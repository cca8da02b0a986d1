"""One answer against one reference: from the extracted text to a decision."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Decision, Expr, Outcome, ParseError
from rlvr_gym.verifiers.answers.asked import other_form
from rlvr_gym.verifiers.answers.choices import read_choice
from rlvr_gym.verifiers.answers.clock import read_clock
from rlvr_gym.verifiers.answers.congruences import read_congruence
from rlvr_gym.verifiers.answers.dates import read_date
from rlvr_gym.verifiers.answers.echo import is_echo
from rlvr_gym.verifiers.answers.equations import Label, label, sides
from rlvr_gym.verifiers.answers.gold import Gold
from rlvr_gym.verifiers.answers.letters import aligned
from rlvr_gym.verifiers.answers.normalise import key, loosened, normalise, plain_words
from rlvr_gym.verifiers.answers.notation import integer_letter, read, whole_set
from rlvr_gym.verifiers.answers.numerals import integer_text, plain_number
from rlvr_gym.verifiers.answers.phrases import NUMBER_WORDS, SETS, folded, is_denied, is_prose, marks, meaning
from rlvr_gym.verifiers.answers.quantities import same_quantity
from rlvr_gym.verifiers.answers.reading import Read, read_answer
from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.answers.scalars import Rules
from rlvr_gym.verifiers.answers.structures import alone, same_node
from rlvr_gym.verifiers.answers.tolerance import decimals
from rlvr_gym.verifiers.answers.words import HEDGES, NEGATIONS, words_of

_INTRODUCTION = re.compile(r"^(?:it is|on|it was) ")
_DEGREE = re.compile(r"\s?\^\s?\{?\s?\\circ\s?\}?|°|\\degree(?![A-Za-z])")
_INTRODUCED = re.compile(
    r"(?:\\text\s?\{\s?(?:(?:the\s)?[A-Za-z]{2,15}(?:\s[A-Za-z]{1,15}){0,3}(?:\sis|\sare|:)|only|about|approximately)\s?\}"
    r"|the\s[a-z]{2,15}(?:\s[a-z]{1,15}){0,3}\sis\s(?=[-\\$0-9(\[{])|(?:about|approximately|only)\s(?=[-\\$0-9]))\s?",
    re.IGNORECASE,
)
_OTHERS = frozenset(["square", "root", "cube", "another", "other"])
_AROUND = " (){}\\"
_LABEL = r"(?:(?:so|thus|therefore|hence),?\s)?(?:the\s)?(?:final\s)?answer\s?(?:is|:|=)+"
_LABELLED = re.compile(rf"^(?:\\text(?:bf|rm)?\s?\{{\s?{_LABEL}\s?\}}|{_LABEL})\s?", re.IGNORECASE)


_DIGIT = re.compile(r"[0-9]")


@dataclass(frozen=True, slots=True)
class Terms:
    """How answers are compared: what the settings and the task allow."""

    prompt: str = ""
    decimals: bool = False
    """Whether an exact reference also takes a decimal of enough digits."""
    slow: bool = False
    """Whether sympy may be asked about what stays open; in a worker only."""


def compare(gold: Gold, answer: str, terms: Terms) -> Decision:
    """Return whether ``answer``, a normalised text, is what ``gold`` is; the reason begins with a code.

    Raises:
        Refusal: the answer cannot be read, or is none.
        ParseError: the answer is outside the grammar.
    """
    if not answer:
        raise Refusal("no_answer", "the answer is empty")
    if key(answer) == gold.key:
        return Decision(Outcome.SAME, "same: the text of the reference")
    if gold.integer is not None and gold.tolerance is None and (integer := integer_text(answer)) is not None:
        same = integer == gold.integer
        return Decision(Outcome.SAME, "same: the integer") if same else _differs("another integer")
    labelled = _LABELLED.match(answer)
    if labelled is not None:
        rest = normalise(answer[labelled.end() :])
        return _differs("a label without an answer") if _LABELLED.match(rest) else compare(gold, rest, terms)
    introduced = _INTRODUCED.match(answer)
    if (
        introduced is not None
        and gold.kind in ("value", "structure")
        and (NEGATIONS | HEDGES | _OTHERS).isdisjoint(words_of(introduced[0]))
    ):
        answer = normalise(answer[introduced.end() :])
    return _KINDS[gold.kind](gold, answer, terms)


_ABOUT = re.compile(r"\s*(?:(?:approximately|about|around|roughly)\s|≈|\\approx(?![a-z]))", re.IGNORECASE)


def agrees(gold: Gold, other: str) -> bool:
    """Return whether another statement of an answer certainly is the reference too."""
    try:
        return compare(gold, normalise(other), Terms()).outcome is Outcome.SAME
    except (Refusal, ParseError):
        return False


def contradicts(gold: Gold, other: str, answer: str = "", prompt: str = "") -> bool:
    """Return whether another statement of an answer is certainly not the reference; words about it are none.

    Args:
        gold: The reference.
        other: The other statement.
        answer: The answer, which does not contradict itself.
        prompt: The problem.
    """
    text = normalise(other)
    # A statement ends at its full stop: Rs. 12, 0.363...
    same = text == answer or answer.removeprefix(text).startswith((". ", "..", "\u2026"))
    if not text or same or (gold.integer is None and _ABOUT.match(other.strip(" $"))):
        return False
    if gold.kind == "phrase":
        return meaning(text) not in (None, gold.meaning)
    if gold.kind == "choice":
        choice = read_choice(text)
        return choice is not None and choice.letter not in gold.letters and choice.letter in text
    if gold.kind in ("text", "verbatim", "choices"):
        words = len(folded(text).split())
        if gold.kind != "text" or not 0 < words <= max(1, len(folded(gold.text).split())):
            return False
    try:
        return all(
            compare(gold, text, Terms(known)).outcome is Outcome.DIFFERENT
            for known in dict.fromkeys(("", prompt))
        )
    except (Refusal, ParseError):
        return False


def _differs(reason: str) -> Decision:
    return Decision(Outcome.DIFFERENT, f"differs: {reason}")


def _verdict(same: bool, reason: str) -> Decision:
    return Decision(Outcome.SAME, f"same: {reason}") if same else _differs(reason)


def _choice(gold: Gold, answer: str, terms: Terms) -> Decision:
    choice = read_choice(answer)
    if choice is not None and (choice.letter in gold.options or not gold.options):
        if choice.letter not in gold.letters:
            return _differs(f"choice {choice.letter}")
        beside = gold.options.get(choice.letter) or gold.value
        if (
            choice.rest
            and beside is not None
            and compare(beside, choice.rest, terms).outcome is not Outcome.SAME
        ):
            return _differs("the letter with another value")
        return Decision(Outcome.SAME, "same: the letter")
    if gold.value is None:
        return _differs("no choice letter")
    others = [value for letter, value in gold.options.items() if letter not in gold.letters]
    if any(_quietly(value, answer).outcome is Outcome.SAME for value in others):
        return _differs("the value of another choice")
    return compare(gold.value, answer, terms)


def _quietly(gold: Gold, answer: str) -> Decision:
    try:
        return compare(gold, answer, Terms())
    except (Refusal, ParseError) as error:
        return _differs(str(error))


def _choices(gold: Gold, answer: str, terms: Terms) -> Decision:
    parts = [
        part.strip(_AROUND) for part in re.split(r"[,;&]|\band\b", plain_words(answer)) if part.strip(_AROUND)
    ]
    if len(parts) == 1 and parts[0].isalpha() and parts[0].isupper():
        parts = list(parts[0])
    return _verdict(frozenset(part.upper() for part in parts) == gold.letters, "the letters")


def _phrase(gold: Gold, answer: str, terms: Terms) -> Decision:
    said = meaning(answer)
    if said is not None:
        return _verdict(said == gold.meaning, f"'{folded(answer)}'")
    if gold.meaning in SETS:
        return _formula(gold, answer, terms)
    if gold.meaning == "many" and plain_words(answer) in ("\\infty", "\u221e"):
        return Decision(Outcome.SAME, "same: infinitely many")
    if gold.meaning == "empty":
        *left, right = (side.text for side in sides(answer))
        if len(left) > 1 or (left and label(left[0]) is None):
            return _differs("an equation that gives more")
        return _verdict(meaning(right) == "empty" or _is_empty_set(right), "no solution")
    if gold.meaning == "undefined" or is_prose(answer):
        return _differs("another statement")
    return _differs("no such statement")


def _is_empty_set(text: str) -> bool:
    try:
        return read(text) == algebra.SetOf(())
    except ParseError:
        return False


def _time(gold: Gold, answer: str, terms: Terms) -> Decision:
    time = read_clock(answer)
    if time is None and gold.node is not None:
        # 1:20 may be meant as a ratio.
        return _formula(gold, answer, terms)
    return _verdict(time is not None and gold.time is not None and time.same(gold.time), "the time")


def _text(gold: Gold, answer: str, terms: Terms) -> Decision:
    if is_denied(answer) and not is_denied(gold.text):
        return _differs("a question or a denial")
    if marks(answer) != marks(gold.text):
        return _differs("other numbers among the words")
    said, wanted = folded(answer), folded(gold.text)
    if said == wanted or _INTRODUCTION.sub("", said) == wanted:
        return Decision(Outcome.SAME, "same: the words")
    bare = sides(answer)
    named = label(bare[0].text) if len(bare) == 2 and bare[1].sign == "=" else None
    if named is not None and named.symbols and folded(bare[1].text) == wanted:
        return Decision(Outcome.SAME, "same: the words")
    return _differs("other words")


def _verbatim(gold: Gold, answer: str, terms: Terms) -> Decision:
    if loosened(answer) == loosened(gold.text):
        return Decision(Outcome.SAME, "same: the text of the reference")
    return _differs("not the text of the reference")


def _date(gold: Gold, answer: str, terms: Terms) -> Decision:
    date = read_date(answer)
    return _verdict(date is not None and gold.date is not None and gold.date.takes(date), "the day")


def _congruence(gold: Gold, answer: str, terms: Terms) -> Decision:
    given = read_congruence(answer)
    same = given is not None and gold.congruence is not None and given.same(gold.congruence)
    return _verdict(same, "the residue class")


def _formula(gold: Gold, answer: str, terms: Terms) -> Decision:
    said = meaning(answer)
    if said == "empty" and gold.node == algebra.SetOf(()):
        return Decision(Outcome.SAME, "same: no solution")
    if said in SETS:
        answer = f"\\mathbb{{{SETS[said]}}}"
    elif said is not None:
        return _differs(f"'{folded(answer)}'")
    if gold.number is not None and gold.tolerance is None and not gold.rounded and "." not in answer:
        number = plain_number(answer)
        if number is not None and not (
            number == gold.number
            and terms.prompt
            and is_echo(answer, read(answer), gold.text, gold.node, terms.prompt)
        ):
            return _verdict(number == gold.number, "the number")
    # Number words have no digits.
    wordy = len(answer) < 40 and _DIGIT.search(answer) is None
    word = NUMBER_WORDS.get(folded(answer)) if wordy else None
    if word is not None:
        answer = word
    if {whole_set(gold.text), whole_set(answer)} == {"N", "Z"}:
        return _differs("another set for its letter")
    found = read_answer(gold, answer, terms.prompt)
    decision = _decided(gold, found, terms)
    if decision.outcome is Outcome.DIFFERENT and (bare := _without_degrees(gold, answer)) is not None:
        decision = _decided(bare, found, terms)
    if decision.outcome is Outcome.SAME and is_echo(
        found.side, found.node, gold.text, gold.node, terms.prompt
    ):
        raise Refusal("echo", "the answer repeats a formula of the problem", failed=True)
    if decision.outcome is Outcome.SAME and (fault := other_form(found.node, gold.node, terms.prompt)):
        raise Refusal("form", fault, failed=True)
    if decision.reason.startswith(_CODES):
        return decision
    return Decision(decision.outcome, f"{_CODE[decision.outcome]}: {decision.reason}")


_CODE = {Outcome.SAME: "same", Outcome.DIFFERENT: "differs", Outcome.OPEN: "open"}


def _without_degrees(gold: Gold, answer: str) -> Gold | None:
    """Return a list of angles as a list of numbers, for an answer without degree signs; None for anything else."""
    if isinstance(gold.node, Expr | None) or not _DEGREE.search(gold.text) or _DEGREE.search(answer):
        return None
    if any(name in gold.text for name in ("sin", "cos", "tan", "cot", "\\pi")):
        return None
    return replace(gold, node=read(_DEGREE.sub(" ", gold.text)))


_CODES = ("unit: ", "chain: ", "type: ", "label: ")


def _decided(gold: Gold, found: Read, terms: Terms) -> Decision:
    assert gold.node is not None
    apart = found.apart
    wanted = gold.node
    node = aligned(wanted, found.node, integer_letter(found.text))
    node = alone(wanted, node) if isinstance(wanted, Expr) else node
    if (
        apart.unit is None
        and apart.factor == 1
        and gold.unit is None
        and gold.factor == 1
        and gold.tolerance is None
    ):
        if isinstance(wanted, Expr) and not isinstance(node, Expr):
            return same_node(wanted, node, _rules(gold, found, terms))
        if isinstance(wanted, Expr) and not _may_name(found.named, gold.symbols):
            return Decision(Outcome.DIFFERENT, "label: an equation, not a formula")
        return same_node(wanted, node, _rules(gold, found, terms))
    if not isinstance(wanted, Expr) or not isinstance(node, Expr):
        return Decision(Outcome.DIFFERENT, "type: a number is needed")
    if gold.name and found.named.name and gold.name != found.named.name:
        return Decision(Outcome.DIFFERENT, f"label: {found.named.name} instead of {gold.name}")
    return same_quantity(gold, wanted, node, apart, _rules(gold, found, terms), terms.prompt)


def _may_name(named: Label, letters: frozenset[str]) -> bool:
    """Return whether a left side can name a formula in ``letters``: another letter, or a function, but not ``xy``."""
    if not letters or named.applied:
        return True
    return named.name not in letters if named.name else not named.symbols


def _rules(gold: Gold, found: Read, terms: Terms) -> Rules:
    tolerance = gold.tolerance
    if tolerance is not None and gold.relative and isinstance(gold.node, Expr):
        size = algebra.value(gold.node)
        tolerance = None if size is None else abs(size) * tolerance
    return Rules(
        f"{gold.key}\0{found.text}",
        gold.rounded,
        decimals(found.text) if terms.decimals else {},
        tolerance,
        terms.slow,
        gold.point,
    )


_KINDS = {
    "value": _formula,
    "structure": _formula,
    "choice": _choice,
    "choices": _choices,
    "phrase": _phrase,
    "time": _time,
    "date": _date,
    "congruence": _congruence,
    "text": _text,
    "verbatim": _verbatim,
}
