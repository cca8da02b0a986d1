"""Prepared folders: the right files, one commit, made once."""

import os
import shutil
import subprocess
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.checkouts import base_files, checkout
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites.pytest import PytestSuite

FILES = {
    "src/a.py": b"x = 1\n",
    "src/b/c.txt": b"\xff\0",
    "src.py": b"",
    "src-b": b"sorted before the folder by name, after it by git",
    "run.sh": b"#!/bin/sh\n",
}


@pytest.fixture
def suite(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "repository"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    (root / "run.sh").chmod(0o755)
    (root / "link").symlink_to("/etc/passwd")
    for hidden in (".git/HEAD", "src/__pycache__/a.pyc"):
        (root / hidden).parent.mkdir()
        (root / hidden).write_text("later history")
    setup = make_patch({"src/a.py": b"x = 1\n", "src.py": b""}, {"src/a.py": b"x = 2\n", "new.py": b"y\n"})
    return PytestSuite(root, setup_patch=setup)


def git(folder, *args):
    command = ["git", "-c", f"safe.directory={folder}", "-C", str(folder), *args]
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_base_files_are_the_pristine_ones_with_the_setup_patch(suite):
    wanted = {**FILES, "src/a.py": b"x = 2\n", "new.py": b"y\n"}
    del wanted["src.py"]
    assert base_files(suite) == wanted


def test_a_checkout_holds_them_and_nothing_else(suite):
    folder = checkout(suite)
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    contents = {name: path.read_bytes() for name, path in found.items() if not name.startswith(".git/")}
    assert contents == base_files(suite)
    assert os.access(folder / "run.sh", os.X_OK)
    assert not os.access(folder / "src/a.py", os.X_OK)
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    assert not any(b"later history" in path.read_bytes() for path in found.values())


def test_equal_content_is_made_once_and_other_content_elsewhere(suite):
    first = checkout(suite)
    assert checkout(suite) == first
    (suite.repository / "src/b/c.txt").write_bytes(b"changed")
    assert checkout(suite) != first
    assert base_files(suite)["src/b/c.txt"] == b"changed"


def test_several_processes_agree(suite):
    with ProcessPoolExecutor(4) as processes:
        folders = {*processes.map(checkout, [suite] * 8)}
    assert len(folders) == 1


def test_what_a_killed_process_left_is_removed(suite):
    folder = checkout(suite)
    shutil.rmtree(folder)
    half = folder.with_suffix(".part")
    (half / "src").mkdir(parents=True)
    (half / "src/a.py").write_text("half")
    assert checkout(suite) == folder
    assert not half.exists()
    assert (folder / "src/a.py").read_bytes() == b"x = 2\n"


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(TaskError, match="no folder of a repository"):
        checkout(PytestSuite(tmp_path / "nowhere"))


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed, which reads the history here")
def test_git_finds_one_clean_commit_and_nothing_more(suite):
    folder = checkout(suite)
    # A copy: git refreshes its index.
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)
    assert git(copy, "status", "--porcelain") == ""
    assert len(git(copy, "rev-list", "--all").split()) == 1
    assert git(copy, "fsck", "--full", "--strict", "--unreachable") == ""
    assert git(copy, "reflog") == git(copy, "remote") == git(copy, "tag") == git(copy, "stash", "list") == ""
    assert sorted(git(copy, "ls-files").split("\n")[:-1]) == sorted(base_files(suite))
    modes = {line.split("\t")[1]: line.split(" ")[0] for line in git(copy, "ls-files", "-s").splitlines()}
    assert modes["run.sh"] == "100755"
    assert modes["src/a.py"] == "100644"
    blobs = {line.split()[2] for line in git(copy, "ls-tree", "-r", "HEAD").splitlines()}
    objects = git(copy, "cat-file", "--batch-check", "--batch-all-objects").splitlines()
    assert {line.split()[0] for line in objects if " blob " in line} == blobs


def test_the_same_content_gives_the_same_commit_everywhere(suite, tmp_path, monkeypatch):
    first = Path(checkout(suite), ".git/refs/heads/main").read_text()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert Path(checkout(suite), ".git/refs/heads/main").read_text() == first
