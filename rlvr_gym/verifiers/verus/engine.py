"""The embedded verifier: source text in, report out. Nothing that goes wrong inside is ever a pass."""

from __future__ import annotations

import time

from rlvr_gym.verifiers.verus.cheats import scan
from rlvr_gym.verifiers.verus.checks import check
from rlvr_gym.verifiers.verus.comparison import compare
from rlvr_gym.verifiers.verus.errors import Stop
from rlvr_gym.verifiers.verus.given import entries
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.limits import Limits
from rlvr_gym.verifiers.verus.logic.prove import prove
from rlvr_gym.verifiers.verus.logic.world import OutOfTime
from rlvr_gym.verifiers.verus.lowering import lower
from rlvr_gym.verifiers.verus.report import NOT_PROVED, NOWHERE, Dialect, Finding, Outcome, Report
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse

ENGINE = "embedded/1"
"""Rises whenever any outcome can change."""


def verify(
    source: str,
    *,
    dialect: Dialect = "current",
    given: str | None = None,
    function: str | None = None,
    limits: Limits | None = None,
) -> Report:
    """Return what becomes of a program.

    Args:
        source: The whole file.
        dialect: Which Verus it is written for.
        given: The program that ``source`` completes: every item of it must stand there unchanged.
        function: A function that must be inside the macro, by its name or as ``Type::name``.
        limits: Bounds of time and size.
    """
    return _guarded(source, dialect, given, function, limits or Limits(), prove_it=True)


def examine(
    source: str, *, dialect: Dialect = "current", given: str | None = None, function: str | None = None
) -> Report:
    """Return what can be said without types and proofs: cheats and changes of the given part.

    A program with nothing to say against it is ``unsupported`` here with the one finding `NOT_PROVED`, since nothing is
    claimed of it.
    """
    return _guarded(source, dialect, given, function, Limits(), prove_it=False)


def _guarded(
    source: str, dialect: Dialect, given: str | None, function: str | None, limits: Limits, *, prove_it: bool
) -> Report:
    def report(outcome: Outcome, *findings: Finding) -> Report:
        return Report(outcome, findings, dialect=dialect, engine=ENGINE, partial=outcome is not Outcome.CRASH)

    deadline = time.monotonic() + limits.wall_s
    try:
        size = len(source.encode("utf-8", "surrogatepass"))
        if size > limits.source_bytes:
            message = f"the program has {size} bytes, more than {limits.source_bytes}"
            return report(Outcome.UNSUPPORTED, Finding(message, NOWHERE))
        return _judged(source, dialect, given, function, limits, deadline, prove_it=prove_it)
    except Stop as stop:
        return report(stop.outcome, Finding(stop.message, stop.place))
    except OutOfTime as error:
        return report(Outcome.TIMEOUT, Finding(f"{error}", NOWHERE))
    except RecursionError:
        return report(Outcome.UNSUPPORTED, Finding("nested too deeply", NOWHERE))
    except Exception as error:
        # Whatever it is, it says nothing about the program, and must never look as if it did.
        return report(Outcome.CRASH, Finding(f"{type(error).__name__}: {str(error)[:300]}", NOWHERE))


def _judged(
    source: str,
    dialect: Dialect,
    given: str | None,
    function: str | None,
    limits: Limits,
    deadline: float,
    *,
    prove_it: bool,
) -> Report:
    def report(outcome: Outcome, *findings: Finding) -> Report:
        return Report(outcome, findings, dialect=dialect, engine=ENGINE, partial=True)

    file = parse(source)
    original = None if given is None else parse(given)
    if cheats := scan(file, original):
        return report(Outcome.CHEAT, *cheats)
    if original is not None and (changes := compare(original, file, function)):
        return report(Outcome.SPEC_CHANGED, *changes)
    if function is not None and not _holds(file, function):
        return report(
            Outcome.SPEC_CHANGED, Finding(f"the function `{function}` is not inside `verus!`", file.place)
        )
    if not prove_it:
        return report(Outcome.UNSUPPORTED, Finding(NOT_PROVED, NOWHERE))
    crate = infer(file, dialect=dialect)
    check(crate)
    program = lower(crate)
    if not program.checked:
        return report(Outcome.UNSUPPORTED, Finding("there is nothing to verify", file.place))
    proof = prove(program, limits, deadline)
    # Time that ran out is no proof: without a finding it is raised, with one the program has failed already.
    outcome = Outcome.FAILED if proof.findings or not proof.complete else Outcome.VERIFIED
    return Report(
        outcome, proof.findings, proof.proved, dialect, ENGINE, partial=not proof.complete, used=proof.used
    )


def _holds(file: tree.File, function: str) -> bool:
    """Return whether a function with a body stands inside the macro."""
    owner, _, name = function.rpartition("::")
    return any(
        isinstance(entry.item, tree.Function)
        and not entry.item.outside
        and entry.item.body is not None
        and entry.key.name == name
        and (not owner or owner in str(entry.key))
        for entry in entries(file.items)
    )
