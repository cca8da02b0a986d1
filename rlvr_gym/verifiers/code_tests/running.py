"""One test run and judged: what the sandbox reports, and what that means."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, Literal

from rlvr_gym.runtimes.base import End, Limits, Result, SandboxLostError
from rlvr_gym.verifiers.code_tests.cases import Call, Check, Rule, Script, Test
from rlvr_gym.verifiers.code_tests.compare import shown
from rlvr_gym.verifiers.code_tests.inside.main import UNSAFE
from rlvr_gym.verifiers.code_tests.inside.plain import NotPlainError, unpacked
from rlvr_gym.verifiers.code_tests.outputs import same_output
from rlvr_gym.verifiers.code_tests.runners import Runner

_OVER = {
    End.TIMEOUT: "over its time limit",
    End.MEMORY: "over its memory limit",
    End.OUTPUT: "over its output limit",
}
_TAMPERED = "it wrote to the channel of the tests"
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one test."""

    kind: Literal["passed", "failed", "over_limit", "lost"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """How tests are run and judged."""

    limits: Limits
    tolerance: float = 0.0
    show_expected: bool = False


def run_test(test: Test, code: str, prelude: str, runner: Runner, terms: Terms) -> Outcome:
    """Return what became of one test of untrusted code."""
    try:
        if isinstance(test, Script):
            result = runner.program(f"{prelude}\n{code}" if prelude else code, test.stdin, terms.limits)
            return _ended(result) or _printed(result, test, terms)
        nonce = secrets.token_hex(16)
        result = runner.report({**_job(test, nonce), "code": code, "prelude": prelude}, terms.limits)
    except SandboxLostError as error:
        return Outcome("lost", str(error))
    if (ended := _ended(result)) is not None:
        return ended
    message = _message(result)
    if isinstance(message, str):
        return Outcome("failed", message)
    if isinstance(test, Check):
        return _checked(message, nonce, terms)
    return _returned(message, test.rule, terms)


def _job(test: Call | Check, nonce: str) -> dict[str, Any]:
    if isinstance(test, Call):
        return {
            "mode": "call",
            "name": test.function,
            "args": test.args,
            "kwargs": test.kwargs,
            "wraps": test.wraps,
        }
    return {
        "mode": "check",
        "source": test.source,
        "names": test.names,
        "in_place": test.in_place,
        "catches": test.catches,
        "nonce": nonce,
    }


def _ended(result: Result) -> Outcome | None:
    """Return the outcome of a run that did not end by itself, None for one that did."""
    if result.end is End.LOST:
        return Outcome("lost", result.detail)
    if result.end in _OVER:
        return Outcome("over_limit", _OVER[result.end])
    return None


def _message(result: Result) -> list[Any] | str:
    """Return the one line that a run reports, or what is wrong with it."""
    if not result.channel:
        return "its process ended before the function returned"
    if result.channel.count(b"\n") != 1 or not result.channel.endswith(b"\n"):
        return _TAMPERED
    try:
        message = unpacked(result.channel)
    except NotPlainError:
        return _TAMPERED
    return message if type(message) is list else _TAMPERED


def _returned(message: list[Any], rule: Rule, terms: Terms) -> Outcome:
    """Return what a returned value is worth; whoever sent the message could do no better than to return it."""
    match message:
        case ["ok", tree]:
            try:
                if rule.holds(tree, terms.tolerance):
                    return Outcome("passed")
                detail = f"returned {shown(tree)}"
            except NotPlainError:
                return Outcome("failed", _TAMPERED)
            if terms.show_expected and rule.relation == "equal":
                detail += f", not {shown(rule.wanted)}"
            return Outcome("failed", detail)
        case ["x", str(kind), str(text)]:
            if kind == "MemoryError":
                return Outcome("over_limit", _OVER[End.MEMORY])
            return Outcome("failed", f"{kind}: {text}".strip(": ")[:_SHOWN])
    return Outcome("failed", _TAMPERED)


def _checked(message: list[Any], nonce: str, terms: Terms) -> Outcome:
    """Return the result of tests that ran inside, in another process than the candidate."""
    match message:
        case [given, bool(passed), str(kind), str(text)] if given == nonce:
            if passed:
                return Outcome("passed")
            if kind == UNSAFE:
                return Outcome("lost", kind)
            # The message of an assertion may tell what was expected.
            return Outcome("failed", f"{kind}: {text}".strip(": ")[:_SHOWN] if terms.show_expected else kind)
    return Outcome("failed", _TAMPERED)


def _printed(result: Result, test: Script, terms: Terms) -> Outcome:
    if result.code != 0:
        last = result.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return Outcome("failed", f"exit code {result.code}: {last}".strip(": ")[:_SHOWN])
    try:
        printed = result.stdout.decode()
    except UnicodeDecodeError:
        return Outcome("failed", "the output is no UTF-8 text")
    if same_output(test.stdout, printed, tolerance=terms.tolerance):
        return Outcome("passed")
    detail = f"printed {shown(printed)}"
    return Outcome("failed", f"{detail}, not {shown(test.stdout)}" if terms.show_expected else detail)
