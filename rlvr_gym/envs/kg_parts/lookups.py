"""What the actions of a policy that looks things up bring, within a budget of tokens."""

from __future__ import annotations

from rlvr_gym.envs.kg_parts.budget import tokens_of, within
from rlvr_gym.envs.kg_parts.search import Search
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.wording import clean, mention, spell_step

_PASSAGES = 5
_READINGS = 8
_ENDS = 20
"""Most entities named on one line; a hub has thousands."""
_SHOWN_CHARS = 60
_NAME_CHARS = 200


def searched(search: Search, words: str, tokens: int) -> str:
    """Return the passages that fit ``words`` best, the best first."""
    found = search.find(words, _PASSAGES)
    if not found:
        return f"No document holds any of the words '{_short(words)}'."
    parts = [f"[{passage.title}]\n{passage.text}" for passage in found]
    text, shown = parts[0], 1
    while shown < len(parts) and tokens_of(f"{text}\n\n{parts[shown]}") <= tokens:
        text, shown = f"{text}\n\n{parts[shown]}", shown + 1
    return within(text, tokens)


def neighbours(graph: KnowledgeGraph, name: str, page: int, tokens: int) -> str:
    """Return what is known of an entity, both ways, a line for each step; pages hold what the budget has room for."""
    index = graph.aliases
    readings = index.readings(name) or index.readings(name.rpartition("[")[2].rstrip("]"))
    if not readings:
        found = index.mentions(name[:_NAME_CHARS])
        near = f" Did you mean '{_named(graph, found[0].readings[0])}'?" if found else ""
        return within(f"No entity is called '{_short(name)}': search for its exact name.{near}", tokens)
    if len(readings) > 1:
        ids = "; ".join(clean(graph.entities[place].id) for place in readings[:_READINGS])
        more = f" and {len(readings) - _READINGS} more" if len(readings) > _READINGS else ""
        return within(
            f"{len(readings)} entities are called '{_short(name)}'; ask by id: {ids}{more}.", tokens
        )
    (place,) = readings
    # Room for the first line and for how to go on.
    pages = _pages(_lines(graph, place), max(1, tokens - 64))
    title = _named(graph, place)
    if not pages:
        return within(f"Nothing is known of {title}.", tokens)
    if not 1 <= page <= len(pages):
        return within(f"There is no page {page} of {title}: it has {len(pages)}.", tokens)
    head = f"{title}, page {page} of {len(pages)}:" if len(pages) > 1 else f"{title}:"
    return within("\n".join([head, *pages[page - 1]]), tokens)


def _lines(graph: KnowledgeGraph, place: int) -> list[str]:
    lines = []
    for step, ends in graph.steps.from_entity(place):
        names = "; ".join(_named(graph, int(end)) for end in ends[:_ENDS])
        more = f" and {len(ends) - _ENDS} more" if len(ends) > _ENDS else ""
        words = spell_step(graph, step % graph.num_relations, "text")
        lines.append(f"- {words}{' of' if graph.is_inverse(step) else ''}: {names}{more}")
    return lines


def _pages(lines: list[str], tokens: int) -> list[list[str]]:
    pages: list[list[str]] = []
    used = 0
    for line in lines:
        # The end of a line takes a byte.
        size = tokens_of(line + "\n")
        if not pages or used + size > tokens:
            pages.append([])
            used = 0
        pages[-1].append(line)
        used += size
    return pages


def _named(graph: KnowledgeGraph, place: int) -> str:
    """Return a name by which the entity can be asked for, with its id where the name alone is not clear."""
    name = mention(graph, place)
    return name if graph.aliases.readings(name) == (place,) else f"{name} [{clean(graph.entities[place].id)}]"


def _short(text: str) -> str:
    return clean(text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "...")
