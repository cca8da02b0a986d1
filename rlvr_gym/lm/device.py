"""Names of devices and number types, as settings give them."""

from __future__ import annotations

import torch

from rlvr_gym.errors import ConfigError, did_you_mean

_DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "float64": torch.float64,
}


def pick_device(device: str | torch.device | None = None) -> torch.device:
    """Return the device asked for; with none asked for, the GPU when there is one, else the CPU.

    Raises:
        ConfigError: CUDA is asked for and absent, or no such device is known.
    """
    if device is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        picked = torch.device(device)
    except RuntimeError as error:
        raise ConfigError(f"device: {str(error).splitlines()[0]}") from None
    if picked.type == "cuda" and not torch.cuda.is_available():
        raise ConfigError(f"device: {device} is asked for, but this torch sees no CUDA device.")
    return picked


def pick_dtype(name: str) -> torch.dtype:
    """Return the type named ``name``.

    Raises:
        ConfigError: an unknown name.
    """
    if name not in _DTYPES:
        raise ConfigError(f"dtype: no type is named '{name}'.{did_you_mean(name, _DTYPES)}")
    return _DTYPES[name]
