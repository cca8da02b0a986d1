"""Runs a runtime as an unprivileged user, and lends it to tests that run as root.

Started as a script it is the other side: it shows the user what lies in folders that are closed to it (the interpreter
may live under root's home), becomes that user, and starts itself again to answer requests.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

NOBODY = 65534
REPOSITORY = Path(__file__).parents[2]


class Lent:
    """An object on the other side: calls of its methods travel there and back."""

    def __init__(self, link: Link, key: int) -> None:
        self._link, self._key = link, key

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self._link.ask(self._key, name, args, kwargs)

    def __enter__(self) -> Lent:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Link:
    """The process on the other side. Threads may ask at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._asked: dict[int, queue.SimpleQueue[tuple[str, Any]]] = {}
        self._gone = False
        self.process = subprocess.Popen(
            [sys.executable, __file__, "become"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ask(self, key: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        assert self.process.stdin is not None
        answer: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        with self._lock:
            if self._gone:
                raise EOFError
            number = next(self._numbers)
            self._asked[number] = answer
            pickle.dump((number, key, name, args, kwargs), self.process.stdin)
            self.process.stdin.flush()
        kind, value = answer.get()
        if kind == "raised":
            raise value
        return Lent(self, value) if kind == "object" else value

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(EOFError):
            while True:
                number, *answer = pickle.load(self.process.stdout)
                self._asked.pop(number).put(tuple(answer))
        with self._lock:
            self._gone = True
            for waiting in self._asked.values():
                waiting.put(("raised", EOFError("the other side has ended")))

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self._reader.join(timeout=60)
        self.process.stdout.close()


@contextlib.contextmanager
def lent_runtime() -> Iterator[Any]:
    """Yield the runtime ``local`` of an unprivileged user."""
    with _link() as link:
        yield Lent(link, 0)


@contextlib.contextmanager
def lent_zygotes() -> Iterator[Any]:
    """Yield the module ``zygote`` of an unprivileged user."""
    with _link() as link:
        yield Lent(link, 1)


@contextlib.contextmanager
def _link() -> Iterator[Link]:
    link = Link()
    try:
        yield link
    finally:
        link.close()


def become_nobody() -> None:
    """Show the user the folders that it needs, become it, and start again."""
    # By itself, as the launcher does: the whole package takes most of a second to import, and serve() does it again.
    sys.path.append(str(REPOSITORY / "rlvr_gym" / "runtimes"))
    from isolation import syscalls

    new_mount_namespace, recursive_private = 0x00020000, 0x4000 | 0x40000
    syscalls.unshare(new_mount_namespace)
    syscalls.mount("", "/", "", recursive_private)
    needed = {os.path.realpath(path) for path in (sys.base_prefix, sys.prefix, REPOSITORY)}
    trees = {path: syscalls.clone_tree(path) for path in sorted(needed)}
    for path, tree in trees.items():
        closed = [str(folder) for folder in reversed(Path(path).parents) if not folder.stat().st_mode & 1]
        if closed:
            syscalls.mount("open", closed[0], "tmpfs", 0, "mode=755")
        Path(path).mkdir(parents=True, exist_ok=True)
        syscalls.attach_tree(tree, path)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.execv(sys.executable, [sys.executable, __file__, "serve"])


def serve() -> None:
    """Answer requests until there are none."""
    from rlvr_gym.runtimes import zygote
    from rlvr_gym.runtimes.local import LocalRuntime

    objects: list[Any] = [LocalRuntime(), zygote]
    requests, answers, lock = sys.stdin.buffer, os.fdopen(os.dup(1), "wb"), threading.Lock()

    def answer(number: int, key: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        kind = "value"
        try:
            value = getattr(objects[key], name)(*args, **kwargs)
        except Exception as error:
            kind, value = "raised", error
        with lock:
            if kind == "value" and name in ("start", "Zygote"):
                objects.append(value)
                kind, value = "object", len(objects) - 1
            pickle.dump((number, kind, value), answers)
            answers.flush()

    with ThreadPoolExecutor(16) as threads, contextlib.suppress(EOFError):
        while True:
            threads.submit(answer, *pickle.load(requests))


if __name__ == "__main__":
    sys.path.insert(0, str(REPOSITORY))
    become_nobody() if sys.argv[1] == "become" else serve()
