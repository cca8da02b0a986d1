"""GGUF files, converted once: dequantising takes most of a minute, reading the result a second."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any

import torch

from rlvr_gym.errors import ConfigError, MissingExtraError
from rlvr_gym.lm.quiet import no_bars

_FORMAT = "1"
"""Part of the cache key; raise it when the conversion changes."""


def converted(file: Path) -> tuple[Path | None, Any, Any]:
    """Return the folder with the converted model, or ``(None, module, tokenizer)`` where no cache can be written.

    The cache is ``$XDG_CACHE_HOME/rlvr-gym/gguf/<hash of the file>``.

    Raises:
        ConfigError: no such file, or one that transformers cannot read.
        MissingExtraError: the ``gguf`` package is not installed.
    """
    if not file.is_file():
        raise ConfigError(f"model {file}: no such file.")
    with file.open("rb") as stream:
        key = hashlib.file_digest(
            stream, lambda: hashlib.blake2b(_FORMAT.encode(), digest_size=16)
        ).hexdigest()
    folder = _cache_root() / "gguf" / key
    if (folder / "config.json").is_file():
        return folder, None, None
    module, tokenizer = _convert(file)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        half_done = Path(tempfile.mkdtemp(prefix=f".{key}-", dir=folder.parent))
        try:
            with no_bars():
                module.save_pretrained(half_done)
            tokenizer.save_pretrained(half_done)
            # Another process may have been faster; its folder holds the same.
            with contextlib.suppress(FileExistsError):
                _publish(half_done, folder)
        finally:
            shutil.rmtree(half_done, ignore_errors=True)
    except OSError as error:
        warnings.warn(f"The converted model cannot be kept in {folder.parent}: {error}", stacklevel=2)
        return None, module, tokenizer
    return folder, None, None


def _cache_root() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rlvr-gym"


def _publish(half_done: Path, folder: Path) -> None:
    try:
        half_done.rename(folder)
    except OSError as error:
        if folder.is_dir():
            raise FileExistsError(str(folder)) from error
        raise


def _convert(file: Path) -> tuple[Any, Any]:
    if importlib.util.find_spec("gguf") is None:
        raise MissingExtraError("reading a GGUF file", "gguf")
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where = {"gguf_file": file.name, "local_files_only": True}
    try:
        with no_bars():
            tokenizer = AutoTokenizer.from_pretrained(file.parent, **where)
            module = AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **where)
    except (OSError, ValueError) as error:
        raise ConfigError(f"model {file}: {str(error).splitlines()[0]}") from None
    # The weights are plain numbers now; transformers would refuse to save what it still calls quantized.
    if hasattr(module.config, "quantization_config"):
        del module.config.quantization_config
    module.hf_quantizer = None
    module.is_quantized = False
    return module, tokenizer
