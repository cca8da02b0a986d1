"""Whether a text names an entity, however the name is spelt.

A text is *squeezed* to its letters and digits as they look: without case, diacritics and what nobody sees, and with
letters of other alphabets as the Latin ones that they are taken for. A name stands in it where its own squeezed form does,
from the beginning of a word to the end of one; so spaces, hyphens and full stops within a name hide nothing, and "Rome"
does not stand in "chrome".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rlvr_gym.graphs.wording import plural

_SEPARATORS: Final = frozenset(
    "_-'\"`.,:;!?()[]{}<>/\\|*~^\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2018\u2019\u201c\u201d\u00b7"
)
"""Signs that may stand within a name without making it another one; a plus or a number sign makes it another."""
_ALIKE: Final = str.maketrans(
    "авекмнорстухіјѕԁԛԝһαβεηικμνορτυχωɡıøłđðħ",
    "abekmhopctyxijsdqwhabenikuvoptuxwgiolddh",
)
"""Cyrillic and Greek letters, lower case, as the Latin ones that they are taken for, and Latin ones with a stroke."""
_FEWEST_TO_INFLECT: Final = 3
"""Shorter names get no endings: "a" is not the singular of "as"."""


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A text without anything between its letters and digits, and where its words began and ended."""

    text: str
    starts: frozenset[int]
    """Places where a word began; letters of scripts without cases are words of their own, as spaces tell little there."""
    ends: frozenset[int]

    @classmethod
    def of(cls, text: str) -> Squeezed:
        """Return the squeezed view of ``text``."""
        kept: list[str] = []
        starts, ends = set(), set()
        in_word = False
        for char in _letters(text):
            if _separates(char):
                in_word = False
                continue
            alone = not char.isalnum() or unicodedata.category(char) == "Lo"
            if alone or not in_word:
                starts.add(len(kept))
                ends.add(len(kept))
            kept.append(char)
            in_word = not alone
        ends.add(len(kept))
        return cls("".join(kept), frozenset(starts), frozenset(ends))

    def names(self, form: str) -> bool:
        """Return whether a squeezed name stands in the text."""
        at = self.text.find(form) if form else -1
        while at >= 0:
            if at in self.starts and at + len(form) in self.ends:
                return True
            at = self.text.find(form, at + 1)
        return False


def squeeze(name: str) -> str:
    """Return a name as `Squeezed.names` looks for it.

    Example:
        >>> squeeze("São-Paulo"), squeeze("C++")
        ('saopaulo', 'c++')
    """
    return "".join(char for char in _letters(name) if not _separates(char))


def spellings(name: str) -> Iterator[str]:
    """Yield the squeezed forms of a name as it is, as a plural, and as the singular of one.

    Example:
        >>> list(spellings("Paris"))
        ['paris', 'pariss', 'parises', 'pari']
    """
    form = squeeze(name)
    if form:
        yield form
    if len(form) >= _FEWEST_TO_INFLECT and form.isalpha():
        yield form + "s"
        yield plural(form)
        if form.endswith("s") and len(form) > _FEWEST_TO_INFLECT:
            yield form[:-1]


def _letters(text: str) -> str:
    """Return ``text`` by what it looks like, lower case; marks stay only where they are part of a script's letters."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).translate(_ALIKE)
    kept: list[str] = []
    marked = False
    for char in folded:
        category = unicodedata.category(char)
        if category in ("Mn", "Me"):
            if marked:
                kept.append(char)
        elif category not in ("Cf", "Cs", "Cc"):
            marked = category == "Lo"
            kept.append(char)
        elif char.isspace():
            kept.append(" ")
    # Hangul syllables were taken apart, and would be found within others.
    return unicodedata.normalize("NFC", "".join(kept))


def _separates(char: str) -> bool:
    return char in _SEPARATORS or char.isspace()
