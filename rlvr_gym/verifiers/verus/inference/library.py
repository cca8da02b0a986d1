"""The model of the libraries: read from its files once in a process, inferred function by function as it is used."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from importlib import resources

from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.declare import Declarations, is_opaque
from rlvr_gym.verifiers.verus.inference.functions import infer_function
from rlvr_gym.verifiers.verus.inference.handlers import HANDLERS
from rlvr_gym.verifiers.verus.inference.names import Names, Scope, VariantEntry
from rlvr_gym.verifiers.verus.inference.typenames import TypeReader
from rlvr_gym.verifiers.verus.inference.types import MACHINE
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.tree import Const, Enum, File, Function, Impl, Item, Mod, Struct

_TEMPLATE = "$Int"


class Library:
    """Declarations by id. A function's contract is inferred the first time that it is asked for."""

    def __init__(self, declarations: Declarations, crate: Crate) -> None:
        assert HANDLERS, "functions are inferred by handlers that their modules register"
        self.declarations = declarations
        self._crate = crate
        crate.library = self
        self.functions: dict[str, Function] = declarations.functions
        """All functions, with signatures; use `function` for one whose contract is needed."""
        self.datatypes: dict[str, Struct | Enum] = declarations.datatypes
        """Opaque ones (`is_opaque`) have no constructors."""
        self.consts: dict[str, Const] = declarations.consts
        self._inferred: set[str] = set()
        self._lock = threading.RLock()

    def function(self, id: str) -> Function:
        """Return a function with everything in it inferred."""
        found = self.functions[id]
        if id not in self._inferred:
            with self._lock:
                if id not in self._inferred:
                    found.locals.clear()
                    infer_function(found, self.declarations, self._crate)
                    self._inferred.add(id)
        return found

    def axioms(self) -> tuple[Function, ...]:
        """Return the broadcast axioms and lemmas, in the order of the files; contracts come with `function`."""
        return self._axioms

    @functools.cached_property
    def _axioms(self) -> tuple[Function, ...]:
        return tuple([item for item in self.functions.values() if item.broadcast])

    @staticmethod
    def is_opaque(datatype: Struct | Enum) -> bool:
        """Return whether ``datatype`` has no constructors: `Seq`, `Vec`, ..."""
        return is_opaque(datatype)


@functools.cache
def library() -> Library:
    """Return the library of this process."""
    root = Scope("", library=True)
    names = Names(root, {}, Scope("", library=True))
    declarations = Declarations(names, TypeReader(names), None)
    items = [item for file in _files() for item in file.items]
    for item in _walk(items):
        item.library = True
    _open_prelude(items, names.prelude)
    # Inside of the library everything is reached from the root, whose modules are the crates.
    names.extern = _Crates(root)
    declarations.declare(items, root)
    _unite(root)
    crate = Crate(File(()), "current", library=None)  # type: ignore[arg-type]  # set by `Library`
    prelude = Scope("vstd::prelude", library=True, types=names.prelude.types, values=names.prelude.values)
    vstd = root.types["vstd"]
    assert isinstance(vstd, Scope)
    vstd.types.setdefault("prelude", prelude)
    return Library(declarations, crate)


def _unite(root: Scope) -> None:
    """Let ``core``, ``alloc`` and ``std`` be one crate by three names: ``std`` hands on what the others have."""
    std = root.types["std"]
    assert isinstance(std, Scope)
    for name in ("core", "alloc"):
        other = root.types.get(name)
        if isinstance(other, Scope):
            for inner, entry in other.types.items():
                std.types.setdefault(inner, entry)
        root.types[name] = std


class _Crates(dict[str, Scope]):
    """The crates of the library by name, as they get declared."""

    def __init__(self, root: Scope) -> None:
        super().__init__()
        self._root = root

    def get(self, name: str, default: Scope | None = None) -> Scope | None:  # type: ignore[override]
        """Return the crate of that name."""
        found = self._root.types.get(name)
        return found if isinstance(found, Scope) else default

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None


def _files() -> Iterator[File]:
    folder = resources.files("rlvr_gym.verifiers.verus.library")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not entry.name.endswith(".rs"):
            continue
        text = entry.read_text(encoding="utf-8")
        if _TEMPLATE in text:
            for name in MACHINE:
                yield parse(f"mod core {{ mod num {{ {text.replace(_TEMPLATE, name)} }} }}", library=True)
        else:
            yield parse(text, library=True)


def _walk(items: list[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        if isinstance(item, Mod | Impl):
            yield from _walk(list(item.items))


def _open_prelude(items: list[Item], prelude: Scope) -> None:
    """Make the items marked ``#[prelude]`` known everywhere."""
    for item in _walk(items):
        if not any(attribute.path == "prelude" for attribute in item.attributes):
            continue
        if isinstance(item, Function | Const):
            prelude.values[item.name] = item
        elif isinstance(item, Struct | Enum):
            prelude.types[item.name] = item
            if item.name in ("Option", "Result") and isinstance(item, Enum):
                for variant in item.variants:
                    prelude.values[variant.name] = VariantEntry(item, variant)
