"""What the words of a question say: whether they express a path and nothing else.

Nothing here knows a graph, and questions are compared in their *plain* form, in which Unicode variants, case, and the
kinds of dashes, quotes and spaces make no difference. Whoever writes could hide a message in such differences, and so
what was read is said again in a sentence of the library's own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rlvr_gym.graphs.wording import JOINERS, Asked, plural, sentences

MOST_CHARS: Final = 1000
"""Questions of more characters are not read."""
Lack = Literal["", "start", "unclear", "relation", "type", "more"]
"""What a text lacks to be a question: its start, a clear name of it, a relation, the right type; or that it says more."""
_SAME: Final = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
    **dict.fromkeys(map(ord, JOINERS), None),
}
_SPACES = re.compile(r"\s+")
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_JOINERS: Final = frozenset(JOINERS)

# What may stand around names and phrases, each token with a space behind it. TYPE and UNIT stand for such words.
_ASK: Final = "(?:what|which|who) (?:TYPE )?(?:is|are|was|were) "
_POLITE: Final = (
    "(?:(?:please|tell me|give me|find|identify|name|state|list|can you|could you|i want to know|i would like to know"
    "|,|:) ){0,6}+"
)
_ALL: Final = "(?:(?:all|each|every) (?:of )?(?:TYPE )?(?:that (?:is|are|was|were) )?)?+"
_ASKING: Final = f"{_POLITE}(?:{_ASK})?+{_ALL}"
_OPENING = re.compile(f"{_ASKING}(?:(?:the|a|an) )?+")
"""Before nested phrases: "What is the"."""
_BEFORE_OWNER = re.compile(_ASKING)
"""Before "Ada's capital"."""
_BEFORE_START = re.compile(
    f"{_POLITE}(?:(?:for|from|with|take|consider|(?:start|starting|begin) (?:at|with|from)) )?+(?:the )?+"
)
"""Before a start that comes first: "Begin with"."""
_BEHIND_START = re.compile(f"[.,:] {_ASKING}(?:(?:take|go to) )?+(?:(?:the|a|an|its) )?+")
"""Between a start that comes first and the phrase behind it: ". Take the"."""
_THEN = re.compile("(?:(?:of )?+(?:that|it|this) )?+(?:[.,] )?+then (?:(?:take|go to) )?+(?:the|its) ")
"""Between phrases of a chain: "of that, then the"."""
_NAME_ALL: Final = "(?:name|list|give|find) (?:all|every|each) (?:of )?(?:them )?(?:[.] )?"
_CLOSING = re.compile(
    f"(?:(?:, )?in UNIT )?+(?:is (?:what|who) )?+(?:(?:, )?please )?+(?:[?.] )?+(?:{_NAME_ALL})?+"
)
"""Behind everything else: "? Name all of them."."""
_ENDING = re.compile(
    "(?:(?:of )?+(?:that|it|this) )?+(?:[.,:?] )?+"
    "(?:(?:what|who|which TYPE) (?:is|does) (?:that|it|this) (?:lead to )?)?+"
    "(?:(?:, )?in UNIT )?+(?:[?.] )?+"
    f"(?:{_NAME_ALL})?+"
)
"""Behind a chain: "of that. What does this lead to?"."""
GLUE: Final = frozenset(
    word
    for pattern in (_OPENING, _BEFORE_START, _BEHIND_START, _THEN, _CLOSING, _ENDING)
    for word in re.findall("[a-z]+", pattern.pattern)
)
"""All words that hold a question together and ask for nothing by themselves."""
_PUNCTUATION: Final = frozenset(".,:?'")
_SEVERAL: Final = frozenset({"all", "every", "each", "list"})
_ASK_OTHERS: Final = frozenset({"where", "when", "how", "why", "whose"})
"""Where something is, is another question than what it is."""
_VERBS: Final = (("is",), ("are",), ("was",), ("were",))
_IN_WHICH: Final = (("in", "which"), ("in", "what"))
_PERSONS: Final = frozenset({"person", "people", "human", "individual"})
"""A class must have one of these words for ``who`` to ask for it."""


def readable(text: str) -> bool:
    """Return whether ``text`` is one line of bounded length that holds something and no invisible characters."""
    if not text.strip() or len(text) > MOST_CHARS:
        return False
    return all(
        char in JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in text
    )


def plain(text: str) -> str:
    """Return ``text`` in the form in which sentences are compared.

    Example:
        >>> plain("What is  the capital of Saint‑Étienne?")
        'what is the capital of saint-étienne?'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(_SAME)
    return _SPACES.sub(" ", text.lower().replace("`", "'"))


def stray_joiners(text: str, own: Sequence[str]) -> bool:
    """Return whether joiners stand in ``text`` elsewhere than in words of the graph's own that hold them."""
    for words in own:
        if not _JOINERS.isdisjoint(words):
            text = text.replace(words, "")
    return not _JOINERS.isdisjoint(text)


def says_unit(text: str, unit: str) -> bool:
    """Return whether a text says a unit in its own letters: mW is not MW.

    Example:
        >>> says_unit("What is its power, in mW?", "MW"), says_unit("What is its power, IN MW?", "MW")
        (False, True)
    """
    text, unit = (_SPACES.sub(" ", unicodedata.normalize("NFKC", each)) for each in (text, unit))
    found = re.findall(rf"(?<!\w)in ({re.escape(unit)})(?!\w)", text, re.IGNORECASE)
    return bool(found) and found[-1] == unit


def tokens(text: str) -> tuple[str, ...]:
    """Return the words and signs of a plain text."""
    return tuple(_TOKEN.findall(text))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question must say: the words of a path with all names that its start may go by."""

    steps: tuple[tuple[str, bool], ...]
    """Phrase of each step in the order of the path, and whether it is an inverse phrase."""
    start: Mapping[str, str]
    """Plain names of the start that mean nothing else, each with the name as the graph writes it."""
    unclear: tuple[str, ...]
    """Plain names of the start that may mean something else."""
    types: tuple[str, ...]
    """Classes of the answers, any of which may be asked for."""
    unit: str
    """Unit in which the answer is asked for; empty for none."""
    quantity: bool
    """Whether the answer is a quantity."""
    many: bool
    """Whether all of several answers must be asked for."""
    either: bool
    """Whether one may be asked for as well as all: nobody can ask it, and how makes no difference."""
    taken: frozenset[str]
    """Glue words that are phrases of relations in this graph, and so no glue here."""

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Yield every sentence of the library's own that asks it, in two parts with the start between them."""
        for type in self.types or ("",):
            words = Asked(self.steps, type, self.unit, self.quantity)
            for many in (False, True) if self.either else (self.many,):
                yield from sentences(words, many=many)


@dataclass(frozen=True, slots=True)
class Read:
    """What a text was read as."""

    lack: Lack
    """What it lacks to be a question; empty when nothing."""
    question: str = ""
    """The question in a sentence of the library's own, with names and phrases as the graph writes them."""


def strict(text: str, wanted: Wanted) -> Read:
    """Return which of the library's own sentences a plain text is, or what it lacks to be one."""
    lack: Lack = "more"
    for before, after in wanted.sentences():
        head, tail = plain(before), plain(after)
        # The last sign may be another or missing; a name may end in one too.
        for body, rest in ((text, tail), (text, tail[:-1]), (text[:-1], tail[:-1])):
            if len(body) > len(head) + len(rest) and body.startswith(head) and body.endswith(rest):
                name = body[len(head) : len(body) - len(rest)]
                if name in wanted.start and (body is text or text[-1] in "?."):
                    return Read("", before + wanted.start[name] + after)
                if name in wanted.unclear:
                    lack = "unclear"
    return Read(lack)


@dataclass(frozen=True, slots=True)
class Parts:
    """The tokens of a text, cut at what a question must say."""

    items: tuple[int, ...]
    """What was found in the order of the text: -1 for the start, else the first step with that phrase."""
    links: tuple[str, ...]
    """Words before each item and behind the last one, each with a space behind it."""
    unclear: bool
    """Whether the start stands there under a name that may mean something else."""
    foreign: bool
    """Whether it has words or signs that are neither glue nor anything that a question must say."""
    asks_other: bool
    """Whether such a word follows ``which`` or ``what``, or asks in their place: another type than the answer's."""
    several: bool
    """Whether it asks for all of several answers."""
    start: str
    """The name of the start that stands there, as the graph writes it."""
    type: str
    """The class that it asks for; empty where it names none."""


def cut(words: Sequence[str], wanted: Wanted) -> Parts:
    """Return a text's tokens, cut at the longest names and phrases from left to right."""
    words = _contained(words, wanted)
    known = _known(wanted)
    starts = {tokens(name): spelling for name, spelling in wanted.start.items()}
    types = {tokens(plain(form)): type for type in wanted.types for form in (type, plural(type))}
    start = type = ""
    sizes = sorted({len(key) for key in known}, reverse=True)
    items: list[int] = []
    links = [""]
    unclear = foreign = asks_other = several = False
    at = 0
    while at < len(words):
        size = next((n for n in sizes if tuple(words[at : at + n]) in known), 1)
        found = tuple(words[at : at + size])
        kind = known.get(found, "")
        before = words[at - 1] if at else ""
        if found in types and before in ("which", "what") and words[at + size : at + size + 1] in _VERBS:
            # "Which country is the country of": a class may be called as a relation is.
            kind = "TYPE"
        if isinstance(kind, int):
            start = starts.get(found, start) if kind == -1 else start
            items.append(kind)
            links.append("")
        elif kind == "UNIT" and before == "in":
            links[-1] += "UNIT "
        elif kind in ("TYPE", "TYPES") and before in {"which", "what", *_SEVERAL}:
            type = types[found]
            links[-1] += "TYPE "
            several |= kind == "TYPES"
        else:
            size = 1 if kind != "unclear" else size
            word = words[at]
            unclear |= kind == "unclear"
            if word in _PUNCTUATION or word == "s" or (word in GLUE and word not in wanted.taken):
                links[-1] += word + " "
                several |= word in _SEVERAL
            else:
                foreign = True
                follows = before == "which" or (before == "what" and words[at + 1 : at + 2] in _VERBS)
                asks_other |= follows or (at == 0 and word in _ASK_OTHERS)
        at += size
    return Parts(tuple(items), tuple(links), unclear, foreign, asks_other, several, start, type)


def _contained(words: Sequence[str], wanted: Wanted) -> Sequence[str]:
    """Return tokens that ask in which country something is, as such that ask what the country of it is."""
    phrase, inverse = wanted.steps[-1]
    end = 2 + len(kind := tokens(plain(phrase)))
    if inverse or tuple(words[:2]) not in _IN_WHICH or tuple(words[2:end]) != kind:
        return words
    return (
        ["what", "is", "the", *kind, "of", *words[end + 1 :]]
        if tuple(words[end : end + 1]) in _VERBS
        else words
    )


def _known(wanted: Wanted) -> dict[tuple[str, ...], int | str]:
    """Return what may stand in a question by its tokens; what comes later here wins."""
    known: dict[tuple[str, ...], int | str] = {}
    for type in wanted.types:
        known[tokens(plain(plural(type)))] = "TYPES"
        known[tokens(plain(type))] = "TYPE"
    known[tokens(plain(wanted.unit))] = "UNIT"
    for place, (phrase, _) in reversed(list(enumerate(wanted.steps))):
        known[tokens(plain(phrase))] = place
    known.update((tokens(name), "unclear") for name in wanted.unclear)
    known.update((tokens(name), -1) for name in wanted.start)
    known.pop((), None)
    return known


def slots(parts: Parts, wanted: Wanted) -> Read:
    """Return what a text lacks to say a path in words of its own, or how the library says the same.

    It names the start once and has one phrase per step, in an order that can be told: phrases before the start are
    nested ("the capital of the country of Ada"), those behind it are chained ("Ada's country's capital", "take the
    country, then the capital"), or nested in turn after "For Ada, ...". What stands between must be such glue.
    """
    if -1 not in parts.items:
        return Read("unclear" if parts.unclear else "start")
    phrases = [tokens(plain(phrase)) for phrase, _ in wanted.steps]
    path = [phrases.index(phrase) for phrase in phrases]
    if sorted(parts.items) != sorted([-1, *path]):
        again = set(parts.items) == {-1, *path} and len(parts.items) > len(path)
        return Read("more" if again else "relation")
    orders = list(_orders(parts, [inverse for _, inverse in wanted.steps]))
    if all(order != path for order, _, _ in orders):
        return Read("relation")
    asks_other = parts.asks_other and (wanted.types or wanted.quantity)
    if asks_other or _wrong_kind(parts, wanted):
        return Read("type")
    chained = [chained for order, chained, whole in orders if order == path and whole]
    if parts.foreign or parts.unclear or not chained:
        return Read("more")
    before, after = _sentence(parts, wanted, chained=chained[0])
    return Read("", before + parts.start + after)


def _sentence(parts: Parts, wanted: Wanted, *, chained: bool) -> tuple[str, str]:
    """Return the sentence of the library's own that is nearest to a text."""
    choices = sentences(Asked(wanted.steps, parts.type, wanted.unit, wanted.quantity), many=wanted.many)
    asking = not {"what", "which", "who"}.isdisjoint(word for link in parts.links for word in link.split())
    if wanted.many:
        *typed, what, name = choices
        chain = what
    else:
        *typed, what, name, chain = choices
    if chained:
        return chain
    return typed[0] if typed else what if asking else name


def _wrong_kind(parts: Parts, wanted: Wanted) -> bool:
    words = {word for link in parts.links for word in link.split()}
    if (wanted.unit and "UNIT" not in words) or (wanted.many and not parts.several):
        return True
    classes = {word for type in wanted.types for word in tokens(plain(type))}
    persons = not classes or not classes.isdisjoint(_PERSONS)
    return "who" in words and (wanted.quantity or not persons)


def _orders(parts: Parts, inverse: Sequence[bool]) -> Iterator[tuple[list[int], bool, bool]]:
    """Yield each order in which the phrases may be walked, and whether they are chained from the start.

    The last of each says whether nothing but its own glue stands around them.

    Where a text could be read in two orders, all but one have links that only the other one allows; so an order that is
    yielded is the only one.
    """
    items, links = parts.items, parts.links
    start = items.index(-1)
    left, right = list(items[:start]), list(items[start + 1 :])

    def nested(at: int) -> bool:
        """Return whether the phrase before link ``at`` takes what follows it as what it is of."""
        return links[at] in (("", "the ") if inverse[items[at - 1]] else ("of ", "of the "))

    def owned(at: int) -> bool:
        """Return whether what stands before link ``at`` owns the phrase behind it."""
        return links[at] in ("' ", "' s ") and not inverse[items[at]]

    def all_of(pattern: re.Pattern[str], at: int) -> bool:
        return pattern.fullmatch(links[at]) is not None

    last = len(items)
    if all(map(nested, range(1, start + 1))) and all(map(owned, range(start + 1, last))):
        opening = _OPENING if left else _BEFORE_OWNER
        yield right + left[::-1], False, all_of(opening, 0) and all_of(_CLOSING, last)
    if not left and not owned(1):
        around = all_of(_BEFORE_START, 0) and all_of(_BEHIND_START, 1)
        if all(map(nested, range(2, last))):
            yield right[::-1], False, around and all_of(_CLOSING, last)
        if all(all_of(_THEN, at) for at in range(2, last)):
            yield right, True, around and all_of(_ENDING, last)
