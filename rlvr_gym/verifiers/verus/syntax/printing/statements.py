"""Blocks, control flow, closures, quantifiers, proof statements."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.printing.base import attributes, prints, show
from rlvr_gym.verifiers.verus.syntax.printing.expressions import expression, headed, operand

_STATEMENT_WORDS = frozenset(
    (
        "if",
        "match",
        "while",
        "loop",
        "for",
        "unsafe",
        "async",
        "const",
        "proof",
        "assert",
        "assume",
        "reveal",
        "hide",
    )
)
# What a statement may be without its text being read as something shorter.
_OWN_STATEMENTS = (
    tree.IfExpr, tree.MatchExpr, tree.While, tree.Loop, tree.For, tree.BlockExpr, tree.Proof, tree.Assert, tree.AssertForall,
    tree.Assume, tree.Reveal, tree.Other,
)  # fmt: skip


@prints(tree.BlockExpr)
def _block(node: tree.BlockExpr) -> str:
    parts = [attributes(node.attributes).strip(), *map(show, node.statements)]
    if node.tail is not None:
        parts.append(_statement(node.tail))
    inside = " ".join(filter(None, parts))
    return f"{{ {inside} }}" if inside else "{ }"


def _statement(node: tree.Expr) -> str:
    """Return an expression where a statement starts; one that only begins like a statement needs parentheses."""
    text = expression(node)
    if isinstance(node, _OWN_STATEMENTS):
        return text
    first = text.split(None, 1)[0].split("(", 1)[0]
    return f"({text})" if first in _STATEMENT_WORDS or text.startswith("{") else text


@prints(tree.ExprStatement)
def _expression_statement(node: tree.ExprStatement) -> str:
    return _statement(node.value) + (";" if node.semicolon else "")


@prints(tree.ItemStatement)
def _item_statement(node: tree.ItemStatement) -> str:
    return show(node.item)


@prints(tree.Let)
def _let(node: tree.Let) -> str:
    ghost = "" if node.ghostness == "exec" else f"{node.ghostness} "
    text = f"{attributes(node.attributes)}let {ghost}{show(node.pattern)}"
    if node.declared is not None:
        text += f": {show(node.declared)}"
    if node.value is not None:
        text += f" = {expression(node.value)}"
    if node.otherwise is not None:
        text += f" else {show(node.otherwise)}"
    return text + ";"


# ---------------------------------------------------------------- control flow


@prints(tree.LetCondition)
def _let_condition(node: tree.LetCondition) -> str:
    return f"let {show(node.pattern)} = {operand(node.value, 8)}"


def _condition(node: tree.Expr) -> str:
    """Return a condition; ``let`` may stand in it without parentheses only."""
    if isinstance(node, tree.LetCondition):
        return show(node)
    if isinstance(node, tree.Binary) and node.op == "&&" and _holds_let(node):
        return f"{_condition(node.left)} && {_condition(node.right)}"
    return headed(node)


def _holds_let(node: tree.Expr) -> bool:
    if isinstance(node, tree.Binary) and node.op == "&&":
        return _holds_let(node.left) or _holds_let(node.right)
    return isinstance(node, tree.LetCondition)


@prints(tree.IfExpr)
def _if(node: tree.IfExpr) -> str:
    text = f"if {_condition(node.condition)} {show(node.then)}"
    return text if node.otherwise is None else f"{text} else {show(node.otherwise)}"


@prints(tree.MatchExpr)
def _match(node: tree.MatchExpr) -> str:
    return f"match {headed(node.scrutinee)} {{ {' '.join(map(show, node.arms))} }}"


@prints(tree.Arm)
def _arm(node: tree.Arm) -> str:
    guard = f" if {expression(node.guard)}" if node.guard is not None else ""
    return f"{show(node.pattern)}{guard} => {_statement(node.body)},"


@prints(tree.LoopClauses)
def _loop_clauses(node: tree.LoopClauses) -> str:
    return (
        clauses("invariant_except_break", node.invariant_except_break)
        + clauses("invariant", node.invariant)
        + clauses("ensures", node.ensures)
        + clauses("decreases", node.decreases)
    )


def clauses(word: str, conditions: tuple[tree.Expr, ...]) -> str:
    """Return a clause list with a space in front, or nothing."""
    return f" {word} {', '.join(map(headed, conditions))}," if conditions else ""


def _label(label: str | None) -> str:
    return f"{label}: " if label is not None else ""


@prints(tree.While)
def _while(node: tree.While) -> str:
    return f"{_label(node.label)}while {_condition(node.condition)}{show(node.clauses)} {show(node.body)}"


@prints(tree.Loop)
def _loop(node: tree.Loop) -> str:
    return f"{_label(node.label)}loop{show(node.clauses)} {show(node.body)}"


@prints(tree.For)
def _for(node: tree.For) -> str:
    ghost = f"{node.ghost_name}: " if node.ghost_name is not None else ""
    head = f"for {show(node.pattern)} in {ghost}{headed(node.iterable)}"
    return f"{_label(node.label)}{head}{show(node.clauses)} {show(node.body)}"


@prints(tree.Break)
def _break(node: tree.Break) -> str:
    return _jump("break", node.label, node.value)


@prints(tree.Continue)
def _continue(node: tree.Continue) -> str:
    return _jump("continue", node.label, None)


@prints(tree.Return)
def _return(node: tree.Return) -> str:
    return _jump("return", None, node.value)


def _jump(word: str, label: str | None, value: tree.Expr | None) -> str:
    return " ".join(filter(None, (word, label, operand(value, 1) if value is not None else None)))


# ---------------------------------------------------------------- closures and quantifiers


def binder(node: tree.Parameter) -> str:
    """Return a parameter of a closure or quantifier."""
    ghost = "tracked " if node.ghostness == "tracked" else ""
    name = show(node.pattern) if node.pattern is not None else ("mut " if node.mutable else "") + node.name
    return f"{ghost}{name}" + (f": {show(node.type)}" if node.type is not None else "")


def binders(nodes: tuple[tree.Parameter, ...]) -> str:
    """Return ``|x: T, y|``."""
    return f"|{', '.join(map(binder, nodes))}|"


@prints(tree.Closure)
def _closure(node: tree.Closure) -> str:
    text = ("move " if node.move else "") + binders(node.parameters)
    if node.result is not None:
        result = show(node.result)
        text += f" -> {result}" if node.result_name is None else f" -> ({node.result_name}: {result})"
    text += clauses("requires", node.requires) + clauses("ensures", node.ensures)
    return f"{text} {_body(node.body)}"


def _body(node: tree.Expr) -> str:
    """Return what stands behind the bars, as far right as it goes."""
    return f"({expression(node)})" if isinstance(node, tree.StructLit | tree.BigLogic) else expression(node)


@prints(tree.Quantifier)
def _quantifier(node: tree.Quantifier) -> str:
    return f"{node.kind}{binders(node.parameters)} {attributes(node.triggers)}{_body(node.body)}"


# ---------------------------------------------------------------- proof statements


@prints(tree.Assert)
def _assert(node: tree.Assert) -> str:
    text = f"assert({expression(node.condition)})"
    if node.prover is None and node.body is None:
        return text
    text += " by" + (f" ({node.prover})" if node.prover is not None else "")
    text += clauses("requires", node.requires)
    return text if node.body is None else f"{text} {show(node.body)}"


@prints(tree.AssertForall)
def _assert_forall(node: tree.AssertForall) -> str:
    text = f"assert forall{binders(node.parameters)} {attributes(node.triggers)}"
    if node.premise is not None:
        text += f"{expression(node.premise)} implies "
    return f"{text}{expression(node.conclusion)} by {show(node.body)}"


@prints(tree.Assume)
def _assume(node: tree.Assume) -> str:
    return "admit()" if node.condition is None else f"assume({expression(node.condition)})"


@prints(tree.Proof)
def _proof(node: tree.Proof) -> str:
    return f"proof {show(node.body)}"


@prints(tree.Reveal)
def _reveal(node: tree.Reveal) -> str:
    path = expression(tree.PathExpr(node.path.segments))
    if node.fuel is None:
        return f"reveal({path})"
    return f"hide({path})" if node.fuel == 0 else f"reveal_with_fuel({path}, {node.fuel})"


@prints(tree.Calc)
def _calc(node: tree.Calc) -> str:
    return f"calc! {{ ({node.op}) {expression(node.first)}; {' '.join(map(show, node.steps))} }}"


@prints(tree.CalcStep)
def _calc_step(node: tree.CalcStep) -> str:
    body = f"{show(node.body)} " if node.body is not None else "{ } "
    return f"({node.op}) {body}{expression(node.term)};"


@prints(tree.BroadcastUse)
def _broadcast(node: tree.BroadcastUse) -> str:
    return f"broadcast use {', '.join(node.paths)}"
