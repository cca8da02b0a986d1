"""A character tokenizer with a few one-token markers, for models trained from scratch."""

from __future__ import annotations

import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import AddedToken, Tokenizer
from tokenizers.decoders import Fuse
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split

from rlvr_gym.errors import ConfigError
from rlvr_gym.types import Conversation, Ids, refuse_images

PAD, EOS, UNK = "<pad>", "<eos>", "<unk>"
ROLE_MARKS = {"system": "<system>", "user": "<user>", "assistant": "<assistant>", "tool": "<tool>"}
MARKERS = ("<problem>", "</problem>", "<answer>", "</answer>")
"""Markers of the tags that verifiers read."""
ALPHABET = string.ascii_letters + string.digits + string.punctuation + " \n"

_TEMPLATE = (
    "{% for m in messages %}{{ '<' + m['role'] + '>' + m['content'] }}"
    "{% if m['role'] == 'assistant' %}{{ '<eos>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)


class CharCodec:
    """One token per character of ``alphabet``, and one per marker.

    Markers are text: ``"<answer>"`` in a string becomes one token and decodes to itself. Structural tokens
    (padding, end of turn, role marks) are written by ``render`` alone, never by text, and decode to nothing.
    A character outside the alphabet becomes ``<unk>`` and decodes to U+FFFD.

    Raises:
        ConfigError: a repeated character or marker, or a marker that is a structural token or one character.
    """

    def __init__(self, alphabet: str = ALPHABET, markers: Sequence[str] = MARKERS) -> None:
        structural = [PAD, EOS, UNK, *ROLE_MARKS.values()]
        words = [*structural, *markers, *alphabet]
        if len(set(words)) != len(words) or any(len(m) < 2 for m in markers):
            raise ConfigError(
                "char codec: alphabet and markers must not repeat, and a marker has two characters or more, "
                f"got alphabet {alphabet!r} and markers {list(markers)}."
            )
        self.alphabet, self.markers = alphabet, tuple(markers)
        vocab = {word: i for i, word in enumerate(words)}
        self.vocab_size = len(words)
        self.pad_id = vocab[PAD]
        self.stop_ids: tuple[int, ...] = (vocab[EOS],)
        self.unk_id = vocab[UNK]
        self.silent_ids = frozenset(vocab[w] for w in structural if w != UNK)
        self._marks = {role: vocab[mark] for role, mark in ROLE_MARKS.items()}
        self._texts = ["" if w in structural else w for w in words]
        self._texts[self.unk_id] = "\ufffd"
        self._tokenizer = Tokenizer(WordLevel(vocab, unk_token=UNK))
        self._tokenizer.pre_tokenizer = Split("", "isolated")
        # Words would be joined with spaces by tools that decode with the saved tokenizer.
        self._tokenizer.decoder = Fuse()
        self._tokenizer.add_tokens([AddedToken(m, normalized=False) for m in markers])

    def encode(self, text: str) -> Ids:
        """Return the ids of ``text``."""
        return np.array(self._tokenizer.encode(text, add_special_tokens=False).ids, np.int32)

    def decode(self, ids: Ids) -> str:
        """Return the text of ``ids``, markers included, structural tokens left out."""
        return "".join([self._texts[i] for i in ids])

    def render(self, conversation: Conversation) -> Ids:
        """Return mark and text of each message, the end token after the assistant's, then its mark.

        Raises:
            UsageError: there are images.
        """
        refuse_images(conversation)
        parts: list[int] = []
        for message in conversation:
            parts += [self._marks[message.role], *self.encode(message.content)]
            if message.role == "assistant":
                parts.append(self.stop_ids[0])
        return np.array([*parts, self._marks["assistant"]], np.int32)

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids that continue after the assistant's turn; see ``Codec.render_added``."""
        ids = self.render(conversation)
        return ids if closed else np.concatenate([np.array(self.stop_ids[:1], np.int32), ids])

    def save(self, folder: Path) -> None:
        """Write ``tokenizer.json`` and its settings, so that other tools load the tokenizer too."""
        from transformers import PreTrainedTokenizerFast

        fast = PreTrainedTokenizerFast(
            tokenizer_object=Tokenizer.from_str(self._tokenizer.to_str()),
            eos_token=EOS,
            pad_token=PAD,
            unk_token=UNK,
            additional_special_tokens=list(ROLE_MARKS.values()),
            clean_up_tokenization_spaces=False,
        )
        fast.chat_template = _TEMPLATE
        fast.save_pretrained(folder)

    def describe(self) -> dict[str, Any]:
        """Return alphabet and markers."""
        return {"kind": "char", "alphabet": self.alphabet, "markers": list(self.markers)}
