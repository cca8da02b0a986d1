"""What names and calls may stand for in compiled code, proofs and specifications."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from rlvr_gym.verifiers.verus.checks.walk import locals_of, parts
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.syntax.tree import (
    Call,
    Const,
    ConstRef,
    Expr,
    FunctionRef,
    Local,
    MethodCall,
    Node,
    PathExpr,
    VariantRef,
)

_WRAPPERS = ("Ghost", "Tracked")


@dataclass(frozen=True, slots=True)
class Context:
    """Where an expression stands."""

    ghost: bool
    pure: bool = False
    """Whether it only says something: clauses, spec functions, conditions of asserts."""
    helps: bool = False
    """In the body of a spec function, where ``proof {}`` may help its termination."""
    by: bool = False
    """Inside ``assert .. by``: whatever happens there is forgotten, so nothing may be assigned."""
    termination: bool = False
    """Inside a ``proof {}`` block of a spec function."""

    def saying(self) -> Context:
        """The context of what is only said here."""
        return Context(ghost=True, pure=True)


COMPILED = Context(ghost=False)


class Uses:
    """Checks single uses of variables, constants, functions and constructors."""

    def __init__(self) -> None:
        self.ghosts: set[int] = set()
        """Variables that are erased, by identity."""

    @abstractmethod
    def visit(self, node: Node, context: Context) -> None:
        """Check ``node`` and all that stands in it."""

    def declare(self, node: Node, ghost: bool) -> None:
        """Note which of the variables that ``node`` binds are erased."""
        self.ghosts.update(id(local) for local in locals_of(node) if ghost or local.ghostness != "exec")

    def path(self, node: PathExpr, context: Context) -> None:
        """Check a name."""
        match node.target:
            case Local() if id(node.target) in self.ghosts and not context.ghost:
                raise Rejected(
                    f"cannot use the ghost variable `{node.target.name}` in compiled code", node.place
                )
            case ConstRef(const=const):
                self.constant(const, node, context)
            case FunctionRef():
                raise Unsupported(f"the function `{node.target.function.name}` as a value", node.place)
            case VariantRef():
                self.refuse_braces(node.target, node)
                self.target(node.target, node, context)
            case _:
                pass

    def constant(self, const: Const, node: Node, context: Context) -> None:
        """Check the use of a constant."""
        if const.outside:
            raise Rejected(
                f"cannot use the constant `{const.name}`, which stands outside of verus!", node.place
            )
        if const.mode in ("spec", "proof") and not context.ghost:
            raise Rejected(f"cannot read the constant `{const.name}` with mode {const.mode}", node.place)
        if const.mode == "exec" and context.ghost:
            raise Rejected(
                f"cannot read the constant `{const.name}` with mode exec in ghost code", node.place
            )

    def call(self, node: Call, context: Context) -> None:
        """Check a call and its arguments."""
        target = node.target
        self.target(target, node, context)
        if isinstance(target, VariantRef):
            if not context.ghost:
                self.refuse_ghost_fields(target, node)
        elif target is None:
            name = builtin_name(node)
            if name in _WRAPPERS:
                self.wrapper(node, name, context)
                return
            if not context.ghost:
                raise Rejected("cannot call a spec function from compiled code", node.place)
            if name is None:
                self.visit(node.callee, context.saying())
        for argument in node.arguments:
            self.visit(argument, self.argument(target, context))

    def wrapper(self, node: Call, name: str, context: Context) -> None:
        """Check ``Ghost(e)``: compiled code around, ghost code inside."""
        if name == "Tracked":
            raise Unsupported("`Tracked(..)`", node.place)
        if context.ghost:
            raise Unsupported("Ghost(..) in ghost code", node.place)
        for argument in node.arguments:
            self.visit(argument, Context(ghost=True))

    def argument(self, target: FunctionRef | VariantRef | None, context: Context) -> Context:
        """The context of a call's arguments: what spec code and proofs are given is only said."""
        if isinstance(target, VariantRef) or not context.ghost:
            return context
        return context.saying()

    def target(self, target: FunctionRef | VariantRef | None, node: Node, context: Context) -> None:
        """Check that what is called exists in this context."""
        if isinstance(target, VariantRef):
            if target.datatype.outside:
                raise Rejected(
                    f"cannot use the type `{target.datatype.name}`, which stands outside of verus!",
                    node.place,
                )
            return
        if target is None:
            return
        function = target.function
        if function.outside:
            raise Rejected(f"cannot call `{function.name}`, which stands outside of verus!", node.place)
        allowed = ("exec",) if not context.ghost else ("spec",) if context.pure else ("spec", "proof")
        if function.mode not in allowed:
            where = (
                "compiled code" if not context.ghost else "a specification" if context.pure else "proof code"
            )
            raise Rejected(
                f"cannot call function `{function.name}` with mode {function.mode} in {where}", node.place
            )

    def refuse_braces(self, target: VariantRef, node: Node) -> None:
        """Refuse a constructor with braces by its name alone."""
        if target.variant.braces:
            raise Rejected(f"expected a value or pattern, found `{target.variant.name} {{ .. }}`", node.place)

    def refuse_ghost_fields(self, target: VariantRef | None, node: Node) -> None:
        """Refuse to build a value with erased fields in compiled code."""
        if target is not None and any(ghostness != "exec" for _, _, ghostness in target.variant.fields):
            raise Unsupported("values with ghost fields in compiled code", node.place)

    def refuse_calls(self, value: Expr) -> None:
        """Refuse calls in the value of a constant that both worlds read."""
        stack: list[Node] = [value]
        while stack:
            node = stack.pop()
            target = node.target if isinstance(node, Call | MethodCall) else None
            if isinstance(target, FunctionRef):
                raise Rejected(
                    f"cannot call `{target.function.name}` in a constant that specifications read", node.place
                )
            stack.extend(parts(node))


def builtin_name(node: Call) -> str | None:
    """Return the name of the built-in function that ``node`` calls (``old``, ``final``, ``Ghost``), if it does."""
    if node.target is None and isinstance(node.callee, PathExpr) and node.callee.target is None:
        return node.callee.segments[-1].name
    return None
