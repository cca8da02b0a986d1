"""How a Verus task is put into words."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.report import Dialect

INSTRUCTION = (
    "Answer with the whole program in one ```rust block. Everything that is given must stand in it unchanged; helper "
    "functions and lemmas may be added. `assume`, `admit` and `external_body` are refused."
)
"""Follows every task unless a recipe says otherwise."""

_WANTED = {
    "solution": "Write the body of `{function}` so that Verus proves the program.",
    "proof": "Verus does not prove this program yet. Add what the proof of `{function}` needs (invariants, `decreases`, "
    "assertions, lemmas); the code itself must stay as it is.",
}
_DIALECTS = {
    "current": "",
    "classic": " (Verus of 2024: loops need no `decreases`.)",
}


def fenced(code: str) -> str:
    """Return code as a block that the verifier reads."""
    fence = "```"
    return f"{fence}rust\n{code.strip()}\n{fence}"


def prompt_of(
    description: str, given: str, function: str, *, write: str, dialect: Dialect, instruction: str
) -> str:
    """Return the prompt of one task."""
    wanted = _WANTED[write].format(function=function) + _DIALECTS[dialect]
    parts = [description.strip(), wanted, fenced(given), instruction]
    return "\n\n".join(part for part in parts if part)
