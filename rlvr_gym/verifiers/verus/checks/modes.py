"""Modes: which code may run, which only proves, and which only says something.

Compiled code must not read, call or build anything that is erased; proofs must not change what runs; specifications
are pure. Context decides: `Context.ghost` is true in clauses, proofs, specifications and ``let ghost``;
`Context.pure` where nothing may happen, only be said.
"""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.ghost_forms import refuse_in_compiled, refuse_in_ghost
from rlvr_gym.verifiers.verus.checks.mode_uses import COMPILED, Context, Uses
from rlvr_gym.verifiers.verus.checks.places import place_of, reads_ghost_field
from rlvr_gym.verifiers.verus.checks.walk import contract, is_expression, parts
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.report import Dialect
from rlvr_gym.verifiers.verus.syntax.tree import (
    Arm,
    Assert,
    AssertForall,
    Assign,
    Assume,
    BlockExpr,
    Borrow,
    Break,
    BroadcastUse,
    Calc,
    Call,
    Closure,
    ConstRef,
    Continue,
    ExprStatement,
    Field,
    For,
    Function,
    IfExpr,
    Index,
    Let,
    Loop,
    LoopClauses,
    MacroCall,
    MatchExpr,
    MethodCall,
    Node,
    PathExpr,
    PathPattern,
    PatternNode,
    Proof,
    Quantifier,
    Return,
    Reveal,
    StructLit,
    Try,
    VariantPattern,
    View,
    While,
)

_BRANCHES = (BlockExpr, ExprStatement, IfExpr, MatchExpr, Arm)


def check_modes(crate: Crate) -> None:
    """Check the mode of every function, constant, variable and expression.

    Raises:
        Rejected: the compiler refuses it.
        Unsupported: something whose mode is outside of the subset.
    """
    for function in crate.functions:
        _Modes(crate.dialect, function).run()
    for const in crate.consts:
        if const.static:
            raise Unsupported("static variables", const.place)
        if const.value is not None:
            context = Context(ghost=True, pure=True) if const.mode in ("spec", "proof") else COMPILED
            checker = _Modes(crate.dialect, None)
            checker.visit(const.value, context)
            if const.mode == "":
                # Read in both worlds: what it calls would have to exist in both.
                checker.refuse_calls(const.value)
        for clause in const.ensures:
            _Modes(crate.dialect, None).visit(clause, Context(ghost=True, pure=True))


class _Modes(Uses):
    """Checks one function; ``function`` is None for the value of a constant."""

    def __init__(self, dialect: Dialect, function: Function | None) -> None:
        super().__init__()
        self.dialect = dialect
        self.function = function

    def run(self) -> None:
        function = self.function
        assert function is not None
        for parameter in function.parameters:
            self.declare(parameter, function.mode != "exec" or parameter.ghostness != "exec")
            if parameter.ghostness == "tracked":
                raise Unsupported("`tracked` parameters", parameter.place)
        for type in function.parameter_types:
            if type.name == "&mut" and function.mode == "spec":
                raise Rejected("&mut parameter not allowed for spec functions", function.place)
            if type.name == "&mut" and function.mode == "proof":
                raise Unsupported("`&mut` parameters of proof functions", function.place)
        if function.result_tracked:
            raise Unsupported("`tracked` results", function.place)
        said = Context(ghost=True, pure=True)
        for clause in contract(function):
            self.visit(clause, said)
        if function.body is None:
            return
        match function.mode:
            case "exec":
                self.body(function.body, COMPILED)
            case "proof":
                self.body(function.body, Context(ghost=True))
            case "spec":
                self.visit(function.body, Context(ghost=True, pure=True, helps=True))

    def body(self, body: BlockExpr, context: Context) -> None:
        """Check a body, whose first statements may be ``hide(f);``."""
        hiding = True
        for statement in body.statements:
            value = statement.value if isinstance(statement, ExprStatement) else None
            if isinstance(value, Reveal) and value.fuel == 0 and hiding:
                continue
            hiding = False
            self.visit(statement, context)
        if body.tail is not None:
            self.visit(body.tail, context)

    def visit(self, node: Node, context: Context) -> None:
        """Check ``node`` and all that stands in it."""
        if is_expression(node):
            if context.ghost:
                refuse_in_ghost(node)
            else:
                refuse_in_compiled(node)
        match node:
            case Let():
                self.let(node, context)
            case PathExpr():
                self.path(node, context)
            case PathPattern() | VariantPattern():
                if isinstance(node.target, ConstRef):
                    self.constant(node.target.const, node, context)
                else:
                    if isinstance(node, PathPattern) and node.target is not None:
                        self.refuse_braces(node.target, node)
                    self.target(node.target, node, context)
                for part in parts(node):
                    self.visit(part, context)
            case Call():
                self.call(node, context)
            case MethodCall():
                self.target(node.target, node, context)
                self.visit(node.receiver, self.argument(node.target, context))
                for argument in node.arguments:
                    self.visit(argument, self.argument(node.target, context))
            case Index() | View():
                self.target(node.target, node, context)
                for part in parts(node):
                    self.visit(part, context)
            case Assign():
                self.assign(node, context)
            case Borrow() if node.mutable and context.ghost:
                if context.pure:
                    raise Rejected("mutable borrow is not allowed in spec context", node.place)
                raise Unsupported("`&mut` in proof code", node.place)
            case Field() if not context.ghost and reads_ghost_field(node):
                raise Rejected(f"cannot use the ghost field `{node.name}` in compiled code", node.place)
            case StructLit():
                if not context.ghost:
                    self.refuse_ghost_fields(node.target, node)
                self.target(node.target, node, context)
                for part in parts(node):
                    self.visit(part, context)
            case Assert() | AssertForall() | Assume() | Calc():
                self.proof_statement(node, context)
            case Proof():
                if context.ghost and not context.helps:
                    raise Rejected("a `proof` block stands in ghost code already", node.place)
                self.body(node.body, Context(ghost=True, termination=context.helps))
            case Reveal():
                self.reveal(node, context)
            case BroadcastUse():
                if context.pure:
                    raise Rejected("`broadcast use` is not allowed in a specification", node.place)
            case Return() | Break() | Continue():
                self.leave(node, context)
            case While() | Loop() | For():
                self.loop(node, context)
            case LoopClauses():
                for part in parts(node):
                    self.visit(part, context.saying())
            case Quantifier():
                self.declare_all(node, ghost=True)
                self.visit(node.body, context.saying())
                for attribute in node.triggers:
                    for term in attribute.expressions:
                        self.visit(term, context.saying())
            case Closure():
                self.closure(node, context)
            case MacroCall():
                self.macro(node, context)
            case Try() if context.ghost:
                raise Rejected("`?` is not allowed in ghost code", node.place)
            case _:
                inner = context if isinstance(node, _BRANCHES) or not context.helps else context.saying()
                for part in parts(node):
                    if isinstance(part, PatternNode):
                        self.declare(part, context.ghost)
                    self.visit(part, inner)

    def macro(self, node: MacroCall, context: Context) -> None:
        """Check a proof macro: its closures and blocks are proofs, all else is said."""
        if context.pure:
            raise Rejected(f"`{node.name}!` is not allowed in a specification", node.place)
        inner = Context(ghost=True, by=True, termination=context.termination)
        for argument in node.arguments:
            if isinstance(argument, Closure):
                self.declare_all(argument, ghost=True)
                self.visit(argument.body, inner)
            else:
                self.visit(argument, inner if isinstance(argument, BlockExpr) else context.saying())

    def declare_all(self, node: Quantifier | AssertForall | Closure, ghost: bool) -> None:
        for parameter in node.parameters:
            self.declare(parameter, ghost)

    def let(self, node: Let, context: Context) -> None:
        if node.ghostness == "tracked":
            raise Unsupported("`let tracked`", node.place)
        if node.otherwise is not None and (context.ghost or node.ghostness != "exec"):
            raise Rejected("let-else only works in compiled code", node.place)
        ghost = context.ghost or node.ghostness != "exec"
        inner = context if context.ghost else (Context(ghost=True) if ghost else context)
        if node.value is None and ghost and context.pure:
            raise Rejected("a variable of a specification needs a value", node.place)
        if node.value is not None:
            self.visit(node.value, inner)
        self.declare(node.pattern, ghost)
        for part in parts(node.pattern):
            self.visit(part, inner)
        if node.otherwise is not None:
            self.visit(node.otherwise, context)

    def assign(self, node: Assign, context: Context) -> None:
        if context.pure or context.termination:
            raise Rejected("assignment is not allowed in a specification", node.place)
        if context.by:
            raise Rejected("assignment is not allowed in an `assert .. by` statement", node.place)
        root = place_of(node.target)
        ghost = root is not None and id(root.local) in self.ghosts
        if context.ghost and not ghost:
            raise Rejected("cannot assign to an exec variable from proof code", node.place)
        if context.ghost and root is not None and root.behind_reference:
            raise Rejected("proof code cannot change anything through a reference", node.place)
        if context.ghost and root is not None and root.has_index:
            raise Rejected("an element of a ghost value cannot be assigned", node.place)
        if not context.ghost and ghost:
            raise Rejected("compiled code cannot change a ghost variable", node.place)
        self.visit(node.value, context)
        self.visit(node.target, context)

    def proof_statement(self, node: Assert | AssertForall | Assume | Calc, context: Context) -> None:
        if context.pure:
            raise Rejected("a proof statement is not allowed in a specification", node.place)
        said = context.saying()
        inner = Context(ghost=True, by=True, termination=context.termination)
        match node:
            case Assume():
                if node.condition is not None:
                    self.visit(node.condition, said)
            case Assert():
                self.visit(node.condition, said)
                for clause in node.requires:
                    self.visit(clause, said)
                if node.body is not None:
                    self.visit(node.body, inner)
            case AssertForall():
                self.declare_all(node, ghost=True)
                if node.premise is not None:
                    self.visit(node.premise, said)
                self.visit(node.conclusion, said)
                self.visit(node.body, inner)
                for attribute in node.triggers:
                    for term in attribute.expressions:
                        self.visit(term, said)
            case Calc():
                if not context.ghost:
                    raise Unsupported("`calc!` outside of proof code", node.place)
                self.visit(node.first, said)
                for step in node.steps:
                    self.visit(step.term, said)
                    if step.body is not None:
                        self.visit(step.body, inner)

    def reveal(self, node: Reveal, context: Context) -> None:
        if not context.ghost and self.dialect == "current":
            raise Rejected("cannot use reveal/hide in compiled code; put it into a `proof` block", node.place)
        if context.pure:
            raise Rejected("reveal/hide is not allowed in a specification", node.place)
        if node.fuel == 0:
            raise Unsupported("`hide` after other statements", node.place)
        if node.target is not None and node.target.function.mode != "spec":
            raise Rejected("only spec functions can be revealed", node.place)

    def leave(self, node: Return | Break | Continue, context: Context) -> None:
        word = type(node).__name__.lower()
        if context.ghost and not isinstance(node, Return):
            raise Rejected(f"`{word}` is not allowed in ghost code", node.place)
        if context.pure or context.termination:
            raise Rejected(f"`{word}` is not allowed in a specification", node.place)
        if context.by:
            raise Rejected(f"`{word}` is not allowed in an `assert .. by` statement", node.place)
        if context.ghost and self.function is not None and self.function.mode == "exec":
            raise Rejected("cannot return from proof code in an exec function", node.place)
        for part in parts(node):
            self.visit(part, context)

    def loop(self, node: While | Loop | For, context: Context) -> None:
        if context.ghost:
            raise Rejected("loops are not allowed in proof or spec code", node.place)
        if isinstance(node, For) and node.ghost_local is not None:
            self.ghosts.add(id(node.ghost_local))
        for part in parts(node):
            self.visit(part, context)

    def closure(self, node: Closure, context: Context) -> None:
        if not context.ghost:
            raise Unsupported("closures in compiled code", node.place)
        if node.requires or node.ensures:
            raise Rejected("a spec closure has no contract", node.place)
        self.declare_all(node, ghost=True)
        self.visit(node.body, context.saying())
