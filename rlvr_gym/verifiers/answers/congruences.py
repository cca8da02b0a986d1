r"""Residue classes: ``x \equiv 3 \pmod 7``, ``3 mod 7``, ``n ≡ 0, 1 (mod 4)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rlvr_gym.verifiers.answers.normalise import plain_words

_SPACES = re.compile(r"\\[,;:! ]|\\(?:q?quad|left|right)(?![A-Za-z])|~")
_CLASS = re.compile(
    r"(?:([A-Za-z])\s?(?:\\equiv|≡|=)\s?)?(-?[0-9]{1,18}(?:\s?(?:,\s?(?:or|and)\s|,|or|and)\s?-?[0-9]{1,18}){0,20})\s?"
    r"\(?\s?\\?[pb]?mod\s?\{?\s?([0-9]{1,18})\s?\}?\s?\)?"
)


@dataclass(frozen=True, slots=True)
class Congruence:
    """Residues of a modulus, and the letter that has them if one is named."""

    letter: str
    residues: frozenset[int]
    modulus: int

    def same(self, other: Congruence) -> bool:
        """Return whether both are the same classes; a letter that one leaves out is no difference."""
        letters = {self.letter, other.letter} - {""}
        return len(letters) < 2 and (self.modulus, self.residues) == (other.modulus, other.residues)


def read_congruence(text: str) -> Congruence | None:
    """Return the residue classes that ``text`` names, None for anything else."""
    if "mod" not in text or len(text) > 400:
        return None
    plain = " ".join(_SPACES.sub(" ", plain_words(text)).split())
    match = _CLASS.fullmatch(plain)
    if match is None or int(match[3]) < 2:
        return None
    modulus = int(match[3])
    residues = frozenset(int(number) % modulus for number in re.findall(r"-?[0-9]+", match[2]))
    return Congruence(match[1] or "", residues, modulus)
