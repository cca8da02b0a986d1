"""Folders of images: unpacked without following a link, and prepared for an agent."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.image_checkouts import FolderFiles, content_of, image_checkout, tracked
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.runtimes.image_files import unpack

Entries = list[tuple[str, bytes, str | bytes, int]]
"""Name, kind, target or content, mode."""


def archive(entries: Entries) -> list[bytes]:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name, kind, what, mode in entries:
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = kind, mode
            if isinstance(what, bytes):
                entry.size = len(what)
                tar.addfile(entry, io.BytesIO(what))
            else:
                entry.linkname = what
                tar.addfile(entry)
    content = file.getvalue()
    return [content[start : start + 700] for start in range(0, len(content), 700)]


def test_files_folders_and_links_are_written_and_devices_are_not(tmp_path: Path) -> None:
    entries: Entries = [
        ("./", tarfile.DIRTYPE, b"", 0o755),
        ("./a", tarfile.DIRTYPE, b"", 0o700),
        ("./a/run.sh", tarfile.REGTYPE, b"x" * 2000, 0o4750),
        ("./a/secret", tarfile.REGTYPE, b"", 0o000),
        ("./same", tarfile.LNKTYPE, "./a/run.sh", 0o750),
        ("./out", tarfile.SYMTYPE, "/etc/passwd", 0o777),
        ("./null", tarfile.CHRTYPE, "", 0o666),
        ("./pipe", tarfile.FIFOTYPE, "", 0o666),
    ]
    unpack(archive(entries), tmp_path)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == [
        "a",
        "a/run.sh",
        "a/secret",
        "out",
        "same",
    ]
    assert (tmp_path / "same").read_bytes() == b"x" * 2000
    assert (tmp_path / "a/run.sh").stat().st_mode & 0o7777 == 0o754
    assert (tmp_path / "a/secret").stat().st_mode & 0o444 == 0o444
    assert (tmp_path / "out").readlink() == Path("/etc/passwd")


@pytest.mark.parametrize(
    "entries",
    [
        [("../evil", tarfile.REGTYPE, b"x", 0o644)],
        [("/evil", tarfile.REGTYPE, b"x", 0o644)],
        [("l", tarfile.SYMTYPE, "..", 0o777), ("l/evil", tarfile.REGTYPE, b"x", 0o644)],
        [("l", tarfile.SYMTYPE, "../evil", 0o777), ("l", tarfile.REGTYPE, b"x", 0o644)],
        [("l", tarfile.SYMTYPE, "..", 0o777), ("l/", tarfile.DIRTYPE, b"", 0o755)],
        [("h", tarfile.LNKTYPE, "../evil", 0o644)],
        [("l", tarfile.SYMTYPE, "/etc/passwd", 0o777), ("h", tarfile.LNKTYPE, "l", 0o644)],
    ],
)
def test_an_entry_that_would_land_elsewhere_is_refused(tmp_path: Path, entries: Entries) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(ValueError, match=r"outside of it|behind a link"):
        unpack(archive(entries), tmp_path / "in")
    assert not (tmp_path / "evil").exists()


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return what an image might hold: a repository with a later commit, and what its build made."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "0123"
    for path, text in {"pkg/a.py": "bug = 0\n", "tests/test_a.py": "hidden\n", "run.sh": "x\n"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("pkg")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    commit = ("-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-q", "-m")
    git(folder, *commit, "one")
    git(folder, *commit, "later", "--allow-empty")
    (folder / "pkg/built.so").write_bytes(b"\0")
    return folder


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("version", ["2", "4"])
def test_the_index_tells_what_belongs_to_the_repository(source: Path, version: str) -> None:
    git(source, "update-index", "--index-version", version)
    assert sorted(tracked(source)) == ["pkg/a.py", "run.sh", "tests/test_a.py"]
    (source / ".git/index").write_bytes(b"DIRC\0\0\0\x09")
    assert "pkg/built.so" in tracked(source)


def test_the_agent_is_given_the_bug_without_its_tests_and_one_commit(source: Path) -> None:
    bug = make_patch({"pkg/a.py": b"bug = 0\n"}, {"pkg/a.py": b"bug = 1\n", "pkg/new.py": b"x\n"})
    base = image_checkout(source, bug, ("tests/test_a.py",))
    given = {"pkg/a.py": b"bug = 1\n", "pkg/new.py": b"x\n", "run.sh": b"x\n"}
    assert FolderFiles(base) == given | {"pkg/built.so": b"\0"}
    repository = FolderFiles(base, source)
    assert repository == given
    assert repository.get("pkg/built.so") == b"\0"
    assert repository.get("tests/test_a.py") is None
    assert (base / "pkg/built.so").exists()
    assert (base / "link").readlink() == Path("pkg")
    assert git(base, "log", "--all", "--format=%s").splitlines() == ["The state to start from"]
    assert git(base, "ls-files").splitlines() == ["pkg/a.py", "pkg/new.py", "run.sh"]
    assert git(base, "diff") == ""
    # The copy of the image stays as it is.
    assert (source / "pkg/a.py").read_text() == "bug = 0\n"
    assert image_checkout(source, bug, ("tests/test_a.py",)) == base
    assert image_checkout(source, "", ()) != base


def test_a_bug_that_does_not_fit_is_a_broken_task(source: Path) -> None:
    with pytest.raises(TaskError, match="does not fit"):
        image_checkout(source, make_patch({"pkg/a.py": b"other\n"}, {"pkg/a.py": b"x\n"}), ())


def test_nothing_is_read_through_a_link(source: Path) -> None:
    assert content_of(source, "pkg/a.py") == b"bug = 0\n"
    assert content_of(source, "link/a.py") is None
    assert content_of(source, "link") is None
    assert content_of(source, "pkg") is None
    assert content_of(source, "pkg/../run.sh") is None
    assert content_of(source, ".git/HEAD") is None
