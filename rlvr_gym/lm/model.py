"""A causal language model as a policy: weights, tokenizer, and the version that names the weights."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from rlvr_gym.errors import ConfigError
from rlvr_gym.lm.codec import Codec
from rlvr_gym.lm.quiet import no_bars
from rlvr_gym.types import Completion, Conversation, Ids, SampleRequest

_UNSUPPORTED_HEADS = ("final_logit_softcapping", "logit_scale", "logits_scaling")


class TorchLM:
    """A Hugging Face causal language model that samples, scores and can be trained.

    ``hidden`` and ``project`` are the two halves of the model; the sampler and the learner's log-probabilities
    both use them, so that they agree.

    Args:
        module: The causal language model, or a peft model around one.
        codec: Its tokenizer.
        name: Name that versions begin with.
        version: Version of these weights; ``"<name>:0"`` when left out.
        autocast: Type that matrix products are computed in, such as ``torch.bfloat16``; the weights' own if None.

    Raises:
        ConfigError: a model that changes its logits after the output matrix.
    """

    def __init__(
        self,
        module: nn.Module,
        codec: Codec,
        *,
        name: str,
        version: str | None = None,
        autocast: torch.dtype | None = None,
    ) -> None:
        # Always in eval mode: dropout would make the learner score another model than the one that sampled.
        self.module = module.eval()
        self.codec = codec
        self.name = name
        self.version = version if version is not None else f"{name}:0"
        self.autocast = autocast
        for key in _UNSUPPORTED_HEADS:
            if getattr(self.config, key, None):
                raise ConfigError(f"model {name}: {key} changes the logits, which is not supported.")
        self._backbone = self._causal.base_model
        parameters = inspect.signature(type(self._backbone).forward).parameters
        self._cache_keyword = "cache" if "cache" in parameters else "past_key_values"

    @property
    def _causal(self) -> Any:
        return self.module.get_base_model() if self.is_lora else self.module  # type: ignore[operator]

    @property
    def is_lora(self) -> bool:
        """True when only low-rank adapters are trained."""
        return hasattr(self.module, "peft_config")

    @property
    def config(self) -> Any:
        """The configuration of the Hugging Face model."""
        return self._causal.config

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.module.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        """Type of the weights."""
        return next(self.module.parameters()).dtype

    @property
    def stop_ids(self) -> tuple[int, ...]:
        """Tokens that end a turn; the first is the one to train with."""
        return self.codec.stop_ids

    @property
    def context(self) -> int:
        """Most tokens of prompt and completion together."""
        return int(getattr(self.config, "max_position_embeddings", None) or 1 << 30)

    @property
    def head(self) -> nn.Linear:
        """The output matrix, vocabulary by width."""
        head: nn.Linear = self._causal.get_output_embeddings()
        return head

    def precision(self) -> contextlib.AbstractContextManager[Any]:
        """Return the context in which forward passes are computed."""
        if self.autocast is None:
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, dtype=self.autocast)

    def hidden(self, ids_BT: Tensor, *, cache: Any = None, **inputs: Any) -> Float[Tensor, "B T D"]:
        """Return the last hidden states, ready for ``project``; ``cache`` is extended in place."""
        if cache is not None:
            inputs[self._cache_keyword] = cache
        output = self._backbone(input_ids=ids_BT, use_cache=cache is not None, return_dict=True, **inputs)
        hidden_BTD: Tensor = output.last_hidden_state
        return hidden_BTD

    def project(self, hidden_ND: Float[Tensor, "*N D"]) -> Float[Tensor, "*N V"]:
        """Return the logits of hidden states, in float32 or the weights' wider type."""
        logits_NV: Tensor = self.head(hidden_ND)
        return logits_NV if logits_NV.dtype == torch.float64 else logits_NV.float()

    def render(self, conversation: Conversation) -> Ids:
        """Return the prompt ids of a whole opening."""
        return self.codec.render(conversation)

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids that continue after the policy's turn; see ``Policy.render_added``."""
        return self.codec.render_added(conversation, closed=closed)

    def decode(self, ids: Ids) -> str:
        """Return the text of ``ids`` without structural tokens."""
        return self.codec.decode(ids)

    def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
        """Return one completion per request, in order.

        Raises:
            UsageError: a prompt that is empty or does not fit the model's context.
        """
        from rlvr_gym.lm.sampler import sample

        return sample(self, requests)

    def snapshot(self, version: str | None = None) -> TorchLM:
        """Return a frozen copy that later updates of this model do not reach."""
        # Beside adapters the weights never change, so that copies may share them.
        shared = {id(p): p for p in self.module.parameters() if self.is_lora and not p.requires_grad}
        module = copy.deepcopy(self.module, dict(shared)).requires_grad_(False)
        return TorchLM(
            module, self.codec, name=self.name, version=version or self.version, autocast=self.autocast
        )

    def fingerprint(self) -> str:
        """Return a hash of every weight: equal weights, equal fingerprint, on every device."""
        digest = hashlib.blake2b(digest_size=16)
        for name, tensor in sorted(self.module.named_parameters()):
            digest.update(f"{name}|{tensor.dtype}|{tuple(tensor.shape)}|".encode())
            # Bytes, since numpy has no bfloat16.
            digest.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().data)
        return digest.hexdigest()

    def save(self, folder: Path) -> None:
        """Write weights, tokenizer and version to ``folder``, in the Hugging Face layout (adapters apart)."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.is_lora:
            from rlvr_gym.lm.lora import save_adapters

            save_adapters(self.module, folder)
        else:
            with no_bars():
                self.module.save_pretrained(folder)  # type: ignore[operator]
        self.codec.save(folder)
        card = {
            "format": 1,
            "name": self.name,
            "version": self.version,
            "dtype": _dtype_name(self.dtype),
            "autocast": _dtype_name(self.autocast) if self.autocast else None,
            "lora": self.is_lora,
            "codec": self.codec.describe(),
        }
        (folder / "lm.json").write_text(json.dumps(card, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, *, device: str | torch.device | None = None) -> TorchLM:
        """Return the model that ``save`` wrote, bit for bit.

        Raises:
            ConfigError: a folder that ``save`` did not write.
        """
        from rlvr_gym.lm.load import load_saved

        return load_saved(folder, device=device)


def _dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
