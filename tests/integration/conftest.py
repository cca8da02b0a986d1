"""Starts the scripts that play runs in processes which are killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Play = Callable[[Path, list[dict[str, Any]]], dict[str, Any]]


@pytest.fixture(scope="module")
def start_child() -> Iterator[Callable[..., Play]]:
    """Return a function from a script and its arguments to one that plays its scenarios, in a process that forks."""
    children = []

    def start(script: str, *arguments: str) -> Play:
        child = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name(script)), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        children.append(child)
        assert child.stdin is not None
        assert child.stdout is not None

        def ask(folder: Path, kills: list[dict[str, Any]]) -> dict[str, Any]:
            child.stdin.write(json.dumps({"folder": str(folder), "kills": kills}) + "\n")
            child.stdin.flush()
            answer: dict[str, Any] = json.loads(child.stdout.readline())
            return answer

        return ask

    yield start
    for child in children:
        child.stdin.close()
        child.wait(timeout=30)
        child.stdout.close()
