"""What a path in an expression or pattern stands for, with the type arguments of this use."""

from __future__ import annotations

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, infers
from rlvr_gym.verifiers.verus.inference.bounds import FREE_BOUNDS
from rlvr_gym.verifiers.verus.inference.cloning import same_when_cloned
from rlvr_gym.verifiers.verus.inference.crate import argument_map, names
from rlvr_gym.verifiers.verus.inference.names import Scope, Unmodelled, VariantEntry
from rlvr_gym.verifiers.verus.inference.typenames import BUILT_IN
from rlvr_gym.verifiers.verus.inference.types import MACHINE, Type, substituted
from rlvr_gym.verifiers.verus.inference.visibility import check_visible
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    Const,
    ConstRef,
    Enum,
    Function,
    FunctionRef,
    Generic,
    PathExpr,
    Segment,
    Struct,
    Target,
    TypePath,
    Variant,
    VariantRef,
)

# Constants of machine integer types: they stand in no library file.
_LIMITS = ("MAX", "MIN", "BITS")
_NOT_MODELLED = frozenset(
    (
        "reveal_strlit",
        "strslice_is_ascii",
        "strslice_get_char",
        "is_smaller_than",
        "decreases_to",
        "closure_to_fn_spec",
    )
)
"""Functions of Verus' prelude that the library does not model."""


def arguments_for(body: Body, generics: tuple[Generic, ...]) -> tuple[Type, ...]:
    """Return a fresh variable for each parameter."""
    return tuple(
        [
            Type("const", (), body.variables.fresh_size()) if item.kind == "const" else body.fresh()
            for item in generics
            if item.kind != "lifetime"
        ]
    )


def function_ref(
    body: Body, function: Function, owner: Type | None, segment: Segment, place: Place
) -> FunctionRef:
    """Return a use of ``function``: ``owner`` is the type that it was found in, ``segment`` its name as written."""
    if function.outside:
        raise Rejected(f"cannot call `{function.name}`, which stands outside of `verus!`", place)
    check_visible(body, function, place)
    own: tuple[Type, ...]
    if segment.generics is None:
        own = arguments_for(body, function.generics)
    else:
        reader = body.declarations.reader
        own = reader.arguments(segment, function.generics, function.name, body.home, body.fresh)
    outer: tuple[Type, ...] = ()
    if function.owner is not None:
        outer = arguments_for(body, function.owner.generics)
        if owner is not None:
            assert function.owner.subject_type is not None
            values = dict(zip(names(function.owner.generics), outer, strict=True))
            subject = substituted(function.owner.subject_type, values)
            if not body.variables.unify(subject, owner):
                raise Rejected(f"no function `{function.name}` for `{body.show(owner)}`", place)
    found = FunctionRef(function, outer + own)
    body.seen.append(found)
    note_bounds(body, found, place)
    return found


def note_bounds(body: Body, ref: FunctionRef, place: Place) -> None:
    """Have the bounds of a generic function checked once its arguments are known."""
    function = ref.function
    generics = function.generics if function.owner is None else (*function.owner.generics, *function.generics)
    copies = function.library and any(item.path == "needs_copy" for item in function.attributes)
    if copies or any(generic.bounds for generic in generics):
        body.checks.append(lambda: _check_bounds(body, ref, generics, copies, place))


def _check_bounds(
    body: Body, ref: FunctionRef, generics: tuple[Generic, ...], copies: bool, place: Place
) -> None:
    kept = [generic for generic in generics if generic.kind != "lifetime"]
    for generic, argument in zip(kept, ref.type_arguments, strict=True):
        if generic.kind == "const":
            continue
        if copies and not same_when_cloned(body, argument):
            raise Unsupported(f"`{ref.function.name}` of `{argument}`, whose clones may differ", place)
        for bound in generic.bounds:
            if bound in FREE_BOUNDS or bound.startswith("'"):
                continue
            trait = bound.rpartition("::")[2]
            if body.crate.has_trait(argument, trait, body.home.generics):
                continue
            if trait in ("Copy", "Clone", "PartialEq", "Eq"):
                raise Rejected(f"the trait bound `{argument}: {trait}` is not satisfied", place)
            raise Unsupported(f"the trait bound `{argument}: {bound}`", place)


# ---------------------------------------------------------------- types in front of a name


def owner_type(body: Body, segments: tuple[Segment, ...]) -> Type | Unmodelled | None:
    """Return the type that the front of a path names, None where it names none."""
    last = segments[-1]
    if len(segments) == 1:
        if last.name in BUILT_IN or last.name == "Self" or body.home.generic(last.name) is not None:
            return body.read_type(TypePath(segments, place=last.place))
    elif segments[0].name == "Self":
        return body.read_type(TypePath(segments, place=last.place))
    path = tuple([segment.name for segment in segments])
    found = body.declarations.names.find(path, body.open_scope, "type")
    if isinstance(found, Unmodelled):
        # `std::u32::MAX` and its like name a module that is called as the type.
        return MACHINE.get(found.path.rpartition("::")[2], found)
    if isinstance(found, Scope):
        return None
    if found is None:
        return (
            body.read_type(TypePath(segments, place=last.place))
            if last.name in ("Box", "Ghost", "Tracked")
            else None
        )
    return body.read_type(TypePath(segments, place=last.place))


Found = tuple[Target | None, Type | None]


def find_value(body: Body, segments: tuple[Segment, ...], place: Place) -> Found | None:
    """Return what a path stands for as a value, and its type where it has one without being called.

    None where nothing has that name. A target of None is a built-in constant.

    Raises:
        Rejected: it stands for something that cannot be used here.
        Unsupported: it stands for a part of a library that is not modelled.
    """
    last = segments[-1]
    if len(segments) == 1:
        local = body.local(last.name)
        if local is not None:
            if last.generics is not None:
                raise Rejected("generic arguments are not allowed on a local variable", place)
            return local, local.type
        generic = body.home.generic(last.name)
        if generic is not None and generic.kind == "const":
            return None, MACHINE["usize"]
        if last.name == "Self" and body.home.self_type is not None:
            datatype = body.crate.datatype(body.home.self_type.name)
            if not isinstance(datatype, Struct):
                raise Rejected("`Self` is no constructor here", place)
            ref = VariantRef(datatype, datatype.variant, body.home.self_type.args)
            body.seen.append(ref)
            return ref, body.home.self_type
    path = tuple([segment.name for segment in segments])
    found = body.declarations.names.find(path, body.open_scope, "value")
    if isinstance(found, Function):
        return function_ref(body, found, None, last, place), None
    if isinstance(found, Const):
        return _const(body, found, place)
    if isinstance(found, VariantEntry):
        return _variant(body, found.enum, found.variant, segments, place)
    if isinstance(found, Struct):
        if found.outside:
            raise Unsupported(f"type `{found.name}` from outside of `verus!`", place)
        return _variant(body, found, found.variant, segments, place)
    if len(segments) > 1:
        member = _member(body, segments, place)
        if member is not None:
            return member
    if isinstance(found, Unmodelled):
        raise Unsupported(f"`{found.path}` of the library", place)
    return None


def _const(body: Body, const: Const, place: Place) -> Found:
    if const.outside:
        raise Rejected(f"cannot use `{const.name}`, which stands outside of `verus!`", place)
    check_visible(body, const, place)
    assert const.found is not None
    return ConstRef(const), const.found


def _member(body: Body, segments: tuple[Segment, ...], place: Place) -> Found | None:
    """Return the variant, function or constant that a path names inside of a type."""
    last = segments[-1]
    owner = owner_type(body, segments[:-1])
    if owner is None:
        return None
    if isinstance(owner, Unmodelled):
        raise Unsupported(f"`{owner.path}` of the library", place)
    if owner.name in MACHINE and last.name in _LIMITS:
        return None, MACHINE["u32"] if last.name == "BITS" else owner
    if owner.name == "char" and last.name == "MAX":
        raise Unsupported("`char::MAX`", place)
    datatype = body.crate.datatype(owner.name)
    if isinstance(datatype, Enum):
        for variant in datatype.variants:
            if variant.name == last.name:
                ref = VariantRef(datatype, variant, owner.args)
                body.seen.append(ref)
                return ref, owner
    const = body.declarations.member_consts.get((owner.name, last.name))
    if const is not None:
        return _const(body, const, place)
    candidates = body.declarations.method(owner.name, last.name)
    if candidates:
        return function_ref(body, _choose(body, candidates, owner, place), owner, last, place), None
    own = owner.name in body.declarations.datatypes
    message = f"no function, variant or constant named `{last.name}` for `{body.show(owner)}`"
    if own and last.name not in ("default", "from", "clone", "eq", "cmp", "partial_cmp", "try_from"):
        raise Rejected(
            f"{message}.{did_you_mean(last.name, body.declarations.method_names(owner.name))}", place
        )
    raise Unsupported(message, place)


def _choose(body: Body, candidates: list[Function], owner: Type, place: Place) -> Function:
    if len(candidates) == 1:
        return candidates[0]
    fitting = [item for item in candidates if item.owner is not None and _may_be(body, item, owner)]
    if len(fitting) != 1:
        raise Unsupported(f"`{candidates[0].name}` is defined by several `impl`s that fit here", place)
    return fitting[0]


def _may_be(body: Body, function: Function, owner: Type) -> bool:
    assert function.owner is not None
    assert function.owner.subject_type is not None
    outer = arguments_for(body, function.owner.generics)
    subject = substituted(
        function.owner.subject_type, dict(zip(names(function.owner.generics), outer, strict=True))
    )
    return body.variables.attempt(subject, owner)


# ---------------------------------------------------------------- constructors


def _variant(
    body: Body, datatype: Struct | Enum, variant: Variant, segments: tuple[Segment, ...], place: Place
) -> tuple[VariantRef, Type]:
    check_visible(body, datatype, place)
    if datatype.outside:
        raise Unsupported(f"type `{datatype.name}` from outside of `verus!`", place)
    written = [segment for segment in segments if segment.generics]
    if len(written) > 1:
        raise Rejected("type arguments are not allowed on more than one part of this path", place)
    arguments: tuple[Type, ...]
    if written:
        reader = body.declarations.reader
        arguments = reader.arguments(written[0], datatype.generics, datatype.name, body.home, body.fresh)
    else:
        arguments = arguments_for(body, datatype.generics)
    ref = VariantRef(datatype, variant, arguments)
    body.seen.append(ref)
    return ref, Type(datatype.id, arguments)


def variant_of_path(body: Body, path: TypePath, expected: Type | None) -> tuple[VariantRef, Type]:
    """Return the constructor that a path with braces or in a pattern names, and the type that it makes.

    Raises:
        Rejected: there is none of that name.
    """
    segments = path.segments
    names_ = tuple([segment.name for segment in segments])
    scope = body.open_scope
    find = body.declarations.names.find
    found = find(names_, scope, "value") or find(names_, scope, "type")
    if isinstance(found, Function | Const):
        found = find(names_, scope, "type")
    hint = None if expected is None else body.peeled(expected)
    if isinstance(found, VariantEntry):
        ref, type = _variant(body, found.enum, found.variant, segments, path.place)
    elif isinstance(found, Struct):
        ref, type = _variant(body, found, found.variant, segments, path.place)
    else:
        ref, type = _variant_through_type(body, path, found)
    if hint is not None and hint.name == type.name:
        body.variables.attempt(type, hint)
    return ref, type


def _variant_through_type(body: Body, path: TypePath, found: object) -> tuple[VariantRef, Type]:
    """Return the constructor behind ``Self``, an alias, ``Self::Variant`` or an alias of an enum."""
    segments = path.segments
    owner = owner_type(body, segments) if len(segments) == 1 or found is not None else None
    if isinstance(owner, Type):
        datatype = body.crate.datatype(owner.name)
        if isinstance(datatype, Struct):
            ref = VariantRef(datatype, datatype.variant, owner.args)
            body.seen.append(ref)
            return ref, owner
    elif len(segments) > 1:
        member = _member(body, segments, path.place)
        if member is not None and isinstance(member[0], VariantRef) and member[1] is not None:
            return member[0], member[1]
    if isinstance(found, Unmodelled) or isinstance(owner, Unmodelled):
        raise Unsupported(f"`{'::'.join(item.name for item in segments)}` of the library", path.place)
    name = "::".join(item.name for item in segments)
    known = [
        *body.declarations.names.known(body.open_scope, "value"),
        *body.declarations.names.known(body.open_scope, "type"),
    ]
    raise Rejected(
        f"cannot find struct or variant `{name}` in this scope.{did_you_mean(segments[-1].name, known)}",
        path.place,
    )


# ---------------------------------------------------------------- a path as an expression


@infers(PathExpr)
def path(body: Body, expr: PathExpr, expected: Type | None) -> Type:
    """A variable, a constant, or a constructor without fields."""
    found = find_value(body, expr.segments, expr.place)
    if found is None:
        raise unknown(body, expr)
    target, type = found
    expr.target = target
    if isinstance(target, FunctionRef):
        raise Unsupported(f"function `{target.function.name}` used as a value", expr.place)
    if isinstance(target, VariantRef) and (target.variant.fields or target.variant.positional):
        if target.variant.positional:
            raise Unsupported(f"constructor `{target.variant.name}` used as a function value", expr.place)
        raise Rejected(f"expected value, found struct `{target.variant.name}`", expr.place)
    assert type is not None
    return type


def unknown(body: Body, expr: PathExpr) -> Rejected | Unsupported:
    """Return the refusal of a name that stands for nothing."""
    name = expr.segments[-1].name
    if name in _NOT_MODELLED:
        return Unsupported(f"`{name}`", expr.place)
    local = [name for scope in body.scopes for name in scope]
    known = [*local, *body.declarations.names.known(body.open_scope, "value")]
    whole = "::".join(segment.name for segment in expr.segments)
    return Rejected(f"cannot find value `{whole}` in this scope.{did_you_mean(name, known)}", expr.place)


def signature(body: Body, ref: FunctionRef) -> tuple[tuple[Type, ...], Type]:
    """Return the types of a function's parameters and result at this use."""
    function = ref.function
    assert function.result_type is not None
    if not ref.type_arguments:
        return function.parameter_types, function.result_type
    values = argument_map(function, ref.type_arguments)
    return (
        tuple([substituted(item, values) for item in function.parameter_types]),
        substituted(function.result_type, values),
    )
