"""What math-verify says of an answer that was left undecided. It is noted, and decides nothing."""

from __future__ import annotations

from importlib.util import find_spec

from rlvr_gym.types import Check

INSTALL = "pip install 'math-verify[antlr4_13_2]'"
_MAX_CHARS = 500


def is_installed() -> bool:
    """Return whether math-verify can be asked."""
    return find_spec("math_verify") is not None


def second_opinion(gold: str, answer: str) -> Check:
    """Return whether math-verify takes ``answer`` for ``gold``, as a named part of a verdict.

    Its own time limits are off: they need signals, and the worker that this runs in is killed at its limit.
    """
    name = "second_opinion"
    if len(answer) > _MAX_CHARS:
        return Check(name, False, "math-verify was not asked about so long an answer")
    from math_verify import parse, verify

    wanted, given = (parse(rf"\boxed{{{text}}}", parsing_timeout=None) for text in (gold, answer))
    agrees = bool(verify(wanted, given, timeout_seconds=None))
    return Check(
        name, agrees, "math-verify takes it for right" if agrees else "math-verify takes it for wrong"
    )
