"""A git repository of one commit, written without git: the same content gives the same bytes on every machine."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

_WHO = "base <base@localhost> 946684800 +0000"
_MESSAGE = "The state to start from\n"
_CONFIG = """[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
[user]
	name = agent
	email = agent@localhost
"""
_INDEX_ENTRY = struct.Struct(">10I20sH")
_LONGEST_NAME = 0xFFF


class _Objects:
    """The object store of a repository."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, kind: str, content: bytes) -> bytes:
        """Write an object and return its name, 20 bytes."""
        whole = b"%s %d\0%s" % (kind.encode(), len(content), content)
        name = hashlib.sha1(whole, usedforsecurity=False).digest()
        path = self._folder / name.hex()[:2] / name.hex()[2:]
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(zlib.compress(whole, 1))
        return name


def write_history(folder: Path, files: Mapping[str, tuple[bytes, bool]]) -> None:
    """Write ``folder``, a ``.git``, with one commit that holds ``files``: no remotes, tags, reflog or other objects.

    Args:
        folder: Made by this call.
        files: Content, and whether it is executable, by path from the root.
    """
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
        (folder / name).mkdir(parents=True)
    objects = _Objects(folder / "objects")
    entries = {
        path.encode("utf-8", "surrogateescape"): (
            0o100755 if runs else 0o100644,
            objects.add("blob", content),
        )
        for path, (content, runs) in files.items()
    }
    tree = _add_tree(objects, entries)
    commit = f"tree {tree.hex()}\nauthor {_WHO}\ncommitter {_WHO}\n\n{_MESSAGE}"
    head = objects.add("commit", commit.encode())
    (folder / "refs/heads/main").write_text(f"{head.hex()}\n")
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(_CONFIG)
    (folder / "description").write_text("A repository of one commit.\n")
    (folder / "index").write_bytes(_index(entries))


def _add_tree(objects: _Objects, entries: Mapping[bytes, tuple[int, bytes]]) -> bytes:
    """Write the tree of ``entries`` and of the folders in it, and return its name."""
    folders: dict[bytes, dict[bytes, tuple[int, bytes]]] = {}
    found: list[tuple[bytes, int, bytes]] = []
    for path, (mode, name) in entries.items():
        first, slash, rest = path.partition(b"/")
        if slash:
            folders.setdefault(first, {})[rest] = (mode, name)
        else:
            found.append((first, mode, name))
    found += [(first, 0o40000, _add_tree(objects, inner)) for first, inner in folders.items()]
    # Git orders a folder as if its name ended with a slash.
    found.sort(key=lambda entry: entry[0] + (b"/" if entry[1] == 0o40000 else b""))
    return objects.add("tree", b"".join(b"%o %s\0%s" % (mode, path, name) for path, mode, name in found))


def _index(entries: Mapping[bytes, tuple[int, bytes]]) -> bytes:
    """Return the index of the commit; without time stamps, so that git compares contents at first."""
    parts = [struct.pack(">4sII", b"DIRC", 2, len(entries))]
    for path, (mode, name) in sorted(entries.items()):
        entry = _INDEX_ENTRY.pack(0, 0, 0, 0, 0, 0, mode, 0, 0, 0, name, min(len(path), _LONGEST_NAME)) + path
        # One NUL at least, up to a multiple of eight.
        parts.append(entry + bytes(8 - len(entry) % 8))
    content = b"".join(parts)
    return content + hashlib.sha1(content, usedforsecurity=False).digest()
