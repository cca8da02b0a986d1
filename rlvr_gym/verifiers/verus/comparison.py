"""Whether a solution still says what the given program says: every given item once, unchanged, its holes filled in."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator

from rlvr_gym.verifiers.verus.erasure import erased
from rlvr_gym.verifiers.verus.given import Entry, Key, entries
from rlvr_gym.verifiers.verus.report import Finding, Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.printer import show, signature
from rlvr_gym.verifiers.verus.syntax.types import LIBRARY_ROOTS
from rlvr_gym.verifiers.verus.syntax.walk import walk

_STUB_MACROS = frozenset(("unimplemented", "todo"))
_STUB_ATTRIBUTES = frozenset(("verifier::external_body",))
# Attributes that say how to search for a proof and change nothing that is proved.
_SEARCH_ATTRIBUTES = frozenset(("verifier::loop_isolation", "verifier::spinoff_prover", "verifier::rlimit"))


def compare(given: tree.File, solution: tree.File, hole: str | None = None) -> list[Finding]:
    """Return where ``solution`` does not contain ``given`` unchanged; an empty list when it does.

    Args:
        given: The program with holes: functions whose body is a stub.
        solution: The program with its holes filled in and perhaps more items.
        hole: The name of a function whose body may be anything although it is given.
    """
    present: dict[Key, list[Entry]] = defaultdict(list)
    for entry in entries(solution.items):
        if not entry.item.outside:
            present[entry.key].append(entry)
    found = [*_file_attributes(given, solution), *_imports(given, solution)]
    for entry in entries(given.items):
        if not entry.item.outside:
            found += _compared(entry, present[entry.key], hole, solution.place)
    return found


def _compared(entry: Entry, present: list[Entry], hole: str | None, whole: Place) -> Iterator[Finding]:
    """Yield what became of one given item."""
    key, item = entry.key, entry.item
    label = f"the given `{key}`"
    if not present:
        yield Finding(f"{label} is missing", whole, item.place, key.name)
    elif len(present) > 1:
        yield Finding(f"{label} is there {len(present)} times", present[1].item.place, item.place, key.name)
    else:
        changed = _changed(item, present[0].item, hole)
        if changed:
            yield Finding(f"{label} has another {changed}", present[0].item.place, item.place, key.name)


def _changed(given: tree.Item, solution: tree.Item, hole: str | None) -> str:
    """Return the part in which an item differs, or nothing."""
    if not isinstance(given, tree.Function) or not isinstance(solution, tree.Function):
        return "" if show(given) == show(solution) else "definition"
    if _contract(given, given) != _contract(solution, given):
        return "signature or contract"
    # A specification may bear the name of the function to be written; it is no less given for that.
    if (given.name == hole and given.mode != "spec") or is_hole(given):
        return "" if solution.body is not None else "body: it has none"
    if given.mode == "proof" and given.body is not None:
        return "" if solution.body is not None else "body: it has none"
    if given.mode == "spec" or given.body is None or solution.body is None:
        return "" if _body(given) == _body(solution) else "body"
    return "" if show(erased(given.body)) == show(erased(solution.body)) else "code"


def _body(function: tree.Function) -> str:
    return show(function.body) if function.body is not None else ""


def _contract(function: tree.Function, given: tree.Function) -> str:
    """Return all of ``function`` but its body, without what a solution is free to add to ``given``."""
    free = _SEARCH_ATTRIBUTES - {attribute.path for attribute in given.attributes}
    attributes = tuple(
        attribute
        for attribute in function.attributes
        if attribute.path not in free and attribute.path not in _STUB_ATTRIBUTES
    )
    decreases = function.decreases
    if function.mode != "spec" and not given.decreases:
        # A measure is part of the proof that the body ends.
        decreases = ()
    return signature(dataclasses.replace(function, attributes=attributes, decreases=decreases))


def is_hole(function: tree.Function) -> bool:
    """Return whether the body of a given function only stands for one that is to be written."""
    if any(attribute.path in _STUB_ATTRIBUTES for attribute in function.attributes):
        return True
    if function.body is None:
        return False
    body = function.body
    if function.mode != "spec" and not body.statements and body.tail is None:
        return True
    for node in walk(body):
        if isinstance(node, tree.MacroCall) and node.name in _STUB_MACROS:
            return True
        if isinstance(node, tree.Assume):
            condition = node.condition
            if condition is None or (isinstance(condition, tree.BoolLit) and not condition.value):
                return True
    return False


def _file_attributes(given: tree.File, solution: tree.File) -> Iterator[Finding]:
    """Yield ``#![..]`` that were dropped or added."""
    before = {show(attribute) for attribute in given.attributes if attribute.path != "allow"}
    after = {show(attribute): attribute for attribute in solution.attributes if attribute.path != "allow"}
    for text in sorted(before - after.keys()):
        yield Finding(f"the given `{text}` is missing", solution.place)
    for text, attribute in after.items():
        if text not in before and attribute.path not in _SEARCH_ATTRIBUTES:
            yield Finding(f"`{text}` was added", attribute.place)


def _imports(given: tree.File, solution: tree.File) -> Iterator[Finding]:
    """Yield imports that were dropped: without one, a glob import may give its name another meaning."""
    before, after = _leaves(given), _leaves(solution)
    # Where everything comes from the libraries there is nothing else that a name could mean.
    only_libraries = all(path.partition("::")[0] in LIBRARY_ROOTS for _, path, _ in before)
    for module, path, name in sorted(before.keys() - after.keys()):
        if not (only_libraries and name == "*"):
            place = before[module, path, name]
            yield Finding(f"the given `use {path}` is missing", solution.place, place, name)


def _leaves(file: tree.File) -> dict[tuple[str, str, str], Place]:
    """Return the imports of a program: the module they stand in, the path and the name."""
    uses = [node for item in file.items for node in walk(item) if isinstance(node, tree.Use)]
    return {(use.module, path, name): use.place for use in uses for path, name in use.leaves}


def stub(source: str, function: str) -> str:
    """Return the program ``source`` with the body of ``function`` replaced by ``{ unimplemented!() }``.

    Raises:
        KeyError: No function with a body is called so.
    """
    for entry in entries(parse(source).items):
        item = entry.item
        if isinstance(item, tree.Function) and item.name == function and item.body is not None:
            place = item.body.place
            lines = source.split("\n")
            head, tail = lines[: place.line - 1], lines[place.end_line :]
            first = lines[place.line - 1][: place.column - 1]
            last = lines[place.end_line - 1][place.end_column - 1 :]
            return "\n".join((*head, f"{first}{{ unimplemented!() }}{last}", *tail))
    raise KeyError(function)
