"""Triggers: the terms whose appearance makes the solver use a quantified fact.

What is provable depends on them, so the choice copies Verus': what the program marks, otherwise the fewest and then the
best candidates. A quantifier without triggers is refused; the solver never chooses.
"""

from __future__ import annotations

from collections.abc import Iterable

from rlvr_gym.verifiers.verus.checks.marked import marked
from rlvr_gym.verifiers.verus.checks.terms import Application, Score, TermOf, Terms, Variable, is_entry_value
from rlvr_gym.verifiers.verus.checks.walk import all_nodes, attribute, locals_of, roots, walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import BOOL
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    AssertForall,
    Attribute,
    Binary,
    Closure,
    Expr,
    Function,
    Local,
    Node,
    PathExpr,
    Quantifier,
)

Groups = tuple[tuple[Expr, ...], ...]
_MOST_STEPS = 10_000
"""How many combinations of candidates are tried before the quantifier counts as too large, as in Verus."""
_MOST_COVERS = 50_000
"""How many whole combinations are compared."""
_NO_SCORE = Score(0, 0, 0, 0)


def check_triggers(crate: Crate) -> None:
    """Choose the trigger groups of every quantifier of the file and write them to its ``groups``.

    Raises:
        Rejected: a quantifier without possible triggers, or marked terms that cannot be triggers.
        Unsupported: marked terms whose matching is outside of the subset.
    """
    for node in all_nodes(crate):
        _fill(crate, node)
        if isinstance(node, Closure):
            _refuse_marks(node)
    for function in crate.functions:
        if function.broadcast:
            axiom_triggers(crate, function)


def fill(crate: Crate, function: Function) -> None:
    """Choose the trigger groups in a function of the library, whose quantifiers `check_triggers` does not see."""
    for root in roots(function):
        for node in walk(root):
            _fill(crate, node)


def axiom_triggers(crate: Crate, function: Function) -> Groups:
    """Return the trigger groups of a broadcast function: of ``forall|parameters| requires ==> ensures``."""
    bound = tuple(local for parameter in function.parameters for local in locals_of(parameter))
    body = _conjunction(function.ensures, function.place)
    if function.requires:
        body = _implication(_conjunction(function.requires, function.place), body)
    attributes = tuple(
        found for found in function.attributes if found.path in ("trigger", "auto", "all_triggers")
    ) + tuple(found for clause in function.ensures for found in clause.attributes if found.inner)
    return triggers_of(crate, bound, body, attributes, function.place)


def triggers_of(
    crate: Crate, bound: tuple[Local, ...], body: Expr, attributes: Iterable[Attribute], place: Place
) -> Groups:
    """Return the trigger groups of one quantifier: ``attributes`` are those at the head of its body."""
    attributes = tuple(attributes)
    words = {attribute.path for attribute in attributes if attribute.path != "trigger"}
    if words - {"auto", "all_triggers"}:
        raise Rejected(f"expected trigger, found `{min(words - {'auto', 'all_triggers'})}`", place)
    groups = marked(crate, bound, body, attributes, place)
    if groups:
        if words:
            raise Rejected("cannot use both marked triggers and #![auto]", place)
        return groups
    return _automatic(crate, bound, body, "all_triggers" in words, place)


def _refuse_marks(node: Closure) -> None:
    """Refuse marks on terms of a closure's own variables: they would say when its definition is used."""
    own = frozenset(local for parameter in node.parameters for local in locals_of(parameter))
    for found in walk(node.body):
        if attribute(getattr(found, "attributes", ()), "trigger") is not None and any(
            isinstance(name, PathExpr) and name.target in own for name in walk(found)
        ):
            raise Unsupported("triggers of a closure", found.place)


def _fill(crate: Crate, node: Node) -> None:
    if isinstance(node, Quantifier | AssertForall) and node.groups is None:
        bound = tuple(local for parameter in node.parameters for local in locals_of(parameter))
        node.groups = triggers_of(crate, bound, _body(node), node.triggers, node.place)


def _body(node: Quantifier | AssertForall) -> Expr:
    if isinstance(node, Quantifier):
        return node.body
    return node.conclusion if node.premise is None else _implication(node.premise, node.conclusion)


def _implication(left: Expr, right: Expr) -> Binary:
    return Binary("==>", left, right, type=BOOL, ghost=True, place=right.place)


def _conjunction(clauses: tuple[Expr, ...], place: Place) -> Expr:
    if not clauses:
        raise Rejected("a broadcast function without a postcondition", place)
    result = clauses[0]
    for clause in clauses[1:]:
        result = Binary("&&", result, clause, type=BOOL, ghost=True, place=place)
    return result


def _automatic(crate: Crate, bound: tuple[Local, ...], body: Expr, all_minimal: bool, place: Place) -> Groups:
    terms = Terms(crate, frozenset(bound), extensional=all_minimal)
    terms.gather(body)
    search = _Search(terms, place)
    chosen = search.minimal() if all_minimal else search.best()
    if not chosen:
        raise Rejected(
            "could not automatically infer triggers for this quantifier; mark terms with #[trigger]", place
        )
    nodes = list(terms.candidates.values())
    return tuple(tuple(nodes[number] for number in group) for group in sorted(map(sorted, chosen)))


class _Search:
    """Looks for sets of candidates, by their numbers, that cover all bound variables."""

    def __init__(self, terms: Terms, place: Place) -> None:
        self.terms = terms
        self.place = place
        self.steps = 0
        self.covers = 0
        usable = [(number, term) for number, term in enumerate(terms.candidates) if not self._may_loop(term)]
        self.usable = [(number, terms.variables(term), terms.scores[term]) for number, term in usable]
        self.found: dict[frozenset[int], None] = {}
        self.least: tuple[int, Score] | None = None

    def best(self) -> list[frozenset[int]]:
        """Return the covers of the fewest terms, of those the ones with the lowest score: several where they tie."""
        self._cover(self.terms.bound, (), _NO_SCORE, fewest=True)
        return list(self.found)

    def minimal(self) -> list[frozenset[int]]:
        """Return all covers of which no smaller part is a cover."""
        self._cover(self.terms.bound, (), _NO_SCORE, fewest=False)
        return [cover for cover in self.found if not any(other < cover for other in self.found)]

    def _cover(
        self, remaining: frozenset[Local], chosen: tuple[int, ...], score: Score, fewest: bool
    ) -> None:
        if not remaining:
            self._add(chosen, score, fewest)
            return
        if fewest and self.least is not None and self.least[0] <= len(chosen):
            return
        self._step()
        variable = min(remaining, key=lambda local: local.unique or local.name)
        for number, variables, own in self.usable:
            if variable in variables and number not in chosen:
                self._cover(remaining - variables, (*chosen, number), score.plus(own), fewest)

    def _add(self, chosen: tuple[int, ...], score: Score, fewest: bool) -> None:
        """Note a cover, unless a better one is known."""
        self.covers += 1
        if self.covers > _MOST_COVERS:
            raise Unsupported("a quantifier with too many possible triggers", self.place)
        if fewest:
            rank = (len(chosen), score)
            if self.least is not None and rank > self.least:
                return
            if rank != self.least:
                self.found.clear()
            self.least = rank
        self.found[frozenset(chosen)] = None

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Rejected(
                "could not infer triggers: the quantifier is too large; mark terms with #[trigger]",
                self.place,
            )

    def _may_loop(self, template: TermOf) -> bool:
        """Return whether another term has the form of ``template`` with something larger for a bound variable."""
        assert isinstance(template, Application)
        for term in self.terms.seen[template.head]:
            self._step()
            matches, larger = self._matches(template, term)
            if matches and larger:
                return True
        return False

    def _matches(self, template: TermOf, term: TermOf) -> tuple[bool, bool]:
        """Return whether ``term`` is an instance of ``template``, and whether by something that is no variable."""
        if isinstance(template, Variable):
            if template.local in self.terms.bound:
                return True, isinstance(term, Application) and not is_entry_value(term)
            return template == term, False
        if (
            isinstance(term, Variable)
            or template.head != term.head
            or len(template.arguments) != len(term.arguments)
        ):
            return False, False
        pairs = [
            self._matches(one, other) for one, other in zip(template.arguments, term.arguments, strict=True)
        ]
        return all(same for same, _ in pairs), any(larger for _, larger in pairs)
