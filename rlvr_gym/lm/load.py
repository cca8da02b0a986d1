"""Models by name: a folder that ``TorchLM.save`` wrote, a Hugging Face folder, a hub id or a GGUF file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from rlvr_gym.errors import ConfigError
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.codec import Codec
from rlvr_gym.lm.device import pick_device, pick_dtype
from rlvr_gym.lm.gguf import converted
from rlvr_gym.lm.hf_codec import HFCodec
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.quiet import no_bars


def load(
    model: str | Path,
    *,
    name: str | None = None,
    device: str | torch.device | None = None,
    dtype: torch.dtype | None = None,
    autocast: torch.dtype | None = None,
) -> TorchLM:
    """Return the model that ``model`` names.

    Args:
        model: A folder, a GGUF file, or an id on the hub (with ``HF_HUB_OFFLINE=1``: in its local cache).
        name: Name that versions begin with; the last part of ``model`` when left out.
        device: The GPU when there is one, if left out.
        dtype: Type of the weights; float32 when left out, and as saved for folders that ``TorchLM.save`` wrote.
        autocast: Type that matrix products are computed in; that of the weights when left out.

    Raises:
        ConfigError: no such model, or one that transformers cannot read.
        MissingExtraError: a GGUF file without the ``gguf`` extra.
    """
    path = Path(model)
    if (path / "lm.json").is_file():
        lm = load_saved(path, device=device)
        lm.module.to(dtype or lm.dtype)
        if name is not None:
            lm.name, lm.version = name, f"{name}:0"
        lm.autocast = autocast or lm.autocast
        return lm
    source: str | Path | None = model
    module: Any = None
    tokenizer: Any = None
    if path.suffix == ".gguf":
        source, module, tokenizer = converted(path)
    if source is not None:
        module, tokenizer = _read(str(source), dtype or torch.float32), _read_tokenizer(str(source))
    ends = module.generation_config.eos_token_id if module.generation_config is not None else None
    codec = HFCodec(tokenizer, [ends] if isinstance(ends, int) else ends or [])
    module = module.to(pick_device(device), dtype or torch.float32)
    return TorchLM(module, codec, name=name or path.name.removesuffix(".gguf"), autocast=autocast)


def load_saved(folder: Path, *, device: str | torch.device | None = None) -> TorchLM:
    """Return the model that ``TorchLM.save`` wrote, bit for bit.

    Raises:
        ConfigError: a folder that it did not write.
    """
    try:
        card = json.loads((folder / "lm.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"model {folder}: not a saved model: {error}") from None
    dtype = pick_dtype(card["dtype"])
    if card["lora"]:
        from rlvr_gym.lm.lora import load_adapters

        module = load_adapters(folder, dtype)
    else:
        module = _read(str(folder), dtype)
    codec: Codec
    if card["codec"]["kind"] == "char":
        codec = CharCodec(card["codec"]["alphabet"], card["codec"]["markers"])
    else:
        codec = HFCodec(_read_tokenizer(str(folder)), card["codec"]["stop_ids"])
    return TorchLM(
        module.to(pick_device(device)),
        codec,
        name=card["name"],
        version=card["version"],
        autocast=pick_dtype(card["autocast"]) if card["autocast"] else None,
    )


def _read(model: str, dtype: torch.dtype) -> Any:
    from transformers import AutoModelForCausalLM

    return _from_pretrained(AutoModelForCausalLM, model, dtype=dtype, attn_implementation="sdpa")


def _read_tokenizer(model: str) -> Any:
    from transformers import AutoTokenizer

    return _from_pretrained(AutoTokenizer, model)


def _from_pretrained(kind: Any, model: str, **settings: Any) -> Any:
    try:
        with no_bars():
            return kind.from_pretrained(model, local_files_only=Path(model).is_dir(), **settings)
    except (OSError, ValueError) as error:
        raise ConfigError(f"model {model}: {str(error).strip().splitlines()[0]}") from None
