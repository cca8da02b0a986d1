"""Expressions, with no more parentheses than needed to read them back as they were."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.syntax import operators, tree
from rlvr_gym.verifiers.verus.syntax.printing.base import attributes, listed, prints, show
from rlvr_gym.verifiers.verus.syntax.printing.types import reference, segments

_UNARY, _POSTFIX = 17, 18
_CALLED_WORDS = frozenset(("assert", "assume", "admit", "reveal", "reveal_with_fuel", "hide"))
_POSTFIX_NODES = (
    tree.IntLit, tree.BoolLit, tree.CharLit, tree.StrLit, tree.FloatLit, tree.PathExpr, tree.Arrow, tree.Field, tree.Index,
    tree.View, tree.Try, tree.Call, tree.MethodCall, tree.TupleExpr, tree.ArrayLit, tree.ArrayRepeat, tree.MacroCall,
)  # fmt: skip


def _tightness(node: tree.Expr) -> int:
    """Return how tightly a node binds; 0 for those that need parentheses wherever they are operands."""
    if node.attributes and not isinstance(node, tree.BlockExpr):
        return _UNARY
    if isinstance(node, _POSTFIX_NODES):
        return _POSTFIX
    if isinstance(node, tree.Unary | tree.Borrow):
        return _UNARY
    if isinstance(node, tree.Binary):
        return operators.PRECEDENCE[node.op]
    if isinstance(node, tree.Chain):
        return operators.COMPARE
    if isinstance(node, tree.Cast):
        return operators.CAST
    if isinstance(node, tree.IsVariant):
        return operators.MEMBERSHIP
    return 0


def operand(node: tree.Expr, least: int) -> str:
    """Return ``node`` as an operand of something that binds with ``least``."""
    text = expression(node)
    return text if _tightness(node) >= least else f"({text})"


def expression(node: tree.Expr) -> str:
    """Return an expression with its attributes."""
    text = show(node)
    if not node.attributes or isinstance(node, tree.BlockExpr):
        return text
    bare = _tightness_without_attributes(node)
    return attributes(node.attributes) + (text if bare >= _UNARY else f"({text})")


def _tightness_without_attributes(node: tree.Expr) -> int:
    found, node.attributes = node.attributes, ()
    bare = _tightness(node)
    node.attributes = found
    return bare


def expressions(nodes: tuple[tree.Expr, ...]) -> str:
    """Return expressions joined by commas."""
    return ", ".join(map(expression, nodes))


def headed(node: tree.Expr) -> str:
    """Return an expression in front of a block or among clauses, where no struct may stand open."""
    return f"({expression(node)})" if isinstance(node, tree.StructLit | tree.BlockExpr) else expression(node)


# ---------------------------------------------------------------- literals and names


@prints(tree.IntLit)
def _integer(node: tree.IntLit) -> str:
    return f"{node.value}{node.suffix or ''}"


@prints(tree.BoolLit)
def _truth(node: tree.BoolLit) -> str:
    return "true" if node.value else "false"


def _escaped(text: str, quote: str) -> str:
    parts: list[str] = []
    for character in text:
        if character in ("\\", quote):
            parts.append("\\" + character)
        elif character.isprintable() and ord(character) < 127:
            parts.append(character)
        else:
            parts.append(f"\\u{{{ord(character):x}}}")
    return "".join(parts)


@prints(tree.CharLit)
def _character(node: tree.CharLit) -> str:
    if node.byte:
        return f"b'\\x{node.value:02x}'"
    return f"'{_escaped(chr(node.value), chr(39))}'"


@prints(tree.StrLit)
def _string(node: tree.StrLit) -> str:
    return f'{"b" if node.byte else ""}"{_escaped(node.value, chr(34))}"'


@prints(tree.FloatLit)
def _float(node: tree.FloatLit) -> str:
    return node.text


@prints(tree.PathExpr)
def _path(node: tree.PathExpr) -> str:
    return segments(node.segments, turbofish=True)


# ---------------------------------------------------------------- operators


@prints(tree.Unary)
def _unary(node: tree.Unary) -> str:
    return f"{node.op}{operand(node.operand, _UNARY)}"


@prints(tree.Borrow)
def _borrow(node: tree.Borrow) -> str:
    return reference("&mut " if node.mutable else "&", operand(node.operand, _UNARY))


def _left(node: tree.Expr, least: int, op: str) -> str:
    """Return a left operand; ``x as T <`` would read on as ``T<..>``."""
    if op in ("<", "<<", "<<=") and _ends_in_type(node):
        return f"({expression(node)})"
    return operand(node, least)


def _ends_in_type(node: tree.Expr) -> bool:
    while True:
        if isinstance(node, tree.Cast):
            return True
        if isinstance(node, tree.Binary):
            node = node.right
        elif isinstance(node, tree.Unary | tree.Borrow):
            node = node.operand
        else:
            return False


@prints(tree.Binary)
def _binary(node: tree.Binary) -> str:
    strength = operators.PRECEDENCE[node.op]
    left, right = strength, strength + 1
    if strength == operators.IMPLIES:
        left, right = right, left
    elif strength in (operators.COMPARE, operators.EQUIVALENCE):
        left = right
    return f"{_left(node.left, left, node.op)} {node.op} {operand(node.right, right)}"


@prints(tree.Chain)
def _chain(node: tree.Chain) -> str:
    parts: list[str] = []
    for index, one in enumerate(node.operands):
        op = node.ops[index] if index < len(node.ops) else ""
        parts += [_left(one, operators.BIT_OR, op), op]
    return " ".join(parts[:-1])


@prints(tree.BigLogic)
def _bullets(node: tree.BigLogic) -> str:
    return " ".join(f"{node.op} {_bullet(one)}" for one in node.operands)


def _bullet(node: tree.Expr) -> str:
    if isinstance(node, tree.Matches):
        # Without parentheses the bullets behind it would be its own.
        return expression(node) if node.connective == "&&&" else f"({expression(node)})"
    return f"({expression(node)})" if isinstance(node, tree.BigLogic) else expression(node)


@prints(tree.Assign)
def _assign(node: tree.Assign) -> str:
    least = operators.ASSIGN
    value = expression(node.value) if isinstance(node.value, tree.Assign) else operand(node.value, least)
    op = f"{node.op or ''}="
    return f"{_left(node.target, operators.RANGE, op)} {op} {value}"


@prints(tree.Cast)
def _cast(node: tree.Cast) -> str:
    return f"{operand(node.operand, operators.CAST)} as {show(node.to)}"


@prints(tree.IsVariant)
def _is(node: tree.IsVariant) -> str:
    return f"{operand(node.operand, operators.MEMBERSHIP)} is {show(node.variant)}"


@prints(tree.Matches)
def _matches(node: tree.Matches) -> str:
    pattern = show(node.pattern)
    if isinstance(node.pattern, tree.OrPattern):
        pattern = f"({pattern})"
    text = f"{operand(node.operand, _UNARY)} matches {pattern}"
    if node.rest is None:
        return text
    if node.connective == "&&&":
        return f"{text} {show(node.rest)}"
    least = operators.AND if node.connective == "&&" else operators.IMPLIES
    return f"{text} {node.connective} {operand(node.rest, least)}"


@prints(tree.RangeExpr)
def _range(node: tree.RangeExpr) -> str:
    start = operand(node.start, operators.EQUIVALENCE) if node.start is not None else ""
    end = operand(node.end, operators.EQUIVALENCE) if node.end is not None else ""
    return f"{start}{'..=' if node.inclusive else '..'}{end}"


# ---------------------------------------------------------------- what follows an operand


@prints(tree.Arrow)
def _arrow(node: tree.Arrow) -> str:
    return f"{operand(node.operand, _POSTFIX)}->{node.name}"


@prints(tree.Field)
def _field(node: tree.Field) -> str:
    inner = operand(node.operand, _POSTFIX)
    if isinstance(node.operand, tree.Arrow) and node.operand.name.isdigit():
        # Behind the arrow, `0.1` would be one number.
        inner = f"({inner})"
    return f"{inner}.{node.name}"


@prints(tree.Index)
def _index(node: tree.Index) -> str:
    return f"{operand(node.operand, _POSTFIX)}[{expression(node.index)}]"


@prints(tree.View)
def _view(node: tree.View) -> str:
    return f"{operand(node.operand, _POSTFIX)}@"


@prints(tree.Try)
def _try(node: tree.Try) -> str:
    return f"{operand(node.operand, _POSTFIX)}?"


@prints(tree.Call)
def _call(node: tree.Call) -> str:
    callee = operand(node.callee, _POSTFIX)
    if isinstance(node.callee, tree.Field) or callee in _CALLED_WORDS:
        # `(x.f)(a)` calls what the field holds, and `(assert)(a)` a function of that name.
        callee = f"({callee})"
    return f"{callee}({expressions(node.arguments)})"


@prints(tree.MethodCall)
def _method(node: tree.MethodCall) -> str:
    generics = f"::<{listed(node.generics)}>" if node.generics is not None else ""
    return f"{operand(node.receiver, _POSTFIX)}.{node.name}{generics}({expressions(node.arguments)})"


# ---------------------------------------------------------------- collections


@prints(tree.TupleExpr)
def _tuple(node: tree.TupleExpr) -> str:
    return f"({expression(node.items[0])},)" if len(node.items) == 1 else f"({expressions(node.items)})"


@prints(tree.ArrayLit)
def _array(node: tree.ArrayLit) -> str:
    prefix = "" if node.kind == "array" else f"{node.kind}!"
    if node.kind == "map":
        entries = [item for item in node.items if isinstance(item, tree.TupleExpr)]
        inside = ", ".join(
            f"{expression(entry.items[0])} => {expression(entry.items[1])}" for entry in entries
        )
        return f"map![{inside}]"
    return f"{prefix}[{expressions(node.items)}]"


@prints(tree.ArrayRepeat)
def _repeat(node: tree.ArrayRepeat) -> str:
    prefix = "" if node.kind == "array" else f"{node.kind}!"
    return f"{prefix}[{expression(node.value)}; {expression(node.count)}]"


@prints(tree.StructLit)
def _struct(node: tree.StructLit) -> str:
    parts = [f"{name}: {expression(value)}" for name, value in node.fields]
    if node.base is not None:
        parts.append(f"..{operand(node.base, 1)}")
    return f"{segments(node.path.segments, turbofish=True)} {{ {', '.join(parts)} }}"


@prints(tree.MacroCall)
def _macro(node: tree.MacroCall) -> str:
    inside = expressions(node.arguments) if node.arguments else node.text
    return f"{node.name}!({inside})"


@prints(tree.Other)
def _other(node: tree.Other) -> str:
    return node.text or node.what
