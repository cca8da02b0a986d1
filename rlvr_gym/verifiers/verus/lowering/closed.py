"""Closed spec functions: their bodies are known in their own module and nowhere else.

In the core such a function is opaque, and all code of its module reveals it.
"""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.walk import attribute
from rlvr_gym.verifiers.verus.core import RevealStep
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Function

OPAQUE = "verifier::opaque"


def is_hidden(crate: Crate, function: Function) -> bool:
    """Return whether a function is closed and there is code that must not know its body."""
    return (
        function.open == "closed"
        and not function.library
        and any(not _sees(other.module, function) for other in crate.functions)
    )


def own_reveals(crate: Crate, function: Function | None) -> list[RevealStep]:
    """Return the statements that make the closed functions around ``function`` known to it."""
    if function is None:
        return []
    return [
        RevealStep(other.id, 1, place=function.place)
        for other in crate.functions
        if other.open == "closed"
        and attribute(other.attributes, OPAQUE) is None
        and _sees(function.module, other)
        and is_hidden(crate, other)
    ]


def refuse_foreign_reveal(revealed: Function, function: Function | None, place: Place) -> None:
    """Raise where code reveals a function whose body it cannot see."""
    if revealed.open == "closed" and function is not None and not _sees(function.module, revealed):
        raise Rejected(
            f"`{revealed.name}` is closed outside of its module and cannot be revealed here", place
        )


def refuse_evaluation(crate: Crate, function: Function | None, place: Place) -> None:
    """Raise where a proof by evaluation might look into a body that is closed to it."""
    module = function.module if function is not None else ""
    if any(other.open == "closed" and not _sees(module, other) for other in crate.functions):
        raise Unsupported("proof by evaluation next to functions that are closed here", place)


def _sees(module: str, function: Function) -> bool:
    """Return whether ``module`` is the one of ``function`` or inside of it."""
    home = function.module
    return not home or module == home or module.startswith(f"{home}::")
