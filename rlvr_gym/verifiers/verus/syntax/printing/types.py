"""Types, generic parameters and patterns."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.printing.base import listed, prints, show


def segments(found: tuple[tree.Segment, ...], *, turbofish: bool) -> str:
    """Return a path; in expressions ``::`` stands in front of generic arguments."""
    parts: list[str] = []
    for segment in found:
        generics = ""
        if segment.generics is not None:
            generics = f"{'::' if turbofish else ''}<{listed(segment.generics)}>"
        parts.append(segment.name + generics)
    return "::".join(parts)


@prints(tree.Segment)
def _segment(node: tree.Segment) -> str:
    return segments((node,), turbofish=False)


@prints(tree.TypePath)
def _path(node: tree.TypePath) -> str:
    return segments(node.segments, turbofish=False)


@prints(tree.TypeRef)
def _reference(node: tree.TypeRef) -> str:
    return reference("&mut " if node.mutable else "&", show(node.inner))


def reference(mark: str, inside: str) -> str:
    """Return ``mark`` in front of ``inside``; three marks in a row would be one token."""
    return f"{mark} {inside}" if inside.startswith("&") else mark + inside


@prints(tree.TypeTuple)
def _tuple(node: tree.TypeTuple) -> str:
    return f"({show(node.items[0])},)" if len(node.items) == 1 else f"({listed(node.items)})"


@prints(tree.TypeSlice)
def _slice(node: tree.TypeSlice) -> str:
    return f"[{show(node.element)}]"


@prints(tree.TypeArray)
def _array(node: tree.TypeArray) -> str:
    return f"[{show(node.element)}; {show(node.length)}]"


@prints(tree.TypeFn)
def _function(node: tree.TypeFn) -> str:
    result = f" -> {show(node.result)}" if node.result is not None else ""
    return f"{node.name}({listed(node.parameters)}){result}"


@prints(tree.TypeOther)
def _other(node: tree.TypeOther) -> str:
    return node.text or node.what


@prints(tree.Generic)
def _generic(node: tree.Generic) -> str:
    bounds = f": {' + '.join(node.bounds)}" if node.bounds else ""
    return f"{'const ' if node.kind == 'const' else ''}{node.name}{bounds}"


# ---------------------------------------------------------------- patterns


@prints(tree.WildPattern)
def _wild(node: tree.WildPattern) -> str:
    return "_"


@prints(tree.BindPattern)
def _bind(node: tree.BindPattern) -> str:
    words = ("ref " if node.by_reference else "") + ("mut " if node.mutable else "")
    if node.inner is None:
        return words + node.name
    return f"{words}{node.name} @ {_inner(node.inner)}"


def _inner(node: tree.Pattern) -> str:
    """Return a pattern that may stand where alternatives may not."""
    return f"({show(node)})" if isinstance(node, tree.OrPattern) else show(node)


@prints(tree.LiteralPattern)
def _literal(node: tree.LiteralPattern) -> str:
    return show(node.value)


@prints(tree.RangePattern)
def _range(node: tree.RangePattern) -> str:
    start = show(node.start) if node.start is not None else ""
    end = show(node.end) if node.end is not None else ""
    return f"{start}{'..=' if node.inclusive else '..'}{end}"


@prints(tree.PathPattern)
def _path_pattern(node: tree.PathPattern) -> str:
    return show(node.path)


@prints(tree.TuplePattern)
def _tuple_pattern(node: tree.TuplePattern) -> str:
    parts = [show(item) for item in node.items]
    if node.rest is not None:
        parts.insert(node.rest, "..")
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


@prints(tree.VariantPattern)
def _variant(node: tree.VariantPattern) -> str:
    path = show(node.path)
    if not node.braces:
        parts = [show(pattern) for _, pattern in node.fields]
        if node.rest_at is not None:
            parts.insert(node.rest_at, "..")
        return f"{path}({', '.join(parts)})"
    fields = [f"{name}: {show(pattern)}" for name, pattern in node.fields]
    if node.rest:
        fields.append("..")
    return f"{path} {{ {', '.join(fields)} }}"


@prints(tree.ReferencePattern)
def _reference_pattern(node: tree.ReferencePattern) -> str:
    return reference("&", _inner(node.inner))


@prints(tree.OrPattern)
def _or(node: tree.OrPattern) -> str:
    return " | ".join(map(show, node.options))


@prints(tree.SlicePattern)
def _slice_pattern(node: tree.SlicePattern) -> str:
    return f"[{node.text}]"
