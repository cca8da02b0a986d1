"""What names mean: normal forms, the entities that a name may stand for, and the names that stand in a text.

Two names are the same when their *normal* forms are: Unicode variants (NFKC), case, the kinds of dashes, quotes and
spaces, invisible characters, and punctuation around a name make no difference. Their *loose* forms also leave out the
diacritics of Latin letters, hyphens between letters, a leading "the", the dots of up to three initials and that of "St.",
and the comma before the last of several parts; "&" is "and". A loose form is only read where no normal form is, and it may
stand for every entity that has it, so it never hides that a name is ambiguous. Letters that merely look alike are
different letters, and raised digits are other digits.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from rlvr_gym.graphs.wording import spell
from rlvr_gym.types import Json

if TYPE_CHECKING:
    from rlvr_gym.graphs.graph import Entity, KnowledgeGraph

_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b"
_SINGLE: Final = "\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\u00b4\u2039\u203a`"
_DOUBLE: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff"
)
"""Joiners, direction marks, variation selectors and tags: nobody sees them."""
_UNSEEN = re.compile(f"[{_INVISIBLE}]")
_RAISED: Final = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_SMALL: Final = f"[{_RAISED}\u2080-\u2089\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]++"
_OTHER_DIGITS = re.compile(rf"[{_RAISED}]++|(?<=[0-9\uff10-\uff19]){_SMALL}|{_SMALL}(?=[0-9\uff10-\uff19])")
"""Digits of which NFKC would make plain ones: raised ones, and lowered and circled ones beside a plain one. Ten squared is
no 102, but lowered digits in a formula are the digits of its name."""
_SAME: Final = {
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): "'" for c in _SINGLE},
    **{ord(c): '"' for c in _DOUBLE},
}
_BEFORE: Final = " '\"*_\u00a1\u00bf"
"""What may stand before a name without being part of it: a full stop may begin a number, a dash or ``!`` denies."""
_BEHIND: Final = " .,;:!?'\"*_\u2026\u3001\u3002"
"""What may stand behind a name without being part of it; a tilde may cross it out."""
_PAIRS: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_MARKED = re.compile("(?<=[a-z])[\u0300-\u0333\u0339-\u036f]++")
"""Diacritics of Latin letters; strokes through a letter are none, as they cross it out."""
_STRUCK = re.compile("[\u0334-\u0338]++")
_PLAIN_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th"}
)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_ARTICLE: Final = "the "
_INITIALS = re.compile(r"(?<![\w.])([a-z])\.\s?([a-z])(?:\.\s?([a-z]))?(?![\w&'-]|\.\s?[a-z](?!\w))\.?")
_SAINT = re.compile(r"(?<!\w)st\.(?=\s)")
_AMPERSAND = re.compile(r"\s?&\s?")
_JOINT = re.compile(r"\s?[,;]\s?(?:(?:and|&)\s)?|\sand\s|\s&\s")
_NUMBERED = re.compile(r"(?:[0-9]{1,3}[.)]|[-\u2022])\s")
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
"""Scripts that put no spaces between words: every character is taken as a word."""
_MOST_WORDS: Final = 24
"""Longer names are looked for in texts by their first words."""
_MOST_LETTERS: Final = 400
"""Longer words are looked for in texts exactly as they are written: some letters become twenty in their normal form."""
_NUMBER: Final = r"[0-9]++(?:[.,][0-9]++)++"
_TOKEN = re.compile(
    rf"{_NUMBER}|[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_]|[\u0300-\u036f{_INVISIBLE}])++|[^\w\s.,;:!?'\"*~\-{_DASHES}{_SINGLE}{_DOUBLE}]"
)
_ASCII_TOKEN = re.compile(rf"{_NUMBER}|[A-Za-z0-9]++|[#$%&()+/<=>@\[\\\]^{{|}}]")


def normal(text: str) -> str:
    """Return the normal form of a name; empty for what holds nothing but spaces and invisible characters.

    Example:
        >>> normal(" **“Saint‑Étienne”**. ")
        'saint-étienne'
    """
    if text.isascii():
        text = text.lower().replace("`", "'")
    else:
        text = _OTHER_DIGITS.sub(lambda match: f"^{match[0]}^", _UNSEEN.sub("", text))
        text = unicodedata.normalize("NFKC", text).casefold()
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).translate(_SAME)
    text = " ".join(text.split())
    return _bare(text) or text


def shown(text: str) -> str:
    """Return ``text`` without the characters that nobody sees."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def _bare(text: str) -> str:
    """Return ``text`` without the punctuation and the brackets round it."""
    text = text.lstrip(_BEFORE).rstrip(_BEHIND)
    while text and (end := _PAIRS.get(text[0])) is not None and text[-1] == end:
        inner = text[1:-1]
        if text[0] in inner or end in inner:
            break
        text = inner.lstrip(_BEFORE).rstrip(_BEHIND)
    return text


def loose(form: str) -> str:
    """Return the loose form of a normal form.

    Example:
        >>> loose("the saint-étienne")
        'saint etienne'
    """
    form = _unmarked(form)
    while form.startswith(_ARTICLE) and form[len(_ARTICLE) :] not in ("", _ARTICLE.strip()):
        form = form[len(_ARTICLE) :]
    if "." in form:
        form = _SAINT.sub("st", _INITIALS.sub(_joined, form))
    if "&" in form:
        form = _AMPERSAND.sub(" and ", form).strip()
    form = form.replace(", and ", " and ")
    spaced = _HYPHEN.sub(" ", form)
    # What is left must not begin with an article that was none.
    return form if spaced.startswith(_ARTICLE) else spaced


def _joined(initials: re.Match[str]) -> str:
    return "".join(filter(None, initials.groups()))


def _unmarked(form: str) -> str:
    if form.isascii():
        return form
    plain = unicodedata.normalize("NFD", form).translate(_PLAIN_LETTERS)
    return unicodedata.normalize("NFC", _MARKED.sub("", plain))


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that stands in a text."""

    start: int
    """Its first character."""
    end: int
    """The character behind its last."""
    form: str
    """Its normal form."""
    readings: tuple[int, ...]
    """Places of the entities that it may stand for; more than one where it is ambiguous."""


_Places: TypeAlias = int | list[int]
"""Readings of a name. Nearly all have one, and a table of very many is smaller for keeping it as it is."""


class AliasIndex:
    """Which entities every name may stand for. Ids, labels and aliases are names.

    Args:
        entities: In the order of their places.
    """

    def __init__(self, entities: Sequence[Entity]) -> None:
        self._entities = entities
        self._exact: dict[str, _Places] = {}
        self._loose: dict[str, _Places] = {}
        for place in range(len(entities)):
            for form in self.forms(place):
                _add(self._exact, form, place)
        for form, places in self._exact.items():
            if (key := loose(form)) != form:
                _add(self._loose, key, *_each(places))

    def forms(self, place: int) -> tuple[str, ...]:
        """Return the normal forms of an entity's id, label and aliases, each once; none is empty."""
        entity = self._entities[place]
        forms = dict.fromkeys(map(normal, (entity.id, entity.label, *entity.aliases)))
        forms.pop("", None)
        return tuple(forms)

    def readings(self, form: str) -> tuple[int, ...]:
        """Return the places of all entities that a name, in whatever form, may stand for, sorted."""
        form = normal(form)
        if form in self._exact:
            return _sorted(self._exact[form])
        return self.loose_readings(loose(form))

    def loose_readings(self, key: str) -> tuple[int, ...]:
        """Return the places of all entities with a name of this loose form, sorted."""
        return _sorted(self._loose.get(key), self._exact.get(key) if loose(key) == key else None)

    def ambiguous(self, form: str) -> bool:
        """Return whether a name may stand for more than one entity."""
        return len(self.readings(form)) > 1

    def mentions(self, text: str) -> list[Mention]:
        """Return the names in ``text``, in order, except for those that lie within a longer one.

        Names begin and end at words. Punctuation, diacritics, case and strokes through letters make no difference,
        nor does a leading article. Two names may overlap: "New York City Hall" holds "New York City" and "City Hall".
        """
        found: list[Mention] = []
        tokens = [(word, start, end) for word, start, end in _tokens(text) if word]
        exact, keys, prefixes = self._exact, self._keys, self._prefixes
        reached = -1
        for at, (word, start, end) in enumerate(tokens):
            key, longest, name = word, -1, ""
            if key in keys or key in exact:
                longest, name = at, key
            for further in range(at + 1, len(tokens)):
                if key not in prefixes:
                    break
                key = f"{key} {tokens[further][0]}"
                if key in keys or key in exact:
                    longest, name = further, key
            if longest > reached:
                reached = longest
                end = tokens[longest][2]
                if readings := self._named(text[start:end], name):
                    found.append(Mention(start, end, normal(text[start:end]), readings))
        return found

    def _named(self, surface: str, key: str) -> tuple[int, ...]:
        exact = self._exact.get(normal(surface))
        if exact is not None:
            return _sorted(exact)
        return _sorted(self._keys.get(key), self._exact.get(key) if _key(key) == key else None)

    def larger(self, parts: Collection[str]) -> list[str]:
        """Return the names that a reader could take for a list of ``parts``, or for one of them with something beside it.

        Such are "Nash and Young" for Nash, Young; "Paris (Texas)" and "1. Paris" for Paris.

        Args:
            parts: Loose forms.
        """
        found: dict[str, None] = {}
        for part in parts:
            for form, others in self._larger.get(part, ()):
                if all(other in parts for other in others):
                    found[form] = None
        return list(found)

    @functools.cached_property
    def _larger(self) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        """Names made of others, by the loose form of the first of these."""
        larger: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for form in self._exact:
            for first, *others in _parts(form):
                larger.setdefault(first, []).append((form, tuple(others)))
        return larger

    @functools.cached_property
    def _keys(self) -> dict[str, _Places]:
        """Readings by the words of names, where these differ from the normal form, with and without the article."""
        keys: dict[str, _Places] = {}
        for form, places in self._exact.items():
            for key in {_key(form), _key(loose(form))} - {form, ""}:
                _add(keys, key, *_each(places))
        return keys

    @functools.cached_property
    def _prefixes(self) -> set[str]:
        """What names of several words begin with: their first word, their first two words, and so on."""
        prefixes: set[str] = set()
        for key in (*self._exact, *self._keys):
            if key.count(" ") >= _MOST_WORDS:
                continue
            cut = key.rfind(" ")
            while cut > 0 and (prefix := key[:cut]) not in prefixes:
                prefixes.add(prefix)
                cut = prefix.rfind(" ")
        return prefixes


def _parts(form: str) -> Iterator[tuple[str, ...]]:
    """Yield the loose forms of what a normal form could be read as a list of, or as a remark or a number beside."""
    listed = tuple(loose(normal(part)) for part in _JOINT.split(form) if part)
    if len(listed) > 1:
        yield listed
    if form.endswith(")") and (base := form.partition(" (")[0]) != form:
        yield (loose(normal(base)),)
    if (number := _NUMBERED.match(form)) is not None:
        yield (loose(normal(form[number.end() :])),)


def _add(table: dict[str, _Places], key: str, *places: int) -> None:
    kept = table.get(key)
    if isinstance(kept, list):
        kept.extend(places)
    elif kept is None and len(places) == 1:
        table[key] = places[0]
    else:
        table[key] = [*_each(kept), *places]


def _each(places: _Places | None) -> Sequence[int]:
    return () if places is None else (places,) if isinstance(places, int) else places


def _sorted(*places: _Places | None) -> tuple[int, ...]:
    if len(places) == 1 and isinstance(places[0], int):
        return (places[0],)
    return tuple(sorted({place for some in places for place in _each(some)}))


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words, numbers and meaningful signs of a text with where they stand; a word may come out empty."""
    if text.isascii():
        for match in _ASCII_TOKEN.finditer(text):
            yield match[0].lower(), match.start(), match.end()
    else:
        for match in _TOKEN.finditer(text):
            word = match[0]
            yield (
                word.lower() if word.isascii() else _word(word),
                match.start(),
                match.end(),
            )


def _word(word: str) -> str:
    """Return a word as it is looked for: a name is mentioned even where it is crossed out."""
    if len(word) > _MOST_LETTERS:
        return word
    return _unmarked(_STRUCK.sub("", normal(word))).replace(" ", "")


def _key(form: str) -> str:
    return " ".join([word for word, _, _ in _tokens(form) if word][:_MOST_WORDS])


def accepted(graph: KnowledgeGraph, answers: Sequence[int]) -> list[Json]:
    """Return what counts as naming each answer: one row of JSON values for each.

    ``forms`` are the normal forms, and ``loose`` the loose forms, that no entity but the answers has. Normal forms that
    also name another entity are in ``ambiguous`` instead, so a row may have no form: such an answer cannot be judged by
    its name. Names of other entities that look like the answers in a list, or like one with a remark, are ambiguous too.
    Rows also have ``id``, ``label``, ``type`` and ``code``, and those of quantities ``value`` and ``unit``.
    """
    index, right = graph.aliases, {int(place) for place in answers}
    parts = {loose(form) for place in right for form in index.forms(place)}
    larger = [form for form in index.larger(parts) if not right.issuperset(index.readings(form))]
    rows: list[Json] = []
    for place in map(int, answers):
        entity = graph.entities[place]
        forms = index.forms(place)
        clear = [form for form in forms if right.issuperset(index.readings(form))]
        row: dict[str, Json] = {
            "id": entity.id,
            "label": entity.name,
            "type": entity.type,
            "code": spell(graph, place, "codes"),
            "forms": clear,
            "loose": [
                key for key in dict.fromkeys(map(loose, forms)) if right.issuperset(index.loose_readings(key))
            ],
            "ambiguous": [form for form in forms if form not in clear],
        }
        # In the first row only: a response is held against those of all rows.
        row["ambiguous"] += [form for form in larger if form not in row["ambiguous"]] if not rows else []
        if entity.modality == "quantity" and "value" in entity.attributes:
            row["value"] = str(entity.attributes["value"])
            row["unit"] = str(entity.attributes.get("unit", ""))
        rows.append(row)
    return rows
