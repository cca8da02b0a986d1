"""Append-only segment files for bulk data: every record has its length, CRC and hash in front of it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.errors import StoreError
from rlvr_gym.store import files
from rlvr_gym.store.failures import told
from rlvr_gym.store.points import reached

SEGMENT_BYTES = 64 * 2**20
"""A segment that has reached this size takes no further batch."""

_MAGIC = b"RLVb"
_HEADER = struct.Struct("<4sQI16s")


@dataclass(frozen=True, slots=True)
class BlobRef:
    """Where a record lies and what it must hash to."""

    segment: int
    offset: int
    length: int
    crc: int
    digest: str

    @property
    def end(self) -> int:
        """First byte behind the record."""
        return self.offset + _HEADER.size + self.length

    @classmethod
    def of(cls, data: bytes, *, segment: int = 0, offset: int = 0) -> BlobRef:
        """Return the reference of ``data`` at a place."""
        value = hashlib.blake2b(data, digest_size=16).hexdigest()
        return cls(segment, offset, len(data), zlib.crc32(data), value)


class Blobs:
    """The segment files of one run. A record counts only when a row of the ledger names it.

    Args:
        folder: Holds the segments ``000001.seg``, ``000002.seg``, ...
        ends: Segment -> first byte behind its last record that a row names.
        segment_bytes: Size at which a segment is full.
    """

    def __init__(self, folder: Path, ends: Mapping[int, int], *, segment_bytes: int = SEGMENT_BYTES) -> None:
        self._folder = folder
        self._limit = segment_bytes
        self._segment = max(ends, default=1)
        self._end = ends.get(self._segment, 0)

    def path(self, segment: int) -> Path:
        """Return the file of a segment."""
        return self._folder / f"{segment:06d}.seg"

    def append(self, records: Sequence[bytes]) -> list[BlobRef]:
        """Write ``records`` as one batch and return where they lie; they are on the disk when this returns.

        Raises:
            StoreError: when the disk refuses; the batch then does not exist.
        """
        if not records:
            return []
        if self._end >= self._limit:
            self._segment, self._end = self._segment + 1, 0
        refs: list[BlobRef] = []
        parts: list[bytes] = []
        at = self._end
        for data in records:
            ref = BlobRef.of(data, segment=self._segment, offset=at)
            refs.append(ref)
            parts += (_HEADER.pack(_MAGIC, ref.length, ref.crc, bytes.fromhex(ref.digest)), data)
            at = ref.end
        with told(self.path(self._segment), "writing results"):
            self._write(b"".join(parts))
        self._end = at
        reached("blob-synced")
        return refs

    def _write(self, data: bytes) -> None:
        path = self.path(self._segment)
        fresh = not path.exists()
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            half = len(data) // 2
            _pwrite(handle, data[:half], self._end)
            reached("blob-half")
            _pwrite(handle, data[half:], self._end + half)
            reached("blob-written")
            os.fsync(handle)
        except OSError:
            # Gives the space back at once; bytes that stay are trimmed when the run is next opened.
            with contextlib.suppress(OSError):
                os.ftruncate(handle, self._end)
            raise
        finally:
            os.close(handle)
        if fresh:
            files.sync(self._folder)

    def mark(self) -> tuple[int, int]:
        """Return the place where the next batch goes, for ``rewind``."""
        return self._segment, self._end

    def rewind(self, mark: tuple[int, int]) -> None:
        """Forget the batches written since ``mark``: their rows were not recorded."""
        self._segment, self._end = mark

    def read(self, ref: BlobRef) -> bytes:
        """Return a record.

        Raises:
            StoreError: when the file is missing, too short, or its bytes are not those that were written.
        """
        path = self.path(ref.segment)
        with told(path, "reading results"), path.open("rb") as file:
            file.seek(ref.offset)
            raw = file.read(_HEADER.size + ref.length)
        if len(raw) != _HEADER.size + ref.length:
            raise StoreError(
                f"{path}: the file ends inside the record at byte {ref.offset}. It was cut short."
            )
        magic, length, crc, digest = _HEADER.unpack_from(raw)
        data = raw[_HEADER.size :]
        head_agrees = (magic, length, crc, digest.hex()) == (_MAGIC, ref.length, ref.crc, ref.digest)
        if not head_agrees or BlobRef.of(data, segment=ref.segment, offset=ref.offset) != ref:
            raise StoreError(
                f"{path}: the record at byte {ref.offset} is damaged: its checksum does not agree."
            )
        return data


def trim(folder: Path, ends: Mapping[int, int]) -> None:
    """Cut off what no row names: the tail of a batch that was being written when the process died.

    Args:
        folder: Of the segments.
        ends: Segment -> first byte behind its last record that a row names.

    Raises:
        StoreError: when a segment that rows name is missing or shorter than they say.
    """
    with told(folder, "opening the results"):
        sizes = {int(path.stem): path.stat().st_size for path in sorted(folder.glob("*.seg"))}
        for segment, end in ends.items():
            path = folder / f"{segment:06d}.seg"
            if sizes.get(segment, -1) < end:
                found = f"has {sizes[segment]} bytes" if segment in sizes else "is missing"
                raise StoreError(f"{path}: the file {found}, the ledger names {end}. Restore it from a copy.")
        for segment, size in sizes.items():
            path = folder / f"{segment:06d}.seg"
            if segment not in ends:
                path.unlink()
            elif size > ends[segment]:
                os.truncate(path, ends[segment])


def _pwrite(handle: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        done = os.pwrite(handle, view, offset)
        view, offset = view[done:], offset + done
