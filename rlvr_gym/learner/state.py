"""Nested state of tensors and JSON values to a folder and back, without pickle."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from rlvr_gym.errors import StoreError
from rlvr_gym.types import Json

_TENSOR = "__tensor__"
_NUMBER = "__number__"


def split(state: Any) -> tuple[Json, dict[str, Tensor]]:
    """Return the state with each tensor replaced by its name, and the tensors by name."""
    tensors: dict[str, Tensor] = {}

    def walk(value: Any, path: str) -> Json:
        if isinstance(value, Tensor):
            tensors[path] = value.detach().cpu().contiguous()
            return {_TENSOR: path}
        if isinstance(value, Mapping):
            # JSON has text keys only; those that were numbers are marked.
            return {
                (f"{_NUMBER}{k}" if isinstance(k, int) else k): walk(v, f"{path}/{k}")
                for k, v in value.items()
            }
        if isinstance(value, list | tuple):
            return [walk(v, f"{path}/{i}") for i, v in enumerate(value)]
        return value

    return walk(state, ""), tensors


def join(skeleton: Json, tensors: Mapping[str, Tensor]) -> Any:
    """Return the state that ``split`` took apart."""
    if isinstance(skeleton, dict):
        if _TENSOR in skeleton:
            return tensors[skeleton[_TENSOR]]
        return {
            (int(k.removeprefix(_NUMBER)) if k.startswith(_NUMBER) else k): join(v, tensors)
            for k, v in skeleton.items()
        }
    if isinstance(skeleton, list):
        return [join(v, tensors) for v in skeleton]
    return skeleton


def write_state(folder: Path, state: Any) -> None:
    """Write ``state`` to ``folder`` as one JSON and one safetensors file."""
    folder.mkdir(parents=True, exist_ok=True)
    skeleton, tensors = split(state)
    save_file(tensors, folder / "state.safetensors")
    (folder / "state.json").write_text(json.dumps(skeleton, indent=1), encoding="utf-8")


def read_state(folder: Path) -> Any:
    """Return the state that ``write_state`` wrote.

    Raises:
        StoreError: a missing or damaged file.
    """
    try:
        skeleton = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        return join(skeleton, load_file(folder / "state.safetensors"))
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise StoreError(f"{folder}: not a learner's checkpoint, or a damaged one ({error}).") from None


def state_hash(state: Any) -> str:
    """Return a hash of every tensor and value of ``state``."""
    skeleton, tensors = split(state)
    digest = hashlib.blake2b(json.dumps(skeleton, sort_keys=True).encode(), digest_size=16)
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name}|{tensor.dtype}|{tuple(tensor.shape)}|".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
