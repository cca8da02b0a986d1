"""Answers that are entities of a knowledge graph: matched whole to the names that stand for them, sets exactly."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.config import NoConfig
from rlvr_gym.errors import RLVRError, TaskError
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.kg_answers import (
    Item,
    Names,
    Reference,
    Statement,
    agrees,
    channels,
    find_statement,
    places,
    read_items,
    read_reference,
    same_items,
)
from rlvr_gym.verifiers.ranges import pass_or_fail


@verifier("kg", bounded=True, scores=pass_or_fail, paper="arXiv:2605.05546")
def kg(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response names exactly the answers, each by a name that stands for it alone.

    The reference is a table: ``answers``, rows as `rlvr_gym.graphs.aliases.accepted` makes them, names, or tables with
    ``id``, ``label`` and ``aliases``; ``many``, whether all of several answers are asked for; ``path``, rows of the
    entities on the way; ``codes``, the letters of a code where answers are codes, and ``chain``, whether the codes of
    the way come first; ``graph``, the table of the graph, with ``start`` and ``steps`` of the question.

    The parts ``kg_f1``, ``kg_path`` and ``kg_consistency`` say how near the answer and the way to it are. They are never
    part of the score.

    Each reason begins with a code: ``no_answer``, ``unclosed_think``, ``too_long`` and ``codes`` for malformed;
    ``wrong``, ``ambiguous``, ``negated``, ``hedge``, ``unit``, ``repeated``, ``missing`` and ``too_long`` (a list) for
    failed; ``same`` for passed.

    Raises:
        TaskError: a reference that cannot be judged against.
    """
    reference = read_reference(task)
    if reference.width:
        verdict, items, before = _codes(reference, response)
    else:
        verdict, items, before = _names(reference, response)
    try:
        parts = channels(reference, items, before)
    except RLVRError as error:
        raise TaskError(f"task '{task.id}': the reference of 'kg': {error}") from None
    return Verdict.of(verdict.status, verdict.reason, checks=verdict.checks, parts=parts)


def _names(reference: Reference, response: str) -> tuple[Verdict, list[Item] | None, str]:
    names = Names(reference.answers, reference.path or ())
    before = ""
    try:
        statement = find_statement(response)
        before = statement.before
        items = read_items(statement.content, names)
        verdict = _compared(reference, items)
        if verdict.passed and not _agree(statement, items, names):
            raise Refusal("hedge", "another answer is stated as well", failed=True)
    except Refusal as refusal:
        status = Status.FAILED if refusal.failed else Status.MALFORMED
        return Verdict.of(status, str(refusal), checks=(Check("read", False, str(refusal)),)), None, before
    return verdict, items, before


def _agree(statement: Statement, items: Sequence[Item], names: Names) -> bool:
    """Return whether all else that a response calls the answer is the same."""
    return all(same_items(other, items, names) for other in statement.others) and all(
        agrees(claim, items, names) for claim in statement.claims
    )


def _compared(reference: Reference, items: Sequence[Item]) -> Verdict:
    """Return the verdict on an answer that could be read."""
    wrong = next((item for item in items if not item.readings), None)
    number = len(reference.answers)
    if wrong is not None:
        reason = wrong.why
    elif not _distinct([item.readings for item in items]):
        reason = "repeated: an answer is given more than once"
    elif missing := frozenset(range(number)) - places(items):
        label = reference.answers[min(missing)].label
        reason = f"missing: {len(missing)} of {number} answers, such as '{label:.60}'"
    else:
        reason = f"same: all {number} answers" if reference.many else "same: the answer"
    passed = reason.startswith("same: ")
    status = Status.PASSED if passed else Status.FAILED
    checks = (Check("read", True), Check("equal", passed, reason))
    return Verdict.of(status, reason, checks=checks)


def _distinct(readings: Sequence[frozenset[int]]) -> bool:
    """Return whether every item can stand for an answer of its own; a name may be shared by several answers."""
    taken: dict[int, int] = {}

    def place(at: int, seen: set[int]) -> bool:
        for answer in readings[at]:
            if answer not in seen:
                seen.add(answer)
                if answer not in taken or place(taken[answer], seen):
                    taken[answer] = at
                    return True
        return False

    return all(place(at, set()) for at in range(len(readings)))


def _codes(reference: Reference, response: str) -> tuple[Verdict, list[Item] | None, str]:
    """Return the verdict on codes: as many as there are hops, of which the last is the answer."""
    written, width = response.strip(), reference.width
    hops = len(reference.path or ()) + 1 if reference.chain else 1
    if len(written) != width * hops or not (written.isascii() and written.isalpha() and written.islower()):
        reason = f"codes: not {hops} codes of {width} letters"
        return Verdict.of(Status.MALFORMED, reason, checks=(Check("read", False, reason),)), None, ""
    before, code = written[:-width], written[-width:]
    readings = frozenset({0} if code == reference.answers[0].code else ())
    reason = "same: the answer" if readings else f"wrong: '{code}' is no answer"
    status = Status.PASSED if readings else Status.FAILED
    checks = (Check("read", True), Check("equal", bool(readings), reason))
    return Verdict.of(status, reason, checks=checks), [Item(code, readings)], before
