"""MinHash: equal texts are near, and the estimate follows the similarity of the shingles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.selfplay.minhash import HASHES, Index, shingles, similarity


@given(st.text(max_size=80))
def test_a_text_is_as_near_to_itself_as_can_be(text: str) -> None:
    assert similarity(text, text) == 1.0


@given(st.text(max_size=40), st.text(max_size=40))
def test_it_is_symmetric_and_a_share(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0.0 <= similarity(one, other) <= 1.0


def test_spaces_between_tokens_make_no_difference() -> None:
    assert similarity("requires x>0,", "requires  x > 0 ,") == 1.0


@pytest.mark.parametrize("shared", [0, 10, 25, 40, 50])
def test_the_estimate_is_near_the_jaccard_similarity(shared: int) -> None:
    words = [f"w{i}" for i in range(50 - shared)]
    common = [f"c{i}" for i in range(shared)]
    one = " ".join([*common, *words])
    other = " ".join([*common, *(f"v{i}" for i in range(50 - shared))])
    a, b = shingles(one), shingles(other)
    jaccard = len(a & b) / len(a | b)
    # Four standard errors of a share of 64 draws.
    assert abs(similarity(one, other) - jaccard) <= 4 * (0.25 / HASHES) ** 0.5


def test_texts_without_a_common_shingle_are_far() -> None:
    assert similarity("a b c d e f g h", "q r s t u v w x") < 0.1


def test_an_index_names_the_nearest_and_takes_only_what_is_new() -> None:
    index = Index(0.9, ["a < b", "c < d"])
    assert index.claim("a < b") == "a < b"
    assert index.claim("x + y = z") is None
    assert index.claim("x + y = z") == "x + y = z"


def test_above_one_nothing_is_a_near_duplicate() -> None:
    assert Index(1.01, ["a < b"]).nearest("a < b") is None


def test_an_empty_index_has_nothing_near() -> None:
    assert Index(0.1).nearest("a") is None
