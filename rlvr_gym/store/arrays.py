"""Named numpy arrays as one run of bytes: a JSON header and the raw values, never pickle."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.errors import UsageError

_LENGTH = struct.Struct("<I")


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the bytes of ``arrays``; equal arrays give equal bytes, whatever their order or layout.

    Raises:
        UsageError: for an array that is not of numbers or booleans.
    """
    header, parts = [], []
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        if array.dtype.kind not in "biufc":
            raise UsageError(f"array '{name}' has type {array.dtype}, only numbers and booleans are stored.")
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        header.append([name, array.dtype.str, list(array.shape)])
        parts.append(array.tobytes())
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join((_LENGTH.pack(len(text)), text, *parts))


def unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays that ``pack`` wrote, each its own writable copy."""
    (length,) = _LENGTH.unpack_from(data)
    at = _LENGTH.size + length
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape in json.loads(data[_LENGTH.size : at]):
        dtype = np.dtype(kind)
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(data, dtype, count, at).reshape(shape).copy()
        at += count * dtype.itemsize
    return arrays
