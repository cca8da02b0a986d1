"""Which broadcast functions a ``broadcast use`` names."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import BroadcastItem, Item, Mod, Use


def broadcast_functions(crate: Crate, module: str, paths: tuple[str, ...], place: Place) -> tuple[str, ...]:
    """Return the ids of the functions behind paths that stand in ``module``, groups opened.

    Raises:
        Unsupported: a path that names nothing known.
    """
    found: dict[str, None] = {}
    for path in paths:
        id = _resolved(crate, module, path.replace(" ", "").removeprefix("::"))
        if id is None:
            raise Unsupported(f"broadcast use of `{path}`", place)
        found.update(dict.fromkeys(_opened(crate, id, place, frozenset())))
    return tuple(found)


def module_broadcasts(crate: Crate, module: str) -> tuple[str, ...]:
    """Return what the ``broadcast use`` items of a module bring to every function in it."""
    found: dict[str, None] = {}
    for item in crate.broadcasts:
        if item.name is None and item.module == module:
            found.update(dict.fromkeys(broadcast_functions(crate, module, item.paths, item.place)))
    return tuple(found)


def _groups(crate: Crate) -> dict[str, BroadcastItem]:
    """Return the groups of the library and the program by full path."""
    items = (*crate.library.declarations.broadcast_homes, *crate.broadcasts)
    return {_joined(item.module, item.name): item for item in items if item.name is not None}


def _opened(crate: Crate, id: str, place: Place, around: frozenset[str]) -> Iterator[str]:
    """Yield the functions of a group, or the function itself."""
    group = _groups(crate).get(id)
    if group is None:
        yield id
        return
    if id in around:
        raise Unsupported(f"broadcast group `{id}` that holds itself", place)
    for path in group.paths:
        inner = _resolved(crate, group.module, path.replace(" ", "").removeprefix("::"))
        if inner is None:
            raise Unsupported(f"`{path}` in a broadcast group", place)
        yield from _opened(crate, inner, place, around | {id})


def _resolved(crate: Crate, module: str, path: str) -> str | None:
    """Return the full path of a broadcast function or group, None where there is none."""
    candidates = [_joined(module, path.removeprefix("self::")), path.removeprefix("crate::")]
    head, _, rest = path.partition("::")
    for used, name in _uses(crate, module):
        if name == "*":
            candidates.append(_joined(used, path))
        elif name == head:
            candidates.append(_joined(used, rest))
    known = dict.fromkeys(each for each in candidates if _is_broadcast(crate, each) or each in _groups(crate))
    return next(iter(known)) if len(known) == 1 else None


def _is_broadcast(crate: Crate, id: str) -> bool:
    function = crate.functions_by_id.get(id) or crate.library.functions.get(id)
    return function is not None and function.broadcast


def _uses(crate: Crate, module: str) -> Iterator[tuple[str, str]]:
    """Yield what is imported in a module of the program: full paths with the names they get there."""
    todo: list[Item] = list(crate.file.items)
    while todo:
        item = todo.pop()
        if isinstance(item, Mod):
            todo.extend(item.items)
        elif isinstance(item, Use) and item.module == module:
            for path, name in item.leaves:
                yield path.removeprefix("::").removeprefix("crate::"), name


def _joined(module: str, name: str | None) -> str:
    return "::".join(part for part in (module, name) if part)
