"""Small Llama models from scratch, from transformers' own classes, the same weights for the same seed."""

from __future__ import annotations

from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from rlvr_gym.errors import ConfigError
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.device import pick_device
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.seeding import derive


def tiny(
    codec: CharCodec | None = None,
    *,
    layers: int = 2,
    width: int = 128,
    heads: int = 4,
    context: int = 512,
    seed: int = 0,
    name: str = "tiny",
    device: str | torch.device | None = None,
    dtype: torch.dtype = torch.float32,
    autocast: torch.dtype | None = None,
) -> TorchLM:
    """Return a Llama with random weights and a character tokenizer; 2 layers of width 128 are half a million.

    Weights are drawn as transformers draws them (normal, deviation 0.02; norms 1), from ``seed`` alone: the
    global random state is neither read nor changed.

    Raises:
        ConfigError: a width that the heads do not divide into even parts (rotations turn pairs).
    """
    if width % (2 * heads):
        raise ConfigError(f"tiny: width must be a multiple of 2 x heads = {2 * heads}, got {width}.")
    codec = codec or CharCodec()
    config = LlamaConfig(
        vocab_size=codec.vocab_size,
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=context,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=codec.stop_ids[0],
        pad_token_id=codec.pad_id,
        attn_implementation="sdpa",
    )
    with torch.random.fork_rng(devices=[]):
        module: Any = LlamaForCausalLM(config)
    source = torch.Generator().manual_seed(derive(seed, "tiny") >> 1)
    with torch.no_grad():
        for key, parameter in module.named_parameters():
            if not key.endswith("norm.weight"):
                parameter.copy_(torch.randn(parameter.shape, generator=source) * config.initializer_range)
    return TorchLM(module.to(pick_device(device), dtype), codec, name=name, autocast=autocast)
