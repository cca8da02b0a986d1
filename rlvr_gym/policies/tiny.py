"""The embedded default: a small transformer from scratch with a character tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveInt

from rlvr_gym.config import Config
from rlvr_gym.policies.base import POLICIES
from rlvr_gym.policies.extras import needs_train

if TYPE_CHECKING:
    from rlvr_gym.lm.model import TorchLM


class Tiny(Config):
    """Settings of the tiny policy."""

    alphabet: str | None = None
    """Characters that are tokens; printable ASCII and newline when left out."""
    markers: tuple[str, ...] | None = None
    """Texts that are one token each; the problem and answer tags when left out."""
    layers: PositiveInt = 2
    """Transformer blocks."""
    width: PositiveInt = 128
    """Size of the hidden state, a multiple of 2 x heads."""
    heads: PositiveInt = 4
    """Attention heads."""
    context: PositiveInt = 512
    """Most tokens of prompt and completion together."""
    seed: int = 0
    """Seed of the weights."""
    device: str | None = None
    """Such as ``cpu`` or ``cuda``; the GPU when there is one if left out."""
    dtype: str = "float32"
    """Type of the weights."""
    autocast: str | None = None
    """Type that matrix products are computed in, such as ``bfloat16``; that of the weights if left out."""


def _tiny(config: Tiny) -> TorchLM:
    with needs_train("policy 'tiny'"):
        from rlvr_gym.lm.char_codec import ALPHABET, MARKERS, CharCodec
        from rlvr_gym.lm.device import pick_dtype
        from rlvr_gym.lm.tiny import tiny
    return tiny(
        CharCodec(
            ALPHABET if config.alphabet is None else config.alphabet,
            MARKERS if config.markers is None else config.markers,
        ),
        layers=config.layers,
        width=config.width,
        heads=config.heads,
        context=config.context,
        seed=config.seed,
        device=config.device,
        dtype=pick_dtype(config.dtype),
        autocast=pick_dtype(config.autocast) if config.autocast else None,
    )


POLICIES.add(
    "tiny", _tiny, config=Tiny, summary="A small transformer from scratch with a character tokenizer."
)
