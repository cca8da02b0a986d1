"""Patterns: what they are matched against and what they bind."""

from __future__ import annotations

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body
from rlvr_gym.verifiers.verus.inference.crate import field_types
from rlvr_gym.verifiers.verus.inference.paths import find_value, variant_of_path
from rlvr_gym.verifiers.verus.inference.types import Type, is_machine
from rlvr_gym.verifiers.verus.inference.visibility import check_fields_visible
from rlvr_gym.verifiers.verus.syntax.tree import (
    BindPattern,
    ConstRef,
    Expr,
    FunctionRef,
    Ghostness,
    IntLit,
    LiteralPattern,
    Local,
    OrPattern,
    PathPattern,
    Pattern,
    RangePattern,
    ReferencePattern,
    TuplePattern,
    Unary,
    VariantPattern,
    VariantRef,
    WildPattern,
)


def bind(
    body: Body, pattern: Pattern, type: Type, *, kind: str = "pattern", ghostness: Ghostness = "exec"
) -> None:
    """Match ``pattern`` against a value of ``type`` and open its variables in the innermost scope.

    Raises:
        Rejected: it cannot match such a value, or binds a name twice.
    """
    _Binder(body, kind, ghostness, {}).bind(pattern, type, "")


class _Binder:
    """One pattern: names may be bound once in it, or once in each alternative."""

    def __init__(self, body: Body, kind: str, ghostness: Ghostness, known: dict[str, Local]) -> None:
        self._body = body
        self._kind = kind
        self._ghostness = ghostness
        self._known = known
        """Variables of an earlier alternative, which this one binds again."""
        self._bound: dict[str, Local] = {}

    def bind(self, pattern: Pattern, type: Type, by: str) -> None:
        """Match ``pattern``; ``by`` is the reference through which its variables see the value."""
        body = self._body
        pattern.type = type
        body.seen.append(pattern)
        if isinstance(pattern, WildPattern):
            return
        if isinstance(pattern, BindPattern):
            self._name(pattern, type, by)
            return
        if isinstance(pattern, ReferencePattern):
            found = body.known(type, pattern.place)
            if found.name != "&":
                raise Rejected(
                    f"mismatched types: expected `{body.show(found)}`, found a reference", pattern.place
                )
            self.bind(pattern.inner, found.args[0], by)
            return
        if isinstance(pattern, OrPattern):
            self._alternatives(pattern, type, by)
            return
        # Any other pattern looks through references, and its variables become references themselves.
        found = body.head(type)
        while found.name in ("&", "&mut"):
            by = "&" if "&" in (by, found.name) else "&mut"
            found = body.head(found.args[0])
        if isinstance(pattern, LiteralPattern):
            self._literal(pattern.value, found)
        elif isinstance(pattern, RangePattern):
            for end in (pattern.start, pattern.end):
                if end is not None:
                    self._literal(end, found)
        elif isinstance(pattern, TuplePattern):
            self._tuple(pattern, found, by)
        elif isinstance(pattern, PathPattern):
            self._path(pattern, found)
        elif isinstance(pattern, VariantPattern):
            self._variant(pattern, found, by)
        else:
            raise Unsupported("slice pattern", pattern.place)

    def _name(self, pattern: BindPattern, type: Type, by: str) -> None:
        body = self._body
        if pattern.by_reference:
            by = "&"
        wanted = Type(by, (type,)) if by else type
        if pattern.name in self._bound:
            raise Rejected(
                f"identifier `{pattern.name}` is bound more than once in the same pattern", pattern.place
            )
        local = self._known.get(pattern.name)
        if local is None:
            local = body.declare(
                pattern.name,
                wanted,
                self._kind,
                pattern.place,
                mutable=pattern.mutable,
                ghostness=self._ghostness,
            )
        elif not body.variables.unify(wanted, local.type):
            body.mismatch(wanted, local.type, pattern.place)
        pattern.local = self._bound[pattern.name] = local
        if pattern.inner is not None:
            self.bind(pattern.inner, type, by)

    def _alternatives(self, pattern: OrPattern, type: Type, by: str) -> None:
        first: dict[str, Local] | None = None
        for option in pattern.options:
            inner = _Binder(self._body, self._kind, self._ghostness, self._known if first is None else first)
            inner.bind(option, type, by)
            if first is None:
                first = inner._bound
            elif inner._bound.keys() != first.keys():
                name = min(inner._bound.keys() ^ first.keys())
                raise Rejected(f"variable `{name}` is not bound in all patterns", pattern.place)
        for name, local in (first or {}).items():
            if name in self._bound:
                raise Rejected(
                    f"identifier `{name}` is bound more than once in the same pattern", pattern.place
                )
            self._bound[name] = local

    def _literal(self, value: Expr, type: Type) -> None:
        """Match a number, character or truth value: numbers in patterns are the compiler's own, never ``int``."""
        body = self._body
        outer, body.ghost = body.ghost, False
        found = body.expr(value, type if is_machine(type) else None)
        body.ghost = value.ghost = outer
        if isinstance(value, Unary) and isinstance(value.operand, IntLit):
            value.operand.ghost = outer
        wanted = type
        if body.variables.head(found).name == "&":
            raise Unsupported("string in a pattern", value.place)
        if not body.variables.unify(found, wanted):
            body.mismatch(found, wanted, value.place)

    def _tuple(self, pattern: TuplePattern, type: Type, by: str) -> None:
        body = self._body
        count = len(pattern.items)
        if type.name[0] == "?" and pattern.rest is None:
            items = tuple([body.fresh() for _ in range(count)])
            if not body.variables.unify(type, Type("tuple", items)):
                body.mismatch(Type("tuple", items), type, pattern.place)
            type = body.head(type)
        type = body.known(type, pattern.place)
        short = count != len(type.args) if pattern.rest is None else count > len(type.args)
        if type.name != "tuple" or short:
            message = f"mismatched types: expected `{body.show(type)}`, found a tuple of {count} elements"
            raise Rejected(message, pattern.place)
        for item, part in zip(pattern.items, _matched(type.args, count, pattern.rest), strict=True):
            self.bind(item, part, by)

    def _path(self, pattern: PathPattern, type: Type) -> None:
        body = self._body
        found = find_value(body, pattern.path.segments, pattern.place)
        if found is None and len(pattern.path.segments) == 1:
            raise Unsupported(
                f"`{pattern.path.segments[0].name}` in a pattern: no such constructor", pattern.place
            )
        target, own = (None, None) if found is None else found
        if isinstance(target, FunctionRef | Local) or own is None:
            name = "::".join(segment.name for segment in pattern.path.segments)
            raise Rejected(f"`{name}` in a pattern is no constructor or constant", pattern.place)
        if target is None:
            raise Unsupported("a built-in constant in a pattern", pattern.place)
        if isinstance(target, VariantRef) and (target.variant.fields or target.variant.positional):
            raise Rejected(f"expected unit struct or variant, found `{target.variant.name}`", pattern.place)
        if isinstance(target, ConstRef) and not (is_machine(own) or own.name in ("bool", "char")):
            raise Unsupported("a constant of such a type in a pattern", pattern.place)
        pattern.target = target
        if not body.variables.unify(own, type):
            body.mismatch(own, type, pattern.place)

    def _variant(self, pattern: VariantPattern, type: Type, by: str) -> None:
        body = self._body
        name = pattern.path.segments[-1].name
        if name in ("Ghost", "Tracked") and len(pattern.path.segments) == 1 and not pattern.braces:
            self._wrapped(pattern, type, name)
            return
        ref, own = variant_of_path(body, pattern.path, type)
        pattern.target = ref
        if not body.variables.unify(own, type):
            body.mismatch(own, type, pattern.place)
        check_fields_visible(body, ref.datatype, pattern.place)
        types = field_types(ref)
        if not pattern.braces:
            if not ref.variant.positional:
                raise Rejected(f"expected tuple struct or tuple variant, found `{name}`", pattern.place)
            count = len(pattern.fields)
            if count > len(types) or (count < len(types) and not pattern.rest):
                message = f"this pattern has {count} fields, but `{name}` has {len(types)}"
                raise Rejected(message, pattern.place)
            at = pattern.rest_at if pattern.rest else None
            for (_, item), part in zip(pattern.fields, _matched(types, count, at), strict=True):
                self.bind(item, part, by)
            return
        names = [field[0] for field in ref.variant.fields]
        given: set[str] = set()
        for field, item in pattern.fields:
            if field not in names:
                hint = did_you_mean(field, names)
                raise Rejected(f"`{name}` does not have a field named `{field}`.{hint}", item.place)
            if field in given:
                raise Rejected(f"field `{field}` bound multiple times in the pattern", item.place)
            given.add(field)
            self.bind(item, types[names.index(field)], by)
        if len(given) < len(names) and not pattern.rest:
            missing = ", ".join(f"`{field}`" for field in names if field not in given)
            raise Rejected(f"pattern does not mention fields {missing}", pattern.place)

    def _wrapped(self, pattern: VariantPattern, type: Type, name: str) -> None:
        """Match ``Ghost(x)``."""
        found = self._body.known(type, pattern.place)
        if found.name != name or len(pattern.fields) != 1:
            raise Rejected(
                f"mismatched types: expected `{self._body.show(found)}`, found `{name}`", pattern.place
            )
        outer, self._ghostness = self._ghostness, "ghost" if name == "Ghost" else "tracked"
        self.bind(pattern.fields[0][1], found.args[0], "")
        self._ghostness = outer


def _matched(types: tuple[Type, ...], count: int, rest: int | None) -> tuple[Type, ...]:
    """Return the types that ``count`` patterns stand for, with ``..`` after the first ``rest`` of them."""
    if rest is None:
        return types
    behind = count - rest
    return types[:rest] + (types[len(types) - behind :] if behind else ())
