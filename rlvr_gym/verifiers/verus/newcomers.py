"""What a solution adds to the given program: it may say more, and may not change what is already said."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.given import Entry, Key, Mentions, Named, entries, head, mentioned
from rlvr_gym.verifiers.verus.report import Finding, Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.printer import show
from rlvr_gym.verifiers.verus.syntax.types import LIBRARY_ROOTS
from rlvr_gym.verifiers.verus.syntax.walk import walk

_OWN_ROOTS = frozenset(("crate", "self", "super"))
# Methods that Verus calls where an operator is written: `x@`, `a[i]`, `a + b` of specifications.
_OPERATOR_METHODS = ("view", "deep_view")
_NO_DECREASES = "verifier::exec_allows_no_decreases_clause"


def newcomers(file: tree.File, given: tree.File) -> Iterator[Finding]:
    """Yield what ``file`` adds to ``given`` and may not."""
    yield from _outside(file, given)
    nodes, before = _inside(file), _inside(given)
    yield from _attributes(_permissions(file, nodes), _permissions(given, before))
    taken = mentioned(given)
    types = _types(before)
    own = _types(nodes) - types
    known = {entry.key for entry in entries(given.items)}
    for entry in entries(file.items):
        if not entry.item.outside and entry.key not in known:
            yield from _added(entry, taken, own)
    yield from _modules(nodes, before, taken)
    yield from _uses(file, given, nodes, before, taken)
    yield from _impls(nodes, before, own)
    yield from _inner_items(nodes, before, taken, own)


def _inside(file: tree.File) -> list[tree.Node]:
    """Return every node inside of the macro."""
    return [node for item in file.items if not item.outside for node in walk(item)]


def _types(nodes: list[tree.Node]) -> set[str]:
    return {node.name for node in nodes if isinstance(node, tree.Struct | tree.Enum)}


def _outside(file: tree.File, given: tree.File) -> Iterator[Finding]:
    """Yield items outside of the macro that were not given; ``use`` and an empty ``main`` are free."""
    allowed = {show(item) for item in given.items if item.outside}
    for item in file.items:
        if not item.outside or isinstance(item, tree.Use) or show(item) in allowed:
            continue
        if show(item) not in ("fn main() { }", "pub fn main() { }"):
            yield Finding("text outside of `verus!` that was not given", item.place)


# ---------------------------------------------------------------- permission to run forever


def _attributes(found: dict[str, Place], allowed: dict[str, Place]) -> Iterator[Finding]:
    for function, place in found.items():
        if function not in allowed and "" not in allowed:
            yield Finding(f"`#[{_NO_DECREASES}]` was added", place, function=function)


def _permissions(file: tree.File, nodes: list[tree.Node]) -> dict[str, Place]:
    """Return the items that may run forever with the place that says so; ``""`` stands for all of them."""
    found: dict[str, Place] = {}
    for attribute in file.attributes:
        if attribute.path == _NO_DECREASES:
            found[""] = attribute.place
    owners = {id(item): node for node in nodes if isinstance(node, tree.Impl) for item in node.items}
    label = ""
    for node in nodes:
        if isinstance(node, tree.ItemNode):
            owner = owners.get(id(node))
            # A method of a new type may bear the name of a given function.
            label = _label(node) if owner is None else f"{head(owner)}::{_label(node)}"
        elif isinstance(node, tree.Attribute) and node.path == _NO_DECREASES:
            found[label] = node.place
    return found


def _label(item: tree.ItemNode) -> str:
    if isinstance(item, tree.Impl):
        name = head(item)
    elif isinstance(item, tree.Function | tree.Mod | tree.Trait):
        name = item.name
    else:
        name = type(item).__name__
    return f"{item.module}::{name}"


# ---------------------------------------------------------------- names


def _added(entry: Entry, taken: Mentions, own: set[str]) -> Iterator[Finding]:
    """Yield what is wrong with a new item; ``own`` are the types that the solution declares itself."""
    item, key = entry.item, entry.key
    if isinstance(item, tree.Function) and item.open == "uninterp":
        yield Finding("an uninterpreted function that was not given", item.place, function=item.name)
    for name in sorted(_taken(item, key, taken, own)):
        yield Finding(f"`{name}` is a name that the given program uses", item.place, function=name)


def _taken(item: Named, key: Key, taken: Mentions, own: set[str]) -> set[str]:
    """Return the names of a new item that the given program leans on."""
    if key.owner:
        subject = key.owner.rpartition(" ")[2].partition("<")[0]
        if subject in own or " for " in key.owner:
            return set()
        implicit = key.name in _OPERATOR_METHODS or key.name.startswith("spec_")
        return {key.name} if implicit or key.name in taken.members | taken.names else set()
    found = {key.name} & taken.names if key.space in ("value", "type") else set()
    if isinstance(item, tree.Trait):
        methods = {inner.name for inner in item.items if isinstance(inner, tree.Function)}
        found |= methods & (taken.members | taken.names)
        found |= {name for name in methods if name in _OPERATOR_METHODS or name.startswith("spec_")}
    if isinstance(item, tree.Enum):
        found |= {variant.name for variant in item.variants} & {"Some", "None", "Ok", "Err"}
    return found


def _modules(nodes: list[tree.Node], before: list[tree.Node], taken: Mentions) -> Iterator[Finding]:
    known = {node.name for node in before if isinstance(node, tree.Mod)}
    for node in nodes:
        if isinstance(node, tree.Mod) and node.name not in known and node.name in taken.names:
            yield Finding(f"`{node.name}` is a name that the given program uses", node.place)


def _uses(
    file: tree.File, given: tree.File, nodes: list[tree.Node], before: list[tree.Node], taken: Mentions
) -> Iterator[Finding]:
    """Yield new imports that give a name of the given program another meaning."""
    modules = {node.name for node in nodes if isinstance(node, tree.Mod)} | _OWN_ROOTS
    # An import is known where it stood: in another module it may outrank a glob import of what is given there.
    known = {(use.module, *leaf) for use in _all_uses(given, before) for leaf in use.leaves}
    # A name that comes from a glob import of the given program may be imported by itself, one it declares may not.
    declared = {name for _, _, name in known} | {entry.key.name for entry in entries(given.items)}
    for use in _all_uses(file, nodes):
        for path, name in use.leaves:
            if (use.module, path, name) in known:
                continue
            root, own = path.partition("::")[0], path.rpartition("::")[2]
            if name == "*":
                wrong = root not in LIBRARY_ROOTS and root not in modules
            elif root in LIBRARY_ROOTS and name == own:
                wrong = name in declared
            else:
                wrong = name in taken.names or name in taken.members
            if wrong:
                yield Finding(f"`use {path}` gives `{name}` another meaning", use.place)


def _all_uses(file: tree.File, nodes: list[tree.Node]) -> Iterator[tree.Use]:
    for item in file.items:
        if item.outside and isinstance(item, tree.Use):
            yield item
    for node in nodes:
        if isinstance(node, tree.Use):
            yield node


# ---------------------------------------------------------------- impls and inner items


def _impls(nodes: list[tree.Node], before: list[tree.Node], own: set[str]) -> Iterator[Finding]:
    """Yield new trait impls on types that are not new."""
    known = {head(item) for item in before if isinstance(item, tree.Impl)}
    for item in nodes:
        if not isinstance(item, tree.Impl) or item.trait is None:
            continue
        subject = show(item.subject).partition("<")[0]
        if head(item) not in known and subject not in own:
            yield Finding(f"an `impl` of a trait for `{subject}`, which is not new", item.place)


def _inner_items(
    nodes: list[tree.Node], before: list[tree.Node], taken: Mentions, own: set[str]
) -> Iterator[Finding]:
    """Yield items inside of functions that take a name of the given program."""
    known = {show(node) for node in before if isinstance(node, tree.ItemStatement)}
    for node in nodes:
        if isinstance(node, tree.ItemStatement) and show(node) not in known:
            for entry in entries((node.item,)):
                yield from _added(entry, taken, own)
