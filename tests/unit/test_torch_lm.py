"""Claims about TorchLM: snapshots are frozen, files give the same bits, fingerprints follow the weights."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from rlvr_gym.errors import ConfigError, MissingExtraError
from rlvr_gym.lm import CharCodec, TorchLM, load, tiny, token_logprobs
from rlvr_gym.lm.lora import add_lora
from rlvr_gym.policies import Policy, make_policy
from rlvr_gym.types import Message, SampleRequest

CODEC = CharCodec("abcdef", ("<answer>",))


def _tiny(**settings: object) -> TorchLM:
    return tiny(CODEC, **{"layers": 1, "width": 16, "heads": 2, "context": 32, "device": "cpu", **settings})


def _lora(**settings: object) -> TorchLM:
    lm = add_lora(_tiny(**settings), rank=2, seed=3)
    with torch.no_grad():
        for name, parameter in lm.module.named_parameters():
            if "lora_B" in name:
                parameter.fill_(0.1)
    return lm


def _train(lm: TorchLM, ids: torch.Tensor) -> None:
    mask = torch.ones_like(ids, dtype=torch.bool)
    mask[:, 0] = False
    optimizer = torch.optim.SGD([p for p in lm.module.parameters() if p.requires_grad], lr=1.0)
    (-token_logprobs(lm, ids, mask).logprobs_BT.sum()).backward()
    optimizer.step()


IDS = torch.tensor([[8, 9, 10, 11, 8, 9]])


@pytest.mark.parametrize("make", [_tiny, _lora])
def test_a_snapshot_is_frozen_and_independent(make: Callable[[], TorchLM]) -> None:
    lm = make()
    before = lm.fingerprint()
    snapshot = lm.snapshot(version="old")
    assert snapshot.fingerprint() == before
    assert snapshot.version == "old"
    assert not any(p.requires_grad for p in snapshot.module.parameters())
    assert not snapshot.module.training
    _train(lm, IDS)
    assert lm.fingerprint() != before
    assert snapshot.fingerprint() == before


def test_a_snapshot_keeps_the_version_of_the_weights() -> None:
    lm = _tiny(name="solver")
    assert lm.version == lm.snapshot().version == "solver:0"
    lm.version = "solver:7"
    assert lm.snapshot().version == "solver:7"


def test_snapshots_beside_adapters_share_the_frozen_weights() -> None:
    lm = _lora()
    snapshot = lm.snapshot()
    shared = {p.data_ptr() for p in lm.module.parameters()} & {
        p.data_ptr() for p in snapshot.module.parameters()
    }
    assert len(shared) == sum(not p.requires_grad for p in lm.module.parameters())


@pytest.mark.parametrize("make", [_tiny, _lora])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_saving_and_loading_gives_the_same_bits(
    make: Callable[..., TorchLM], dtype: torch.dtype, tmp_path: Path
) -> None:
    lm = make(dtype=dtype, autocast=torch.bfloat16)
    lm.version = "tiny:41"
    lm.save(tmp_path)
    again = TorchLM.load(tmp_path, device="cpu")
    assert again.fingerprint() == lm.fingerprint()
    assert (again.name, again.version, again.dtype, again.autocast) == (
        "tiny",
        "tiny:41",
        dtype,
        torch.bfloat16,
    )
    assert [p.requires_grad for p in again.module.parameters()] == [
        p.requires_grad for p in lm.module.parameters()
    ]
    request = SampleRequest("a", CODEC.encode("abc"), 5, 12)
    assert again.sample([request])[0].logprobs.tobytes() == lm.sample([request])[0].logprobs.tobytes()


def test_the_fingerprint_changes_when_one_bit_does() -> None:
    lm = _tiny()
    before = lm.fingerprint()
    assert lm.fingerprint() == before
    weight = next(lm.module.parameters())
    with torch.no_grad():
        bits = weight.view(torch.int32)
        bits[0, 0] ^= 1
        assert lm.fingerprint() != before
        bits[0, 0] ^= 1
    assert lm.fingerprint() == before


def test_weights_follow_the_seed_alone() -> None:
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first = _tiny(seed=0).fingerprint()
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(2)
    assert _tiny(seed=0).fingerprint() == first
    assert _tiny(seed=1).fingerprint() != first


def test_weights_have_the_usual_scale_and_size() -> None:
    lm = tiny(device="cpu")
    sizes = [p.numel() for p in lm.module.parameters()]
    assert sum(sizes) == 2 * (4 * 128 * 128 + 3 * 128 * 512 + 2 * 128) + 128 + lm.codec.vocab_size * 128
    weights = torch.cat([p.flatten() for n, p in lm.module.named_parameters() if "norm" not in n])
    assert weights.std().item() == pytest.approx(0.02, rel=0.01)
    assert all((p == 1).all() for n, p in lm.module.named_parameters() if "norm" in n)


def test_adapters_add_nothing_at_first_and_alone_are_trained() -> None:
    base = _tiny()
    expected = base.sample([SampleRequest("a", CODEC.encode("abc"), 5, 12)])[0].logprobs
    torch.manual_seed(1)
    lm = add_lora(_tiny(), rank=2, seed=3)
    assert lm.is_lora
    assert add_lora(_tiny(), rank=2, seed=3).fingerprint() == lm.fingerprint()
    assert add_lora(_tiny(), rank=2, seed=4).fingerprint() != lm.fingerprint()
    np.testing.assert_allclose(
        lm.sample([SampleRequest("a", CODEC.encode("abc"), 5, 12)])[0].logprobs, expected
    )
    frozen = {n: p.clone() for n, p in lm.module.named_parameters() if "lora" not in n}
    _train(lm, IDS)
    assert all(torch.equal(p, frozen[n]) for n, p in lm.module.named_parameters() if "lora" not in n)


def test_chunks_give_adapters_the_same_gradient() -> None:
    grads = []
    for chunk_rows in (2, 100):
        lm = _lora(dtype=torch.float64)
        mask = torch.ones_like(IDS, dtype=torch.bool)
        mask[:, 0] = False
        token_logprobs(lm, IDS, mask, chunk_rows=chunk_rows).logprobs_BT.sum().backward()
        grads.append({n: p.grad for n, p in lm.module.named_parameters() if p.grad is not None})
    assert grads[0].keys() == grads[1].keys() != set()
    for name, gradient in grads[0].items():
        torch.testing.assert_close(gradient, grads[1][name], atol=1e-6, rtol=1e-5)


def test_any_hugging_face_folder_loads(tmp_path: Path) -> None:
    lm = _tiny()
    lm.save(tmp_path)
    (tmp_path / "lm.json").unlink()
    other = make_policy(str(tmp_path))
    assert isinstance(other, TorchLM)
    assert isinstance(other, Policy)
    assert other.fingerprint() == lm.fingerprint()
    assert other.version == f"{tmp_path.name}:0"
    ids = lm.render((Message("user", "abc"),))
    assert other.render((Message("user", "abc"),)).tolist() == ids.tolist()
    request = SampleRequest("a", ids, 5, 12)
    assert other.sample([request])[0].ids.tolist() == lm.sample([request])[0].ids.tolist()


def test_a_saved_folder_loads_by_name_too(tmp_path: Path) -> None:
    lm = _tiny(name="solver")
    lm.version = "solver:3"
    lm.save(tmp_path)
    assert load(tmp_path).version == "solver:3"
    renamed = load(tmp_path, name="judge", dtype=torch.float64)
    assert (renamed.version, renamed.dtype) == ("judge:0", torch.float64)
    policy = make_policy({"name": "torch_lm", "model": str(tmp_path), "lora_rank": 2})
    assert isinstance(policy, TorchLM)
    assert policy.is_lora


def test_the_tiny_policy_is_made_from_its_settings() -> None:
    policy = make_policy(
        {"name": "tiny", "alphabet": "abc", "markers": [], "width": 16, "heads": 2, "seed": 4}
    )
    assert isinstance(policy, TorchLM)
    assert isinstance(policy, Policy)
    assert policy.fingerprint() == tiny(CharCodec("abc", ()), width=16, heads=2, seed=4).fingerprint()
    assert policy.decode(policy.render((Message("user", "cab"),))) == "cab"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("./no/such/folder", "model ./no/such/folder: "),
        ("no_such.gguf", "no such file"),
        ({"name": "tiny", "dtype": "float23"}, "Did you mean 'float32'"),
        ({"name": "tiny", "device": "tpux"}, "device"),
        ({"name": "tiny", "layers": 0}, "policy.layers"),
        ({"name": "tiny", "width": 30, "heads": 4}, "width"),
    ],
)
def test_a_wrong_setting_names_its_place(table: str | dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_policy(table)


def test_without_torch_the_message_names_the_extra() -> None:
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from rlvr_gym.policies import make_policy\n"
        "make_policy('scripted')\n"
        "for name in ('tiny', 'smollm2'):\n"
        "    try: make_policy(name)\n"
        "    except ImportError as error: print(type(error).__name__, error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.count(MissingExtraError.__name__) == 2
    assert shown.count("pip install 'rlvr-gym[train]'") == 2
