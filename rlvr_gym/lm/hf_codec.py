"""A Hugging Face tokenizer with its chat template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rlvr_gym.errors import UsageError
from rlvr_gym.types import Conversation, Ids, refuse_images


class HFCodec:
    """Renders with the tokenizer's chat template; a tokenizer without one writes the bare texts.

    Special tokens come from the template alone: ``"<|im_end|>"`` inside a message stays text, so that nothing a
    policy writes can end a turn or open one when it is shown to another.

    Args:
        tokenizer: A fast tokenizer.
        stop_ids: Tokens that end a turn besides the one that the template writes.
    """

    def __init__(self, tokenizer: Any, stop_ids: Iterable[int] = ()) -> None:
        self._tokenizer = tokenizer
        special = {i: t.content for i, t in tokenizer.added_tokens_decoder.items() if t.special}
        self.silent_ids = frozenset([*special, *tokenizer.all_special_ids])
        self._special = sorted({*special.values(), *tokenizer.all_special_tokens}, key=len, reverse=True)
        self.vocab_size = len(tokenizer)
        known = [tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else []
        self.stop_ids: tuple[int, ...] = tuple(dict.fromkeys([*known, *stop_ids]))
        # The template's own end of turn first: chat variants of a model often keep the base model's end token.
        end = self._after_turn(())[:1]
        if len(end) and int(end[0]) in self.silent_ids:
            self.stop_ids = tuple(dict.fromkeys([int(end[0]), *self.stop_ids]))
        if not self.stop_ids:
            raise UsageError("This tokenizer names no token that ends a turn.")
        self.pad_id = int(tokenizer.pad_token_id if tokenizer.pad_token_id is not None else self.stop_ids[0])

    def encode(self, text: str) -> Ids:
        """Return the ids of plain text; special tokens in it stay text."""
        return self._ids(text, split=True)

    def decode(self, ids: Ids) -> str:
        """Return the text of ``ids`` without special tokens."""
        text: str = self._tokenizer.decode(
            np.asarray(ids).tolist(), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text

    def render(self, conversation: Conversation) -> Ids:
        """Return the ids of the chat template over the whole opening, with its generation prompt."""
        mark = _unused([m.content for m in conversation])
        return self._marked_ids(self._template(self._guarded(conversation, mark)), mark)

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids that continue after the assistant's turn; see ``Codec.render_added``."""
        ids = self._after_turn(conversation)
        ended = len(ids) > 0 and int(ids[0]) in self.stop_ids
        return ids[1:] if closed and ended else ids

    def save(self, folder: Path) -> None:
        """Write the tokenizer's files."""
        self._tokenizer.save_pretrained(folder)

    def describe(self) -> dict[str, Any]:
        """Return the stop tokens; the rest is in the files of ``save``."""
        return {"kind": "hf", "stop_ids": list(self.stop_ids)}

    def _after_turn(self, added: Conversation) -> Ids:
        """Return the template's ids after the text of an assistant's turn."""
        mark = _unused([m.content for m in added])
        # The two marks that stand for the turn tell it from the pairs around special tokens.
        turn = mark + mark
        opening = [{"role": "user", "content": "."}, {"role": "assistant", "content": turn}]
        text = self._template([*opening, *self._guarded(added, mark)], prompt=bool(added))
        return self._marked_ids(text.partition(turn)[2], mark)

    def _guarded(self, conversation: Conversation, mark: str) -> list[dict[str, str]]:
        """Return messages for the template, with marks around special tokens in what they say.

        Raises:
            UsageError: there are images.
        """
        refuse_images(conversation)
        special = re.compile("|".join(map(re.escape, self._special)) or r"(?!)")
        return [
            {"role": m.role, "content": special.sub(lambda found: mark + found[0] + mark, m.content)}
            for m in conversation
        ]

    def _template(self, messages: Sequence[dict[str, str]], *, prompt: bool = True) -> str:
        if not self._tokenizer.chat_template:
            end = self._tokenizer.eos_token or ""
            return "".join(
                m["content"] + (end if m["role"] == "assistant" else "") + "\n\n" for m in messages
            )
        from jinja2 import TemplateError

        try:
            text: str = self._tokenizer.apply_chat_template(
                list(messages), tokenize=False, add_generation_prompt=prompt
            )
        except TemplateError as error:
            raise UsageError(f"The model's chat template refuses this conversation: {error}") from None
        return text

    def _marked_ids(self, text: str, mark: str) -> Ids:
        """Return the ids of a template's text in which marks enclose what a message said of special tokens."""
        parts = [self._ids(part, split=i % 2 == 1) for i, part in enumerate(text.split(mark)) if part]
        return np.concatenate([np.zeros(0, np.int32), *parts])

    def _ids(self, text: str, *, split: bool) -> Ids:
        ids = self._tokenizer(text, add_special_tokens=False, split_special_tokens=split)["input_ids"]
        return np.array(ids, np.int32)


def _unused(texts: Sequence[str]) -> str:
    """Return a private-use character that no text holds."""
    used = set("".join(texts))
    return next(c for c in map(chr, range(0xF0000, 0xFFFFE)) if c not in used)
