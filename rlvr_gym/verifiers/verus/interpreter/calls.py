"""Calls: of the program's own functions with their contracts, and of the library's by what they really do."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.interpreter.compiled_library import COMPILED
from rlvr_gym.verifiers.verus.interpreter.frame import Frame, Machine
from rlvr_gym.verifiers.verus.interpreter.ghost_library import GHOST
from rlvr_gym.verifiers.verus.interpreter.patterns import matches
from rlvr_gym.verifiers.verus.interpreter.places import place
from rlvr_gym.verifiers.verus.interpreter.values import (
    UNKNOWN,
    Contradiction,
    OutOfSteps,
    Reference,
    ReturnFrom,
    Unknown,
    Value,
    plain,
)
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Function, FunctionRef

_MOST_CALLS = 300
"""Calls inside of each other."""


def short(function: Function) -> str:
    """Return how a function of the library goes by in the tables: without its modules."""
    parts = function.id.split("::")
    return "::".join(parts[-2:]) if function.owner is not None else parts[-1]


# ---------------------------------------------------------------- specifications


def call_spec(frame: Frame, ref: FunctionRef, arguments: tuple[Value, ...]) -> Value:
    """Return the value of a call of a spec function.

    Raises:
        Unknown: it has none that anybody could name.
        Contradiction: its measure does not get smaller.
    """
    function = ref.function
    if frame.function is function and frame.machine.checking and not function.library:
        _smaller(frame, function, arguments, function.place)
    return spec_value(frame.machine, function, arguments)


def spec_value(machine: Machine, function: Function, arguments: tuple[Value, ...]) -> Value:
    """Return the value of a spec function; of the library's, what the interpreter's own table says."""
    machine.spend()
    key = (function.id, arguments)
    try:
        if key in machine.memo:
            return machine.memo[key]
    except TypeError:
        raise Unknown("a value that cannot be compared") from None
    known = GHOST.get(short(function)) if function.library else None
    found = known(*arguments) if known is not None else defined(machine, function, arguments)
    machine.memo[key] = found
    return found


def defined(machine: Machine, function: Function, arguments: tuple[Value, ...]) -> Value:
    """Return the value of a spec function by its definition."""
    # What inference has not been at yet is so for functions of the library that nothing called before.
    function = machine.crate.function(function.id)
    if function.body is None:
        raise Unknown(f"`{function.name}` has no definition")
    inside = Frame(machine, function)
    bind(inside, arguments)
    if function.when is not None and not inside.value(function.when):
        raise Unknown(f"`{function.name}` is not defined here")
    with_depth(machine)
    try:
        return inside.value(function.body)
    except ReturnFrom as done:
        return done.value
    finally:
        machine.depth -= 1


def with_depth(machine: Machine) -> None:
    """Go one call deeper."""
    machine.depth += 1
    if machine.depth > _MOST_CALLS:
        machine.depth -= 1
        raise OutOfSteps


# ---------------------------------------------------------------- code


def bind(frame: Frame, arguments: Sequence[Value]) -> None:
    """Give a function's parameters their values."""
    assert frame.function is not None
    for parameter, argument in zip(frame.function.parameters, arguments, strict=True):
        local = parameter.local
        if local is not None:
            frame.values[local] = argument
            kept = argument.get() if isinstance(argument, Reference) else argument
            frame.entry[local] = kept.get() if isinstance(kept, Reference) else kept
        if parameter.pattern is not None and parameter.ghostness == "exec":
            matches(frame, parameter.pattern, argument)


def call_exec(frame: Frame, ref: FunctionRef, nodes: Sequence[Expr], node: Expr) -> Value:
    """Call an exec or proof function with its receiver, if any, as first argument."""
    function = ref.function
    arguments = [
        place(frame, each)
        if type.name == "&mut"
        else _argument(frame, each, ghost=parameter.ghostness != "exec")
        for each, type, parameter in zip(nodes, function.parameter_types, function.parameters, strict=True)
    ]
    if function.library:
        function = frame.machine.crate.function(function.id)
    if frame.function is function and frame.machine.checking:
        _smaller(frame, function, arguments, node.place)
    return invoke(frame.machine, function, arguments, node.place)


def _argument(frame: Frame, node: Expr, *, ghost: bool) -> Value:
    if not ghost:
        return frame.value(node)
    try:
        with frame.machine.aside():
            return frame.value(node)
    except Unknown:
        return UNKNOWN


def invoke(machine: Machine, function: Function, arguments: Sequence[Value], at: Place) -> Value:
    """Run a function and look at its contract on both ends.

    Raises:
        Contradiction: a part of a contract is false.
        Panic: the code stops with an error.
        Unknown: something cannot be computed.
    """
    machine.spend()
    inside = Frame(machine, function)
    bind(inside, arguments)
    judged = machine.checking and not (machine.trusting and function.library and function.mode == "exec")
    if judged:
        for clause in function.requires:
            if inside.holds(clause) is False:
                raise Contradiction("precondition not satisfied", at)
    if function.library and function.mode == "exec":
        known = COMPILED.get(short(function))
        if known is None:
            raise Unknown(f"`{function.id}`")
        result = known(at, *arguments)
    else:
        result = run_body(inside)
    if judged:
        if not machine.depth:
            machine.ghost_left = machine.ghost_steps
        check_ensures(inside, result)
    return result


def _says_nothing(function: Function) -> bool:
    """Return whether running the function would change nothing: a lemma."""
    types = (function.result_type, *function.parameter_types)
    return all(type is None or type.name != "&mut" for type in types) and (
        function.result_type is None
        or (function.result_type.name == "tuple" and not function.result_type.args)
    )


def run_body(frame: Frame) -> Value:
    """Run the function of a frame; a lemma has nothing to run."""
    function = frame.function
    assert function is not None
    if function.mode == "proof" and _says_nothing(function):
        return ()
    if function.body is None:
        raise Unknown(f"`{function.name}` has no body")
    with_depth(frame.machine)
    try:
        return frame.raw(function.body)
    except ReturnFrom as done:
        return done.value
    finally:
        frame.machine.depth -= 1


def contract_frame(frame: Frame, result: Value) -> Frame:
    """Return where postconditions are evaluated: parameters as at entry, places behind references as at exit."""
    function = frame.function
    assert function is not None
    values = {
        local: value if isinstance(value := frame.values[local], Reference) else frame.entry[local]
        for local in frame.entry
    }
    if function.result_local is not None:
        values[function.result_local] = plain(result)
    return Frame(frame.machine, function, values, frame.entry, at_exit=True)


def check_ensures(frame: Frame, result: Value) -> None:
    """Look at a function's postconditions.

    Raises:
        Contradiction: one is false.
    """
    function = frame.function
    assert function is not None
    after = contract_frame(frame, result)
    for clause in function.ensures:
        if after.holds(clause) is False:
            raise Contradiction("postcondition not satisfied", clause.place)
    if function.returns is not None:
        try:
            with frame.machine.aside():
                promised = after.value(function.returns)
        except Unknown:
            return
        if promised != plain(result):
            raise Contradiction("postcondition not satisfied", function.returns.place)


def _smaller(frame: Frame, function: Function, arguments: Sequence[Value], at: Place) -> None:
    caller = Frame(frame.machine, function, dict(frame.entry), frame.entry)
    callee = Frame(frame.machine, function)
    bind(callee, arguments)
    check_decrease(measures(caller, function.decreases), measures(callee, function.decreases), at)


def measures(frame: Frame, nodes: Sequence[Expr]) -> list[int] | None:
    """Return the values of a measure; None where they are no integers or not known."""
    try:
        with frame.machine.aside():
            found = [frame.value(node) for node in nodes]
    except Unknown:
        return None
    return found if all(isinstance(value, int) for value in found) else None


def check_decrease(before: list[int] | None, after: list[int] | None, at: Place) -> None:
    """Compare a measure with what it was.

    Raises:
        Contradiction: it is not smaller.
    """
    if not before or not after:
        return
    for old, new in zip(before, after, strict=False):
        if 0 <= new < old:
            return
        if new != old:
            break
    raise Contradiction("decreases not satisfied", at)
