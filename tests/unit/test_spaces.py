import copy
import json
import multiprocessing
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, unflatten
from gymnasium.vector.utils import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.spaces import SharedTexts, UnicodeText, is_unicode

TEXTS = ["", "plain", "two\nlines\r\n", "∫ x² dx = x³/3 + C", "\x00NUL", "日本語 ١٢٣ 😀👩‍👩‍👧", "x" * 64]
unicode_texts = st.text(max_size=64)


def test_contains_every_text_up_to_its_length_and_nothing_else():
    space = UnicodeText(64)
    assert all(text in space for text in TEXTS)
    assert "x" * 65 not in space
    assert "lone \ud800 surrogate" not in space
    assert b"bytes" not in space
    assert None not in space
    assert "" not in UnicodeText(64, min_length=1)


def test_length_counts_code_points():
    assert "😀" * 4 in UnicodeText(4)
    assert "😀" * 5 not in UnicodeText(4)


@pytest.mark.parametrize(("low", "high"), [(-1, 4), (5, 4)])
def test_impossible_lengths_are_refused(low, high):
    with pytest.raises(ValueError, match="min_length"):
        UnicodeText(high, min_length=low)


def test_samples_are_members_and_seeded():
    space, twin = UnicodeText(300, seed=0), UnicodeText(300, seed=0)
    samples = [space.sample() for _ in range(300)]
    assert all(sample in space for sample in samples)
    assert samples == [twin.sample() for _ in range(300)]
    assert samples != [UnicodeText(300, seed=1).sample() for _ in range(300)]
    assert {len(sample) > 100 for sample in samples} == {True, False}
    assert any("\n" in sample for sample in samples)
    assert any(not sample.isascii() for sample in samples)


def test_every_length_from_shortest_to_longest_is_sampled():
    space = UnicodeText(3, min_length=1, seed=0)
    assert {len(space.sample()) for _ in range(200)} == {1, 2, 3}
    assert UnicodeText(0).sample() == ""


def test_a_mask_is_refused():
    with pytest.raises(ValueError, match="mask"):
        UnicodeText(4).sample(mask=np.ones(3))


def test_equality_pickling_and_json():
    space = UnicodeText(64, min_length=1, seed=3)
    assert pickle.loads(pickle.dumps(space)) == space == copy.deepcopy(space)
    assert space != UnicodeText(64)
    assert space != gymnasium.spaces.Text(64)
    assert space.from_jsonable(json.loads(json.dumps(space.to_jsonable(TEXTS)))) == TEXTS


def test_batching_gives_independent_seeded_texts_and_leaves_the_space_alone():
    space, twin = UnicodeText(64, seed=0), UnicodeText(64, seed=0)
    batch = batch_space(space, 3)
    assert space.sample() == twin.sample()
    sample = batch.sample()
    assert len(set(sample)) == 3
    assert sample == batch_space(UnicodeText(64, seed=0), 3).sample()
    assert sample in batch
    assert batch == batch_space(UnicodeText(64), 3)


def test_differing_spaces_batch_to_one_space_each():
    batch = batch_differing_spaces([UnicodeText(2), UnicodeText(4)])
    assert ("ab", "abcd") in batch
    assert ("abc", "abcd") not in batch


def test_iterating_a_batch_gives_texts_and_not_characters():
    batch = batch_space(UnicodeText(64), 2)
    assert list(iterate(batch, ("ab", "cd"))) == ["ab", "cd"]
    nested = batch_space(gymnasium.spaces.Dict({"said": UnicodeText(64)}), 2)
    assert list(iterate(nested, {"said": ("ab", "cd")})) == [{"said": "ab"}, {"said": "cd"}]


def test_concatenate_and_empty_array_are_tuples_of_the_batch():
    space = UnicodeText(64, min_length=2)
    empty = create_empty_array(space, 3)
    assert empty in batch_space(space, 3)
    assert concatenate(space, ["ab", "cde"], empty) == ("ab", "cde")


def test_shared_memory_is_read_as_it_was_written_again_and_again():
    space = UnicodeText(64)
    memory = create_shared_memory(space, n=2, ctx=multiprocessing.get_context())
    view = read_from_shared_memory(space, memory, n=2)
    assert tuple(view) == ("", "")
    for first, second in zip(TEXTS, reversed(TEXTS), strict=True):
        write_to_shared_memory(space, 0, first, memory)
        write_to_shared_memory(space, 1, second, memory)
        assert tuple(view) == (first, second)
        assert (view[-1], view[0:2], len(view)) == (second, (first, second), 2)


def test_a_copy_of_shared_texts_is_a_plain_tuple_that_stays():
    space = UnicodeText(8)
    memory = create_shared_memory(space, n=1)
    view = read_from_shared_memory(space, memory, n=1)
    write_to_shared_memory(space, 0, "before", memory)
    kept = copy.deepcopy(view)
    write_to_shared_memory(space, 0, "after", memory)
    assert (type(kept), kept, tuple(view)) == (tuple, ("before",), ("after",))
    assert pickle.loads(pickle.dumps(view)) == ("after",)
    assert isinstance(view, SharedTexts)
    assert view in batch_space(space, 1)
    assert view == ("after",)
    assert np.array(view).tolist() == ["after"]
    with pytest.raises(IndexError):
        view[1]


def test_a_text_that_does_not_fit_into_shared_memory_is_refused():
    memory = create_shared_memory(UnicodeText(4), n=2)
    with pytest.raises(ValueError, match="fit"):
        write_to_shared_memory(UnicodeText(4), 0, "12345", memory)


@given(unicode_texts)
def test_flattening_is_reversible(text):
    space = UnicodeText(64)
    flat = flatten(space, text)
    assert flat in flatten_space(space)
    assert flat.shape == (flatdim(space),)
    assert unflatten(space, flat) == text


def test_nested_spaces_flatten_too():
    space = gymnasium.spaces.Dict({"said": UnicodeText(8), "turn": gymnasium.spaces.Discrete(3)})
    value = {"said": "∫x", "turn": np.int64(2)}
    assert unflatten(space, flatten(space, value)) == value


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_is_unicode_says_whether_a_text_can_be_encoded(text):
    has_surrogate = any(0xD800 <= ord(char) < 0xE000 for char in text)
    assert is_unicode(text) is not has_surrogate
