"""The environment ``verus-v0``: own tasks, one turn and several, and rows of the public families."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rlvr_gym
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.types import Status

SPEC = """use vstd::prelude::*;

verus! {

fn larger(a: u32, b: u32) -> (r: u32)
    ensures
        r >= a,
        r >= b,
        r == a || r == b,
{
    unimplemented!()
}

} // verus!
"""
SOLUTION = SPEC.replace("unimplemented!()", "if a > b { a } else { b }")
WRONG = SPEC.replace("unimplemented!()", "a")


def fence(code: str) -> str:
    return f"Here it is.\n```rust\n{code}\n```\n"


def rows(path: Path, *found: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in found))
    return path


def test_own_tasks_are_split_and_their_solutions_are_hidden() -> None:
    train = rlvr_gym.make("verus-v0").all_tasks()
    heldout = rlvr_gym.make("verus-v0", split="heldout").all_tasks()
    assert len(train) + len(heldout) >= 60
    assert not {task.id for task in train} & {task.id for task in heldout}
    for task in train + heldout:
        body = task.hidden["solution"].partition("fn " + task.reference["function"])[2]
        assert body not in task.prompt
        assert "unimplemented!()" in task.prompt


def test_levels_choose_tasks() -> None:
    easy = rlvr_gym.make("verus-v0", max_level=1, split="all").all_tasks()
    assert {task.strata["level"] for task in easy} == {1}
    with pytest.raises(ConfigError, match="min_level 4 is above max_level 2"):
        rlvr_gym.make("verus-v0", min_level=4, max_level=2)


def test_the_oracle_earns_1_and_the_hole_earns_0() -> None:
    env = rlvr_gym.make("verus-v0", max_level=1, seed=1)
    env.reset()
    _, reward, terminated, _, _ = env.step(env.oracle(env.task))
    assert (reward, terminated) == (1.0, True)
    env.reset(options={"task": env.task})
    _, reward, terminated, _, info = env.step(fence(env.task.reference["given"]))
    assert (reward, terminated) == (0.0, True)
    assert info["verdict"].status is Status.FAILED


def test_a_changed_contract_earns_nothing(tmp_path: Path) -> None:
    env = rlvr_gym.make("verus-v0", file=str(rows(tmp_path / "t.jsonl", {"spec": SPEC})), split="all")
    (task,) = env.all_tasks()
    assert env.judge(task, fence(SOLUTION)).passed
    verdict = env.judge(task, fence(WRONG.replace("        r >= b,\n", "")))
    assert verdict.status is Status.FAILED
    assert verdict.reason.startswith("spec_changed")


def test_several_turns_show_what_failed_and_end_with_the_proof(tmp_path: Path) -> None:
    file = rows(tmp_path / "t.jsonl", {"spec": SPEC, "description": "The larger of two."})
    env = rlvr_gym.make("verus-v0", file=str(file), split="all", turns=3)
    prompt, _ = env.reset()
    assert prompt.startswith("The larger of two.")
    shown, reward, terminated, truncated, _ = env.step(fence(WRONG))
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert "postcondition not satisfied" in shown
    _, reward, terminated, _, info = env.step(fence(SOLUTION))
    assert (reward, terminated) == (1.0, True)
    assert info["verdict"].passed


def test_the_last_turn_ends_the_episode_with_its_verdict(tmp_path: Path) -> None:
    env = rlvr_gym.make(
        "verus-v0", file=str(rows(tmp_path / "t.jsonl", {"spec": SPEC})), split="all", turns=2
    )
    env.reset()
    env.step(fence(WRONG))
    _, reward, terminated, _, info = env.step(fence("fn main( {"))
    assert (reward, terminated) == (0.0, True)
    assert info["verdict"].reason.startswith("rejected")


def test_a_proof_task_gives_the_code_and_keeps_it() -> None:
    env = rlvr_gym.make("verus-v0", write="proof", min_level=2, max_level=2, split="all")
    task = env.all_tasks()[0]
    assert "unimplemented" not in task.prompt
    assert "invariant" not in task.reference["given"]
    assert env.judge(task, env.oracle(task)).passed
    assert not env.judge(task, fence(task.reference["given"])).passed


def test_what_is_outside_the_subset_fails_unless_it_is_masked(tmp_path: Path) -> None:
    file = str(rows(tmp_path / "t.jsonl", {"spec": SPEC}))
    floats = SOLUTION.replace("} // verus!", "fn other(x: f64) -> f64 { x }\n} // verus!")
    strict = rlvr_gym.make("verus-v0", file=file, split="all")
    (task,) = strict.all_tasks()
    assert strict.judge(task, fence(floats)).status is Status.FAILED
    masked = rlvr_gym.make(
        "verus-v0", file=file, split="all", verifier={"name": "verus", "mask_unsupported": True}
    )
    assert masked.judge(task, fence(floats)).status is Status.UNSUPPORTED


def test_rows_of_alphaverus(tmp_path: Path) -> None:
    start, _, _ = SPEC.partition("    unimplemented!()")
    file = rows(tmp_path / "mbpp.jsonl", {"x": start.rstrip(), "y": SOLUTION, "dset": "MBPP"})
    env = rlvr_gym.make("verus-v0", file=str(file), split="all")
    (task,) = env.all_tasks()
    assert task.reference["function"] == "larger"
    assert task.reference["dialect"] == "classic"
    assert env.judge(task, env.oracle(task)).passed


def test_folders_of_vericontest(tmp_path: Path) -> None:
    folder = tmp_path / "set" / "one"
    folder.mkdir(parents=True)
    (folder / "spec.rs").write_text(SPEC.replace("    unimplemented!()\n", ""))
    (folder / "code_spec.rs").write_text(SOLUTION)
    (folder / "verified.rs").write_text(SOLUTION)
    (folder / "description.md").write_text("Return the larger number.")
    env = rlvr_gym.make("verus-v0", file=str(tmp_path / "set"), split="all")
    (task,) = env.all_tasks()
    assert task.prompt.startswith("Return the larger number.")
    assert task.reference["function"] == "larger"
    assert env.judge(task, env.oracle(task)).passed


def test_twins_of_programs_without_and_with_their_proofs(tmp_path: Path) -> None:
    for name, text in (("unverified", SOLUTION), ("verified", SOLUTION)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "larger.rs").write_text(text)
    env = rlvr_gym.make("verus-v0", file=str(tmp_path), split="all", write="proof")
    (task,) = env.all_tasks()
    assert task.reference["dialect"] == "classic"
    assert env.judge(task, env.oracle(task)).passed


def test_programs_with_vericoding_marks(tmp_path: Path) -> None:
    text = SPEC.replace("fn larger", "// <vc-helpers>\n// </vc-helpers>\n\n// <vc-spec>\nfn larger").replace(
        "{\n    unimplemented!()\n}", "// </vc-spec>\n// <vc-code>\n{\n    assume(false);\n    unreached()\n}\n// </vc-code>\n"
    )  # fmt: skip
    (tmp_path / "a.rs").write_text(text)
    env = rlvr_gym.make("verus-v0", file=str(tmp_path), split="all")
    (task,) = env.all_tasks()
    assert "assume" not in task.reference["given"]
    assert env.judge(task, fence(SOLUTION)).passed


def test_rows_that_are_no_tasks_are_named(tmp_path: Path) -> None:
    file = rows(
        tmp_path / "t.jsonl", {"spec": SPEC}, {"spec": "verus! { fn }"}, {"dialect": "old", "spec": SPEC}
    )
    with pytest.raises(TaskError) as error:
        rlvr_gym.make("verus-v0", file=str(file), split="all")
    assert "t.jsonl:2: line 1: " in str(error.value)
    assert "a dialect is current or classic, got 'old'" in str(error.value)
    env = rlvr_gym.make("verus-v0", file=str(file), split="all", on_bad="skip")
    assert len(env.all_tasks()) == 1
    assert "2 of 3 rows are no tasks" in env.notes[0]
