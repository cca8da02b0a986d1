"""The values of a failed goal's variables, where the solver left a candidate."""

from __future__ import annotations

from z3 import z3core

from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.logic.solver import Solver
from rlvr_gym.verifiers.verus.logic.terms import Theory
from rlvr_gym.verifiers.verus.logic.z3api import Handle

_MOST = 12
"""Variables that are shown."""
_LONGEST = 8
"""Elements that are shown of a sequence."""
_MOST_DIGITS = 40
_SEQ = "vstd::seq::Seq::"
_VIEWS = {"Vec": "std::vec::Vec::view"}


def shown(solver: Solver, theory: Theory, values: dict[str, Handle]) -> tuple[tuple[str, str], ...]:
    """Return the numbers, truth values and sequences among the variables, by source name.

    A help for the reader and no more: the candidate may be none, since the solver gives up on quantifiers.
    """
    reader = _Reader(solver, theory)
    found: dict[str, str] = {}
    for name, term in values.items():
        source, _, rest = name.partition("~")
        if not source or not (rest in ("", "final", "now") or rest.isdigit()):
            continue
        value = reader.text(term)
        if value is not None:
            # The last of several variables of one name is the one in sight.
            found.pop(source, None)
            found[source] = value
    return tuple(list(found.items())[-_MOST:])


class _Reader:
    """Reads values in the candidate."""

    def __init__(self, solver: Solver, theory: Theory) -> None:
        self._solver = solver
        self._theory = theory
        self._z3 = theory.world.z3
        self._types = theory.sorts.by_sort()

    def text(self, term: Handle) -> str | None:
        """Return a value as a person writes it; None for what has no such form."""
        sort = z3core.Z3_get_sort(self._z3.context, term).value
        if sort == self._z3.int.value:
            return self._digits(term)
        if sort == self._z3.bool.value:
            value = self._solver.value(term)
            return None if value is None else self._z3.show(value)
        type = self._types.get(sort)
        return None if type is None else self._sequence(type, term)

    def _digits(self, term: Handle) -> str | None:
        value = self._solver.value(term)
        if value is None or not z3core.Z3_is_numeral_ast(self._z3.context, value):
            return None
        digits: str = z3core.Z3_get_numeral_string(self._z3.context, value)
        return digits if len(digits) <= _MOST_DIGITS else f"{digits[:_MOST_DIGITS]}..."

    def _sequence(self, type: Type, term: Handle) -> str | None:
        functions = self._theory.functions
        if type.name in _VIEWS:
            view = functions.known(_VIEWS[type.name], type.args)
            if view is None:
                return None
            return self._sequence(Type("Seq", type.args), self._z3.app(view.symbol, term))
        if type.name != "Seq":
            return None
        length, at = functions.known(f"{_SEQ}len", type.args), functions.known(f"{_SEQ}index", type.args)
        if length is None:
            return None
        digits = self._digits(self._z3.app(length.symbol, term))
        if digits is None or not digits.isdigit():
            return None
        count = int(digits)
        if at is None or count > _LONGEST:
            return f"(length {count})"
        elements = [self.text(self._z3.app(at.symbol, term, self._z3.numeral(i))) for i in range(count)]
        return f"[{', '.join('?' if each is None else each for each in elements)}]"
