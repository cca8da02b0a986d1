"""Free text read by a policy: it proposes facts line by line, and only those that the text bears out are taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rlvr_gym.graphs.corpus import Evidence
from rlvr_gym.graphs.extraction.report import Report
from rlvr_gym.graphs.extraction.resolving import Context, Resolved, Resolver
from rlvr_gym.graphs.extraction.settings import ExtractionConfig
from rlvr_gym.graphs.graph import Relation
from rlvr_gym.policies.base import Policy, opening, room_left
from rlvr_gym.seeding import derive
from rlvr_gym.types import Message, SampleRequest

STAGE = "free text"
_BAR = " | "
_DOUBT = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|neither|nor|without|false|untrue|wrong|denie[sd]|deny|doubt\w{0,6}|perhaps|maybe"
    r"|might|would|could|if|unless|allegedly|supposedly|rumou?r\w{0,5}|claim\w{0,3}|former\w{0,2}|once|\w{1,10}n't)\b",
    re.IGNORECASE,
)
"""Words by which a text may take back what a quote from it seems to state; a program cannot tell, so it takes nothing."""
_MAX_LETTERS = 20_000
"""Characters of an answer that are looked at."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that no sentence form fits."""

    document: str
    text: str
    start: int
    """Its first character in the document."""


class Reader:
    """Asks a policy for the facts of passages.

    An answer is hostile until it is checked. Each of its lines must have four fields, ``head | relation | tail | quote``;
    the relation must be one of those asked for, the quote must stand in the passage letter by letter and hold both
    names, each name must mean exactly one entity of the class that the relation asks for, and no word of the passage may
    deny or doubt anything. All else is dropped and counted by its reason. That the words of the quote do state the
    relation is the policy's own reading, which no program checks: hence the lower confidence.

    Args:
        policy: Who is asked; greedily, so the same passage gets the same answer.
        relations: What may hold, in the order of their places.
        resolver: Finds who is meant by names.
        config: Settings.
    """

    def __init__(
        self, policy: Policy, relations: Sequence[Relation], resolver: Resolver, config: ExtractionConfig
    ) -> None:
        self._policy, self._relations, self._resolver, self._config = policy, relations, resolver, config
        self._by_words: dict[str, list[int]] = {}
        for place, relation in enumerate(relations):
            self._by_words.setdefault(relation.words, []).append(place)

    def read(self, passages: Sequence[tuple[Passage, Context]], report: Report) -> Iterator[Evidence]:
        """Yield evidence for the facts that the policy finds in passages and that these bear out."""
        size = self._config.batch_size
        for first in range(0, len(passages), size):
            requests, asked = [], []
            for number, (passage, context) in enumerate(passages[first : first + size], first):
                request = self._request(number, passage)
                if request is None:
                    report.drop(STAGE, "passage that leaves the policy no room")
                else:
                    requests.append(request)
                    asked.append((passage, context))
            report.count(STAGE, "passages", len(requests))
            completions = self._policy.sample(requests) if requests else []
            for (passage, context), completion in zip(asked, completions, strict=True):
                yield from self.parse(completion.text, passage, context, report)

    def _request(self, number: int, passage: Passage) -> SampleRequest | None:
        prompt = opening(self._policy, (Message("user", self.question(passage)),))
        room = room_left(self._policy, None, len(prompt))
        limit = self._config.max_new_tokens if room is None else min(room, self._config.max_new_tokens)
        if limit < 1:
            return None
        return SampleRequest(f"read/{number}", prompt, derive(0, "read", number), limit, temperature=0.0)

    def question(self, passage: Passage) -> str:
        """Return what the policy is asked about a passage."""
        names = ", ".join(sorted(self._by_words))
        return (
            "Write down the facts that this text states, one a line, as\n"
            "head | relation | tail | quote\n"
            f"where the relation is one of: {names}\n"
            "and the quote is the words of the text that state the fact. Write nothing else.\n\n"
            f"{passage.text}"
        )

    def parse(self, answer: str, passage: Passage, context: Context, report: Report) -> Iterator[Evidence]:
        """Yield evidence for the lines of an answer that hold; count the others by reason."""
        lines = [line for line in answer[:_MAX_LETTERS].split("\n") if line.strip()]
        if len(lines) > self._config.max_triples:
            report.drop(STAGE, "line beyond the limit", len(lines) - self._config.max_triples)
        for line in dict.fromkeys(lines[: self._config.max_triples]):
            found = self._line(line.strip(), passage, context)
            if isinstance(found, Evidence):
                report.count(STAGE, "facts")
                yield found
            else:
                report.drop(STAGE, found)

    def _line(self, line: str, passage: Passage, context: Context) -> Evidence | str:
        fields = line.split(_BAR)
        if len(fields) != 4 or not all(field.strip() for field in fields):
            return "line without four fields"
        head, words, tail, quote = fields
        at = passage.text.find(quote)
        if at < 0:
            return "quote that the text does not have"
        if not (_stands(head, quote) and _stands(tail, quote)):
            return "quote without both names"
        if _DOUBT.search(passage.text):
            return "text that denies or doubts"
        if words not in self._by_words:
            return "relation that is not asked for"
        found = [
            (kind, *ends) for kind in self._by_words[words] if (ends := self._ends(kind, head, tail, context))
        ]
        if len(found) != 1:
            return "names that do not mean one entity each"
        ((kind, first, second),) = found
        if first.place == second.place:
            return "fact of one entity with itself"
        start = passage.start + at
        confidence = self._config.free_text * min(first.confidence, second.confidence)
        fact = (first.place, kind, second.place)
        return Evidence(fact, passage.document, start, start + len(quote), confidence)

    def _ends(self, kind: int, head: str, tail: str, context: Context) -> tuple[Resolved, Resolved] | None:
        relation = self._relations[kind]
        first = self._resolver.resolve(head, relation.head_type, context)
        second = self._resolver.resolve(tail, relation.tail_type, context)
        return (first, second) if isinstance(first, Resolved) and isinstance(second, Resolved) else None


def _stands(name: str, quote: str) -> bool:
    """Return whether a name stands in a quote as whole words."""
    at = quote.find(name)
    while at >= 0:
        around = quote[max(0, at - 1) : at] + quote[at + len(name) : at + len(name) + 1]
        if not any(letter.isalnum() for letter in around):
            return True
        at = quote.find(name, at + 1)
    return False
