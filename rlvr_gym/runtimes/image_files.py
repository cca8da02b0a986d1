"""A folder of an image as a folder of this machine: images may hold anything, so nothing is written through a link."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rlvr_gym.runtimes import containers

_MAX_BYTES = 8 << 30
_MAX_ENTRIES = 2_000_000


class TooLargeError(ValueError):
    """More content than a workspace can have."""


def copy_out(client: Any, image: str, folder: str, target: Path) -> None:
    """Write the content of ``folder`` of an image to ``target``: files, folders and links, owned by the caller.

    Devices, pipes and sockets are left out. The image is never started.

    Args:
        client: Client of the engine.
        image: Id of the image.
        folder: Absolute path in it.
        target: An empty folder.

    Raises:
        FileNotFoundError: the image has no such folder.
        TooLargeError: it holds more than 8 GiB.
    """
    from docker.errors import NotFound

    # With our label: what a killed process leaves is swept.
    labels = {containers.OWNER: containers.owner()}
    container = client.create_container(image, ["true"], labels=labels)["Id"]
    try:
        try:
            chunks, _ = client.get_archive(container, f"{folder}/.")
        except NotFound:
            raise FileNotFoundError(f"the image has no folder {folder}") from None
        unpack(chunks, target)
    finally:
        client.remove_container(container, force=True)


def unpack(chunks: Iterable[bytes], target: Path) -> None:
    """Write the content of a tar archive below ``target``.

    Raises:
        TooLargeError: it holds more than 8 GiB.
        ValueError: an entry that would land elsewhere.
    """
    links: set[str] = set()
    size = 0
    with tarfile.open(fileobj=io.BufferedReader(_Stream(chunks), 1 << 20), mode="r|") as archive:
        for number, entry in enumerate(archive):
            path = os.path.normpath(entry.name)
            size += entry.size
            if size > _MAX_BYTES or number > _MAX_ENTRIES:
                raise TooLargeError(f"a folder of more than {_MAX_BYTES >> 30} GiB or {_MAX_ENTRIES} entries")
            if path == ".":
                continue
            _check(path, links)
            place = target / path
            if entry.isdir():
                place.mkdir(exist_ok=True, parents=True)
            elif entry.issym():
                links.add(path)
                place.symlink_to(entry.linkname)
            elif entry.islnk():
                source = os.path.normpath(entry.linkname)
                _check(source, links)
                shutil.copyfile(target / source, place, follow_symlinks=False)
                place.chmod((target / source).stat(follow_symlinks=False).st_mode & 0o777)
            elif entry.isreg():
                content = archive.extractfile(entry)
                assert content is not None, "a regular file has content"
                with place.open("xb") as file:
                    shutil.copyfileobj(content, file, 1 << 20)
                # Its reader is not the user who wrote it.
                place.chmod(entry.mode & 0o777 | 0o644)


def _check(path: str, links: set[str]) -> None:
    parts = path.split("/")
    if path.startswith("/") or ".." in parts:
        raise ValueError(f"the archive has an entry outside of it: {path!r}")
    if any("/".join(parts[:count]) in links for count in range(1, len(parts) + 1)):
        raise ValueError(f"the archive has an entry behind a link: {path!r}")


class _Stream(io.RawIOBase):
    """Chunks as a file that is read once."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer`` as far as one chunk goes."""
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        taken = min(len(buffer), len(self._rest))
        buffer[:taken] = self._rest[:taken]
        self._rest = self._rest[taken:]
        return taken
