"""What an agent is told of a command."""

from __future__ import annotations

from rlvr_gym.runtimes.base import End, Result

_ENDS = {
    End.TIMEOUT: "The command was stopped at its time limit",
    End.MEMORY: "The command was stopped at its memory limit",
    End.OUTPUT: "The command was stopped because it wrote too much",
}


def told(result: Result, max_chars: int) -> str:
    """Return exit code and output of a command, or how it was stopped. No times: the same command gives the same text."""
    if result.end is End.EXITED:
        head = f"Exit code {result.code}."
    else:
        head = f"{_ENDS[result.end]}{f' ({result.detail})' if result.detail else ''}."
    output = (
        (result.stdout + result.stderr).decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    )
    return f"{head}\n{cut(output.rstrip(), max_chars)}" if output.strip() else f"{head} No output."


def cut(text: str, max_chars: int) -> str:
    """Return ``text``, its middle left out where it is longer than ``max_chars``."""
    if len(text) <= max_chars:
        return text
    head, tail = max_chars - max_chars // 2, max_chars // 2
    left_out = f"\n[... {len(text) - max_chars} characters left out; write long output to a file and look at parts ...]\n"
    return text[:head] + left_out + (text[-tail:] if tail else "")
