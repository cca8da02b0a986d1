"""Rows of R2E-Gym: a commit taken apart, tests that were written for it, and the outcome that they should have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rlvr_gym.envs.swe_files.commands import marked
from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout, Values, has, instance, parsed, text
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.log_parsers.r2e import r2e, r2e_name
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites.script import ScriptSuite

_TESTS = "r2e_tests"
_RUN = "run_tests.sh"
_TEST_FOLDERS = frozenset({"test", "tests", "Test", "Tests"})
_ISSUE = re.compile(r"\[ISSUE\](.*)\[/ISSUE\]", re.DOTALL)
_SIGNS = {"context": " ", "added": "+", "deleted": "-", "note": ""}


def read(row: Values) -> Instance:
    """Read ``docker_image``, ``problem_statement``, ``parsed_commit_content``, ``execution_result_content`` and others.

    Tests that ``expected_output_json`` expects to pass have to pass; what should become of others is not asked. They
    have to turn where ``execution_result_content`` tells that they did not pass before.
    """
    run = parsed(row, "execution_result_content")
    expected = parsed(row, "expected_output_json")
    passing = [r2e_name(name) for name, status in expected.items() if status == "PASSED"]
    before = r2e(run.get("old_commit_res_stdout") or "")
    files = {
        f"{_TESTS}/{name}": code.encode()
        for name, code in zip(run["test_file_names"], run["test_file_codes"], strict=True)
    }
    suite = ScriptSuite(
        image=text(row, "docker_image"),
        script=marked([f"bash {_RUN}"], workdir="/testbed", conda=False),
        log_parser="r2e",
        removed=(_RUN, _TESTS),
        covered=(f"/{_TESTS}",),
        # Their environments are links to a Python there.
        opened=("/root",),
    )
    problem = text(row, "problem_statement")
    found = _ISSUE.search(problem)
    repo, commit = text(row, "repo_name"), text(row, "commit_hash")
    return instance(
        row,
        suite,
        layout="r2e_gym",
        id=text(row, "instance_id", f"{repo}__{commit}"),
        problem=found.group(1).strip() if found else problem,
        repo=repo,
        patch="".join(_diffs(parsed(row, "parsed_commit_content"))),
        test_patch=make_patch({}, files),
        fail_to_pass=tuple(name for name in passing if name and before.get(name) != "PASSED"),
        pass_to_pass=tuple(name for name in passing if name and before.get(name) == "PASSED"),
    )


def _diffs(commit: Mapping[str, Any]) -> Iterator[str]:
    """Yield the diff of each file of Python that is no test."""
    for diff in commit["file_diffs"]:
        path = diff["header"]["file"]["path"]
        *folders, name = path.split("/")
        is_test = _TEST_FOLDERS.intersection(folders) or name.startswith("test_") or name.endswith("_test.py")
        if not is_test and name.endswith(".py") and diff.get("hunks"):
            yield _diff(path, diff)


def _diff(path: str, diff: Mapping[str, Any]) -> str:
    lines = [f"diff --git a/{path} b/{path}"]
    starts = [hunk["descriptor"] for hunk in diff["hunks"]]
    if not starts[0]["old_range"]["start"]:
        lines += ["new file mode 100644", "--- /dev/null", f"+++ b/{path}"]
    elif not starts[0]["new_range"]["start"]:
        lines += ["deleted file mode 100644", f"--- a/{path}", "+++ /dev/null"]
    else:
        lines += [f"--- a/{path}", f"+++ b/{path}"]
    for hunk in diff["hunks"]:
        old, new = (_range(hunk["descriptor"][name]) for name in ("old_range", "new_range"))
        lines.append(f"@@ -{old} +{new} @@")
        lines += [_SIGNS[line["type"]] + line["content"] for line in hunk["line_group"]["all_lines"]]
    return "\n".join(lines) + "\n"


def _range(given: Mapping[str, Any]) -> str:
    length = given.get("length")
    return f"{given['start']},{1 if length is None else length}"


SWE_LAYOUTS.add(
    "r2e_gym",
    SweLayout(
        lambda row: has(row, "docker_image", "parsed_commit_content", "expected_output_json"), read, rank=5
    ),
    summary="Rows of R2E-Gym.",
)
