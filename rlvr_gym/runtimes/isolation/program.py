"""Runs a program in this process as if it had been started as a script, and ends the process."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import traceback
import types
from typing import Any, NoReturn


def run_program(
    program: bytes, untrusted: bytes, payload: bytes | None, argv: list[str], channel: int
) -> NoReturn:
    """Run ``program`` as ``__main__``, flush, and exit with its code.

    Args:
        program: Source code.
        untrusted: What a harness finds under the name ``program``.
        payload: What a harness finds under the name ``payload``; None where the program is no harness.
        argv: Its arguments.
        channel: Descriptor of the private pipe; closed unless the program is a harness.
    """
    module = types.ModuleType("__main__")
    names = module.__dict__
    if payload is not None:
        names.update(program=untrusted, payload=payload, send=_sender(channel))
    else:
        os.close(channel)
    sys.modules["__main__"] = module
    sys.argv = ["main.py", *argv]
    if "random" in sys.modules:
        # Else all runs of a zygote would draw the same numbers.
        sys.modules["random"].seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    code = 0
    try:
        exec(compile(program, "main.py", "exec"), names)  # the very purpose: the process is isolated by now
    except SystemExit as error:
        code = _exit_code(error)
    except BaseException as error:
        _show(error)
        code = 1
    _finish()
    os._exit(code)


def _sender(channel: int) -> Any:
    def send(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(channel, view) :]

    return send


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    os.write(2, f"{error.code}\n".encode(errors="replace"))
    return 1


def _show(error: BaseException) -> None:
    """Print the traceback from the program's own frame on."""
    frames = error.__traceback__.tb_next if error.__traceback__ else None
    try:
        text = "".join(traceback.format_exception(type(error), error, frames))
    except BaseException:  # a __str__ of the program's may do anything
        text = f"{type(error).__name__}\n"
    os.write(2, text.encode(errors="replace"))


def _finish() -> None:
    """Do what the interpreter does at its end: wait for threads, run exit handlers, flush."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]  # what the interpreter itself calls
        atexit._run_exitfuncs()
    except BaseException as error:
        _show(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # closed, or replaced by something of the program's
            continue
