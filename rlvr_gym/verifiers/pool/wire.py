"""The frames between the parent and its workers.

A job goes to a worker as pickled data of our own making. What comes back is JSON or nothing but a kind: a
worker has read a policy's text, so nothing of its reply is ever unpickled.
"""

from __future__ import annotations

import socket
import struct

JOB = struct.Struct("!QIId?")
"""Head of a job: number of the function, bytes of its description (0 when known), bytes of the arguments,
seconds of CPU time, whether the arguments are a list of several calls."""
HEAD = struct.Struct("!cI")
"""Head of a reply: its kind and the bytes that follow."""

READY = b"R"
"""The worker is up; JSON of its process id."""
LOADED = b"L"
"""The function is imported; the clock of the call starts now."""
VALUE = b"V"
"""What the function returned."""
ERROR = b"E"
"""What the function raised."""
MEMORY = b"M"
"""The function ran into the memory limit."""
DIED = b"D"
"""Sent by the fork server: the worker's exit status as ``waitid`` reports it."""

MAX_REPLY = 16 << 20
"""Bytes that a reply may have."""
NO_SIGPIPE = getattr(socket, "MSG_NOSIGNAL", 0)
"""A program that restores SIGPIPE's default must not die when a worker does."""


def frame(kind: bytes, body: bytes = b"") -> bytes:
    """Return one reply as bytes."""
    return HEAD.pack(kind, len(body)) + body
