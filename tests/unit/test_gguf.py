"""Claims about GGUF files: converted once, right values, and usable where no cache can be written."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest
import torch

from rlvr_gym.errors import ConfigError
from rlvr_gym.lm import load

WIDTH, HEADS, INNER = 8, 2, 16
TOKENS = ["<|endoftext|>", *"abcdefg", "Ġ", "ab", "Ġa"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A llama of one layer with a byte-level tokenizer, as converters write it."""
    path = tmp_path / "small.Q.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(TOKENS)
    writer.add_token_types([3, *[1] * (len(TOKENS) - 1)])
    writer.add_token_merges(["a b", "Ġ a"])
    writer.add_eos_token_id(0)
    rng = np.random.default_rng(0)
    shapes = {
        "token_embd": (len(TOKENS), WIDTH),
        "blk.0.attn_norm": (WIDTH,),
        "blk.0.ffn_norm": (WIDTH,),
        "output_norm": (WIDTH,),
        **{f"blk.0.attn_{p}": (WIDTH, WIDTH) for p in ("q", "k", "v", "output")},
        "blk.0.ffn_gate": (INNER, WIDTH),
        "blk.0.ffn_up": (INNER, WIDTH),
        "blk.0.ffn_down": (WIDTH, INNER),
    }
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", rng.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _cached(cache: Path) -> list[Path]:
    return list((cache / "rlvr-gym" / "gguf").iterdir())


def test_the_values_are_those_of_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    lm = load(file, device="cpu")
    expected = np.random.default_rng(0).normal(size=(len(TOKENS), WIDTH)).astype(np.float32)
    embedding = lm.module.get_input_embeddings().weight.detach().numpy()
    np.testing.assert_array_equal(embedding, expected)
    assert lm.version == "small.Q:0"
    assert lm.stop_ids == (0,)
    assert [TOKENS[i] for i in lm.codec.encode("ab ac")] == ["ab", "Ġa", "c"]
    assert lm.decode(lm.codec.encode("ab ac")) == "ab ac"


def test_the_conversion_is_kept_under_the_hash_of_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = load(file, device="cpu").fingerprint()
    (folder,) = _cached(tmp_path / "cache")
    stamp = (folder / "config.json").stat().st_mtime_ns
    moved = file.rename(tmp_path / "other.gguf")
    assert load(moved, device="cpu").fingerprint() == first
    assert _cached(tmp_path / "cache") == [folder]
    assert (folder / "config.json").stat().st_mtime_ns == stamp


def test_without_a_cache_the_model_loads_all_the_same(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    expected = load(file, device="cpu").fingerprint()
    (tmp_path / "blocked").write_text("a file where the cache should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "blocked"))
    with pytest.warns(UserWarning, match="cannot be kept"):
        lm = load(file, device="cpu")
    assert lm.fingerprint() == expected
    lm.save(tmp_path / "saved")
    assert load(tmp_path / "saved", device="cpu").fingerprint() == expected


def test_weights_can_be_narrow(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert load(file, device="cpu", dtype=torch.bfloat16).dtype == torch.bfloat16


def test_a_file_that_is_no_gguf_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"not a model")
    with pytest.raises(ConfigError, match=r"bad\.gguf"):
        load(bad)
