"""Whether a text names an entity, however the name is spelt."""

import pytest

from rlvr_gym.graphs.naming import Squeezed, spellings


def names(text, name):
    squeezed = Squeezed.of(text)
    return any(map(squeezed.names, spellings(name)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("in ROME today", "Rome"),
        ("R o m e", "Rome"),
        ("Ro-me.", "Rome"),
        ("R.O.M.E", "rome"),
        ("(Rome)", "Rome"),
        ("Rome's walls", "Rome"),
        ("all the Romes", "Rome"),
        ("a king", "Kings"),
        ("many cities", "City"),
        ("Róme", "Rome"),
        ("Sao Paulo", "São Paulo"),
        ("São Paulo", "Sao Paulo"),
        ("\u0052\u200bo\u00adme", "Rome"),
        ("\uff32\uff4f\uff4d\uff45", "Rome"),
        # Cyrillic o and e, Greek omicron.
        ("R\u043em\u0435", "Rome"),
        ("R\u03bfme", "Rome"),
        ("Lodz", "Łódź"),
        ("NewYork", "New York"),
        ("New York", "New-York"),
        # No spaces between words.
        ("在东京吗", "东京"),
        ("서울의 시장", "서울"),
        ("the value is 1,572", "1572"),
        ("code C++ here", "C++"),
        ("a+b", "a+b"),
    ],
)
def test_a_name_is_found_however_it_is_spelt(text, name):
    assert names(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("chrome", "Rome"),
        ("romeo", "Rome"),
        ("Jerome and Romeo", "Rome"),
        # Words that begin and end within the name's letters.
        ("her omelette", "Rome"),
        ("written in C", "C++"),
        ("e001", "e00"),
        ("15720", "1572"),
        # A syllable that begins another one.
        ("각", "가"),
        # Too short for endings.
        ("as it is", "a"),
        ("", "Rome"),
        ("anything", "..."),
        ("anything", ""),
    ],
)
def test_a_name_is_not_found_within_another_word(text, name):
    assert not names(text, name)
