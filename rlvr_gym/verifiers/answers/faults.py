"""References against which nothing could be judged, although they parse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Chain, Decision, Expr, Node, Outcome, Relation


def fault(node: Node) -> str | None:
    """Return what is wrong with a reference, None when nothing is: ``1/0`` has no value, ``8 = 7`` does not hold."""
    for expr in scalars(node):
        if algebra.is_undefined(expr):
            return f"{algebra.render(expr)} has no value"
    if isinstance(node, Relation) and node.op == "=":
        links = [(node.left, node.right)]
    elif isinstance(node, Chain):
        links = [
            pair
            for pair, op in zip(zip(node.terms, node.terms[1:], strict=False), node.ops, strict=True)
            if op == "="
        ]
    else:
        return None
    for left, right in links:
        if (
            not isinstance(left, Expr)
            or not isinstance(right, Expr)
            or algebra.symbols(left)
            or algebra.symbols(right)
        ):
            continue
        decision: Decision = algebra.same(left, right, key="fault")
        if decision.outcome is Outcome.DIFFERENT:
            return f"{algebra.render(left)} is not {algebra.render(right)}"
    return None


def scalars(node: Node) -> Iterator[Expr]:
    """Yield the scalars that a structure is made of."""
    stack: list[object] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, Expr):
            yield part
        elif isinstance(part, tuple):
            stack.extend(part)
        elif hasattr(part, "__dataclass_fields__"):
            stack.extend(getattr(part, f.name) for f in fields(part))  # type: ignore[arg-type]  # checked one line above
