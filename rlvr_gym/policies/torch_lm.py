"""Any Hugging Face causal language model as a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import NonNegativeInt, PositiveFloat

from rlvr_gym.config import Config
from rlvr_gym.errors import MissingExtraError
from rlvr_gym.policies.base import POLICIES
from rlvr_gym.policies.extras import needs_train

if TYPE_CHECKING:
    from rlvr_gym.lm.model import TorchLM


class LMSettings(Config):
    """Settings that all pretrained models share."""

    device: str | None = None
    """Such as ``cpu`` or ``cuda``; the GPU when there is one if left out."""
    dtype: str | None = None
    """Type of the weights; ``float32`` if left out."""
    autocast: str | None = None
    """Type that matrix products are computed in, such as ``bfloat16``; that of the weights if left out."""
    lora_rank: NonNegativeInt = 0
    """Rank of low-rank adapters, which are then all that is trained; 0 trains every weight."""
    lora_alpha: PositiveFloat | None = None
    """Scale of the adapters times their rank; twice the rank if left out."""
    seed: int = 0
    """Seed of the adapters."""


class TorchLMSettings(LMSettings):
    """Settings of the torch_lm policy."""

    model: str
    """A model folder, a hub id or a GGUF file."""


def load_policy(model: str, settings: LMSettings, *, name: str | None = None) -> TorchLM:
    """Return the model ``model`` under ``settings``.

    Raises:
        ConfigError: no such model, device or type.
        MissingExtraError: torch, or what a setting needs, is not installed.
    """
    with needs_train("policy 'torch_lm'"):
        from rlvr_gym.lm.device import pick_dtype
        from rlvr_gym.lm.load import load
    lm = load(
        model,
        name=name,
        device=settings.device,
        dtype=pick_dtype(settings.dtype) if settings.dtype else None,
        autocast=pick_dtype(settings.autocast) if settings.autocast else None,
    )
    # A saved model with adapters brings its own.
    if not settings.lora_rank or lm.is_lora:
        return lm
    from rlvr_gym.lm.lora import add_lora

    try:
        return add_lora(lm, rank=settings.lora_rank, alpha=settings.lora_alpha, seed=settings.seed)
    except ModuleNotFoundError as error:
        raise MissingExtraError("setting lora_rank", "lora") from error


def _torch_lm(config: TorchLMSettings) -> TorchLM:
    return load_policy(config.model, config)


POLICIES.add(
    "torch_lm",
    _torch_lm,
    config=TorchLMSettings,
    summary="A Hugging Face model: folder, hub id or GGUF file.",
)
