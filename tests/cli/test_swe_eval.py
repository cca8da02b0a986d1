"""``rlvr-gym swe-eval``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.repositories.predictions import Prediction, write_predictions
from rlvr_gym.repositories.rows import write_instances
from rlvr_gym.runtimes.local import LocalRuntime
from tests.integration.swe_repository import make_environment, make_instance

Call = Callable[..., Any]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    environment = make_environment(tmp_path / "environment")
    write_instances(tmp_path / "rows", [make_instance(tmp_path / "shop", environment)])
    return tmp_path / "rows"


def test_predictions_are_graded_and_reported(call: Call, rows: Path, tmp_path: Path) -> None:
    if missing := LocalRuntime().missing():
        pytest.skip("; ".join(missing))
    gold = call("swe-eval", rows, "--gold")
    assert (gold.code, gold.out.splitlines()[-1]) == (0, "1 of 1 resolved")
    id = gold.out.partition(":")[0]
    write_predictions(tmp_path / "preds.json", [Prediction(id, "m", "no patch")])
    out, report = tmp_path / "out.jsonl", tmp_path / "report.json"
    found = call("swe-eval", rows, tmp_path / "preds.json", "--out", out, "--report", report)
    assert (found.code, found.out.splitlines()[-1]) == (0, "0 of 1 resolved")
    (row,) = map(json.loads, out.read_text().splitlines())
    assert (row["instance_id"], row["model_name_or_path"], row["status"]) == (id, "m", "malformed")
    told = json.loads(report.read_text())
    assert (told["resolved_ids"], told["unresolved_ids"]) == ([], [id])


def test_wrong_use_is_named(call: Call, rows: Path, tmp_path: Path) -> None:
    preds = tmp_path / "preds.jsonl"
    write_predictions(preds, [Prediction("nobody__1", "m", "")])
    for arguments, message in (
        ((rows,), "either a file of predictions or, with --gold"),
        ((rows, preds, "--gold"), "either a file of predictions or, with --gold"),
        ((rows, preds), "no instance is named 'nobody__1'"),
        ((rows, "--gold", "--id", "none"), "no instance is named 'none'"),
        ((rows, tmp_path / "none.json"), "No such file"),
        ((tmp_path / "none.jsonl", "--gold"), "no such task file"),
        ((rows, "--gold", "--layout", "swe_bnech"), "swe_bench"),
    ):
        found = call("swe-eval", *arguments)
        assert found.code == 2
        assert message in found.err


def test_an_instance_in_an_image_is_graded_on_docker(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("docker", reason="the extra docker is not installed")
    monkeypatch.setenv("DOCKER_HOST", "unix:///no/such/socket")
    row = {
        "instance_id": "a__b-1",
        "repo": "a/b",
        "problem_statement": "It is wrong.",
        "patch": "",
        "test_patch": "",
        "FAIL_TO_PASS": ["t"],
        "PASS_TO_PASS": [],
        "image": "a/b:1",
        "eval_script": "true",
        "log_parser": "parse_log_pytest",
    }
    (tmp_path / "rows.json").write_text(json.dumps([row]))
    found = call("swe-eval", tmp_path / "rows.json", "--gold")
    assert found.code == 2
    assert "'docker' cannot isolate here" in found.err
    assert "/no/such/socket" in found.err
    local = call("swe-eval", tmp_path / "rows.json", "--gold", "--set", "runtime=local")
    assert local.code == 2
    assert "'local' has no images" in local.err
