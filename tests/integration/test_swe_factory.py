"""The task factory from archives to a data set, offline, on a package whose code is hostile."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rlvr_gym.errors import StoreError, UsageError
from rlvr_gym.factory.releases import download, read_archive, read_folder, versions_of
from rlvr_gym.repositories.checkouts import base_files
from rlvr_gym.repositories.patches import apply_patch
from rlvr_gym.repositories.rows import FILE, read_instances
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.store.files import FolderLock
from tests.integration import factory_package
from tests.integration.swe_repository import make_environment


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory):
    """Return a folder with an index of two releases and an environment; pip looks nowhere else."""
    if missing := LocalRuntime().missing():
        pytest.skip(f"local: {'; '.join(missing)}")
    folder = tmp_path_factory.mktemp("factory")
    for version in ("1.0", "1.1"):
        files = factory_package.release(version, folder / "mark")
        factory_package.write_archive(folder / "index", version, files)
    make_environment(folder / "environment")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(folder / "index"))
        patch.setenv("PIP_CONFIG_FILE", os.devnull)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        yield folder


@pytest.fixture(scope="module")
def built(place: Path):
    rows = factory_package.build(place / "out", place / "environment")
    return place / "out", rows


def test_a_fix_and_a_bug_are_made_and_counted(built):
    out, (row,) = built
    assert row.failed == ""
    assert dict(row.made) == {"fix": 1, "bug": 1}
    assert row.license == "MIT"
    fix, bug = read_instances(out)
    assert (fix.strata["kind"], bug.strata["kind"]) == ("fix", "bug")
    assert {each.license for each in (fix, bug)} == {"MIT"}


def test_a_fix_is_what_changed_without_the_version_judged_by_the_new_tests(built):
    fix = read_instances(built[0])[0]
    assert fix.fail_to_pass == ("tests/test_tallies.py::test_least",)
    assert "tests/test_tallies.py::TestInitials::test_initials" in fix.pass_to_pass
    assert "count > least" in fix.patch
    assert "__version__ =" not in [
        line[1:14] for line in fix.patch.splitlines() if line.startswith(("+", "-"))
    ]
    assert fix.problem.splitlines()[2] == "- ``least`` itself counts"
    assert "tallies.tally(['a', 'b', 'a'], 2)" in fix.problem
    assert "test_tallies" not in fix.problem
    assert [source["version"] for source in fix.provenance["sources"]] == ["1.0", "1.1"]


def test_the_agent_of_a_bug_is_given_neither_the_right_code_nor_the_tests_that_tell(built):
    bug = read_instances(built[0])[1]
    given = {path: content.decode() for path, content in base_files(bug.suite).items()}
    pristine = (bug.suite.repository / "tallies.py").read_text()
    assert given["tallies.py"] != pristine
    fixed = apply_patch(bug.patch, {path: text.encode() for path, text in given.items()}.get)
    assert fixed == {"tallies.py": pristine.encode()}
    assert not (bug.suite.repository / "tallies.egg-info").exists()
    for test in bug.fail_to_pass:
        name = test.split("::")[-1].partition("[")[0]
        assert f"def {name}(" not in given.get("tests/test_tallies.py", "")
        assert name not in bug.problem
    (mutation,) = bug.provenance["mutations"]
    assert mutation["path"] == "tallies.py"
    assert mutation["function"] in ("tally", "longest", "initials")


def test_nothing_of_the_package_runs_on_the_host(built, place: Path):
    # Its tests, setup.py and build backend all try; that the tests do run shows in what passes.
    assert len(read_instances(built[0])[0].pass_to_pass) == 5
    assert not (place / "mark").exists()


def test_a_killed_command_goes_on_and_comes_to_the_same_data_set(built, place: Path):
    out = place / "again"
    root = Path(__file__).parents[2]
    command = [
        sys.executable,
        "-m",
        "tests.integration.factory_package",
        str(out),
        str(place / "environment"),
    ]
    child = subprocess.Popen(command, cwd=root)
    limit = time.monotonic() + 60
    while not len(list(out.glob("work/*.json"))) > 1 and time.monotonic() < limit and child.poll() is None:
        time.sleep(0.05)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    done = {path: path.stat().st_mtime_ns for path in out.glob("work/*.json")}
    assert done
    assert not (out / FILE).exists()
    factory_package.build(out, place / "environment")
    assert {path: path.stat().st_mtime_ns for path in done} == done
    assert (out / FILE).read_bytes() == (built[0] / FILE).read_bytes()
    # All is there already: nothing is done a third time.
    before = {path.name for path in out.glob("work/*.json")}
    factory_package.build(out, place / "environment")
    assert {path.name for path in out.glob("work/*.json")} == before


def test_two_commands_in_one_folder_are_refused(place: Path):
    out = place / "held"
    out.mkdir()
    lock = FolderLock(out)
    with pytest.raises(StoreError, match="is writing"):
        factory_package.build(out, place / "environment")
    lock.close()


def test_versions_come_from_pip_the_oldest_first_and_an_unknown_package_is_one_line(place: Path):
    assert versions_of("tallies") == ["1.0", "1.1"]
    for call in (lambda: versions_of("no-such"), lambda: download("tallies", "9")):
        with pytest.raises(UsageError, match=r"package '[a-z-]+': .*ERROR") as caught:
            call()
        assert "\n" not in str(caught.value)


def test_an_archive_with_paths_that_lead_out_gives_only_what_is_inside(tmp_path: Path):
    names = ("../evil.py", "/abs.py", "t/../../b.py", "t/..\\c.py", "t/./ok.py", "t/PKG-INFO")
    path = factory_package.write_archive(tmp_path, "1.0", dict.fromkeys(names, "Name: t\n"), top="")
    assert list(read_archive(path, "tallies", "1.0").files) == ["ok.py"]


def test_a_folder_is_taken_as_it_is_without_links_and_caches(tmp_path: Path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "old.pyc").write_text("")
    (tmp_path / "pkg" / "link.py").symlink_to("/etc/passwd")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "My_Pkg"\nversion = "3"\nlicense = "ISC"\n')
    release = read_folder(tmp_path)
    assert (release.name, release.version, release.license) == ("my-pkg", "3", "ISC")
    assert list(release.files) == ["pkg/__init__.py", "pyproject.toml"]


def test_what_is_written_names_no_place_of_this_machine(built, place: Path):
    text = (built[0] / FILE).read_text(encoding="utf-8")
    assert str(place) not in text
    assert json.loads(text.splitlines()[0])["rlvr_gym"]["suite"]["repository"] == "repositories/tallies-1.0"
