"""The core language: what checked programs are lowered to and the logic reads.

Expressions are pure and mathematical; everything that can go wrong in compiled code is an explicit `Check` in front
of the statement that needs it. Types are erased (no references, no boxes). Names of variables are the ``unique`` names
of the surface locals, or made up by the lowering with a ``~`` in them, so that none can collide with a source name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.report import NOWHERE, Place

# ---------------------------------------------------------------- expressions (all mathematical, without side effects)


@dataclass(eq=False, slots=True, kw_only=True)
class Term:
    """Any expression."""

    type: Type
    place: Place = NOWHERE


@dataclass(eq=False, slots=True)
class Var(Term):
    """A variable.

    In a function's contract a parameter's name is its value at entry, and for a ``&mut`` parameter ``x``
    the name ``x~final`` is its value at exit; in the body ``x~final`` is the current value of such a parameter. A ``mut``
    parameter by value is copied at the start of the body. The name ``'N`` (type `usize`) is a generic constant: at an
    instance it is the ``size`` of the type argument for ``N``.
    """

    name: str


@dataclass(eq=False, slots=True)
class Literal_(Term):
    """An integer (also a char's code point) or a truth value; a string literal is `Text`."""

    value: int | bool


@dataclass(eq=False, slots=True)
class Text(Term):
    """A string literal."""

    value: str


Operator = Literal[
    "+", "-", "*", "/", "%", "neg",          # integers; / and % are Euclidean, by zero an unspecified value
    "<", "<=", ">", ">=",
    "==",                                    # one sort on both sides, or integers of any types
    "=~=", "=~~=",                           # extensional
    "not", "and", "or", "=>", "<=>", "ite",
    "&", "|", "^", "<<", ">>", "bitnot",     # on the type of the left operand
    "wrap+", "wrap-", "wrap*",               # wrapping within `type`
    "clip",                                  # cast to `type`: the value when it fits, else unknown but of the type
    "height<",                               # structural order of datatype values: left is smaller than right
    "is_smaller_than", "char_of", "max_of", "min_of",   # min_of/max_of take no operands: bounds of `type`; usize symbolic
]  # fmt: skip


@dataclass(eq=False, slots=True)
class Op(Term):
    """A built-in operator."""

    op: Operator
    operands: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Apply(Term):
    """A spec function (of the program or of the library) applied to all its arguments; ``function`` is its id."""

    function: str
    type_arguments: tuple[Type, ...]
    arguments: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Construct(Term):
    """A value of a datatype (`type`); tuples have the variant ``tuple``."""

    variant: str
    fields: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Project(Term):
    """Field number ``index`` of ``variant``; unspecified when the value is of another variant."""

    operand: Expression
    variant: str
    index: int


@dataclass(eq=False, slots=True)
class Test(Term):
    """Whether the value is of ``variant``."""

    operand: Expression
    variant: str


@dataclass(eq=False, slots=True)
class LetIn(Term):
    """``let name = value in body``."""

    name: str
    value: Expression
    body: Expression


@dataclass(eq=False, slots=True)
class Quantified(Term):
    """A quantifier with its triggers (one tuple per group). Bound variables carry the invariant of their type.

    A ``choose`` of several binders is a tuple.
    """

    kind: Literal["forall", "exists", "choose"]
    binders: tuple[tuple[str, Type], ...]
    triggers: tuple[tuple[Expression, ...], ...]
    body: Expression


@dataclass(eq=False, slots=True)
class Lambda(Term):
    """A ``spec_fn`` value."""

    binders: tuple[tuple[str, Type], ...]
    body: Expression


@dataclass(eq=False, slots=True)
class ApplyValue(Term):
    """Application of a ``spec_fn`` value."""

    function: Expression
    arguments: tuple[Expression, ...]


Expression: TypeAlias = (
    Var | Literal_ | Text | Op | Apply | Construct | Project | Test | LetIn | Quantified | Lambda | ApplyValue
)  # fmt: skip


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Clause:
    """One conjunct of a contract, as written."""

    condition: Expression
    place: Place
    silent: bool = False
    """Known by construction (the bounds of a ``for``): assumed and not checked."""


@dataclass(eq=False, slots=True, kw_only=True)
class Step:
    """Any statement."""

    place: Place = NOWHERE


@dataclass(eq=False, slots=True)
class Set(Step):
    """``name`` gets a value: a fresh constant equal to it. The first `Set` or `Havoc` of a name declares it."""

    name: str
    value: Expression


@dataclass(eq=False, slots=True)
class Havoc(Step):
    """``name`` gets any value of its type (declared without a value)."""

    name: str
    type: Type


@dataclass(eq=False, slots=True)
class Check(Step):
    """An obligation, assumed afterwards. ``message`` is Verus' wording."""

    condition: Expression
    message: str
    related: Place | None = None


@dataclass(eq=False, slots=True)
class Assume(Step):
    """A fact known by construction (never one of the program's)."""

    condition: Expression


@dataclass(eq=False, slots=True)
class CallStep(Step):
    """A call of an exec or proof function.

    ``arguments`` are in order of the parameters; for a ``&mut`` parameter the argument is the current value, and
    ``mutated`` maps the parameter's position to the variable that gets the value afterwards (the lowering writes it
    back into the place that was borrowed). ``result`` None: not used.
    """

    function: str
    type_arguments: tuple[Type, ...]
    arguments: tuple[Expression, ...]
    result: str | None = None
    mutated: dict[int, str] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Branch(Step):
    """``if``; changed variables are merged."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(eq=False, slots=True)
class LoopStep(Step):
    """A loop. ``head`` runs before ``condition`` is read (None: ``loop``); ``step`` runs at the end and at ``continue``.

    ``simple``: written ``while``, without ``break``, ``invariant_except_break`` and ``ensures``: the negated condition
    is known afterwards. Otherwise it is ``loop { if !c { break } .. }`` and only ``invariants`` and ``ensures`` are.
    """

    label: str
    """Its own, or one made up: unique in the function."""
    head: tuple[Statement, ...]
    condition: Expression | None
    body: tuple[Statement, ...]
    step: tuple[Statement, ...]
    invariants: tuple[Clause, ...]
    except_break: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    decreases: tuple[Expression, ...]
    simple: bool
    isolated: bool
    modified: frozenset[str]
    """Variables that ``head``, ``body`` or ``step`` set and that live outside of the loop."""


@dataclass(eq=False, slots=True)
class BreakStep(Step):
    """``break`` out of the loop ``label``."""

    label: str


@dataclass(eq=False, slots=True)
class ContinueStep(Step):
    """``continue`` of the loop ``label``."""

    label: str


@dataclass(eq=False, slots=True)
class ReturnStep(Step):
    """``return``, and the end of the body with a value; the value goes to the function's result variable."""

    value: Expression | None


@dataclass(eq=False, slots=True)
class AssertBy(Step):
    """``assert(P) by { body }``: nested scope, then P is known."""

    condition: Expression
    body: tuple[Statement, ...]
    message: str = "assertion failed"


@dataclass(eq=False, slots=True)
class AssertForallBy(Step):
    """``assert forall|x| P implies Q by { body }``; afterwards ``fact``, the quantified formula with its triggers, is known."""

    binders: tuple[tuple[str, Type], ...]
    premise: Expression | None
    conclusion: Expression
    body: tuple[Statement, ...]
    fact: Expression


@dataclass(eq=False, slots=True)
class Isolated(Step):
    """``assert(P) by (prover) requires Q``: Q is checked here, ``Q ==> P`` alone by the prover; then P is known."""

    prover: Literal["nonlinear_arith", "bit_vector", "compute", "compute_only"]
    requires: tuple[Clause, ...]
    condition: Expression
    body: tuple[Statement, ...] = ()


@dataclass(eq=False, slots=True)
class RevealStep(Step):
    """``reveal(f)`` (fuel 1), ``reveal_with_fuel(f, n)``, ``hide(f)`` (fuel 0), from here on along the control flow."""

    function: str
    fuel: int


@dataclass(eq=False, slots=True)
class BroadcastStep(Step):
    """``broadcast use``: ids of library axioms or broadcast proof functions that hold from here on."""

    functions: tuple[str, ...]


@dataclass(eq=False, slots=True)
class DeadEnd(Step):
    """Control never gets past here (``unreachable`` arms, diverging calls)."""


@dataclass(eq=False, slots=True)
class Scope(Step):
    """Ghost ``proof {}`` blocks and bare blocks: names declared inside end with it, facts and reveals do not."""

    body: tuple[Statement, ...]


Statement: TypeAlias = (
    Set | Havoc | Check | Assume | CallStep | Branch | LoopStep | BreakStep | ContinueStep | ReturnStep | AssertBy
    | AssertForallBy | Isolated | RevealStep | BroadcastStep | DeadEnd | Scope
)  # fmt: skip


# ---------------------------------------------------------------- declarations


@dataclass(eq=False, slots=True)
class Param:
    """A parameter. A ``&mut`` one has its value at exit under ``name~final``."""

    name: str
    type: Type
    mutable_reference: bool = False


@dataclass(eq=False, slots=True)
class CoreDatatype:
    """A struct or enum; ``Option`` and the like come from the library. Tuples are not declared."""

    id: str
    parameters: tuple[str, ...]
    variants: tuple[tuple[str, tuple[tuple[str, Type], ...]], ...]
    """(variant, ((field, type over the parameters), ...))."""
    opaque: bool = False
    """A library type without variants (``Seq``, ``Vec``, ``Set``): an uninterpreted sort per instance."""
    extensional: bool = False
    """Marked ``ext_equal``."""


@dataclass(eq=False, slots=True)
class SpecFunction:
    """A spec function. ``body`` None: uninterpreted, or closed in another module."""

    id: str
    type_parameters: tuple[str, ...]
    params: tuple[Param, ...]
    result: Type
    body: Expression | None
    recursive: bool = False
    cycle: int = 1
    """Length of the shortest cycle of calls from it to itself."""
    group: int | None = None
    decreases: tuple[Expression, ...] = ()
    when: Expression | None = None
    decreases_by: tuple[Statement, ...] = ()
    """Proof statements that help its termination (``proof {}`` in the body, ``via``)."""
    opaque: bool = False
    inline: bool = False
    constant: bool = False
    library: bool = False
    name: str = ""
    place: Place = NOWHERE


@dataclass(eq=False, slots=True)
class CodeFunction:
    """An exec or proof function: its contract for callers, and its body unless it is the library's."""

    id: str
    mode: Literal["exec", "proof"]
    type_parameters: tuple[str, ...]
    params: tuple[Param, ...]
    result: Param | None
    """The result's variable; None for ``()``."""
    requires: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    """``returns e`` is the clause ``result == e``."""
    decreases: tuple[Expression, ...] = ()
    """Over the values at entry."""
    group: int | None = None
    body: tuple[Statement, ...] | None = None
    """Ends with a `ReturnStep` on every path that gets to the end."""
    prover: Literal["nonlinear_arith", "bit_vector", "compute", "compute_only"] | None = None
    broadcast: bool = False
    """An axiom of the library or a broadcast proof function: may be used as a quantified fact with its triggers."""
    triggers: tuple[tuple[Expression, ...], ...] = ()
    """Of a broadcast function."""
    always: bool = False
    """A broadcast axiom of the default group: holds without ``broadcast use``."""
    rlimit: float = 1.0
    """Factor on the resource limit."""
    library: bool = False
    name: str = ""
    place: Place = NOWHERE


@dataclass(eq=False, slots=True)
class Program:
    """All that a file needs: its own declarations and the library's that it reaches."""

    datatypes: dict[str, CoreDatatype]
    specs: dict[str, SpecFunction]
    codes: dict[str, CodeFunction]
    checked: tuple[str, ...]
    """Ids of the file's own functions in source order (spec functions for termination, constants for overflow too)."""
    constants: dict[str, tuple[Statement, ...]] = field(default_factory=dict)
    """For each exec constant, the checks of its initialiser."""
    dialect: Literal["current", "classic"] = "current"
