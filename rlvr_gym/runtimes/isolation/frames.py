"""Messages over the control socket: a length, a JSON object, and raw bytes after it."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any

from .spool import Spool

_HEAD = struct.Struct("!II")
MAX_OBJECT = 4 << 20
MAX_BODY = 256 << 20


class BrokenFrameError(OSError):
    """The other side went away in the middle of a message, or sent what is none."""


def encode(message: Mapping[str, Any], body: bytes = b"") -> bytes:
    """Return what goes before ``body``.

    Raises:
        ValueError: the message is larger than the other side reads.
    """
    encoded = json.dumps(dict(message)).encode()
    if len(encoded) > MAX_OBJECT or len(body) > MAX_BODY:
        raise ValueError(f"A message of {len(encoded)} + {len(body)} bytes is too large for a sandbox.")
    return _HEAD.pack(len(encoded), len(body)) + encoded


def send(to: socket.socket, message: Mapping[str, Any], body: bytes = b"") -> None:
    """Send a message.

    Raises:
        ValueError: it is larger than the other side reads.
        OSError: the other side is gone.
    """
    to.sendall(encode(message, body))
    if body:
        to.sendall(body)


def send_spools(to: socket.socket, message: dict[str, Any], spools: list[Spool]) -> None:
    """Send a message whose body lies in spools, one after another.

    Raises:
        OSError: the other side is gone.
    """
    encoded = json.dumps(message).encode()
    to.sendall(_HEAD.pack(len(encoded), sum(map(len, spools))) + encoded)
    for spool in spools:
        spool.send(to)


def receive(source: socket.socket) -> tuple[dict[str, Any], bytes] | None:
    """Return the next message, None when the other side has closed.

    Raises:
        BrokenFrameError: half a message, or an impossible one.
    """
    found = receive_spool(source)
    if found is None:
        return None
    message, spool = found
    body = spool.copy(0, len(spool))
    spool.close()
    return message, body


def receive_spool(source: socket.socket) -> tuple[dict[str, Any], Spool] | None:
    """Return the next message, None when the other side has closed; its body never becomes an object.

    Raises:
        BrokenFrameError: half a message, or an impossible one.
    """
    head = _exactly(source, _HEAD.size, may_end=True)
    if not head:
        return None
    of_object, of_body = _HEAD.unpack(head)
    if of_object > MAX_OBJECT or of_body > MAX_BODY:
        raise BrokenFrameError("a message that claims to be larger than any")
    message = json.loads(_exactly(source, of_object))
    if not isinstance(message, dict):
        raise BrokenFrameError("a message that is no object")
    spool = Spool(of_body)
    while len(spool) < of_body:
        if not spool.receive(source, of_body - len(spool)):
            raise BrokenFrameError("the other side went away in the middle of a message")
    return message, spool


def _exactly(source: socket.socket, count: int, *, may_end: bool = False) -> bytes:
    buffer = bytearray(count)
    view, got = memoryview(buffer), 0
    while got < count:
        step = source.recv_into(view[got:])
        if not step:
            if may_end and not got:
                return b""
            raise BrokenFrameError("the other side went away in the middle of a message")
        got += step
    return bytes(buffer)
