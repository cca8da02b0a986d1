"""Trees to plain text: for scalars one that parses back to the same tree."""

from __future__ import annotations

from rlvr_gym.verifiers.algebra.structures import (
    All,
    Any,
    Brackets,
    Chain,
    Intersection,
    Interval,
    ListOf,
    Matrix,
    Minus,
    NamedSet,
    Node,
    Ratio,
    Relation,
    SetBuilder,
    SetOf,
    TupleOf,
    Union,
)
from rlvr_gym.verifiers.algebra.tree import (
    HALF,
    MINUS_ONE,
    Add,
    Based,
    Call,
    Const,
    Expr,
    Mul,
    Num,
    Pow,
    Sym,
)


def render(node: Node) -> str:
    r"""Return ``node`` as plain text, with ``parse(render(node)) == node`` for scalars.

    Example:
        >>> from rlvr_gym.verifiers.algebra.statements import parse
        >>> render(parse(r"\frac{x^2}{2} - 3\sin x"))
        'x^2/2 - 3*sin(x)'
    """
    if isinstance(node, Num):
        return str(node.value)
    if isinstance(node, Sym):
        return _symbol(node.name)
    if isinstance(node, Const):
        return node.name
    if isinstance(node, Add):
        text = render(node.terms[0])
        for term in node.terms[1:]:
            part = render(term)
            text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
        return text
    if isinstance(node, Mul):
        return _product(node.factors)
    if isinstance(node, Pow):
        return _power(node)
    if isinstance(node, Call):
        if node.name == "double_factorial":
            return f"({render(node.args[0])})!!"
        return f"{node.name}({', '.join(map(render, node.args))})"
    if isinstance(node, Based):
        return f"{node.digits}_{{{node.base}}}"
    return _structure(node)


def _symbol(name: str) -> str:
    letter, _, index = name.partition("_")
    text = f"\\{letter}" if len(letter) > 1 else letter
    if index:
        text += f"_{{{index}}}"
    return text + " " if text.startswith("\\") and not index else text


def _product(factors: tuple[Expr, ...]) -> str:
    first, rest = factors[0], factors[1:]
    if isinstance(first, Num) and first.value < 0:
        if first != MINUS_ONE:
            return "-" + _product((Num(-first.value), *rest))
        if not isinstance(rest[0], Num):
            return "-" + (_product(rest) if len(rest) > 1 else _signless(rest[0]))
    if isinstance(first, Num):
        text = str(first.value) if first.value >= 0 else f"({first.value})"
    else:
        text = _factor(first)
    for place, factor in enumerate(rest):
        below = _divisor(factor)
        # Right after a number the line of a fraction would belong to the number; 1/x is a power.
        joins = place == 0 and isinstance(first, Num) and (isinstance(factor, Num) or text == "1")
        if below is None or joins:
            text += f"*{_factor(factor)}"
        else:
            text += f"/{below}"
    return text


def _divisor(factor: Expr) -> str | None:
    """Return what stands below the line, or None when ``factor`` is no quotient."""
    if isinstance(factor, Num) and factor.value.numerator == 1 and factor.value.denominator > 1:
        return str(factor.value.denominator)
    if isinstance(factor, Pow) and factor.exponent == MINUS_ONE and not isinstance(factor.base, Num):
        return _atom(factor.base)
    return None


def _signless(term: Expr) -> str:
    return f"({render(term)})" if isinstance(term, Add) else _factor(term)


def _power(power: Pow) -> str:
    if power.exponent == HALF:
        return f"sqrt({render(power.base)})"
    return f"{_atom(power.base)}^{_atom(power.exponent)}"


def _factor(expr: Expr) -> str:
    return _power(expr) if isinstance(expr, Pow) else _atom(expr)


def _atom(expr: Expr) -> str:
    """Return ``expr`` in brackets unless it is a single sign, natural number or call."""
    natural = isinstance(expr, Num) and expr.value.denominator == 1 and expr.value >= 0
    if natural or isinstance(expr, Sym | Const | Call):
        return render(expr)
    return f"({render(expr)})"


def _structure(node: Node) -> str:
    if isinstance(node, Matrix):
        return "[" + ", ".join(f"[{_joined(row)}]" for row in node.rows) + "]"
    if isinstance(node, ListOf):
        return _joined(node.items)
    if isinstance(node, TupleOf):
        return f"({_joined(node.items)})"
    if isinstance(node, SetOf):
        return f"\\{{{_joined(node.items)}\\}}"
    if isinstance(node, Brackets):
        return f"[{_joined(node.items)}]"
    if isinstance(node, SetBuilder):
        return f"\\{{{render(node.element)} | {render(node.condition)}\\}}"
    if isinstance(node, Interval):
        low, high = "[" if node.low_closed else "(", "]" if node.high_closed else ")"
        return f"{low}{render(node.low)}, {render(node.high)}{high}"
    if isinstance(node, NamedSet):
        return f"\\mathbb{{{node.name}}}"
    return _operation(node)


def _operation(node: Node) -> str:
    if isinstance(node, Union):
        return " \\cup ".join(map(render, node.parts))
    if isinstance(node, Intersection):
        return " \\cap ".join(map(render, node.parts))
    if isinstance(node, Minus):
        return f"{render(node.left)} \\setminus {render(node.right)}"
    if isinstance(node, Relation):
        return f"{render(node.left)} {node.op} {render(node.right)}"
    if isinstance(node, Chain):
        pairs = zip(node.ops, node.terms[1:], strict=True)
        return render(node.terms[0]) + "".join(f" {op} {render(term)}" for op, term in pairs)
    if isinstance(node, Any):
        return " or ".join(map(render, node.parts))
    if isinstance(node, All):
        return " and ".join(map(render, node.parts))
    assert isinstance(node, Ratio)
    return " : ".join(map(render, node.parts))


def _joined(items: tuple[Node, ...]) -> str:
    return ", ".join(map(render, items))
