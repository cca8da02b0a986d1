import json
import shutil
from pathlib import Path

import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.rows import FILE, read_instances, write_instances
from rlvr_gym.repositories.suites.pytest import PytestSuite


def folder(path: Path, text: str) -> Path:
    path.mkdir(parents=True)
    (path / "calc.py").write_text(text, encoding="utf-8")
    return path


def instance(tmp_path: Path, name: str = "calc-1", **more) -> Instance:
    suite = PytestSuite(
        repository=more.pop("repository"),
        environment=more.pop("environment", None),
        setup_patch="--- a/x\n+++ b/x\n",
        source_roots=("src", "."),
        plugins=("xdist",),
    )
    values = {
        "problem": "It adds wrongly.\u2028Über.",
        "patch": "p\r\n",
        "test_patch": "t",
        "fail_to_pass": ("tests/test_calc.py::test_add[1-\\u2028]",),
        "pass_to_pass": ("tests/test_calc.py::test_sub", "tests/test_calc.py::test_mul"),
        "repo": "calc",
        "version": "1.2",
        "license": "MIT",
        "strata": {"kind": "bug", "changed_lines": 2},
        "provenance": {"sources": [{"name": "calc", "sha256": "00"}]},
    }
    return Instance(id=name, suite=suite, **{**values, **more})


def test_what_is_written_is_read_again_from_wherever_the_folder_is_moved(tmp_path: Path):
    repository = folder(tmp_path / "cache" / "calc-1.2", "a = 1\n")
    environment = folder(tmp_path / "cache" / "e0", "b = 2\n")
    before = instance(tmp_path, repository=repository, environment=environment)
    write_instances(tmp_path / "set", [before])
    shutil.rmtree(tmp_path / "cache")
    moved = (tmp_path / "set").rename(tmp_path / "moved")
    for path in (moved, moved / FILE):
        (after,) = read_instances(path)
        assert (after.suite.repository / "calc.py").read_text() == "a = 1\n"
        assert (after.suite.environment / "calc.py").read_text() == "b = 2\n"
        plain = {**after.to_dict(), "suite": None}
        assert plain == {**before.to_dict(), "suite": None}
        assert after.suite.setup_patch == before.suite.setup_patch
        assert after.suite.source_roots == ("src", ".")


def test_rows_have_the_columns_of_swe_bench(tmp_path: Path):
    repository = folder(tmp_path / "r", "a = 1\n")
    file = write_instances(tmp_path / "set", [instance(tmp_path, repository=repository)])
    row = json.loads(file.read_text(encoding="utf-8"))
    assert json.loads(row["FAIL_TO_PASS"]) == ["tests/test_calc.py::test_add[1-\\u2028]"]
    assert len(row["base_commit"]) == 40
    assert row["rlvr_gym"]["suite"]["repository"] == "repositories/r"
    assert str(tmp_path) not in file.read_text(encoding="utf-8")


def test_one_repository_of_many_instances_is_kept_once_and_another_of_its_name_beside_it(tmp_path: Path):
    one, other = folder(tmp_path / "x" / "calc", "a = 1\n"), folder(tmp_path / "y" / "calc", "a = 2\n")
    instances = [instance(tmp_path, str(n), repository=each) for n, each in enumerate([one, one, other])]
    write_instances(tmp_path / "set", instances)
    assert len(list((tmp_path / "set" / "repositories").iterdir())) == 2
    texts = [(each.suite.repository / "calc.py").read_text() for each in read_instances(tmp_path / "set")]
    assert texts == ["a = 1\n", "a = 1\n", "a = 2\n"]


def test_writing_again_replaces_the_rows_and_copies_nothing(tmp_path: Path):
    repository = folder(tmp_path / "r", "a = 1\n")
    write_instances(tmp_path / "set", [instance(tmp_path, repository=repository)])
    read = read_instances(tmp_path / "set")
    file = write_instances(tmp_path / "set", read)
    assert read_instances(file) == read
    assert [each.name for each in (tmp_path / "set" / "repositories").iterdir()] == ["r"]


def test_two_instances_of_one_id_are_refused(tmp_path: Path):
    repository = folder(tmp_path / "r", "a = 1\n")
    with pytest.raises(TaskError, match="two instances have the id 'calc-1'"):
        write_instances(tmp_path / "set", [instance(tmp_path, repository=repository)] * 2)
    assert not (tmp_path / "set" / FILE).exists()


@pytest.mark.parametrize("place", ["/etc", "../elsewhere", "repositories/../../x"])
def test_a_row_that_names_a_place_outside_the_data_set_is_refused(tmp_path: Path, place: str):
    repository = folder(tmp_path / "r", "a = 1\n")
    file = write_instances(tmp_path / "set", [instance(tmp_path, repository=repository)])
    row = json.loads(file.read_text(encoding="utf-8"))
    row["rlvr_gym"]["suite"]["repository"] = place
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(TaskError, match=r"instances\.jsonl:1: .*not a path inside"):
        read_instances(file)


def test_a_foreign_row_is_refused_with_its_line(tmp_path: Path):
    file = tmp_path / FILE
    file.write_text('\n{"instance_id": "x"}\n', encoding="utf-8")
    with pytest.raises(TaskError, match=r"instances\.jsonl:2: "):
        read_instances(tmp_path)
