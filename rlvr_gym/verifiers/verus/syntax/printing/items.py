"""Items."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.printing.base import attributes, listed, prints, show
from rlvr_gym.verifiers.verus.syntax.printing.expressions import expression, headed
from rlvr_gym.verifiers.verus.syntax.printing.statements import clauses


def _front(node: tree.ItemNode) -> str:
    """Return attributes and visibility."""
    return attributes(node.attributes) + (f"{node.public} " if node.public else "")


def _generics(found: tuple[tree.Generic, ...]) -> str:
    return f"<{listed(found)}>" if found else ""


@prints(tree.Parameter)
def _parameter(node: tree.Parameter) -> str:
    if node.name == "self":
        reference = {"": "", "&": "&", "&mut": "&mut "}[node.self_reference]
        text = f"{_ghost(node.ghostness)}{reference}{'mut ' if node.mutable else ''}self"
    elif node.pattern is not None:
        text = show(node.pattern)
    else:
        text = f"{_ghost(node.ghostness)}{'mut ' if node.mutable else ''}{node.name}"
    return text if node.type is None else f"{text}: {show(node.type)}"


def _ghost(ghostness: tree.Ghostness) -> str:
    return "" if ghostness == "exec" else f"{ghostness} "


def signature(node: tree.Function) -> str:
    """Return a function up to its body: all that callers can rely on."""
    words = [
        "const" if node.is_const else "",
        node.open,
        "broadcast" if node.broadcast else "",
        *node.qualifiers,
        "axiom" if node.axiom else "" if node.mode == "exec" else node.mode,
    ]
    text = _front(node) + " ".join(filter(None, (*words, f"fn {node.name}{_generics(node.generics)}")))
    text += f"({listed(node.parameters)})"
    if node.result is not None:
        text += f" -> {_result(node)}"
    if node.prover is not None:
        text += f" by ({node.prover})"
    text += clauses("requires", node.requires) + clauses("recommends", node.recommends)
    text += clauses("ensures", node.ensures)
    if node.returns is not None:
        text += f" returns {headed(node.returns)},"
    text += clauses("decreases", node.decreases)
    if node.when is not None:
        text += f" when {headed(node.when)}"
    if node.via is not None:
        text += f" via {node.via}"
    if node.opens_invariants:
        text += " opens_invariants any"
    return text + (" no_unwind" if node.no_unwind else "")


def _result(node: tree.Function) -> str:
    declared = show(node.result) if node.result is not None else ""
    tracked = "tracked " if node.result_tracked else ""
    if node.result_pattern is not None:
        return f"({tracked}{show(node.result_pattern)}: {declared})"
    if node.result_name is not None:
        return f"({tracked}{node.result_name}: {declared})"
    return tracked + declared


@prints(tree.Function)
def _function(node: tree.Function) -> str:
    return signature(node) + (f" {show(node.body)}" if node.body is not None else ";")


@prints(tree.Variant)
def _variant(node: tree.Variant) -> str:
    fields = []
    visibility = node.visibility or ("",) * len(node.fields)
    for (name, declared, ghostness), public in zip(node.fields, visibility, strict=True):
        text = (f"{public} " if public else "") + _ghost(ghostness)
        fields.append(text + (show(declared) if node.positional else f"{name}: {show(declared)}"))
    inside = ", ".join(fields)
    text = node.name + (f"({inside})" if node.positional else f" {{ {inside} }}" if fields else "")
    return text if node.discriminant is None else f"{text} = {expression(node.discriminant)}"


@prints(tree.Struct)
def _struct(node: tree.Struct) -> str:
    fields = show(node.variant).removeprefix(node.name)
    end = "" if fields.endswith("}") else ";"
    return f"{_front(node)}struct {node.name}{_generics(node.generics)}{fields}{end}"


@prints(tree.Enum)
def _enum(node: tree.Enum) -> str:
    return f"{_front(node)}enum {node.name}{_generics(node.generics)} {{ {listed(node.variants)} }}"


@prints(tree.Const)
def _const(node: tree.Const) -> str:
    mode = f"{node.mode} " if node.mode else ""
    text = f"{_front(node)}{mode}{'static' if node.static else 'const'} {node.name}: {show(node.type)}"
    text += clauses("ensures", node.ensures)
    if node.value is None:
        return f"{text};"
    if node.ensures and isinstance(node.value, tree.BlockExpr):
        return f"{text} {show(node.value)}"
    return f"{text} = {expression(node.value)};"


@prints(tree.Impl)
def _impl(node: tree.Impl) -> str:
    trait = f"{show(node.trait)} for " if node.trait is not None else ""
    head = f"{_front(node)}impl{_generics(node.generics)} {trait}{show(node.subject)}"
    return f"{head} {{ {' '.join(map(show, node.items))} }}"


@prints(tree.Use)
def _use(node: tree.Use) -> str:
    leaves = [_leaf(path, name) for path, name in node.leaves]
    return f"{_front(node)}use {leaves[0] if len(leaves) == 1 else '{' + ', '.join(leaves) + '}'};"


def _leaf(path: str, name: str) -> str:
    if name == "*":
        return f"{path}::*" if path else "*"
    return path if path.rpartition("::")[2] == name else f"{path} as {name}"


@prints(tree.Mod)
def _mod(node: tree.Mod) -> str:
    return f"{_front(node)}mod {node.name} {{ {' '.join(map(show, node.items))} }}"


@prints(tree.TypeAlias_)
def _alias(node: tree.TypeAlias_) -> str:
    declared = f" = {show(node.type)}" if node.type is not None else ""
    return f"{_front(node)}type {node.name}{_generics(node.generics)}{declared};"


@prints(tree.Trait)
def _trait(node: tree.Trait) -> str:
    own = tuple(generic for generic in node.generics if generic.name != "Self")
    bounds = "".join(f": {' + '.join(one.bounds)}" for one in node.generics if one.name == "Self")
    head = f"{_front(node)}trait {node.name}{_generics(own)}{bounds}"
    return f"{head} {{ {' '.join(map(show, node.items))} }}"


@prints(tree.BroadcastItem)
def _broadcast(node: tree.BroadcastItem) -> str:
    if node.name is None:
        return f"{_front(node)}broadcast use {', '.join(node.paths)};"
    return f"{_front(node)}broadcast group {node.name} {{ {', '.join(node.paths)} }}"


@prints(tree.OtherItem)
def _other(node: tree.OtherItem) -> str:
    return _front(node) + (node.text or node.what)


@prints(tree.File)
def _file(node: tree.File) -> str:
    outside = [show(item) for item in node.items if item.outside]
    inside = [show(item) for item in node.items if not item.outside]
    return "\n".join((attributes(node.attributes).strip(), *outside, "verus! {", *inside, "}")).strip()
