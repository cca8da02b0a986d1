"""Proves a program: each of its functions in source order, every obligation of each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from z3 import z3core, z3types

from rlvr_gym.verifiers.verus.core import Program
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.limits import Limits
from rlvr_gym.verifiers.verus.logic import questions
from rlvr_gym.verifiers.verus.logic.axioms import Axioms
from rlvr_gym.verifiers.verus.logic.bitvectors import answer_bits
from rlvr_gym.verifiers.verus.logic.cycles import refuse_broadcast_cycles, refuse_unmarked_recursion
from rlvr_gym.verifiers.verus.logic.execution import Body
from rlvr_gym.verifiers.verus.logic.query import answer
from rlvr_gym.verifiers.verus.logic.solver import Solver
from rlvr_gym.verifiers.verus.logic.terms import Theory
from rlvr_gym.verifiers.verus.logic.world import OutOfTime, Rewrap, World
from rlvr_gym.verifiers.verus.logic.z3api import SolverError
from rlvr_gym.verifiers.verus.report import NOWHERE, Finding


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of a program's obligations."""

    findings: tuple[Finding, ...]
    proved: tuple[str, ...]
    used: int
    complete: bool = True
    """Whether time was enough for all of it."""


def prove(program: Program, limits: Limits, deadline: float) -> Proof:
    """Return what is not proved of a program.

    Raises:
        OutOfTime: the deadline passed before anything was found.
        Rejected: a recursive function without a measure, found only here.
        Unsupported: something that the logic has no form for.
    """
    refuse_unmarked_recursion(program)
    refuse_broadcast_cycles(program)
    try:
        return _prove(program, limits, deadline, wrapped=False)
    except Rewrap:
        return _prove(program, limits, deadline, wrapped=True)


def _prove(program: Program, limits: Limits, deadline: float, *, wrapped: bool) -> Proof:
    # Memory of all contexts of this process: a job that needs more ends with an error of the solver.
    z3core.Z3_global_param_set("memory_max_size", str(limits.memory_mib))
    world = World(program, deadline=deadline, wrapped=wrapped)
    try:
        theory = Theory(world)
        axioms = Axioms(theory)
        solver = Solver(world, limits)
        try:
            findings: list[Finding] = []
            proved = []
            complete = True
            for id in program.checked:
                try:
                    world.tick()
                    found = _within_memory(id, theory, axioms, solver)
                except OutOfTime:
                    if not findings:
                        raise
                    complete = False
                    break
                findings += [replace(finding, function=id) for finding in found]
                if not found:
                    proved.append(id)
            return Proof(tuple(findings), tuple(proved), solver.used(), complete)
        finally:
            solver.stop()
    finally:
        world.z3.close()


def _within_memory(id: str, theory: Theory, axioms: Axioms, solver: Solver) -> list[Finding]:
    try:
        return _unproved(id, theory, axioms, solver)
    except (SolverError, z3types.Z3Exception) as error:
        if "memory" in str(error):
            raise OutOfTime(f"more than {solver.limits.memory_mib} MiB of memory") from None
        raise


def _unproved(id: str, theory: Theory, axioms: Axioms, solver: Solver) -> list[Finding]:
    program = theory.world.program
    findings: list[Finding] = []
    known = False
    if (spec := program.specs.get(id)) is not None:
        known = True
        if spec.recursive:
            findings += _ask(questions.of_recursion(spec, theory), theory, axioms, solver)
    if (checks := program.constants.get(id)) is not None:
        known = True
        findings += _ask(questions.of_constant(checks, theory), theory, axioms, solver)
    if (code := program.codes.get(id)) is not None:
        known = True
        if code.body is not None:
            findings += _ask(questions.of_code(code, theory), theory, axioms, solver)
        elif not code.library:
            raise Unsupported(f"`{id}` has no body", code.place)
    if not known:
        raise Unsupported(f"`{id}` is to be checked and is not declared", NOWHERE)
    return findings


def _ask(body: Body, theory: Theory, axioms: Axioms, solver: Solver) -> list[Finding]:
    findings: list[Finding] = []
    for query in body.queries:
        findings += answer(query, theory, axioms, solver)
    for question in body.bits:
        theory.world.tick()
        findings += answer_bits(question, theory.world.z3, solver)
    return sorted(findings, key=lambda finding: (finding.place.line, finding.place.column))
