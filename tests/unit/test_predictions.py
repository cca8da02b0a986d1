"""Patches in the files that SWE-bench and agents exchange."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.repositories.predictions import Prediction, read_predictions, report, write_predictions
from rlvr_gym.types import Status, Verdict

TWO = [Prediction("a__b-1", "m/1", "diff\n"), Prediction("a__b-2", "m/1", "")]


@pytest.mark.parametrize("name", ["preds.json", "preds.jsonl"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    write_predictions(tmp_path / name, TWO)
    assert read_predictions(tmp_path / name) == TWO


def test_the_columns_are_those_of_swe_bench(tmp_path: Path) -> None:
    write_predictions(tmp_path / "preds.json", TWO)
    assert json.loads((tmp_path / "preds.json").read_text())["a__b-1"] == {
        "instance_id": "a__b-1",
        "model_name_or_path": "m/1",
        "model_patch": "diff\n",
    }


def test_a_list_and_a_missing_patch_are_read(tmp_path: Path) -> None:
    path = tmp_path / "preds.json"
    path.write_text(json.dumps([{"instance_id": "x", "model_patch": None}]))
    assert read_predictions(path) == [Prediction("x", "", "")]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"instance_id": "x"}, {"instance_id": "x"}], ":2: there is an earlier prediction for 'x'"),
        ([{"model_patch": "x"}], ":1: 'instance_id' must be a text"),
        ([{"instance_id": "x", "model_patch": 1}], ":1: 'model_patch' must be a text, got 1"),
        ([[]], ":1: a prediction is a table, not list"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path: Path, rows: list[Any], message: str) -> None:
    path = tmp_path / "preds.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with pytest.raises(TaskError, match=message):
        read_predictions(path)


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_predictions(tmp_path / "preds.json")
    (tmp_path / "preds.json").write_text("{")
    with pytest.raises(UsageError, match="no JSON"):
        read_predictions(tmp_path / "preds.json")


def test_a_lost_sandbox_is_an_error_and_no_failure() -> None:
    verdicts = {
        "1": Verdict.of(Status.PASSED, ""),
        "2": Verdict.of(Status.FAILED, ""),
        "3": Verdict.of(Status.INFRASTRUCTURE, ""),
    }
    given = [Prediction(id, "m", "" if id == "2" else "diff") for id in verdicts]
    found = report(["1", "2", "3", "4"], given, verdicts)
    assert {key: value for key, value in found.items() if key.endswith("_ids")} == {
        "submitted_ids": ["1", "2", "3"],
        "completed_ids": ["1", "2"],
        "incomplete_ids": ["4"],
        "resolved_ids": ["1"],
        "unresolved_ids": ["2"],
        "empty_patch_ids": ["2"],
        "error_ids": ["3"],
    }
    assert (found["total_instances"], found["resolved_instances"], found["error_instances"]) == (4, 1, 1)
