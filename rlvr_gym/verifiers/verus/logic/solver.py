"""The solver with the settings that Verus gives it, and limits on every question."""

from __future__ import annotations

import enum
import time
from collections.abc import Iterable

from z3 import z3consts, z3core, z3types

from rlvr_gym.verifiers.verus.limits import Limits
from rlvr_gym.verifiers.verus.logic.world import OutOfTime, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle, SolverError


class Answer(enum.Enum):
    """What the solver says of the negation of what is to be proved. Only the first proves it."""

    PROVED = "unsat"
    OPEN = "not proved"
    OUT_OF_RESOURCES = "limit"


_PLAIN: dict[str, object] = {
    "smt.mbqi": False, "smt.case_split": 3, "smt.qi.eager_threshold": 100.0, "smt.delay_units": True,
    "smt.arith.solver": 2, "smt.arith.nl": False,
}  # fmt: skip
_NONLINEAR: dict[str, object] = {**_PLAIN, "smt.arith.solver": 6, "smt.arith.nl": True}


class Solver:
    """A solver of one job, started anew for each question."""

    def __init__(self, world: World, limits: Limits) -> None:
        self._world = world
        self._context = world.z3.context
        self.limits = limits
        self._solver: Handle | None = None
        self._params: Handle | None = None
        self._symbols: dict[str, Handle] = {}
        self.model: Handle | None = None

    def start(self, facts: Iterable[Handle], *, nonlinear: bool = False, logic: str | None = None) -> None:
        """Begin anew.

        Args:
            facts: What is known.
            nonlinear: With the solver's nonlinear arithmetic.
            logic: For a logic of its own, in which nothing is quantified: the solver's own settings.
        """
        self.stop()
        context = self._context
        if logic is None:
            self._solver = z3core.Z3_mk_simple_solver(context)
        else:
            self._solver = z3core.Z3_mk_solver_for_logic(context, self._symbol(logic))
        z3core.Z3_solver_inc_ref(context, self._solver)
        self._params = params = z3core.Z3_mk_params(context)
        z3core.Z3_params_inc_ref(context, params)
        if logic is None:
            for name, value in (_NONLINEAR if nonlinear else _PLAIN).items():
                self._set(name, value)
            z3core.Z3_solver_set_params(context, self._solver, params)
        for fact in facts:
            self.add(fact)

    def _symbol(self, name: str) -> Handle:
        found = self._symbols.get(name)
        if found is None:
            self._symbols[name] = found = self._world.z3.symbol(name)
        return found

    def _set(self, name: str, value: object) -> None:
        symbol = self._symbol(name)
        match value:
            case bool():
                z3core.Z3_params_set_bool(self._context, self._params, symbol, value)
            case int():
                z3core.Z3_params_set_uint(self._context, self._params, symbol, value)
            case float():
                z3core.Z3_params_set_double(self._context, self._params, symbol, value)

    def stop(self) -> None:
        """Free the solver."""
        self._drop_model()
        if self._solver is not None:
            z3core.Z3_solver_dec_ref(self._context, self._solver)
            z3core.Z3_params_dec_ref(self._context, self._params)
            self._solver = None

    def _drop_model(self) -> None:
        if self.model is not None:
            z3core.Z3_model_dec_ref(self._context, self.model)
            self.model = None

    def add(self, fact: Handle) -> None:
        """Add a fact."""
        z3core.Z3_solver_assert(self._context, self._solver, fact)

    def check(self, factor: float = 1.0) -> Answer:
        """Return whether the facts contradict each other.

        Args:
            factor: On the resource limit.
        """
        self._drop_model()
        left = self._world.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        budget = self.limits.rlimit * 3_000_000 * factor
        self._set("rlimit", int(min(budget, 4_000_000_000)))
        self._set("timeout", max(1, int(1000 * min(self.limits.query_s * max(1.0, factor), left))))
        z3core.Z3_solver_set_params(self._context, self._solver, self._params)
        result = z3core.Z3_solver_check(self._context, self._solver)
        if result == z3consts.Z3_L_FALSE:
            return Answer.PROVED
        if result == z3consts.Z3_L_UNDEF:
            reason = str(z3core.Z3_solver_get_reason_unknown(self._context, self._solver))
            if "incomplete" not in reason and "quantifiers" not in reason:
                if "memory" in reason:
                    raise SolverError(reason)
                return Answer.OUT_OF_RESOURCES
        try:
            self.model = z3core.Z3_solver_get_model(self._context, self._solver)
            z3core.Z3_model_inc_ref(self._context, self.model)
        except z3types.Z3Exception:
            self.model = None
        return Answer.OPEN

    def value(self, term: Handle) -> Handle | None:
        """Return a term's value in the candidate counterexample, None where there is none."""
        if self.model is None:
            return None
        found = (z3types.Ast * 1)()
        done = z3core.Z3_model_eval(self._context, self.model, term, True, found)
        return found[0] if done and found[0] else None

    def is_true(self, label: Handle) -> bool:
        """Return whether the candidate makes a truth value true."""
        value = self.value(label)
        return value is not None and value.value == self._world.z3.true.value

    def used(self) -> int:
        """Return the resource units of the whole job so far."""
        if self._solver is None:
            return 0
        context = self._context
        statistics = z3core.Z3_solver_get_statistics(context, self._solver)
        z3core.Z3_stats_inc_ref(context, statistics)
        try:
            for i in range(z3core.Z3_stats_size(context, statistics)):
                if z3core.Z3_stats_get_key(context, statistics, i) == "rlimit count":
                    return int(z3core.Z3_stats_get_uint_value(context, statistics, i))
        finally:
            z3core.Z3_stats_dec_ref(context, statistics)
        return 0
