"""Programs through the front end of the Verus verifier, up to its static checks: nothing is proved."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks import check
from rlvr_gym.verifiers.verus.errors import Stop
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.report import Dialect
from rlvr_gym.verifiers.verus.syntax.parser import parse

_OPENING = "use vstd::prelude::*;\nverus! {\n"
_CLOSING = "\n} // verus!\nfn main() {}\n"


def checked(items: str, dialect: Dialect = "current") -> Crate:
    """Return the program of these items after its checks, which raise where they refuse it."""
    crate = infer(parse(_OPENING + items + _CLOSING), dialect=dialect)
    check(crate)
    return crate


def verdict(items: str, dialect: Dialect = "current") -> str:
    """Return ``accepted``, or the outcome with its message: ``rejected: use of moved value: `v```."""
    try:
        checked(items, dialect)
    except Stop as stop:
        return f"{stop.outcome}: {stop.message}"
    return "accepted"
