"""What a program may not do whatever it proves: assume its goals, hide text, or bend what the given items mean."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import WIDTHS
from rlvr_gym.verifiers.verus.newcomers import newcomers
from rlvr_gym.verifiers.verus.report import Finding
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.printer import show
from rlvr_gym.verifiers.verus.syntax.walk import children, walk

_ASSUMING = frozenset(("assume", "assume_", "admit", "unreached", "assume_new", "assume_new_fallback"))
"""Functions of the libraries that make anything true; not even their names may be passed around."""
_ESCAPES = frozenset(
    ("transmute", "transmute_copy", "unreachable_unchecked", "assert_unchecked", "abort", "zeroed")
)
_DIVERGING_MACROS = frozenset(("unimplemented", "todo", "panic"))
_TEXT_MACROS = frozenset(
    (
        "include", "include_str", "include_bytes", "cfg", "env", "option_env", "concat", "stringify", "asm", "global_asm",
        "compile_error", "module_path", "line", "file", "column", "macro_rules",
    )
)  # fmt: skip
_KNOWN_MACROS = frozenset(
    (
        "assert_by_contradiction", "assert_seqs_equal", "assert_sets_equal", "assert_maps_equal",
        "assert_multisets_equal",
    )
)  # fmt: skip
_TRUSTING_ATTRIBUTES = frozenset(
    ("verifier::assume_termination", "verifier::broadcast_forall", "verifier::admit")
)
_DECLARING = (
    tree.Struct,
    tree.Enum,
    tree.Trait,
    tree.TypeAlias_,
    tree.Const,
    tree.Variant,
    tree.Mod,
    tree.Generic,
)
_NAMING = frozenset((*_DECLARING, tree.Attribute, tree.MacroCall, tree.OtherItem, tree.Function))
_STRAIGHT = (
    tree.BlockExpr, tree.ExprStatement, tree.Call, tree.MethodCall, tree.Return, tree.Binary, tree.Unary, tree.TupleExpr,
    tree.Cast, tree.Assign, tree.Proof, tree.Borrow, tree.Field, tree.Index, tree.StructLit, tree.ArrayLit,
)  # fmt: skip
"""Nodes whose every part runs, in order."""
NO_DECREASES = "verifier::exec_allows_no_decreases_clause"
_KNOWN_ATTRIBUTES = frozenset(
    (
        "trigger", "auto", "all_triggers", "derive", "allow", "warn", "deny", "inline", "doc", "must_use", "cold",
        "verifier::loop_isolation", "verifier::spinoff_prover", "verifier::rlimit", "verifier::memoize",
        "verifier::decreases_by", "via_fn",
        "verifier::opaque", "verifier::inline", "verifier::truncate", "verifier::ext_equal", NO_DECREASES,
        "verifier::reject_recursive_types", "verifier::accept_recursive_types",
        "verifier::reject_recursive_types_in_ground_variants",
    )
)  # fmt: skip
_TELLING = frozenset(
    (
        tree.Trait, tree.Function, tree.OtherItem, tree.Use, tree.Attribute, tree.Assume, tree.PathExpr, tree.Call,
        tree.MethodCall, tree.MacroCall, tree.Other,
    )
)  # fmt: skip
"""Classes of nodes that can be a cheat."""

_PRELUDE = frozenset(
    (
        "Seq", "Set", "Map", "Multiset", "ISet", "IMap", "Vec", "Option", "Some", "None", "Result", "Ok", "Err", "Box",
        "String", "int", "nat", "Ghost", "Tracked", "View", "DeepView", "old", "final", "bool", "char", "str",
        "Clone", "Copy", "PartialEq", "Eq", *WIDTHS,
    )
)  # fmt: skip
"""Types and constructors that this checker reads as the libraries' own wherever they stand."""
_BUILTIN = frozenset(("old", "final", "arbitrary", "forall", "exists", "choose", "assert", "assume", "admit"))


def scan(file: tree.File, given: tree.File | None = None) -> list[Finding]:
    """Return what in ``file`` is a cheat; ``given`` is the program that it should complete.

    Raises:
        Rejected: There is no ``verus!`` block, so nothing would be verified.
        Unsupported: Nothing is a cheat, but something stands there whose effect is not known: a macro, an attribute, a
            second block of a program that has no given part.
    """
    found = list(_findings(file))
    if given is not None:
        found += newcomers(file, given)
        if file.macros > 1:
            found.append(Finding("a second `verus!` block", file.place))
    found.sort(key=lambda finding: (finding.place.line, finding.place.column))
    if not found:
        _refuse_unknown(file)
    return found


# ---------------------------------------------------------------- single nodes


def _findings(file: tree.File) -> Iterator[Finding]:
    for attribute in file.attributes:
        yield from _attribute(attribute, "")
    for item in file.items:
        yield from _item(item)


def _item(item: tree.Item) -> Iterator[Finding]:
    """Yield the cheats of an item and of all below it, items inside of functions included."""
    function = ""
    declared: set[int] = set()
    for node in walk(item):
        if type(node) not in _TELLING:
            continue
        if isinstance(node, tree.Trait):
            # Functions of a trait may stand without a body: whoever implements it proves them.
            declared |= {id(inner) for inner in node.items}
        elif isinstance(node, tree.Function):
            function = node.name
            yield from _function(node, declared=id(node) in declared)
        elif isinstance(node, tree.OtherItem):
            yield from _other_item(node)
        elif isinstance(node, tree.Use):
            for path, _ in node.leaves:
                if path.rpartition("::")[2] in _ASSUMING | _ESCAPES:
                    yield Finding(f"`use {path}`", node.place)
        else:
            yield from _node(node, function, outside=item.outside)


def _function(item: tree.Function, *, declared: bool) -> Iterator[Finding]:
    if item.axiom:
        yield Finding("an axiom", item.place, function=item.name)
    if item.body is None and not declared and item.mode != "exec" and item.open != "uninterp":
        yield Finding(f"a {item.mode} function without a body", item.place, function=item.name)
    if item.open == "uninterp" and (item.ensures or item.returns is not None or item.mode != "spec"):
        yield Finding("an uninterpreted function with a contract", item.place, function=item.name)
    for word in item.qualifiers:
        if word == "unsafe" or word.startswith("extern"):
            yield Finding(f"`{word}`", item.place, function=item.name)
    if item.outside or item.body is None or item.mode == "spec":
        return
    if (call := _calls_itself_always(item)) is not None:
        yield Finding("a function that does nothing but call itself", call.place, function=item.name)
    if not (
        item.ensures or item.returns is not None or (item.result is not None and show(item.result) == "!")
    ):
        # Nothing follows from a function that promises nothing, whether it returns or not.
        return
    for node in walk(item.body):
        if isinstance(node, tree.Loop | tree.While) and _runs_forever(node):
            yield Finding("a loop that never ends", node.place, function=item.name)


def _other_item(item: tree.OtherItem) -> Iterator[Finding]:
    if item.outside and "macro_rules" not in item.what:
        return
    for word in ("assume_specification", "macro_rules", "extern", "unsafe", *_TEXT_MACROS):
        if f"`{word}`" in item.what or f"`{word} " in item.what or f" `{word}!`" in item.what:
            yield Finding(item.what, item.place)
            return


def _node(node: tree.Node, function: str, *, outside: bool) -> Iterator[Finding]:
    """Yield the cheat that ``node`` itself is; outside of the macro only what changes how the inside is read counts."""
    if isinstance(node, tree.Attribute):
        yield from _attribute(node, function)
    elif outside:
        return
    elif isinstance(node, tree.Assume):
        yield Finding(
            "`admit()`" if node.condition is None else "`assume(..)`", node.place, function=function
        )
    elif isinstance(node, tree.PathExpr):
        name = node.segments[-1].name
        if name in _ASSUMING or (name in _ESCAPES and len(node.segments) > 1):
            yield Finding(f"`{name}`", node.place, function=function)
    elif isinstance(node, tree.Call) and isinstance(node.callee, tree.PathExpr):
        name = node.callee.segments[-1].name
        if name in _ESCAPES and len(node.callee.segments) == 1:
            yield Finding(f"`{name}`", node.place, function=function)
    elif isinstance(node, tree.MethodCall) and node.name in _ASSUMING:
        yield Finding(f"`{node.name}`", node.place, function=function)
    elif isinstance(node, tree.MacroCall):
        name = node.name.rpartition("::")[2]
        if name in _DIVERGING_MACROS or name in _TEXT_MACROS:
            yield Finding(f"`{name}!`", node.place, function=function)
    elif isinstance(node, tree.Other) and "unsafe" in node.what:
        yield Finding("`unsafe`", node.place, function=function)


def _attribute(attribute: tree.Attribute, function: str) -> Iterator[Finding]:
    path = attribute.path
    name = path.rpartition("::")[2]
    if (
        path in ("cfg", "cfg_attr")
        or path in _TRUSTING_ATTRIBUTES
        or (path.startswith("verifier::") and name.startswith("external"))
    ):
        yield Finding(f"`#[{path}]`", attribute.place, function=function)


# ---------------------------------------------------------------- functions that never return


def _calls_itself_always(item: tree.Function) -> tree.Call | tree.MethodCall | None:
    """Return the call of itself that every run of the function's body makes, if there is one."""
    if item.decreases or item.body is None:
        return None
    for node in _certain(item.body):
        if isinstance(node, tree.Call) and isinstance(node.callee, tree.PathExpr):
            segments = node.callee.segments
            if segments[-1].name == item.name and (len(segments) == 1 or segments[-2].name == "Self"):
                return node
        if isinstance(node, tree.MethodCall) and node.name == item.name:
            receiver = node.receiver
            if isinstance(receiver, tree.PathExpr) and receiver.segments[0].name == "self":
                return node
    return None


def _certain(node: tree.Node) -> Iterator[tree.Node]:
    """Yield ``node`` and the nodes below it that run whenever it does."""
    yield node
    below: list[tree.Node] = []
    if isinstance(node, tree.Binary) and node.op in ("&&", "||", "==>", "<=="):
        below = [node.left]
    elif isinstance(node, tree.Let):
        below = [node.value] if node.value is not None else []
    elif isinstance(node, tree.IfExpr):
        below = [node.condition]
    elif isinstance(node, tree.MatchExpr):
        below = [node.scrutinee]
    elif isinstance(node, _STRAIGHT):
        below = children(node)
    for child in below:
        yield from _certain(child)
        if any(isinstance(one, tree.Return | tree.Try | tree.Break | tree.Continue) for one in walk(child)):
            return


def _runs_forever(loop: tree.Loop | tree.While) -> bool:
    """Return whether nothing in a loop without a condition leaves it."""
    if isinstance(loop, tree.While) and not (
        isinstance(loop.condition, tree.BoolLit) and loop.condition.value
    ):
        return False
    waiting: list[tuple[tree.Node, bool]] = [(loop.body, False)]
    while waiting:
        node, nested = waiting.pop()
        if isinstance(node, tree.Return | tree.Try):
            return False
        if isinstance(node, tree.Break) and (not nested or node.label is not None):
            return False
        inner = nested or isinstance(node, tree.Loop | tree.While | tree.For)
        waiting += [(child, inner) for child in children(node)]
    return True


# ---------------------------------------------------------------- what is not known


def _refuse_unknown(file: tree.File) -> None:
    """Refuse what could change the meaning of the program in ways that no later stage looks at."""
    if file.macros == 0:
        raise Rejected("there is no `verus!` block", file.place)
    if file.macros > 1:
        raise Unsupported("more than one `verus!` block", file.place)
    types: set[str] = set()
    for item in file.items:
        if not item.outside:
            types |= _refuse_inside(item)
    for item in file.items:
        if item.outside:
            _refuse_outside(item, types)
    for attribute in file.attributes:
        if attribute.path not in _KNOWN_ATTRIBUTES and not attribute.path.startswith(("feature", "crate_")):
            raise Unsupported(f"attribute `{attribute.path}`", attribute.place)


def _refuse_inside(item: tree.Item) -> set[str]:
    """Refuse what is not known in an item inside of the macro, and return the types that it declares."""
    types: set[str] = set()
    for node in walk(item):
        if type(node) not in _NAMING:
            continue
        if isinstance(node, tree.Attribute) and node.path not in _KNOWN_ATTRIBUTES:
            raise Unsupported(f"attribute `{node.path}`", node.place)
        if isinstance(node, tree.MacroCall) and node.name not in _KNOWN_MACROS:
            raise Unsupported(f"macro `{node.name}!`", node.place)
        if isinstance(node, tree.OtherItem):
            raise Unsupported(node.what, node.place)
        if isinstance(node, _DECLARING) and node.name in _PRELUDE:
            raise Unsupported(f"a declaration of `{node.name}`, a name of the prelude", node.place)
        if isinstance(node, tree.Function) and node.name in _BUILTIN:
            raise Unsupported(f"a function called `{node.name}`, which has a meaning of its own", node.place)
        if isinstance(node, tree.Struct | tree.Enum):
            types.add(node.name)
    return types


def _refuse_outside(item: tree.Item, types: set[str]) -> None:
    """Refuse an item outside of the macro that reaches into it."""
    for node in walk(item):
        if isinstance(node, tree.Attribute) and ("verus" in node.path or "verifier" in node.path):
            raise Unsupported(f"attribute `{node.path}` outside of `verus!`", node.place)
        if isinstance(node, tree.MacroCall) and "verus" in node.name:
            raise Unsupported(f"macro `{node.name}!` outside of `verus!`", node.place)
        if isinstance(node, tree.OtherItem) and "macro" in node.what:
            raise Unsupported(f"{node.what} outside of `verus!`", node.place)
        if isinstance(node, tree.Impl) and show(node.subject).partition("<")[0] in types:
            raise Unsupported("an `impl` outside of `verus!` on a type inside", node.place)
