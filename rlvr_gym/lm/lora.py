"""Low-rank adapters through peft: the model's own weights stay as they are."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any

import torch

from rlvr_gym.lm.model import TorchLM
from rlvr_gym.seeding import derive


def add_lora(lm: TorchLM, *, rank: int, alpha: float | None = None, seed: int = 0) -> TorchLM:
    """Return ``lm`` with trainable adapters on every linear layer but the head (LoRA, arXiv:2106.09685).

    The adapters add nothing at first: B is 0, and A is drawn from ``seed`` alone. The weights are shared with ``lm``
    and frozen.

    Args:
        lm: The model.
        rank: Rank of the added matrices.
        alpha: Their scale is ``alpha / rank``; ``2 * rank`` when left out.
        seed: Seed of A.
    """
    from peft import LoraConfig

    settings = LoraConfig(
        r=rank,
        lora_alpha=2 * rank if alpha is None else alpha,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    module = _wrap(lm.module, settings)
    source = torch.Generator().manual_seed(derive(seed, "lora") >> 1)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if "lora_A" in name:
                # peft's own law: uniform, as torch draws linear layers.
                bound = 1 / math.sqrt(parameter.shape[1])
                uniform = torch.rand(parameter.shape, generator=source) * 2 - 1
                parameter.copy_(uniform * bound)
    return TorchLM(module, lm.codec, name=lm.name, version=lm.version, autocast=lm.autocast)


def _wrap(module: Any, settings: Any) -> Any:
    from peft import get_peft_model

    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        # peft reads an attribute that transformers 5.24 has renamed.
        warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing", category=FutureWarning)
        return get_peft_model(module, settings)


def save_adapters(module: Any, folder: Path) -> None:
    """Write model and adapters, unmerged: merging and taking apart again would not give the same bits."""
    from safetensors.torch import save_model

    module.get_base_model().config.save_pretrained(folder)
    settings = module.peft_config["default"].to_dict()
    kept = {"r": settings["r"], "lora_alpha": settings["lora_alpha"], "task_type": "CAUSAL_LM"}
    kept["target_modules"] = sorted(settings["target_modules"])
    (folder / "lora.json").write_text(json.dumps(kept), encoding="utf-8")
    save_model(module, str(folder / "adapted.safetensors"))


def load_adapters(folder: Path, dtype: torch.dtype) -> Any:
    """Return the peft model that ``save_adapters`` wrote."""
    from peft import LoraConfig
    from safetensors.torch import load_model
    from transformers import AutoConfig, AutoModelForCausalLM

    settings = json.loads((folder / "lora.json").read_text(encoding="utf-8"))
    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    with torch.random.fork_rng(devices=[]):
        base = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="sdpa")
    module = _wrap(base, LoraConfig(**settings))
    load_model(module, str(folder / "adapted.safetensors"))
    return module
