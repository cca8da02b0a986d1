"""The ``math`` verifier against the project's own pairs of gold and answer, and against attempts to be paid."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym import verify
from rlvr_gym.types import DECIDED, Verdict

_DATA = Path(__file__).parents[1] / "data"


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_DATA / name).read_text(encoding="utf-8").splitlines()]


CASES = _rows("math_cases.jsonl")
EXPLOITS = _rows("math_exploits.jsonl")


def _judge(row: dict[str, Any]) -> Verdict:
    return verify("math", row["response"], reference=row["gold"], prompt=row.get("prompt"))


def _said(row: dict[str, Any], verdict: Verdict) -> str:
    return f"{row['why']} The verdict was {verdict.status.name}: {verdict.reason}"


@pytest.mark.parametrize("row", [row for row in CASES if row["right"]], ids=lambda row: row["id"])
def test_a_right_answer_passes(row):
    verdict = _judge(row)
    assert verdict.passed, _said(row, verdict)


@pytest.mark.parametrize("row", [row for row in CASES if not row["right"]], ids=lambda row: row["id"])
def test_a_wrong_answer_does_not_pass(row):
    verdict = _judge(row)
    assert not verdict.passed, _said(row, verdict)


@pytest.mark.parametrize("row", [row for row in EXPLOITS if not row["pays"]], ids=lambda row: row["id"])
def test_an_attempt_without_the_answer_is_not_paid(row):
    start = time.monotonic()
    verdict = _judge(row)
    assert not verdict.passed, _said(row, verdict)
    assert time.monotonic() - start < 5, "a hostile answer must not hold the trainer up"


@pytest.mark.parametrize("row", [row for row in EXPLOITS if row["pays"]], ids=lambda row: row["id"])
def test_an_honest_answer_that_looks_like_an_attempt_passes(row):
    verdict = _judge(row)
    assert verdict.passed, _said(row, verdict)


def test_every_gold_passes_against_itself():
    refused = []
    for gold in dict.fromkeys(row["gold"] for row in CASES + EXPLOITS):
        if not verify("math", f"\\boxed{{{gold}}}", reference=gold).passed:
            refused.append(gold[:60])
    assert refused == []


def test_a_bare_answer_gets_the_verdict_of_a_boxed_one():
    differ = []
    for row in CASES:
        if row["kind"] == "extraction" or not row["response"].startswith("\\boxed{"):
            continue
        bare = row["response"].removeprefix("\\boxed{").removesuffix("}")
        if _judge(row).passed != _judge(row | {"response": bare}).passed:
            differ.append(row["id"])
    assert differ == []


def test_a_wrong_answer_is_called_wrong_rather_than_left_open():
    wrong = [row for row in CASES if not row["right"] and row["beyond_dispute"]]
    assert [row["id"] for row in wrong if _judge(row).status not in DECIDED] == []


def test_the_case_file_is_large_balanced_and_gives_a_reason_for_every_row():
    assert len(CASES) >= 300
    assert sum(row["beyond_dispute"] for row in CASES) >= 300
    right = sum(row["right"] for row in CASES)
    assert 0.35 < right / len(CASES) < 0.65
    _assert_each_row_has_its_own_id_and_reason(CASES)


def test_the_exploit_file_is_large_and_has_controls():
    assert sum(not row["pays"] for row in EXPLOITS) >= 150
    assert sum(row["pays"] for row in EXPLOITS) >= 40
    _assert_each_row_has_its_own_id_and_reason(EXPLOITS)


def _assert_each_row_has_its_own_id_and_reason(rows: list[dict[str, Any]]) -> None:
    for key in "id", "why":
        counts = Counter(row[key].strip() for row in rows)
        assert "" not in counts
        assert [value for value, count in counts.items() if count > 1] == []
