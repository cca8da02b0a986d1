"""Asks the verifier whether a specification allows one given outcome: by a lemma that assumes it and ends in false."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.envs.verus_problems import Problem
from rlvr_gym.types import Json
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse

_FUEL = 9


def probe(problem: Problem, given: dict[str, Json], outcome: Json) -> str:
    """Return a program that is verified only if the contract of ``problem`` excludes ``outcome``."""
    items = parse(problem.source).items
    function = next(
        item for item in items if isinstance(item, tree.Function) and item.name == problem.function
    )
    specs = [item for item in items if isinstance(item, tree.Function) and item.mode == "spec"]
    datatypes = {item.name: item for item in items if isinstance(item, tree.Struct | tree.Enum)}
    written = _Writer(problem.source, datatypes)
    changed = [parameter for parameter in function.parameters if _is_changed(parameter)]
    parameters = [f"{parameter.name}: {written.plain(parameter.type)}" for parameter in function.parameters]
    facts = [
        fact
        for parameter in function.parameters
        for fact in written.facts(parameter.name, parameter.type, given[parameter.name])
    ]
    for parameter in changed:
        parameters.append(f"after_{parameter.name}: {written.plain(parameter.type)}")
        facts += written.facts(f"after_{parameter.name}", parameter.type, outcome[parameter.name])
    if function.result is not None:
        parameters.append(f"{function.result_name}: {written.text(function.result.place)}")
        result = outcome["result"] if changed else outcome
        facts += written.facts(function.result_name or "", function.result, result)
    clauses = [written.text(clause.place) for clause in (*function.requires, *function.ensures)]
    for name in (parameter.name for parameter in changed):
        for old, new in ((f"old({name})", name), (f"final({name})", f"after_{name}")):
            clauses = [clause.replace(f"*{old}", new).replace(old, new) for clause in clauses]
    fuel = [f"    reveal_with_fuel({item.name}, {_FUEL});" for item in specs if item.decreases]
    kept = [
        written.text(item.place)
        for item in items
        if item in specs or isinstance(item, tree.Struct | tree.Enum)
    ]
    return "\n".join(
        [
            "use vstd::prelude::*;\nverus! {",
            *kept,
            f"proof fn probe_of_the_contract({', '.join(parameters)})\n    requires",
            *(f"        ({fact})," for fact in (*facts, *clauses)),
            "    ensures\n        false,\n{",
            *fuel,
            "}\n} // verus!\n",
        ]
    )


def _is_changed(parameter: tree.Parameter) -> bool:
    return isinstance(parameter.type, tree.TypeRef) and parameter.type.mutable


class _Writer:
    """Writes values of the tests as facts about ghost terms."""

    def __init__(self, source: str, datatypes: dict[str, tree.Struct | tree.Enum]) -> None:
        self._lines = source.splitlines(keepends=True)
        self._datatypes = datatypes

    def text(self, place: Place) -> str:
        """Return what stands at ``place``."""
        lines = self._lines[place.line - 1 : place.end_line]
        lines[-1] = lines[-1][: place.end_column - 1]
        lines[0] = lines[0][place.column - 1 :]
        return "".join(lines)

    def plain(self, written: tree.TypeExpr | None) -> str:
        """Return a parameter's type for a lemma, where ``&mut T`` becomes T."""
        assert written is not None
        changed = isinstance(written, tree.TypeRef) and written.mutable
        return self.text(written.inner.place if changed else written.place)

    def facts(self, term: str, written: tree.TypeExpr | None, value: Json) -> Iterator[str]:
        """Yield what makes ``term`` of the type ``written`` the ``value`` of a test."""
        if isinstance(written, tree.TypeRef):
            behind = not written.mutable and not isinstance(written.inner, tree.TypeSlice)
            yield from self.facts(f"(*{term})" if behind else term, written.inner, value)
        elif isinstance(written, tree.TypeTuple):
            for index, (item, part) in enumerate(zip(written.items, value, strict=True)):
                yield from self.facts(f"{term}.{index}", item, part)
        elif isinstance(written, tree.TypeSlice):
            yield from self._elements(term, written.element, value)
        else:
            assert isinstance(written, tree.TypePath)
            yield from self._named(term, written.segments[-1], value)

    def _named(self, term: str, segment: tree.Segment, value: Json) -> Iterator[str]:
        inner = (segment.generics or (None,))[0]
        if segment.name == "Vec":
            yield from self._elements(term, inner, value)
        elif segment.name == "Box":
            yield from self.facts(f"(*{term})", inner, value)
        elif segment.name == "Option":
            yield f"{term} is {'None' if value is None else 'Some'}"
            if value is not None:
                yield from self.facts(f"({term}->0)", inner, value["Some"])
        elif segment.name in self._datatypes:
            yield from self._datatype(term, self._datatypes[segment.name], value)
        else:
            yield f"{term} == {str(value).lower()}"

    def _elements(self, term: str, element: tree.TypeExpr | None, value: Json) -> Iterator[str]:
        yield f"{term}@.len() == {len(value)}"
        for index, part in enumerate(value):
            yield from self.facts(f"{term}@[{index}]", element, part)

    def _datatype(self, term: str, datatype: tree.Struct | tree.Enum, value: Json) -> Iterator[str]:
        if isinstance(datatype, tree.Struct):
            for name, written, _ in datatype.variant.fields:
                yield from self.facts(f"{term}.{name}", written, value[name])
            return
        name, parts = (value, []) if isinstance(value, str) else next(iter(value.items()))
        variant = next(variant for variant in datatype.variants if variant.name == name)
        yield f"{term} is {name}"
        for (field, written, _), part in zip(variant.fields, parts, strict=True):
            yield from self.facts(f"({term}->{name}_{field})", written, part)
