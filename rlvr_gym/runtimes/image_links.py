"""Images with symbolic links and opened folders: the root of a running container is read-only, so an image brings them."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from typing import Any

REPOSITORY = "rlvr-gym-links"
"""Name of such images in the engine; their tags are hashes of what they were made from."""


def linked(client: Any, image: str, links: Mapping[str, str], opened: Sequence[str]) -> str:
    """Return the id of ``image`` with ``links`` in its root; made once, a layer of a few hundred bytes.

    Args:
        client: Client of the engine.
        image: Id of an image.
        links: Targets by the links' paths. A folder of the image at such a path is replaced.
        opened: Folders that everybody may enter.
    """
    from docker.errors import ImageNotFound

    tag = hashlib.sha256(json.dumps([image, sorted(links.items()), sorted(opened)]).encode()).hexdigest()[:32]
    try:
        found: str = client.inspect_image(f"{REPOSITORY}:{tag}")["Id"]
    except ImageNotFound:
        # Never started. Without the label of our containers, which the new image would take over.
        container = client.create_container(image, ["true"])["Id"]
        try:
            client.put_archive(container, "/", _archive(links, opened))
            found = client.commit(container, REPOSITORY, tag)["Id"]
        finally:
            client.remove_container(container, force=True)
    return found


def _archive(links: Mapping[str, str], opened: Sequence[str]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for path, target in links.items():
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
        for path in opened:
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
    return file.getvalue()
