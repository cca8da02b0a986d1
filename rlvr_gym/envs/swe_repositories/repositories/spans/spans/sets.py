"""A set of whole numbers as sorted, disjoint, half-open intervals that do not touch."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator

Span = tuple[int, int]


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans sorted, with those that overlap or touch made one, and without empty ones."""
    found: list[Span] = []
    for start, stop in sorted(spans):
        if start >= stop:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], stop))
        else:
            found.append((start, stop))
    return tuple(found)


class SpanSet:
    """An unchangeable set of whole numbers."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._spans = _merged(spans)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The intervals, sorted; each holds its start and not its stop."""
        return self._spans

    def __contains__(self, number: int) -> bool:
        index = bisect.bisect_right(self._spans, (number, float("inf"))) - 1
        return index >= 0 and self._spans[index][0] <= number < self._spans[index][1]

    def __iter__(self) -> Iterator[int]:
        for start, stop in self._spans:
            yield from range(start, stop)

    def __len__(self) -> int:
        return sum(stop - start for start, stop in self._spans)

    def __bool__(self) -> bool:
        return bool(self._spans)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpanSet) and self._spans == other._spans

    def __hash__(self) -> int:
        return hash(self._spans)

    def __repr__(self) -> str:
        return f"SpanSet({list(self._spans)})"

    def __or__(self, other: SpanSet) -> SpanSet:
        return SpanSet((*self._spans, *other._spans))

    def __and__(self, other: SpanSet) -> SpanSet:
        found: list[Span] = []
        mine, theirs = list(self._spans), list(other._spans)
        i = j = 0
        while i < len(mine) and j < len(theirs):
            start = max(mine[i][0], theirs[j][0])
            stop = min(mine[i][1], theirs[j][1])
            if start < stop:
                found.append((start, stop))
            # The one that ends first can meet nothing that follows.
            if mine[i][1] <= theirs[j][1]:
                i += 1
            else:
                j += 1
        return SpanSet(found)

    def __sub__(self, other: SpanSet) -> SpanSet:
        found: list[Span] = []
        for start, stop in self._spans:
            at = start
            for cut_start, cut_stop in other._spans:
                if cut_stop <= at:
                    continue
                if cut_start >= stop:
                    break
                if cut_start > at:
                    found.append((at, cut_start))
                at = cut_stop
            if at < stop:
                found.append((at, stop))
        return SpanSet(found)

    def __xor__(self, other: SpanSet) -> SpanSet:
        return (self - other) | (other - self)

    def gaps(self) -> SpanSet:
        """Return what lies between the first and the last number and is not in the set."""
        inner = zip(self._spans, self._spans[1:], strict=False)
        return SpanSet((left[1], right[0]) for left, right in inner)

    def shifted(self, by: int) -> SpanSet:
        """Return the set with ``by`` added to each number."""
        return SpanSet((start + by, stop + by) for start, stop in self._spans)

    def widened(self, by: int) -> SpanSet:
        """Return the set with the ``by`` numbers before and after each interval; a negative ``by`` takes them away."""
        return SpanSet((start - by, stop + by) for start, stop in self._spans)

    def nearest(self, number: int) -> int:
        """Return the member that is nearest to ``number``, the smaller of two.

        Raises:
            ValueError: the set is empty.
        """
        if not self._spans:
            raise ValueError("an empty set has no nearest number")
        candidates = [min(max(number, start), stop - 1) for start, stop in self._spans]
        return min(candidates, key=lambda candidate: (abs(candidate - number), candidate))
