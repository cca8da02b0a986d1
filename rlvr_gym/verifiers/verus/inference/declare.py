"""First pass over the items of a program: what is declared where, under which id, with which signature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.bounds import (
    RESERVED,
    check_constrained,
    check_generics,
    check_parameters,
    check_size,
    check_value,
)
from rlvr_gym.verifiers.verus.inference.crate import Crate, own_type, variants
from rlvr_gym.verifiers.verus.inference.impls import check_trait_impl
from rlvr_gym.verifiers.verus.inference.names import Import, Names, Scope, check_globs
from rlvr_gym.verifiers.verus.inference.traits import DERIVABLE
from rlvr_gym.verifiers.verus.inference.typenames import BUILT_IN, Home, TypeReader
from rlvr_gym.verifiers.verus.inference.types import UNIT, Type
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    BroadcastItem,
    Const,
    Enum,
    Function,
    Impl,
    Item,
    ItemNode,
    Mod,
    OtherItem,
    Parameter,
    Struct,
    Trait,
    TypeAlias_,
    Use,
)

# Traits that a program may implement for its own types.
_MARKERS = frozenset(("Copy", "Eq"))


@dataclass(eq=False, slots=True)
class Declarations:
    """Where things are declared, for lookups while bodies are inferred."""

    names: Names
    reader: TypeReader
    crate: Crate | None
    """None while the library itself is read."""
    library: Declarations | None = None
    methods: dict[str, dict[str, list[Function]]] = field(default_factory=dict)
    """By the name at the head of the type, then by the method's."""
    member_consts: dict[tuple[str, str], Const] = field(default_factory=dict)
    homes: dict[ItemNode, Home] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    datatypes: dict[str, Struct | Enum] = field(default_factory=dict)
    consts: dict[str, Const] = field(default_factory=dict)
    derived: dict[str, set[str]] = field(default_factory=dict)
    broadcast_homes: dict[BroadcastItem, Scope] = field(default_factory=dict)

    def declare(self, items: Iterable[Item], scope: Scope, prefix: str = "") -> list[Function | Const]:
        """Register ``items`` in ``scope``, resolve their types, and return those with bodies, in source order."""
        pending = _Pending()
        self._register(items, scope, prefix, pending)
        for inner in pending.scopes:
            check_globs(self.names, inner)
            self.names.check_uses(inner)
        for datatype, home in pending.datatypes:
            self._fields(datatype, home)
        for impl, home in pending.impls:
            self._impl(impl, home)
        for item in pending.bodies:
            if isinstance(item, Const):
                item.found = check_value(self.reader.read(item.type, self.homes[item]), item.place)
            else:
                self._signature(item)
        for impl, home in pending.impls:
            check_trait_impl(impl, home.associated)
        return [item for item in pending.bodies if not item.outside]

    def method(self, head: str, name: str) -> list[Function]:
        """Return the methods called ``name`` of types with ``head``."""
        found = self.methods.get(head, {}).get(name, [])
        return found or (self.library.method(head, name) if self.library is not None else [])

    def method_names(self, head: str) -> list[str]:
        """Return the names of all methods of types with ``head``."""
        own = list(self.methods.get(head, ()))
        return own + (self.library.method_names(head) if self.library is not None else [])

    def home(self, item: ItemNode) -> Home:
        """Return where ``item`` stands."""
        found = self.homes.get(item)
        if found is None:
            assert self.library is not None
            found = self.library.homes[item]
        return found

    # ------------------------------------------------------------ names

    def _register(self, items: Iterable[Item], scope: Scope, prefix: str, pending: _Pending) -> None:
        pending.scopes.append(scope)
        for item in items:
            item.module = scope.module.path
            if isinstance(item, Use):
                for path, name in item.leaves:
                    parts = tuple(path.removeprefix("::").split("::"))
                    if name == "*":
                        scope.globs.append(Import(parts, item.public, item.place))
                    elif name in RESERVED and parts[-1] != name:
                        raise Unsupported(f"a built-in type's name imported for `{path}`", item.place)
                    elif name != "_":
                        leaves = scope.uses.setdefault(name, [])
                        if any(other.path != parts for other in leaves):
                            raise Rejected(f"the name `{name}` is imported more than once", item.place)
                        leaves.append(Import(parts, item.public, item.place))
            elif isinstance(item, Mod):
                if item.name in RESERVED and not scope.library:
                    raise Unsupported(f"a module named `{item.name}`", item.place)
                path = f"{prefix}{item.name}"
                inner = Scope(path, parent=scope.module, library=scope.library, public=item.public)
                known = scope.types.get(item.name)
                if scope.library and isinstance(known, Scope):
                    inner = known
                else:
                    self._enter(scope.types, item.name, inner, item.place)
                self._register(item.items, inner, f"{path}::", pending)
            elif isinstance(item, Impl):
                home = Home(scope, item.generics)
                pending.impls.append((item, home))
                pending.bodies += [m for m in item.items if isinstance(m, Function | Const)]
                for member in item.items:
                    member.module = scope.module.path
                    member.outside = member.outside or item.outside
            elif isinstance(item, BroadcastItem):
                self.broadcast_homes[item] = scope
                if self.crate is not None:
                    self.crate.broadcasts.append(item)
            elif isinstance(item, OtherItem):
                if not item.outside:
                    raise Unsupported(item.what, item.place)
            else:
                self._named(item, scope, prefix, pending)

    def _named(
        self,
        item: Function | Const | Struct | Enum | TypeAlias_ | Trait,
        scope: Scope,
        prefix: str,
        pending: _Pending,
    ) -> None:
        if isinstance(item, Function):
            self._enter(scope.values, item.name, item, item.place)
            item.id = prefix + item.name
            self.homes[item] = Home(scope, item.generics)
            self._own_function(item)
            pending.bodies.append(item)
        elif isinstance(item, Const):
            if item.name != "_":
                self._enter(scope.values, item.name, item, item.place)
            item.id = prefix + item.name
            self.homes[item] = Home(scope)
            if not item.outside:
                self._own_const(item)
                pending.bodies.append(item)
        elif isinstance(item, Trait) and not item.outside:
            raise Unsupported(f"trait `{item.name}`", item.place)
        else:
            if item.name in RESERVED and not scope.library:
                raise Unsupported(f"a type of its own named `{item.name}`", item.place)
            self._enter(scope.types, item.name, item, item.place)
            if isinstance(item, Struct | Enum):
                self._named_datatype(item, scope, prefix, pending)

    def _named_datatype(self, item: Struct | Enum, scope: Scope, prefix: str, pending: _Pending) -> None:
        item.id = item.name if scope.library else prefix + item.name
        if self.library is not None and (item.id in self.library.datatypes or item.id in _BUILT_IN_NAMES):
            item.id = f"crate::{item.id}"
        if (
            isinstance(item, Struct)
            and (item.variant.positional or not item.variant.fields)
            and not is_opaque(item)
        ):
            self._enter(scope.values, item.name, item, item.place)
        if item.outside:
            return
        self.datatypes[item.id] = item
        home = Home(scope, item.generics)
        self.homes[item] = home
        pending.datatypes.append((item, home))
        self.derived[item.id] = _derived(item)
        if self.crate is not None:
            self.crate.datatypes.append(item)
            self.crate.datatypes_by_id[item.id] = item

    def _enter(self, table: dict[str, object] | dict, name: str, item: object, place: Place) -> None:  # type: ignore[type-arg]
        if name in table:
            raise Rejected(f"the name `{name}` is defined multiple times", place)
        table[name] = item

    def _own_function(self, item: Function) -> None:
        if item.outside:
            return
        if item.id in self.functions:
            raise Unsupported(f"two functions whose full name is `{item.id}`", item.place)
        self.functions[item.id] = item
        if self.crate is not None:
            self.crate.functions.append(item)
            self.crate.functions_by_id[item.id] = item

    def _own_const(self, item: Const) -> None:
        if item.id in self.consts:
            raise Unsupported(f"two constants whose full name is `{item.id}`", item.place)
        self.consts[item.id] = item
        if self.crate is not None:
            self.crate.consts.append(item)
            self.crate.consts_by_id[item.id] = item

    # ------------------------------------------------------------ types

    def _fields(self, datatype: Struct | Enum, home: Home) -> None:
        home.self_type = own_type(datatype)
        check_generics(datatype.generics)
        seen: set[str] = set()
        for variant in variants(datatype):
            if variant.name in seen:
                raise Rejected(f"the name `{variant.name}` is defined multiple times", variant.place)
            seen.add(variant.name)
            names = [name for name, _, _ in variant.fields]
            if len(set(names)) != len(names):
                raise Rejected(f"a field of `{variant.name}` is declared twice", variant.place)
            variant.types = tuple(
                [
                    check_value(self.reader.read(written, home), variant.place)
                    for _, written, _ in variant.fields
                ]
            )
        if not is_opaque(datatype):
            check_parameters(datatype, [type for variant in variants(datatype) for type in variant.types])

    def _impl(self, impl: Impl, home: Home) -> None:
        check_generics(impl.generics)
        if impl.outside:
            self._outside_impl(impl, home)
            return
        subject = check_size(self.reader.read(impl.subject, home), impl.place)
        check_constrained(impl, subject)
        impl.subject_type = home.self_type = subject
        trait = None if impl.trait is None else impl.trait.segments[-1].name
        self._allowed(impl, subject, trait)
        if self.crate is not None:
            self.crate.impls.append(impl)
        if trait in _MARKERS:
            self.derived[subject.name].add(trait)
            return
        for member in impl.items:
            if isinstance(member, TypeAlias_) and member.type is not None:
                home.associated[member.name] = self.reader.read(member.type, home)
        prefix = f"{home.scope.module.path}::" if home.scope.library and home.scope.module.path else ""
        owner = f"{prefix}{subject.name}"
        table = self.methods.setdefault(subject.name, {})
        for member in impl.items:
            if isinstance(member, Function):
                member.owner = impl
                member.id = f"{owner}::{member.name}"
                self.homes[member] = Home(
                    home.scope, (*impl.generics, *member.generics), subject, home.associated
                )
                known = table.setdefault(member.name, [])
                if trait is None and any(_clashes(other, subject) for other in known):
                    raise Rejected(f"duplicate definitions with name `{member.name}`", member.place)
                self._own_function(member)
                known.append(member)
            elif isinstance(member, Const):
                member.id = f"{owner}::{member.name}"
                if (subject.name, member.name) in self.member_consts:
                    raise Rejected(f"duplicate definitions with name `{member.name}`", member.place)
                self.homes[member] = Home(home.scope, impl.generics, subject, home.associated)
                self.member_consts[subject.name, member.name] = member
                self._own_const(member)
            elif not isinstance(member, TypeAlias_):
                raise Unsupported("an item of this kind in an `impl`", member.place)

    def _allowed(self, impl: Impl, subject: Type, trait: str | None) -> None:
        """Refuse what may not be implemented, and traits that are not understood."""
        if trait is not None and trait not in ("View", "Clone", *_MARKERS):
            raise Unsupported(f"`impl {trait} for ..`", impl.place)
        if not impl.items and trait not in _MARKERS and trait is not None:
            raise Rejected(f"not all trait items implemented, missing those of `{trait}`", impl.place)
        if self.library is None:
            return
        if subject.name not in self.datatypes:
            raise Rejected(
                f"cannot define an `impl` for `{subject}`, which is not a type of this program", impl.place
            )
        if trait in self.derived[subject.name]:
            raise Rejected(f"conflicting implementations of `{trait}` for `{subject}`", impl.place)

    def _outside_impl(self, impl: Impl, home: Home) -> None:
        """Make the methods known, so that a call of one is refused."""
        try:
            subject = self.reader.read(impl.subject, home)
        except (Rejected, Unsupported):
            return
        table = self.methods.setdefault(subject.name, {})
        for member in impl.items:
            if isinstance(member, Function) and subject.name in self.datatypes:
                member.owner = impl
                table.setdefault(member.name, []).append(member)

    def _signature(self, function: Function) -> None:
        if function.outside:
            return
        home = self.homes[function]
        check_generics(home.generics)
        function.parameter_types = tuple(
            [check_value(self._parameter(item, home), item.place) for item in function.parameters]
        )
        result = UNIT if function.result is None else self.reader.read(function.result, home)
        function.result_type = check_value(result, function.place)

    def _parameter(self, item: Parameter, home: Home) -> Type:
        if item.name == "self" and item.pattern is None and item.type is None:
            if home.self_type is None:
                raise Rejected("`self` parameter is only allowed in associated functions", item.place)
            return Type(item.self_reference, (home.self_type,)) if item.self_reference else home.self_type
        if item.type is None:
            raise Rejected(f"parameter `{item.name}` needs a type", item.place)
        return self.reader.read(item.type, home)


@dataclass(slots=True)
class _Pending:
    """What a pass over names leaves for the passes over types."""

    scopes: list[Scope] = field(default_factory=list)
    datatypes: list[tuple[Struct | Enum, Home]] = field(default_factory=list)
    impls: list[tuple[Impl, Home]] = field(default_factory=list)
    bodies: list[Function | Const] = field(default_factory=list)


_BUILT_IN_NAMES = frozenset((*BUILT_IN, "tuple", "slice", "array", "spec_fn", "range", "const", "str"))


def is_opaque(item: Struct | Enum) -> bool:
    """Return whether a type of the library has no constructors."""
    return any(attribute.path == "opaque_type" for attribute in item.attributes)


def _derived(item: Struct | Enum) -> set[str]:
    found: set[str] = set()
    for attribute in item.attributes:
        if attribute.path != "derive":
            continue
        for argument in attribute.arguments:
            name = argument.replace(" ", "").rpartition("::")[2]
            if name not in DERIVABLE:
                raise Unsupported(f"#[derive({argument})]", attribute.place)
            if name in found:
                raise Rejected(f"conflicting implementations of `{name}` for `{item.name}`", attribute.place)
            found.add(name)
    return found


def _clashes(other: Function, subject: Type) -> bool:
    """Return whether a second method of this name in an ``impl`` of ``subject`` would be the same one again."""
    owner = other.owner
    return owner is not None and owner.trait is None and (owner.subject_type == subject or not subject.args)
