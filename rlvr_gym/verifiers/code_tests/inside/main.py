"""What runs inside a sandbox: the candidate's code, called, or served to a judge in another process.

Nothing in a process that runs the candidate's code can be trusted, this file's functions included: whatever such a
process reports is the value of one call, judged elsewhere, and forging it is no more than returning it.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from .peers import Judge, Remote, Server, fault, found
from .plain import Decoder, NotPlainError, encode, packed

WRAPPERS = frozenset(
    [
        "abs",
        "bool",
        "dict",
        "float",
        "frozenset",
        "int",
        "len",
        "list",
        "max",
        "min",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
    ]
)
"""Builtin functions that a test may apply to a returned value before it is compared."""
UNSAFE = "the judge's memory cannot be closed"
_BUILTINS = sys.modules["builtins"].__dict__


def main(job: dict[str, Any], send: Callable[[bytes], None]) -> NoReturn:
    """Do what ``job`` says, send one line about it, and end the process."""
    _quiet()
    if job["mode"] == "serve":
        _serve(job)
    else:
        send(packed({"call": _called, "check": _checked}[job["mode"]](job)) + b"\n")
    os._exit(0)


def _quiet() -> None:
    """Make stdin empty, and let stdout and stderr lead nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def _loaded(job: dict[str, Any]) -> dict[str, Any]:
    """Return the names that the candidate's code defines."""
    module = types.ModuleType("solution")
    # Dataclasses and pickles look their module up.
    sys.modules["solution"] = module
    for name in ("prelude", "code"):
        # The very purpose of this process, which is isolated and holds nothing worth reading.
        exec(compile(job[name], "solution.py", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def _called(job: dict[str, Any]) -> list[Any]:
    """Call one function once and return its value, or what it raised."""
    decoder = Decoder()
    args = [decoder.decode(tree) for tree in job["args"]]
    kwargs = {name: decoder.decode(tree) for name, tree in job["kwargs"].items()}
    wraps = [(_BUILTINS[name], decoder.decode(more)) for name, more in job["wraps"]]
    try:
        value = found(_loaded(job), job["name"])(*args, **kwargs)
        for wrap, more in wraps:
            value = wrap(value, **more) if isinstance(more, dict) else wrap(value, *more)
        return ["ok", encode(value)]
    except NotPlainError as error:
        return ["x", "", str(error)]
    except BaseException as error:
        return fault(error)


def _serve(job: dict[str, Any]) -> None:
    """Answer the judge until it has no more questions."""
    server = Server(job["fd"])
    try:
        server.names = _loaded(job)
    except BaseException as error:
        server.say(fault(error))
        return
    server.say(["ok", None, []])
    while True:
        try:
            message = server.hear()
        except EOFError:
            return
        server.say(server.answer(message[1:]))


def _checked(job: dict[str, Any]) -> list[Any]:
    """Run tests here and the candidate in a process of its own; return the result under the nonce."""
    return [job["nonce"], *_judged(job)]


def _judged(job: dict[str, Any]) -> tuple[bool, str, str]:
    """Return whether the tests pass, and else the kind and the message of what went wrong."""
    if not _undumpable():
        return False, UNSAFE, ""
    has_classes = any(name[:1].isupper() and name != "Solution" for name in job["names"])
    judge = Judge(_spawned(job), in_place=job["in_place"], has_classes=has_classes)
    try:
        judge.result(judge.hear())
        names: dict[str, Any] = {"__name__": "tests"}
        names.update({name: Remote(judge, ["n", name, ""]) for name in job["names"]})
        # Tests of the task, in a sandbox too: task files may be anybody's.
        exec(compile(job["source"], "tests.py", "exec", dont_inherit=True), names)
    except BaseException as error:
        _, kind, message = fault(error)
        return False, judge.broken or kind, message
    # A bare `except` of the tests may have hidden that the candidate's process is gone.
    if judge.broken:
        return False, judge.broken, ""
    # Loops and getattr() take some exceptions for an end or a default; then a test that catches none goes on.
    if judge.raised and not job["catches"]:
        return False, judge.raised, ""
    return True, "", ""


def _undumpable() -> bool:
    """Close this process's memory and descriptors to others of the same user, such as the candidate's."""
    import ctypes

    return bool(ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0)


def _spawned(job: dict[str, Any]) -> int:
    """Start the candidate in a new interpreter, which has no copy of this one's memory; return our end."""
    import json
    import socket
    import subprocess

    ours, theirs = socket.socketpair()
    served = {
        "mode": "serve",
        "fd": theirs.fileno(),
        **{key: job[key] for key in ("sources", "prelude", "code")},
    }
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", job["boot"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(theirs.fileno(),),
    )
    theirs.close()
    assert process.stdin is not None, "it was asked for"
    process.stdin.write(json.dumps(served).encode())
    process.stdin.close()
    return ours.detach()
