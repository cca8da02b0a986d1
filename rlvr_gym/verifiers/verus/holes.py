"""Given programs made from whole ones: a body or a proof taken out, everything else left as it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rlvr_gym.verifiers.verus.comparison import is_hole
from rlvr_gym.verifiers.verus.erasure import is_ghost
from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.given import Entry, entries
from rlvr_gym.verifiers.verus.report import NOWHERE, Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.printer import show
from rlvr_gym.verifiers.verus.syntax.walk import walk

STUB = "{ unimplemented!() }"


def hole_of(given: str) -> str:
    """Return the name of the function of a given program that is to be written or proved.

    That is its one hole; where there is none, or several, the last compiled function but ``main``.

    Raises:
        Rejected: it does not parse, or has no compiled function.
        Unsupported: it is outside the grammar.
    """
    found = list(_compiled(parse(given)))
    holes = [item for item in found if is_hole(item)]
    if len(holes) == 1:
        return holes[0].name
    if not found:
        raise Rejected("no function to fill in", NOWHERE)
    return found[-1].name


def without_body(source: str, function: str = "") -> str:
    """Return ``source`` with the body of a function replaced by a stub, and without the lemmas that proved it.

    Args:
        source: A whole program.
        function: Its name; the last compiled one but ``main`` when empty.

    Raises:
        Rejected: it does not parse, or has no such function.
        Unsupported: it is outside the grammar.
    """
    return _rewritten(source, function, _emptied)


def _emptied(item: tree.Function) -> Iterator[tuple[Place, str]]:
    assert item.body is not None, "only functions with a body are chosen"
    yield item.body.place, STUB


def without_proof(source: str, function: str = "") -> str:
    """Return ``source`` without invariants, assertions, proof blocks and ghost variables of a function, and without lemmas.

    Raises:
        Rejected: it does not parse, or has no such function.
        Unsupported: it is outside the grammar.
    """
    return _rewritten(source, function, _bare)


def _bare(item: tree.Function) -> Iterator[tuple[Place, str]]:
    """Yield the edits that take the ghost parts out of a function's body."""
    assert item.body is not None, "only functions with a body are chosen"
    for node in walk(item.body):
        if isinstance(node, tree.BlockExpr):
            inside = [*node.statements, *([node.tail] if node.tail is not None else [])]
            yield from ((one.place, "") for one in inside if is_ghost(one))
        elif isinstance(node, tree.While | tree.Loop | tree.For) and node.clauses.place.line:
            yield node.clauses.place, ""


def canonical_form(source: str) -> str:
    """Return a program in one spacing and without comments: equal for programs that differ in nothing else.

    Raises:
        Rejected: it does not parse.
        Unsupported: it is outside the grammar.
    """
    return "\n".join(show(item) for item in parse(source).items if not isinstance(item, tree.Use))


def _rewritten(
    source: str, function: str, edits_of: Callable[[tree.Function], Iterator[tuple[Place, str]]]
) -> str:
    file = parse(source)
    found = [item for item in _compiled(file) if not function or item.name == function]
    if not found:
        raise Rejected(
            f"no compiled function is called `{function}`" if function else "no function to fill in", NOWHERE
        )
    edits = list(edits_of(found[-1]))
    edits += [(_whole(lemma), "") for lemma in _functions(file) if lemma.mode == "proof"]
    return _edited(source, edits)


def _functions(file: tree.File) -> Iterator[tree.Function]:
    found: Iterable[Entry] = entries(file.items)
    return (entry.item for entry in found if isinstance(entry.item, tree.Function) and not entry.item.outside)


def _compiled(file: tree.File) -> Iterator[tree.Function]:
    return (
        item
        for item in _functions(file)
        if item.mode == "exec" and item.body is not None and item.name != "main"
    )


def _whole(item: tree.Function) -> Place:
    """Return where an item stands, its attributes included."""
    starts = [item.place, *(attribute.place for attribute in item.attributes)]
    first = min(starts, key=lambda place: (place.line, place.column))
    return Place(first.line, first.column, item.place.end_line, item.place.end_column)


def _edited(source: str, edits: list[tuple[Place, str]]) -> str:
    """Return ``source`` with the text at each place replaced."""
    lines = source.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - 1

    spans = sorted(
        (offset(place.line, place.column), offset(place.end_line, place.end_column), text)
        for place, text in edits
    )
    kept: list[tuple[int, int, str]] = []
    for span in spans:
        # What lies inside another edit goes with it.
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    for start, end, text in reversed(kept):
        source = source[:start] + text + source[end:]
    return "\n".join(line for line, stays in _blank_lines(source.split("\n")) if stays)


def _blank_lines(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line with whether it stays: of several empty ones in a row the first."""
    before = ""
    for line in lines:
        yield line, bool(line.strip() or before.strip())
        before = line
