"""The surface tree: what the parser reads, and what name and type inference writes onto it.

Nodes compare by identity. Fields under "found later" are None after parsing; ``inference/`` fills them.
Structural comparison of two programs goes through `syntax.printer`, which ignores places and these fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.report import NOWHERE, Place

Mode = Literal["exec", "proof", "spec"]
"""Mode of a function."""
Ghostness = Literal["exec", "ghost", "tracked"]
"""Mode of a variable, parameter or field."""
QuantifierKind = Literal["forall", "exists", "choose"]
Prover = Literal["nonlinear_arith", "bit_vector", "compute", "compute_only", "integer_ring"]


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Node:
    """Anything with a place."""

    place: Place = NOWHERE

    def __repr__(self) -> str:
        # Nodes refer to each other, so that all of one would be without end.
        return f"<{type(self).__name__} at {self.place.line}:{self.place.column}>"


@dataclass(eq=False, slots=True, repr=False)
class Attribute(Node):
    """``#[path(args)]``; ``#![...]`` is ``inner``. ``verifier(external_body)`` of old reads as ``verifier::external_body``."""

    path: str
    """``"verifier::loop_isolation"``, ``"trigger"``, ``"derive"``, ..."""
    arguments: tuple[str, ...] = ()
    """Top-level comma-separated arguments as canonical text, for all attributes but triggers."""
    inner: bool = False
    expressions: tuple[Expr, ...] = ()
    """The terms of ``#![trigger a, b]``."""


# ---------------------------------------------------------------- names and types as written


@dataclass(eq=False, slots=True, repr=False)
class Segment(Node):
    """One part of a path with its generic arguments: ``Vec::<u8>``; None means none were written."""

    name: str
    generics: tuple[TypeExpr, ...] | None = None


@dataclass(eq=False, slots=True, repr=False)
class TypePath(Node):
    """``u32``, ``Vec<T>``, ``Self``, ``_`` (name ``_``)."""

    segments: tuple[Segment, ...]


@dataclass(eq=False, slots=True, repr=False)
class TypeRef(Node):
    """``&T`` or ``&mut T``."""

    inner: TypeExpr
    mutable: bool
    lifetime: str | None = None
    """``'a`` of ``&'a T``."""


@dataclass(eq=False, slots=True, repr=False)
class TypeTuple(Node):
    """``(A, B)``; ``()`` has no items."""

    items: tuple[TypeExpr, ...]


@dataclass(eq=False, slots=True, repr=False)
class TypeSlice(Node):
    """``[T]``."""

    element: TypeExpr


@dataclass(eq=False, slots=True, repr=False)
class TypeArray(Node):
    """``[T; n]``."""

    element: TypeExpr
    length: Expr


@dataclass(eq=False, slots=True, repr=False)
class TypeFn(Node):
    """``spec_fn(A, B) -> C``; ``name`` may also be ``Fn``, ``FnOnce``, ``FnMut``, ``fn`` (not supported later)."""

    name: str
    parameters: tuple[TypeExpr, ...]
    result: TypeExpr | None


@dataclass(eq=False, slots=True, repr=False)
class TypeOther(Node):
    """A type outside the subset (``dyn``, ``impl``, raw pointers), with what it is."""

    what: str
    text: str = ""
    """Its tokens in canonical spacing."""


TypeExpr: TypeAlias = TypePath | TypeRef | TypeTuple | TypeSlice | TypeArray | TypeFn | TypeOther


@dataclass(eq=False, slots=True, repr=False)
class Generic(Node):
    """A generic parameter with its bounds as written (``Copy``, ``View<V = Seq<int>>``, ...)."""

    name: str
    kind: Literal["type", "lifetime", "const"] = "type"
    bounds: tuple[str, ...] = ()
    """Canonical text of each bound, ``where`` clauses included."""


# ---------------------------------------------------------------- what names stand for


@dataclass(eq=False, slots=True, repr=False)
class Local(Node):
    """A variable: parameter, ``let``, pattern binding, quantified or closure variable."""

    name: str
    type: Type
    mutable: bool = False
    ghostness: Ghostness = "exec"
    kind: Literal["parameter", "let", "pattern", "bound", "for", "result"] = "let"
    unique: str = ""
    """A name of its own in its function: ``x``, then ``x~2``, ``x~3``; ``~`` cannot stand in source."""


@dataclass(eq=False, slots=True)
class FunctionRef:
    """A function with the type arguments of this use (of its impl's parameters first, then its own)."""

    function: Function
    type_arguments: tuple[Type, ...]


@dataclass(eq=False, slots=True)
class VariantRef:
    """A constructor: of a struct (variant name is the struct's) or of an enum."""

    datatype: Struct | Enum
    variant: Variant
    type_arguments: tuple[Type, ...]


@dataclass(eq=False, slots=True)
class ConstRef:
    """A constant."""

    const: Const


Target: TypeAlias = Local | FunctionRef | VariantRef | ConstRef


# ---------------------------------------------------------------- expressions


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class ExprNode(Node):
    """Any expression."""

    attributes: tuple[Attribute, ...] = ()
    """``#[trigger]`` and the like in front of it."""
    # Found later:
    type: Type | None = None
    """References included (`&`, `&mut`), inference variables resolved."""
    ghost: bool = False
    """Whether it stands where ghost code stands (clauses, proof, spec functions, ghost let)."""


@dataclass(eq=False, slots=True, repr=False)
class IntLit(ExprNode):
    """``0x1F_u8``."""

    value: int
    suffix: str | None = None


@dataclass(eq=False, slots=True, repr=False)
class BoolLit(ExprNode):
    """``true``."""

    value: bool


@dataclass(eq=False, slots=True, repr=False)
class CharLit(ExprNode):
    """``'a'``; ``byte`` for ``b'a'``."""

    value: int
    byte: bool = False


@dataclass(eq=False, slots=True, repr=False)
class StrLit(ExprNode):
    """``"text"``; ``byte`` for ``b"text"``."""

    value: str
    byte: bool = False


@dataclass(eq=False, slots=True, repr=False)
class FloatLit(ExprNode):
    """``1.5``: read, never supported."""

    text: str


@dataclass(eq=False, slots=True, repr=False)
class PathExpr(ExprNode):
    """A name: variable, constant, function, constructor; ``self`` is the segment ``self``."""

    segments: tuple[Segment, ...]
    target: Target | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class Unary(ExprNode):
    """``-e``, ``!e``, ``*e``."""

    op: Literal["-", "!", "*"]
    operand: Expr


@dataclass(eq=False, slots=True, repr=False)
class Borrow(ExprNode):
    """``&e`` or ``&mut e``."""

    operand: Expr
    mutable: bool


@dataclass(eq=False, slots=True, repr=False)
class Binary(ExprNode):
    """All infix operators but assignment and chains, ``==>``, ``<==``, ``<==>``, ``=~=``, ``&&&``, ``|||`` included."""

    op: str
    left: Expr
    right: Expr
    target: FunctionRef | None = None
    """Found later, where ghost code adds, subtracts, ... values that are no integers: ``spec_add`` of `Seq`."""


@dataclass(eq=False, slots=True, repr=False)
class Chain(ExprNode):
    """``a <= b < c``: operands and the operators between them; at least three operands."""

    operands: tuple[Expr, ...]
    ops: tuple[str, ...]


@dataclass(eq=False, slots=True, repr=False)
class BigLogic(ExprNode):
    """``&&& a &&& b`` or ``||| a ||| b``."""

    op: Literal["&&&", "|||"]
    operands: tuple[Expr, ...]


@dataclass(eq=False, slots=True, repr=False)
class Assign(ExprNode):
    """``target = value`` or ``target op= value`` (``op`` without the ``=``)."""

    target: Expr
    value: Expr
    op: str | None = None


@dataclass(eq=False, slots=True, repr=False)
class Cast(ExprNode):
    """``e as T``."""

    operand: Expr
    to: TypeExpr


@dataclass(eq=False, slots=True, repr=False)
class IsVariant(ExprNode):
    """``e is Variant``."""

    operand: Expr
    variant: TypePath
    target: VariantRef | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class Matches(ExprNode):
    """``e matches P``, ``e matches P && rest``, ``e matches P ==> rest``."""

    operand: Expr
    pattern: Pattern
    connective: Literal["&&", "==>", "&&&"] | None = None
    rest: Expr | None = None


@dataclass(eq=False, slots=True, repr=False)
class Arrow(ExprNode):
    """``e->field``, ``e->0``, ``e->Variant_field`` (ghost)."""

    operand: Expr
    name: str
    target: VariantRef | None = None
    index: int = 0
    """Found later: which field of the variant."""


@dataclass(eq=False, slots=True, repr=False)
class Field(ExprNode):
    """``e.name`` or ``e.0``."""

    operand: Expr
    name: str
    target: VariantRef | None = None
    """Found later; None for tuples."""
    index: int = 0


@dataclass(eq=False, slots=True, repr=False)
class Index(ExprNode):
    """``e[i]``."""

    operand: Expr
    index: Expr
    target: FunctionRef | None = None
    """Found later: the function that it calls (``spec_index`` in ghost code, ``vec_index`` ... in exec code)."""


@dataclass(eq=False, slots=True, repr=False)
class View(ExprNode):
    """``e@``."""

    operand: Expr
    target: FunctionRef | None = None
    """Found later: the ``view`` that it calls; None where the view is the value itself (integers, bool)."""


@dataclass(eq=False, slots=True, repr=False)
class Try(ExprNode):
    """``e?``."""

    operand: Expr


@dataclass(eq=False, slots=True, repr=False)
class Call(ExprNode):
    """``f(args)``, a constructor's call, or the application of a ``spec_fn`` value (target None then)."""

    callee: Expr
    arguments: tuple[Expr, ...]
    target: FunctionRef | VariantRef | None = None


@dataclass(eq=False, slots=True, repr=False)
class MethodCall(ExprNode):
    """``e.name::<T>(args)``."""

    receiver: Expr
    name: str
    generics: tuple[TypeExpr, ...] | None
    arguments: tuple[Expr, ...]
    target: FunctionRef | None = None
    """Found later; None where the method is the identity (``clone`` of integers, ``view`` of integers)."""


@dataclass(eq=False, slots=True, repr=False)
class TupleExpr(ExprNode):
    """``(a, b)``; ``()`` has no items."""

    items: tuple[Expr, ...]


@dataclass(eq=False, slots=True, repr=False)
class ArrayLit(ExprNode):
    """``[a, b]``, and ``vec![a, b]``, ``seq![a, b]`` by ``kind``."""

    items: tuple[Expr, ...]
    kind: Literal["array", "vec", "seq", "set", "map"] = "array"


@dataclass(eq=False, slots=True, repr=False)
class ArrayRepeat(ExprNode):
    """``[x; n]``, ``vec![x; n]``, ``seq![x; n]``."""

    value: Expr
    count: Expr
    kind: Literal["array", "vec", "seq"] = "array"


@dataclass(eq=False, slots=True, repr=False)
class StructLit(ExprNode):
    """``Point { x: 1, ..base }``; also variants of enums."""

    path: TypePath
    fields: tuple[tuple[str, Expr], ...]
    base: Expr | None = None
    target: VariantRef | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class RangeExpr(ExprNode):
    """``a..b``, ``a..=b``."""

    start: Expr | None
    end: Expr | None
    inclusive: bool = False


@dataclass(eq=False, slots=True, repr=False)
class BlockExpr(ExprNode):
    """``{ statements; tail }``; ``unsafe`` and labelled blocks are marked by the parser as `Other`."""

    statements: tuple[Statement, ...]
    tail: Expr | None = None


@dataclass(eq=False, slots=True, repr=False)
class LetCondition(ExprNode):
    """``let P = e`` as a condition of ``if`` or ``while``."""

    pattern: Pattern
    value: Expr


@dataclass(eq=False, slots=True, repr=False)
class IfExpr(ExprNode):
    """``if c {} else {}``; ``otherwise`` is a block or another ``if``."""

    condition: Expr
    then: BlockExpr
    otherwise: BlockExpr | IfExpr | None = None


@dataclass(eq=False, slots=True, repr=False)
class Arm(Node):
    """One arm of a ``match``."""

    pattern: Pattern
    guard: Expr | None
    body: Expr


@dataclass(eq=False, slots=True, repr=False)
class MatchExpr(ExprNode):
    """``match e { ... }``."""

    scrutinee: Expr
    arms: tuple[Arm, ...]


@dataclass(eq=False, slots=True, repr=False)
class LoopClauses(Node):
    """What stands between a loop's head and its body."""

    invariant: tuple[Expr, ...] = ()
    invariant_except_break: tuple[Expr, ...] = ()
    ensures: tuple[Expr, ...] = ()
    decreases: tuple[Expr, ...] = ()


@dataclass(eq=False, slots=True, repr=False)
class While(ExprNode):
    """``'label: while c clauses {}``."""

    label: str | None
    condition: Expr
    clauses: LoopClauses
    body: BlockExpr


@dataclass(eq=False, slots=True, repr=False)
class Loop(ExprNode):
    """``loop clauses {}``."""

    label: str | None
    clauses: LoopClauses
    body: BlockExpr


@dataclass(eq=False, slots=True, repr=False)
class For(ExprNode):
    """``for p in ghost_name: iterable clauses {}``."""

    label: str | None
    pattern: Pattern
    ghost_name: str | None
    iterable: Expr
    clauses: LoopClauses
    body: BlockExpr
    ghost_local: Local | None = None
    """Found later, when ``ghost_name`` is written."""


@dataclass(eq=False, slots=True, repr=False)
class Break(ExprNode):
    """``break 'label value``."""

    label: str | None
    value: Expr | None = None


@dataclass(eq=False, slots=True, repr=False)
class Continue(ExprNode):
    """``continue 'label``."""

    label: str | None


@dataclass(eq=False, slots=True, repr=False)
class Return(ExprNode):
    """``return value``."""

    value: Expr | None


@dataclass(eq=False, slots=True, repr=False)
class Parameter(Node):
    """A parameter of a function, closure or quantifier. ``self`` has ``pattern`` None and name ``self``."""

    name: str
    type: TypeExpr | None
    mutable: bool = False
    """``mut x: T``."""
    ghostness: Ghostness = "exec"
    """``tracked x`` in proof functions, ``Ghost(x): Ghost<T>`` in exec ones."""
    pattern: Pattern | None = None
    """Where the parameter is not a plain name."""
    self_reference: Literal["", "&", "&mut"] = ""
    """For ``self``: ``self``, ``&self``, ``&mut self``."""
    local: Local | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class Closure(ExprNode):
    """``|x: int, y| e`` with an optional result type and contract (exec closures)."""

    parameters: tuple[Parameter, ...]
    result: TypeExpr | None
    body: Expr
    requires: tuple[Expr, ...] = ()
    ensures: tuple[Expr, ...] = ()
    move: bool = False
    result_name: str | None = None
    """``-> (name: T)``."""


@dataclass(eq=False, slots=True, repr=False)
class Quantifier(ExprNode):
    """``forall|x: int| #![trigger f(x)] body``; also ``exists`` and ``choose``."""

    kind: QuantifierKind
    parameters: tuple[Parameter, ...]
    body: Expr
    triggers: tuple[Attribute, ...] = ()
    """``#![trigger ..]``, ``#![auto]``, ``#![all_triggers]`` at the head of the body."""
    groups: tuple[tuple[Expr, ...], ...] | None = None
    """Found later, by ``checks/triggers``: the trigger groups to use."""


@dataclass(eq=False, slots=True, repr=False)
class MacroCall(ExprNode):
    """A macro that has no node of its own; ``arguments`` are parsed where the macro is one of ours, else empty."""

    name: str
    arguments: tuple[Expr, ...] = ()
    text: str = ""
    """Its tokens in canonical spacing."""


@dataclass(eq=False, slots=True, repr=False)
class Other(ExprNode):
    """Something that the parser knows and the subset does not have (``unsafe {}``, ``async``, labelled blocks)."""

    what: str
    text: str = ""
    """Its tokens in canonical spacing."""


# ---------------------------------------------------------------- proof statements (they are expressions of type ())


@dataclass(eq=False, slots=True, repr=False)
class Assert(ExprNode):
    """``assert(P)``, ``assert(P) by { }``, ``assert(P) by (prover) requires Q { }``."""

    condition: Expr
    body: BlockExpr | None = None
    prover: Prover | None = None
    requires: tuple[Expr, ...] = ()


@dataclass(eq=False, slots=True, repr=False)
class AssertForall(ExprNode):
    """``assert forall|x| #![trigger t] P implies Q by { }``; ``premise`` None without ``implies``."""

    parameters: tuple[Parameter, ...]
    premise: Expr | None
    conclusion: Expr
    body: BlockExpr
    triggers: tuple[Attribute, ...] = ()
    groups: tuple[tuple[Expr, ...], ...] | None = None
    """Found later, by ``checks/triggers``."""


@dataclass(eq=False, slots=True, repr=False)
class Assume(ExprNode):
    """``assume(P)`` and ``admit()`` (condition None): cheats in a solution, holes in a given file."""

    condition: Expr | None


@dataclass(eq=False, slots=True, repr=False)
class Proof(ExprNode):
    """``proof { }``."""

    body: BlockExpr


@dataclass(eq=False, slots=True, repr=False)
class Reveal(ExprNode):
    """``reveal(f)``, ``reveal_with_fuel(f, n)``, ``hide(f)`` (fuel 0)."""

    path: TypePath
    fuel: int | None = None
    target: FunctionRef | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class CalcStep(Node):
    """One step of ``calc!``: the operator to the next term, the next term, and its proof."""

    op: str
    term: Expr
    body: BlockExpr | None


@dataclass(eq=False, slots=True, repr=False)
class Calc(ExprNode):
    """``calc! { (==) a; { } b; ... }``."""

    op: str
    first: Expr
    steps: tuple[CalcStep, ...]


@dataclass(eq=False, slots=True, repr=False)
class BroadcastUse(ExprNode):
    """``broadcast use path, {a, b};`` as a statement or an item; paths in canonical text."""

    paths: tuple[str, ...]


Expr: TypeAlias = (
    IntLit | BoolLit | CharLit | StrLit | FloatLit | PathExpr | Unary | Borrow | Binary | Chain | BigLogic | Assign
    | Cast | IsVariant | Matches | Arrow | Field | Index | View | Try | Call | MethodCall | TupleExpr | ArrayLit
    | ArrayRepeat | StructLit | RangeExpr | BlockExpr | LetCondition | IfExpr | MatchExpr | While | Loop | For | Break
    | Continue | Return | Closure | Quantifier | MacroCall | Other | Assert | AssertForall | Assume | Proof | Reveal
    | Calc | BroadcastUse
)  # fmt: skip


# ---------------------------------------------------------------- patterns


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class PatternNode(Node):
    """Any pattern."""

    type: Type | None = None
    """Found later: the type of what it is matched against, references included."""


@dataclass(eq=False, slots=True, repr=False)
class WildPattern(PatternNode):
    """``_``."""


@dataclass(eq=False, slots=True, repr=False)
class BindPattern(PatternNode):
    """``x``, ``mut x``, ``ref x``, ``x @ P``; a unit variant or constant written as a bare name becomes a `PathPattern`."""

    name: str
    mutable: bool = False
    by_reference: bool = False
    inner: Pattern | None = None
    local: Local | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class LiteralPattern(PatternNode):
    """``3``, ``-1``, ``'a'``, ``true``."""

    value: Expr


@dataclass(eq=False, slots=True, repr=False)
class RangePattern(PatternNode):
    """``1..=5``."""

    start: Expr | None
    end: Expr | None
    inclusive: bool


@dataclass(eq=False, slots=True, repr=False)
class PathPattern(PatternNode):
    """``None``, ``Color::Red``, a constant."""

    path: TypePath
    target: VariantRef | ConstRef | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class TuplePattern(PatternNode):
    """``(a, b)``, ``(a, ..)``: ``rest`` is where ``..`` stands."""

    items: tuple[Pattern, ...]
    rest: int | None = None


@dataclass(eq=False, slots=True, repr=False)
class VariantPattern(PatternNode):
    """``Some(x)``, ``Point { x, .. }``: fields by index text or name, in the order written."""

    path: TypePath
    fields: tuple[tuple[str, Pattern], ...]
    rest: bool = False
    braces: bool = False
    rest_at: int | None = None
    """Where ``..`` stands among positional fields."""
    target: VariantRef | None = None
    """Found later."""


@dataclass(eq=False, slots=True, repr=False)
class ReferencePattern(PatternNode):
    """``&p``."""

    inner: Pattern


@dataclass(eq=False, slots=True, repr=False)
class OrPattern(PatternNode):
    """``a | b``."""

    options: tuple[Pattern, ...]


@dataclass(eq=False, slots=True, repr=False)
class SlicePattern(PatternNode):
    """``[a, b]``: read, never supported."""

    text: str = ""
    """Its inside in canonical spacing."""


Pattern: TypeAlias = (
    WildPattern | BindPattern | LiteralPattern | RangePattern | PathPattern | TuplePattern | VariantPattern
    | ReferencePattern | OrPattern | SlicePattern
)  # fmt: skip


# ---------------------------------------------------------------- statements and items


@dataclass(eq=False, slots=True, repr=False)
class Let(Node):
    """``let ghost mut p: T = e else { };``."""

    pattern: Pattern
    declared: TypeExpr | None
    value: Expr | None
    ghostness: Ghostness = "exec"
    otherwise: BlockExpr | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(eq=False, slots=True, repr=False)
class ExprStatement(Node):
    """``e;``."""

    value: Expr
    semicolon: bool = True


@dataclass(eq=False, slots=True, repr=False)
class ItemStatement(Node):
    """An item inside a function."""

    item: Item


Statement: TypeAlias = Let | ExprStatement | ItemStatement


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class ItemNode(Node):
    """Any item."""

    attributes: tuple[Attribute, ...] = ()
    public: str = ""
    """``""``, ``"pub"``, ``"pub(crate)"``, ..."""
    outside: bool = False
    """Whether it stands outside the ``verus!`` macro."""
    library: bool = False
    """Whether it comes from our model of the libraries, whose contracts are trusted."""
    module: str = ""
    """Path of the module it stands in: ``""`` for the crate, ``"vstd::seq"``, ..."""


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Function(ItemNode):
    """A function with its contract, of any mode."""

    name: str
    mode: Mode = "exec"
    open: Literal["", "open", "closed", "uninterp"] = ""
    axiom: bool = False
    broadcast: bool = False
    is_const: bool = False
    qualifiers: tuple[str, ...] = ()
    """``unsafe``, ``async``, ``extern "C"``."""
    generics: tuple[Generic, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    result_name: str | None = None
    result_pattern: Pattern | None = None
    """Where the result is bound by a pattern: ``-> (r: (u32, u32))`` has a name, not a pattern."""
    result: TypeExpr | None = None
    result_tracked: bool = False
    requires: tuple[Expr, ...] = ()
    ensures: tuple[Expr, ...] = ()
    returns: Expr | None = None
    recommends: tuple[Expr, ...] = ()
    decreases: tuple[Expr, ...] = ()
    when: Expr | None = None
    via: str | None = None
    prover: Prover | None = None
    """``proof fn f() by (nonlinear_arith)``."""
    no_unwind: bool = False
    opens_invariants: bool = False
    body: BlockExpr | None = None
    # Found later:
    owner: Impl | None = None
    """The ``impl`` that it stands in."""
    id: str = ""
    """Its own name in the whole program: ``f``, ``Point::new``, ``vstd::seq::Seq::len``."""
    locals: list[Local] = field(default_factory=list)
    parameter_types: tuple[Type, ...] = ()
    """References included."""
    result_type: Type | None = None
    result_local: Local | None = None
    group: int | None = None
    """Number of its recursion group, None where it does not recurse; by ``checks/recursion``."""


@dataclass(eq=False, slots=True, repr=False)
class Variant(Node):
    """A constructor; positional fields are named ``0``, ``1``, ..."""

    name: str
    fields: tuple[tuple[str, TypeExpr, Ghostness], ...] = ()
    positional: bool = False
    visibility: tuple[str, ...] = ()
    """What stands in front of each field: ``""``, ``"pub"``, ..."""
    discriminant: Expr | None = None
    """``= 3`` after a variant of an enum."""
    braces: bool = False
    """Whether it is written with braces: ``S {}`` is no value by its name alone, as ``S;`` is."""
    types: tuple[Type, ...] = ()
    """Found later, over the datatype's own parameters."""


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Struct(ItemNode):
    """A struct: one variant of its own name."""

    name: str
    generics: tuple[Generic, ...] = ()
    variant: Variant
    id: str = ""


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Enum(ItemNode):
    """An enum."""

    name: str
    generics: tuple[Generic, ...] = ()
    variants: tuple[Variant, ...] = ()
    id: str = ""


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Const(ItemNode):
    """``const N: usize = 3;``, ``spec const``, ``exec static``."""

    name: str
    type: TypeExpr
    value: Expr | None
    mode: Literal["", "exec", "spec", "proof"] = ""
    ensures: tuple[Expr, ...] = ()
    static: bool = False
    # Found later:
    found: Type | None = None
    id: str = ""


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Impl(ItemNode):
    """``impl<T> Trait for Type { items }``; ``trait`` is None for inherent ones."""

    generics: tuple[Generic, ...] = ()
    trait: TypePath | None = None
    subject: TypeExpr
    items: tuple[Item, ...] = ()
    # Found later:
    subject_type: Type | None = None


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Use(ItemNode):
    """``use a::b as c;`` flattened: one pair (full path, local name or ``*``) for each leaf."""

    leaves: tuple[tuple[str, str], ...]


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Mod(ItemNode):
    """``mod name { items }``."""

    name: str
    items: tuple[Item, ...] = ()


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class TypeAlias_(ItemNode):
    """``type A = B;``; also an associated type of an impl."""

    name: str
    generics: tuple[Generic, ...] = ()
    type: TypeExpr | None


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class Trait(ItemNode):
    """``trait T { fn .. }``."""

    name: str
    generics: tuple[Generic, ...] = ()
    items: tuple[Item, ...] = ()


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class BroadcastItem(ItemNode):
    """``broadcast use path;`` or ``broadcast group g { a, b }`` (``name`` set) among items."""

    paths: tuple[str, ...]
    name: str | None = None


@dataclass(eq=False, slots=True, repr=False, kw_only=True)
class OtherItem(ItemNode):
    """An item outside the subset: ``macro_rules!``, ``extern``, ``union``, other macros' calls, ``assume_specification``."""

    what: str
    text: str = ""


Item: TypeAlias = (
    Function | Struct | Enum | Const | Impl | Use | Mod | TypeAlias_ | Trait | BroadcastItem | OtherItem
)  # fmt: skip


@dataclass(eq=False, slots=True, repr=False)
class File(Node):
    """A program: items inside the one ``verus!`` macro, and those outside of it (``outside`` set)."""

    items: tuple[Item, ...]
    attributes: tuple[Attribute, ...] = ()
    """``#![...]`` at the head of the file and of the macro."""
    macros: int = 0
    """How many ``verus!`` blocks there were."""
