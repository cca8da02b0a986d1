"""Rows of public data sets, written by hand with their columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.envs.swe_files import SWE_LAYOUTS, load_instances, load_rows
from rlvr_gym.envs.swe_files.layout import SweLayout
from rlvr_gym.errors import ConfigError, TaskError, UnknownNameError
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patch_reversal import reversed_patch
from rlvr_gym.repositories.patches import PatchError, apply_patch, make_patch
from rlvr_gym.repositories.rows import write_instances
from rlvr_gym.repositories.suites.script import ScriptSuite

OLD = {"src/a.py": b"one\ntwo\nthree\n", "src/gone.py": b"x\n", "tests/test_a.py": b"def test_a(): pass\n"}
NEW = {"src/a.py": b"one\n2\n2.5\nthree\n", "src/new.py": b"y", "tests/test_a.py": OLD["tests/test_a.py"]}
PATCH = make_patch(OLD, NEW)
TEST_PATCH = make_patch(OLD, OLD | {"tests/test_a.py": b"def test_b(): pass\n", "tests/data.json": b"{}\n"})
TURNING = ["tests/test_a.py::test_b"]
CLASSIC = {
    "instance_id": "Own__repo-7",
    "repo": "own/repo",
    "base_commit": "ab" * 20,
    "version": "1.2",
    "problem_statement": "It is wrong.",
    "hints_text": "",
    "created_at": "2026-01-01",
    "patch": PATCH,
    "test_patch": TEST_PATCH,
    "FAIL_TO_PASS": json.dumps(TURNING),
    "PASS_TO_PASS": "[]",
    "environment_setup_commit": "cd" * 20,
}
FIVE = CLASSIC | {
    "image": "own/image:1",
    "eval_script": "pytest -rA",
    "log_parser": "parse_log_pytest",
    "eval_type": "pass_and_fail",
}
GYM = {key: value for key, value in CLASSIC.items() if key != "environment_setup_commit"} | {
    "instance_id": "getmoto__moto-1",
    "repo": "getmoto/moto",
    "FAIL_TO_PASS": TURNING,
    "PASS_TO_PASS": [],
}
SMITH = {
    "instance_id": "own__repo.abcdef01.func_basic__x1",
    "repo": "swesmith/own__repo.abcdef01",
    "image_name": "own/swesmith.x86_64.own_1776_repo.abcdef01",
    "patch": PATCH,
    "FAIL_TO_PASS": TURNING,
    "PASS_TO_PASS": ["tests/test_more.py::test_c", "tests/test_more.py::test_d"],
    "problem_statement": "It broke.",
}
REBENCH = CLASSIC | {
    "docker_image": "own/rebench:1",
    "install_config": {"test_cmd": "pytest -rA", "log_parser": "parse_log_pytest", "python": "3.9"},
    "license_name": "MIT License",
}
REBENCH_2 = CLASSIC | {
    "image_name": "own/rebench2:1",
    "language": "go",
    "install_config": json.dumps(
        {"test_cmd": ["make", "go test -v ./..."], "log_parser": "parse_log_gotest"}
    ),
}
SUMMARY = "=== short test summary info ===\nFAILED r2e_tests/test_1.py::TestA::test_new - no\nPASSED r2e_tests/test_1.py::test_old\n"
R2E = {
    "repo_name": "own",
    "docker_image": "own/own_final:abc",
    "commit_hash": "abc",
    "problem_statement": "Intro\n[ISSUE]\nIt is wrong.\n[/ISSUE]\n",
    "parsed_commit_content": json.dumps(
        {
            "old_commit_hash": "abc^",
            "new_commit_hash": "abc",
            "file_diffs": [
                {
                    "header": {"file": {"path": path}, "misc_line": None},
                    "hunks": [
                        {
                            "descriptor": {
                                "old_range": {"start": 1, "length": 3},
                                "new_range": {"start": 1, "length": 4},
                                "section": "",
                            },
                            "line_group": {
                                "all_lines": [
                                    {"type": "context", "content": "one"},
                                    {"type": "deleted", "content": "two"},
                                    {"type": "added", "content": "2"},
                                    {"type": "added", "content": "2.5"},
                                    {"type": "context", "content": "three"},
                                ]
                            },
                        }
                    ],
                }
                for path in ("src/a.py", "tests/test_x.py", "docs/a.md")
            ],
        }
    ),
    "execution_result_content": json.dumps(
        {
            "test_file_names": ["test_1.py"],
            "test_file_codes": ["def test_old(): pass\n"],
            "old_commit_res_stdout": SUMMARY,
        }
    ),
    "expected_output_json": json.dumps(
        {"\x1b[1mTestA.test_new\x1b[0m": "PASSED", "test_old": "PASSED", "test_never": "FAILED"}
    ),
    "modified_files": ["src/a.py"],
    "relevant_files": ["src/a.py"],
}


def one(tmp_path: Path, row: dict[str, Any], layout: str = "auto") -> Instance:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n")
    (found,) = load_instances(path, layout)
    return found


def suite_of(instance: Instance) -> ScriptSuite:
    assert isinstance(instance.suite, ScriptSuite)
    return instance.suite


def applied(patch: str, files: dict[str, bytes]) -> dict[str, bytes]:
    found = {**files, **apply_patch(patch, files.get)}
    return {path: content for path, content in found.items() if content is not None}


@pytest.mark.parametrize(
    ("row", "layout"),
    [
        (CLASSIC, "swe_bench"),
        (FIVE, "swe_bench5"),
        (GYM, "swe_gym"),
        (SMITH, "swe_smith"),
        (REBENCH, "swe_rebench"),
        (REBENCH_2, "swe_rebench"),
        (R2E, "r2e_gym"),
    ],
)
def test_a_layout_is_told_by_its_columns_and_comes_back_from_json(
    tmp_path: Path, row: dict[str, Any], layout: str
) -> None:
    found = one(tmp_path, row)
    assert found == one(tmp_path, row, layout)
    assert found.provenance["row"] == f"{tmp_path}/rows.jsonl:1"
    assert Instance.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_classic_rows_get_the_image_and_the_command_of_their_repository(tmp_path: Path) -> None:
    found = one(tmp_path, CLASSIC)
    suite = suite_of(found)
    assert suite.image == "swebench/sweb.eval.x86_64.own_1776_repo-7:latest"
    assert "\npytest -rA tests/test_a.py\n" in suite.script
    assert (found.fail_to_pass, found.pass_to_pass) == (tuple(TURNING), ())
    assert (found.patch, found.test_patch, found.problem) == (PATCH, TEST_PATCH, "It is wrong.")


def test_djangos_runner_is_given_modules(tmp_path: Path) -> None:
    patch = make_patch({}, {"tests/basic/tests.py": b"x\n", "tests/basic/fixture.sql": b"x\n"})
    suite = suite_of(one(tmp_path, CLASSIC | {"repo": "django/django", "test_patch": patch}))
    assert "--settings=test_sqlite --parallel 1 basic.tests\n" in suite.script
    assert suite.log_parser == "parse_log_django"


def test_swebench_5_rows_bring_all_of_it(tmp_path: Path) -> None:
    suite = suite_of(one(tmp_path, FIVE))
    assert (suite.image, suite.script, suite.log_parser) == ("own/image:1", "pytest -rA", "parse_log_pytest")
    assert suite_of(one(tmp_path, FIVE | {"eval_type": "fail_only"})).eval_type == "fail_only"
    with pytest.raises(TaskError, match=r"eval_type.*'maybe'"):
        one(tmp_path, FIVE | {"eval_type": "maybe"})


def test_swe_gym_rows_have_images_of_their_own(tmp_path: Path) -> None:
    suite = suite_of(one(tmp_path, GYM))
    assert suite.image == "xingyaoww/sweb.eval.x86_64.getmoto_s_moto-1:latest"
    patch = make_patch({}, {"test-data/unit/check.test": b"[case testOne]\nx\n[case testTwo]\n"})
    mypy = suite_of(one(tmp_path, GYM | {"repo": "python/mypy", "test_patch": patch}))
    assert "pytest -rA -k 'testOne or testTwo'\n" in mypy.script


def test_the_patch_of_swe_smith_is_the_bug(tmp_path: Path) -> None:
    found = one(tmp_path, SMITH)
    suite = suite_of(found)
    assert suite.setup_patch == PATCH
    assert suite.removed == ("tests/test_a.py",)
    assert applied(found.patch, applied(PATCH, OLD)) == OLD
    assert "tests/test_a.py tests/test_more.py\n" in suite.script


def test_swe_rebench_rows_name_command_and_parser(tmp_path: Path) -> None:
    found = one(tmp_path, REBENCH)
    assert suite_of(found).image == "own/rebench:1"
    assert "pytest -rA tests/test_a.py\n" in suite_of(found).script
    assert found.license == "MIT License"
    without = {key: value for key, value in REBENCH.items() if key != "docker_image"}
    assert suite_of(one(tmp_path, without)).image == "swerebench/sweb.eval.x86_64.own_1776_repo-7:latest"


def test_the_second_swe_rebench_runs_its_commands_as_they_are(tmp_path: Path) -> None:
    suite = suite_of(one(tmp_path, REBENCH_2))
    assert (suite.workdir, suite.log_parser) == ("/repo", "parse_log_gotest")
    assert "\nmake\ngo test -v ./...\nCODE=$?\n" in suite.script
    assert "conda" not in suite.script


def test_r2e_rows_are_taken_apart(tmp_path: Path) -> None:
    found = one(tmp_path, R2E)
    assert (found.id, found.problem) == ("own__abc", "It is wrong.")
    assert found.fail_to_pass == ("TestA.test_new",)
    assert found.pass_to_pass == ("test_old",)
    assert applied(found.patch, {"src/a.py": OLD["src/a.py"]}) == {"src/a.py": NEW["src/a.py"]}
    assert applied(found.test_patch, {}) == {"r2e_tests/test_1.py": b"def test_old(): pass\n"}
    assert suite_of(found).covered == ("/r2e_tests",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"FAIL_TO_PASS": "[]"}, "every patch would solve it"),
        ({"FAIL_TO_PASS": "[oops"}, "'FAIL_TO_PASS' is no JSON"),
        ({"FAIL_TO_PASS": {"a": 1}}, "must be a list of tests"),
        ({"PASS_TO_PASS": [1]}, "holds something that is no text"),
        ({"PASS_TO_PASS": None}, "there is no 'PASS_TO_PASS'"),
        ({"patch": None}, "there is no 'patch'"),
        ({"patch": "no patch"}, "patch"),
        ({"problem_statement": " "}, "the problem is empty"),
        ({"problem_statement": "\ud800"}, "lone surrogate"),
        ({"problem_statement": 7}, "must be a text, got 7"),
    ],
)
@pytest.mark.parametrize("row", [CLASSIC, FIVE, GYM], ids=["classic", "five", "gym"])
def test_a_bad_row_is_refused_with_its_line(
    tmp_path: Path, row: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in (row, row | {"instance_id": "b"} | change)))
    with pytest.raises(TaskError, match=message) as caught:
        load_instances(path)
    assert f"{path}:2: " in str(caught.value)
    found = load_rows(path, on_bad="skip")
    assert [each.id for each in found.instances] == [row["instance_id"]]
    assert "1 of 2 rows" in found.notes[0]


def test_other_bad_rows_are_named_too(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(["{", "[]", json.dumps({"a": 1}), json.dumps(FIVE), json.dumps(FIVE)]))
    with pytest.raises(TaskError) as caught:
        load_instances(path)
    for number, why in (
        (1, "no JSON"),
        (2, "table of columns"),
        (3, "no layout has the columns a"),
        (5, "is taken"),
    ):
        assert f"{path}:{number}: " in str(caught.value)
        assert why in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"parsed_commit_content": "{}"},
        {"parsed_commit_content": json.dumps({"file_diffs": [{}]})},
        {"execution_result_content": "[]"},
        {"execution_result_content": json.dumps({"test_file_names": ["a"], "test_file_codes": []})},
        {"expected_output_json": "[]"},
    ],
)
def test_r2e_rows_in_another_form_are_refused(tmp_path: Path, change: dict[str, str]) -> None:
    with pytest.raises(TaskError, match=r"rows\.jsonl:1: "):
        one(tmp_path, R2E | change)


def test_an_unknown_layout_and_an_empty_file_are_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("")
    with pytest.raises(UnknownNameError, match="swe_bench"):
        load_instances(path, "swe_bnech")
    with pytest.raises(ConfigError, match="no rows"):
        load_instances(path)
    with pytest.raises(ConfigError, match="not of the layout 'own'"):
        load_instances(path, "own")


def test_json_parquet_and_folders_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([CLASSIC]))
    (tmp_path / "b.jsonl").write_text(json.dumps(FIVE | {"instance_id": "b"}))
    assert [each.id for each in load_instances(tmp_path)] == ["Own__repo-7", "b"]
    arrow = pytest.importorskip("pyarrow", reason="the extra data is not installed")
    from pyarrow import parquet

    parquet.write_table(arrow.Table.from_pylist([GYM]), tmp_path / "c.parquet")
    (found,) = load_instances(tmp_path / "c.parquet")
    assert found.fail_to_pass == tuple(TURNING)


def test_our_own_rows_are_read(tmp_path: Path) -> None:
    instance = one(tmp_path, FIVE)
    write_instances(tmp_path / "own", [instance])
    assert load_instances(tmp_path / "own") == [instance]
    assert load_instances(tmp_path / "own/instances.jsonl") == [instance]


def test_a_task_repository_of_swebench_5_is_read(tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="PyYAML is not installed")
    (tmp_path / "sweb.yaml").write_text("datasets: [own/set]\n")
    for name, split in (("a", "test"), ("b", "deprecated"), ("c", "test")):
        task = tmp_path / "tasks" / name
        task.mkdir(parents=True)
        keys = ("repo", "version", "base_commit", "image", "log_parser", "eval_type")
        meta = {key: FIVE[key] for key in keys} | {"instance_id": name, "split": split}
        # JSON is YAML too.
        (task / "task.yaml").write_text(json.dumps(meta))
        (task / "tests.json").write_text(json.dumps({"FAIL_TO_PASS": TURNING, "PASS_TO_PASS": []}))
        for file, column in (
            ("gold.patch", "patch"),
            ("test.patch", "test_patch"),
            ("eval.sh", "eval_script"),
            ("problem_statement.md", "problem_statement"),
        ):
            (task / file).write_text(FIVE[column])
    found = load_instances(tmp_path)
    assert [each.id for each in found] == ["a", "c"]
    assert found[0].patch == PATCH
    (tmp_path / "tasks/c/tests.json").unlink()
    with pytest.raises(TaskError, match=r"tasks/c: .*tests\.json"):
        load_instances(tmp_path)


def test_a_new_layout_is_one_registration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SWE_LAYOUTS.load()
    monkeypatch.setattr(SWE_LAYOUTS, "_entries", dict(SWE_LAYOUTS._entries))
    read = SWE_LAYOUTS["swe_bench5"].value.read
    SWE_LAYOUTS.add(
        "mine", SweLayout(lambda row: "mine" in row, lambda row: read(FIVE | row["mine"]), rank=1)
    )
    assert one(tmp_path, {"mine": {"instance_id": "m"}}).id == "m"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (OLD, NEW),
        (NEW, OLD),
        ({"a": b"1\n2\n3\n4\n5\n6\n7\n8\n9\n"}, {"a": b"1\nx\n3\n4\n5\n6\n7\ny\nz\n"}),
        ({"a": b"x"}, {"a": b"y"}),
        ({"a": b"x\n"}, {"a": b"x"}),
        ({"a": b"--- a\n"}, {"a": b"+++ b\n"}),
        ({}, {"a/b": b""}),
    ],
)
def test_a_reversed_patch_takes_back(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    patch = make_patch(before, after)
    assert applied(reversed_patch(patch), after) == before
    assert applied(reversed_patch(reversed_patch(patch)), before) == after


def test_renames_turn_round_and_binaries_are_refused() -> None:
    rename = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"
    assert applied(reversed_patch(rename), {"y": b"1\n"}) == {"x": b"1\n"}
    with pytest.raises(PatchError, match="binary"):
        reversed_patch(make_patch({}, {"a": bytes(range(256))}))
