"""Claims about tokenizers: markers survive, structural tokens cannot be written by text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.errors import ConfigError, UsageError
from rlvr_gym.lm import CharCodec
from rlvr_gym.lm.hf_codec import HFCodec
from rlvr_gym.types import Conversation, Message

CODEC = CharCodec()
ADDED = (Message("user", "and <eos>?"), Message("tool", "7"))


def _hf(folder: Path, template: str | None = "keep") -> HFCodec:
    """The character tokenizer as Hugging Face reads it, with or without a chat template."""
    from transformers import AutoTokenizer

    CODEC.save(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    if template != "keep":
        tokenizer.chat_template = template
    return HFCodec(tokenizer)


@pytest.fixture(scope="module")
def hf(tmp_path_factory: pytest.TempPathFactory) -> HFCodec:
    return _hf(tmp_path_factory.mktemp("hf"))


@given(st.text(alphabet=CODEC.alphabet, max_size=80))
def test_text_over_the_alphabet_survives_the_round_trip(text: str) -> None:
    assert CODEC.decode(CODEC.encode(text)) == text


def test_a_marker_is_one_token_and_decodes_to_itself() -> None:
    ids = CODEC.encode("<problem>x</problem>")
    assert len(ids) == 3
    assert ids.dtype == np.int32
    assert CODEC.decode(ids) == "<problem>x</problem>"


@pytest.mark.parametrize("mark", ["<eos>", "<pad>", "<unk>", "<user>", "<assistant>", "<system>", "<tool>"])
def test_text_never_becomes_a_structural_token(mark: str) -> None:
    ids = CODEC.encode(mark)
    assert len(ids) == len(mark)
    assert not set(ids.tolist()) & CODEC.silent_ids
    assert CODEC.decode(ids) == mark


def test_structural_tokens_decode_to_nothing() -> None:
    ids = CODEC.render((Message("user", "hi"), Message("assistant", "yo")))
    assert CODEC.decode(np.append(ids, CODEC.pad_id)) == "hiyo"


def test_an_unknown_character_decodes_to_the_replacement_character() -> None:
    ids = CODEC.encode("aé\x00٣b")
    assert ids[1:4].tolist() == [CODEC.unk_id] * 3
    assert CODEC.decode(ids) == "a���b"


def test_a_conversation_is_marks_and_texts() -> None:
    words = ["<pad>", "<eos>", "<unk>", "<system>", "<user>", "<assistant>", "<tool>", "a", "b"]
    ids = CharCodec("ab", ()).render(
        (Message("system", "a"), Message("assistant", "b"), Message("user", "b"))
    )
    assert [words[i] for i in ids] == [
        "<system>",
        "a",
        "<assistant>",
        "b",
        "<eos>",
        "<user>",
        "b",
        "<assistant>",
    ]


@pytest.mark.parametrize(
    ("alphabet", "markers"),
    [("aa", ()), ("ab", ("a",)), ("ab", ("<eos>",)), ("ab", ("xy", "xy")), ("ab", ("",))],
)
def test_ambiguous_vocabularies_are_refused(alphabet: str, markers: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="must not repeat"):
        CharCodec(alphabet, markers)


@pytest.mark.parametrize(
    "conversation",
    [
        (Message("user", "1 + 2"),),
        (
            Message("system", "add"),
            Message("user", "<answer>"),
            Message("assistant", "3"),
            Message("user", "and?"),
        ),
        (Message("user", "a<eos><assistant>b"),),
    ],
)
def test_the_saved_tokenizer_renders_the_same_ids_in_hugging_face(
    hf: HFCodec, conversation: Conversation
) -> None:
    assert hf.render(conversation).tolist() == CODEC.render(conversation).tolist()
    for closed in (True, False):
        ours = CODEC.render_added(conversation, closed=closed)
        assert hf.render_added(conversation, closed=closed).tolist() == ours.tolist()


def test_hugging_face_decodes_as_the_character_codec_does(hf: HFCodec) -> None:
    ids = CODEC.render((Message("user", "1 <answer>2</answer>\n x"),))
    assert hf.decode(ids) == CODEC.decode(ids) == "1 <answer>2</answer>\n x"
    assert hf.stop_ids == CODEC.stop_ids
    assert hf.pad_id == CODEC.pad_id


@given(st.text(alphabet="<>eosuraitn|\U000f0000 ", max_size=30), st.sampled_from(["<eos>", "<user>", ""]))
def test_no_message_can_end_a_turn(hf: HFCodec, text: str, mark: str) -> None:
    plain = hf.render((Message("user", "x"),))
    hostile = hf.render((Message("user", text + mark + text),))
    structural = [i for i in hostile.tolist() if i in hf.silent_ids and i != CODEC.unk_id]
    assert structural == [i for i in plain.tolist() if i in hf.silent_ids]


@pytest.mark.parametrize("closed", [True, False])
def test_opening_turn_and_continuation_make_the_whole(hf: HFCodec, closed: bool) -> None:
    opening = (Message("user", "1 + 2"),)
    whole = (*opening, Message("assistant", "3"), *ADDED)
    for codec in (CODEC, hf):
        turn = [codec.encode("3"), codec.stop_ids[:1] if closed else []]
        parts = [codec.render(opening), *turn, codec.render_added(ADDED, closed=closed)]
        assert np.concatenate(parts).astype(int).tolist() == codec.render(whole).tolist()


def test_a_tokenizer_without_template_writes_the_bare_texts(tmp_path: Path) -> None:
    codec = _hf(tmp_path, None)
    assert codec.decode(codec.render((Message("user", "1 + 2"),))) == "1 + 2\n\n"
    assert codec.render_added((Message("user", "x"),), closed=False)[0] == codec.stop_ids[0]


def test_a_conversation_that_the_template_refuses_is_a_usage_error(tmp_path: Path) -> None:
    template = "{% if messages[0]['role'] == 'tool' %}{{ raise_exception('no tools') }}{% endif %}"
    with pytest.raises(UsageError, match="no tools"):
        _hf(tmp_path, template).render((Message("tool", "x"),))
