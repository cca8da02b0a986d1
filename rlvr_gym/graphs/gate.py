"""The gate of questions: whether one that somebody wrote asks a sound path, and gives nothing away.

`row` puts all that this needs into JSON values, so that a verifier can tell without the graph: what `structure` says of
the path, the names that must not be said, the names of the start that are clear, and the words of the relations.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Final

from rlvr_gym.graphs.asking import Row, decide
from rlvr_gym.graphs.expression import MOST_CHARS, plain
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.naming import spellings
from rlvr_gym.graphs.paths import Path, step_id
from rlvr_gym.graphs.phrases import phrases_of
from rlvr_gym.graphs.structure import GateConfig, Reject, structure
from rlvr_gym.graphs.wording import (
    Asked,
    UnaskableError,
    Wording,
    ask,
    asked,
    clean,
    entity_width,
    names,
    nested,
    spell,
    spell_step,
    step_width,
)
from rlvr_gym.types import Json

_MOST_NAMED: Final = 32
"""Answers, and entities in between, whose names are looked for; those of the path itself come first."""


def judge(
    graph: KnowledgeGraph,
    path: Path,
    question: str,
    wording: Wording,
    config: GateConfig,
    *,
    many: bool | None = None,
) -> tuple[Reject, str] | None:
    """Return why ``question`` does not ask ``path`` soundly, with one clause for people; None when it does."""
    made = Row.model_validate(row(graph, path, wording, config, many=many))
    decision = decide([made], question)
    return None if decision.reject is None else (decision.reject, decision.clause)


def askable(
    graph: KnowledgeGraph, path: Path, wording: Wording, config: GateConfig, *, many: bool | None = None
) -> tuple[Reject, str] | None:
    """Return why the question that `ask` writes for ``path`` is refused; None when it is not.

    A sound path may still have no question of its own, such as one whose start's name holds the answer's.
    """
    made = Row.model_validate(row(graph, path, wording, config, many=many))
    if made.outcome:
        name, _, clause = made.outcome.partition(": ")
        return Reject(name), clause
    decision = decide([made], ask(graph, path, wording, many=made.many))
    return None if decision.reject is None else (decision.reject, decision.clause)


def row(
    graph: KnowledgeGraph, path: Path, wording: Wording, config: GateConfig, *, many: bool | None = None
) -> Json:
    """Return what a verifier needs to judge questions about ``path``, as JSON values.

    Args:
        graph: The graph of the path.
        path: What a question shall ask; an unsound one gets its own refusal.
        wording: How questions are written.
        config: What they must satisfy.
        many: Whether a question must ask for all of several answers; by default when there are several.
    """
    refusal = structure(graph, path, config)
    reached = _reached(graph, path) if refusal is None or refusal[0] is not Reject.NO_PATH else []
    answers = _first([path.end, *(reached[-1] if reached else ())])
    between = [*path.middle, *itertools.chain(*reached[:-1])]
    middle = _first(place for place in between if place not in (path.start, *answers))
    # Ids may hold any separator.
    asks = json.dumps([graph.entities[path.start].id, *(step_id(graph, step) for step in path.steps)])
    if wording == "codes":
        made = Row(
            wording=wording,
            asks=asks,
            outcome=_said(refusal),
            leaks=config.leaks,
            answers=tuple(spell(graph, place, "codes") for place in answers),
            middle=tuple(spell(graph, place, "codes") for place in middle),
            question=ask(graph, path, "codes"),
            sizes=(graph.num_entities, 2 * graph.num_relations),
            widths=(entity_width(graph), step_width(graph)),
        )
        return made.model_dump(mode="json")
    try:
        words = asked(graph, path)
    except UnaskableError as error:
        refusal = refusal or (Reject.MISSING, str(error).rstrip("."))
        words = Asked(tuple((spell_step(graph, step, "text"), graph.is_inverse(step)) for step in path.steps))
    before = nested(words.steps)
    found, spoilt = names(graph, path.start, before)
    clear: dict[str, str] = {}
    for name in found:
        # Of names that differ in case alone the first is written.
        clear.setdefault(plain(name), name)
    unclear = dict.fromkeys(map(plain, spoilt))
    if refusal is None:
        misread = [name for name in clear if _misread(graph, path, before, name)]
        unclear.update(dict.fromkeys(misread))
        clear = {name: spelling for name, spelling in clear.items() if name not in misread}
        refusal = _unsayable(graph, path, before, list(clear))
    if many is None:
        many = bool(reached) and len(reached[-1]) > 1
    made = Row(
        wording=wording,
        asks=asks,
        outcome=_said(refusal),
        leaks=config.leaks,
        answers=_forms(graph, answers),
        middle=_forms(graph, middle),
        expression=config.expression,
        start=tuple(clear),
        spelt=tuple(clear.values()),
        unclear=tuple(name for name in unclear if name not in clear),
        steps=words.steps,
        types=_types(graph, words, reached[-1] if reached else [path.end]),
        unit=words.unit,
        quantity=words.quantity,
        # However an unsound path is asked, it is refused for its own reason.
        many=many and refusal is None,
        taken=phrases_of(graph).taken,
    )
    return made.model_dump(mode="json")


def _said(refusal: tuple[Reject, str] | None) -> str:
    return "" if refusal is None else f"{refusal[0]}: {refusal[1]}"


def _reached(graph: KnowledgeGraph, path: Path) -> list[list[int]]:
    """Return where the walks are after each hop, whichever way they went."""
    reached, at = [], [path.start]
    for step in path.steps:
        at = sorted({end for entity in at for end in graph.successors(entity, step).tolist()})
        reached.append(at)
    return reached


def _first(places: Iterable[int]) -> list[int]:
    return list(itertools.islice(dict.fromkeys(map(int, places)), _MOST_NAMED))


def _forms(graph: KnowledgeGraph, places: Sequence[int]) -> tuple[str, ...]:
    """Return the names of entities and the values of quantities, as they are looked for."""
    found: dict[str, None] = {}
    for place in places:
        entity = graph.entities[place]
        names = [*graph.aliases.forms(place), spell(graph, place, "text")]
        if "value" in entity.attributes and entity.modality == "quantity":
            names.append(str(entity.attributes["value"]))
        found.update(dict.fromkeys(itertools.chain(*map(spellings, names))))
    return tuple(found)


def _types(graph: KnowledgeGraph, words: Asked, answers: Sequence[int]) -> tuple[str, ...]:
    """Return the classes that all answers have: that of the relation's end, and their own if it is one."""
    if words.quantity:
        return ()
    own = {graph.entities[place].type for place in answers}
    types = (words.type, *(clean(type).replace("_", " ") for type in own if len(own) == 1))
    return tuple(dict.fromkeys(filter(None, types)))


def _unsayable(
    graph: KnowledgeGraph, path: Path, before: str, clear: Sequence[str]
) -> tuple[Reject, str] | None:
    """Return why no English question can ask a sound path."""
    if not clear:
        return Reject.AMBIGUOUS_START, "every name of the start may mean something else"
    if len(before) + min(map(len, clear)) > MOST_CHARS // 2:
        return Reject.UNREADABLE, f"its names and phrases have more than {MOST_CHARS // 2} characters"
    meant = graph.answers(path.start, path.steps).tolist()
    for steps in phrases_of(graph).read(plain(before).split()):
        if steps != path.steps and graph.answers(path.start, steps).tolist() not in ([], meant):
            return Reject.MISSING, f"'{before.strip()}' also reads as other steps, with other answers"
    return None


def _misread(graph: KnowledgeGraph, path: Path, before: str, name: str) -> bool:
    """Return whether phrases and a name of the start also read as others, which have other answers.

    "The capital of the king of Spain" asks for something else where "king" is a relation and not a part of a name, or
    where "capital of the king" is one, whoever is king of what.
    """
    phrases = plain(before).split()
    words = [*phrases, *name.split()]
    meant = graph.answers(path.start, path.steps).tolist()
    # Other steps to the same name are looked for elsewhere, as they spoil all names alike.
    for at in (at for at in range(1, len(words)) if at != len(phrases)):
        for place in graph.aliases.readings(" ".join(words[at:])):
            for steps in phrases_of(graph).read(words[:at]):
                if graph.answers(place, steps).tolist() not in ([], meant):
                    return True
    return False
