"""From types as written to types as inference sees them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.bounds import check_size
from rlvr_gym.verifiers.verus.inference.crate import names as parameter_names
from rlvr_gym.verifiers.verus.inference.names import Names, Scope, Unmodelled, VariantEntry
from rlvr_gym.verifiers.verus.inference.types import (
    BOOL,
    CHAR,
    INT,
    MACHINE,
    NAT,
    NEVER,
    UNIT,
    Type,
    parameter,
    substituted,
)
from rlvr_gym.verifiers.verus.inference.visibility import check_item
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    Const,
    Enum,
    Expr,
    Generic,
    IntLit,
    PathExpr,
    Segment,
    Struct,
    Trait,
    TypeAlias_,
    TypeArray,
    TypeExpr,
    TypeFn,
    TypeOther,
    TypePath,
    TypeRef,
    TypeSlice,
    TypeTuple,
)

BUILT_IN: dict[str, Type] = {"int": INT, "nat": NAT, "bool": BOOL, "char": CHAR, "!": NEVER, **MACHINE}
"""Types without arguments that every scope knows."""
WRAPPERS = frozenset(("Box", "Ghost", "Tracked"))
"""Built-in types with one argument."""
_MOST_ALIASES = 32
_MOST_READS = 100_000


@dataclass(slots=True)
class Home:
    """Where a type is written: what its names may mean."""

    scope: Scope
    generics: tuple[Generic, ...] = ()
    self_type: Type | None = None
    associated: dict[str, Type] = field(default_factory=dict)
    """Associated types of the impl around it: ``Self::V``."""

    def generic(self, name: str) -> Generic | None:
        """Return the parameter of that name."""
        for generic in self.generics:
            if generic.name == name:
                return generic
        return None


@dataclass(slots=True)
class TypeReader:
    """Reads types in one program."""

    names: Names
    spent: int = 0

    def read(
        self, written: TypeExpr, home: Home, fresh: Callable[[], Type] | None = None, hops: int = 0
    ) -> Type:
        """Return the type that is written.

        Args:
            written: The type expression.
            home: Where it stands.
            fresh: Makes a variable for ``_`` and for arguments left out; None where both must be written.
            hops: How many aliases have led here.

        Raises:
            Rejected: an unknown name, a wrong number of arguments.
            Unsupported: a type outside the subset.
        """
        self.spent += 1
        if self.spent > _MOST_READS:
            raise Unsupported("type aliases that grow too much", written.place)
        if isinstance(written, TypePath):
            return self._path(written, home, fresh, hops)
        if isinstance(written, TypeRef):
            return Type("&mut" if written.mutable else "&", (self.read(written.inner, home, fresh, hops),))
        if isinstance(written, TypeTuple):
            if not written.items:
                return UNIT
            return Type("tuple", tuple([self.read(item, home, fresh, hops) for item in written.items]))
        if isinstance(written, TypeSlice):
            return Type("slice", (self.read(written.element, home, fresh, hops),))
        if isinstance(written, TypeArray):
            element = self.read(written.element, home, fresh, hops)
            return Type("array", (element,), self.length(written.length, home))
        if isinstance(written, TypeFn):
            if written.name not in ("spec_fn", "FnSpec"):
                raise Unsupported(f"function type `{written.name}`", written.place)
            parameters = [self.read(item, home, fresh, hops) for item in written.parameters]
            result = UNIT if written.result is None else self.read(written.result, home, fresh, hops)
            return Type("spec_fn", (*parameters, result))
        assert isinstance(written, TypeOther)
        raise Unsupported(f"type `{written.what}`", written.place)

    def length(self, written: Expr, home: Home) -> int | str:
        """Return the length of an array: a number, or the name of a generic constant."""
        if isinstance(written, IntLit) and written.suffix in (None, "usize"):
            return written.value
        if isinstance(written, PathExpr):
            path = tuple(segment.name for segment in written.segments)
            if len(path) == 1 and (generic := home.generic(path[0])) is not None and generic.kind == "const":
                return path[0]
            found = self.names.find(path, home.scope, "value")
            if isinstance(found, Const) and isinstance(found.value, IntLit):
                return found.value.value
            if found is None:
                raise Rejected(f"cannot find `{'::'.join(path)}` in this scope", written.place)
        raise Unsupported("an array's length that is not a number or a constant", written.place)

    def arguments(
        self,
        segment: Segment,
        generics: tuple[Generic, ...],
        what: str,
        home: Home,
        fresh: Callable[[], Type] | None,
        hops: int = 0,
    ) -> tuple[Type, ...]:
        """Return the type arguments of ``segment`` for parameters ``generics``; variables where none are written."""
        wanted = parameter_names(generics)
        if segment.generics is None or (not segment.generics and not wanted):
            if not wanted:
                return ()
            if fresh is None:
                raise Rejected(f"missing generics for `{what}`: {len(wanted)} expected", segment.place)
            return tuple([fresh() for _ in wanted])
        if len(segment.generics) != len(wanted):
            message = f"`{what}` takes {len(wanted)} generic arguments, {len(segment.generics)} given"
            raise Rejected(message, segment.place)
        found = tuple([self.read(item, home, fresh, hops) for item in segment.generics])
        kept = [generic for generic in generics if generic.kind != "lifetime"]
        for generic, argument in zip(kept, found, strict=True):
            if (generic.kind == "const") != (argument.name == "const"):
                raise Rejected(
                    f"`{argument}` is no argument for the parameter `{generic.name}`", segment.place
                )
        return found

    # ------------------------------------------------------------ paths

    def _path(self, written: TypePath, home: Home, fresh: Callable[[], Type] | None, hops: int) -> Type:
        segments = written.segments
        last = segments[-1]
        if len(segments) == 1:
            name = last.name
            built_in = BUILT_IN.get(name)
            if built_in is not None:
                return self._plain(built_in, last)
            if name == "_":
                if fresh is None:
                    raise Rejected(
                        "the placeholder `_` is not allowed within types on item signatures", written.place
                    )
                return fresh()
            if name == "Self":
                if home.self_type is None:
                    raise Rejected("cannot find type `Self` in this scope", written.place)
                return self._plain(home.self_type, last)
            generic = home.generic(name)
            if generic is not None:
                if generic.kind == "const":
                    # Where a constant is an argument: `Buffer<N>`.
                    return Type("const", (), name)
                return self._plain(parameter(name), last)
        elif segments[0].name == "Self" and len(segments) == 2:
            associated = home.associated.get(last.name)
            if associated is None:
                raise Unsupported(f"associated type `Self::{last.name}`", written.place)
            return associated
        elif home.generic(segments[0].name) is not None:
            raise Unsupported(f"associated type of `{segments[0].name}`", written.place)
        for segment in segments[:-1]:
            if segment.generics is not None:
                raise Unsupported("generic arguments inside of a type's path", segment.place)
        path = tuple([segment.name for segment in segments])
        found = self.names.find(path, home.scope, "type")
        if found is None:
            return self._missing(path, written.place, last, home, fresh, hops)
        return self._entry(found, last, path, home, fresh, hops)

    def _entry(
        self,
        found: object,
        last: Segment,
        path: tuple[str, ...],
        home: Home,
        fresh: Callable[[], Type] | None,
        hops: int,
    ) -> Type:
        text = "::".join(path)
        if isinstance(found, Struct | Enum | TypeAlias_):
            check_item(found, text, home.scope.module.path, last.place)
        if isinstance(found, Struct | Enum):
            if found.outside:
                raise Unsupported(f"type `{text}` from outside of `verus!`", last.place)
            arguments = self.arguments(last, found.generics, text, home, fresh, hops)
            return Type(found.id, arguments)
        if isinstance(found, TypeAlias_):
            if found.type is None or hops > _MOST_ALIASES:
                raise Rejected(f"type alias `{text}` leads to itself", last.place)
            if found.outside:
                raise Unsupported(f"type `{text}` from outside of `verus!`", last.place)
            arguments = self.arguments(last, found.generics, text, home, fresh, hops)
            outer = Home(self.names_scope(found, home), found.generics)
            inner = check_size(self.read(found.type, outer, None, hops + 1), last.place)
            values = dict(zip(parameter_names(found.generics), arguments, strict=True))
            return check_size(substituted(inner, values), last.place)
        if isinstance(found, Unmodelled):
            if path[-1] in WRAPPERS:
                return self._missing(path[-1:], last.place, last, home, fresh, hops)
            raise Unsupported(f"`{found.path}` of the library", last.place)
        if isinstance(found, Trait):
            raise Unsupported(f"trait `{text}` used as a type", last.place)
        if isinstance(found, VariantEntry):
            raise Rejected(f"expected type, found variant `{text}`", last.place)
        raise Rejected(f"expected type, found module `{text}`", last.place)

    def names_scope(self, alias: TypeAlias_, home: Home) -> Scope:
        """Return the scope that ``alias`` was declared in."""
        scope: Scope | None = home.scope
        while scope is not None:
            if scope.types.get(alias.name) is alias:
                return scope
            scope = scope.around
        return self._module(alias.module) or home.scope

    def _module(self, path: str) -> Scope | None:
        scope = self.names.root
        for part in filter(None, path.split("::")):
            inner = scope.types.get(part)
            if not isinstance(inner, Scope):
                return None
            scope = inner
        return scope

    def _missing(
        self,
        path: tuple[str, ...],
        place: Place,
        last: Segment,
        home: Home,
        fresh: Callable[[], Type] | None,
        hops: int,
    ) -> Type:
        name = path[-1]
        if name in WRAPPERS and len(path) == 1:
            if last.generics is None and fresh is not None:
                return Type(name, (fresh(),))
            if last.generics is None or len(last.generics) != 1:
                raise Rejected(f"`{name}` takes 1 generic argument", place)
            return Type(name, (self.read(last.generics[0], home, fresh, hops),))
        if name in ("f32", "f64"):
            raise Unsupported(f"floating point type `{name}`", place)
        known = [*self.names.known(home.scope, "type"), *BUILT_IN, *WRAPPERS]
        raise Rejected(
            f"cannot find type `{'::'.join(path)}` in this scope.{did_you_mean(name, known)}", place
        )

    def _plain(self, type: Type, segment: Segment) -> Type:
        if segment.generics:
            raise Rejected(f"type arguments are not allowed on `{type}`", segment.place)
        return type
